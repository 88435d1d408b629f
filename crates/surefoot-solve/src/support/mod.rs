//! Rectification by support phase: the feet that support the body decide where each plant is held.
//!
//! The method is Hsu's (thesis, 2008, chapter 5). Every frame is labelled with the feet that support the body, or as
//! skating. The improved form takes from it where each plant is held ([`held_position`]), as the first phase of the
//! cleaner; the other phases follow as always. So feet, toes and floor are treated as by [`Method::Phases`], the root
//! moves too, and the knees stay as smooth as captured. That replaces the last step of the thesis, which smooths the
//! motion.
//!
//! [`rectify`] is the published form, for whole motions. Within a skate run the foot that supports the body before it is
//! held until the heels are equally high, and from there on the foot that supports it afterwards; feet that arrive or
//! leave follow a curve. Then every plant is held at the position of its point in its first frame. Only the legs move; the
//! root stays as captured. With the phases it shares the setup, the fitting of spots to the foot, the rotation of the foot
//! to its spots, and the report.
//!
//! [`Method::Phases`]: crate::Method::Phases

mod captured_motion;
mod held_position;
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

pub(crate) use held_position::held_position;
pub use labels::{LegSet, SupportLabel};

/// The label of every frame of a performance; plants count from its first frame.
pub(crate) fn label_frames(
    clip: &Clip,
    plants: &Footplants,
    settings: &Settings,
) -> Result<Vec<SupportLabel>, SetupError> {
    let setup = Setup::new(clip, &leg_shapes(clip)?, 0, settings)?;
    let captured = CapturedMotion::new(clip.performance_poses(), &setup, plants)?;
    Ok(labels::label_frames(&captured))
}

/// Rectifies the performance of a clip as published: its clean poses, and what each plant cost.
///
/// A plant without a given spot is held at the position of its point in its first frame or, if it begins within a skate
/// run, at the end of the run. A plant out of reach drifts, with a note: the root is never moved. The settings that have
/// an effect are `skate_speed`, `ankle_window`, `blend_window`, `stretch` and `roll`.
pub(crate) fn rectify(
    clip: &Clip,
    plants: &Footplants,
    settings: &Settings,
) -> Result<(Vec<Pose>, Report), SetupError> {
    let before = clip.performance_poses();
    let setup = Setup::new(clip, &leg_shapes(clip)?, 0, settings)?;
    let captured = CapturedMotion::new(before, &setup, plants)?;
    let runs = skate_runs::find(&captured, &labels::label_frames(&captured));
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
    Ok((poses, report(plants, &costs, clip.floor.as_ref())))
}
