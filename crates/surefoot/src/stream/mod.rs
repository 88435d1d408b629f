//! Motion streams: cleaning frames as they arrive, and converting files to streams and back.
//!
//! [`clean_stream`] reads the header and the frames of a stream, cleans them with a fixed latency and writes them.
//! [`StreamSetup`] is what is fixed while a stream runs: skeleton, legs and floor, from the header or from a file.
//! [`file_to_stream`] and [`StreamMotion`] convert motion files to streams and back.

mod clean_stream;
mod detector;
mod error;
mod file;
mod setup;

pub use clean_stream::{StreamOptions, clean_stream};
pub use detector::StreamDetector;
pub use error::{CleanStreamError, StreamFileError, StreamSetupError};
pub use file::{StreamMotion, file_to_stream, is_stream};
pub use setup::{StreamSetup, header_settings, solver_settings};
