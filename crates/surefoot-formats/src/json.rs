//! Helpers shared by the readers of JSON files.

use core::fmt;

use serde_json::Value;

/// Characters of a wrong value that an error shows.
const SHOWN: usize = 40;

/// 2⁵³: beyond this `f64` skips whole numbers.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// Longest text that is parsed as a whole, in bytes: goals, paths, rigs and skeletons. Its values take up to 46 times
/// its size in memory, which has to stay within the 64 MB of a motion. Ten thousand goals are shorter.
pub(crate) const LONGEST: usize = 1_400_000;

/// What is wrong with a text of this many bytes, if it is too long.
pub(crate) fn too_long(bytes: usize) -> Option<String> {
    let megabytes = |bytes: usize| bytes as f64 / 1e6;
    (bytes > LONGEST).then(|| {
        format!("the file has {:.1} MB, expected at most {:.1} MB", megabytes(bytes), megabytes(LONGEST))
    })
}

/// The bytes without a UTF-8 byte order mark, which some editors write and JSON does not allow.
pub(crate) fn without_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// The message of a JSON error without its position, which callers report themselves.
pub(crate) fn problem(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let problem = match error.is_eof() {
        true => "the text ends before it is complete",
        false => message.split(" at line ").next().unwrap_or(&message),
    };
    problem.to_owned()
}

/// A value as an error shows it, cut to [`SHOWN`] characters.
pub(crate) fn short(value: &Value) -> String {
    shorten(&value.to_string())
}

/// A text as a JSON string, with quotes.
#[cfg(feature = "gltf")]
pub(crate) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// A text as an error shows it, cut to [`SHOWN`] characters.
pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// A whole number from 0. Some programs write every number with a decimal point: 12.0 is whole.
pub(crate) fn whole(value: Option<&Value>) -> Option<usize> {
    let number = value.and_then(Value::as_f64)?;
    let is_whole = (0.0..LARGEST_WHOLE).contains(&number) && number % 1.0 == 0.0;
    is_whole.then_some(number as usize)
}

/// A list of exactly `N` finite numbers.
pub(crate) fn numbers<const N: usize>(value: &Value) -> Option<[f64; N]> {
    let numbers: Vec<f64> = value.as_array()?.iter().map(Value::as_f64).collect::<Option<_>>()?;
    let numbers: [f64; N] = numbers.try_into().ok()?;
    numbers.iter().all(|number| number.is_finite()).then_some(numbers)
}

/// The frame numbers of a motion as the second half of an error: `the frames are 0 to 39`.
pub(crate) fn frame_numbers(frames: usize) -> String {
    match frames {
        0 => "the motion has no frames".into(),
        1 => "the only frame is 0".into(),
        _ => format!("the frames are 0 to {}", frames - 1),
    }
}

/// Writes the error of a field: its position, or `the file`, then what was found and expected.
pub(crate) fn write_field_error(
    f: &mut fmt::Formatter<'_>,
    at: &Option<impl fmt::Display>,
    field: &str,
    found: &Option<String>,
    expected: &str,
) -> fmt::Result {
    match at {
        Some(at) => write!(f, "{at}: ")?,
        None => write!(f, "the file: ")?,
    }
    match found {
        Some(found) => write!(f, "\"{field}\" is {found}, expected {expected}"),
        None => write!(f, "\"{field}\" is missing, expected {expected}"),
    }
}
