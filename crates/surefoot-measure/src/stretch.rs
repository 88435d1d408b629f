//! Stretch of thighs and shins.

use crate::context::Context;
use crate::paths::{LegPath, Paths};
use crate::statistics::largest;
use surefoot_core::{Motion, Pose, Vec3};

/// Difference below which two lengths are equal, in metres: far below the precision of files.
const SAME_LENGTH: f64 = 1e-9;

/// The length of a leg's thigh and shin, in metres.
pub(crate) type Bones = [f64; 2];

/// The length of thigh and shin at each frame.
pub(crate) fn bones(leg: &LegPath) -> Vec<Bones> {
    let joints = leg.hip.iter().zip(&leg.knee).zip(&leg.ankle);
    joints.map(|((hip, knee), ankle)| [hip.distance(*knee), knee.distance(*ankle)]).collect()
}

/// The rest lengths of thigh and shin of each leg, repeated for every frame.
pub(crate) fn rest_bones(motion: &Motion, context: &Context, frames: usize) -> Vec<Vec<Bones>> {
    let world = Pose::rest(&motion.skeleton).world(&motion.skeleton);
    let length = |a: Vec3, b: Vec3| a.distance(b);
    let rest = |leg: &surefoot_core::Leg| {
        let (hip, knee, ankle) = (world.joint(leg.hip), world.joint(leg.knee), world.joint(leg.ankle));
        vec![[length(hip, knee), length(knee, ankle)]; frames]
    };
    context.legs.iter().map(rest).collect()
}

/// The stretch of one leg at each frame: `length / captured − 1` of thigh or shin, whichever changed
/// more. Positive values are longer.
pub(crate) fn stretches(now: &[Bones], captured: &[Bones]) -> Vec<f64> {
    let frame = |(now, captured): (&Bones, &Bones)| {
        let [thigh, shin] = [stretch(now[0], captured[0]), stretch(now[1], captured[1])];
        if shin.abs() > thigh.abs() { shin } else { thigh }
    };
    now.iter().zip(captured).map(frame).collect()
}

/// The stretch of one bone; 0 for equal lengths and for a bone without length.
fn stretch(now: f64, captured: f64) -> f64 {
    if (now - captured).abs() < SAME_LENGTH || captured < SAME_LENGTH { 0.0 } else { now / captured - 1.0 }
}

/// The stretches of every leg of a motion against its captured lengths.
pub(crate) fn of_legs(paths: &Paths, captured: &[Vec<Bones>]) -> Vec<Vec<f64>> {
    paths.legs.iter().zip(captured).map(|(leg, captured)| stretches(&bones(leg), captured)).collect()
}

/// The largest change of any thigh or shin in any frame, as a fraction of its captured length.
pub(crate) fn stretch_max(stretches: &[Vec<f64>]) -> Option<f64> {
    largest(stretches.iter().flatten().map(|stretch| stretch.abs()))
}

/// Number of frames in which a thigh or shin differs from its captured length.
pub(crate) fn stretch_frames(stretches: &[Vec<f64>]) -> Option<f64> {
    let frames = stretches.first().filter(|leg| !leg.is_empty())?.len();
    let stretched = (0..frames).filter(|&frame| stretches.iter().any(|leg| leg[frame] != 0.0));
    Some(stretched.count() as f64)
}
