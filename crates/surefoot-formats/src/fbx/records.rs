//! The records of a binary FBX file: a tree with absolute end offsets, so that a change of length moves all that follows.

use core::ops::Range;
use std::collections::BTreeMap;

use super::FbxError;

/// Deepest nesting of records. Files have less than ten levels; the limit bounds the stack.
const DEEPEST: usize = 64;
const MAGIC: usize = 27;
/// First version whose offsets have eight bytes.
const WIDE_SINCE: u32 = 7500;
/// Bytes at the end of a file after the padding: zeros, version, zeros and a magic number.
const TAIL: usize = 144;
/// Bytes of the mark before the padding.
const FOOTER_MARK: usize = 16;

/// A record and where its parts are.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    pub start: usize,
    pub name: Range<usize>,
    pub properties: Range<usize>,
    pub count: u64,
    pub children: Vec<Record>,
    pub end: usize,
}

/// The records of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Records {
    pub version: u32,
    pub top: Vec<Record>,
}

/// A property of a record.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Property<'b> {
    Integer(i64),
    Text(&'b [u8]),
    /// Element type, number of elements, whether they are compressed, and the stored bytes.
    Array {
        kind: u8,
        length: usize,
        is_compressed: bool,
        bytes: &'b [u8],
    },
    Other,
}

/// New properties of a record.
#[derive(Clone, Debug, Default)]
pub(super) struct NewProperties {
    pub bytes: Vec<u8>,
    pub count: u64,
}

/// A record that is added.
#[derive(Clone, Debug, Default)]
pub(super) struct NewRecord {
    pub name: &'static str,
    pub properties: NewProperties,
    pub children: Vec<NewRecord>,
}

/// Changes of a file: new properties by the start of a record, and records that are added to a record.
#[derive(Default)]
pub(super) struct Changes {
    pub properties: BTreeMap<usize, NewProperties>,
    pub added: BTreeMap<usize, Vec<NewRecord>>,
}

impl Records {
    pub fn read(bytes: &[u8]) -> Result<Self, FbxError> {
        let version =
            bytes.get(23..).and_then(|rest| rest.first_chunk()).map(|four| u32::from_le_bytes(*four));
        let mut records = Self { version: version.unwrap_or(0), top: Vec::new() };
        records.top = records.list(bytes, MAGIC, bytes.len(), 0)?.0;
        Ok(records)
    }

    fn header(&self) -> usize {
        if self.version >= WIDE_SINCE { 25 } else { 13 }
    }

    /// The records from `at` to a zero record or `end`, and where the list ends.
    fn list(
        &self,
        bytes: &[u8],
        mut at: usize,
        end: usize,
        depth: usize,
    ) -> Result<(Vec<Record>, usize), FbxError> {
        let fail = |at: usize| FbxError(format!("byte {at}: found no record, expected one"));
        let mut list = Vec::new();
        while at + self.header() <= end {
            let Some(record) = self.record(bytes, at, end, depth)? else {
                return Ok((list, at + self.header()));
            };
            if record.end <= at {
                return Err(fail(at));
            }
            at = record.end;
            list.push(record);
        }
        Ok((list, at))
    }

    fn record(
        &self,
        bytes: &[u8],
        start: usize,
        limit: usize,
        depth: usize,
    ) -> Result<Option<Record>, FbxError> {
        let fail = || FbxError(format!("byte {start}: found a record that ends outside of its parent"));
        let number = |n: usize| match self.version >= WIDE_SINCE {
            true => {
                u64::from_le_bytes(bytes[start + 8 * n..start + 8 * n + 8].try_into().unwrap_or_default())
            }
            false => u64::from(u32::from_le_bytes(
                bytes[start + 4 * n..start + 4 * n + 4].try_into().unwrap_or_default(),
            )),
        };
        let [end, count, length] = [number(0), number(1), number(2)];
        let name_start = start + self.header();
        let name_end = name_start + usize::from(bytes[name_start - 1]);
        if end == 0 && count == 0 && length == 0 {
            return Ok(None);
        }
        let end = usize::try_from(end).map_err(|_| fail())?;
        let properties_end = usize::try_from(length).ok().and_then(|length| name_end.checked_add(length));
        let properties_end = properties_end.filter(|&inner| inner <= end && end <= limit).ok_or_else(fail)?;
        if depth > DEEPEST {
            return Err(FbxError(format!("byte {start}: found records nested deeper than {DEEPEST}")));
        }
        let children = self.list(bytes, properties_end, end, depth + 1)?.0;
        let (name, properties) = (name_start..name_end, name_end..properties_end);
        Ok(Some(Record { start, name, properties, count, children, end }))
    }

    /// The file with changes.
    pub fn write(&self, bytes: &[u8], changes: &Changes) -> Vec<u8> {
        let mut out = bytes[..MAGIC].to_vec();
        for record in &self.top {
            self.emit(bytes, record, changes, &mut out);
        }
        let end = self.top.last().map_or(MAGIC, |last| last.end);
        let footer = &bytes[end..];
        let mark = self.header() + FOOTER_MARK;
        let padding = footer.len().checked_sub(mark + TAIL).filter(|&padding| padding <= 32);
        let Some(padding) =
            padding.filter(|&padding| footer[mark..mark + padding].iter().all(|&byte| byte == 0))
        else {
            out.extend_from_slice(footer);
            return out;
        };
        // The padding fills up to a multiple of 16 bytes; programs differ in what they do where nothing is missing.
        let missing = |at: usize| at.next_multiple_of(16) - at;
        let new = match padding {
            padding if padding == missing(end + mark) => missing(out.len() + mark),
            padding if padding == 16 - (end + mark) % 16 => 16 - (out.len() + mark) % 16,
            padding => padding,
        };
        out.extend_from_slice(&footer[..mark]);
        out.resize(out.len() + new, 0);
        out.extend_from_slice(&footer[mark + padding..]);
        out
    }

    fn emit(&self, bytes: &[u8], record: &Record, changes: &Changes, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend_from_slice(&bytes[record.start..record.name.end]);
        let (count, properties) = match changes.properties.get(&record.start) {
            Some(new) => (new.count, &new.bytes[..]),
            None => (record.count, &bytes[record.properties.clone()]),
        };
        out.extend_from_slice(properties);
        let mut copied = record.properties.end;
        for child in &record.children {
            self.emit(bytes, child, changes, out);
            copied = child.end;
        }
        for added in changes.added.get(&record.start).into_iter().flatten() {
            self.emit_new(added, out);
        }
        out.extend_from_slice(&bytes[copied..record.end]);
        self.fill_header(out, start, count, properties.len());
    }

    fn emit_new(&self, record: &NewRecord, out: &mut Vec<u8>) {
        let start = out.len();
        out.resize(start + self.header(), 0);
        out[start + self.header() - 1] = record.name.len() as u8;
        out.extend_from_slice(record.name.as_bytes());
        out.extend_from_slice(&record.properties.bytes);
        record.children.iter().for_each(|child| self.emit_new(child, out));
        if !record.children.is_empty() {
            out.resize(out.len() + self.header(), 0);
        }
        self.fill_header(out, start, record.properties.count, record.properties.bytes.len());
    }

    /// Writes end, number and length of properties into a header.
    fn fill_header(&self, out: &mut [u8], start: usize, count: u64, length: usize) {
        for (n, value) in [out.len() as u64, count, length as u64].into_iter().enumerate() {
            match self.version >= WIDE_SINCE {
                true => out[start + 8 * n..start + 8 * n + 8].copy_from_slice(&value.to_le_bytes()),
                false => out[start + 4 * n..start + 4 * n + 4].copy_from_slice(&(value as u32).to_le_bytes()),
            }
        }
    }
}

impl Record {
    pub fn is_named(&self, bytes: &[u8], name: &str) -> bool {
        &bytes[self.name.clone()] == name.as_bytes()
    }

    pub fn child(&self, bytes: &[u8], name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.is_named(bytes, name))
    }

    /// The properties; fewer than stated if their bytes are wrong.
    pub fn properties<'b>(&self, bytes: &'b [u8]) -> Vec<Property<'b>> {
        let mut rest = &bytes[self.properties.clone()];
        let mut properties = Vec::new();
        while let Some(property) = next_property(&mut rest) {
            properties.push(property);
        }
        properties
    }
}

fn take<'b>(rest: &mut &'b [u8], length: usize) -> Option<&'b [u8]> {
    let (part, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(part)
}

fn take_u32(rest: &mut &[u8]) -> Option<usize> {
    take(rest, 4)?.first_chunk().map(|four| u32::from_le_bytes(*four) as usize)
}

fn next_property<'b>(rest: &mut &'b [u8]) -> Option<Property<'b>> {
    let kind = take(rest, 1)?[0];
    Some(match kind {
        b'L' => Property::Integer(i64::from_le_bytes(*take(rest, 8)?.first_chunk()?)),
        b'I' => Property::Integer(i64::from(i32::from_le_bytes(*take(rest, 4)?.first_chunk()?))),
        b'Y' => take(rest, 2).map(|_| Property::Other)?,
        b'C' | b'B' => take(rest, 1).map(|_| Property::Other)?,
        b'F' => take(rest, 4).map(|_| Property::Other)?,
        b'D' => take(rest, 8).map(|_| Property::Other)?,
        b'S' | b'R' => {
            let length = take_u32(rest)?;
            Property::Text(take(rest, length)?)
        }
        b'f' | b'd' | b'l' | b'i' | b'b' | b'c' => {
            let [length, encoding, stored] = [take_u32(rest)?, take_u32(rest)?, take_u32(rest)?];
            let size = match kind {
                b'd' | b'l' => 8,
                b'f' | b'i' => 4,
                _ => 1,
            };
            let bytes = take(rest, if encoding == 0 { length.checked_mul(size)? } else { stored })?;
            Property::Array { kind, length, is_compressed: encoding == 1, bytes }
        }
        _ => return None,
    })
}
