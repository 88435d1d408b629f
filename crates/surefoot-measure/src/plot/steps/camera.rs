//! A camera without perspective: all bodies of a row have the same size.

use crate::body::BodyShape;
use crate::plot::{Curves, floor_axes};
use crate::worst_moment::WorstMoment;
use surefoot_core::math::sincos;
use surefoot_core::{Vec3, math::PI};

/// Angle of the camera above the floor, in radians. Higher shows more of the footprints, lower more of the bodies.
pub(super) const LIFT: f64 = 0.42;
/// The same for the enlarged foot.
pub(super) const LENS_LIFT: f64 = 0.85;
/// Angle from the side view towards the front of the body, in radians. At 0 the row of bodies is level.
const TURN: f64 = 0.08;

/// Turns positions into points of the drawing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Camera {
    right: Vec3,
    upright: Vec3,
    /// Away from the viewer.
    away: Vec3,
    /// Pixels per metre; 1 gives metres with Y up.
    scale: f64,
    /// The drawing's position of the origin of space. Without a scale both are 0.
    offset: Option<(f64, f64)>,
}

impl Camera {
    /// A view from the side, with the direction of travel to the right, or to the left where the worst foot is then on
    /// the near side.
    pub fn facing(curves: &Curves, shape: &BodyShape, worst: Option<&WorstMoment>, lift: f64) -> Self {
        let up = curves.context.floor.up();
        let root = &curves.pair.after.root;
        let flat = |v: Vec3| v - up * up.dot(v);
        let travel = root.first().zip(root.last()).map_or(Vec3::ZERO, |(first, last)| flat(*last - *first));
        let frame = worst.map_or(0, |worst| worst.frame);
        let toes: Vec3 =
            curves.pair.after.legs.iter().map(|leg| flat(leg.ball[frame] - leg.heel[frame])).sum();
        let along = if travel.length() > shape.leg_length { travel } else { toes };
        let forward = along.try_normalize().unwrap_or_else(|| floor_axes(up).0);
        let outer = worst.map_or(-1.0, |worst| shape.feet[worst.plant.leg].outer);
        let turn = if outer > 0.0 { PI + TURN } else { -TURN };
        let ((sin, cos), (low, high)) = (sincos(turn), sincos(lift));
        let right = forward * cos + forward.cross(up) * sin;
        let back = up.cross(right);
        Self {
            right,
            upright: up * high + back * low,
            away: back * high - up * low,
            scale: 1.0,
            offset: None,
        }
    }

    /// The same view in pixels.
    pub fn scaled(self, scale: f64, offset: (f64, f64)) -> Self {
        Self { scale, offset: Some(offset), ..self }
    }

    /// The point of the drawing, and the distance from the viewer in metres.
    pub fn project(&self, at: Vec3) -> ((f64, f64), f64) {
        let (x, y) = (at.dot(self.right) * self.scale, at.dot(self.upright) * self.scale);
        let placed = match self.offset {
            Some((left, floor)) => (left + x, floor - y),
            None => (x, y),
        };
        (placed, at.dot(self.away))
    }

    /// Two directions along the floor: across the view, and away from the viewer.
    pub fn floor_axes(&self, up: Vec3) -> (Vec3, Vec3) {
        (self.right, up.cross(self.right))
    }

    /// Pixels per metre.
    pub fn scale(&self) -> f64 {
        self.scale
    }
}
