//! The models of the published methods that learn from examples: knn and svm.

use surefoot_contact::examples::ModelError;
use surefoot_contact::features::{FeatureSet, FeatureSpec, Window};
use surefoot_contact::{Method, Settings, knn, svm};
use surefoot_core::{Floor, Footplants, Leg, Motion};

use crate::error::FitError;
use crate::knn::{KnnSettings, fit_knn};
use crate::labelled_motion::LabelledMotion;
use crate::svm::{LabelScheme, SvmSettings, fit_svm};

/// A model of knn or svm.
#[expect(clippy::large_enum_variant, reason = "there is one of them")]
#[derive(Clone, Debug)]
pub enum ExampleModel {
    /// Nearest neighbours.
    Knn(knn::Model),
    /// Support vector machines.
    Svm(svm::Model),
}

/// How knn and svm are fitted. `None` is the default of the method.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExampleSettings {
    /// The feature sets.
    pub features: Option<FeatureSet>,
    /// The window length.
    pub window: Option<Window>,
    /// What the classifiers of svm distinguish.
    pub labels: Option<LabelScheme>,
    /// Largest number of training frames, of knn or of each classifier of svm.
    pub max_frames: Option<usize>,
    /// Seed of the random subset of frames.
    pub seed: u64,
}

impl ExampleSettings {
    fn feature_spec(&self, default: FeatureSpec) -> FeatureSpec {
        FeatureSpec {
            set: self.features.unwrap_or(default.set),
            window: self.window.unwrap_or(default.window),
        }
    }

    fn knn(&self) -> KnnSettings {
        let default = KnnSettings::default();
        KnnSettings {
            features: self.feature_spec(default.features),
            seed: self.seed,
            max_frames: self.max_frames.unwrap_or(default.max_frames),
            ..default
        }
    }

    fn svm(&self) -> SvmSettings {
        let default = SvmSettings::default();
        SvmSettings {
            labels: self.labels.unwrap_or(default.labels),
            locomotion: self.feature_spec(default.locomotion),
            other: self.feature_spec(default.other),
            max_frames: self.max_frames.unwrap_or(default.max_frames),
            seed: self.seed,
            ..default
        }
    }
}

impl ExampleModel {
    /// Fits knn or svm; `None` for other methods.
    pub fn fit(
        method: Method,
        motions: &[&LabelledMotion],
        settings: &ExampleSettings,
    ) -> Result<Option<Self>, FitError> {
        match method {
            Method::Knn => Ok(Some(Self::Knn(fit_knn(motions, &settings.knn())?))),
            Method::Svm => Ok(Some(Self::Svm(fit_svm(motions, &settings.svm())?))),
            _ => Ok(None),
        }
    }

    /// Reads the bytes of a model file of knn or svm; `None` for other methods.
    pub fn read(method: Method, bytes: &[u8]) -> Result<Option<Self>, ModelError> {
        match method {
            Method::Knn => Ok(Some(Self::Knn(knn::Model::read(bytes)?))),
            Method::Svm => Ok(Some(Self::Svm(svm::Model::read(bytes)?))),
            _ => Ok(None),
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
        motion: &Motion,
        legs: &[Leg],
        floor: Option<&Floor>,
        settings: &Settings,
    ) -> Footplants {
        match self {
            Self::Knn(model) => knn::detect(motion, legs, floor, model, settings),
            Self::Svm(model) => svm::detect(motion, legs, floor, model, settings).plants,
        }
    }
}
