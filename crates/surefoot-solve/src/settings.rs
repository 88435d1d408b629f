//! What a user may want to be otherwise.

/// How the cleaner works. Times are in seconds, so that every frame rate gives the same answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// A plant's spot is the mean of its point over this much of its beginning. Infinite: over
    /// all of it. Default: infinite; a live stream pays for it in delay.
    pub spots: f64,
    /// How far a planted foot's added turn is faded into frames with one point held. Default 1/3.
    pub ankles: f64,
    /// Half the width over which the root's correction is smoothed. Default 0.25.
    pub root: f64,
    /// Half the width over which the knee's correction is smoothed. Default 0.15.
    pub knee: f64,
    /// How far corrections are faded into the frames around a plant. Default 0.2.
    pub blend: f64,
    /// The most that thigh and shin may be stretched or shrunk, as a fraction. 0 is rigid: bones
    /// keep their length to the bit. Default 0.03.
    pub stretch: f64,
    /// Whether a foot held at heel and ball keeps its roll or is laid flat. Default: kept.
    pub roll: FootRoll,
    /// A plant within this height of the floor, in metres, is put on it; others keep their own.
    /// Default 0.02.
    pub snap: f64,
    /// The root's moves are averaged in cells of this many seconds: nothing shorter is left of them
    /// anyway. 0 for cells of one frame, which lie the same way wherever a motion begins: what a loop
    /// needs. Default 1/30.
    pub cell: f64,
    /// A planted point that slides faster than this, in metres a second, skates. Default 0.1. Only
    /// [`rectify`](crate::rectify) asks: the five phases hold every plant.
    pub skate: f64,
    /// The method as printed in 2002, or with its cures. Default: cured.
    pub form: Form,
    /// Which method holds the plants. Default: the phases.
    pub method: Method,
}

/// A method that holds planted feet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// The phases of Kovar et al. (2002), improved: spots, ankles, root, legs, blend, clearance.
    #[default]
    Phases,
    /// Rectification by support phase (Hsu 2008): the legs alone, by which foot supports the body.
    Support,
}

/// What becomes of the roll of a foot that is held at heel and ball.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FootRoll {
    /// It stays as captured.
    Kept,
    /// The sole is laid on the floor.
    Flat,
}

/// Which form of the method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The five phases as the paper has them, its misprints put right.
    Paper,
    /// The same, with the causes of knee pops cured.
    Cured,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            spots: f64::INFINITY,
            ankles: 1.0 / 3.0,
            root: 0.25,
            knee: 0.15,
            blend: 0.2,
            stretch: 0.03,
            roll: FootRoll::Kept,
            snap: 0.02,
            cell: 1.0 / 30.0,
            skate: 0.1,
            form: Form::Cured,
            method: Method::Phases,
        }
    }
}

impl Settings {
    /// The cleanup as it was published.
    pub fn paper() -> Self {
        Self { spots: 1.0 / 3.0, form: Form::Paper, ..Self::default() }
    }

    /// For a live stream: what looks ahead least, 0.9 s in all.
    pub fn live() -> Self {
        Self { spots: 0.2, ankles: 0.2, root: 0.2, knee: 0.1, blend: 0.2, ..Self::default() }
    }
}
