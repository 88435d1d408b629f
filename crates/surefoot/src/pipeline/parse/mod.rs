//! Parses values as people write them in flags, settings files and the studio.
//!
//! This file parses units, axes, lengths and floors; `values.rs` parses shares, times, frames, angles and words.

mod values;

pub use values::*;

use std::path::{Path, PathBuf};

use surefoot_core::UpAxis;
use surefoot_core::{Plane, Vec3};
use surefoot_formats::space::UNIT_RANGE;

use super::load_options::{FloorOption, FootPointSource};

/// Names of units and their lengths in metres.
const UNITS: [(&str, f64); 10] = [
    ("m", 1.0),
    ("metre", 1.0),
    ("meter", 1.0),
    ("dm", 0.1),
    ("cm", 0.01),
    ("mm", 0.001),
    ("in", 0.0254),
    ("inch", 0.0254),
    ("ft", 0.3048),
    ("foot", 0.3048),
];

/// A floor as it is written in a flag or a settings file.
#[derive(Clone, Debug, PartialEq)]
pub enum FloorText {
    /// `none`: every plant keeps the height at which it was captured.
    None,
    /// `level`: the inferred floor, made level.
    Level,
    /// A height along the up axis, in metres.
    Height(f64),
    /// A plane, in metres and the file's axes.
    Plane(Plane),
    /// A file with a height field or a mesh.
    File(PathBuf),
    /// `plants`: a floor through the spots of the plants.
    FromPlants,
}

impl FloorText {
    /// The floor as an option for loading. `None` for a file, which has to be read first.
    pub fn option(&self) -> Option<FloorOption> {
        match self {
            Self::None => Some(FloorOption::None),
            Self::Level => Some(FloorOption::Level),
            Self::Height(height) => Some(FloorOption::Height(*height)),
            Self::Plane(plane) => Some(FloorOption::Plane(*plane)),
            Self::FromPlants => Some(FloorOption::FromPlants),
            Self::File(_) => None,
        }
    }

    /// A floor from one number (a height) or four (a normal and an offset).
    pub fn from_numbers(numbers: &[f64]) -> Result<Self, String> {
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err("a floor needs finite numbers".into());
        }
        match *numbers {
            [height] => Ok(Self::Height(height)),
            [x, y, z, offset] => {
                let normal = Vec3::new(x, y, z);
                let length = normal.length();
                if length > 0.0 && length.is_finite() {
                    Ok(Self::Plane(Plane { normal: normal / length, offset: offset / length }))
                } else {
                    Err("the normal of a floor must not be zero".into())
                }
            }
            _ => Err(format!(
                "found {} numbers, expected a height in metres or NX,NY,NZ,OFFSET",
                numbers.len()
            )),
        }
    }
}

/// A unit, in metres.
pub fn unit(word: &str) -> Result<f64, String> {
    let known = UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word.trim()));
    match known {
        Some((_, metres)) => Ok(*metres),
        None => match word.trim().parse() {
            Ok(metres) => unit_of_metres(metres),
            Err(_) => Err("expected m, cm, mm, inch, ft, or one unit in metres, as 0.0254".into()),
        },
    }
}

/// A unit of this length in metres, if it is a length.
pub fn unit_of_metres(metres: f64) -> Result<f64, String> {
    match metres {
        _ if UNIT_RANGE.contains(&metres) => Ok(metres),
        _ if metres > 0.0 => Err("expected a unit from 1e-30 to 1e30 m".into()),
        _ => Err("expected a unit longer than 0 m".into()),
    }
}

/// A frame rate, in frames per second.
pub fn fps(word: &str) -> Result<f64, String> {
    match word.trim().parse() {
        Ok(fps) => fps_of_number(fps),
        Err(_) => Err("expected a number of frames per second".into()),
    }
}

/// A frame rate, if it is in range.
pub fn fps_of_number(fps: f64) -> Result<f64, String> {
    // Beyond this a frame time of nine decimals would not give the rate back.
    if fps > 0.0 && fps <= 10_000.0 {
        Ok(fps)
    } else {
        Err("expected more than 0 and at most 10000 frames per second".into())
    }
}

/// An up axis.
pub fn up_axis(word: &str) -> Result<UpAxis, String> {
    UpAxis::from_name(word.trim()).ok_or_else(|| "expected x, y, z, -x, -y or -z".into())
}

/// Where foot points come from: `mesh` or `joints`.
pub fn foot_points(word: &str) -> Result<FootPointSource, String> {
    match word.trim() {
        "mesh" => Ok(FootPointSource::Mesh),
        "joints" => Ok(FootPointSource::Joints),
        _ => Err("expected mesh or joints".into()),
    }
}

/// The endings of floor files.
pub const FLOOR_FILES: [&str; 3] = ["obj", "pgm", "csv"];

/// A floor: a height, a normal and an offset, a file, `plants`, `level` or `none`.
pub fn floor(word: &str) -> Result<FloorText, String> {
    match word.trim() {
        "none" => return Ok(FloorText::None),
        "level" => return Ok(FloorText::Level),
        "plants" => return Ok(FloorText::FromPlants),
        _ => {}
    }
    let ending = Path::new(word).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if FLOOR_FILES.iter().any(|known| known.eq_ignore_ascii_case(ending)) {
        return Ok(FloorText::File(PathBuf::from(word)));
    }
    if let Ok(height) = signed_length(word) {
        return Ok(FloorText::Height(height));
    }
    let numbers: Result<Vec<f64>, _> = word.split(',').map(|part| part.trim().parse()).collect();
    match numbers {
        Ok(numbers) => FloorText::from_numbers(&numbers),
        Err(_) => {
            Err("expected a height in metres, NX,NY,NZ,OFFSET, a file that ends in .obj, .pgm or .csv, \
                       plants, level or none"
                .into())
        }
    }
}

/// A length with its unit, in metres: `0.01mm`.
pub fn length(word: &str) -> Result<f64, String> {
    let expected = || "expected a length with its unit, as 0.01mm".to_owned();
    let word = word.trim();
    let digits = word.trim_end_matches(char::is_alphabetic);
    let number: f64 = digits.trim().parse().map_err(|_| expected())?;
    let unit = match word[digits.len()..].trim() {
        // Zero is the same in every unit.
        "" if number == 0.0 => 1.0,
        name => UNITS.iter().find(|(known, _)| *known == name).ok_or_else(expected)?.1,
    };
    if number.is_finite() && number >= 0.0 { Ok(number * unit) } else { Err("expected 0 or more".into()) }
}

/// A length with its unit that may be negative, in metres: `-5cm`.
fn signed_length(word: &str) -> Result<f64, String> {
    match word.trim().strip_prefix('-') {
        Some(word) if !word.starts_with('-') => length(word).map(|length| -length),
        _ => length(word),
    }
}

/// A length above 0.
pub fn positive_length(word: &str) -> Result<f64, String> {
    let length = length(word)?;
    if length > 0.0 { Ok(length) } else { Err("expected more than 0, as 5cm".into()) }
}

/// A lower and an upper height, in metres: `0..50cm`, `-10cm..40cm`.
pub fn heights(word: &str) -> Result<(f64, f64), String> {
    let expected = || "expected the heights of black and white, as 0..50cm".to_owned();
    let (low, high) = word.split_once("..").ok_or_else(expected)?;
    let high_length = signed_length(high).map_err(|_| expected())?;
    // `0..50cm` and `10..50cm` state the unit once.
    let unit = high.trim().trim_start_matches(|c: char| !c.is_alphabetic());
    let low = signed_length(low).or_else(|_| signed_length(&format!("{}{unit}", low.trim())));
    Ok((low.map_err(|_| expected())?, high_length))
}

/// A point on the ground, in metres: `-1.5m,2m`.
pub fn ground_point(word: &str) -> Result<(f64, f64), String> {
    let expected = || "expected a point on the ground, as -1.5m,2m".to_owned();
    let (x, z) = word.split_once(',').ok_or_else(expected)?;
    let length = |word: &str| signed_length(word).map_err(|_| expected());
    Ok((length(x)?, length(z)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_a_name_or_a_length_in_metres() {
        assert_eq!(unit("cm"), Ok(0.01));
        assert_eq!(unit("Inch"), Ok(0.0254));
        assert_eq!(unit("0.056444"), Ok(0.056444));
        for wrong in ["furlong", "0", "-1", "nan", "inf", ""] {
            assert!(unit(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_floor_is_a_height_a_plane_a_file_or_a_keyword() {
        assert_eq!(floor("0.1"), Ok(FloorText::Height(0.1)));
        assert_eq!(floor("level"), Ok(FloorText::Level));
        assert_eq!(floor("none"), Ok(FloorText::None));
        assert_eq!(floor("5cm"), Ok(FloorText::Height(0.05)));
        assert_eq!(floor("-5 cm"), Ok(FloorText::Height(-0.05)));
        assert_eq!(floor("plants"), Ok(FloorText::FromPlants));
        assert_eq!(floor("a/Ground.OBJ"), Ok(FloorText::File("a/Ground.OBJ".into())));
        let Ok(FloorText::Plane(tilted)) = floor("0, 3, 4, 10") else { panic!("a plane") };
        assert!((tilted.normal - Vec3::new(0.0, 0.6, 0.8)).length() < 1e-15);
        assert_eq!(tilted.offset, 2.0);
        for wrong in ["", "1,2", "0,0,0,1", "inf", "high"] {
            assert!(floor(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_length_has_a_unit() {
        assert_eq!(length("0.5 mm"), Ok(0.0005));
        assert_eq!(length("2cm"), Ok(0.02));
        assert_eq!(length("0"), Ok(0.0));
        for wrong in ["", "1", "mm", "-1mm", "1 furlong", "nan mm"] {
            assert!(length(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn heights_and_points_have_units() {
        assert_eq!(heights("0..50cm"), Ok((0.0, 0.5)));
        assert_eq!(heights("-10..50cm"), Ok((-0.1, 0.5)));
        assert_eq!(heights("1m..50cm"), Ok((1.0, 0.5)));
        assert_eq!(ground_point("-1.5m,0"), Ok((-1.5, 0.0)));
        assert_eq!(positive_length("5cm"), Ok(0.05));
        for wrong in ["", "50cm", "0..50", "a..b", "0..", "--1cm..2cm"] {
            assert!(heights(wrong).is_err(), "{wrong}");
        }
        assert!(ground_point("1m").is_err() && positive_length("0").is_err());
    }
}
