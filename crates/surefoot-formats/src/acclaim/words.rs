//! Splits the text of an Acclaim file into lines and words, without comments.

use core::ops::Range;

/// The lines of a text that have words, each as the byte ranges of its words.
pub(super) struct Lines<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Lines<'t> {
    pub fn new(text: &'t [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// Writes the words of the next line that has any to `words`. Returns whether there is one.
    pub fn next(&mut self, words: &mut Vec<Range<usize>>) -> bool {
        words.clear();
        while words.is_empty() && self.at < self.text.len() {
            let length = self.text[self.at..].iter().position(|&byte| byte == b'\n');
            let end = length.map_or(self.text.len(), |length| self.at + length);
            let line = &self.text[self.at..end];
            let code = line.iter().position(|&byte| byte == b'#').unwrap_or(line.len());
            split(&line[..code], self.at, words);
            self.at = end + 1;
        }
        !words.is_empty()
    }
}

/// Adds the words of a line that starts at byte `from`. Parentheses and commas separate words as blanks do.
fn split(line: &[u8], from: usize, words: &mut Vec<Range<usize>>) {
    let mut start = None;
    for (at, byte) in line.iter().copied().chain([b' ']).enumerate() {
        let is_gap = byte <= b' ' || matches!(byte, b'(' | b')' | b',');
        match (start, is_gap) {
            (None, false) => start = Some(at),
            (Some(first), true) => {
                words.push(from + first..from + at);
                start = None;
            }
            _ => {}
        }
    }
}

/// A finite number. Programs of the time print exponents with three digits, `7.6e-016`, which is as any other.
pub(super) fn number(word: &[u8]) -> Option<f64> {
    let value: f64 = core::str::from_utf8(word).ok()?.parse().ok()?;
    value.is_finite().then_some(value)
}
