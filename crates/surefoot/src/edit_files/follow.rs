//! Moves a file to another path.

use serde::Serialize;
use surefoot_core::{Clip, Floor};
use surefoot_edit::follow::{
    FittedPath, FollowResult, GroundPosition, NoPath, Path, PathError, Preserve, align_start, bend_path, fit,
    follow, path_through, scale_path,
};
use surefoot_formats::path as files;
use surefoot_formats::source::most_frames_of_edit;

use crate::text::short;
use crate::{FloorSource, MotionFile};

/// How a new path differs from that of the motion. Changes apply in the order of the fields.
#[derive(Clone, Debug, Default)]
pub struct PathChange {
    /// A path that replaces that of the motion, in metres and the ground axes of the file.
    pub path: Option<Vec<GroundPosition>>,
    /// Points that the path goes through, after the start of the motion, in metres and the ground axes of the file.
    pub through: Option<Vec<GroundPosition>>,
    /// The angle by which the path is bent evenly, to the left, in radians.
    pub turn: Option<f64>,
    /// The factor by which the path is scaled.
    pub scale: Option<f64>,
    /// Moves and turns the path so that it starts at the position and direction of the motion.
    pub from_start: bool,
}

/// A clip on another path.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FollowedClip {
    /// The clip, not yet cleaned.
    pub clip: Clip,
    /// The details of the edit, for JSON.
    pub details: FollowDetails,
    preserve: Preserve,
}

/// The details of a motion on another path.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct FollowDetails {
    /// The length of the path of the motion.
    pub path_before_m: f64,
    /// The length of the new path.
    pub path_m: f64,
    /// How far the body travels along the new path.
    pub gone_m: f64,
    /// The length of a step, as a multiple of the captured one.
    pub stride: f64,
}

/// The path that the body of a file walks.
pub fn walked_path(file: &MotionFile) -> Result<FittedPath, NoPath> {
    fit(&file.clip)
}

/// Moves a file from its own path to a changed one.
pub fn follow_path(
    file: &MotionFile,
    walked: &FittedPath,
    change: &PathChange,
    preserve: Preserve,
) -> Result<FollowedClip, PathError> {
    let path = new_path(file, &walked.path, change)?;
    if preserve == Preserve::Speed {
        check_frames(file, path.length() / walked.path.length())?;
    }
    let FollowResult { mut clip, lengths, distance, stride_scale } =
        follow(&file.clip, walked, &path, preserve)?;
    if file.floor_source == FloorSource::Plants {
        // The plants have moved, so the floor is built again.
        let built = Floor::from_plants(&clip.motion, &clip.legs, &clip.plants, clip.first_frame);
        clip.floor = built.or(clip.floor);
    }
    let details = FollowDetails {
        path_before_m: lengths[0],
        path_m: lengths[1],
        gone_m: distance,
        stride: stride_scale,
    };
    Ok(FollowedClip { clip, details, preserve })
}

/// Checks that a motion that takes this many times as long fits into memory.
fn check_frames(file: &MotionFile, times: f64) -> Result<(), PathError> {
    let (source, before) = (&file.source, file.clip.motion.frames());
    let most = most_frames_of_edit(source.skeleton().len(), before, source.size());
    match before as f64 * times {
        found if found > most as f64 => Err(PathError::TooManyFrames { found, most }),
        _ => Ok(()),
    }
}

fn new_path(file: &MotionFile, own: &Path, change: &PathChange) -> Result<Path, PathError> {
    let space = file.space();
    let to_world = |points: &Vec<GroundPosition>| -> Vec<GroundPosition> {
        points.iter().map(|&point| files::point_from_file(point, &space)).collect()
    };
    let mut path = own.clone();
    if let Some(points) = &change.path {
        path = Path::through(&to_world(points))?;
    }
    if let Some(points) = &change.through {
        path = path_through(own, &to_world(points))?;
    }
    if let Some(angle) = change.turn {
        path = bend_path(&path, angle)?;
    }
    if let Some(scale) = change.scale {
        path = scale_path(&path, scale)?;
    }
    if change.from_start {
        path = align_start(&path, own)?;
    }
    Ok(path)
}

/// The text of a path file: the path in the axes of the file.
pub fn path_text(file: &MotionFile, path: &Path) -> String {
    let space = file.space();
    let points: Vec<GroundPosition> =
        path.points().iter().map(|&point| files::point_to_file(point, &space)).collect();
    files::write(&points)
}

/// The points of a JSON or SVG file. A message about one place starts with its line.
pub fn read_path(bytes: &[u8]) -> Result<Vec<GroundPosition>, String> {
    let text = String::from_utf8_lossy(bytes);
    let is_svg = text.trim_start_matches('\u{feff}').trim_start().starts_with('<');
    let read = if is_svg { files::read_svg(&text) } else { files::read(bytes) };
    read.map_err(|error| error.to_string())
}

impl FollowedClip {
    /// Sentences that describe the edit.
    pub fn about(&self) -> Vec<String> {
        let FollowDetails { path_before_m, path_m, gone_m, stride } = self.details;
        let mut about = vec![format!(
            "The path was {path_before_m:.2} m long and is {path_m:.2} m now; the body travels {gone_m:.2} m along it."
        )];
        if (stride - 1.0).abs() > 0.005 {
            let more = if stride > 1.0 { "longer" } else { "shorter" };
            let time = if self.preserve == Preserve::Speed { ", at the same speed" } else { "" };
            about.push(format!("The steps are {more}, {} times the captured length{time}.", short(stride)));
        }
        if self.preserve == Preserve::Stride && gone_m > path_m + 0.01 {
            about.push(
                "The steps reach beyond the end of the path; the body continues straight ahead from there."
                    .into(),
            );
        }
        about
    }
}
