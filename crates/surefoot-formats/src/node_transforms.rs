//! Converts the transforms of nodes, with their scales, to rigid poses and back.
//!
//! A scene file gives each node a translation, a rotation and a scale relative to its parent; a [`Pose`] has offsets and
//! rotations only. The world matrix of a node is written as `R · F`: a rotation, which is the rotation of the joint in the
//! pose, and the shape `F`, which holds all scales above and in the node. The offset of a child in the pose is then
//! `F · t`, so that positions are exact for every scale, also where it differs from axis to axis or is negative.
//!
//! Nodes above the first joint of a chain do not move. Their matrix is the base of that joint.

use surefoot_core::math::Mat3;
use surefoot_core::{Pose, Quat, Skeleton, Vec3};
#[cfg(any(feature = "fbx", feature = "gltf"))]
use surefoot_infer::BindTransform;

/// The transform of a node relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NodeTransform {
    pub translation: Vec3,
    pub rotation: Quat,
    pub scale: Vec3,
}

impl NodeTransform {
    /// The transform that a matrix stands for, and whether the matrix has shear, which the transform leaves out.
    #[cfg(any(feature = "gltf", feature = "usd"))]
    pub fn from_affine(affine: &Affine) -> (Self, bool) {
        let (rotation, shape) = split(affine.linear);
        let (scale, has_shear) = match shape {
            Shape::Diagonal(scale) => (scale, false),
            Shape::Matrix(matrix) => (Vec3::new(matrix.x_axis.x, matrix.y_axis.y, matrix.z_axis.z), true),
        };
        (Self { translation: affine.translation, rotation, scale }, has_shear)
    }
}

/// A linear map and a translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Affine {
    pub linear: Mat3,
    pub translation: Vec3,
}

impl Affine {
    pub const IDENTITY: Self = Self { linear: Mat3::IDENTITY, translation: Vec3::ZERO };

    /// The map that applies `child` first.
    pub fn then(&self, child: &Self) -> Self {
        Self {
            linear: self.linear * child.linear,
            translation: self.translation + self.linear * child.translation,
        }
    }
}

impl From<&NodeTransform> for Affine {
    fn from(node: &NodeTransform) -> Self {
        let linear = Mat3::from_quat(node.rotation) * Mat3::from_diagonal(node.scale);
        Self { linear, translation: node.translation }
    }
}

/// The scales above and in a node, in the axes of its joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    /// A scale along each axis; negative where the axis is mirrored.
    Diagonal(Vec3),
    /// A node that turns below a scale that differs from axis to axis.
    Matrix(Mat3),
}

impl Shape {
    const ONE: Self = Self::Diagonal(Vec3::ONE);

    pub fn apply(&self, v: Vec3) -> Vec3 {
        match self {
            Self::Diagonal(scale) => *scale * v,
            Self::Matrix(matrix) => *matrix * v,
        }
    }

    /// The transform of a skin to a node as the transform to its joint: with the scales above and in the node.
    #[cfg(any(feature = "fbx", feature = "gltf"))]
    pub fn bind(&self, to_node: &Affine) -> BindTransform {
        let shape = match self {
            Self::Diagonal(scale) => Mat3::from_diagonal(*scale),
            Self::Matrix(matrix) => *matrix,
        };
        BindTransform { linear: shape * to_node.linear, translation: shape * to_node.translation }
    }

    /// The vector that the shape maps to `v`. Along an axis of scale 0 there is none, and 0 is returned.
    fn apply_inverse(&self, v: Vec3) -> Vec3 {
        match self {
            Self::Diagonal(scale) => {
                let part = |n: usize| if scale[n] == 0.0 { 0.0 } else { v[n] / scale[n] };
                Vec3::new(part(0), part(1), part(2))
            }
            Self::Matrix(matrix) if matrix.determinant() == 0.0 => Vec3::ZERO,
            Self::Matrix(matrix) => matrix.inverse() * v,
        }
    }

    /// A rotation below this shape as a rotation of the joint, and the reverse: mirrored axes turn it the other way.
    fn mirror(&self, q: Quat) -> Quat {
        let Self::Diagonal(scale) = self else { return q };
        let sign = |n: usize| if scale[n] < 0.0 { -1.0 } else { 1.0 };
        let [x, y, z] = [sign(0), sign(1), sign(2)];
        Quat::from_xyzw(q.x * y * z, q.y * z * x, q.z * x * y, q.w)
    }

    /// This shape without the scale `own`, which it ends with. A scale of 0 stays.
    fn without(&self, own: Vec3) -> Self {
        let inverse = own.map(|scale| if scale == 0.0 { 1.0 } else { 1.0 / scale });
        match self {
            Self::Diagonal(scale) => Self::Diagonal(*scale * inverse),
            Self::Matrix(matrix) => Self::Matrix(*matrix * Mat3::from_diagonal(inverse)),
        }
    }

    /// The shape of a node below this one.
    fn below(&self, rotation: Quat, scale: Vec3) -> Self {
        match self {
            Self::Diagonal(own) if own.x.abs() == own.y.abs() && own.y.abs() == own.z.abs() => {
                Self::Diagonal(*own * scale)
            }
            _ => {
                let own = match self {
                    Self::Diagonal(own) => Mat3::from_diagonal(*own),
                    Self::Matrix(matrix) => *matrix,
                };
                let turned = Mat3::from_quat(self.mirror(rotation)).transpose() * own;
                Self::Matrix(turned * Mat3::from_quat(rotation) * Mat3::from_diagonal(scale))
            }
        }
    }
}

/// Divides a linear map into a rotation and a shape.
fn split(linear: Mat3) -> (Quat, Shape) {
    let [x, y, z] = [linear.x_axis, linear.y_axis, linear.z_axis];
    let lengths = Vec3::new(x.length(), y.length(), z.length());
    if !(lengths.min_element() > 0.0 && linear.is_finite()) {
        // A scale of 0 leaves nothing to see of the rotation.
        return (Quat::IDENTITY, Shape::Matrix(linear));
    }
    let sign = if linear.determinant() < 0.0 { -1.0 } else { 1.0 };
    let axis_x = x / (lengths.x * sign);
    let axis_y = (y - axis_x * axis_x.dot(y)).normalize_or(axis_x.any_orthonormal_vector());
    let rotation = Quat::from_mat3(&Mat3::from_cols(axis_x, axis_y, axis_x.cross(axis_y))).normalize();
    /// Sine of an angle between axes below which their angle is rounding in the file.
    const SHEAR: f64 = 1e-5;
    let cosines = [x.dot(y) / (lengths.x * lengths.y), y.dot(z) / (lengths.y * lengths.z)];
    let is_sheared =
        cosines.into_iter().chain([z.dot(x) / (lengths.z * lengths.x)]).any(|cos| cos.abs() > SHEAR);
    let shape = match is_sheared {
        true => Shape::Matrix(Mat3::from_quat(rotation).transpose() * linear),
        false => Shape::Diagonal(lengths * Vec3::new(sign, 1.0, 1.0)),
    };
    (rotation, shape)
}

/// How the scale of a node passes to its children.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(not(feature = "fbx"), allow(dead_code, reason = "in other formats all scales pass as matrices"))]
pub(crate) enum ScaleInheritance {
    /// As a matrix, along the axes of the node above. All formats have it; FBX calls it `RSrs`.
    #[default]
    Matrix,
    /// Axis by axis: X scales X of the child, however the child is turned. FBX calls it `RrSs`.
    Axes,
    /// Not at all: only the translation of the child is scaled. FBX calls it `Rrs`, and Maya compensation of scale.
    Translation,
}

/// The scales that a node ends with and what its children inherit of them.
#[derive(Clone, Copy)]
struct Scales {
    /// The scale of the node together with what it has inherited axis by axis.
    own: Vec3,
    /// What the node has inherited axis by axis.
    inherited: Vec3,
}

impl Scales {
    const ONE: Self = Self { own: Vec3::ONE, inherited: Vec3::ONE };

    /// The scales of a child of this scale.
    fn below(&self, inheritance: ScaleInheritance, scale: Vec3) -> Self {
        let inherited = match inheritance {
            ScaleInheritance::Matrix => Vec3::ONE,
            ScaleInheritance::Axes => self.own,
            ScaleInheritance::Translation => self.inherited,
        };
        Self { own: scale * inherited, inherited }
    }
}

/// What the parent of a joint contributes to its transform.
#[derive(Clone, Copy)]
struct Parent {
    /// Where the offset of the joint starts.
    origin: Vec3,
    /// The rotation between the parent of the pose and the node above: that of the base for a root, else none.
    rotation: Option<Quat>,
    /// The shape that translations have.
    shape: Shape,
    /// The shape that rotations and scales have: without the scale of the parent, if that does not pass as a matrix.
    turned: Shape,
}

/// What is above a root: where it starts, how it is turned, and its scales.
#[derive(Clone, Copy, Debug)]
struct Base {
    origin: Vec3,
    rotation: Quat,
    shape: Shape,
}

/// Converts the nodes of a skeleton.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeTransforms {
    /// For each joint, the index of its parent.
    parents: Vec<Option<usize>>,
    /// What is above each root; unused for other joints.
    bases: Vec<Option<Base>>,
    /// Whether a base has a scale.
    has_scaled_base: bool,
    /// How scales pass to each joint; empty where all pass as matrices.
    inheritance: Vec<ScaleInheritance>,
}

impl NodeTransforms {
    /// `bases` has the matrix above each root; `None` stands for the identity.
    pub fn new(skeleton: &Skeleton, bases: Vec<Option<Affine>>) -> Self {
        let parents =
            skeleton.joints().iter().map(|joint| joint.parent.map(|parent| parent.index())).collect();
        let base = |base: Affine| {
            let (rotation, shape) = split(base.linear);
            Base { origin: base.translation, rotation, shape }
        };
        let bases: Vec<Option<Base>> = bases.into_iter().map(|one| one.map(base)).collect();
        let has_scaled_base = bases.iter().flatten().any(|base| base.shape != Shape::ONE);
        Self { parents, bases, has_scaled_base, inheritance: Vec::new() }
    }

    /// The same with scales that pass to each joint in these ways.
    #[cfg(feature = "fbx")]
    pub fn with_inheritance(self, inheritance: Vec<ScaleInheritance>) -> Self {
        let is_needed = inheritance.iter().any(|one| *one != ScaleInheritance::Matrix);
        Self { inheritance: if is_needed { inheritance } else { Vec::new() }, ..self }
    }

    fn parent(&self, joint: usize, shapes: &[Shape], scales: &[Scales]) -> Parent {
        let (origin, rotation, shape) = match (self.parents[joint], &self.bases[joint]) {
            (Some(parent), _) => (Vec3::ZERO, None, shapes[parent]),
            (None, None) => (Vec3::ZERO, None, Shape::ONE),
            (None, Some(base)) => (base.origin, Some(base.rotation), base.shape),
        };
        let turned = match (self.inheritance.get(joint), self.parents[joint]) {
            (None | Some(ScaleInheritance::Matrix), _) | (_, None) => shape,
            (_, Some(parent)) => shape.without(scales[parent].own),
        };
        Parent { origin, rotation, shape, turned }
    }

    /// Adds the shape of a joint, and its scales where they do not all pass as matrices.
    fn push(&self, node: &NodeTransform, turned: Shape, shapes: &mut Vec<Shape>, scales: &mut Vec<Scales>) {
        let joint = shapes.len();
        let Some(&inheritance) = self.inheritance.get(joint) else {
            shapes.push(turned.below(node.rotation, node.scale));
            return;
        };
        let above = self.parents[joint].map_or(Scales::ONE, |parent| scales[parent]);
        let own = above.below(inheritance, node.scale);
        shapes.push(turned.below(node.rotation, own.own));
        scales.push(own);
    }

    /// Whether no node and no base has a scale: then shapes change nothing.
    fn is_rigid(&self, nodes: &[NodeTransform]) -> bool {
        !self.has_scaled_base && nodes.iter().all(|node| node.scale == Vec3::ONE)
    }

    /// The pose of the nodes, and the shape of each.
    pub fn to_pose(&self, nodes: &[NodeTransform], pose: &mut Pose) -> Vec<Shape> {
        self.pose(nodes, pose).unwrap_or_else(|| vec![Shape::ONE; nodes.len()])
    }

    /// The pose of the nodes, and the shape of each; `None` where nothing has a scale.
    pub fn pose(&self, nodes: &[NodeTransform], pose: &mut Pose) -> Option<Vec<Shape>> {
        pose.offsets.clear();
        pose.rotations.clear();
        if self.is_rigid(nodes) {
            pose.offsets.extend(nodes.iter().map(|node| node.translation));
            pose.rotations.extend(nodes.iter().map(|node| node.rotation));
            for (joint, base) in self.bases.iter().enumerate() {
                if let (Some(base), None) = (base, self.parents[joint]) {
                    pose.offsets[joint] = base.origin + base.rotation * pose.offsets[joint];
                    pose.rotations[joint] = base.rotation * pose.rotations[joint];
                }
            }
            return None;
        }
        let (mut shapes, mut scales) = (Vec::with_capacity(nodes.len()), Vec::new());
        for (joint, node) in nodes.iter().enumerate() {
            let Parent { origin, rotation, shape, turned } = self.parent(joint, &shapes, &scales);
            let (mut offset, mut own) = (shape.apply(node.translation), turned.mirror(node.rotation));
            if let Some(rotation) = rotation {
                (offset, own) = (origin + rotation * offset, rotation * own);
            }
            pose.offsets.push(offset);
            pose.rotations.push(own);
            self.push(node, turned, &mut shapes, &mut scales);
        }
        Some(shapes)
    }

    /// Changes the nodes so that they have another pose. Nodes whose offset or rotation is the captured one bit for bit
    /// keep their translation or rotation.
    ///
    /// `captured` is the pose of `nodes`, and `shapes` their shapes, as [`Self::pose`] returns them.
    pub fn to_nodes(
        &self,
        pose: &Pose,
        captured: &Pose,
        shapes: Option<&[Shape]>,
        nodes: &mut [NodeTransform],
    ) {
        let Some(shapes) = shapes else {
            self.to_rigid_nodes(pose, captured, nodes);
            return;
        };
        let (mut new_shapes, mut scales) = (Vec::with_capacity(nodes.len()), Vec::new());
        for (joint, node) in nodes.iter_mut().enumerate() {
            let Parent { origin, rotation, shape, turned } = self.parent(joint, &new_shapes, &scales);
            let is_same_shape = self.parents[joint].is_none_or(|parent| shapes[parent] == shape);
            let inverse = rotation.map(|rotation| rotation.conjugate());
            if pose.offsets[joint] != captured.offsets[joint] || !is_same_shape {
                let offset = pose.offsets[joint] - origin;
                node.translation = shape.apply_inverse(inverse.map_or(offset, |inverse| inverse * offset));
            }
            if pose.rotations[joint] != captured.rotations[joint] {
                let own = pose.rotations[joint];
                node.rotation = turned.mirror(inverse.map_or(own, |inverse| inverse * own));
            }
            self.push(node, turned, &mut new_shapes, &mut scales);
        }
    }
}

impl NodeTransforms {
    /// The same where nothing has a scale.
    fn to_rigid_nodes(&self, pose: &Pose, captured: &Pose, nodes: &mut [NodeTransform]) {
        for (joint, node) in nodes.iter_mut().enumerate() {
            let base = self.bases[joint].filter(|_| self.parents[joint].is_none());
            let inverse = base.map(|base| (base.origin, base.rotation.conjugate()));
            let (offset, rotation) = (pose.offsets[joint], pose.rotations[joint]);
            if offset != captured.offsets[joint] {
                node.translation = inverse.map_or(offset, |(origin, inverse)| inverse * (offset - origin));
            }
            if rotation != captured.rotations[joint] {
                node.rotation = inverse.map_or(rotation, |(_, inverse)| inverse * rotation);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::math::axis_rotation;
    use surefoot_core::{Joint, JointId};

    fn chain() -> Skeleton {
        let joint = |parent: Option<u32>| Joint {
            name: String::new(),
            parent: parent.map(JointId),
            offset: Vec3::ZERO,
            end: None,
        };
        Skeleton::new(vec![joint(None), joint(Some(0)), joint(Some(1)), joint(Some(2))]).unwrap()
    }

    fn nodes(scales: [Vec3; 4]) -> Vec<NodeTransform> {
        let turn = |n: usize| axis_rotation(n % 3, 0.4 + n as f64) * axis_rotation((n + 1) % 3, -0.7);
        (0..4)
            .map(|n| NodeTransform {
                translation: Vec3::new(0.1, 1.0 + n as f64, -0.3),
                rotation: turn(n),
                scale: scales[n],
            })
            .collect()
    }

    /// World positions by multiplying matrices, without poses.
    fn positions(base: &Affine, nodes: &[NodeTransform]) -> Vec<Vec3> {
        let mut world = *base;
        let place = |node: &NodeTransform| {
            world = world.then(&Affine::from(node));
            world.translation
        };
        nodes.iter().map(place).collect()
    }

    fn check(base: Affine, scales: [Vec3; 4]) {
        let (skeleton, nodes) = (chain(), nodes(scales));
        let transforms = NodeTransforms::new(&skeleton, vec![Some(base), None, None, None]);
        let mut pose = Pose::default();
        let shapes = transforms.pose(&nodes, &mut pose);
        let near = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).all(|(a, b)| a.distance(*b) < 1e-12);
        assert!(near(&pose.world(&skeleton).positions, &positions(&base, &nodes)));
        let mut same = nodes.clone();
        transforms.to_nodes(&pose, &pose, shapes.as_deref(), &mut same);
        assert_eq!(same, nodes, "an unchanged pose changes no node");
        let mut edited = pose.clone();
        edited.offsets[0] += Vec3::new(0.1, 0.2, 0.3);
        edited.rotations[1] *= axis_rotation(0, 0.3);
        edited.offsets[3] *= 1.02;
        let mut changed = nodes.clone();
        transforms.to_nodes(&edited, &pose, shapes.as_deref(), &mut changed);
        assert!(near(&edited.world(&skeleton).positions, &positions(&base, &changed)));
    }

    #[test]
    fn positions_are_exact_for_every_scale() {
        let one = Vec3::ONE;
        let turned = |scale: Vec3| Affine {
            linear: Mat3::from_quat(axis_rotation(0, -1.5)) * Mat3::from_diagonal(scale),
            translation: Vec3::new(3.0, 0.0, 1.0),
        };
        check(Affine::IDENTITY, [one; 4]);
        check(turned(one), [one; 4]);
        check(turned(one * 0.01), [one; 4]);
        check(turned(Vec3::new(-1.0, 1.0, 1.0)), [one, one * 2.0, one, one]);
        check(turned(Vec3::new(1.0, 2.0, 3.0)), [one, Vec3::new(0.5, 1.0, 1.0), one, one]);
        check(turned(one), [one, Vec3::new(1.0, 1.0, -1.0), Vec3::new(2.0, -2.0, 2.0), one]);
    }

    #[test]
    fn a_uniform_scale_above_leaves_translations_below_a_turned_joint_alone() {
        let base = Affine { linear: Mat3::from_diagonal(Vec3::splat(-0.01)), translation: Vec3::ZERO };
        let (skeleton, nodes) = (chain(), nodes([Vec3::ONE; 4]));
        let transforms = NodeTransforms::new(&skeleton, vec![Some(base), None, None, None]);
        let mut pose = Pose::default();
        let shapes = transforms.pose(&nodes, &mut pose);
        let mut edited = pose.clone();
        edited.rotations[1] *= axis_rotation(0, 0.3);
        let mut changed = nodes.clone();
        transforms.to_nodes(&edited, &pose, shapes.as_deref(), &mut changed);
        let translations = |nodes: &[NodeTransform]| nodes.iter().map(|n| n.translation).collect::<Vec<_>>();
        assert_eq!(translations(&changed), translations(&nodes));
    }
}
