//! The nearest position of the root from which every planted leg can reach its ankle target.
//!
//! The root of a planted leg must lie within a sphere round its target. The nearest position within all of
//! the spheres lies on one sphere, on the circle in which two intersect, or where three intersect.

use surefoot_core::Vec3;

use crate::stream::slots::Stance;

/// The positions of the root from which a leg reaches its target; relative to the captured root, in metres.
#[derive(Clone, Copy, Debug)]
struct ReachSphere {
    centre: Vec3,
    radius: f64,
}

impl ReachSphere {
    fn new(leg: &Stance, scale: f64) -> Self {
        Self { centre: leg.hip_to_target, radius: radius_squared(leg, scale).sqrt() }
    }
}

/// The squared reach of a leg of `scale` times its straight length, or the captured reach if that is longer.
fn radius_squared(leg: &Stance, scale: f64) -> f64 {
    (leg.bones.longest_squared() * (scale * scale)).max(leg.captured_reach_squared)
}

fn is_in_reach(leg: &Stance, from: Vec3, scale: f64) -> bool {
    (from - leg.hip_to_target).length_squared() <= radius_squared(leg, scale)
}

/// Number of planted legs that are taken into account. Further legs only stretch; bodies with more
/// planted legs are rare. Bounds the array below, and the cost, which grows with the cube of the number.
const MOST_LEGS: usize = 8;

/// The position nearest to `start` from which every planted leg reaches its target, or nearly so if there is none.
///
/// `scale` is the reach that is allowed, as a fraction of the straight leg.
#[inline]
pub(crate) fn nearest_in_reach<'a>(
    start: Vec3,
    mut planted: impl Iterator<Item = &'a Stance> + Clone,
    scale: f64,
) -> Vec3 {
    // The common case: the root need not move.
    let all = planted.clone();
    if planted.all(|leg| is_in_reach(leg, start, scale)) { start } else { project_to_all(start, all, scale) }
}

#[cold]
#[inline(never)]
fn project_to_all<'a>(start: Vec3, planted: impl Iterator<Item = &'a Stance>, scale: f64) -> Vec3 {
    let mut planted = planted.map(|leg| ReachSphere::new(leg, scale));
    match (planted.next(), planted.next(), planted.next()) {
        (None, ..) => start,
        (Some(one), None, _) => project(start, &one),
        (Some(one), Some(other), None) => project_to_two(start, &one, &other),
        (Some(one), Some(other), Some(third)) => {
            let mut spheres = [one; MOST_LEGS];
            let rest = [other, third].into_iter().chain(planted);
            let count = 1 + spheres[1..].iter_mut().zip(rest).map(|(at, sphere)| *at = sphere).count();
            project_to_many(start, &spheres[..count])
        }
    }
}

/// The nearest position within a sphere.
fn project(position: Vec3, sphere: &ReachSphere) -> Vec3 {
    let arm = position - sphere.centre;
    let distance = arm.length();
    if distance <= sphere.radius { position } else { sphere.centre + arm * (sphere.radius / distance) }
}

/// Whether a position lies within a sphere, up to the rounding of a position computed to lie on it: 1e-11 m.
fn contains(sphere: &ReachSphere, position: Vec3) -> bool {
    (position - sphere.centre).length() <= sphere.radius + 1e-11
}

/// The nearest position within two spheres; where they do not intersect, the position between them at the same distance
/// from both.
fn project_to_two(start: Vec3, one: &ReachSphere, other: &ReachSphere) -> Vec3 {
    let (a, b) = (project(start, one), project(start, other));
    match (contains(other, a), contains(one, b)) {
        (true, true) if (a - start).length_squared() <= (b - start).length_squared() => a,
        (true, false) => a,
        (_, true) => b,
        (false, false) => project_to_circle(start, one, other),
    }
}

/// The nearest position on the circle in which two spheres intersect.
fn project_to_circle(start: Vec3, one: &ReachSphere, other: &ReachSphere) -> Vec3 {
    let between = other.centre - one.centre;
    let distance = between.length();
    // Concentric spheres have no circle: the smaller one lies within the larger.
    if distance < 1e-9 {
        return project(start, if one.radius < other.radius { one } else { other });
    }
    let axis = between / distance;
    let gap = distance - one.radius - other.radius;
    if gap > 0.0 {
        return one.centre + axis * (one.radius + 0.5 * gap);
    }
    let along =
        (distance * distance + one.radius * one.radius - other.radius * other.radius) / (2.0 * distance);
    let radius = (one.radius * one.radius - along * along).max(0.0).sqrt();
    let middle = one.centre + axis * along;
    let off = start - middle;
    let square = off - axis * off.dot(axis);
    middle + square.normalize_or_zero() * radius
}

/// The nearest position within many spheres; where they do not intersect, the least-squares position.
fn project_to_many(start: Vec3, spheres: &[ReachSphere]) -> Vec3 {
    let is_in_all = |position: Vec3| spheres.iter().all(|sphere| contains(sphere, position));
    if is_in_all(start) {
        return start;
    }
    let mut nearest: Option<Vec3> = None;
    let mut consider = |position: Vec3| {
        let is_nearer = |other: Vec3| (position - start).length_squared() < (other - start).length_squared();
        if nearest.is_none_or(is_nearer) && is_in_all(position) {
            nearest = Some(position);
        }
    };
    for (n, one) in spheres.iter().enumerate() {
        consider(project(start, one));
        for (m, other) in spheres.iter().enumerate().skip(n + 1) {
            consider(project_to_circle(start, one, other));
            for third in &spheres[m + 1..] {
                intersect_three(one, other, third).into_iter().flatten().for_each(&mut consider);
            }
        }
    }
    nearest.unwrap_or_else(|| least_squares_point(start, spheres))
}

/// The two positions in which three spheres intersect, if they do.
fn intersect_three(one: &ReachSphere, other: &ReachSphere, third: &ReachSphere) -> Option<[Vec3; 2]> {
    let (to_other, to_third) = (other.centre - one.centre, third.centre - one.centre);
    // Spheres with collinear centres intersect in a circle or not at all.
    let across = to_other.cross(to_third).try_normalize()?;
    let axis = to_other.try_normalize()?;
    let side = across.cross(axis);
    let square = |sphere: &ReachSphere| sphere.radius * sphere.radius;
    let x = (square(one) - square(other) + to_other.length_squared()) / (2.0 * to_other.length());
    let (i, j) = (to_third.dot(axis), to_third.dot(side));
    let y = (square(one) - square(third) + to_third.length_squared() - 2.0 * i * x) / (2.0 * j);
    let height = square(one) - x * x - y * y;
    let foot = one.centre + axis * x + side * y;
    let up = across * (height >= 0.0).then(|| height.sqrt())?;
    Some([foot + up, foot - up])
}

/// The position with the least sum of squared distances to all spheres, approximately: the mean of the
/// nearest positions within each, iterated.
fn least_squares_point(start: Vec3, spheres: &[ReachSphere]) -> Vec3 {
    // Each iteration leaves less than 9/10 of the error, so that 64 leave a thousandth. More are not visible.
    const ITERATIONS: usize = 64;
    (0..ITERATIONS).fold(start, |position, _| {
        spheres.iter().map(|sphere| project(position, sphere)).sum::<Vec3>() / spheres.len() as f64
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Directions evenly distributed over the sphere.
    fn directions() -> impl Iterator<Item = Vec3> {
        (0..400).map(|n| {
            let y = 1.0 - (f64::from(n) + 0.5) / 200.0;
            let (sin, cos) = surefoot_core::math::sincos(2.399_963 * f64::from(n));
            let out = (1.0 - y * y).sqrt();
            Vec3::new(out * cos, y, out * sin)
        })
    }

    /// Checks that no position in all the spheres is nearer to `start` than `found`.
    ///
    /// The intersection of spheres is convex, so a position that no small step improves is the nearest one.
    fn check(start: Vec3, spheres: &[ReachSphere], found: Vec3) {
        for sphere in spheres {
            let out = (found - sphere.centre).length() - sphere.radius;
            assert!(out < 1e-9, "{found} is {out:e} out of {sphere:?}");
        }
        let far = (found - start).length();
        for step in [0.3, 0.1, 1e-2, 1e-3, 1e-4, 1e-5] {
            for direction in directions() {
                let other = found + direction * step;
                let is_shared =
                    spheres.iter().all(|sphere| (other - sphere.centre).length() <= sphere.radius);
                let nearer = far - (other - start).length();
                assert!(!is_shared || nearer < 1e-8, "{other} is {nearer:e} nearer to {start} than {found}");
            }
        }
    }

    fn sphere() -> impl Strategy<Value = ReachSphere> {
        (position_within(0.6), 0.3..1.2f64).prop_map(|(centre, radius)| ReachSphere { centre, radius })
    }

    fn position_within(within: f64) -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-within..within).prop_map(Vec3::from_array)
    }

    /// Spheres that intersect: each contains a shared position with some margin.
    fn spheres(count: usize) -> impl Strategy<Value = Vec<ReachSphere>> {
        let around = |shared: Vec3| {
            move |(centre, more): (Vec3, f64)| ReachSphere {
                centre,
                radius: (centre - shared).length() + more,
            }
        };
        (position_within(0.6), prop::collection::vec((position_within(1.0), 1e-3..0.3f64), count))
            .prop_map(move |(shared, spheres)| spheres.into_iter().map(around(shared)).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        #[test]
        fn the_nearest_position_within_one_sphere_is_found(start in position_within(2.0), sphere in sphere()) {
            check(start, &[sphere], project(start, &sphere));
        }

        #[test]
        fn the_nearest_position_within_two_spheres_is_found(start in position_within(2.0), one in sphere(), other in sphere()) {
            let apart = (one.centre - other.centre).length();
            prop_assume!(apart < one.radius + other.radius);
            check(start, &[one, other], project_to_two(start, &one, &other));
        }

        #[test]
        fn two_disjoint_spheres_are_missed_by_the_same_distance(start in position_within(2.0), one in sphere(), other in sphere(), gap in 1e-6..1.0f64) {
            let centre = one.centre + (other.centre - one.centre).normalize_or(Vec3::X) * (one.radius + other.radius + gap);
            let other = ReachSphere { centre, ..other };
            let found = project_to_two(start, &one, &other);
            let misses = [one, other].map(|sphere| (found - sphere.centre).length() - sphere.radius);
            prop_assert!((misses[0] - gap / 2.0).abs() < 1e-9 && (misses[1] - gap / 2.0).abs() < 1e-9);
        }

        #[test]
        fn the_nearest_position_within_many_spheres_is_found(start in position_within(2.0), spheres in spheres(4)) {
            check(start, &spheres[..3], project_to_many(start, &spheres[..3]));
            check(start, &spheres, project_to_many(start, &spheres));
        }

        #[test]
        fn disjoint_spheres_are_missed_by_little(start in position_within(2.0), spheres in spheres(3), gap in 0.01..0.5f64) {
            let far = ReachSphere { centre: Vec3::new(3.0, 0.0, 0.0), radius: 0.2 };
            let spheres = [spheres[0], spheres[1], spheres[2], ReachSphere { radius: far.radius - gap.min(0.1), ..far }];
            let squares = |position: Vec3| -> f64 {
                let miss = |sphere: &ReachSphere| ((position - sphere.centre).length() - sphere.radius).max(0.0);
                spheres.iter().map(|sphere| miss(sphere) * miss(sphere)).sum()
            };
            let found = project_to_many(start, &spheres);
            for direction in directions() {
                prop_assert!(squares(found) <= squares(found + direction * 0.05) + 1e-3);
            }
        }
    }

    #[test]
    fn only_the_inner_of_two_nested_spheres_matters() {
        let (small, large) = (
            ReachSphere { centre: Vec3::X * 0.1, radius: 0.3 },
            ReachSphere { centre: Vec3::ZERO, radius: 1.0 },
        );
        for start in directions().flat_map(|direction| [direction * 0.35, direction * 2.0]) {
            for found in [project_to_two(start, &small, &large), project_to_two(start, &large, &small)] {
                check(start, &[small, large], found);
            }
        }
    }

    #[test]
    fn only_the_smallest_of_concentric_spheres_matters() {
        let (small, large) =
            (ReachSphere { centre: Vec3::ONE, radius: 0.3 }, ReachSphere { centre: Vec3::ONE, radius: 1.0 });
        for start in directions().map(|direction| direction * 3.0).chain([Vec3::ONE]) {
            check(start, &[small, large], project_to_two(start, &small, &large));
            check(start, &[large, small, small], project_to_many(start, &[large, small, small]));
        }
    }

    #[test]
    fn a_position_within_all_spheres_stays() {
        let spheres = [Vec3::X, Vec3::Y, Vec3::Z].map(|centre| ReachSphere { centre, radius: 1.2 });
        assert_eq!(project_to_many(Vec3::ONE * 0.2, &spheres), Vec3::ONE * 0.2);
        assert_eq!(project_to_two(Vec3::ONE * 0.2, &spheres[0], &spheres[1]), Vec3::ONE * 0.2);
    }
}
