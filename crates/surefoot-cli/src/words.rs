//! Units, axes and floors as people write them.

use std::path::{Path, PathBuf};

use surefoot_contact::Edges;
use surefoot_core::understand::Up;
use surefoot_core::{FrameRange, Plane, Vec3};
use surefoot_formats::stream::{Form, Preset};
use surefoot_solve::FootRoll;

use surefoot_edit::Method;

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
#[derive(Clone, Debug, PartialEq)]
pub enum FloorWord {
    /// No floor: every plant stands at whatever height it has.
    None,
    /// A level floor, at the height of the one that is found.
    Level,
    /// A level floor at this height along the up axis, in metres.
    Height(f64),
    /// Any plane, in metres and the file's axes.
    Plane(Plane),
    /// A height field or a mesh in a file.
    File(PathBuf),
    /// A floor made from the plants themselves.
    Plants,
}

impl FloorWord {
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
                    Ok(Self::Plane(Plane { normal: normal / length, offset: offset / length }))
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

/// From where to where plants go.
pub fn edges(word: &str) -> Result<Edges, String> {
    match word {
        "touch" => Ok(Edges::Touch),
        "rest" => Ok(Edges::Rest),
        _ => Err("expected touch or rest".into()),
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

/// What a file of a floor may end in.
pub const FLOOR_FILES: [&str; 3] = ["obj", "pgm", "csv"];

/// A floor: a height, a normal and an offset, a file, `plants`, `level` or `none`.
pub fn floor(word: &str) -> Result<FloorWord, String> {
    match word.trim() {
        "none" => return Ok(FloorWord::None),
        "level" => return Ok(FloorWord::Level),
        "plants" => return Ok(FloorWord::Plants),
        _ => {}
    }
    let ending = Path::new(word).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if FLOOR_FILES.iter().any(|known| known.eq_ignore_ascii_case(ending)) {
        return Ok(FloorWord::File(PathBuf::from(word)));
    }
    if let Ok(height) = signed_length(word) {
        return Ok(FloorWord::Height(height));
    }
    let numbers: Result<Vec<f64>, _> = word.split(',').map(|part| part.trim().parse()).collect();
    match numbers {
        Ok(numbers) => FloorWord::from_numbers(&numbers),
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
        // Nothing is nothing in every unit.
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
    // `0..50cm` and `10..50cm`: the unit is said once.
    let unit = high.trim().trim_start_matches(|c: char| !c.is_alphabetic());
    let low = signed_length(low).or_else(|_| signed_length(&format!("{}{unit}", low.trim())));
    Ok((low.map_err(|_| expected())?, high_length))
}

/// A place on the ground, in metres: `-1.5m,2m`.
pub fn ground_place(word: &str) -> Result<(f64, f64), String> {
    let expected = || "expected a place on the ground, as -1.5m,2m".to_owned();
    let (x, z) = word.split_once(',').ok_or_else(expected)?;
    let length = |word: &str| signed_length(word).map_err(|_| expected());
    Ok((length(x)?, length(z)?))
}

/// A share of 1: `3%` or `0.03`.
pub fn share(word: &str) -> Result<f64, String> {
    let expected = || "expected a share, as 3% or 0.03".to_owned();
    let word = word.trim();
    match word.strip_suffix('%') {
        Some(percent) => {
            let percent: f64 = percent.trim().parse().map_err(|_| expected())?;
            if percent.is_finite() && percent >= 0.0 { Ok(percent / 100.0) } else { Err(expected()) }
        }
        None => share_of_number(word.parse().map_err(|_| expected())?),
    }
}

/// A share of 1, if a bare number can be meant as one.
pub fn share_of_number(number: f64) -> Result<f64, String> {
    match number {
        0.0..=1.0 => Ok(number),
        // Whoever writes 3 means 3 %, and three times the length would be a mess.
        number if number > 1.0 => Err(format!("expected a share; for {number} percent say {number}%")),
        _ => Err("expected a share, as 3% or 0.03".into()),
    }
}

/// A ratio, 0 or more.
pub fn ratio(word: &str) -> Result<f64, String> {
    match word.trim().parse() {
        Ok(ratio) => ratio_of_number(ratio),
        Err(_) => Err("expected a number, as 1.2".into()),
    }
}

/// A ratio, if a number can be one.
pub fn ratio_of_number(number: f64) -> Result<f64, String> {
    if number.is_finite() && number >= 0.0 { Ok(number) } else { Err("expected 0 or more".into()) }
}

/// Frames from a first to a last, both meant: `100-300`.
pub fn frames(word: &str) -> Result<FrameRange, String> {
    let ends = word.split_once('-').and_then(|(first, last)| {
        Some((first.trim().parse::<usize>().ok()?, last.trim().parse::<usize>().ok()?))
    });
    match ends {
        Some((first, last)) if first <= last && last < usize::MAX => Ok(first..last + 1),
        _ => Err("expected a first and a last frame, as 100-300".into()),
    }
}

/// A time in seconds: `0.5s`, `200ms` or `0.5`.
pub fn seconds(word: &str) -> Result<f64, String> {
    let word = word.trim();
    let (digits, unit) = match (word.strip_suffix("ms"), word.strip_suffix('s')) {
        (Some(digits), _) => (digits, 0.001),
        (None, Some(digits)) => (digits, 1.0),
        (None, None) => (word, 1.0),
    };
    match digits.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number * unit),
        _ => Err("expected a time above 0, as 0.5s or 200ms".into()),
    }
}

/// An angle in degrees, 0 or more: `5` or `5°`. In radians.
pub fn degrees(word: &str) -> Result<f64, String> {
    match word.trim().trim_end_matches('°').trim_end().parse::<f64>() {
        Ok(degrees) if degrees >= 0.0 && degrees.is_finite() => Ok(degrees.to_radians()),
        _ => Err("expected degrees, 0 or more, as 5".into()),
    }
}

/// Two frames, as 210,35.
pub fn two_frames(word: &str) -> Result<(usize, usize), String> {
    let both = word.split_once(',');
    let both = both.and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    both.ok_or_else(|| "expected a frame of each file, as 210,35".into())
}

/// From one time to another, as 0.8s..1.5s; the second may be left out.
pub fn time_span(word: &str) -> Result<(f64, f64), String> {
    let expected = || "expected two times, as 0.8s..1.5s".to_owned();
    let (from, to) = word.split_once("..").ok_or_else(expected)?;
    let (from, to) = (seconds(from)?, if to.trim().is_empty() { f64::INFINITY } else { seconds(to)? });
    if from <= to { Ok((from, to)) } else { Err(expected()) }
}

/// What nearness weighs against likeness, from 0 to 1.
pub fn weight(word: &str) -> Result<f64, String> {
    match word.trim().parse() {
        Ok(weight) if (0.0..=1.0).contains(&weight) => Ok(weight),
        _ => Err("expected a number from 0 to 1, as 0.99".into()),
    }
}

/// What becomes of a foot's roll: `kept` or `flat`.
pub fn roll(word: &str) -> Result<FootRoll, String> {
    match word.trim() {
        "kept" => Ok(FootRoll::Kept),
        "flat" => Ok(FootRoll::Flat),
        _ => Err("expected kept or flat".into()),
    }
}

/// How feet are made to stay: `phases` or `support`.
pub fn method(word: &str) -> Result<Method, String> {
    match word.trim() {
        "phases" => Ok(Method::Phases),
        "support" => Ok(Method::Support),
        _ => Err("expected phases or support".into()),
    }
}

/// What a method is called.
pub fn of_method(method: Method) -> &'static str {
    match method {
        Method::Phases => "phases",
        Method::Support => "support",
    }
}

/// A speed in metres a second.
pub fn speed(word: &str) -> Result<f64, String> {
    let speed = word.trim().trim_end_matches("m/s").trim_end().parse().ok();
    let good = speed.filter(|speed: &f64| speed.is_finite() && *speed >= 0.0);
    good.ok_or("expected a speed in metres a second, as 0.1m/s".into())
}

/// How a stream is written: `ndjson` or `binary`.
pub fn form(word: &str) -> Result<Form, String> {
    match word.trim() {
        "ndjson" => Ok(Form::Ndjson),
        "binary" => Ok(Form::Binary),
        _ => Err("expected ndjson or binary".into()),
    }
}

/// Settings that go together: `live`, `clean` or `paper`.
pub fn preset(word: &str) -> Result<Preset, String> {
    match word.trim() {
        "live" => Ok(Preset::Live),
        "clean" => Ok(Preset::Clean),
        "paper" => Ok(Preset::Paper),
        _ => Err("expected live, clean or paper".into()),
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
    fn a_floor_is_a_height_a_plane_or_a_word() {
        assert_eq!(floor("0.1"), Ok(FloorWord::Height(0.1)));
        assert_eq!(floor("level"), Ok(FloorWord::Level));
        assert_eq!(floor("none"), Ok(FloorWord::None));
        assert_eq!(floor("5cm"), Ok(FloorWord::Height(0.05)));
        assert_eq!(floor("-5 cm"), Ok(FloorWord::Height(-0.05)));
        assert_eq!(floor("plants"), Ok(FloorWord::Plants));
        assert_eq!(floor("a/Ground.OBJ"), Ok(FloorWord::File("a/Ground.OBJ".into())));
        let Ok(FloorWord::Plane(tilted)) = floor("0, 3, 4, 10") else { panic!("a plane") };
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
    fn heights_and_places_have_units() {
        assert_eq!(heights("0..50cm"), Ok((0.0, 0.5)));
        assert_eq!(heights("-10..50cm"), Ok((-0.1, 0.5)));
        assert_eq!(heights("1m..50cm"), Ok((1.0, 0.5)));
        assert_eq!(ground_place("-1.5m,0"), Ok((-1.5, 0.0)));
        assert_eq!(positive_length("5cm"), Ok(0.05));
        for wrong in ["", "50cm", "0..50", "a..b", "0..", "--1cm..2cm"] {
            assert!(heights(wrong).is_err(), "{wrong}");
        }
        assert!(ground_place("1m").is_err() && positive_length("0").is_err());
    }

    #[test]
    fn a_share_is_a_percentage_or_a_number_up_to_1() {
        assert_eq!(share("3%"), Ok(0.03));
        assert_eq!(share("2.5 %"), Ok(0.025));
        assert_eq!(share("0.03"), Ok(0.03));
        assert_eq!(share("0"), Ok(0.0));
        assert_eq!(share("3"), Err("expected a share; for 3 percent say 3%".into()));
        for wrong in ["", "-1%", "nan", "inf%", "much"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
    }
}
