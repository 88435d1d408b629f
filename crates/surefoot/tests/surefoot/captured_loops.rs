//! Loops of captures that do not repeat themselves: closing them must not make the cleanup jolt a leg.

use std::borrow::Cow;

use surefoot::edit::looping::LoopStart;
use surefoot::edit_files::Cycles;
use surefoot::{MotionFile, Settings, finish};

/// The distance between the ends of the best cycle, in metres, and the teleports, knee pops and new slides that cleaning
/// its loop introduces.
fn loop_of(capture: &str) -> Option<(f64, [usize; 3])> {
    let path = surefoot_testdata::path(capture)?;
    let mut file = MotionFile::load(path).unwrap();
    file.ensure_plants().unwrap();
    let cycles = Cycles::new(&file, None, None, LoopStart::Quietest);
    let cycle = cycles.find(1).unwrap()[0];
    let mut looped = cycles.close(&cycle).unwrap();
    looped.restart(&Settings::default()).unwrap();
    let clip = core::mem::take(&mut looped.clip);
    let written = finish(file.target(), Cow::Owned(clip), &Settings::default().into()).unwrap();
    let events = &written.figures.events;
    let count = |list: &Option<Vec<_>>| list.as_ref().map_or(0, Vec::len);
    let counts = [count(&events.teleports), count(&events.knee_pops), count(&events.new_slides)];
    let details = looped.details(&written);
    assert_eq!(details.gap_note().is_some(), cycle.distance > 0.06);
    Some((cycle.distance, counts))
}

#[test]
fn a_loop_of_a_motion_that_does_not_repeat_itself_has_no_events() {
    // The best cycle of 13_01 closed to 9 cm when this test was written; now cycles that close come first.
    for (name, repeats) in [("19_01", false), ("122_14", false), ("18_01", false), ("13_01", true)] {
        let Some((distance, events)) = loop_of(&format!("bvh/cmu/{name}.bvh")) else { return };
        assert_eq!(distance <= 0.06, repeats, "{name}: {distance}");
        assert_eq!(events, [0, 0, 0], "{name}");
    }
}
