//! The studio: the session behind the browser page, and the local server of that page.
//!
//! [`Session`] translates messages of the page to calls of the `surefoot` crates and back. It contains
//! no motion processing of its own.

mod body;
mod curves;
#[cfg(feature = "full")]
mod file_set;
mod messages;
mod open_file;
#[cfg(feature = "full")]
mod page_mesh;
mod read_file;
mod reasons;
mod session;
#[cfg(feature = "server")]
pub mod server;

pub use session::Session;
