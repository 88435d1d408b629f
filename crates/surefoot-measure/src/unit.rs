//! Formats figures for people: readable units and three digits.

use surefoot_core::math::PI;

/// The unit of a figure, and the unit in which it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Metres, shown in millimetres.
    Metres,
    /// Metres per second, shown in centimetres per second.
    Speed,
    /// A fraction of 1, shown in percent.
    Share,
    /// A number of frames.
    Frames,
    /// A number of events or joints.
    Count,
    /// Radians, shown in degrees.
    Angle,
    /// Radians per second squared, shown in degrees per second squared.
    AngularAcceleration,
    /// Metres per second squared.
    Acceleration,
    /// A number without a unit.
    Score,
}

impl Unit {
    /// The shown unit and the factor to convert to it.
    fn shown(self) -> (&'static str, f64) {
        match self {
            Self::Metres => ("mm", 1e3),
            Self::Speed => ("cm/s", 1e2),
            Self::Share => ("%", 1e2),
            Self::Frames | Self::Count | Self::Score => ("", 1.0),
            Self::Angle => ("°", 180.0 / PI),
            Self::AngularAcceleration => ("°/s²", 180.0 / PI),
            Self::Acceleration => ("m/s²", 1.0),
        }
    }

    /// The value in the shown unit, with its symbol.
    pub fn format(self, value: f64) -> String {
        let (word, scale) = self.shown();
        let number = match self {
            Self::Frames | Self::Count => format!("{value:.0}"),
            _ => digits(value * scale),
        };
        match word {
            "" => number,
            "°" => format!("{number}°"),
            word => format!("{number} {word}"),
        }
    }

    /// Whether a value is shown as a number other than 0.
    pub(crate) fn shows(self, value: f64) -> bool {
        digits(value * self.shown().1) != digits(0.0)
    }

    /// Like [`format`](Self::format); a missing value is shown as a dash.
    pub fn format_or_dash(self, value: Option<f64>) -> String {
        value.map_or_else(|| "–".into(), |value| self.format(value))
    }
}

/// A number with two decimals below 10, one below 100 and none above.
pub(crate) fn digits(value: f64) -> String {
    // A number that rounds to zero has no sign.
    let value = if value.abs() < 0.005 { 0.0 } else { value };
    // 9.996 is shown as 10.0, so the limits include rounding.
    match value.abs() {
        size if size < 9.995 => format!("{value:.2}"),
        size if size < 99.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// A number with a noun in singular or plural: `1 plant`, `2 plants`.
pub(crate) fn count(number: usize, word: &str) -> String {
    if number == 1 { format!("1 {word}") } else { format!("{number} {word}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_three_digits() {
        for (value, text) in [
            (0.001, "0.00"),
            (-0.001, "0.00"),
            (9.994, "9.99"),
            (9.996, "10.0"),
            (99.96, "100"),
            (1234.5, "1234"),
        ] {
            assert_eq!(digits(value), text);
        }
    }

    #[test]
    fn figures_are_shown_in_readable_units() {
        assert_eq!(Unit::Metres.format(0.0912), "91.2 mm");
        assert_eq!(Unit::Speed.format(0.17), "17.0 cm/s");
        assert_eq!(Unit::Angle.format(PI), "180°");
        assert_eq!(Unit::Frames.format(12.0), "12");
        assert_eq!(Unit::Share.format_or_dash(None), "–");
    }
}
