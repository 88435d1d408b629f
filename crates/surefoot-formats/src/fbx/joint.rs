//! The transform of a node as FBX defines it, and the local values that give another transform.

use surefoot_core::{Quat, Vec3};

use super::euler;
use crate::node_transforms::NodeTransform;

/// The parts of a node's transform that no track changes, as FBX defines them.
#[derive(Clone, Debug)]
pub(super) struct FbxJoint {
    pub pre: Quat,
    pub post: Quat,
    /// The axes of the Euler angles, in the order in which they are applied.
    pub order: [usize; 3],
    pub rotation_offset: Vec3,
    pub rotation_pivot: Vec3,
    pub scaling_offset: Vec3,
    pub scaling_pivot: Vec3,
    /// The local values where no curve sets them: translation, and rotation in degrees.
    pub translation: Vec3,
    pub rotation: Vec3,
    /// Whether the definition above gives the transform that the reader evaluates.
    pub is_exact: bool,
}

pub(super) fn vector(v: ufbx::Vec3) -> Vec3 {
    Vec3::new(v.x, v.y, v.z)
}

pub(super) fn transform(own: &ufbx::Transform) -> NodeTransform {
    let rotation = Quat::from_xyzw(own.rotation.x, own.rotation.y, own.rotation.z, own.rotation.w);
    NodeTransform { translation: vector(own.translation), rotation, scale: vector(own.scale) }
}

pub(super) fn fbx_joint(node: &ufbx::Node, anim: &ufbx::Anim, time: f64) -> FbxJoint {
    let value = |name: &str| {
        let prop = ufbx::evaluate_prop(anim, &node.element, name, time);
        vector(ufbx::Vec3 { x: prop.value_vec4.x, y: prop.value_vec4.y, z: prop.value_vec4.z })
    };
    let order = match node.rotation_order {
        ufbx::RotationOrder::Xzy => [0, 2, 1],
        ufbx::RotationOrder::Yzx => [1, 2, 0],
        ufbx::RotationOrder::Yxz => [1, 0, 2],
        ufbx::RotationOrder::Zxy => [2, 0, 1],
        ufbx::RotationOrder::Zyx => [2, 1, 0],
        _ => [0, 1, 2],
    };
    let turned = |name: &str| match node.use_rotation_space {
        true => euler::rotation(value(name), [0, 1, 2]),
        false => Quat::IDENTITY,
    };
    let mut joint = FbxJoint {
        pre: turned("PreRotation"),
        post: turned("PostRotation"),
        order,
        rotation_offset: value("RotationOffset"),
        rotation_pivot: value("RotationPivot"),
        scaling_offset: value("ScalingOffset"),
        scaling_pivot: value("ScalingPivot"),
        translation: value("Lcl Translation"),
        rotation: value("Lcl Rotation"),
        is_exact: false,
    };
    let own = transform(&ufbx::evaluate_transform(anim, node, time));
    let (translation, rotation) = joint.local(joint.translation, joint.rotation, own.scale);
    let near = translation.distance(own.translation) <= 1e-5 * (1.0 + own.translation.length());
    joint.is_exact = near && rotation.dot(own.rotation).abs() > 1.0 - 1e-9;
    joint
}

impl FbxJoint {
    /// The transform of local values: `T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹`.
    pub fn local(&self, translation: Vec3, degrees: Vec3, scale: Vec3) -> (Vec3, Quat) {
        let rotation = self.pre * euler::rotation(degrees, self.order) * self.post.conjugate();
        (translation + self.pivots(rotation, scale), rotation)
    }

    /// What the pivots add to the translation.
    fn pivots(&self, rotation: Quat, scale: Vec3) -> Vec3 {
        let inner =
            self.scaling_offset + self.scaling_pivot - scale * self.scaling_pivot - self.rotation_pivot;
        self.rotation_offset + self.rotation_pivot + rotation * inner
    }

    /// The local translation and rotation in degrees of a transform; of all angles the nearest to `near`, in degrees.
    pub fn values(&self, node: &NodeTransform, near: Vec3) -> (Vec3, Vec3) {
        let own = self.pre.conjugate() * node.rotation * self.post;
        let degrees = euler::degrees(own, self.order, near);
        (node.translation - self.pivots(node.rotation, node.scale), degrees)
    }
}
