//! The skeleton and the animation of a scene.

use std::collections::HashMap;

use surefoot_core::{Joint, JointId, Pose, Quat, Skeleton, Vec3};

use super::error::UsdError;
use super::files::Files;
use super::stage::{Place, Stage};
use super::times::FrameTimes;
use super::tracks::{Sampler, Track, Values, unit};
use super::xform::{Transforms, affine};
use crate::node_transforms::{Affine, NodeTransform, NodeTransforms};
use crate::source::{Animation, MOST_JOINTS, TooLarge};

/// An animation and the skeleton that it moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Scene {
    /// The path of the animation.
    pub animation: String,
    pub skeleton: Skeleton,
    /// For each joint of the animation, the joint of the skeleton, if there is one.
    pub joint_of: Vec<Option<usize>>,
    pub translations: Option<Track>,
    pub rotations: Option<Track>,
    pub times: FrameTimes,
    /// The transforms of the joints at each frame.
    pub frames: Vec<Vec<NodeTransform>>,
    /// The transform above the skeleton: one for all frames, or one for each.
    bases: Vec<Affine>,
    /// The conversion to poses where all frames have the same transform above.
    transforms: NodeTransforms,
    /// What the skin of a mesh needs: the path of the skeleton and the names of its joints.
    pub joints: Vec<String>,
    pub notes: Vec<String>,
}

/// All animations of a scene, and the index of the chosen one.
pub(super) struct Animations {
    pub nodes: Vec<usize>,
    pub list: Vec<Animation>,
    pub chosen: usize,
}

impl Animations {
    /// Finds the animations, and chooses the one of this path, name or number, else the first one that moves.
    pub fn new(stage: &Stage, codes_per_second: f64, wanted: Option<&str>) -> Result<Self, UsdError> {
        let nodes = stage.of_type("SkelAnimation");
        let places = |node: usize| {
            let names = ["rotations", "translations", "scales"];
            names.into_iter().filter_map(move |name| stage.place(node, name))
        };
        let samples = |place: Place| &stage.property(place).samples;
        let animation = |&node: &usize| {
            let tracks: Vec<Place> = places(node).filter(|&place| !samples(place).is_empty()).collect();
            let times = tracks.iter().flat_map(|&place| samples(place).iter().map(|(time, _)| *time));
            let (first, last) = times.fold((f64::MAX, f64::MIN), |(a, b), time| (a.min(time), b.max(time)));
            let seconds = ((last - first) / codes_per_second).max(0.0);
            Animation { name: stage.path(node), seconds, tracks: tracks.len() }
        };
        let list: Vec<Animation> = nodes.iter().map(animation).collect();
        let moves = |&node: &usize| places(node).any(|place| samples(place).len() > 1);
        let chosen = match wanted {
            Some(wanted) => {
                let is_named =
                    |own: &Animation| own.name == wanted || own.name.rsplit('/').next() == Some(wanted);
                let number = || wanted.parse().ok().filter(|&number: &usize| number < list.len());
                list.iter().position(is_named).or_else(number)
            }
            None => nodes.iter().position(moves).or((!nodes.is_empty()).then_some(0)),
        };
        match chosen {
            Some(chosen) => Ok(Self { nodes, list, chosen }),
            None => Err(not_found(stage, &list, wanted)),
        }
    }
}

fn not_found(stage: &Stage, list: &[Animation], wanted: Option<&str>) -> UsdError {
    let names: Vec<String> = list.iter().take(20).map(|animation| format!("{:?}", animation.name)).collect();
    if let (Some(wanted), false) = (wanted, names.is_empty()) {
        let found = format!("none that is called {wanted:?}");
        return UsdError::new("the animations", found, format_args!("one of {}", names.join(", ")));
    }
    let missing: Vec<String> = stage
        .files
        .missing
        .iter()
        .take(3)
        .map(|(name, reason)| format!("{name:?} was not read: {reason}"))
        .collect();
    let mut found = vec!["no SkelAnimation".to_owned()];
    found.extend(missing);
    if stage.has_variants() {
        found.push("variants were not read: `usdcat --flatten` selects them".into());
    }
    UsdError::new("the scene", found.join("; "), "one")
}

impl Scene {
    /// Reads an animation and its skeleton.
    pub fn read(stage: &Stage, animation: usize) -> Result<Self, UsdError> {
        let mut scene = Self { animation: stage.path(animation), ..Self::default() };
        let node = scene.skeleton_of(stage, animation)?;
        scene.joints = stage.words(node, "joints", MOST_JOINTS)?;
        let rest = rest_transforms(stage, node, scene.joints.len())?;
        scene.skeleton = skeleton(&scene.joints).map_err(|error| error.within(&stage.path(node)))?;
        let own = stage.words(animation, "joints", MOST_JOINTS)?;
        if own.is_empty() {
            return Err(UsdError::new(&scene.animation, "no joints", "those that it moves"));
        }
        let index: HashMap<&str, usize> =
            scene.joints.iter().enumerate().map(|(n, name)| (&name[..], n)).collect();
        scene.joint_of = own.iter().map(|name| index.get(&name[..]).copied()).collect();
        scene.check_joints(&rest)?;
        let tracks = [(0, "translations", 3), (1, "rotations", 4), (2, "scales", 3)];
        let mut found = [None; 3];
        for (n, name, width) in tracks {
            found[n] = Some(track(stage, animation, name, width * own.len())?);
        }
        let [translations, rotations, scales] = found;
        (scene.translations, scene.rotations) = (translations, rotations);
        let all: Vec<Track> = found.into_iter().flatten().collect();
        scene.times = FrameTimes::new(all.iter().map(|track| stage.property(track.place)));
        TooLarge::check(scene.joints.len(), scene.times.count, stage.files.size())
            .map_err(|error| UsdError::new(&scene.animation, error, "a motion that fits into memory"))?;
        let rest_pose = rest.unwrap_or_else(|| vec![IDENTITY; scene.joints.len()]);
        scene.read_frames(stage.files, &rest_pose, [translations, rotations, scales])?;
        scene.read_bases(stage, node)?;
        scene.set_rest_offsets(&rest_pose)?;
        Ok(scene)
    }

    /// The skeleton that an animation moves: the one that names it, or the only one.
    fn skeleton_of(&mut self, stage: &Stage, animation: usize) -> Result<usize, UsdError> {
        let skeletons = stage.of_type("Skeleton");
        let names_it = |&&node: &&usize| {
            stage.above(node).find_map(|node| stage.target(node, "skel:animationSource")) == Some(animation)
        };
        if let Some(&node) = skeletons.iter().find(names_it) {
            return Ok(node);
        }
        match skeletons[..] {
            [only] => {
                let (path, name) = (stage.path(only), &self.animation);
                self.notes.push(format!(
                    "{path} does not name {name} in skel:animationSource; it was taken as it is the only skeleton"
                ));
                Ok(only)
            }
            _ => {
                let found = format!("{} skeletons, none of which names this animation", skeletons.len());
                Err(UsdError::new(&self.animation, found, "one that has it as its skel:animationSource"))
            }
        }
    }

    /// Checks that all joints have a transform: that of the animation, or that of the rest pose.
    fn check_joints(&mut self, rest: &Option<Vec<NodeTransform>>) -> Result<(), UsdError> {
        let mut is_animated = vec![false; self.joints.len()];
        self.joint_of.iter().flatten().for_each(|&joint| is_animated[joint] = true);
        let still = is_animated.iter().position(|is_animated| !is_animated);
        if let (Some(joint), None) = (still, rest) {
            let found = format!("no joint {:?} and no rest transforms", self.joints[joint]);
            return Err(UsdError::new(&self.animation, found, "a transform of every joint"));
        }
        let unknown = self.joint_of.iter().filter(|joint| joint.is_none()).count();
        if unknown == self.joint_of.len() {
            return Err(UsdError::new(&self.animation, "no joint of its skeleton", "some"));
        }
        if unknown > 0 {
            self.notes.push(format!("{unknown} joints of {} are not in the skeleton", self.animation));
        }
        Ok(())
    }

    fn read_frames(
        &mut self,
        files: &Files,
        rest: &[NodeTransform],
        tracks: [Option<Track>; 3],
    ) -> Result<(), UsdError> {
        let mut samplers = tracks.map(|track| track.map(|track| Sampler::new(files, track)));
        for frame in 0..self.times.count {
            let time = self.times.time(frame);
            let mut nodes = rest.to_vec();
            for (kind, sampler) in samplers.iter_mut().enumerate() {
                let Some(sampler) = sampler else { continue };
                let values = sampler.at(time).map_err(|error| error.within(&self.animation))?;
                let width = values.len() / self.joint_of.len();
                for (joint, value) in self.joint_of.iter().zip(values.chunks(width.max(1))) {
                    let Some(joint) = joint else { continue };
                    set(&mut nodes[*joint], kind, value);
                }
            }
            self.frames.push(nodes);
        }
        Ok(())
    }

    fn read_bases(&mut self, stage: &Stage, node: usize) -> Result<(), UsdError> {
        let above = Transforms::new(stage, node)?;
        let count = if above.is_animated(stage.files) { self.times.count } else { 1 };
        let times: Vec<f64> = (0..count).map(|frame| self.times.time(frame)).collect();
        self.bases = above.at_times(stage.files, &times)?;
        if self.bases.iter().any(|base| !base.linear.is_finite() || !base.translation.is_finite()) {
            let found = "a transform that is not finite";
            return Err(UsdError::new(stage.path(node), found, "finite numbers"));
        }
        self.transforms = self.node_transforms(0);
        Ok(())
    }

    fn node_transforms(&self, frame: usize) -> NodeTransforms {
        let base = self.bases.get(frame).or(self.bases.first()).copied();
        let bases = self.skeleton.joints().iter().map(|joint| base.filter(|_| joint.parent.is_none()));
        NodeTransforms::new(&self.skeleton, bases.collect())
    }

    /// Converts between joints and poses at a frame.
    pub fn with_transforms<T>(&self, frame: usize, convert: impl FnOnce(&NodeTransforms) -> T) -> T {
        match self.bases.len() > 1 {
            true => convert(&self.node_transforms(frame)),
            false => convert(&self.transforms),
        }
    }

    pub fn pose(&self, frame: usize) -> Pose {
        let mut pose = Pose::default();
        self.with_transforms(frame, |transforms| transforms.pose(&self.frames[frame], &mut pose));
        pose
    }

    /// Gives the skeleton the offsets of its rest pose in the world, or of the first frame without one, and checks that
    /// all poses are finite: the scales of a damaged file can multiply beyond all numbers.
    fn set_rest_offsets(&mut self, rest: &[NodeTransform]) -> Result<(), UsdError> {
        let is_missing = rest.iter().all(|node| *node == IDENTITY);
        let nodes = if is_missing { self.frames.first().map_or(rest, |nodes| &nodes[..]) } else { rest };
        let mut pose = Pose::default();
        self.transforms.pose(nodes, &mut pose);
        let joint = |(joint, &offset): (&Joint, &Vec3)| Joint { offset, ..joint.clone() };
        let joints = self.skeleton.joints().iter().zip(&pose.offsets).map(joint).collect();
        let wrong =
            |found: &str| UsdError::new(&self.animation, found, "transforms of a size that can be moved");
        let skeleton = Skeleton::new(joints).map_err(|error| wrong(&error.to_string()))?;
        let is_finite = |pose: &Pose| {
            pose.offsets.iter().all(|offset| offset.is_finite())
                && pose.rotations.iter().all(|q| q.is_finite())
        };
        if let Some(frame) = (0..self.frames.len()).find(|&frame| !is_finite(&self.pose(frame))) {
            return Err(wrong(&format!("a joint that is infinitely far away at frame {frame}")));
        }
        self.skeleton = skeleton;
        Ok(())
    }
}

/// The transform of a joint without values.
const IDENTITY: NodeTransform =
    NodeTransform { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

fn set(node: &mut NodeTransform, kind: usize, value: &[f64]) {
    match (kind, value) {
        (0, &[x, y, z]) => node.translation = Vec3::new(x, y, z),
        (1, &[x, y, z, w]) => node.rotation = unit(Quat::from_xyzw(x, y, z, w)),
        (2, &[x, y, z]) => node.scale = Vec3::new(x, y, z),
        _ => {}
    }
}

fn track(stage: &Stage, animation: usize, name: &str, count: usize) -> Result<Track, UsdError> {
    let at = || format!("{}.{name}", stage.path(animation));
    let missing = || {
        let expected = "translations, rotations and scales: programs ignore an animation without one of them";
        UsdError::new(at(), "no values", expected)
    };
    let place = stage.place(animation, name).ok_or_else(missing)?;
    if place.is_shifted {
        let found = "a layer whose time codes are moved or scaled";
        return Err(UsdError::new(at(), found, "time codes as they are: `usdcat --flatten` applies them"));
    }
    let values = if name == "rotations" { Values::Rotations } else { Values::Numbers };
    Ok(Track { place, values, count })
}

/// The transforms of the rest pose; `None` without one.
fn rest_transforms(
    stage: &Stage,
    node: usize,
    joints: usize,
) -> Result<Option<Vec<NodeTransform>>, UsdError> {
    let numbers = stage.numbers(node, "restTransforms", 16 * MOST_JOINTS)?;
    let Some(numbers) = numbers.filter(|numbers| !numbers.is_empty()) else { return Ok(None) };
    let at = || format!("{}.restTransforms", stage.path(node));
    if numbers.len() != 16 * joints || numbers.iter().any(|number| !number.is_finite()) {
        let found = format!("{} numbers", numbers.len());
        let expected = format!("{} finite ones: 16 for each joint", 16 * joints);
        return Err(UsdError::new(at(), found, expected));
    }
    let transform = |matrix: &[f64]| NodeTransform::from_affine(&affine(matrix)).0;
    Ok(Some(numbers.chunks(16).map(transform).collect()))
}

/// The joints of a skeleton, whose names are paths: `Hips/LeftUpLeg`. A parent is the nearest joint above.
fn skeleton(paths: &[String]) -> Result<Skeleton, UsdError> {
    if paths.is_empty() {
        return Err(UsdError::new("joints", "none", "some"));
    }
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut joints = Vec::with_capacity(paths.len());
    for (index, path) in paths.iter().enumerate() {
        let above = core::iter::successors(path.rsplit_once('/'), |(above, _)| above.rsplit_once('/'));
        let parent = above.map(|(above, _)| above).find_map(|above| known.get(above));
        let name = path.rsplit('/').next().unwrap_or(path).to_owned();
        joints.push(Joint {
            name,
            parent: parent.map(|&at| JointId(at as u32)),
            offset: Vec3::ZERO,
            end: None,
        });
        if known.insert(path, index).is_some() {
            return Err(UsdError::new("joints", format_args!("{path:?} twice"), "each joint once"));
        }
    }
    for (index, path) in paths.iter().enumerate() {
        let parent = path.rsplit_once('/').and_then(|(above, _)| known.get(above));
        if parent.is_some_and(|&parent| parent > index) {
            let expected = "parents before their children, as USD needs it";
            return Err(UsdError::new("joints", format_args!("{path:?} before its parent"), expected));
        }
    }
    Skeleton::new(joints).map_err(|error| UsdError::new("joints", error, "a tree of joints"))
}
