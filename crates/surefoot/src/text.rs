//! Text for a terminal: wrapping, bullets, columns and short numbers.

/// Text from a file with control characters replaced, so that it cannot change the state of a terminal.
pub fn printable(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect()
}

/// Width of printed text, in columns: narrow enough to read easily and to fit beside an editor.
pub const WIDTH: usize = 96;

/// Sentences under a heading, after an empty line; empty for an empty list.
pub fn bullets(heading: &str, sentences: &[String]) -> String {
    if sentences.is_empty() {
        return String::new();
    }
    let items = sentences.iter().map(|sentence| wrapped(&printable(sentence), 2, "- "));
    format!("\n{heading}\n{}", items.collect::<String>())
}

/// A number's text without the sign of `-0.00`.
pub fn without_negative_zero(number: String) -> String {
    match number.strip_prefix('-') {
        Some(digits) if digits.chars().all(|c| matches!(c, '0' | '.')) => digits.to_owned(),
        _ => number,
    }
}

/// A number with at most six decimals, fewer where it is large.
pub fn short(number: f64) -> String {
    let decimals = match number.abs() {
        size if size >= 100.0 => 3,
        size if size >= 1.0 => 4,
        _ => 6,
    };
    let text = format!("{number:.decimals$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    without_negative_zero(text.to_owned())
}

/// Text in lines that fit, indented, the first with `mark` in front of it.
pub fn wrapped(text: &str, indent: usize, mark: &str) -> String {
    let hang = indent + mark.chars().count();
    let mut out = format!("{:indent$}{mark}", "");
    let mut at = hang;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if at > hang && at + 1 + length > WIDTH {
            out += &format!("\n{:hang$}", "");
            at = hang;
        }
        if at > hang {
            out.push(' ');
            at += 1;
        }
        out += word;
        at += length;
    }
    out + "\n"
}

/// Rows in columns as wide as they must be.
pub fn columns(rows: &[Vec<String>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |n: usize| rows.iter().filter_map(|row| row.get(n)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..count).map(|n| width(n).unwrap_or(0) + 2).collect();
    let row = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{:width$}", printable(cell)));
        format!("  {}\n", cells.collect::<String>().trim_end())
    };
    rows.iter().map(row).collect()
}
