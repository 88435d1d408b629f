//! Benchmarks that compare surefoot with other libraries.
//!
//! The crate is not published, so the libraries compared with stay out of the dependency trees of
//! the published crates. Run `cargo bench -p surefoot-bench`.
