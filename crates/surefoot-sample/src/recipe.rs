//! What sample is wanted?

/// What sample to make.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// What the body does. Walk by default.
    pub kind: Kind,
    /// Whose body it is. Human by default.
    pub body: Body,
    /// Frames per second, from 1 to 1000. 60 by default.
    pub fps: f64,
    /// How long it lasts, up to ten minutes. 6 s by default.
    pub seconds: f64,
    /// How it is damaged. Not at all by default.
    pub skate: Option<Skate>,
    /// Another seed gives other small movements and other damage. 0 by default.
    pub seed: u64,
}

impl Default for Recipe {
    fn default() -> Self {
        Self { kind: Kind::Walk, body: Body::Human, fps: 60.0, seconds: 6.0, skate: None, seed: 0 }
    }
}

/// What the body does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Walks straight ahead, from standing to standing.
    Walk,
    /// Walks along a curve and round a sharp corner.
    Turn,
    /// Runs: both feet are in the air between steps.
    Run,
    /// Jumps forward with both feet, once or more.
    Jump,
    /// Climbs a flight of stairs.
    Stairs,
    /// Sneaks with bent knees, toes first.
    Sneak,
    /// Stands, shifts its weight and sways.
    Stand,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 7] =
        [Self::Walk, Self::Turn, Self::Run, Self::Jump, Self::Stairs, Self::Sneak, Self::Stand];

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Walk => "walk",
            Self::Turn => "turn",
            Self::Run => "run",
            Self::Jump => "jump",
            Self::Stairs => "stairs",
            Self::Sneak => "sneak",
            Self::Stand => "stand",
        }
    }

    /// The kind a word names, if it names one.
    pub fn from_name(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// Whose body it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Body {
    /// An adult of 1.75 m.
    Human,
    /// The same without toe joints: each foot is one stiff block that ends at its ball.
    NoToe,
    /// A dog of 0.6 m at the shoulder.
    FourLegs,
}

impl Body {
    /// Every body.
    pub const ALL: [Self; 3] = [Self::Human, Self::NoToe, Self::FourLegs];

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::NoToe => "no-toe",
            Self::FourLegs => "four-legs",
        }
    }

    /// The body a word names, if it names one.
    pub fn from_name(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|body| body.as_str() == word)
    }
}

/// How a motion is damaged. The plants stay what they were, so its feet skate.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Skate {
    /// The root's path over the ground is this many times as long, as after retargeting. 1.1 by
    /// default.
    Scale(f64),
    /// The root wanders and turns slowly, by this many metres (root mean square) and one radian a
    /// metre, as with a camera or inertial sensors. 0.025 by default.
    Drift(f64),
    /// Every joint shakes and the root with it, by this many metres (root mean square at the
    /// root; a joint turns by two radians a metre), as with loose markers. 0.002 by default.
    Noise(f64),
    /// The motion is faded into a copy of itself and back every few seconds, at most by this
    /// share; the copy stands beside it, is now late and now not, and nobody looks at its feet.
    /// 0.5 by default.
    Blend(f64),
}

impl Skate {
    /// Every damage, by its default amount.
    pub const ALL: [Self; 4] = [Self::Scale(1.1), Self::Drift(0.025), Self::Noise(0.002), Self::Blend(0.5)];

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Scale(_) => "scale",
            Self::Drift(_) => "drift",
            Self::Noise(_) => "noise",
            Self::Blend(_) => "blend",
        }
    }

    /// The damage a word names, by its default amount, if it names one.
    pub fn from_name(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|skate| skate.as_str() == word)
    }

    /// How much, in its own unit.
    pub fn amount(self) -> f64 {
        match self {
            Self::Scale(amount) | Self::Drift(amount) => amount,
            Self::Noise(amount) | Self::Blend(amount) => amount,
        }
    }

    /// The same damage by another amount.
    pub fn with_amount(self, amount: f64) -> Self {
        match self {
            Self::Scale(_) => Self::Scale(amount),
            Self::Drift(_) => Self::Drift(amount),
            Self::Noise(_) => Self::Noise(amount),
            Self::Blend(_) => Self::Blend(amount),
        }
    }
}

/// Why a sample cannot be made.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SampleError {
    /// A frame rate that no motion has.
    Fps {
        /// The one asked for.
        found: f64,
    },
    /// Too short for what the body is to do, or too long to keep.
    Seconds {
        /// What the body does.
        kind: Kind,
        /// The seconds asked for.
        found: f64,
        /// The least it takes.
        least: f64,
    },
    /// An amount of damage out of its range.
    Amount {
        /// The damage.
        skate: Skate,
        /// The least amount.
        least: f64,
        /// The greatest.
        most: f64,
    },
}

impl core::fmt::Display for SampleError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Fps { found } => {
                write!(f, "{found} frames per second asked for, but only 1 to 1000 make sense")
            }
            Self::Seconds { kind, found, least } => {
                write!(
                    f,
                    "{found} s asked for, but a {} takes from {least:.1} s to ten minutes",
                    kind.as_str()
                )
            }
            Self::Amount { skate, least, most } => write!(
                f,
                "{} by {} asked for, but it goes from {least} to {most}",
                skate.as_str(),
                skate.amount()
            ),
        }
    }
}

impl core::error::Error for SampleError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_names_what_it_is_the_word_for() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_name(kind.as_str()), Some(kind));
        }
        for body in Body::ALL {
            assert_eq!(Body::from_name(body.as_str()), Some(body));
        }
        for skate in Skate::ALL {
            assert_eq!(Skate::from_name(skate.as_str()), Some(skate));
        }
        assert_eq!(Kind::from_name("hop"), None);
    }
}
