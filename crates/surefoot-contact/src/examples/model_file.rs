//! Model files of `knn` and `svm`: a line with kind and version, then little-endian numbers.

use super::FeatureScaling;
use crate::features::{FeatureSet, FeatureSpec, Window};
use core::fmt;

/// Why a model file could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelError {
    /// The file does not start like a model.
    NotAModel {
        /// How a model of this kind starts.
        expected: String,
    },
    /// The model is of another kind or version.
    Version {
        /// The kind and version in the file.
        found: String,
        /// The kind and version that can be read.
        expected: String,
    },
    /// The file is cut off.
    Truncated {
        /// The length of the file, in bytes.
        at: usize,
        /// Number of missing bytes.
        missing: usize,
    },
    /// There are bytes after the model.
    TooLong {
        /// Number of bytes after the model.
        excess: usize,
    },
    /// A value is out of range.
    Value {
        /// Position in the file, in bytes.
        at: usize,
        /// The name of the value.
        what: &'static str,
        /// The value.
        found: String,
        /// The values that are allowed.
        expected: &'static str,
    },
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAModel { expected } => {
                write!(f, "not a model: the file does not start with {expected:?}")
            }
            Self::Version { found, expected } => {
                write!(
                    f,
                    "found a model of {found:?}, expected {expected:?}; train it again with this version"
                )
            }
            Self::Truncated { at, missing } => {
                write!(f, "byte {at}: the file ends here, expected {missing} more bytes")
            }
            Self::TooLong { excess } => write!(f, "{excess} unexpected bytes after the model"),
            Self::Value { at, what, found, expected } => {
                write!(f, "byte {at}: {what} is {found}, expected {expected}")
            }
        }
    }
}

impl core::error::Error for ModelError {}

/// The first bytes of every model, before its kind.
const MAGIC: &str = "surefoot ";
/// Longest line with a kind, in bytes. A longer line is not a model's.
const MAX_KIND: usize = 40;

/// Reads a model. Lists are allocated only after their bytes were found, whatever length the file announces.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// Starts to read a model of this kind and version, for example `svm/2`.
    pub fn new(bytes: &'a [u8], kind: &str) -> Result<Self, ModelError> {
        let expected = format!("{MAGIC}{kind}");
        let line = bytes.strip_prefix(MAGIC.as_bytes()).and_then(|rest| {
            let end = rest.iter().take(MAX_KIND).position(|&byte| byte == b'\n');
            end.map(|end| &rest[..end])
        });
        let Some(line) = line else {
            return Err(ModelError::NotAModel { expected });
        };
        if line != kind.as_bytes() {
            let found = String::from_utf8_lossy(line).into_owned();
            return Err(ModelError::Version { found, expected: kind.into() });
        }
        Ok(Self { bytes, at: expected.len() + 1 })
    }

    /// The position in the file, in bytes.
    pub fn at(&self) -> usize {
        self.at
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], ModelError> {
        let left = &self.bytes[self.at..];
        if left.len() < count {
            return Err(ModelError::Truncated { at: self.bytes.len(), missing: count - left.len() });
        }
        self.at += count;
        Ok(&left[..count])
    }

    pub fn byte(&mut self) -> Result<u8, ModelError> {
        Ok(self.take(1)?[0])
    }

    /// Reads a byte that is converted to a value; `None` is out of range.
    pub fn byte_as<T>(
        &mut self,
        what: &'static str,
        expected: &'static str,
        convert: impl FnOnce(u8) -> Option<T>,
    ) -> Result<T, ModelError> {
        let at = self.at();
        let byte = self.byte()?;
        convert(byte).ok_or_else(|| ModelError::Value { at, what, found: byte.to_string(), expected })
    }

    pub fn count(&mut self) -> Result<usize, ModelError> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize)
    }

    pub fn float(&mut self, what: &'static str) -> Result<f32, ModelError> {
        Ok(self.floats(1, what)?[0])
    }

    pub fn floats(&mut self, count: usize, what: &'static str) -> Result<Vec<f32>, ModelError> {
        let start = self.at;
        let bytes = self.take(count.saturating_mul(4))?;
        let float = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let floats: Vec<f32> = bytes.chunks_exact(4).map(float).collect();
        match floats.iter().position(|float| !float.is_finite()) {
            None => Ok(floats),
            Some(bad) => Err(ModelError::Value {
                at: start + 4 * bad,
                what,
                found: floats[bad].to_string(),
                expected: "a finite number",
            }),
        }
    }

    /// Reads quantised features.
    pub fn quantised(&mut self, count: usize) -> Result<Vec<i16>, ModelError> {
        let bytes = self.take(count.saturating_mul(2))?;
        Ok(bytes.chunks_exact(2).map(|bytes| i16::from_le_bytes([bytes[0], bytes[1]])).collect())
    }

    pub fn bytes(&mut self, count: usize) -> Result<Vec<u8>, ModelError> {
        Ok(self.take(count)?.to_vec())
    }

    pub fn feature_spec(&mut self) -> Result<FeatureSpec, ModelError> {
        let set = self.byte_as("the feature set", "a set of features", FeatureSet::from_byte)?;
        Ok(FeatureSpec { set, window: self.byte_as("the window", "1, 3, 5 or 10", Window::of)? })
    }

    pub fn scaling(&mut self, features: usize) -> Result<FeatureScaling, ModelError> {
        let means = self.floats(features, "a mean")?;
        Ok(FeatureScaling { means, deviations: self.floats(features, "a deviation")? })
    }

    /// Checks that the file ends here.
    pub fn end(self) -> Result<(), ModelError> {
        match self.bytes.len() - self.at {
            0 => Ok(()),
            excess => Err(ModelError::TooLong { excess }),
        }
    }
}

/// Writes a model.
pub(crate) struct Writer {
    pub bytes: Vec<u8>,
}

impl Writer {
    pub fn new(kind: &str) -> Self {
        Self { bytes: format!("{MAGIC}{kind}\n").into_bytes() }
    }

    pub fn count(&mut self, count: usize) {
        // No model has 2³² examples.
        self.bytes.extend((count as u32).to_le_bytes());
    }

    pub fn floats(&mut self, floats: &[f32]) {
        self.bytes.extend(floats.iter().flat_map(|float| float.to_le_bytes()));
    }

    pub fn quantised(&mut self, values: &[i16]) {
        self.bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    }

    pub fn feature_spec(&mut self, spec: FeatureSpec) {
        self.bytes.extend([spec.set.to_byte(), spec.window.samples()]);
    }

    pub fn scaling(&mut self, scaling: &FeatureScaling) {
        self.floats(&scaling.means);
        self.floats(&scaling.deviations);
    }
}
