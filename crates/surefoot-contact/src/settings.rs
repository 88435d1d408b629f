//! The settings of the detector.

/// A detection method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Boosted trees, trained on force plates and gait-lab events.
    #[default]
    Learned,
    /// Thresholds on speed and height: a point is planted while it is low and slow. Named
    /// `speed-height` on the command line.
    Threshold,
    /// Zero crossings of the second derivative of the path, near the ground (Bindiganavale and Badler 1998).
    ZeroCrossing,
    /// Nearest neighbours: the most similar labelled frames vote (Ikemoto, Arikan and Forsyth 2006).
    Knn,
    /// Support vector machines with five labels (Hsu 2009).
    Svm,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 5] = [Self::Learned, Self::Threshold, Self::ZeroCrossing, Self::Knn, Self::Svm];

    /// The method's name on the command line and in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Learned => "learned",
            Self::Threshold => "speed-height",
            Self::ZeroCrossing => "zero-crossing",
            Self::Knn => "knn",
            Self::Svm => "svm",
        }
    }

    /// The method of this name; `None` for an unknown name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.as_str() == name)
    }
}

/// Where plants start and end. Only [`Method::Learned`] distinguishes the two; [`Method::Threshold`]
/// always finds [`Edges::Rest`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Edges {
    /// From heel strike to toe off, as a force plate measures it. In the last frames only the toes
    /// touch the ground and the ball is a few centimetres above it. Use this to compare with labels.
    Touch,
    /// Only while the point itself is at rest. These are the plants to hold: a ball held until toe
    /// off is pulled down while it rises, which the knee has to absorb.
    #[default]
    Rest,
}

/// The limbs whose plants are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Hold {
    /// Heels and balls.
    #[default]
    Feet,
    /// Palms: on the floor, on a wall, on anything that stands still.
    Hands,
    /// Heels, balls and palms.
    FeetAndHands,
}

impl Hold {
    /// All choices.
    pub const ALL: [Self; 3] = [Self::Feet, Self::Hands, Self::FeetAndHands];

    /// The name on the command line and in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Feet => "feet",
            Self::Hands => "hands",
            Self::FeetAndHands => "feet,hands",
        }
    }

    /// The choice of this name; `None` for an unknown name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|hold| hold.as_str() == name)
    }

    /// Whether feet are held.
    pub fn holds_feet(self) -> bool {
        self != Self::Hands
    }

    /// Whether hands are held.
    pub fn holds_hands(self) -> bool {
        self != Self::Feet
    }
}

/// The settings of the detector.
///
/// Times are in seconds. Lengths are in leg lengths (thigh and shin together, 0.85 m in an adult)
/// and speeds in leg lengths per second, so that frame rate, unit and body size make no difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The detection method. [`Method::Learned`] by default.
    pub detector: Method,
    /// The limbs whose plants are looked for. [`Hold::Feet`] by default. Every method detects feet only; hands are
    /// always detected by [`hands`](crate::hands).
    pub hold: Hold,
    /// Where plants start and end. [`Edges::Rest`] by default.
    pub edges: Edges,
    /// The first frame of the performance; earlier frames belong to no plant. 0 by default, 1 where
    /// an export has a T-pose at frame 0.
    pub first_frame: usize,
    /// Speed below which a point comes to rest, in leg lengths per second: the lower threshold of the hysteresis. 0.4
    /// by default, 0.34 m/s in an adult. Higher finds plants in worse captures, but also false plants of hovering feet.
    pub enter_speed: f64,
    /// Speed below which a point stays at rest, in leg lengths per second: the upper threshold of
    /// the hysteresis. 0.8 by default. Higher keeps a plant in one piece through jitter, and extends
    /// it into the swing.
    pub exit_speed: f64,
    /// Both speed thresholds are at least this fraction of the point's fastest speed within 0.5 s.
    /// 0.12 by default. The foot of a runner swings at 9 m/s and, sampled at 100 fps, never appears
    /// slower than 1 m/s while it is down.
    pub swing_speed_fraction: f64,
    /// Largest distance of a point from its resting position at the edges of its plant, in leg
    /// lengths. 0.018 by default, 1.5 cm in an adult. Higher keeps a foot planted until toe off, as
    /// force plates measure it, and makes the cleanup hold a ball that is already rolling.
    pub max_edge_drift: f64,
    /// Gaps shorter than this are closed if the point stays near, in seconds. 0.15 by default: no
    /// foot leaves the floor and returns to the same spot in less.
    pub min_gap: f64,
    /// Plants shorter than this are dropped, in seconds. 0.06 by default: a sprinter's foot is down
    /// for 0.09 s, its heel or ball alone for less.
    pub min_plant: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            detector: Method::default(),
            hold: Hold::default(),
            edges: Edges::default(),
            first_frame: 0,
            enter_speed: 0.4,
            exit_speed: 0.8,
            swing_speed_fraction: 0.12,
            max_edge_drift: 0.018,
            min_gap: 0.15,
            min_plant: 0.06,
        }
    }
}
