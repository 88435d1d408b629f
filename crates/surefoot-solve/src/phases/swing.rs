//! Phase 3: leads free feet from one stance to the next.
//!
//! A free foot takes the displacement and rotation correction from the edges of the stances before and after it. They
//! change in proportion to the path that the captured foot travels, not to time: a foot that rests keeps its
//! correction, and a foot that swings is faster or slower by a few per cent. A correction that lowers the foot fades as
//! the foot rises, so that a swing keeps its captured height; one that raises the foot stays, so that the swing clears
//! the floor as captured.
//!
//! Reads the targets of planted feet (phase 2); writes those of free feet. A foot that no stance reaches keeps its
//! captured position.

use core::ops::RangeInclusive;

use surefoot_core::{Quat, Vec3, math};

use crate::kinematics::blend_weights::{SideWeight, Sides};
use crate::kinematics::leg::CapturedLeg;
use crate::kinematics::rotation::{exp, log};
use crate::phases::{Phase, clearance};
use crate::setup::Setup;
use crate::stream::slots::{LegSlot, Neighbour, Neighbours, Stance, SwingEdge};
use crate::stream::window::Window;

/// Rise of the captured foot over which a correction that lowers it fades, in metres. A smaller value brings the foot
/// back to its captured height sooner and more abruptly.
const LOWERING_FADES_WITHIN: f64 = 0.1;

/// Times within which a correction that lowers the foot fades, in seconds, for a foot that hardly rises. Longer times let
/// short swings scrape the floor, shorter ones jolt.
const LOWERING_FADE_TIMES: RangeInclusive<f64> = 0.05..=0.12;

/// Greatest mean speed at which that correction fades, in metres per second, within those times.
const LOWERING_FADE_SPEED: f64 = 0.2;

/// Mean acceleration at which a correction that grows as the stance ends turns round, in metres per second squared, within
/// those times.
const LOWERING_FADE_ACCELERATION: f64 = 5.0;

/// Time within which the rotation of a foot returns to the captured one, in seconds. A longer time lets toes pass lower.
const ROTATION_FADE_TIME: f64 = 0.15;

/// Least path over which a correction changes by the path alone, as a multiple of the change. A smaller value throws feet
/// that hardly travel, a larger one lets resting feet glide.
const LEAST_TRAVEL: f64 = 4.0;

/// Places the free feet of one frame.
pub(crate) fn lead(window: &mut Window, setup: &Setup, frame: usize) {
    for leg in 0..setup.legs.len() {
        if !window.is_planted(frame, leg) {
            find_edges(window, setup, frame, leg);
            lead_foot(window, setup, frame, leg);
        }
        clearance::record_lift(window, setup, frame, leg);
    }
}

/// Updates the nearest planted frames of a free leg, within the window.
///
/// What was found for the frame before stays valid; only frames that have entered the window are examined.
fn find_edges(window: &mut Window, setup: &Setup, frame: usize, leg: usize) {
    let range = window.around(Phase::Swing, frame, setup.windows.swing.frames);
    let is_planted = |window: &Window, at: usize| window.is_planted(at, leg);
    let before = frame.checked_sub(1);
    if before.is_none_or(|before| is_planted(window, before)) {
        let edge = before.map(|before| {
            let inner = before.checked_sub(1).filter(|at| range.contains(at) && is_planted(window, *at));
            Neighbour { frame: before, correction: edge_at(window, setup, leg, before, inner) }
        });
        window.leg_states[leg].swing_edges = Neighbours { before: edge, after: None, scanned: frame };
    }
    let edges = &mut window.leg_states[leg].swing_edges;
    if edges.frame_before().is_some_and(|at| !range.contains(&at)) {
        edges.before = None;
    }
    // The first planted frame may have entered the window, or the one after it, which gives the slope.
    let from = match &edges.after {
        Some(Neighbour { correction: SwingEdge { slope: Some(_), .. }, .. }) => return,
        Some(Neighbour { frame, .. }) => *frame,
        None => edges.scanned + 1,
    };
    let first = (from..range.end).find(|&at| is_planted(window, at));
    window.leg_states[leg].swing_edges.scanned = first.unwrap_or(range.end - 1);
    if let Some(at) = first {
        let inner = Some(at + 1).filter(|at| range.contains(at) && is_planted(window, *at));
        let correction = edge_at(window, setup, leg, at, inner);
        window.leg_states[leg].swing_edges.after = Some(Neighbour { frame: at, correction });
    }
}

/// The correction at the edge of a stance; `inner` is the next frame inside it.
#[inline(never)]
fn edge_at(window: &Window, setup: &Setup, leg: usize, at: usize, inner: Option<usize>) -> SwingEdge {
    let slot = window.leg(at, leg);
    let foot = FootCorrection::of(slot);
    SwingEdge {
        foot,
        slope: inner.map(|inner| foot.minus(&FootCorrection::of(window.leg(inner, leg)))),
        lowest: lowest(&slot.captured, setup),
        pivot: slot.plants.single_point(),
    }
}

/// Where a captured foot swings.
struct SwingHeight {
    /// Floor normal; 0 without a floor.
    up: Vec3,
    /// Height of the lower of heel and ball above the floor, in metres.
    lowest: Option<f64>,
    fps: f64,
}

impl SwingHeight {
    /// Time within which a correction that lowers the foot fades, in seconds: longer for a large correction, and for one
    /// that still grows at the edge of its stance.
    fn fade_time(&self, edge: &SwingEdge) -> f64 {
        let size = -edge.foot.displacement.dot(self.up);
        let growth = -edge.slope.unwrap_or_default().displacement.dot(self.up) * self.fps;
        let time = (size / LOWERING_FADE_SPEED).max(growth / LOWERING_FADE_ACCELERATION);
        time.clamp(*LOWERING_FADE_TIMES.start(), *LOWERING_FADE_TIMES.end())
    }
}

/// What is added to a captured foot, in coordinates that can be scaled and added.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FootCorrection {
    /// Of the ankle, in metres.
    pub displacement: Vec3,
    /// Rotation vector: axis times angle in radians.
    pub rotation: Vec3,
}

impl FootCorrection {
    fn of(slot: &LegSlot) -> Self {
        Self {
            displacement: slot.target().position - slot.captured.ankle,
            rotation: log(slot.rotation_correction),
        }
    }

    /// Adds the correction at a stance edge.
    fn add(
        &mut self,
        edge: &Option<Neighbour<SwingEdge>>,
        weight: f64,
        slope_weight: f64,
        now: &SwingHeight,
        time: f64,
    ) {
        let Some(Neighbour { correction: edge, .. }) = edge else { return };
        let slope = edge.slope.unwrap_or_default();
        let mut displacement = edge.foot.displacement * weight + slope.displacement * slope_weight;
        let lowering = displacement.dot(now.up).min(0.0);
        if let (true, Some(height), Some(at_edge)) = (lowering < 0.0, now.lowest, edge.lowest) {
            let progress = ((height - at_edge) / LOWERING_FADES_WITHIN).max(time / now.fade_time(edge));
            let faded = lowering * math::fade(progress.clamp(0.0, 1.0));
            displacement += now.up * (faded - lowering);
        }
        self.displacement += displacement;
        let rotation_fade = math::fade((time / ROTATION_FADE_TIME).clamp(0.0, 1.0));
        self.rotation += edge.foot.rotation * weight.min(rotation_fade) + slope.rotation * slope_weight;
    }

    fn minus(&self, other: &Self) -> Self {
        Self {
            displacement: self.displacement - other.displacement,
            rotation: self.rotation - other.rotation,
        }
    }
}

/// Height of the lower of heel and ball above the floor, in metres; `None` without a floor, which has no up.
fn lowest(captured: &CapturedLeg, setup: &Setup) -> Option<f64> {
    let floor = setup.floor.as_ref()?;
    Some(floor.above(captured.heel).min(floor.above(captured.ball)))
}

/// Places the foot of a free leg.
fn lead_foot(window: &mut Window, setup: &Setup, frame: usize, leg: usize) {
    let correction = foot_correction(window, setup, frame, leg);
    let edges = &window.leg_states[leg].swing_edges;
    let nearest = match (&edges.before, &edges.after) {
        (Some(before), Some(after)) if frame - before.frame <= after.frame - frame => Some(before),
        (before, None) => before.as_ref(),
        (_, after) => after.as_ref(),
    };
    let nearest_pivot = nearest.and_then(|edge| edge.correction.pivot);
    let share = match setup.legs[leg].leg.is_arm() {
        true => nearest.map_or(0.0, |edge| {
            math::fade((edge.frame.abs_diff(frame) as f64 / setup.windows.swing.length).min(1.0))
        }),
        false => 1.0,
    };
    let LegSlot { captured, stance, rotation_correction, is_displaced, pivot, root_share, .. } =
        window.leg_mut(frame, leg);
    *root_share = share;
    *pivot = nearest_pivot;
    let hip_to_ankle = captured.ankle - captured.hip;
    *stance = Stance {
        hip_to_target: hip_to_ankle + correction.displacement,
        captured_reach_squared: hip_to_ankle.length_squared(),
        bones: captured.bones(),
        bend_correction: 0.0,
    };
    *is_displaced = correction != FootCorrection::default();
    *rotation_correction = match correction.rotation == Vec3::ZERO {
        true => Quat::IDENTITY,
        false => exp(correction.rotation),
    };
}

/// The corrections at the nearest stance edges, faded to a frame in which the leg is free.
fn foot_correction(window: &Window, setup: &Setup, frame: usize, leg: usize) -> FootCorrection {
    let edges = &window.leg_states[leg].swing_edges;
    let (before, after) = (edges.frame_before(), edges.frame_after());
    let mut faded = FootCorrection::default();
    if before.is_none() && after.is_none() {
        return faded;
    }
    let sides = Sides::new(frame, before, after, setup.windows.swing);
    let weights = path_weights(window, setup, frame, leg);
    let slope_weights = sides.slope_weights(setup.rules.slope_frames);
    let captured = &window.leg(frame, leg).captured;
    let now = SwingHeight {
        up: setup.floor.as_ref().map_or(Vec3::ZERO, |floor| floor.plane_under(captured.ankle).normal),
        lowest: lowest(captured, setup),
        fps: setup.fps,
    };
    let time = |edge: Option<usize>| edge.map_or(0.0, |edge| edge.abs_diff(frame) as f64 / setup.fps);
    faded.add(&edges.before, weights.before, slope_weights.before, &now, time(before));
    faded.add(&edges.after, weights.after, slope_weights.after, &now, time(after));
    faded
}

/// The weights of the corrections on both sides: each fades over the path that the captured foot travels within the
/// window, or between the two stances where that is shorter.
fn path_weights(window: &Window, setup: &Setup, frame: usize, leg: usize) -> SideWeight {
    let Neighbours { before, after, .. } = &window.leg_states[leg].swing_edges;
    // The distance at which a weight is 0, in frames.
    let reach = setup.windows.swing.frames + 1;
    let displacement = |edge: &Option<Neighbour<SwingEdge>>| {
        edge.as_ref().map_or(Vec3::ZERO, |edge| edge.correction.foot.displacement)
    };
    let fade = |edge: usize, end: usize, change: Vec3| {
        let path = FadePath { window, leg, edge, end, change: change.length() };
        path.weight_at(frame)
    };
    // Across a short gap one stance hands the foot over to the next, and the two weights sum to 1.
    if let (Some(before_edge), Some(after_edge)) = (before, after)
        && after_edge.frame - before_edge.frame <= reach
    {
        let change = displacement(after) - displacement(before);
        let before = fade(before_edge.frame, after_edge.frame, change);
        return SideWeight { before, after: 1.0 - before };
    }
    let weight = |edge: &Option<Neighbour<SwingEdge>>, end: fn(usize, usize) -> usize| {
        let frame = edge.as_ref().map(|edge| edge.frame);
        frame.map_or(0.0, |frame| fade(frame, end(frame, reach), displacement(edge)))
    };
    SideWeight { before: weight(before, usize::wrapping_add), after: weight(after, usize::wrapping_sub) }
}

/// The path over which a correction fades, from the edge of a stance to `end`, before or after it.
struct FadePath<'a> {
    window: &'a Window,
    leg: usize,
    edge: usize,
    /// The frame at which the weight is 0; may lie before the first frame of the motion or after its last.
    end: usize,
    /// By how much the correction changes, in metres.
    change: f64,
}

impl FadePath<'_> {
    /// Weight of the correction at a frame.
    ///
    /// Where the foot travels only a few times as far as the correction changes, it would be thrown forward in the
    /// frames in which it moves, so a part of the change is spread over time instead.
    fn weight_at(&self, frame: usize) -> f64 {
        let Self { window, leg, edge, end, change } = *self;
        let travelled = |to: usize| (window.travel(leg, to).since(window.travel(leg, edge))).metres().abs();
        let frames = end.wrapping_sub(edge) as isize;
        // The motion may begin or end within the window: the foot is taken to go on as it does there.
        let last = match frames > 0 {
            true => end.min(window.available(Phase::Swing) - 1),
            false => {
                if end > edge {
                    0
                } else {
                    end
                }
            }
        };
        let known = last.abs_diff(edge);
        let frames = frames.unsigned_abs() as f64;
        let total = if known == 0 { 0.0 } else { travelled(last) * (frames / known as f64) };
        let by_clock = ((LEAST_TRAVEL * change - total) / frames).max(1e-9);
        let distance = frame.abs_diff(edge) as f64;
        math::fade((travelled(frame) + by_clock * distance) / (total + by_clock * frames))
    }
}
