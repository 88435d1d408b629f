//! Skeletons: names, parents and rest offsets of joints, parents first.

use crate::math::Vec3;

/// The index of a joint in its skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointId(pub u32);

impl JointId {
    /// The index into lists with one entry per joint.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A joint of a skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// The name in the file; not always unique.
    pub name: String,
    /// The parent; `None` for a root.
    pub parent: Option<JointId>,
    /// The position in the local frame of the parent at rest.
    pub offset: Vec3,
    /// The end of the bone in the local frame of this joint, for a joint with an end site.
    pub end: Option<Vec3>,
}

/// Error of building a skeleton.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkeletonError {
    /// A parent that is not before its child in the list.
    ParentAfterChild {
        /// The child.
        joint: JointId,
        /// The parent of the child.
        parent: JointId,
    },
    /// An offset or end that is not a finite number.
    NotFinite {
        /// The joint.
        joint: JointId,
    },
    /// More joints than 32 bits can index.
    TooMany,
}

impl core::fmt::Display for SkeletonError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::ParentAfterChild { joint, parent } => {
                write!(f, "joint {} has joint {} as its parent, expected an earlier joint", joint.0, parent.0)
            }
            Self::NotFinite { joint } => {
                write!(f, "the offset or end of joint {} is not finite", joint.0)
            }
            Self::TooMany => write!(f, "found too many joints, expected at most {}", u32::MAX),
        }
    }
}

impl core::error::Error for SkeletonError {}

/// The joints of a body, parents first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    joints: Vec<Joint>,
}

impl Skeleton {
    /// Builds a skeleton. Every joint must follow its parent and every offset must be finite.
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

    /// The number of joints.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Whether the skeleton has no joints.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// All joints, parents first.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The joint with this id.
    pub fn joint(&self, id: JointId) -> &Joint {
        &self.joints[id.index()]
    }

    /// The ids of all joints, parents first.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = JointId> + ExactSizeIterator + use<> {
        (0..self.joints.len() as u32).map(JointId)
    }

    /// The parent of a joint; `None` for a root.
    pub fn parent(&self, id: JointId) -> Option<JointId> {
        self.joint(id).parent
    }

    /// These joints and all their ancestors, parents first.
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

    /// The lowest joint that all of these joints are below; a joint without a parent counts as below itself. `None` for no
    /// joints, and for joints of different roots.
    pub fn common_ancestor(&self, joints: impl IntoIterator<Item = JointId>) -> Option<JointId> {
        let mut above = joints.into_iter().map(|joint| self.parent(joint).unwrap_or(joint));
        let first = above.next()?;
        above.try_fold(first, |mut one, mut other| {
            // Parents come first, so that the later of two joints is not above the other.
            while one != other {
                let later = if one > other { &mut one } else { &mut other };
                *later = self.parent(*later)?;
            }
            Some(one)
        })
    }

    /// The first joint with this name.
    pub fn find(&self, name: &str) -> Option<JointId> {
        self.joints.iter().position(|joint| joint.name == name).map(|index| JointId(index as u32))
    }

    /// The skeleton with every length multiplied by `scale`.
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
        assert_eq!(error.to_string(), "joint 1 has joint 1 as its parent, expected an earlier joint");
    }

    #[test]
    fn an_offset_that_is_nan_is_refused() {
        let mut bad = joint(None);
        bad.offset.y = f64::NAN;
        assert_eq!(Skeleton::new(vec![bad]), Err(SkeletonError::NotFinite { joint: JointId(0) }));
    }

    #[test]
    fn the_common_ancestor_is_the_lowest_joint_above_all() {
        let parents = [None, Some(0), Some(1), Some(1), Some(2), None];
        let skeleton = Skeleton::new(parents.map(joint).to_vec()).unwrap();
        let above = |joints: &[u32]| skeleton.common_ancestor(joints.iter().map(|&joint| JointId(joint)));
        assert_eq!(above(&[2, 3]), Some(JointId(1)));
        assert_eq!(above(&[4, 3]), Some(JointId(1)));
        assert_eq!(above(&[4]), Some(JointId(2)));
        assert_eq!(above(&[4, 2]), Some(JointId(1)), "a joint above another is not its own ancestor");
        assert_eq!((above(&[0]), above(&[]), above(&[4, 5])), (Some(JointId(0)), None, None));
    }

    #[test]
    fn several_roots_are_allowed() {
        assert_eq!(Skeleton::new(vec![joint(None), joint(None), joint(Some(0))]).unwrap().len(), 3);
    }
}
