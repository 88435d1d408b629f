//! Phase 5: decides where the root must be so that the legs reach their targets.
//!
//! The root of each planted leg must lie within a sphere round the ankle target less the offset of the hip, as
//! large as the leg reaches. Three steps:
//!
//! - [`request`]: the nearest position within all spheres, for each frame by itself. It also follows the mean
//!   correction of the planted feet, so that a change of floor height moves the body and does not bend the
//!   knees.
//! - [`smooth`]: the weighted mean of the requests over the root window.
//! - [`ease`]: what smoothing left out of reach, added back with an ease-in and ease-out.
//!
//! Reads the targets (phase 2); writes the root correction. The root is moved, never rotated.

use core::ops::Range;

use surefoot_core::{Vec3, math};
use wide::f64x2;

use crate::kinematics::reach_spheres::nearest_in_reach;
use crate::phases::Phase;
use crate::setup::Setup;
use crate::stream::slots::RootCorrection;
use crate::stream::window::Window;

/// Requests a root correction for one frame.
pub(crate) fn request(window: &mut Window, setup: &Setup, frame: usize) {
    let request = request_at(window, setup, frame);
    window.add_root_request(frame, &request);
}

fn request_at(window: &Window, setup: &Setup, frame: usize) -> RootCorrection {
    let rules = &setup.rules;
    let Some(displacement) = mean_displacement(window, setup, frame) else {
        return RootCorrection::new(Vec3::ZERO, rules.free_frame_weight);
    };
    let start = if rules.root_follows_feet { displacement } else { Vec3::ZERO };
    let correction = nearest_in_reach(start, window.stances(frame), rules.root_reach_start);
    let need = (correction - start).length() / rules.root_need;
    RootCorrection::new(correction, 1.0 + need * need)
}

/// The mean displacement of the planted feet from their captured positions; `None` where no foot is planted.
fn mean_displacement(window: &Window, setup: &Setup, frame: usize) -> Option<Vec3> {
    let (mut sum, mut count) = (Vec3::ZERO, 0.0);
    for leg in (0..setup.legs.len()).filter(|leg| window.is_planted(frame, *leg)) {
        let slot = window.leg(frame, leg);
        sum += slot.target().position - slot.captured.ankle;
        count += 1.0;
    }
    (count > 0.0).then(|| sum / count)
}

/// Smooths the requested corrections at one frame.
pub(crate) fn smooth(window: &mut Window, setup: &Setup, frame: usize) {
    let smoothed = match setup.rules.smooth_root_across_swings {
        true => smooth_across_swings(window, setup, frame),
        false if window.last_root_request + setup.windows.root.frames < frame => {
            // In most motions all legs reach, and nothing is requested within the window.
            let has_plants = window.stances(frame).next().is_some();
            window.set_root_request_result(frame, has_plants.then_some(Vec3::ZERO), Vec3::ZERO);
            return;
        }
        false => smooth_within_stance(window, setup, frame),
    };
    let reach_deficit = match smoothed {
        Some(root) => nearest_in_reach(root, window.stances(frame), setup.rules.root_reach_limit) - root,
        None => Vec3::ZERO,
    };
    window.set_root_request_result(frame, smoothed, reach_deficit);
}

/// Adds what smoothing left out of reach: at each frame the largest deficit of the frames around, faded by its
/// distance.
pub(crate) fn ease(window: &mut Window, setup: &Setup, frame: usize) {
    let Some(smoothed) = window.root_correction(frame).filter(|_| setup.rules.ease_root) else { return };
    let ease = setup.windows.root_ease;
    let mut largest = Vec3::ZERO;
    for (at, deficit) in window.reach_deficits(window.around(Phase::RootEasing, frame, ease.frames).start) {
        let eased = deficit * math::fade(at.abs_diff(frame) as f64 / ease.length);
        if eased.length_squared() >= largest.length_squared() {
            largest = eased;
        }
    }
    // Most motions have no deficit.
    if largest == Vec3::ZERO {
        return;
    }
    let eased = nearest_in_reach(smoothed + largest, window.stances(frame), setup.rules.root_reach_limit);
    window.set_root_correction(frame, Some(eased));
}

/// The cells around a frame that have been requested, and their weights.
fn cells_around<'a>(window: &Window, setup: &'a Setup, frame: usize) -> (Range<usize>, &'a [f64x2]) {
    let (own, at) = (frame / setup.root_cell, frame % setup.root_cell);
    let weights = &setup.root_weights[at];
    let half = weights.len() / 2;
    let end = (own + half + 1).min(window.available(Phase::RootSmoothing).div_ceil(setup.root_cell));
    let start = own.saturating_sub(half);
    (start..end, &weights[start + half - own..end + half - own])
}

/// The mean of the requests over the window. Frames without plants request no correction, so that the
/// correction fades as they fill the window.
fn smooth_across_swings(window: &Window, setup: &Setup, frame: usize) -> Option<Vec3> {
    let (cells, weights) = cells_around(window, setup, frame);
    let last = (cells.end * setup.root_cell).min(window.available(Phase::RootSmoothing)) - 1;
    let is_planted =
        |leg: usize| window.contact_run(last, leg).stance_end(last) > cells.start * setup.root_cell;
    if !(0..setup.legs.len()).any(is_planted) {
        return None;
    }
    let ((twos, rest), (weights_of_twos, weights_of_rest)) =
        (window.root_cells(cells).as_chunks::<2>(), weights.as_chunks::<2>());
    // Two sums, so that the additions need not wait for each other.
    let mut sums = [RootCorrection::default(); 2];
    for (cells, weights) in twos.iter().zip(weights_of_twos) {
        sums[0].add_scaled(&cells[0], weights[0]);
        sums[1].add_scaled(&cells[1], weights[1]);
    }
    for (cell, weight) in rest.iter().zip(weights_of_rest) {
        sums[0].add_scaled(cell, *weight);
    }
    let [mut sum, other] = sums;
    sum.add_scaled(&other, f64x2::ONE);
    Some(sum.mean())
}

/// The mean of the requests over the window, within one run of frames with plants.
fn smooth_within_stance(window: &Window, setup: &Setup, frame: usize) -> Option<Vec3> {
    window.stances(frame).next()?;
    let (cells, weights) = cells_around(window, setup, frame);
    let own = frame / setup.root_cell;
    let (cells_before, cells_after) = window.root_cells(cells.clone()).split_at(own - cells.start);
    let (weights_before, weights_after) = weights.split_at(own - cells.start);
    let mut sum = RootCorrection::default();
    // A cell without plants ends the run.
    for (cell, weight) in cells_after.iter().zip(weights_after) {
        if cell.weight() == 0.0 {
            break;
        }
        sum.add_scaled(cell, *weight);
    }
    for (cell, weight) in cells_before.iter().rev().zip(weights_before.iter().rev()) {
        if cell.weight() == 0.0 {
            break;
        }
        sum.add_scaled(cell, *weight);
    }
    Some(sum.mean())
}
