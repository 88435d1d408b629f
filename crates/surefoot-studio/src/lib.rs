//! The editor's server and its door to the browser; translates, never computes.

mod asked;
mod curves;
mod open_file;
mod session;
#[cfg(feature = "server")]
pub mod server;

pub use session::Session;
