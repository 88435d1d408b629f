//! The bytes of a model.
//!
//! A magic number with the version, the counts, the trees, the calibration curves and a checksum;
//! numbers are little-endian.

use std::sync::OnceLock;

use super::feature_rows::FEATURES;
use super::model::{CalibrationCurve, LEAVES, Model, SPLITS, Tree};
use core::fmt;

/// The first bytes of a model: format and version.
const MAGIC: &[u8; 16] = b"surefoot/model/4";

/// The model that is part of the program.
static SHIPPED: &[u8] = include_bytes!("model.bin");

/// Calibration curves of a model: scores, rests at two edges of two points, and plants of two points.
const CURVES: usize = 7;

/// Largest accepted count: larger than in any model, and small enough that sizes do not overflow.
const MAX_COUNT: u32 = 1 << 20;

impl Model {
    /// The model that comes with surefoot, trained by `surefoot train` on the labelled captures.
    pub fn shipped() -> Self {
        // A test reads the shipped model, so the default is never used.
        Self::read(SHIPPED).unwrap_or_default()
    }

    /// The model that comes with surefoot, read once: reading it takes as long as detecting contacts in 40 frames.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Model> = OnceLock::new();
        SHARED.get_or_init(Self::shipped)
    }

    /// Returns the bytes of the model.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes();
        bytes.extend(count(FEATURES));
        bytes.extend(count(self.trees.len()));
        let curves = || {
            core::iter::once(&self.score_calibration)
                .chain(self.rest_calibration.iter().flatten())
                .chain(&self.plant_calibration)
        };
        curves().for_each(|curve| bytes.extend(count(curve.len())));
        bytes.extend(self.base.to_le_bytes());
        for tree in &self.trees {
            bytes.extend(tree.features.iter().flat_map(|feature| feature.to_le_bytes()));
            bytes.extend(tree.thresholds.iter().chain(&tree.leaves).flat_map(|value| value.to_le_bytes()));
        }
        let pair = |(x, y): &(f32, f32)| [x.to_le_bytes(), y.to_le_bytes()].concat();
        bytes.extend(curves().flatten().flat_map(pair));
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// Reads the bytes of a model.
    pub fn read(bytes: &[u8]) -> Result<Self, ModelError> {
        let mut reader = Reader { rest: after_magic(bytes)? };
        let (features, trees) = (reader.count()?, reader.count()?);
        if features != FEATURES {
            return Err(ModelError::Version);
        }
        let mut lengths = [0; CURVES];
        for length in &mut lengths {
            *length = reader.count()?;
        }
        check_integrity(bytes, trees, lengths.iter().sum())?;
        let base = reader.number()?;
        let trees = (0..trees).map(|_| reader.tree()).collect::<Result<_, _>>()?;
        let [score, heel_start, heel_end, ball_start, ball_end, heel, ball] = lengths;
        Ok(Self {
            base,
            trees,
            score_calibration: reader.curve(score)?,
            rest_calibration: [
                [reader.curve(heel_start)?, reader.curve(heel_end)?],
                [reader.curve(ball_start)?, reader.curve(ball_end)?],
            ],
            plant_calibration: [reader.curve(heel)?, reader.curve(ball)?],
        })
    }
}

/// Returns the bytes after the magic number.
fn after_magic(bytes: &[u8]) -> Result<&[u8], ModelError> {
    bytes.strip_prefix(MAGIC).ok_or_else(|| {
        let same = bytes.iter().zip(MAGIC).take_while(|(a, b)| a == b).count();
        // The last byte is the version.
        if same + 1 >= MAGIC.len() { ModelError::Version } else { ModelError::NotAModel }
    })
}

/// Checks the length and the checksum of a model, given its numbers of trees and of curve points.
fn check_integrity(bytes: &[u8], trees: usize, curve_points: usize) -> Result<(), ModelError> {
    let tree_bytes = 6 * SPLITS + 4 * LEAVES;
    let header_bytes = MAGIC.len() + 4 * (3 + CURVES);
    let expected = header_bytes + trees * tree_bytes + curve_points * 8 + 8;
    if bytes.len() != expected {
        return Err(ModelError::Length { found: bytes.len(), expected });
    }
    let (body, sum) = bytes.split_at(bytes.len() - 8);
    if checksum(body).to_le_bytes() == *sum { Ok(()) } else { Err(ModelError::Damaged) }
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], ModelError> {
        let (first, rest) = self.rest.split_first_chunk().ok_or(ModelError::Damaged)?;
        self.rest = rest;
        Ok(*first)
    }

    fn count(&mut self) -> Result<usize, ModelError> {
        let count = u32::from_le_bytes(self.bytes()?);
        if count > MAX_COUNT { Err(ModelError::Damaged) } else { Ok(count as usize) }
    }

    fn number(&mut self) -> Result<f32, ModelError> {
        Ok(f32::from_le_bytes(self.bytes()?))
            .and_then(|n: f32| if n.is_nan() { Err(ModelError::Damaged) } else { Ok(n) })
    }

    fn tree(&mut self) -> Result<Tree, ModelError> {
        let mut tree = Tree::EMPTY;
        for feature in &mut tree.features {
            *feature = u16::from_le_bytes(self.bytes()?);
            if usize::from(*feature) >= FEATURES {
                return Err(ModelError::Damaged);
            }
        }
        for value in tree.thresholds.iter_mut().chain(&mut tree.leaves) {
            *value = self.number()?;
        }
        Ok(tree)
    }

    fn curve(&mut self, points: usize) -> Result<CalibrationCurve, ModelError> {
        (0..points).map(|_| Ok((self.number()?, self.number()?))).collect()
    }
}

/// FNV-1a, which detects damage and nothing more.
fn checksum(bytes: &[u8]) -> u64 {
    let mix = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

/// Why bytes could not be read as a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelError {
    /// The bytes do not start with the magic number.
    NotAModel,
    /// The model was written by another version of surefoot.
    Version,
    /// The file is cut off or too long.
    Length {
        /// The length of the file, in bytes.
        found: usize,
        /// The length that the header announces, in bytes.
        expected: usize,
    },
    /// The checksum does not match, or a value is out of range.
    Damaged,
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAModel => write!(f, "not a surefoot model"),
            Self::Version => {
                write!(f, "the model is from another version of surefoot; train it again with this version")
            }
            Self::Length { found, expected } => {
                write!(f, "the file has {found} bytes, but its header announces {expected}")
            }
            Self::Damaged => write!(f, "the file is damaged: its checksum does not match"),
        }
    }
}

impl core::error::Error for ModelError {}
