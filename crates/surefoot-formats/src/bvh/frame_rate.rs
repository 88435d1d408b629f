//! Infers the frame rate from the frame time, which files print with few digits.
//!
//! `.0083333` is the rounded frame time of 120 frames per second. The inferred rate is the common
//! rate, else the whole number, whose frame time rounds to the printed digits.

use surefoot_core::math;
use surefoot_infer::Inferred;

/// Common rates of capture, screens and film, in frames per second. Preferred over other rates
/// that fit the printed digits.
const COMMON: [f64; 18] = [
    24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 72.0, 75.0, 90.0, 100.0, 120.0, 144.0, 150.0, 200.0, 240.0, 250.0,
    300.0, 480.0,
];

/// NTSC rates, in frames per second. They are used only where enough digits are printed to
/// exclude the common rate next to them.
const BROADCAST: [f64; 4] = [24_000.0 / 1001.0, 30_000.0 / 1001.0, 60_000.0 / 1001.0, 120_000.0 / 1001.0];

/// Rate of a file without a usable frame time, in frames per second: the most common one.
const ASSUMED: f64 = 30.0;

/// Slowest and fastest rate accepted, in frames per second. A frame time outside is not used.
const SLOWEST: f64 = 2.0;
const FASTEST: f64 = 2_000.0;

/// Largest difference between the printed and the common rate, as a fraction of the rate.
///
/// `0.017` is 58.8 frames per second and 2 % from 60, so 60 is inferred. `0.03` is 33.3 and 10 %
/// from 30: too far, so the printed value is used.
const LARGEST_ROUNDING: f64 = 0.05;

/// Infers the rate from a frame time of `seconds` that the file spells as `word`.
pub(super) fn infer(seconds: f64, word: &str) -> Inferred<f64> {
    // Some programs write the rate in place of the time.
    if (10.0..=FASTEST).contains(&seconds) {
        let reason = format!("Frame Time is {word}, which can only be a number of frames per second");
        return Inferred { value: seconds, confidence: 0.6, reason };
    }
    if !(1.0 / FASTEST..=1.0 / SLOWEST).contains(&seconds) {
        return assumed(&format!("Frame Time is {word} s, which is not between 0.5 and 500 ms"));
    }
    let exact = 1.0 / seconds;
    let value = likeliest_rate(exact, last_digit(word));
    if (value / exact - 1.0).abs() > LARGEST_ROUNDING {
        let other = short(value);
        let reason =
            format!("Frame Time is {word} s; it has so few digits that the rate may also be {other}");
        return Inferred { value: exact, confidence: 0.6, reason };
    }
    let reason = if value == exact {
        format!("Frame Time is {word} s")
    } else {
        format!("Frame Time is {word} s, the rounded frame time of {} frames per second", short(value))
    };
    Inferred { value, confidence: 1.0, reason }
}

/// The rate of a file without a usable frame time.
pub(super) fn assumed(cause: &str) -> Inferred<f64> {
    let reason = format!("{cause}; {ASSUMED} frames per second are assumed: give the rate if you know it");
    Inferred { value: ASSUMED, confidence: 0.2, reason }
}

/// A rate with up to three decimals.
fn short(rate: f64) -> String {
    let text = format!("{rate:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The value of one unit in the last printed digit of `word`, in seconds.
fn last_digit(word: &str) -> f64 {
    let (mantissa, exponent) = word.split_once(['e', 'E']).unwrap_or((word, "0"));
    let decimals = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len()) as i32;
    let places = decimals.saturating_sub(exponent.parse().unwrap_or(0)).clamp(-15, 15);
    math::pow(10.0, f64::from(-places))
}

/// The likeliest rate whose frame time differs from that of `exact` by less than `last_digit`.
///
/// A whole unit, not half of one: some programs truncate where others round.
fn likeliest_rate(exact: f64, last_digit: f64) -> f64 {
    let whole = exact.round();
    // A time such as 0.008 is exactly a whole rate (125), so no common rate is searched for.
    if (exact - whole).abs() < 1e-9 * exact {
        return whole;
    }
    let fits = |rate: &f64| (1.0 / rate - 1.0 / exact).abs() < last_digit.max(1e-9 / exact);
    let nearer = |a: &f64, b: &f64| (a - exact).abs().total_cmp(&(b - exact).abs());
    let nearest = |rates: &[f64]| rates.iter().copied().filter(fits).min_by(nearer);
    nearest(&COMMON).or_else(|| nearest(&BROADCAST)).or_else(|| nearest(&[whole])).unwrap_or(exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: &str, fps: f64) {
        let found = infer(word.parse().unwrap(), word);
        assert!((found.value - fps).abs() < 1e-9, "{word}: {found:?}");
    }

    #[test]
    fn a_rounded_frame_time_gives_the_rate_it_was_computed_from() {
        for (word, fps) in [
            (".0083333", 120.0),
            ("0.008333", 120.0),
            ("0.00833333", 120.0),
            ("0.0333333", 30.0),
            ("0.033333", 30.0),
            ("0.0333", 30.0),
            ("0.033", 30.0),
            ("0.041667", 24.0),
            ("0.0416667", 24.0),
            ("0.0417083", 24_000.0 / 1001.0),
            ("0.033367", 30_000.0 / 1001.0),
            ("0.016667", 60.0),
            ("0.0166", 60.0),
            ("0.017", 60.0),
            ("0.010000", 100.0),
            ("0.0050000", 200.0),
            ("0.025000", 40.0),
            ("0.008", 125.0),
            ("0.02", 50.0),
            ("0.04", 25.0),
            ("0.004167", 240.0),
            ("0.0111111", 90.0),
            ("0.0142857", 70.0),
            ("8.33333e-03", 120.0),
        ] {
            check(word, fps);
        }
    }

    #[test]
    fn an_impossible_frame_time_gives_the_assumed_rate() {
        for word in ["0", "0.0", "1.0", "-0.0333", "5", "1e-9"] {
            let found = infer(word.parse().unwrap(), word);
            assert_eq!(found.value, ASSUMED);
            assert!(found.confidence < 0.5 && found.reason.contains(word), "{found:?}");
        }
    }

    #[test]
    fn a_frame_time_of_one_digit_is_not_rounded() {
        let found = infer(0.03, "0.03");
        assert!((found.value - 100.0 / 3.0).abs() < 1e-9, "{found:?}");
        assert!(found.confidence < 0.7 && found.reason.contains("30"), "{found:?}");
    }

    #[test]
    fn a_frame_time_of_120_seconds_is_a_rate() {
        assert_eq!(infer(120.0, "120").value, 120.0);
    }
}
