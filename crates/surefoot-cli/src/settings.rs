//! `surefoot.toml`: defaults for all motion files of a folder.
//!
//! The file in the folder of the motion applies, else the one in the nearest folder above; settings of several files
//! are not combined. Its keys are the names of flags without dashes: facts about the file, solver settings and limits.

use std::ops::Range;
use std::path::{Path, PathBuf};

use surefoot_core::UpAxis;
use surefoot_solve::FootRoll;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::input::nearest;
use crate::limits::Limits;
use crate::parse::{self, FloorText};
use crate::problem::{Place, Problem};
use surefoot_solve::Method;

/// The file's name.
const NAME: &str = "surefoot.toml";
/// All keys.
const KEYS: [&str; 12] = [
    "fps",
    "unit",
    "up",
    "floor",
    "rig",
    "method",
    "stretch",
    "roll",
    "max-drift",
    "max-stretch",
    "max-penetration",
    "max-knee",
];

/// The settings of a `surefoot.toml`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// The file itself.
    pub file: Option<PathBuf>,
    /// Frames per second.
    pub fps: Option<f64>,
    /// The length of one unit in metres.
    pub unit: Option<f64>,
    /// The up axis.
    pub up: Option<UpAxis>,
    /// The floor.
    pub floor: Option<FloorText>,
    /// The rig file.
    pub rig: Option<PathBuf>,
    /// The solver method.
    pub method: Option<Method>,
    /// Largest allowed stretch of thigh and shin, as a fraction.
    pub stretch: Option<f64>,
    /// Whether planted feet keep their roll or are laid flat.
    pub roll: Option<FootRoll>,
    /// Limits that must be met.
    pub limits: Limits,
}

/// The settings for a file; without a file, those of the current folder.
pub fn settings_for(file: Option<&Path>) -> Result<Settings, Problem> {
    match find(file) {
        Some(path) => read(&path),
        None => Ok(Settings::default()),
    }
}

fn find(file: Option<&Path>) -> Option<PathBuf> {
    let folder = match file {
        Some(file) => file.canonicalize().ok()?.parent()?.to_path_buf(),
        None => std::env::current_dir().ok()?,
    };
    let candidates = folder.ancestors().map(|folder| folder.join(NAME));
    candidates.into_iter().find(|path| path.is_file())
}

fn read(path: &Path) -> Result<Settings, Problem> {
    let text = std::fs::read_to_string(path).map_err(|error| Problem::with_file(path, "read", &error))?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let settings = parse(&text, folder).map_err(|wrong| {
        let shown = path.display().to_string();
        let problem = Problem::new(wrong.what);
        match wrong.at {
            Some(at) => problem.at(Place::in_text(&shown, &text, at)),
            None => problem.help(format!("in {shown}")),
        }
    })?;
    Ok(Settings { file: Some(path.to_path_buf()), ..settings })
}

struct SettingsError {
    what: String,
    at: Option<Range<usize>>,
}

fn parse(text: &str, folder: &Path) -> Result<Settings, SettingsError> {
    let table = DeTable::parse(text)
        .map_err(|error| SettingsError { what: error.message().to_owned(), at: error.span() })?;
    let mut settings = Settings::default();
    for (key, value) in table.into_inner() {
        let wrong = |what: String| SettingsError {
            what: format!("`{}`: {what}", key.as_ref()),
            at: Some(value.span()),
        };
        match key.as_ref().as_ref() {
            "fps" => settings.fps = Some(fps(&value).map_err(wrong)?),
            "unit" => settings.unit = Some(unit(&value).map_err(wrong)?),
            "up" => settings.up = Some(parse::up_axis(string(&value).map_err(wrong)?).map_err(wrong)?),
            "floor" => settings.floor = Some(floor(&value, folder).map_err(wrong)?),
            "method" => settings.method = Some(parse::method(string(&value).map_err(wrong)?).map_err(wrong)?),
            "stretch" => settings.stretch = Some(share(&value).map_err(wrong)?),
            "roll" => settings.roll = Some(parse::roll(string(&value).map_err(wrong)?).map_err(wrong)?),
            "max-drift" => settings.limits.max_drift = Some(length(&value).map_err(wrong)?),
            "max-stretch" => settings.limits.max_stretch = Some(share(&value).map_err(wrong)?),
            "max-penetration" => settings.limits.max_penetration = Some(length(&value).map_err(wrong)?),
            "max-knee" => settings.limits.max_knee = Some(ratio(&value).map_err(wrong)?),
            "rig" => settings.rig = Some(folder.join(string(&value).map_err(wrong)?)),
            unknown => {
                return Err(SettingsError { what: unknown_key(unknown), at: Some(key.span()) });
            }
        }
    }
    Ok(settings)
}

fn unknown_key(key: &str) -> String {
    match nearest(key, KEYS.into_iter()) {
        Some(meant) => format!("no setting `{key}`; did you mean `{meant}`?"),
        None => format!("no setting `{key}`, expected one of {}", KEYS.join(", ")),
    }
}

fn fps(value: &Spanned<DeValue<'_>>) -> Result<f64, String> {
    parse::fps_of_number(number(value).ok_or("expected a number of frames per second")?)
}

fn unit(value: &Spanned<DeValue<'_>>) -> Result<f64, String> {
    match number(value) {
        Some(metres) => parse::unit_of_metres(metres),
        None => parse::unit(string(value)?),
    }
}

fn floor(value: &Spanned<DeValue<'_>>, folder: &Path) -> Result<FloorText, String> {
    let expected =
        || "expected a height in metres, [NX, NY, NZ, OFFSET], or a word as --floor takes it".to_owned();
    if let Ok(word) = string(value) {
        return match parse::floor(word)? {
            FloorText::File(file) => Ok(FloorText::File(folder.join(file))),
            word => Ok(word),
        };
    }
    let numbers: Option<Vec<f64>> = match value.as_ref() {
        DeValue::Array(list) => list.iter().map(number).collect(),
        _ => number(value).map(|height| vec![height]),
    };
    FloorText::from_numbers(&numbers.ok_or_else(expected)?)
}

fn share(value: &Spanned<DeValue<'_>>) -> Result<f64, String> {
    match number(value) {
        Some(number) => parse::share_of_number(number),
        None => parse::share(string(value)?),
    }
}

fn ratio(value: &Spanned<DeValue<'_>>) -> Result<f64, String> {
    parse::ratio_of_number(number(value).ok_or("expected a number, as 1.2")?)
}

fn length(value: &Spanned<DeValue<'_>>) -> Result<f64, String> {
    match number(value) {
        Some(number) => parse::length(&number.to_string()),
        None => parse::length(string(value)?),
    }
}

fn number(value: &Spanned<DeValue<'_>>) -> Option<f64> {
    match value.as_ref() {
        DeValue::Integer(number) => number.as_str().parse().ok(),
        DeValue::Float(number) => number.as_str().parse().ok(),
        _ => None,
    }
}

fn string<'a>(value: &'a Spanned<DeValue<'_>>) -> Result<&'a str, String> {
    let value = value.as_ref();
    value.as_str().ok_or_else(|| format!("found {}, expected a word in quotes", value.type_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<Settings, String> {
        parse(text, Path::new("clips")).map_err(|wrong| wrong.what)
    }

    #[test]
    fn all_keys_are_read() {
        let text = "unit = \"cm\"\nup = \"z\"\nfloor = [0, 0, 1, 0.5]\nrig = \"cmu.toml\"\n";
        let settings = check(text).unwrap();
        assert_eq!(settings.unit, Some(0.01));
        assert_eq!(settings.up.map(UpAxis::as_str), Some("z"));
        assert_eq!(settings.floor, Some(parse::floor("0,0,1,0.5").unwrap()));
        assert_eq!(settings.rig, Some(PathBuf::from("clips/cmu.toml")));
        assert_eq!(check("unit = 0.0254").unwrap().unit, Some(0.0254));
        assert_eq!(check("floor = \"level\"").unwrap().floor, Some(FloorText::Level));
        let settings =
            check("stretch = \"2%\"\nroll = \"flat\"\nmax-drift = \"0.5mm\"\nmax-knee = 1.2").unwrap();
        assert_eq!((settings.stretch, settings.roll), (Some(0.02), Some(FootRoll::Flat)));
        assert_eq!((settings.limits.max_drift, settings.limits.max_knee), (Some(0.0005), Some(1.2)));
        assert_eq!(check("method = \"support\"").unwrap().method, Some(Method::Support));
        assert_eq!(check("fps = 120").unwrap().fps, Some(120.0));
        assert_eq!(check("").unwrap(), Settings::default());
    }

    #[test]
    fn a_wrong_key_or_value_is_reported() {
        let error = |text| check(text).unwrap_err();
        assert_eq!(error("untis = 1"), "no setting `untis`; did you mean `unit`?");
        assert!(error("colour = 1").starts_with("no setting `colour`, expected one of fps, unit, up,"));
        assert_eq!(error("stretch = 3"), "`stretch`: expected a share; for 3 percent write 3%");
        assert_eq!(error("max-drift = 1"), "`max-drift`: expected a length with its unit, as 0.01mm");
        assert_eq!(error("method = \"hope\""), "`method`: expected phases or support");
        assert_eq!(error("up = 3"), "`up`: found integer, expected a word in quotes");
        assert_eq!(error("up = \"w\""), "`up`: expected x, y, z, -x, -y or -z");
        assert!(error("unit = ").contains("expected"), "{}", error("unit = "));
    }
}
