//! CSV tables with a header, for paths and goals.

use super::error::GoalsError;
use crate::json::{shorten, without_bom};

/// A table: the names of its columns in lower case, and its rows.
pub(super) struct Table<'a> {
    header: (usize, String),
    names: Vec<String>,
    pub rows: Vec<Row<'a>>,
}

/// One row.
pub(super) struct Row<'a> {
    /// The line, from 1.
    pub line: usize,
    cells: Vec<&'a str>,
}

impl<'a> Table<'a> {
    /// Reads a table. Empty lines and lines that start with `#` are left out.
    pub fn read(bytes: &'a [u8]) -> Result<Self, GoalsError> {
        let bytes = without_bom(bytes);
        let text = core::str::from_utf8(bytes).map_err(|error| GoalsError::Table {
            line: 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count(),
            found: "bytes that are not UTF-8".into(),
            expected: "text".into(),
        })?;
        let lines = text.lines().enumerate().map(|(n, line)| (n + 1, line.trim()));
        let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let Some((line, header)) = lines.next() else {
            let expected = "a header such as frame,x,y,z".into();
            return Err(GoalsError::Table { line: 1, found: String::new(), expected });
        };
        let names: Vec<String> = cells(header).map(str::to_lowercase).collect();
        let mut rows = Vec::new();
        for (line, text) in lines {
            let cells: Vec<&str> = cells(text).collect();
            if cells.len() != names.len() {
                let expected = format!("{} cells", names.len());
                return Err(GoalsError::Table { line, found: shorten(text), expected });
            }
            rows.push(Row { line, cells });
        }
        Ok(Self { header: (line, shorten(header)), names, rows })
    }

    /// The index of the first of these columns that exists.
    pub fn column(&self, names: &[&str]) -> Result<usize, GoalsError> {
        let found = names.iter().find_map(|name| self.names.iter().position(|found| found == name));
        found.ok_or_else(|| GoalsError::Table {
            line: self.header.0,
            found: self.header.1.clone(),
            expected: format!("a column {}", names.join(" or ")),
        })
    }

    pub fn name(&self, column: usize) -> &str {
        &self.names[column]
    }
}

impl Row<'_> {
    pub fn text(&self, column: usize) -> &str {
        self.cells[column]
    }

    pub fn number(&self, column: usize) -> Result<f64, GoalsError> {
        let number: Option<f64> = self.cells[column].parse().ok();
        number.filter(|number| number.is_finite()).ok_or_else(|| self.unexpected(column, "a number"))
    }

    pub fn unexpected(&self, column: usize, expected: &str) -> GoalsError {
        let found = shorten(self.cells[column]);
        GoalsError::Table { line: self.line, found, expected: expected.into() }
    }
}

fn cells(line: &str) -> impl Iterator<Item = &str> {
    line.split(',').map(|cell| {
        let cell = cell.trim();
        cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"')).unwrap_or(cell).trim()
    })
}
