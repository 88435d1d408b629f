//! Frames out of reach of all plants, and of all feet below the floor, keep their bits, and bones stretch no further than the limit.

use proptest::prelude::*;
use surefoot_core::{Clip, Footplants, JointId, JointPoint, WorldPose};
use surefoot_solve::{Form, Settings};

use crate::fixtures::*;

/// Asserts that frames, joints and bones that no correction may change keep their bits.
fn check(case: &Case, settings: &Settings) {
    let (after, _) = case.clean(settings);
    assert_eq!(after.frames(), case.clip.motion.frames());
    assert_eq!((&after.skeleton, after.fps), (&case.clip.motion.skeleton, case.clip.motion.fps));
    let has_own_offsets = case.clip.motion.poses.iter().any(|pose| {
        let joints = case.clip.motion.skeleton.joints().iter().zip(&pose.offsets);
        joints.skip(1).any(|(joint, offset)| joint.offset != *offset)
    });
    let stretch_limit = settings.stretch.unwrap_or(if has_own_offsets { 0.03 } else { 0.0 });
    let distance = influence(case, settings);
    let causes = causes(case);
    let is_near = |frame: usize| {
        let near = frame.saturating_sub(distance)..(frame + distance + 1).min(causes.len());
        causes[near].iter().any(|is_cause| *is_cause)
    };
    for (frame, (before, after)) in case.clip.motion.poses.iter().zip(&after.poses).enumerate() {
        let context = format!("{}: frame {frame}", case.name);
        if !is_near(frame) {
            assert_eq!(bits(before), bits(after), "{context}");
        }
        for joint in case.clip.motion.skeleton.ids() {
            let index = joint.index();
            let (was, now) = (before.offsets[index], after.offsets[index]);
            if is_bone(case, joint) {
                let stretch = now.length() / was.length() - 1.0;
                assert!(stretch.abs() <= stretch_limit + 1e-12, "{context}: {joint:?} stretched {stretch}");
            }
            if case.clip.motion.skeleton.parent(joint).is_some()
                && (stretch_limit == 0.0 || !is_bone(case, joint))
            {
                assert_eq!(
                    was.to_array().map(f64::to_bits),
                    now.to_array().map(f64::to_bits),
                    "{context}: {joint:?}"
                );
            }
            if !may_rotate(case, joint) {
                let (was, now) = (before.rotations[index].to_array(), after.rotations[index].to_array());
                assert_eq!(was.map(f64::to_bits), now.map(f64::to_bits), "{context}: {joint:?} rotated");
            }
        }
    }
}

/// Largest distance, in frames, at which a plant or a foot below the floor may change a frame: the windows of the phases,
/// one after the other.
fn influence(case: &Case, settings: &Settings) -> usize {
    // The first frame outside a window is at its length.
    let frames = |seconds: f64| (seconds * case.clip.motion.fps - 1e-9).ceil().max(1.0) as usize - 1;
    let (root, blend) = (frames(settings.root_window), frames(settings.blend_window));
    match settings.form {
        Form::Paper => root.max(blend),
        // A lift eases in and out within 0.07 s, and a cell of the fit counts whole.
        Form::Improved => {
            let cell = frames(2.0 * settings.root_cell) + 2;
            (root + 2 * cell).max(blend + frames(0.07)) + frames(settings.knee_window) + cell
        }
    }
}

/// For each frame, whether a plant or a foot point below the floor requires a correction.
fn causes(case: &Case) -> Vec<bool> {
    let Clip { motion, legs, floor, plants, .. } = &case.clip;
    let is_below = |pose: &WorldPose| {
        let points = legs.iter().flat_map(|leg| [leg.heel, leg.ball, leg.toe]);
        let depth = |point: JointPoint| floor.as_ref().map_or(0.0, |floor| -floor.above(pose.point(&point)));
        points.map(depth).fold(0.0, f64::max) > 1e-12
    };
    let is_planted = |frame: usize| plants.plants.iter().any(|plant| plant.frames.contains(&frame));
    world(motion).iter().enumerate().map(|(frame, pose)| is_planted(frame) || is_below(pose)).collect()
}

/// Whether the offset of a joint is a thigh or shin, or part of one.
fn is_bone(case: &Case, joint: JointId) -> bool {
    case.clip.legs.iter().any(|leg| {
        let mut bone = leg.ankle;
        while bone != leg.hip {
            if bone == joint {
                return true;
            }
            bone = case.clip.motion.skeleton.parent(bone).unwrap();
        }
        false
    })
}

/// Whether the cleaner may rotate a joint: those of the legs, the pelvis of a body with two legs, and what is attached to
/// it, which keeps its orientation in the room.
fn may_rotate(case: &Case, joint: JointId) -> bool {
    let pelvis = pelvis(case);
    let parent = case.clip.motion.skeleton.parent(joint);
    let is_at_pelvis = pelvis.is_some() && (pelvis == Some(joint) || pelvis == parent);
    is_at_pelvis
        || case.clip.legs.iter().any(|leg| [leg.hip, leg.knee, leg.ankle, leg.toe.joint].contains(&joint))
}

/// The joint that both legs of a body with two legs are attached to.
fn pelvis(case: &Case) -> Option<JointId> {
    let [left, right] = &case.clip.legs[..] else { return None };
    let above = |hip: JointId| {
        core::iter::successors(case.clip.motion.skeleton.parent(hip), |&joint| {
            case.clip.motion.skeleton.parent(joint)
        })
    };
    above(left.hip).find(|joint| above(right.hip).any(|other| other == *joint))
}

/// Whether a joint is below the pelvis, but not part of a leg.
fn is_trunk(case: &Case, joint: JointId) -> bool {
    let skeleton = &case.clip.motion.skeleton;
    let chain = |joint: JointId| core::iter::successors(Some(joint), |&joint| skeleton.parent(joint));
    let is_leg = |joint: JointId| {
        case.clip.legs.iter().any(|leg| {
            chain(joint).any(|above| above == leg.hip) || chain(leg.hip).any(|above| above == joint)
        })
    };
    !is_leg(joint) && chain(joint).any(|above| Some(above) == pelvis(case))
}

/// Largest tilt of the pelvis, in radians: 10 mm at a hip, half of 0.1 m from the other.
const MOST_TILT: f64 = 0.2;

#[test]
fn the_pelvis_tilts_by_a_few_degrees_and_the_trunk_keeps_its_orientation() {
    let mut largest = 0.0f64;
    for case in samples().chain(captures()) {
        let Some(pelvis) = pelvis(&case) else { continue };
        let (after, _) = case.clean(&Settings::default());
        let trunk: Vec<JointId> = after.skeleton.ids().filter(|joint| is_trunk(&case, *joint)).collect();
        for (frame, (before, after)) in world(&case.clip.motion).iter().zip(&world(&after)).enumerate() {
            let angle = |joint: JointId| {
                before.rotations[joint.index()].angle_between(after.rotations[joint.index()])
            };
            let tilt = angle(pelvis);
            assert!(tilt < MOST_TILT, "{}: frame {frame}: {tilt}", case.name);
            largest = largest.max(tilt);
            for joint in &trunk {
                assert!(angle(*joint) < 1e-6, "{}: frame {frame}: {joint:?} {}", case.name, angle(*joint));
            }
        }
    }
    assert!(largest > 0.001, "no pelvis tilts");
}

fn without_plants(mut case: Case) -> Case {
    case.clip.plants = Footplants::default();
    // A file may contain `-0.0000`, which must not become `0.0000`.
    case.clip.motion.poses.iter_mut().for_each(|pose| pose.offsets[0].x = -0.0);
    case
}

fn with_one_plant(mut case: Case) -> Case {
    let middle = case.clip.plants.plants.len() / 2;
    case.clip.plants.plants = case.clip.plants.plants.drain(..).skip(middle).take(1).collect();
    case.clip.motion.poses.iter_mut().for_each(|pose| pose.offsets[0].x = -0.0);
    case
}

/// Poses with their own offsets keep them, and the poses between keep those of the skeleton.
#[test]
fn offsets_of_the_poses_are_kept() {
    for case in few_samples() {
        let mut case = case.without_spots();
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
fn without_plants_a_motion_above_its_floor_keeps_its_bits() {
    for case in samples().chain(captures()) {
        check(&without_plants(case), &Settings::default());
    }
}

#[test]
fn samples_change_only_near_plants() {
    for case in samples() {
        for (_, settings) in all_settings() {
            check(&case, &settings);
            check(&with_one_plant(case.clone()), &settings);
        }
    }
}

#[test]
fn captured_motions_change_only_near_plants() {
    for case in captures() {
        for (_, settings) in all_settings() {
            check(&case, &settings);
            check(&with_one_plant(case.clone()), &settings);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn random_motions_change_only_near_plants(case in any_case(), settings in 0..5usize) {
        check(&case, &all_settings()[settings].1);
    }

    #[test]
    fn bones_stretch_no_further_than_the_limit(case in any_case(), stretch in 0.0..0.2f64) {
        check(&case, &Settings { stretch: Some(stretch), ..Settings::default() });
    }
}
