//! Shares, ratios, times, frames, angles, speeds, and words that name a choice.

use surefoot_contact::Edges;
use surefoot_core::FrameRange;
use surefoot_formats::stream::Encoding;
use surefoot_solve::Method;

use super::ground_point;

/// The edges of plants: `touch` or `rest`.
pub fn edges(word: &str) -> Result<Edges, String> {
    match word {
        "touch" => Ok(Edges::Touch),
        "rest" => Ok(Edges::Rest),
        _ => Err("expected touch or rest".into()),
    }
}

/// A share of 1: `3%` or `0.03`.
pub fn share(word: &str) -> Result<f64, String> {
    let expected = || "expected a share, as 3% or 0.03".to_owned();
    let word = word.trim();
    match word.strip_suffix('%') {
        Some(percent) => {
            let percent: f64 = percent.trim().parse().map_err(|_| expected())?;
            if percent.is_finite() && percent >= 0.0 { Ok(percent / 100.0) } else { Err(expected()) }
        }
        None => share_of_number(word.parse().map_err(|_| expected())?),
    }
}

/// A share of 1 from a number without a unit.
pub fn share_of_number(number: f64) -> Result<f64, String> {
    match number {
        0.0..=1.0 => Ok(number),
        // 3 most likely means 3 %; three times the length would be useless.
        number if number > 1.0 => Err(format!("expected a share; for {number} percent write {number}%")),
        _ => Err("expected a share, as 3% or 0.03".into()),
    }
}

/// A ratio, 0 or more.
pub fn ratio(word: &str) -> Result<f64, String> {
    match word.trim().parse() {
        Ok(ratio) => ratio_of_number(ratio),
        Err(_) => Err("expected a number, as 1.2".into()),
    }
}

/// A ratio from a number.
pub fn ratio_of_number(number: f64) -> Result<f64, String> {
    if number.is_finite() && number >= 0.0 { Ok(number) } else { Err("expected 0 or more".into()) }
}

/// A range of frames, the last included: `100-300`.
pub fn frames(word: &str) -> Result<FrameRange, String> {
    let ends = word.split_once('-').and_then(|(first, last)| {
        Some((first.trim().parse::<usize>().ok()?, last.trim().parse::<usize>().ok()?))
    });
    match ends {
        Some((first, last)) if first <= last && last < usize::MAX => Ok(first..last + 1),
        _ => Err("expected a first and a last frame, as 100-300".into()),
    }
}

/// A time in seconds: `0.5s`, `200ms` or `0.5`.
pub fn seconds(word: &str) -> Result<f64, String> {
    let word = word.trim();
    let (digits, unit) = match (word.strip_suffix("ms"), word.strip_suffix('s')) {
        (Some(digits), _) => (digits, 0.001),
        (None, Some(digits)) => (digits, 1.0),
        (None, None) => (word, 1.0),
    };
    match digits.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number * unit),
        _ => Err("expected a time above 0, as 0.5s or 200ms".into()),
    }
}

/// An angle in degrees, 0 or more: `5` or `5°`. In radians.
pub fn degrees(word: &str) -> Result<f64, String> {
    match word.trim().trim_end_matches('°').trim_end().parse::<f64>() {
        Ok(degrees) if degrees >= 0.0 && degrees.is_finite() => Ok(degrees.to_radians()),
        _ => Err("expected degrees, 0 or more, as 5".into()),
    }
}

/// Two frames, as 210,35.
pub fn two_frames(word: &str) -> Result<(usize, usize), String> {
    let both = word.split_once(',');
    let both = both.and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    both.ok_or_else(|| "expected a frame of each file, as 210,35".into())
}

/// From one time to another, as 0.8s..1.5s; the second may be left out.
pub fn time_span(word: &str) -> Result<(f64, f64), String> {
    let expected = || "expected two times, as 0.8s..1.5s".to_owned();
    let (from, to) = word.split_once("..").ok_or_else(expected)?;
    let (from, to) = (seconds(from)?, if to.trim().is_empty() { f64::INFINITY } else { seconds(to)? });
    if from <= to { Ok((from, to)) } else { Err(expected()) }
}

/// Points on the ground, in metres, separated by spaces: `1,2 0,4`.
pub fn path_points(text: &str) -> Result<Vec<(f64, f64)>, String> {
    let points: Vec<(f64, f64)> = text.split_whitespace().map(path_point).collect::<Result<_, _>>()?;
    if points.is_empty() { Err(NO_PATH_POINT.into()) } else { Ok(points) }
}

/// The error for a text that is not a point of a path.
const NO_PATH_POINT: &str = "expected points on the ground, as 1,2 or \"1,2 -50cm,4m\"";

/// A point on the ground, in metres; numbers without a unit are metres: `1,2` or `-50cm,2m`.
fn path_point(word: &str) -> Result<(f64, f64), String> {
    let number = |word: &str| word.trim().parse().ok().filter(|number: &f64| number.is_finite());
    match word.split_once(',').and_then(|(x, z)| Some((number(x)?, number(z)?))) {
        Some(point) => Ok(point),
        None => ground_point(word).map_err(|_| NO_PATH_POINT.into()),
    }
}

/// A weight from 0 to 1.
pub fn weight(word: &str) -> Result<f64, String> {
    match word.trim().parse() {
        Ok(weight) if (0.0..=1.0).contains(&weight) => Ok(weight),
        _ => Err("expected a number from 0 to 1, as 0.99".into()),
    }
}

/// The name of a solver method.
pub fn method_name(method: Method) -> &'static str {
    match method {
        Method::Phases => "phases",
        Method::Support => "support",
    }
}

/// A speed in metres per second.
pub fn speed(word: &str) -> Result<f64, String> {
    let speed = word.trim().trim_end_matches("m/s").trim_end().parse().ok();
    let speed = speed.filter(|speed: &f64| speed.is_finite() && *speed >= 0.0);
    speed.ok_or("expected a speed in metres per second, as 0.1m/s".into())
}

/// The format of a stream: `ndjson` or `binary`.
pub fn stream_format(word: &str) -> Result<Encoding, String> {
    match word.trim() {
        "ndjson" => Ok(Encoding::Ndjson),
        "binary" => Ok(Encoding::Binary),
        _ => Err("expected ndjson or binary".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_a_percentage_or_a_number_up_to_1() {
        assert_eq!(share("3%"), Ok(0.03));
        assert_eq!(share("2.5 %"), Ok(0.025));
        assert_eq!(share("0.03"), Ok(0.03));
        assert_eq!(share("0"), Ok(0.0));
        assert_eq!(share("3"), Err("expected a share; for 3 percent write 3%".into()));
        for wrong in ["", "-1%", "nan", "inf%", "much"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
    }
}
