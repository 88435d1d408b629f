//! Changes the samples of a text layer: only the digits of numbers that differ, and samples that are added.

use core::fmt::Write;
use core::ops::Range;

use super::values::NumberTokens;
use crate::source::WriteError;
use crate::usd::layer::{Layer, Precision, Property, Stored};
use crate::usd::write::TrackEdit;

/// The bytes of a text layer with changed samples.
pub(in crate::usd) fn write(layer: &Layer, edits: &[TrackEdit]) -> Result<Vec<u8>, WriteError> {
    let mut splices: Vec<(Range<usize>, String)> = Vec::new();
    for edit in edits {
        let property = &layer.prims[edit.prim].properties[edit.property];
        for change in &edit.changed {
            let stored = property.samples[change.sample].1;
            replace_numbers(layer, stored, &change.numbers, property.precision, &mut splices)?;
        }
        match property.samples.is_empty() {
            true => splices.push(new_samples(layer, property, edit)),
            false => add_samples(layer, property, edit, &mut splices),
        }
    }
    splices.sort_by_key(|(range, _)| range.start);
    let mut out = Vec::with_capacity(layer.data.len());
    let mut copied = 0;
    for (range, text) in splices {
        out.extend_from_slice(layer.data.get(copied..range.start).unwrap_or_default());
        out.extend_from_slice(text.as_bytes());
        copied = range.end;
    }
    out.extend_from_slice(&layer.data[copied..]);
    Ok(out)
}

/// Replaces numbers of a value, which are given with their places in it, in order.
fn replace_numbers(
    layer: &Layer,
    stored: Stored,
    numbers: &[(usize, f64)],
    precision: Precision,
    splices: &mut Vec<(Range<usize>, String)>,
) -> Result<(), WriteError> {
    let mut wanted = numbers.iter().peekable();
    for (index, token) in NumberTokens::new(&layer.data, stored).enumerate() {
        let (_, range) = token.map_err(|error| WriteError::Refused(error.to_string()))?;
        if let Some((_, number)) = wanted.next_if(|(at, _)| *at == index) {
            splices.push((range, digits(*number, precision)));
        }
    }
    Ok(())
}

/// The shortest digits that give the number in this precision.
fn digits(number: f64, precision: Precision) -> String {
    match precision {
        Precision::Double => number.to_string(),
        precision => (precision.round(number) as f32).to_string(),
    }
}

/// An array of tuples as text.
fn array(numbers: &[f64], width: usize, precision: Precision) -> String {
    let tuple = |tuple: &[f64]| {
        let numbers: Vec<String> = tuple.iter().map(|number| digits(*number, precision)).collect();
        format!("({})", numbers.join(", "))
    };
    let tuples: Vec<String> = numbers.chunks(width).map(tuple).collect();
    format!("[{}]", tuples.join(", "))
}

/// Adds samples between, before and after those of a property, each on a line of its own.
fn add_samples(
    layer: &Layer,
    property: &Property,
    edit: &TrackEdit,
    splices: &mut Vec<(Range<usize>, String)>,
) {
    let width = edit.width();
    let first = time_start(&layer.data, property.samples[0].1.range().start);
    let indent = indent_of(&layer.data, first);
    // Insertions at one place are joined, as their order matters.
    let mut at_place: Vec<(usize, String)> = Vec::new();
    for (time, numbers) in &edit.added {
        let sample = format!("{time}: {}", array(numbers, width, property.precision));
        let after = property.samples.iter().take_while(|(own, _)| own < time).last();
        let (place, text) = match after {
            Some((_, stored)) => (stored.range().end, format!(",\n{indent}{sample}")),
            None => (first, format!("{sample},\n{indent}")),
        };
        match at_place.last_mut().filter(|(last, _)| *last == place) {
            Some((_, joined)) => joined.push_str(&text),
            None => at_place.push((place, text)),
        }
    }
    splices.extend(at_place.into_iter().map(|(place, text)| (place..place, text)));
}

/// A block of samples after a property that has had one value at all times.
fn new_samples(layer: &Layer, property: &Property, edit: &TrackEdit) -> (Range<usize>, String) {
    let width = edit.width();
    let indent = indent_of(&layer.data, property.end);
    let kind = match (width, property.precision) {
        (4, Precision::Half) => "quath",
        (4, Precision::Double) => "quatd",
        (4, _) => "quatf",
        (_, Precision::Half) => "half3",
        (_, Precision::Double) => "double3",
        _ => "float3",
    };
    let mut text = format!("\n{indent}{kind}[] {}.timeSamples = {{", property.name);
    for (time, numbers) in &edit.added {
        let _ = write!(text, "\n{indent}    {time}: {},", array(numbers, width, property.precision));
    }
    let _ = write!(text, "\n{indent}}}");
    (property.end..property.end, text)
}

/// Where the time of a sample starts, whose value starts at a place.
fn time_start(text: &[u8], value: usize) -> usize {
    let before = text[..value].trim_ascii_end();
    let before = before.strip_suffix(b":").unwrap_or(before).trim_ascii_end();
    let digits = before.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte));
    before.len() - digits.count()
}

/// The blanks at the beginning of the line of a place.
fn indent_of(text: &[u8], place: usize) -> String {
    let line = text[..place].rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).map(|&byte| char::from(byte)).collect()
}
