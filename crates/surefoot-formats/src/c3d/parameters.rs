//! Reads the parameter section: groups and their named values.
//!
//! The section is a linked list of entries, each with the distance to the next. A group has a
//! negative number and its parameters the same number, positive; entries come in any order.

use core::ops::Range;

use super::error::C3dError;
use super::numbers::Numbers;

/// The type of a parameter's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Letters,
    Bytes,
    Words,
    Floats,
}

impl Kind {
    fn bytes(self) -> usize {
        match self {
            Self::Letters | Self::Bytes => 1,
            Self::Words => 2,
            Self::Floats => 4,
        }
    }
}

/// One parameter and the byte range of its values.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    group: u8,
    name: String,
    kind: Kind,
    /// The first dimension: the length of one text.
    width: usize,
    /// Byte range of the values.
    data: Range<usize>,
}

/// All parameters of a file.
pub(super) struct Parameters {
    /// The names of the groups, by number.
    groups: Vec<String>,
    parameters: Vec<Parameter>,
}

/// Groups are numbered from -1 to -128.
const GROUPS: usize = 129;

impl Parameters {
    /// Reads the entries from `at` on.
    pub fn read(numbers: &Numbers, mut at: usize) -> Result<Self, C3dError> {
        let mut found = Self { groups: vec![String::new(); GROUPS], parameters: Vec::new() };
        // Terminates, in memory proportional to the file: each entry is after the one before.
        while let Some(next) = found.entry(numbers, at)? {
            at = next;
        }
        Ok(found)
    }

    /// The parameter `group:name`, both in capitals.
    pub fn find(&self, group: &str, name: &str) -> Option<&Parameter> {
        let is_in = |parameter: &&Parameter| {
            parameter.name == name && self.groups[usize::from(parameter.group)] == group
        };
        self.parameters.iter().find(is_in)
    }

    /// Reads one entry and returns the position of the next; `None` at the end.
    fn entry(&mut self, numbers: &Numbers, at: usize) -> Result<Option<usize>, C3dError> {
        let bytes = numbers.bytes;
        // A section without an end mark ends with the file.
        let (Some(&length), Some(&number)) = (bytes.get(at), bytes.get(at + 1)) else { return Ok(None) };
        // A negative length marks a locked parameter, which is read like any other.
        let (length, number) = (usize::from((length as i8).unsigned_abs()), number as i8);
        if length == 0 {
            return Ok(None);
        }
        let offset_at = at + 2 + length;
        let letters = &bytes[at + 2..offset_at.min(bytes.len())];
        let name: String = letters.iter().map(|&letter| char::from(letter).to_ascii_uppercase()).collect();
        let name = name.trim().to_owned();
        let offset = numbers.word(offset_at).ok_or_else(|| truncated(numbers, at, &name, offset_at + 2))?;
        let group = number.unsigned_abs();
        let mut end = offset_at + 2;
        if number < 0 {
            self.groups[usize::from(group)].clone_from(&name);
        } else {
            let parameter = parameter(numbers, at, end, group, &name)?;
            end = parameter.data.end;
            self.parameters.push(parameter);
        }
        // The offset is relative to its own position. 0 ends the section.
        match offset {
            0 => Ok(None),
            _ if offset_at + usize::from(offset) < end => Err(C3dError::Overlap { at, name, found: offset }),
            _ => Ok(Some(offset_at + usize::from(offset))),
        }
    }
}

fn truncated(numbers: &Numbers, at: usize, name: &str, end: usize) -> C3dError {
    C3dError::Truncated { at, name: name.to_owned(), missing: end.saturating_sub(numbers.bytes.len()) }
}

/// Reads the parameter whose type is at `from`; its entry starts at `at`.
fn parameter(
    numbers: &Numbers,
    at: usize,
    from: usize,
    group: u8,
    name: &str,
) -> Result<Parameter, C3dError> {
    let bytes = numbers.bytes;
    let truncated = |end: usize| truncated(numbers, at, name, end);
    let (Some(&kind), Some(&dimensions)) = (bytes.get(from), bytes.get(from + 1)) else {
        return Err(truncated(from + 2));
    };
    let kind = match kind as i8 {
        -1 => Kind::Letters,
        1 => Kind::Bytes,
        2 => Kind::Words,
        4 => Kind::Floats,
        found => return Err(C3dError::UnknownType { at, name: name.to_owned(), found }),
    };
    let start = from + 2 + usize::from(dimensions);
    let dimensions = bytes.get(from + 2..start).ok_or_else(|| truncated(start))?;
    let width = dimensions.first().map_or(1, |&width| usize::from(width));
    // Saturating: 255 dimensions of 255 overflow, and no file is that long.
    let count = dimensions.iter().fold(1usize, |count, &times| count.saturating_mul(usize::from(times)));
    let end = start.saturating_add(count.saturating_mul(kind.bytes()));
    if end > bytes.len() {
        return Err(truncated(end));
    }
    Ok(Parameter { group, name: name.to_owned(), kind, width, data: start..end })
}

impl Parameter {
    /// The values as numbers.
    pub fn numbers(&self, numbers: &Numbers) -> impl Iterator<Item = f64> {
        let value = move |at: usize| match self.kind {
            Kind::Letters | Kind::Bytes => numbers.bytes.get(at).map(|&byte| f64::from(byte as i8)),
            Kind::Words => numbers.word(at).map(|word| f64::from(word as i16)),
            Kind::Floats => numbers.float(at),
        };
        self.data.clone().step_by(self.kind.bytes()).map_while(value)
    }

    /// The values as texts, without the padding at their ends.
    pub fn texts(&self, numbers: &Numbers) -> impl Iterator<Item = String> {
        let letters = &numbers.bytes[self.data.clone()];
        let text = |letters: &[u8]| {
            let letters: String = letters.iter().map(|&letter| char::from(letter)).collect();
            letters.trim_matches(|letter: char| letter.is_whitespace() || letter == '\0').to_owned()
        };
        letters.chunks(self.width.max(1)).map(text)
    }
}
