//! Which of heel and ball is down while a foot is?
//!
//! Labs, force plates and the methods that learn from them speak of whole feet. In a stance a
//! point is down from the first to the last frame in which it is at the height at which it rests;
//! the first of the two comes down with the foot, and the last to leave leaves with it.

use crate::settings::Settings;
use crate::speed_height::ranks::at_share;
use crate::speed_height::still::{exact_rests, runs_where};
use crate::speed_height::track::{Track, Tracks};
use surefoot_core::math::floor;
use surefoot_core::{Floor, Footplants, FrameRange, Leg, Motion, Plant};

/// A foot that is down for a while. Frames are the motion's.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stance {
    pub leg: usize,
    pub frames: FrameRange,
    pub confidence: Option<f64>,
}

/// Seconds for which a foot that is down may be taken to be up: in less no foot is lifted and put
/// down again, and single frames are told wrong.
const CLOSES: f64 = 0.06;

/// The stances of a leg, from how sure it is frame by frame that its foot is down; from a half on
/// it is. Frames are counted from the first of the performance.
pub(crate) fn stances(leg: usize, sure: &[f64], fps: f64, settings: &Settings) -> Vec<Stance> {
    let frames_in = |seconds: f64| floor(seconds * fps + 0.5) as usize;
    let mut runs: Vec<FrameRange> = Vec::new();
    for run in runs_where(|frame| sure[frame] >= 0.5, 0..sure.len()) {
        match runs.last_mut() {
            Some(last) if run.start - last.end <= frames_in(CLOSES) => last.end = run.end,
            _ => runs.push(run),
        }
    }
    runs.retain(|run| run.len() >= frames_in(settings.shortest_plant).max(1));
    let stance = |run: FrameRange| {
        let mean = sure[run.clone()].iter().sum::<f64>() / run.len() as f64;
        let confidence = Some(floor(100.0 * mean.clamp(0.0, 1.0) + 0.5) / 100.0);
        let frames = run.start + settings.first_frame..run.end + settings.first_frame;
        Stance { leg, frames, confidence }
    };
    runs.into_iter().map(stance).collect()
}

/// The share of a stance's frames in which a point is at rest or lower.
const AT_REST: f64 = 0.25;
/// Above this a point rests no more, in legs: 1.3 cm in an adult. Lower, and jitter ends plants;
/// higher, and a heel that rolls off is held. Less where a point wobbles less: so many times the
/// depth of its dips, for heel and ball; a made motion rests to 10 µm.
const RISES: f64 = 0.015;
const WOBBLES: [f64; 2] = [3.0, 40.0];
const DIPS: f64 = 0.1;
const RESTS: f64 = 1e-5;
/// A point that rests higher than this above where it usually does, while the other does not, is
/// up, in legs: 3.5 cm in an adult. A runner on his toes lifts the heel by 5.
const RAISED: f64 = 0.04;

/// The plants of heels and balls in stances that were told.
///
/// Whoever learned from force plates tells when a foot touches, toes and all. In made and cleaned motions points rest
/// to the last digit, and there a plant is that rest.
pub(crate) fn told(
    stances: &[Stance],
    tracks: &Tracks,
    first_frame: usize,
    settings: &Settings,
) -> Footplants {
    let rests: Vec<Vec<FrameRange>> =
        tracks.tracks.iter().map(|track| exact_rests(track, tracks, settings)).collect();
    let mut plants = Footplants::default();
    let mut captured = Vec::new();
    for stance in stances {
        let frames = stance.frames.start - first_frame..stance.frames.end - first_frame;
        let points = [2 * stance.leg, 2 * stance.leg + 1];
        let shared =
            |rest: &FrameRange| rest.end.min(frames.end).saturating_sub(rest.start.max(frames.start));
        let own = points.iter().flat_map(|&point| &rests[point]);
        let own: Vec<&FrameRange> =
            own.filter(|rest| 2 * shared(rest) > rest.len().min(frames.len())).collect();
        // A foot that rests on one point while it is told to be down is down for as long as it rests on the other
        // with it.
        let is_in = |rest: &&FrameRange| own.iter().any(|own| rest.start < own.end && own.start < rest.end);
        let before = plants.plants.len();
        for point in points {
            plants.plants.extend(rests[point].iter().filter(is_in).map(|rest| Plant {
                leg: stance.leg,
                point: tracks.tracks[point].point,
                frames: rest.start + first_frame..rest.end + first_frame,
                spot: None,
                confidence: stance.confidence,
            }));
        }
        if plants.plants.len() == before {
            captured.push(stance.clone());
        }
    }
    // Where points rest to the last digit in most stances they do so in all, and the others are none.
    if 2 * captured.len() > stances.len() {
        plants.plants.extend(apart(&captured, tracks, first_frame).plants);
    }
    plants.sort();
    // A rest that reaches through two stances is one plant.
    plants.plants.dedup_by(|b, a| a.leg == b.leg && a.point == b.point && b.frames.start < a.frames.end);
    plants
}

/// The plants of heels and balls in these stances.
pub(crate) fn apart(stances: &[Stance], tracks: &Tracks, first_frame: usize) -> Footplants {
    let usual: Vec<f64> = tracks.tracks.iter().map(|track| usual(track, stances, first_frame)).collect();
    let mut plants = Footplants::default();
    for stance in stances {
        let frames = stance.frames.start - first_frame..stance.frames.end - first_frame;
        let points = [2 * stance.leg, 2 * stance.leg + 1];
        let rests = points.map(|point| at_share(&tracks.tracks[point].heights[frames.clone()], AT_REST));
        let above = [0, 1].map(|point| rests[point] - usual[points[point]]);
        let is_down = [above[0] - above[1] < RAISED, above[1] - above[0] < RAISED];
        let mut runs = [0, 1].map(|point| {
            let heights = &tracks.tracks[points[point]].heights;
            let dips = rests[point] - at_share(&heights[frames.clone()], DIPS);
            let high = rests[point] + (WOBBLES[point] * dips).clamp(RESTS, RISES);
            let rests = |frame: &usize| heights[*frame] <= high;
            let first = frames.clone().find(rests).unwrap_or(frames.start);
            let last = frames.clone().rfind(rests).unwrap_or(frames.start);
            first..last + 1
        });
        // One that is up has no say in when the foot comes and goes.
        let of = |point: usize| if is_down[point] { Some(point) } else { None };
        let downs: Vec<usize> = [0, 1].into_iter().filter_map(of).collect();
        if let Some(&first) = downs.iter().min_by_key(|point| runs[**point].start) {
            runs[first].start = frames.start;
        }
        if let Some(&last) = downs.iter().max_by_key(|point| runs[**point].end) {
            runs[last].end = frames.end;
        }
        for point in downs {
            plants.plants.push(Plant {
                leg: stance.leg,
                point: tracks.tracks[points[point]].point,
                frames: runs[point].start + first_frame..runs[point].end + first_frame,
                spot: None,
                confidence: stance.confidence,
            });
        }
    }
    plants.sort();
    plants
}

/// The height at which a point usually rests while its foot is down.
fn usual(track: &Track, stances: &[Stance], first_frame: usize) -> f64 {
    let own = stances.iter().filter(|stance| stance.leg == track.leg);
    let frames = |stance: &Stance| stance.frames.start - first_frame..stance.frames.end - first_frame;
    let heights: Vec<f64> = own.flat_map(|stance| &track.heights[frames(stance)]).copied().collect();
    at_share(&heights, AT_REST)
}

/// Frames of which somebody knows whether a foot is down: a gait lab's events, for one.
#[derive(Clone, Debug, PartialEq)]
pub struct Overrides {
    /// Which leg: its place in the list of legs.
    pub leg: usize,
    /// The frames; each end is a moment at which the foot came down or left.
    pub frames: FrameRange,
    /// Down, or up.
    pub is_down: bool,
}

/// A found foot that comes or goes this near to a moment that is known does so at that moment, in
/// seconds.
const SAME_EDGE: f64 = 0.15;

/// Found plants, put right where it is known when a foot is down.
///
/// Feet that are down are so from the first frame given to the last; what was found stays where
/// nothing is given.
pub fn put_right(
    found: &Footplants,
    motion: &Motion,
    legs: &[Leg],
    floor: Option<&Floor>,
    first_frame: usize,
    given: &[Overrides],
) -> Footplants {
    let tracks = Tracks::new(motion, legs, floor, first_frame);
    let fits = |given: &&Overrides| {
        let Overrides { leg, frames, .. } = given;
        *leg < legs.len()
            && frames.start >= first_frame
            && frames.end <= motion.frames()
            && !frames.is_empty()
    };
    let given: Vec<&Overrides> = given.iter().filter(fits).collect();
    let near = tracks.frames_in(SAME_EDGE);
    let mut kept = Footplants::default();
    let mut stances: Vec<Stance> = Vec::new();
    for given in given.iter().filter(|given| given.is_down) {
        stances.push(Stance { leg: given.leg, frames: given.frames.clone(), confidence: None });
    }
    for leg in 0..legs.len() {
        let known: Vec<&Overrides> = given.iter().copied().filter(|given| given.leg == leg).collect();
        for whole in feet(found, leg) {
            let parts = outside(&whole.frames, &known, near);
            if parts == [whole.frames.clone()] {
                let inside = |plant: &&Plant| plant.leg == leg && whole.frames.contains(&plant.frames.start);
                kept.plants.extend(found.plants.iter().filter(inside).cloned());
            } else {
                stances.extend(parts.into_iter().map(|frames| Stance { frames, ..whole.clone() }));
            }
        }
    }
    kept.plants.extend(apart(&stances, &tracks, first_frame).plants);
    kept.sort();
    kept
}

/// When a foot is found to be down, by heel or ball.
fn feet(found: &Footplants, leg: usize) -> Vec<Stance> {
    let mut own: Vec<&Plant> = found.plants.iter().filter(|plant| plant.leg == leg).collect();
    own.sort_by_key(|plant| plant.frames.start);
    let mut feet: Vec<Stance> = Vec::new();
    for plant in own {
        match feet.last_mut() {
            Some(last) if plant.frames.start <= last.frames.end => {
                last.frames.end = last.frames.end.max(plant.frames.end);
            }
            _ => feet.push(Stance { leg, frames: plant.frames.clone(), confidence: plant.confidence }),
        }
    }
    feet
}

/// What of these frames is outside all that is known, its edges at the moments that are.
fn outside(frames: &FrameRange, known: &[&Overrides], near: usize) -> Vec<FrameRange> {
    let mut parts = vec![frames.clone()];
    for given in known {
        let cut = |part: FrameRange| {
            let mut before = part.start..part.end.min(given.frames.start);
            let mut after = part.start.max(given.frames.end)..part.end;
            // The foot has just come down where `given` begins: what was found before is the same
            // stance, begun too early. And the same at its end.
            let touches = part.start < given.frames.end && part.end > given.frames.start;
            if given.is_down && touches {
                (before.end, after.start) = (before.start, after.end);
            }
            // The foot leaves where `given` begins, so it is down until then.
            if !given.is_down {
                if before.len() > near && before.end + near >= given.frames.start {
                    before.end = given.frames.start;
                }
                if after.len() > near && after.start <= given.frames.end + near {
                    after.start = given.frames.end;
                }
            }
            [before, after].into_iter().filter(|part| !part.is_empty())
        };
        parts = parts.into_iter().flat_map(cut).collect();
        parts.dedup();
    }
    parts
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "lists of one range are meant")]
mod tests {
    use super::*;

    fn given(frames: FrameRange, is_down: bool) -> Overrides {
        Overrides { leg: 0, frames, is_down }
    }

    #[track_caller]
    fn check(frames: FrameRange, known: &[Overrides], expected: &[FrameRange]) {
        let known: Vec<&Overrides> = known.iter().collect();
        assert_eq!(outside(&frames, &known, 15), expected);
    }

    #[test]
    fn what_is_found_beside_a_known_stance_is_part_of_it() {
        check(90..160, &[given(100..150, true)], &[]);
        check(0..40, &[given(100..150, true)], &[0..40]);
    }

    #[test]
    fn a_stance_with_one_known_edge_ends_there() {
        check(50..95, &[given(100..150, false)], &[50..100]);
        check(50..108, &[given(100..150, false)], &[50..100]);
        check(152..200, &[given(100..150, false)], &[150..200]);
        check(110..120, &[given(100..150, false)], &[]);
    }

    #[test]
    fn what_lies_far_from_all_that_is_known_stays() {
        check(10..40, &[given(100..150, false), given(150..200, true)], &[10..40]);
    }
}
