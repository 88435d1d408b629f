//! Assigns an anatomical role to each joint of a body.
//!
//! The legs are given. The trunk is the chain from the common ancestor of the legs to that of the
//! arms, the neck continues from there to the head. An arm ends at its hand: its last three joints
//! before the fingers are shoulder, elbow and hand, whatever their names, and the joint above is the
//! collar. Heads, hands and fingers are found by name, or by the shape of the skeleton.

use core::fmt;

use surefoot_core::{JointId, Leg, Pose, Skeleton, Vec3, WorldPose};

use super::names::{FINGERS, NameParts, Side, read};

/// The anatomical role of a joint.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// The topmost joint, where it is not the pelvis.
    Root,
    /// Common ancestor of the legs.
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
    /// A joint with the same name in both bodies.
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

/// How the role of a joint was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoleSource {
    /// From the legs.
    Legs,
    /// By its name.
    Name,
    /// By its position in the skeleton.
    Shape,
}

impl RoleSource {
    /// Lower-case name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Legs => "legs",
            Self::Name => "name",
            Self::Shape => "shape",
        }
    }
}

/// The roles of the joints of a body.
#[derive(Clone, Debug, Default)]
pub struct Roles {
    /// Joints with a role, and how it was found.
    pub all: Vec<(Role, JointId, RoleSource)>,
}

impl Roles {
    /// The joint with a role.
    pub fn joint(&self, role: &Role) -> Option<JointId> {
        self.all.iter().find(|(other, _, _)| other == role).map(|(_, joint, _)| *joint)
    }

    /// Number of joints of a numbered role: `Role::Spine` or `Role::Neck`.
    pub(super) fn count(&self, of: fn(usize) -> Role) -> usize {
        (1..).take_while(|&n| self.joint(&of(n)).is_some()).count()
    }
}

/// Finds the roles of all joints. Without legs the result is empty.
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
    parts: Vec<NameParts>,
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
        // With four legs the pelvis is that of the last pair, next to the root.
        let pair = &legs[legs.len().saturating_sub(2)..];
        let pelvis = Leg::pelvis(pair, skeleton).unwrap_or(pair[0].hip);
        let left = super::align::left_of(legs, &rest);
        let parts = skeleton.joints().iter().map(|joint| read(&joint.name)).collect();
        Self { skeleton, legs, parts, rest, children, in_leg, pelvis, left }
    }

    fn legs(&self, found: &mut Roles) {
        let root = *path(self.skeleton, self.pelvis).first().unwrap_or(&self.pelvis);
        if root != self.pelvis {
            found.all.push((Role::Root, root, RoleSource::Legs));
        }
        found.all.push((Role::Pelvis, self.pelvis, RoleSource::Legs));
        for leg in self.legs {
            let side = || leg.side.clone();
            found.all.push((Role::Hip(side()), leg.hip, RoleSource::Legs));
            found.all.push((Role::Knee(side()), leg.knee, RoleSource::Legs));
            found.all.push((Role::Ankle(side()), leg.ankle, RoleSource::Legs));
            if let Some(toes) = toes(self.skeleton, leg) {
                found.all.push((Role::Toes(side()), toes, RoleSource::Legs));
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
            (Some([left, right]), _) => Some(common_ancestor(self.skeleton, left.0, right.0)),
            (None, Some((head, _))) => self.below_neck(head),
            (None, None) => None,
        };
        let Some(chest) = chest else { return };
        let to_pelvis = path(self.skeleton, self.pelvis);
        let trunk: Vec<JointId> =
            path(self.skeleton, chest).into_iter().filter(|joint| !to_pelvis.contains(joint)).collect();
        let spine = trunk.iter().copied().filter(|&joint| !self.parts[joint.index()].helper);
        found.all.extend(spine.enumerate().map(|(n, joint)| (Role::Spine(n + 1), joint, RoleSource::Shape)));
        if let Some((head, how)) = head.filter(|(head, _)| *head != chest && !trunk.contains(head)) {
            let neck = path(self.skeleton, head).into_iter().skip_while(|&joint| joint != chest).skip(1);
            let neck = neck.filter(|&joint| joint != head && !self.parts[joint.index()].helper);
            found
                .all
                .extend(neck.enumerate().map(|(n, joint)| (Role::Neck(n + 1), joint, RoleSource::Shape)));
            found.all.push((Role::Head, head, how));
        }
        for (side, (hand, how)) in [Side::Left, Side::Right].into_iter().zip(hands.into_iter().flatten()) {
            self.arm(side, hand, how, chest, found);
        }
    }

    /// The head by name, otherwise the highest joint near the vertical through the pelvis.
    fn head(&self) -> Option<(JointId, RoleSource)> {
        let is_head = |&joint: &JointId| {
            let parts = &self.parts[joint.index()];
            parts.head && !parts.accessory && !parts.helper && !self.in_leg[joint.index()]
        };
        if let Some(head) = self.skeleton.ids().find(is_head) {
            return Some((head, RoleSource::Name));
        }
        let up = super::align::up_of(self.legs, &self.rest);
        let height = |joint: JointId| (self.rest.joint(joint) - self.rest.joint(self.pelvis)).dot(up);
        let free = self.skeleton.ids().filter(|&joint| !self.in_leg[joint.index()] && joint != self.pelvis);
        let middle = free.filter(|&joint| {
            let off = (self.rest.joint(joint) - self.rest.joint(self.pelvis)).dot(self.left);
            off.abs() < 0.2 * height(joint) && !self.parts[joint.index()].accessory
        });
        middle.max_by(|&a, &b| height(a).total_cmp(&height(b))).map(|joint| (joint, RoleSource::Shape))
    }

    /// The hand of a side by name: the first such joint that is not a finger.
    fn hand(&self, side: Side) -> Option<(JointId, RoleSource)> {
        let is_hand = |&joint: &JointId| {
            let parts = &self.parts[joint.index()];
            parts.hand
                && parts.side == Some(side)
                && parts.finger.is_none()
                && !parts.accessory
                && !parts.helper
        };
        self.skeleton.ids().find(is_hand).map(|joint| (joint, RoleSource::Name))
    }

    /// Hands without names: the joints where the fingers branch, on the chains that reach farthest to
    /// each side.
    fn hands_by_shape(&self, head: Option<JointId>) -> Option<[(JointId, RoleSource); 2]> {
        let off = |joint: JointId| (self.rest.joint(joint) - self.rest.joint(self.pelvis)).dot(self.left);
        let ends = || {
            self.skeleton.ids().filter(|&j| !self.in_leg[j.index()] && self.children[j.index()].is_empty())
        };
        let left = ends().max_by(|&a, &b| off(a).total_cmp(&off(b)))?;
        let right = ends().min_by(|&a, &b| off(a).total_cmp(&off(b)))?;
        // In a body without arms the end joints are near the middle.
        let far = 0.2 * super::leg_length(self.skeleton, self.legs);
        let chest = common_ancestor(self.skeleton, left, right);
        if off(left) < far || off(right) > -far || head == Some(chest) {
            return None;
        }
        let hand = |end: JointId| {
            let arm: Vec<JointId> =
                path(self.skeleton, end).into_iter().skip_while(|&j| j != chest).skip(1).collect();
            let parts = arm.iter().copied().find(|&joint| self.children[joint.index()].len() > 1);
            let hand = parts.or_else(|| self.last_but_fingers(&arm))?;
            (arm.len() > 2).then_some((hand, RoleSource::Shape))
        };
        Some([hand(left)?, hand(right)?])
    }

    /// The last joint of an arm, or the one before it if the last bone is short, as fingers are.
    fn last_but_fingers(&self, arm: &[JointId]) -> Option<JointId> {
        let length = |joint: JointId| self.skeleton.joint(joint).offset.length();
        match arm {
            [.., hand, last] if length(*last) < 0.5 * length(*hand) => Some(*hand),
            _ => arm.last().copied(),
        }
    }

    /// Without arms: the last joint before the head that is not named neck.
    fn below_neck(&self, head: JointId) -> Option<JointId> {
        let above = path(self.skeleton, head);
        above.into_iter().rev().skip(1).find(|joint| !self.parts[joint.index()].neck)
    }

    fn arm(&self, side: Side, hand: JointId, how: RoleSource, chest: JointId, found: &mut Roles) {
        let all = path(self.skeleton, hand).into_iter().skip_while(|&joint| joint != chest).skip(1);
        let arm: Vec<JointId> = all.filter(|joint| !self.parts[joint.index()].helper).collect();
        let roles = [Role::Hand, Role::Elbow, Role::Shoulder, Role::Collar];
        for (&joint, role) in arm.iter().rev().zip(roles) {
            let how = if joint == hand { how } else { RoleSource::Shape };
            found.all.push((role(side), joint, how));
        }
        for finger in 0..FINGERS.len() {
            self.finger(side, hand, finger, found);
        }
    }

    fn finger(&self, side: Side, hand: JointId, finger: usize, found: &mut Roles) {
        let is_below = |&joint: &JointId| joint != hand && path(self.skeleton, joint).contains(&hand);
        let joints: Vec<(JointId, Option<usize>)> = (self.skeleton.ids())
            .filter(|joint| !self.parts[joint.index()].helper && !self.parts[joint.index()].accessory)
            .filter_map(|joint| match self.parts[joint.index()].finger {
                Some((which, number)) if which == finger => Some((joint, number)),
                _ => None,
            })
            .filter(|(joint, _)| is_below(joint))
            .collect();
        let has_first = joints.iter().any(|(_, number)| *number == Some(1));
        for (joint, number) in joints {
            let role = Role::Finger(side, finger, number.unwrap_or(usize::from(!has_first)));
            if found.joint(&role).is_none() {
                found.all.push((role, joint, RoleSource::Name));
            }
        }
    }
}

/// The toe joint: that of the ball, otherwise the first below the ankle towards the toe tip.
pub(super) fn toes(skeleton: &Skeleton, leg: &Leg) -> Option<JointId> {
    if leg.ball.joint != leg.ankle {
        return Some(leg.ball.joint);
    }
    path(skeleton, leg.toe.joint).into_iter().skip_while(|&joint| joint != leg.ankle).nth(1)
}

/// The joints from the root down to this one.
pub(super) fn path(skeleton: &Skeleton, joint: JointId) -> Vec<JointId> {
    let mut path: Vec<JointId> =
        core::iter::successors(Some(joint), |&joint| skeleton.parent(joint)).collect();
    path.reverse();
    path
}

/// The lowest common ancestor of two joints; the first joint if they have none.
fn common_ancestor(skeleton: &Skeleton, one: JointId, other: JointId) -> JointId {
    skeleton.common_ancestor([one, other]).unwrap_or(one)
}
