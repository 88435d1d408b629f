//! Size, position, direction and a T-pose in front make no difference, and feet in the air are not planted.

use super::common::{by, frames, moved, rotate_about, scaled};
use surefoot_contact::{Method, Settings, detect};
use surefoot_core::math::{axis_rotation, fade};
use surefoot_core::{Floor, FootPoint, Footplants, Leg, Motion, Plane, Pose, Vec3};
use surefoot_sample::{Kind, Recipe, Sample, make};

fn sample(kind: Kind) -> Sample {
    make(&Recipe { kind, ..Recipe::default() }).unwrap()
}

fn detect_on(motion: &Motion, legs: &[Leg], floor: &Floor) -> Footplants {
    detect(motion, legs, Some(floor), &Settings::default())
}

/// Rises from 0 to 1 between 1 s and 2 s and falls back to 0 between 4 s and 5 s.
fn raised(seconds: f64) -> f64 {
    fade(2.0 - seconds) - (1.0 - fade(seconds - 4.0))
}

#[test]
fn body_size_makes_no_difference() {
    let Sample { motion, legs, floor, .. } = sample(Kind::Turn);
    let adult = detect_on(&motion, &legs, &floor);
    for factor in [0.5, 4.0] {
        let (motion, legs) = scaled(&motion, &legs, factor);
        assert_eq!(detect_on(&motion, &legs, &floor), adult);
    }
}

#[test]
fn rotating_tilting_and_translating_the_scene_makes_no_difference() {
    let Sample { motion, legs, floor, .. } = sample(Kind::Stairs);
    let rotation = axis_rotation(0, 0.05) * axis_rotation(1, 2.0);
    let translation = Vec3::new(3.0, -2.0, 7.0);
    let plane = floor.as_plane().unwrap();
    let normal = rotation * plane.normal;
    let moved_floor = Floor::from(Plane { normal, offset: plane.offset + normal.dot(translation) });
    let before = frames(&detect_on(&motion, &legs, &floor));
    let after = frames(&detect_on(&moved(&motion, rotation, translation), &legs, &moved_floor));
    assert_eq!(before.len(), after.len());
    for ((.., before), (.., after)) in before.iter().zip(&after) {
        // The ground's velocity is a median along each axis, which rotates only approximately with the scene.
        assert!(before.start.abs_diff(after.start) <= 1 && before.end.abs_diff(after.end) <= 1);
    }
}

#[test]
fn a_t_pose_in_front_belongs_to_no_plant() {
    let Sample { mut motion, legs, floor, .. } = sample(Kind::Stand);
    for method in Method::ALL {
        let before = detect(&motion, &legs, Some(&floor), &by(method));
        motion.poses.insert(0, Pose::rest(&motion.skeleton));
        let after = detect(&motion, &legs, Some(&floor), &Settings { first_frame: 1, ..by(method) });
        motion.poses.remove(0);
        let one_later = frames(&before)
            .into_iter()
            .map(|(leg, point, frames)| (leg, point, frames.start + 1..frames.end + 1))
            .collect::<Vec<_>>();
        assert_eq!(frames(&after), one_later, "{}", method.as_str());
    }
}

#[test]
fn a_foot_held_still_in_the_air_is_not_planted() {
    let Sample { mut motion, legs, floor, .. } = sample(Kind::Stand);
    for (frame, pose) in motion.poses.iter_mut().enumerate() {
        let lift = raised(frame as f64 / motion.fps);
        pose.rotations[legs[1].hip.index()] *= axis_rotation(0, -lift);
        pose.rotations[legs[1].knee.index()] *= axis_rotation(0, 1.3 * lift);
    }
    let plants = detect_on(&motion, &legs, &floor);
    let is_down = |leg: usize, seconds: f64| {
        let frame = (seconds * motion.fps) as usize;
        plants.plants.iter().any(|plant| plant.leg == leg && plant.frames.contains(&frame))
    };
    for seconds in [0.5, 1.5, 2.5, 3.0, 3.5, 5.5] {
        assert!(is_down(0, seconds), "left foot at {seconds} s");
        let stands = !(1.5..=4.5).contains(&seconds);
        assert_eq!(is_down(1, seconds), stands, "right foot at {seconds} s: {:#?}", plants.plants);
    }
}

#[test]
fn a_raised_heel_over_a_planted_ball_is_not_planted() {
    let Sample { mut motion, legs, floor, .. } = sample(Kind::Stand);
    let ball = motion.poses[0].world(&motion.skeleton).point(&legs[0].ball);
    // Onto the toes by 15 degrees: too slowly to look like a step, and too low to be off the floor by height alone.
    rotate_about(&mut motion, ball, |seconds| axis_rotation(0, 0.26 * raised(seconds)));
    let heel = |frame: usize| motion.poses[frame].world(&motion.skeleton).point(&legs[0].heel).y;
    let middle = (3.0 * motion.fps) as usize;
    assert!((0.04..0.043).contains(&(heel(middle) - heel(0))), "{} m", heel(middle));
    for method in [Method::Learned, Method::Threshold] {
        let plants = detect(&motion, &legs, Some(&floor), &by(method));
        for (leg, seconds) in [0, 1].into_iter().flat_map(|leg| [0.5, 2.5, 3.0, 3.5, 5.5].map(|at| (leg, at)))
        {
            let is_planted = |point| plants.is_planted(leg, point, (seconds * motion.fps) as usize);
            let stands = !(1.5..=4.5).contains(&seconds);
            assert_eq!(is_planted(FootPoint::Heel), stands, "{method:?} heel at {seconds} s");
            assert!(is_planted(FootPoint::Ball), "{method:?} ball at {seconds} s: {plants:#?}");
        }
    }
}

#[test]
fn detection_is_deterministic() {
    let Sample { motion, legs, floor, .. } = sample(Kind::Run);
    assert_eq!(detect_on(&motion, &legs, &floor), detect_on(&motion, &legs, &floor));
}

#[test]
fn motions_of_few_or_no_frames_are_accepted() {
    let Sample { motion, legs, floor, .. } = sample(Kind::Walk);
    for method in Method::ALL {
        for count in 0..8 {
            let short = Motion { poses: motion.poses[..count].to_vec(), ..motion.clone() };
            for floor in [None, Some(&floor)] {
                let detect = |legs: &[Leg]| detect(&short, legs, floor, &by(method)).plants;
                assert!(detect(&legs).iter().all(|plant| plant.frames.end <= count));
                assert!(detect(&[]).is_empty());
                assert!(detect(&legs[..1]).iter().all(|plant| plant.leg == 0));
            }
        }
        let late = Settings { first_frame: 1_000_000, ..by(method) };
        assert!(detect(&motion, &legs, Some(&floor), &late).plants.is_empty());
    }
}
