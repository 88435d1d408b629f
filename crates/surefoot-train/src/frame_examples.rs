//! Labelled frames: the training examples of `knn` and `svm`.
//!
//! Each motion gives frames 1/30 s apart, from the capture and from damaged copies. A frame has the
//! label of the feet that are down. A frame of the capture skates if a person has labelled a plant of
//! a foot that is down so; in a damaged copy, a foot that is down and slides because of the damage makes
//! the frame skate.

use crate::damage::{Damage, damaged};
use crate::labelled_motion::LabelledMotion;
use surefoot_contact::features::{FeatureSpec, LegPair, View};
use surefoot_contact::svm::Label;
use surefoot_core::PlantKind;
use surefoot_sample::{Random, Skate};

/// Speed above which a foot that is down skates, in leg lengths per second: 0.25 m/s in an adult.
/// Scaling the path of a walk by a fifth gives this speed.
const MIN_SKATE_SPEED: f64 = 0.3;
/// Speed below which a foot that is down stands, in leg lengths per second: 0.13 m/s in an adult.
/// Feet in a good capture are slower. Frames between the two speeds get no label.
const MAX_STANDING_SPEED: f64 = 0.15;
/// Damaged copies of each motion: one with a clearly shorter path, one with a clearly longer path,
/// and one with random damage.
pub(crate) const COPIES: u64 = 3;
/// Frames per second that become examples; nearer frames are nearly alike.
const EXAMPLE_RATE: f64 = 30.0;

/// One labelled frame.
#[derive(Clone, Copy, Debug)]
pub struct FrameExample {
    /// Index of the motion.
    pub motion: usize,
    /// Index in the list of leg pairs.
    pub(crate) pair: usize,
    pub(crate) frame: usize,
    /// Whether it is of a damaged copy.
    pub(crate) is_damaged: bool,
    /// Left, right, both or none.
    pub feet: Label,
    /// Whether a foot that is down skates; `None` where that is not known.
    pub skates: Option<bool>,
}

impl FrameExample {
    /// One of the five labels, if known. A skating frame is labelled skate, whichever feet are down.
    pub fn five_labels(&self) -> Option<Label> {
        self.skates.map(|skates| if skates { Label::Skate } else { self.feet })
    }

    /// The feet that are down; always known.
    pub fn feet_label(&self) -> Option<Label> {
        Some(self.feet)
    }

    /// Skate or none, if known.
    pub fn skate_label(&self) -> Option<Label> {
        self.skates.map(|skates| if skates { Label::Skate } else { Label::None })
    }
}

/// All labelled frames of some motions.
pub struct FrameExamples {
    pairs: Vec<LegPair>,
    /// The frames.
    pub frames: Vec<FrameExample>,
    /// Whether each motion is locomotion.
    pub locomotion: Vec<bool>,
    /// Whether each motion is a jump with both feet. Jumps are not locomotion, but stepping off a
    /// box has its stride speed, so the classifiers for locomotion are trained on jumps too.
    pub jumps: Vec<bool>,
}

impl FrameExamples {
    /// Collects the frames of the motions and of their damaged copies. The seed draws the damage.
    pub fn new(all: &[&LabelledMotion], seed: u64) -> Self {
        let locomotion = all.iter().map(|labelled| is_locomotion(labelled)).collect();
        let jumps = all.iter().map(|labelled| labelled.info.kind.contains("jump")).collect();
        let mut examples = Self { pairs: Vec::new(), frames: Vec::new(), locomotion, jumps };
        for (motion, labelled) in all.iter().enumerate() {
            let Some(captured) = leg_pair(labelled) else { continue };
            let captured = examples.add(motion, labelled, captured, None);
            for copy in 0..COPIES {
                let seed = seed.wrapping_add(1_000 * motion as u64 + copy);
                let damaged = damaged(labelled, copy_damage(copy, seed), seed);
                if let Some(pair) = leg_pair(&damaged) {
                    examples.add(motion, &damaged, pair, Some(captured));
                }
            }
        }
        examples
    }

    /// Adds a motion's frames and returns the index of its leg pair. `captured` is the index of the
    /// undamaged pair of a damaged copy.
    fn add(
        &mut self,
        motion: usize,
        labelled: &LabelledMotion,
        pair: LegPair,
        captured: Option<usize>,
    ) -> usize {
        let step = ((labelled.motion.fps / EXAMPLE_RATE + 0.5) as usize).max(1);
        let on_treadmill =
            is_on_treadmill(captured.map_or(&pair, |captured| &self.pairs[captured]), labelled);
        let kinds = labelled_kinds(labelled);
        let number = self.pairs.len();
        for frame in (0..pair.frames()).step_by(step) {
            let label = |leg: usize| labelled.contacts[leg][frame + labelled.first_frame];
            let (Some(left), Some(right)) = (label(0), label(1)) else { continue };
            let down = [left, right];
            let skates = match (labelled_skate(&kinds, down, frame + labelled.first_frame), captured) {
                (known, None) if known.is_some() => known,
                // A foot that slides as captured may stand still by chance after the damage.
                (Some(true), Some(_)) => None,
                _ if on_treadmill => None,
                (_, None) => Some(false),
                (_, Some(captured)) => {
                    skates(down, pair.slide_speeds(frame), self.pairs[captured].slide_speeds(frame))
                }
            };
            self.frames.push(FrameExample {
                motion,
                pair: number,
                frame,
                is_damaged: captured.is_some(),
                feet: Label::from_feet(down),
                skates,
            });
        }
        self.pairs.push(pair);
        number
    }

    /// Replaces `vector` by the feature vector of an example.
    pub fn feature_vector(
        &self,
        example: &FrameExample,
        spec: FeatureSpec,
        view: View,
        vector: &mut Vec<f32>,
    ) {
        self.pairs[example.pair].feature_vector(example.frame, spec, view, vector);
    }

    /// The stride speed around an example, in leg lengths per second.
    pub fn stride_speed(&self, example: &FrameExample) -> f64 {
        self.pairs[example.pair].stride_speed(example.frame)
    }
}

/// The damage of a copy: a shorter path, a longer path, then random damage.
fn copy_damage(copy: u64, seed: u64) -> Damage {
    let mut random = Random::new(seed, 0);
    match copy {
        0 => Damage::Skate(Skate::Scale(random.between(0.75, 0.85))),
        1 => Damage::Skate(Skate::Scale(random.between(1.18, 1.32))),
        _ => Damage::random(&mut random),
    }
}

/// How many examples are drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DrawCount {
    /// At most this many in all.
    pub max: usize,
    /// At least this many of each label, or all there are: a classifier without examples of a label
    /// never predicts it.
    pub min_per_label: usize,
}

/// Draws random examples among those that have a label. Labels keep their frequencies, apart from the
/// minimum of rare ones.
pub(crate) fn draw<'a>(
    examples: impl Iterator<Item = &'a FrameExample>,
    label: impl Fn(&FrameExample) -> Option<Label>,
    count: DrawCount,
    seed: u64,
) -> Vec<FrameExample> {
    let mut all: Vec<FrameExample> = examples.filter(|example| label(example).is_some()).copied().collect();
    let mut random = Random::new(seed, 1);
    for at in (1..all.len()).rev() {
        all.swap(at, random.below(at + 1));
    }
    // The first examples of each label come first, the rest follow in random order.
    let mut seen = [0; Label::ALL.len()];
    let (mut first, mut rest) = (Vec::new(), Vec::new());
    for example in all {
        let seen = &mut seen[label(&example).map_or(0, |label| label as usize)];
        *seen += 1;
        if *seen <= count.min_per_label { first.push(example) } else { rest.push(example) }
    }
    first.extend(rest);
    first.truncate(count.max);
    first
}

/// By leg, then frame: whether its foot stands or slides, as a person has labelled its plants. One point that slides is
/// enough.
fn labelled_kinds(labelled: &LabelledMotion) -> [Vec<Option<PlantKind>>; 2] {
    let frames = labelled.motion.frames();
    let mut kinds = [vec![None; frames], vec![None; frames]];
    for plant in labelled.plants.iter().flat_map(|plants| &plants.plants) {
        let Some(foot) = kinds.get_mut(plant.leg) else { continue };
        let end = plant.frames.end.min(frames);
        for kind in &mut foot[plant.frames.start.min(end)..end] {
            // Skate is greater than plant, and both than no label.
            *kind = (*kind).max(plant.kind);
        }
    }
    kinds
}

/// Whether a foot that is down skates, by its label; `None` if no foot is down, or one has no label.
fn labelled_skate(kinds: &[Vec<Option<PlantKind>>; 2], down: [bool; 2], frame: usize) -> Option<bool> {
    let feet = || (0..2).filter(|&leg| down[leg]).map(|leg| kinds[leg][frame]);
    if feet().any(|kind| kind == Some(PlantKind::Skate)) {
        return Some(true);
    }
    (feet().count() > 0 && feet().all(|kind| kind.is_some())).then_some(false)
}

/// Whether damage makes a foot that is down skate, from the speeds of both feet after and before the damage.
///
/// `None` if it cannot be known: a foot that slid before the damage is arriving or leaving, and a
/// creeping foot is between standing and skating.
fn skates(down: [bool; 2], after: [f64; 2], before: [f64; 2]) -> Option<bool> {
    let feet = || (0..2).filter(|&foot| down[foot]);
    if feet().any(|foot| after[foot] > MIN_SKATE_SPEED && before[foot] < MAX_STANDING_SPEED) {
        return Some(true);
    }
    feet().all(|foot| after[foot] < MAX_STANDING_SPEED).then_some(false)
}

/// Whether feet that are down slide in most captured frames: then the capture is on a treadmill, and
/// skate cannot be labelled.
fn is_on_treadmill(captured: &LegPair, labelled: &LabelledMotion) -> bool {
    let (mut slides, mut down) = (0, 0);
    for frame in 0..captured.frames() {
        let is_down = |&foot: &usize| labelled.contacts[foot][frame + labelled.first_frame] == Some(true);
        for foot in (0..2).filter(is_down) {
            slides += usize::from(captured.slide_speeds(frame)[foot] > MIN_SKATE_SPEED);
            down += 1;
        }
    }
    2 * slides > down
}

/// The first pair of legs; `None` for a body with fewer than two.
fn leg_pair(labelled: &LabelledMotion) -> Option<LegPair> {
    let [left, right, ..] = labelled.legs.as_slice() else { return None };
    Some(LegPair::new(&labelled.motion, left, right, labelled.first_frame))
}

/// Words in the kinds of motion in which the feet do not alternate.
const IN_PLACE: [&str; 7] = ["jump", "sit", "squat", "stand", "kick", "punch", "other"];

/// Whether a motion is locomotion, by its kind: walks, turns, runs and so on.
///
/// Jumps with both feet are not locomotion here, unlike in the thesis.
pub fn is_locomotion(labelled: &LabelledMotion) -> bool {
    !IN_PLACE.iter().any(|word| labelled.info.kind.contains(word))
}
