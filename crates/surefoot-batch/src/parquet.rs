//! Writes tables as Parquet: one row group for many rows, plain encoding, no compression.
//!
//! The format is specified at <https://parquet.apache.org/docs/file-format/>. Only what this table needs is
//! written: optional columns of integers, doubles and text. The `parquet` crate would add 25 crates and 80 seconds of
//! compilation for it; the tests of the Python package read the files with pyarrow.

use std::io::{self, Write};

use crate::row::{Cell, CellKind, RowColumn};

/// The bytes at both ends of a file.
const MAGIC: &[u8] = b"PAR1";
/// Rows in one group. All columns of a group are in memory until it is full: about 5 MB.
const GROUP_ROWS: usize = 8192;

/// Writes rows to a Parquet file, a group at a time.
#[derive(Debug)]
pub struct ParquetWriter<W: Write> {
    file: W,
    position: u64,
    schema: Vec<RowColumn>,
    columns: Vec<ColumnBuffer>,
    rows_in_group: usize,
    groups: Vec<Group>,
}

/// The values of one column in the current group.
#[derive(Clone, Debug, Default)]
struct ColumnBuffer {
    /// Runs of known and missing values: whether they are known, and how many.
    levels: Vec<(bool, u64)>,
    /// The known values in plain encoding.
    values: Vec<u8>,
}

/// A row group that was written.
#[derive(Debug)]
struct Group {
    rows: usize,
    /// Where each column starts, and its length.
    columns: Vec<(u64, u64)>,
}

impl<W: Write> ParquetWriter<W> {
    /// Starts a file with these columns.
    pub fn new(mut file: W, schema: &[RowColumn]) -> io::Result<Self> {
        file.write_all(MAGIC)?;
        Ok(Self {
            file,
            position: MAGIC.len() as u64,
            schema: schema.to_vec(),
            columns: vec![ColumnBuffer::default(); schema.len()],
            rows_in_group: 0,
            groups: Vec::new(),
        })
    }

    /// Adds a row, whose cells must have the types of the columns. A cell of another type is missing.
    pub fn push(&mut self, cells: &[Cell]) -> io::Result<()> {
        let missing = Cell::Missing;
        for (index, (buffer, column)) in self.columns.iter_mut().zip(&self.schema).enumerate() {
            buffer.push(cells.get(index).unwrap_or(&missing), column.kind);
        }
        self.rows_in_group += 1;
        if self.rows_in_group == GROUP_ROWS { self.write_group() } else { Ok(()) }
    }

    fn write_group(&mut self) -> io::Result<()> {
        let mut group = Group { rows: self.rows_in_group, columns: Vec::new() };
        for buffer in &mut self.columns {
            let page = buffer.page(self.rows_in_group);
            self.file.write_all(&page)?;
            group.columns.push((self.position, page.len() as u64));
            self.position += page.len() as u64;
            *buffer = ColumnBuffer::default();
        }
        self.groups.push(group);
        self.rows_in_group = 0;
        Ok(())
    }

    /// Writes the last rows and the footer, and returns the file.
    pub fn finish(mut self) -> io::Result<W> {
        if self.rows_in_group > 0 {
            self.write_group()?;
        }
        let footer = self.footer();
        self.file.write_all(&footer)?;
        self.file.write_all(&(footer.len() as u32).to_le_bytes())?;
        self.file.write_all(MAGIC)?;
        Ok(self.file)
    }

    /// The structure `FileMetaData`.
    fn footer(&self) -> Vec<u8> {
        let rows: usize = self.groups.iter().map(|group| group.rows).sum();
        let mut footer = Thrift::default();
        footer.i32(1, 1);
        footer.list(2, STRUCT, self.schema.len() + 1);
        footer.element(|root| {
            root.text(4, "schema");
            root.i32(5, self.schema.len() as i32);
        });
        for column in &self.schema {
            footer.element(|element| schema_element(element, column));
        }
        footer.i64(3, rows as i64);
        footer.list(4, STRUCT, self.groups.len());
        for group in &self.groups {
            footer.element(|element| self.row_group(element, group));
        }
        footer.text(6, concat!("surefoot version ", env!("CARGO_PKG_VERSION")));
        footer.end()
    }

    /// The structure `RowGroup`.
    fn row_group(&self, out: &mut Thrift, group: &Group) {
        out.list(1, STRUCT, group.columns.len());
        for (column, &(start, length)) in self.schema.iter().zip(&group.columns) {
            out.element(|chunk| {
                chunk.i64(2, start as i64);
                chunk.structure(3, |data| column_data(data, column, group.rows, start, length));
            });
        }
        out.i64(2, group.columns.iter().map(|(_, length)| *length as i64).sum());
        out.i64(3, group.rows as i64);
    }
}

/// The structure `SchemaElement` of an optional column.
fn schema_element(out: &mut Thrift, column: &RowColumn) {
    const OPTIONAL: i32 = 1;
    const UTF8: i32 = 0;
    out.i32(1, physical_type(column.kind));
    out.i32(3, OPTIONAL);
    out.text(4, &column.name);
    if column.kind == CellKind::Text {
        out.i32(6, UTF8);
    }
}

/// The structure `ColumnMetaData`.
fn column_data(out: &mut Thrift, column: &RowColumn, rows: usize, start: u64, length: u64) {
    const UNCOMPRESSED: i32 = 0;
    out.i32(1, physical_type(column.kind));
    out.list(2, I32, 2);
    out.element_i32(PLAIN);
    out.element_i32(RLE);
    out.list(3, BINARY, 1);
    out.element_text(&column.name);
    out.i32(4, UNCOMPRESSED);
    out.i64(5, rows as i64);
    out.i64(6, length as i64);
    out.i64(7, length as i64);
    out.i64(9, start as i64);
}

fn physical_type(kind: CellKind) -> i32 {
    match kind {
        CellKind::Integer => 2,
        CellKind::Real => 5,
        CellKind::Text => 6,
    }
}

/// Numbers of the encodings.
const PLAIN: i32 = 0;
const RLE: i32 = 3;

impl ColumnBuffer {
    fn push(&mut self, cell: &Cell, kind: CellKind) {
        let is_known = match (cell, kind) {
            (Cell::Integer(value), CellKind::Integer) => {
                self.values.extend(value.to_le_bytes());
                true
            }
            (Cell::Real(value), CellKind::Real) => {
                self.values.extend(value.to_le_bytes());
                true
            }
            (Cell::Text(value), CellKind::Text) => {
                self.values.extend((value.len() as u32).to_le_bytes());
                self.values.extend(value.as_bytes());
                true
            }
            _ => false,
        };
        match self.levels.last_mut() {
            Some((last, run)) if *last == is_known => *run += 1,
            _ => self.levels.push((is_known, 1)),
        }
    }

    /// The page of this column: its header, the definition levels and the values.
    fn page(&self, rows: usize) -> Vec<u8> {
        let mut levels = Vec::new();
        for &(is_known, run) in &self.levels {
            varint(&mut levels, run << 1);
            levels.push(u8::from(is_known));
        }
        let size = (4 + levels.len() + self.values.len()) as i32;
        let mut header = Thrift::default();
        header.i32(1, 0);
        header.i32(2, size);
        header.i32(3, size);
        header.structure(5, |data| {
            data.i32(1, rows as i32);
            data.i32(2, PLAIN);
            data.i32(3, RLE);
            data.i32(4, RLE);
        });
        let mut page = header.end();
        page.extend((levels.len() as u32).to_le_bytes());
        page.extend(levels);
        page.extend(&self.values);
        page
    }
}

/// Types of the compact protocol.
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// A structure in Thrift's compact protocol.
#[derive(Debug, Default)]
struct Thrift {
    bytes: Vec<u8>,
    last_field: u8,
}

impl Thrift {
    /// The header of a field. Fields must be written in the order of their numbers, which differ by less than 16.
    fn field(&mut self, number: u8, kind: u8) {
        self.bytes.push((number - self.last_field) << 4 | kind);
        self.last_field = number;
    }

    fn i32(&mut self, number: u8, value: i32) {
        self.field(number, I32);
        self.element_i32(value);
    }

    fn i64(&mut self, number: u8, value: i64) {
        self.field(number, I64);
        varint(&mut self.bytes, zigzag(value));
    }

    fn text(&mut self, number: u8, value: &str) {
        self.field(number, BINARY);
        self.element_text(value);
    }

    fn structure(&mut self, number: u8, fill: impl FnOnce(&mut Self)) {
        self.field(number, STRUCT);
        self.element(fill);
    }

    /// The header of a list, whose elements follow.
    fn list(&mut self, number: u8, kind: u8, length: usize) {
        self.field(number, LIST);
        if length < 15 {
            self.bytes.push((length as u8) << 4 | kind);
        } else {
            self.bytes.push(0xf0 | kind);
            varint(&mut self.bytes, length as u64);
        }
    }

    fn element_i32(&mut self, value: i32) {
        varint(&mut self.bytes, zigzag(value.into()));
    }

    fn element_text(&mut self, value: &str) {
        varint(&mut self.bytes, value.len() as u64);
        self.bytes.extend(value.as_bytes());
    }

    fn element(&mut self, fill: impl FnOnce(&mut Self)) {
        let mut inner = Self::default();
        fill(&mut inner);
        self.bytes.extend(inner.end());
    }

    fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_varints_of_zigzag() {
        let bytes = |value| {
            let mut bytes = Vec::new();
            varint(&mut bytes, zigzag(value));
            bytes
        };
        assert_eq!(bytes(0), [0]);
        assert_eq!(bytes(-1), [1]);
        assert_eq!(bytes(150), [0xac, 0x02]);
        assert_eq!(bytes(i64::MIN).len(), 10);
    }

    /// A file of two columns and three rows, checked byte by byte against the specification.
    #[test]
    fn a_small_file_has_the_bytes_of_the_specification() {
        let column = |name: &str, kind| RowColumn { name: name.into(), kind };
        let schema = [column("a", CellKind::Integer), column("b", CellKind::Text)];
        let mut writer = ParquetWriter::new(Vec::new(), &schema).unwrap();
        writer.push(&[Cell::Integer(7), Cell::Text("x".into())]).unwrap();
        writer.push(&[Cell::Missing, Cell::Text("yz".into())]).unwrap();
        writer.push(&[Cell::Integer(-1), Cell::Real(1.0)]).unwrap();
        let file = writer.finish().unwrap();
        assert_eq!((&file[..4], &file[file.len() - 4..]), (MAGIC, MAGIC));
        // Page header: type, sizes 4 + 6 + 16 = 26, then 3 values, plain, levels in runs.
        assert_eq!(file[4..19], [0x15, 0, 0x15, 52, 0x15, 52, 0x2c, 0x15, 6, 0x15, 0, 0x15, 6, 0x15, 6]);
        // Levels: 1 known, 1 missing, 1 known; then 7 and -1.
        assert_eq!(file[21..31], [6, 0, 0, 0, 2, 1, 2, 0, 2, 1]);
        assert_eq!(file[31..39], 7_i64.to_le_bytes());
        assert_eq!(file[39..47], (-1_i64).to_le_bytes());
        let footer = u32::from_le_bytes(file[file.len() - 8..file.len() - 4].try_into().unwrap()) as usize;
        let footer = &file[file.len() - 8 - footer..file.len() - 8];
        assert_eq!(footer[..4], [0x15, 2, 0x19, 0x3c]);
        assert_eq!(*footer.last().unwrap(), 0);
    }
}
