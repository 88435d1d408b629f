//! The records of an FBX file: a tree of names with properties, in which records can be changed and added.
//!
//! `binary.rs` and `text.rs` read and write the two encodings. All bytes that no change concerns are copied.

use core::ops::Range;
use std::collections::BTreeMap;

use super::{FbxError, binary, text};

/// Deepest nesting of records. Files have less than ten levels; the limit bounds the stack.
pub(super) const DEEPEST: usize = 64;

/// How a file encodes its records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Binary, with offsets of four bytes before version 7500.
    #[default]
    Binary,
    /// ASCII.
    Text,
}

/// A record and where its parts are.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    pub start: usize,
    pub name: Range<usize>,
    pub properties: Range<usize>,
    /// The number of properties; unused in a text.
    pub count: u64,
    /// Where the children begin. In a text without braces after the properties, their end.
    pub inner: usize,
    pub children: Vec<Record>,
    pub end: usize,
}

/// The records of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Records {
    pub encoding: Encoding,
    pub version: u32,
    pub top: Vec<Record>,
}

/// A property of a record.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Property<'b> {
    Integer(i64),
    Number(f64),
    /// A single character without quotes.
    Letter(u8),
    Text(&'b [u8]),
    Other,
}

/// A property that is written.
#[derive(Clone, Copy)]
pub(super) enum Value<'v> {
    Int(i32),
    Long(i64),
    Double(f64),
    Letter(u8),
    Text(&'v [u8]),
    /// The name and class of an object.
    Object(&'v [u8], &'v str),
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

impl Changes {
    /// Adds a record below the record that starts at `to`.
    pub fn add(&mut self, to: usize, record: NewRecord) {
        self.added.entry(to).or_default().push(record);
    }
}

impl Records {
    pub fn read(bytes: &[u8]) -> Result<Self, FbxError> {
        match bytes.starts_with(binary::MAGIC) {
            true => binary::read(bytes),
            false => text::read(bytes),
        }
    }

    /// The first record of a name on the top level.
    pub fn find(&self, bytes: &[u8], name: &str) -> Option<&Record> {
        self.top.iter().find(|record| record.is_named(bytes, name))
    }

    /// The properties of a record; fewer than stated if their bytes are wrong.
    pub fn properties<'b>(&self, bytes: &'b [u8], record: &Record) -> impl Iterator<Item = Property<'b>> {
        let (mut binary, mut text) = (&bytes[record.properties.clone()], text::Values::of(bytes, record));
        let encoding = self.encoding;
        core::iter::from_fn(move || match encoding {
            Encoding::Binary => binary::next_property(&mut binary),
            Encoding::Text => text.next().map(|(property, _)| property),
        })
    }

    /// The properties of a record, each with its bytes in the file.
    pub fn located<'b>(&self, bytes: &'b [u8], record: &Record) -> Vec<(Property<'b>, Range<usize>)> {
        match self.encoding {
            Encoding::Binary => binary::located(bytes, record),
            Encoding::Text => text::Values::of(bytes, record).collect(),
        }
    }

    /// The bytes of properties.
    pub fn encode(&self, values: &[Value]) -> NewProperties {
        let bytes = match self.encoding {
            Encoding::Binary => binary::encode(values),
            Encoding::Text => text::encode(values),
        };
        NewProperties { bytes, count: values.len() as u64 }
    }

    /// A record that is added.
    pub fn record(&self, name: &'static str, values: &[Value], children: Vec<NewRecord>) -> NewRecord {
        NewRecord { name, properties: self.encode(values), children }
    }

    /// The file with changes.
    pub fn write(&self, bytes: &[u8], changes: &Changes) -> Vec<u8> {
        match self.encoding {
            Encoding::Binary => binary::write(self, bytes, changes),
            Encoding::Text => text::write(self, bytes, changes),
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
}
