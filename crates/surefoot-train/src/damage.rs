//! Damages labelled motions the way captures and retargeted motions are damaged; the labels stay.

use crate::labelled_motion::LabelledMotion;
use surefoot_core::{Motion, Plant, Pose, Vec3};
use surefoot_sample::{Random, Skate, damage, pose_between};

/// A kind of damage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Damage {
    /// No damage.
    None,
    /// Skate, as generated motions have it.
    Skate(Skate),
    /// Thigh and shin are scaled by this factor and the root's path is kept, as after retargeting.
    LegLength(f64),
    /// Heel, ball and toe tip are moved by up to this many metres, along the foot and vertically, as
    /// another rig would have them.
    FootPoints(f64),
}

impl Damage {
    /// The damage that is scored: none, root path × 0.85 and × 1.15, and slow drift by 2.5 cm.
    pub const SCORED: [Self; 4] = [
        Self::None,
        Self::Skate(Skate::Scale(0.85)),
        Self::Skate(Skate::Scale(1.15)),
        Self::Skate(Skate::Drift(0.025)),
    ];

    /// A description for tables.
    pub fn description(self) -> String {
        match self {
            Self::None => "as captured".into(),
            Self::Skate(Skate::Scale(factor)) => format!("root path × {factor}"),
            Self::Skate(Skate::Drift(metres)) => format!("drift by {} cm", 100.0 * metres),
            Self::Skate(skate) => format!("{} {}", skate.as_str(), skate.amount()),
            Self::LegLength(factor) => format!("legs × {factor}"),
            Self::FootPoints(metres) => format!("foot points off by {} cm", 100.0 * metres),
        }
    }

    /// Draws some damage.
    pub fn random(random: &mut Random) -> Self {
        match random.below(10) {
            0..=4 => Self::Skate(Skate::Scale(random.between(0.8, 1.25))),
            5 | 6 => Self::Skate(Skate::Drift(random.between(0.01, 0.06))),
            7 => Self::Skate(Skate::Noise(random.between(0.0005, 0.002))),
            8 => Self::Skate(Skate::Blend(random.between(0.05, 0.15))),
            _ => Self::LegLength(random.between(0.85, 1.15)),
        }
    }
}

/// Returns a damaged copy with the same labels.
pub fn damaged(labelled: &LabelledMotion, kind: Damage, seed: u64) -> LabelledMotion {
    let mut labelled = labelled.clone();
    match kind {
        Damage::None => {}
        Damage::Skate(skate) => damage(&mut labelled.motion, skate, seed),
        Damage::LegLength(factor) => scale_legs(&mut labelled, factor),
        Damage::FootPoints(metres) => move_foot_points(&mut labelled, metres, seed),
    }
    labelled
}

/// Moves the points of the feet, all feet alike.
fn move_foot_points(labelled: &mut LabelledMotion, metres: f64, seed: u64) {
    let LabelledMotion { motion, legs, .. } = labelled;
    let mut random = Random::new(seed, 6);
    let mut draw = || random.between(-metres, metres);
    let offsets: [(f64, f64); 3] = core::array::from_fn(|_| (draw(), draw()));
    let rest = Pose::rest(&motion.skeleton).world(&motion.skeleton);
    for leg in legs {
        let foot = rest.point(&leg.ball) - rest.point(&leg.heel);
        let forward = Vec3::new(foot.x, 0.0, foot.z).normalize_or_zero();
        for (point, (along, up)) in [&mut leg.heel, &mut leg.ball, &mut leg.toe].into_iter().zip(offsets) {
            let rotation = rest.rotations[point.joint.index()];
            point.offset += rotation.inverse() * (forward * along + Vec3::Y * up);
        }
    }
}

/// Scales thigh and shin, and raises the body so that the feet stay near the floor.
fn scale_legs(labelled: &mut LabelledMotion, factor: f64) {
    let LabelledMotion { motion, legs, .. } = labelled;
    let mut raise = 0.0;
    for leg in legs.iter() {
        for joint in [leg.knee, leg.ankle] {
            let at = joint.index();
            for pose in &mut motion.poses {
                pose.offsets[at] *= factor;
            }
            raise += motion.skeleton.joint(joint).offset.length() * (factor - 1.0) / legs.len() as f64;
        }
    }
    motion.poses.iter_mut().for_each(|pose| pose.offsets[0].y += raise);
}

/// Returns a copy at another frame rate, in which a frame has the label of the frame nearest in time.
pub fn resampled(labelled: &LabelledMotion, fps: f64) -> LabelledMotion {
    let before = &labelled.motion;
    if before.poses.is_empty() {
        return labelled.clone();
    }
    let (first, last) = (labelled.first_frame.min(before.frames() - 1), before.frames() - 1);
    let frames = ((last - first) as f64 / before.fps * fps) as usize + 1;
    let time = |frame: usize| frame as f64 / fps + first as f64 / before.fps;
    let nearest = |frame: usize| ((time(frame) * before.fps + 0.5) as usize).min(last);
    let poses = (0..frames).map(|frame| pose_between(before, time(frame))).collect();
    let resample_foot = |foot: &Vec<Option<bool>>| (0..frames).map(|frame| foot[nearest(frame)]).collect();
    let first_at = |frame: usize| (0..frames).find(|&k| nearest(k) >= frame).unwrap_or(frames);
    let plants = labelled.plants.clone().map(|mut plants| {
        for Plant { frames, .. } in &mut plants.plants {
            *frames = first_at(frames.start)..first_at(frames.end);
        }
        plants.plants.retain(|plant| !plant.frames.is_empty());
        plants
    });
    LabelledMotion {
        motion: Motion { poses, fps, skeleton: before.skeleton.clone() },
        contacts: labelled.contacts.iter().map(resample_foot).collect(),
        plants,
        first_frame: 0,
        ..labelled.clone()
    }
}
