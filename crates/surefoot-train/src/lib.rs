//! Fits detectors to labelled motions, and says how well they do on those they never saw.
//!
//! A [`Labelled`] motion comes with what a force plate, a gait lab or a person says of its feet.
//! [`Damage`] makes it skate and leaves the labels as they are, which is the whole trick: what is
//! true does not change when a motion is damaged. [`held_out`] fits a detector once a fold and
//! scores it on the people and trials that fold left out.
//!
//! Opens no file and asks no clock; the randomness is seeded, so the same data gives the same
//! bytes.

mod labelled;
mod samples;
mod damage;
mod folds;
mod score;
mod held_out;
mod moments;
mod knn;
mod svm;
mod grow;
mod boost;
mod fit;
mod calibrate;
mod rests;
mod live;

pub use boost::{Boosting, Table, boost};
pub use calibrate::{Reliability, Told, isotonic, reliability, told};
pub use damage::{Damage, damaged, resampled};
pub use fit::{C3dFitError, Fitting, fit, train};
pub use folds::Folds;
pub use held_out::{Detector, Held, held_out};
pub use knn::{KnnSettings, fit_knn};
pub use labelled::{About, Labelled};
pub use live::{LOOKAHEADS, Live, live};
pub use moments::{Moment, Moments, is_locomotion};
pub use rests::{rests_reliability, weigh_points};
pub use samples::samples;
pub use score::{Edges, Score};
pub use svm::{
    Cell, Column, FeatureRow, Labels, SvmSettings, Tables, Thesis, Unfit, WindowRow, fit_svm, tables,
};
