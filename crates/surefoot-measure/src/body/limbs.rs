//! The limbs of a body and their radii.

use super::chains::{Chains, chains};
use super::{BodyShape, FootShape, Limb, leg_length};
use surefoot_core::{JointId, JointPoint, Leg, Pose, Skeleton, Vec3};

// Radii as fractions of the length of a leg, which is 0.85 m in an adult. A larger number makes the part thicker.
const HIP: f64 = 0.095;
const KNEE: f64 = 0.065;
const ANKLE: f64 = 0.042;
const BALL: f64 = 0.034;
const HEEL: f64 = 0.036;
const WAIST: f64 = 0.115;
const CHEST: f64 = 0.14;
const NECK: f64 = 0.055;
const HEAD: f64 = 0.125;
const SHOULDER: f64 = 0.07;
const HAND: f64 = 0.035;
const EXTRA: [f64; 2] = [0.05, 0.02];

/// Builds the shape of a body whose legs have known joints.
pub(super) fn build(skeleton: &Skeleton, legs: &[Leg], pelvis: JointId) -> BodyShape {
    let length = legs.iter().map(|leg| leg_length(skeleton, leg)).fold(0.0, f64::max);
    let mut shape = BodyShape { leg_length: length, ..BodyShape::default() };
    shape.pelvis = shape.point(JointPoint { joint: pelvis, offset: Vec3::ZERO });
    let rest = Pose::rest(skeleton).world(skeleton);
    let hips: Vec3 = legs.iter().map(|leg| rest.joint(leg.hip)).sum::<Vec3>() / legs.len() as f64;
    for (index, leg) in legs.iter().enumerate() {
        let forward = rest.point(&leg.ball) - rest.point(&leg.heel);
        let left = (rest.joint(leg.knee) - rest.joint(leg.ankle)).cross(forward);
        let outer = if (rest.joint(leg.hip) - hips).dot(left) < 0.0 { -1.0 } else { 1.0 };
        shape.add_leg(index, leg, outer);
    }
    shape.add_trunk(&chains(skeleton, legs, pelvis, length));
    shape
}

impl BodyShape {
    fn add_leg(&mut self, index: usize, leg: &Leg, outer: f64) {
        let joint = |joint| JointPoint { joint, offset: Vec3::ZERO };
        let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|id| self.point(joint(id)));
        let [heel, ball, toe] = [leg.heel, leg.ball, leg.toe].map(|point| self.point(point));
        self.add([self.pelvis, hip], [WAIST, HIP], None);
        self.add([hip, knee], [HIP, KNEE], Some(index));
        self.add([knee, ankle], [KNEE, ANKLE], Some(index));
        self.add([ankle, ball], [ANKLE, BALL], Some(index));
        self.add([ankle, heel], [ANKLE, HEEL], Some(index));
        self.feet.push(FootShape { ankle, heel, ball, toe, outer });
    }

    fn add_trunk(&mut self, chains: &Chains) {
        let mut trunk = chains.trunk.clone();
        let has_head = !chains.arms.is_empty() && trunk.len() > chains.chest + 1;
        if let Some(tip) = trunk.last_mut().filter(|_| has_head) {
            *tip = self.head_centre(*tip);
        }
        let trunk: Vec<usize> = trunk.iter().map(|&point| self.point(point)).collect();
        // The chest is as wide as the shoulders; no part of the neck is.
        let radius = |at: usize| WAIST + (CHEST - WAIST) * at as f64 / chains.chest.max(1) as f64;
        for (index, pair) in trunk.windows(2).enumerate() {
            let radii = if index >= chains.chest { [NECK, NECK] } else { [radius(index), radius(index + 1)] };
            self.add([pair[0], pair[1]], radii, None);
        }
        if let Some(&centre) = trunk.last().filter(|_| has_head) {
            self.add([centre, centre], [HEAD, HEAD], None);
        }
        chains.arms.iter().for_each(|arm| self.add_chain(arm, [SHOULDER, HAND]));
        chains.extra.iter().for_each(|chain| self.add_chain(chain, EXTRA));
    }

    /// The centre of the head: the end of a neck, or below the end of a head, which is its top.
    fn head_centre(&self, tip: JointPoint) -> JointPoint {
        let end = tip.offset;
        let below = end.normalize_or_zero() * (0.8 * HEAD * self.leg_length).min(end.length());
        JointPoint { offset: end - below, ..tip }
    }

    /// A chain of limbs that becomes thinner towards its end.
    fn add_chain(&mut self, chain: &[JointPoint], [thick, thin]: [f64; 2]) {
        let points: Vec<usize> = chain.iter().map(|&point| self.point(point)).collect();
        let last = points.len().saturating_sub(1).max(1) as f64;
        let radius = |at: usize| thick + (thin - thick) * at as f64 / last;
        for (index, pair) in points.windows(2).enumerate() {
            self.add([pair[0], pair[1]], [radius(index), radius(index + 1)], None);
        }
    }

    fn add(&mut self, ends: [usize; 2], radii: [f64; 2], leg: Option<usize>) {
        let radii = radii.map(|radius| radius * self.leg_length);
        self.limbs.push(Limb { ends, radii, leg });
    }
}
