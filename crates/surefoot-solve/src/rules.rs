//! The published and the improved form of the method as plain numbers and flags.
//!
//! Both forms run the same phases. [`Rules::new`] resolves the settings once, when a cleaner is set
//! up; the phases read the resolved values and never check which form runs. The two
//! constructors below, side by side, are the complete list of differences.

use core::ops::RangeInclusive;

use crate::kinematics::blend_weights::SideWeights;
use crate::settings::{FootRoll, Form, Method, Settings};

/// Reach at which the root starts to move towards a plant, as a fraction of the straight leg.
///
/// A leg captured straighter than this may stay so. Closer to 1 the root moves less and knees pass
/// through the angles at which they pop; at 0.97 the body visibly crouches.
const ROOT_REACH_START: f64 = 0.985;

/// Fraction of its longest reach that a leg is left with when the root moves towards the plant.
///
/// At 1 the knee would become perfectly straight: its last 2° add a tenth of a millimetre of reach,
/// and it would snap through them.
const ROOT_REACH_LIMIT: f64 = 0.9998;

/// Root correction that counts twice as much as no correction when corrections are averaged, in
/// metres; twice the correction counts five times as much.
///
/// Without this weight the average would fall short of the very corrections that legs need most, and
/// the root would jump to make them up. Smaller values follow those corrections more closely.
const ROOT_NEED: f64 = 0.0075;

/// Weight of a frame without plants relative to one with plants, when root corrections are averaged.
///
/// Half of a correction is left where frames with plants fill this fraction of the filter. Larger
/// values let the correction fade out sooner during swings and jumps.
const FREE_FRAME_WEIGHT: f64 = 0.05;

/// Time over which the slope of a correction continues beyond the stance, in seconds.
///
/// Shorter times stop a growing correction more abruptly; longer ones overshoot.
const SLOPE_TIME: f64 = 0.1;

/// Largest weight of the root: with it the root follows its smoothed path, and the equations can still be solved.
const MOST_ROOT_WEIGHT: f64 = 1000.0;

/// The settings of the phases, resolved for one form of the method.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// Most that thigh and shin may stretch or shrink, as a fraction.
    pub stretch_limit: f64,
    /// Knee angle above which the correction of a knee is damped, in radians.
    pub knee_damping_angle: f64,
    /// Phase 6: weight of an acceleration of the root relative to one of a knee.
    pub root_weight: f64,
    /// Heights above the floor from which a spot is snapped onto it, in metres.
    pub snap: RangeInclusive<f64>,
    pub foot_roll: FootRoll,
    /// Speed above which a planted point skates, in metres per second.
    pub skate_speed: f64,

    /// Phase 2: damp rotations of the captured foot about its ankle while one point is planted.
    pub steady_ankle: bool,
    /// Phases 2 and 5: how the corrections before and after a frame are combined.
    pub side_weights: SideWeights,

    /// Phase 5: the root follows the mean correction of the planted feet, so that a change of floor
    /// height moves the body and does not bend the knees.
    pub root_follows_feet: bool,
    /// Phase 5: reach at which the root starts to move, as a fraction of the straight leg.
    pub root_reach_start: f64,
    /// Phase 5: longest reach that the root leaves to a leg, stretch included, as a fraction of the
    /// straight leg.
    pub root_reach_limit: f64,
    /// Phase 5: correction that counts twice as much as none, in metres; infinite weighs all alike.
    pub root_need: f64,
    /// Phase 5: weight of a frame without plants.
    pub free_frame_weight: f64,
    /// Phase 5: smooth the root over all frames; otherwise only within a run of frames with plants,
    /// and the published blend fades the root into the frames around the run.
    pub smooth_root_across_swings: bool,

    /// Phase 5: ease into the correction that legs still need after smoothing.
    pub ease_root: bool,

    /// Phase 3: number of frames over which the slope of a correction continues beyond the stance.
    pub slope_frames: f64,
    /// Whether joint angles fade and feet are lifted after the legs have bent, as published.
    pub is_published: bool,

    /// Phase 1: a plant is held where its foot begins to stand or its skate ends, instead of at its mean position.
    pub spots_by_support: bool,
}

impl Rules {
    /// `stretch_limit` and `snap_distance` are those of the settings, or the automatic ones.
    pub fn new(settings: &Settings, fps: f64, stretch_limit: f64, snap_distance: f64) -> Self {
        match settings.form {
            Form::Paper => Self::published(settings, stretch_limit),
            Form::Improved => Self::improved(settings, fps, stretch_limit, snap_distance),
        }
    }

    fn published(settings: &Settings, stretch_limit: f64) -> Self {
        let Settings { roll: foot_roll, skate_speed, .. } = *settings;
        Self {
            stretch_limit,
            knee_damping_angle: settings.knee_damping_angle,
            root_weight: settings.root_weight.min(MOST_ROOT_WEIGHT),
            // Every plant is put on the floor.
            snap: f64::NEG_INFINITY..=f64::INFINITY,
            foot_roll,
            skate_speed,
            steady_ankle: false,
            side_weights: SideWeights::Published,
            root_follows_feet: false,
            root_reach_start: 1.0,
            root_reach_limit: 1.0 + stretch_limit,
            root_need: f64::INFINITY,
            free_frame_weight: 0.0,
            smooth_root_across_swings: false,
            // The published method stretches bones without a limit; with one, the root has to come closer.
            ease_root: stretch_limit.is_finite(),
            slope_frames: 0.0,
            is_published: true,
            spots_by_support: false,
        }
    }

    fn improved(settings: &Settings, fps: f64, stretch_limit: f64, snap_distance: f64) -> Self {
        let Settings { roll: foot_roll, skate_speed, .. } = *settings;
        Self {
            stretch_limit,
            knee_damping_angle: settings.knee_damping_angle,
            root_weight: settings.root_weight.min(MOST_ROOT_WEIGHT),
            // Nothing stands below a floor. What stands above it may stand on a step.
            snap: f64::NEG_INFINITY..=snap_distance,
            foot_roll,
            skate_speed,
            steady_ankle: true,
            side_weights: SideWeights::Additive,
            root_follows_feet: true,
            root_reach_start: ROOT_REACH_START,
            root_reach_limit: (1.0 + stretch_limit) * ROOT_REACH_LIMIT,
            root_need: ROOT_NEED,
            free_frame_weight: FREE_FRAME_WEIGHT,
            smooth_root_across_swings: true,
            ease_root: true,
            slope_frames: SLOPE_TIME * fps,
            is_published: false,
            spots_by_support: settings.method == Method::Support,
        }
    }
}
