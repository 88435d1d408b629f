//! What must hold whatever the motion: size, place, direction and a T-pose in front make no
//! difference; a foot in the air is not down.

use surefoot_contact::{Edges, Method, Settings, detect};
use surefoot_core::math::{axis_rotation, fade};
use surefoot_core::{Floor, FootPoint, Footplants, JointPoint, Leg, Motion, Plane, Pose, Vec3};
use surefoot_sample::{Kind, Recipe, Sample, make};

fn sample(kind: Kind) -> Sample {
    make(&Recipe { kind, ..Recipe::default() }).unwrap()
}

fn found(motion: &Motion, legs: &[Leg], floor: &Floor) -> Footplants {
    detect(motion, legs, Some(floor), &Settings::default())
}

/// The frames alone: confidences are rounded, and may round the other way.
fn frames(plants: &Footplants) -> Vec<(usize, core::ops::Range<usize>)> {
    plants.plants.iter().map(|plant| (plant.leg, plant.frames.clone())).collect()
}

#[test]
fn a_child_and_a_giant_step_like_an_adult() {
    let Sample { motion, legs, floor, .. } = sample(Kind::Turn);
    let adult = found(&motion, &legs, &floor);
    for times in [0.5, 4.0] {
        let mut motion = motion.clone();
        motion.skeleton = motion.skeleton.scaled(times);
        motion.poses.iter_mut().flat_map(|pose| &mut pose.offsets).for_each(|offset| *offset *= times);
        let on = |point: JointPoint| JointPoint { offset: point.offset * times, ..point };
        let leg = |leg: &Leg| Leg { heel: on(leg.heel), ball: on(leg.ball), toe: on(leg.toe), ..leg.clone() };
        let legs: Vec<Leg> = legs.iter().map(leg).collect();
        assert_eq!(found(&motion, &legs, &floor), adult);
    }
}

#[test]
fn turning_tilting_and_moving_the_scene_changes_nothing() {
    let Sample { mut motion, legs, floor, .. } = sample(Kind::Stairs);
    let before = found(&motion, &legs, &floor);
    let turn = axis_rotation(0, 0.05) * axis_rotation(1, 2.0);
    let moved = Vec3::new(3.0, -2.0, 7.0);
    for pose in &mut motion.poses {
        pose.offsets[0] = turn * pose.offsets[0] + moved;
        pose.rotations[0] = turn * pose.rotations[0];
    }
    let plane = floor.as_plane().unwrap();
    let normal = turn * plane.normal;
    let floor = Floor::from(Plane { normal, offset: plane.offset + normal.dot(moved) });
    let (before, after) = (frames(&before), frames(&found(&motion, &legs, &floor)));
    assert_eq!(before.len(), after.len());
    for ((_, before), (_, after)) in before.iter().zip(&after) {
        // The ground's velocity is a median along each axis, which turns only nearly with the scene.
        assert!(before.start.abs_diff(after.start) <= 1 && before.end.abs_diff(after.end) <= 1);
    }
}

#[test]
fn a_t_pose_in_front_is_part_of_no_plant() {
    let Sample { mut motion, legs, floor, .. } = sample(Kind::Stand);
    let before = found(&motion, &legs, &floor);
    motion.poses.insert(0, Pose::rest(&motion.skeleton));
    let settings = Settings { first_frame: 1, ..Settings::default() };
    let after = detect(&motion, &legs, Some(&floor), &settings);
    let moved = |(leg, frames): &(usize, core::ops::Range<usize>)| (*leg, frames.start + 1..frames.end + 1);
    assert_eq!(frames(&after), frames(&before).iter().map(moved).collect::<Vec<_>>());
    assert!(after.plants.iter().all(|plant| plant.frames.start >= 1));
}

#[test]
fn a_foot_held_still_in_the_air_is_not_down() {
    let Sample { mut motion, legs, floor, .. } = sample(Kind::Stand);
    for (frame, pose) in motion.poses.iter_mut().enumerate() {
        // Lifted from 1 s to 2 s and put down from 4 s to 5 s; 1 at the top.
        let seconds = frame as f64 / motion.fps;
        let lift = fade(2.0 - seconds) - (1.0 - fade(seconds - 4.0));
        pose.rotations[legs[1].hip.index()] *= axis_rotation(0, -lift);
        pose.rotations[legs[1].knee.index()] *= axis_rotation(0, 1.3 * lift);
    }
    let plants = found(&motion, &legs, &floor);
    let down = |leg: usize, seconds: f64| {
        let frame = (seconds * motion.fps) as usize;
        plants.plants.iter().any(|plant| plant.leg == leg && plant.frames.contains(&frame))
    };
    for seconds in [0.5, 1.5, 2.5, 3.0, 3.5, 5.5] {
        assert!(down(0, seconds), "the left foot stands at {seconds} s");
        let stands = !(1.5..=4.5).contains(&seconds);
        assert_eq!(down(1, seconds), stands, "right foot at {seconds} s: {:#?}", plants.plants);
    }
}

#[test]
fn a_heel_that_hangs_while_its_ball_stands_is_not_down() {
    let Sample { mut motion, legs, floor, .. } = sample(Kind::Stand);
    let pivot = motion.poses[0].world(&motion.skeleton).point(&legs[0].ball);
    for (frame, pose) in motion.poses.iter_mut().enumerate() {
        // Onto the toes from 1 s to 2 s and down again from 4 s to 5 s, by 15 degrees: too slowly to be seen as a step,
        // and not so high that heels are seen to be off the floor by their height alone.
        let seconds = frame as f64 / motion.fps;
        let turn = axis_rotation(0, 0.26 * (fade(2.0 - seconds) - (1.0 - fade(seconds - 4.0))));
        pose.offsets[0] = pivot + turn * (pose.offsets[0] - pivot);
        pose.rotations[0] = turn * pose.rotations[0];
    }
    let heel = |frame: usize| motion.poses[frame].world(&motion.skeleton).point(&legs[0].heel).y;
    let middle = (3.0 * motion.fps) as usize;
    assert!((0.04..0.043).contains(&(heel(middle) - heel(0))), "{} m", heel(middle));
    for method in [Method::Learned, Method::SpeedHeight] {
        let settings = Settings { method, edges: Edges::Rest, ..Settings::default() };
        let plants = detect(&motion, &legs, Some(&floor), &settings);
        for leg in 0..2 {
            let is_planted =
                |point, seconds: f64| plants.is_planted(leg, point, (seconds * motion.fps) as usize);
            for seconds in [0.5, 2.5, 3.0, 3.5, 5.5] {
                let stands = !(1.5..=4.5).contains(&seconds);
                assert_eq!(is_planted(FootPoint::Heel, seconds), stands, "{method:?} heel at {seconds} s");
                assert!(is_planted(FootPoint::Ball, seconds), "{method:?} ball at {seconds} s: {plants:#?}");
            }
        }
    }
}

#[test]
fn the_same_motion_gives_the_same_plants() {
    let Sample { motion, legs, floor, .. } = sample(Kind::Run);
    assert_eq!(found(&motion, &legs, &floor), found(&motion, &legs, &floor));
}

#[test]
fn motions_of_no_frame_and_of_few_are_taken() {
    let Sample { motion, legs, floor, .. } = sample(Kind::Walk);
    for frames in 0..8 {
        let short = Motion { poses: motion.poses[..frames].to_vec(), ..motion.clone() };
        let plants = found(&short, &legs, &floor);
        assert!(plants.plants.iter().all(|plant| plant.frames.end <= frames));
        assert!(detect(&short, &[], None, &Settings::default()).plants.is_empty());
    }
    let settings = Settings { first_frame: 1_000_000, ..Settings::default() };
    assert!(detect(&motion, &legs, Some(&floor), &settings).plants.is_empty());
}
