//! A body with volume as SVG: its limbs and soles from the farthest to the nearest.

use super::camera::Camera;
use crate::body::{BodyShape, FootShape, Limb, sole_outline};
use crate::plot::svg::Svg;
use surefoot_core::Vec3;
use surefoot_core::math::{acos, atan2, sincos};

/// Draws a body, or only one of its legs, in the colours of a motion.
pub(super) fn draw(
    svg: &mut Svg,
    view: &Camera,
    (shape, points): (&BodyShape, &[Vec3]),
    only_leg: Option<usize>,
    name: &str,
) {
    let is_drawn = |leg: Option<usize>| only_leg.is_none() || leg == only_leg;
    let depth_of = |ends: [usize; 2]| 0.5 * ends.iter().map(|&end| view.project(points[end]).1).sum::<f64>();
    let limbs = shape.limbs.iter().filter(|limb| is_drawn(limb.leg));
    let mut parts: Vec<(f64, Part)> = limbs
        .map(|limb| (depth_of(limb.ends) - f64::max(limb.radii[0], limb.radii[1]), Part::Limb(limb)))
        .collect();
    for (_, foot) in shape.feet.iter().enumerate().filter(|(leg, _)| is_drawn(Some(*leg))) {
        parts.push((depth_of([foot.heel, foot.ball]) + 0.05 * shape.leg_length, Part::Sole(foot)));
    }
    parts.sort_by(|a, b| b.0.total_cmp(&a.0));
    svg.begin_group(&format!("{name}-body"));
    for (_, part) in parts {
        match part {
            Part::Limb(limb) => svg.path("limb", &limb_path(view, limb, points)),
            Part::Sole(foot) => draw_sole(svg, view, foot, points),
        }
    }
    svg.end_group();
}

enum Part<'a> {
    Limb(&'a Limb),
    Sole(&'a FootShape),
}

fn draw_sole(svg: &mut Svg, view: &Camera, foot: &FootShape, points: &[Vec3]) {
    let [ankle, heel, ball, toe] = [foot.ankle, foot.heel, foot.ball, foot.toe].map(|point| points[point]);
    let across = (ball - heel).cross(ankle - heel);
    // The side of a foot that stands on its toes is level, so that its sole follows from the shin.
    let up = across.cross(ball - heel).try_normalize().unwrap_or(Vec3::Y);
    let outline = sole_outline(heel, ball, toe, up, foot.outer);
    svg.outlines("sole", [outline.map(|at| view.project(at).0)]);
}

/// The outline of a ball at each end and the lines that touch both.
fn limb_path(view: &Camera, limb: &Limb, points: &[Vec3]) -> String {
    let [a, b] = limb.ends.map(|end| view.project(points[end]).0);
    let [ra, rb] = limb.radii.map(|radius| radius * view.scale());
    let length = surefoot_core::math::hypot(b.0 - a.0, b.1 - a.1);
    let at = |centre: (f64, f64), radius: f64, angle: f64| {
        let (sin, cos) = sincos(angle);
        format!("{:.1} {:.1}", centre.0 + radius * cos, centre.1 + radius * sin)
    };
    if length <= (ra - rb).abs() {
        let (centre, radius) = if ra > rb { (a, ra) } else { (b, rb) };
        let (left, right) = (at(centre, radius, core::f64::consts::PI), at(centre, radius, 0.0));
        return format!(
            "M{left}A{radius:.1} {radius:.1} 0 1 1 {right}A{radius:.1} {radius:.1} 0 1 1 {left}Z"
        );
    }
    let (axis, touch) = (atan2(b.1 - a.1, b.0 - a.0), acos((ra - rb) / length));
    let (large_a, large_b) = (u8::from(ra > rb), u8::from(rb > ra));
    format!(
        "M{}A{ra:.1} {ra:.1} 0 {large_a} 1 {}L{}A{rb:.1} {rb:.1} 0 {large_b} 1 {}Z",
        at(a, ra, axis + touch),
        at(a, ra, axis - touch),
        at(b, rb, axis - touch),
        at(b, rb, axis + touch)
    )
}
