//! Planted hands are held like feet; free hands move along with the body, and the torso helps an arm that has to reach far.

use surefoot_core::{Clip, FootPoint, Footplants, Leg, Pose, Vec3, WorldPose};
use surefoot_sample::{Kind, Recipe, Skate, make};
use surefoot_solve::{Cleaner, Method, Note, Settings, active_plants, clean};

fn clip(kind: Kind, skate: Option<Skate>) -> Clip {
    let mut clip = make(&Recipe { kind, skate, seconds: 5.0, ..Recipe::default() }).unwrap().into_clip();
    // Spots of the motion without damage would pull the damaged body back.
    clip.plants.plants.iter_mut().for_each(|plant| plant.spot = None);
    clip
}

/// The largest distance of a planted point from where its plant begins, in metres.
fn drift(clip: &Clip) -> f64 {
    let mut world = WorldPose::default();
    let mut most: f64 = 0.0;
    for plant in &clip.plants.plants {
        let point = plant.foot_point(&clip.legs).unwrap();
        let mut first = None;
        for frame in plant.frames.clone() {
            clip.motion.poses[frame].forward_kinematics(&clip.motion.skeleton, &mut world);
            let position = world.point(&point);
            most = most.max(position.distance(*first.get_or_insert(position)));
        }
    }
    most
}

const DAMAGE: [Option<Skate>; 5] = [
    None,
    Some(Skate::Scale(1.1)),
    Some(Skate::Drift(0.025)),
    Some(Skate::Noise(0.002)),
    Some(Skate::Blend(0.5)),
];

#[test]
fn planted_hands_and_feet_stay_at_their_spots() {
    for kind in Kind::HANDS {
        for skate in DAMAGE {
            let cleaned = clean(&clip(kind, skate), &Settings::default()).unwrap();
            assert!(drift(&cleaned.clip) < 1e-9, "{kind:?} {skate:?}: {} m", drift(&cleaned.clip));
            assert!(!cleaned.report.notes.iter().any(|note| matches!(note, Note::OutOfReach { .. })));
        }
    }
}

#[test]
fn only_planted_hands_are_held() {
    for skate in DAMAGE {
        let mut clip = clip(Kind::Push, skate);
        clip.plants.plants.retain(|plant| !clip.legs[plant.leg].is_arm());
        let feet = Clip { legs: Leg::without_arms(&clip.legs).to_vec(), ..clip.clone() };
        let with_arms = clean(&clip, &Settings::default()).unwrap().clip;
        let without = clean(&feet, &Settings::default()).unwrap().clip;
        let joints: Vec<usize> =
            clip.legs[2..].iter().flat_map(Leg::joints).map(|joint| joint.index()).collect();
        for (frame, pose) in with_arms.motion.poses.iter().enumerate() {
            for &joint in &joints {
                assert_eq!(
                    pose.rotations[joint], clip.motion.poses[frame].rotations[joint],
                    "{skate:?} {frame}"
                );
            }
            let moved = pose.offsets[0].distance(without.motion.poses[frame].offsets[0]);
            // The pelvis of a body with arms does not tilt, which changes the root by micrometres.
            assert!(moved < 1e-4, "{skate:?} {frame}: {moved}");
        }
    }
}

/// A palm above the floor keeps its height, since the bone is not the skin; one below the floor is raised.
#[test]
fn a_palm_is_not_snapped_onto_the_floor() {
    let mut crawl = clip(Kind::Crawl, None);
    let height = |clip: &Clip| {
        let plant = clip.plants.plants.iter().find(|plant| plant.leg == 2).unwrap();
        let world = clip.motion.poses[plant.frames.start].world(&clip.motion.skeleton);
        world.point(&plant.foot_point(&clip.legs).unwrap()).y
    };
    let floor = |height: f64| Some(surefoot_core::Floor::level(height));
    crawl.floor = floor(0.015);
    let above = clean(&crawl, &Settings::default()).unwrap().clip;
    assert!((height(&above) - 0.025).abs() < 1e-9, "{}", height(&above));
    crawl.floor = floor(0.035);
    let raised = clean(&crawl, &Settings::default()).unwrap().clip;
    assert!((height(&raised) - 0.035).abs() < 1e-9, "{}", height(&raised));
}

/// The poses of a clip cleaned by the phases alone, which do not bend the torso.
fn by_phases(clip: &Clip) -> Vec<Pose> {
    let (frames, legs) = (clip.motion.frames(), clip.legs.len());
    let mut cleaner = Cleaner::new(clip, frames, &Settings::default()).unwrap();
    let active = active_plants(frames, legs, &clip.plants);
    let mut poses = Vec::new();
    for (frame, pose) in clip.motion.poses.iter().enumerate() {
        poses.extend(cleaner.push(pose, &active[frame * legs..(frame + 1) * legs]).unwrap().cloned());
    }
    while let Some(pose) = cleaner.finish() {
        poses.push(pose.clone());
    }
    poses
}

/// A push whose hands are to be on a wall that is further away.
fn far_push(by: f64) -> Clip {
    let mut push = make(&Recipe { kind: Kind::Push, seconds: 5.0, ..Recipe::default() }).unwrap().into_clip();
    for plant in push.plants.plants.iter_mut().filter(|plant| plant.leg >= 2) {
        plant.spot = plant.spot.map(|spot| spot + Vec3::Z * by);
    }
    push
}

/// The largest reach of a planted arm, as a fraction of the straight arm.
fn longest_reach(poses: &[Pose], clip: &Clip) -> f64 {
    let mut most: f64 = 0.0;
    for (frame, pose) in poses.iter().enumerate() {
        let world = pose.world(&clip.motion.skeleton);
        for (n, arm) in clip.legs.iter().enumerate().filter(|(_, leg)| leg.is_arm()) {
            if clip.plants.is_planted(n, FootPoint::Ball, frame) {
                let [shoulder, elbow, wrist] = [arm.hip, arm.knee, arm.ankle].map(|joint| world.joint(joint));
                let straight = shoulder.distance(elbow) + elbow.distance(wrist);
                most = most.max(shoulder.distance(wrist) / straight);
            }
        }
    }
    most
}

#[test]
fn the_torso_bends_towards_hands_that_have_to_reach_far() {
    for by in [0.1, 0.2, 0.3] {
        let push = far_push(by);
        let result = clean(&push, &Settings::default()).unwrap();
        assert!(drift(&result.clip) < 1e-9, "{by}: {}", drift(&result.clip));
        let (with, without) =
            (longest_reach(&result.clip.motion.poses, &push), longest_reach(&by_phases(&push), &push));
        assert!(
            with < without,
            "{by}: the arm reaches {with} of its length with the torso, {without} without"
        );
    }
}

#[test]
fn a_torso_that_need_not_help_is_left_alone() {
    for kind in Kind::HANDS {
        let clip = clip(kind, None);
        assert_eq!(
            clean(&clip, &Settings::default()).unwrap().clip.motion.poses,
            by_phases(&clip),
            "{kind:?}"
        );
    }
}

#[test]
fn the_published_method_support_reports_that_it_does_not_hold_hands() {
    let push = clip(Kind::Push, Some(Skate::Scale(1.1)));
    let settings = Settings { method: Method::Support, ..Settings::paper() };
    let notes = clean(&push, &settings).unwrap().report.notes;
    let hands = push.plants.plants.iter().filter(|plant| plant.leg >= 2).count();
    let not_held =
        |note: &&Note| matches!(note, Note::NotHeld { leg: 2.., point: FootPoint::Ball, held_frames: 0, .. });
    assert_eq!(notes.iter().filter(not_held).count(), hands, "{notes:?}");
}

#[test]
fn without_plants_nothing_changes() {
    let mut climb = clip(Kind::Climb, Some(Skate::Noise(0.002)));
    climb.plants = Footplants::default();
    climb.floor = None;
    assert_eq!(clean(&climb, &Settings::default()).unwrap().clip.motion.poses, climb.motion.poses);
}
