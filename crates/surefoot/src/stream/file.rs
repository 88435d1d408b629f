//! Converts motion files to streams and back.

use std::collections::BTreeMap;

use surefoot_core::{Clip, FootPoint, Hold, Joint, Motion, Plant, Pose, Skeleton};
use surefoot_formats::Space;
use surefoot_formats::bvh::from_motion;
use surefoot_formats::source::Format;
use surefoot_formats::stream::{
    Encoding, End, Frame, Header, HeldPoint, Reader, Record, write_end, write_frame, write_header,
};
use surefoot_solve::{ActivePlant, active_plants};

use super::error::StreamFileError;
use super::setup::StreamSetup;
use crate::{FloorSource, MotionFile};

/// Whether these bytes are a stream and not a motion file.
pub fn is_stream(bytes: &[u8]) -> bool {
    let is_json = bytes.starts_with(b"{") && Format::of(bytes) != Format::Gltf;
    is_json || bytes.starts_with(b"SUREFOOT")
}

/// Converts a file to a stream, with the plants of its clip.
pub fn file_to_stream(file: &MotionFile, encoding: Encoding) -> Result<Vec<u8>, StreamFileError> {
    if file.floor_source != FloorSource::Plane {
        return Err(StreamFileError::Floor);
    }
    let mut setup = StreamSetup::from_file(&file.clip).map_err(StreamFileError::Setup)?;
    let needs_holds = |plant: &Plant| {
        plant.point == FootPoint::Toe || plant.hold != Hold::default() || plant.kind.is_some()
    };
    setup.holds = file.clip.plants.plants.iter().any(needs_holds);
    let layout = setup.layout();
    let Clip { motion, plants, .. } = file.clip.performance();
    let frames = motion.frames();
    let longest = plants.plants.iter().map(|plant| plant.frames.len().min(frames)).max();
    let mut bytes = Vec::new();
    let header = Header { longest_plant: Some(longest.unwrap_or(0)), ..setup.header() };
    write_header(&header, encoding, &mut bytes);
    let legs = layout.sides.len();
    let held = active_plants(frames, legs, &plants);
    // In a stream, plant 0 is a point that is not planted.
    let point =
        |ActivePlant { id, spot, kind, hold }: ActivePlant| HeldPoint { plant: id + 1, spot, hold, kind };
    for (n, pose) in motion.poses.into_iter().enumerate() {
        let held = held[n * legs..(n + 1) * legs].iter();
        let held = held.map(|foot| [foot.heel, foot.ball, foot.toe].map(|held| held.map(point))).collect();
        write_frame(&Frame { number: file.clip.first_frame + n, pose, held }, &layout, encoding, &mut bytes);
    }
    let end = End { frames, plants: plants.plants.len(), ..End::default() };
    write_end(&end, encoding, &mut bytes);
    Ok(bytes)
}

/// The motion of a whole stream.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StreamMotion {
    /// The motion, in metres, Y up.
    pub motion: Motion,
    /// The number of the first frame.
    pub first: usize,
}

impl From<Motion> for StreamMotion {
    /// A motion from its first frame on.
    fn from(motion: Motion) -> Self {
        Self { motion, first: 0 }
    }
}

impl StreamMotion {
    /// Reads all frames of a stream, which must have an end record.
    pub fn read(bytes: &[u8]) -> Result<Self, StreamFileError> {
        let (mut reader, header) = Reader::begin(bytes).map_err(StreamFileError::Read)?;
        if header.skeleton.is_none() {
            return Err(StreamFileError::Missing("joints"));
        }
        let fps = header.fps.ok_or(StreamFileError::Missing("fps"))?;
        // The legs are needed only to parse the plants of the frames.
        let layout = StreamSetup::from_header(&header).map_err(StreamFileError::Setup)?.layout();
        let mut frame = Frame::default();
        let mut poses: Vec<Pose> = Vec::new();
        let mut first = None;
        let mut is_ended = false;
        loop {
            match reader.next(&layout, &mut frame).map_err(StreamFileError::Read)? {
                Record::Frame => {
                    first.get_or_insert(frame.number);
                    poses.push(frame.pose.clone());
                }
                Record::End(_) => is_ended = true,
                Record::EndOfInput if is_ended => break,
                Record::EndOfInput => return Err(StreamFileError::NoEnd(poses.len())),
            }
        }
        let motion = Motion { skeleton: layout.skeleton, fps, poses };
        Ok(Self { motion, first: first.unwrap_or(0) })
    }

    /// The motion as a new BVH file.
    pub fn to_bvh(&self, space: &Space) -> Result<Vec<u8>, StreamFileError> {
        from_motion(&self.motion, space).map_err(StreamFileError::Write)
    }

    /// A copy of a file with the frames of the stream. Frames of the file before the first frame of the stream are kept.
    pub fn to_copy_of(&self, file: &MotionFile) -> Result<Vec<u8>, StreamFileError> {
        let (motion, before) = (&self.motion, &file.clip.motion);
        let order = same_joints(&before.skeleton, &motion.skeleton);
        let order = order.ok_or_else(|| StreamFileError::OtherJoints(file.name.clone()))?;
        let (first, frames) = (self.first, before.frames());
        if first > frames {
            return Err(StreamFileError::BeginsLate { first, frames, name: file.name.clone() });
        }
        let ordered = |pose: &Pose| Pose {
            offsets: order.iter().map(|&joint| pose.offsets[joint]).collect(),
            rotations: order.iter().map(|&joint| pose.rotations[joint]).collect(),
        };
        let poses = before.poses[..first].iter().cloned().chain(motion.poses.iter().map(ordered)).collect();
        let after = Motion { poses, fps: motion.fps, skeleton: before.skeleton.clone() };
        file.source.write(&after, &file.space()).map_err(StreamFileError::Write)
    }
}

/// For each joint of a skeleton the joint of another one with the same name and parent; `None` if they have other joints.
///
/// Formats store the same joints in different orders: Acclaim lists them level by level, most others branch by branch.
fn same_joints(wanted: &Skeleton, found: &Skeleton) -> Option<Vec<usize>> {
    let (wanted, found) = (wanted.joints(), found.joints());
    let is_same = |(a, b): (&Joint, &Joint)| a.name == b.name;
    if wanted.len() == found.len() && wanted.iter().zip(found).all(is_same) {
        return Some((0..wanted.len()).collect());
    }
    let index: BTreeMap<&str, usize> =
        found.iter().enumerate().map(|(index, joint)| (joint.name.as_str(), index)).collect();
    // A name that occurs twice would leave a joint without a motion.
    if wanted.len() != found.len() || index.len() != found.len() {
        return None;
    }
    let order: Vec<usize> =
        wanted.iter().map(|joint| index.get(joint.name.as_str()).copied()).collect::<Option<_>>()?;
    let parent = |joints: &[Joint], joint: usize| {
        joints[joint].parent.map(|parent| joints[parent.index()].name.clone())
    };
    let has_same_parent = |(joint, &other): (usize, &usize)| parent(wanted, joint) == parent(found, other);
    order.iter().enumerate().all(has_same_parent).then_some(order)
}
