//! Writes the report of a generated motion, before and after:
//! `cargo run -p surefoot-measure --example report -- turn human 6 > report.html`
//!
//! The motion before has a drifting root, as in video capture. The motion after is not cleaned: it is
//! the generated motion with one leg slightly longer and one knee slightly straighter for a while.

use surefoot_core::math::{axis_rotation, fade};
use surefoot_core::{Clip, Motion};
use surefoot_measure::{Report, measure, report};
use surefoot_sample::{Body, Kind, Recipe, Sample, Skate, make};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let recipe = recipe().ok_or("usage: report [KIND [BODY [SECONDS]]]")?;
    let before = make(&Recipe { skate: Some(Skate::Drift(0.03)), ..recipe.clone() })?.motion;
    let sample = make(&recipe)?;
    let clip = Clip { motion: with_faults(&sample), ..sample.into_clip() };
    let figures = measure(&clip, Some(&before))?;
    eprintln!("{}", figures.table());
    let notes = ["One thigh was made longer around 3 s and one knee turned around 2 s, to show plants that \
                  do not hold."
        .into()];
    let title = format!("{}.clean.bvh", recipe.kind.as_str());
    let before = Some(&before);
    let page = Report {
        title: &title,
        clip: &clip,
        before,
        figures: &figures,
        missed_limits: &[],
        warnings: &[],
        notes: &notes,
    };
    print!("{}", report(&page)?);
    Ok(())
}

/// The recipe from the command line; `None` if it is invalid.
fn recipe() -> Option<Recipe> {
    let mut words = std::env::args().skip(1);
    Some(Recipe {
        kind: words.next().map_or(Some(Kind::Walk), |word| Kind::from_name(&word))?,
        body: words.next().map_or(Some(Body::Human), |word| Body::from_name(&word))?,
        seconds: words.next().map_or(Some(6.0), |word| word.parse().ok())?,
        fps: 120.0,
        ..Recipe::default()
    })
}

fn with_faults(sample: &Sample) -> Motion {
    let mut motion = sample.motion.clone();
    let [left, right] = [0, 1].map(|leg| sample.legs[leg].knee.index());
    for (frame, pose) in motion.poses.iter_mut().enumerate() {
        let time = frame as f64 / motion.fps;
        pose.offsets[left] *= 1.0 + 0.012 * fade((time - 3.0).abs() / 0.3);
        pose.rotations[right] *= axis_rotation(0, 0.03 * fade((time - 2.2).abs() / 0.25));
    }
    motion
}
