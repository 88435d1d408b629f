//! What is a body's own path, turned, scaled or through other places?

use surefoot_core::math::{atan2, sincos};

use super::path::{Path, PathError, Place};

/// How finely a turned path is walked, in steps from one point of the old to the next.
const STEPS: usize = 32;

/// After so many of them a point is set: ends of a spline do not bend, so that they must be short, and
/// sharp bends must be where they were.
const DENSE: usize = 8;

/// The path bent evenly along its length, so that its end goes `angle` radians farther to the left
/// than it did. It is as long as it was. No angle gives the path itself.
pub fn turned(path: &Path, angle: f64) -> Result<Path, PathError> {
    if angle == 0.0 {
        return Ok(path.clone());
    }
    let mut place = path.at(0.0).place;
    let mut points = vec![place];
    for span in 0..path.points().len() - 1 {
        let (from, to) = (path.length_to(span), path.length_to(span + 1));
        let size = (to - from) / STEPS as f64;
        for step in 0..STEPS {
            let at = from + (step as f64 + 0.5) * size;
            let along = path.at(at).along;
            // Left, seen from above with x to the right and z down the page, is against the clock.
            let heading = atan2(along[0], along[1]) + angle * at / path.length();
            let (x, z) = sincos(heading);
            place = [place[0] + x * size, place[1] + z * size];
            if (step + 1) % DENSE == 0 {
                points.push(place);
            }
        }
    }
    Path::through(&points)
}

/// The path so many times as large, from where it begins.
pub fn scaled(path: &Path, scale: f64) -> Result<Path, PathError> {
    let [x, z] = path.points()[0];
    let point = |point: &Place| [x + (point[0] - x) * scale, z + (point[1] - z) * scale];
    if scale == 1.0 {
        Ok(path.clone())
    } else {
        Path::through(&path.points().iter().map(point).collect::<Vec<_>>())
    }
}

/// A path from where this one begins through other places.
pub fn through(path: &Path, places: &[Place]) -> Result<Path, PathError> {
    let points: Vec<Place> = path.points()[..1].iter().chain(places).copied().collect();
    Path::through(&points)
}

/// A path moved and turned to begin where another does, and as it does.
pub fn starting_as(path: &Path, own: &Path) -> Result<Path, PathError> {
    let (from, to) = (path.at(0.0), own.at(0.0));
    let heading = |along: Place| atan2(along[0], along[1]);
    let (sin, cos) = sincos(heading(to.along) - heading(from.along));
    let point = |point: &Place| {
        let (x, z) = (point[0] - from.place[0], point[1] - from.place[1]);
        [to.place[0] + x * cos + z * sin, to.place[1] + z * cos - x * sin]
    };
    Path::through(&path.points().iter().map(point).collect::<Vec<_>>())
}
