//! Tests of the studio's session and of its server, linked into one binary.

#[cfg(feature = "server")]
mod server;
mod session;
