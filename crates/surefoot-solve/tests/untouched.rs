//! What no plant reaches comes back as it was, to the bit; and what may not stretch does not.

mod made;

use made::*;
use proptest::prelude::*;
use surefoot_core::{Footplants, JointId};
use surefoot_solve::Settings;

/// Holds a cleaned case to all that must stay as it was.
fn check(case: &Case, settings: &Settings) {
    let (after, _) = case.clean(settings);
    assert_eq!(after.frames(), case.clip.motion.frames());
    assert_eq!((&after.skeleton, after.fps), (&case.clip.motion.skeleton, case.clip.motion.fps));
    // The first frame out of a window is at its length.
    let frames = |seconds: f64| (seconds * case.clip.motion.fps - 1e-9).ceil().max(1.0) as usize - 1;
    let reach = frames(settings.root_window).max(frames(settings.blend_window));
    let is_near = |frame: usize| {
        let near = |plant: &surefoot_core::Plant| {
            plant.frames.start <= frame + reach && frame < plant.frames.end + reach
        };
        case.clip.plants.plants.iter().any(near)
    };
    for (frame, (before, after)) in case.clip.motion.poses.iter().zip(&after.poses).enumerate() {
        let at = format!("{}: frame {frame}", case.name);
        if !is_near(frame) {
            assert_eq!(bits(before), bits(after), "{at}");
        }
        for joint in case.clip.motion.skeleton.ids() {
            let index = joint.index();
            let (was, is) = (before.offsets[index], after.offsets[index]);
            if is_bone(case, joint) {
                let stretch = is.length() / was.length() - 1.0;
                assert!(
                    stretch.abs() <= settings.stretch_limit + 1e-12,
                    "{at}: {joint:?} stretched {stretch}"
                );
            }
            if case.clip.motion.skeleton.parent(joint).is_some()
                && (settings.stretch_limit == 0.0 || !is_bone(case, joint))
            {
                assert_eq!(
                    was.to_array().map(f64::to_bits),
                    is.to_array().map(f64::to_bits),
                    "{at}: {joint:?}"
                );
            }
            if !turns(case, joint) {
                let (was, is) = (before.rotations[index].to_array(), after.rotations[index].to_array());
                assert_eq!(was.map(f64::to_bits), is.map(f64::to_bits), "{at}: {joint:?} turned");
            }
        }
    }
}

/// Whether a joint ends a thigh or shin, or part of one.
fn is_bone(case: &Case, joint: JointId) -> bool {
    case.clip.legs.iter().any(|leg| {
        let mut up = leg.ankle;
        while up != leg.hip {
            if up == joint {
                return true;
            }
            up = case.clip.motion.skeleton.parent(up).unwrap();
        }
        false
    })
}

/// Whether the cleaner may turn a joint.
fn turns(case: &Case, joint: JointId) -> bool {
    case.clip.legs.iter().any(|leg| [leg.hip, leg.knee, leg.ankle, leg.toe.joint].contains(&joint))
}

fn without_plants(mut case: Case) -> Case {
    case.clip.plants = Footplants::default();
    // Files say `-0.0000` now and then; it must not come back as `0.0000`.
    case.clip.motion.poses.iter_mut().for_each(|pose| pose.offsets[0].x = -0.0);
    case
}

fn with_one_plant(mut case: Case) -> Case {
    let middle = case.clip.plants.plants.len() / 2;
    case.clip.plants.plants = case.clip.plants.plants.drain(..).skip(middle).take(1).collect();
    case.clip.motion.poses.iter_mut().for_each(|pose| pose.offsets[0].x = -0.0);
    case
}

/// Some frames have joints that are not where the skeleton has them: all but bones come back with them, to the bit,
/// and the frames between with the skeleton's.
#[test]
fn joints_that_move_come_back_where_they_were() {
    for case in few_samples() {
        let mut case = case.with_spots_found();
        let last = case.clip.motion.skeleton.len() - 1;
        for (frame, pose) in case.clip.motion.poses.iter_mut().enumerate() {
            match frame / 5 % 3 {
                0 => pose.offsets[last].y += 1e-3 * frame as f64,
                1 => pose.offsets[last].x *= -0.0,
                _ => {}
            }
        }
        for (_, settings) in all_settings() {
            check(&case, &settings);
        }
        check(&without_plants(case), &Settings::default());
    }
}

#[test]
fn without_plants_a_motion_comes_back_to_the_bit() {
    for case in samples().chain(real_files()) {
        check(&without_plants(case), &Settings::default());
    }
}

#[test]
fn samples_change_only_where_plants_reach() {
    for case in samples() {
        for (_, settings) in all_settings() {
            check(&case, &settings);
            check(&with_one_plant(case.clone()), &settings);
        }
    }
}

#[test]
fn captured_motions_change_only_where_plants_reach() {
    for case in real_files() {
        for (_, settings) in all_settings() {
            check(&case, &settings);
            check(&with_one_plant(case.clone()), &settings);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn any_motion_changes_only_where_plants_reach(case in any_case(), which in 0..5usize) {
        check(&case, &all_settings()[which].1);
    }

    #[test]
    fn bones_stretch_no_more_than_any_limit(case in any_case(), stretch in 0.0..0.2f64) {
        check(&case, &Settings { stretch_limit: stretch, ..Settings::default() });
    }
}
