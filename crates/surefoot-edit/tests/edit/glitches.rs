//! Frames in which a capture jumps away and comes back: found, kept out of the correction, and repaired.

use surefoot_core::math::axis_rotation;
use surefoot_core::{Clip, FootPoint, JointId, Motion, Vec3};
use surefoot_edit::body_root::clean_body;
use surefoot_edit::glitches::{find, repaired};
use surefoot_sample::{Kind, Recipe, Skate, make};
use surefoot_solve::Settings;

/// A walk that skates and shakes a little, with its true plants.
fn walk(fps: f64) -> Clip {
    let recipe = Recipe { fps, skate: Some(Skate::Noise(0.001)), ..Recipe::default() };
    let sample = make(&recipe).unwrap();
    let mut plants = sample.plants;
    plants.plants.iter_mut().for_each(|plant| plant.spot = None);
    Clip { motion: sample.motion, legs: sample.legs, floor: Some(sample.floor), plants, ..Clip::default() }
}

/// What is thrown off in some frames.
#[derive(Clone, Copy, Debug)]
enum Off {
    Root,
    Knee,
    Ankle,
    WholePose,
}

/// Throws joints off at these frames and returns them.
fn throw(clip: &mut Clip, off: Off, frames: std::ops::Range<usize>) -> Vec<JointId> {
    let skeleton = clip.motion.skeleton.clone();
    let turned: Vec<JointId> = match off {
        Off::Root => vec![],
        Off::Knee => vec![clip.legs[0].knee],
        Off::Ankle => vec![clip.legs[1].ankle],
        Off::WholePose => skeleton.ids().filter(|joint| skeleton.parent(*joint).is_some()).collect(),
    };
    for frame in frames {
        let pose = &mut clip.motion.poses[frame];
        for joint in &turned {
            pose.rotations[joint.index()] *= axis_rotation(0, 0.6);
        }
        if matches!(off, Off::Root | Off::WholePose) {
            pose.offsets[0] += Vec3::new(0.05, 0.12, 0.05);
        }
    }
    if matches!(off, Off::Root) { vec![JointId(0)] } else { turned }
}

const ALL: [Off; 4] = [Off::Root, Off::Knee, Off::Ankle, Off::WholePose];

/// The largest angle in radians or distance in metres by which any joint of two motions differs.
fn difference(a: &Motion, b: &Motion) -> f64 {
    let mut largest = 0.0_f64;
    for (a, b) in a.poses.iter().zip(&b.poses) {
        for joint in 0..a.offsets.len() {
            largest = largest.max(a.offsets[joint].distance(b.offsets[joint]));
            largest = largest.max(2.0 * (a.rotations[joint] - b.rotations[joint]).length().min(1.0));
        }
    }
    largest
}

#[test]
fn a_glitch_of_one_or_two_frames_is_found_with_its_joints_and_repaired() {
    for fps in [30.0, 60.0, 120.0, 240.0] {
        let clean = walk(fps);
        let lengths = if fps < 45.0 { 1..2 } else { 1..3 };
        for (off, length) in ALL.into_iter().flat_map(|off| lengths.clone().map(move |length| (off, length)))
        {
            let mut clip = clean.clone();
            let first = (1.5 * fps) as usize;
            let thrown = throw(&mut clip, off, first..first + length);
            let found = find(&clip.motion, &clip.legs, 0);
            assert_eq!(found.len(), 1, "{off:?} {fps} fps {length}: {found:?}");
            assert_eq!(found[0].frames, first..first + length, "{off:?} {fps} fps");
            for joint in thrown {
                let is_found = found[0].jumps.iter().any(|jump| jump.joint == joint);
                assert!(is_found || matches!(off, Off::WholePose), "{off:?} {fps} fps: {joint:?}");
            }
            let repaired = repaired(&clip.motion, &found);
            let left = difference(&repaired, &clean.motion);
            // A joint that jumps by too little to be seen, such as a finger, stays as it is.
            let most = if matches!(off, Off::WholePose) { 0.7 } else { 0.06 };
            assert!(left < most, "{off:?} {fps} fps {length}: {left} left");
            for frame in (0..clip.motion.frames()).filter(|frame| !found[0].frames.contains(frame)) {
                assert_eq!(repaired.poses[frame], clip.motion.poses[frame]);
            }
        }
    }
}

#[test]
fn no_fast_movement_is_a_glitch() {
    for kind in Kind::every() {
        for fps in [24.0, 30.0, 60.0, 120.0, 240.0] {
            for skate in [None, Some(Skate::Noise(0.002)), Some(Skate::Scale(1.2))] {
                let sample = make(&Recipe { kind, fps, skate, ..Recipe::default() }).unwrap();
                let found = find(&sample.motion, &sample.legs, 0);
                assert!(found.is_empty(), "{kind:?} at {fps} fps: {found:?}");
            }
        }
    }
}

/// A knee that bends by 80° and stretches again within 0.2 s, and an ankle that stops at once, as in a stamp.
#[test]
fn a_kick_and_a_stamp_are_not_glitches() {
    for fps in [30.0, 60.0, 120.0] {
        let mut clip = walk(fps);
        let (knee, ankle) = (clip.legs[0].knee.index(), clip.legs[1].ankle.index());
        for (frame, pose) in clip.motion.poses.iter_mut().enumerate() {
            let time = frame as f64 / fps - 1.5;
            let kick = 1.4 * (1.0 - time * time / 0.01).max(0.0);
            pose.rotations[knee] *= axis_rotation(0, kick);
            let stamp = 0.5 * (1.0 - (time / 0.15).abs()).max(0.0) * f64::from(u8::from(time < 0.0));
            pose.rotations[ankle] *= axis_rotation(0, stamp.min(0.3));
        }
        let found = find(&clip.motion, &clip.legs, 0);
        assert!(found.is_empty(), "{fps} fps: {found:?}");
    }
}

#[test]
fn a_shaking_capture_has_no_glitches() {
    let mut clip = walk(120.0);
    let ankle = clip.legs[0].ankle.index();
    let mut random = surefoot_sample::Random::new(3, 1);
    for pose in &mut clip.motion.poses {
        pose.rotations[ankle] *= axis_rotation(0, random.between(-0.2, 0.2));
    }
    assert!(find(&clip.motion, &clip.legs, 0).is_empty());
}

#[test]
fn a_repaired_glitch_is_cleaned_like_the_motion_without_it() {
    let settings = Settings { repair_glitches: true, ..Settings::default() };
    for off in ALL {
        let mut clip = walk(120.0);
        throw(&mut clip, off, 180..181);
        let found = find(&clip.motion, &clip.legs, 0);
        let without = Clip { motion: repaired(&clip.motion, &found), ..clip.clone() };
        let expected = clean_body(&without, &Settings::default()).unwrap().clip.motion;
        assert_eq!(clean_body(&clip, &settings).unwrap().clip.motion, expected, "{off:?}");
    }
}

#[test]
fn plants_are_held_through_a_glitch() {
    for off in ALL {
        let mut clip = walk(120.0);
        throw(&mut clip, off, 180..182);
        let cleaned = clean_body(&clip, &Settings::default()).unwrap();
        for (plant, cost) in clip.plants.plants.iter().zip(&cleaned.report.plants) {
            assert!(cost.drift_m < 1e-6, "{off:?} {plant:?}");
            let leg = &clip.legs[plant.leg];
            let point = if plant.point == FootPoint::Heel { &leg.heel } else { &leg.ball };
            let motion = &cleaned.clip.motion;
            let at = |frame: usize| motion.poses[frame].world(&motion.skeleton).point(point);
            let first = at(plant.frames.start);
            let drift = plant.frames.clone().map(|frame| at(frame).distance(first)).fold(0.0, f64::max);
            assert!(drift < 1e-5, "{off:?} {plant:?}: {drift}");
        }
    }
}

#[test]
fn without_plants_a_glitch_keeps_its_bits() {
    let mut clip = walk(120.0);
    clip.plants.plants.clear();
    // With a floor, feet below it are lifted.
    clip.floor = None;
    throw(&mut clip, Off::WholePose, 180..181);
    assert!(!find(&clip.motion, &clip.legs, 0).is_empty());
    assert_eq!(clean_body(&clip, &Settings::default()).unwrap().clip.motion, clip.motion);
}
