//! Synthetic bodies in motion, and variations that other programs would write of the same motion.
//!
//! The basic body is a person who walks along Z, Y up, in metres, with a T-pose as rest pose. Every
//! joint has a tag, which stays the same when its name, local frame, unit or parent changes.

use surefoot_core::math::{PI, Quat, Vec3, acos, atan2, axis_rotation, cos, sin};
use surefoot_core::{Joint, JointId, Motion, Pose, Skeleton, WorldPose};
use surefoot_infer::Excerpt;

/// A motion with tagged joints.
#[derive(Clone, Debug)]
pub struct Body {
    pub joints: Vec<Joint>,
    pub tags: Vec<String>,
    pub poses: Vec<Pose>,
    pub fps: f64,
}

impl Body {
    pub fn excerpt(&self) -> Excerpt {
        Excerpt {
            motion: Motion {
                skeleton: Skeleton::new(self.joints.clone()).expect("a skeleton"),
                fps: self.fps,
                poses: self.poses.clone(),
            },
            frames: (0..self.poses.len()).collect(),
        }
    }

    pub fn find(&self, tag: &str) -> usize {
        self.tags.iter().position(|t| t == tag).unwrap_or_else(|| panic!("no {tag}"))
    }

    fn world_poses(&self) -> Vec<WorldPose> {
        let skeleton = Skeleton::new(self.joints.clone()).expect("a skeleton");
        self.poses.iter().map(|pose| pose.world(&skeleton)).collect()
    }

    /// Adds a joint without rotation below another and returns its index.
    pub fn add(&mut self, tag: &str, parent: &str, offset: Vec3, end: Option<Vec3>) -> usize {
        let parent = JointId(self.find(parent) as u32);
        self.joints[parent.index()].end = None;
        self.joints.push(Joint { name: tag.into(), parent: Some(parent), offset, end });
        self.tags.push(tag.into());
        for pose in &mut self.poses {
            pose.offsets.push(offset);
            pose.rotations.push(Quat::IDENTITY);
        }
        self.joints.len() - 1
    }

    /// Removes a joint with all its descendants.
    pub fn remove(&mut self, tag: &str) {
        let first = self.find(tag);
        let mut is_removed = vec![false; self.joints.len()];
        is_removed[first] = true;
        for at in first + 1..self.joints.len() {
            is_removed[at] = self.joints[at].parent.is_some_and(|parent| is_removed[parent.index()]);
        }
        let order: Vec<usize> = (0..self.joints.len()).filter(|&at| !is_removed[at]).collect();
        self.reorder(&order);
    }

    /// The joints in another order, parents first; joints not listed are removed.
    pub fn reorder(&mut self, order: &[usize]) {
        let new_index = |old: JointId| order.iter().position(|&at| at == old.index());
        let joint = |&at: &usize| Joint {
            parent: self.joints[at].parent.map(|old| JointId(new_index(old).expect("a parent") as u32)),
            ..self.joints[at].clone()
        };
        let joints: Vec<Joint> = order.iter().map(joint).collect();
        self.joints = joints;
        self.tags = order.iter().map(|&at| self.tags[at].clone()).collect();
        for pose in &mut self.poses {
            pose.offsets = order.iter().map(|&at| pose.offsets[at]).collect();
            pose.rotations = order.iter().map(|&at| pose.rotations[at]).collect();
        }
    }

    /// The children in reverse order: arms before legs, right before left.
    pub fn backward(mut self) -> Self {
        let mut order = Vec::new();
        let mut open: Vec<usize> =
            (0..self.joints.len()).filter(|&at| self.joints[at].parent.is_none()).collect();
        while let Some(at) = open.pop() {
            order.push(at);
            let below = |other: &usize| self.joints[*other].parent == Some(JointId(at as u32));
            open.extend((0..self.joints.len()).filter(below));
        }
        self.reorder(&order);
        self
    }

    pub fn scaled(mut self, scale: f64) -> Self {
        for joint in &mut self.joints {
            joint.offset *= scale;
            joint.end = joint.end.map(|end| end * scale);
        }
        for offset in self.poses.iter_mut().flat_map(|pose| &mut pose.offsets) {
            *offset *= scale;
        }
        self
    }

    /// Rest pose and motion converted to other axes.
    pub fn rotated(mut self, rotation: Quat) -> Self {
        for joint in &mut self.joints {
            joint.offset = rotation * joint.offset;
            joint.end = joint.end.map(|end| rotation * end);
        }
        for pose in &mut self.poses {
            pose.offsets.iter_mut().for_each(|offset| *offset = rotation * *offset);
            pose.rotations.iter_mut().for_each(|own| *own = rotation * *own * rotation.inverse());
        }
        self
    }

    /// The motion converted to other axes, with the old rest pose.
    pub fn rotated_in_motion_only(mut self, rotation: Quat) -> Self {
        for at in (0..self.joints.len()).filter(|&at| self.joints[at].parent.is_none()) {
            for pose in &mut self.poses {
                pose.offsets[at] = rotation * pose.offsets[at];
                pose.rotations[at] = rotation * pose.rotations[at];
            }
        }
        self
    }

    /// Every joint with other local axes: the same motion with a meaningless rest pose.
    pub fn with_frames(mut self, frame: impl Fn(usize) -> Quat) -> Self {
        let above = |at: usize| match self.joints[at].parent {
            Some(parent) => frame(parent.index()),
            None => Quat::IDENTITY,
        };
        for pose in &mut self.poses {
            for at in 0..self.joints.len() {
                pose.offsets[at] = above(at).inverse() * pose.offsets[at];
                pose.rotations[at] = above(at).inverse() * pose.rotations[at] * frame(at);
            }
        }
        let turned: Vec<Joint> = (self.joints.iter().enumerate())
            .map(|(at, joint)| Joint {
                offset: above(at).inverse() * joint.offset,
                end: joint.end.map(|end| frame(at).inverse() * end),
                ..joint.clone()
            })
            .collect();
        self.joints = turned;
        self
    }

    /// The mirror image, with the old names and tags.
    pub fn mirrored(mut self) -> Self {
        let mirror = Vec3::new(-1.0, 1.0, 1.0);
        for joint in &mut self.joints {
            joint.offset *= mirror;
            joint.end = joint.end.map(|end| end * mirror);
        }
        for pose in &mut self.poses {
            pose.offsets.iter_mut().for_each(|offset| *offset *= mirror);
            let flip = |rotation: &Quat| Quat::from_xyzw(rotation.x, -rotation.y, -rotation.z, rotation.w);
            pose.rotations = pose.rotations.iter().map(flip).collect();
        }
        self
    }

    /// The same motion with another parent for a joint.
    pub fn reparented(mut self, tag: &str, parent: Option<&str>) -> Self {
        let at = self.find(tag);
        let new = parent.map(|parent| self.find(parent));
        let worlds = self.world_poses();
        for (pose, world) in self.poses.iter_mut().zip(&worlds) {
            let (from, rotation) = match new {
                Some(new) => (world.positions[new], world.rotations[new].inverse()),
                None => (Vec3::ZERO, Quat::IDENTITY),
            };
            pose.offsets[at] = rotation * (world.positions[at] - from);
            pose.rotations[at] = rotation * world.rotations[at];
        }
        self.joints[at].offset = self.poses[0].offsets[at];
        self.joints[at].parent = new.map(|new| JointId(new as u32));
        self.sorted()
    }

    /// Sorts the joints so that parents come first.
    pub fn sorted(mut self) -> Self {
        let mut order: Vec<usize> = Vec::new();
        while order.len() < self.joints.len() {
            let ready = |at: &usize| {
                let parent = self.joints[*at].parent.map(JointId::index);
                !order.contains(at) && parent.is_none_or(|parent| order.contains(&parent))
            };
            let next = (0..self.joints.len()).find(ready).expect("no ring of parents");
            order.push(next);
        }
        self.reorder(&order);
        self
    }

    /// Adds a joint at the origin above the root.
    pub fn below_a(mut self, name: &str) -> Self {
        let order: Vec<usize> = (0..self.joints.len()).collect();
        for joint in &mut self.joints {
            joint.parent = Some(joint.parent.map_or(JointId(0), |parent| JointId(parent.0 + 1)));
        }
        self.joints.insert(0, Joint { name: name.into(), parent: None, offset: Vec3::ZERO, end: None });
        self.tags.insert(0, name.into());
        for pose in &mut self.poses {
            pose.offsets.insert(0, Vec3::ZERO);
            pose.rotations.insert(0, Quat::IDENTITY);
        }
        assert_eq!(order.len() + 1, self.joints.len());
        self
    }

    /// Adds a joint in the middle of the bone that ends at `tag`.
    pub fn split(mut self, tag: &str, name: &str) -> Self {
        let at = self.find(tag);
        let parent = self.tags[self.joints[at].parent.expect("a parent").index()].clone();
        let half = self.joints[at].offset * 0.5;
        let new = self.add(name, &parent, half, None);
        let at = self.find(tag);
        self.joints[at].parent = Some(JointId(new as u32));
        self.joints[at].offset = half;
        self.poses.iter_mut().for_each(|pose| pose.offsets[at] = half);
        self.sorted()
    }

    /// Inserts a T-pose before frame 0, at the position of the first frame.
    pub fn with_t_pose(mut self) -> Self {
        let mut pose = self.poses[0].clone();
        pose.rotations.fill(Quat::IDENTITY);
        for (offset, joint) in pose.offsets.iter_mut().zip(&self.joints).skip(1) {
            *offset = joint.offset;
        }
        self.poses.insert(0, pose);
        self
    }

    pub fn cropped(mut self, frames: usize) -> Self {
        self.poses.truncate(frames);
        self
    }

    /// Renames joints by tag; `None` keeps a name.
    pub fn renamed(mut self, name: impl Fn(usize, &str) -> String) -> Self {
        for (at, (joint, tag)) in self.joints.iter_mut().zip(&self.tags).enumerate() {
            joint.name = name(at, tag);
        }
        self
    }
}

fn joint(parent: Option<usize>, offset: [f64; 3], end: Option<[f64; 3]>) -> Joint {
    Joint {
        name: String::new(),
        parent: parent.map(|parent| JointId(parent as u32)),
        offset: Vec3::from_array(offset),
        end: end.map(Vec3::from_array),
    }
}

/// Lengths of the leg, in metres.
pub const THIGH: f64 = 0.42;
pub const SHIN: f64 = 0.40;

/// A person in a T-pose: tags `hips`, `spine`, `chest`, `neck`, `head`, and for either side
/// `l_collar`, `l_arm`, `l_fore`, `l_hand`, `l_thigh`, `l_shin`, `l_foot`, `l_toe`.
pub fn person() -> Body {
    let mut tags = vec!["hips", "spine", "chest", "neck", "head"];
    let mut joints = vec![
        joint(None, [0.0, 0.92, 0.0], None),
        joint(Some(0), [0.0, 0.12, 0.0], None),
        joint(Some(1), [0.0, 0.2, 0.0], None),
        joint(Some(2), [0.0, 0.2, 0.0], None),
        joint(Some(3), [0.0, 0.12, 0.0], Some([0.0, 0.18, 0.02])),
    ];
    let left = ["l_collar", "l_arm", "l_fore", "l_hand", "l_thigh", "l_shin", "l_foot", "l_toe"];
    let right = ["r_collar", "r_arm", "r_fore", "r_hand", "r_thigh", "r_shin", "r_foot", "r_toe"];
    for (side, names) in [(1.0, left), (-1.0, right)] {
        let first = joints.len();
        tags.extend(names);
        joints.extend([
            joint(Some(2), [0.03 * side, 0.15, 0.0], None),
            joint(Some(first), [0.15 * side, 0.0, 0.0], None),
            joint(Some(first + 1), [0.28 * side, 0.0, 0.0], None),
            joint(Some(first + 2), [0.25 * side, 0.0, 0.0], Some([0.17 * side, 0.0, 0.0])),
            joint(Some(0), [0.1 * side, -0.05, 0.0], None),
            joint(Some(first + 4), [0.0, -THIGH, 0.0], None),
            joint(Some(first + 5), [0.0, -SHIN, 0.0], None),
            joint(Some(first + 6), [0.01 * side, -0.06, 0.13], Some([0.0, -0.01, 0.07])),
        ]);
    }
    let tags: Vec<String> = tags.into_iter().map(String::from).collect();
    for (joint, tag) in joints.iter_mut().zip(&tags) {
        joint.name = tag.clone();
    }
    Body { joints, tags, poses: Vec::new(), fps: 30.0 }
}

/// A person who walks three seconds along Z on a floor at height 0.
pub fn walk() -> Body {
    let mut body = person();
    body.poses = (0..90).map(|frame| walk_pose(&body, frame as f64 / 30.0)).collect();
    body
}

/// Duration of a stride in seconds, its length in metres, and the share of stance.
const STRIDE: (f64, f64, f64) = (1.1, 0.85, 0.6);

fn walk_pose(body: &Body, time: f64) -> Pose {
    let (period, length, stance) = STRIDE;
    let mut pose = Pose {
        offsets: body.joints.iter().map(|joint| joint.offset).collect(),
        rotations: vec![Quat::IDENTITY; body.joints.len()],
    };
    let hips = Vec3::new(0.0, 0.9 + 0.015 * cos(4.0 * PI * time / period), length * time / period);
    pose.offsets[0] = hips;
    for (side, l, lag) in [(1.0, "l", 0.0), (-1.0, "r", 0.5)] {
        let phase = time / period + lag;
        let step = phase.floor();
        let swing = (((phase - step) - stance) / (1.0 - stance)).max(0.0);
        let ahead = swing * swing * (3.0 - 2.0 * swing);
        let ankle_z = (step - lag + 0.3 + ahead) * length;
        let ankle_y = 0.08 + 0.1 * sin(PI * swing);
        let pitch = 0.5 * sin(2.0 * PI * swing);
        let drop = hips.y - 0.05 - ankle_y;
        let forth = ankle_z - hips.z;
        let reach = (drop * drop + forth * forth).sqrt().min(0.999 * (THIGH + SHIN));
        let inside = |a: f64, b: f64, c: f64| acos((a * a + b * b - c * c) / (2.0 * a * b));
        // Turning about X by a takes (0, −1, 0) to (0, −cos a, −sin a): forward is negative.
        let thigh = -atan2(forth, drop) - inside(THIGH, reach, SHIN);
        let shin = thigh + PI - inside(THIGH, SHIN, reach);
        let at = |part: &str| body.find(&format!("{l}_{part}"));
        pose.rotations[at("thigh")] = axis_rotation(0, thigh);
        pose.rotations[at("shin")] = axis_rotation(0, shin - thigh);
        pose.rotations[at("foot")] = axis_rotation(0, pitch - shin);
        let swing_arm = 0.4 * sin(2.0 * PI * (time / period + lag));
        pose.rotations[at("arm")] = axis_rotation(0, swing_arm) * axis_rotation(2, -1.3 * side);
        pose.rotations[at("fore")] = axis_rotation(1, -0.4 * side);
        pose.rotations[at("hand")] = axis_rotation(1, 0.1 * swing_arm);
    }
    pose
}

/// A person on hands and knees who rocks to and fro.
pub fn crawl() -> Body {
    let mut body = person();
    let rest = Pose {
        offsets: body.joints.iter().map(|joint| joint.offset).collect(),
        rotations: vec![Quat::IDENTITY; body.joints.len()],
    };
    let pose = |frame: usize| {
        let mut pose = rest.clone();
        let rock = 0.15 * sin(frame as f64 * 0.2);
        pose.offsets[0] = Vec3::new(0.0, 0.5 + 0.02 * rock, 0.005 * frame as f64);
        pose.rotations[0] = axis_rotation(0, PI / 2.0);
        for (side, l) in [(1.0, "l"), (-1.0, "r")] {
            let at = |part: &str| body.find(&format!("{l}_{part}"));
            pose.rotations[at("thigh")] = axis_rotation(0, -PI / 2.0 + rock * side);
            pose.rotations[at("shin")] = axis_rotation(0, PI / 2.0 - rock * side);
            pose.rotations[at("foot")] = axis_rotation(0, 0.6);
            // Arms straight down, in the frame of a trunk that lies face down.
            pose.rotations[at("arm")] =
                axis_rotation(0, -PI / 2.0 + rock * side) * axis_rotation(2, -1.5 * side);
        }
        pose
    };
    body.poses = (0..90).map(pose).collect();
    body
}

/// An animal that trots in place and faces Z, with this many pairs of legs from hind to front:
/// tags `hips`, `spine1`…, `head`, `tail`, and `l0_thigh`, `l0_shin`, `l0_foot`, `l0_toe`…
pub fn animal(pairs: usize) -> Body {
    let mut tags = vec!["hips".to_string(), "tail".into()];
    let mut joints =
        vec![joint(None, [0.0, 0.6, 0.0], None), joint(Some(0), [0.0, 0.05, -0.1], Some([0.0, -0.1, -0.3]))];
    let mut spine = vec![0];
    for pair in 1..pairs {
        let parent = spine[pair - 1];
        spine.push(joints.len());
        joints.push(joint(Some(parent), [0.0, 0.0, 0.45], None));
        tags.push(format!("spine{pair}"));
    }
    let last = spine[pairs - 1];
    joints.push(joint(Some(last), [0.0, 0.2, 0.2], Some([0.0, 0.0, 0.2])));
    tags.push("head".into());
    for (pair, &from) in spine.iter().enumerate() {
        for (side, l) in [(1.0, "l"), (-1.0, "r")] {
            let first = joints.len();
            joints.extend([
                joint(Some(from), [0.08 * side, -0.03, 0.0], None),
                joint(Some(first), [0.0, -0.25, 0.0], None),
                joint(Some(first + 1), [0.0, -0.25, 0.0], None),
                joint(Some(first + 2), [0.0, -0.05, 0.06], Some([0.0, 0.0, 0.04])),
            ]);
            tags.extend(["thigh", "shin", "foot", "toe"].map(|part| format!("{l}{pair}_{part}")));
        }
    }
    for (joint, tag) in joints.iter_mut().zip(&tags) {
        joint.name = tag.clone();
    }
    let mut body = Body { joints, tags, poses: Vec::new(), fps: 30.0 };
    let pose = |frame: usize| {
        let mut pose = Pose {
            offsets: body.joints.iter().map(|joint| joint.offset).collect(),
            rotations: vec![Quat::IDENTITY; body.joints.len()],
        };
        for pair in 0..pairs {
            for (side, l) in [(0.0, "l"), (PI, "r")] {
                let swing = sin(0.3 * frame as f64 + side + PI * pair as f64);
                let at = |part: &str| body.find(&format!("{l}{pair}_{part}"));
                pose.rotations[at("thigh")] = axis_rotation(0, 0.25 * swing);
                pose.rotations[at("shin")] = axis_rotation(0, 0.15 + 0.15 * swing);
                pose.rotations[at("foot")] = axis_rotation(0, -0.15 - 0.4 * swing);
            }
        }
        pose
    };
    body.poses = (0..60).map(pose).collect();
    body
}
