//! Evaluates the transforms of a node at all frames.
//!
//! Transforms are computed from local values wherever that gives what `ufbx` gives: `ufbx` converts angles with the sine
//! of the platform, whose last bit differs between platforms and in a browser, and a file must be read to the same bits
//! everywhere. Most files have one layer, with keys at the frames: then the keys are the local values. This takes a tenth
//! of the time of evaluating every property of the node at every frame.

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
        computed(node, anim, &joint, times).unwrap_or_else(|| evaluated(node, anim, times));
    NodeSamples { joint, transforms, rotations }
}

/// The transforms from the local values, if they are those that the reader evaluates.
fn computed(
    node: &ufbx::Node,
    anim: &ufbx::Anim,
    joint: &FbxJoint,
    times: &[f64],
) -> Option<(Vec<NodeTransform>, Vec<Vec3>)> {
    if !joint.is_exact {
        return None;
    }
    let [translations, rotations, scales] = ["Lcl Translation", "Lcl Rotation", "Lcl Scaling"]
        .map(|name| from_keys(node, anim, name, times).unwrap_or_else(|| values(node, anim, name, times)));
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
    (times.iter().map(at).collect(), values(node, anim, "Lcl Rotation", times))
}

/// The values of a property that the reader evaluates.
fn values(node: &ufbx::Node, anim: &ufbx::Anim, name: &str, times: &[f64]) -> Vec<Vec3> {
    let at = |time: &f64| {
        let value = ufbx::evaluate_prop(anim, &node.element, name, *time).value_vec4;
        Vec3::new(value.x, value.y, value.z)
    };
    times.iter().map(at).collect()
}

/// The values of a property from the keys of the only layer, which is not blended with anything; `None` with several.
fn from_keys(node: &ufbx::Node, anim: &ufbx::Anim, name: &str, times: &[f64]) -> Option<Vec<Vec3>> {
    let layer = anim.layers.iter().next().filter(|_| anim.layers.len() == 1)?;
    Some(match ufbx::find_anim_prop(layer, &node.element, name) {
        Some(property) => property_values(&property.anim_value, times),
        None => vec![values(node, anim, name, &times[..1])[0]; times.len()],
    })
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
