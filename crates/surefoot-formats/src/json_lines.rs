//! Finds the line on which each element of a JSON list begins, for error messages.
//!
//! The JSON parser returns values without their positions. The text has been parsed before, so it
//! is valid JSON and counting brackets is enough.

/// The line, from 1, on which each element of the top-level list `key` begins.
pub(crate) fn of_list(text: &str, key: &'static str) -> Vec<usize> {
    let mut scan = Scanner { line: 1, key, ..Scanner::default() };
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if first == '"' { string_length(rest) } else { first.len_utf8() };
        let (token, after) = rest.split_at(length);
        scan.push(token, after);
        rest = after;
    }
    scan.lines
}

#[derive(Default)]
struct Scanner {
    line: usize,
    /// Number of open brackets and braces.
    depth: usize,
    /// The name of the list.
    key: &'static str,
    in_list: bool,
    /// Whether the next value is a new element of the list.
    expects_element: bool,
    /// The result: a line for each element.
    lines: Vec<usize>,
}

/// Depth inside the list: the brace of the document and the bracket of the list.
const IN_LIST: usize = 2;

impl Scanner {
    fn push(&mut self, token: &str, after: &str) {
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
                // The parser keeps the last of two equal keys.
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

/// Length of the JSON string at the start of `text`, with both quotes.
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
    fn only_the_elements_of_the_top_level_list_count() {
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
