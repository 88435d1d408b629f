//! Model files: a line that says what it is, then numbers, the lower byte first.

use core::fmt;

/// A model file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelError {
    /// It does not begin as models do.
    NotAModel {
        /// What it should begin with.
        expected: String,
    },
    /// A model of another kind or version.
    Version {
        /// What it says it is.
        found: String,
        /// What it should be.
        expected: String,
    },
    /// It ends too early.
    Cut {
        /// Where it ends, in bytes.
        at: usize,
        /// How many more bytes it needs.
        missing: usize,
    },
    /// It goes on too long.
    TooLong {
        /// How many bytes are left over.
        over: usize,
    },
    /// A value that no model has.
    Value {
        /// Where, in bytes.
        at: usize,
        /// Of what.
        what: &'static str,
        /// What stands there.
        found: String,
        /// What could.
        expected: &'static str,
    },
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAModel { expected } => {
                write!(f, "this is no model, expected one that begins with {expected:?}")
            }
            Self::Version { found, expected } => {
                write!(f, "found a model of {found:?}, expected {expected:?}; train it anew")
            }
            Self::Cut { at, missing } => {
                write!(f, "byte {at}: the file ends here, expected {missing} bytes more")
            }
            Self::TooLong { over } => write!(f, "{over} bytes are left over behind the model"),
            Self::Value { at, what, found, expected } => {
                write!(f, "byte {at}: {what} is {found}, expected {expected}")
            }
        }
    }
}

impl core::error::Error for ModelError {}

/// What every model of surefoot begins with.
const BEGINS: &str = "surefoot ";

/// Reads a model. Takes no memory on the word of a file: a list is as long as there are bytes.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// Begins to read a model of this kind and version, such as `svm/1`.
    pub fn new(bytes: &'a [u8], kind: &str) -> Result<Self, ModelError> {
        let expected = format!("{BEGINS}{kind}");
        let rest = bytes.strip_prefix(BEGINS.as_bytes());
        // A kind is short; a line that is not is no kind.
        let line = rest
            .and_then(|rest| rest.iter().take(40).position(|&byte| byte == b'\n').map(|end| &rest[..end]));
        let Some(line) = line else {
            return Err(ModelError::NotAModel { expected });
        };
        if line != kind.as_bytes() {
            let found = String::from_utf8_lossy(line).into_owned();
            return Err(ModelError::Version { found, expected: kind.into() });
        }
        Ok(Self { bytes, at: expected.len() + 1 })
    }

    pub fn at(&self) -> usize {
        self.at
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], ModelError> {
        let left = &self.bytes[self.at..];
        if left.len() < count {
            return Err(ModelError::Cut { at: self.bytes.len(), missing: count - left.len() });
        }
        self.at += count;
        Ok(&left[..count])
    }

    pub fn byte(&mut self) -> Result<u8, ModelError> {
        Ok(self.take(1)?[0])
    }

    pub fn count(&mut self) -> Result<usize, ModelError> {
        let at = self.take(4)?;
        Ok(u32::from_le_bytes([at[0], at[1], at[2], at[3]]) as usize)
    }

    pub fn float(&mut self, what: &'static str) -> Result<f32, ModelError> {
        Ok(self.floats(1, what)?[0])
    }

    pub fn floats(&mut self, count: usize, what: &'static str) -> Result<Vec<f32>, ModelError> {
        let from = self.at;
        let bytes = self.take(count.saturating_mul(4))?;
        let float = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let floats: Vec<f32> = bytes.chunks_exact(4).map(float).collect();
        match floats.iter().position(|float| !float.is_finite()) {
            None => Ok(floats),
            Some(bad) => Err(ModelError::Value {
                at: from + 4 * bad,
                what,
                found: floats[bad].to_string(),
                expected: "a number",
            }),
        }
    }

    pub fn steps(&mut self, count: usize) -> Result<Vec<i16>, ModelError> {
        let bytes = self.take(count.saturating_mul(2))?;
        Ok(bytes.chunks_exact(2).map(|bytes| i16::from_le_bytes([bytes[0], bytes[1]])).collect())
    }

    pub fn bytes(&mut self, count: usize) -> Result<Vec<u8>, ModelError> {
        Ok(self.take(count)?.to_vec())
    }

    /// Nothing may come after.
    pub fn end(self) -> Result<(), ModelError> {
        match self.bytes.len() - self.at {
            0 => Ok(()),
            over => Err(ModelError::TooLong { over }),
        }
    }
}

/// Writes a model.
pub(crate) struct Writer {
    pub bytes: Vec<u8>,
}

impl Writer {
    pub fn new(kind: &str) -> Self {
        Self { bytes: format!("{BEGINS}{kind}\n").into_bytes() }
    }

    pub fn count(&mut self, count: usize) {
        // No model has four thousand million examples.
        self.bytes.extend((count as u32).to_le_bytes());
    }

    pub fn floats(&mut self, floats: &[f32]) {
        self.bytes.extend(floats.iter().flat_map(|float| float.to_le_bytes()));
    }

    pub fn steps(&mut self, steps: &[i16]) {
        self.bytes.extend(steps.iter().flat_map(|step| step.to_le_bytes()));
    }
}
