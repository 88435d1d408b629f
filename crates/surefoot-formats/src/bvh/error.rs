//! Errors of reading a BVH file, with the position in the text.

use core::fmt;

/// A position in a text, with the text around it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextPosition {
    /// The line, from 1.
    pub line: usize,
    /// The character in that line, from 1.
    pub column: usize,
    /// The line; of a long line only the part around the column.
    pub text: String,
    /// The column within `text`, in characters from 0.
    pub text_column: usize,
}

/// Characters of a line shown on either side of an error.
const SHOWN: usize = 48;

impl TextPosition {
    /// The position of byte `at` of a file.
    pub(crate) fn of(bytes: &[u8], at: usize) -> Self {
        let at = at.min(bytes.len());
        let is_break = |index: usize| {
            bytes[index] == b'\n' || (bytes[index] == b'\r' && bytes.get(index + 1) != Some(&b'\n'))
        };
        let line = 1 + (0..at).filter(|&index| is_break(index)).count();
        let start = (0..at).rev().find(|&index| is_break(index)).map_or(0, |index| index + 1);
        let end =
            (at..bytes.len()).find(|&index| matches!(bytes[index], b'\n' | b'\r')).unwrap_or(bytes.len());
        // A line can be a gigabyte long: its characters are counted in place (all bytes but UTF-8
        // continuation bytes) and only the shown part is copied.
        let column = bytes[start..at].iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
        let before = decode(&bytes[at.saturating_sub(4 * SHOWN).max(start)..at]);
        let after = decode(&bytes[at..end.max(at).min(at + 4 * SHOWN)]);
        Self::with_context(line, column, &before, &after)
    }

    /// A position with at most [`SHOWN`] characters of the text before and after it.
    fn with_context(line: usize, column: usize, before: &str, after: &str) -> Self {
        let skipped = before.chars().count().saturating_sub(SHOWN);
        let mut text = String::from(if column > SHOWN { "…" } else { "" });
        text.extend(before.chars().skip(skipped));
        let text_column = text.chars().count();
        text.extend(after.chars().take(SHOWN));
        if after.chars().nth(SHOWN).is_some() {
            text.push('…');
        }
        let plain = |c: char| if c.is_control() { ' ' } else { c };
        Self { line, column: column + 1, text: text.chars().map(plain).collect(), text_column }
    }
}

/// Decodes text as UTF-8, or as Latin-1 where it is not UTF-8.
pub(crate) fn decode(bytes: &[u8]) -> String {
    match core::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// Error of reading a BVH file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BvhError {
    /// Where the problem is.
    pub position: TextPosition,
    /// What the problem is.
    pub problem: BvhProblem,
}

/// What is wrong with a BVH file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BvhProblem {
    /// The file is empty or consists of blanks.
    Empty,
    /// The text is encoded as UTF-16.
    Utf16,
    /// Another word than expected.
    Unexpected {
        /// The word; empty at the end of the file.
        found: String,
        /// The words that are possible here.
        expected: String,
    },
    /// A word that is not a finite number.
    NotANumber {
        /// The word.
        found: String,
        /// What the number belongs to: `an offset`, `frame 40`.
        context: String,
        /// The likely cause; empty if unknown.
        hint: &'static str,
    },
    /// The file ends inside the hierarchy.
    TruncatedHierarchy {
        /// Number of open blocks.
        open: usize,
        /// The innermost open joint.
        joint: String,
    },
    /// A frame with too few or too many numbers.
    FrameLength {
        /// The frame, from 0.
        frame: usize,
        /// Its numbers.
        found: usize,
        /// The number of channels.
        expected: usize,
    },
    /// The file ends inside a frame.
    TruncatedFrame {
        /// The frame, from 0.
        frame: usize,
        /// Its numbers.
        found: usize,
        /// The number of channels.
        expected: usize,
    },
    /// The file states a number of frames and has none.
    NoFrames {
        /// The stated number.
        stated: usize,
    },
    /// A joint with a second `OFFSET` or `CHANNELS`.
    Duplicate {
        /// `OFFSET` or `CHANNELS`.
        keyword: &'static str,
        /// The joint.
        joint: String,
    },
}

impl fmt::Display for BvhProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "the file is empty, expected HIERARCHY"),
            Self::Utf16 => {
                write!(f, "the text is UTF-16, expected UTF-8 or Latin-1: save the file as plain text")
            }
            Self::Unexpected { found, expected } if found.is_empty() => {
                write!(f, "the file ends here, expected {expected}")
            }
            Self::Unexpected { found, expected } => {
                write!(f, "found {found:?}, expected {expected}")
            }
            Self::NotANumber { found, context, hint } => {
                write!(f, "found {found:?} in {context}, expected a number")?;
                if hint.is_empty() { Ok(()) } else { write!(f, ": {hint}") }
            }
            Self::TruncatedHierarchy { open, joint } => {
                write!(f, "the file ends inside joint {joint:?}, expected {open} more closing }}")
            }
            Self::FrameLength { frame, found, expected } => {
                write!(f, "frame {frame} has {found} numbers, but the joints need {expected}")
            }
            Self::TruncatedFrame { frame, found, expected } => {
                write!(
                    f,
                    "the file ends in frame {frame} after {found} numbers, but the joints need {expected}"
                )
            }
            Self::NoFrames { stated } => {
                write!(f, "the file ends before the first frame, but Frames states {stated}")
            }
            Self::Duplicate { keyword, joint } => {
                write!(f, "joint {joint:?} has a second {keyword}, expected one")
            }
        }
    }
}

impl fmt::Display for BvhError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.position.line, self.position.column, self.problem)
    }
}

impl core::error::Error for BvhError {}
