//! The blend weight of the second motion over time.

use core::fmt;

/// The blend weight of the second motion.
#[derive(Clone, Debug, PartialEq)]
pub enum Weight {
    /// A constant weight from 0 to 1.
    Constant(f64),
    /// Pairs of time, in seconds of the blended motion, and weight. Linear in between, constant
    /// before the first and after the last.
    Curve(Vec<(f64, f64)>),
}

/// Why a weight is invalid.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum WeightError {
    /// A weight outside 0 to 1.
    Range(f64),
    /// A curve without points.
    Empty,
    /// A time that is not finite.
    Time(f64),
    /// A time that is not later than the previous one.
    Order {
        /// The previous time.
        before: f64,
        /// The time after it.
        found: f64,
    },
}

impl fmt::Display for WeightError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range(found) => write!(f, "the weight is {found}, expected a number from 0 to 1"),
            Self::Empty => write!(f, "the weight curve has no points, expected at least one"),
            Self::Time(found) => {
                write!(f, "a time of the weight curve is {found}, expected a finite number of seconds")
            }
            Self::Order { before, found } => {
                write!(f, "the weight curve has {found} s after {before} s, expected increasing times")
            }
        }
    }
}

impl core::error::Error for WeightError {}

impl Weight {
    /// Checks that all weights are from 0 to 1 and all times increase.
    pub fn check(&self) -> Result<(), WeightError> {
        let share = |weight: f64| {
            if (0.0..=1.0).contains(&weight) { Ok(()) } else { Err(WeightError::Range(weight)) }
        };
        match self {
            Self::Constant(weight) => share(*weight),
            Self::Curve(points) if points.is_empty() => Err(WeightError::Empty),
            Self::Curve(points) => {
                for &(time, weight) in points {
                    if !time.is_finite() {
                        return Err(WeightError::Time(time));
                    }
                    share(weight)?;
                }
                match points.windows(2).find(|pair| pair[1].0 <= pair[0].0) {
                    Some(pair) => Err(WeightError::Order { before: pair[0].0, found: pair[1].0 }),
                    None => Ok(()),
                }
            }
        }
    }

    /// The weight at a time, in seconds.
    pub fn at(&self, seconds: f64) -> f64 {
        let points = match self {
            Self::Constant(weight) => return *weight,
            Self::Curve(points) => points,
        };
        let next = points.partition_point(|point| point.0 <= seconds);
        match (next.checked_sub(1).map(|n| points[n]), points.get(next)) {
            (Some((t0, w0)), Some(&(t1, w1))) => w0 + (w1 - w0) * ((seconds - t0) / (t1 - t0)),
            (Some((_, weight)), None) | (None, Some(&(_, weight))) => weight,
            (None, None) => 0.0,
        }
    }
}
