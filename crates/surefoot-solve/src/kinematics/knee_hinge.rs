//! The knee as a hinge: its axis, and the law of cosines between bend and reach.
//!
//! A knee has one axis for the whole motion: a straight leg has no plane of its own, and an axis computed
//! per frame makes the knee snap. The axis is the mean normal of thigh and shin, weighted by the bend, in
//! the space of the thigh; a knee that hardly bends gets the axis across the foot.

use surefoot_core::math::{acos, atan2};
use surefoot_core::{JointId, Leg, Pose, Skeleton, Vec3, WorldPose};

/// The hinge axis of a knee.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hinge {
    /// Of unit length, in the space of the parent of the knee. A positive rotation bends the knee.
    pub axis: Vec3,
}

/// Sine of the mean bend below which the axis cannot be estimated from the bends: 2°. Below it the mean
/// normal is dominated by noise; a larger value replaces usable axes by the guess from the foot.
const LEAST_BEND: f64 = 0.035;

/// Length of a normal that is rounding, in units of the sine of the bend.
const ROUNDING: f64 = 1e-9;

/// Change of the squared reach by bending, as a fraction of its mean, below which the knee is not a hinge between thigh
/// and shin. For a human leg it is 1.
const LEAST_AMPLITUDE: f64 = 0.05;

/// Number of poses that the axis is estimated from: more do not change the mean measurably.
const MOST_POSES: usize = 400;

impl Hinge {
    /// Estimates the axis from poses; without any, from the rest pose.
    pub fn estimate(skeleton: &Skeleton, leg: &Leg, poses: &[Pose]) -> Self {
        let mut world = WorldPose::default();
        let mut sum = HingeEvidence::default();
        let mut count = 0.0;
        let stride = (poses.len() / MOST_POSES).max(1);
        let parent = skeleton.parent(leg.knee).unwrap_or(JointId(0));
        let joints = skeleton.with_ancestors([parent, leg.hip, leg.knee, leg.ankle, leg.ball.joint]);
        for pose in poses.iter().step_by(stride) {
            pose.forward_kinematics_of(skeleton, &joints, &mut world);
            let evidence = HingeEvidence::new(skeleton, leg, &world);
            sum.knee_normal += evidence.knee_normal;
            sum.across_foot += evidence.across_foot;
            count += 1.0;
        }
        if sum.knee_normal.length() > LEAST_BEND * count {
            return Self { axis: sum.knee_normal.normalize() };
        }
        let rest = HingeEvidence::new(skeleton, leg, &Pose::rest(skeleton).world(skeleton));
        let candidates = [sum.knee_normal, sum.across_foot, rest.knee_normal, rest.across_foot, Vec3::X];
        // A sum that rounding alone keeps from 0 has no direction.
        let has_direction = |candidate: &Vec3| candidate.length() > ROUNDING * f64::max(count, 1.0);
        let found = candidates.into_iter().filter(has_direction).find_map(Vec3::try_normalize);
        Self { axis: found.unwrap_or(Vec3::X) }
    }
}

/// Evidence of one pose for the direction of the axis, in the space of the parent of the knee.
#[derive(Clone, Copy, Debug, Default)]
struct HingeEvidence {
    /// The normal of thigh and shin; its length is the sine of the bend.
    knee_normal: Vec3,
    /// The normal of foot and thigh.
    across_foot: Vec3,
}

impl HingeEvidence {
    fn new(skeleton: &Skeleton, leg: &Leg, world: &WorldPose) -> Self {
        let parent = skeleton.parent(leg.knee).unwrap_or(JointId(0));
        let to_parent = world.rotations[parent.index()].conjugate();
        let thigh = (world.joint(leg.knee) - world.joint(leg.hip)).normalize_or_zero();
        let shin = (world.joint(leg.ankle) - world.joint(leg.knee)).normalize_or_zero();
        let foot = (world.point(&leg.ball) - world.joint(leg.ankle)).normalize_or_zero();
        Self { knee_normal: to_parent * thigh.cross(shin), across_foot: to_parent * foot.cross(thigh) }
    }
}

/// Thigh and shin of one frame relative to the hinge axis: the law of cosines of the leg.
///
/// `reach² = constant + amplitude · cos(bend)`, in metres. Bones that lean out of the plane of the hinge never
/// align completely.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bones {
    /// Sum of the squared lengths and twice the product of the components along the axis.
    constant: f64,
    /// Twice the product of the components perpendicular to the axis.
    amplitude: f64,
    /// The captured bend, in radians: 0 is straight, negative is backwards.
    pub bend: f64,
}

impl Bones {
    /// `thigh` and `shin` as vectors, `axis` of unit length, all in one space.
    pub fn new(thigh: Vec3, shin: Vec3, axis: Vec3) -> Self {
        let (along_thigh, along_shin) = (thigh.dot(axis), shin.dot(axis));
        let lean = along_thigh * along_shin;
        let (thigh_squared, shin_squared) = (thigh.length_squared(), shin.length_squared());
        // Sine and cosine of the angle between the components perpendicular to the axis.
        let bend = atan2(axis.dot(thigh.cross(shin)), thigh.dot(shin) - lean);
        let perpendicular =
            (thigh_squared - along_thigh * along_thigh) * (shin_squared - along_shin * along_shin);
        // Signed: both bones may lean to the same side of the hinge plane or to opposite sides.
        let constant = thigh_squared + shin_squared + 2.0 * lean;
        let amplitude = 2.0 * perpendicular.max(0.0).sqrt();
        Self { constant, amplitude, bend }
    }

    /// The squared reach with the knee at full extension.
    pub fn longest_squared(&self) -> f64 {
        (self.constant + self.amplitude).max(0.0)
    }

    /// The reach with the knee at full extension.
    pub fn longest(&self) -> f64 {
        self.longest_squared().sqrt()
    }

    /// The distance from hip to ankle at a bend in radians.
    pub fn reach(&self, bend: f64) -> f64 {
        self.reach_at_cosine(surefoot_core::math::cos(bend))
    }

    /// The bend, 0 to π, at which the leg has this reach; straight or folded where no bend has.
    pub fn bend_for(&self, reach: f64) -> f64 {
        // A shin along the hinge axis, or bones of no length: the reach does not depend on the bend.
        if self.amplitude <= 1e-7 * self.constant {
            return self.bend;
        }
        acos(((reach * reach - self.constant) / self.amplitude).clamp(-1.0, 1.0))
    }

    /// The cosine of the bend at which the leg has this reach, beyond 1 or −1 where no bend has; `None` for a shin along the
    /// hinge axis, where the reach hardly depends on the bend.
    pub fn bend_cosine(&self, reach: f64) -> Option<f64> {
        (self.amplitude > LEAST_AMPLITUDE * self.constant)
            .then(|| (reach * reach - self.constant) / self.amplitude)
    }

    /// Change of the bend per metre of reach, in radians, where the sine of the bend is not 0.
    pub fn bend_per_reach(&self, reach: f64, sine: f64) -> f64 {
        // reach² = constant + amplitude · cos(bend), so 2 · reach · d reach = −amplitude · sin(bend) · d bend.
        -2.0 * reach / (self.amplitude * sine)
    }

    /// The reach at a bend of this cosine.
    pub fn reach_at_cosine(&self, cosine: f64) -> f64 {
        (self.constant + self.amplitude * cosine).max(0.0).sqrt()
    }

    /// Like [`bend_for`](Self::bend_for), but negative where the knee was captured bent backwards and need not bend
    /// much further: the knee of a foot that is not moved must not flip to the front.
    pub fn bend_like_captured(&self, reach: f64) -> f64 {
        // How much further a knee bends backwards before it flips to the front, in radians: 3°. At 0 the jitter of a
        // capture would flip a knee to and fro.
        const MARGIN: f64 = 0.05;
        let bend = self.bend_for(reach);
        if self.is_backwards() && bend <= MARGIN - self.bend { -bend } else { bend }
    }

    /// Whether the knee was captured backwards.
    pub fn is_backwards(&self) -> bool {
        // A straight knee is not backwards: whether its bend is above or below 0 is rounding, in radians.
        const STRAIGHT: f64 = 1e-6;
        self.bend < -STRAIGHT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use surefoot_core::math::{PI, sincos};
    use surefoot_core::{Joint, JointPoint, Limb, Quat};

    fn vector() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-0.5..0.5f64).prop_map(Vec3::from_array)
    }

    fn about(axis: Vec3, angle: f64) -> Quat {
        let (sin, cos) = sincos(angle * 0.5);
        Quat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        /// Equation 8 with signs, for bones that lean out of the hinge plane to the same or to opposite sides.
        #[test]
        fn the_law_of_cosines_agrees_with_rotating_the_knee(
            thigh in vector(), shin in vector(), axis in vector(), angle in -3.0..3.0f64,
        ) {
            prop_assume!(thigh.length() > 0.1 && shin.length() > 0.1 && axis.length() > 0.1);
            let axis = axis.normalize();
            let bones = Bones::new(thigh, shin, axis);
            let reach = (thigh + about(axis, angle) * shin).length();
            prop_assert!((bones.reach(bones.bend + angle) - reach).abs() < 1e-12);
            let bend = bones.bend_for(reach);
            prop_assert!((bones.reach(bend) - reach).abs() < 1e-12);
            prop_assert!((0.0..=PI).contains(&bend));
        }

        #[test]
        fn an_impossible_reach_gives_a_straight_or_folded_leg(
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
    fn a_knee_captured_backwards_stays_backwards_until_it_must_bend_further() {
        let axis = Vec3::X;
        let (thigh, shin) = (Vec3::new(0.0, -0.4, 0.0), Vec3::new(0.0, -0.4, 0.05));
        let bones = Bones::new(thigh, shin, axis);
        assert!(bones.bend < 0.0, "{}", bones.bend);
        let reach = bones.reach(bones.bend);
        assert!((bones.bend_like_captured(reach) - bones.bend).abs() < 1e-9);
        assert!(bones.bend_like_captured(0.5 * (reach + bones.longest())) < 0.0);
        assert!(bones.bend_like_captured(reach - 0.05) > 0.0);
    }

    #[test]
    fn a_straight_knee_is_not_backwards() {
        let with_shin = |z: f64| Bones::new(Vec3::new(0.0, -0.4, 0.0), Vec3::new(0.0, -0.4, z), Vec3::X);
        assert!([-0.01, -1e-9, 0.0, 1e-9].into_iter().all(|z| !with_shin(z).is_backwards()));
        assert!(with_shin(0.01).is_backwards());
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
    fn a_shin_along_the_hinge_axis_keeps_its_bend() {
        let bones = Bones::new(Vec3::new(0.0, -0.4, 0.0), Vec3::X * 0.4, Vec3::X);
        for reach in [0.0, 0.3, 5.0] {
            assert_eq!(bones.bend_for(reach), bones.bend);
        }
    }

    #[test]
    fn a_knee_that_never_bends_gets_the_axis_across_the_foot() {
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
        let (side, limb) = (String::new(), Limb::Leg);
        let leg = Leg { side, limb, hip, knee, ankle, heel: on(Vec3::ZERO), ball, toe: ball };
        let rest = Pose::rest(&skeleton);
        for poses in [vec![], vec![rest.clone(); 3]] {
            let hinge = Hinge::estimate(&skeleton, &leg, &poses);
            // A positive rotation moves the shin backwards where the foot points forward.
            assert!((about(hinge.axis, 0.5) * down).z < -0.1, "{hinge:?}");
        }
    }
}
