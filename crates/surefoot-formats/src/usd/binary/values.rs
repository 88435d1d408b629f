//! The values of a binary layer.
//!
//! A value representation has the kind of the value in bits 48 to 55, three flags in the highest bits, and in the lowest
//! 48 bits the offset of the data in the file, or the value itself where it is small.

use super::cursor::Cursor;
use super::{Binary, damaged};
use crate::half;
use crate::usd::error::UsdError;
use crate::usd::layer::{Link, Precision, Stored};

/// Most members of lists of links, paths and dictionaries.
const MOST_MEMBERS: usize = 10_000;

/// Longest joint or file name, in bytes. Joint names are paths from the root.
const LONGEST_WORD: usize = 8_192;

/// A value representation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rep(pub u64);

impl Rep {
    pub const ARRAY: u64 = 1 << 63;
    const INLINED: u64 = 1 << 62;
    const COMPRESSED: u64 = 1 << 61;

    pub fn new(kind: Kind, flags: u64, offset: u64) -> Self {
        Self(flags | (kind as u64) << 48 | offset)
    }

    pub fn kind(self) -> u8 {
        (self.0 >> 48) as u8
    }

    pub fn payload(self) -> u64 {
        self.0 & 0xffff_ffff_ffff
    }

    pub fn is_array(self) -> bool {
        self.0 & Self::ARRAY != 0
    }

    fn is_inlined(self) -> bool {
        self.0 & Self::INLINED != 0
    }

    /// How the numbers of the value are stored; `None` for other values.
    pub fn layout(self) -> Option<Layout> {
        use Precision::{Double, Half, Single};
        let (width, precision) = match self.kind() {
            3 | 4 => return Some(Layout { width: 1, number: Number::Integer }),
            7 => (1, Half),
            8 => (1, Single),
            9 | 56 => (1, Double),
            15 => (16, Double),
            16 => (4, Double),
            17 => (4, Single),
            18 => (4, Half),
            23 => (3, Double),
            24 => (3, Single),
            25 => (3, Half),
            48 => (1, Double),
            _ => return None,
        };
        Some(Layout { width, number: Number::Real(precision) })
    }
}

/// The kinds of values that are written or told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    String = 10,
    Token = 11,
    AssetPath = 12,
    PathListOp = 34,
    ReferenceListOp = 35,
    TokenVector = 41,
    TimeSamples = 46,
    Payload = 47,
    DoubleVector = 48,
    StringVector = 50,
}

/// How a number is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Integer,
    Real(Precision),
}

impl Number {
    pub fn bytes(self) -> usize {
        match self {
            Self::Integer | Self::Real(Precision::Single) => 4,
            Self::Real(Precision::Half) => 2,
            Self::Real(Precision::Double) => 8,
        }
    }

    pub fn read(self, bytes: &[u8]) -> Option<f64> {
        Some(match self {
            Self::Integer => f64::from(i32::from_le_bytes(bytes.try_into().ok()?)),
            Self::Real(Precision::Half) => half::to_f64(u16::from_le_bytes(bytes.try_into().ok()?)),
            Self::Real(Precision::Single) => f64::from(f32::from_le_bytes(bytes.try_into().ok()?)),
            Self::Real(Precision::Double) => f64::from_le_bytes(bytes.try_into().ok()?),
        })
    }

    pub fn write(self, number: f64, out: &mut Vec<u8>) {
        match self {
            Self::Integer => out.extend((number as i32).to_le_bytes()),
            Self::Real(Precision::Half) => out.extend(half::from_f64(number).to_le_bytes()),
            Self::Real(Precision::Single) => out.extend((number as f32).to_le_bytes()),
            Self::Real(Precision::Double) => out.extend(number.to_le_bytes()),
        }
    }
}

/// The numbers of an element, and how each is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub width: usize,
    pub number: Number,
}

impl Binary {
    /// The numbers of a value.
    pub fn numbers(&self, bytes: &[u8], stored: Stored, most: usize) -> Result<Vec<f64>, UsdError> {
        let rep = Rep(stored.0);
        let Some(layout) = rep.layout() else {
            let found = format!("a value of kind {}", rep.kind());
            return Err(UsdError::new("a value", found, "numbers"));
        };
        let (at, count) = match rep.is_inlined() {
            true => return inlined(rep, layout).ok_or_else(damaged),
            false => self.array(bytes, rep).ok_or_else(damaged)?,
        };
        let count = count.saturating_mul(layout.width);
        if count > most {
            return Err(UsdError::new(
                "a value",
                format_args!("{count} numbers"),
                format_args!("{most} at most"),
            ));
        }
        if rep.0 & Rep::COMPRESSED != 0 {
            return compressed(bytes, at, count, layout).ok_or_else(|| {
                UsdError::new("a value", "compressed numbers", "whole numbers or numbers as they are")
            });
        }
        let size = layout.number.bytes();
        let end = at.checked_add(count.saturating_mul(size));
        let data = end.and_then(|end| bytes.get(at..end)).ok_or_else(damaged)?;
        data.chunks_exact(size).map(|number| layout.number.read(number).ok_or_else(damaged)).collect()
    }

    /// Where the elements of a value start, and how many there are.
    pub(super) fn array(&self, bytes: &[u8], rep: Rep) -> Option<(usize, usize)> {
        // An empty array has no data.
        if rep.is_array() && rep.payload() == 0 {
            return Some((0, 0));
        }
        let mut cursor = Cursor::new(bytes, rep.payload())?;
        if !rep.is_array() && rep.kind() != Kind::DoubleVector as u8 {
            return Some((cursor.at, 1));
        }
        if rep.is_array() && self.tables.version < 5 {
            // The number of dimensions, which is 1.
            cursor.u32()?;
        }
        let count = match rep.is_array() && self.tables.version < 7 {
            true => cursor.u32()? as usize,
            false => cursor.count(bytes.len())?,
        };
        Some((cursor.at, count))
    }

    /// The strings, tokens or paths of a value.
    pub fn words(&self, bytes: &[u8], stored: Stored, most: usize) -> Result<Vec<String>, UsdError> {
        let rep = Rep(stored.0);
        let words = self.word_list(bytes, rep).ok_or_else(damaged)?;
        match words.len() <= most {
            true => words.into_iter().map(|word| word.ok_or_else(damaged)).collect(),
            false => {
                let found = format!("{} strings", words.len());
                Err(UsdError::new("a value", found, format_args!("{most} at most")))
            }
        }
    }

    fn word_list(&self, bytes: &[u8], rep: Rep) -> Option<Vec<Option<String>>> {
        let kind = rep.kind();
        if kind == Kind::PathListOp as u8 {
            let mut paths = Vec::new();
            self.list(bytes, rep, |cursor| {
                paths.push(self.path(cursor.u32()?));
                Some(())
            })?;
            return Some(paths);
        }
        let is_string = kind == Kind::String as u8 || kind == Kind::StringVector as u8;
        let is_token =
            [Kind::Token, Kind::AssetPath, Kind::TokenVector].map(|kind| kind as u8).contains(&kind);
        if !is_string && !is_token {
            return None;
        }
        let word = |index: u32| if is_string { self.string(index) } else { self.token(index) };
        if rep.is_inlined() {
            return Some(vec![word(rep.payload() as u32)]);
        }
        let (mut cursor, count) = match rep.is_array() {
            true => {
                let (at, count) = self.array(bytes, rep)?;
                (Cursor::new(bytes, at as u64)?, count)
            }
            false => {
                let mut cursor = Cursor::new(bytes, rep.payload())?;
                let count = cursor.count(bytes.len() / 4)?;
                (cursor, count)
            }
        };
        if count > crate::source::MOST_JOINTS {
            return Some(vec![None; crate::source::MOST_JOINTS + 1]);
        }
        (0..count).map(|_| Some(word(cursor.u32()?))).collect()
    }

    fn token(&self, index: u32) -> Option<String> {
        self.tables.tokens.get(index).filter(|token| token.len() <= LONGEST_WORD).map(str::to_owned)
    }

    pub(super) fn string(&self, index: u32) -> Option<String> {
        self.token(*self.tables.strings.get(index as usize)?)
    }

    /// The references or payloads of a value.
    pub(super) fn links(&self, bytes: &[u8], rep: Rep, most: usize) -> Option<Vec<Link>> {
        let mut links = Vec::new();
        match rep.kind() {
            kind if kind == Kind::Payload as u8 => {
                let mut cursor = Cursor::new(bytes, rep.payload())?;
                links.push(self.link(&mut cursor, false)?);
            }
            kind => {
                let is_reference = kind == Kind::ReferenceListOp as u8;
                self.list(bytes, rep, |cursor| {
                    links.push(self.link(cursor, is_reference)?);
                    Some(())
                })?;
            }
        }
        (links.len() <= most).then_some(links)
    }

    fn link(&self, cursor: &mut Cursor, is_reference: bool) -> Option<Link> {
        let asset = self.string(cursor.u32()?)?;
        let prim = self.path(cursor.u32()?).filter(|path| path.len() > 1);
        let mut has_offset = false;
        if is_reference || self.tables.version >= 8 {
            has_offset = [cursor.f64()?, cursor.f64()?] != [0.0, 1.0];
        }
        if is_reference {
            skip_dictionary(cursor)?;
        }
        Some(Link { asset: Some(asset).filter(|asset| !asset.is_empty()), prim, has_offset })
    }

    /// Reads the members of a list with edits; those that are deleted or ordered are skipped, as they are the last.
    fn list(&self, bytes: &[u8], rep: Rep, mut member: impl FnMut(&mut Cursor) -> Option<()>) -> Option<()> {
        let mut cursor = Cursor::new(bytes, rep.payload())?;
        let flags = cursor.u8()?;
        // Explicit, added, prepended and appended members, in this order.
        for flag in [1 << 1, 1 << 2, 1 << 5, 1 << 6] {
            if flags & flag != 0 {
                for _ in 0..cursor.count(MOST_MEMBERS)? {
                    member(&mut cursor)?;
                }
            }
        }
        Some(())
    }

    /// The times and values of an attribute that varies, and where the first value is stored.
    pub(super) fn samples(&self, bytes: &[u8], rep: Rep) -> Option<(Vec<(f64, Stored)>, usize)> {
        let mut cursor = Cursor::new(bytes, rep.payload())?;
        cursor.jump()?;
        let times = Rep(cursor.u64()?);
        cursor.jump()?;
        let count = cursor.count(bytes.len() / 8)?;
        let first = cursor.at;
        let (at, found) = self.array(bytes, times)?;
        if found != count || times.kind() != Kind::DoubleVector as u8 {
            return None;
        }
        let mut times = Cursor::new(bytes, at as u64)?;
        let samples: Option<Vec<(f64, Stored)>> =
            (0..count).map(|_| Some((times.f64()?, Stored(cursor.u64()?)))).collect();
        let samples = samples?;
        let is_ordered = samples.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let is_finite = samples.iter().all(|(time, _)| time.is_finite());
        (is_ordered && is_finite).then_some((samples, first))
    }
}

/// A value inside its representation: whole numbers of one byte each, or one number of up to four bytes.
fn inlined(rep: Rep, layout: Layout) -> Option<Vec<f64>> {
    let payload = rep.payload().to_le_bytes();
    let small = |n: usize| f64::from(payload[n] as i8);
    Some(match layout {
        Layout { width: 1, number: Number::Integer } => vec![f64::from(rep.payload() as i32)],
        Layout { width: 1, number: Number::Real(Precision::Half) } => {
            vec![half::to_f64(rep.payload() as u16)]
        }
        // A double that a single-precision number can hold is stored as one.
        Layout { width: 1, .. } => vec![f64::from(f32::from_bits(rep.payload() as u32))],
        Layout { width: 3, .. } => (0..3).map(small).collect(),
        // A matrix that is 0 beside its diagonal.
        Layout { width: 16, .. } => (0..16).map(|n| if n % 5 == 0 { small(n / 5) } else { 0.0 }).collect(),
        _ => return None,
    })
}

/// Compressed numbers: integers, or reals that are whole. Reals with a table of values are not read.
fn compressed(bytes: &[u8], at: usize, count: usize, layout: Layout) -> Option<Vec<f64>> {
    let mut cursor = Cursor::new(bytes, at as u64)?;
    if layout.number != Number::Integer && cursor.u8()? != b'i' {
        return None;
    }
    let size = cursor.count(bytes.len())?;
    let integers = super::integers::decode(cursor.take(size)?, count)?;
    Some(integers.into_iter().map(f64::from).collect())
}

/// Skips a dictionary, whose values follow their keys.
fn skip_dictionary(cursor: &mut Cursor) -> Option<()> {
    for _ in 0..cursor.count(MOST_MEMBERS)? {
        cursor.u32()?;
        cursor.jump()?;
        cursor.u64()?;
    }
    Some(())
}
