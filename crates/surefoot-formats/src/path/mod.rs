//! A path over the ground: JSON with a list of points, or the path of an SVG drawing.
//!
//! ```json
//! { "surefoot": "path/1", "points": [[0, 0], [0, 2], [1.5, 3]] }
//! ```
//!
//! Points are in metres along the two ground axes of the motion file: x and z where y is up, x and
//! y where z is up. A drawing shows the ground from above: x to the right, z down the page.

mod svg;

use core::fmt;

use serde_json::Value;
use surefoot_core::Vec3;

use crate::Space;
use crate::json;

pub use svg::{read_svg, read_svg_path_data};

/// Error of reading a path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathError {
    /// The file is longer than a path file may be.
    TooLong {
        /// The sentence that states both lengths.
        problem: String,
    },
    /// The text is not JSON.
    NotJson {
        /// The line, from 1.
        line: usize,
        /// The message of the JSON parser.
        problem: String,
    },
    /// JSON of another kind or version.
    Version {
        /// The value of `surefoot`, which must be `path/1`.
        found: String,
    },
    /// `points` is missing or not a list.
    NoPoints {
        /// The value of `points`.
        found: String,
    },
    /// A point that is not a pair of numbers.
    Point {
        /// The index of the point, from 0.
        point: usize,
        /// Its value.
        found: String,
    },
    /// A drawing without a path.
    NoSvgPath,
    /// An unexpected letter or number in the path data of a drawing.
    SvgPathData {
        /// The position in the path data, in characters from 1.
        at: usize,
        /// What was found.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A path with fewer than two points.
    TooFewPoints {
        /// The number of points.
        found: usize,
    },
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { problem } => f.write_str(problem),
            Self::NotJson { line, problem } => write!(f, "line {line}: {problem}"),
            Self::Version { found } => {
                write!(f, "found \"surefoot\": {found}, expected \"path/1\"")
            }
            Self::NoPoints { found } => {
                write!(f, "found \"points\": {found}, expected a list such as [[0, 0], [0, 2]]")
            }
            Self::Point { point, found } => {
                write!(
                    f,
                    "point {point} is {found}, expected two numbers in metres such as [0, 2], up to 1e9"
                )
            }
            Self::NoSvgPath => write!(f, "found no path in the drawing, expected <path d=\"…\">"),
            Self::SvgPathData { at, found, expected } => {
                write!(f, "character {at} of the path data: found {found}, expected {expected}")
            }
            Self::TooFewPoints { found } => {
                write!(f, "found a path of {found} points, expected two or more")
            }
        }
    }
}

impl core::error::Error for PathError {}

/// The points of a path along the two ground axes, in metres.
pub type Points = Vec<[f64; 2]>;

/// Largest coordinate, in metres. Farther from the origin, sums lose the sub-millimetre digits.
pub(crate) const FARTHEST: f64 = 1e9;

/// Reads a path file.
pub fn read(bytes: &[u8]) -> Result<Points, PathError> {
    if let Some(problem) = json::too_long(bytes.len()) {
        return Err(PathError::TooLong { problem });
    }
    let value: Value = serde_json::from_slice(json::without_bom(bytes))
        .map_err(|error| PathError::NotJson { line: error.line().max(1), problem: json::problem(&error) })?;
    let field = |name: &str| value.get(name).map_or_else(|| "nothing".into(), json::short);
    if value.get("surefoot").and_then(Value::as_str) != Some("path/1") {
        return Err(PathError::Version { found: field("surefoot") });
    }
    let points = value.get("points").and_then(Value::as_array);
    let points = points.ok_or_else(|| PathError::NoPoints { found: field("points") })?;
    let point = |(point, value): (usize, &Value)| {
        let near = |numbers: &[f64; 2]| numbers.iter().all(|number| number.abs() <= FARTHEST);
        json::numbers::<2>(value)
            .filter(near)
            .ok_or_else(|| PathError::Point { point, found: json::short(value) })
    };
    let points: Points = points.iter().enumerate().map(point).collect::<Result<_, _>>()?;
    if points.len() < 2 { Err(PathError::TooFewPoints { found: points.len() }) } else { Ok(points) }
}

/// Writes a path file. The numbers have as many digits as reading them back exactly takes.
pub fn write(points: &[[f64; 2]]) -> String {
    let lines: Vec<String> = points.iter().map(|[x, z]| format!("    [{x:?}, {z:?}]")).collect();
    format!("{{ \"surefoot\": \"path/1\",\n  \"points\": [\n{} ] }}\n", lines.join(",\n"))
}

/// Converts a ground point in metres from the file's ground axes to X and Z.
pub fn point_from_file(point: [f64; 2], space: &Space) -> [f64; 2] {
    let mut in_file = Vec3::ZERO;
    for (axis, value) in space.ground_axes().into_iter().zip(point) {
        in_file[axis] = value;
    }
    let point = space.direction_from_file(in_file);
    [point.x, point.z]
}

/// Converts a ground point in metres from X and Z to the file's ground axes.
pub fn point_to_file(point: [f64; 2], space: &Space) -> [f64; 2] {
    let in_file = space.direction_to_file(Vec3::new(point[0], 0.0, point[1]));
    space.ground_axes().map(|axis| in_file[axis])
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
    fn a_written_path_reads_back_exactly() {
        let points = vec![[0.1, -1.0 / 3.0], [1e-300, 2.0], [12345.678, 0.0]];
        assert_eq!(read(write(&points).as_bytes()).unwrap(), points);
    }

    #[test]
    fn errors_state_what_was_found_and_what_was_expected() {
        check("{", "line 1: the text ends before it is complete");
        check("{\n", "line 2: the text ends before it is complete");
        check("{}", "found \"surefoot\": nothing, expected \"path/1\"");
        check(r#"{"surefoot":"plants/1"}"#, "found \"surefoot\": \"plants/1\", expected \"path/1\"");
        check(
            r#"{"surefoot":"path/1","points":3}"#,
            "found \"points\": 3, expected a list such as [[0, 0], [0, 2]]",
        );
        check(
            r#"{"surefoot":"path/1","points":[[0,0],[1,2,3]]}"#,
            "point 1 is [1,2,3], expected two numbers in metres such as [0, 2], up to 1e9",
        );
        check(r#"{"surefoot":"path/1","points":[[0,0]]}"#, "found a path of 1 points, expected two or more");
    }

    #[test]
    fn converting_to_the_file_inverts_converting_from_it() {
        for word in ["x", "-x", "y", "-y", "z", "-z"] {
            let space = Space { unit_m: 0.01, up: UpAxis::from_name(word).unwrap() };
            assert_eq!(point_to_file(point_from_file([1.0, 2.0], &space), &space), [1.0, 2.0], "{word}");
        }
    }
}
