//! Labelled moments: what the methods that learn from examples are fitted to.
//!
//! Each motion gives its frames, a thirtieth of a second apart, as captured and from damaged
//! copies. A frame has the label of the feet that are down; in a damaged copy a foot that is down
//! and is made to slide makes it skate as well.

use crate::damage::{Damage, damaged};
use crate::labelled::Labelled;
use surefoot_contact::features::{FeatureSpec, LegPair, View};
use surefoot_contact::svm::Label;
use surefoot_sample::{Random, Skate};

/// A foot that is down skates above the one speed and stands below the other, in legs per second:
/// 0.25 and 0.13 m/s in an adult. Between them nobody can tell. Feet that stand in a good capture
/// are below; damage by a fifth of a walk's path is at the upper one.
const SKATES: f64 = 0.3;
const STANDS: f64 = 0.15;
/// Damaged copies of each motion: one whose path is shorter, one whose path is longer, both by
/// enough to see, and one damaged as it comes.
const COPIES: u64 = 3;
/// Frames per second that are taken: neighbours look alike.
const PER_SECOND: f64 = 30.0;

/// One labelled moment.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Which motion it is of.
    pub motion: usize,
    /// Its place in the list of pairs.
    pub(crate) pair: usize,
    pub(crate) frame: usize,
    /// Left, right, both or none.
    pub feet: Label,
    /// Whether a foot that is down skates; `None` where that is not known.
    pub skates: Option<bool>,
}

impl Moment {
    /// One of the five labels, where it is known: skate comes before the feet.
    pub fn five(&self) -> Option<Label> {
        self.skates.map(|skates| if skates { Label::Skate } else { self.feet })
    }

    /// Skate, or none, where it is known.
    pub fn skate(&self) -> Option<Label> {
        self.skates.map(|skates| if skates { Label::Skate } else { Label::None })
    }
}

/// All labelled moments of some motions.
pub struct Moments {
    pairs: Vec<LegPair>,
    /// The moments.
    pub moments: Vec<Moment>,
    /// By motion, whether it is locomotion.
    pub locomotion: Vec<bool>,
    /// By motion, whether it is a jump with both feet: no locomotion, but who steps off a box takes
    /// turns with his feet and is taken for it, so locomotion's machines are shown jumps too.
    pub jumps: Vec<bool>,
}

impl Moments {
    /// The moments of these motions, as captured and damaged. The seed draws the damage.
    pub fn new(all: &[&Labelled], seed: u64) -> Self {
        let locomotion = all.iter().map(|labelled| is_locomotion(labelled)).collect();
        let jumps = all.iter().map(|labelled| labelled.about.kind.contains("jump")).collect();
        let mut moments = Self { pairs: Vec::new(), moments: Vec::new(), locomotion, jumps };
        for (motion, labelled) in all.iter().enumerate() {
            let Some(captured) = pair(labelled) else { continue };
            let captured = moments.add(motion, labelled, captured, None);
            for copy in 0..COPIES {
                let seed = seed.wrapping_add(1_000 * motion as u64 + copy);
                let mut random = Random::new(seed, 0);
                let damage = match copy {
                    0 => Damage::Skate(Skate::Scale(random.between(0.75, 0.85))),
                    1 => Damage::Skate(Skate::Scale(random.between(1.18, 1.32))),
                    _ => Damage::drawn(&mut random),
                };
                let damaged = damaged(labelled, damage, seed);
                if let Some(pair) = pair(&damaged) {
                    moments.add(motion, &damaged, pair, Some(captured));
                }
            }
        }
        moments
    }

    /// Adds a motion's frames, and says where its pair is.
    fn add(&mut self, motion: usize, labelled: &Labelled, pair: LegPair, captured: Option<usize>) -> usize {
        let step = ((labelled.motion.fps / PER_SECOND + 0.5) as usize).max(1);
        let moves = ground_moves(captured.map_or(&pair, |captured| &self.pairs[captured]), labelled);
        let number = self.pairs.len();
        for frame in (0..pair.frames()).step_by(step) {
            let label = |leg: usize| labelled.down[leg][frame + labelled.first_frame];
            let (Some(left), Some(right)) = (label(0), label(1)) else { continue };
            let down = [left, right];
            let skates = match captured {
                _ if moves => None,
                None => Some(false),
                Some(captured) => {
                    skates(down, pair.slide_speeds(frame), self.pairs[captured].slide_speeds(frame))
                }
            };
            self.moments.push(Moment { motion, pair: number, frame, feet: Label::from_feet(down), skates });
        }
        self.pairs.push(pair);
        number
    }

    /// Adds a moment's numbers behind what is there.
    pub fn vector(&self, moment: &Moment, features: FeatureSpec, view: View, numbers: &mut Vec<f32>) {
        self.pairs[moment.pair].feature_vector(moment.frame, features, view, numbers);
    }

    /// How much the feet go their own ways in a moment.
    pub fn strides(&self, moment: &Moment) -> f64 {
        self.pairs[moment.pair].stride_speed(moment.frame)
    }
}

/// At most `count` of these moments, of those that have a label, drawn with the seed.
///
/// As often as they come, but of a rare label at least `least`, or all there are: who is never
/// shown a label never tells it.
pub(crate) fn draw<'a>(
    moments: impl Iterator<Item = &'a Moment>,
    label: impl Fn(&Moment) -> Option<Label>,
    count: usize,
    least: usize,
    seed: u64,
) -> Vec<Moment> {
    let mut all: Vec<Moment> = moments.filter(|moment| label(moment).is_some()).copied().collect();
    let mut random = Random::new(seed, 1);
    for at in (1..all.len()).rev() {
        all.swap(at, random.below(at + 1));
    }
    // The first of each label come first, the rest behind them as they are.
    let mut seen = [0; Label::ALL.len()];
    let (mut first, mut rest) = (Vec::new(), Vec::new());
    for moment in all {
        let count = &mut seen[label(&moment).map_or(0, |label| label as usize)];
        *count += 1;
        if *count <= least { first.push(moment) } else { rest.push(moment) }
    }
    first.extend(rest);
    first.truncate(count);
    first
}

/// Whether damage makes a foot that is down skate, by how fast each slides now and slid before.
///
/// One that slid before as well comes or goes; of it, as of one that creeps, nobody can tell.
fn skates(down: [bool; 2], now: [f64; 2], before: [f64; 2]) -> Option<bool> {
    let feet = || (0..2).filter(|&foot| down[foot]);
    if feet().any(|foot| now[foot] > SKATES && before[foot] < STANDS) {
        return Some(true);
    }
    feet().all(|foot| now[foot] < STANDS).then_some(false)
}

/// Whether feet that are down slide for most of the time as captured: then they are on a
/// treadmill, and nobody knows what skates.
fn ground_moves(captured: &LegPair, labelled: &Labelled) -> bool {
    let (mut slides, mut down) = (0, 0);
    for frame in 0..captured.frames() {
        for foot in (0..2).filter(|&foot| labelled.down[foot][frame + labelled.first_frame] == Some(true)) {
            slides += usize::from(captured.slide_speeds(frame)[foot] > SKATES);
            down += 1;
        }
    }
    2 * slides > down
}

/// The first pair of legs; a motion with fewer has none.
fn pair(labelled: &Labelled) -> Option<LegPair> {
    let [left, right, ..] = labelled.legs.as_slice() else { return None };
    Some(LegPair::new(&labelled.motion, left, right, labelled.first_frame))
}

/// Kinds of motion in which the feet do not take turns.
const IN_PLACE: [&str; 5] = ["jump", "sit", "squat", "stand", "other"];

/// Whether a motion is locomotion, by its kind: walks, turns, runs and the like. Jumps with both
/// feet are not, though the thesis counts them in: its other motions are punches and kicks, and
/// ours sit and squat.
pub fn is_locomotion(labelled: &Labelled) -> bool {
    !IN_PLACE.iter().any(|word| labelled.about.kind.contains(word))
}
