//! Rectification by support phase: corrects a skate run by the feet that support the body before and after it.
//!
//! The method is Hsu's (thesis, 2008, chapter 5). Every frame is labelled with the feet that support the body, or as
//! skating. Within a skate run the foot that supports the body before it is held until the heels are equally high,
//! and from there on the foot that supports it afterwards; feet that arrive or leave follow a curve. Then every plant
//! is held at the position of its point in its first frame. Only the legs move; the root stays as captured.
//!
//! Shared with the phases are only the setup, the fitting of spots to the foot, the rotation of the foot to its spots,
//! and the report. Unlike the phases this method needs the whole motion at once.

mod captured_motion;
mod labels;
mod leg_ik;
mod skate_runs;
mod stance_targets;
mod swing_paths;

use surefoot_core::{Clip, Footplants, Pose};

use crate::report::Report;
use crate::report::cost::{CorrectionCost, report};
use crate::settings::Settings;
use crate::setup::{Setup, SetupError, leg_shapes};
use captured_motion::CapturedMotion;

pub use labels::{LegSet, SupportLabel};

/// Rectifies the performance of a clip.
///
/// Plants are held as the phases hold them, and the report is the same; but a plant without a given spot is held at
/// the position of its point in its first frame or, if it begins within a skate run, at the end of the run. A plant
/// out of reach drifts, with a note: the root is never moved.
///
/// The settings that have an effect are `skate_speed`, `ankle_window`, `blend_window`, `stretch`, `roll`,
/// `snap_distance` and `form`. With [`Form::Paper`](crate::Form::Paper) the positions of a foot follow the published
/// curve, so that a swing within a skate run loses its arc, and plants keep their height; otherwise the corrections of
/// the positions follow it, and plants near the floor are snapped onto it.
pub(crate) fn rectify(
    clip: &Clip,
    plants: &Footplants,
    settings: &Settings,
) -> Result<RectifyResult, SetupError> {
    let before = clip.performance_poses();
    let setup = Setup::new(clip, &leg_shapes(clip)?, 0, settings)?;
    let captured = CapturedMotion::new(before, &setup, plants)?;
    let labels = labels::label_frames(&captured);
    let runs = skate_runs::find(&captured, &labels);
    let mut poses = before.to_vec();
    let mut costs = vec![CorrectionCost::default(); plants.plants.len()];
    for leg in 0..setup.legs.len() {
        let stances = stance_targets::find(&captured, leg, &runs);
        let targets = swing_paths::targets(&captured, leg, &runs, &stances);
        for (frame, target) in targets.iter().enumerate() {
            let Some(target) = target else { continue };
            let fit = leg_ik::solve(captured.leg(frame, leg), &setup, leg, target, &mut poses[frame]);
            stance_targets::add_cost(&mut costs, &captured, leg, frame, &stances[frame], &fit);
        }
    }
    let report = report(plants, &costs, clip.floor.as_ref(), settings);
    Ok(RectifyResult { poses, report, labels })
}

/// The result of [`rectify`].
pub(crate) struct RectifyResult {
    /// The clean poses of the performance.
    pub poses: Vec<Pose>,
    /// What each plant cost.
    pub report: Report,
    /// Which feet support the body in each frame.
    pub labels: Vec<SupportLabel>,
}
