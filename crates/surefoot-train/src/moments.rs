//! Labelled moments: what the methods that learn from examples are fitted to.
//!
//! Each motion gives its frames, a thirtieth of a second apart, as captured and from damaged
//! copies. A frame has the label of the feet that are down; in a damaged copy a foot that is down
//! and is made to slide makes it skate as well.

use crate::damage::{Damage, damaged};
use crate::labelled::Labelled;
use surefoot_contact::features::{Features, Pair, View, Window};
use surefoot_contact::svm::Label;
use surefoot_sample::Random;

/// A foot that is down skates above this speed, in legs per second: 0.17 m/s in an adult. Feet
/// that stand move by half of it in a good capture; damage by a tenth of the path adds twice it.
const SKATES: f64 = 0.2;
/// Damaged copies of each motion.
const COPIES: u64 = 2;
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
    /// Whether a foot that is down slides.
    pub skates: bool,
}

impl Moment {
    /// One of the five labels: skate comes before the feet.
    pub fn five(&self) -> Label {
        if self.skates { Label::Skate } else { self.feet }
    }
}

/// All labelled moments of some motions.
pub struct Moments {
    pairs: Vec<Pair>,
    /// The moments.
    pub moments: Vec<Moment>,
    /// By motion, whether it is locomotion.
    pub locomotion: Vec<bool>,
}

impl Moments {
    /// The moments of these motions, as captured and damaged. The seed draws the damage.
    pub fn new(all: &[&Labelled], seed: u64) -> Self {
        let locomotion = all.iter().map(|labelled| is_locomotion(labelled)).collect();
        let mut moments = Self { pairs: Vec::new(), moments: Vec::new(), locomotion };
        for (motion, labelled) in all.iter().enumerate() {
            let Some(captured) = pair(labelled) else { continue };
            let captured = moments.add(motion, labelled, captured, None);
            for copy in 0..COPIES {
                let seed = seed.wrapping_add(1_000 * motion as u64 + copy);
                let damage = Damage::drawn(&mut Random::new(seed, 0));
                let damaged = damaged(labelled, damage, seed);
                if let Some(pair) = pair(&damaged) {
                    moments.add(motion, &damaged, pair, Some(captured));
                }
            }
        }
        moments
    }

    /// Adds a motion's frames, and says where its pair is.
    fn add(&mut self, motion: usize, labelled: &Labelled, pair: Pair, captured: Option<usize>) -> usize {
        let step = ((labelled.motion.fps / PER_SECOND + 0.5) as usize).max(1);
        let number = self.pairs.len();
        for frame in (0..pair.frames()).step_by(step) {
            let label = |leg: usize| labelled.down[leg][frame + labelled.first_frame];
            let (Some(left), Some(right)) = (label(0), label(1)) else { continue };
            let down = [left, right];
            let slides = |pair: &Pair, foot: usize| pair.slides(frame)[foot] > SKATES;
            // Feet that slide as captured are on a treadmill, or come and go; that is no skate.
            let skates = captured.is_some_and(|captured| {
                let captured = &self.pairs[captured];
                (0..2).any(|foot| down[foot] && slides(&pair, foot) && !slides(captured, foot))
            });
            self.moments.push(Moment { motion, pair: number, frame, feet: Label::of(down), skates });
        }
        self.pairs.push(pair);
        number
    }

    /// Adds a moment's numbers behind what is there.
    pub fn vector(
        &self,
        moment: &Moment,
        features: Features,
        window: Window,
        view: View,
        numbers: &mut Vec<f32>,
    ) {
        self.pairs[moment.pair].vector(moment.frame, features, window, view, numbers);
    }

    /// How much the feet go their own ways in a moment.
    pub fn strides(&self, moment: &Moment) -> f64 {
        self.pairs[moment.pair].strides(moment.frame)
    }

    /// At most `count` moments among those that may be taken, drawn with the seed.
    ///
    /// As often as they come, but of a rare label at least a twentieth of `count`, or all there
    /// are: who is never shown a label never tells it.
    pub fn draw(&self, may: impl Fn(&Moment) -> bool, count: usize, seed: u64) -> Vec<Moment> {
        let mut left: Vec<Moment> = self.moments.iter().copied().filter(may).collect();
        let mut random = Random::new(seed, 1);
        for at in (1..left.len()).rev() {
            left.swap(at, random.below(at + 1));
        }
        let mut drawn: Vec<Moment> = Vec::new();
        for label in Label::ALL {
            let mut of_label = left.iter().filter(|moment| moment.five() == label);
            drawn.extend(of_label.by_ref().take(count / 20));
        }
        let is_drawn = |moment: &Moment| {
            drawn.iter().any(|drawn| (drawn.pair, drawn.frame) == (moment.pair, moment.frame))
        };
        let rest: Vec<Moment> = left.into_iter().filter(|moment| !is_drawn(moment)).collect();
        let room = count.saturating_sub(drawn.len());
        drawn.extend(rest.into_iter().take(room));
        drawn
    }
}

/// The first pair of legs; a motion with fewer has none.
fn pair(labelled: &Labelled) -> Option<Pair> {
    let [left, right, ..] = labelled.legs.as_slice() else { return None };
    Some(Pair::new(&labelled.motion, left, right, labelled.first_frame))
}

/// Kinds of motion in which the feet do not take turns.
const IN_PLACE: [&str; 5] = ["jump", "sit", "squat", "stand", "other"];

/// Whether a motion is locomotion, by its kind: walks, turns, runs and the like. Jumps with both
/// feet are not, though the thesis counts them in: its other motions are punches and kicks, and
/// ours sit and squat.
pub fn is_locomotion(labelled: &Labelled) -> bool {
    !IN_PLACE.iter().any(|word| labelled.about.kind.contains(word))
}
