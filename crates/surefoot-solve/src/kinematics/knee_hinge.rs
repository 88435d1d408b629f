//! Which way does a knee bend, and how much for a given reach?
//!
//! A knee has one axis for the whole motion: a straight leg has no plane of its own, and an axis
//! found anew each frame makes the knee snap. It is the mean normal of thigh and shin, weighted
//! by the bend, as the thigh sees it; a knee that hardly bends takes the one square to the foot.

use surefoot_core::math::{acos, atan2};
use surefoot_core::{JointId, Leg, Pose, Skeleton, Vec3, WorldPose};

/// A knee's axis, seen from the joint that the knee hangs from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hinge {
    pub axis: Vec3,
}

/// Below this mean bend, as a sine, the bends do not tell the axis: about 2°.
const HARDLY: f64 = 0.035;

impl Hinge {
    pub fn find(skeleton: &Skeleton, leg: &Leg, poses: &[Pose]) -> Self {
        let mut placed = WorldPose::default();
        let (mut bends, mut across) = (Vec3::ZERO, Vec3::ZERO);
        let mut count = 0.0;
        // A few hundred frames tell as much as all.
        let stride = (poses.len() / 400).max(1);
        for pose in poses.iter().step_by(stride) {
            pose.forward_kinematics(skeleton, &mut placed);
            let (bend, toe) = seen_from_thigh(skeleton, leg, &placed);
            bends += bend;
            across += toe;
            count += 1.0;
        }
        if bends.length() > HARDLY * count {
            return Self { axis: bends.normalize() };
        }
        let rest = seen_from_thigh(skeleton, leg, &Pose::rest(skeleton).world(skeleton));
        let candidates = [bends, across, rest.0, rest.1, Vec3::X];
        Self { axis: candidates.into_iter().find_map(Vec3::try_normalize).unwrap_or(Vec3::X) }
    }
}

/// The normal of thigh and shin, as long as the sine of the bend, and the one square to the foot.
fn seen_from_thigh(skeleton: &Skeleton, leg: &Leg, placed: &WorldPose) -> (Vec3, Vec3) {
    let holder = skeleton.parent(leg.knee).unwrap_or(JointId(0));
    let back = placed.rotations[holder.index()].conjugate();
    let thigh = (placed.joint(leg.knee) - placed.joint(leg.hip)).normalize_or_zero();
    let shin = (placed.joint(leg.ankle) - placed.joint(leg.knee)).normalize_or_zero();
    let foot = (placed.point(&leg.ball) - placed.joint(leg.ankle)).normalize_or_zero();
    (back * thigh.cross(shin), back * foot.cross(thigh))
}

/// Thigh and shin of one frame against the knee's axis.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bones {
    /// Lengths squared, added; and twice the product of the parts along the axis.
    fixed: f64,
    /// Twice the product of the parts square to the axis.
    swing: f64,
    /// The bend as captured, in radians: 0 is straight, forward is positive.
    pub bend: f64,
}

impl Bones {
    /// `thigh` and `shin` as vectors, `axis` of unit length, all in one space.
    pub fn new(thigh: Vec3, shin: Vec3, axis: Vec3) -> Self {
        let (along_thigh, along_shin) = (thigh.dot(axis), shin.dot(axis));
        let lean = along_thigh * along_shin;
        let (thigh_squared, shin_squared) = (thigh.length_squared(), shin.length_squared());
        // The parts square to the axis: their product turned about it, and along each other.
        let bend = atan2(axis.dot(thigh.cross(shin)), thigh.dot(shin) - lean);
        let flat = (thigh_squared - along_thigh * along_thigh) * (shin_squared - along_shin * along_shin);
        // The signs matter: both bones may lean to the same side of the hinge or to two.
        let fixed = thigh_squared + shin_squared + 2.0 * lean;
        let swing = 2.0 * flat.max(0.0).sqrt();
        Self { fixed, swing, bend }
    }

    /// Hip to ankle with the knee as straight as it goes, squared. Bones that lean out of the plane it turns in
    /// never come quite into line.
    pub fn longest_squared(&self) -> f64 {
        (self.fixed + self.swing).max(0.0)
    }

    pub fn longest(&self) -> f64 {
        self.longest_squared().sqrt()
    }

    /// Hip to ankle at this bend.
    pub fn reach(&self, bend: f64) -> f64 {
        (self.fixed + self.swing * surefoot_core::math::cos(bend)).max(0.0).sqrt()
    }

    /// The bend, 0 to π, that reaches this far, or the nearest that there is.
    pub fn bend_for(&self, reach: f64) -> f64 {
        // A shin along its own hinge swings nothing but rounding, and one of no length nothing: any bend is as good.
        if self.swing <= 1e-7 * self.fixed {
            return self.bend;
        }
        acos(((reach * reach - self.fixed) / self.swing).clamp(-1.0, 1.0))
    }

    /// The bend that reaches this far as [`bend_for`](Self::bend_for), backwards where the knee was captured
    /// so and need bend no further: a foot that is not moved must not turn its knee round.
    pub fn bend_beside(&self, reach: f64) -> f64 {
        // Near straight a reach tells the bend to half its digits.
        const SAME: f64 = 1e-6;
        let bend = self.bend_for(reach);
        if self.bend < 0.0 && bend <= SAME - self.bend { -bend } else { bend }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use surefoot_core::math::{PI, sincos};
    use surefoot_core::{Joint, JointPoint, Quat};

    fn vector() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-0.5..0.5f64).prop_map(Vec3::from_array)
    }

    fn about(axis: Vec3, angle: f64) -> Quat {
        let (sin, cos) = sincos(angle * 0.5);
        Quat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        /// Bones that lean out of the hinge's plane, to one side or to both: equation 8 with its
        /// signs.
        #[test]
        fn the_law_of_cosines_is_what_turning_the_knee_does(
            thigh in vector(), shin in vector(), axis in vector(), turn in -3.0..3.0f64,
        ) {
            prop_assume!(thigh.length() > 0.1 && shin.length() > 0.1 && axis.length() > 0.1);
            let axis = axis.normalize();
            let bones = Bones::new(thigh, shin, axis);
            let reach = (thigh + about(axis, turn) * shin).length();
            prop_assert!((bones.reach(bones.bend + turn) - reach).abs() < 1e-12);
            let bend = bones.bend_for(reach);
            prop_assert!((bones.reach(bend) - reach).abs() < 1e-12);
            prop_assert!((0.0..=PI).contains(&bend));
        }

        #[test]
        fn a_reach_that_bones_cannot_make_gives_straight_or_folded(
            thigh in vector(), shin in vector(), reach in 0.0..3.0f64,
        ) {
            prop_assume!(thigh.length() > 0.1 && shin.length() > 0.1);
            let axis = thigh.cross(shin).normalize_or(Vec3::X);
            let bones = Bones::new(thigh, shin, axis);
            let (longest, shortest) = (bones.reach(0.0), bones.reach(PI));
            let made = bones.reach(bones.bend_for(reach));
            prop_assert!((made - reach.clamp(shortest, longest)).abs() < 1e-9);
        }
    }

    #[test]
    fn a_knee_captured_backwards_stays_so_until_it_must_bend_further() {
        let axis = Vec3::X;
        let (thigh, shin) = (Vec3::new(0.0, -0.4, 0.0), Vec3::new(0.0, -0.4, 0.05));
        let bones = Bones::new(thigh, shin, axis);
        assert!(bones.bend < 0.0, "{}", bones.bend);
        let reach = bones.reach(bones.bend);
        assert!((bones.bend_beside(reach) - bones.bend).abs() < 1e-9);
        assert!(bones.bend_beside(0.5 * (reach + bones.longest())) < 0.0);
        assert!(bones.bend_beside(reach - 0.05) > 0.0);
    }

    #[test]
    fn bones_of_no_length_keep_their_bend() {
        for length in [0.0, 5e-315, 1e-200] {
            let bones = Bones::new(-Vec3::Y * length, -Vec3::Y * length, Vec3::X);
            for reach in [0.0, 1e-315, 0.3] {
                assert_eq!(bones.bend_for(reach), bones.bend, "{length} {reach}");
            }
        }
    }

    #[test]
    fn a_shin_along_its_own_hinge_keeps_its_bend() {
        let bones = Bones::new(Vec3::new(0.0, -0.4, 0.0), Vec3::X * 0.4, Vec3::X);
        for reach in [0.0, 0.3, 5.0] {
            assert_eq!(bones.bend_for(reach), bones.bend);
        }
    }

    #[test]
    fn a_knee_that_never_bends_turns_across_the_foot() {
        let joint = |parent: Option<u32>, offset| Joint {
            name: String::new(),
            parent: parent.map(JointId),
            offset,
            end: None,
        };
        let down = Vec3::new(0.0, -0.4, 0.0);
        let joints = vec![joint(None, Vec3::Y), joint(Some(0), down), joint(Some(1), down)];
        let skeleton = Skeleton::new(joints).unwrap();
        let on = |offset| JointPoint { joint: JointId(2), offset };
        let ball = on(Vec3::new(0.0, -0.05, 0.1));
        let (hip, knee, ankle) = (JointId(0), JointId(1), JointId(2));
        let leg = Leg { side: String::new(), hip, knee, ankle, heel: on(Vec3::ZERO), ball, toe: ball };
        let rest = Pose::rest(&skeleton);
        for poses in [vec![], vec![rest.clone(); 3]] {
            let hinge = Hinge::find(&skeleton, &leg, &poses);
            // A shin turned so goes back, as a knee's does, with the foot pointing forward.
            assert!((about(hinge.axis, 0.5) * down).z < -0.1, "{hinge:?}");
        }
    }
}
