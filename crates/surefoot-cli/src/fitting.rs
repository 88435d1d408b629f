//! Fits and reads the models of the published methods that learn from examples: knn and svm.

use std::path::Path;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use surefoot_contact::features::{FeatureSet, FeatureSpec, Window};
use surefoot_contact::{Method, knn, svm};
use surefoot_train::{KnnSettings, LabelScheme, LabelledMotion, SvmSettings, fit_knn, fit_svm};

use crate::input::{self, Input};
use crate::problem::Problem;

/// The flags for fitting knn and svm.
#[derive(Args, Clone, Debug, Default)]
pub struct FitArgs {
    /// Feature sets: a (positions), b (velocities and accelerations), b-split (the same, separately along
    /// the ground and upwards), c (joint angles), d (centres of mass), knee, or several joined by +
    /// [default: knn a; svm a+b-split in locomotion and b-split+c elsewhere]
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
    #[arg(long, value_name = "COUNT")]
    #[arg(help_heading = "For knn and svm")]
    moments: Option<usize>,
}

/// A model of knn or svm.
#[expect(clippy::large_enum_variant, reason = "there is one of them")]
pub enum FittedModel {
    /// Nearest neighbours.
    Knn(knn::Model),
    /// Support vector machines.
    Svm(svm::Model),
}

impl FitArgs {
    /// Fits knn or svm; `None` for other methods.
    pub fn fit(
        &self,
        method: Method,
        seen: &[&LabelledMotion],
        seed: u64,
    ) -> Result<Option<FittedModel>, Problem> {
        let cannot = |error: surefoot_train::FitError| {
            Problem::new(format!("cannot fit {}: {error}", method.as_str()))
        };
        match method {
            Method::Knn => Ok(Some(FittedModel::Knn(fit_knn(seen, &self.knn(seed)).map_err(cannot)?))),
            Method::Svm => Ok(Some(FittedModel::Svm(fit_svm(seen, &self.svm(seed)).map_err(cannot)?))),
            _ => Ok(None),
        }
    }

    fn feature_spec(&self, default: FeatureSpec) -> FeatureSpec {
        FeatureSpec {
            set: self.features.unwrap_or(default.set),
            window: self.window.unwrap_or(default.window),
        }
    }

    fn knn(&self, seed: u64) -> KnnSettings {
        let default = KnnSettings::default();
        KnnSettings {
            features: self.feature_spec(default.features),
            seed,
            max_frames: self.moments.unwrap_or(default.max_frames),
            ..default
        }
    }

    fn svm(&self, seed: u64) -> SvmSettings {
        let default = SvmSettings::default();
        SvmSettings {
            labels: self.labels.unwrap_or(default.labels),
            locomotion: self.feature_spec(default.locomotion),
            other: self.feature_spec(default.other),
            max_frames: self.moments.unwrap_or(default.max_frames),
            seed,
            ..default
        }
    }
}

impl FittedModel {
    /// Reads a model from a file.
    pub fn open(method: Method, file: &Path) -> Result<Self, Problem> {
        let Input { name, bytes, .. } = input::read(file)?;
        let cannot = |error: surefoot_contact::examples::ModelError| {
            Problem::new(format!("{name}: {error}"))
                .help(format!("`surefoot train --method {} DATA -o {name}` makes one", method.as_str()))
        };
        match method {
            Method::Knn => Ok(Self::Knn(knn::Model::read(&bytes).map_err(cannot)?)),
            Method::Svm => Ok(Self::Svm(svm::Model::read(&bytes).map_err(cannot)?)),
            _ => Err(Problem::new(format!("--method {} takes no model", method.as_str()))),
        }
    }

    /// The bytes of a model file.
    pub fn write(&self) -> Vec<u8> {
        match self {
            Self::Knn(model) => model.write(),
            Self::Svm(model) => model.write(),
        }
    }

    /// Detects the plants of a motion.
    pub fn detect(
        &self,
        motion: &surefoot_core::Motion,
        legs: &[surefoot_core::Leg],
        floor: Option<&surefoot_core::Floor>,
        settings: &surefoot_contact::Settings,
    ) -> surefoot_core::Footplants {
        match self {
            Self::Knn(model) => knn::detect(motion, legs, floor, model, settings),
            Self::Svm(model) => svm::detect(motion, legs, floor, model, settings).plants,
        }
    }
}

fn features(word: &str) -> Result<FeatureSet, String> {
    let known = "expected a, b, b-split, c, d, knee, or several joined by +, as a+c; not both b and b-split";
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
