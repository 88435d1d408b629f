//! Compares a retargeted motion with its source: the directions of all segments, frame by frame.
//!
//! A wrong match or a misread rest pose folds a body silently. The direction of a segment does not depend on local axes,
//! rest poses or proportions, so it shows such a fold whatever caused it.

use core::fmt;

use surefoot_core::math::{PI, Vec3};
use surefoot_core::{Clip, JointId, Leg, Skeleton, WorldPose};

use super::names::Side;
use super::reference::TrunkTop;
use super::roles::{Role, Roles, roles};

/// A segment of the body.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Segment {
    /// From the middle of the hips to the head, or to the middle of the shoulders for a body without a head joint.
    Trunk,
    /// From hip to knee, by the name of the leg.
    Thigh(String),
    /// From knee to ankle, by the name of the leg.
    Shin(String),
    /// From shoulder to elbow.
    UpperArm(Side),
    /// From elbow to hand.
    Forearm(Side),
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trunk => f.write_str("hips to head"),
            Self::Thigh(side) => write!(f, "{side} thigh"),
            Self::Shin(side) => write!(f, "{side} shin"),
            Self::UpperArm(side) => write!(f, "{} upper arm", side.as_str()),
            Self::Forearm(side) => write!(f, "{} forearm", side.as_str()),
        }
    }
}

impl Segment {
    /// The largest median deviation that is expected, in radians.
    ///
    /// Legs are posed exactly and then held on their plants, which turns them by 1–3°. Arms and trunks of bodies with
    /// other joints cannot match in every frame.
    pub fn limit(&self) -> f64 {
        let degrees = match self {
            Self::Trunk => 10.0,
            Self::Thigh(_) | Self::Shin(_) => 3.0,
            Self::UpperArm(_) | Self::Forearm(_) => 15.0,
        };
        degrees * PI / 180.0
    }
}

/// The difference of a segment's direction between source and target, over all frames, in radians.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SegmentDeviation {
    /// The segment.
    pub segment: Segment,
    /// The median angle.
    pub median: f64,
    /// The largest angle.
    pub max: f64,
}

impl SegmentDeviation {
    /// Whether the median is larger than expected.
    pub fn is_beyond_limit(&self) -> bool {
        self.median.is_nan() || self.median > self.segment.limit()
    }
}

/// The deviations of all segments that both bodies have, in the frames of the performance.
pub fn segment_deviations(source: &Clip, target: &Clip) -> Vec<SegmentDeviation> {
    let bodies = [source, target].map(Body::new);
    let frames = source.motion.frames().min(target.motion.frames());
    let segments = bodies[0].segments();
    let mut angles = vec![Vec::new(); segments.len()];
    let mut worlds = [WorldPose::default(), WorldPose::default()];
    for frame in source.first_frame..frames {
        for (body, world) in bodies.iter().zip(&mut worlds) {
            body.clip.motion.poses[frame].forward_kinematics(body.skeleton(), world);
        }
        for (segment, angles) in segments.iter().zip(&mut angles) {
            let direction = |n: usize| bodies[n].direction(segment, &bodies[1 - n], &worlds[n]);
            angles.extend(direction(0).zip(direction(1)).map(|(a, b)| a.angle_between(b)));
        }
    }
    let all = segments.into_iter().zip(angles);
    all.filter_map(|(segment, angles)| summary(segment, angles)).collect()
}

fn summary(segment: Segment, mut angles: Vec<f64>) -> Option<SegmentDeviation> {
    angles.sort_by(f64::total_cmp);
    let max = *angles.last()?;
    Some(SegmentDeviation { segment, median: angles[angles.len() / 2], max })
}

struct Body<'a> {
    clip: &'a Clip,
    roles: Roles,
    tops: Vec<TrunkTop>,
}

impl<'a> Body<'a> {
    fn new(clip: &'a Clip) -> Self {
        let roles = roles(&clip.motion.skeleton, &clip.legs);
        let tops = TrunkTop::of(&roles, &clip.motion.skeleton);
        Self { clip, roles, tops }
    }

    fn skeleton(&self) -> &'a Skeleton {
        &self.clip.motion.skeleton
    }

    fn segments(&self) -> Vec<Segment> {
        let legs = self.clip.legs.iter();
        let legs = legs.flat_map(|leg| [Segment::Thigh(leg.side.clone()), Segment::Shin(leg.side.clone())]);
        let arms = [Side::Left, Side::Right].into_iter();
        let arms = arms.flat_map(|side| [Segment::UpperArm(side), Segment::Forearm(side)]);
        core::iter::once(Segment::Trunk).chain(legs).chain(arms).collect()
    }

    /// The vector along a segment that both bodies have; `None` for one without length.
    fn direction(&self, segment: &Segment, other: &Self, world: &WorldPose) -> Option<Vec3> {
        let bone = |from: JointId, to: JointId| world.joint(to) - world.joint(from);
        let leg = |side: &String| self.clip.legs.iter().find(|leg| leg.side == *side);
        let role = |role: Role| self.roles.joint(&role);
        let along = match segment {
            Segment::Trunk => {
                let top = self.tops.iter().find(|top| other.tops.contains(top))?;
                top.position(world, self.skeleton(), &self.roles)? - hips(&self.clip.legs, world)
            }
            Segment::Thigh(side) => leg(side).map(|leg| bone(leg.hip, leg.knee))?,
            Segment::Shin(side) => leg(side).map(|leg| bone(leg.knee, leg.ankle))?,
            Segment::UpperArm(side) => bone(role(Role::Shoulder(*side))?, role(Role::Elbow(*side))?),
            Segment::Forearm(side) => bone(role(Role::Elbow(*side))?, role(Role::Hand(*side))?),
        };
        (along.length() > 0.0).then_some(along)
    }
}

/// The middle of the hips.
fn hips(legs: &[Leg], world: &WorldPose) -> Vec3 {
    legs.iter().map(|leg| world.joint(leg.hip)).sum::<Vec3>() / legs.len().max(1) as f64
}
