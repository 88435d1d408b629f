//! Keyword arguments: facts about a file, and settings of the solver.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use surefoot::core::JointId;
use surefoot::formats::stream::StretchLimit;
use surefoot::infer::LegOverride;
use surefoot::parse::{self, FloorText};
use surefoot::{FolderSettings, Settings};

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
}

impl Facts {
    pub const NAMES: &'static str = "unit, up, fps, floor, rig";

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
        })
    }
}

/// Settings of the solver that were given.
#[derive(Clone, Debug, Default)]
pub struct CleanKeywords {
    method: Option<surefoot::solve::Method>,
    stretch: Option<StretchLimit>,
    roll: Option<surefoot::solve::FootRoll>,
    skate_speed: Option<f64>,
    paper: bool,
    live: bool,
}

impl CleanKeywords {
    pub const NAMES: &'static str = "method, stretch, roll, skate_speed, paper, live";

    pub fn take(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let Some(keywords) = keywords else { return Ok(Self::default()) };
        let word = |name: &'static str| move |error| value_error(format!("{name}: {error}"));
        let method = take::<String>(keywords, "method")?;
        let stretch = take::<NumberOrWord>(keywords, "stretch")?;
        let roll = take::<String>(keywords, "roll")?;
        let fraction = |number| parse::share_of_number(number).map(StretchLimit::Fraction);
        Ok(Self {
            method: method.map(|method| parse::method(&method)).transpose().map_err(word("method"))?,
            stretch: stretch.map(|share| share.read("stretch", fraction, parse::stretch)).transpose()?,
            roll: roll.map(|roll| parse::roll(&roll)).transpose().map_err(word("roll"))?,
            skate_speed: take(keywords, "skate_speed")?,
            paper: take(keywords, "paper")?.unwrap_or(false),
            live: take(keywords, "live")?.unwrap_or(false),
        })
    }

    /// The settings, where `surefoot.toml` fills in what was not given, as for the command.
    pub fn settings(&self, toml: &FolderSettings) -> Settings {
        let base = match (self.paper, self.live) {
            (true, _) => Settings::paper(),
            (false, true) => Settings::live(),
            (false, false) => Settings::default(),
        };
        Settings {
            stretch_limit: self.stretch.or(toml.stretch).map_or(base.stretch_limit, StretchLimit::fraction),
            foot_roll: self.roll.or(toml.roll).unwrap_or(base.foot_roll),
            skate_speed: self.skate_speed.unwrap_or(base.skate_speed),
            method: self.method.or(toml.method).unwrap_or_default(),
            ..base
        }
    }

    pub fn with_live(self) -> Self {
        Self { live: !self.paper, ..self }
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
