//! What the readers of JSON share: how a wrong value is shown, and what counts as a whole number.

use serde_json::Value;

/// How much of a wrong value an error shows, in characters.
const SHOWN: usize = 40;

/// The largest number that every program counts alike: 2⁵³, where f64 begins to skip.
const MOST: f64 = 9_007_199_254_740_992.0;

/// The bytes without the mark that Windows' editors begin a file with and JSON does not know.
pub(crate) fn unmarked(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// What the JSON reader says is wrong, without where.
pub(crate) fn problem(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let problem = match error.is_eof() {
        true => "the text ends before it is complete",
        // The reader says where a second time, at the end.
        false => said.split(" at line ").next().unwrap_or(&said),
    };
    problem.to_owned()
}

/// A value as an error shows it.
pub(crate) fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// A whole number from 0. Some programs write every number with a point: 12.0 is whole.
pub(crate) fn whole(value: Option<&Value>) -> Option<usize> {
    let number = value.and_then(Value::as_f64)?;
    let is_whole = (0.0..MOST).contains(&number) && number % 1.0 == 0.0;
    is_whole.then_some(number as usize)
}

/// A list of exactly so many finite numbers.
pub(crate) fn numbers<const N: usize>(value: &Value) -> Option<[f64; N]> {
    let numbers: Vec<f64> = value.as_array()?.iter().map(Value::as_f64).collect::<Option<_>>()?;
    let numbers: [f64; N] = numbers.try_into().ok()?;
    numbers.iter().all(|number| number.is_finite()).then_some(numbers)
}
