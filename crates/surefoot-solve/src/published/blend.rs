//! Fades corrections into the frames before and after a stance, in joint angles, as published.
//!
//! A free leg takes the corrections at the edges of the stances before and after it, each fading over the blend
//! window, and so does the root. Planted legs are solved here as well, since the corrections at the edges of a stance
//! are needed before the pose is written.

use surefoot_core::{Floor, Vec3};

use crate::foot_points::FootPoints;
use crate::kinematics::blend_weights::Sides;
use crate::kinematics::leg::{LegCorrection, LinearCorrection};
use crate::kinematics::leg_ik::from_linear;
use crate::kinematics::rotation::log;
use crate::phases::{Phase, legs};
use crate::setup::Setup;
use crate::stream::poses::Output;
use crate::stream::slots::{Neighbour, Neighbours, StanceEdge};
use crate::stream::window::Window;

/// Computes root and leg corrections of one frame.
pub(crate) fn blend(window: &mut Window, output: &mut Output, setup: &Setup, frame: usize) {
    let root = match window.root_correction(frame) {
        Some(root) => root,
        None => fade_root(window, setup, frame),
    };
    window.set_root_correction(frame, Some(root));
    for leg in 0..setup.legs.len() {
        blend_leg(window, setup, frame, leg, root, &mut output.corrections[leg]);
    }
}

#[inline(never)]
fn blend_leg(
    window: &mut Window,
    setup: &Setup,
    frame: usize,
    leg: usize,
    root: Vec3,
    correction: &mut Option<LegCorrection>,
) {
    if window.is_planted(frame, leg) {
        *correction = Some(legs::solve(window.leg(frame, leg), setup, leg, root));
    } else {
        find_stance_edges(window, setup, frame, leg);
        *correction = fade_leg(window, setup, frame, leg, root);
    }
}

/// Updates the nearest planted frames of a free leg, within the window.
///
/// What was found for the frame before stays valid; only frames that have entered the window are examined.
fn find_stance_edges(window: &mut Window, setup: &Setup, frame: usize, leg: usize) {
    let range = window.around(Phase::Blend, frame, setup.windows.blend.frames);
    let is_planted = |window: &Window, at: usize| window.is_planted(at, leg);
    let edge = |window: &Window, at| Neighbour { frame: at, correction: stance_edge(window, setup, leg, at) };
    let before = frame.checked_sub(1);
    if before.is_none_or(|before| is_planted(window, before)) {
        let before = before.map(|before| edge(window, before));
        window.leg_states[leg].stance_edges = Neighbours { before, after: None, scanned: frame };
    }
    let edges = &mut window.leg_states[leg].stance_edges;
    if edges.frame_before().is_some_and(|at| !range.contains(&at)) {
        edges.before = None;
    }
    if edges.after.is_none() {
        let first = (edges.scanned + 1..range.end).find(|&at| is_planted(window, at));
        let after = first.map(|first| edge(window, first));
        let edges = &mut window.leg_states[leg].stance_edges;
        edges.scanned = first.unwrap_or(range.end - 1);
        edges.after = after;
    }
}

/// The correction at the edge of a stance.
#[inline(never)]
fn stance_edge(window: &Window, setup: &Setup, leg: usize, at: usize) -> StanceEdge {
    StanceEdge {
        correction: linear_correction(window, setup, leg, at),
        floor_depth: setup.floor.as_ref().map_or(0.0, |floor| planted_depth(window, floor, at, leg)),
    }
}

/// The correction of a planted leg in coordinates that can be scaled and added.
#[inline(never)]
fn linear_correction(window: &Window, setup: &Setup, leg: usize, at: usize) -> LinearCorrection {
    let root = window.root_correction(at).unwrap_or(Vec3::ZERO);
    let LegCorrection { hip, ankle, bend, stretch, .. } = legs::solve(window.leg(at, leg), setup, leg, root);
    LinearCorrection { hip: log(hip), ankle: log(ankle), bend, stretch }
}

/// Depth of a planted foot below the floor, in metres; 0 above it.
fn planted_depth(window: &Window, floor: &Floor, frame: usize, leg: usize) -> f64 {
    let slot = window.leg(frame, leg);
    let target = slot.target();
    let height = |position: Vec3| {
        floor.above(target.position + target.rotation_correction * (position - slot.captured.ankle))
    };
    let (spots, points) = (slot.plants.planted_spots(), slot.points());
    // A planted point is at its spot.
    let heights = FootPoints {
        heel: spots.heel.map_or_else(|| height(points.heel), |spot| floor.above(spot)),
        ball: spots.ball.map_or_else(|| height(points.ball), |spot| floor.above(spot)),
    };
    (-heights.min()).max(0.0)
}

/// The root corrections of the nearest frames with plants, faded to a frame without.
fn fade_root(window: &Window, setup: &Setup, frame: usize) -> Vec3 {
    let range = window.around(Phase::Blend, frame, setup.windows.blend.frames);
    let has_plants = |at: &usize| window.stances(*at).next().is_some();
    let before = (range.start..frame).rev().find(has_plants);
    let after = (frame + 1..range.end).find(has_plants);
    let weights = Sides::new(frame, before, after, setup.windows.blend).weights(setup.rules.side_weights);
    let root = |at: Option<usize>| at.and_then(|at| window.root_correction(at)).unwrap_or(Vec3::ZERO);
    root(before) * weights.before + root(after) * weights.after
}

/// The corrections at the nearest stance edges, faded to a frame in which the leg is free; `None` where no
/// correction reaches it.
fn fade_leg(window: &Window, setup: &Setup, frame: usize, leg: usize, root: Vec3) -> Option<LegCorrection> {
    let edges = &window.leg_states[leg].stance_edges;
    let captured = &window.leg(frame, leg).captured;
    let (before, after) = (edges.frame_before(), edges.frame_after());
    if before.is_none() && after.is_none() {
        return None;
    }
    let sides = Sides::new(frame, before, after, setup.windows.blend);
    let weights = sides.weights(setup.rules.side_weights);
    let mut faded = FadedEdges::default();
    faded.add(&edges.before, weights.before);
    faded.add(&edges.after, weights.after);
    let FadedEdges { correction, floor_depth } = faded;
    let hinge = setup.legs[leg].hinge.axis;
    let mut blended = from_linear(captured, hinge, root, &correction);
    blended.floor_depth = floor_depth;
    Some(blended)
}

/// The weighted sum of the corrections at two stance edges.
#[derive(Default)]
struct FadedEdges {
    correction: LinearCorrection,
    /// In metres.
    floor_depth: f64,
}

impl FadedEdges {
    #[inline(always)]
    fn add(&mut self, edge: &Option<Neighbour<StanceEdge>>, weight: f64) {
        let Some(Neighbour { correction: edge, .. }) = edge else { return };
        self.correction.add_scaled(&edge.correction, weight);
        self.floor_depth += weight * edge.floor_depth;
    }
}
