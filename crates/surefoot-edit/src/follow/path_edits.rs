//! New paths made from the path of a body: bent, scaled, through other points.

use surefoot_core::math::{atan2, sincos};

use super::path::{GroundPosition, Path, PathError};

/// Integration steps per span of a bent path.
const STEPS: usize = 32;

/// Integration steps per point of the bent path. A natural spline is straight at its ends, so its end
/// spans have to be short, and sharp bends have to keep their position.
const STEPS_PER_POINT: usize = 8;

/// Bends a path evenly along its length, so that its end direction turns left by `angle` radians.
///
/// The length does not change. An angle of 0 returns the same path.
pub fn bend_path(path: &Path, angle: f64) -> Result<Path, PathError> {
    if angle == 0.0 {
        return Ok(path.clone());
    }
    let mut position = path.at(0.0).position;
    let mut points = vec![position];
    for span in 0..path.points().len() - 1 {
        let (from, to) = (path.length_to(span), path.length_to(span + 1));
        let size = (to - from) / STEPS as f64;
        for step in 0..STEPS {
            let at = from + (step as f64 + 0.5) * size;
            let direction = path.at(at).direction;
            // With x to the right and z down, seen from above, left is counterclockwise.
            let heading = atan2(direction[0], direction[1]) + angle * at / path.length();
            let (x, z) = sincos(heading);
            position = [position[0] + x * size, position[1] + z * size];
            if (step + 1) % STEPS_PER_POINT == 0 {
                points.push(position);
            }
        }
    }
    Path::through(&points)
}

/// Scales a path about its start.
pub fn scale_path(path: &Path, scale: f64) -> Result<Path, PathError> {
    let [x, z] = path.points()[0];
    let point = |point: &GroundPosition| [x + (point[0] - x) * scale, z + (point[1] - z) * scale];
    if scale == 1.0 {
        Ok(path.clone())
    } else {
        Path::through(&path.points().iter().map(point).collect::<Vec<_>>())
    }
}

/// A path from the start of this one through other points.
pub fn path_through(path: &Path, positions: &[GroundPosition]) -> Result<Path, PathError> {
    let points: Vec<GroundPosition> = path.points()[..1].iter().chain(positions).copied().collect();
    Path::through(&points)
}

/// Moves and rotates a path so that its start position and direction are those of another.
pub fn align_start(path: &Path, own: &Path) -> Result<Path, PathError> {
    let (from, to) = (path.at(0.0), own.at(0.0));
    let heading = |direction: GroundPosition| atan2(direction[0], direction[1]);
    let (sin, cos) = sincos(heading(to.direction) - heading(from.direction));
    let point = |point: &GroundPosition| {
        let (x, z) = (point[0] - from.position[0], point[1] - from.position[1]);
        [to.position[0] + x * cos + z * sin, to.position[1] + z * cos - x * sin]
    };
    Path::through(&path.points().iter().map(point).collect::<Vec<_>>())
}
