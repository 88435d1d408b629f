//! What a motion is about when its file does not say: legs, unit, up axis and floor.
//!
//! Everything here works in the file's own unit and axes, because those are what is to be found
//! out. Each finding says how sure it is and why; nothing is guessed silently.

use crate::floor::Floor;
use crate::limb::{Leg, PointOn};
use crate::math::Vec3;
use crate::motion::Motion;
use crate::skeleton::JointId;

/// A motion, or parts of a long one, to be understood.
///
/// Lengths and axes are the file's.
#[derive(Clone, Debug)]
pub struct Excerpt {
    /// The poses taken.
    pub motion: Motion,
    /// The file's frame number of each pose, rising; neighbours differ by 1 except at a cut.
    pub frames: Vec<usize>,
}

/// Something found out: what, how sure, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding<T> {
    /// What was found.
    pub value: T,
    /// How sure, from 0 to 1; 1 where a person said so.
    pub confidence: f64,
    /// Why, in one sentence; what else was weighed, where it was close.
    pub reason: String,
}

/// Which of the file's axes points up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Up {
    /// 0, 1 or 2 for X, Y or Z.
    pub axis: usize,
    /// Whether it is the axis' negative end.
    pub negative: bool,
}

impl Up {
    /// The direction, as a unit vector in the file's axes.
    pub fn direction(self) -> Vec3 {
        let mut direction = Vec3::ZERO;
        direction[self.axis] = if self.negative { -1.0 } else { 1.0 };
        direction
    }

    /// The word for it: `y`, `-z`.
    pub fn word(self) -> &'static str {
        [["x", "-x"], ["y", "-y"], ["z", "-z"]][self.axis][usize::from(self.negative)]
    }

    /// The axis a word names, if it names one.
    pub fn from_word(word: &str) -> Option<Self> {
        let all = (0..3).flat_map(|axis| [false, true].map(|negative| Self { axis, negative }));
        all.into_iter()
            .find(|up| up.word().eq_ignore_ascii_case(word.trim_start_matches('+')))
    }
}

/// A leg as a person names it: by joints, with whichever points they know.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenLeg {
    /// `left`, `right`, `front left`, …
    pub side: String,
    /// The joint the thigh hangs from.
    pub hip: JointId,
    /// The joint between thigh and shin.
    pub knee: JointId,
    /// The joint between shin and foot.
    pub ankle: JointId,
    /// The heel, if given.
    pub heel: Option<PointOn>,
    /// The ball, if given.
    pub ball: Option<PointOn>,
    /// The toe tip, if given.
    pub toe: Option<PointOn>,
}

/// What a person says about a motion; the rest is found out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    /// Metres in one of the file's units.
    pub unit_m: Option<f64>,
    /// The axis that points up.
    pub up: Option<Up>,
    /// The floor, in metres and the file's axes.
    pub floor: Option<Floor>,
    /// The legs.
    pub legs: Option<Vec<GivenLeg>>,
}

/// What a motion is about, in the file's own axes.
#[derive(Clone, Debug)]
pub struct Understanding {
    /// Whether frame 0 is a T-pose put there by a program and no part of the performance.
    pub inserted_t_pose: Finding<bool>,
    /// The legs, offsets in the file's unit; or why there are none.
    pub legs: Result<Finding<Vec<Leg>>, NoLegs>,
    /// Metres in one of the file's units.
    pub unit_m: Finding<f64>,
    /// What people call that unit: `cm`, `inch`, `CMU (5.6444 cm)`.
    pub unit_name: String,
    /// The axis that points up.
    pub up: Finding<Up>,
    /// The floor, in metres and the file's axes; `None` where nothing tells.
    pub floor: Option<Finding<Floor>>,
    /// What a person should know: doubtful findings, swapped sides, and so on.
    pub warnings: Vec<String>,
}

/// Why no legs were found.
#[derive(Clone, Debug, PartialEq)]
pub struct NoLegs {
    /// The pairs of chains that were weighed, best first, each with what speaks against it.
    pub weighed: Vec<String>,
}
