//! Reads the joints and, with `samples.rs`, their transforms at every frame.

use surefoot_core::{Joint, JointId, Pose, Skeleton, UpAxis, Vec3};
use surefoot_infer::SkinMesh;

use super::joint::{FbxJoint, transform};
use super::samples::{NodeSamples, sample};
use super::{FbxError, binary, text};
use crate::node_joints::Forest;
use crate::node_transforms::{Affine, NodeTransform, NodeTransforms, ScaleInheritance};
use crate::source::{Animation, Contents, JointTracks, Skin, StatedSpace, Track};

/// Change of an offset relative to the longest one, and of a scale, that is rounding in the file.
const ROUNDING: f64 = 1e-5;
/// Memory for the transforms of a motion beyond 20 times the size of its file, in bytes.
const TRANSFORMS_BYTES: usize = 1 << 25;

/// Memory that each of the reader's two allocators may take beyond a multiple of the size of a file, in bytes.
const MEMORY_BESIDES: usize = 1 << 24;

/// The joints of a file and their transforms.
#[derive(Clone, Debug, Default)]
pub(super) struct FbxScene {
    pub skeleton: Skeleton,
    pub transforms: NodeTransforms,
    /// The object of each joint's node, which its curves are connected to.
    pub ids: Vec<ObjectId>,
    pub joints: Vec<FbxJoint>,
    /// The transforms of all joints, frame by frame.
    pub frames: Vec<Vec<NodeTransform>>,
    /// The local rotations of all joints in degrees, frame by frame.
    pub rotations: Vec<Vec<Vec3>>,
    /// The time of the first frame, in seconds.
    pub start: f64,
    pub fps: f64,
    pub contents: Contents,
    pub space: Option<StatedSpace>,
    /// The properties of each joint that have curves.
    pub tracks: Vec<JointTracks>,
    /// The object of the animation stack.
    pub stack: ObjectId,
    /// The version of the file: 7400 is 7.4.
    pub version: u32,
    /// The units of time of the file in a second.
    pub ticks_per_second: f64,
    /// The meshes that follow the joints.
    pub skins: Vec<SkinMesh>,
    /// The plants file that the first joint holds.
    pub plants: Option<Vec<u8>>,
}

impl FbxScene {
    pub fn read(bytes: &[u8], wanted: Option<&str>, fps: Option<f64>) -> Result<Self, FbxError> {
        let scene = ufbx::load_memory(bytes, load_options(bytes)).map_err(|error| refusal(&error, bytes))?;
        let chosen = choose_stack(&scene, wanted)?;
        Builder { scene: &scene, size: bytes.len() }.build(chosen, fps)
    }
}

/// Why the reader refused a file.
fn refusal(error: &ufbx::Error, bytes: &[u8]) -> FbxError {
    let size = bytes.len();
    let is_cut_off = || match bytes.starts_with(binary::MAGIC) {
        true => binary::is_cut_off(bytes),
        false => text::is_cut_off(bytes),
    };
    FbxError(match error.type_ {
        ufbx::ErrorType::MemoryLimit | ufbx::ErrorType::AllocationLimit => {
            format!("the FBX file of {size} bytes states more data than it can hold")
        }
        kind if kind == ufbx::ErrorType::TruncatedFile || is_cut_off() => {
            format!(
                "the FBX file ends after {size} bytes, inside a record: it was not written or copied as a whole"
            )
        }
        _ => {
            format!("found an FBX file with a mistake, expected one that ufbx reads: {}", &*error.description)
        }
    })
}

/// How a file is read.
pub(super) fn load_options(bytes: &[u8]) -> ufbx::LoadOpts<'static> {
    // A damaged file can state arrays of any length. A text has none that are compressed.
    let times = if bytes.starts_with(binary::MAGIC) { 20 } else { 5 };
    let limit = MEMORY_BESIDES + times * bytes.len();
    let memory = || ufbx::AllocatorOpts { memory_limit: limit, ..Default::default() };
    ufbx::LoadOpts {
        temp_allocator: memory(),
        result_allocator: memory(),
        retain_dom: true,
        ignore_embedded: true,
        skip_mesh_parts: true,
        load_external_files: false,
        ..Default::default()
    }
}

/// The animation of a name or number, or the first one that has curves of nodes.
fn choose_stack(scene: &ufbx::Scene, wanted: Option<&str>) -> Result<usize, FbxError> {
    let stacks = &scene.anim_stacks;
    let Some(wanted) = wanted else {
        let moves = |stack: &ufbx::AnimStack| {
            stack
                .layers
                .iter()
                .any(|layer| layer.anim_values.iter().any(|value| value.curves.iter().any(Option::is_some)))
        };
        return Ok(stacks.iter().position(|stack| moves(stack)).unwrap_or(0));
    };
    let named = stacks.iter().position(|stack| &*stack.element.name == wanted);
    let numbered = wanted.parse().ok().filter(|&number: &usize| number < stacks.len());
    named.or(numbered).ok_or_else(|| {
        let names: Vec<&str> = stacks.iter().map(|stack| &*stack.element.name).collect();
        FbxError(format!("animations: found none that is called {wanted:?}, expected {names:?}"))
    })
}

struct Builder<'s> {
    scene: &'s ufbx::Scene,
    size: usize,
}

impl Builder<'_> {
    fn build(&self, chosen: usize, fps: Option<f64>) -> Result<FbxScene, FbxError> {
        let nodes: Vec<&ufbx::Node> = self.scene.nodes.iter().map(|node| &**node).collect();
        let stack = self.scene.anim_stacks.get(chosen);
        let anim: &ufbx::Anim = stack.map_or(&self.scene.anim, |stack| &stack.anim);
        let (start, end) = stack.map_or((0.0, 0.0), |stack| (stack.time_begin, stack.time_end));
        let fps = fps.unwrap_or(self.scene.settings.frames_per_second);
        let fps = if fps.is_finite() && fps > 0.0 { fps } else { 30.0 };
        let count = ((end - start).max(0.0) * fps).round().min(4e9) as usize + 1;
        let forest = self.forest(&nodes);
        let tracks = self.tracks(&nodes, stack.map(|stack| &**stack));
        let is_skin = self.skin_joints(&nodes);
        let is_animated: Vec<bool> = tracks.iter().map(|tracks| !tracks.is_empty()).collect();
        let needed = count.saturating_mul(nodes.len()).saturating_mul(core::mem::size_of::<NodeTransform>());
        if needed > TRANSFORMS_BYTES.saturating_add(20 * self.size) {
            return Err(FbxError(format!(
                "found {count} frames of {} nodes, expected a motion that fits into memory",
                nodes.len()
            )));
        }
        let time = |frame: usize| start + frame as f64 / fps;
        let times: Vec<f64> = (0..count).map(time).collect();
        let samples: Vec<NodeSamples> = nodes.iter().map(|node| sample(node, anim, &times)).collect();
        let is_moving: Vec<bool> = samples
            .iter()
            .map(|node| node.transforms.iter().any(|transform| *transform != node.transforms[0]))
            .collect();
        let mut is_joint = forest.joints(is_skin, &is_animated, &is_moving);
        // The root of the scene stands for the world.
        nodes.iter().zip(&mut is_joint).for_each(|(node, is_joint)| *is_joint &= !node.is_root);
        let order: Vec<usize> = forest.order.iter().copied().filter(|&n| is_joint[n]).collect();
        if order.is_empty() {
            return Err(FbxError("found no skin and no animation of nodes, expected joints to move".into()));
        }
        let mut scene = self.skeleton(&nodes, &forest, &order, &samples);
        scene.joints = order.iter().map(|&n| samples[n].joint.clone()).collect();
        scene.rotations =
            (0..count).map(|frame| order.iter().map(|&n| samples[n].rotations[frame]).collect()).collect();
        scene.ids = order.iter().map(|&n| object_id(&nodes[n].element)).collect();
        scene.stack = stack.map_or_else(ObjectId::default, |stack| object_id(&stack.element));
        scene.version = self.scene.metadata.version;
        scene.ticks_per_second = self.scene.metadata.ktime_second as f64;
        scene.contents = self.contents(chosen);
        scene.tracks = order.iter().map(|&n| tracks[n].clone()).collect();
        scene.space = self.space();
        let stored = ufbx::find_prop(&nodes[order[0]].element.props, super::contacts::PLANTS);
        scene.plants = stored.map(|property| property.value_str.as_bytes().to_vec());
        let shapes = scene.transforms.to_pose(&scene.frames[0], &mut Pose::default());
        scene.skins = super::skin::meshes(self.scene, self.size, &order, &shapes);
        Ok(FbxScene { start, fps, ..scene })
    }

    fn forest(&self, nodes: &[&ufbx::Node]) -> Forest {
        let parent = |node: &&ufbx::Node| node.parent.as_ref().map(|parent| parent.element.typed_id as usize);
        let parents: Vec<Option<usize>> = nodes.iter().map(parent).collect();
        let mut order: Vec<usize> = Vec::with_capacity(nodes.len());
        let mut open: Vec<usize> = (0..nodes.len()).rev().filter(|&n| parents[n].is_none()).collect();
        while let Some(node) = open.pop() {
            order.push(node);
            open.extend(nodes[node].children.iter().map(|child| child.element.typed_id as usize).rev());
        }
        Forest { parents, order }
    }

    fn skin_joints(&self, nodes: &[&ufbx::Node]) -> Vec<bool> {
        let mut is_joint: Vec<bool> = nodes.iter().map(|node| node.bone.is_some()).collect();
        for cluster in &self.scene.skin_clusters {
            if let Some(bone) = &cluster.bone_node {
                is_joint[bone.element.typed_id as usize] = true;
            }
        }
        is_joint
    }

    /// The properties of each node that have curves.
    fn tracks(&self, nodes: &[&ufbx::Node], stack: Option<&ufbx::AnimStack>) -> Vec<JointTracks> {
        let mut tracks = vec![JointTracks::new(); nodes.len()];
        let layers = stack.into_iter().flat_map(|stack| &stack.layers);
        for prop in layers.flat_map(|layer| &layer.anim_props) {
            let track = match &*prop.prop_name {
                "Lcl Translation" => Track::Translation,
                "Lcl Rotation" => Track::Rotation,
                "Lcl Scaling" => Track::Scale,
                _ => continue,
            };
            let own = tracks.get_mut(prop.element.typed_id as usize);
            if let Some(own) = own.filter(|_| prop.element.type_ == ufbx::ElementType::Node) {
                own.push(track);
                own.sort_by_key(|track| {
                    [Track::Translation, Track::Rotation, Track::Scale].iter().position(|t| t == track)
                });
                own.dedup();
            }
        }
        tracks
    }

    fn skeleton(
        &self,
        nodes: &[&ufbx::Node],
        forest: &Forest,
        order: &[usize],
        samples: &[NodeSamples],
    ) -> FbxScene {
        let mut index_of = vec![None; nodes.len()];
        let (mut joints, mut bases) = (Vec::new(), Vec::new());
        for (index, &n) in order.iter().enumerate() {
            index_of[n] = Some(index);
            let parent = forest.parents[n].and_then(|parent| index_of[parent]);
            let name = nodes[n].element.name.to_string();
            joints.push(Joint {
                name,
                parent: parent.map(|p| JointId(p as u32)),
                offset: Vec3::ZERO,
                end: None,
            });
            let base = forest.ancestors(n).fold(Affine::IDENTITY, |base, above| {
                Affine::from(&samples[above].transforms[0]).then(&base)
            });
            bases.push(Some(base).filter(|base| parent.is_none() && *base != Affine::IDENTITY));
        }
        let count = samples[order[0]].transforms.len();
        let mut frames: Vec<Vec<NodeTransform>> =
            (0..count).map(|frame| order.iter().map(|&n| samples[n].transforms[frame]).collect()).collect();
        fix_still(&mut frames, &joints);
        let rest: Vec<NodeTransform> = order
            .iter()
            .enumerate()
            .map(|(index, &n)| {
                let is_still =
                    frames.iter().all(|frame| frame[index].translation == frames[0][index].translation);
                let rest = transform(&nodes[n].local_transform);
                if is_still {
                    NodeTransform { translation: frames[0][index].translation, ..rest }
                } else {
                    rest
                }
            })
            .collect();
        let bare = Skeleton::new(joints).unwrap_or_default();
        let inheritance = |&n: &usize| match nodes[n].inherit_mode {
            ufbx::InheritMode::IgnoreParentScale => ScaleInheritance::Translation,
            ufbx::InheritMode::ComponentwiseScale => ScaleInheritance::Axes,
            _ => ScaleInheritance::Matrix,
        };
        let has_scales = frames.iter().flatten().chain(&rest).any(|node| node.scale != Vec3::ONE);
        let inheritance = order.iter().filter(|_| has_scales).map(inheritance).collect();
        let transforms = NodeTransforms::new(&bare, bases).with_inheritance(inheritance);
        let mut pose = Pose::default();
        transforms.to_pose(&rest, &mut pose);
        let joint = |(joint, &offset): (&Joint, &Vec3)| Joint { offset, ..joint.clone() };
        let skeleton = Skeleton::new(bare.joints().iter().zip(&pose.offsets).map(joint).collect());
        FbxScene { skeleton: skeleton.unwrap_or_default(), transforms, frames, ..FbxScene::default() }
    }

    fn contents(&self, chosen: usize) -> Contents {
        let animation = |stack: &ufbx::AnimStack| Animation {
            name: stack.element.name.to_string(),
            seconds: stack.time_end - stack.time_begin,
            tracks: stack.layers.iter().map(|layer| layer.anim_values.len()).sum(),
        };
        let skin = |skin: &ufbx::SkinDeformer| Skin {
            name: skin.element.name.to_string(),
            joints: skin.clusters.len(),
            vertices: skin.vertices.len(),
        };
        Contents {
            animations: self.scene.anim_stacks.iter().map(|stack| animation(stack)).collect(),
            chosen,
            skins: self.scene.skin_deformers.iter().map(|one| skin(one)).collect(),
        }
    }

    fn space(&self) -> Option<StatedSpace> {
        let settings = &self.scene.settings;
        let (axis, negative) = match settings.axes.up {
            ufbx::CoordinateAxis::PositiveX => (0, false),
            ufbx::CoordinateAxis::NegativeX => (0, true),
            ufbx::CoordinateAxis::PositiveY => (1, false),
            ufbx::CoordinateAxis::NegativeY => (1, true),
            ufbx::CoordinateAxis::PositiveZ => (2, false),
            ufbx::CoordinateAxis::NegativeZ => (2, true),
            _ => return None,
        };
        let unit_m = settings.unit_meters;
        let is_unit = unit_m.is_finite() && unit_m > 0.0;
        let reason = "the settings of the file state it".into();
        is_unit.then_some(StatedSpace { unit_m, up: UpAxis { axis, negative }, reason })
    }
}

/// Makes offsets and scales constant that vary by rounding only.
fn fix_still(frames: &mut [Vec<NodeTransform>], joints: &[Joint]) {
    let Some(first) = frames.first().cloned() else { return };
    let longest = first.iter().map(|node| node.translation.length()).fold(0.0, f64::max);
    for (joint, start) in first.iter().enumerate() {
        let apart = |get: fn(&NodeTransform) -> Vec3| {
            frames
                .iter()
                .map(|frame| (get(&frame[joint]) - get(start)).abs().max_element())
                .fold(0.0, f64::max)
        };
        let [moves, scales] = [apart(|node| node.translation), apart(|node| node.scale)];
        if joints[joint].parent.is_some() && moves <= ROUNDING * longest {
            frames.iter_mut().for_each(|frame| frame[joint].translation = start.translation);
        }
        if scales <= ROUNDING {
            let is_one = (start.scale - Vec3::ONE).abs().max_element() < ROUNDING;
            let scale = if is_one { Vec3::ONE } else { start.scale };
            frames.iter_mut().for_each(|frame| frame[joint].scale = scale);
        }
    }
}

/// How the file refers to an object: by its number since version 7000, before that by its class and name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ObjectId {
    Number(i64),
    Name(Box<[u8]>),
}

impl Default for ObjectId {
    fn default() -> Self {
        Self::Number(0)
    }
}

/// How the file refers to an object.
pub(super) fn object_id(element: &ufbx::Element) -> ObjectId {
    let value = element.dom_node.as_ref().and_then(|node| node.values.first());
    match value {
        Some(value) if value.type_ == ufbx::DomValueType::String => {
            ObjectId::Name((*value.value_blob).into())
        }
        Some(value) => ObjectId::Number(value.value_int),
        None => ObjectId::default(),
    }
}
