//! Transfers a file to the body of another.

use core::fmt;
use std::borrow::Cow;

use serde::Serialize;
use surefoot_core::{Clip, JointId, Motion, Pose, Skeleton};
use surefoot_edit::retarget::{
    Match, RetargetError, RetargetResult, SegmentDeviation, TargetBody, is_same_body, retarget,
    segment_deviations,
};
use surefoot_formats::source::{Format, ReadError, ReadOptions, TooLarge};
use surefoot_formats::{SourceFile, Space, WriteError, bvh};

use super::file_name;
use crate::{MotionFile, Target};

/// A clip on another body.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RetargetedClip {
    /// The clip, not yet cleaned.
    pub clip: Clip,
    /// The details of the edit, for JSON.
    pub details: RetargetDetails,
    /// The file that the clip is written into: that of the body, without its frames. `None` on the same body, where the
    /// file of the motion is kept, with unchanged numbers copied byte for byte.
    pub target: Option<Target<'static>>,
}

/// The details of a retargeted motion.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RetargetDetails {
    /// The name of the file of the body.
    pub to: String,
    /// The length of its legs, as a multiple of those of the motion.
    pub scale: f64,
    /// How far the body was raised, so that planted feet have their height above the floor.
    pub raised_m: f64,
    /// The joints of the target and the joints they follow.
    pub matched: Vec<MatchedJoint>,
    /// Joints of the motion without a counterpart.
    pub left_in_motion: Vec<String>,
    /// Joints of the target without a counterpart, which keep their rest pose.
    pub left_in_target: Vec<String>,
    /// How far the segments of the target point from those of the motion.
    pub segments: Vec<ComparedSegment>,
}

/// The direction of a segment of the target, compared with that of the motion over all frames.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ComparedSegment {
    /// The name of the segment.
    pub segment: String,
    /// The median angle, in radians.
    pub median_rad: f64,
    /// The largest angle, in radians.
    pub max_rad: f64,
    /// The largest median that is expected, in radians.
    pub limit_rad: f64,
    /// Whether the median is larger.
    pub deviates: bool,
}

impl From<&SegmentDeviation> for ComparedSegment {
    fn from(one: &SegmentDeviation) -> Self {
        Self {
            segment: one.segment.to_string(),
            median_rad: one.median,
            max_rad: one.max,
            limit_rad: one.segment.limit(),
            deviates: one.is_beyond_limit(),
        }
    }
}

/// A joint of the target and the joint it follows.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct MatchedJoint {
    /// The role of both joints.
    pub role: String,
    /// The joint of the motion.
    pub from: String,
    /// If the target joint lies between two joints: the joint after `from`, and the fraction of the way to it.
    pub towards: Option<(String, f64)>,
    /// The joint of the target.
    pub to: String,
    /// What the joints were matched by.
    pub how: &'static str,
}

/// Why a file could not be retargeted.
#[derive(Debug)]
#[non_exhaustive]
pub enum RetargetFileError {
    /// The bodies do not match.
    Retarget(RetargetError),
    /// The motion would take too much memory on this body for the size of the files.
    TooLarge(TooLarge),
    /// The file of the body cannot be written without its frames.
    Write(WriteError),
    /// That file cannot be read back.
    ReadBack(ReadError),
}

impl fmt::Display for RetargetFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Retarget(error) => error.fmt(f),
            Self::TooLarge(error) => error.fmt(f),
            Self::Write(error) => error.fmt(f),
            Self::ReadBack(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RetargetFileError {}

/// The format of a retargeted motion whose output has no ending that states one: that of the body, in a copy of its file.
///
/// FBX and USD files cannot get another number of frames, so a motion on such a character becomes a glTF file. On its own body a
/// motion stays in its own file.
pub fn retargeted_format(file: &MotionFile, to: &MotionFile) -> Format {
    let is_same = is_same_body(&file.clip.motion.skeleton, &to.clip.motion.skeleton, &file.clip.legs);
    match to.source.format() {
        _ if is_same => file.source.format(),
        Format::Fbx | Format::Usd => Format::Gltf,
        format => format,
    }
}

/// Transfers the motion of a file to the body of another, whose frames are not used, for an output of this format.
///
/// An output in the format of the body is a copy of its file, with its skin; another one is a new file with its joints.
pub fn retarget_file(
    file: &MotionFile,
    to: &MotionFile,
    format: Format,
) -> Result<RetargetedClip, RetargetFileError> {
    let joints = to.clip.motion.skeleton.len();
    TooLarge::check(joints, file.clip.motion.frames(), file.source.size() + to.source.size())
        .map_err(RetargetFileError::TooLarge)?;
    let body = TargetBody::from(&to.clip);
    let RetargetResult { mut clip, matching, scale, height_offset } =
        retarget(&file.clip, &body).map_err(RetargetFileError::Retarget)?;
    let (from, onto) = (&file.clip.motion.skeleton, &body.skeleton);
    let is_same = is_same_body(from, onto, &file.clip.legs);
    let target = match is_same && format == file.source.format() {
        true => None,
        false if format == to.source.format() && !has_fixed_samples(format) => {
            Some(Target { source: Cow::Owned(without_frames(to, clip.motion.fps)?), space: to.space() })
        }
        false => {
            let target = new_file(to, &clip.motion, format)?;
            round_bones(&mut clip.motion, &target);
            Some(target)
        }
    };
    let names_of = |joints: &[JointId], of: &Skeleton| -> Vec<String> {
        joints.iter().map(|&joint| of.joint(joint).name.clone()).collect()
    };
    let details = RetargetDetails {
        to: to.name.clone(),
        scale,
        raised_m: height_offset,
        matched: matching.matches.iter().map(|one| matched_joint(one, from, onto)).collect(),
        left_in_motion: names_of(&matching.unmatched_source, from),
        left_in_target: names_of(&matching.unmatched_target, onto),
        segments: segment_deviations(&file.clip, &clip).iter().map(ComparedSegment::from).collect(),
    };
    Ok(RetargetedClip { clip, details, target })
}

/// Whether the number of samples of a file of this format is fixed: it becomes a new file for a motion with other frames.
fn has_fixed_samples(format: Format) -> bool {
    matches!(format, Format::Usd | Format::Arrays)
}

/// A new file with the joints of a body, in another format than its file.
fn new_file(to: &MotionFile, edited: &Motion, format: Format) -> Result<Target<'static>, RetargetFileError> {
    let (skeleton, fps) = (to.clip.motion.skeleton.clone(), edited.fps);
    let poses = match has_fixed_samples(format) {
        true => edited.poses.clone(),
        // A glTF file needs a frame.
        false => vec![Pose::rest(&skeleton)],
    };
    let motion = Motion { skeleton, fps, poses };
    let bytes = match format {
        Format::Bvh => bvh::from_motion(&motion, &to.space()),
        #[cfg(feature = "gltf")]
        Format::Gltf => surefoot_formats::gltf::from_motion(&motion),
        #[cfg(feature = "usd")]
        Format::Usd => surefoot_formats::usd::from_motion(&motion),
        #[cfg(feature = "arrays")]
        Format::Arrays => surefoot_formats::arrays::npz_from_motion(&motion),
        other => Err(WriteError::Refused(format!("a new {other} file cannot be written: use .glb or .bvh"))),
    };
    let read = SourceFile::read(bytes.map_err(RetargetFileError::Write)?, &ReadOptions::default());
    let mut source = read.map_err(RetargetFileError::ReadBack)?;
    source.set_rate(fps);
    let space =
        source.stated_space().map_or_else(|| to.space(), |one| Space { unit_m: one.unit_m, up: one.up });
    Ok(Target { source: Cow::Owned(source), space })
}

/// Gives a motion the bones of a new file, which holds them with fewer digits: bones that keep their length need no track
/// there, and may not stretch.
fn round_bones(motion: &mut Motion, file: &Target) {
    let written = file.source.motion(&file.space).skeleton;
    let names =
        |skeleton: &Skeleton| skeleton.joints().iter().map(|joint| joint.name.clone()).collect::<Vec<_>>();
    // Joints in another order are refused where the motion is written.
    if names(&written) != names(&motion.skeleton) {
        return;
    }
    let bones: Vec<JointId> = written.ids().filter(|&joint| written.parent(joint).is_some()).collect();
    for pose in &mut motion.poses {
        for &joint in &bones {
            let (before, after) = (motion.skeleton.joint(joint).offset, written.joint(joint).offset);
            let offset = &mut pose.offsets[joint.index()];
            *offset = if *offset == before { after } else { *offset + (after - before) };
        }
    }
    motion.skeleton = written;
}

/// The file of a body without its frames.
fn without_frames(to: &MotionFile, fps: f64) -> Result<SourceFile, RetargetFileError> {
    let empty = Motion { skeleton: to.clip.motion.skeleton.clone(), fps, poses: Vec::new() };
    let bytes = to.source.write(&empty, &to.space()).map_err(RetargetFileError::Write)?;
    let mut source = to.source.read_back(bytes).map_err(RetargetFileError::ReadBack)?;
    source.set_rate(fps);
    Ok(source)
}

fn matched_joint(one: &Match, from: &Skeleton, to: &Skeleton) -> MatchedJoint {
    MatchedJoint {
        role: one.role.to_string(),
        from: from.joint(one.from).name.clone(),
        towards: one.towards.map(|(joint, part)| (from.joint(joint).name.clone(), part)),
        to: to.joint(one.to).name.clone(),
        how: one.found_by.as_str(),
    }
}

impl RetargetDetails {
    /// Sentences that describe the edit.
    pub fn about(&self) -> Vec<String> {
        let Self { to, scale, raised_m, matched, left_in_motion, left_in_target, .. } = self;
        let mut about = vec![format!(
            "Retargeted to {}, whose legs are {scale:.3} times as long: {} joints matched; {} joints of the motion and \
             {} of the target have no counterpart.",
            file_name(to),
            matched.len(),
            left_in_motion.len(),
            left_in_target.len()
        )];
        // A smaller change is rounding in the file.
        if raised_m.abs() > 1e-5 {
            let (direction, millimetres) =
                (if *raised_m > 0.0 { "raised" } else { "lowered" }, raised_m.abs() * 1000.0);
            about.push(format!(
                "The body was {direction} by {millimetres:.2} mm so that planted feet have their height above the floor."
            ));
        }
        about.extend(self.direction_summary());
        about
    }

    /// Compares the written motion with the captured one; before, the comparison is that of the motion before cleaning.
    pub fn compare(&mut self, captured: &Clip, written: &Clip) {
        self.segments = segment_deviations(captured, written).iter().map(ComparedSegment::from).collect();
    }

    /// A note that names the segments that deviate; `None` if all are within their limits.
    pub fn deviation_note(&self) -> Option<String> {
        let deviates = self.segments.iter().filter(|one| one.deviates);
        let list: Vec<String> = deviates
            .map(|one| {
                let [median, limit] = [one.median_rad, one.limit_rad].map(f64::to_degrees);
                format!("{} by {median:.0}° (expected at most {limit:.0}°)", one.segment)
            })
            .collect();
        (!list.is_empty()).then(|| {
            format!(
                "the pose deviates from the captured one, at the median over all frames: {}. Look at the result, and at \
                 the table of joints for a wrong match",
                list.join(", ")
            )
        })
    }

    fn direction_summary(&self) -> Option<String> {
        let worst = self.segments.iter().max_by(|a, b| a.median_rad.total_cmp(&b.median_rad))?;
        let trunk = self.segments.first()?;
        Some(format!(
            "Directions of {} segments against the captured ones, median over all frames: {} {:.1}°, largest {:.1}° ({}).",
            self.segments.len(),
            trunk.segment,
            trunk.median_rad.to_degrees(),
            worst.median_rad.to_degrees(),
            worst.segment
        ))
    }

    /// The rows of a table of joints, of which the first is the header.
    pub fn rows(&self) -> Vec<Vec<String>> {
        let mut rows = vec![["target joint", "follows", "role", "matched by"].map(String::from).to_vec()];
        for one in &self.matched {
            let from = match &one.towards {
                Some((next, part)) => format!("{}, {:.0} % to {next}", one.from, part * 100.0),
                None => one.from.clone(),
            };
            rows.push(vec![one.to.clone(), from, one.role.clone(), one.how.into()]);
        }
        let row = |to: &str, from: &str, role: &str| vec![to.into(), from.into(), role.into(), String::new()];
        rows.extend(self.left_in_target.iter().map(|name| row(name, "–", "keeps its rest pose")));
        rows.extend(self.left_in_motion.iter().map(|name| row("–", name, "not used")));
        rows
    }
}
