//! How is a number said to a person? In a unit one can picture, with as many digits as one reads.

use surefoot_core::math::PI;

/// The unit a figure is kept in, and how it is said to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Metres, shown in millimetres.
    Metres,
    /// Metres a second, shown in centimetres a second.
    Speed,
    /// A fraction of 1, shown in percent.
    Share,
    /// A number of frames.
    Frames,
    /// Radians, shown in degrees.
    Angle,
    /// Radians a second squared, shown in degrees a second squared.
    AngularAcceleration,
    /// Metres a second squared.
    Acceleration,
    /// A number without a unit.
    Score,
}

impl Unit {
    /// The word after the number, and what one of the kept unit is in it.
    fn shown(self) -> (&'static str, f64) {
        match self {
            Self::Metres => ("mm", 1e3),
            Self::Speed => ("cm/s", 1e2),
            Self::Share => ("%", 1e2),
            Self::Frames | Self::Score => ("", 1.0),
            Self::Angle => ("°", 180.0 / PI),
            Self::AngularAcceleration => ("°/s²", 180.0 / PI),
            Self::Acceleration => ("m/s²", 1.0),
        }
    }

    /// The value in the unit people read, with its unit.
    pub fn say(self, value: f64) -> String {
        let (word, scale) = self.shown();
        let number = if self == Self::Frames { format!("{value:.0}") } else { digits(value * scale) };
        match word {
            "" => number,
            "°" => format!("{number}°"),
            word => format!("{number} {word}"),
        }
    }

    /// Whether a value is shown as more than nothing.
    pub(crate) fn shows(self, value: f64) -> bool {
        digits(value * self.shown().1) != digits(0.0)
    }

    /// The same for a value that may not be there.
    pub fn say_if(self, value: Option<f64>) -> String {
        value.map_or_else(|| "–".into(), |value| self.say(value))
    }
}

/// A number with two decimals below 10, one below 100 and none above.
pub(crate) fn digits(value: f64) -> String {
    // A number that rounds to zero has no sign.
    let value = if value.abs() < 0.005 { 0.0 } else { value };
    // 9.996 is said as 10.0, so the step is where rounding takes it.
    match value.abs() {
        size if size < 9.995 => format!("{value:.2}"),
        size if size < 99.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// A word for one or several: `1 plant`, `2 plants`.
pub(crate) fn count(number: usize, word: &str) -> String {
    if number == 1 { format!("1 {word}") } else { format!("{number} {word}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_three_digits() {
        for (value, said) in [
            (0.001, "0.00"),
            (-0.001, "0.00"),
            (9.994, "9.99"),
            (9.996, "10.0"),
            (99.96, "100"),
            (1234.5, "1234"),
        ] {
            assert_eq!(digits(value), said);
        }
    }

    #[test]
    fn figures_are_said_in_units_one_can_picture() {
        assert_eq!(Unit::Metres.say(0.0912), "91.2 mm");
        assert_eq!(Unit::Speed.say(0.17), "17.0 cm/s");
        assert_eq!(Unit::Angle.say(PI), "180°");
        assert_eq!(Unit::Frames.say(12.0), "12");
        assert_eq!(Unit::Share.say_if(None), "–");
    }
}
