//! The pelvis of a body with two legs.

use surefoot_core::{JointId, Skeleton};

use super::LegSetup;

/// The joint that both legs are attached to.
#[derive(Clone, Debug)]
pub(crate) struct Pelvis {
    pub joint: JointId,
    /// The joints above it, from the root on.
    pub above: Vec<JointId>,
    /// The joints attached to it, apart from the legs.
    pub trunk: Vec<JointId>,
}

impl Pelvis {
    /// `None` for a body with more or fewer than two legs.
    pub fn new(skeleton: &Skeleton, legs: &[LegSetup]) -> Option<Self> {
        let [left, right] = legs else { return None };
        let common =
            left.above_hip.iter().zip(&right.above_hip).take_while(|(left, right)| left == right).count();
        let (joint, above) = left.above_hip[..common].split_last()?;
        let branch = |leg: &LegSetup| leg.above_hip.get(common).copied().unwrap_or(leg.leg.hip);
        let branches = [branch(left), branch(right)];
        let is_trunk = |child: &JointId| skeleton.parent(*child) == Some(*joint) && !branches.contains(child);
        let joints = (0..skeleton.len()).map(|index| JointId(index as u32));
        Some(Self { joint: *joint, above: above.to_vec(), trunk: joints.filter(is_trunk).collect() })
    }
}
