//! The methods of the literature on made motions, and what must hold whatever the motion.
//!
//! `knn` and `svm` are asked with the models that come with surefoot, which were fitted to
//! captures and have seen no made motion.

use surefoot_contact::{Method, Settings, detect, knn, svm};
use surefoot_core::math::axis_rotation;
use surefoot_core::{FootPoint, Footplants, JointPoint, Leg, Motion, Quat, Vec3};
use surefoot_sample::{Kind, Recipe, Sample, Skate, make};

const METHODS: [Method; 3] = [Method::ZeroCrossing, Method::Knn, Method::Svm];

fn sample(kind: Kind, fps: f64, skate: Option<Skate>) -> Sample {
    make(&Recipe { kind, fps, skate, seconds: 6.0, ..Recipe::default() }).unwrap()
}

fn found(method: Method, motion: &Motion, legs: &[Leg]) -> Footplants {
    detect(motion, legs, None, &Settings { method, ..Settings::default() })
}

/// Whether a foot is down, frame by frame: its heel or its ball, or only the point asked for.
fn down(plants: &Footplants, leg: usize, point: Option<FootPoint>, frames: usize) -> Vec<bool> {
    let mut down = vec![false; frames];
    let is_meant =
        |plant: &&surefoot_core::Plant| plant.leg == leg && point.is_none_or(|point| point == plant.point);
    for plant in plants.plants.iter().filter(is_meant) {
        down[plant.frames.clone()].fill(true);
    }
    down
}

/// The share of frames and feet, or points, in which two agree.
fn agree(one: &Footplants, other: &Footplants, frames: usize, points: &[Option<FootPoint>]) -> f64 {
    let (mut same, mut all) = (0, 0);
    for leg in 0..2 {
        for &point in points {
            let both = down(one, leg, point, frames).into_iter().zip(down(other, leg, point, frames));
            same += both.filter(|(one, other)| one == other).count();
            all += frames;
        }
    }
    same as f64 / all as f64
}

const FEET: [Option<FootPoint>; 1] = [None];
const POINTS: [Option<FootPoint>; 2] = [Some(FootPoint::Heel), Some(FootPoint::Ball)];

/// Whether a point is still where it was in the frame before, to less than a nanometre: a plant that ends
/// between two frames has not always left by the second.
fn is_still_there(motion: &Motion, legs: &[Leg], leg: usize, point: FootPoint, frame: usize) -> bool {
    let on = if point == FootPoint::Heel { legs[leg].heel } else { legs[leg].ball };
    let place = |frame: usize| motion.poses[frame].world(&motion.skeleton).point(&on);
    frame > 0 && place(frame).distance(place(frame - 1)) < 1e-9
}

#[test]
fn heels_and_balls_of_clean_motions_are_found_to_the_frame() {
    for method in METHODS {
        for kind in Kind::ALL {
            for fps in [30.0, 60.0, 120.0] {
                let Sample { motion, legs, plants, .. } = sample(kind, fps, None);
                let found = found(method, &motion, &legs);
                // svm takes this first stance for a swing: sneaking is no motion it was fitted to.
                let is_missed = |leg: usize, frame: usize| {
                    let missed = method == Method::Svm && kind == Kind::Sneak && leg == 0;
                    missed && (frame as f64) < 0.55 * fps
                };
                for (leg, point) in [0, 1].into_iter().flat_map(|leg| POINTS.map(|point| (leg, point))) {
                    let told = down(&found, leg, point, motion.frames());
                    let truth = down(&plants, leg, point, motion.frames());
                    // One frame alone shows no rest.
                    let is_alone = |frame: usize| frame == 0 && !truth[1];
                    let is_still = |frame| is_still_there(&motion, &legs, leg, point.unwrap(), frame);
                    let is_known = |frame: usize| {
                        is_missed(leg, frame) || is_alone(frame) || told[frame] && is_still(frame)
                    };
                    let wrong = (0..motion.frames()).filter(|&frame| told[frame] != truth[frame]);
                    let wrong: Vec<usize> = wrong.filter(|&frame| !is_known(frame)).collect();
                    let what = (method.as_str(), kind.as_str(), fps, leg, point);
                    assert!(wrong.is_empty(), "{what:?}: wrong in frames {wrong:?}");
                }
            }
        }
    }
}

#[test]
fn a_skating_foot_is_not_taken_for_a_swing() {
    for method in METHODS {
        let share = |skate: Option<Skate>| {
            let Sample { motion, legs, plants, .. } = sample(Kind::Walk, 60.0, skate);
            agree(&found(method, &motion, &legs), &plants, motion.frames(), &FEET)
        };
        // Made feet rest to the last digit, and are then told to the frame whatever a method knows of steps; so
        // next to nothing of noise, as in the best capture.
        let clean = share(Some(Skate::Noise(1e-4)));
        for skate in [Skate::Scale(0.85), Skate::Scale(1.15), Skate::Drift(0.025)] {
            let skating = share(Some(skate));
            println!("{} {skate:?}: {skating:.3}, and {clean:.3} clean", method.as_str());
            assert!(skating > clean - 0.03, "{} {skate:?}: {skating}, and {clean} clean", method.as_str());
        }
    }
}

/// Frames apart by no more than rounding, or by a frame at an edge.
#[track_caller]
fn same(method: Method, one: &Footplants, other: &Footplants, frames: usize, least: f64) {
    let share = agree(one, other, frames, &POINTS);
    assert!(share >= least, "{}: {share}", method.as_str());
}

#[test]
fn turning_and_moving_the_scene_changes_nothing() {
    let Sample { motion, legs, .. } = sample(Kind::Turn, 60.0, None);
    let mut turned = motion.clone();
    for pose in &mut turned.poses {
        let turn = axis_rotation(1, 2.0);
        pose.offsets[0] = turn * pose.offsets[0] + Vec3::new(3.0, -2.0, 7.0);
        pose.rotations[0] = turn * pose.rotations[0];
    }
    for method in METHODS {
        let (before, after) = (found(method, &motion, &legs), found(method, &turned, &legs));
        same(method, &before, &after, motion.frames(), 0.995);
    }
}

#[test]
fn size_changes_nothing() {
    let Sample { motion, legs, .. } = sample(Kind::Turn, 60.0, None);
    for times in [0.5, 4.0] {
        let mut scaled = motion.clone();
        scaled.skeleton = scaled.skeleton.scaled(times);
        scaled.poses.iter_mut().flat_map(|pose| &mut pose.offsets).for_each(|offset| *offset *= times);
        let on = |point: JointPoint| JointPoint { offset: point.offset * times, ..point };
        let leg = |leg: &Leg| Leg { heel: on(leg.heel), ball: on(leg.ball), toe: on(leg.toe), ..leg.clone() };
        let legs_scaled: Vec<Leg> = legs.iter().map(leg).collect();
        for method in METHODS {
            let (before, after) = (found(method, &motion, &legs), found(method, &scaled, &legs_scaled));
            assert_eq!(before, after, "{}", method.as_str());
        }
    }
}

/// The same motion in a mirror: left is right.
fn mirrored(motion: &Motion, legs: &[Leg]) -> (Motion, Vec<Leg>) {
    let flip = |place: Vec3| Vec3::new(-place.x, place.y, place.z);
    let mut motion = motion.clone();
    for pose in &mut motion.poses {
        pose.offsets.iter_mut().for_each(|offset| *offset = flip(*offset));
        let turn = |turn: Quat| Quat::from_xyzw(turn.x, -turn.y, -turn.z, turn.w);
        pose.rotations.iter_mut().for_each(|rotation| *rotation = turn(*rotation));
    }
    let on = |point: JointPoint| JointPoint { offset: flip(point.offset), ..point };
    let leg = |leg: &Leg| Leg { heel: on(leg.heel), ball: on(leg.ball), toe: on(leg.toe), ..leg.clone() };
    (motion, legs.iter().rev().map(leg).collect())
}

#[test]
fn a_mirror_exchanges_left_and_right() {
    for kind in [Kind::Walk, Kind::Turn] {
        let Sample { motion, legs, .. } = sample(kind, 60.0, None);
        let (turned, swapped) = mirrored(&motion, &legs);
        for method in METHODS {
            let before = found(method, &motion, &legs);
            let mut after = found(method, &turned, &swapped);
            after.plants.iter_mut().for_each(|plant| plant.leg = 1 - plant.leg);
            after.sort();
            // Every example is shown in a mirror too; the machines' planes are exact to 0.001.
            same(method, &before, &after, motion.frames(), 0.99);
        }
    }
}

#[test]
fn the_frame_rate_changes_hardly_anything() {
    for method in METHODS {
        for fps in [30.0, 240.0] {
            let at = |fps: f64| sample(Kind::Walk, fps, None);
            let (slow, fast) = (at(fps), at(120.0));
            let (one, other) =
                (found(method, &slow.motion, &slow.legs), found(method, &fast.motion, &fast.legs));
            let frames = slow.motion.frames().min((fast.motion.frames() as f64 * fps / 120.0) as usize);
            let mut agree = 0;
            for leg in 0..2 {
                let one = down(&one, leg, None, slow.motion.frames());
                let other = down(&other, leg, None, fast.motion.frames());
                agree += (0..frames).filter(|&k| one[k] == other[(k as f64 * 120.0 / fps) as usize]).count();
            }
            let share = agree as f64 / (2 * frames) as f64;
            assert!(share > 0.96, "{} at {fps}: {share}", method.as_str());
        }
    }
}

#[test]
fn motions_of_no_frame_and_of_few_are_taken() {
    let Sample { motion, legs, .. } = sample(Kind::Walk, 60.0, None);
    for method in METHODS {
        for frames in 0..6 {
            let short = Motion { poses: motion.poses[..frames].to_vec(), ..motion.clone() };
            let plants = found(method, &short, &legs);
            assert!(plants.plants.iter().all(|plant| plant.frames.end <= frames));
            assert!(found(method, &short, &[]).plants.is_empty());
            assert!(found(method, &short, &legs[..1]).plants.iter().all(|plant| plant.leg == 0));
        }
        let late = Settings { method, first_frame: 1_000_000, ..Settings::default() };
        assert!(detect(&motion, &legs, None, &late).plants.is_empty());
    }
}

#[test]
fn a_t_pose_in_front_is_part_of_no_plant() {
    let Sample { mut motion, legs, .. } = sample(Kind::Stand, 60.0, None);
    for method in METHODS {
        let before = found(method, &motion, &legs);
        motion.poses.insert(0, surefoot_core::Pose::rest(&motion.skeleton));
        let after = detect(&motion, &legs, None, &Settings { method, first_frame: 1, ..Settings::default() });
        motion.poses.remove(0);
        let moved: Vec<_> =
            before.plants.iter().map(|plant| plant.frames.start + 1..plant.frames.end + 1).collect();
        assert_eq!(after.plants.iter().map(|plant| plant.frames.clone()).collect::<Vec<_>>(), moved);
    }
}

#[test]
fn models_that_come_with_surefoot_can_be_read_and_are_small() {
    for bytes in [knn::Model::shipped().write(), svm::Model::shipped().write()] {
        assert!(bytes.len() <= 300_000, "{} bytes", bytes.len());
    }
}

#[test]
fn models_of_another_kind_or_version_are_refused() {
    let (knn_bytes, svm_bytes) = (knn::Model::shipped().write(), svm::Model::shipped().write());
    let said = |bytes: &[u8]| svm::Model::read(bytes).unwrap_err().to_string();
    assert_eq!(said(&knn_bytes), "found a model of \"knn/1\", expected \"svm/1\"; train it anew");
    let mut newer = svm_bytes.clone();
    newer[13] = b'2';
    assert_eq!(said(&newer), "found a model of \"svm/2\", expected \"svm/1\"; train it anew");
    assert_eq!(said(b"HIERARCHY"), "this is no model, expected one that begins with \"surefoot svm/1\"");
    let (end, whole) = (svm_bytes.len() - 10, svm_bytes.len());
    assert_eq!(
        said(&svm_bytes[..end]),
        format!("byte {end}: the file ends here, expected {} bytes more", whole - end)
    );
    let longer: Vec<u8> = svm_bytes.iter().copied().chain([0]).collect();
    assert_eq!(said(&longer), "1 bytes are left over behind the model");
    assert!(knn::Model::read(&knn_bytes[..100]).is_err());
}

#[test]
fn damaged_models_are_read_or_refused() {
    let Sample { motion, legs, .. } = sample(Kind::Walk, 30.0, None);
    let short = Motion { poses: motion.poses[..10].to_vec(), ..motion };
    let (knn_bytes, svm_bytes) = (knn::Model::shipped().write(), svm::Model::shipped().write());
    let mut state = 1u64;
    let mut roll = |sides: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % sides
    };
    for round in 0..400 {
        let whole = if round % 2 == 0 { &knn_bytes } else { &svm_bytes };
        let mut bytes = whole.clone();
        // The head is where counts are.
        let at = if roll(2) == 0 { roll(60) } else { roll(bytes.len()) };
        bytes[at] = roll(256) as u8;
        if let Ok(model) = knn::Model::read(&bytes) {
            knn::detect(&short, &legs, None, &model, &Settings::default());
        }
        if let Ok(model) = svm::Model::read(&bytes) {
            svm::detect(&short, &legs, None, &model, &Settings::default());
        }
    }
}
