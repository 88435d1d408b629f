//! What was found out about a file, told to a person in at most 96 columns.

use surefoot_core::UpAxis;
use surefoot_core::{Floor, JointPoint, Leg, Plane, Skeleton, Vec3};
use surefoot_infer::Inferred;

use crate::found::warnings;
pub use surefoot::printable as plain;

use crate::source::Source;
use surefoot::{FloorSource, MotionFile};

/// Columns of text. Fits beside an editor, and a line of it is still easy to read.
const WIDTH: usize = 96;
/// Columns of the words on the left.
const LEFT: usize = 9;
/// Below this a finding is marked as one to check.
const DOUBTFUL: f64 = 0.7;

/// The whole text.
pub fn tell(source: &Source) -> String {
    let moving = |velocity: Vec3| {
        let speed = velocity.length();
        let words = format!("moves at {speed:.2} m/s under the feet, as on a treadmill or in place");
        row("ground", &words)
    };
    let ground = source.clip().ground_velocity.map_or_else(String::new, moving);
    let file = &source.file;
    format!("{}\n{}{ground}{}{}", source.name(), space(source), legs(file), doubts(file))
}

/// How much there is, how fast, how large, which way up and above what.
fn space(source: &Source) -> String {
    let MotionFile { bvh, inference, clip, floor_source, .. } = &source.file;
    let mut text = row("motion", &size(&source.file));
    if let Some(settings) = &source.settings.file {
        text += &row("settings", &plain(&settings.display().to_string()));
    }
    text += &row("rate", &format!("{} frames per second", short(bvh.rate().value)));
    text += &because(bvh.rate());
    if inference.inserted_t_pose.value {
        text += &row("frame 0", "a T-pose put there by a program");
        text += &because(&inference.inserted_t_pose);
    }
    text += &row("unit", &unit(inference.unit_m.value, &inference.unit_name));
    text += &because(&inference.unit_m);
    text += &row("up", inference.up.value.as_str());
    text += &because(&inference.up);
    match (floor_source, &clip.floor) {
        (FloorSource::File(name), Some(floor)) => return text + &row("floor", &surface_words(name, floor)),
        (FloorSource::Plants, _) => {
            text += &row("floor", "built from the plants; they are detected above this plane:");
        }
        _ => {}
    }
    match &inference.floor {
        None => text + &row("floor", "nothing tells where it is"),
        Some(floor) => {
            text += &row("floor", &floor_words(&floor.value, inference.up.value));
            text + &because(floor)
        }
    }
}

fn legs(file: &MotionFile) -> String {
    match &file.inference.legs {
        Ok(legs) => {
            let sides: Vec<&str> = legs.value.iter().map(|leg| leg.side.as_str()).collect();
            let table = legs_table(file.bvh.skeleton(), &legs.value, file.inference.unit_m.value);
            row("legs", &plain(&sides.join(", "))) + &because(legs) + &table
        }
        Err(none) => {
            let weighed = none.candidates.iter().map(|weighed| wrapped(&plain(weighed), LEFT + 2, "- "));
            row("legs", "none found; what was weighed, best first:") + &weighed.collect::<String>()
        }
    }
}

fn doubts(file: &MotionFile) -> String {
    bullets("Warnings", &warnings(file))
}

/// Sentences under a heading, after an empty line; nothing where there are none.
pub fn bullets(heading: &str, sentences: &[String]) -> String {
    if sentences.is_empty() {
        return String::new();
    }
    let items = sentences.iter().map(|sentence| wrapped(&plain(sentence), 2, "- "));
    format!("\n{heading}\n{}", items.collect::<String>())
}

fn size(file: &MotionFile) -> String {
    let count = |number: usize, what: &str| match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    };
    format!(
        "{}, {}, {}, {:.2} s",
        count(file.bvh.skeleton().len(), "joint"),
        count(file.bvh.channels().len(), "channel"),
        count(file.bvh.frames(), "frame"),
        file.seconds()
    )
}

fn unit(metres: f64, name: &str) -> String {
    format!("{}; one unit is {} m", plain(name), short(metres))
}

fn floor_words(floor: &Plane, up: UpAxis) -> String {
    let upright = floor.normal.dot(up.direction());
    let tilt = surefoot_core::math::acos(upright.clamp(-1.0, 1.0)).to_degrees();
    // Less is no more than rounding in the file.
    if tilt < 0.005 {
        return format!("level, at {} m", short(floor.offset));
    }
    let normal = floor.normal;
    format!(
        "tilted by {tilt:.2}°, ({:.4}, {:.4}, {:.4}) · p = {} m",
        normal.x,
        normal.y,
        normal.z,
        short(floor.offset)
    )
}

/// What a floor from a file is like, in metres, Y up.
fn surface_words(file: &str, floor: &Floor) -> String {
    let Some(surface) = floor.as_surface() else { return plain(file) };
    let (low, high) = surface.bounds();
    let what = if surface.is_height_field() { "a height field" } else { "a mesh" };
    let size = high - low;
    format!(
        "{what}, {} by {} m, from {} to {} m high: {}",
        short(size.x),
        short(size.z),
        short(low.y),
        short(high.y),
        plain(file)
    )
}

/// How sure a finding is, and why, under it.
fn because<T>(finding: &Inferred<T>) -> String {
    // Nothing that was found out, rather than said, is quite certain.
    let most = if finding.confidence < 1.0 { 99.0 } else { 100.0 };
    let sure = (finding.confidence * 100.0).round().min(most);
    let check = if finding.confidence < DOUBTFUL { ", please check" } else { "" };
    let words = format!("{sure} % sure{check}: {}", plain(&finding.reason));
    wrapped(&words, LEFT + 2, "  ")
}

/// Legs side by side, as many as fit.
fn legs_table(skeleton: &Skeleton, legs: &[Leg], unit_m: f64) -> String {
    let columns: Vec<Vec<String>> = legs.iter().map(|leg| leg_column(skeleton, leg, unit_m)).collect();
    let width = |column: &Vec<String>| column.iter().map(|cell| cell.chars().count()).max();
    let widest = columns.iter().filter_map(width).max().unwrap_or(0) + 2;
    let fit = ((WIDTH - LEFT - 2) / widest.max(1)).max(1);
    let mut text = String::new();
    for columns in columns.chunks(fit) {
        text.push('\n');
        for (index, word) in ["", "hip", "knee", "ankle", "heel", "ball", "toe"].iter().enumerate() {
            let cells = columns.iter().map(|column| format!("{:widest$}", column[index]));
            text += &row(word, &cells.collect::<String>());
        }
    }
    text + &wrapped("points are in the joint's own axes and the file's unit", LEFT + 2, "")
}

fn leg_column(skeleton: &Skeleton, leg: &Leg, unit_m: f64) -> Vec<String> {
    let name = |id| plain(&skeleton.joint(id).name);
    let digits = digits(unit_m);
    let point = |point: &JointPoint| {
        let JointPoint { joint, offset } = point;
        let rounded = |x: f64| without_zeros_sign(format!("{x:.digits$}"));
        let (x, y, z) = (rounded(offset.x), rounded(offset.y), rounded(offset.z));
        format!("{} ({x}, {y}, {z})", name(*joint))
    };
    vec![
        plain(&leg.side),
        name(leg.hip),
        name(leg.knee),
        name(leg.ankle),
        point(&leg.heel),
        point(&leg.ball),
        point(&leg.toe),
    ]
}

/// `-0.00` says no more than `0.00`.
fn without_zeros_sign(number: String) -> String {
    match number.strip_prefix('-') {
        Some(digits) if digits.chars().all(|c| matches!(c, '0' | '.')) => digits.to_owned(),
        _ => number,
    }
}

/// Decimals that show a tenth of a millimetre in this unit.
fn digits(unit_m: f64) -> usize {
    let mut step = unit_m;
    let mut digits = 0;
    while step > 0.000_2 && digits < 6 {
        step /= 10.0;
        digits += 1;
    }
    digits
}

/// A number with at most six decimals, fewer where it is large.
pub fn short(number: f64) -> String {
    let decimals = match number.abs() {
        size if size >= 100.0 => 3,
        size if size >= 1.0 => 4,
        _ => 6,
    };
    let text = format!("{number:.decimals$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    without_zeros_sign(text.to_owned())
}

fn row(word: &str, text: &str) -> String {
    let line = format!("  {word:LEFT$}{text}");
    format!("{}\n", line.trim_end())
}

/// Text in lines that fit, indented, the first with `mark` in front of it.
pub fn wrapped(text: &str, indent: usize, mark: &str) -> String {
    let hang = indent + mark.chars().count();
    let mut out = format!("{:indent$}{mark}", "");
    let mut at = hang;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if at > hang && at + 1 + length > WIDTH {
            out += &format!("\n{:hang$}", "");
            at = hang;
        }
        if at > hang {
            out.push(' ');
            at += 1;
        }
        out += word;
        at += length;
    }
    out + "\n"
}

/// Rows in columns as wide as they must be.
pub fn columns(rows: &[Vec<String>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |n: usize| rows.iter().filter_map(|row| row.get(n)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..count).map(|n| width(n).unwrap_or(0) + 2).collect();
    let row = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{:width$}", plain(cell)));
        format!("  {}\n", cells.collect::<String>().trim_end())
    };
    rows.iter().map(row).collect()
}
