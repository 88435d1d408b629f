//! Where are a leg's points, in legs, and which way does the body face?

use surefoot_core::{Floor, JointId, Leg, Pose, Skeleton, Vec3, WorldPose};

/// Points of a foot that are watched: heel, ball, toe tip.
pub(super) const POINTS: usize = 3;

/// One leg at one frame. Lengths are in legs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// Heel, ball and toe tip.
    pub points: [Vec3; POINTS],
    pub ankle: Vec3,
    pub hip: Vec3,
    /// The middle between the hips of its pair of legs.
    pub pelvis: Vec3,
    /// Which way the body faces, along the floor.
    pub forward: Vec3,
}

/// The legs of a body, and how long they are.
#[derive(Clone, Debug)]
pub(super) struct Body {
    legs: Vec<Leg>,
    /// One over the length of each leg, in metres.
    scales: Vec<f64>,
    pub up: Vec3,
    /// All joints that the legs take.
    joints: Vec<JointId>,
    /// Where they are in the pose that was seen last.
    placed: WorldPose,
    /// Heel, ball and toe tip of each leg in that pose, and its hip, in metres.
    pub places: Vec<([Vec3; POINTS], Vec3)>,
}

impl Body {
    pub fn new(skeleton: &Skeleton, legs: &[Leg], floor: Option<&Floor>) -> Self {
        Self {
            legs: legs.to_vec(),
            scales: vec![1.0; legs.len()],
            up: floor.map_or(Vec3::Y, Floor::up),
            joints: skeleton.with_ancestors(legs.iter().flat_map(Leg::joints)),
            placed: Pose::rest(skeleton).world(skeleton),
            places: vec![Default::default(); legs.len()],
        }
    }

    pub fn legs(&self) -> usize {
        self.legs.len()
    }

    /// The other leg of a leg's pair; itself where it has none. Legs come left, right, left, right.
    pub fn other(&self, leg: usize) -> usize {
        if (leg ^ 1) < self.legs.len() { leg ^ 1 } else { leg }
    }

    /// Takes the length of the legs from a pose.
    pub fn measure(&mut self, pose: &Pose, skeleton: &Skeleton) {
        pose.forward_kinematics(skeleton, &mut self.placed);
        for (scale, leg) in self.scales.iter_mut().zip(&self.legs) {
            let bone = |from, to| self.placed.joint(from).distance(self.placed.joint(to));
            let length = bone(leg.hip, leg.knee) + bone(leg.knee, leg.ankle);
            // A leg without length has no plants that make sense; a metre keeps its figures finite.
            *scale = if length > 0.0 { 1.0 / length } else { 1.0 };
        }
    }

    /// Sees every leg of a pose.
    pub fn see(&mut self, pose: &Pose, skeleton: &Skeleton, seen: &mut [Seen]) {
        pose.forward_kinematics_of(skeleton, &self.joints, &mut self.placed);
        for (index, seen) in seen.iter_mut().enumerate() {
            let (leg, scale) = (&self.legs[index], self.scales[index]);
            let other = &self.legs[self.other(index)];
            let [own, others] = [leg.hip, other.hip].map(|hip| self.placed.joint(hip));
            let places = [&leg.heel, &leg.ball, &leg.toe].map(|point| self.placed.point(point));
            self.places[index] = (places, own);
            let points = places.map(|place| place * scale);
            let across = if index % 2 == 0 { others - own } else { own - others };
            *seen = Seen {
                points,
                ankle: self.placed.joint(leg.ankle) * scale,
                hip: own * scale,
                pelvis: (own + others) * (0.5 * scale),
                forward: facing(across, points[1] - points[0], self.up),
            };
        }
    }
}

/// Square to the line from left to right hip, along the floor; where that line is upright or the
/// leg has no other, the way the foot points.
fn facing(across: Vec3, foot: Vec3, up: Vec3) -> Vec3 {
    let forward = up.cross(across);
    if forward.length() > 1e-9 {
        return forward.normalize();
    }
    (foot - up * foot.dot(up)).normalize_or_zero()
}
