//! Queries on one triangle of a floor.

use crate::math::Vec3;

/// Three corners in either orientation.
pub(super) type Triangle = [Vec3; 3];

/// Vertical component of the normal below which a triangle is a wall: a slope of 89.9°.
const WALL: f64 = 1e-3;

/// The upward normal; `None` for a wall or a triangle without area.
pub(super) fn upward_normal(corners: &Triangle) -> Option<Vec3> {
    let [a, b, c] = *corners;
    let normal = (b - a).cross(c - a).try_normalize()?;
    let normal = if normal.y < 0.0 { -normal } else { normal };
    Some(normal).filter(|normal| normal.y > WALL)
}

/// Whether the triangle covers a ground position, seen from above, with its edges.
pub(super) fn covers(corners: &Triangle, x: f64, z: f64) -> bool {
    /// Distance outside an edge that still counts as inside, as a fraction of the area, so that
    /// rounding leaves no gap between triangles that share an edge.
    const ON_EDGE: f64 = 1e-12;
    let [a, b, c] = *corners;
    let side = |p: Vec3, q: Vec3| (q.x - p.x) * (z - p.z) - (q.z - p.z) * (x - p.x);
    let (ab, bc, ca) = (side(a, b), side(b, c), side(c, a));
    let slack = ON_EDGE * (ab + bc + ca).abs();
    (ab >= -slack && bc >= -slack && ca >= -slack) || (ab <= slack && bc <= slack && ca <= slack)
}

/// The point of the triangle nearest to `point`.
///
/// Signs of dot products determine whether it is a corner, on an edge or inside (Voronoi regions).
pub(super) fn nearest(corners: &Triangle, point: Vec3) -> Vec3 {
    let [a, b, c] = *corners;
    let (ab, ac, ap) = (b - a, c - a, point - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = point - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    let cp = point - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    let normal = ab.cross(ac);
    point - normal * (normal.dot(ap) / normal.length_squared())
}

/// The point of the triangle's edges nearest to a ground position, seen from above, with the squared
/// horizontal distance.
pub(super) fn nearest_from_above(corners: &Triangle, x: f64, z: f64) -> (f64, Vec3) {
    let flat = corners.map(|corner| Vec3::new(corner.x, 0.0, corner.z));
    let position = Vec3::new(x, 0.0, z);
    let edges = [(0, 1), (1, 2), (2, 0)].map(|(from, to)| {
        let along = flat[to] - flat[from];
        let length = along.length_squared();
        let share =
            if length > 0.0 { ((position - flat[from]).dot(along) / length).clamp(0.0, 1.0) } else { 0.0 };
        let on = corners[from] + (corners[to] - corners[from]) * share;
        ((on.x - x) * (on.x - x) + (on.z - z) * (on.z - z), on)
    });
    let [first, others @ ..] = edges;
    others.into_iter().fold(first, |best, edge| if edge.0 < best.0 { edge } else { best })
}
