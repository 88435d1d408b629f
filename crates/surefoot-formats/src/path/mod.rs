//! A path over the ground: JSON with places, or the path of an SVG drawing.
//!
//! ```json
//! { "surefoot": "path/1", "points": [[0, 0], [0, 2], [1.5, 3]] }
//! ```
//!
//! Points are in metres along the two axes of the ground, in the file's own axes: x and z where y
//! is up, x and y where z is. In a drawing x is x and down the page is z: the ground seen from
//! above.

mod svg;

use core::fmt;

use serde_json::Value;
use surefoot_core::Vec3;

use crate::Space;
use crate::json;

pub use svg::{read_svg, read_svg_path_data};

/// What is wrong with a path, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathError {
    /// Not JSON.
    Text {
        /// Where, from 1.
        line: usize,
        /// What the reader says.
        message: String,
    },
    /// JSON, but no path of ours.
    NotAPath {
        /// What was found in place of `path/1`.
        found: String,
    },
    /// No list of points.
    NoPoints {
        /// What was found.
        found: String,
    },
    /// A point that is none.
    Point {
        /// Which, from 0.
        point: usize,
        /// What was found.
        found: String,
    },
    /// A drawing without a path.
    NoSvgPath,
    /// A letter or number in a drawing's path that cannot be meant.
    Svg {
        /// Where in the path's text, in letters from 1.
        at: usize,
        /// What was found.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// Fewer than two points.
    TooFew {
        /// How many.
        found: usize,
    },
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text { line, message } => write!(f, "line {line}: {message}"),
            Self::NotAPath { found } => {
                write!(f, "found \"surefoot\": {found}, expected \"path/1\"")
            }
            Self::NoPoints { found } => {
                write!(f, "found \"points\": {found}, expected a list as [[0, 0], [0, 2]]")
            }
            Self::Point { point, found } => {
                write!(
                    f,
                    "point {point} is {found}, expected two numbers in metres, as [0, 2], of at most 1e9"
                )
            }
            Self::NoSvgPath => write!(f, "the drawing has no <path d=\"…\">"),
            Self::Svg { at, found, expected } => {
                write!(f, "letter {at} of the drawing's path: found {found}, expected {expected}")
            }
            Self::TooFew { found } => write!(f, "found a path of {found} points, expected two or more"),
        }
    }
}

impl core::error::Error for PathError {}

/// Points of a path on the ground: two axes in metres.
pub type Points = Vec<[f64; 2]>;

/// How far from the origin a place may be, in metres: farther, arithmetic has no millimetres left.
pub(crate) const FARTHEST: f64 = 1e9;

/// Reads a path file.
pub fn read(bytes: &[u8]) -> Result<Points, PathError> {
    let value: Value = serde_json::from_slice(json::unmarked(bytes))
        .map_err(|error| PathError::Text { line: error.line().max(1), message: json::problem(&error) })?;
    let field = |name: &str| value.get(name).map_or_else(|| "nothing".into(), json::short);
    if value.get("surefoot").and_then(Value::as_str) != Some("path/1") {
        return Err(PathError::NotAPath { found: field("surefoot") });
    }
    let points = value.get("points").and_then(Value::as_array);
    let points = points.ok_or_else(|| PathError::NoPoints { found: field("points") })?;
    let point = |(point, value): (usize, &Value)| {
        let near = |numbers: &[f64; 2]| numbers.iter().all(|number| number.abs() <= FARTHEST);
        json::numbers::<2>(value)
            .filter(near)
            .ok_or_else(|| PathError::Point { point, found: json::short(value) })
    };
    let places: Points = points.iter().enumerate().map(point).collect::<Result<_, _>>()?;
    if places.len() < 2 { Err(PathError::TooFew { found: places.len() }) } else { Ok(places) }
}

/// A path file with these places, to every digit.
pub fn write(places: &[[f64; 2]]) -> String {
    let lines: Vec<String> = places.iter().map(|[x, z]| format!("    [{x:?}, {z:?}]")).collect();
    format!("{{ \"surefoot\": \"path/1\",\n  \"points\": [\n{} ] }}\n", lines.join(",\n"))
}

/// A place of a file's ground, on ours.
pub fn point_from_file(place: [f64; 2], space: &Space) -> [f64; 2] {
    let place = space.direction_from_file(on_axes(place, space));
    [place.x, place.z]
}

/// A place of our ground, on a file's.
pub fn point_to_file(place: [f64; 2], space: &Space) -> [f64; 2] {
    let place = space.direction_to_file(Vec3::new(place[0], 0.0, place[1]));
    let mut axes = (0..3).filter(|&axis| axis != space.up.axis).map(|axis| place[axis]);
    [axes.next().unwrap_or(0.0), axes.next().unwrap_or(0.0)]
}

/// A place on the two axes that are not up.
fn on_axes(place: [f64; 2], space: &Space) -> Vec3 {
    let mut on = Vec3::ZERO;
    for (axis, value) in (0..3).filter(|&axis| axis != space.up.axis).zip(place) {
        on[axis] = value;
    }
    on
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::UpAxis;

    #[track_caller]
    fn check(text: &str, error: &str) {
        assert_eq!(read(text.as_bytes()).unwrap_err().to_string(), error);
    }

    #[test]
    fn paths_come_back_to_the_bit() {
        let places = vec![[0.1, -1.0 / 3.0], [1e-300, 2.0], [12345.678, 0.0]];
        assert_eq!(read(write(&places).as_bytes()).unwrap(), places);
    }

    #[test]
    fn bad_files_say_what_is_wrong() {
        check("{", "line 1: the text ends before it is complete");
        check("{\n", "line 2: the text ends before it is complete");
        check("{}", "found \"surefoot\": nothing, expected \"path/1\"");
        check(r#"{"surefoot":"plants/1"}"#, "found \"surefoot\": \"plants/1\", expected \"path/1\"");
        check(
            r#"{"surefoot":"path/1","points":3}"#,
            "found \"points\": 3, expected a list as [[0, 0], [0, 2]]",
        );
        check(
            r#"{"surefoot":"path/1","points":[[0,0],[1,2,3]]}"#,
            "point 1 is [1,2,3], expected two numbers in metres, as [0, 2], of at most 1e9",
        );
        check(r#"{"surefoot":"path/1","points":[[0,0]]}"#, "found a path of 1 points, expected two or more");
    }

    #[test]
    fn the_ground_of_every_file_is_ours() {
        for word in ["x", "-x", "y", "-y", "z", "-z"] {
            let space = Space { unit_m: 0.01, up: UpAxis::from_name(word).unwrap() };
            assert_eq!(point_to_file(point_from_file([1.0, 2.0], &space), &space), [1.0, 2.0], "{word}");
        }
    }
}
