//! Binary records: each states where it ends in the file, so that a change of length moves all that follows.

use core::ops::Range;

use super::FbxError;
use super::records::{Changes, DEEPEST, Encoding, NewRecord, Property, Record, Records, Value};

/// The first bytes of a binary file.
pub(super) const MAGIC: &[u8] = b"Kaydara FBX Binary";
/// Bytes before the first record: the magic bytes and the version.
const PREAMBLE: usize = 27;
/// First version whose offsets have eight bytes.
const WIDE_SINCE: u32 = 7500;
/// Bytes at the end of a file after the padding: zeros, version, zeros and a magic number.
const TAIL: usize = 144;
/// Bytes of the mark before the padding.
const FOOTER_MARK: usize = 16;

pub(super) fn read(bytes: &[u8]) -> Result<Records, FbxError> {
    let version = bytes.get(23..).and_then(|rest| rest.first_chunk()).map(|four| u32::from_le_bytes(*four));
    let version = version.unwrap_or(0);
    let top = Reader { bytes, is_wide: version >= WIDE_SINCE }.list(PREAMBLE, bytes.len(), 0)?;
    Ok(Records { encoding: Encoding::Binary, version, top })
}

/// Whether a record of the top level ends behind the end of the file.
pub(super) fn is_cut_off(bytes: &[u8]) -> bool {
    let version = bytes.get(23..).and_then(|rest| rest.first_chunk()).map(|four| u32::from_le_bytes(*four));
    let reader = Reader { bytes, is_wide: version.unwrap_or(0) >= WIDE_SINCE };
    let mut at = PREAMBLE;
    while at + header(reader.is_wide) <= bytes.len() {
        match usize::try_from(reader.number(at, 0)) {
            Ok(end) if end > at && end <= bytes.len() => at = end,
            // A zero record ends the list; an end before its record is another mistake.
            Ok(end) => return end > at,
            Err(_) => return true,
        }
    }
    true
}

struct Reader<'b> {
    bytes: &'b [u8],
    is_wide: bool,
}

/// Bytes of a header up to the name.
fn header(is_wide: bool) -> usize {
    if is_wide { 25 } else { 13 }
}

impl Reader<'_> {
    /// The records from `at` to a zero record or `end`.
    fn list(&self, mut at: usize, end: usize, depth: usize) -> Result<Vec<Record>, FbxError> {
        let mut list = Vec::new();
        while at + header(self.is_wide) <= end {
            let Some(record) = self.record(at, end, depth)? else { break };
            if record.end <= at {
                return Err(FbxError(format!("byte {at}: found no record, expected one")));
            }
            at = record.end;
            list.push(record);
        }
        Ok(list)
    }

    fn number(&self, start: usize, n: usize) -> u64 {
        match self.is_wide {
            true => u64::from_le_bytes(
                self.bytes[start + 8 * n..start + 8 * n + 8].try_into().unwrap_or_default(),
            ),
            false => u64::from(u32::from_le_bytes(
                self.bytes[start + 4 * n..start + 4 * n + 4].try_into().unwrap_or_default(),
            )),
        }
    }

    fn record(&self, start: usize, limit: usize, depth: usize) -> Result<Option<Record>, FbxError> {
        let fail = || FbxError(format!("byte {start}: found a record that ends outside of its parent"));
        let [end, count, length] = [0, 1, 2].map(|n| self.number(start, n));
        let name_start = start + header(self.is_wide);
        let name_end = name_start + usize::from(self.bytes[name_start - 1]);
        if end == 0 && count == 0 && length == 0 {
            return Ok(None);
        }
        let end = usize::try_from(end).map_err(|_| fail())?;
        let properties_end = usize::try_from(length).ok().and_then(|length| name_end.checked_add(length));
        let inner = properties_end.filter(|&inner| inner <= end && end <= limit).ok_or_else(fail)?;
        if depth > DEEPEST {
            return Err(FbxError(format!("byte {start}: found records nested deeper than {DEEPEST}")));
        }
        let children = self.list(inner, end, depth + 1)?;
        let (name, properties) = (name_start..name_end, name_end..inner);
        Ok(Some(Record { start, name, properties, count, inner, children, end }))
    }
}

/// The file with changes.
pub(super) fn write(records: &Records, bytes: &[u8], changes: &Changes) -> Vec<u8> {
    let is_wide = records.version >= WIDE_SINCE;
    let mut writer = Writer { bytes, changes, is_wide, out: Vec::with_capacity(bytes.len()) };
    writer.out.extend_from_slice(&bytes[..PREAMBLE]);
    records.top.iter().for_each(|record| writer.emit(record));
    writer.footer(records.top.last().map_or(PREAMBLE, |last| last.end));
    writer.out
}

struct Writer<'b> {
    bytes: &'b [u8],
    changes: &'b Changes,
    is_wide: bool,
    out: Vec<u8>,
}

impl Writer<'_> {
    /// Copies what follows the last record, which ends at `end`.
    fn footer(&mut self, end: usize) {
        let (out, footer) = (&mut self.out, &self.bytes[end..]);
        let mark = header(self.is_wide) + FOOTER_MARK;
        let padding = footer.len().checked_sub(mark + TAIL).filter(|&padding| padding <= 32);
        let Some(padding) =
            padding.filter(|&padding| footer[mark..mark + padding].iter().all(|&byte| byte == 0))
        else {
            out.extend_from_slice(footer);
            return;
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
    }

    fn emit(&mut self, record: &Record) {
        let start = self.out.len();
        self.out.extend_from_slice(&self.bytes[record.start..record.name.end]);
        let (count, properties) = match self.changes.properties.get(&record.start) {
            Some(new) => (new.count, &new.bytes[..]),
            None => (record.count, &self.bytes[record.properties.clone()]),
        };
        self.out.extend_from_slice(properties);
        let mut copied = record.properties.end;
        for child in &record.children {
            self.emit(child);
            copied = child.end;
        }
        let added = self.changes.added.get(&record.start).map_or(&[][..], |added| added);
        added.iter().for_each(|added| self.emit_new(added));
        self.out.extend_from_slice(&self.bytes[copied..record.end]);
        if copied == record.end && !added.is_empty() {
            // The record had no children, and so no zero record after them.
            self.out.resize(self.out.len() + header(self.is_wide), 0);
        }
        self.fill_header(start, count, properties.len());
    }

    fn emit_new(&mut self, record: &NewRecord) {
        let start = self.out.len();
        let header = header(self.is_wide);
        self.out.resize(start + header, 0);
        self.out[start + header - 1] = record.name.len() as u8;
        self.out.extend_from_slice(record.name.as_bytes());
        self.out.extend_from_slice(&record.properties.bytes);
        record.children.iter().for_each(|child| self.emit_new(child));
        if !record.children.is_empty() {
            self.out.resize(self.out.len() + header, 0);
        }
        self.fill_header(start, record.properties.count, record.properties.bytes.len());
    }

    /// Writes end, number and length of properties into a header.
    fn fill_header(&mut self, start: usize, count: u64, length: usize) {
        for (n, value) in [self.out.len() as u64, count, length as u64].into_iter().enumerate() {
            match self.is_wide {
                true => self.out[start + 8 * n..start + 8 * n + 8].copy_from_slice(&value.to_le_bytes()),
                false => {
                    self.out[start + 4 * n..start + 4 * n + 4].copy_from_slice(&(value as u32).to_le_bytes());
                }
            }
        }
    }
}

/// The bytes of properties.
pub(super) fn encode(values: &[Value]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let put_text = |bytes: &mut Vec<u8>, parts: &[&[u8]]| {
        let text = parts.concat();
        bytes.push(b'S');
        bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&text);
    };
    for value in values {
        match value {
            Value::Int(number) => bytes.extend([&b"I"[..], &number.to_le_bytes()].concat()),
            Value::Long(number) => bytes.extend([&b"L"[..], &number.to_le_bytes()].concat()),
            Value::Double(number) => bytes.extend([&b"D"[..], &number.to_le_bytes()].concat()),
            Value::Letter(letter) => bytes.extend([b'C', *letter]),
            Value::Text(text) => put_text(&mut bytes, &[text]),
            Value::Object(name, class) => put_text(&mut bytes, &[name, b"\0\x01", class.as_bytes()]),
        }
    }
    bytes
}

/// The properties of a record, each with its bytes in the file.
pub(super) fn located<'b>(bytes: &'b [u8], record: &Record) -> Vec<(Property<'b>, Range<usize>)> {
    let mut rest = &bytes[record.properties.clone()];
    let mut list = Vec::new();
    loop {
        let start = record.properties.end - rest.len();
        let Some(property) = next_property(&mut rest) else { return list };
        list.push((property, start..record.properties.end - rest.len()));
    }
}

/// An array in a record: element type, number of elements, whether they are compressed, and the stored bytes.
pub(super) struct StoredArray<'b> {
    pub kind: u8,
    pub length: usize,
    pub is_compressed: bool,
    pub bytes: &'b [u8],
}

/// The array of a record whose first property it is.
pub(super) fn array<'b>(bytes: &'b [u8], record: &Record) -> Option<StoredArray<'b>> {
    let mut rest = &bytes[record.properties.clone()];
    let kind = take(&mut rest, 1)?[0];
    is_array(kind).then(|| stored_array(kind, &mut rest)).flatten()
}

fn take<'b>(rest: &mut &'b [u8], length: usize) -> Option<&'b [u8]> {
    let (part, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(part)
}

fn take_u32(rest: &mut &[u8]) -> Option<usize> {
    take(rest, 4)?.first_chunk().map(|four| u32::from_le_bytes(*four) as usize)
}

fn is_array(kind: u8) -> bool {
    matches!(kind, b'f' | b'd' | b'l' | b'i' | b'b' | b'c')
}

fn stored_array<'b>(kind: u8, rest: &mut &'b [u8]) -> Option<StoredArray<'b>> {
    let [length, encoding, stored] = [take_u32(rest)?, take_u32(rest)?, take_u32(rest)?];
    let size = match kind {
        b'd' | b'l' => 8,
        b'f' | b'i' => 4,
        _ => 1,
    };
    let bytes = take(rest, if encoding == 0 { length.checked_mul(size)? } else { stored })?;
    Some(StoredArray { kind, length, is_compressed: encoding == 1, bytes })
}

pub(super) fn next_property<'b>(rest: &mut &'b [u8]) -> Option<Property<'b>> {
    let kind = take(rest, 1)?[0];
    Some(match kind {
        b'L' => Property::Integer(i64::from_le_bytes(*take(rest, 8)?.first_chunk()?)),
        b'I' => Property::Integer(i64::from(i32::from_le_bytes(*take(rest, 4)?.first_chunk()?))),
        b'Y' => Property::Integer(i64::from(i16::from_le_bytes(*take(rest, 2)?.first_chunk()?))),
        b'F' => Property::Number(f64::from(f32::from_le_bytes(*take(rest, 4)?.first_chunk()?))),
        b'D' => Property::Number(f64::from_le_bytes(*take(rest, 8)?.first_chunk()?)),
        b'C' | b'B' => Property::Letter(take(rest, 1)?[0]),
        b'S' | b'R' => {
            let length = take_u32(rest)?;
            Property::Text(take(rest, length)?)
        }
        kind if is_array(kind) => stored_array(kind, rest).map(|_| Property::Other)?,
        _ => return None,
    })
}
