//! A whole model: one part for locomotion, one for all else, and its file.

use super::machine::Machine;
use super::{Label, Scratch};
use crate::features::Pair;
use crate::points::{ModelError, Reader, Writer};

/// What tells the labels of one kind of motion.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a model has two of them")]
pub enum Part {
    /// One machine for all five labels.
    Five(Machine),
    /// One machine for the feet that are down and one for skate.
    Apart {
        /// Left, right, both or none.
        plant: Machine,
        /// Skate, or none.
        skate: Machine,
    },
}

/// A model: a part for motions in which feet take turns, and one for all else.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Locomotion.
    locomotion: Part,
    /// All else; without one locomotion's is asked.
    other: Option<Part>,
    /// Where the feet go their own ways by less than this, in legs per second, it is not locomotion.
    strides: f32,
}

/// What is told of one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Told {
    /// The label.
    pub label: Label,
    /// How sure it is that each foot is down, from 0 to 1, left first; from a half on it is.
    pub sure: [f64; 2],
    /// Whether a foot that is down slides.
    pub skates: bool,
}

/// Kind and version of the file.
const KIND: &str = "svm/1";

/// The model that comes with surefoot, trained on the labelled captures by
/// `surefoot train --method svm`.
const SHIPPED: &[u8] = include_bytes!("../../models/svm.model");

impl Model {
    /// A model of a part for locomotion and one for all else, which is asked where feet go their
    /// own ways by less than `strides`.
    pub fn new(locomotion: Part, other: Option<Part>, strides: f32) -> Self {
        Self { locomotion, other, strides }
    }

    /// The one that comes with surefoot.
    pub fn shipped() -> Self {
        Self::read(SHIPPED).expect("a test reads it")
    }

    /// The part that is asked of a frame.
    pub fn part(&self, pair: &Pair, frame: usize) -> &Part {
        match &self.other {
            Some(other) if pair.strides(frame) < f64::from(self.strides) => other,
            _ => &self.locomotion,
        }
    }

    /// What is told of a frame.
    pub fn tell(&self, pair: &Pair, frame: usize, scratch: &mut Scratch) -> Told {
        match self.part(pair, frame) {
            Part::Five(machine) => {
                let decided = machine.decide(pair, frame, scratch);
                let label = decided.label();
                Told { label, sure: decided.sure(), skates: label == Label::Skate }
            }
            Part::Apart { plant, skate } => {
                let decided = plant.decide(pair, frame, scratch);
                let (feet, sure) = (decided.feet(), decided.sure());
                let slides = skate.decide(pair, frame, scratch).label() == Label::Skate;
                // A foot that is up does not skate.
                let skates = slides && feet != Label::None;
                Told { label: if skates { Label::Skate } else { feet }, sure, skates }
            }
        }
    }

    /// Reads a model file.
    pub fn read(bytes: &[u8]) -> Result<Self, ModelError> {
        let mut reader = Reader::new(bytes, KIND)?;
        let strides = reader.float("how much feet stride")?;
        let locomotion = part(&mut reader)?;
        let other = match byte(&mut reader, "the number of other parts", "0 or 1")? {
            0 => None,
            _ => Some(part(&mut reader)?),
        };
        reader.end()?;
        Ok(Self { locomotion, other, strides })
    }

    /// The model as a file.
    pub fn write(&self) -> Vec<u8> {
        let mut writer = Writer::new(KIND);
        writer.floats(&[self.strides]);
        write_part(&self.locomotion, &mut writer);
        writer.bytes.push(u8::from(self.other.is_some()));
        if let Some(other) = &self.other {
            write_part(other, &mut writer);
        }
        writer.bytes
    }
}

fn byte(reader: &mut Reader, what: &'static str, expected: &'static str) -> Result<u8, ModelError> {
    let at = reader.at();
    match reader.byte()? {
        found @ (0 | 1) => Ok(found),
        found => Err(ModelError::Value { at, what, found: found.to_string(), expected }),
    }
}

fn part(reader: &mut Reader) -> Result<Part, ModelError> {
    match byte(reader, "the kind of a part", "0 for five labels, 1 for plant and skate apart")? {
        0 => Ok(Part::Five(Machine::read(reader)?)),
        _ => Ok(Part::Apart { plant: Machine::read(reader)?, skate: Machine::read(reader)? }),
    }
}

fn write_part(part: &Part, writer: &mut Writer) {
    match part {
        Part::Five(machine) => {
            writer.bytes.push(0);
            machine.write(writer);
        }
        Part::Apart { plant, skate } => {
            writer.bytes.push(1);
            plant.write(writer);
            skate.write(writer);
        }
    }
}
