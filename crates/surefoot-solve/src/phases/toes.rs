//! Raises toes out of the floor by rotating them about their own hinge, and holds tips that are planted beside the
//! ball, when the pose is written.
//!
//! Toes bend about one axis, like knees: the least rotation that raises a toe tip would twist the toes sideways. Toes
//! without a joint of their own move with the foot and are left where it takes them.

use surefoot_core::math::{self, PI, acos, atan2, cos, sin};
use surefoot_core::{Floor, Hold, JointId, Pose, Quat, Vec3};

use crate::kinematics::leg::{CapturedLeg, LegCorrection, Target};
use crate::kinematics::leg_ik::NO_LENGTH;
use crate::kinematics::rotation::{about_axis, half_angle, rotate, shortest_arc};
use crate::phases::Phase;
use crate::phases::clearance::NEGLIGIBLE_DEPTH;
use crate::setup::{LegSetup, Setup};
use crate::stream::poses::ChainEnd;
use crate::stream::slots::LegSlot;
use crate::stream::window::Window;

/// Angle by which toes bend further rather than end up pointing back under the foot, in radians. A smaller value lets
/// them flip between both sides when they point straight down.
const FORWARD_PREFERENCE: f64 = 4.0;

/// Sine of the slope of the hinge up to which toes are raised about it alone, 55°, and from which about the axis that
/// takes the least rotation, 70°.
const HINGE_SLOPES: [f64; 2] = [0.82, 0.94];

/// The angle by which toes that hang down must be rotated so that their tip is not below the floor, in radians; 0 for others
/// and for a tip above the floor. Before the fit, which moves feet by millimetres.
#[inline(always)]
pub(crate) fn angle_out_of_floor(
    window: &Window,
    setup: &Setup,
    floor: &Floor,
    frame: usize,
    leg: usize,
) -> f64 {
    let slot = window.leg(frame, leg);
    let tip = slot.position_of(slot.captured.toe);
    // Most toes are above the floor.
    match floor.above(tip) < -NEGLIGIBLE_DEPTH {
        true => angle_of_hanging(window, setup, floor, frame, leg, tip),
        false => 0.0,
    }
}

#[cold]
#[inline(never)]
fn angle_of_hanging(
    window: &Window,
    setup: &Setup,
    floor: &Floor,
    frame: usize,
    leg: usize,
    tip: Vec3,
) -> f64 {
    let (slot, setup_of_leg) = (window.leg(frame, leg), &setup.legs[leg]);
    let ball = slot.position_of(slot.captured.ball);
    let drop = floor.above(ball) - floor.above(tip);
    // Rotated by more than that angle, flatter toes would point upwards.
    let hangs = drop > 0.0 && drop * drop > HANGING_SINE * HANGING_SINE * ball.distance_squared(tip);
    if setup_of_leg.toe_joint.is_none() || !hangs {
        return 0.0;
    }
    let end = window.chain_end(setup, frame, &setup_of_leg.toe.chain);
    RaisedToes::new(&slot.captured, setup_of_leg, floor, &slot.target(), end).angle
}

/// The largest angle of the frames around by which toes must be rotated, faded by their distance, in radians.
///
/// Toes that hang down swing by several centimetres to rise by one. Rotated only while they are below the floor, they
/// would jump whenever their tip comes up for a few frames. For toes that lie flatter, the angle is 0.
pub(crate) fn eased_angle(window: &Window, setup: &Setup, frame: usize, leg: usize) -> f64 {
    let ease = setup.windows.lift;
    // Most toes are far from the floor.
    if setup.rules.is_published || window.leg_states[leg].last_sunk_toe + ease.frames <= frame {
        return 0.0;
    }
    let range = window.around(Phase::RootRequest, frame, ease.frames);
    let range = range.start.max(window.earliest())..range.end;
    let mut largest = 0.0_f64;
    for (at, angle) in range.clone().zip(window.toe_angles(leg, range)) {
        if angle.abs() > HANGING_ANGLES[0] {
            let faded = angle * hanging(*angle) * math::fade(at.abs_diff(frame) as f64 / ease.length);
            largest = if faded.abs() > largest.abs() { faded } else { largest };
        }
    }
    largest
}

/// Angles by which toes are rotated out of the floor above which they begin to hang down, and hang down, in radians: 20° and
/// 35°. Toes that lie flatter rest on the floor however their captured tip shakes; eased, they would shake above the floor.
const HANGING_ANGLES: [f64; 2] = [0.35, 0.6];

/// Sine of the first of these angles, a little less.
const HANGING_SINE: f64 = 0.34;

/// How much toes hang down, from 0 to 1.
fn hanging(angle: f64) -> f64 {
    let [start, end] = HANGING_ANGLES;
    1.0 - math::fade(((angle.abs() - start) / (end - start)).clamp(0.0, 1.0))
}

/// Raises the toes of a leg out of the floor, or by the `eased` angle if that raises them further.
pub(crate) fn raise_toes(
    pose: &mut Pose,
    slot: &LegSlot,
    leg: &LegSetup,
    floor: &Floor,
    correction: Option<&LegCorrection>,
    eased: f64,
) {
    let Some(toe) = leg.toe_joint else { return };
    let captured = &slot.captured;
    let foot = correction
        .map_or(Target { position: captured.ankle, rotation_correction: Quat::IDENTITY }, |correction| {
            correction.foot
        });
    let tip = foot.position + rotate(foot.rotation_correction, captured.toe - captured.ankle);
    // Most toes are above the floor.
    if floor.above(tip) < -NEGLIGIBLE_DEPTH || eased != 0.0 {
        raise(pose, captured, leg, floor, &foot, toe, eased);
    }
}

/// Turns toes at their joint until the tip is where its plant holds it, beside a planted ball. Returns how far the tip stays
/// from there, in metres; `None` for toes without a joint of their own.
#[cold]
#[inline(never)]
pub(crate) fn hold_tip(
    pose: &mut Pose,
    slot: &LegSlot,
    leg: &LegSetup,
    floor: Option<&Floor>,
    foot: &Target,
    held: &HeldTip,
) -> Option<f64> {
    let toe = leg.toe_joint?;
    let captured = &slot.captured;
    let tip = foot.position + rotate(foot.rotation_correction, captured.toe - captured.ankle);
    let ToeJoint { position, parent } = ToeJoint::new(captured, foot, chain_end(pose, leg));
    let target = held.hold.position(held.spot, tip, floor);
    let turn = shortest_arc(tip - position, target - position);
    pose.rotations[toe.index()] = parent.conjugate() * turn * parent * pose.rotations[toe.index()];
    Some((position + rotate(turn, tip - position)).distance(target))
}

/// A toe tip that is planted beside the ball.
pub(crate) struct HeldTip {
    pub spot: Vec3,
    pub hold: Hold,
}

/// Raises toes. Rarely needed, hence not inlined.
#[cold]
#[inline(never)]
fn raise(
    pose: &mut Pose,
    captured: &CapturedLeg,
    leg: &LegSetup,
    floor: &Floor,
    foot: &Target,
    toe: JointId,
    eased: f64,
) {
    let raised = RaisedToes::new(captured, leg, floor, foot, chain_end(pose, leg));
    let angle = raised.angle_with(eased);
    let up = about_axis(rotate(raised.parent.conjugate(), raised.axis), half_angle(angle));
    pose.rotations[toe.index()] = up * pose.rotations[toe.index()];
}

/// The rotation that brings the tip of toes out of the floor.
struct RaisedToes {
    axis: Vec3,
    /// About the axis, in radians; 0 for a tip above the floor.
    angle: f64,
    clear: ClearAngles,
    /// World rotation of the parent of the toe joint.
    parent: Quat,
}

impl RaisedToes {
    fn new(captured: &CapturedLeg, leg: &LegSetup, floor: &Floor, foot: &Target, end: ChainEnd) -> Self {
        let ankle_to_tip = rotate(foot.rotation_correction, captured.toe - captured.ankle);
        let ToeJoint { position, parent } = ToeJoint::new(captured, foot, end);
        let arm = ankle_to_tip + foot.position - position;
        let plane = floor.plane_under(position + arm);
        let axis = raising_axis(rotate(parent, leg.toe_axis), arm, plane.normal);
        // Toes whose joint is below the floor are laid level.
        let height = (-plane.above(position)).min(0.0);
        let clear = ClearAngles::new(axis, arm, plane.normal, height);
        let is_sunk = plane.above(position + arm) < -NEGLIGIBLE_DEPTH;
        let forward = || rotate(foot.rotation_correction, forward_of_toes(captured, leg));
        let angle = if is_sunk { clear.angle_towards(axis, arm, forward()) } else { 0.0 };
        Self { axis, angle, clear, parent }
    }

    /// The angle by which the toes are rotated: the eased one if it raises them further, but not so far that the tip comes
    /// down on the other side.
    fn angle_with(&self, eased: f64) -> f64 {
        match self.angle {
            own if eased * own < 0.0 || own.abs() >= eased.abs() => own,
            _ => self.clear.nearest(eased),
        }
    }
}

/// The axis about which toes are raised: their hinge, unless the foot lies on its side. Then the hinge is upright, and a
/// rotation about it swings the toes sideways by centimetres to raise them by millimetres; the axis that raises them
/// with the least rotation takes over.
fn raising_axis(hinge: Vec3, arm: Vec3, up: Vec3) -> Vec3 {
    let [level, upright] = HINGE_SLOPES;
    let weight = ((hinge.dot(up).abs() - level) / (upright - level)).clamp(0.0, 1.0);
    let Some(steepest) = arm.cross(up).try_normalize().filter(|_| weight > 0.0) else { return hinge };
    let hinge = hinge * hinge.dot(steepest).signum();
    hinge.lerp(steepest, weight).try_normalize().unwrap_or(steepest)
}

/// The middle of the directions in which toes can point, from flat to bent upwards by 90°; of unit length.
fn forward_of_toes(captured: &CapturedLeg, leg: &LegSetup) -> Vec3 {
    let flat = (captured.ball - captured.ankle).normalize_or_zero();
    let up = rotate(captured.ankle_rotation, leg.sole_normal);
    (flat + up).normalize_or_zero()
}

/// The angles of rotation about an axis at which the end of an arm is at a height or above it.
#[derive(Clone, Copy, Debug)]
struct ClearAngles {
    /// The angle that raises the end most, in radians.
    highest: f64,
    /// The largest difference from that angle, in radians; 0 where no angle raises the end to the height. `None` where no
    /// rotation raises the end: an arm along the axis, or an upright axis.
    width: Option<f64>,
}

impl ClearAngles {
    /// `height` is measured from the start of the arm along `up`.
    fn new(axis: Vec3, arm: Vec3, up: Vec3, height: f64) -> Self {
        // The height is `constant + cosine · cos(angle) + sine · sin(angle)`.
        let along = axis * arm.dot(axis);
        let (across, ahead) = (arm - along, axis.cross(arm));
        let (constant, cosine, sine) = (along.dot(up), across.dot(up), ahead.dot(up));
        let amplitude = (cosine * cosine + sine * sine).sqrt();
        let width =
            (amplitude >= NO_LENGTH).then(|| acos(((height - constant) / amplitude).clamp(-1.0, 1.0)));
        Self { highest: atan2(sine, cosine), width }
    }

    /// Of the two angles that bring the end to the height, the one that leaves the arm pointing `forward`, in radians.
    fn angle_towards(&self, axis: Vec3, arm: Vec3, forward: Vec3) -> f64 {
        let Some(width) = self.width else { return 0.0 };
        let (across, ahead) = (arm - axis * arm.dot(axis), axis.cross(arm));
        let cost = |angle: f64| {
            let rotated = across * cos(angle) + ahead * sin(angle);
            angle.abs() - FORWARD_PREFERENCE * rotated.normalize_or_zero().dot(forward)
        };
        let [first, second] = [self.highest - width, self.highest + width].map(to_half_turn);
        if cost(first) < cost(second) { first } else { second }
    }

    /// The nearest of these angles to `angle`, in radians.
    fn nearest(&self, angle: f64) -> f64 {
        let Some(width) = self.width else { return 0.0 };
        to_half_turn(self.highest + to_half_turn(angle - self.highest).clamp(-width, width))
    }
}

/// The angle of the same rotation between −π and π.
fn to_half_turn(angle: f64) -> f64 {
    match angle {
        _ if angle > PI => angle - 2.0 * PI,
        _ if angle < -PI => angle + 2.0 * PI,
        _ => angle,
    }
}

/// The joint of the toes, in world space.
struct ToeJoint {
    position: Vec3,
    /// Rotation of its parent.
    parent: Quat,
}

impl ToeJoint {
    fn new(captured: &CapturedLeg, foot: &Target, end: ChainEnd) -> Self {
        let ankle = foot.rotation_correction * captured.ankle_rotation;
        Self { position: foot.position + rotate(ankle, end.position), parent: ankle * end.parent }
    }
}

/// The toe joint of a pose, relative to the ankle.
fn chain_end(pose: &Pose, leg: &LegSetup) -> ChainEnd {
    ChainEnd::of(&leg.toe.chain, |joint| pose.offsets[joint.index()], |joint| pose.rotations[joint.index()])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Raises the end of an arm to the height of its start; returns the end.
    fn raised(hinge: Vec3, arm: Vec3) -> Vec3 {
        let axis = raising_axis(hinge, arm, Vec3::Y);
        let angle =
            ClearAngles::new(axis, arm, Vec3::Y, 0.0).angle_towards(axis, arm, arm.with_y(0.0).normalize());
        rotate(about_axis(axis, half_angle(angle)), arm)
    }

    #[test]
    fn toes_of_a_foot_that_stands_bend_about_their_hinge() {
        let hinge = Vec3::new(0.2, 0.3, -1.0).normalize();
        let arm = Vec3::new(0.06, -0.02, 0.01);
        assert_eq!(raising_axis(hinge, arm, Vec3::Y), hinge);
        let end = raised(hinge, arm);
        assert!(end.y.abs() < 1e-12 && (end - arm).dot(hinge).abs() < 1e-12, "{end}");
    }

    #[test]
    fn an_eased_angle_does_not_lower_the_tip_again() {
        // The joint is 3 cm above the floor.
        let (arm, height) = (Vec3::new(0.01, -0.055, 0.0), -0.03);
        let clear = ClearAngles::new(Vec3::Z, arm, Vec3::Y, height);
        let own = clear.angle_towards(Vec3::Z, arm, Vec3::X);
        let height_at = |angle: f64| rotate(about_axis(Vec3::Z, half_angle(angle)), arm).y;
        assert!((height_at(own) - height).abs() < 1e-12 && own > 0.0);
        assert_eq!(clear.nearest(own + 0.3), own + 0.3);
        for angle in [0.5 * own, own + 2.5, own + 3.5, -0.5] {
            assert!(height_at(clear.nearest(angle)) > height - 1e-12, "{angle}");
        }
    }

    #[test]
    fn toes_that_lie_flat_are_not_eased() {
        assert_eq!([0.0, 0.1, HANGING_ANGLES[0], -0.3].map(hanging), [0.0; 4]);
        assert_eq!([HANGING_ANGLES[1], -1.0].map(hanging), [1.0; 2]);
    }

    #[test]
    fn toes_of_a_foot_on_its_side_are_raised_without_a_swing() {
        let arm = Vec3::new(0.056, -0.003, -0.011);
        for tilt in [-0.2, -0.05, 0.0, 0.05, 0.2] {
            let end = raised(Vec3::new(tilt, 1.0, 0.18).normalize(), arm);
            assert!(end.y.abs() < 1e-12, "{end}");
            assert!((end - arm).with_y(0.0).length() < 0.002, "{tilt}: {end}");
        }
    }
}
