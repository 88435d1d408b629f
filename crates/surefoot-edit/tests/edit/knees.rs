//! No knee is made faster by the cleanup that ends an edit: captures in which it once was, each for its own reason.

use surefoot_core::Clip;
use surefoot_core::math::PI;
use surefoot_edit::follow::{Preserve, fit, follow, turned};
use surefoot_edit::looping::{close, cycles, restart_at_quietest_frame, settings_for, with_loop};
use surefoot_edit::retarget::retarget;
use surefoot_solve::clean;

/// The most that cleaning may add to the speed of a knee, in degrees a frame at 120 a second.
const MOST: f64 = 3.0;

fn check(what: &str, edited: &Clip) {
    let clean = clean(edited, &Default::default()).unwrap().clip.motion;
    let faster = crate::clips::knee_made_faster(&edited.motion, &clean, &edited.legs, edited.first_frame);
    assert!(faster.to_degrees() / 120.0 < MOST, "{what}: {}", faster.to_degrees() / 120.0);
}

fn read(name: &str) -> Option<Clip> {
    let path = surefoot_testdata::path(&format!("bvh/cmu/{name}.bvh"))?;
    Some(crate::clips::read(&path).2)
}

/// `74_04` kicks and lands on a straight leg, centimetres below the floor; `88_01` rolls from a heel below it to a ball
/// above it without ever standing on both; `60_01` flips its feet into it for a few frames.
#[test]
fn no_knee_is_made_faster_where_feet_land_or_roll() {
    for name in ["74_04", "88_01", "60_01"] {
        let Some(clip) = read(name) else { return };
        check(name, &clip);
        check(name, &retarget(&clip, &crate::clips::body(&clip)).unwrap().clip);
        let walked = fit(&clip).unwrap();
        for angle in [0.5 * PI, PI] {
            let path = turned(&walked.path, angle).unwrap();
            check(name, &follow(&clip, &walked, &path, Preserve::Stride).clip);
        }
    }
}

/// The seam of `36_04`'s best cycle goes through a stance, and the loop begins elsewhere.
#[test]
fn no_knee_is_made_faster_where_a_loop_was_closed() {
    let Some(clip) = read("36_04") else { return };
    let Clip { motion, plants, .. } = clip.performance();
    let settings = settings_for(&clip);
    let best = cycles(&motion, &settings, 1).unwrap()[0];
    let closed = close(&motion, &plants, &clip.legs, &best, &settings).unwrap();
    let loops = with_loop(&clip, &closed.edit, &closed.looping);
    let (begun, _) = restart_at_quietest_frame(&loops, &Default::default()).unwrap();
    check("36_04", &begun);
}
