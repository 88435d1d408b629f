//! The whole model: one part for locomotion, one for all other motions, and the file.

use super::classifier::Classifier;
use super::{Label, Scratch};
use crate::examples::{ModelError, Reader, Writer};
use crate::features::LegPair;

/// The classifiers for one kind of motion.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a model has two of them")]
pub enum KindModel {
    /// One classifier for all five labels.
    FiveLabels(Classifier),
    /// Separate classifiers for the feet that are down and for skate.
    PlantAndSkate {
        /// Left, right, both or none.
        plant: Classifier,
        /// Skate or none.
        skate: Classifier,
    },
}

/// A model with a part for locomotion and one for all other motions.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    locomotion: KindModel,
    /// Without it, the part for locomotion classifies everything.
    other: Option<KindModel>,
    /// Stride speed from which a frame is locomotion, in leg lengths per second.
    min_stride_speed: f32,
}

/// The prediction for one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FramePrediction {
    /// The label.
    pub label: Label,
    /// The confidence that each foot is down, from 0 to 1, left first; the foot is down from 0.5 on.
    pub confidences: [f64; 2],
    /// Whether a foot is down and slides.
    pub skates: bool,
}

/// Kind and version of the file.
const KIND: &str = "svm/2";

/// The model that comes with surefoot, trained on the labelled captures by
/// `surefoot train --method svm`.
const SHIPPED: &[u8] = include_bytes!("../../models/svm.model");

impl Model {
    /// A model whose part for other motions classifies frames with a stride speed below
    /// `min_stride_speed`, in leg lengths per second.
    pub fn new(locomotion: KindModel, other: Option<KindModel>, min_stride_speed: f32) -> Self {
        Self { locomotion, other, min_stride_speed }
    }

    /// The model that comes with surefoot.
    pub fn shipped() -> Self {
        Self::read(SHIPPED).expect("the shipped model is valid")
    }

    /// The part that classifies a frame.
    pub fn part(&self, pair: &LegPair, frame: usize) -> &KindModel {
        match &self.other {
            Some(other) if pair.stride_speed(frame) < f64::from(self.min_stride_speed) => other,
            _ => &self.locomotion,
        }
    }

    /// Classifies a frame.
    pub fn predict(&self, pair: &LegPair, frame: usize, scratch: &mut Scratch) -> FramePrediction {
        match self.part(pair, frame) {
            KindModel::FiveLabels(classifier) => {
                let decision = classifier.classify(pair, frame, scratch);
                let label = decision.label();
                FramePrediction { label, confidences: decision.confidences(), skates: label == Label::Skate }
            }
            KindModel::PlantAndSkate { plant, skate } => {
                let decision = plant.classify(pair, frame, scratch);
                let (feet, confidences) = (decision.feet(), decision.confidences());
                let slides = skate.classify(pair, frame, scratch).label() == Label::Skate;
                // A foot in the air does not skate.
                let skates = slides && feet != Label::None;
                FramePrediction { label: if skates { Label::Skate } else { feet }, confidences, skates }
            }
        }
    }

    /// Reads a model file.
    pub fn read(bytes: &[u8]) -> Result<Self, ModelError> {
        let mut reader = Reader::new(bytes, KIND)?;
        let min_stride_speed = reader.float("the stride speed of locomotion")?;
        let locomotion = read_part(&mut reader)?;
        let has_other = read_flag(&mut reader, "the number of further parts", "0 or 1")?;
        let other = if has_other { Some(read_part(&mut reader)?) } else { None };
        reader.end()?;
        Ok(Self { locomotion, other, min_stride_speed })
    }

    /// Returns the bytes of a model file.
    pub fn write(&self) -> Vec<u8> {
        let mut writer = Writer::new(KIND);
        writer.floats(&[self.min_stride_speed]);
        write_part(&self.locomotion, &mut writer);
        writer.bytes.push(u8::from(self.other.is_some()));
        if let Some(other) = &self.other {
            write_part(other, &mut writer);
        }
        writer.bytes
    }
}

fn read_flag(reader: &mut Reader, what: &'static str, expected: &'static str) -> Result<bool, ModelError> {
    reader.byte_as(what, expected, |byte| match byte {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    })
}

fn read_part(reader: &mut Reader) -> Result<KindModel, ModelError> {
    let expected = "0 for five labels, 1 for separate plant and skate";
    if read_flag(reader, "the kind of a part", expected)? {
        Ok(KindModel::PlantAndSkate { plant: Classifier::read(reader)?, skate: Classifier::read(reader)? })
    } else {
        Ok(KindModel::FiveLabels(Classifier::read(reader)?))
    }
}

fn write_part(part: &KindModel, writer: &mut Writer) {
    match part {
        KindModel::FiveLabels(classifier) => {
            writer.bytes.push(0);
            classifier.write(writer);
        }
        KindModel::PlantAndSkate { plant, skate } => {
            writer.bytes.push(1);
            plant.write(writer);
            skate.write(writer);
        }
    }
}
