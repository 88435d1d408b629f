//! The labelled examples and their file.

use crate::examples::{ExampleSet, FeatureScaling, ModelError, Reader, Writer};
use crate::features::FeatureSpec;

/// Labelled examples.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub(super) features: FeatureSpec,
    /// Number of nearest examples that vote.
    pub(super) neighbours: usize,
    pub(super) scaling: FeatureScaling,
    pub(super) examples: ExampleSet,
    /// The feet that are down in each example: bit 0 for the left, bit 1 for the right.
    pub(super) feet: Vec<u8>,
}

/// Kind and version of the file.
const KIND: &str = "knn/2";

/// The model that comes with surefoot, trained on the labelled captures by
/// `surefoot train --method knn`.
const SHIPPED: &[u8] = include_bytes!("../../models/knn.model");

impl Model {
    /// A model of standardised examples with the feet that are down in each: 1 for the left, 2 for
    /// the right, 3 for both.
    ///
    /// Panics if there are not as many feet as examples.
    pub fn new(
        features: FeatureSpec,
        neighbours: u8,
        scaling: FeatureScaling,
        examples: ExampleSet,
        feet: Vec<u8>,
    ) -> Self {
        assert_eq!(examples.count(), feet.len(), "one label per example");
        let neighbours = usize::from(neighbours.max(1)).min(feet.len().max(1));
        Self { features, neighbours, scaling, examples, feet }
    }

    /// The model that comes with surefoot.
    pub fn shipped() -> Self {
        Self::read(SHIPPED).expect("the shipped model is valid")
    }

    /// Reads a model file.
    pub fn read(bytes: &[u8]) -> Result<Self, ModelError> {
        let mut reader = Reader::new(bytes, KIND)?;
        let features = reader.feature_spec()?;
        let neighbours = usize::from(reader.byte()?);
        let count = reader.count()?;
        let at = reader.at();
        if neighbours == 0 || count < neighbours {
            let found = format!("{neighbours} of {count}");
            let expected = "at least one and at most the number of examples";
            return Err(ModelError::Value { at, what: "the number of neighbours", found, expected });
        }
        let scaling = reader.scaling(features.count())?;
        let feet = reader.bytes(count)?;
        if let Some(bad) = feet.iter().position(|&feet| feet > 3) {
            let found = feet[bad].to_string();
            return Err(ModelError::Value { at, what: "the label of an example", found, expected: "0 to 3" });
        }
        let quantised = reader.quantised(count.saturating_mul(features.count()))?;
        reader.end()?;
        let examples = ExampleSet::from_quantised(count, quantised);
        Ok(Self { features, neighbours, scaling, examples, feet })
    }

    /// Returns the bytes of a model file.
    pub fn write(&self) -> Vec<u8> {
        let mut writer = Writer::new(KIND);
        writer.feature_spec(self.features);
        writer.bytes.push(self.neighbours as u8);
        writer.count(self.examples.count);
        writer.scaling(&self.scaling);
        writer.bytes.extend(&self.feet);
        writer.quantised(&self.examples.quantised);
        writer.bytes
    }

    /// Number of examples.
    pub fn examples(&self) -> usize {
        self.examples.count
    }
}
