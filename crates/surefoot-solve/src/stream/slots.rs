//! The data of the phases about one leg or the root at one frame.
//!
//! Each field names the phase that writes it; later phases only read it.

use surefoot_core::{FootPoint, PlantKind, Quat, Vec3};
use wide::f64x2;

use crate::foot_points::FootPoints;
use crate::kinematics::knee_hinge::Bones;
use crate::kinematics::leg::{CapturedLeg, LinearCorrection, Target};
use crate::kinematics::rotation::rotate;
use crate::phases::fit::knee_model::Bend;
use crate::phases::swing::FootCorrection;
use crate::plants::{ActivePlant, ActivePlants};

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

/// The plants of one foot at one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PlantState {
    /// Phase 1: the spots of the planted points.
    pub spots: FootPoints<Vec3>,
    pub is_planted: FootPoints<bool>,
    /// Ids of the plants; 0 for a free point.
    ids: FootPoints<u32>,
    /// Whether the spot was given by the user.
    has_given_spot: FootPoints<bool>,
    /// Whether the captured point stands or slides, if that is known.
    pub kinds: FootPoints<Option<PlantKind>>,
    /// Phase 1: number of frames up to this one with the same spots, as far as 16 bits count. The slot has no room for
    /// more, and no filter is that long.
    steady_frames: u16,
}

impl PlantState {
    /// Sets the plants of a new frame; phase 1 fills in their spots.
    pub fn begin(&mut self, plants: &ActivePlants) {
        let FootPoints { heel, ball } = plants.points();
        let id = |plant: &Option<ActivePlant>| plant.as_ref().map_or(0, |plant| plant.id);
        let has_spot = |plant: &Option<ActivePlant>| plant.as_ref().is_some_and(|plant| plant.spot.is_some());
        self.ids = FootPoints { heel: id(&heel), ball: id(&ball) };
        self.is_planted = FootPoints { heel: heel.is_some(), ball: ball.is_some() };
        self.has_given_spot = FootPoints { heel: has_spot(&heel), ball: has_spot(&ball) };
        let kind = |plant: Option<ActivePlant>| plant.and_then(|plant| plant.kind);
        self.kinds = FootPoints { heel: kind(heel), ball: kind(ball) };
        self.steady_frames = 0;
    }

    /// The ids of the plants; `None` for a free point.
    pub fn ids(&self) -> FootPoints<Option<u32>> {
        FootPoints {
            heel: self.is_planted.heel.then_some(self.ids.heel),
            ball: self.is_planted.ball.then_some(self.ids.ball),
        }
    }

    /// The planted point of a foot that is planted at one point only.
    pub fn single_point(&self) -> Option<FootPoint> {
        match (self.is_planted.heel, self.is_planted.ball) {
            (true, false) => Some(FootPoint::Heel),
            (false, true) => Some(FootPoint::Ball),
            _ => None,
        }
    }

    /// The spots; `None` for a free point.
    pub fn planted_spots(&self) -> FootPoints<Option<Vec3>> {
        FootPoints {
            heel: self.is_planted.heel.then_some(self.spots.heel),
            ball: self.is_planted.ball.then_some(self.spots.ball),
        }
    }

    /// Whether any spot was given by the user.
    pub fn has_given_spots(&self) -> bool {
        self.has_given_spot.heel || self.has_given_spot.ball
    }

    /// The plants as they were pushed; `given` are the spots that the user gave.
    pub fn active(&self, given: &FootPoints<Vec3>) -> ActivePlants {
        let Self { is_planted, ids, has_given_spot, kinds, .. } = self;
        let plant = |point: FootPoint| {
            let spot = has_given_spot[point].then_some(given[point]);
            is_planted[point].then_some(ActivePlant { id: ids[point], spot, kind: kinds[point] })
        };
        ActivePlants { heel: plant(FootPoint::Heel), ball: plant(FootPoint::Ball) }
    }

    /// Number of planted points.
    pub fn count(&self) -> usize {
        usize::from(self.is_planted.heel) + usize::from(self.is_planted.ball)
    }

    /// Number of frames up to this one with the same spots.
    pub fn steady_frames(&self) -> usize {
        usize::from(self.steady_frames)
    }

    /// Whether the same plants hold the same points.
    pub fn is_same_as(&self, other: &Self) -> bool {
        (self.ids, self.is_planted) == (other.ids, other.is_planted)
    }

    /// Keeps the spots of the frame before.
    pub fn continue_from(&mut self, before: &Self) {
        self.spots = before.spots;
        self.steady_frames = before.steady_frames.saturating_add(1);
    }

    /// Sets new spots.
    pub fn set_spots(&mut self, spots: FootPoints<Option<Vec3>>, before: Option<&Self>) {
        self.spots = spots.map(Option::unwrap_or_default);
        self.steady_frames = match before {
            Some(before) if before.planted_spots() == spots => before.steady_frames.saturating_add(1),
            _ => 1,
        };
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

/// Phase 2: length of the run of frames up to this one in which a leg is planted, or negative, in which it is
/// free.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactRun(i32);

impl Default for ContactRun {
    /// A leg that was never planted.
    fn default() -> Self {
        Self(i32::MIN)
    }
}

impl ContactRun {
    /// The run one frame later, if the leg is planted there.
    pub fn then_planted(self) -> Self {
        Self(self.0.max(0).saturating_add(1))
    }

    /// The run one frame later, if the leg is free there.
    pub fn then_free(self) -> Self {
        Self(self.0.min(0).saturating_sub(1))
    }

    pub fn is_planted(self) -> bool {
        self.0 > 0
    }

    /// End of the last stance up to this frame, whose number is `frame`: the frame after the last planted
    /// one; 0 if there was none.
    pub fn stance_end(self, frame: usize) -> usize {
        (frame + 1).saturating_sub(self.0.min(0).unsigned_abs() as usize)
    }
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

/// The length of a foot's path, in steps of 2⁻⁴⁰ metres. A sum of whole numbers has no rounding, so it does not depend
/// on the frame at which the stream starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Travel(pub i64);

impl Travel {
    /// Steps per metre.
    const PER_METRE: f64 = (1u64 << 40) as f64;

    /// This path and `metres` more.
    pub fn plus(self, metres: f64) -> Self {
        // The conversion saturates.
        Self(self.0.wrapping_add((metres * Self::PER_METRE) as i64))
    }

    /// In metres.
    pub fn metres(self) -> f64 {
        self.0 as f64 / Self::PER_METRE
    }

    /// The path travelled since an earlier frame.
    pub fn since(self, earlier: Self) -> Self {
        Self(self.0.wrapping_sub(earlier.0))
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
