//! A file, or a file and the one it was made from, seen in one way.
//!
//! Legs, unit, floor and T-pose are found in the file before and hold for both: found in each on
//! its own, they would differ by as much as the feet were moved.

use std::path::Path;

use surefoot_core::Motion;

use crate::args::Told;
use crate::input::is_dash;
use crate::look::{Looked, Opened, look, open};
use crate::problem::Problem;
use crate::scene::{Scene, scene};

/// A motion to measure or draw.
pub struct Pair {
    /// The name of the file after, or of the only one.
    pub name: String,
    /// The motion after, where there is a before.
    pub after: Option<Motion>,
    /// What was found out, of the file before or the only one.
    pub looked: Looked,
    /// The same in metres, Y up.
    pub scene: Scene,
}

/// Reads a file, and the one before it where there is one.
pub fn pair(after: &Path, before: Option<&Path>, told: &Told) -> Result<Pair, Problem> {
    let Some(before) = before else {
        let looked = look(after, told)?;
        let scene = scene(&looked)?;
        return Ok(Pair { name: looked.name.clone(), after: None, looked, scene });
    };
    if is_dash(after) && is_dash(before) {
        return Err(Problem::new("both files want stdin"));
    }
    let looked = look(before, told)?;
    let scene = scene(&looked)?;
    let Opened { name, mut bvh, .. } = open(after)?;
    if let Some(fps) = told.fps.or(looked.settings.fps) {
        bvh.set_rate(fps);
    }
    Ok(Pair { name, after: Some(bvh.motion(&looked.space())), looked, scene })
}
