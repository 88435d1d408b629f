//! What a user can set.

/// How plants are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// A model, fitted to force plates and a gait lab's events, says when feet are down.
    #[default]
    Learned,
    /// A point is down while it is low and slow.
    SpeedHeight,
    /// A point is down around the moments at which it stops slowing, near the ground.
    ZeroCrossing,
    /// The most similar labelled moments vote.
    Knn,
    /// Support vector machines tell five labels apart.
    Svm,
}

impl Method {
    /// Every method.
    pub const ALL: [Self; 5] = [Self::Learned, Self::SpeedHeight, Self::ZeroCrossing, Self::Knn, Self::Svm];

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Learned => "learned",
            Self::SpeedHeight => "speed-height",
            Self::ZeroCrossing => "zero-crossing",
            Self::Knn => "knn",
            Self::Svm => "svm",
        }
    }

    /// The method a word names, if it names one.
    pub fn from_name(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.as_str() == word)
    }
}

/// From where to where a plant goes. Only the default method tells these apart; `speed-height` knows
/// where points rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Edges {
    /// From the frame in which the foot touches the ground to the last in which it does, as a force
    /// plate sees it. At the end only the toes touch, and the ball is a few centimetres up.
    #[default]
    Touch,
    /// Only while the point itself rests. This is what a cleanup should hold: a ball held until its
    /// toes leave is pulled down while it rises, and the knee pays.
    Rest,
}

/// How plants are found, and what counts as one.
///
/// Times are in seconds and lengths in legs (thigh and shin together, 0.85 m in an adult), so
/// that frame rate, unit and the size of the body make no difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The method. A fitted model by default.
    pub method: Method,
    /// From where to where a plant goes. As long as the foot touches by default.
    pub edges: Edges,
    /// The first frame of the performance: 1 where a program put a T-pose at frame 0, which is
    /// then part of no plant. 0 by default.
    pub first_frame: usize,
    /// Slower than this a point comes to stand, in legs per second. 0.4 by default, 0.34 m/s in
    /// an adult. Higher finds plants in worse captures, and lifted feet that hover.
    pub starts_below: f64,
    /// Slower than this it still stands. 0.8 by default. Higher keeps a plant whole through
    /// jitter, and runs it into the step.
    pub goes_on_below: f64,
    /// Both speeds grow with the speed of the steps: they are at least this share of the fastest
    /// the point gets within half a second. 0.12 by default. A runner's foot at 9 m/s is down
    /// when it slows to 1 m/s, because at 100 frames a second it never looks slower.
    pub share_of_swing: f64,
    /// At its edges, a plant's point is no farther than this from where it stands, in legs. 0.018 by
    /// default, 1.5 cm in an adult. Higher keeps a foot down until its toes leave, as force plates
    /// see it, and has the cleanup hold a ball that is already rolling.
    pub strays: f64,
    /// Gaps shorter than this are closed if the point stays within `strays`, in seconds. 0.15 by
    /// default: in less no foot leaves the floor and is back on the same spot.
    pub shortest_gap: f64,
    /// Plants shorter than this are dropped, in seconds. 0.06 by default; a sprinter's foot is
    /// down for 0.09, its heel or ball alone for less.
    pub shortest_plant: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            method: Method::default(),
            edges: Edges::default(),
            first_frame: 0,
            starts_below: 0.4,
            goes_on_below: 0.8,
            share_of_swing: 0.12,
            strays: 0.018,
            shortest_gap: 0.15,
            shortest_plant: 0.06,
        }
    }
}
