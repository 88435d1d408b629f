//! The tables of a binary layer: tokens, strings, fields, sets of fields, paths and specs.

use super::cursor::Cursor;
use super::{integers, lz4};
use crate::usd::error::UsdError;

/// Second number of the oldest version whose tables are compressed.
const OLDEST: u8 = 4;
/// Entries of a table that a file of any size may have, and bytes of a larger file for each further one.
const ENTRIES_BESIDES: usize = 1_000_000;
const BYTES_PER_ENTRY: usize = 8;
/// Bytes of tokens that a file of any size may have, and as a multiple of the size of a larger one.
const TOKENS_BESIDES: usize = 4 << 20;
const TOKENS_TIMES_FILE: usize = 4;
/// Most fields of a prim or property; most have less than ten.
const MOST_FIELDS: usize = 256;
/// Most sections; the format has six.
const MOST_SECTIONS: usize = 64;

/// A section of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Section {
    pub start: u64,
    pub size: u64,
    /// Where start and size are stated.
    pub entry: usize,
}

/// All tokens in one text.
#[derive(Clone, Debug, Default)]
pub(super) struct Tokens {
    text: Vec<u8>,
    ends: Vec<u32>,
}

impl Tokens {
    pub fn get(&self, index: u32) -> Option<&str> {
        let index = index as usize;
        let end = *self.ends.get(index)? as usize;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before] as usize + 1);
        core::str::from_utf8(self.text.get(start..end)?).ok()
    }

    /// The index of a token.
    pub fn find(&self, text: &str) -> Option<u32> {
        (0..self.ends.len() as u32).find(|&index| self.get(index) == Some(text))
    }
}

/// A path: the path above it and its last element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PathEntry {
    /// The path above; the root has itself above.
    pub parent: u32,
    pub token: u32,
    pub is_property: bool,
    /// Whether the file states this path.
    pub is_stated: bool,
}

/// What a file says of a prim or property.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spec {
    pub path: u32,
    /// Where its fields start in the sets of fields.
    pub fields: u32,
    pub kind: i32,
}

/// The tables of a file.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    /// The second number of the version.
    pub version: u8,
    pub tokens: Tokens,
    /// For each string, its token.
    pub strings: Vec<u32>,
    /// For each field, the token of its name and its value.
    pub fields: Vec<(u32, u64)>,
    /// Indices of fields; `-1` ends a set.
    pub field_sets: Vec<i32>,
    pub paths: Vec<PathEntry>,
    pub specs: Vec<Spec>,
    pub field_section: Section,
    pub set_section: Section,
    pub spec_section: Section,
}

impl Tables {
    pub fn read(bytes: &[u8]) -> Result<Self, UsdError> {
        let version = version(bytes)?;
        let sections = Sections::read(bytes).ok_or_else(|| damaged("the table of contents"))?;
        let find = |name: &str| sections.find(name);
        let [tokens, strings, fields] = [find("TOKENS")?, find("STRINGS")?, find("FIELDS")?];
        let [sets, paths, specs] = [find("FIELDSETS")?, find("PATHS")?, find("SPECS")?];
        let reader = Reader { bytes, most: ENTRIES_BESIDES + bytes.len() / BYTES_PER_ENTRY };
        Ok(Self {
            version,
            tokens: reader.tokens(tokens).ok_or_else(|| damaged("section TOKENS"))?,
            strings: reader.strings(strings).ok_or_else(|| damaged("section STRINGS"))?,
            fields: reader.fields(fields).ok_or_else(|| damaged("section FIELDS"))?,
            field_sets: reader.field_sets(sets).ok_or_else(|| damaged("section FIELDSETS"))?,
            paths: reader.paths(paths).ok_or_else(|| damaged("section PATHS"))?,
            specs: reader.specs(specs).ok_or_else(|| damaged("section SPECS"))?,
            field_section: fields,
            set_section: sets,
            spec_section: specs,
        })
    }

    /// The fields of a spec: for each its index.
    pub fn fields_of(&self, spec: &Spec) -> impl Iterator<Item = usize> + '_ {
        let set = self.field_sets.get(spec.fields as usize..).unwrap_or_default();
        let fields = set.iter().take(MOST_FIELDS).map_while(|&field| usize::try_from(field).ok());
        fields.filter(|&field| field < self.fields.len())
    }
}

fn damaged(at: &str) -> UsdError {
    UsdError::new(at, "data that do not fit", "a whole file: it is damaged or cut off")
}

fn version(bytes: &[u8]) -> Result<u8, UsdError> {
    match bytes.get(8..10) {
        Some(&[0, minor]) if minor >= OLDEST => Ok(minor),
        Some(&[major, minor]) => {
            let found = format!("version {major}.{minor}");
            Err(UsdError::new("the binary layer", found, "version 0.4 or later: `usdcat` converts old files"))
        }
        _ => Err(damaged("the header")),
    }
}

struct Sections<'b>(Vec<(&'b [u8], Section)>);

impl<'b> Sections<'b> {
    fn read(bytes: &'b [u8]) -> Option<Self> {
        let offset = Cursor::new(bytes, 16)?.u64()?;
        let mut cursor = Cursor::new(bytes, offset)?;
        let mut sections = Vec::new();
        for _ in 0..cursor.count(MOST_SECTIONS)? {
            let name = cursor.take(16)?;
            let entry = cursor.at;
            let section = Section { start: cursor.u64()?, size: cursor.u64()?, entry };
            sections.push((name, section));
        }
        Some(Self(sections))
    }

    fn find(&self, wanted: &str) -> Result<Section, UsdError> {
        let name = |name: &[u8]| name.split(|&byte| byte == 0).next() == Some(wanted.as_bytes());
        let found = self.0.iter().find(|(own, _)| name(own)).map(|(_, section)| *section);
        found.ok_or_else(|| UsdError::new("the table of contents", "no such section", wanted))
    }
}

struct Reader<'b> {
    bytes: &'b [u8],
    /// Most entries of a table.
    most: usize,
}

impl<'b> Reader<'b> {
    fn section(&self, section: Section) -> Option<Cursor<'b>> {
        let end = usize::try_from(section.start.checked_add(section.size)?).ok()?;
        Cursor::new(self.bytes.get(..end)?, section.start)
    }

    fn integers(cursor: &mut Cursor, count: usize) -> Option<Vec<i32>> {
        let size = cursor.count(cursor.bytes.len())?;
        integers::decode(cursor.take(size)?, count)
    }

    fn tokens(&self, section: Section) -> Option<Tokens> {
        let mut cursor = self.section(section)?;
        let count = cursor.count(self.most)?;
        let size = cursor.count(TOKENS_BESIDES + TOKENS_TIMES_FILE * self.bytes.len())?;
        let compressed = cursor.count(self.bytes.len())?;
        let text = match count {
            0 => Vec::new(),
            _ => lz4::decompress(cursor.take(compressed)?, size)?,
        };
        let ends = text.iter().enumerate().filter(|(_, byte)| **byte == 0).map(|(at, _)| at as u32);
        let ends: Vec<u32> = ends.take(count).collect();
        (ends.len() == count && u32::try_from(text.len()).is_ok()).then_some(Tokens { text, ends })
    }

    fn strings(&self, section: Section) -> Option<Vec<u32>> {
        let mut cursor = self.section(section)?;
        let count = cursor.count(self.most)?;
        (0..count).map(|_| cursor.u32()).collect()
    }

    fn fields(&self, section: Section) -> Option<Vec<(u32, u64)>> {
        let mut cursor = self.section(section)?;
        let count = cursor.count(self.most)?;
        let tokens = Self::integers(&mut cursor, count)?;
        let size = cursor.count(self.bytes.len())?;
        let values = lz4::decompress(cursor.take(size)?, count.checked_mul(8)?)?;
        let (values, _) = values.as_chunks::<8>();
        let fields = tokens.iter().zip(values);
        let fields: Vec<_> =
            fields.map(|(&token, &value)| (token as u32, u64::from_le_bytes(value))).collect();
        (fields.len() == count).then_some(fields)
    }

    fn field_sets(&self, section: Section) -> Option<Vec<i32>> {
        let mut cursor = self.section(section)?;
        let count = cursor.count(self.most)?;
        Self::integers(&mut cursor, count)
    }

    fn specs(&self, section: Section) -> Option<Vec<Spec>> {
        let mut cursor = self.section(section)?;
        let count = cursor.count(self.most)?;
        let paths = Self::integers(&mut cursor, count)?;
        let sets = Self::integers(&mut cursor, count)?;
        let kinds = Self::integers(&mut cursor, count)?;
        let specs = paths.iter().zip(sets).zip(kinds);
        Some(specs.map(|((&path, set), kind)| Spec { path: path as u32, fields: set as u32, kind }).collect())
    }

    fn paths(&self, section: Section) -> Option<Vec<PathEntry>> {
        let mut cursor = self.section(section)?;
        let count = cursor.count(self.most)?;
        let encoded = cursor.count(self.most)?;
        let indices = Self::integers(&mut cursor, encoded)?;
        let tokens = Self::integers(&mut cursor, encoded)?;
        let jumps = Self::integers(&mut cursor, encoded)?;
        path_tree(count, &indices, &tokens, &jumps)
    }
}

/// The paths as a tree. The file lists them depth first: a jump of -1 leads to a child, of 0 to a sibling, a larger one
/// to a child with the sibling that far ahead, and -2 ends.
fn path_tree(count: usize, indices: &[i32], tokens: &[i32], jumps: &[i32]) -> Option<Vec<PathEntry>> {
    let mut paths = vec![PathEntry::default(); count];
    let mut waiting = if indices.is_empty() { Vec::new() } else { vec![(0_usize, None)] };
    let mut steps = 0;
    while let Some((mut at, mut parent)) = waiting.pop() {
        loop {
            steps += 1;
            let (&index, &token, &jump) = (indices.get(at)?, tokens.get(at)?, jumps.get(at)?);
            let entry = paths.get_mut(usize::try_from(index).ok()?)?;
            // A damaged file that leads to a path twice would never end.
            if entry.is_stated || steps > indices.len() {
                return None;
            }
            *entry = PathEntry {
                parent: parent.unwrap_or(index as u32),
                token: token.unsigned_abs(),
                is_property: parent.is_some() && token < 0,
                is_stated: true,
            };
            // The root has no siblings.
            let (has_child, has_sibling) = (jump > 0 || jump == -1, jump >= 0 && parent.is_some());
            if has_child && has_sibling {
                waiting.push((at.checked_add(usize::try_from(jump).ok()?)?, parent));
            }
            if has_child {
                parent = Some(index as u32);
            }
            if !has_child && !has_sibling {
                break;
            }
            at += 1;
        }
    }
    Some(paths)
}
