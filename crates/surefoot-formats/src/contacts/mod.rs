//! Labels: when a force plate or a person says each foot is down, one row a frame.
//!
//! A table with a column `left_contact`, `right_contact`, … for each foot: 1 is down, 0 is up and
//! −1 is not known. With a column `valid`, rows in which it is not 1 are not known either: a step
//! that misses the plates reads as no force. All other columns are left alone. Labels are a
//! foot's, not its heel's or its ball's.

mod error;

pub use error::ContactsError;

/// What is known of each foot, a frame each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contacts {
    /// By foot, in the table's order.
    pub feet: Vec<FootContacts>,
}

/// What is known of one foot.
#[derive(Clone, Debug, PartialEq)]
pub struct FootContacts {
    /// What the foot is called: `left`, `front right`.
    pub side: String,
    /// Down, up, or not known, a frame each.
    pub down: Vec<Option<bool>>,
}

impl Contacts {
    /// What is known of the foot of this name.
    pub fn of(&self, side: &str) -> Option<&[Option<bool>]> {
        self.feet.iter().find(|foot| foot.side == side).map(|foot| foot.down.as_slice())
    }
}

/// How the name of a foot's column ends.
const ENDING: &str = "_contact";

/// Reads the labels of a motion of so many frames.
pub fn read_contacts(bytes: &[u8], frames: usize) -> Result<Contacts, ContactsError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let names: Vec<&str> = lines.next().map_or(Vec::new(), |(_, line)| cells(line));
    let (columns, mut feet) = feet_of(&names)?;
    let valid = names.iter().position(|name| *name == "valid");
    let frame_column = names.iter().position(|name| *name == "frame");
    for (row, (index, line)) in lines.enumerate() {
        let (line_number, cells) = (index + 1, cells(line));
        if cells.len() != names.len() {
            let (found, expected) = (cells.len(), names.len());
            return Err(ContactsError::RowLength { line: line_number, found, expected });
        }
        if let Some(found) = frame_column.map(|column| cells[column])
            && found.parse::<f64>() != Ok(row as f64)
        {
            return Err(ContactsError::Frame { line: line_number, found: found.into(), expected: row });
        }
        let is_valid = match valid.map(|column| cells[column]) {
            None | Some("1") => true,
            Some("0") => false,
            Some(found) => return Err(cell(line_number, "valid", found, "0 or 1")),
        };
        for (&column, foot) in columns.iter().zip(&mut feet) {
            let down = match cells[column] {
                "1" => Some(true),
                "0" => Some(false),
                "-1" => None,
                found => return Err(cell(line_number, names[column], found, "1, 0 or -1")),
            };
            foot.down.push(down.filter(|_| is_valid));
        }
    }
    let found = feet.first().map_or(0, |foot| foot.down.len());
    if found != frames {
        return Err(ContactsError::Frames { found, motion: frames });
    }
    Ok(Contacts { feet })
}

/// The columns that tell of feet, and the feet.
fn feet_of(names: &[&str]) -> Result<(Vec<usize>, Vec<FootContacts>), ContactsError> {
    let mut columns = Vec::new();
    let mut feet: Vec<FootContacts> = Vec::new();
    for (column, name) in names.iter().enumerate() {
        let Some(side) = name.strip_suffix(ENDING).filter(|side| !side.is_empty()) else { continue };
        let side = side.replace('_', " ");
        if feet.iter().any(|foot| foot.side == side) {
            return Err(ContactsError::Twice { name: (*name).into() });
        }
        columns.push(column);
        feet.push(FootContacts { side, down: Vec::new() });
    }
    if feet.is_empty() {
        return Err(ContactsError::NoFeet { found: names.join(",") });
    }
    Ok((columns, feet))
}

/// The cells of a line, without the blanks and quotes that some programs put round them.
fn cells(line: &str) -> Vec<&str> {
    line.split(',').map(|cell| cell.trim().trim_matches('"').trim()).collect()
}

fn cell(line: usize, column: &str, found: &str, expected: &'static str) -> ContactsError {
    ContactsError::Cell { line, column: column.into(), found: found.into(), expected }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_read_and_what_is_not_known_stays_so() {
        let table = "frame,left_contact,right_contact,valid\n0,1,0,1\n1,1,-1,1\n2,0,1,0\n";
        let read = read_contacts(table.as_bytes(), 3).unwrap();
        assert_eq!(read.of("left").unwrap(), [Some(true), Some(true), None]);
        assert_eq!(read.of("right").unwrap(), [Some(false), None, None]);
        assert_eq!(read.of("front left"), None);
    }

    #[test]
    fn what_does_not_fit_is_refused_with_its_place() {
        let refused = |table: &str| read_contacts(table.as_bytes(), 2).unwrap_err().to_string();
        assert_eq!(refused("left_contact\n1\n"), "the labels are for 1 frame, but the motion has 2");
        assert_eq!(refused("left_contact\n1\n2\n"), "line 3: left_contact is \"2\", expected 1, 0 or -1");
        assert_eq!(refused("left_contact,b\n1,1\n1\n"), "line 3: 1 cells, but there are 2 columns");
        assert_eq!(
            refused("frame,left_contact\n0,1\n5,1\n"),
            "line 3: frame is \"5\", expected 1: one row a frame, in order"
        );
        assert_eq!(refused("a,b\n1,1\n"), "line 1: no column of a foot, such as left_contact, among a,b");
        assert_eq!(refused("left_contact,left_contact\n"), "line 1: left_contact is there twice");
        assert!(read_contacts(b"", 0).is_err());
    }
}
