//! On which line does each plant stand, or each goal?
//!
//! The JSON reader keeps values and forgets where they stood. The text has been read by then, so
//! it is known to be JSON, and finding the elements of a list again is a matter of counting
//! brackets.

/// The line, from 1, on which each element of the outermost list under `key` begins.
pub(crate) fn of_list(text: &str, key: &'static str) -> Vec<usize> {
    let mut scan = Scan { line: 1, key, ..Scan::default() };
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if first == '"' { string_length(rest) } else { first.len_utf8() };
        let (token, after) = rest.split_at(length);
        scan.take(token, after);
        rest = after;
    }
    scan.lines
}

#[derive(Default)]
struct Scan {
    line: usize,
    /// How many brackets are open.
    depth: usize,
    /// The list's name.
    key: &'static str,
    in_list: bool,
    /// Whether the next value is a new element of the list.
    expects_element: bool,
    lines: Vec<usize>,
}

/// How many brackets are open inside the list: the file's own and the list's.
const IN_LIST: usize = 2;

impl Scan {
    fn take(&mut self, token: &str, after: &str) {
        let in_list = self.in_list && self.depth == IN_LIST;
        match token {
            "\n" => self.line += 1,
            " " | "\t" | "\r" => {}
            "]" | "}" => self.close(),
            "," => self.expects_element = in_list,
            _ => {
                if in_list && self.expects_element {
                    self.lines.push(self.line);
                    self.expects_element = false;
                }
                self.open(token, after);
            }
        }
    }

    fn open(&mut self, token: &str, after: &str) {
        match token {
            "[" | "{" => {
                self.depth += 1;
                self.expects_element = self.depth == IN_LIST;
            }
            _ if token.trim_matches('"') == self.key
                && token.starts_with('"')
                && self.depth + 1 == IN_LIST
                && after.trim_start().starts_with(':') =>
            {
                self.in_list = true;
                // Of a key that is there twice the last one counts.
                self.lines.clear();
            }
            _ => {}
        }
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.in_list &= self.depth >= IN_LIST;
    }
}

/// How long the string is that `text` begins with, both quotes included.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plants_are_found_among_all_else() {
        let text = r#"{ "note": ["plants", {"plants": [1]}],
  "plants" : [
    {"first": [1, 2], "s": "]\"},"}, {},

    7, [[
    ]], "x" ],
  "after": [1, 2] }"#;
        assert_eq!(of_list(text, "plants"), [3, 3, 5, 5, 6]);
        assert_eq!(of_list(text, "after"), [7, 7]);
    }
}
