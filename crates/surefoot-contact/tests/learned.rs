//! The default detector: its model's bytes, its stream, and what must hold whatever the motion.

use surefoot_contact::learned::{LOOKAHEAD, LiveDetector, Model, ModelError, detect_live, probabilities};
use surefoot_contact::{Edges, Settings, detect, ground_changes, moving_ground, over_ground};
use surefoot_core::math::{axis_rotation, fade};
use surefoot_core::{FootPoint, Footplants, FrameRange, JointPoint, Motion, Quat, Vec3};
use surefoot_sample::{Kind, Recipe, Sample, Skate, make};

fn sample(kind: Kind, fps: f64) -> Sample {
    make(&Recipe { kind, fps, seconds: 6.0, ..Recipe::default() }).unwrap()
}

fn found(sample: &Sample) -> Footplants {
    detect(&sample.motion, &sample.legs, Some(&sample.floor), &Settings::default())
}

/// The frames of each plant, by foot and point.
fn frames(plants: &Footplants) -> Vec<(usize, FootPoint, FrameRange)> {
    plants.plants.iter().map(|plant| (plant.leg, plant.point, plant.frames.clone())).collect()
}

/// The same plants, each edge off by so many frames at most.
#[track_caller]
fn check_alike(a: &Footplants, b: &Footplants, off: usize) {
    let (a, b) = (frames(a), frames(b));
    assert_eq!(a.len(), b.len(), "{a:#?} {b:#?}");
    for (a, b) in a.iter().zip(&b) {
        let near = a.2.start.abs_diff(b.2.start) <= off && a.2.end.abs_diff(b.2.end) <= off;
        assert!(a.0 == b.0 && a.1 == b.1 && near, "{a:?} {b:?}");
    }
}

#[test]
fn a_model_comes_back_from_its_bytes() {
    let model = Model::shipped();
    assert!(model.trees.len() > 50 && model.sure.len() > 5);
    let bytes = model.write();
    assert!(bytes.len() < 1 << 20);
    assert_eq!(Model::read(&bytes), Ok(model));
}

#[test]
fn bytes_that_are_no_model_are_refused() {
    let bytes = Model::shipped().write();
    assert_eq!(Model::read(b""), Err(ModelError::NotAModel));
    assert_eq!(Model::read(b"HIERARCHY ROOT Hips"), Err(ModelError::NotAModel));
    let mut other = bytes.clone();
    other[15] = b'2';
    assert_eq!(Model::read(&other), Err(ModelError::Version));
    // Another number of features.
    let mut other = bytes.clone();
    other[16] ^= 1;
    assert_eq!(Model::read(&other), Err(ModelError::Version));
    let cut = bytes.len() - 9;
    assert_eq!(Model::read(&bytes[..cut]), Err(ModelError::Length { found: cut, expected: bytes.len() }));
    for at in [60, bytes.len() / 2, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        assert_eq!(Model::read(&damaged), Err(ModelError::Damaged), "byte {at}");
    }
    for cut in 0..70 {
        assert!(Model::read(&bytes[..cut]).is_err());
    }
}

#[test]
fn a_stream_is_as_sure_as_a_batch_bit_for_bit() {
    for fps in [24.0, 30.0, 60.0, 120.0, 240.0] {
        let Sample { motion, legs, floor, .. } = sample(Kind::Run, fps);
        let model = Model::shipped();
        let batch = probabilities(&model, &motion, &legs, Some(&floor), 0);
        let mut live = LiveDetector::new(model, &motion.skeleton, fps, &legs, Some(&floor), LOOKAHEAD);
        assert!(live.lookahead() as f64 <= LOOKAHEAD * fps + 1e-9, "{fps}");
        let mut sure = Vec::new();
        for (frame, pose) in motion.poses.iter().enumerate() {
            let held = live.push(pose).map(<[_]>::to_vec);
            assert_eq!(held.is_some(), frame >= live.lookahead());
            sure.extend(held);
        }
        while let Some(held) = live.finish() {
            sure.push(held.to_vec());
        }
        assert_eq!(sure.len(), motion.frames());
        for (frame, held) in sure.iter().enumerate() {
            for (leg, held) in held.iter().enumerate() {
                assert_eq!(held.sure, batch[leg][frame], "frame {frame} at {fps} frames a second");
            }
        }
    }
}

#[test]
fn what_comes_after_the_lookahead_changes_nothing() {
    let Sample { motion, legs, floor, .. } = sample(Kind::Walk, 60.0);
    let model = Model::shipped();
    let answers = |poses: &[surefoot_core::Pose]| {
        let mut live =
            LiveDetector::new(model.clone(), &motion.skeleton, 60.0, &legs, Some(&floor), LOOKAHEAD);
        poses.iter().filter_map(|pose| live.push(pose).map(<[_]>::to_vec)).collect::<Vec<_>>()
    };
    let whole = answers(&motion.poses);
    let cut = answers(&motion.poses[..200]);
    assert_eq!(cut[..], whole[..cut.len()]);
    assert!(cut.len() >= 200 - 15);
}

#[test]
fn no_stream_looks_farther_ahead_than_it_was_allowed() {
    for fps in [24.0, 60.0, 100.0, 240.0] {
        let Sample { motion, legs, floor, .. } = sample(Kind::Walk, fps);
        for lookahead in [0.0, 0.02, 0.05, 0.1, 0.15, LOOKAHEAD] {
            let mut live =
                LiveDetector::new(Model::shipped(), &motion.skeleton, fps, &legs, Some(&floor), lookahead);
            assert!(live.lookahead() as f64 <= lookahead * fps + 1e-9, "{lookahead} s at {fps}");
            let late = live.lookahead();
            for (frame, pose) in motion.poses.iter().take(60).enumerate() {
                assert_eq!(live.push(pose).is_some(), frame >= late, "{lookahead} s at {fps}");
            }
        }
    }
}

#[test]
fn a_stream_finds_every_step_of_a_walk() {
    for kind in [Kind::Walk, Kind::Run, Kind::Stairs] {
        let sample = sample(kind, 60.0);
        let Sample { motion, legs, floor, plants, .. } = &sample;
        let live = detect_live(&Model::shipped(), motion, legs, Some(floor), 0, LOOKAHEAD);
        let down = |plants: &Footplants, leg: usize, frame: usize| {
            [FootPoint::Heel, FootPoint::Ball].into_iter().any(|point| plants.is_planted(leg, point, frame))
        };
        let all = (0..motion.frames()).flat_map(|frame| [(0, frame), (1, frame)]);
        let wrong = all.filter(|&(leg, frame)| down(&live, leg, frame) != down(plants, leg, frame)).count();
        let share = wrong as f64 / (2 * motion.frames()) as f64;
        // A model's edges are a force plate's, a frame or so from where a made foot comes to rest.
        let most = if kind == Kind::Run { 0.035 } else { 0.025 };
        assert!(share < most, "{}: {share}", kind.as_str());
    }
}

#[test]
fn nothing_is_allocated_per_frame() {
    let Sample { motion, legs, floor, .. } = sample(Kind::Stairs, 120.0);
    let mut live =
        LiveDetector::new(Model::shipped(), &motion.skeleton, 120.0, &legs, Some(&floor), LOOKAHEAD);
    let counted = allocation_counter::measure(|| {
        for pose in &motion.poses {
            std::hint::black_box(live.push(pose));
        }
        while std::hint::black_box(live.finish()).is_some() {}
    });
    assert_eq!(counted.count_total, 0, "{counted:?}");
}

#[test]
fn a_mirrored_body_steps_in_the_mirror() {
    for kind in [Kind::Walk, Kind::Run, Kind::Turn] {
        let Sample { motion, legs, floor, .. } = sample(kind, 60.0);
        let before = detect(&motion, &legs, Some(&floor), &Settings::default());
        let mirror = |v: Vec3| Vec3::new(-v.x, v.y, v.z);
        let mut mirrored = motion.clone();
        for pose in &mut mirrored.poses {
            pose.offsets.iter_mut().for_each(|offset| *offset = mirror(*offset));
            for turn in &mut pose.rotations {
                *turn = Quat::from_xyzw(turn.x, -turn.y, -turn.z, turn.w);
            }
        }
        let point = |on: JointPoint| JointPoint { offset: mirror(on.offset), ..on };
        let mut swapped = legs.clone();
        for leg in &mut swapped {
            (leg.heel, leg.ball, leg.toe) = (point(leg.heel), point(leg.ball), point(leg.toe));
        }
        swapped.swap(0, 1);
        let mut after = detect(&mirrored, &swapped, Some(&floor), &Settings::default());
        after.plants.iter_mut().for_each(|plant| plant.leg = 1 - plant.leg);
        after.sort();
        check_alike(&before, &after, 1);
    }
}

#[test]
fn steps_are_the_same_at_every_frame_rate() {
    for kind in [Kind::Walk, Kind::Run, Kind::Jump, Kind::Stairs] {
        let times = |fps: f64| -> Vec<(usize, FootPoint, [f64; 2])> {
            let plants = found(&sample(kind, fps)).plants;
            let seconds = |frames: &FrameRange| [frames.start, frames.end].map(|frame| frame as f64 / fps);
            plants.iter().map(|plant| (plant.leg, plant.point, seconds(&plant.frames))).collect()
        };
        let at_120 = times(120.0);
        for fps in [24.0, 30.0, 60.0, 240.0] {
            // A frame at either rate: a point rests from the first frame in which it does.
            let off = 1.0 / fps + 1.0 / 120.0 + 1e-9;
            let others = times(fps);
            let is_long = |[start, end]: [f64; 2]| end - start > 0.1 + off;
            for (some, all) in [(&at_120, &others), (&others, &at_120)] {
                for &(leg, point, seconds) in some.iter().filter(|plant| is_long(plant.2)) {
                    let is_same = |other: &&(usize, FootPoint, [f64; 2])| {
                        let near = [0, 1].map(|edge| (other.2[edge] - seconds[edge]).abs() <= off);
                        (other.0, other.1, near) == (leg, point, [true, true])
                    };
                    assert!(
                        all.iter().any(|other| is_same(&other)),
                        "{} at {fps}: leg {leg}, {point:?}, {seconds:?} in {all:?}",
                        kind.as_str()
                    );
                }
            }
        }
    }
}

#[test]
fn a_foot_that_skates_is_not_in_the_air() {
    for skate in [Skate::Scale(1.25), Skate::Scale(0.8), Skate::Drift(0.05)] {
        let recipe = Recipe { skate: Some(skate), ..Recipe::default() };
        let skating = make(&recipe).unwrap();
        let still = make(&Recipe::default()).unwrap();
        check_alike(&found(&skating), &found(&still), 1);
    }
}

#[test]
fn a_foot_that_turns_on_its_ball_stands_on_its_ball_alone() {
    let Sample { mut motion, legs, floor, .. } = sample(Kind::Stand, 60.0);
    let pivot = motion.poses[0].world(&motion.skeleton).point(&legs[0].ball);
    for (frame, pose) in motion.poses.iter_mut().enumerate() {
        // From 2 s to 3 s, by 80 degrees.
        let turn = axis_rotation(1, 1.4 * (1.0 - fade(frame as f64 / motion.fps - 2.0)));
        pose.offsets[0] = pivot + turn * (pose.offsets[0] - pivot);
        pose.rotations[0] = turn * pose.rotations[0];
    }
    let settings = Settings { edges: Edges::Rest, ..Settings::default() };
    let plants = detect(&motion, &legs, Some(&floor), &settings);
    let middle = (2.5 * motion.fps) as usize;
    assert!(plants.is_planted(0, FootPoint::Ball, middle), "{plants:#?}");
    assert!(!plants.is_planted(0, FootPoint::Heel, middle), "{plants:#?}");
}

/// The same performance on a belt: as the room sees it, the body stays.
fn on_treadmill(motion: &Motion) -> (Motion, Vec3) {
    let (first, last) = (&motion.poses[0], &motion.poses[motion.frames() - 1]);
    let mut velocity = (last.offsets[0] - first.offsets[0]) / motion.seconds();
    velocity.y = 0.0;
    (over_ground(motion, velocity), -velocity)
}

#[test]
fn a_treadmill_is_ground_that_moves() {
    for kind in [Kind::Walk, Kind::Run, Kind::Sneak] {
        let recipe = Recipe { kind, fps: 100.0, seconds: 10.0, ..Recipe::default() };
        let Sample { mut motion, legs, floor, .. } = make(&recipe).unwrap();
        // Without the standing at both ends: nobody stands on a belt that runs.
        motion.poses = motion.poses[300..700].to_vec();
        for edges in [Edges::Touch, Edges::Rest] {
            let settings = Settings { edges, ..Settings::default() };
            let plants = detect(&motion, &legs, Some(&floor), &settings);
            let (belt, velocity) = on_treadmill(&motion);
            let on_belt = detect(&belt, &legs, Some(&floor), &settings);
            // The last of a motion may be cut off while the ground's speed is hardly known.
            check_alike(&plants, &on_belt, 3);
            assert_eq!(moving_ground(&motion, &legs, Some(&floor), &plants), None);
            let ground = moving_ground(&belt, &legs, Some(&floor), &on_belt);
            let ground = ground.unwrap_or_else(|| panic!("{}: {velocity} is not noticed", kind.as_str()));
            let off = ground.distance(velocity) / velocity.length();
            assert!(off < 0.01, "{}: {ground} for {velocity}", kind.as_str());
        }
    }
}

#[test]
fn a_belt_that_goes_faster_and_faster_is_noticed() {
    let recipe = Recipe { fps: 100.0, seconds: 14.0, ..Recipe::default() };
    let Sample { mut motion, legs, floor, .. } = make(&recipe).unwrap();
    motion.poses = motion.poses[300..1100].to_vec();
    let (even, velocity) = on_treadmill(&motion);
    let changes = |belt: &Motion| {
        let plants = detect(belt, &legs, Some(&floor), &Settings::default());
        let ground = moving_ground(belt, &legs, Some(&floor), &plants).unwrap();
        let seen = over_ground(belt, ground);
        let speeds = ground_changes(belt, &legs, Some(&floor), &plants, ground);
        // One who stands on the ground sees the same.
        let from_ground = ground_changes(&seen, &legs, Some(&floor), &plants, ground);
        assert_eq!(speeds.is_some(), from_ground.is_some());
        speeds
    };
    assert_eq!(changes(&even), None);
    // From 0.8 of its speed to 1.2 of it.
    let mut faster = even.clone();
    let half = motion.seconds() / 2.0;
    for (frame, pose) in faster.poses.iter_mut().enumerate() {
        let from_middle = frame as f64 / motion.fps - half;
        pose.offsets[0] += velocity * (0.2 / half) * from_middle * from_middle / 2.0;
    }
    let [first, last] = changes(&faster).unwrap();
    let share = [first, last].map(|speed| speed / velocity.length());
    assert!((0.78..0.9).contains(&share[0]) && (1.1..1.22).contains(&share[1]), "{share:?}");
}

#[test]
fn skate_is_no_moving_ground() {
    let skates =
        [Skate::Scale(0.8), Skate::Scale(1.25), Skate::Drift(0.05), Skate::Noise(0.002), Skate::Blend(0.5)];
    for skate in skates {
        for kind in Kind::ALL {
            let sample = make(&Recipe { kind, skate: Some(skate), ..Recipe::default() }).unwrap();
            let Sample { motion, legs, floor, .. } = &sample;
            assert_eq!(moving_ground(motion, legs, Some(floor), &found(&sample)), None, "{skate:?} {kind:?}");
        }
    }
}

/// Steps of a sample and steps found: how many of each, and the share of frames of feet that differ.
fn told(sample: &Sample, motion: &Motion, plants: &Footplants) -> (usize, usize, f64) {
    let found = detect(motion, &sample.legs, Some(&sample.floor), &Settings::default());
    let down = |plants: &Footplants, leg: usize, frame: usize| {
        [FootPoint::Heel, FootPoint::Ball].into_iter().any(|point| plants.is_planted(leg, point, frame))
    };
    let steps = |plants: &Footplants| {
        let starts = |&(leg, frame): &(usize, usize)| {
            down(plants, leg, frame) && (frame == 0 || !down(plants, leg, frame - 1))
        };
        (0..motion.frames()).flat_map(|frame| [(0, frame), (1, frame)]).filter(starts).count()
    };
    let all = (0..motion.frames()).flat_map(|frame| [(0, frame), (1, frame)]);
    let wrong = all.filter(|&(leg, frame)| down(plants, leg, frame) != down(&found, leg, frame)).count();
    (steps(plants), steps(&found), wrong as f64 / (2 * motion.frames()) as f64)
}

const DAMAGE: [Option<Skate>; 5] = [
    None,
    Some(Skate::Scale(0.85)),
    Some(Skate::Scale(1.15)),
    Some(Skate::Drift(0.025)),
    Some(Skate::Noise(0.001)),
];

/// Whether no point rests exactly: then a model says when a foot touches, which is not when its points rest.
fn is_shaken(skate: Option<Skate>) -> bool {
    matches!(skate, Some(Skate::Noise(_)))
}

#[test]
fn a_sprinters_stance_of_a_tenth_of_a_second_is_found() {
    for skate in DAMAGE {
        let recipe = Recipe { kind: Kind::Run, fps: 120.0, seconds: 8.0, skate, ..Recipe::default() };
        let mut sprint = make(&recipe).unwrap();
        let stances: Vec<f64> = sprint
            .plants
            .plants
            .iter()
            .filter(|plant| plant.point == FootPoint::Ball)
            .map(|plant| plant.frames.len() as f64 / 120.0)
            .collect();
        let shortest = stances.into_iter().fold(f64::INFINITY, f64::min);
        // As fast as makes the shortest stance 0.12 s.
        sprint.motion.fps *= shortest / 0.12;
        let (steps, found, wrong) = told(&sprint, &sprint.motion, &sprint.plants);
        let most = if is_shaken(skate) { 0.07 } else { 0.003 };
        assert!(steps == found && wrong < most, "{skate:?}: {found} of {steps} steps, {wrong} wrong");
    }
}

#[test]
fn every_stair_is_found_up_and_down() {
    for skate in DAMAGE {
        let recipe = Recipe { kind: Kind::Stairs, fps: 100.0, seconds: 8.0, skate, ..Recipe::default() };
        let stairs = make(&recipe).unwrap();
        let (steps, found, wrong) = told(&stairs, &stairs.motion, &stairs.plants);
        let most = if is_shaken(skate) { [0.04, 0.1] } else { [0.003; 2] };
        assert!(steps == found && wrong < most[0], "{skate:?} up: {found} of {steps} steps, {wrong} wrong");
        // Down, backwards. Where points rest exactly they tell the edges; shaken, no capture has taught them.
        let mut motion = stairs.motion.clone();
        motion.poses.reverse();
        let mut plants = stairs.plants.clone();
        for plant in &mut plants.plants {
            plant.frames = motion.frames() - plant.frames.end..motion.frames() - plant.frames.start;
        }
        let (steps, found, wrong) = told(&stairs, &motion, &plants);
        assert!(steps == found && wrong < most[1], "{skate:?} down: {found} of {steps} steps, {wrong} wrong");
    }
}

#[test]
fn heels_and_balls_are_called_as_sure_as_they_are_right() {
    // By point: frames, how sure their plants are called, and how many are down.
    let mut told = [(0.0, 0.0, 0.0); 2];
    for skate in DAMAGE {
        for kind in Kind::ALL {
            let recipe = Recipe { kind, skate, seed: 77, ..Recipe::default() };
            let Sample { motion, legs, floor, plants, .. } = make(&recipe).unwrap();
            let settings = Settings { edges: Edges::Rest, ..Settings::default() };
            for plant in detect(&motion, &legs, Some(&floor), &settings).plants {
                let is_down = |frame: &usize| plants.is_planted(plant.leg, plant.point, *frame);
                let frames = plant.frames.len() as f64;
                let of = &mut told[plant.point as usize];
                of.0 += frames;
                of.1 += frames * plant.confidence.unwrap();
                of.2 += plant.frames.clone().filter(is_down).count() as f64;
            }
        }
    }
    let [heel, ball] = told.map(|(frames, called, down)| (called / frames, down / frames));
    println!(
        "heels called {:.3}, down {:.3}; balls called {:.3}, down {:.3}",
        heel.0, heel.1, ball.0, ball.1
    );
    assert!((heel.0 - heel.1).abs() < 0.03 && (ball.0 - ball.1).abs() < 0.03, "{heel:?} {ball:?}");
    // A heel begins to roll before it is seen to: it is less sure, and less often right.
    assert!(heel.0 < ball.0 && heel.1 < ball.1, "{heel:?} {ball:?}");
}
