//! Pairs the steps of two motions by the phase of the gait.
//!
//! The poses of a walk and a run differ in every frame, so their distance says little about which frames belong
//! together. Feet that land at the same time do: a step of one motion is paired with a step of the same foot of the other.

use surefoot_core::{Footplants, FrameRange};

use crate::landings::landing_sequence;

/// Largest number of landings at each end of a motion that may stay without a partner: a first step with the other foot,
/// and a last one that closes the feet.
const MAX_UNPAIRED: usize = 1;

/// Smallest number of paired landings. A single one does not show a rhythm.
const MIN_PAIRED: usize = 2;

/// Pairs the landings of two motions that take the same steps; `None` if they take others.
pub(super) fn paired_landings(plants: [&Footplants; 2], fps: f64) -> Option<Vec<(usize, usize)>> {
    let [first, second] = plants.map(|plants| landing_sequence(plants, fps));
    let (skipped, count) = longest_match(&first, &second)?;
    let left = [first.len() - skipped[0] - count, second.len() - skipped[1] - count];
    (left.iter().all(|&left| left <= MAX_UNPAIRED)).then(|| pairs(&first, &second, skipped, count))
}

/// The frames of both motions from the first paired landing to the last, and the number of paired landings.
///
/// Motions cut to these frames take the same steps. `None` if there are fewer than two such landings.
pub fn paired_steps(plants: [&Footplants; 2], fps: f64) -> Option<([FrameRange; 2], usize)> {
    let [first, second] = plants.map(|plants| landing_sequence(plants, fps));
    let (skipped, count) = longest_match(&first, &second)?;
    let pairs = pairs(&first, &second, skipped, count);
    let (start, end) = (pairs.first()?, pairs.last()?);
    Some(([start.0..end.0 + 1, start.1..end.1 + 1], count))
}

fn pairs(
    first: &[(usize, usize)],
    second: &[(usize, usize)],
    skipped: [usize; 2],
    count: usize,
) -> Vec<(usize, usize)> {
    let pairs = first[skipped[0]..].iter().zip(&second[skipped[1]..]).take(count);
    pairs.map(|(a, b)| (a.0, b.0)).collect()
}

/// The landings to skip at the start of each motion, and the number of landings of the same feet from there on.
fn longest_match(first: &[(usize, usize)], second: &[(usize, usize)]) -> Option<([usize; 2], usize)> {
    let count = |[a, b]: [usize; 2]| {
        let pairs = first.iter().skip(a).zip(second.iter().skip(b));
        pairs.take_while(|(one, other)| one.1 == other.1).count()
    };
    let all = [[0, 0], [0, 1], [1, 0]].map(|skipped| (skipped, count(skipped)));
    let best = all.into_iter().rev().max_by_key(|(_, count)| *count)?;
    (best.1 >= MIN_PAIRED).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::{FootPoint, Plant};

    /// Plants of steps of alternating feet: the foot of the first step and the frames of the landings.
    fn steps(leg: usize, landings: &[usize]) -> Footplants {
        let plant =
            |(n, &frame): (usize, &usize)| Plant::new((leg + n) % 2, FootPoint::Heel, frame..frame + 8);
        Footplants { plants: landings.iter().enumerate().map(plant).collect() }
    }

    #[test]
    fn landings_of_the_same_foot_are_paired() {
        let (walk, run) = (steps(0, &[10, 30, 50, 70]), steps(0, &[5, 15, 25, 35]));
        let pairs = paired_landings([&walk, &run], 30.0).unwrap();
        assert_eq!(pairs, [(10, 5), (30, 15), (50, 25), (70, 35)]);
        let other_foot_first = steps(1, &[2, 5, 15, 25, 35]);
        let pairs = paired_landings([&walk, &other_foot_first], 30.0).unwrap();
        assert_eq!(pairs, [(10, 5), (30, 15), (50, 25), (70, 35)]);
    }

    #[test]
    fn motions_with_other_steps_are_not_paired_but_can_be_cut() {
        let (walk, run) = (steps(0, &[10, 30, 50]), steps(0, &[5, 15, 25, 35, 45, 55]));
        assert_eq!(paired_landings([&walk, &run], 30.0), None);
        assert_eq!(paired_steps([&walk, &run], 30.0), Some(([10..51, 5..26], 3)));
        assert_eq!(paired_steps([&walk, &Footplants::default()], 30.0), None);
    }
}
