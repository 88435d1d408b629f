//! How many frames a second? The file gives the time of one frame, more or less.
//!
//! `.0083333` is 120 frames a second, printed short. The rate is the one that people use, or the
//! whole number, whose frame time would be printed that way.

use surefoot_core::math;
use surefoot_infer::Inferred;

/// Rates that cameras, screens and films have, in frames per second.
const USUAL: [f64; 18] = [
    24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 72.0, 75.0, 90.0, 100.0, 120.0, 144.0, 150.0, 200.0, 240.0, 250.0,
    300.0, 480.0,
];

/// Rates of television, where a frame time that is printed well enough tells them apart.
const BROADCAST: [f64; 4] = [24_000.0 / 1001.0, 30_000.0 / 1001.0, 60_000.0 / 1001.0, 120_000.0 / 1001.0];

/// What is taken where the file says nothing that can be meant, in frames per second.
const ASSUMED: f64 = 30.0;

/// No motion is captured with fewer or more frames per second than these.
const FEWEST: f64 = 2.0;
const MOST: f64 = 2_000.0;

/// A frame time whose last printed place is worth more than this, as a share of the rate, is taken
/// at its word: `0.03` is 33.3 frames per second, though 30 are printed so too. `0.017` is 2 % off.
const TOO_SHORT: f64 = 0.05;

/// The rate behind a frame time of `seconds` that the file spells as `word`.
pub(super) fn rate(seconds: f64, word: &str) -> Inferred<f64> {
    if (10.0..=MOST).contains(&seconds) {
        let reason = format!("Frame Time is {word}, which can only be meant as frames per second");
        return Inferred { value: seconds, confidence: 0.6, reason };
    }
    if !(1.0 / MOST..=1.0 / FEWEST).contains(&seconds) {
        return assumed(&format!("Frame Time is {word}, which no capture has"));
    }
    let exact = 1.0 / seconds;
    let value = printed_as(exact, precision(word));
    if (value / exact - 1.0).abs() > TOO_SHORT {
        let meant = shown(value);
        let reason = format!("Frame Time is {word} s, printed so short that {meant} may be meant");
        return Inferred { value: exact, confidence: 0.6, reason };
    }
    let reason = if value == exact {
        format!("Frame Time is {word} s")
    } else {
        format!("Frame Time is {word} s, as {} frames per second is printed", shown(value))
    };
    Inferred { value, confidence: 1.0, reason }
}

/// The rate of a file that does not say.
pub(super) fn assumed(why: &str) -> Inferred<f64> {
    let reason = format!("{why}; taken as {ASSUMED} frames per second: give the rate if you know it");
    Inferred { value: ASSUMED, confidence: 0.2, reason }
}

fn shown(rate: f64) -> String {
    let text = format!("{rate:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// One unit in the last printed place of `word`, in seconds.
fn precision(word: &str) -> f64 {
    let (mantissa, exponent) = word.split_once(['e', 'E']).unwrap_or((word, "0"));
    let decimals = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len()) as i32;
    let places = decimals.saturating_sub(exponent.parse().unwrap_or(0)).clamp(-15, 15);
    math::pow(10.0, f64::from(-places))
}

/// The likeliest rate whose frame time is within one printed place of that of `exact`.
///
/// One place, not half: some programs cut where others round.
fn printed_as(exact: f64, place: f64) -> f64 {
    let whole = exact.round();
    // A time such as 0.008 is a whole rate as it stands; coarse as it is, it is not a usual one.
    if (exact - whole).abs() < 1e-9 * exact {
        return whole;
    }
    let fits = |rate: &f64| (1.0 / rate - 1.0 / exact).abs() < place.max(1e-9 / exact);
    let nearer = |a: &f64, b: &f64| (a - exact).abs().total_cmp(&(b - exact).abs());
    let nearest = |rates: &[f64]| rates.iter().copied().filter(fits).min_by(nearer);
    nearest(&USUAL).or_else(|| nearest(&BROADCAST)).or_else(|| nearest(&[whole])).unwrap_or(exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: &str, fps: f64) {
        let found = rate(word.parse().unwrap(), word);
        assert!((found.value - fps).abs() < 1e-9, "{word}: {found:?}");
    }

    #[test]
    fn a_short_frame_time_is_the_rate_that_was_meant() {
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
    fn a_frame_time_that_no_capture_has_is_said_to_be_none() {
        for word in ["0", "0.0", "1.0", "-0.0333", "5", "1e-9"] {
            let found = rate(word.parse().unwrap(), word);
            assert_eq!(found.value, ASSUMED);
            assert!(found.confidence < 0.5 && found.reason.contains(word), "{found:?}");
        }
    }

    #[test]
    fn a_frame_time_of_one_digit_is_taken_at_its_word() {
        let found = rate(0.03, "0.03");
        assert!((found.value - 100.0 / 3.0).abs() < 1e-9, "{found:?}");
        assert!(found.confidence < 0.7 && found.reason.contains("30"), "{found:?}");
    }

    #[test]
    fn a_frame_time_of_120_seconds_is_a_rate() {
        assert_eq!(rate(120.0, "120").value, 120.0);
    }
}
