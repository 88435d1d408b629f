//! A foot that shakes about its ankle in the capture shakes nothing else once it is held.

mod made;

use made::*;
use surefoot_core::math::axis_rotation;
use surefoot_core::{FootPoint, Vec3};
use surefoot_solve::{Form, Settings};

const FRAMES: usize = 60;

/// A leg that stands a little bent while its foot shakes by this, about its ankle, from frame to frame.
fn shaking(axis: usize, points: &[FootPoint]) -> Case {
    let plants = points.iter().map(|point| plant(0, *point, 0..FRAMES)).collect();
    let mut case = by_hand(Build::default(), FRAMES, plants, |frame, pose| {
        let shakes = if frame % 2 == 0 { 0.05 } else { -0.05 };
        // The thigh forward and the shin back, so that the leg has room to move.
        pose.rotations[1] = pitch(-0.3);
        pose.rotations[2] = pitch(0.6);
        pose.rotations[3] = pitch(-0.3) * axis_rotation(axis, shakes);
    });
    case.clip.floor = None;
    case
}

/// The largest second difference of a joint's path, away from the ends, in metres.
fn jolt(case: &Case, settings: &Settings, joint: surefoot_core::JointId) -> f64 {
    let (after, _) = held_or_noted(case, settings).unwrap();
    let places: Vec<Vec3> = world(&after).iter().map(|placed| placed.joint(joint)).collect();
    let bends = places[10..FRAMES - 10].windows(3);
    bends.map(|p| (p[0] - 2.0 * p[1] + p[2]).length()).fold(0.0, f64::max)
}

#[test]
fn an_ankle_is_steady_over_a_ball_that_is_held() {
    let case = shaking(0, &[FootPoint::Ball]);
    let ankle = case.clip.legs[0].ankle;
    let paper = jolt(&case, &Settings { form: Form::Paper, ..Settings::default() }, ankle);
    let ours = jolt(&case, &Settings::default(), ankle);
    // Shaken by 0.1 rad a frame, an ankle 15 cm from its ball goes back and forth by 1.5 cm.
    assert!(paper > 0.02, "the paper's form shakes it by {paper} m");
    assert!(ours < 0.05 * paper, "{ours} m against {paper} m");
}

#[test]
fn a_knee_is_steady_over_a_foot_that_is_held() {
    let case = shaking(1, &[FootPoint::Heel, FootPoint::Ball]);
    let knee = case.clip.legs[0].knee;
    let paper = jolt(&case, &Settings { form: Form::Paper, ..Settings::default() }, knee);
    let ours = jolt(&case, &Settings::default(), knee);
    assert!(paper > 0.01, "the paper's form shakes it by {paper} m");
    assert!(ours < 0.05 * paper, "{ours} m against {paper} m");
}
