//! Loops of every rig and capture: strides, not rest poses or still stretches, with a seam like the motion.

use crate::bodies::sample;
use crate::clips::read;
use surefoot_core::math::{PI, axis_rotation};
use surefoot_core::{Clip, Pose};
use surefoot_edit::looping::{
    Cycle, MAX_CYCLE_DISTANCE, close, cycles, restart_at_quietest_frame, seam, settings_for, strides_within,
    with_loop,
};
use surefoot_sample::{Body, Kind, Recipe};
use surefoot_solve::clean;

fn best(clip: &Clip) -> Cycle {
    let performance = clip.performance();
    cycles(&performance.motion, &performance.plants, &settings_for(clip), 1).unwrap()[0]
}

/// The best loop of a clip, closed, started at its quietest frame and cleaned, as the command does.
fn closed(clip: &Clip) -> Clip {
    let Clip { motion, plants, .. } = clip.performance();
    let settings = settings_for(clip);
    let closed = close(&motion, &plants, &clip.legs, &best(clip), &settings).unwrap();
    let looped = with_loop(clip, &closed.edit, &closed.looping);
    let (looped, _) = restart_at_quietest_frame(&looped, &Default::default()).unwrap();
    clean(&looped, &Default::default()).unwrap().clip
}

#[test]
fn the_loop_of_a_straight_walk_is_whole_straight_strides_on_every_rig() {
    for body in Body::RIGS.into_iter().chain([Body::Human, Body::NoToe]) {
        let clip = sample(&Recipe { body, fps: 30.0, seconds: 8.0, ..Recipe::default() });
        let cycle = best(&clip);
        let strides = strides_within(&clip.plants, 30.0, cycle.first, cycle.last);
        // At 30 fps two strides may take a whole number of frames where one does not.
        assert!((1..=2).contains(&strides), "{body:?} {cycle:?}");
        assert_eq!(cycle.travel.angle(), 0.0, "{body:?} {cycle:?}");
        let (travel, size) = (cycle.travel.translation, if body == Body::Child { 0.6 } else { 1.0 });
        assert!(travel.z > 0.8 * size && travel.x.abs() < 0.05, "{body:?} {travel}");
        let looped = closed(&clip);
        let seam = seam(&looped.motion, &looped.legs, &looped.looping.unwrap());
        assert!(seam.roughest.unwrap().ratio <= 1.0, "{body:?} {seam:?}");
    }
}

#[test]
fn the_root_of_a_loop_stays_still_where_it_was_still() {
    let clip = sample(&Recipe { body: Body::GroundRoot, fps: 30.0, ..Recipe::default() });
    let Clip { motion, plants, .. } = clip.performance();
    let settings = settings_for(&clip);
    let closed = close(&motion, &plants, &clip.legs, &best(&clip), &settings).unwrap();
    assert!(closed.edit.motion.poses.iter().all(|pose| pose.offsets[0] == motion.poses[0].offsets[0]));
}

#[test]
fn a_circle_keeps_its_turn() {
    let clip = sample(&Recipe { kind: Kind::Circle, fps: 30.0, seconds: 8.0, ..Recipe::default() });
    assert!(best(&clip).travel.angle() > 5.0 * PI / 180.0);
}

#[test]
fn a_slight_turn_of_a_walk_becomes_straight() {
    let mut clip = sample(&Recipe { fps: 30.0, seconds: 8.0, ..Recipe::default() });
    // The whole walk turns by 0.05 rad over 8 s, about half a degree in a stride.
    let frames = clip.motion.frames();
    for (frame, pose) in clip.motion.poses.iter_mut().enumerate() {
        let turn = axis_rotation(1, 0.15 * frame as f64 / frames as f64);
        pose.offsets[0] = turn * pose.offsets[0];
        pose.rotations[0] = turn * pose.rotations[0];
    }
    assert_eq!(best(&clip).travel.angle(), 0.0);
}

#[test]
fn a_still_stretch_is_no_cycle() {
    let mut clip = sample(&Recipe { fps: 30.0, seconds: 8.0, ..Recipe::default() });
    // The walk freezes for three seconds in the middle.
    let frozen = vec![clip.motion.poses[120].clone(); 90];
    let tail = clip.motion.poses.split_off(120);
    clip.motion.poses.extend(frozen.into_iter().chain(tail));
    for plant in &mut clip.plants.plants {
        let later = |frame: usize| if frame > 120 { frame + 90 } else { frame };
        plant.frames = later(plant.frames.start)..later(plant.frames.end);
    }
    let cycle = best(&clip);
    assert!(cycle.last <= 122 || cycle.first >= 208, "{cycle:?}");
}

#[test]
fn a_rest_pose_is_in_no_cycle_and_not_in_front_of_a_loop() {
    let mut clip = sample(&Recipe { fps: 30.0, seconds: 8.0, ..Recipe::default() });
    let rest = Pose { offsets: clip.motion.poses[100].offsets.clone(), ..Pose::rest(&clip.motion.skeleton) };
    clip.motion.poses[100] = rest.clone();
    let cycle = best(&clip);
    assert!(!(cycle.first..=cycle.last).contains(&100), "{cycle:?}");
    // An inserted T-pose at frame 0 is left out of the loop.
    clip.motion.poses[0] = rest;
    clip.first_frame = 1;
    let looped = closed(&clip);
    assert_eq!(looped.first_frame, 0);
    assert_eq!(looped.motion.frames(), looped.looping.unwrap().period + 1);
    let is_rest = |pose: &Pose| pose.rotations[1..].iter().all(|rotation| rotation.w.abs() > 0.9999);
    assert!(!looped.motion.poses.iter().any(is_rest));
}

#[test]
fn loops_of_captures_have_a_seam_like_their_motion() {
    for name in [
        "cmu/02_01.bvh",
        "cmu/02_03.bvh",
        "cmu/16_22.bvh",
        "cmu/07_01.bvh",
        "bvh-python/test_freebvh.bvh",
        "makehuman/walk1.bvh",
        "bvh-toolbox/walk01.bvh",
        "pymo/AV_8Walk_Meredith_HVHA_Rep1.bvh",
        "bvh-matlab/walk.bvh",
    ] {
        let Some(path) = surefoot_testdata::path(&format!("bvh/{name}")) else { return };
        let (_, _, clip) = read(&path);
        let looped = closed(&clip);
        let seam = seam(&looped.motion, &looped.legs, &looped.looping.unwrap());
        assert!(seam.roughest.unwrap().ratio <= 1.0, "{name} {:?} {seam:?}", best(&clip));
        assert!(looped.looping.unwrap().period as f64 / looped.motion.fps < 8.0, "{name} {:?}", best(&clip));
    }
}

#[test]
fn a_loop_in_which_a_foot_stands_throughout_stays_in_place() {
    // Someone sits and moves the feet, but the right ball stays where it is for seven seconds.
    let Some(path) = surefoot_testdata::path("bvh/cmu/13_01.bvh") else { return };
    let (_, _, clip) = read(&path);
    let Clip { motion, plants, .. } = clip.performance();
    for cycle in cycles(&motion, &plants, &settings_for(&clip), 12).unwrap() {
        let stands =
            |plant: &surefoot_core::Plant| plant.frames.start <= cycle.first && cycle.last < plant.frames.end;
        let travels = cycle.travel.angle() > 0.0 || cycle.travel.translation.length() > 0.0;
        assert!(!(travels && plants.plants.iter().any(stands)), "{cycle:?}");
    }
    let looped = closed(&clip);
    let seam = seam(&looped.motion, &looped.legs, &looped.looping.unwrap());
    assert!(seam.roughest.unwrap().ratio <= 1.0, "{seam:?}");
}

#[test]
fn a_cycle_that_closes_is_preferred_to_a_fast_one_that_does_not() {
    // A running jump, a forward jump, boxing, and a jump: the first cycles had ends that were 18, 17, 11 and 13 cm apart.
    for (name, limit) in [("75_01", 0.05), ("13_11", 0.05), ("13_17", 0.07), ("02_04", 0.05)] {
        let Some(path) = surefoot_testdata::path(&format!("bvh/cmu/{name}.bvh")) else { return };
        let (_, _, clip) = read(&path);
        let Clip { motion, plants, .. } = clip.performance();
        let list = cycles(&motion, &plants, &settings_for(&clip), 12).unwrap();
        assert!(list[0].distance < limit, "{name} {:?}", list[0]);
        assert!(((list[0].last - list[0].first) as f64) < 8.0 * motion.fps, "{name} {:?}", list[0]);
        // Those whose ends show other poses are the last ones.
        let is_open = |cycle: &Cycle| cycle.distance > MAX_CYCLE_DISTANCE;
        assert!(list.is_sorted_by_key(is_open), "{name} {list:?}");
    }
}

#[test]
fn a_cycle_without_the_time_for_a_swing_stays_in_place() {
    // Someone gets up from the ground: the left foot rests there but for a tenth of a second.
    let Some(path) = surefoot_testdata::path("bvh/cmu/139_16.bvh") else { return };
    let (_, _, clip) = read(&path);
    let looped = closed(&clip);
    let performance = looped.performance();
    let world = |frame: usize| performance.motion.poses[frame].world(&performance.motion.skeleton);
    let leg = &performance.legs[0];
    for frame in 1..performance.motion.frames() {
        let step = world(frame).point(&leg.ball).distance(world(frame - 1).point(&leg.ball));
        assert!(step * performance.motion.fps < 3.0, "{frame}: {step}");
    }
}
