//! Byte ranges of values in a JSON text, so that some can be replaced and all others copied.
//!
//! The text has been parsed before, so that it is known to be correct.

use core::ops::Range;

/// The members of an object: the key without quotes, and the range of the value.
pub(super) fn members(text: &[u8], object: Range<usize>) -> Vec<(&[u8], Range<usize>)> {
    let mut members = Vec::new();
    let mut at = skip_blanks(text, object.start + 1);
    while at < object.end && text[at] == b'"' {
        let key = at..skip_value(text, at);
        let colon = skip_blanks(text, key.end);
        let start = skip_blanks(text, colon + 1);
        let end = skip_value(text, start);
        members.push((&text[key.start + 1..key.end - 1], start..end));
        at = next(text, end);
    }
    members
}

/// The value of a member of an object.
pub(super) fn member(text: &[u8], object: Range<usize>, key: &str) -> Option<Range<usize>> {
    members(text, object).into_iter().find(|(name, _)| *name == key.as_bytes()).map(|(_, value)| value)
}

/// The elements of an array.
pub(super) fn elements(text: &[u8], array: Range<usize>) -> Vec<Range<usize>> {
    let mut elements = Vec::new();
    let mut at = skip_blanks(text, array.start + 1);
    while at < array.end && text[at] != b']' {
        let end = skip_value(text, at);
        elements.push(at..end);
        at = next(text, end);
    }
    elements
}

/// The object that a text consists of.
pub(super) fn root(text: &[u8]) -> Range<usize> {
    let start = skip_blanks(text, 0);
    start..skip_value(text, start)
}

/// The start of the next element after one that ends at `end`.
fn next(text: &[u8], end: usize) -> usize {
    let at = skip_blanks(text, end);
    if text.get(at) == Some(&b',') { skip_blanks(text, at + 1) } else { at }
}

fn skip_blanks(text: &[u8], at: usize) -> usize {
    let blanks = text[at.min(text.len())..].iter().take_while(|byte| byte.is_ascii_whitespace());
    at + blanks.count()
}

/// The byte after the value that starts at `at`.
fn skip_value(text: &[u8], mut at: usize) -> usize {
    let mut depth = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => {
                at = skip_string(text, at);
                if depth == 0 {
                    return at;
                }
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 0 => return at,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            b',' if depth == 0 => return at,
            byte if depth == 0 && byte.is_ascii_whitespace() => return at,
            _ => {}
        }
        at += 1;
    }
    at
}

fn skip_string(text: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    at.min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_those_of_the_values() {
        let text = br#" { "a" : [1, {"b": "]}\""} , -2.5e3 ], "c":{}, "d":[] , "e":true } "#;
        let part = |range: Range<usize>| core::str::from_utf8(&text[range]).unwrap();
        let root = root(text);
        let keys: Vec<&[u8]> = members(text, root.clone()).into_iter().map(|(key, _)| key).collect();
        assert_eq!(keys, [b"a", b"c", b"d", b"e"]);
        let a = member(text, root.clone(), "a").unwrap();
        let parts: Vec<&str> = elements(text, a).into_iter().map(part).collect();
        assert_eq!(parts, ["1", r#"{"b": "]}\""}"#, "-2.5e3"]);
        assert_eq!(part(member(text, root.clone(), "e").unwrap()), "true");
        assert!(elements(text, member(text, root.clone(), "d").unwrap()).is_empty());
        assert!(members(text, member(text, root, "c").unwrap()).is_empty());
    }
}
