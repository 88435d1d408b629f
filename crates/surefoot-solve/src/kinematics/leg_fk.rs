//! Before the phases: where is each leg, as captured?
//!
//! LegSet that are built alike, as most bodies' two are, are seen together.

use surefoot_core::{JointId, Pose, Quat, Vec3};

use super::two_lane::{Quats, Vec3s};
use crate::plants::ActivePlants;
use crate::setup::{LegSetup, OnFoot, Setup};
use crate::stream::slots::{LegSlot, Seen};
use crate::stream::window::Window;

/// Takes in one frame: the pose, which may have offsets of its own, and the legs as captured.
pub(crate) fn see(
    window: &mut Window,
    setup: &Setup,
    frame: usize,
    (pose, is_moved): (&Pose, bool),
    held: &[ActivePlants],
) {
    see_all(window.hold(frame, held), setup, Of { pose, is_moved });
}

/// The same for the legs alone, of which it is not known yet who is held.
pub(crate) fn see_legs(window: &mut Window, setup: &Setup, frame: usize, pose: &Pose) {
    see_all(window.legs_mut(frame), setup, Of { pose, is_moved: true });
}

fn see_all(legs: &mut [LegSlot], setup: &Setup, of: Of) {
    for pair in &setup.pairs {
        match legs.get_disjoint_mut(pair.legs) {
            Ok([one, other]) => pair.look(of, [&mut one.seen, &mut other.seen]),
            Err(_) => pair.look(of, [&mut legs[pair.legs[0]].seen, &mut Seen::default()]),
        }
    }
}

/// A pose, and whether it has offsets of its own.
#[derive(Clone, Copy)]
struct Of<'a> {
    pose: &'a Pose,
    is_moved: bool,
}

/// Joints' places in the world, and how they are turned there.
type WorldPose = (Vec3s, Quats);

/// A joint of each leg.
#[derive(Clone, Debug)]
struct Joints {
    joints: [usize; 2],
    /// Where they sit in their parents, unless a pose has it otherwise.
    offsets: Vec3s,
}

impl Joints {
    fn new(joints: [JointId; 2], drawn: &[Vec3]) -> Self {
        let joints = joints.map(JointId::index);
        Self { joints, offsets: Vec3s::new(joints.map(|joint| drawn[joint])) }
    }

    /// The offsets and turns that a pose gives them.
    #[inline(always)]
    fn at(&self, of: Of) -> WorldPose {
        let offsets = Vec3s::new(self.joints.map(|joint| of.pose.offsets[joint]));
        (offsets, Quats::new(self.joints.map(|joint| of.pose.rotations[joint])))
    }

    /// Their offsets and turns of their own.
    #[inline(always)]
    fn own(&self, of: Of) -> WorldPose {
        let turns = Quats::new(self.joints.map(|joint| of.pose.rotations[joint]));
        (if of.is_moved { self.moved(of) } else { self.offsets }, turns)
    }

    #[cold]
    #[inline(never)]
    fn moved(&self, of: Of) -> Vec3s {
        Vec3s::new(self.joints.map(|joint| of.pose.offsets[joint]))
    }

    /// Points on them, seen from what they hang from.
    #[inline(always)]
    fn with_added_velocity(&self, points: Vec3s, of: Of) -> Vec3s {
        let (offsets, turns) = self.own(of);
        offsets + turns.turned(points)
    }

    /// Where they are, hung from others.
    #[inline(always)]
    fn below(&self, (places, turns): WorldPose, of: Of) -> WorldPose {
        let (offsets, own) = self.own(of);
        (places + turns.turned(offsets), turns * own)
    }
}

/// A point of each foot.
#[derive(Clone, Debug)]
struct Points {
    /// The joints that move it when they turn, from the last up.
    turning: Vec<Joints>,
    /// Where it is, seen from the first of them, or else from the ankle.
    own: Vec3s,
    /// The joint at which it is, if it is at one.
    at: Option<Joints>,
}

impl Points {
    fn new([one, other]: [&OnFoot; 2], drawn: &[Vec3]) -> Self {
        Self {
            turning: joints([&one.turning, &other.turning], drawn),
            own: Vec3s::new(
                [one, other].map(|point| point.at.map_or(point.offset, |joint| drawn[joint.index()])),
            ),
            at: one.at.zip(other.at).map(|(one, other)| Joints::new([one, other], drawn)),
        }
    }

    /// Where it is in the world.
    #[inline(always)]
    fn place(&self, ankles: WorldPose, of: Of) -> Vec3s {
        let mut place = match &self.at {
            Some(joint) if of.is_moved => joint.own(of).0,
            _ => self.own,
        };
        place = match &self.turning[..] {
            [] => place,
            [joint] => joint.with_added_velocity(place, of),
            many => many.iter().fold(place, |place, joint| joint.with_added_velocity(place, of)),
        };
        ankles.0 + ankles.1.turned(place)
    }
}

/// Two legs that are built alike, or one as both.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    legs: [usize; 2],
    above: Vec<Joints>,
    hip: Joints,
    thigh: Vec<Joints>,
    shin: Vec<Joints>,
    axis: Vec3s,
    foot: [Points; 3],
}

impl Pair {
    /// All legs in pairs, where two that follow each other are built alike. `drawn` is where each joint sits
    /// in its parent.
    pub fn all(legs: &[LegSetup], drawn: &[Vec3]) -> Vec<Self> {
        let mut pairs: Vec<[usize; 2]> = Vec::new();
        for (n, leg) in legs.iter().enumerate() {
            match pairs.last_mut() {
                Some([one, other]) if one == other && legs[*one].is_built_as(leg) => *other = n,
                _ => pairs.push([n; 2]),
            }
        }
        pairs.into_iter().map(|pair| Self::new(pair, pair.map(|n| &legs[n]), drawn)).collect()
    }

    fn new(numbers: [usize; 2], legs: [&LegSetup; 2], drawn: &[Vec3]) -> Self {
        Self {
            legs: numbers,
            above: joints(legs.map(|leg| &leg.above[..]), drawn),
            hip: Joints::new(legs.map(|leg| leg.leg.hip), drawn),
            thigh: joints(legs.map(|leg| &leg.thigh[..]), drawn),
            shin: joints(legs.map(|leg| &leg.shin[..]), drawn),
            axis: Vec3s::new(legs.map(|leg| leg.hinge.axis)),
            foot: core::array::from_fn(|n| Points::new(legs.map(|leg| &leg.foot[n]), drawn)),
        }
    }

    /// Fills in the legs as captured.
    fn look(&self, of: Of, [one, other]: [&mut Seen; 2]) {
        // A root is wherever its pose has it.
        let of_root = Of { is_moved: true, ..of };
        let (above, of_hip) = match self.above.split_first() {
            Some((root, rest)) => (down(root.at(of), rest, of).1, of),
            None => ((Vec3s::new([Vec3::ZERO; 2]), Quats::new([Quat::IDENTITY; 2])), of_root),
        };
        [one.hip_holder, other.hip_holder] = above.1.apart();
        let hip = self.hip.below(above, of_hip);
        [one.hip, other.hip] = hip.0.apart();
        let (knee_holder, knee) = down(hip, &self.thigh, of);
        [one.knee, other.knee] = knee.0.apart();
        [one.axis, other.axis] = knee_holder.turned(self.axis).apart();
        let (ankle_holder, ankle) = down(knee, &self.shin, of);
        [one.ankle_holder, other.ankle_holder] = ankle_holder.apart();
        [one.ankle, other.ankle] = ankle.0.apart();
        [one.ankle_turn, other.ankle_turn] = ankle.1.apart();
        [one.heel, other.heel] = self.foot[0].place(ankle, of).apart();
        [one.ball, other.ball] = self.foot[1].place(ankle, of).apart();
        [one.toe, other.toe] = self.foot[2].place(ankle, of).apart();
    }
}

/// The joints of two paths, each as long as the other.
fn joints([one, other]: [&[JointId]; 2], drawn: &[Vec3]) -> Vec<Joints> {
    one.iter().zip(other).map(|(one, other)| Joints::new([*one, *other], drawn)).collect()
}

/// Goes down from joints along paths. Gives back how the joints before the last are turned, and the last.
#[inline(always)]
fn down(from: WorldPose, path: &[Joints], of: Of) -> (Quats, WorldPose) {
    match path {
        [] => (from.1, from),
        [joints] => (from.1, joints.below(from, of)),
        _ => down_many(from, path, of),
    }
}

#[cold]
#[inline(never)]
fn down_many(from: WorldPose, path: &[Joints], of: Of) -> (Quats, WorldPose) {
    path.iter().fold((from.1, from), |(_, last), joints| (last.1, joints.below(last, of)))
}
