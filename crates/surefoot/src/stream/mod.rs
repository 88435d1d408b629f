//! Motion streams: cleaning frames as they arrive, and converting files to streams and back.
//!
//! [`clean_stream`] reads the header and the frames of a stream, cleans them with a fixed latency and writes them.
//! [`StreamSetup`] is what is fixed while a stream runs: skeleton, legs and floor, from the header or from a file.
//! [`file_to_stream`] and [`StreamMotion`] convert motion files to streams and back.
//!
//! ```
//! use surefoot::formats::stream::{Encoding, Reader};
//! use surefoot::sample::Recipe;
//! use surefoot::stream::{StreamMotion, StreamOptions, StreamSetup, clean_stream, file_to_stream};
//! use surefoot::{LoadOptions, MotionFile, Settings, sample_files};
//!
//! let sample = sample_files(&Recipe::default())?;
//! let mut walk = MotionFile::from_bytes("walk.bvh".into(), sample.bvh, &LoadOptions::default())?;
//! walk.detect_plants()?;
//! let frames = file_to_stream(&walk, Encoding::Ndjson)?;
//!
//! let (reader, header) = Reader::begin(&frames[..])?;
//! let setup = StreamSetup::from_header(&header)?;
//! let options = StreamOptions { settings: Settings::live(), ..StreamOptions::default() };
//! let mut clean = Vec::new();
//! clean_stream(reader, &header, &setup, &options, &mut clean)?;
//! assert_eq!(StreamMotion::read(&clean)?.motion.frames(), walk.clip.motion.frames());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clean_stream;
mod detector;
mod error;
mod file;
mod ground_frame;
mod setup;

pub use clean_stream::{StreamOptions, clean_stream};
pub use detector::StreamDetector;
pub use error::{CleanStreamError, StreamFileError, StreamSetupError};
pub use file::{StreamMotion, file_to_stream, is_stream};
pub use setup::StreamSetup;
