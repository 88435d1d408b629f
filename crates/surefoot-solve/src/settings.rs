//! What a user can set: window lengths, limits, and which form of the method runs.

use surefoot_core::Floor;

/// Stretch limit of a motion whose joints have translations, if none is set: 3 %.
const STRETCH_WITH_TRANSLATIONS: f64 = 0.03;
/// Snap distance of a plane, if none is set, in metres. A foot that is lowered by more takes the body with it, and the
/// other foot scrapes the floor.
const SNAP_TO_PLANE: f64 = 0.01;
/// Snap distance of a height field or mesh, if none is set, in metres: the heights of such a floor, from a scan or from
/// plants, are less exact.
const SNAP_TO_SHAPE: f64 = 0.02;

/// How the cleaner works. Windows are in seconds, so every frame rate gives the same result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Length of the start of a plant over which its spot is averaged, in seconds. Default: infinite,
    /// the mean of the whole plant. In a stream it adds to the latency.
    pub spot_window: f64,
    /// Time over which the rotation correction of a foot planted at heel and ball fades into frames
    /// of the same stance with one point planted, in seconds. Default 1/3.
    pub ankle_window: f64,
    /// Half the width of the filter that smooths the root correction, in seconds. Default 0.25.
    pub root_window: f64,
    /// Half the width of the window in which root, feet and knees share a correction, in seconds. Default 0.2.
    pub knee_window: f64,
    /// Longest time over which a free foot returns to its captured path before and after a stance, in seconds; in the
    /// published form the time over which joint angles do. Default 0.4.
    pub blend_window: f64,
    /// Most that thigh and shin may stretch or shrink, as a fraction of their length. With 0 the bones are rigid:
    /// their offsets stay bit-identical. Default: `None`, which is 0.03 for a motion whose joints have translations
    /// and 0 for any other.
    pub stretch: Option<f64>,
    /// Roll of a foot planted at heel and ball. Default: [`FootRoll::Keep`].
    pub roll: FootRoll,
    /// Height above the floor up to which a plant is snapped onto it, in metres; plants further above keep their
    /// captured height, as on a step. Plants below the floor are put on it. Default: `None`, which is 0.01 for a plane
    /// and 0.02 for a height field or mesh.
    pub snap_distance: Option<f64>,
    /// Knee angle above which the correction of a knee is damped and the bones stretch instead, in radians. Default
    /// 2.8, about 160°, as published. Only the published forms use it, and only if bones may stretch. At 160° one
    /// centimetre of reach turns an adult's knee by 4°, at 175° by 15°, at 180° without bound. A smaller angle makes
    /// the bones stretch more often.
    pub knee_damping_angle: f64,
    /// Weight of an acceleration of the root relative to one of a knee, where both share a correction. Default 1. Larger
    /// leaves more jitter to the knees, smaller more to the body.
    pub root_weight: f64,
    /// Duration of the cells in which root corrections are averaged before they are smoothed, in seconds; the cells of
    /// the fit are a multiple of them. 0 gives cells of one frame, whose result does not depend on where the motion
    /// starts: a loop needs that. Default 1/30; longer cells are cheaper and coarser.
    pub root_cell: f64,
    /// Speed above which a planted point counts as skating, in metres per second, where its plant is not labelled.
    /// Default 0.1. Only [`Method::Support`] uses it.
    pub skate_speed: f64,
    /// Whether glitches of a whole clip, one or two frames in which the capture jumps away and back, are replaced by
    /// interpolation. Default: no, glitches are only reported. A [`Cleaner`](crate::Cleaner) does not look for them.
    pub repair_glitches: bool,
    /// The method as published in 2002, or the improved one. Default: [`Form::Improved`].
    pub form: Form,
    /// Which method holds the plants. Default: [`Method::Phases`].
    pub method: Method,
}

/// A method that holds planted feet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// The phases of Kovar et al. (2002), improved: spots, ankles, swing, clearance, root, fit, legs.
    #[default]
    Phases,
    /// Rectification by support phase (Hsu 2008): a plant is held where its foot begins to stand, or where its skate
    /// ends, by the labels of the plants or by their speed; then as by the phases. The published form moves only the
    /// legs, and needs the whole motion.
    Support,
}

/// What happens to the roll of a foot that is planted at heel and ball.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FootRoll {
    /// The foot keeps its captured roll.
    Keep,
    /// The sole is laid flat on the floor.
    Flat,
}

/// Which form of the method runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The phases of Kovar, Schreiner and Gleicher (2002), with the misprints of their equations
    /// corrected.
    Paper,
    /// The improved form, without the knee pops of the published one.
    Improved,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            spot_window: f64::INFINITY,
            ankle_window: 1.0 / 3.0,
            root_window: 0.25,
            knee_window: 0.2,
            blend_window: 0.4,
            stretch: None,
            roll: FootRoll::Keep,
            snap_distance: None,
            knee_damping_angle: 2.8,
            root_weight: 1.0,
            root_cell: 1.0 / 30.0,
            skate_speed: 0.1,
            repair_glitches: false,
            form: Form::Improved,
            method: Method::Phases,
        }
    }
}

impl Settings {
    /// The method as published, with windows from the ranges that the paper gives: a third of a second for spots, a sixth
    /// to a third for the others. Together they are less than the second that the paper states as the delay.
    pub fn paper() -> Self {
        Self {
            spot_window: 1.0 / 3.0,
            ankle_window: 0.25,
            root_window: 0.2,
            blend_window: 0.2,
            stretch: Some(f64::INFINITY),
            form: Form::Paper,
            ..Self::default()
        }
    }

    /// The stretch limit that is set, or else that of a motion with or without joint translations.
    pub fn stretch_limit_for(&self, has_joint_translations: impl FnOnce() -> bool) -> f64 {
        self.stretch.unwrap_or_else(|| match has_joint_translations() {
            true => STRETCH_WITH_TRANSLATIONS,
            false => 0.0,
        })
    }

    /// The snap distance that is set, or else that of the floor, in metres.
    pub fn snap_distance_for(&self, floor: Option<&Floor>) -> f64 {
        let has_shape = floor.is_some_and(|floor| floor.as_surface().is_some());
        self.snap_distance.unwrap_or(if has_shape { SNAP_TO_SHAPE } else { SNAP_TO_PLANE })
    }

    /// Short windows for a live stream: at most 0.9 s of latency.
    pub fn live() -> Self {
        Self {
            spot_window: 0.2,
            ankle_window: 0.1,
            root_window: 0.1,
            knee_window: 0.115,
            blend_window: 0.15,
            ..Self::default()
        }
    }
}
