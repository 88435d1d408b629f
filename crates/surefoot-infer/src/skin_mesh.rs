//! Meshes that follow the joints, from which the soles of the feet are found.

use surefoot_core::JointId;
use surefoot_core::math::{Mat3, Vec3};

/// A mesh with the pose in which its skin binds it to the joints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinMesh {
    /// For each joint, the transform from the space of the mesh to the space of the joint; `None` for a joint that the
    /// skin does not bind.
    pub binds: Vec<Option<BindTransform>>,
    /// The vertices, each with the joint that it follows most.
    pub vertices: Vec<SkinVertex>,
}

/// A vertex and the joint that it follows most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinVertex {
    /// The position in the space of the mesh.
    pub position: Vec3,
    /// The joint.
    pub joint: JointId,
}

/// A transform from the space of a mesh to the space of a joint, in the unit of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BindTransform {
    /// The linear part.
    pub linear: Mat3,
    /// Where the origin of the mesh is.
    pub translation: Vec3,
}

impl BindTransform {
    /// A position of the mesh in the space of the joint.
    pub fn apply(&self, position: Vec3) -> Vec3 {
        self.linear * position + self.translation
    }

    /// A position of the joint in the space of the mesh; `None` if the transform has no inverse.
    pub fn apply_inverse(&self, position: Vec3) -> Option<Vec3> {
        let found = self.linear.inverse() * (position - self.translation);
        found.is_finite().then_some(found)
    }
}

impl SkinMesh {
    /// The transform of a joint that can be inverted.
    pub(crate) fn bind(&self, joint: JointId) -> Option<&BindTransform> {
        let bind = self.binds.get(joint.index())?.as_ref()?;
        let is_usable = bind.translation.is_finite() && bind.linear.determinant().abs() > 0.0;
        is_usable.then_some(bind)
    }

    /// A position in the space of one joint in the space of another, while the mesh is bound.
    pub(crate) fn between(&self, from: JointId, to: JointId, position: Vec3) -> Option<Vec3> {
        if from == to {
            return Some(position);
        }
        Some(self.bind(to)?.apply(self.bind(from)?.apply_inverse(position)?))
    }
}
