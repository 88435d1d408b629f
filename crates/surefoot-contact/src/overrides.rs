//! Corrects detected plants where it is known when a foot is down.

use crate::signal::work;
use crate::stances::{Stance, plants_by_height};
use crate::tracks::PointTracks;
use surefoot_core::{Floor, Footplants, FrameRange, Leg, Motion, Plant};

/// Frames in which it is known whether a foot is down, for example from a gait lab's events.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactOverride {
    /// Index of the leg.
    pub leg: usize,
    /// The frames. The foot touches down or lifts off at both ends.
    pub frames: FrameRange,
    /// Whether the foot is down in these frames.
    pub is_down: bool,
}

/// Distance up to which a detected edge is moved to a known edge, in seconds. Detected edges are
/// rarely this far off, and no foot steps twice in so short a time.
const MAX_EDGE_SHIFT: f64 = 0.15;

/// Returns the detected plants, corrected by the overrides.
///
/// A foot that is known to be down is planted from the first frame of the override to the last.
/// Frames without an override keep their detected state. Overrides outside the motion are ignored.
pub fn apply_overrides(
    detected: &Footplants,
    motion: &Motion,
    legs: &[Leg],
    floor: Option<&Floor>,
    first_frame: usize,
    overrides: &[ContactOverride],
) -> Footplants {
    let hands = detected.plants.iter().filter(|plant| legs.get(plant.leg).is_some_and(Leg::is_arm)).cloned();
    let legs = Leg::without_arms(legs);
    let tracks = PointTracks::new(motion, legs, floor, first_frame);
    let is_valid = |known: &&ContactOverride| {
        let ContactOverride { leg, frames, .. } = known;
        *leg < legs.len()
            && frames.start >= first_frame
            && frames.end <= motion.frames()
            && !frames.is_empty()
    };
    let overrides: Vec<&ContactOverride> = overrides.iter().filter(is_valid).collect();
    let max_shift = tracks.frames_in(MAX_EDGE_SHIFT);
    let known_stance =
        |known: &&ContactOverride| Stance { leg: known.leg, frames: known.frames.clone(), confidence: None };
    let mut plants = Footplants { plants: hands.collect() };
    let mut stances: Vec<Stance> = overrides.iter().filter(|known| known.is_down).map(known_stance).collect();
    for leg in 0..legs.len() {
        let mut known: Vec<&ContactOverride> =
            overrides.iter().copied().filter(|known| known.leg == leg).collect();
        known.sort_by_key(|known| known.frames.start);
        let mut known = &known[..];
        for DetectedStance { stance, plants: detected } in detected_stances(detected, leg) {
            known = without_passed(known, &stance.frames, max_shift);
            let parts = outside_overrides(&stance.frames, known, max_shift);
            if parts == [stance.frames.clone()] {
                plants.plants.extend(detected.into_iter().cloned());
            } else {
                stances.extend(parts.into_iter().map(|frames| Stance { frames, ..stance.clone() }));
            }
        }
    }
    plants.plants.extend(plants_by_height(&stances, &tracks, first_frame).plants);
    plants.sort();
    plants
}

/// The frames in which the heel or the ball of a foot is planted, and these plants.
struct DetectedStance<'a> {
    stance: Stance,
    plants: Vec<&'a Plant>,
}

/// The detected stances of a leg, in the order of time.
fn detected_stances(detected: &Footplants, leg: usize) -> Vec<DetectedStance<'_>> {
    let mut own: Vec<&Plant> = detected.plants.iter().filter(|plant| plant.leg == leg).collect();
    own.sort_by_key(|plant| plant.frames.start);
    let mut stances: Vec<DetectedStance> = Vec::new();
    for plant in own {
        match stances.last_mut() {
            Some(last) if plant.frames.start <= last.stance.frames.end => {
                last.stance.frames.end = last.stance.frames.end.max(plant.frames.end);
                last.plants.push(plant);
            }
            _ => stances.push(DetectedStance {
                stance: Stance { leg, frames: plant.frames.clone(), confidence: plant.confidence },
                plants: vec![plant],
            }),
        }
    }
    stances
}

/// The overrides without the first ones that end too long before these frames to change them.
fn without_passed<'a, 'b>(
    overrides: &'b [&'a ContactOverride],
    frames: &FrameRange,
    max_shift: usize,
) -> &'b [&'a ContactOverride] {
    let has_passed = |known: &&&ContactOverride| known.frames.end + max_shift < frames.start;
    let passed = overrides.iter().take_while(has_passed).count();
    work::count(passed + 1);
    &overrides[passed..]
}

/// The parts of a detected stance outside all overrides, with their edges moved to nearby known edges.
///
/// The overrides are in the order of time, so that each can only change what the ones before it have left at the end.
fn outside_overrides(
    frames: &FrameRange,
    overrides: &[&ContactOverride],
    max_shift: usize,
) -> Vec<FrameRange> {
    let mut parts = Vec::new();
    let mut rest = Some(frames.clone());
    for known in overrides {
        let Some(part) = rest.take_if(|part| known.frames.start <= part.end + max_shift) else { break };
        work::count(1);
        let [before, after] = cut(part, known, max_shift);
        parts.extend(Some(before).filter(|part| !part.is_empty()));
        rest = Some(after).filter(|part| !part.is_empty());
    }
    parts.extend(rest);
    parts
}

/// The parts of a detected stance before and after one override. Either may be empty.
fn cut(part: FrameRange, known: &ContactOverride, max_shift: usize) -> [FrameRange; 2] {
    let mut before = part.start..part.end.min(known.frames.start);
    let mut after = part.start.max(known.frames.end)..part.end;
    let overlaps = part.start < known.frames.end && part.end > known.frames.start;
    if known.is_down && overlaps {
        // The foot touches down where the override starts, so earlier frames are the same stance detected too early;
        // likewise at its end.
        (before.end, after.start) = (before.start, after.end);
    }
    if !known.is_down {
        // The foot lifts off where the override starts and touches down where it ends.
        if before.len() > max_shift && before.end + max_shift >= known.frames.start {
            before.end = known.frames.start;
        }
        if after.len() > max_shift && after.start <= known.frames.end + max_shift {
            after.start = known.frames.end;
        }
    }
    [before, after]
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "the expected lists hold one range")]
mod tests {
    use super::*;

    fn known(frames: FrameRange, is_down: bool) -> ContactOverride {
        ContactOverride { leg: 0, frames, is_down }
    }

    #[track_caller]
    fn check(frames: FrameRange, overrides: &[ContactOverride], expected: &[FrameRange]) {
        let overrides: Vec<&ContactOverride> = overrides.iter().collect();
        assert_eq!(outside_overrides(&frames, &overrides, 15), expected);
    }

    #[test]
    fn a_detected_stance_that_overlaps_a_known_one_is_replaced() {
        check(90..160, &[known(100..150, true)], &[]);
        check(0..40, &[known(100..150, true)], &[0..40]);
    }

    #[test]
    fn a_detected_edge_moves_to_a_known_edge_nearby() {
        check(50..95, &[known(100..150, false)], &[50..100]);
        check(50..108, &[known(100..150, false)], &[50..100]);
        check(152..200, &[known(100..150, false)], &[150..200]);
        check(110..120, &[known(100..150, false)], &[]);
    }

    #[test]
    fn several_overrides_cut_one_stance() {
        let known = [known(100..110, false), known(120..130, false), known(300..350, true)];
        check(50..200, &known, &[50..100, 110..120, 130..200]);
        check(50..310, &known, &[50..100, 110..120]);
        check(135..290, &known, &[130..290]);
    }

    #[test]
    fn a_stance_far_from_all_overrides_is_unchanged() {
        check(10..40, &[known(100..150, false), known(150..200, true)], &[10..40]);
    }

    /// Steps of 20 frames: down for ten, then up. `is_one_stance` detects one stance instead.
    fn visits(steps: usize, is_one_stance: bool) -> usize {
        let sample = surefoot_sample::make(&surefoot_sample::Recipe {
            kind: surefoot_sample::Kind::Stand,
            ..surefoot_sample::Recipe::default()
        });
        let surefoot_sample::Sample { mut motion, legs, .. } = sample.unwrap();
        let pose = motion.poses[0].clone();
        motion.poses.resize(20 * steps, pose);
        let plant = |frames: FrameRange| Plant::new(0, surefoot_core::FootPoint::Heel, frames);
        let steps = || (0..steps).map(|step| 20 * step..20 * step + 10);
        let detected: Vec<Plant> =
            if is_one_stance { vec![plant(0..motion.frames())] } else { steps().map(plant).collect() };
        let overrides: Vec<ContactOverride> = steps()
            .flat_map(|step| {
                [known(step.start + 1..step.end, !is_one_stance), known(step.end..step.end + 10, false)]
            })
            .collect();
        let detected = Footplants { plants: detected };
        work::measure(|| apply_overrides(&detected, &motion, &legs, None, 0, &overrides))
    }

    #[test]
    fn the_work_is_linear_in_stances_and_overrides() {
        for is_one_stance in [false, true] {
            let (few, many) = (visits(100, is_one_stance), visits(800, is_one_stance));
            assert!(few > 100 && many < 9 * few, "{few} and {many} visits, one stance: {is_one_stance}");
        }
    }
}
