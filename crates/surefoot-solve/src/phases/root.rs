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

use super::balls::nearest_in_all;
use crate::settings::Form;
use crate::setup::Setup;
use crate::slots::{LegSlot, RootAsk};
use crate::window::Window;

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

/// By how much the held feet of one frame were moved, added up.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moved {
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
pub(super) fn asked(legs: &[LegSlot], feet: &Moved, setup: &Setup) -> RootAsk {
    if feet.count == 0.0 {
        return RootAsk { free: 1.0, ..RootAsk::default() };
    }
    if setup.settings.form == Form::Paper {
        return RootAsk { pull: nearest_in_all(Vec3::ZERO, legs, 1.0), counts: 1.0, free: 0.0 };
    }
    let start = feet.mean();
    let moved = nearest_in_all(start, legs, PAYS_FROM);
    let need = (moved - start).length() / NEED;
    let counts = 1.0 + need * need;
    RootAsk { pull: moved * counts, counts, free: 0.0 }
}

pub(crate) fn place(window: &mut Window, setup: &Setup, frame: usize) {
    if setup.settings.form == Form::Paper && window.last_pull + setup.frames.root.frames < frame {
        // Most legs of most motions reach.
        let is_held = window.legs(frame).iter().any(|leg| leg.stance.is_held());
        window.set_smoothed(frame, is_held.then_some(Vec3::ZERO), Vec3::ZERO);
        return;
    }
    let smoothed = match setup.settings.form {
        Form::Cured => smoothed(window, setup, frame),
        Form::Paper => smoothed_in_block(window, setup, frame),
    };
    let short =
        smoothed.map_or(Vec3::ZERO, |moved| nearest_in_all(moved, window.legs(frame), most(setup)) - moved);
    window.set_smoothed(frame, smoothed, short);
}

/// How far legs reach with all that the bones may give, against straight ones.
fn most(setup: &Setup) -> f64 {
    let share = if setup.settings.form == Form::Cured { NEARLY_ALL } else { 1.0 };
    (1.0 + setup.settings.stretch) * share
}

/// What is still out of reach with all that the bones may give, the root pays, and eases into it:
/// at each frame the most of what those around it ask, each fading with its distance.
pub(crate) fn ease(window: &mut Window, setup: &Setup, frame: usize) {
    let Some(smoothed) = window.root(frame) else { return };
    let range = window.around(3, frame, setup.frames.ease.frames);
    // Most motions ask for nothing here.
    if window.last_short < range.start {
        return;
    }
    let mut most = Vec3::ZERO;
    for at in range {
        let short = window.short(at);
        if short != Vec3::ZERO {
            let eased = short * math::fade(at.abs_diff(frame) as f64 / setup.frames.ease.length);
            if eased.length_squared() > most.length_squared() {
                most = eased;
            }
        }
    }
    let moved = nearest_in_all(smoothed + most, window.legs(frame), self::most(setup));
    window.set_root(frame, Some(moved));
}

/// The cells around a frame that the phase above has begun, and their weights.
fn cells<'a>(window: &Window, setup: &'a Setup, frame: usize) -> (Range<usize>, &'a [f64]) {
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
    let (mut sum, mut held, mut free) = (Vec3::ZERO, 0.0, 0.0);
    for (ask, weight) in window.root_asks(cells).iter().zip(weights) {
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
    if !window.legs(frame).iter().any(|leg| leg.stance.is_held()) {
        return None;
    }
    let (cells, weights) = cells(window, setup, frame);
    let own = frame / setup.cell;
    let (asks_before, asks_after) = window.root_asks(cells.clone()).split_at(own - cells.start);
    let (before, after) = weights.split_at(own - cells.start);
    let (mut sum, mut total) = (Vec3::ZERO, 0.0);
    // A cell in which nothing is held ends the run.
    for (ask, weight) in asks_after.iter().zip(after) {
        if ask.counts == 0.0 {
            break;
        }
        sum += ask.pull * *weight;
        total += ask.counts * weight;
    }
    for (ask, weight) in asks_before.iter().rev().zip(before.iter().rev()) {
        if ask.counts == 0.0 {
            break;
        }
        sum += ask.pull * *weight;
        total += ask.counts * weight;
    }
    Some(sum / total)
}
