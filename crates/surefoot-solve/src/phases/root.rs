//! Phase 3: where must the root be, so that the legs reach?
//!
//! Each held ankle gives a sphere that the root must be in: round the ankle's target less the
//! hip's place in the root, as wide as the leg reaches. The root is moved to the nearest place in
//! all of them, and the moves are smoothed over time. It also follows the height of the floor
//! that its feet were put on, so that a level change is made by the body and not by the knees.
//! What smoothing left out of reach is then added back.
//!
//! Reads the targets (2); fills in the root's move. The root moves, it never turns.

use core::ops::Range;

use surefoot_core::{Vec3, math};
use wide::f64x2;

use crate::kinematics::reach_spheres::nearest_in_all;
use crate::settings::Form;
use crate::setup::Setup;
use crate::stream::slots::RootAsk;
use crate::stream::window::Window;

/// The reach at which the root begins to pay, as a fraction of the straight leg.
///
/// A leg that was captured straighter than this may stay so. Nearer to 1 the root moves less and
/// knees are asked to go through the angles where they pop; at 0.97 it visibly crouches.
const PAYS_FROM: f64 = 0.985;

/// The share of its longest reach that a leg is left with when the root pays for the rest. All of it would
/// straighten the knee for good: its last 2° make a tenth of a millimetre, and it would snap through them.
const NEARLY_ALL: f64 = 0.9998;

/// A move that is needed counts as much as a frame that needs none when it is this long, in
/// metres; at twice the length four times as much. Without it, smoothing would undercut the very
/// moves that are needed most, and the root would have to jump to make them up.
const NEED: f64 = 0.0075;

/// How much a frame in which nothing is held counts against one in which a foot is: of a move, half is left when frames
/// that are held fill this share of the window.
const FREE: f64 = 0.05;

/// By how much the held feet of one frame were moved, added up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moved {
    sum: Vec3,
    count: f64,
}

impl Moved {
    pub fn add(&mut self, moved: Vec3) {
        self.sum += moved;
        self.count += 1.0;
    }

    /// The root follows the mean slowly: a floor at another height is met by the body, not by the
    /// knees, and a root that wandered off its feet comes back to them.
    fn mean(&self) -> Vec3 {
        self.sum / self.count
    }
}

/// What the held feet of one frame ask of the root, before anything is smoothed, and how much that
/// counts.
pub(crate) fn asked(window: &Window, frame: usize, feet: &Moved, setup: &Setup) -> RootAsk {
    if feet.count == 0.0 {
        let counts = if setup.settings.form == Form::Paper { 0.0 } else { FREE };
        return RootAsk::new(Vec3::ZERO, counts);
    }
    let legs = window.held_legs(frame);
    if setup.settings.form == Form::Paper {
        return RootAsk::new(nearest_in_all(Vec3::ZERO, legs, 1.0), 1.0);
    }
    let start = feet.mean();
    let moved = nearest_in_all(start, legs, PAYS_FROM);
    let need = (moved - start).length() / NEED;
    RootAsk::new(moved, 1.0 + need * need)
}

pub(crate) fn place(window: &mut Window, setup: &Setup, frame: usize) {
    if setup.settings.form == Form::Paper && window.last_pull + setup.frames.root.frames < frame {
        // Most legs of most motions reach.
        let is_held = window.held_legs(frame).next().is_some();
        window.set_smoothed(frame, is_held.then_some(Vec3::ZERO), Vec3::ZERO);
        return;
    }
    let smoothed = match setup.settings.form {
        Form::Improved => smoothed(window, setup, frame),
        Form::Paper => smoothed_in_block(window, setup, frame),
    };
    let short = smoothed
        .map_or(Vec3::ZERO, |moved| nearest_in_all(moved, window.held_legs(frame), most(setup)) - moved);
    window.set_smoothed(frame, smoothed, short);
}

/// How far legs reach with all that the bones may give, against straight ones.
fn most(setup: &Setup) -> f64 {
    let share = if setup.settings.form == Form::Improved { NEARLY_ALL } else { 1.0 };
    (1.0 + setup.settings.stretch_limit) * share
}

/// What is still out of reach with all that the bones may give, the root pays, and eases into it:
/// at each frame the most of what those around it ask, each fading with its distance.
pub(crate) fn ease(window: &mut Window, setup: &Setup, frame: usize) {
    let Some(smoothed) = window.root(frame) else { return };
    let mut most = Vec3::ZERO;
    for (at, short) in window.shorts(window.around(3, frame, setup.frames.ease.frames).start) {
        let eased = short * math::fade(at.abs_diff(frame) as f64 / setup.frames.ease.length);
        if eased.length_squared() >= most.length_squared() {
            most = eased;
        }
    }
    // Most motions ask for nothing here.
    if most == Vec3::ZERO {
        return;
    }
    let moved = nearest_in_all(smoothed + most, window.held_legs(frame), self::most(setup));
    window.set_root(frame, Some(moved));
}

/// The cells around a frame that the phase above has begun, and their weights.
fn cells<'a>(window: &Window, setup: &'a Setup, frame: usize) -> (Range<usize>, &'a [f64x2]) {
    let (own, at) = (frame / setup.cell, frame % setup.cell);
    let weights = &setup.root_weights[at];
    let beyond = weights.len() / 2;
    let end = (own + beyond + 1).min(window.done[1].div_ceil(setup.cell));
    let start = own.saturating_sub(beyond);
    (start..end, &weights[start + beyond - own..end + beyond - own])
}

/// The moves asked for, averaged over the window. Frames in which nothing is held ask nothing,
/// and as they fill the window the move fades away.
fn smoothed(window: &Window, setup: &Setup, frame: usize) -> Option<Vec3> {
    let (cells, weights) = cells(window, setup, frame);
    let last = (cells.end * setup.cell).min(window.done[1]) - 1;
    let is_held = |leg: usize| window.spell(last, leg).held_until(last) > cells.start * setup.cell;
    if !(0..setup.legs.len()).any(is_held) {
        return None;
    }
    let ((twos, rest), (weights_of_twos, weights_of_rest)) =
        (window.root_asks(cells).as_chunks::<2>(), weights.as_chunks::<2>());
    // By twos, so that they need not wait for each other.
    let mut sums = [RootAsk::default(); 2];
    for (asks, weights) in twos.iter().zip(weights_of_twos) {
        sums[0].add(&asks[0], weights[0]);
        sums[1].add(&asks[1], weights[1]);
    }
    for (ask, weight) in rest.iter().zip(weights_of_rest) {
        sums[0].add(ask, *weight);
    }
    let [mut sum, other] = sums;
    sum.add(&other, f64x2::ONE);
    Some(sum.mean())
}

/// The moves asked for, averaged over the window within one run of held frames.
fn smoothed_in_block(window: &Window, setup: &Setup, frame: usize) -> Option<Vec3> {
    window.held_legs(frame).next()?;
    let (cells, weights) = cells(window, setup, frame);
    let own = frame / setup.cell;
    let (asks_before, asks_after) = window.root_asks(cells.clone()).split_at(own - cells.start);
    let (before, after) = weights.split_at(own - cells.start);
    let mut sum = RootAsk::default();
    // A cell in which nothing is held ends the run.
    for (ask, weight) in asks_after.iter().zip(after) {
        if ask.counts() == 0.0 {
            break;
        }
        sum.add(ask, *weight);
    }
    for (ask, weight) in asks_before.iter().rev().zip(before.iter().rev()) {
        if ask.counts() == 0.0 {
            break;
        }
        sum.add(ask, *weight);
    }
    Some(sum.mean())
}
