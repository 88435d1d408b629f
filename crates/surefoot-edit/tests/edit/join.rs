//! Tests of the distance map and of joined motions.

use surefoot_core::math::{PI, axis_rotation};
use surefoot_core::{Clip, Footplants, Motion, Plant, RigidTransform, Vec3};
use surefoot_edit::distance::{Settings as MapSettings, distance_at, map};
use surefoot_edit::join::{Settings, crossing_at, crossings, join};
use surefoot_edit::{EditResult, PairError};
use surefoot_sample::{Kind, Recipe, Sample, make};
use surefoot_solve::clean;

fn generate(kind: Kind, seconds: f64, seed: u64) -> Sample {
    // Samples need time to start and stop, so the motion is generated longer and cut.
    let mut sample = make(&Recipe { kind, seconds: 8.0, seed, fps: 30.0, ..Recipe::default() }).unwrap();
    sample.motion.poses.truncate((seconds * 30.0) as usize);
    let frames = sample.motion.frames();
    sample.plants.plants.iter_mut().for_each(|plant| plant.frames.end = plant.frames.end.min(frames));
    sample.plants.plants.retain(|plant| plant.frames.start < plant.frames.end);
    sample
}

/// A joined motion as a clip with the body and floor of the first sample.
fn edited_clip(sample: &Sample, edited: &EditResult) -> Clip {
    Clip { motion: edited.motion.clone(), plants: edited.plants.clone(), ..sample.clip() }
}

/// A range of frames of a motion and its plants.
fn part(sample: &Sample, from: usize, to: usize) -> (Motion, Footplants) {
    let motion = Motion { poses: sample.motion.poses[from..to].to_vec(), ..sample.motion.clone() };
    let clip = |plant: &Plant| Plant {
        frames: plant.frames.start.max(from).min(to) - from..plant.frames.end.max(from).min(to) - from,
        ..plant.clone()
    };
    let plants = sample.plants.plants.iter().map(clip).filter(|plant| !plant.frames.is_empty());
    (motion, Footplants { plants: plants.collect() })
}

#[test]
fn the_map_equals_the_direct_distance() {
    let (a, b) = (generate(Kind::Walk, 2.0, 1).motion, generate(Kind::Turn, 2.4, 2).motion);
    for window in [0.0, 1.0 / 3.0, 3.0] {
        let settings = MapSettings { window, ..MapSettings::default() };
        let map = map(&a, &b, &settings).unwrap();
        assert_eq!((map.rows, map.columns, map.stride), (a.frames(), b.frames(), 1));
        for row in (0..map.rows).step_by(3) {
            for column in (0..map.columns).step_by(5) {
                let (plain, _) = distance_at(&a, &b, (row, column), &settings);
                let quick = f64::from(map.at(row, column));
                assert!((quick - plain).abs() < 1e-6 + 1e-6 * plain, "{row} {column}: {quick} {plain}");
            }
        }
    }
}

#[test]
fn a_rigid_transform_has_distance_zero() {
    let walk = generate(Kind::Walk, 2.0, 1).motion;
    let moved_by =
        RigidTransform { rotation: axis_rotation(1, 2.5), translation: Vec3::new(30.0, 0.0, -12.0) };
    let settings = MapSettings::default();
    let moved = moved_by.motion(&walk);
    let (distance, transform) = distance_at(&moved, &walk, (20, 20), &settings);
    assert!(distance < 1e-12, "{distance}");
    assert!((transform.translation - moved_by.translation).length() < 1e-9);
    assert!((transform.rotation.dot(moved_by.rotation).abs() - 1.0).abs() < 1e-12);
    let map = map(&moved, &walk, &settings).unwrap();
    assert!(map.at(20, 20) < 1e-5, "{}", map.at(20, 20));
}

#[test]
fn the_fitted_transform_is_optimal() {
    let (a, b) = (generate(Kind::Walk, 2.0, 1).motion, generate(Kind::Turn, 2.0, 2).motion);
    let settings = MapSettings { window: 0.0, ..MapSettings::default() };
    let (best, transform) = distance_at(&a, &b, (20, 30), &settings);
    for (angle, shift) in
        [(0.01, Vec3::ZERO), (-0.01, Vec3::ZERO), (0.0, Vec3::X * 0.01), (0.0, Vec3::Z * -0.01)]
    {
        let nudge = RigidTransform { rotation: axis_rotation(1, angle), translation: shift };
        let moved = transform.then(&nudge).motion(&b);
        let (a_points, b_points) =
            (a.poses[20].world(&a.skeleton).positions, moved.poses[30].world(&b.skeleton).positions);
        let weights = surefoot_edit::distance::weights_by_bone(&a.skeleton);
        let sum: f64 =
            (0..weights.len()).map(|n| weights[n] * (a_points[n] - b_points[n]).length_squared()).sum();
        assert!(sum.sqrt() > best, "{} {best}", sum.sqrt());
    }
}

#[test]
fn on_tilted_ground_the_fit_rotates_about_its_normal() {
    let walk = generate(Kind::Walk, 1.0, 1).motion;
    let up = (axis_rotation(2, 0.1) * Vec3::Y).normalize();
    let settings = MapSettings { up, ..MapSettings::default() };
    let turn = axis_rotation(2, 0.1) * axis_rotation(1, PI / 3.0) * axis_rotation(2, -0.1);
    let moved = RigidTransform { rotation: turn, translation: Vec3::ZERO }.motion(&walk);
    let (distance, transform) = distance_at(&moved, &walk, (10, 10), &settings);
    assert!(distance < 1e-12 && transform.translation.dot(up).abs() < 1e-12, "{distance}");
    assert!((transform.rotation.dot(turn).abs() - 1.0).abs() < 1e-12);
}

#[test]
fn a_large_map_is_subsampled() {
    let walk = generate(Kind::Walk, 4.0, 1).motion;
    let settings = MapSettings { most_cells: 2000, ..MapSettings::default() };
    let map = map(&walk, &walk, &settings).unwrap();
    assert!(map.rows * map.columns <= 2000 && map.stride > 1);
    assert!(map.at(5, 5) < 1e-5);
}

#[test]
fn joining_the_halves_of_a_cut_motion_restores_it() {
    let walk = generate(Kind::Walk, 5.0, 3);
    let frames = walk.motion.frames();
    // Cut between two frames, and with an overlap of half a second.
    for (end, start) in [(70, 70), (90, 62)] {
        let (a, a_plants) = part(&walk, 0, end);
        let (b, b_plants) = part(&walk, start, frames);
        let best = crossings(&a, &b, &Settings::default(), 3).unwrap()[0];
        assert_eq!(best.from as isize - best.to as isize, start as isize, "{best:?}");
        let joined = join((&a, &a_plants), (&b, &b_plants), &walk.legs, &best, &Settings::default()).unwrap();
        assert_eq!(joined.motion, walk.motion);
        assert_eq!(joined.plants, walk.plants);
    }
}

#[test]
fn joining_moved_halves_of_a_cut_motion_restores_it() {
    let walk = generate(Kind::Turn, 5.0, 3);
    let (a, a_plants) = part(&walk, 0, 100);
    let (b, b_plants) = part(&walk, 60, walk.motion.frames());
    let moved_by = RigidTransform { rotation: axis_rotation(1, -1.0), translation: Vec3::new(3.0, 0.0, 1.0) };
    let b = moved_by.motion(&b);
    let mut b_plants = b_plants;
    for plant in &mut b_plants.plants {
        plant.spot = plant.spot.map(|spot| moved_by.point(spot));
    }
    let best = crossings(&a, &b, &Settings::default(), 1).unwrap()[0];
    let joined = join((&a, &a_plants), (&b, &b_plants), &walk.legs, &best, &Settings::default()).unwrap();
    assert_eq!(joined.plants.plants.len(), walk.plants.plants.len());
    for (plant, captured) in joined.plants.plants.iter().zip(&walk.plants.plants) {
        assert_eq!(plant.frames, captured.frames);
        assert!(plant.spot.unwrap().distance(captured.spot.unwrap()) < 1e-9);
    }
    for (pose, captured) in joined.motion.poses.iter().zip(&walk.motion.poses) {
        let (pose, captured) = (pose.world(&a.skeleton), captured.world(&a.skeleton));
        for (p, q) in pose.positions.iter().zip(&captured.positions) {
            assert!(p.distance(*q) < 1e-9, "{p} {q}");
        }
    }
}

#[test]
fn planted_feet_stay_put_through_a_join() {
    for (a, b) in [
        (Kind::Walk, Kind::Turn),
        (Kind::Run, Kind::Run),
        (Kind::Stand, Kind::Walk),
        (Kind::Sneak, Kind::Walk),
    ] {
        let (a, b) = (generate(a, 4.0, 1), generate(b, 4.0, 2));
        for best in crossings(&a.motion, &b.motion, &Settings::default(), 3).unwrap() {
            let edited =
                join((&a.motion, &a.plants), (&b.motion, &b.plants), &a.legs, &best, &Settings::default())
                    .unwrap();
            assert_eq!(edited.motion.frames(), best.from + b.motion.frames() - best.to);
            let result = clean(&edited_clip(&a, &edited), &Default::default()).unwrap();
            for plant in &result.report.plants {
                assert!(plant.drift_m < 1e-6 || !result.report.notes.is_empty(), "{plant:?}");
            }
            // Outside the blend window the motions are unchanged up to the alignment.
            assert_eq!(edited.motion.poses[..edited.changed.start], a.motion.poses[..edited.changed.start]);
            assert_eq!(result.clip.motion.frames(), edited.motion.frames());
        }
    }
}

#[test]
fn merged_plants_do_not_overlap_and_are_inside_the_motion() {
    let (a, b) = (generate(Kind::Walk, 4.0, 1), generate(Kind::Turn, 4.0, 2));
    // At arbitrary crossings, not only good ones.
    for at in [(10, 100), (60, 30), (119, 1), (1, 119), (55, 66), (usize::MAX, 0)] {
        let at = crossing_at(&a.motion, &b.motion, at, &Settings::default()).unwrap();
        let edited =
            join((&a.motion, &a.plants), (&b.motion, &b.plants), &a.legs, &at, &Settings::default()).unwrap();
        for pair in edited.plants.plants.windows(2) {
            let is_same = pair[0].leg == pair[1].leg && pair[0].point == pair[1].point;
            assert!(!is_same || pair[0].frames.end <= pair[1].frames.start, "{at:?} {pair:?}");
        }
        assert!(edited.plants.plants.iter().all(|plant| plant.frames.end <= edited.motion.frames()));
        clean(&edited_clip(&a, &edited), &Default::default()).unwrap();
    }
}

#[test]
fn two_frames_can_be_joined() {
    let walk = generate(Kind::Walk, 2.0, 1);
    let (two, plants) = part(&walk, 20, 22);
    let none = Footplants::default();
    for (a, b) in [(&two, &walk.motion), (&walk.motion, &two), (&two, &two)] {
        let best = crossings(a, b, &Settings::default(), 1).unwrap()[0];
        let edited = join((a, &none), (b, &plants), &walk.legs, &best, &Settings::default()).unwrap();
        assert_eq!(edited.motion.frames(), best.from + b.frames() - best.to);
    }
    let one = Motion { poses: vec![two.poses[0].clone()], ..two.clone() };
    let best = crossings(&one, &one, &Settings::default(), 1).unwrap()[0];
    join((&one, &none), (&one, &none), &walk.legs, &best, &Settings::default()).unwrap();
}

#[test]
fn motions_of_different_bodies_or_rates_are_errors() {
    let walk = generate(Kind::Walk, 1.0, 1).motion;
    let error = |other: &Motion| crossings(&walk, other, &Settings::default(), 1).unwrap_err();
    assert!(matches!(error(&Motion { fps: 60.0, ..walk.clone() }), PairError::Rates { .. }));
    assert!(matches!(
        error(&Motion { poses: Vec::new(), ..walk.clone() }),
        PairError::NoFrames { motion: 1 }
    ));
    let other =
        make(&Recipe { body: surefoot_sample::Body::NoToe, fps: 30.0, ..Recipe::default() }).unwrap().motion;
    assert!(matches!(error(&other), PairError::Joints { .. } | PairError::Joint { .. }));
    let mut broken = walk.clone();
    broken.poses[7].offsets[0].x = f64::NAN;
    assert_eq!(error(&broken), PairError::Pose { motion: 1, frame: 7 });
    let mut longer = walk.skeleton.joints().to_vec();
    longer[1].offset *= 1.5;
    let skeleton = surefoot_core::Skeleton::new(longer).unwrap();
    assert!(matches!(error(&Motion { skeleton, ..walk.clone() }), PairError::Bone { .. }));
}
