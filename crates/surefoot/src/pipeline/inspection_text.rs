//! The content of a file and the values inferred from it, as text.

use std::path::Path;

use surefoot_core::{Floor, JointPoint, Leg, Plane, Skeleton, UpAxis, Vec3};
use surefoot_formats::source::{Animation, Contents, Format, Skin};
use surefoot_infer::Inferred;

use super::motion_file::{FloorSource, MotionFile};
use crate::text::{WIDTH, bullets, printable, short, without_negative_zero, wrapped};

/// Width of the labels on the left, in columns.
const LEFT: usize = 9;
/// Inferred values of a lower confidence are marked with "please check".
const DOUBTFUL: f64 = 0.7;

impl MotionFile {
    /// The content of the file and the values inferred from it, with the confidence and the reason of each value, as
    /// `inspect` prints it. `settings` is the `surefoot.toml` that was applied.
    pub fn inspection_text(&self, settings: Option<&Path>) -> String {
        inspection_text(self, settings)
    }
}

fn inspection_text(file: &MotionFile, settings: Option<&Path>) -> String {
    let moving = |velocity: Vec3| {
        let speed = velocity.length();
        row(
            "ground",
            &format!("moves at {speed:.2} m/s under the feet, as on a treadmill: the motion is in place"),
        )
    };
    let ground = file.clip.ground_velocity.map_or_else(String::new, moving);
    format!(
        "{}\n{}{ground}{}{}",
        printable(&file.name),
        space(file, settings),
        legs(file) + &arms(file),
        bullets("Warnings", &file.warnings())
    )
}

/// Size, frame rate, unit, up axis and floor.
fn space(file: &MotionFile, settings: Option<&Path>) -> String {
    let MotionFile { source, inference, clip, floor_source, .. } = file;
    let mut text = contents(file) + &row("motion", &size(file));
    if let Some(settings) = settings {
        text += &row("settings", &printable(&settings.display().to_string()));
    }
    text += &row("rate", &format!("{} frames per second", short(source.rate().value)));
    text += &reason(source.rate());
    if inference.inserted_t_pose.value {
        text += &row("frame 0", "a T-pose inserted by an exporter");
        text += &reason(&inference.inserted_t_pose);
    }
    text += &row("unit", &unit(inference.unit_m.value, &inference.unit_name));
    text += &reason(&inference.unit_m);
    text += &row("up", inference.up.value.as_str());
    text += &reason(&inference.up);
    match (floor_source, &clip.floor) {
        (FloorSource::File(name), Some(floor)) => return text + &row("floor", &surface_text(name, floor)),
        (FloorSource::Plants, _) => {
            text += &row("floor", "built from the plants; they are detected above this plane:");
        }
        _ => {}
    }
    match &inference.floor {
        None => text + &row("floor", "unknown: the file gives no hint of its height"),
        Some(floor) => {
            text += &row("floor", &plane_text(&floor.value, inference.up.value));
            text + &reason(floor)
        }
    }
}

/// Format, animations and skins; nothing for a BVH file, which holds one motion and nothing else.
fn contents(file: &MotionFile) -> String {
    let format = file.source.format();
    if format == Format::Bvh {
        return String::new();
    }
    let Contents { animations, skins, chosen, .. } = file.source.contents();
    let mut text = row("format", format.as_str());
    for (n, Animation { name, seconds, tracks, .. }) in animations.into_iter().enumerate() {
        let read = if n == chosen { ", read here" } else { "" };
        let label = if n == 0 { "motions" } else { "" };
        text += &row(label, &format!("{n} {}: {tracks} tracks, {seconds:.2} s{read}", printable(&name)));
    }
    for (n, Skin { name, joints, vertices, .. }) in skins.into_iter().enumerate() {
        let label = if n == 0 { "skins" } else { "" };
        text += &row(label, &format!("{n} {}: {vertices} vertices on {joints} joints", printable(&name)));
    }
    text
}

fn legs(file: &MotionFile) -> String {
    match &file.inference.legs {
        Ok(legs) => {
            let sides: Vec<&str> = legs.value.iter().map(|leg| leg.side.as_str()).collect();
            let table = legs_table(file.source.skeleton(), &legs.value, file.inference.unit_m.value);
            let soles = match file.inference.sole_vertices {
                0 => String::new(),
                count => row(
                    "soles",
                    &format!("from the mesh: the lowest of {count} vertices that follow the feet"),
                ),
            };
            row("legs", &printable(&sides.join(", "))) + &reason(legs) + &soles + &table
        }
        Err(none) => {
            let candidates =
                none.candidates.iter().map(|candidate| wrapped(&printable(candidate), LEFT + 2, "- "));
            row("legs", "none found; candidates, best first:") + &candidates.collect::<String>()
        }
    }
}

/// The arms, if hands are held.
fn arms(file: &MotionFile) -> String {
    let arms = &file.inference.arms;
    if !file.detection.hold.holds_hands() || arms.value.is_empty() {
        return String::new();
    }
    let sides: Vec<&str> = arms.value.iter().map(|arm| arm.side.as_str()).collect();
    let table = limbs_table(file.source.skeleton(), &arms.value, file.inference.unit_m.value, &ARM_ROWS);
    row("arms", &printable(&sides.join(", "))) + &reason(arms) + &table
}

fn size(file: &MotionFile) -> String {
    let count = |number: usize, noun: &str| match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    };
    let channel = if file.source.format() == Format::Bvh { "channel" } else { "track" };
    format!(
        "{}, {}, {}, {:.2} s",
        count(file.source.skeleton().len(), "joint"),
        count(file.source.tracks().iter().map(Vec::len).sum(), channel),
        count(file.source.frames(), "frame"),
        file.seconds()
    )
}

fn unit(metres: f64, name: &str) -> String {
    format!("{}; one unit is {} m", printable(name), short(metres))
}

fn plane_text(floor: &Plane, up: UpAxis) -> String {
    let upright = floor.normal.dot(up.direction());
    let tilt = surefoot_core::math::acos(upright.clamp(-1.0, 1.0)).to_degrees();
    // A smaller tilt is rounding in the file.
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

/// A height field or mesh: its extent in metres and its file.
fn surface_text(file: &str, floor: &Floor) -> String {
    let Some(surface) = floor.as_surface() else { return printable(file) };
    let (low, high) = surface.bounds();
    let kind = if surface.is_height_field() { "a height field" } else { "a mesh" };
    let size = high - low;
    format!(
        "{kind}, {} by {} m, from {} to {} m high: {}",
        short(size.x),
        short(size.z),
        short(low.y),
        short(high.y),
        printable(file)
    )
}

/// Confidence and reason of an inferred value, on the next line.
fn reason<T>(finding: &Inferred<T>) -> String {
    // Only a value that was given, not inferred, is shown as 100 %.
    let most = if finding.confidence < 1.0 { 99.0 } else { 100.0 };
    let sure = (finding.confidence * 100.0).round().min(most);
    let check = if finding.confidence < DOUBTFUL { ", please check" } else { "" };
    wrapped(&format!("{sure} % sure{check}: {}", printable(&finding.reason)), LEFT + 2, "  ")
}

const LEG_ROWS: [Option<&str>; 7] =
    [Some(""), Some("hip"), Some("knee"), Some("ankle"), Some("heel"), Some("ball"), Some("toe")];
const ARM_ROWS: [Option<&str>; 7] =
    [Some(""), Some("shoulder"), Some("elbow"), Some("wrist"), None, Some("palm"), None];

/// Legs side by side, as many as fit.
fn legs_table(skeleton: &Skeleton, legs: &[Leg], unit_m: f64) -> String {
    limbs_table(skeleton, legs, unit_m, &LEG_ROWS)
        + &wrapped("points are offsets in the axes of their joint and the unit of the file", LEFT + 2, "")
}

/// Limbs side by side. `rows` are the names of the rows of [`leg_column`]; those without a name are left out.
fn limbs_table(skeleton: &Skeleton, legs: &[Leg], unit_m: f64, rows: &[Option<&str>]) -> String {
    let columns: Vec<Vec<String>> = legs.iter().map(|leg| leg_column(skeleton, leg, unit_m)).collect();
    let width = |column: &Vec<String>| column.iter().map(|cell| cell.chars().count()).max();
    let widest = columns.iter().filter_map(width).max().unwrap_or(0) + 2;
    let fit = ((WIDTH - LEFT - 2) / widest.max(1)).max(1);
    let mut text = String::new();
    for columns in columns.chunks(fit) {
        text.push('\n');
        for (index, word) in rows.iter().enumerate().filter_map(|(index, word)| Some((index, (*word)?))) {
            let cells = columns.iter().map(|column| format!("{:widest$}", column[index]));
            text += &row(word, &cells.collect::<String>());
        }
    }
    text
}

fn leg_column(skeleton: &Skeleton, leg: &Leg, unit_m: f64) -> Vec<String> {
    let name = |id| printable(&skeleton.joint(id).name);
    let digits = digits(unit_m);
    let point = |point: &JointPoint| {
        let JointPoint { joint, offset } = point;
        let rounded = |x: f64| without_negative_zero(format!("{x:.digits$}"));
        let (x, y, z) = (rounded(offset.x), rounded(offset.y), rounded(offset.z));
        format!("{} ({x}, {y}, {z})", name(*joint))
    };
    vec![
        printable(&leg.side),
        name(leg.hip),
        name(leg.knee),
        name(leg.ankle),
        point(&leg.heel),
        point(&leg.ball),
        point(&leg.toe),
    ]
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

fn row(word: &str, text: &str) -> String {
    let line = format!("  {word:LEFT$}{text}");
    format!("{}\n", line.trim_end())
}
