//! Trains contact detectors on labelled motions and scores them on motions they were not trained on.
//!
//! A [`LabelledMotion`] comes with contact labels of its feet from force plates, a gait lab or a
//! person. [`Damage`] makes the motion skate and keeps the labels: the true contacts do not change
//! when a motion is damaged, so a detector trained on damaged motions learns to ignore the damage.
//! [`cross_validate`] trains a detector once per fold and scores it on the people and trials that the
//! fold holds out.
//!
//! The crate reads no files and no clock, and its random numbers are seeded, so the same data gives
//! the same bytes.

mod labelled_motion;
mod generated;
mod damage;
mod folds;
mod score;
mod score_report;
mod cross_validation;
mod error;
mod example_model;

mod frame_examples;
mod knn;
mod svm;

mod tree;
mod boost;
mod training_set;
mod fit;
mod calibration;
mod point_calibration;
mod live;

pub use boost::{BoostingSettings, boost};
pub use calibration::{Reliability, ScoredLabel, held_out_scores, isotonic, reliability};
pub use cross_validation::{Detector, ValidationScore, cross_validate};
pub use damage::{Damage, damaged, resampled};
pub use error::FitError;
pub use example_model::{ExampleModel, ExampleSettings};
pub use fit::{TrainingSettings, fit, train};
pub use folds::Folds;
pub use frame_examples::{FrameExample, FrameExamples, is_locomotion};
pub use generated::generated_motions;
pub use knn::{KnnSettings, fit_knn};
pub use labelled_motion::{LabelledMotion, MotionInfo};
pub use live::{LOOKAHEADS, LiveScore, score_live};
pub use point_calibration::{calibrate_points, point_reliability};
pub use score::{EdgeErrors, Score};
pub use score_report::{LookaheadScore, ScoreReport, ScoreRow, ScoreSettings, ScoredModel, score_method};
pub use svm::{
    Cell, Column, DataRow, FeatureRow, LabelScheme, SvmSettings, TableCell, TableRows, Tables, ThesisCell,
    WindowRow, fit_svm, tables,
};
pub use training_set::TrainingSet;
