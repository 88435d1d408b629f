//! Retargets every pair of rigs, generated and captured, and compares the directions of all segments.

use crate::bodies::sample;
use crate::clips::read;
use surefoot_core::{Clip, Pose, Vec3};
use surefoot_edit::retarget::{TargetBody, is_same_body, retarget, segment_deviations};
use surefoot_sample::{Body, Kind, Recipe};
use surefoot_solve::has_joint_translations;

/// One capture of each skeleton family.
const FAMILIES: [&str; 15] = [
    "cmu/02_01.bvh",
    "aitviewer/sample.bvh",
    "bvh-matlab/walk.bvh",
    "bvh-matlab/louise.bvh",
    "bvh-matlab/milad.bvh",
    "bvh-python/test_freebvh.bvh",
    "bvh-python/test_mocapbank.bvh",
    "bvh-toolbox/walk01.bvh",
    "makehuman/walk1.bvh",
    "pybvh/bvh_example.bvh",
    "pybvh/bvh_test1.bvh",
    "pybvh/bvh_test2.bvh",
    "pybvh/bvh_test3.bvh",
    "pymo/AV_8Walk_Meredith_HVHA_Rep1.bvh",
    "threejs/pirouette.bvh",
];

/// Longest part of a capture that is retargeted, in frames.
const MAX_FRAMES: usize = 240;

fn rigs() -> Vec<(String, Clip)> {
    let all = Body::RIGS.into_iter().chain([Body::Human, Body::NoToe]);
    all.map(|body| {
        let recipe = Recipe { kind: Kind::Turn, body, fps: 30.0, ..Recipe::default() };
        (body.as_str().to_owned(), sample(&recipe))
    })
    .collect()
}

fn captures() -> Vec<(String, Clip)> {
    let capture = |name: &str| {
        let (_, _, mut clip) = read(&surefoot_testdata::path(&format!("bvh/{name}"))?);
        clip.motion.poses.truncate(MAX_FRAMES);
        let frames = clip.motion.frames();
        clip.plants.plants.retain(|plant| plant.frames.end <= frames);
        Some((name.to_owned(), clip))
    };
    FAMILIES.iter().filter_map(|name| capture(name)).collect()
}

/// The points that the segments of a generated rig connect, by the names of its joints and not by their roles: hips, head,
/// then shoulder, elbow and hand of each side.
fn named_points(clip: &Clip, frame: usize) -> Vec<Vec3> {
    let skeleton = &clip.motion.skeleton;
    let world = clip.motion.poses[frame].world(skeleton);
    let find = |names: &[&str]| names.iter().find_map(|name| skeleton.find(name));
    let head = find(&["Head", "head"]).map(|head| world.joint(head)).unwrap_or_else(|| {
        let torso = skeleton.find("torso").unwrap();
        let end = skeleton.joint(torso).end.unwrap() * 0.85;
        world.joint(torso) + world.rotations[torso.index()] * end
    });
    let hips = (world.joint(clip.legs[0].hip) + world.joint(clip.legs[1].hip)) * 0.5;
    let arm = |side: &str, letter: &str| {
        [["Arm", "upperarm", "humerus"], ["ForeArm", "lowerarm", "ulna"], ["Hand", "hand", "hand"]].map(
            |[usual, unreal, opensim]| {
                let names =
                    [format!("{side}{usual}"), format!("{unreal}_{letter}"), format!("{opensim}_{letter}")];
                world.joint(find(&names.each_ref().map(String::as_str)).unwrap())
            },
        )
    };
    [vec![hips, head], arm("Left", "l").to_vec(), arm("Right", "r").to_vec()].concat()
}

#[test]
fn joints_of_the_same_name_keep_their_directions_on_every_pair_of_generated_rigs() {
    let rigs = rigs();
    // Pairs of points and the limit of the direction between them, in degrees.
    let segments = [(0, 1, 10.0), (2, 3, 15.0), (3, 4, 15.0), (5, 6, 15.0), (6, 7, 15.0)];
    for (from, clip) in &rigs {
        for (to, body) in &rigs {
            let result = retarget(clip, &TargetBody::from(body)).unwrap();
            for (a, b, limit) in segments {
                let mut angles: Vec<f64> = (0..clip.motion.frames())
                    .map(|frame| [named_points(clip, frame), named_points(&result.clip, frame)])
                    .map(|[one, other]| (one[b] - one[a]).angle_between(other[b] - other[a]).to_degrees())
                    .collect();
                angles.sort_by(f64::total_cmp);
                let median = angles[angles.len() / 2];
                assert!(median <= limit, "{from} → {to}: points {a} to {b}: {median:.1}°");
            }
        }
    }
}

/// Every segment of every pair that is beyond its limit.
fn beyond_limits(bodies: &[(String, Clip)]) -> Vec<String> {
    let mut beyond = Vec::new();
    for (from, clip) in bodies {
        for (to, other) in bodies.iter().filter(|(to, _)| to != from) {
            let result =
                retarget(clip, &TargetBody::from(other)).unwrap_or_else(|e| panic!("{from} {to}: {e}"));
            let deviations = segment_deviations(clip, &result.clip);
            assert_eq!(deviations.len(), 9, "{from} → {to}: trunk, thighs, shins and arms: {deviations:?}");
            beyond.extend(
                deviations
                    .iter()
                    .filter(|one| one.is_beyond_limit())
                    .map(|one| format!("{from} → {to}: {} {:.1}°", one.segment, one.median.to_degrees())),
            );
        }
    }
    beyond
}

#[test]
fn every_pair_of_generated_rigs_keeps_the_pose() {
    let beyond = beyond_limits(&rigs());
    assert!(beyond.is_empty(), "{} segments: {beyond:#?}", beyond.len());
}

#[test]
fn takes_of_one_skeleton_are_the_same_body_wherever_the_file_puts_the_hips() {
    let take = |seed| {
        sample(&Recipe { kind: Kind::Turn, body: Body::GroundRoot, fps: 30.0, seed, ..Recipe::default() })
    };
    let (one, other) = (take(0), take(1));
    assert!(is_same_body(&one.motion.skeleton, &other.motion.skeleton, &one.legs));
    let child = sample(&Recipe { body: Body::Child, ..Recipe::default() });
    let human = sample(&Recipe::default());
    assert!(!is_same_body(&human.motion.skeleton, &child.motion.skeleton, &human.legs));
}

#[test]
fn targets_without_frames_or_with_one_keep_the_pose_and_their_root() {
    let rigs = rigs();
    let mut beyond = Vec::new();
    for (from, clip) in &rigs {
        for (to, body) in rigs.iter().filter(|(to, _)| to != from) {
            for frames in [0, 1] {
                let poses = body.motion.poses[..frames].to_vec();
                let target = TargetBody { poses, floor: None, ..TargetBody::from(body) };
                let result = retarget(clip, &target).unwrap();
                let deviations = segment_deviations(clip, &result.clip);
                beyond.extend(
                    deviations
                        .iter()
                        .filter(|one| one.is_beyond_limit())
                        .map(|one| format!("{from} → {to}: {} {:.1}°", one.segment, one.median.to_degrees())),
                );
                let poses = &result.clip.motion.poses;
                let turn = |pose: &Pose| pose.rotations[0].angle_between(poses[0].rotations[0]);
                let is_still = poses.iter().all(|pose| turn(pose) < 1e-6);
                assert!(is_still || !["ground-root", "root-pelvis"].contains(&to.as_str()), "{from} → {to}");
            }
        }
    }
    assert!(beyond.is_empty(), "{} segments: {beyond:#?}", beyond.len());
}

#[test]
fn the_root_of_the_target_keeps_its_convention() {
    let rigs = rigs();
    let of = |name: &str| &rigs.iter().find(|(rig, _)| rig == name).unwrap().1;
    for from in ["human", "root-pelvis", "ground-root"] {
        let still = retarget(of(from), &TargetBody::from(of("ground-root"))).unwrap().clip.motion;
        assert!(still.poses.iter().all(|pose| pose.offsets[0].length() < 1e-9), "{from}");
    }
    for from in ["human", "ground-root", "six-spines"] {
        let (clip, body) = (of(from), of("root-pelvis"));
        let motion = retarget(clip, &TargetBody::from(body)).unwrap().clip.motion;
        for (pose, own) in motion.poses.iter().zip(&body.motion.poses) {
            // The same turn, so the root is where the rig itself has it.
            assert!(
                pose.offsets[0].distance(own.offsets[0]) < 0.03,
                "{from} {} {}",
                pose.offsets[0],
                own.offsets[0]
            );
            assert!(pose.rotations[0].angle_between(own.rotations[0]) < 0.1, "{from}");
            assert!(pose.offsets[0].y.abs() < 1e-9);
        }
    }
}

#[test]
fn every_pair_of_captured_skeletons_keeps_the_pose() {
    let beyond = beyond_limits(&captures());
    assert!(beyond.is_empty(), "{} segments: {beyond:#?}", beyond.len());
}

#[test]
fn every_capture_on_every_generated_rig_keeps_the_pose() {
    let (rigs, captures) = (rigs(), captures());
    let mut beyond = Vec::new();
    for (name, clip) in &captures {
        for (rig, body) in &rigs {
            for (from, to, names) in [(clip, body, [name, rig]), (body, clip, [rig, name])] {
                let result = retarget(from, &TargetBody::from(to)).unwrap();
                let deviations = segment_deviations(from, &result.clip);
                beyond.extend(deviations.iter().filter(|one| one.is_beyond_limit()).map(|one| {
                    format!("{} → {}: {} {:.1}°", names[0], names[1], one.segment, one.median.to_degrees())
                }));
            }
        }
    }
    assert!(beyond.is_empty(), "{} segments: {beyond:#?}", beyond.len());
}

#[test]
fn a_foot_without_toes_rolls_over_its_tip_and_not_through_the_floor() {
    let clip = sample(&Recipe { fps: 60.0, ..Recipe::default() });
    let mut body = sample(&Recipe { body: Body::NoToe, fps: 60.0, ..Recipe::default() });
    for leg in &mut body.legs {
        // Where inference puts the ball of a foot without a toe joint.
        leg.ball.offset.z *= 0.7;
    }
    let result = retarget(&clip, &TargetBody::from(&body)).unwrap();
    let clean = surefoot_solve::clean(&result.clip, &Default::default()).unwrap().clip;
    let lowest = clean.motion.poses.iter().flat_map(|pose| {
        let world = pose.world(&clean.motion.skeleton);
        clean.legs.iter().map(move |leg| world.point(&leg.toe).y).collect::<Vec<_>>()
    });
    let lowest = lowest.fold(f64::INFINITY, f64::min);
    assert!(lowest > -1e-3, "{lowest}");
}

#[test]
fn a_pelvis_that_moves_below_its_root_does_not_let_the_legs_stretch() {
    let on_root = |body| sample(&Recipe { kind: Kind::Turn, body, fps: 30.0, ..Recipe::default() });
    for body in [Body::RootPelvis, Body::GroundRoot, Body::Human] {
        assert!(!has_joint_translations(&on_root(body)), "{body:?}");
    }
    let mut stretched = on_root(Body::RootPelvis);
    let knee = stretched.legs[0].knee.index();
    stretched.motion.poses[3].offsets[knee] *= 1.01;
    assert!(has_joint_translations(&stretched));
}
