//! Keyword arguments: facts about a file, and settings of the solver.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use surefoot::core::JointId;
use surefoot::formats::stream::SettingValue;
use surefoot::infer::LegOverride;
use surefoot::parse::{self, FloorText};
use surefoot::{FolderSettings, Parameters, Preset, Settings};

use crate::errors::value_error;

/// A number, or a word as the command line takes it.
#[derive(FromPyObject)]
pub enum NumberOrWord {
    #[pyo3(transparent)]
    Number(f64),
    #[pyo3(transparent)]
    Word(String),
}

impl NumberOrWord {
    fn read<T>(
        self,
        name: &str,
        number: impl FnOnce(f64) -> Result<T, String>,
        word: impl FnOnce(&str) -> Result<T, String>,
    ) -> PyResult<T> {
        let value = match &self {
            Self::Number(value) => number(*value),
            Self::Word(text) => word(text),
        };
        value.map_err(|error| value_error(format!("{name}: {error}")))
    }
}

/// The value of a keyword. A keyword that is `None` is not given.
fn take<'py, T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>>(
    keywords: &Bound<'py, PyDict>,
    name: &str,
) -> PyResult<Option<T>> {
    let Some(value) = keywords.get_item(name)? else { return Ok(None) };
    keywords.del_item(name)?;
    if value.is_none() { Ok(None) } else { value.extract().map(Some).map_err(Into::into) }
}

/// An error for a keyword that nothing has taken.
pub fn refuse_rest(keywords: &Bound<'_, PyDict>, known: &str) -> PyResult<()> {
    match keywords.keys().get_item(0) {
        Ok(name) => {
            let message = format!("unexpected keyword {name}, expected one of {known}");
            Err(pyo3::exceptions::PyTypeError::new_err(message))
        }
        Err(_) => Ok(()),
    }
}

/// Facts about a motion that are not inferred.
#[derive(Default)]
pub struct Facts {
    pub unit: Option<f64>,
    pub up: Option<surefoot::core::UpAxis>,
    pub fps: Option<f64>,
    pub floor: Option<FloorText>,
    pub rig: Option<PathBuf>,
    pub foot_points: Option<surefoot::FootPointSource>,
    /// The file with the skeleton of arrays.
    pub skeleton: Option<PathBuf>,
    /// The joint order and the form of rotations of arrays.
    pub joints: Option<String>,
    pub rotations: Option<String>,
}

impl Facts {
    pub const NAMES: &'static str = "unit, up, fps, floor, rig, foot_points, skeleton, joints, rotations";

    pub fn take(keywords: &Bound<'_, PyDict>) -> PyResult<Self> {
        let word = |name: &'static str| move |error| value_error(format!("{name}: {error}"));
        let unit = take::<NumberOrWord>(keywords, "unit")?;
        let up = take::<String>(keywords, "up")?;
        let fps = take::<f64>(keywords, "fps")?;
        let floor = take::<NumberOrWord>(keywords, "floor")?;
        let height = |height: f64| FloorText::from_numbers(&[height]);
        Ok(Self {
            unit: unit.map(|unit| unit.read("unit", parse::unit_of_metres, parse::unit)).transpose()?,
            up: up.map(|up| parse::up_axis(&up)).transpose().map_err(word("up"))?,
            fps: fps.map(parse::fps_of_number).transpose().map_err(word("fps"))?,
            floor: floor.map(|floor| floor.read("floor", height, parse::floor)).transpose()?,
            rig: take(keywords, "rig")?,
            foot_points: take::<String>(keywords, "foot_points")?
                .map(|points| parse::foot_points(&points))
                .transpose()
                .map_err(word("foot_points"))?,
            skeleton: take(keywords, "skeleton")?,
            joints: take(keywords, "joints")?,
            rotations: take(keywords, "rotations")?,
        })
    }
}

/// Settings of the cleaner and the detector that were given, by the names they have everywhere.
#[derive(Clone, Debug, Default)]
pub struct CleanKeywords {
    given: Parameters,
}

impl CleanKeywords {
    /// The names of all settings.
    pub fn names() -> String {
        let names: Vec<&str> = Parameters::names().chain(["paper", "live"]).collect();
        names.join(", ")
    }

    pub fn take(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut given = Parameters::default();
        let Some(keywords) = keywords else { return Ok(Self { given }) };
        for name in Parameters::names() {
            let value = match take::<NumberOrWord>(keywords, name)? {
                None => continue,
                Some(NumberOrWord::Number(number)) => SettingValue::Number(number),
                Some(NumberOrWord::Word(word)) => SettingValue::Word(word),
            };
            given.set_json(name, &value).map_err(value_error)?;
        }
        for (name, preset) in [("paper", Preset::Paper), ("live", Preset::Live)] {
            if take(keywords, name)?.unwrap_or(false) {
                given.set_preset(preset);
            }
        }
        Ok(Self { given })
    }

    /// The settings, and an error for any other keyword.
    pub fn take_all(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let taken = Self::take(keywords)?;
        keywords.map_or(Ok(()), |rest| refuse_rest(rest, &Self::names()))?;
        Ok(taken)
    }

    /// The settings, where `surefoot.toml` fills in what was not given, as for the command.
    pub fn settings(&self, toml: &FolderSettings) -> Settings {
        self.given.clone().or(&toml.parameters).settings(Preset::Clean)
    }

    /// Changes the settings of the detector to those that were given.
    pub fn apply_to_detection(&self, settings: &mut surefoot::contact::Settings) {
        self.given.apply_to_detection(settings);
    }

    /// The settings for a stream: with the preset of a live stream, unless another is given.
    pub fn with_live(mut self) -> Self {
        if self.given.preset().is_none() {
            self.given.set_preset(Preset::Live);
        }
        self
    }
}

/// Legs as `[(side, hip, knee, ankle), …]`, by the indices of their joints.
pub fn leg_overrides(legs: Vec<(String, u32, u32, u32)>, joints: usize) -> PyResult<Vec<LegOverride>> {
    let leg = |(side, hip, knee, ankle): (String, u32, u32, u32)| {
        if let Some(joint) = [hip, knee, ankle].into_iter().find(|&joint| joint as usize >= joints) {
            let message = format!("the {side} leg has joint {joint}, expected a joint below {joints}");
            return Err(value_error(message));
        }
        let [hip, knee, ankle] = [hip, knee, ankle].map(JointId);
        Ok(LegOverride { side, hip, knee, ankle, heel: None, ball: None, toe: None })
    };
    legs.into_iter().map(leg).collect()
}
