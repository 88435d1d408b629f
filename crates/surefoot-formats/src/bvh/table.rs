//! Parses the table of numbers, row by row.
//!
//! Digits are parsed eight at a time. A mantissa of up to 2⁵³ divided by a power of ten that `f64`
//! represents exactly is rounded once, so it has the same bits as `str::parse`. All other numbers
//! (exponents, more digits) take the slow path through `str::parse`.

use core::ops::Range;

use super::error::{BvhError, BvhProblem, TextPosition, decode};

/// Largest magnitude of a number, in the file's unit or degrees. No capture comes near it, and
/// products of lengths stay finite. A larger number is an error.
const LARGEST: f64 = 1e12;

/// Powers of ten, all exact in `f64`.
const POWERS: [f64; 20] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19,
];
const WHOLE_POWERS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// Whether a byte separates numbers.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c)
}

/// Value and count of the digits at the start of `bytes`, at most eight.
#[inline(always)]
fn digits(bytes: &[u8]) -> (u64, usize) {
    let Some(eight) = bytes.first_chunk::<8>() else {
        let count = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
        return (bytes[..count].iter().fold(0, |value, &byte| value * 10 + u64::from(byte - b'0')), count);
    };
    let word = u64::from_le_bytes(*eight) ^ 0x3030_3030_3030_3030;
    // A digit is now a byte from 0 to 9; adding 0x76 to any larger byte sets its top bit.
    let others = (word.wrapping_add(0x7676_7676_7676_7676) | word) & 0x8080_8080_8080_8080;
    let count = (others.trailing_zeros() / 8) as usize;
    if count == 0 {
        return (0, 0);
    }
    // The first digit is in the lowest byte. Shifting left puts zeros in front of the digits.
    let word = word << (64 - 8 * count);
    let pairs = (word.wrapping_mul(10) + (word >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs.wrapping_mul(100) + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    let all = fours.wrapping_mul(10_000) + (fours >> 32);
    (all & 0xffff_ffff, count)
}

/// Value and length of a number without exponent at the start of `bytes`.
///
/// `None` if the word is something else, or has so many digits that it would be rounded twice.
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
            // 19 digits (8 + 8 + 3) are as many as fit the mantissa.
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

/// The number at byte `at` of `text` and where it ends. `context` names what it belongs to.
#[inline(always)]
fn number(text: &[u8], at: usize, context: impl FnOnce() -> String) -> Result<(f64, usize), BvhError> {
    if let Some((value, length)) = plain_number(&text[at..]) {
        return Ok((value, at + length));
    }
    let end = text[at..].iter().position(|&byte| is_blank(byte)).map_or(text.len(), |length| at + length);
    Ok((parse_word(text, at..end, context)?, end))
}

/// Parses the word at `at` as a number: the slow path, which also explains what is wrong.
#[cold]
pub(super) fn parse_word(
    text: &[u8],
    at: Range<usize>,
    context: impl FnOnce() -> String,
) -> Result<f64, BvhError> {
    let word = &text[at.clone()];
    let value = core::str::from_utf8(word).ok().and_then(|word| word.parse::<f64>().ok());
    match value {
        Some(value) if value.abs() <= LARGEST => Ok(value),
        _ => Err(not_a_number(text, at.start, word, context())),
    }
}

fn not_a_number(text: &[u8], at: usize, word: &[u8], context: String) -> BvhError {
    let shown = decode(&word[..word.len().min(32)]);
    let lower = shown.to_ascii_lowercase();
    let hint = if lower.contains('#') || lower.contains("nan") || lower.contains("ind") {
        "the program that wrote this file computed an invalid value here"
    } else if lower.contains(',') {
        "decimals need a point, and spaces separate numbers"
    } else if lower.contains("inf") || lower.parse::<f64>().is_ok() {
        "no angle or position is this large"
    } else {
        ""
    };
    BvhError {
        position: TextPosition::of(text, at),
        problem: BvhProblem::NotANumber { found: shown, context, hint },
    }
}

/// The numbers of a file.
pub(super) struct Table {
    /// Row by row.
    pub values: Vec<f64>,
    pub frames: usize,
    /// Whether every line with numbers is one frame.
    pub is_frame_per_line: bool,
}

/// Counts numbers, lines and frames, to distinguish a frame split over lines from a short frame.
///
/// A frame may continue on the next line, and several complete frames may share a line, but every
/// frame must end at the end of a line. Only a file in which no line is one complete frame may
/// break its lines anywhere, and only if it has exactly the stated number of frames.
struct FrameCounter {
    /// Numbers per frame.
    width: usize,
    /// Complete frames so far.
    frames: usize,
    /// Numbers of the incomplete frame.
    pending: usize,
    /// First byte of the incomplete frame.
    pending_at: usize,
    /// Whether some line was exactly one frame.
    has_regular_line: bool,
    /// Whether some line was not exactly one frame.
    has_other_line: bool,
    /// The first frame that did not end at the end of a line.
    misaligned: Option<MisalignedFrame>,
}

struct MisalignedFrame {
    at: usize,
    frame: usize,
    found: usize,
}

impl FrameCounter {
    /// Counts a line of `count` numbers, the first at byte `at`.
    fn end_line(&mut self, count: usize, at: usize) {
        if count == 0 {
            return;
        }
        if self.pending == 0 {
            self.pending_at = at;
        }
        let total = self.pending + count;
        let is_aligned = total.is_multiple_of(self.width) && (total == self.width || self.pending == 0);
        let is_regular = count == self.width && self.pending == 0;
        self.has_regular_line |= is_regular;
        self.has_other_line |= !is_regular;
        if total > self.width && !is_aligned && self.misaligned.is_none() {
            let found = if self.pending > 0 { self.pending } else { count };
            self.misaligned = Some(MisalignedFrame { at: self.pending_at, frame: self.frames, found });
        }
        self.frames += total / self.width;
        self.pending = total % self.width;
    }

    /// Fails if a frame has too few or too many numbers. Call after the last line.
    fn check(&self, text: &[u8], stated_frames: Option<usize>) -> Result<(), BvhError> {
        let fail = |at, problem| Err(BvhError { position: TextPosition::of(text, at), problem });
        let expected = self.width;
        if let Some(MisalignedFrame { at, frame, found }) = self.misaligned {
            let ignores_lines =
                !self.has_regular_line && self.pending == 0 && stated_frames == Some(self.frames);
            return if ignores_lines {
                Ok(())
            } else {
                fail(at, BvhProblem::FrameLength { frame, found, expected })
            };
        }
        if self.pending > 0 {
            let (frame, found) = (self.frames, self.pending);
            return fail(text.len(), BvhProblem::TruncatedFrame { frame, found, expected });
        }
        Ok(())
    }
}

/// Parses all numbers from byte `at` on, `width` per frame.
pub(super) fn read_table(
    text: &[u8],
    mut at: usize,
    width: usize,
    stated_frames: Option<usize>,
) -> Result<Table, BvhError> {
    let mut values = Vec::with_capacity(expected_numbers(&text[at..], width, stated_frames));
    let mut rows = FrameCounter {
        width,
        frames: 0,
        pending: 0,
        pending_at: at,
        has_regular_line: false,
        has_other_line: false,
        misaligned: None,
    };
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
    rows.check(text, stated_frames)?;
    values.shrink_to_fit();
    Ok(Table { values, frames: rows.frames, is_frame_per_line: !rows.has_other_line })
}

/// Refuses a file that was truncated inside its last number.
///
/// That is visible only where all numbers of the last frame but the last have equally many
/// decimals, and the last has fewer.
pub(super) fn check_last_number(text: &[u8], table: &Table, width: usize) -> Result<(), BvhError> {
    let words = text.rsplit(|&byte| is_blank(byte)).filter(|word| !word.is_empty()).take(width);
    let decimals =
        |word: &[u8]| word.iter().position(|&byte| byte == b'.').map_or(0, |point| word.len() - point);
    let mut all = words.map(decimals);
    let (Some(last), Some(first)) = (all.next(), all.next()) else { return Ok(()) };
    if last < first && table.frames > 0 && all.all(|one| one == first) {
        let problem =
            BvhProblem::TruncatedFrame { frame: table.frames - 1, found: width - 1, expected: width };
        return Err(BvhError { position: TextPosition::of(text, text.len()), problem });
    }
    Ok(())
}

/// How many numbers to allocate, so that the list is not copied while it grows.
///
/// The stated number if the file is long enough for it, else an estimate from the first lines.
fn expected_numbers(bytes: &[u8], width: usize, stated_frames: Option<usize>) -> usize {
    /// Bytes of the table from which the count is estimated.
    const SAMPLE: usize = 1 << 16;
    // A number takes at least a digit and a blank.
    let most = bytes.len().div_ceil(2);
    let stated = stated_frames.and_then(|frames| frames.checked_mul(width));
    if let Some(stated) = stated.filter(|&count| count <= most) {
        return stated;
    }
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let count = 1 + sample.windows(2).filter(|pair| is_blank(pair[0]) && !is_blank(pair[1])).count();
    // 5 % more, for lines that are shorter than the sampled ones.
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
    fn every_spelling_of_a_number_has_the_bits_of_the_standard_library() {
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
    fn words_that_are_not_finite_numbers_are_refused() {
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
        fn any_decimal_has_the_bits_of_the_standard_library(whole in 0u64..100_000_000_000, places in 0usize..14, decimals in 0u64..100_000_000_000_000, negative: bool) {
            let decimals = format!("{decimals:014}");
            let word = format!("{}{whole}.{}", if negative { "-" } else { "" }, &decimals[..places]);
            prop_assert_eq!(read(&word).map(f64::to_bits), Ok(word.parse::<f64>().unwrap().to_bits()));
            let padded = format!("{word}        ");
            prop_assert_eq!(read(&padded).map(f64::to_bits), Ok(word.parse::<f64>().unwrap().to_bits()));
        }
    }
}
