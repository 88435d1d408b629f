//! Regression tests: cleaning an edit does not make knees faster.

use surefoot_core::Clip;
use surefoot_core::math::PI;
use surefoot_edit::follow::{Preserve, bend_path, fit, follow};
use surefoot_edit::looping::{close, cycles, restart_at_quietest_frame, settings_for, with_loop};
use surefoot_edit::retarget::{TargetBody, retarget};
use surefoot_solve::clean;

/// Largest increase of knee speed by cleaning, in degrees per frame at 120 fps.
const MAX_KNEE_INCREASE: f64 = 3.0;

fn check(name: &str, edited: &Clip) {
    let clean = clean(edited, &Default::default()).unwrap().clip.motion;
    let increase =
        crate::knee_angles::knee_speed_increase(&edited.motion, &clean, &edited.legs, edited.first_frame);
    assert!(
        increase.to_degrees() / 120.0 < MAX_KNEE_INCREASE,
        "{name}: {} degrees per frame",
        increase.to_degrees() / 120.0
    );
}

fn read(name: &str) -> Option<Clip> {
    let path = surefoot_testdata::path(&format!("bvh/cmu/{name}.bvh"))?;
    Some(crate::clips::read(&path).2)
}

/// `74_04` kicks and lands on a straight leg, centimetres below the floor; `88_01` rolls from a heel below it to a ball
/// above it without ever standing on both; `60_01` flips its feet into it for a few frames.
#[test]
fn landing_and_rolling_feet_do_not_make_knees_faster() {
    for name in ["74_04", "88_01", "60_01"] {
        let Some(clip) = read(name) else { return };
        check(name, &clip);
        check(name, &retarget(&clip, &TargetBody::from(&clip)).unwrap().clip);
        let walked = fit(&clip).unwrap();
        for angle in [0.5 * PI, PI] {
            let path = bend_path(&walked.path, angle).unwrap();
            check(name, &follow(&clip, &walked, &path, Preserve::Stride).unwrap().clip);
        }
    }
}

/// The seam of the best cycle of `36_04` is inside a stance, and the loop starts at another frame.
#[test]
fn closing_a_loop_does_not_make_knees_faster() {
    let Some(clip) = read("36_04") else { return };
    let Clip { motion, plants, .. } = clip.performance();
    let settings = settings_for(&clip);
    let best = cycles(&motion, &plants, &settings, 1).unwrap()[0];
    let closed = close(&motion, &plants, &clip.legs, &best, &settings).unwrap();
    let loops = with_loop(&clip, &closed.edit, &closed.looping);
    let (begun, _) = restart_at_quietest_frame(&loops, &Default::default()).unwrap();
    check("36_04", &begun);
}
