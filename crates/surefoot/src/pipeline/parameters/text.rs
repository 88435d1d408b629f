//! Values of parameters as text: with their units, as people write them in flags and in `surefoot.toml`.

use super::{Parameter, Value};
use crate::parse;

/// What the numbers of a parameter measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// A time, in seconds.
    Seconds,
    /// A length, in metres.
    Metres,
    /// A speed, in metres per second.
    MetresPerSecond,
    /// A share of 1.
    Share,
    /// An angle, in radians; degrees in text.
    Angle,
    /// A length, in leg lengths.
    LegLengths,
    /// A speed, in leg lengths per second.
    LegLengthsPerSecond,
    /// A ratio.
    Ratio,
    /// No number: one of the words.
    Choice,
}

impl Quantity {
    /// The unit of the library and of JSON.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Seconds => "seconds",
            Self::Metres => "metres",
            Self::MetresPerSecond => "metres per second",
            Self::Share => "share of 1",
            Self::Angle => "radians; degrees in text",
            Self::LegLengths => "leg lengths",
            Self::LegLengthsPerSecond => "leg lengths per second",
            Self::Ratio => "ratio",
            Self::Choice => "",
        }
    }

    /// The name of a value in help texts.
    pub fn placeholder(self) -> &'static str {
        match self {
            Self::Seconds => "TIME",
            Self::Metres => "LENGTH",
            Self::MetresPerSecond => "SPEED",
            Self::Share => "SHARE",
            Self::Angle => "DEGREES",
            Self::LegLengths => "LEG LENGTHS",
            Self::LegLengthsPerSecond => "LEG LENGTHS/S",
            Self::Ratio => "NUMBER",
            Self::Choice => "",
        }
    }

    fn expected(self) -> &'static str {
        match self {
            Self::Seconds => "expected a time from 0 up, as 0.5s or 200ms",
            Self::Metres => "expected a length with its unit, as 2cm",
            Self::MetresPerSecond => "expected a speed in metres per second, as 0.1m/s",
            Self::Share => "expected a share, as 3% or 0.03",
            Self::Angle => "expected degrees, 0 or more, as 160",
            Self::LegLengths | Self::LegLengthsPerSecond | Self::Ratio => "expected a number, 0 or more",
            Self::Choice => "",
        }
    }

    /// A number of this quantity from its text.
    fn parse(self, text: &str) -> Result<f64, String> {
        match self {
            Self::Seconds => seconds(text).ok_or_else(|| self.expected().into()),
            Self::Metres => parse::length(text),
            Self::MetresPerSecond => parse::speed(text),
            Self::Share => parse::share(text),
            Self::Angle => parse::degrees(text),
            Self::LegLengths | Self::LegLengthsPerSecond | Self::Ratio => {
                text.parse().ok().filter(is_amount).ok_or_else(|| self.expected().into())
            }
            Self::Choice => Err(String::new()),
        }
    }

    fn text(self, number: f64) -> String {
        match self {
            Self::Seconds => format!("{number}s"),
            Self::Metres => format!("{number}m"),
            Self::MetresPerSecond => format!("{number}m/s"),
            Self::Angle => number.to_degrees().to_string(),
            _ => number.to_string(),
        }
    }
}

/// A number with at most four decimals.
fn round(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}

fn is_amount(number: &f64) -> bool {
    number.is_finite() && *number >= 0.0
}

/// A time in seconds, 0 included.
fn seconds(text: &str) -> Option<f64> {
    let (digits, unit) = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(digits), _) => (digits, 0.001),
        (None, Some(digits)) => (digits, 1.0),
        (None, None) => (text, 1.0),
    };
    digits.trim().parse().ok().filter(is_amount).map(|number: f64| number * unit)
}

impl Parameter {
    /// A value from its text.
    pub fn parse(&self, text: &str) -> Result<Value, String> {
        let text = text.trim();
        if let Some(word) = self.words.iter().find(|word| **word == text) {
            return Ok(Value::Word(word));
        }
        self.quantity.parse(text).map(Value::Number).map_err(|expected| self.with_words(expected))
    }

    /// Checks a number in the unit of the library.
    pub fn check(&self, number: f64) -> Result<Value, String> {
        let checked = match self.quantity {
            Quantity::Choice => Err(String::new()),
            Quantity::Share => parse::share_of_number(number),
            quantity => Some(number).filter(is_amount).ok_or_else(|| quantity.expected().into()),
        };
        checked.map(Value::Number).map_err(|expected| self.with_words(expected))
    }

    /// What was expected, with the words of the parameter.
    fn with_words(&self, expected: String) -> String {
        let words = self.words.join(" or ");
        match (expected.as_str(), self.words) {
            ("", _) => format!("expected {words}"),
            (_, []) => expected,
            // The advice about a percentage is about a number, not about a word.
            (text, _) if text.contains("for ") => expected,
            (text, _) => format!("{text}, or {words}"),
        }
    }

    /// The text of a value.
    pub fn text(&self, value: Value) -> String {
        match value {
            Value::Number(number) => self.quantity.text(number),
            Value::Word(word) => word.into(),
        }
    }

    /// The text of a value with at most four decimals, for people to read.
    pub fn short_text(&self, value: Value) -> String {
        match value {
            // Angles are rounded in degrees, in which they are shown.
            Value::Number(number) if self.quantity == Quantity::Angle => {
                round(number.to_degrees()).to_string()
            }
            Value::Number(number) => self.quantity.text(round(number)),
            Value::Word(word) => word.into(),
        }
    }

    /// The form of the value in help texts: `TIME|whole`, `kept|flat`.
    pub fn placeholder(&self) -> String {
        let quantity = self.quantity.placeholder();
        let all = [quantity].into_iter().filter(|text| !text.is_empty()).chain(self.words.iter().copied());
        all.collect::<Vec<_>>().join("|")
    }
}
