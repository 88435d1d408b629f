//! `surefoot.toml`: defaults for all motion files of a folder.
//!
//! The file in the folder of the motion applies, else the one in the nearest folder above; settings of several files
//! are not combined. Its keys are the names of flags without dashes: facts about the file, solver settings and limits.

use core::fmt;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use surefoot_core::UpAxis;
use surefoot_infer::Overrides;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::limits::Limits;
use super::load_options::LoadOptions;
use super::parameters::Parameters;
use super::parse::{self, FloorText};

/// The file's name.
const NAME: &str = "surefoot.toml";

/// The settings besides the parameters.
const OWN_KEYS: [&str; 16] = [
    "fps",
    "unit",
    "up",
    "floor",
    "rig",
    "max-drift",
    "max-stretch",
    "max-penetration",
    "max-knee",
    "max-new-slides",
    "max-teleports",
    "max-knee-pops",
    "max-scrapes",
    "max-below-floor-frames",
    "max-deeper-frames",
    "max-channels-changed",
];

/// The settings of a `surefoot.toml`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FolderSettings {
    /// The path of the settings file; `None` if no file was found.
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
    /// Settings of the cleaner and the detector.
    pub parameters: Parameters,
    /// Limits that must be met.
    pub limits: Limits,
}

/// Why a `surefoot.toml` could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub struct FolderSettingsError {
    /// The file.
    pub path: PathBuf,
    /// The content of the file. Empty where it could not be read.
    pub text: String,
    /// What is wrong.
    pub problem: SettingsProblem,
    /// The bytes of the text that are wrong, if they are known.
    pub at: Option<Range<usize>>,
}

/// What is wrong with a `surefoot.toml`.
#[derive(Debug)]
#[non_exhaustive]
pub enum SettingsProblem {
    /// The file could not be read.
    Io(std::io::Error),
    /// There is no setting of this name.
    UnknownKey(String),
    /// The text is not TOML, or a value is wrong.
    Value(String),
}

impl fmt::Display for SettingsProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::UnknownKey(key) => {
                write!(f, "no setting `{key}`, expected one of {}", FolderSettings::keys().join(", "))
            }
            Self::Value(what) => f.write_str(what),
        }
    }
}

impl fmt::Display for FolderSettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.problem)
    }
}

impl std::error::Error for FolderSettingsError {}

impl FolderSettings {
    /// The names of all settings.
    pub fn keys() -> Vec<String> {
        let own = OWN_KEYS.iter().map(|key| (*key).to_owned());
        own.chain(Parameters::names().map(|name| name.replace('_', "-"))).collect()
    }

    /// Loads the settings for a file; without a file, those of the current folder.
    pub fn load_for(file: Option<&Path>) -> Result<Self, FolderSettingsError> {
        let Some(path) = find(file) else { return Ok(Self::default()) };
        let (text, parsed) = match read_text(&path) {
            Ok(text) => {
                let parsed = parse(&text, path.parent().unwrap_or(Path::new(".")));
                (text, parsed)
            }
            Err(error) => (String::new(), Err((SettingsProblem::Io(error), None))),
        };
        match parsed {
            Ok(settings) => Ok(Self { file: Some(path), ..settings }),
            Err((problem, at)) => Err(FolderSettingsError { path, text, problem, at }),
        }
    }

    /// The facts about a file among these settings, without the rig file.
    pub fn load_options(&self) -> LoadOptions {
        LoadOptions {
            fps: self.fps,
            overrides: Overrides { unit_m: self.unit, up: self.up, ..Overrides::default() },
            floor: self.floor.as_ref().and_then(FloorText::option),
            ..LoadOptions::default()
        }
    }
}

/// Longest settings file, in bytes. All settings there are take a few kilobytes.
const LONGEST: u64 = 1 << 20;

fn read_text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    std::fs::File::open(path)?.take(LONGEST + 1).read_to_string(&mut text)?;
    match text.len() as u64 > LONGEST {
        true => {
            Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than 1 MB, expected a few lines"))
        }
        false => Ok(text),
    }
}

fn find(file: Option<&Path>) -> Option<PathBuf> {
    let folder = match file {
        Some(file) => file.canonicalize().ok()?.parent()?.to_path_buf(),
        None => std::env::current_dir().ok()?,
    };
    folder.ancestors().map(|folder| folder.join(NAME)).find(|path| path.is_file() && is_trusted(path))
}

/// Whether a file belongs to the user who runs the program, or to the administrator. The settings of others, in a folder
/// that many can write to, must not change results.
#[cfg(target_os = "linux")]
fn is_trusted(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let owner = |path: &Path| std::fs::metadata(path).ok().map(|metadata| metadata.uid());
    match (owner(path), owner(Path::new("/proc/self"))) {
        (Some(owner), Some(user)) => owner == user || owner == 0,
        // Without /proc the user is not known.
        (owner, None) => owner.is_some(),
        (None, _) => false,
    }
}

/// The owner of a file is not checked on other systems.
#[cfg(not(target_os = "linux"))]
fn is_trusted(_path: &Path) -> bool {
    true
}

fn parse(text: &str, folder: &Path) -> Result<FolderSettings, (SettingsProblem, Option<Range<usize>>)> {
    let table = DeTable::parse(text)
        .map_err(|error| (SettingsProblem::Value(error.message().to_owned()), error.span()))?;
    let mut settings = FolderSettings::default();
    for (key, value) in table.into_inner() {
        match set(&mut settings, key.as_ref(), &value, folder) {
            Ok(true) => {}
            Ok(false) => {
                return Err((
                    SettingsProblem::UnknownKey(key.as_ref().clone().into_owned()),
                    Some(key.span()),
                ));
            }
            Err(what) => {
                let what = format!("`{}`: {what}", key.as_ref());
                return Err((SettingsProblem::Value(what), Some(value.span())));
            }
        }
    }
    Ok(settings)
}

/// Takes a value. Returns whether there is a setting of this name.
fn set(
    settings: &mut FolderSettings,
    key: &str,
    value: &Spanned<DeValue<'_>>,
    folder: &Path,
) -> Result<bool, String> {
    match key {
        "fps" => settings.fps = Some(fps(value)?),
        "unit" => settings.unit = Some(unit(value)?),
        "up" => settings.up = Some(parse::up_axis(string(value)?)?),
        "floor" => settings.floor = Some(floor(value, folder)?),
        "max-drift" => settings.limits.max_drift = Some(length(value)?),
        "max-stretch" => settings.limits.max_stretch = Some(share(value)?),
        "max-penetration" => settings.limits.max_penetration = Some(length(value)?),
        "max-knee" => settings.limits.max_knee = Some(ratio(value)?),
        "max-new-slides" => settings.limits.max_new_slides = Some(count(value)?),
        "max-teleports" => settings.limits.max_teleports = Some(count(value)?),
        "max-knee-pops" => settings.limits.max_knee_pops = Some(count(value)?),
        "max-scrapes" => settings.limits.max_scrapes = Some(count(value)?),
        "max-below-floor-frames" => settings.limits.max_below_floor_frames = Some(count(value)?),
        "max-deeper-frames" => settings.limits.max_deeper_frames = Some(count(value)?),
        "max-channels-changed" => settings.limits.max_channels_changed = Some(count(value)?),
        "rig" => settings.rig = Some(folder.join(string(value)?)),
        _ => return settings.parameters.set_text(&key.replace('-', "_"), &text(value)?),
    }
    Ok(true)
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
    let expected = || {
        "expected a height in metres, [NX, NY, NZ, OFFSET], level, none, plants or the name of a file"
            .to_owned()
    };
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

/// A word or the text of a number.
fn text(value: &Spanned<DeValue<'_>>) -> Result<String, String> {
    number(value).map_or_else(|| string(value).map(str::to_owned), |number| Ok(number.to_string()))
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

fn count(value: &Spanned<DeValue<'_>>) -> Result<usize, String> {
    let count = match value.as_ref() {
        DeValue::Integer(number) => number.as_str().parse().ok(),
        _ => None,
    };
    count.ok_or("expected a whole number, 0 or more".into())
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
    use crate::Preset;
    use crate::parameters::{PARAMETERS, Value};

    fn check(text: &str) -> Result<FolderSettings, String> {
        parse(text, Path::new("clips")).map_err(|(problem, _)| problem.to_string())
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
        let value = |text: &str, name: &str| check(text).unwrap().parameters.get(name);
        assert_eq!(settings.parameters.get("stretch"), Some(Value::Number(0.02)));
        assert_eq!(settings.parameters.get("roll"), Some(Value::Word("flat")));
        assert_eq!((settings.limits.max_drift, settings.limits.max_knee), (Some(0.0005), Some(1.2)));
        assert_eq!(value("stretch = \"auto\"", "stretch"), Some(Value::Word("auto")));
        assert_eq!(value("stretch = 0", "stretch"), Some(Value::Number(0.0)));
        assert_eq!(value("knee-window = 0.25", "knee_window"), Some(Value::Number(0.25)));
        assert_eq!(check("preset = \"live\"").unwrap().parameters.preset(), Some(Preset::Live));
        let limits = check("max-new-slides = 0\nmax-deeper-frames = 12").unwrap().limits;
        assert_eq!((limits.max_new_slides, limits.max_deeper_frames), (Some(0), Some(12)));
        assert_eq!(value("method = \"support\"", "method"), Some(Value::Word("support")));
        assert_eq!(check("fps = 120").unwrap().fps, Some(120.0));
        assert_eq!(check("").unwrap(), FolderSettings::default());
    }

    #[test]
    fn every_parameter_can_be_set() {
        for parameter in PARAMETERS {
            let value = parameter.value_in(&surefoot_solve::Settings::default());
            let text = format!("{} = \"{}\"", parameter.dashed_name(), parameter.text(value));
            assert_eq!(check(&text).unwrap().parameters.get(parameter.name), Some(value), "{text}");
            assert!(FolderSettings::keys().contains(&parameter.dashed_name()));
        }
    }

    #[test]
    fn a_wrong_key_or_value_is_reported() {
        let error = |text| check(text).unwrap_err();
        assert!(error("colour = 1").starts_with("no setting `colour`, expected one of fps, unit, up,"));
        assert_eq!(error("stretch = 3"), "`stretch`: expected a share; for 3 percent write 3%");
        assert_eq!(
            error("stretch = \"some\""),
            "`stretch`: expected a share, as 3% or 0.03, or auto or unlimited"
        );
        assert_eq!(error("max-drift = 1"), "`max-drift`: expected a length with its unit, as 0.01mm");
        assert_eq!(error("max-scrapes = -1"), "`max-scrapes`: expected a whole number, 0 or more");
        assert_eq!(error("method = \"hope\""), "`method`: expected phases or support");
        assert_eq!(error("up = 3"), "`up`: found integer, expected a word in quotes");
        assert_eq!(error("up = \"w\""), "`up`: expected x, y, z, -x, -y or -z");
        assert!(error("unit = ").contains("expected"), "{}", error("unit = "));
    }
}
