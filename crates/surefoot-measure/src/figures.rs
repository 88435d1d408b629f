//! Every figure of a motion, alone or before and after.

use crate::acceleration::{knee_accelerations, leg_acceleration_max, root_accelerations};
use crate::change::{self, Change};
use crate::context::{Context, MeasureError};
use crate::depth::{DeepestPoint, deepest, float_max, penetration_max};
use crate::events::{Events, find_causes, find_events};
use crate::motion_pair::MotionPair;
use crate::paths::{Paths, planted_frames};
use crate::published;
use crate::slide::{drift, drift_max, drift_mean, skate_ratio, slide, slide_mean};
use crate::statistics::{largest, p99};
use crate::stretch::{stretch_frames, stretch_max};
use surefoot_core::{Clip, FootPoint, Hold, Motion, Plant};

/// Figures of one motion. A figure that cannot be computed (no plants, too few frames) is `None`,
/// never NaN.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MotionFigures {
    /// Largest distance of a planted point from its given spot, or else from its first position, in metres.
    pub drift_max_m: Option<f64>,
    /// Mean distance of planted points from their spot over all planted frames, in metres.
    pub drift_mean_m: Option<f64>,
    /// Mean speed of planted points, in metres per second.
    pub slide_mean_m_per_s: Option<f64>,
    /// Share of planted frames faster than 0.1 m/s.
    pub skate_ratio: Option<f64>,
    /// Foot skating of Zhang et al. 2018 (MANN), in metres per second.
    pub skate_mann_m_per_s: Option<f64>,
    /// Foot skating ratio of Karunratanakul et al. 2023 (GMD).
    pub skate_ratio_gmd: Option<f64>,
    /// Physical foot contact score of Tseng et al. 2023 (EDGE).
    pub skate_pfc_edge: Option<f64>,
    /// Largest depth of any heel, ball or toe tip below the floor, in metres.
    pub penetration_max_m: Option<f64>,
    /// Largest height of a planted point above its ground, in metres.
    pub float_max_m: Option<f64>,
    /// Largest change of thigh or shin length, as a fraction of the length in the same frame of the
    /// motion before, or of the skeleton without a motion before.
    pub stretch_max: Option<f64>,
    /// Number of frames in which a thigh or shin has changed its length.
    pub stretch_frames: Option<f64>,
    /// 99th percentile of the angular acceleration of the knees, in rad/s².
    pub knee_acceleration_p99_rad_per_s2: Option<f64>,
    /// Largest angular acceleration of a knee, in rad/s².
    pub knee_acceleration_max_rad_per_s2: Option<f64>,
    /// Largest acceleration of a hip, knee or ankle, in m/s²: the reference for the added acceleration.
    pub leg_acceleration_max_m_per_s2: Option<f64>,
    /// 99th percentile of the acceleration of the root, in m/s².
    pub root_acceleration_p99_m_per_s2: Option<f64>,
    /// Largest acceleration of the root, in m/s².
    pub root_acceleration_max_m_per_s2: Option<f64>,
}

/// Figures of one plant in one motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlantMotion {
    /// Largest distance of the point from its given spot, or else from its first position, in metres; for a plant that
    /// does not hold its point fully, from the position at which the plant holds it. `None` for a plant with a strength
    /// below 1 without the motion before.
    pub drift: Option<f64>,
    /// Mean speed of the point, in metres per second.
    pub slide: Option<f64>,
    /// Largest change of this leg's thigh or shin during the plant, as a fraction.
    pub stretch: Option<f64>,
}

/// The corrections that hold a plant, each the largest over its frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct CorrectionCost {
    /// Root correction, in metres.
    pub root: f64,
    /// Stretch of thigh or shin, as a fraction of its length.
    pub stretch: f64,
    /// Remaining drift of the point, in metres.
    pub drift: f64,
}

/// Figures of one plant, before and after.
#[derive(Clone, Debug, PartialEq)]
pub struct PlantFigures {
    /// The leg's name.
    pub foot: String,
    /// Heel, ball or toe tip.
    pub point: FootPoint,
    /// The name of the point: `heel`, `ball`, `toe` or, of a hand, `palm`.
    pub point_name: &'static str,
    /// The first frame of the plant.
    pub first: usize,
    /// The last frame of the plant.
    pub last: usize,
    /// What the plant holds of its point.
    pub hold: Hold,
    /// Figures of the plant in the motion before, if there is one.
    pub before: Option<PlantMotion>,
    /// Figures of the plant in the motion after, or in the only motion.
    pub after: PlantMotion,
    /// Cost of the plant; `None` without a motion before, unless set from the report of the cleaner.
    pub cost: Option<CorrectionCost>,
    /// Distance from the spot that the cleaner could not reach, in metres, if it reported one.
    pub unmet: Option<f64>,
}

/// Every figure of a motion, alone or before and after.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// The motion before, if there is one.
    pub before: Option<MotionFigures>,
    /// The motion after, or the only one.
    pub after: MotionFigures,
    /// Changes from the motion before to the motion after.
    pub change: Option<Change>,
    /// Each plant, in the order of the clip.
    pub plants: Vec<PlantFigures>,
    /// The deepest penetration of the floor in the motion after.
    pub deepest: Option<DeepestPoint>,
    /// Events that a viewer notices in the motion after, found without the plants.
    pub events: Events,
}

/// Measures the motion of a clip, alone or against the motion before it was cleaned or edited.
///
/// Both motions should be read back from their files. Stretch is measured against the bone lengths of the motion
/// before; of a motion alone, against its skeleton. A clip without a floor gets no figures of depth and height.
pub fn measure(clip: &Clip, before: Option<&Motion>) -> Result<Figures, MeasureError> {
    let context = &Context::of(clip, before);
    let (after, pair) = (&clip.motion, MotionPair::new(&clip.motion, before, context)?);
    let mut figures = Figures {
        before: pair
            .before
            .as_ref()
            .map(|paths| measure_one(paths, Some(paths), &pair.stretch_before, context)),
        after: measure_one(&pair.after, pair.before.as_ref(), &pair.stretch_after, context),
        change: before.zip(pair.before.as_ref()).map(|(motion, paths)| Change {
            knee_changed_max_rad: change::knee_changed_max(paths, &pair.after),
            added_acceleration_max_m_per_s2: change::added_acceleration_max(paths, &pair.after),
            root_moved_max_m: change::root_moved_max(paths, &pair.after),
            frames_changed: change::frames_changed(motion, after, context),
        }),
        plants: context
            .plants
            .plants
            .iter()
            .filter(|plant| !plant.frames.is_empty())
            .map(|plant| measure_plant(plant, &pair, context))
            .collect(),
        deepest: deepest(&pair.after, pair.before.as_ref(), context),
        events: find_events(&pair, clip.floor.is_some(), context),
    };
    if let Some(captured) = &pair.before {
        find_causes(&mut figures.events, captured, context);
    }
    if clip.floor.is_none() {
        figures.remove_floor_figures();
    }
    Ok(figures)
}

fn measure_one(
    paths: &Paths,
    captured: Option<&Paths>,
    stretches: &[Vec<f64>],
    context: &Context,
) -> MotionFigures {
    let (knees, roots) = (knee_accelerations(paths), root_accelerations(paths));
    MotionFigures {
        drift_max_m: drift_max(paths, captured, context),
        drift_mean_m: drift_mean(paths, captured, context),
        slide_mean_m_per_s: slide_mean(paths, context),
        skate_ratio: skate_ratio(paths, context),
        skate_mann_m_per_s: published::mann(paths, context),
        skate_ratio_gmd: published::gmd(paths, context),
        skate_pfc_edge: published::edge(paths, context),
        penetration_max_m: penetration_max(paths, context),
        float_max_m: float_max(paths, context),
        stretch_max: stretch_max(stretches),
        stretch_frames: stretch_frames(stretches),
        knee_acceleration_max_rad_per_s2: largest(knees.iter().copied()),
        knee_acceleration_p99_rad_per_s2: p99(knees),
        leg_acceleration_max_m_per_s2: leg_acceleration_max(paths),
        root_acceleration_max_m_per_s2: largest(roots.iter().copied()),
        root_acceleration_p99_m_per_s2: p99(roots),
    }
}

fn measure_plant(plant: &Plant, pair: &MotionPair, context: &Context) -> PlantFigures {
    let frames = planted_frames(plant, context, pair.after.frames);
    let plant_motion = |paths: &Paths, captured: Option<&Paths>, stretches: &[Vec<f64>]| PlantMotion {
        drift: drift(paths, captured, plant, context),
        slide: slide(paths.planted_positions(plant, context), paths.fps),
        stretch: largest(stretches[plant.leg][frames.clone()].iter().map(|stretch| stretch.abs())),
    };
    let after = plant_motion(&pair.after, pair.before.as_ref(), &pair.stretch_after);
    PlantFigures {
        foot: context.legs[plant.leg].side.clone(),
        point: plant.point,
        point_name: context.legs[plant.leg].point_name(plant.point),
        first: plant.frames.start,
        last: plant.frames.end - 1,
        hold: plant.hold,
        before: pair.before.as_ref().map(|paths| plant_motion(paths, Some(paths), &pair.stretch_before)),
        after,
        cost: pair.before.as_ref().map(|before| CorrectionCost {
            root: largest(frames.clone().map(|frame| pair.after.root[frame].distance(before.root[frame])))
                .unwrap_or(0.0),
            stretch: after.stretch.unwrap_or(0.0),
            drift: after.drift.unwrap_or(0.0),
        }),
        unmet: None,
    }
}

impl Figures {
    /// Removes the figures that depend on the floor, for a clip without one.
    fn remove_floor_figures(&mut self) {
        for measured in self.before.iter_mut().chain([&mut self.after]) {
            measured.penetration_max_m = None;
            measured.float_max_m = None;
        }
        self.deepest = None;
    }

    /// Number of plants with a drift of at most 0.1 mm, and number of all plants.
    pub fn plants_held(&self) -> (usize, usize) {
        let held = |plant: &&PlantFigures| plant.after.drift.is_some_and(|drift| drift <= HELD);
        (self.plants.iter().filter(held).count(), self.plants.len())
    }
}

/// Largest drift of a held plant, in metres.
///
/// A drift of 0.1 mm is invisible, and ten times the rounding of a file with six decimals.
pub(crate) const HELD: f64 = 1e-4;

/// Value below which a figure is rounding and not a valid denominator, in its own unit.
const ROUNDING: f64 = 1e-9;

/// `after / before`; 1 if both are zero, `None` if only `before` is zero.
pub(crate) fn ratio(before: Option<f64>, after: Option<f64>) -> Option<f64> {
    match (before?, after?) {
        (before, after) if before.abs().max(after.abs()) < ROUNDING => Some(1.0),
        (before, _) if before.abs() < ROUNDING => None,
        (before, after) => Some(after / before),
    }
}
