//! Finds heel, ball and toe on the mesh of a foot: where the shoe or the skin touches the floor.
//!
//! All vertices that follow the ankle or a joint below it most are brought into the space of the ankle, in the pose in
//! which the skin binds them: characters are bound standing, with an axis of their mesh upwards. The sole is the plane
//! below these vertices that touches the rear of the foot and the part under the toe joint. On it are
//!
//! - the heel: the rear end of the sole, about which the foot rolls when it lands;
//! - the ball: the sole under the toe joint, on the foot, so that it stays in place when the toes bend;
//! - the toe: the lowest place at the front end of the foot, on the toes.

use crate::flat_foot::FlatFoot;
use crate::leg_chain::LegChain;
use crate::points::{Points, is_below};
use crate::skin_mesh::SkinMesh;
use surefoot_core::math::{Vec3, atan2, sincos};
use surefoot_core::{JointId, JointPoint};

/// Fewest vertices of a foot. A box has eight.
const FEWEST_VERTICES: usize = 8;
/// Shortest and longest foot, in leg lengths. Outside of these the mesh is no foot, or the bind pose is not that of the
/// joints.
const LENGTHS: core::ops::Range<f64> = 0.06..0.9;
/// Part of the foot, from its rear end, in which the heel is, as a fraction of its length.
const REAR: f64 = 0.3;
/// Part of the foot, from the rear end of its sole, in the middle of which the heel is, as a fraction of its length.
const HEEL_END: f64 = 0.1;
/// Part of the foot, on each side of the toe joint, in which the ball is, as a fraction of its length: the first in which
/// the mesh has vertices.
const AROUND_BALL: [f64; 3] = [0.12, 0.2, 0.35];
/// Place of the ball on a foot without a toe joint, from its rear end, as a fraction of its length.
const BALL_AT: f64 = 0.72;
/// Part of the foot, from its front end, in which the toe tip is, as a fraction of its length.
const FRONT: f64 = 0.08;
/// Height above the lowest vertex up to which vertices are on the sole, in lengths of the foot: 2.5 mm for an adult. With
/// more, the heel moves up the back of a rounded shoe; with less, it is a single vertex of a coarse mesh.
const THICKNESS: f64 = 0.01;
/// Heights above the lowest vertex up to which vertices belong to the sole, in lengths of the foot, in each of the rounds
/// in which the sole is made level. Only then is it known which vertices are low: the shin of an animal's foot is not.
const ROUNDS: [f64; 4] = [0.5, 0.3, 0.2, 0.2];
/// Most change of the pitch of the sole, in radians: 35°. More is a sole that was not found.
const MOST_PITCH: f64 = 0.6;
/// Cosine of the largest angle between the legs of a bound mesh and the axis that is upwards: 45°.
const LEAST_UPRIGHT: f64 = 0.7;
/// Shortest distance from heel to ball, in lengths of the foot.
const SHORTEST_REAR: f64 = 0.3;

/// A vertex of the foot in the space of the ankle.
#[derive(Clone, Copy)]
struct Vertex {
    position: Vec3,
    joint: JointId,
}

/// The axes of a foot in the space of its ankle.
#[derive(Clone, Copy)]
struct Axes {
    up: Vec3,
    forward: Vec3,
}

impl Axes {
    fn ahead(&self, position: Vec3) -> f64 {
        position.dot(self.forward)
    }

    fn height(&self, position: Vec3) -> f64 {
        position.dot(self.up)
    }

    fn pitched(&self, angle: f64) -> Self {
        let (sin, cos) = sincos(angle);
        Self { up: self.up * cos - self.forward * sin, forward: self.forward * cos + self.up * sin }
    }
}

/// The upward axis of a mesh in its bind pose: the one along which the hips are above the ankles. `None` if there is no
/// such axis, or the legs are not joints of the skin.
pub(crate) fn up_of(skin: &SkinMesh, legs: &[LegChain]) -> Option<Vec3> {
    let place = |joint: JointId| skin.bind(joint)?.apply_inverse(Vec3::ZERO);
    let mut legs_up = Vec3::ZERO;
    for leg in legs {
        legs_up += place(leg.hip)? - place(leg.ankle)?;
    }
    let legs_up = legs_up.try_normalize()?;
    let axes = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|axis| [axis, -axis]);
    axes.into_iter().find(|axis| axis.dot(legs_up) > LEAST_UPRIGHT)
}

/// The points of a foot on a mesh with this axis upwards, and the number of its vertices. `None` if the mesh has no sole
/// there.
pub(crate) fn find(
    leg: &LegChain,
    foot: &FlatFoot,
    by_joints: &Points,
    (skin, up): (&SkinMesh, Vec3),
    parent: &dyn Fn(JointId) -> Option<JointId>,
) -> Option<(Points, usize)> {
    Foot::new(leg, foot, by_joints, (skin, up), parent)?.points()
}

/// The mesh of a foot.
struct Foot<'a> {
    skin: &'a SkinMesh,
    ankle: JointId,
    toe_joint: Option<JointId>,
    /// All vertices of the foot.
    all: Vec<Vertex>,
    /// Those that are low enough to belong to the sole.
    vertices: Vec<Vertex>,
    axes: Axes,
    leg_length: f64,
    parent: &'a dyn Fn(JointId) -> Option<JointId>,
}

impl<'a> Foot<'a> {
    fn new(
        leg: &LegChain,
        foot: &FlatFoot,
        by_joints: &Points,
        (skin, up): (&'a SkinMesh, Vec3),
        parent: &'a dyn Fn(JointId) -> Option<JointId>,
    ) -> Option<Self> {
        let ankle = skin.bind(leg.ankle)?;
        let is_on_foot = |joint: JointId| is_below(joint, leg.ankle, parent);
        let all: Vec<Vertex> = skin
            .vertices
            .iter()
            .filter(|vertex| is_on_foot(vertex.joint))
            .map(|vertex| Vertex { position: ankle.apply(vertex.position), joint: vertex.joint })
            .filter(|vertex| vertex.position.is_finite())
            .collect();
        let toe_joint =
            Some(by_joints.ball).filter(|ball| ball.joint != leg.ankle && ball.offset == Vec3::ZERO);
        let toe_joint = toe_joint.map(|ball| ball.joint);
        let up = (ankle.linear * up).try_normalize()?;
        let toes = toe_joint.and_then(|toe| skin.between(toe, leg.ankle, Vec3::ZERO));
        let level = |ahead: Vec3| (ahead - up * ahead.dot(up)).try_normalize();
        let forward = toes.and_then(level).or_else(|| level(foot.forward))?;
        let (ankle, leg_length, axes) = (leg.ankle, leg.leg_length(), Axes { up, forward });
        let vertices = all.clone();
        (all.len() >= FEWEST_VERTICES).then_some(Self {
            skin,
            ankle,
            toe_joint,
            all,
            vertices,
            axes,
            leg_length,
            parent,
        })
    }

    fn points(mut self) -> Option<(Points, usize)> {
        let mut turned = 0.0;
        for band in ROUNDS {
            self.keep_low(band);
            let (heel, ball) = self.heel_and_ball()?;
            let rise = self.axes.height(ball) - self.axes.height(heel);
            let pitch = atan2(rise, self.axes.ahead(ball) - self.axes.ahead(heel));
            turned += pitch;
            self.axes = self.axes.pitched(pitch);
        }
        if turned.abs() > MOST_PITCH {
            return None;
        }
        let (heel, ball) = self.heel_and_ball()?;
        let (rear, front) = self.ends();
        if self.axes.ahead(ball) - self.axes.ahead(heel) < SHORTEST_REAR * (front - rear) {
            return None;
        }
        let tip = self.lowest(|ahead| ahead > front - FRONT * (front - rear))?;
        let points = Points {
            heel: self.on_rear_joint(heel)?,
            ball: self.on_rear_joint(ball)?,
            toe: self.on(self.toe_joint.unwrap_or(self.ankle), tip)?,
            has_foot: true,
        };
        Some((points, self.all.len()))
    }

    /// Keeps the vertices up to a height above the lowest one, in lengths of the foot.
    fn keep_low(&mut self, band: f64) {
        self.vertices.clone_from(&self.all);
        let (rear, front) = self.ends();
        let height = |vertex: &Vertex| self.axes.height(vertex.position);
        let low = self.all.iter().map(height).fold(f64::INFINITY, f64::min);
        let limit = low + band * (front - rear);
        self.vertices = self.all.iter().filter(|vertex| height(vertex) <= limit).copied().collect();
    }

    /// The rear and front ends along the foot.
    fn ends(&self) -> (f64, f64) {
        let ahead = || self.vertices.iter().map(|vertex| self.axes.ahead(vertex.position));
        (ahead().fold(f64::INFINITY, f64::min), ahead().fold(f64::NEG_INFINITY, f64::max))
    }

    fn heel_and_ball(&self) -> Option<(Vec3, Vec3)> {
        let (rear, front) = self.ends();
        let length = front - rear;
        if !LENGTHS.contains(&(length / self.leg_length)) {
            return None;
        }
        let toe_joint = self.toe_joint.and_then(|toe| self.skin.between(toe, self.ankle, Vec3::ZERO));
        let middle = toe_joint.map_or(rear + BALL_AT * length, |toe| self.axes.ahead(toe));
        let on_heel = |ahead: f64| ahead < rear + REAR * length;
        let on_ball = |around: f64| move |ahead: f64| (ahead - middle).abs() < around * length;
        // The rear end of the part of the heel that is on the sole.
        let sole = self.axes.height(self.lowest(on_heel)?) + THICKNESS * length;
        let is_sole = |vertex: &&Vertex| {
            on_heel(self.axes.ahead(vertex.position)) && self.axes.height(vertex.position) <= sole
        };
        let behind = |vertex: &Vertex| self.axes.ahead(vertex.position);
        let end = self.vertices.iter().filter(is_sole).map(behind).fold(f64::INFINITY, f64::min);
        // In the middle between both sides, also where the rear edge is not at right angles to the foot.
        let middle = self.lowest(|ahead| ahead >= end && ahead <= end + HEEL_END * length)?;
        let heel = middle + self.axes.forward * (end - self.axes.ahead(middle));
        Some((heel, AROUND_BALL.into_iter().find_map(|around| self.lowest(on_ball(around)))?))
    }

    /// The middle of the lowest vertices in a part of the foot, at the height of the lowest one.
    fn lowest(&self, is_part: impl Fn(f64) -> bool) -> Option<Vec3> {
        let (rear, front) = self.ends();
        let part = || {
            let positions = self.vertices.iter().map(|vertex| vertex.position);
            positions.filter(|&position| is_part(self.axes.ahead(position)))
        };
        let low = part().map(|position| self.axes.height(position)).reduce(f64::min)?;
        let sole = || part().filter(|&one| self.axes.height(one) <= low + THICKNESS * (front - rear));
        let middle = sole().sum::<Vec3>() / sole().count().max(1) as f64;
        Some(middle + self.axes.up * (low - self.axes.height(middle)))
    }

    /// A point on the joint that most of the vertices around it follow, other than the toes.
    fn on_rear_joint(&self, position: Vec3) -> Option<JointPoint> {
        let is_toe = |joint: JointId| self.toe_joint.is_some_and(|toe| is_below(joint, toe, self.parent));
        let (rear, front) = self.ends();
        let near = self.vertices.iter().filter(|vertex| {
            !is_toe(vertex.joint) && vertex.position.distance(position) < AROUND_BALL[0] * (front - rear)
        });
        let mut counts: Vec<(JointId, usize)> = Vec::new();
        for vertex in near {
            match counts.iter_mut().find(|(joint, _)| *joint == vertex.joint) {
                Some((_, count)) => *count += 1,
                None => counts.push((vertex.joint, 1)),
            }
        }
        let joint = counts.iter().max_by_key(|(joint, count)| (*count, core::cmp::Reverse(*joint)));
        let above_toe = || self.toe_joint.and_then(self.parent).filter(|&joint| joint != self.ankle);
        let joint = joint.map(|(joint, _)| *joint).or_else(above_toe).unwrap_or(self.ankle);
        self.on(joint, position).or_else(|| self.on(self.ankle, position))
    }

    fn on(&self, joint: JointId, position: Vec3) -> Option<JointPoint> {
        Some(JointPoint { joint, offset: self.skin.between(self.ankle, joint, position)? })
    }
}
