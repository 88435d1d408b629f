//! The knee filter: a local linear fit of the knee's bend and the leg's swivel over the stance.
//!
//! A planted foot passes the jitter of hip and capture on to the knee. The filter fits a line to the
//! corrections of the frames around and takes its value at the frame: a line, not a mean, so that the
//! value is right at the edges of a stance too, where all frames are on one side.

use core::ops::Range;

use surefoot_core::Vec3;
use wide::f64x2;

use super::filter_weights::WeightSums;
use super::leg_ik::NO_LENGTH;
use crate::phases::Phase;
use crate::setup::Setup;
use crate::stream::slots::{KneeCorrection, PackedKneeCorrection};
use crate::stream::window::Window;

/// Resistance of the line to a slope where the frames are on one side, as a fraction of the resistance
/// of a full filter.
///
/// Without it a correction that grows towards the edge of the stance gives a steep line there, and the
/// knee would start or stop as steeply beyond the edge. At 1 the bones reach their stretch limit and
/// knees make up for it abruptly.
const EDGE_STIFFNESS: f64 = 0.5;

/// Bend at which half of the resistance is left, in radians. A knee that is bent further gains so much
/// reach per degree that the bones would have to stretch far for the bend that it lacks.
const STIFFNESS_HALF_BEND: f64 = 0.3;

/// The filtered bend and swivel of a planted leg at a frame.
pub(crate) fn filter(window: &Window, setup: &Setup, frame: usize, leg: usize) -> KneeCorrection {
    let range = &window.around(Phase::KneeFilter, frame, setup.windows.knee.frames);
    let last = range.end - 1;
    let (run, last_run) = (window.contact_run(frame, leg), window.contact_run(last, leg));
    let is_planted_throughout =
        run.planted_frames() > frame - range.start && last_run.planted_frames() > last - frame;
    let weights = &setup.knee_weights.weights;
    if !is_planted_throughout || range.len() != weights.len() {
        return fit_at_edge(window, setup, frame, leg, range);
    }
    // With as many frames on either side the slope of the line drops out, and its value is the mean.
    let requests = window.knee_requests(leg, range.clone());
    // Four sums, since a single one would have to wait for itself at every frame.
    let mut sums = [f64x2::ZERO; 4];
    let ((fours, rest), (weights_of_fours, weights_of_rest)) =
        (requests.as_chunks::<4>(), weights.as_chunks::<4>());
    for (requests, weights) in fours.iter().zip(weights_of_fours) {
        for n in 0..4 {
            sums[n] += requests[n].0 * weights[n].weight;
        }
    }
    for (request, weight) in rest.iter().zip(weights_of_rest) {
        sums[0] += request.0 * weight.weight;
    }
    let sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    let total = setup.knee_weights.sums[weights.len()].weight;
    let [bend, swivel] = sum.to_array().map(|sum| sum / total);
    KneeCorrection { bend, swivel }
}

/// Weighted sums of the requests.
#[derive(Clone, Copy)]
struct RequestSums {
    value: f64x2,
    /// Times the distance in frames.
    value_times_distance: f64x2,
}

impl RequestSums {
    const ZERO: Self = Self { value: f64x2::ZERO, value_times_distance: f64x2::ZERO };
}

/// The fit where not all frames of the filter belong to this stance.
#[inline(never)]
fn fit_at_edge(
    window: &Window,
    setup: &Setup,
    frame: usize,
    leg: usize,
    range: &Range<usize>,
) -> KneeCorrection {
    let start = range.start.max(frame + 1 - window.contact_run(frame, leg).planted_frames());
    let last = range.end - 1;
    let end = match window.contact_run(last, leg).planted_frames() > last - frame {
        true => range.end,
        false => (frame..last).find(|&at| !window.is_planted(at, leg)).unwrap_or(last),
    };
    // Another stance may lie within the filter.
    let has_stance_before =
        start > range.start && window.contact_run(start - 1, leg).stance_end(start - 1) > range.start;
    let has_stance_after = end < range.end && window.contact_run(last, leg).stance_end(last) > end;
    if has_stance_before || has_stance_after {
        return fit_across_gaps(window, setup, frame, leg, range);
    }
    let knee = &setup.knee_weights;
    let half = setup.windows.knee.frames;
    let (first, last) = (start + half - frame, end + half - frame);
    let mut sums = RequestSums::ZERO;
    for (request, weight) in window.knee_requests(leg, start..end).iter().zip(&knee.weights[first..last]) {
        sums.value += weight.weight * request.0;
        sums.value_times_distance += weight.weight_times_distance * request.0;
    }
    let mut weights = knee.sums[last].minus(&knee.sums[first]);
    weights.distance_squared += edge_stiffness(window, setup, frame, leg);
    line_value(sums, weights)
}

/// The fit over several stances: across a gap this short one stance hands the knee to the next, and their
/// corrections may differ by more than the knee should rotate in that time.
#[cold]
#[inline(never)]
fn fit_across_gaps(
    window: &Window,
    setup: &Setup,
    frame: usize,
    leg: usize,
    range: &Range<usize>,
) -> KneeCorrection {
    let (mut sums, mut weight_sums) = (RequestSums::ZERO, WeightSums::default());
    let weights = &setup.knee_weights.weights[range.start + setup.windows.knee.frames - frame..];
    let requests = window.knee_requests(leg, range.clone());
    for ((at, PackedKneeCorrection(request)), weight) in range.clone().zip(requests).zip(weights) {
        if window.is_planted(at, leg) {
            sums.value += weight.weight * *request;
            sums.value_times_distance += weight.weight_times_distance * *request;
            let ([weight, _], [along, _]) =
                (weight.weight.to_array(), weight.weight_times_distance.to_array());
            weight_sums.weight += weight;
            weight_sums.distance += along;
            weight_sums.distance_squared += along * (at as f64 - frame as f64);
        }
    }
    line_value(sums, weight_sums)
}

/// Resistance of the line to a slope, in the unit of the weighted squared distances.
///
/// The whole bend of a nearly straight knee makes little reach, which the bones can spare unless they are
/// stretched already.
fn edge_stiffness(window: &Window, setup: &Setup, frame: usize, leg: usize) -> f64 {
    let stance = window.stance(frame, leg);
    let reach = (stance.hip_to_target - window.root_correction(frame).unwrap_or(Vec3::ZERO)).length();
    let stretch = (reach / stance.bones.longest().max(NO_LENGTH) - 1.0).max(0.0) / setup.rules.stretch_limit;
    let spare = (1.0 - stretch * stretch).max(0.0);
    let [request, _] = window.knee_requests(leg, frame..frame + 1)[0].0.to_array();
    let bend = (stance.bones.bend + request) / STIFFNESS_HALF_BEND;
    let full = setup.knee_weights.sums[setup.knee_weights.weights.len()].distance_squared;
    EDGE_STIFFNESS * full * spare / (1.0 + bend * bend)
}

/// The value at distance 0 of the line through the requests, by weighted least squares.
fn line_value(sums: RequestSums, weights: WeightSums) -> KneeCorrection {
    let WeightSums { weight, distance, distance_squared } = weights;
    let determinant = weight * distance_squared - distance * distance;
    let (values, along) = (sums.value.to_array(), sums.value_times_distance.to_array());
    // A single frame determines no slope.
    let [bend, swivel] = core::array::from_fn(|n| match determinant < 1e-9 {
        true => values[n] / weight,
        false => (values[n] * distance_squared - along[n] * distance) / determinant,
    });
    KneeCorrection { bend, swivel }
}
