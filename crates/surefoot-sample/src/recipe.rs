//! The settings of a generated motion.

/// The settings of a generated motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// The kind of motion. A walk by default.
    pub kind: Kind,
    /// The body. A human by default.
    pub body: Body,
    /// Frames per second, from 1 to 1000. 60 by default.
    pub fps: f64,
    /// Duration in seconds, up to 600. 6 s by default.
    pub seconds: f64,
    /// The damage that makes the feet skate. None by default.
    pub skate: Option<Skate>,
    /// Draws the small movements and the damage. 0 by default.
    pub seed: u64,
}

impl Default for Recipe {
    fn default() -> Self {
        Self { kind: Kind::Walk, body: Body::Human, fps: 60.0, seconds: 6.0, skate: None, seed: 0 }
    }
}

/// The kind of motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Walks straight ahead, from standing to standing.
    Walk,
    /// Walks along a curve and around a sharp corner.
    Turn,
    /// Runs, with both feet in the air between steps.
    Run,
    /// Jumps forward with both feet, once or several times.
    Jump,
    /// Climbs a flight of stairs.
    Stairs,
    /// Sneaks with bent knees, landing on the balls of the feet.
    Sneak,
    /// Stands, shifting the weight and swaying.
    Stand,
    /// Walks round a circle, with one step like the other.
    Circle,
    /// Climbs down a flight of stairs.
    StairsDown,
    /// Shuffles: slides one flat foot forward after the other.
    Shuffle,
    /// Stands and drags one foot over the floor and back.
    Drag,
    /// Stands, kicks with one foot and puts it down where it was.
    Kick,
    /// Stands on a lift that rises.
    Lift,
    /// Stands on a platform that turns.
    Platform,
    /// Crawls on hands and the balls of the feet.
    Crawl,
    /// Turns a cartwheel to the left.
    Cartwheel,
    /// Stands and pushes against a wall with both hands.
    Push,
    /// Climbs up a wall with hands and feet.
    Climb,
    /// Rises onto the tips of the toes, steps forward on them, and comes down.
    Tiptoe,
    /// Turns to the left on the balls of the feet, and back.
    Pivot,
}

impl Kind {
    /// The kinds in which every foot that is down stands still: those that detectors are trained on.
    pub const ALL: [Self; 7] =
        [Self::Walk, Self::Turn, Self::Run, Self::Jump, Self::Stairs, Self::Sneak, Self::Stand];

    /// The kinds that are hard for detectors: feet on the ground that move, feet that sink slowly, and
    /// ground that moves.
    pub const HARD: [Self; 7] =
        [Self::Circle, Self::StairsDown, Self::Shuffle, Self::Drag, Self::Kick, Self::Lift, Self::Platform];

    /// The kinds in which hands are planted too. Their samples have two arms after the legs.
    pub const HANDS: [Self; 4] = [Self::Crawl, Self::Cartwheel, Self::Push, Self::Climb];

    /// The kinds on the front of the feet, with plants of toe tips or plants that are pivots.
    pub const TOES: [Self; 2] = [Self::Tiptoe, Self::Pivot];

    /// All kinds.
    pub fn every() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().chain(Self::HARD).chain(Self::HANDS).chain(Self::TOES)
    }

    /// The name on the command line and in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Walk => "walk",
            Self::Turn => "turn",
            Self::Run => "run",
            Self::Jump => "jump",
            Self::Stairs => "stairs",
            Self::Sneak => "sneak",
            Self::Stand => "stand",
            Self::Circle => "circle",
            Self::StairsDown => "stairs-down",
            Self::Shuffle => "shuffle",
            Self::Drag => "drag",
            Self::Kick => "kick",
            Self::Lift => "lift",
            Self::Platform => "platform",
            Self::Crawl => "crawl",
            Self::Cartwheel => "cartwheel",
            Self::Push => "push",
            Self::Climb => "climb",
            Self::Tiptoe => "tiptoe",
            Self::Pivot => "pivot",
        }
    }

    /// The kind of this name; `None` for an unknown name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::every().find(|kind| kind.as_str() == name)
    }
}

/// The body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Body {
    /// An adult of 1.75 m.
    Human,
    /// The same adult without toe joints: each foot is rigid and ends at its ball.
    NoToe,
    /// A dog of 0.6 m at the shoulder.
    FourLegs,
    /// A root joint at the origin that never moves, with the hips carrying the motion; bones along X, right limbs
    /// mirrored.
    GroundRoot,
    /// A root joint on the ground below the pelvis, with the names and twist joints of Unreal's mannequin.
    RootPelvis,
    /// Neck and arms on the hips, without a spine joint.
    NoSpine,
    /// One joint for trunk and head, as in OpenSim models.
    OneSpine,
    /// Six spine joints.
    SixSpines,
    /// Twist joints within the arms and on the legs.
    Twist,
    /// A file with Z up, whose rest pose stands along Y.
    ZUp,
    /// Right limbs that point the other way at rest.
    Mirrored,
    /// A rest pose with the arms half lowered.
    APose,
    /// A rest pose with hanging arms.
    IPose,
    /// A rest pose that sits with a rounded back.
    Bent,
    /// The adult scaled by 0.6.
    Child,
}

impl Body {
    /// The bodies with a gait of their own.
    pub const ALL: [Self; 3] = [Self::Human, Self::NoToe, Self::FourLegs];

    /// The human on rigs of other kinds: the same motion and plants on another skeleton.
    pub const RIGS: [Self; 12] = [
        Self::GroundRoot,
        Self::RootPelvis,
        Self::NoSpine,
        Self::OneSpine,
        Self::SixSpines,
        Self::Twist,
        Self::ZUp,
        Self::Mirrored,
        Self::APose,
        Self::IPose,
        Self::Bent,
        Self::Child,
    ];

    /// The name on the command line and in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::NoToe => "no-toe",
            Self::FourLegs => "four-legs",
            Self::GroundRoot => "ground-root",
            Self::RootPelvis => "root-pelvis",
            Self::NoSpine => "no-spine",
            Self::OneSpine => "one-spine",
            Self::SixSpines => "six-spines",
            Self::Twist => "twist",
            Self::ZUp => "z-up",
            Self::Mirrored => "mirrored",
            Self::APose => "a-pose",
            Self::IPose => "i-pose",
            Self::Bent => "bent",
            Self::Child => "child",
        }
    }

    /// The body of this name; `None` for an unknown name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().chain(Self::RIGS).find(|body| body.as_str() == name)
    }
}

/// Damage that makes the feet skate; the true plants stay.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Skate {
    /// Scales the root's path over the ground by this factor, as after retargeting. 1.1 by default.
    Scale(f64),
    /// Lets the root drift slowly, by this many metres (root mean square) and one radian of yaw per
    /// metre, as with cameras or inertial sensors. 0.025 by default.
    Drift(f64),
    /// Adds noise to the root and all joints, by this many metres (root mean square at the root; two
    /// radians per metre at the joints), as with loose markers. 0.002 by default.
    Noise(f64),
    /// Blends the motion into a copy of itself and back every few seconds, with at most this weight. The
    /// copy is a few centimetres away and delayed by a varying time, as in a blend without foot
    /// alignment. 0.5 by default.
    Blend(f64),
}

impl Skate {
    /// All kinds of damage, with their default amounts.
    pub const ALL: [Self; 4] = [Self::Scale(1.1), Self::Drift(0.025), Self::Noise(0.002), Self::Blend(0.5)];

    /// The name on the command line and in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Scale(_) => "scale",
            Self::Drift(_) => "drift",
            Self::Noise(_) => "noise",
            Self::Blend(_) => "blend",
        }
    }

    /// The damage of this name with its default amount; `None` for an unknown name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|skate| skate.as_str() == name)
    }

    /// The amount, in the unit of the variant.
    pub fn amount(self) -> f64 {
        match self {
            Self::Scale(amount) | Self::Drift(amount) => amount,
            Self::Noise(amount) | Self::Blend(amount) => amount,
        }
    }

    /// The same damage with another amount.
    pub fn with_amount(self, amount: f64) -> Self {
        match self {
            Self::Scale(_) => Self::Scale(amount),
            Self::Drift(_) => Self::Drift(amount),
            Self::Noise(_) => Self::Noise(amount),
            Self::Blend(_) => Self::Blend(amount),
        }
    }
}

/// Why a motion cannot be generated.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SampleError {
    /// The frame rate is out of range.
    Fps {
        /// The frame rate.
        found: f64,
    },
    /// The duration is too short for the kind, or too long.
    Seconds {
        /// The kind of motion.
        kind: Kind,
        /// The duration, in seconds.
        found: f64,
        /// The shortest duration of the kind, in seconds.
        min: f64,
    },
    /// The body has no hands.
    NoHands {
        /// The kind of motion.
        kind: Kind,
        /// The body.
        body: Body,
    },
    /// The body has no toes.
    NoToes {
        /// The kind of motion.
        kind: Kind,
        /// The body.
        body: Body,
    },
    /// The amount of damage is out of range.
    Amount {
        /// The damage.
        skate: Skate,
        /// The smallest amount.
        min: f64,
        /// The largest amount.
        max: f64,
    },
}

impl core::fmt::Display for SampleError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Fps { found } => write!(f, "found {found} frames per second, expected 1 to 1000"),
            Self::Seconds { kind, found, min } => {
                write!(f, "found {found} s, but a {} takes from {min:.1} to 600 s", kind.as_str())
            }
            Self::NoHands { kind, body } => {
                write!(f, "found the body {}, but a {} needs hands", body.as_str(), kind.as_str())
            }
            Self::NoToes { kind, body } => {
                write!(f, "found the body {}, but a {} needs human toes", body.as_str(), kind.as_str())
            }
            Self::Amount { skate, min, max } => {
                write!(f, "found {} of {}, expected {min} to {max}", skate.as_str(), skate.amount())
            }
        }
    }
}

impl core::error::Error for SampleError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for kind in Kind::every() {
            assert_eq!(Kind::from_name(kind.as_str()), Some(kind));
        }
        for body in Body::ALL.into_iter().chain(Body::RIGS) {
            assert_eq!(Body::from_name(body.as_str()), Some(body));
        }
        for skate in Skate::ALL {
            assert_eq!(Skate::from_name(skate.as_str()), Some(skate));
        }
        assert_eq!(Kind::from_name("hop"), None);
    }
}
