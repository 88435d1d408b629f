//! Records of an ASCII file: a name with a colon, properties with commas between them, and children in braces.
//!
//! An array is a property that states its length, `*3 {a: 1,2,3}`. Since version 7000 lists of numbers are arrays, before
//! they are properties. A change replaces the text of numbers and nothing else.

use core::ops::Range;

use super::FbxError;
use super::records::{Changes, DEEPEST, Encoding, NewRecord, Property, Record, Records, Value};

/// Bytes of a line of numbers after which a new one begins: some readers have buffers for lines.
const LINE: usize = 1_000;
/// Memory of records beyond 8 times the size of the file, in bytes. A record takes 30 bytes or more in a real file.
const RECORDS_BESIDES: usize = 1 << 24;

pub(super) fn read(bytes: &[u8]) -> Result<Records, FbxError> {
    let most = (RECORDS_BESIDES + 8 * bytes.len()) / core::mem::size_of::<Record>();
    let mut reader = Reader { tokens: Tokens { bytes, at: 0, end: bytes.len() }, left: most };
    let top = reader.list(0)?;
    let version = |record: &Record| {
        Values::of(bytes, record).next().and_then(|(value, _)| match value {
            Property::Integer(number) => u32::try_from(number).ok(),
            _ => None,
        })
    };
    let mut records = Records { encoding: Encoding::Text, version: 0, top };
    let stated =
        records.find(bytes, "FBXHeaderExtension").and_then(|header| header.child(bytes, "FBXVersion"));
    records.version = stated.and_then(version).unwrap_or(0);
    Ok(records)
}

/// Whether a text ends before all its braces and quotes are closed.
pub(super) fn is_cut_off(bytes: &[u8]) -> bool {
    let mut tokens = Tokens { bytes, at: 0, end: bytes.len() };
    let mut open = 0_i64;
    loop {
        match tokens.next() {
            (Token::End, _) => return open > 0,
            (Token::Text, range) if range.end == bytes.len() => return true,
            (Token::Mark(b'{'), _) => open += 1,
            (Token::Mark(b'}'), _) => open -= 1,
            _ => {}
        }
    }
}

/// A token of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    /// A name with its colon; the range has the name alone.
    Name,
    /// A text in quotes; the range has what is between them.
    Text,
    Integer,
    Number,
    Word,
    Mark(u8),
    End,
}

/// The tokens of a part of a text.
#[derive(Clone)]
struct Tokens<'b> {
    bytes: &'b [u8],
    at: usize,
    end: usize,
}

impl Tokens<'_> {
    fn peek_byte(&self) -> Option<u8> {
        (self.at < self.end).then(|| self.bytes[self.at])
    }

    /// The end of the bytes from `at` on that have a property.
    fn end_of(&self, at: usize, has: impl Fn(u8) -> bool) -> usize {
        let rest = &self.bytes[at..self.end];
        rest.iter().position(|&byte| !has(byte)).map_or(self.end, |length| at + length)
    }

    fn skip_space(&mut self) {
        loop {
            self.at = self.end_of(self.at, |byte| byte.is_ascii_whitespace() || byte == 0x0b);
            if self.peek_byte() != Some(b';') {
                return;
            }
            self.at = self.end_of(self.at, |byte| byte != b'\n');
        }
    }

    /// The next token and where it is; none at the end.
    fn next(&mut self) -> (Token, Range<usize>) {
        self.skip_space();
        let start = self.at;
        match self.peek_byte() {
            None => (Token::End, start..start),
            Some(b'"') => self.quoted(),
            Some(byte) if byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.') => {
                let is_part = |byte: u8| {
                    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.' | b'#' | b'(' | b')')
                };
                self.at = self.end_of(start, is_part);
                let is_integer = self.bytes[start + 1..self.at].iter().all(u8::is_ascii_digit);
                (if is_integer { Token::Integer } else { Token::Number }, start..self.at)
            }
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
                let is_part =
                    |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'(' | b')');
                self.at = self.end_of(start, is_part);
                let word = start..self.at;
                self.skip_space();
                if self.peek_byte() == Some(b':') {
                    self.at += 1;
                    return (Token::Name, word);
                }
                self.at = word.end;
                (Token::Word, word)
            }
            Some(byte) => {
                self.at += 1;
                (Token::Mark(byte), start..self.at)
            }
        }
    }

    /// A text in quotes, which is a name if a colon follows.
    fn quoted(&mut self) -> (Token, Range<usize>) {
        let start = self.at + 1;
        let end = self.end_of(start, |byte| byte != b'"');
        self.at = (end + 1).min(self.end);
        if self.peek_byte() == Some(b':') {
            self.at += 1;
            return (Token::Name, start..end);
        }
        (Token::Text, start..end)
    }

    fn peek(&self) -> Token {
        self.clone().next().0
    }
}

struct Reader<'b> {
    tokens: Tokens<'b>,
    /// The number of records that may still follow.
    left: usize,
}

impl Reader<'_> {
    /// The records up to the end of the text, or up to a closing brace, which stays.
    fn list(&mut self, depth: usize) -> Result<Vec<Record>, FbxError> {
        let mut list = Vec::new();
        if depth > DEEPEST {
            return Err(self.fail("records nested deeper than 64", "fewer"));
        }
        loop {
            match self.tokens.peek() {
                Token::Name => list.push(self.record(depth)?),
                Token::Mark(b'}') if depth > 0 => return Ok(list),
                Token::End if depth == 0 => return Ok(list),
                Token::End => return Err(self.fail("the end of the file", "a closing brace")),
                // The mark of the byte order, and the zero byte that some programs write at the end.
                Token::Mark(0xef | 0xbb | 0xbf | 0) if depth == 0 => drop(self.tokens.next()),
                _ => return Err(self.fail("no name with a colon", "one")),
            }
        }
    }

    fn record(&mut self, depth: usize) -> Result<Record, FbxError> {
        self.left =
            self.left.checked_sub(1).ok_or_else(|| self.fail("more records than a file holds", "fewer"))?;
        let (_, name) = self.tokens.next();
        let start =
            if self.tokens.bytes[name.start.saturating_sub(1)] == b'"' { name.start - 1 } else { name.start };
        let properties = self.tokens.at..self.properties()?;
        let (mut inner, mut children) = (properties.end, Vec::new());
        if self.tokens.peek() == Token::Mark(b'{') {
            self.tokens.next();
            inner = self.tokens.at;
            children = self.list(depth + 1)?;
            self.tokens.next();
        }
        Ok(Record { start, name, properties, count: 0, inner, children, end: self.tokens.at })
    }

    /// Moves behind the properties, and returns where they end.
    fn properties(&mut self) -> Result<usize, FbxError> {
        let mut end = self.tokens.at;
        let mut is_in_array = false;
        // Some properties begin with a comma, as in `Content: , "…"`.
        if self.tokens.peek() == Token::Mark(b',') {
            self.tokens.next();
        }
        loop {
            let before = self.tokens.at;
            match self.tokens.next().0 {
                Token::Text | Token::Integer | Token::Number | Token::Word => end = self.tokens.at,
                Token::Mark(b'*') if !is_in_array => {
                    self.tokens.next();
                    end = self.tokens.at;
                    if self.tokens.peek() == Token::Mark(b'{') {
                        self.tokens.next();
                        if self.tokens.next().0 != Token::Name {
                            return Err(self.fail("an array without a name", "one"));
                        }
                        is_in_array = true;
                    }
                    continue;
                }
                _ => {
                    self.tokens.at = before;
                    break;
                }
            }
            if self.tokens.peek() != Token::Mark(b',') {
                break;
            }
            self.tokens.next();
        }
        if is_in_array {
            if self.tokens.next().0 != Token::Mark(b'}') {
                return Err(self.fail("an array that goes on", "a closing brace"));
            }
            end = self.tokens.at;
        }
        Ok(end)
    }

    fn fail(&self, found: &str, expected: &str) -> FbxError {
        let line = 1 + self.tokens.bytes[..self.tokens.at].iter().filter(|&&byte| byte == b'\n').count();
        FbxError(format!("line {line}: found {found}, expected {expected}"))
    }
}

/// The properties of a record, or the elements of its array, each with its bytes in the file.
pub(super) struct Values<'b> {
    tokens: Tokens<'b>,
}

impl<'b> Values<'b> {
    pub fn of(bytes: &'b [u8], record: &Record) -> Self {
        Self { tokens: Tokens { bytes, at: record.properties.start, end: record.properties.end } }
    }
}

impl<'b> Iterator for Values<'b> {
    type Item = (Property<'b>, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (token, range) = self.tokens.next();
            let bytes = &self.tokens.bytes[range.clone()];
            let number = |bytes: &[u8]| core::str::from_utf8(bytes).ok()?.parse::<f64>().ok();
            let integer = |bytes: &[u8]| core::str::from_utf8(bytes).ok()?.parse::<i64>().ok();
            let property = match token {
                Token::End => return None,
                Token::Text => Property::Text(bytes),
                Token::Integer => integer(bytes).map_or(Property::Other, Property::Integer),
                Token::Number => number(bytes).map_or(Property::Other, Property::Number),
                Token::Word => match bytes {
                    [letter] => Property::Letter(*letter),
                    _ => Property::Other,
                },
                Token::Mark(b'*') => {
                    self.tokens.next();
                    continue;
                }
                Token::Mark(_) | Token::Name => continue,
            };
            return Some((property, range));
        }
    }
}

/// The text of properties.
pub(super) fn encode(values: &[Value]) -> Vec<u8> {
    let text = |value: &Value| match value {
        Value::Int(number) => number.to_string().into_bytes(),
        Value::Long(number) => number.to_string().into_bytes(),
        Value::Double(number) => number.to_string().into_bytes(),
        Value::Letter(letter) => vec![*letter],
        Value::Text(text) => quoted(text),
        Value::Object(name, class) => quoted(&[class.as_bytes(), b"::", name].concat()),
    };
    values.iter().map(text).collect::<Vec<_>>().join(&b", "[..])
}

/// A text in quotes, without quotes and line breaks in it.
fn quoted(text: &[u8]) -> Vec<u8> {
    let mut bytes = vec![b'"'];
    for &byte in text {
        match byte {
            b'"' => bytes.extend_from_slice(b"&quot;"),
            b'\n' => bytes.extend_from_slice(b"&lf;"),
            b'\r' => bytes.extend_from_slice(b"&cr;"),
            byte => bytes.push(byte),
        }
    }
    bytes.push(b'"');
    bytes
}

/// Numbers with commas between them, on lines that are not too long.
pub(super) fn list(numbers: impl Iterator<Item = String>) -> Vec<u8> {
    let (mut text, mut line) = (Vec::new(), 0);
    for number in numbers {
        if !text.is_empty() {
            text.push(b',');
        }
        if text.len() - line > LINE {
            text.push(b'\n');
            line = text.len();
        }
        text.extend_from_slice(number.as_bytes());
    }
    text
}

/// The file with changes.
pub(super) fn write(records: &Records, bytes: &[u8], changes: &Changes) -> Vec<u8> {
    let mut writer = Writer { bytes, changes, copied: 0, out: Vec::with_capacity(bytes.len()) };
    records.top.iter().for_each(|record| writer.emit(record, 0));
    writer.copy_to(bytes.len());
    writer.out
}

struct Writer<'b> {
    bytes: &'b [u8],
    changes: &'b Changes,
    /// All bytes of the original up to here are written.
    copied: usize,
    out: Vec<u8>,
}

impl Writer<'_> {
    fn copy_to(&mut self, end: usize) {
        self.out.extend_from_slice(&self.bytes[self.copied..end]);
        self.copied = end;
    }

    fn emit(&mut self, record: &Record, depth: usize) {
        if let Some(new) = self.changes.properties.get(&record.start) {
            self.copy_to(record.properties.start);
            self.out.push(b' ');
            self.out.extend_from_slice(new.bytes.trim_ascii_start());
            self.copied = record.properties.end;
        }
        record.children.iter().for_each(|child| self.emit(child, depth + 1));
        let Some(added) = self.changes.added.get(&record.start) else { return };
        let has_braces = record.inner > record.properties.end;
        self.copy_to(record.children.last().map_or(record.inner, |last| last.end));
        if !has_braces {
            self.out.extend_from_slice(b" {");
        }
        added.iter().for_each(|added| self.emit_new(added, depth + 1));
        if !has_braces {
            self.new_line(depth);
            self.out.push(b'}');
        }
    }

    fn new_line(&mut self, depth: usize) {
        self.out.push(b'\n');
        self.out.resize(self.out.len() + depth, b'\t');
    }

    fn emit_new(&mut self, record: &NewRecord, depth: usize) {
        self.new_line(depth);
        self.out.extend_from_slice(record.name.as_bytes());
        self.out.extend_from_slice(b": ");
        self.out.extend_from_slice(&record.properties.bytes);
        if !record.children.is_empty() {
            self.out.extend_from_slice(b" {");
            record.children.iter().for_each(|child| self.emit_new(child, depth + 1));
            self.new_line(depth);
            self.out.push(b'}');
        }
    }
}
