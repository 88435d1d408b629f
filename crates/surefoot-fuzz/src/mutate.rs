//! Random changes of an input: bytes, numbers, lines and pieces of other inputs.

/// Words that readers treat specially.
const WORDS: [&[u8]; 24] = [
    b"0",
    b"-1",
    b"1e308",
    b"-1e-308",
    b"nan",
    b"inf",
    b"18446744073709551615",
    b"-9223372036854775808",
    b"\0",
    b"\n",
    b"\r\n",
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b"\\",
    b",",
    b":",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\xc3\x28",
    b"%2F",
    b"/",
];

/// Longest input, in bytes: larger ones make a run slower without finding more.
const LONGEST: usize = 1 << 16;

/// A source of random numbers that gives the same ones in every run.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A source with a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `count`, which is not 0.
    pub fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % count
    }

    /// One of the words, of which there is at least one.
    pub fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }

    /// Whether something happens that happens this often in a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// Changes an input in one to four places. `other` is another input of the same kind.
pub fn mutate(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    mutate_to(bytes, other, random, LONGEST);
}

/// The same up to another length.
pub fn mutate_to(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random, longest: usize) {
    for _ in 0..=random.below(4) {
        change(bytes, other, random);
    }
    bytes.truncate(longest);
}

fn change(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    match random.below(9) {
        0 => bytes.truncate(at),
        1 => insert(bytes, at, WORDS[random.below(WORDS.len())]),
        2 => insert(bytes, at, &[random.below(256) as u8]),
        3 => replace_word(bytes, at, WORDS[random.below(WORDS.len())]),
        4 => drop(bytes.drain(at..(at + random.below(32)).min(bytes.len()))),
        5 => {
            let piece = bytes[at..(at + random.below(200)).min(bytes.len())].to_vec();
            let to = random.below(bytes.len() + 1);
            insert(bytes, to, &piece);
        }
        6 if !other.is_empty() => {
            let from = random.below(other.len());
            insert(bytes, at, &other[from..(from + random.below(200)).min(other.len())]);
        }
        7 => swap_lines(bytes, random),
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
    }
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    bytes.splice(at..at, piece.iter().copied());
}

/// Replaces the word or number around a byte.
fn replace_word(bytes: &mut Vec<u8>, at: usize, word: &[u8]) {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+');
    let start = bytes[..at].iter().rposition(|byte| !is_word(byte)).map_or(0, |before| before + 1);
    let end = bytes[at..].iter().position(|byte| !is_word(byte)).map_or(bytes.len(), |length| at + length);
    bytes.splice(start..end, word.iter().copied());
}

fn swap_lines(bytes: &mut Vec<u8>, random: &mut Random) {
    let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    let (a, b) = (random.below(lines.len()), random.below(lines.len()));
    lines.swap(a, b);
    *bytes = lines.join(&b'\n');
}
