//! Writes the inferences about a motion as a rig file.

use std::fmt::Write;

use surefoot_core::{JointPoint, Leg, Plane, Skeleton, Vec3};
use surefoot_infer::{Inference, Inferred};

use super::labels::Labels;

/// Writes everything that was inferred, with confidence and reason as comments.
pub fn write(skeleton: &Skeleton, inference: &Inference) -> String {
    let labels = Labels::new(skeleton);
    let mut text = String::from(
        "# What surefoot inferred about this motion. Correct what is wrong, delete what should be inferred\n\
         # again, and read the motion with this rig file.\n\n",
    );
    explain(&mut text, "metres per unit of the motion file", &inference.unit_m);
    line(&mut text, &format!("unit_m = {:?}  # {}", inference.unit_m.value, inference.unit_name));
    text.push('\n');
    explain(&mut text, "the axis that points up: x, -x, y, -y, z or -z", &inference.up);
    line(&mut text, &format!("up = {}", quoted(inference.up.value.as_str())));
    if let Some(floor) = &inference.floor {
        write_floor(&mut text, floor);
    }
    match &inference.legs {
        Ok(legs) => {
            text.push('\n');
            explain(
                &mut text,
                "the legs; offsets are in the local frame of their joint, in the file's unit",
                legs,
            );
            legs.value.iter().for_each(|leg| write_leg(&mut text, leg, &labels));
        }
        Err(no_legs) => {
            text.push_str("\n# No legs were found; name them here. Candidates:\n");
            no_legs.candidates.iter().for_each(|reason| comment(&mut text, reason));
            text.push_str(EXAMPLE);
        }
    }
    text
}

/// A template of a leg.
const EXAMPLE: &str = "#\n# [[leg]]\n# side = \"left\"\n# hip = \"…\"\n# knee = \"…\"\n# ankle = \"…\"\n";

/// Like [`write()`], with the arms, whose hands can be held too.
pub fn write_with_arms(skeleton: &Skeleton, inference: &Inference) -> String {
    let mut text = write(skeleton, inference);
    text.push('\n');
    explain(&mut text, "the arms; a palm is a point of its wrist", &inference.arms);
    let labels = Labels::new(skeleton);
    inference.arms.value.iter().for_each(|arm| write_arm(&mut text, arm, &labels));
    text
}

fn write_arm(text: &mut String, arm: &Leg, labels: &Labels) {
    line(text, "\n[[arm]]");
    line(text, &format!("side = {}", quoted(&arm.side)));
    for (key, joint) in [("shoulder", arm.hip), ("elbow", arm.knee), ("wrist", arm.ankle)] {
        line(text, &format!("{key} = {}", quoted(&labels.label(joint))));
    }
    line(text, &format!("palm = {}", point(&arm.ball, labels)));
}

/// A point on a joint.
fn point(point: &JointPoint, labels: &Labels) -> String {
    let joint = quoted(&labels.label(point.joint));
    format!("{{ joint = {joint}, offset = {} }}", numbers(point.offset))
}

fn write_floor(text: &mut String, floor: &Inferred<Plane>) {
    text.push_str("\n[floor]\n");
    explain(text, "the points p with normal · p = offset_m, in metres, in the file's axes", floor);
    line(text, &format!("normal = {}", numbers(floor.value.normal)));
    line(text, &format!("offset_m = {:?}", floor.value.offset));
}

fn write_leg(text: &mut String, leg: &Leg, labels: &Labels) {
    line(text, "\n[[leg]]");
    line(text, &format!("side = {}", quoted(&leg.side)));
    for (key, joint) in [("hip", leg.hip), ("knee", leg.knee), ("ankle", leg.ankle)] {
        line(text, &format!("{key} = {}", quoted(&labels.label(joint))));
    }
    for (key, foot_point) in [("heel", &leg.heel), ("ball", &leg.ball), ("toe", &leg.toe)] {
        line(text, &format!("{key} = {}", point(foot_point, labels)));
    }
}

/// Comments on a value: its meaning, its confidence and the reason.
fn explain<T>(text: &mut String, meaning: &str, value: &Inferred<T>) {
    comment(text, meaning);
    comment(text, &format!("confidence {:.0} %: {}", 100.0 * value.confidence, value.reason));
}

/// Adds a comment. Line breaks, which joint names in a reason may contain, become blanks.
fn comment(text: &mut String, words: &str) {
    let plain: String = words.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    line(text, &format!("# {plain}"));
}

fn line(text: &mut String, words: &str) {
    text.push_str(words);
    text.push('\n');
}

/// Three numbers with as many digits as reading them back exactly takes.
fn numbers(v: Vec3) -> String {
    format!("[{:?}, {:?}, {:?}]", v.x, v.y, v.z)
}

/// A quoted TOML string.
fn quoted(words: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in words.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            c if c.is_control() => {
                // Writing to a String cannot fail.
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
