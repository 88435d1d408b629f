//! Every figure of a motion, alone or before and after.

use crate::change::{self, Change};
use crate::context::{Context, MeasureError};
use crate::depth::{Deepest, deepest, float_max, penetration_max};
use crate::jolt::{knee_accelerations, leg_acceleration_max, root_accelerations};
use crate::paths::{Paths, held_frames};
use crate::published;
use crate::rank::{largest, p99};
use crate::seen::Seen;
use crate::slide::{drift, drift_max, drift_mean, skate_ratio, slide, slide_mean};
use crate::stretch::{stretch_frames, stretch_max};
use surefoot_core::{Clip, FootPoint, Motion, Plant};

/// What is measured of one motion. A figure that cannot be had (no plants, too few frames) is
/// none, never a number that is not one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// Largest distance of a planted point from where its plant began, in metres.
    pub drift_max_m: Option<f64>,
    /// Mean of that distance over all planted frames, in metres.
    pub drift_mean_m: Option<f64>,
    /// Mean speed of planted points, in metres a second.
    pub slide_mean_m_per_s: Option<f64>,
    /// Share of planted frames faster than 0.1 m/s.
    pub skate_ratio: Option<f64>,
    /// Foot skating of Zhang et al. 2018 (MANN), in metres a second.
    pub skate_mann_m_per_s: Option<f64>,
    /// Foot skating ratio of Karunratanakul et al. 2023 (GMD).
    pub skate_ratio_gmd: Option<f64>,
    /// Physical foot contact score of Tseng et al. 2023 (EDGE).
    pub skate_pfc_edge: Option<f64>,
    /// Deepest any heel, ball or toe tip is below the floor, in metres.
    pub penetration_max_m: Option<f64>,
    /// Highest a planted point is above what it stands on, in metres.
    pub float_max_m: Option<f64>,
    /// Largest change of thigh or shin length, as a fraction of the captured length: that of the
    /// same frame before, or of the skeleton where there is no before.
    pub stretch_max: Option<f64>,
    /// Frames with any such change.
    pub stretch_frames: Option<f64>,
    /// 99th percentile of the knees' angular acceleration, in radians a second squared.
    pub knee_acceleration_p99_rad_per_s2: Option<f64>,
    /// Its largest.
    pub knee_acceleration_max_rad_per_s2: Option<f64>,
    /// The largest acceleration of a hip, knee or ankle, in metres a second squared: what an added
    /// jolt is to be held against.
    pub leg_acceleration_max_m_per_s2: Option<f64>,
    /// 99th percentile of the root's acceleration, in metres a second squared.
    pub root_acceleration_p99_m_per_s2: Option<f64>,
    /// Its largest.
    pub root_acceleration_max_m_per_s2: Option<f64>,
}

/// What is measured of one plant in one motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeldFigures {
    /// How far its point gets from where the plant began, in metres.
    pub drift: Option<f64>,
    /// Its mean speed, in metres a second.
    pub slide: Option<f64>,
    /// Largest change of this leg's thigh or shin during the plant, as a fraction.
    pub stretch: Option<f64>,
}

/// Who gave way so that a plant could be held, each by the most it gave in any of its frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct PaidBy {
    /// How far the root was moved, in metres.
    pub root: f64,
    /// How much thigh or shin changed, as a fraction of its length.
    pub stretch: f64,
    /// How far the point still slides, in metres.
    pub slide: f64,
}

/// One plant: how it was held.
#[derive(Clone, Debug, PartialEq)]
pub struct PlantFigures {
    /// The leg's name.
    pub foot: String,
    /// Heel or ball.
    pub point: FootPoint,
    /// Its first frame.
    pub first: usize,
    /// Its last frame.
    pub last: usize,
    /// Before, if there was a before.
    pub before: Option<HeldFigures>,
    /// After, or of the only motion.
    pub after: HeldFigures,
    /// Who paid; measured when there is a before, or as the cleaner reported it.
    pub paid_by: Option<PaidBy>,
    /// How far from its target the cleaner had to leave the point, in metres, if it said so.
    pub unmet: Option<f64>,
}

/// Every figure of a motion, alone or before and after.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// The motion before, if there was one.
    pub before: Option<Measured>,
    /// The motion after, or the only one.
    pub after: Measured,
    /// What changed between them.
    pub change: Option<Change>,
    /// Each plant, in the context's order.
    pub plants: Vec<PlantFigures>,
    /// Where the motion after is deepest below the floor.
    pub deepest: Option<Deepest>,
}

/// Measures the motion of a clip, alone or against the motion before it was cleaned or edited.
///
/// Both motions should be read back from their files. Stretch is measured against the bone lengths of the motion
/// before; of a motion alone, against its skeleton. A clip without a floor gets no figures of depth and height.
pub fn measure(clip: &Clip, before: Option<&Motion>) -> Result<Figures, MeasureError> {
    let context = &Context::of(clip, before);
    let (after, seen) = (&clip.motion, Seen::new(&clip.motion, before, context)?);
    let mut figures = Figures {
        before: seen.before.as_ref().map(|paths| measure_one(paths, &seen.stretch_before, context)),
        after: measure_one(&seen.after, &seen.stretch_after, context),
        change: before.zip(seen.before.as_ref()).map(|(motion, paths)| Change {
            knee_changed_max_rad: change::knee_changed_max(paths, &seen.after),
            added_acceleration_max_m_per_s2: change::added_acceleration_max(paths, &seen.after),
            root_moved_max_m: change::root_moved_max(paths, &seen.after),
            frames_changed: change::frames_changed(motion, after, context),
        }),
        plants: context
            .plants
            .plants
            .iter()
            .filter(|plant| !plant.frames.is_empty())
            .map(|plant| measure_plant(plant, &seen, context))
            .collect(),
        deepest: deepest(&seen.after, seen.before.as_ref(), context),
    };
    if clip.floor.is_none() {
        figures.remove_floor_figures();
    }
    Ok(figures)
}

fn measure_one(paths: &Paths, stretches: &[Vec<f64>], context: &Context) -> Measured {
    let (knees, roots) = (knee_accelerations(paths), root_accelerations(paths));
    Measured {
        drift_max_m: drift_max(paths, context),
        drift_mean_m: drift_mean(paths, context),
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

fn measure_plant(plant: &Plant, seen: &Seen, context: &Context) -> PlantFigures {
    let frames = held_frames(plant, context, seen.after.frames);
    let held = |paths: &Paths, stretches: &[Vec<f64>]| HeldFigures {
        drift: drift(paths.held(plant, context)),
        slide: slide(paths.held(plant, context), paths.fps),
        stretch: largest(stretches[plant.leg][frames.clone()].iter().map(|stretch| stretch.abs())),
    };
    let after = held(&seen.after, &seen.stretch_after);
    PlantFigures {
        foot: context.legs[plant.leg].side.clone(),
        point: plant.point,
        first: plant.frames.start,
        last: plant.frames.end - 1,
        before: seen.before.as_ref().map(|paths| held(paths, &seen.stretch_before)),
        after,
        paid_by: seen.before.as_ref().map(|before| PaidBy {
            root: largest(frames.clone().map(|frame| seen.after.root[frame].distance(before.root[frame])))
                .unwrap_or(0.0),
            stretch: after.stretch.unwrap_or(0.0),
            slide: after.drift.unwrap_or(0.0),
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

    /// How many plants there are, and how many of them stay within a tenth of a millimetre.
    pub fn plants_held(&self) -> (usize, usize) {
        let held = |plant: &&PlantFigures| plant.after.drift.is_some_and(|drift| drift <= HELD);
        (self.plants.iter().filter(held).count(), self.plants.len())
    }
}

/// A plant that drifts no farther than this is held, in metres.
///
/// Nobody sees it, and it is ten times what a file's six decimals lose.
pub(crate) const HELD: f64 = 1e-4;

/// Below this a figure is rounding and nothing to divide by, in its own unit.
const NOTHING: f64 = 1e-9;

/// `after / before`; 1 if both are nothing, none if only before is.
pub(crate) fn ratio(before: Option<f64>, after: Option<f64>) -> Option<f64> {
    match (before?, after?) {
        (before, after) if before.abs().max(after.abs()) < NOTHING => Some(1.0),
        (before, _) if before.abs() < NOTHING => None,
        (before, after) => Some(after / before),
    }
}
