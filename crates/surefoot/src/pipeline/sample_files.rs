//! The files of a generated motion.

use core::fmt;

use surefoot_core::{Motion, UpAxis};
use surefoot_formats::Space;
use surefoot_formats::WriteError;
use surefoot_formats::bvh::from_motion;
use surefoot_formats::floor::write_obj;
use surefoot_formats::plants::PlantsFile;
use surefoot_sample::{Body, Recipe, SampleError, make};

/// Unit and axes of a generated file: centimetres and Y up, as in most BVH files, or Z up for the rig of that name.
fn space_of(body: Body) -> Space {
    let axis = if body == Body::ZUp { 2 } else { 1 };
    Space { unit_m: 0.01, up: UpAxis { axis, negative: false } }
}

/// The files of a generated motion.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SampleFiles {
    /// The motion, in metres, Y up.
    pub motion: Motion,
    /// The BVH file.
    pub bvh: Vec<u8>,
    /// The plants file.
    pub plants: Vec<u8>,
    /// The stairs as an OBJ file.
    pub stairs: Vec<u8>,
}

/// Why a motion could not be generated.
#[derive(Debug)]
#[non_exhaustive]
pub enum SampleFilesError {
    /// A value of the recipe is out of range.
    Recipe(SampleError),
    /// The motion cannot be written as a BVH file.
    Write(WriteError),
}

impl fmt::Display for SampleFilesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Recipe(error) => error.fmt(f),
            Self::Write(error) => write!(f, "cannot write this motion: {error}"),
        }
    }
}

impl std::error::Error for SampleFilesError {}

/// Generates a motion and its files, in centimetres, with Y up for all rigs but [`Body::ZUp`].
pub fn sample_files(recipe: &Recipe) -> Result<SampleFiles, SampleFilesError> {
    let sample = make(recipe).map_err(SampleFilesError::Recipe)?;
    let space = space_of(recipe.body);
    let bvh = from_motion(&sample.motion, &space).map_err(SampleFilesError::Write)?;
    let (frames, fps) = (sample.motion.frames(), sample.motion.fps);
    let mut plants = sample.plants.clone();
    if recipe.skate.is_some() {
        // The spots of the undamaged motion do not fit the damaged one.
        plants.plants.iter_mut().for_each(|plant| plant.spot = None);
    }
    let plants = PlantsFile::new(&plants, &sample.legs, frames, fps);
    let stairs = write_obj(sample.stairs, &space).into_bytes();
    Ok(SampleFiles { plants: plants.write().into_bytes(), bvh, stairs, motion: sample.motion })
}
