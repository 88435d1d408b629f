//! Phase 3: where must the root be, so that the legs reach?
//!
//! Each held ankle gives a sphere that the root must be in: round the ankle's target less the
//! hip's place in the root, as wide as the leg reaches. The root is moved to the nearest place in
//! all of them, and the moves are smoothed over time. It also follows the height of the floor
//! that its feet were put on, so that a level change is made by the body and not by the knees.
//! What smoothing left out of reach is then added back.
//!
//! Reads the targets (2); fills in the root's move. The root moves, it never turns.

use surefoot_core::Vec3;

use crate::settings::Form;
use crate::setup::Setup;
use crate::window::{LegSlot, RootAsk, Window};

/// A sphere that the root must be in: centre relative to the root as captured, and radius.
#[derive(Clone, Copy)]
struct Ball {
    centre: Vec3,
    radius: f64,
}

/// More legs than this are held by no body we know; further ones are left to stretch.
const MOST_LEGS: usize = 8;

/// The reach at which the root begins to pay, as a fraction of the straight leg.
///
/// A leg that was captured straighter than this may stay so. Nearer to 1 the root moves less and
/// knees are asked to go through the angles where they pop; at 0.97 it visibly crouches.
const PAYS_FROM: f64 = 0.985;

/// A move that is needed counts as much as a frame that needs none when it is this long, in
/// metres; at twice the length four times as much. Without it, smoothing would undercut the very
/// moves that are needed most, and the root would have to jump to make them up.
const NEED: f64 = 0.0075;

/// What the held feet of one frame ask of the root, before anything is smoothed, and how much that
/// counts.
pub(super) fn asked(window: &Window, setup: &Setup, frame: usize) -> RootAsk {
    let legs = &window.slot(frame).legs;
    if legs.iter().all(|leg| leg.target.is_none()) {
        return RootAsk { free: 1.0, ..RootAsk::default() };
    }
    let (start, scale) = match setup.settings.form {
        Form::Cured => (followed(legs), PAYS_FROM),
        Form::Paper => (Vec3::ZERO, 1.0),
    };
    let moved = nearest_in_all(start, legs, scale);
    let need = (moved - start).length() / NEED;
    let counts = if setup.settings.form == Form::Cured { 1.0 + need * need } else { 1.0 };
    RootAsk { pull: moved * counts, counts, free: 0.0 }
}

/// The mean by which the held feet were moved.
///
/// The root follows it slowly: a floor at another height is met by the body, not by the knees,
/// and a root that wandered off its feet comes back to them.
fn followed(legs: &[LegSlot]) -> Vec3 {
    let held = legs.iter().filter_map(|leg| Some(leg.target?.position - leg.seen.ankle));
    let (sum, count) = held.fold((Vec3::ZERO, 0.0), |(sum, count), moved| (sum + moved, count + 1.0));
    if count > 0.0 { sum / count } else { Vec3::ZERO }
}

/// The place nearest to `start` from which every held ankle can be reached, if there is one.
fn nearest_in_all(start: Vec3, legs: &[LegSlot], scale: f64) -> Vec3 {
    let mut balls = [Ball { centre: Vec3::ZERO, radius: 0.0 }; MOST_LEGS];
    let mut count = 0;
    for leg in legs.iter().filter(|leg| leg.target.is_some()).take(MOST_LEGS) {
        let Some(target) = leg.target else { continue };
        let straight = (leg.seen.knee - leg.seen.hip).length() + (leg.seen.ankle - leg.seen.knee).length();
        balls[count] = Ball {
            centre: target.position - leg.seen.hip,
            radius: (straight * scale).max((leg.seen.ankle - leg.seen.hip).length()),
        };
        count += 1;
    }
    let balls = &balls[..count];
    match balls {
        [] => start,
        [one] => into(start, one),
        [one, other] => into_two(start, one, other),
        _ => into_many(start, balls),
    }
}

/// The nearest place in a ball.
fn into(place: Vec3, ball: &Ball) -> Vec3 {
    let arm = place - ball.centre;
    let distance = arm.length();
    if distance <= ball.radius { place } else { ball.centre + arm * (ball.radius / distance) }
}

fn is_in(place: Vec3, ball: &Ball) -> bool {
    (place - ball.centre).length() <= ball.radius * (1.0 + 1e-12)
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
    let along =
        (distance * distance + one.radius * one.radius - other.radius * other.radius) / (2.0 * distance);
    let radius = (one.radius * one.radius - along * along).max(0.0).sqrt();
    let middle = one.centre + axis * along.clamp(-one.radius, distance + other.radius);
    let off = start - middle;
    let square = off - axis * off.dot(axis);
    middle + square.normalize_or_zero() * radius
}

/// The nearest place in many balls, by Dykstra's rounds of projection.
fn into_many(start: Vec3, balls: &[Ball]) -> Vec3 {
    // Enough for a micrometre where the balls meet at all.
    const ROUNDS: usize = 24;
    let mut place = start;
    let mut left = [Vec3::ZERO; MOST_LEGS];
    for _ in 0..ROUNDS {
        for (ball, left) in balls.iter().zip(&mut left) {
            let from = place + *left;
            place = into(from, ball);
            *left = from - place;
        }
    }
    place
}

pub(crate) fn place(window: &mut Window, setup: &Setup, frame: usize) {
    let smoothed = match setup.settings.form {
        Form::Cured => smoothed(window, setup, frame),
        Form::Paper => smoothed_in_block(window, setup, frame),
    };
    // What is still out of reach with all that the bones may give, the root pays.
    let legs = &window.slot(frame).legs;
    let moved = smoothed.map(|moved| nearest_in_all(moved, legs, 1.0 + setup.settings.stretch));
    window.slot_mut(frame).root = moved;
}

/// The moves asked for, averaged over the window. Frames in which nothing is held ask nothing,
/// and as they fill the window the move fades away.
fn smoothed(window: &Window, setup: &Setup, frame: usize) -> Option<Vec3> {
    let range = window.around(2, frame, setup.frames.root);
    let weights = &setup.root_weights[range.start + setup.frames.root - frame..];
    let (mut sum, mut held, mut free) = (Vec3::ZERO, 0.0, 0.0);
    for (ask, weight) in window.root_asks(range).zip(weights) {
        sum += ask.pull * *weight;
        held += ask.counts * weight;
        free += ask.free * weight;
    }
    // The share of the window at which half of a move is left.
    const HALF_GONE: f64 = 0.05;
    (held > 0.0).then(|| sum / (held + HALF_GONE * free))
}

/// The moves asked for, averaged over the window within one run of held frames.
fn smoothed_in_block(window: &Window, setup: &Setup, frame: usize) -> Option<Vec3> {
    let is_held = |at: &usize| window.root_ask(*at).counts > 0.0;
    if !is_held(&frame) {
        return None;
    }
    let range = window.around(2, frame, setup.frames.root);
    let start = frame - (range.start..frame).rev().take_while(is_held).count();
    let end = frame + (frame..range.end).take_while(is_held).count();
    let weights = &setup.root_weights[start + setup.frames.root - frame..];
    let (mut sum, mut total) = (Vec3::ZERO, 0.0);
    for (ask, weight) in window.root_asks(start..end).zip(weights) {
        sum += ask.pull * *weight;
        total += weight;
    }
    Some(sum / total)
}
