//! Tables 2, 3 and 4 of the thesis (Hsu 2009) on our data, beside its own figures.
//!
//! Table 2 compares features for the five labels, table 3 the number of sample times, table 4 separate
//! classifiers for plant and skate. The figures of the thesis are of other motions, labelled by hand, and it does not
//! state how training and test frames were split. So ours are given for both splits: by person and trial, which shows how
//! a classifier does on motions that it has not seen; and at random, where frames of one motion are on both sides. Table 1,
//! the data, is in `data_table`.

use super::classifier::fit_classifier;
use super::data_table::{DataRow, data_table};
use super::{Task, locomotion_threshold};
use crate::folds::Folds;
use crate::frame_examples::{FrameExample, FrameExamples, draw};
use crate::labelled_motion::LabelledMotion;
use surefoot_contact::features::{FeatureSet, FeatureSpec, View, Window};
use surefoot_contact::svm::{Classifier, Label, Scratch};
use surefoot_sample::Random;

/// The number of correctly classified frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Frames classified correctly.
    pub correct: usize,
    /// All frames.
    pub frames: usize,
}

impl Cell {
    /// The fraction that is correct.
    pub fn accuracy(self) -> f64 {
        self.correct as f64 / self.frames.max(1) as f64
    }

    fn count(&mut self, is_correct: bool) {
        self.correct += usize::from(is_correct);
        self.frames += 1;
    }
}

/// A figure of the thesis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThesisCell {
    /// The fraction of frames classified correctly.
    pub accuracy: f64,
    /// Number of frames.
    pub frames: usize,
}

/// Our figures and that of the thesis, if it has one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column {
    /// Our figure for people and trials that were left out of training.
    pub by_person: Cell,
    /// Our figure for frames that were left out of training at random.
    pub at_random: Cell,
    /// The figure of the thesis.
    pub thesis: Option<ThesisCell>,
}

/// A row of table 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeatureRow {
    /// The features.
    pub features: FeatureSet,
    /// Locomotion, then other motions.
    pub columns: [Column; 2],
}

/// A row of table 3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WindowRow {
    /// The sample times.
    pub window: Window,
    /// Locomotion, then other motions.
    pub columns: [Column; 2],
}

/// The tables.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Tables {
    /// Table 1: the data.
    pub data: Vec<DataRow>,
    /// Table 2: five labels from different features, at five times.
    pub features: Vec<FeatureRow>,
    /// Table 3: five labels from centres of mass, heels and toes, at 1, 3, 5 and 10 times.
    pub windows: Vec<WindowRow>,
    /// Table 4: frames with a foot down whose feet were classified correctly, and frames that skate and
    /// were classified so. With B split, the plant classifier uses the vertical part and the skate
    /// classifier the horizontal part.
    pub plant_and_skate: Vec<(FeatureSet, [Column; 2])>,
    /// By the features of table 4: frames that do not skate and were classified so, split by person.
    pub not_skating: Vec<Cell>,
    /// Frames for which the right part of a model is selected, locomotion or other.
    pub part_selection: Cell,
}

/// Table 2 of the thesis: features, locomotion, other motions.
const TABLE_2: [(FeatureSet, f64, f64); 3] =
    [(FeatureSet::A, 0.912, 0.901), (FeatureSet::KNEE, 0.942, 0.929), (FeatureSet::D, 0.946, 0.928)];
const TABLE_2_FRAMES: [usize; 2] = [3_706, 3_468];
/// Table 3 of the thesis, by window: locomotion, other motions.
const TABLE_3: [(f64, f64); 4] = [(0.941, 0.951), (0.933, 0.944), (0.945, 0.951), (0.936, 0.923)];
const TABLE_3_FRAMES: [usize; 2] = [1_502, 1_146];
/// Table 4 of the thesis: plant, skate.
const TABLE_4: [ThesisCell; 2] =
    [ThesisCell { accuracy: 0.957, frames: 5_580 }, ThesisCell { accuracy: 0.908, frames: 876 }];
/// The features of our table 4.
const TABLE_4_FEATURES: [FeatureSet; 5] = [
    FeatureSet::A,
    FeatureSet::B,
    FeatureSet::B_SPLIT,
    FeatureSet::D,
    FeatureSet::D.with(FeatureSet::B_SPLIT),
];

/// Frames that each classifier is trained on, each also mirrored. 500 lower the figures of five labels by one to two
/// hundredths and take a quarter of the time.
const MAX_FRAMES: usize = 1000;
/// The penalty of misclassified frames, as in [`SvmSettings`](super::SvmSettings).
const COST: f64 = 10.0;
const SEED: u64 = 2;

/// Number of sample times of tables 2 and 4.
const FIVE_TIMES: Window = Window::ALL[2];

/// Which rows of the tables are computed. All of them by default.
#[derive(Clone, Debug, PartialEq)]
pub struct TableRows {
    /// Of table 2.
    pub features: Vec<FeatureSet>,
    /// Of table 3.
    pub windows: Vec<Window>,
    /// Of table 4.
    pub plant_and_skate: Vec<FeatureSet>,
}

impl Default for TableRows {
    fn default() -> Self {
        let known = |set: &FeatureSet| TABLE_2.iter().any(|(known, ..)| known == set);
        let others = FeatureSet::combinations().into_iter().filter(|set| !known(set));
        let thesis = TABLE_2.iter().map(|(set, ..)| *set);
        Self {
            // The sets of the thesis first, with that of its chapter 4.
            features: thesis.chain([FeatureSet::ANKLE]).chain(others).collect(),
            windows: Window::ALL.to_vec(),
            plant_and_skate: TABLE_4_FEATURES.to_vec(),
        }
    }
}

impl TableRows {
    /// The rows of one feature set, in tables 2 and 4.
    pub fn of(set: FeatureSet) -> Self {
        Self { features: vec![set], windows: Vec::new(), plant_and_skate: vec![set] }
    }
}

/// Computes the tables by cross-validation. `progress` is called with the fraction that is done.
pub fn tables(all: &[LabelledMotion], folds: &Folds, rows: &TableRows, progress: &dyn Fn(f64)) -> Tables {
    let motions: Vec<&LabelledMotion> = all.iter().collect();
    let experiment = Experiment::new(FrameExamples::new(&motions, SEED), folds);
    let steps = (rows.features.len() + rows.windows.len() + rows.plant_and_skate.len()) as f64;
    let done = core::cell::Cell::new(0.0);
    let step = || {
        done.set(done.get() + 1.0);
        progress(done.get() / steps);
    };
    let mut tables = Tables {
        data: data_table(&motions, &experiment.examples),
        features: rows.features.iter().map(|&set| experiment.feature_row(set)).inspect(|_| step()).collect(),
        windows: rows
            .windows
            .iter()
            .map(|&window| experiment.window_row(window))
            .inspect(|_| step())
            .collect(),
        plant_and_skate: Vec::new(),
        not_skating: Vec::new(),
        part_selection: experiment.part_selection(),
    };
    for &features in &rows.plant_and_skate {
        let (columns, not_skating) = experiment.plant_and_skate_row(features);
        tables.plant_and_skate.push((features, columns));
        tables.not_skating.push(not_skating);
        step();
    }
    tables
}

/// How frames are divided into those for training and those for testing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Split {
    /// All frames of a person or a trial are in one fold.
    ByPerson,
    /// Every frame is in a random fold, together with its damaged copies.
    AtRandom,
}

impl Split {
    const BOTH: [Self; 2] = [Self::ByPerson, Self::AtRandom];
}

/// Fraction of skating frames in the thesis: 876 of 8,486. Damaged copies skate far more often, which
/// would penalise features that do not show skate, so tables 2 and 3 use the same fraction.
const SKATE_FRACTION: f64 = 876.0 / 8_486.0;

/// The results of separate classifiers for plant and skate.
#[derive(Default)]
struct PlantAndSkateCells {
    plant: Cell,
    skate: Cell,
    not_skating: Cell,
}

/// The examples and folds of all tables.
struct Experiment<'a> {
    examples: FrameExamples,
    /// The examples of tables 2 and 3, with [`SKATE_FRACTION`] of skating frames.
    five_labels: Vec<FrameExample>,
    folds: &'a Folds,
}

impl<'a> Experiment<'a> {
    fn new(examples: FrameExamples, folds: &'a Folds) -> Self {
        let mut five_labels = Vec::new();
        for locomotion in [true, false] {
            let of_kind =
                examples.frames.iter().filter(|example| examples.locomotion[example.motion] == locomotion);
            let (skating, standing): (Vec<&FrameExample>, Vec<&FrameExample>) = of_kind
                .filter(|example| example.skates.is_some())
                .partition(|example| example.skates == Some(true));
            let count = (standing.len() as f64 * SKATE_FRACTION / (1.0 - SKATE_FRACTION)) as usize;
            let stride = skating.len().div_ceil(count.max(1)).max(1);
            five_labels.extend(standing.into_iter().chain(skating.into_iter().step_by(stride)).copied());
        }
        Self { examples, five_labels, folds }
    }

    /// Whether an example is in the validation part of a fold.
    fn is_held_out(&self, example: &FrameExample, split: Split, fold: usize) -> bool {
        let of_example = match split {
            Split::ByPerson => self.folds.fold_of[example.motion],
            Split::AtRandom => {
                let seed = ((example.motion as u64) << 32) + example.frame as u64;
                Random::new(seed, 3).below(self.folds.count)
            }
        };
        of_example == fold
    }

    fn feature_row(&self, features: FeatureSet) -> FeatureRow {
        let thesis = TABLE_2.iter().find(|(known, ..)| *known == features).map(|row| [row.1, row.2]);
        let spec = FeatureSpec { set: features, window: FIVE_TIMES };
        FeatureRow { features, columns: self.columns(spec, thesis, TABLE_2_FRAMES) }
    }

    fn window_row(&self, window: Window) -> WindowRow {
        let thesis = Window::ALL.iter().position(|known| *known == window).map(|row| TABLE_3[row].into());
        let spec = FeatureSpec { set: FeatureSet::D, window };
        WindowRow { window, columns: self.columns(spec, thesis, TABLE_3_FRAMES) }
    }

    /// Plant and skate, and the frames that do not skate.
    fn plant_and_skate_row(&self, features: FeatureSet) -> ([Column; 2], Cell) {
        let spec = FeatureSpec { set: features, window: FIVE_TIMES };
        let [by_person, at_random] = Split::BOTH.map(|split| self.plant_and_skate(spec, split));
        let column = |by_person, at_random, thesis| Column { by_person, at_random, thesis: Some(thesis) };
        let plant = column(by_person.plant, at_random.plant, TABLE_4[0]);
        let skate = column(by_person.skate, at_random.skate, TABLE_4[1]);
        ([plant, skate], by_person.not_skating)
    }

    /// Five labels: locomotion, then other motions.
    fn columns(&self, features: FeatureSpec, thesis: Option<[f64; 2]>, frames: [usize; 2]) -> [Column; 2] {
        let [by_person, at_random] = Split::BOTH.map(|split| self.five_labels(features, split));
        [0, 1].map(|kind| {
            let thesis = thesis.map(|figures| ThesisCell { accuracy: figures[kind], frames: frames[kind] });
            Column { by_person: by_person[kind], at_random: at_random[kind], thesis }
        })
    }

    /// The accuracy of five labels: locomotion, then other motions.
    fn five_labels(&self, features: FeatureSpec, split: Split) -> [Cell; 2] {
        [true, false].map(|locomotion| {
            let mut cell = Cell::default();
            self.cross_validate(features, locomotion, Task::FiveLabels, split, |_, truth, predicted| {
                cell.count(predicted == truth);
            });
            cell
        })
    }

    /// The accuracy of separate classifiers, over both kinds of motion together as in the thesis.
    fn plant_and_skate(&self, features: FeatureSpec, split: Split) -> PlantAndSkateCells {
        let mut cells = PlantAndSkateCells::default();
        let only = |part: FeatureSet| FeatureSpec { set: features.set.only(part), ..features };
        for locomotion in [true, false] {
            let count_plant = |example: &FrameExample, truth, predicted| {
                if example.feet != Label::None {
                    cells.plant.count(predicted == truth);
                }
            };
            self.cross_validate(only(FeatureSet::B_UP), locomotion, Task::Feet, split, count_plant);
            let count_skate = |_: &FrameExample, truth, predicted| {
                let cell = if truth == Label::Skate { &mut cells.skate } else { &mut cells.not_skating };
                cell.count(predicted == truth);
            };
            self.cross_validate(only(FeatureSet::B_LEVEL), locomotion, Task::Skate, split, count_skate);
        }
        cells
    }

    /// Trains a classifier per fold and calls `result` for each example that the fold holds out, with
    /// its true and its predicted label.
    fn cross_validate(
        &self,
        features: FeatureSpec,
        locomotion: bool,
        task: Task,
        split: Split,
        mut result: impl FnMut(&FrameExample, Label, Label),
    ) {
        let is_of_kind = |example: &&FrameExample| self.examples.locomotion[example.motion] == locomotion;
        let label = |example: &FrameExample| task.label(example);
        let (mut vector, mut scratch) = (Vec::new(), Scratch::default());
        let all = if task == Task::FiveLabels { &self.five_labels } else { &self.examples.frames };
        for fold in 0..self.folds.count {
            let training =
                all.iter().filter(is_of_kind).filter(|example| !self.is_held_out(example, split, fold));
            let drawn = draw(training, label, task.draw_count(MAX_FRAMES), SEED);
            let classifier = fit_classifier(&self.examples, &drawn, task, features, COST);
            // A fold with a single label always predicts it.
            let only_label = drawn.first().and_then(label).unwrap_or(Label::None);
            for example in all.iter().filter(is_of_kind) {
                let Some(truth) = label(example).filter(|_| self.is_held_out(example, split, fold)) else {
                    continue;
                };
                self.examples.feature_vector(example, features, View::AsIs, &mut vector);
                let predict =
                    |classifier: &Classifier| classifier.classify_vector(&mut vector, &mut scratch).label();
                result(example, truth, classifier.as_ref().map_or(only_label, predict));
            }
        }
    }

    /// How often the stride speed selects the right part of a model.
    fn part_selection(&self) -> Cell {
        let mut cell = Cell::default();
        for fold in 0..self.folds.count {
            let is_held_out = |example: &FrameExample| self.is_held_out(example, Split::ByPerson, fold);
            let threshold = locomotion_threshold(&self.examples, |example| !is_held_out(example));
            for example in self.examples.frames.iter().filter(|example| is_held_out(example)) {
                let is_locomotion = self.examples.stride_speed(example) >= threshold;
                cell.count(is_locomotion == self.examples.locomotion[example.motion]);
            }
        }
        cell
    }
}
