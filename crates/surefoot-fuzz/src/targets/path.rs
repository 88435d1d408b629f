//! Any bytes as a path file, an SVG drawing or SVG path data are refused, or read and written back.

use surefoot_formats::path::{PathError, Points, read, read_svg, read_svg_path_data, write};

fn check(points: Result<Points, PathError>) {
    match points {
        Ok(points) => {
            assert!(points.len() >= 2 && points.iter().flatten().all(|number| number.is_finite()));
            // Relative steps may add up to more than the 1e9 that a path file may contain.
            if points.iter().flatten().all(|number| number.abs() <= 1e9) {
                assert_eq!(read(write(&points).as_bytes()).as_ref(), Ok(&points));
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Checks one input.
pub fn check_bytes(bytes: &[u8]) {
    check(read(bytes));
    let text = String::from_utf8_lossy(bytes);
    check(read_svg(&text));
    check(read_svg_path_data(&text));
}
