//! The examples, and their file.

use crate::features::{Features, Window};
use crate::points::{ModelError, Points, Reader, Scale, Writer};

/// Labelled examples.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub(super) features: Features,
    pub(super) window: Window,
    pub(super) neighbours: usize,
    pub(super) scale: Scale,
    pub(super) points: Points,
    /// By example: 1 where the left foot is down, 2 where the right is, 3 where both are.
    pub(super) feet: Vec<u8>,
}

/// Kind and version of the file.
const KIND: &str = "knn/1";

/// The model that comes with surefoot, trained on the labelled captures by
/// `surefoot train --method knn`.
const SHIPPED: &[u8] = include_bytes!("../../models/knn.model");

impl Model {
    /// A model of examples on `scale`, with the feet that are down in each: 1 for the left, 2 for
    /// the right, 3 for both.
    ///
    /// Panics where they do not fit one another: that is a bug of whoever fits it.
    pub fn new(
        features: Features,
        window: Window,
        neighbours: u8,
        scale: Scale,
        points: Points,
        feet: Vec<u8>,
    ) -> Self {
        assert_eq!(points.count(), feet.len(), "every example has its feet");
        let neighbours = usize::from(neighbours.max(1)).min(feet.len().max(1));
        Self { features, window, neighbours, scale, points, feet }
    }

    /// The one that comes with surefoot.
    pub fn shipped() -> Self {
        Self::read(SHIPPED).expect("a test reads it")
    }

    /// Reads a model file.
    pub fn read(bytes: &[u8]) -> Result<Self, ModelError> {
        let mut reader = Reader::new(bytes, KIND)?;
        let (features, window) = (features(&mut reader)?, window(&mut reader)?);
        let neighbours = usize::from(reader.byte()?);
        let count = reader.count()?;
        let at = reader.at();
        if neighbours == 0 || count < neighbours {
            let found = format!("{neighbours} of {count}");
            let expected = "at least one, and no more than there are examples";
            return Err(ModelError::Value { at, what: "the number of neighbours", found, expected });
        }
        let numbers = features.len(window);
        let scale = scale(&mut reader, numbers)?;
        let feet = reader.bytes(count)?;
        if let Some(bad) = feet.iter().position(|&feet| feet > 3) {
            let found = feet[bad].to_string();
            let what = "the feet of an example";
            return Err(ModelError::Value { at, what, found, expected: "0 to 3" });
        }
        let points = Points::from_steps(count, reader.steps(count.saturating_mul(numbers))?);
        reader.end()?;
        Ok(Self { features, window, neighbours, scale, points, feet })
    }

    /// The model as a file.
    pub fn write(&self) -> Vec<u8> {
        let mut writer = Writer::new(KIND);
        writer.bytes.extend([self.features.to_byte(), self.window.instants(), self.neighbours as u8]);
        writer.count(self.points.count);
        writer.floats(&self.scale.means);
        writer.floats(&self.scale.spreads);
        writer.bytes.extend(&self.feet);
        writer.steps(&self.points.steps);
        writer.bytes
    }

    /// How many examples there are.
    pub fn examples(&self) -> usize {
        self.points.count
    }
}

pub(crate) fn features(reader: &mut Reader) -> Result<Features, ModelError> {
    let at = reader.at();
    let byte = reader.byte()?;
    let expected = "a set of features";
    let value = || ModelError::Value { at, what: "the feature set", found: byte.to_string(), expected };
    Features::from_byte(byte).ok_or_else(value)
}

pub(crate) fn window(reader: &mut Reader) -> Result<Window, ModelError> {
    let at = reader.at();
    let byte = reader.byte()?;
    let expected = "1, 3, 5 or 10";
    let value = || ModelError::Value { at, what: "the window", found: byte.to_string(), expected };
    Window::of(byte).ok_or_else(value)
}

pub(crate) fn scale(reader: &mut Reader, numbers: usize) -> Result<Scale, ModelError> {
    let means = reader.floats(numbers, "a mean")?;
    Ok(Scale { means, spreads: reader.floats(numbers, "a spread")? })
}
