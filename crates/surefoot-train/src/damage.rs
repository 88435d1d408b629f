//! Motions damaged the way captures are; the labels stay what they were.

use crate::labelled::Labelled;
use surefoot_core::{Motion, Plant, Pose, Vec3};
use surefoot_sample::{Random, Skate, damage, pose_between};

/// How a labelled motion is damaged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Damage {
    /// Not at all.
    None,
    /// As a sample is.
    Skate(Skate),
    /// Thigh and shin this many times as long, the root's path as it was: as after moving the
    /// motion onto other legs.
    Legs(f64),
    /// Heel, ball and toe tip up to this many metres from where they were, along the foot and upwards:
    /// as another rig, or another who set it up, has them.
    Points(f64),
}

impl Damage {
    /// The damage that scores are asked for: path × 0.85 and × 1.15, and slow drift by 2.5 cm.
    pub const SCORED: [Self; 4] = [
        Self::None,
        Self::Skate(Skate::Scale(0.85)),
        Self::Skate(Skate::Scale(1.15)),
        Self::Skate(Skate::Drift(0.025)),
    ];

    /// What to call it.
    pub fn words(self) -> String {
        match self {
            Self::None => "as captured".into(),
            Self::Skate(Skate::Scale(times)) => format!("root path × {times}"),
            Self::Skate(Skate::Drift(metres)) => format!("drift by {} cm", 100.0 * metres),
            Self::Skate(skate) => format!("{} {}", skate.as_str(), skate.amount()),
            Self::Legs(times) => format!("legs × {times}"),
            Self::Points(metres) => format!("points of the feet off by {} cm", 100.0 * metres),
        }
    }

    /// Some damage, drawn.
    pub fn drawn(random: &mut Random) -> Self {
        match random.below(10) {
            0..=4 => Self::Skate(Skate::Scale(random.between(0.8, 1.25))),
            5 | 6 => Self::Skate(Skate::Drift(random.between(0.01, 0.06))),
            7 => Self::Skate(Skate::Noise(random.between(0.0005, 0.002))),
            8 => Self::Skate(Skate::Blend(random.between(0.05, 0.15))),
            _ => Self::Legs(random.between(0.85, 1.15)),
        }
    }
}

/// The same motion, damaged, with the labels it had.
pub fn damaged(labelled: &Labelled, how: Damage, seed: u64) -> Labelled {
    let mut labelled = labelled.clone();
    match how {
        Damage::None => {}
        Damage::Skate(skate) => damage(&mut labelled.motion, skate, seed),
        Damage::Legs(times) => longer_legs(&mut labelled, times),
        Damage::Points(metres) => other_points(&mut labelled, metres, seed),
    }
    labelled
}

/// The points of the feet elsewhere, the same way on all feet.
fn other_points(labelled: &mut Labelled, metres: f64, seed: u64) {
    let Labelled { motion, legs, .. } = labelled;
    let mut random = Random::new(seed, 6);
    let mut draw = || random.between(-metres, metres);
    let off: [(f64, f64); 3] = core::array::from_fn(|_| (draw(), draw()));
    let rest = Pose::rest(&motion.skeleton).world(&motion.skeleton);
    for leg in legs {
        let foot = rest.point(&leg.ball) - rest.point(&leg.heel);
        let forward = Vec3::new(foot.x, 0.0, foot.z).normalize_or_zero();
        for (point, (along, up)) in [&mut leg.heel, &mut leg.ball, &mut leg.toe].into_iter().zip(off) {
            let turn = rest.rotations[point.joint.index()];
            point.offset += turn.inverse() * (forward * along + Vec3::Y * up);
        }
    }
}

/// Thigh and shin so many times as long, and the body so much higher that the feet stay about
/// where they were.
fn longer_legs(labelled: &mut Labelled, times: f64) {
    let Labelled { motion, legs, .. } = labelled;
    let mut higher = 0.0;
    for leg in legs.iter() {
        for joint in [leg.knee, leg.ankle] {
            let at = joint.index();
            for pose in &mut motion.poses {
                pose.offsets[at] *= times;
            }
            higher += motion.skeleton.joint(joint).offset.length() * (times - 1.0) / legs.len() as f64;
        }
    }
    motion.poses.iter_mut().for_each(|pose| pose.offsets[0].y += higher);
}

/// The same motion at another frame rate.
///
/// A frame has the label of the frame nearest to it in time.
pub fn resampled(labelled: &Labelled, fps: f64) -> Labelled {
    let before = &labelled.motion;
    if before.poses.is_empty() {
        return labelled.clone();
    }
    let (first, last) = (labelled.first_frame.min(before.frames() - 1), before.frames() - 1);
    let frames = ((last - first) as f64 / before.fps * fps) as usize + 1;
    let time = |frame: usize| frame as f64 / fps + first as f64 / before.fps;
    let nearest = |frame: usize| ((time(frame) * before.fps + 0.5) as usize).min(last);
    let poses = (0..frames).map(|frame| pose_between(before, time(frame))).collect();
    let down = labelled.down.iter().map(|foot| (0..frames).map(|frame| foot[nearest(frame)]).collect());
    let after = |frame: usize| (0..frames).find(|&k| nearest(k) >= frame).unwrap_or(frames);
    let points = labelled.points.clone().map(|mut points| {
        for Plant { frames, .. } in &mut points.plants {
            *frames = after(frames.start)..after(frames.end);
        }
        points.plants.retain(|plant| !plant.frames.is_empty());
        points
    });
    Labelled {
        motion: Motion { poses, fps, skeleton: before.skeleton.clone() },
        down: down.collect(),
        points,
        first_frame: 0,
        ..labelled.clone()
    }
}
