//! Units, axes and floors as people write them.

use surefoot_core::understand::Up;
use surefoot_core::{Floor, Vec3};

/// Unit words and their length in metres.
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

/// A floor as a person gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FloorWord {
    /// A level floor at this height along the up axis, in metres.
    Height(f64),
    /// Any plane, in metres and the file's axes.
    Plane(Floor),
}

impl FloorWord {
    /// The floor, once it is known which way is up.
    pub fn floor(self, up: Up) -> Floor {
        match self {
            Self::Height(height) => Floor { normal: up.direction(), offset: height },
            Self::Plane(floor) => floor,
        }
    }

    /// A floor from one number or four.
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
                    Ok(Self::Plane(Floor { normal: normal / length, offset: offset / length }))
                } else {
                    Err("a floor's normal needs a length".into())
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

/// A unit of so many metres, if a unit can have them.
pub fn unit_of_metres(metres: f64) -> Result<f64, String> {
    if metres.is_finite() && metres > 0.0 { Ok(metres) } else { Err("a unit is longer than 0 m".into()) }
}

/// A frame rate, in frames per second.
pub fn fps(word: &str) -> Result<f64, String> {
    match word.trim().parse() {
        Ok(fps) => fps_of_number(fps),
        Err(_) => Err("expected a number of frames per second".into()),
    }
}

/// A frame rate, if a motion can have it.
pub fn fps_of_number(fps: f64) -> Result<f64, String> {
    // Beyond this a frame time of nine decimals would not give the rate back.
    if fps > 0.0 && fps <= 10_000.0 {
        Ok(fps)
    } else {
        Err("expected more than 0 and at most 10000 frames per second".into())
    }
}

/// An up axis.
pub fn up(word: &str) -> Result<Up, String> {
    Up::from_word(word.trim()).ok_or_else(|| "expected x, y, z, -x, -y or -z".into())
}

/// A floor: a height, or a normal and an offset.
pub fn floor(word: &str) -> Result<FloorWord, String> {
    let numbers: Result<Vec<f64>, _> = word.split(',').map(|part| part.trim().parse()).collect();
    match numbers {
        Ok(numbers) => FloorWord::from_numbers(&numbers),
        Err(_) => Err("expected a height in metres, or NX,NY,NZ,OFFSET".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_words_or_metres() {
        assert_eq!(unit("cm"), Ok(0.01));
        assert_eq!(unit("Inch"), Ok(0.0254));
        assert_eq!(unit("0.056444"), Ok(0.056444));
        for wrong in ["furlong", "0", "-1", "nan", "inf", ""] {
            assert!(unit(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_floor_is_a_height_or_a_plane() {
        let z = up("z").unwrap();
        assert_eq!(floor("0.1").unwrap().floor(z), Floor { normal: Vec3::Z, offset: 0.1 });
        let tilted = floor("0, 3, 4, 10").unwrap().floor(z);
        assert!((tilted.normal - Vec3::new(0.0, 0.6, 0.8)).length() < 1e-15);
        assert_eq!(tilted.offset, 2.0);
        for wrong in ["", "1,2", "0,0,0,1", "inf", "high"] {
            assert!(floor(wrong).is_err(), "{wrong}");
        }
    }
}
