//! Floors from files: a mesh, a grey image of heights or a table of heights.

use core::fmt;
use std::path::Path;

use surefoot_core::{Floor, UpAxis};
use surefoot_formats::Space;
use surefoot_formats::floor::{FloorError, ImagePlacement, read_csv, read_obj, read_pgm};

/// Unit, axes and size of a floor file, which the file does not state.
#[derive(Clone, Copy, Debug, Default)]
pub struct FloorFileOptions {
    /// The unit of the file in metres. Default: that of the motion.
    pub unit: Option<f64>,
    /// The up axis of the file. Default: that of the motion.
    pub up: Option<UpAxis>,
    /// The side of one pixel of an image, in metres. Images need it.
    pub cell: Option<f64>,
    /// The heights of black and white, in metres. Images need them.
    pub heights: Option<(f64, f64)>,
    /// Where the first pixel lies on the ground, in metres. Default: the middle of the image is at 0, 0.
    pub origin: Option<(f64, f64)>,
}

/// Why a floor could not be read from a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum FloorFileError {
    /// An image without the size of a pixel or the heights of black and white.
    NoSize,
    /// The content is wrong.
    Content(FloorError),
}

impl fmt::Display for FloorFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSize => f.write_str("a grey image does not state how large it is"),
            Self::Content(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FloorFileError {}

impl FloorFileOptions {
    /// The size of an image, if it is stated.
    pub fn image(&self) -> Option<ImagePlacement> {
        Some(ImagePlacement { cell: self.cell?, heights: self.heights?, origin: self.origin })
    }
}

/// Reads a floor for a motion of this unit and up axis. The ending of the name decides the format: `.pgm`, `.csv`,
/// else OBJ.
pub fn read_floor(
    name: &str,
    bytes: &[u8],
    options: &FloorFileOptions,
    motion: &Space,
) -> Result<Floor, FloorFileError> {
    let space = Space { unit_m: options.unit.unwrap_or(motion.unit_m), up: options.up.unwrap_or(motion.up) };
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let surface = match ending.to_ascii_lowercase().as_str() {
        "pgm" => read_pgm(bytes, &options.image().ok_or(FloorFileError::NoSize)?, &space),
        "csv" => read_csv(bytes, &space),
        _ => read_obj(bytes, &space),
    };
    surface.map(Floor::from).map_err(FloorFileError::Content)
}
