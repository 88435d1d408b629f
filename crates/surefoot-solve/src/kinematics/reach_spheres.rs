//! Where is the nearest place from which every held ankle can be reached?
//!
//! Each held leg gives a ball that the root must be in. The nearest place in all of them is on one sphere, on
//! the circle in which two meet, or where three do.

use surefoot_core::Vec3;

use crate::stream::slots::Stance;

/// A sphere that the root must be in: centre relative to the root as captured, and radius.
#[derive(Clone, Copy, Debug)]
struct Ball {
    centre: Vec3,
    radius: f64,
}

impl Ball {
    fn new(leg: &Stance, scale: f64) -> Self {
        Self { centre: leg.way, radius: radius_squared(leg, scale).sqrt() }
    }
}

/// How far a leg reaches that may be made so much longer than straight; as captured if that is further.
fn radius_squared(leg: &Stance, scale: f64) -> f64 {
    (leg.bones.longest_squared() * (scale * scale)).max(leg.captured_squared)
}

fn is_reached(leg: &Stance, from: Vec3, scale: f64) -> bool {
    (from - leg.way).length_squared() <= radius_squared(leg, scale)
}

/// More legs than this are held by no body we know; further ones are left to stretch.
const MOST_LEGS: usize = 8;

/// The place nearest to `start` from which every held ankle can be reached, if there is one.
#[inline]
pub(crate) fn nearest_in_all<'a>(
    start: Vec3,
    mut held: impl Iterator<Item = &'a Stance> + Clone,
    scale: f64,
) -> Vec3 {
    // Most feet are reached from where the root is.
    let all = held.clone();
    if held.all(|leg| is_reached(leg, start, scale)) { start } else { into_all(start, all, scale) }
}

#[cold]
#[inline(never)]
fn into_all<'a>(start: Vec3, held: impl Iterator<Item = &'a Stance>, scale: f64) -> Vec3 {
    let mut held = held.map(|leg| Ball::new(leg, scale));
    match (held.next(), held.next(), held.next()) {
        (None, ..) => start,
        (Some(one), None, _) => into(start, &one),
        (Some(one), Some(other), None) => into_two(start, &one, &other),
        (Some(one), Some(other), Some(third)) => {
            let mut balls = [one; MOST_LEGS];
            let rest = [other, third].into_iter().chain(held);
            let count = 1 + balls[1..].iter_mut().zip(rest).map(|(at, ball)| *at = ball).count();
            into_many(start, &balls[..count])
        }
    }
}

/// The nearest place in a ball.
fn into(place: Vec3, ball: &Ball) -> Vec3 {
    let arm = place - ball.centre;
    let distance = arm.length();
    if distance <= ball.radius { place } else { ball.centre + arm * (ball.radius / distance) }
}

/// Whether a place is in a ball, to the rounding that a place on its sphere has, in metres.
fn is_in(place: Vec3, ball: &Ball) -> bool {
    (place - ball.centre).length() <= ball.radius + 1e-11
}

/// The nearest place in two balls; if they do not meet, the one between that misses both alike.
fn into_two(start: Vec3, one: &Ball, other: &Ball) -> Vec3 {
    let (a, b) = (into(start, one), into(start, other));
    match (is_in(a, other), is_in(b, one)) {
        (true, true) if (a - start).length_squared() <= (b - start).length_squared() => a,
        (true, false) => a,
        (_, true) => b,
        (false, false) => onto_circle(start, one, other),
    }
}

/// The nearest place on the circle in which two spheres meet.
fn onto_circle(start: Vec3, one: &Ball, other: &Ball) -> Vec3 {
    let between = other.centre - one.centre;
    let distance = between.length();
    // Two spheres round one centre: they meet nowhere or everywhere, and the smaller decides.
    if distance < 1e-9 {
        return into(start, if one.radius < other.radius { one } else { other });
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

/// The nearest place in many balls. It is on one sphere, on the circle in which two meet, or where
/// three do; if they share no place, the one that misses all by the least squares.
fn into_many(start: Vec3, balls: &[Ball]) -> Vec3 {
    let is_in_all = |place: Vec3| balls.iter().all(|ball| is_in(place, ball));
    if is_in_all(start) {
        return start;
    }
    let mut nearest: Option<Vec3> = None;
    let mut weigh = |place: Vec3| {
        let is_nearer = |other: Vec3| (place - start).length_squared() < (other - start).length_squared();
        if nearest.is_none_or(is_nearer) && is_in_all(place) {
            nearest = Some(place);
        }
    };
    for (n, one) in balls.iter().enumerate() {
        weigh(into(start, one));
        for (m, other) in balls.iter().enumerate().skip(n + 1) {
            weigh(onto_circle(start, one, other));
            for third in &balls[m + 1..] {
                where_three_meet(one, other, third).into_iter().flatten().for_each(&mut weigh);
            }
        }
    }
    nearest.unwrap_or_else(|| between_all(start, balls))
}

/// The two places that three spheres share, if they do.
fn where_three_meet(one: &Ball, other: &Ball, third: &Ball) -> Option<[Vec3; 2]> {
    let (to_other, to_third) = (other.centre - one.centre, third.centre - one.centre);
    // Centres in one line share a circle or nothing.
    let across = to_other.cross(to_third).try_normalize()?;
    let axis = to_other.try_normalize()?;
    let side = across.cross(axis);
    let square = |ball: &Ball| ball.radius * ball.radius;
    let x = (square(one) - square(other) + to_other.length_squared()) / (2.0 * to_other.length());
    let (i, j) = (to_third.dot(axis), to_third.dot(side));
    let y = (square(one) - square(third) + to_third.length_squared() - 2.0 * i * x) / (2.0 * j);
    let height = square(one) - x * x - y * y;
    let foot = one.centre + axis * x + side * y;
    let up = across * (height >= 0.0).then(|| height.sqrt())?;
    Some([foot + up, foot - up])
}

/// The place that misses all balls by the least squares, nearly: the mean of the nearest places in
/// them, over and over.
fn between_all(start: Vec3, balls: &[Ball]) -> Vec3 {
    // Each round leaves less than 9/10 of the way; a tenth of a millimetre is told by no eye.
    const ROUNDS: usize = 64;
    (0..ROUNDS)
        .fold(start, |place, _| balls.iter().map(|ball| into(place, ball)).sum::<Vec3>() / balls.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Directions all round.
    fn directions() -> impl Iterator<Item = Vec3> {
        (0..400).map(|n| {
            let y = 1.0 - (f64::from(n) + 0.5) / 200.0;
            let (sin, cos) = surefoot_core::math::sincos(2.399_963 * f64::from(n));
            let out = (1.0 - y * y).sqrt();
            Vec3::new(out * cos, y, out * sin)
        })
    }

    /// Checks that no place in all the balls is nearer to `start` than `found`.
    ///
    /// What balls share is convex: if no step from a place leads to a better one, none is better.
    fn check(start: Vec3, balls: &[Ball], found: Vec3) {
        for ball in balls {
            let out = (found - ball.centre).length() - ball.radius;
            assert!(out < 1e-9, "{found} is {out:e} out of {ball:?}");
        }
        let far = (found - start).length();
        for step in [0.3, 0.1, 1e-2, 1e-3, 1e-4, 1e-5] {
            for direction in directions() {
                let other = found + direction * step;
                let is_shared = balls.iter().all(|ball| (other - ball.centre).length() <= ball.radius);
                let nearer = far - (other - start).length();
                assert!(!is_shared || nearer < 1e-8, "{other} is {nearer:e} nearer to {start} than {found}");
            }
        }
    }

    fn ball() -> impl Strategy<Value = Ball> {
        (place(0.6), 0.3..1.2f64).prop_map(|(centre, radius)| Ball { centre, radius })
    }

    fn place(within: f64) -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-within..within).prop_map(Vec3::from_array)
    }

    /// Balls that share a place: each reaches a little past it.
    fn balls(count: usize) -> impl Strategy<Value = Vec<Ball>> {
        let around = |shared: Vec3| {
            move |(centre, more): (Vec3, f64)| Ball { centre, radius: (centre - shared).length() + more }
        };
        (place(0.6), prop::collection::vec((place(1.0), 1e-3..0.3f64), count))
            .prop_map(move |(shared, balls)| balls.into_iter().map(around(shared)).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        #[test]
        fn the_nearest_place_in_one_ball_is_found(start in place(2.0), ball in ball()) {
            check(start, &[ball], into(start, &ball));
        }

        #[test]
        fn the_nearest_place_in_two_balls_is_found(start in place(2.0), one in ball(), other in ball()) {
            let apart = (one.centre - other.centre).length();
            prop_assume!(apart < one.radius + other.radius);
            check(start, &[one, other], into_two(start, &one, &other));
        }

        #[test]
        fn balls_apart_are_missed_alike(start in place(2.0), one in ball(), other in ball(), gap in 1e-6..1.0f64) {
            let centre = one.centre + (other.centre - one.centre).normalize_or(Vec3::X) * (one.radius + other.radius + gap);
            let other = Ball { centre, ..other };
            let found = into_two(start, &one, &other);
            let misses = [one, other].map(|ball| (found - ball.centre).length() - ball.radius);
            prop_assert!((misses[0] - gap / 2.0).abs() < 1e-9 && (misses[1] - gap / 2.0).abs() < 1e-9);
        }

        #[test]
        fn the_nearest_place_in_many_balls_is_found(start in place(2.0), balls in balls(4)) {
            check(start, &balls[..3], into_many(start, &balls[..3]));
            check(start, &balls, into_many(start, &balls));
        }

        #[test]
        fn many_balls_that_share_nothing_are_missed_by_little(start in place(2.0), balls in balls(3), gap in 0.01..0.5f64) {
            let far = Ball { centre: Vec3::new(3.0, 0.0, 0.0), radius: 0.2 };
            let balls = [balls[0], balls[1], balls[2], Ball { radius: far.radius - gap.min(0.1), ..far }];
            let squares = |place: Vec3| -> f64 {
                let miss = |ball: &Ball| ((place - ball.centre).length() - ball.radius).max(0.0);
                balls.iter().map(|ball| miss(ball) * miss(ball)).sum()
            };
            let found = into_many(start, &balls);
            for direction in directions() {
                prop_assert!(squares(found) <= squares(found + direction * 0.05) + 1e-3);
            }
        }
    }

    #[test]
    fn a_ball_inside_another_decides_alone() {
        let (small, large) =
            (Ball { centre: Vec3::X * 0.1, radius: 0.3 }, Ball { centre: Vec3::ZERO, radius: 1.0 });
        for start in directions().flat_map(|direction| [direction * 0.35, direction * 2.0]) {
            for found in [into_two(start, &small, &large), into_two(start, &large, &small)] {
                check(start, &[small, large], found);
            }
        }
    }

    #[test]
    fn balls_round_one_centre_are_one_ball() {
        let (small, large) =
            (Ball { centre: Vec3::ONE, radius: 0.3 }, Ball { centre: Vec3::ONE, radius: 1.0 });
        for start in directions().map(|direction| direction * 3.0).chain([Vec3::ONE]) {
            check(start, &[small, large], into_two(start, &small, &large));
            check(start, &[large, small, small], into_many(start, &[large, small, small]));
        }
    }

    #[test]
    fn a_place_in_all_balls_stays() {
        let balls = [Vec3::X, Vec3::Y, Vec3::Z].map(|centre| Ball { centre, radius: 1.2 });
        assert_eq!(into_many(Vec3::ONE * 0.2, &balls), Vec3::ONE * 0.2);
        assert_eq!(into_two(Vec3::ONE * 0.2, &balls[0], &balls[1]), Vec3::ONE * 0.2);
    }
}
