//! The data of the phases about one leg or the root at one frame.
//!
//! Each field names the phase that writes it; later phases only read it.

use surefoot_core::{FootPoint, Quat, Vec3};
use wide::f64x2;

use crate::foot_points::FootPoints;
use crate::kinematics::knee_hinge::Bones;
use crate::kinematics::leg::{CapturedLeg, LinearCorrection, Target};
use crate::kinematics::rotation::rotate;
use crate::phases::fit::knee_model::Bend;
use crate::phases::swing::FootCorrection;
use crate::stream::plant_state::PlantState;

/// One leg at one frame.
///
/// Among thousands of cleaners the memory of the next one is never cached, so the fields are laid out by
/// cache lines of 64 bytes: plants on the first, stance on the second, foot points on the third, the rest of
/// the captured leg on the next three, and what a stance adds on the last. Whether the leg is planted is
/// stored elsewhere, in its [`ContactRun`]: a phase need not load the slots of free legs.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct LegSlot {
    pub plants: PlantState,
    pub stance: Stance,
    pub captured: CapturedLeg,
    /// Phase 6: swivel of the leg about the line from hip to ankle, as the sine of half the angle.
    pub half_swivel: f64,
    /// Phase 2: world-space rotation applied to the captured foot of a planted leg.
    pub rotation_correction: Quat,
    /// Phases 2 and 3: share of the root correction that the limb makes up for, so that its end stays where it is. 1 for
    /// a leg; a free arm moves along with the body away from its plants.
    pub root_share: f64,
    /// Phases 3 and 4: whether a free foot is not where it was captured.
    pub is_displaced: bool,
    /// Phases 2 and 3: the point that the foot can roll about, by itself or as it does in the nearest stance.
    pub pivot: Option<FootPoint>,
}

impl LegSlot {
    /// Reads from each cache line. See [`Window::prefetch`](super::window::Window::prefetch).
    pub fn prefetch(&self) -> f64 {
        let CapturedLeg { ankle_rotation, hip, knee, hip_parent, .. } = &self.captured;
        let (plants, stance) = (self.plants.spots.heel.x, self.stance.hip_to_target.x);
        (plants + stance) + (ankle_rotation.x + hip.x) + (knee.x + hip_parent.x) + self.rotation_correction.x
    }

    /// The captured positions of the heel and of the front of the foot: the ball, or the toe tip if the foot stands on it.
    #[inline(always)]
    pub fn points(&self) -> FootPoints<Vec3> {
        match self.plants.stands_on_toe() {
            true => FootPoints { heel: self.captured.heel, ball: self.captured.toe },
            false => self.captured.points(),
        }
    }

    /// Where a point of the captured foot is with the foot on its target.
    pub fn position_of(&self, point: Vec3) -> Vec3 {
        self.captured.hip
            + self.stance.hip_to_target
            + rotate(self.rotation_correction, point - self.captured.ankle)
    }

    /// The target of a leg.
    pub fn target(&self) -> Target {
        Target {
            position: self.captured.hip + self.stance.hip_to_target,
            rotation_correction: self.rotation_correction,
        }
    }
}

/// A leg that has a target at one frame, planted or free: the input of phases 5 to 7.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stance {
    /// Phases 2 to 4: from the captured hip to the ankle target; phase 6 moves it by millimetres.
    pub hip_to_target: Vec3,
    /// Phase 2: captured distance from hip to ankle, in metres, squared.
    pub captured_reach_squared: f64,
    /// Phase 2: captured thigh and shin.
    pub bones: Bones,
    /// Phase 6: added to the bend of the knee, in radians.
    pub bend_correction: f64,
}

/// The root at one frame.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct RootSlot {
    /// Phases 5 and 6: added to the captured root; `None` where no plant is near.
    pub correction: Option<Vec3>,
    /// Phase 5: from the smoothed root to where all legs reach their targets.
    pub reach_deficit: Vec3,
    /// One more than the last earlier frame with a reach deficit; 0 if there is none.
    pub previous_deficit: usize,
}

/// Weighted sum of root corrections: the correction times its weight, and the weight, in four lanes.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(crate) struct RootCorrection([f64x2; 2]);

impl RootCorrection {
    pub fn new(correction: Vec3, weight: f64) -> Self {
        let weighted = correction * weight;
        Self([f64x2::new([weighted.x, weighted.y]), f64x2::new([weighted.z, weight])])
    }

    /// Adds another sum, scaled by `scale` in both lanes.
    pub fn add_scaled(&mut self, other: &Self, scale: f64x2) {
        let ([xy, zw], [other_xy, other_zw]) = (self.0, other.0);
        self.0 = [xy + other_xy * scale, zw + other_zw * scale];
    }

    pub fn weight(&self) -> f64 {
        self.0[1].to_array()[1]
    }

    pub fn is_zero(&self) -> bool {
        let ([x, y], [z, _]) = (self.0[0].to_array(), self.0[1].to_array());
        x == 0.0 && y == 0.0 && z == 0.0
    }

    /// The weighted mean.
    pub fn mean(&self) -> Vec3 {
        let ([x, y], [z, weight]) = (self.0[0].to_array(), self.0[1].to_array());
        Vec3::new(x, y, z) / weight
    }
}

/// The geometry that determines the knee of a leg, besides the fitted root and foot.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LegGeometry {
    /// From the hip to the ankle target, with the smoothed root.
    pub hip_to_ankle: Vec3,
    /// Movement of the hip per metre of tilt; 0 where the pelvis does not tilt.
    pub tilt_direction: Vec3,
    /// Movement of the ankle per metre that the foot moves; 0 where it cannot move.
    pub foot_direction: Vec3,
    /// From the point that the foot rolls about to the ankle; 0 for a foot that does not roll.
    pub foot_arm: Vec3,
    pub foot_range: FootRange,
    /// Factor on the costs of moving the foot: larger the calmer the captured foot.
    pub foot_cost: f64,
    pub bones: Bones,
    /// Swivel of the foot's rotation about the line from hip to ankle, as the sine of the angle.
    pub swivel: f64,
    /// Captured distance from hip to ankle, in metres.
    pub captured_reach: f64,
    /// The bend for that distance.
    pub captured_bend: Bend,
    /// Longest reach that the fit leaves to the leg, in metres.
    pub longest: f64,
    /// Share of the root correction that the leg makes up for.
    pub root_share: f64,
    /// Whether the leg is not as captured.
    pub is_moved: bool,
}

/// How far a foot can move, in metres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FootRange {
    /// At most 0.
    pub least: f64,
    /// At least 0.
    pub most: f64,
}

impl Default for FootRange {
    fn default() -> Self {
        Self { least: f64::NEG_INFINITY, most: f64::INFINITY }
    }
}

/// The state of the phases about one leg, kept from frame to frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LegState {
    /// Phase 2: the nearest frames with heel and ball planted.
    pub flat_frames: Neighbours<FootRotation>,
    /// Published blend: the nearest planted frames.
    pub stance_edges: Neighbours<StanceEdge>,
    /// Phase 3: the nearest planted frames.
    pub swing_edges: Neighbours<SwingEdge>,
    /// Phase 4: one more than the last frame in which the toe tip is below the floor; 0 while there is none.
    pub last_sunk_toe: usize,
}

impl LegState {
    /// The state before `frame`.
    pub fn before(frame: usize) -> Self {
        let mut state = Self::default();
        (state.flat_frames.scanned, state.stance_edges.scanned) = (frame, frame);
        state.swing_edges.scanned = frame;
        state
    }
}

/// What the correction of a leg cost at one frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LegCost {
    /// Added to the length of the bones, as a fraction.
    pub stretch: f64,
    /// Distance from the ankle to its target, in metres.
    pub target_error: f64,
    /// Distance from a toe tip that is planted beside the ball to its spot, in metres; `None` where it is not held.
    pub toe_error: Option<f64>,
}

/// The nearest frames before and after the current one whose correction fades into it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neighbours<T> {
    pub before: Option<Neighbour<T>>,
    pub after: Option<Neighbour<T>>,
    /// The last frame that has been examined; later ones have not entered the window.
    pub scanned: usize,
}

/// A frame and its correction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neighbour<T> {
    pub frame: usize,
    pub correction: T,
}

impl<T> Neighbours<T> {
    #[inline(always)]
    pub fn frame_before(&self) -> Option<usize> {
        self.before.as_ref().map(|neighbour| neighbour.frame)
    }

    #[inline(always)]
    pub fn frame_after(&self) -> Option<usize> {
        self.after.as_ref().map(|neighbour| neighbour.frame)
    }
}

impl<T> Default for Neighbours<T> {
    fn default() -> Self {
        Self { before: None, after: None, scanned: 0 }
    }
}

/// The rotation correction of a foot that is planted at heel and ball.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FootRotation {
    /// Axis times angle in radians.
    pub vector: Vec3,
    /// Depths of the spots below the floor, in metres; 0 above it.
    pub depths: FootPoints<f64>,
}

/// The correction of a planted leg at the first or last frame of its stance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StanceEdge {
    pub correction: LinearCorrection,
    /// Depth of the foot below the floor, in metres; 0 above it.
    pub floor_depth: f64,
}

/// The foot of a planted leg at the first or last frame of its stance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SwingEdge {
    pub foot: FootCorrection,
    /// Growth of the correction towards the edge, per frame; `None` for a stance of one frame.
    pub slope: Option<FootCorrection>,
    /// Captured height of the lower of heel and ball above the floor, in metres; `None` without a floor.
    pub lowest: Option<f64>,
    /// The single planted point.
    pub pivot: Option<FootPoint>,
}
