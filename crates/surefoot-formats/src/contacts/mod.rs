//! Foot contact labels from force plates or people: a CSV table with one row per frame.
//!
//! Each foot has a column `left_contact`, `right_contact`, …: 1 is down, 0 is up and −1 unknown.
//! In rows with `valid` other than 1 all feet are unknown, because a step that misses the force
//! plates measures no force. Other columns are ignored. A label is for the whole foot, not for
//! heel or ball.

mod error;

pub use error::ContactsError;

use crate::json::without_bom;

/// The labels of all feet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contacts {
    /// One entry per foot, in the order of the table.
    pub feet: Vec<FootContacts>,
}

/// The labels of one foot.
#[derive(Clone, Debug, PartialEq)]
pub struct FootContacts {
    /// The name of the foot: `left`, `front right`.
    pub side: String,
    /// For each frame whether the foot is down; `None` if unknown.
    pub down: Vec<Option<bool>>,
}

impl Contacts {
    /// The labels of the foot called `side`.
    pub fn of(&self, side: &str) -> Option<&[Option<bool>]> {
        self.feet.iter().find(|foot| foot.side == side).map(|foot| foot.down.as_slice())
    }
}

/// Ending of the name of a foot's column.
const ENDING: &str = "_contact";

/// Reads the labels of a motion with `frames` frames.
pub fn read_contacts(bytes: &[u8], frames: usize) -> Result<Contacts, ContactsError> {
    let text = String::from_utf8_lossy(without_bom(bytes));
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let names: Vec<&str> = lines.next().map_or(Vec::new(), |(_, line)| cells(line));
    let mut table = Table::new(names)?;
    for (row, (index, line)) in lines.enumerate() {
        table.push_row(row, index + 1, &cells(line))?;
    }
    let found = table.feet.first().map_or(0, |foot| foot.down.len());
    if found != frames {
        return Err(ContactsError::Frames { found, motion: frames });
    }
    Ok(Contacts { feet: table.feet })
}

/// A table whose header has been read.
struct Table<'t> {
    names: Vec<&'t str>,
    /// The columns of the feet.
    columns: Vec<usize>,
    feet: Vec<FootContacts>,
    frame_column: Option<usize>,
    valid_column: Option<usize>,
}

impl<'t> Table<'t> {
    fn new(names: Vec<&'t str>) -> Result<Self, ContactsError> {
        let (columns, feet) = foot_columns(&names)?;
        let column = |wanted| names.iter().position(|name| *name == wanted);
        let (frame_column, valid_column) = (column("frame"), column("valid"));
        Ok(Self { names, columns, feet, frame_column, valid_column })
    }

    fn push_row(&mut self, row: usize, line: usize, cells: &[&str]) -> Result<(), ContactsError> {
        let (found, expected) = (cells.len(), self.names.len());
        if found != expected {
            return Err(ContactsError::RowLength { line, found, expected });
        }
        if let Some(found) = self.frame_column.map(|column| cells[column])
            && found.parse::<f64>() != Ok(row as f64)
        {
            return Err(ContactsError::Frame { line, found: found.into(), expected: row });
        }
        let is_valid = match self.valid_column.map(|column| cells[column]) {
            None | Some("1") => true,
            Some("0") => false,
            Some(found) => return Err(bad_cell(line, "valid", found, "0 or 1")),
        };
        for (&column, foot) in self.columns.iter().zip(&mut self.feet) {
            let down = match cells[column] {
                "1" => Some(true),
                "0" => Some(false),
                "-1" => None,
                found => return Err(bad_cell(line, self.names[column], found, "1, 0 or -1")),
            };
            foot.down.push(down.filter(|_| is_valid));
        }
        Ok(())
    }
}

/// The columns of feet, and the feet without labels yet.
fn foot_columns(names: &[&str]) -> Result<(Vec<usize>, Vec<FootContacts>), ContactsError> {
    let mut columns = Vec::new();
    let mut feet: Vec<FootContacts> = Vec::new();
    for (column, name) in names.iter().enumerate() {
        let Some(side) = name.strip_suffix(ENDING).filter(|side| !side.is_empty()) else { continue };
        let side = side.replace('_', " ");
        if feet.iter().any(|foot| foot.side == side) {
            return Err(ContactsError::DuplicateColumn { name: (*name).into() });
        }
        columns.push(column);
        feet.push(FootContacts { side, down: Vec::new() });
    }
    if feet.is_empty() {
        return Err(ContactsError::NoFeet { found: names.join(",") });
    }
    Ok((columns, feet))
}

/// The cells of a line without surrounding blanks and quotes.
fn cells(line: &str) -> Vec<&str> {
    line.split(',').map(|cell| cell.trim().trim_matches('"').trim()).collect()
}

fn bad_cell(line: usize, column: &str, found: &str, expected: &'static str) -> ContactsError {
    ContactsError::Cell { line, column: column.into(), found: found.into(), expected }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_read_and_unknown_ones_are_none() {
        let table = "frame,left_contact,right_contact,valid\n0,1,0,1\n1,1,-1,1\n2,0,1,0\n";
        let read = read_contacts(table.as_bytes(), 3).unwrap();
        assert_eq!(read.of("left").unwrap(), [Some(true), Some(true), None]);
        assert_eq!(read.of("right").unwrap(), [Some(false), None, None]);
        assert_eq!(read.of("front left"), None);
    }

    #[test]
    fn errors_state_the_line_what_was_found_and_what_was_expected() {
        let refused = |table: &str| read_contacts(table.as_bytes(), 2).unwrap_err().to_string();
        assert_eq!(refused("left_contact\n1\n"), "the labels are for 1 frame, but the motion has 2");
        assert_eq!(refused("left_contact\n1\n2\n"), "line 3: left_contact is \"2\", expected 1, 0 or -1");
        assert_eq!(refused("left_contact,b\n1,1\n1\n"), "line 3: found 1 cells, expected 2, one per column");
        assert_eq!(
            refused("frame,left_contact\n0,1\n5,1\n"),
            "line 3: frame is \"5\", expected 1: one row per frame, in order"
        );
        assert_eq!(refused("a,b\n1,1\n"), "line 1: found the columns a,b, expected one such as left_contact");
        assert_eq!(
            refused("left_contact,left_contact\n"),
            "line 1: found two columns left_contact, expected one"
        );
        assert!(read_contacts(b"", 0).is_err());
    }
}
