//! What can be wrong with a BVH file, and where.

use core::fmt;

/// Where in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The character on that line, from 1.
    pub column: usize,
    /// The line itself; of a long one the part around the column.
    pub text: String,
    /// Where in `text` the column is, in characters from 0.
    pub text_column: usize,
}

/// How many characters of a line are shown on either side of what is wrong with it.
const SHOWN: usize = 48;

impl Place {
    /// The place of a byte of a file.
    pub(super) fn of(bytes: &[u8], at: usize) -> Self {
        let at = at.min(bytes.len());
        let is_break = |index: usize| {
            bytes[index] == b'\n' || (bytes[index] == b'\r' && bytes.get(index + 1) != Some(&b'\n'))
        };
        let line = 1 + (0..at).filter(|&index| is_break(index)).count();
        let start = (0..at).rev().find(|&index| is_break(index)).map_or(0, |index| index + 1);
        let end =
            (at..bytes.len()).find(|&index| matches!(bytes[index], b'\n' | b'\r')).unwrap_or(bytes.len());
        // A line can be a gigabyte long: count its characters in place, copy only what is shown.
        let column = bytes[start..at].iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
        let before = name_of(&bytes[at.saturating_sub(4 * SHOWN).max(start)..at]);
        let after = name_of(&bytes[at..end.max(at).min(at + 4 * SHOWN)]);
        Self::shown(line, column, &before, &after)
    }

    fn shown(line: usize, column: usize, before: &str, after: &str) -> Self {
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

/// Text as the file means it: UTF-8, or Latin-1 where it is not.
pub(super) fn name_of(bytes: &[u8]) -> String {
    match core::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// A BVH file that cannot be read: where, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BvhError {
    /// Where.
    pub place: Place,
    /// Why.
    pub problem: Problem,
}

/// Why a BVH file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// There is nothing in the file.
    Empty,
    /// The text is UTF-16.
    Utf16,
    /// A word that has no business here.
    Unexpected {
        /// What stands there; empty at the end of the file.
        found: String,
        /// What should.
        expected: String,
    },
    /// Something that should be a number.
    NotANumber {
        /// What stands there.
        found: String,
        /// What it was to be: `an offset`, `frame 40`.
        what: String,
        /// What may be behind it, where that is known.
        hint: &'static str,
    },
    /// The file ends inside the skeleton.
    CutSkeleton {
        /// Blocks still open.
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
        /// The channels.
        expected: usize,
    },
    /// The file ends inside a frame.
    CutFrame {
        /// The frame, from 0.
        frame: usize,
        /// Its numbers.
        found: usize,
        /// The channels.
        expected: usize,
    },
    /// The file promises frames and holds none.
    NoFrames {
        /// How many it promises.
        promised: usize,
    },
    /// A joint says the same thing twice.
    Twice {
        /// `OFFSET` or `CHANNELS`.
        what: &'static str,
        /// The joint.
        joint: String,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "the file is empty, expected HIERARCHY"),
            Self::Utf16 => {
                write!(f, "the text is UTF-16, expected UTF-8 or Latin-1: save it anew as plain text")
            }
            Self::Unexpected { found, expected } if found.is_empty() => {
                write!(f, "the file ends here, expected {expected}")
            }
            Self::Unexpected { found, expected } => {
                write!(f, "found {found:?}, expected {expected}")
            }
            Self::NotANumber { found, what, hint } => {
                write!(f, "found {found:?} in {what}, expected a number")?;
                if hint.is_empty() { Ok(()) } else { write!(f, ": {hint}") }
            }
            Self::CutSkeleton { open, joint } => {
                write!(f, "the file ends inside joint {joint:?}, expected {open} more closing }}")
            }
            Self::FrameLength { frame, found, expected } => {
                write!(f, "frame {frame} has {found} numbers, but the joints need {expected}")
            }
            Self::CutFrame { frame, found, expected } => {
                write!(
                    f,
                    "the file ends in frame {frame} after {found} numbers, but the joints need {expected}"
                )
            }
            Self::NoFrames { promised } => {
                write!(f, "the file promises {promised} frames and ends before the first")
            }
            Self::Twice { what, joint } => {
                write!(f, "joint {joint:?} has a second {what}, expected one")
            }
        }
    }
}

impl fmt::Display for BvhError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.place.line, self.place.column, self.problem)
    }
}

impl core::error::Error for BvhError {}
