//! Every setting of the cleaner and the detector by its name: one table for flags, `surefoot.toml`, the studio, the
//! headers of streams and the book.
//!
//! The name of a parameter is that of its field in [`surefoot_solve::Settings`] or [`surefoot_contact::Settings`]. In
//! flags and in `surefoot.toml` it is written with dashes. `table` lists the parameters, `text` reads and prints their
//! values.

mod table;
mod text;

use std::collections::BTreeMap;

use surefoot_contact::Settings as DetectionSettings;
use surefoot_formats::stream::SettingValue;
use surefoot_solve::Settings;

pub use table::PARAMETERS;
pub use text::Quantity;

/// One setting.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Parameter {
    /// The name, as in the library.
    pub name: &'static str,
    /// What its numbers measure.
    pub quantity: Quantity,
    /// The words that it accepts: all its values if it is a choice, else besides numbers.
    pub words: &'static [&'static str],
    /// What it does, and what a larger value changes.
    pub effect: &'static str,
    field: Field,
}

/// The field of a parameter, with access to it.
#[derive(Clone, Copy, Debug)]
enum Field {
    Cleaning { get: fn(&Settings) -> Value, set: fn(&mut Settings, Value) },
    Detection { get: fn(&DetectionSettings) -> Value, set: fn(&mut DetectionSettings, Value) },
}

/// The value of a parameter, in the unit of the library.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A number: seconds, metres, radians, or leg lengths.
    Number(f64),
    /// One of the words of the parameter.
    Word(&'static str),
}

impl Parameter {
    /// The parameter of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        PARAMETERS.iter().find(|parameter| parameter.name == name)
    }

    /// The name in flags and in `surefoot.toml`.
    pub fn dashed_name(&self) -> String {
        self.name.replace('_', "-")
    }

    /// Whether it is a setting of the detector, not of the cleaner.
    pub fn is_detection(&self) -> bool {
        matches!(self.field, Field::Detection { .. })
    }

    /// Whether a stream has it: a setting of the cleaner that does not need the whole motion.
    pub fn is_for_streams(&self) -> bool {
        !self.is_detection() && self.name != "repair_glitches"
    }

    /// Whether its values are no and yes: a flag without a value sets it to yes.
    pub fn is_switch(&self) -> bool {
        self.words == ["no", "yes"]
    }

    /// The value in these settings of the cleaner, or by default if it is a setting of the detector.
    pub fn value_in(&self, settings: &Settings) -> Value {
        match self.field {
            Field::Cleaning { get, .. } => get(settings),
            Field::Detection { get, .. } => get(&DetectionSettings::default()),
        }
    }
}

/// Parameters with the values that a user has given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters {
    given: BTreeMap<&'static str, Value>,
    preset: Option<Preset>,
}

/// A set of values for all parameters of the cleaner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preset {
    /// The settings for files, which look at whole plants.
    #[default]
    Clean,
    /// The smallest look-ahead.
    Live,
    /// The method as published.
    Paper,
}

impl Preset {
    /// All presets.
    pub const ALL: [Self; 3] = [Self::Clean, Self::Live, Self::Paper];

    /// The name of the preset.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Live => "live",
            Self::Paper => "paper",
        }
    }

    /// The settings of the preset.
    pub fn settings(self) -> Settings {
        match self {
            Self::Clean => Settings::default(),
            Self::Live => Settings::live(),
            Self::Paper => Settings::paper(),
        }
    }

    /// The preset of this name.
    pub fn from_name(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|preset| preset.as_str() == name.trim());
        found.ok_or_else(|| "expected clean, live or paper".into())
    }
}

impl Parameters {
    /// The name of the setting that selects a preset.
    pub const PRESET: &str = "preset";

    /// The names of all parameters and of the preset.
    pub fn names() -> impl Iterator<Item = &'static str> {
        [Self::PRESET].into_iter().chain(PARAMETERS.iter().map(|parameter| parameter.name))
    }

    /// Sets a parameter by its name and its text, as a flag states it. Returns `false` if there is no parameter of this
    /// name.
    pub fn set_text(&mut self, name: &str, text: &str) -> Result<bool, String> {
        if name == Self::PRESET {
            self.preset = Some(Preset::from_name(text)?);
            return Ok(true);
        }
        let Some(parameter) = Parameter::named(name) else { return Ok(false) };
        self.given.insert(parameter.name, parameter.parse(text)?);
        Ok(true)
    }

    /// Sets a parameter by its name and its value in JSON: a number in the unit of the library, or a text as in a flag.
    pub fn set_json(&mut self, name: &str, value: &SettingValue) -> Result<(), String> {
        let number = match value {
            SettingValue::Word(word) => {
                return match self.set_text(name, word) {
                    Ok(true) => Ok(()),
                    Ok(false) => Err(unknown(name)),
                    Err(expected) => Err(format!("{name} is {word:?}: {expected}")),
                };
            }
            SettingValue::Number(number) => *number,
        };
        let parameter = Parameter::named(name).ok_or_else(|| unknown(name))?;
        let value = parameter.check(number).map_err(|expected| format!("{name} is {number}: {expected}"))?;
        self.given.insert(parameter.name, value);
        Ok(())
    }

    /// Reads the settings of a stream's header or of the studio.
    pub fn from_json(values: &BTreeMap<String, SettingValue>) -> Result<Self, String> {
        let mut parameters = Self::default();
        for (name, value) in values {
            parameters.set_json(name, value)?;
        }
        Ok(parameters)
    }

    /// Sets a parameter to a value that was checked.
    pub fn set(&mut self, parameter: &'static Parameter, value: Value) {
        self.given.insert(parameter.name, value);
    }

    /// Selects a preset.
    pub fn set_preset(&mut self, preset: Preset) {
        self.preset = Some(preset);
    }

    /// The given value of a parameter.
    pub fn get(&self, name: &str) -> Option<Value> {
        self.given.get(name).copied()
    }

    /// The preset, if one was selected.
    pub fn preset(&self) -> Option<Preset> {
        self.preset
    }

    /// The parameters that have a value, with the value.
    pub fn given(&self) -> impl Iterator<Item = (&'static Parameter, Value)> + '_ {
        self.given.iter().filter_map(|(name, value)| Some((Parameter::named(name)?, *value)))
    }

    /// These parameters, completed by others where these state nothing. If these select a preset, times come from it: those
    /// of the others belong to another preset.
    pub fn or(mut self, other: &Self) -> Self {
        let has_preset = self.preset.is_some();
        let is_taken = |parameter: &Parameter| !has_preset || parameter.quantity != Quantity::Seconds;
        for (parameter, value) in other.given().filter(|(parameter, _)| is_taken(parameter)) {
            self.given.entry(parameter.name).or_insert(value);
        }
        Self { preset: self.preset.or(other.preset), ..self }
    }

    /// The settings of the cleaner: those of the preset, or else of `preset`, with the given values.
    pub fn settings(&self, preset: Preset) -> Settings {
        let mut settings = self.preset.unwrap_or(preset).settings();
        for (parameter, value) in self.given() {
            if let Field::Cleaning { set, .. } = parameter.field {
                set(&mut settings, value);
            }
        }
        settings
    }

    /// Changes the settings of the detector to the given values. If only the lower speed of the hysteresis is given, the
    /// upper one changes in proportion.
    pub fn apply_to_detection(&self, settings: &mut DetectionSettings) {
        let ratio = settings.exit_speed / settings.enter_speed;
        for (parameter, value) in self.given() {
            if let Field::Detection { set, .. } = parameter.field {
                set(settings, value);
            }
        }
        if self.get("enter_speed").is_some() && self.get("exit_speed").is_none() {
            settings.exit_speed = ratio * settings.enter_speed;
        }
    }
}

fn unknown(name: &str) -> String {
    let names: Vec<&str> = Parameters::names().collect();
    format!("no setting {name:?}, expected one of {}", names.join(", "))
}

/// The settings of the cleaner as a header of a stream states them: all of them, with the preset whose form they have.
pub fn settings_to_json(settings: &Settings) -> BTreeMap<String, SettingValue> {
    let preset = if settings.form == surefoot_solve::Form::Paper { Preset::Paper } else { Preset::Live };
    let parameters = PARAMETERS.iter().filter(|parameter| parameter.is_for_streams());
    let mut values: BTreeMap<String, SettingValue> = parameters
        .map(|parameter| (parameter.name.to_owned(), parameter.value_in(settings).into()))
        .collect();
    values.insert(Parameters::PRESET.into(), SettingValue::Word(preset.as_str().into()));
    values
}

impl From<Value> for SettingValue {
    fn from(value: Value) -> Self {
        match value {
            Value::Number(number) => Self::Number(number),
            Value::Word(word) => Self::Word(word.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another valid value than the given one.
    fn other(parameter: &Parameter, value: Value) -> Value {
        match (value, parameter.words) {
            (Value::Number(number), _) => Value::Number(number / 2.0),
            (Value::Word(word), words) if parameter.quantity == Quantity::Choice => {
                Value::Word(words.iter().find(|other| **other != word).unwrap())
            }
            (Value::Word(_), _) => Value::Number(0.25),
        }
    }

    #[test]
    fn every_parameter_sets_its_own_field_and_no_other() {
        for parameter in PARAMETERS {
            let before = parameter.value_in(&Settings::default());
            let value = other(parameter, before);
            let mut given = Parameters::default();
            given.set(parameter, value);
            let (mut cleaning, mut detection) = (given.settings(Preset::Clean), DetectionSettings::default());
            given.apply_to_detection(&mut detection);
            let has_changed = |other: &Parameter| match other.field {
                Field::Cleaning { get, .. } => get(&cleaning) != get(&Settings::default()),
                Field::Detection { get, .. } => get(&detection) != get(&DetectionSettings::default()),
            };
            let changed: Vec<&str> =
                PARAMETERS.iter().filter(|other| has_changed(other)).map(|other| other.name).collect();
            let expected: &[&str] = match parameter.name {
                "enter_speed" => &["enter_speed", "exit_speed"],
                name => &[name],
            };
            assert_eq!(changed, expected);
            match parameter.field {
                Field::Cleaning { get, set } => {
                    assert_eq!(get(&cleaning), value);
                    set(&mut cleaning, before);
                    assert_eq!(cleaning, Settings::default());
                }
                Field::Detection { get, .. } => assert_eq!(get(&detection), value),
            }
        }
    }

    /// The names of a struct's fields, from its text for debugging.
    fn field_names(settings: &str) -> Vec<String> {
        let lines = settings.lines().filter(|line| line.starts_with("    ") && !line.starts_with("     "));
        lines.filter_map(|line| Some(line.trim().split_once(':')?.0.to_owned())).collect()
    }

    /// A new field of the settings has to be added to the table, and so to flags, files, studio and book.
    #[test]
    fn every_field_of_the_settings_is_in_the_table() {
        let cleaning = field_names(&format!("{:#?}", Settings::default()));
        let detection = field_names(&format!("{:#?}", DetectionSettings::default()));
        assert!(cleaning.len() > 10 && detection.len() > 7, "{cleaning:?} {detection:?}");
        let mut fields: Vec<String> = cleaning.into_iter().chain(detection).collect();
        // The preset selects the form, and the file determines the first frame.
        fields.retain(|name| name != "form" && name != "first_frame");
        let mut names: Vec<&str> = PARAMETERS.iter().map(|parameter| parameter.name).collect();
        fields.sort_unstable();
        names.sort_unstable();
        assert_eq!(names, fields);
    }

    #[test]
    fn a_value_reads_back_from_its_text_and_from_json() {
        for parameter in PARAMETERS {
            for preset in Preset::ALL {
                let value = parameter.value_in(&preset.settings());
                let text = parameter.text(value);
                assert_eq!(parameter.parse(&text), Ok(value), "{} {text}", parameter.name);
                let mut given = Parameters::default();
                given.set_json(parameter.name, &value.into()).unwrap();
                assert_eq!(given.get(parameter.name), Some(value), "{}", parameter.name);
            }
        }
    }

    #[test]
    fn wrong_names_and_values_are_refused() {
        let mut given = Parameters::default();
        let number = |number| SettingValue::Number(number);
        let mut error = |name: &str, value| given.set_json(name, &value).unwrap_err();
        assert!(error("spots", number(1.0)).starts_with("no setting \"spots\", expected one of preset, "));
        assert_eq!(error("roll", number(1.0)), "roll is 1: expected kept or flat");
        assert_eq!(error("stretch", number(3.0)), "stretch is 3: expected a share; for 3 percent write 3%");
        assert_eq!(
            error("knee_window", number(-1.0)),
            "knee_window is -1: expected a time from 0 up, as 0.5s or 200ms"
        );
        let word = SettingValue::Word("soon".into());
        assert!(error("spot_window", word).starts_with("spot_window is \"soon\": expected a time from 0 up"));
        assert_eq!(given.set_text("spots", "1"), Ok(false));
        assert_eq!(given, Parameters::default());
    }
}
