//! The flags for fitting knn and svm, and reading their models.

use std::path::Path;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use surefoot_contact::Method;
use surefoot_contact::features::{FeatureSet, Window};
use surefoot_train::{ExampleModel, ExampleSettings, LabelScheme, LabelledMotion};

use crate::input::{self, Input};
use crate::problem::Problem;

/// The flags for fitting knn and svm.
#[derive(Args, Clone, Debug, Default)]
pub struct FitArgs {
    /// Feature sets: a (positions), b (velocities and accelerations), b-split (the same, separately along the ground
    /// and upwards), c (joint angles), d (centres of mass), knee or ankle (the angle of that joint, heel and toe
    /// positions), or several joined by + [default: knn a; svm a+b-split in locomotion and b-split+c elsewhere]
    #[arg(long, value_name = "SET", value_parser = features)]
    #[arg(help_heading = "For knn and svm")]
    features: Option<FeatureSet>,

    /// Window length: 1, 3, 5 or 10 instants, a thirtieth of a second apart
    /// [default: knn 5; svm 3]
    #[arg(long, value_name = "INSTANTS", value_parser = window)]
    #[arg(help_heading = "For knn and svm")]
    window: Option<Window>,

    /// svm: one classifier for five labels (five), or separate classifiers for plants and skate (apart)
    /// [default: apart]
    #[arg(long, value_name = "LABELS", value_parser = labels())]
    #[arg(help_heading = "For knn and svm")]
    labels: Option<LabelScheme>,

    /// Largest number of training frames of knn, or of each classifier of svm; more frames take longer to
    /// fit and to detect [default: svm 900, knn 700]
    #[arg(long, value_name = "COUNT", alias = "moments")]
    #[arg(help_heading = "For knn and svm")]
    max_frames: Option<usize>,
}

impl FitArgs {
    /// The feature set of `--features`.
    pub fn features(&self) -> Option<FeatureSet> {
        self.features
    }

    /// The settings of a fit.
    pub fn settings(&self, seed: u64) -> ExampleSettings {
        let Self { features, window, labels, max_frames } = self.clone();
        ExampleSettings { features, window, labels, max_frames, seed }
    }

    /// Fits knn or svm; `None` for other methods.
    pub fn fit(
        &self,
        method: Method,
        all: &[LabelledMotion],
        seed: u64,
    ) -> Result<Option<ExampleModel>, Problem> {
        ExampleModel::fit(method, &all.iter().collect::<Vec<_>>(), &self.settings(seed))
            .map_err(|error| Problem::new(format!("cannot fit {}: {error}", method.as_str())))
    }
}

/// Reads a model of knn or svm from a file.
pub fn read_model(method: Method, file: &Path) -> Result<ExampleModel, Problem> {
    let Input { name, bytes, .. } = input::read(file)?;
    let model = ExampleModel::read(method, &bytes).map_err(|error| {
        Problem::new(format!("{name}: {error}"))
            .help(format!("`surefoot train --method {} DATA -o {name}` makes one", method.as_str()))
    })?;
    model.ok_or_else(|| Problem::new(format!("--method {} takes no model", method.as_str())))
}

fn features(word: &str) -> Result<FeatureSet, String> {
    let known =
        "expected a, b, b-split, c, d, knee, ankle, or several joined by +, as a+c; not both b and b-split";
    FeatureSet::from_name(word).ok_or_else(|| known.into())
}

fn window(word: &str) -> Result<Window, String> {
    let window = word.parse().ok().and_then(Window::of);
    window.ok_or_else(|| "expected 1, 3, 5 or 10".into())
}

fn labels() -> impl TypedValueParser<Value = LabelScheme> {
    PossibleValuesParser::new(["five", "apart"])
        .map(|word| if word == "five" { LabelScheme::FiveLabels } else { LabelScheme::PlantAndSkate })
}
