//! Places in text files, for messages about them.

#[cfg(feature = "formats")]
use surefoot_formats::bvh::TextPosition;

/// A place in a text file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPlace {
    /// The file, as the user named it.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// The text of the line; of a long line, the part around the column.
    pub text: String,
    /// The index of the column in `text`, in characters from 0.
    pub text_column: usize,
    /// The number of characters to mark.
    pub length: usize,
}

impl TextPlace {
    /// The place of a message of the form `line 12: what is wrong`, and the message without it.
    pub fn of_message<'a>(file: &str, text: &str, message: &'a str) -> Option<(Self, &'a str)> {
        let (line, what) = message.strip_prefix("line ")?.split_once(": ")?;
        Some((Self::whole_line(file, text, line.parse().ok()?), what))
    }

    /// The place of a mistake in a motion file that is a text.
    #[cfg(feature = "formats")]
    pub fn of_position(file: &str, position: &TextPosition) -> Self {
        let TextPosition { line, column, text, text_column, .. } = position.clone();
        let wrong = text.chars().skip(text_column).take_while(|c| !c.is_whitespace() && *c != '…');
        Self { file: file.to_owned(), line, column, text_column, length: wrong.count(), text }
    }

    /// The place of a range of bytes in `text`, the text of a whole file.
    pub fn in_text(file: &str, text: &str, at: std::ops::Range<usize>) -> Self {
        let start = boundary(text, at.start);
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = text[line_start..].lines().next().unwrap_or_default();
        let marked = &text[start..boundary(text, at.end.max(start))];
        let text_column = text[line_start..start].chars().count();
        Self {
            file: file.to_owned(),
            line: before.matches('\n').count() + 1,
            column: text_column + 1,
            text_column,
            text: line.to_owned(),
            length: marked.lines().next().unwrap_or_default().chars().count(),
        }
    }

    /// A whole line of `text`, the text of a file, without its indent.
    fn whole_line(file: &str, text: &str, line: usize) -> Self {
        let text = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
        let indent = text.chars().take_while(|c| c.is_whitespace()).count();
        Self {
            file: file.to_owned(),
            line,
            column: indent + 1,
            text_column: indent,
            length: text.trim().chars().count(),
            text: text.to_owned(),
        }
    }
}

/// The character boundary at or before the byte `at`.
fn boundary(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_found_by_its_bytes() {
        let text = "up = \"y\"\nünit = \"cm\"\n";
        let start = text.find("\"cm\"").unwrap();
        let place = TextPlace::in_text("surefoot.toml", text, start..start + 4);
        assert_eq!((place.line, place.column, place.length), (2, 8, 4));
        assert_eq!(place.text, "ünit = \"cm\"");
    }
}
