//! Which joint plays which part in a body?
//!
//! Legs are known. The trunk goes from where the legs meet to where the arms do, the neck from
//! there to the head, and an arm from there to its hand: the last three joints before the fingers
//! are the arm, whatever they are called, and one above them the collar. Names find heads, hands
//! and fingers; without names the shape does.

use core::fmt;

use surefoot_core::{JointId, Leg, Pose, Skeleton, Vec3, WorldPose};

use super::names::{FINGERS, Said, Side, read};

/// A part that a joint plays in any body.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// The topmost joint, where it is not the pelvis.
    Root,
    /// Where the legs meet.
    Pelvis,
    /// From the pelvis up, from 1; the last is the chest.
    Spine(usize),
    /// From the chest up, from 1.
    Neck(usize),
    /// The head.
    Head,
    /// The joint of a leg's thigh, by the leg's name.
    Hip(String),
    /// The joint of its shin.
    Knee(String),
    /// The joint of its foot.
    Ankle(String),
    /// The joint of its toes.
    Toes(String),
    /// Between chest and upper arm.
    Collar(Side),
    /// The joint of the upper arm.
    Shoulder(Side),
    /// The joint of the forearm.
    Elbow(Side),
    /// The joint of the hand.
    Hand(Side),
    /// A finger, from the thumb (0 to 4), and its joint: 0 in the palm, then from 1.
    Finger(Side, usize, usize),
    /// A joint that is called the same in both bodies and hangs in the same place.
    Named(String),
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => f.write_str("root"),
            Self::Pelvis => f.write_str("pelvis"),
            Self::Spine(n) => write!(f, "spine {n}"),
            Self::Neck(n) => write!(f, "neck {n}"),
            Self::Head => f.write_str("head"),
            Self::Hip(side) => write!(f, "{side} hip"),
            Self::Knee(side) => write!(f, "{side} knee"),
            Self::Ankle(side) => write!(f, "{side} ankle"),
            Self::Toes(side) => write!(f, "{side} toes"),
            Self::Collar(side) => write!(f, "{} collar", side.as_str()),
            Self::Shoulder(side) => write!(f, "{} shoulder", side.as_str()),
            Self::Elbow(side) => write!(f, "{} elbow", side.as_str()),
            Self::Hand(side) => write!(f, "{} hand", side.as_str()),
            Self::Finger(side, finger, 0) => write!(f, "{} {} in the palm", side.as_str(), FINGERS[*finger]),
            Self::Finger(side, finger, joint) => write!(f, "{} {} {joint}", side.as_str(), FINGERS[*finger]),
            Self::Named(name) => write!(f, "called {name}"),
        }
    }
}

/// How a joint's part was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It is part of a leg, or where legs meet.
    Legs,
    /// By its name.
    Name,
    /// By where it is in the body.
    Shape,
}

impl How {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Legs => "legs",
            Self::Name => "name",
            Self::Shape => "shape",
        }
    }
}

/// A body's joints and their parts, in no order but the body's own.
#[derive(Clone, Debug, Default)]
pub struct Roles {
    /// Each joint that has one, with its part and how that was found.
    pub all: Vec<(Role, JointId, How)>,
}

impl Roles {
    /// The joint that plays a part.
    pub fn joint(&self, role: &Role) -> Option<JointId> {
        self.all.iter().find(|(other, _, _)| other == role).map(|(_, joint, _)| *joint)
    }

    /// How many joints of a kind there are: `Role::Spine`, `Role::Neck`.
    pub(super) fn count(&self, of: fn(usize) -> Role) -> usize {
        (1..).take_while(|&n| self.joint(&of(n)).is_some()).count()
    }
}

/// Finds the part of every joint that has one. Without legs there is nothing to start from.
pub fn roles(skeleton: &Skeleton, legs: &[Leg]) -> Roles {
    let mut found = Roles::default();
    if legs.is_empty() || skeleton.is_empty() {
        return found;
    }
    let body = Body::new(skeleton, legs);
    body.legs(&mut found);
    body.trunk_and_arms(&mut found);
    found
}

struct Body<'a> {
    skeleton: &'a Skeleton,
    legs: &'a [Leg],
    said: Vec<Said>,
    rest: WorldPose,
    children: Vec<Vec<JointId>>,
    /// Joints below a hip, the hip itself included.
    in_leg: Vec<bool>,
    pelvis: JointId,
    /// From right to left, and up, at rest.
    left: Vec3,
}

impl<'a> Body<'a> {
    fn new(skeleton: &'a Skeleton, legs: &'a [Leg]) -> Self {
        let mut children = vec![Vec::new(); skeleton.len()];
        let mut in_leg = vec![false; skeleton.len()];
        for id in skeleton.ids() {
            if let Some(parent) = skeleton.parent(id) {
                children[parent.index()].push(id);
                in_leg[id.index()] = in_leg[parent.index()];
            }
            in_leg[id.index()] |= legs.iter().any(|leg| leg.hip == id);
        }
        let rest = Pose::rest(skeleton).world(skeleton);
        // Roots are at the hips: with four legs these are the last pair's.
        let pair = &legs[legs.len().saturating_sub(2)..];
        let pelvis = pair.iter().skip(1).fold(pair[0].hip, |joint, leg| meet(skeleton, joint, leg.hip));
        let pelvis = if legs.iter().any(|leg| leg.hip == pelvis) {
            skeleton.parent(pelvis).unwrap_or(pelvis)
        } else {
            pelvis
        };
        let left = super::align::left_of(legs, &rest);
        let said = skeleton.joints().iter().map(|joint| read(&joint.name)).collect();
        Self { skeleton, legs, said, rest, children, in_leg, pelvis, left }
    }

    fn legs(&self, found: &mut Roles) {
        let root = *path(self.skeleton, self.pelvis).first().unwrap_or(&self.pelvis);
        if root != self.pelvis {
            found.all.push((Role::Root, root, How::Legs));
        }
        found.all.push((Role::Pelvis, self.pelvis, How::Legs));
        for leg in self.legs {
            let side = || leg.side.clone();
            found.all.push((Role::Hip(side()), leg.hip, How::Legs));
            found.all.push((Role::Knee(side()), leg.knee, How::Legs));
            found.all.push((Role::Ankle(side()), leg.ankle, How::Legs));
            if let Some(toes) = toes(self.skeleton, leg) {
                found.all.push((Role::Toes(side()), toes, How::Legs));
            }
        }
    }

    fn trunk_and_arms(&self, found: &mut Roles) {
        let head = self.head();
        let hands = [Side::Left, Side::Right].map(|side| self.hand(side));
        let hands = match hands {
            [Some(left), Some(right)] => Some([left, right]),
            _ => self.hands_by_shape(head.map(|head| head.0)),
        };
        let chest = match (hands, head) {
            (Some([left, right]), _) => Some(meet(self.skeleton, left.0, right.0)),
            (None, Some((head, _))) => self.below_neck(head),
            (None, None) => None,
        };
        let Some(chest) = chest else { return };
        let to_pelvis = path(self.skeleton, self.pelvis);
        let trunk: Vec<JointId> =
            path(self.skeleton, chest).into_iter().filter(|joint| !to_pelvis.contains(joint)).collect();
        let spine = trunk.iter().copied().filter(|&joint| !self.said[joint.index()].helper);
        found.all.extend(spine.enumerate().map(|(n, joint)| (Role::Spine(n + 1), joint, How::Shape)));
        if let Some((head, how)) = head.filter(|(head, _)| *head != chest && !trunk.contains(head)) {
            let neck = path(self.skeleton, head).into_iter().skip_while(|&joint| joint != chest).skip(1);
            let neck = neck.filter(|&joint| joint != head && !self.said[joint.index()].helper);
            found.all.extend(neck.enumerate().map(|(n, joint)| (Role::Neck(n + 1), joint, How::Shape)));
            found.all.push((Role::Head, head, how));
        }
        for (side, (hand, how)) in [Side::Left, Side::Right].into_iter().zip(hands.into_iter().flatten()) {
            self.arm(side, hand, how, chest, found);
        }
    }

    /// The head by name; else the joint that ends the chain straight up from the trunk.
    fn head(&self) -> Option<(JointId, How)> {
        let is_head = |&joint: &JointId| {
            let said = &self.said[joint.index()];
            said.head && !said.aside && !said.helper && !self.in_leg[joint.index()]
        };
        if let Some(head) = self.skeleton.ids().find(is_head) {
            return Some((head, How::Name));
        }
        let up = super::align::up_of(self.legs, &self.rest);
        let height = |joint: JointId| (self.rest.joint(joint) - self.rest.joint(self.pelvis)).dot(up);
        let free = self.skeleton.ids().filter(|&joint| !self.in_leg[joint.index()] && joint != self.pelvis);
        let middle = free.filter(|&joint| {
            let off = (self.rest.joint(joint) - self.rest.joint(self.pelvis)).dot(self.left);
            off.abs() < 0.2 * height(joint) && !self.said[joint.index()].aside
        });
        middle.max_by(|&a, &b| height(a).total_cmp(&height(b))).map(|joint| (joint, How::Shape))
    }

    /// The hand of a side by name: the topmost joint that is called one and is no finger.
    fn hand(&self, side: Side) -> Option<(JointId, How)> {
        let is_hand = |&joint: &JointId| {
            let said = &self.said[joint.index()];
            said.hand && said.side == Some(side) && said.finger.is_none() && !said.aside && !said.helper
        };
        self.skeleton.ids().find(is_hand).map(|joint| (joint, How::Name))
    }

    /// Hands without names: the ends farthest to each side of all that is no leg, up to where
    /// fingers part.
    fn hands_by_shape(&self, head: Option<JointId>) -> Option<[(JointId, How); 2]> {
        let off = |joint: JointId| (self.rest.joint(joint) - self.rest.joint(self.pelvis)).dot(self.left);
        let ends = || {
            self.skeleton.ids().filter(|&j| !self.in_leg[j.index()] && self.children[j.index()].is_empty())
        };
        let left = ends().max_by(|&a, &b| off(a).total_cmp(&off(b)))?;
        let right = ends().min_by(|&a, &b| off(a).total_cmp(&off(b)))?;
        // A body without arms has ends to its sides too, if only by a hair.
        let far = 0.2 * super::leg_length(self.skeleton, self.legs);
        let chest = meet(self.skeleton, left, right);
        if off(left) < far || off(right) > -far || head == Some(chest) {
            return None;
        }
        let hand = |end: JointId| {
            let arm: Vec<JointId> =
                path(self.skeleton, end).into_iter().skip_while(|&j| j != chest).skip(1).collect();
            let parts = arm.iter().copied().find(|&joint| self.children[joint.index()].len() > 1);
            let hand = parts.or_else(|| self.last_but_fingers(&arm))?;
            (arm.len() > 2).then_some((hand, How::Shape))
        };
        Some([hand(left)?, hand(right)?])
    }

    /// The last joint of an arm; the one before where the last bone is so short that it is fingers.
    fn last_but_fingers(&self, arm: &[JointId]) -> Option<JointId> {
        let length = |joint: JointId| self.skeleton.joint(joint).offset.length();
        match arm {
            [.., hand, last] if length(*last) < 0.5 * length(*hand) => Some(*hand),
            _ => arm.last().copied(),
        }
    }

    /// Without arms: the last joint below the head that no name calls neck.
    fn below_neck(&self, head: JointId) -> Option<JointId> {
        let above = path(self.skeleton, head);
        above.into_iter().rev().skip(1).find(|joint| !self.said[joint.index()].neck)
    }

    fn arm(&self, side: Side, hand: JointId, how: How, chest: JointId, found: &mut Roles) {
        let all = path(self.skeleton, hand).into_iter().skip_while(|&joint| joint != chest).skip(1);
        let arm: Vec<JointId> = all.filter(|joint| !self.said[joint.index()].helper).collect();
        let roles = [Role::Hand, Role::Elbow, Role::Shoulder, Role::Collar];
        for (&joint, role) in arm.iter().rev().zip(roles) {
            let how = if joint == hand { how } else { How::Shape };
            found.all.push((role(side), joint, how));
        }
        for finger in 0..FINGERS.len() {
            self.finger(side, hand, finger, found);
        }
    }

    fn finger(&self, side: Side, hand: JointId, finger: usize, found: &mut Roles) {
        let is_below = |&joint: &JointId| joint != hand && path(self.skeleton, joint).contains(&hand);
        let joints: Vec<(JointId, Option<usize>)> = (self.skeleton.ids())
            .filter(|joint| !self.said[joint.index()].helper && !self.said[joint.index()].aside)
            .filter_map(|joint| match self.said[joint.index()].finger {
                Some((which, number)) if which == finger => Some((joint, number)),
                _ => None,
            })
            .filter(|(joint, _)| is_below(joint))
            .collect();
        let has_first = joints.iter().any(|(_, number)| *number == Some(1));
        for (joint, number) in joints {
            let role = Role::Finger(side, finger, number.unwrap_or(usize::from(!has_first)));
            if found.joint(&role).is_none() {
                found.all.push((role, joint, How::Name));
            }
        }
    }
}

/// The joint at which toes turn: the ball's, else the first below the ankle towards the toe tip.
pub(super) fn toes(skeleton: &Skeleton, leg: &Leg) -> Option<JointId> {
    if leg.ball.joint != leg.ankle {
        return Some(leg.ball.joint);
    }
    path(skeleton, leg.toe.joint).into_iter().skip_while(|&joint| joint != leg.ankle).nth(1)
}

/// From the topmost joint down to this one.
pub(super) fn path(skeleton: &Skeleton, joint: JointId) -> Vec<JointId> {
    let mut path: Vec<JointId> =
        core::iter::successors(Some(joint), |&joint| skeleton.parent(joint)).collect();
    path.reverse();
    path
}

/// The lowest joint that both hang from; the first of them where they hang from nothing alike.
fn meet(skeleton: &Skeleton, one: JointId, other: JointId) -> JointId {
    let (one_path, other_path) = (path(skeleton, one), path(skeleton, other));
    let shared = one_path.iter().zip(&other_path).take_while(|(a, b)| a == b).last();
    shared.map_or(one, |(&joint, _)| joint)
}
