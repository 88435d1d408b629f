//! The frame rate of arrays.

use surefoot_infer::Inferred;

use super::array_file::ArrayFile;
use super::error::ArraysError;

const RATES: &[&str] =
    &["fps", "framerate", "mocapframerate", "rate", "framespersecond", "samplerate", "sampleratehz", "hz"];
const FRAME_TIMES: &[&str] = &["frametime", "dt", "timestep", "deltat"];
/// Frames per second that a file can state.
const POSSIBLE: core::ops::RangeInclusive<f64> = 0.1..=100_000.0;

/// The frame rate that the file states, or else the usual one of a data set with this joint order.
pub(super) fn rate(
    file: &ArrayFile,
    bytes: &[u8],
    order: Option<&str>,
) -> Result<Inferred<f64>, ArraysError> {
    let single = |names: &[&str]| {
        let array = file.find(names, |array| array.header.is_number() && array.header.len() == Some(1))?;
        Some(file.numbers(bytes, array).map(|numbers| (array, numbers[0])))
    };
    let stated = match single(RATES).transpose()? {
        Some(stated) => Some(stated),
        None => single(FRAME_TIMES).transpose()?.map(|(array, seconds)| (array, 1.0 / seconds)),
    };
    if let Some((array, value)) = stated {
        let name = &file.arrays[array].name;
        if !POSSIBLE.contains(&value) {
            let text = format!("found {value} frames per second, expected a number from 0.1 to 100,000");
            return Err(ArraysError(text).in_array(name));
        }
        return Ok(Inferred { value, confidence: 0.99, reason: format!("the array {name:?} states it") });
    }
    let (value, reason) = match order {
        Some("smpl-22") => (20.0, "the file states no rate; HumanML3D has 20 frames per second"),
        Some("kit-21") => (12.5, "the file states no rate; KIT-ML has 12.5 frames per second"),
        Some("h36m-17") => (50.0, "the file states no rate; Human3.6M has 50 frames per second"),
        _ => (30.0, "the file states no rate; 30 frames per second are assumed"),
    };
    Ok(Inferred { value, confidence: 0.4, reason: reason.into() })
}
