//! A body in one frame as lines in the plane of the drawing.

use crate::context::Context;
use crate::events::{Event, EventKind, EventPoint};
use crate::paths::root_joint;
use crate::plot::ground::floor_axes;
use surefoot_core::{Clip, Floor, JointId, JointPoint, Leg, Motion, Vec3, WorldPose};

/// A point of the drawing in metres: to the right of and above the floor point below the body.
pub(super) type Point = (f64, f64);

/// The bodies before and after, with the bones that are drawn.
pub(super) struct Actors<'a> {
    clip: &'a Clip,
    before: Option<&'a Motion>,
    floor: &'a Floor,
    root: JointId,
    bones: Vec<Bone>,
}

/// A line of a stick figure from a joint to its parent or to its end.
struct Bone {
    from: JointPoint,
    to: JointPoint,
    /// The leg that the bone belongs to; `None` for trunk, arms and head.
    leg: Option<usize>,
}

/// The lines of a body in one frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Figure {
    /// Trunk, arms and head.
    pub trunk: Vec<[Point; 2]>,
    /// The legs from the farthest to the nearest.
    pub legs: Vec<LegFigure>,
    /// The floor, from behind the body to in front of it.
    pub floor: Vec<Point>,
}

/// The lines of one leg.
#[derive(Clone, Debug, Default)]
pub(super) struct LegFigure {
    /// The index of the leg.
    pub leg: usize,
    /// Thigh, shin and all other bones above the ankle.
    pub bones: Vec<[Point; 2]>,
    pub knee: Point,
    pub ankle: Point,
    pub heel: Point,
    pub ball: Point,
    pub toe: Point,
}

/// The view of a body from its right side.
struct SideView {
    /// The point of the floor below the body.
    origin: Vec3,
    forward: Vec3,
    up: Vec3,
}

impl<'a> Actors<'a> {
    pub fn new(clip: &'a Clip, before: Option<&'a Motion>, context: &'a Context) -> Self {
        let captured = before.unwrap_or(&clip.motion);
        // A clip with legs has joints.
        let root = root_joint(captured, context).unwrap_or(JointId(0));
        Self { clip, before, floor: &context.floor, root, bones: bones(captured, &clip.legs, root) }
    }

    /// The figures before and after in one frame, from the same view.
    pub fn figures(&self, frame: usize) -> [Option<Figure>; 2] {
        let view = self.view(frame);
        [self.before, Some(&self.clip.motion)]
            .map(|motion| motion.map(|motion| self.figure(&world(motion, frame), &view)))
    }

    /// Where the point of an event is in one frame of the motion after; of a scrape, the lowest point of the foot.
    pub fn event_point(&self, frame: usize, kind: EventKind, event: &Event) -> Option<Point> {
        let leg = self.leg_of(event)?;
        let [_, after] = self.figures(frame);
        let figure = after?;
        let leg = figure.legs.iter().find(|figure| figure.leg == leg)?;
        Some(match kind {
            EventKind::Scrape => leg.lowest(),
            _ => leg.point(event.point),
        })
    }

    /// The index of the leg of an event.
    pub fn leg_of(&self, event: &Event) -> Option<usize> {
        self.clip.legs.iter().position(|leg| leg.side == event.foot)
    }

    fn figure(&self, world: &WorldPose, view: &SideView) -> Figure {
        let lines = |of: Option<usize>| {
            let own = self.bones.iter().filter(|bone| bone.leg == of);
            own.map(|bone| [&bone.from, &bone.to].map(|end| view.place(world.point(end)))).collect()
        };
        let mut legs: Vec<(f64, LegFigure)> = self
            .clip
            .legs
            .iter()
            .enumerate()
            .map(|(index, leg)| {
                let figure = LegFigure {
                    leg: index,
                    bones: lines(Some(index)),
                    knee: view.place(world.joint(leg.knee)),
                    ankle: view.place(world.joint(leg.ankle)),
                    heel: view.place(world.point(&leg.heel)),
                    ball: view.place(world.point(&leg.ball)),
                    toe: view.place(world.point(&leg.toe)),
                };
                (view.nearness(world.joint(leg.hip)), figure)
            })
            .collect();
        legs.sort_by(|a, b| a.0.total_cmp(&b.0));
        Figure {
            trunk: lines(None),
            legs: legs.into_iter().map(|(_, leg)| leg).collect(),
            floor: view.floor_line(self.floor),
        }
    }

    /// The view of the captured body in one frame, so that both figures have the same.
    fn view(&self, frame: usize) -> SideView {
        let world = world(self.before.unwrap_or(&self.clip.motion), frame);
        let up = self.floor.up();
        let along_floor = |v: Vec3| (v - up * up.dot(v)).normalize_or_zero();
        let toes: Vec3 = self
            .clip
            .legs
            .iter()
            .map(|leg| along_floor(world.point(&leg.ball) - world.point(&leg.heel)))
            .sum();
        let hips = match &self.clip.legs[..] {
            [first, second, ..] => along_floor(world.joint(second.hip) - world.joint(first.hip)),
            _ => Vec3::ZERO,
        };
        // Across the hips, towards the side to which the feet point; without hips side by side, where the feet point.
        let across = hips.cross(up);
        let forward = if across.dot(toes) < 0.0 { -across } else { across };
        let forward = [forward, along_floor(toes)].into_iter().find(|forward| *forward != Vec3::ZERO);
        let forward = forward.unwrap_or_else(|| floor_axes(up).0);
        let root = world.joint(self.root);
        SideView { origin: root + up * drop_to(self.floor, root, up), forward, up }
    }
}

impl LegFigure {
    pub fn point(&self, point: EventPoint) -> Point {
        match point {
            EventPoint::Heel => self.heel,
            EventPoint::Ball => self.ball,
            EventPoint::Toe => self.toe,
            EventPoint::Knee => self.knee,
        }
    }

    /// The lowest point of the foot.
    pub fn lowest(&self) -> Point {
        let lower = |a: Point, b: Point| if b.1 < a.1 { b } else { a };
        lower(lower(self.heel, self.ball), self.toe)
    }

    /// The foot: from the ankle around the sole and back.
    pub fn foot(&self) -> [[Point; 2]; 2] {
        [[self.heel, self.ankle], [self.ankle, self.ball]]
    }

    /// The sole from heel over ball to toe.
    pub fn sole(&self) -> [Point; 3] {
        [self.heel, self.ball, self.toe]
    }

    /// Every point of the leg.
    pub fn points(&self) -> impl Iterator<Item = Point> {
        self.bones.iter().flatten().copied().chain([self.heel, self.ball, self.toe])
    }
}

impl Figure {
    /// Every point of the body.
    pub fn points(&self) -> impl Iterator<Item = Point> {
        self.trunk.iter().flatten().copied().chain(self.legs.iter().flat_map(LegFigure::points))
    }
}

impl SideView {
    fn place(&self, point: Vec3) -> Point {
        let from = point - self.origin;
        (from.dot(self.forward), from.dot(self.up))
    }

    /// How near a point is to the viewer, in metres.
    fn nearness(&self, point: Vec3) -> f64 {
        (point - self.origin).dot(self.forward.cross(self.up))
    }

    /// The height of the floor along the view, in metres; straight between the samples.
    fn floor_line(&self, floor: &Floor) -> Vec<Point> {
        /// Half the length of the line and the distance of its samples, in metres: more than a body is long.
        const HALF: f64 = 1.5;
        const STEP: f64 = 0.1;
        let steps = (2.0 * HALF / STEP) as usize;
        let at = |step: usize| {
            let right = step as f64 * STEP - HALF;
            let above = self.origin + self.forward * right;
            (right, drop_to(floor, above, self.up))
        };
        // Two points are enough for a plane.
        if floor.as_plane().is_some() { vec![at(0), at(steps)] } else { (0..=steps).map(at).collect() }
    }
}

/// The distance from a point to the floor along `up`; negative for a point above the floor.
fn drop_to(floor: &Floor, point: Vec3, up: Vec3) -> f64 {
    let plane = floor.plane_under(point);
    let slope = plane.normal.dot(up);
    // A wall has no height below a point.
    if slope.abs() < 1e-6 { 0.0 } else { -plane.above(point) / slope }
}

fn world(motion: &Motion, frame: usize) -> WorldPose {
    motion.poses[frame].world(&motion.skeleton)
}

/// The bones of a body that are drawn: all below the joint that moves it, except those of the feet.
fn bones(motion: &Motion, legs: &[Leg], root: JointId) -> Vec<Bone> {
    let skeleton = &motion.skeleton;
    let mut parts: Vec<Option<Part>> = vec![None; skeleton.len()];
    let mut bones = Vec::new();
    for joint in skeleton.ids() {
        let parent = skeleton.parent(joint);
        let inherited = parent.and_then(|parent| parts[parent.index()]);
        let part = if joint == root { Some(Part::Trunk) } else { inherited };
        let on = |joint, offset| JointPoint { joint, offset };
        if let (Some(parent), Some(part)) = (parent, inherited)
            && let Some(leg) = part.drawn()
        {
            bones.push(Bone { from: on(parent, Vec3::ZERO), to: on(joint, Vec3::ZERO), leg });
        }
        let leg = |is: fn(&Leg) -> JointId| legs.iter().position(|leg| is(leg) == joint);
        let own = match (leg(|leg| leg.ankle), leg(|leg| leg.hip)) {
            (Some(_), _) => part.map(|_| Part::Foot),
            (_, Some(leg)) => part.map(|_| Part::Leg(leg)),
            _ => part,
        };
        if let (Some(Part::Trunk), Some(end)) = (own, skeleton.joint(joint).end) {
            bones.push(Bone { from: on(joint, Vec3::ZERO), to: on(joint, end), leg: None });
        }
        parts[joint.index()] = own;
    }
    bones
}

/// The part of the body that a joint belongs to.
#[derive(Clone, Copy)]
enum Part {
    Trunk,
    Leg(usize),
    Foot,
}

impl Part {
    /// The leg whose bones are drawn. `None` for a foot, which is drawn by its points.
    fn drawn(self) -> Option<Option<usize>> {
        match self {
            Self::Trunk => Some(None),
            Self::Leg(leg) => Some(Some(leg)),
            Self::Foot => None,
        }
    }
}
