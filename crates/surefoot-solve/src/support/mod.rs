//! Rectification by support: a skating run is mended by who carries the body before and after it.
//!
//! The method is Hsu's (thesis, 2008, chapter 5). Every frame is labelled by the feet that carry the
//! body, or as skating. Within a skating run the foot that carries before it stands until the heels are
//! as high as one another, and from there on the one that carries after it; feet that come or go do so
//! along a curve. Then every plant is held where its first frame has it. The root stays: all of it is
//! done by the legs.
//!
//! Nothing is shared with the five phases but the setup, where a foot's spots are, how it is turned to
//! them, and the report. Unlike them it sees the whole motion at once.

mod body;
mod label;
mod runs;
mod hold;
mod trace;
mod leg;

use surefoot_core::{Clip, Footplants, Pose};

use crate::report::Report;
use crate::report::cost::{Taken, report};
use crate::settings::Settings;
use crate::setup::{Setup, SetupError, leg_shapes};
use body::Body;

pub use label::{LegSet, SupportLabel};

/// Mends a motion in memory by support.
///
/// Plants hold as they do in [`clean`](crate::clean), and the report is the same; but a plant whose
/// spot is not given stands where its first frame has it, and where it begins in a skating run, where
/// it stands at the run's end. What the legs cannot reach slides, with a note: the root is never moved.
///
/// Of the settings, `skate`, `ankles`, `blend`, `stretch`, `roll`, `snap` and `form` are heeded. With
/// [`Form::Paper`](crate::Form::Paper) a foot's places follow the published curve, so that a swing
/// within a skating run loses its arc, and plants keep the height that they have; else the changes of
/// the places follow it, and plants near the floor stand on it.
pub(crate) fn rectify(
    clip: &Clip,
    plants: &Footplants,
    settings: &Settings,
) -> Result<Rectified, SetupError> {
    let before = clip.performance_poses();
    let setup = set_up(clip, settings)?;
    let body = Body::new(before, &setup, plants)?;
    let labels = label::labels(&body);
    let runs = runs::runs(&body, &labels);
    let mut poses = before.to_vec();
    let mut taken = vec![Taken::default(); plants.plants.len()];
    for leg in 0..setup.legs.len() {
        let held = hold::hold(&body, leg, &runs);
        let targets = trace::targets(&body, leg, &runs, &held);
        for (frame, target) in targets.iter().enumerate() {
            let Some(target) = target else { continue };
            let bent = leg::bend(body.seen(frame, leg), &setup, leg, target, &mut poses[frame]);
            hold::add(&mut taken, &body, leg, frame, &held[frame], &bent);
        }
    }
    let report = report(plants, &taken, clip.floor.as_ref(), settings);
    Ok(Rectified { poses, report, labels })
}

/// The result of [`rectify`].
pub(crate) struct Rectified {
    /// The clean poses of the performance.
    pub poses: Vec<Pose>,
    /// What each plant cost.
    pub report: Report,
    /// Which feet support the body in each frame.
    pub labels: Vec<SupportLabel>,
}

fn set_up(clip: &Clip, settings: &Settings) -> Result<Setup, SetupError> {
    Setup::new(clip, &leg_shapes(clip)?, 0, settings)
}
