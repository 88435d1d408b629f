//! The table of numbers: bytes to `f64`, row by row.
//!
//! A number is read eight digits at a time. Up to 2⁵³ over a power of ten that `f64` holds
//! exactly, one division gives the same bits as the standard library; everything else (exponents,
//! more digits, words) is left to it.

use core::ops::Range;

use super::error::{BvhError, Place, Problem, name_of};

/// Beyond this no angle and no place is meant, and squares of lengths would not stay finite.
const LARGEST: f64 = 1e12;

/// Powers of ten that `f64` holds exactly.
const POWERS: [f64; 20] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19,
];
const WHOLE_POWERS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// White space between numbers. A carriage return is part of the line's end or a line's end.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c)
}

/// The digits at the start of `bytes`, eight at most: their value and how many they are.
#[inline(always)]
fn digits(bytes: &[u8]) -> (u64, usize) {
    let Some(eight) = bytes.first_chunk::<8>() else {
        let count = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
        return (bytes[..count].iter().fold(0, |value, &byte| value * 10 + u64::from(byte - b'0')), count);
    };
    let word = u64::from_le_bytes(*eight) ^ 0x3030_3030_3030_3030;
    // A byte that was a digit is now 0–9; adding 0x76 to anything larger sets its top bit.
    let others = (word.wrapping_add(0x7676_7676_7676_7676) | word) & 0x8080_8080_8080_8080;
    let count = (others.trailing_zeros() / 8) as usize;
    if count == 0 {
        return (0, 0);
    }
    // The first digit is the lowest byte. Pushed to the top, the digits have zeros before them.
    let word = word << (64 - 8 * count);
    let pairs = (word.wrapping_mul(10) + (word >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs.wrapping_mul(100) + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    let all = fours.wrapping_mul(10_000) + (fours >> 32);
    (all & 0xffff_ffff, count)
}

/// The plain number at the start of `bytes` and its length, if one stands there, ends there,
/// and needs no rounding but the last.
#[inline(always)]
fn plain_number(bytes: &[u8]) -> Option<(f64, usize)> {
    let first = *bytes.first()?;
    let negative = first == b'-';
    let sign = usize::from(negative || first == b'+');
    let (mut mantissa, whole) = digits(&bytes[sign..]);
    let mut at = sign + whole;
    let mut decimals = 0;
    if bytes.get(at) == Some(&b'.') {
        at += 1;
        let (value, count) = digits(&bytes[at..]);
        mantissa = mantissa * WHOLE_POWERS[count] + value;
        at += count;
        decimals = count;
        if count == 8 {
            let (value, count) = digits(&bytes[at..]);
            // Past 19 digits the mantissa would not fit; 8 + 8 + 3 is as far as it goes.
            if count > 3 {
                return None;
            }
            mantissa = mantissa.checked_mul(WHOLE_POWERS[count])? + value;
            at += count;
            decimals += count;
        }
    }
    let ends = bytes.get(at).is_none_or(|&byte| is_blank(byte));
    if !ends || whole + decimals == 0 || whole == 8 || mantissa > 1 << 53 {
        return None;
    }
    let value = mantissa as f64 / POWERS[decimals];
    Some((if negative { -value } else { value }, at))
}

/// The number at byte `at` of `text` and where it ends. `what` says what it was to be.
#[inline(always)]
pub(super) fn number(
    text: &[u8],
    at: usize,
    what: impl FnOnce() -> String,
) -> Result<(f64, usize), BvhError> {
    if let Some((value, length)) = plain_number(&text[at..]) {
        return Ok((value, at + length));
    }
    let end = text[at..].iter().position(|&byte| is_blank(byte)).map_or(text.len(), |length| at + length);
    Ok((word(text, at..end, what)?, end))
}

/// The number that a word of `text` stands for.
#[cold]
pub(super) fn word(text: &[u8], at: Range<usize>, what: impl FnOnce() -> String) -> Result<f64, BvhError> {
    let word = &text[at.clone()];
    let value = core::str::from_utf8(word).ok().and_then(|word| word.parse::<f64>().ok());
    match value {
        Some(value) if value.abs() <= LARGEST => Ok(value),
        _ => Err(not_a_number(text, at.start, word, what())),
    }
}

fn not_a_number(text: &[u8], at: usize, word: &[u8], what: String) -> BvhError {
    let shown = name_of(&word[..word.len().min(32)]);
    let lower = shown.to_ascii_lowercase();
    let hint = if lower.contains('#') || lower.contains("nan") || lower.contains("ind") {
        "the program that wrote this file had no number to write"
    } else if lower.contains(',') {
        "decimals are written with a point, and numbers are parted by spaces"
    } else if lower.contains("inf") || lower.parse::<f64>().is_ok() {
        "no angle or place is this large"
    } else {
        ""
    };
    BvhError { place: Place::of(text, at), problem: Problem::NotANumber { found: shown, what, hint } }
}

/// The rows of a file.
pub(super) struct Table {
    pub values: Vec<f64>,
    pub frames: usize,
}

/// Keeps count of numbers, lines and frames, and tells a frame split over lines from a short one.
///
/// A frame may go on on the next line, and several whole frames may share a line, but a frame
/// ends where a line ends. Only a file in which no line ever was one whole frame may break its
/// lines anywhere, and then only if it holds just the frames it promises.
struct Rows {
    width: usize,
    frames: usize,
    /// Numbers of the frame that is not yet whole.
    pending: usize,
    /// Where the frame that is not yet whole began.
    began: usize,
    /// A line has been one whole frame.
    is_regular: bool,
    /// The first frame that did not end where a line ends.
    ragged: Option<Ragged>,
}

struct Ragged {
    at: usize,
    frame: usize,
    found: usize,
}

impl Rows {
    /// A line of `count` numbers, the first at byte `at`, has ended.
    fn end_line(&mut self, count: usize, at: usize) {
        if count == 0 {
            return;
        }
        if self.pending == 0 {
            self.began = at;
        }
        let total = self.pending + count;
        let is_whole = total.is_multiple_of(self.width) && (total == self.width || self.pending == 0);
        self.is_regular |= count == self.width && self.pending == 0;
        if total > self.width && !is_whole && self.ragged.is_none() {
            let found = if self.pending > 0 { self.pending } else { count };
            self.ragged = Some(Ragged { at: self.began, frame: self.frames, found });
        }
        self.frames += total / self.width;
        self.pending = total % self.width;
    }

    /// All lines have ended: is every frame whole?
    fn check(&self, text: &[u8], promised: Option<usize>) -> Result<(), BvhError> {
        let fail = |at, problem| Err(BvhError { place: Place::of(text, at), problem });
        let expected = self.width;
        if let Some(Ragged { at, frame, found }) = self.ragged {
            let is_stream = !self.is_regular && self.pending == 0 && promised == Some(self.frames);
            return if is_stream {
                Ok(())
            } else {
                fail(at, Problem::FrameLength { frame, found, expected })
            };
        }
        if self.pending > 0 {
            let (frame, found) = (self.frames, self.pending);
            return fail(text.len(), Problem::CutFrame { frame, found, expected });
        }
        Ok(())
    }
}

/// Reads all numbers from byte `at` on, `width` to a frame.
pub(super) fn read_table(
    text: &[u8],
    mut at: usize,
    width: usize,
    promised: Option<usize>,
) -> Result<Table, BvhError> {
    let mut values = Vec::with_capacity(expected_numbers(&text[at..], width, promised));
    let mut rows = Rows { width, frames: 0, pending: 0, began: at, is_regular: false, ragged: None };
    let mut line_at = at;
    let mut line_values = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\n' => {
                rows.end_line(values.len() - line_values, line_at);
                line_values = values.len();
                at += 1;
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => at += 1,
            _ => {
                if values.len() == line_values {
                    line_at = at;
                }
                let (value, end) = number(text, at, || format!("frame {}", values.len() / width))?;
                values.push(value);
                at = end;
            }
        }
    }
    rows.end_line(values.len() - line_values, line_at);
    rows.check(text, promised)?;
    values.shrink_to_fit();
    Ok(Table { values, frames: rows.frames })
}

/// Refuses a file that ends inside its last number.
///
/// That shows only where the last frame's numbers all have the same decimals but the last.
pub(super) fn check_last_number(text: &[u8], table: &Table, width: usize) -> Result<(), BvhError> {
    let words = text.rsplit(|&byte| is_blank(byte)).filter(|word| !word.is_empty()).take(width);
    let decimals =
        |word: &[u8]| word.iter().position(|&byte| byte == b'.').map_or(0, |point| word.len() - point);
    let mut all = words.map(decimals);
    let (Some(last), Some(first)) = (all.next(), all.next()) else { return Ok(()) };
    if last < first && table.frames > 0 && all.all(|one| one == first) {
        let problem = Problem::CutFrame { frame: table.frames - 1, found: width - 1, expected: width };
        return Err(BvhError { place: Place::of(text, text.len()), problem });
    }
    Ok(())
}

/// How many numbers to make room for, so that the list never has to be copied to grow.
///
/// What the file promises, if it has the bytes for it; else as many as the first lines suggest.
fn expected_numbers(bytes: &[u8], width: usize, promised: Option<usize>) -> usize {
    let most = bytes.len().div_ceil(2);
    if let Some(promised) =
        promised.and_then(|frames| frames.checked_mul(width)).filter(|&count| count <= most)
    {
        return promised;
    }
    const LOOK_AT: usize = 1 << 16;
    let sample = &bytes[..bytes.len().min(LOOK_AT)];
    let count = 1 + sample.windows(2).filter(|pair| is_blank(pair[0]) && !is_blank(pair[1])).count();
    (count * (bytes.len() / sample.len().max(1)) * 21 / 20 + width).min(most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(word: &str) -> Result<f64, String> {
        number(word.as_bytes(), 0, || "a test".into())
            .map(|(value, _)| value)
            .map_err(|error| error.problem.to_string())
    }

    #[test]
    fn every_spelling_of_a_number_is_read_as_the_standard_library_does() {
        let words = [
            "0",
            "-0",
            "+1.5",
            ".5",
            "-.5",
            "5.",
            "12.345678",
            "0.0083333",
            "-179.999999",
            "1e5",
            "1E-05",
            "9.27476e-16",
            "00012.5000",
            "1234567",
            "12345678",
            "123456789",
            "99999999.5",
            "0.12345678",
            "0.123456789",
            "0.123456789012",
            "1234.12345678901",
            "0.1234567890123456789",
            "3.141592653589793238462643",
            "900719925474.0993",
            "0.00000000000000001",
        ];
        for word in words {
            assert_eq!(read(word).map(f64::to_bits), Ok(word.parse::<f64>().unwrap().to_bits()), "{word}");
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for word in [
            "nan",
            "NaN",
            "inf",
            "-infinity",
            "-1.#IND",
            "1.#QNAN",
            "1,5",
            "1.5f",
            "0x10",
            "1e",
            "-",
            "+",
            ".",
            "1e400",
            "1-2",
            "1.2.3",
        ] {
            assert!(read(word).is_err(), "{word}");
        }
    }

    proptest! {
        #[test]
        fn any_decimal_is_read_to_the_last_bit(whole in 0u64..100_000_000_000, places in 0usize..14, decimals in 0u64..100_000_000_000_000, negative: bool) {
            let decimals = format!("{decimals:014}");
            let word = format!("{}{whole}.{}", if negative { "-" } else { "" }, &decimals[..places]);
            prop_assert_eq!(read(&word).map(f64::to_bits), Ok(word.parse::<f64>().unwrap().to_bits()));
            let padded = format!("{word}        ");
            prop_assert_eq!(read(&padded).map(f64::to_bits), Ok(word.parse::<f64>().unwrap().to_bits()));
        }
    }
}
