//! Writes the report of a made walk, before and after, to look at it:
//! `cargo run -p surefoot-measure --example report > report.html`
//!
//! Before is the walk with a root that wanders. After is not a cleaner's work: it is the walk as
//! it was made, with one leg a little longer for a while.

use surefoot_core::Vec3;
use surefoot_core::math::{fade, sin, turn_about};
use surefoot_measure::{Report, Scene, measure, report};
use surefoot_sample::{Recipe, make};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seconds = std::env::args().nth(1).map_or(Ok(6.0), |text| text.parse())?;
    let sample = make(&Recipe { fps: 120.0, seconds, ..Recipe::default() })?;
    let (mut before, mut after) = (sample.motion.clone(), sample.motion);
    for (frame, (skating, held)) in before.poses.iter_mut().zip(&mut after.poses).enumerate() {
        let time = frame as f64 / 120.0;
        let sway = Vec3::new(0.03 * sin(1.7 * time), 0.008 * sin(2.9 * time + 1.0), 0.05 * sin(0.9 * time));
        skating.offsets[0] += sway;
        let longer = 1.0 + 0.012 * fade((time - 3.0).abs() / 0.3);
        held.offsets[sample.legs[0].knee.index()] *= longer;
        let knee = sample.legs[1].knee.index();
        held.rotations[knee] *= turn_about(0, 0.03 * fade((time - 2.2).abs() / 0.25));
    }
    let scene = Scene::new(&sample.legs, &sample.plants, &sample.floor);
    let figures = measure(&after, Some(&before), &scene)?;
    eprintln!("{}", figures.table());
    let notes = ["The left thigh was made longer around 3 s, to show a plant that does not hold.".into()];
    let page = Report {
        title: "walk.clean.bvh",
        after: &after,
        before: Some(&before),
        scene: &scene,
        figures: &figures,
        notes: &notes,
    };
    print!("{}", report(&page)?);
    Ok(())
}
