//! A floor from a file: a mesh, a grey image or a table.

use core::fmt;
use std::path::Path;

use surefoot_core::Floor;
use surefoot_core::UpAxis;
use surefoot_formats::Space;
use surefoot_formats::floor::{FloorError, ImagePlacement, read_csv, read_obj, read_pgm};

/// What a person says of a floor's file, which does not say it itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct FloorFile {
    /// Its unit in metres; the motion's by default.
    pub unit: Option<f64>,
    /// Its up axis; the motion's by default.
    pub up: Option<UpAxis>,
    /// The side of one pixel of an image, in metres.
    pub cell: Option<f64>,
    /// The heights of black and white, in metres.
    pub heights: Option<(f64, f64)>,
    /// Where the first pixel lies; the image's middle is at 0, 0 by default.
    pub origin: Option<(f64, f64)>,
}

/// Why there is no floor in a file.
#[derive(Debug)]
pub enum FloorProblem {
    /// An image that nobody says the size of.
    NoSize,
    /// What is wrong in it.
    Wrong(FloorError),
}

impl FloorProblem {
    /// A way out of [`NoSize`](Self::NoSize).
    pub const SAY_SIZE: &str = "say so, as --floor-cell 5cm --floor-height 0..50cm";
}

impl fmt::Display for FloorProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSize => f.write_str("a grey image does not say how large it is"),
            Self::Wrong(error) => error.fmt(f),
        }
    }
}

impl FloorFile {
    /// How large an image is: it does not say.
    pub fn image(&self) -> Option<ImagePlacement> {
        Some(ImagePlacement { cell: self.cell?, heights: self.heights?, origin: self.origin })
    }
}

/// The floor in a file that is called `name`, for a motion of this unit and up axis.
pub fn floor_from(name: &str, bytes: &[u8], told: &FloorFile, motion: &Space) -> Result<Floor, FloorProblem> {
    let space = Space { unit_m: told.unit.unwrap_or(motion.unit_m), up: told.up.unwrap_or(motion.up) };
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let surface = match ending.to_ascii_lowercase().as_str() {
        "pgm" => read_pgm(bytes, &told.image().ok_or(FloorProblem::NoSize)?, &space),
        "csv" => read_csv(bytes, &space),
        _ => read_obj(bytes, &space),
    };
    surface.map(Floor::from).map_err(FloorProblem::Wrong)
}
