//! Evaluates the transforms of a node at all frames.
//!
//! Most files have one layer, with keys at the frames: then the keys are the local values, and the parts of a transform
//! that no curve changes are known from the first frame. This takes a tenth of the time of evaluating every property of
//! the node at every frame, which is done for all other nodes.

use surefoot_core::Vec3;

use super::joint::{FbxJoint, fbx_joint, transform, vector};
use crate::node_transforms::NodeTransform;

/// Distance of a key from a frame that is rounding of the key's time, in seconds.
const AT_KEY: f64 = 1e-7;
/// Largest difference from the evaluated transform that is rounding: of offsets and scales relative to their size, and of
/// the cosine of half the angle.
const ROUNDING: f64 = 1e-9;

/// A node at all frames.
pub(super) struct NodeSamples {
    pub joint: FbxJoint,
    pub transforms: Vec<NodeTransform>,
    /// The local rotations in degrees.
    pub rotations: Vec<Vec3>,
}

/// Evaluates a node at these times, which rise.
pub(super) fn sample(node: &ufbx::Node, anim: &ufbx::Anim, times: &[f64]) -> NodeSamples {
    let joint = fbx_joint(node, anim, times.first().copied().unwrap_or(0.0));
    let (transforms, rotations) =
        from_keys(node, anim, &joint, times).unwrap_or_else(|| evaluated(node, anim, times));
    NodeSamples { joint, transforms, rotations }
}

/// The transforms from the keys of the only layer, if they are those that the reader evaluates.
fn from_keys(
    node: &ufbx::Node,
    anim: &ufbx::Anim,
    joint: &FbxJoint,
    times: &[f64],
) -> Option<(Vec<NodeTransform>, Vec<Vec3>)> {
    let layer = anim.layers.iter().next()?;
    if anim.layers.len() != 1 || !joint.is_exact || layer.blended || layer.additive {
        return None;
    }
    let scale = ufbx::evaluate_prop(anim, &node.element, "Lcl Scaling", times[0]).value_vec4;
    let scale = Vec3::new(scale.x, scale.y, scale.z);
    let values = |name: &str, constant: Vec3| match ufbx::find_anim_prop(layer, &node.element, name) {
        Some(property) => property_values(&property.anim_value, times),
        None => vec![constant; times.len()],
    };
    let translations = values("Lcl Translation", joint.translation);
    let rotations = values("Lcl Rotation", joint.rotation);
    let scales = values("Lcl Scaling", scale);
    let local = |frame: usize| {
        let (translation, rotation) = joint.local(translations[frame], rotations[frame], scales[frame]);
        NodeTransform { translation, rotation, scale: scales[frame] }
    };
    let transforms: Vec<NodeTransform> = (0..times.len()).map(local).collect();
    // Other animated properties, such as pivots, show at one of these frames.
    let last = times.len() - 1;
    let is_same = |frame: usize| {
        let own = transform(&ufbx::evaluate_transform(anim, node, times[frame]));
        let near = |a: Vec3, b: Vec3| a.distance(b) <= ROUNDING * (1.0 + a.length());
        let NodeTransform { translation, rotation, scale } = transforms[frame];
        near(translation, own.translation)
            && near(scale, own.scale)
            && rotation.dot(own.rotation).abs() > 1.0 - ROUNDING
    };
    [0, last / 3, last / 2, last].into_iter().all(is_same).then_some((transforms, rotations))
}

fn evaluated(node: &ufbx::Node, anim: &ufbx::Anim, times: &[f64]) -> (Vec<NodeTransform>, Vec<Vec3>) {
    let at = |time: &f64| transform(&ufbx::evaluate_transform(anim, node, *time));
    let degrees = |time: &f64| {
        let value = ufbx::evaluate_prop(anim, &node.element, "Lcl Rotation", *time).value_vec4;
        vector(ufbx::Vec3 { x: value.x, y: value.y, z: value.z })
    };
    (times.iter().map(at).collect(), times.iter().map(degrees).collect())
}

/// The values of an animated property at rising times.
fn property_values(value: &ufbx::AnimValue, times: &[f64]) -> Vec<Vec3> {
    let mut values = vec![vector(value.default_value); times.len()];
    for (axis, curve) in value.curves.iter().enumerate() {
        let Some(curve) = curve else { continue };
        let default = values[0][axis];
        let mut key = 0;
        for (value, &time) in values.iter_mut().zip(times) {
            while key < curve.keyframes.len() && curve.keyframes[key].time < time - AT_KEY {
                key += 1;
            }
            let at_key = curve.keyframes.get(key).filter(|key| (key.time - time).abs() <= AT_KEY);
            value[axis] = at_key.map_or_else(|| ufbx::evaluate_curve(curve, time, default), |key| key.value);
        }
    }
    values
}
