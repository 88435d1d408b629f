//! Any bytes as a floor are refused, or give a surface whose queries are consistent.

use surefoot_core::UpAxis;
use surefoot_core::floor::Surface;
use surefoot_core::{Floor, Vec3};
use surefoot_formats::Space;
use surefoot_formats::floor::{FloorError, ImagePlacement, read_csv, read_obj, read_pgm};

/// Positions that are queried, as fractions of the bounding box.
const POSITIONS: [[f64; 3]; 4] = [[0.5, 0.5, 0.5], [0.1, 1.1, 0.7], [-0.5, 0.0, 1.5], [0.9, -0.2, 0.0]];

fn check(read: Result<Surface, FloorError>) {
    let surface = match read {
        Ok(surface) => surface,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let (low, high) = surface.bounds();
    // The nearest point to a position far above a large floor visits every cell, which is slow.
    let is_small = surface.len() < 10_000;
    let floor = Floor::from(surface);
    for position in POSITIONS {
        let point = low + (high - low) * Vec3::from_array(position);
        let plane = floor.plane_under(point);
        assert!(plane.normal.is_normalized() && plane.normal.y > 0.0 && plane.offset.is_finite());
        if is_small {
            let nearest = floor.nearest(point);
            let straight = plane.above(point).abs() / plane.normal.y;
            assert!(nearest.distance(point) <= straight * (1.0 + 1e-9) + 1e-9);
        }
    }
}

/// Checks one input.
pub fn check_bytes(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let up = UpAxis { axis: usize::from(first / 4 % 3), negative: first / 12 % 2 == 1 };
    let space = Space { unit_m: 0.01, up };
    match first % 4 {
        0 => check(read_csv(rest, &space)),
        1 => check(read_obj(rest, &space)),
        _ => {
            check(read_pgm(rest, &ImagePlacement { cell: 0.05, heights: (-0.1, 0.5), origin: None }, &space))
        }
    }
}
