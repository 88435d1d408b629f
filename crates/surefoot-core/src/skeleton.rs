//! The joints of a body: names, parents and rest offsets. Parents come first.

use crate::math::Vec3;

/// Which joint of a skeleton: its place in the list of joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointId(pub u32);

impl JointId {
    /// The joint's place in every per-joint list.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// The name as the file spells it; not always unique.
    pub name: String,
    /// The joint this one hangs from; `None` for a root.
    pub parent: Option<JointId>,
    /// Where it sits in its parent when nothing is turned or stretched.
    pub offset: Vec3,
    /// Where the bone ends, in this joint, if the file says so and no other joint does.
    pub end: Option<Vec3>,
}

/// What makes a list of joints no skeleton.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkeletonError {
    /// A parent that does not come before its child.
    ParentAfterChild {
        /// The child.
        joint: JointId,
        /// The parent it names.
        parent: JointId,
    },
    /// An offset or end that is not a finite number.
    NotFinite {
        /// The joint it belongs to.
        joint: JointId,
    },
    /// More joints than can be counted.
    TooMany,
}

impl core::fmt::Display for SkeletonError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::ParentAfterChild { joint, parent } => {
                write!(f, "joint {} names joint {} as its parent, but parents come first", joint.0, parent.0)
            }
            Self::NotFinite { joint } => {
                write!(f, "joint {} has an offset that is not a finite number", joint.0)
            }
            Self::TooMany => write!(f, "more than {} joints", u32::MAX),
        }
    }
}

impl core::error::Error for SkeletonError {}

/// The joints of a body, each after its parent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    joints: Vec<Joint>,
}

impl Skeleton {
    /// A skeleton of these joints, if each comes after its parent and every offset is finite.
    pub fn new(joints: Vec<Joint>) -> Result<Self, SkeletonError> {
        if joints.len() > u32::MAX as usize {
            return Err(SkeletonError::TooMany);
        }
        for (index, joint) in joints.iter().enumerate() {
            let id = JointId(index as u32);
            if let Some(parent) = joint.parent
                && parent >= id
            {
                return Err(SkeletonError::ParentAfterChild { joint: id, parent });
            }
            if !joint.offset.is_finite() || joint.end.is_some_and(|end| !end.is_finite()) {
                return Err(SkeletonError::NotFinite { joint: id });
            }
        }
        Ok(Self { joints })
    }

    /// How many joints there are.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Whether there is no joint at all.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// All joints, parents first.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// One joint.
    pub fn joint(&self, id: JointId) -> &Joint {
        &self.joints[id.index()]
    }

    /// Every joint's id, parents first.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = JointId> + ExactSizeIterator + use<> {
        (0..self.joints.len() as u32).map(JointId)
    }

    /// The joint this one hangs from.
    pub fn parent(&self, id: JointId) -> Option<JointId> {
        self.joint(id).parent
    }

    /// These joints and all that they hang from, parents first.
    pub fn with_ancestors(&self, joints: impl IntoIterator<Item = JointId>) -> Vec<JointId> {
        let mut is_part = vec![false; self.joints.len()];
        for joint in joints {
            let mut next = Some(joint);
            while let Some(joint) = next.filter(|joint| !is_part[joint.index()]) {
                is_part[joint.index()] = true;
                next = self.parent(joint);
            }
        }
        self.ids().filter(|joint| is_part[joint.index()]).collect()
    }

    /// The first joint of this name.
    pub fn find(&self, name: &str) -> Option<JointId> {
        self.joints.iter().position(|joint| joint.name == name).map(|index| JointId(index as u32))
    }

    /// The same joints with every length multiplied by `scale`.
    pub fn scaled(&self, scale: f64) -> Self {
        let scaled = |joint: &Joint| Joint {
            offset: joint.offset * scale,
            end: joint.end.map(|end| end * scale),
            ..joint.clone()
        };
        Self { joints: self.joints.iter().map(scaled).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joint(parent: Option<u32>) -> Joint {
        Joint { name: "j".into(), parent: parent.map(JointId), offset: Vec3::ZERO, end: None }
    }

    #[test]
    fn a_parent_after_its_child_is_refused() {
        let error = Skeleton::new(vec![joint(None), joint(Some(1))]).unwrap_err();
        assert_eq!(error.to_string(), "joint 1 names joint 1 as its parent, but parents come first");
    }

    #[test]
    fn an_offset_that_is_no_number_is_refused() {
        let mut bad = joint(None);
        bad.offset.y = f64::NAN;
        assert_eq!(Skeleton::new(vec![bad]), Err(SkeletonError::NotFinite { joint: JointId(0) }));
    }

    #[test]
    fn several_roots_are_allowed() {
        assert_eq!(Skeleton::new(vec![joint(None), joint(None), joint(Some(0))]).unwrap().len(), 3);
    }
}
