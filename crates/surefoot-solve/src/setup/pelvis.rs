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
        let joint = skeleton.common_ancestor([left.leg.hip, right.leg.hip])?;
        // A hip without a parent has no pelvis above it.
        let is_above = |leg: &LegSetup| leg.above_hip.contains(&joint);
        let above = left.above_hip.iter().position(|&above| above == joint).filter(|_| is_above(right))?;
        let branch = |leg: &LegSetup| leg.above_hip.get(above + 1).copied().unwrap_or(leg.leg.hip);
        let branches = [branch(left), branch(right)];
        let is_trunk = |child: &JointId| skeleton.parent(*child) == Some(joint) && !branches.contains(child);
        let trunk = skeleton.ids().filter(is_trunk).collect();
        Some(Self { joint, above: left.above_hip[..above].to_vec(), trunk })
    }
}
