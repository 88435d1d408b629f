//! The HTML report of a reach edit: the goals, and captured and new angles and velocities of every
//! changed joint.

use super::header::notes;
use super::{footer, page, plain, section, section_of, unbroken};
use crate::plot::frame::{Line, MarksPeak, TimePlot};
use crate::plot::{Plot, escape};
use crate::unit::{Unit, count, digits};
use core::ops::Range;
use surefoot_core::Vec3;
use surefoot_core::math::PI;

/// The content of the report of a reach edit, in radians and metres.
#[derive(Clone, Debug)]
pub struct ReachReport<'a> {
    /// Title: the file name.
    pub title: &'a str,
    /// Frames per second.
    pub fps: f64,
    /// Number of frames.
    pub frames: usize,
    /// The first frame of the performance: 1 after an inserted T-pose.
    pub first_frame: usize,
    /// The goals, measured in the written file.
    pub goals: &'a [GoalRow],
    /// The changed joints.
    pub joints: &'a [JointRow],
    /// The settings, a few words each.
    pub settings: &'a [String],
    /// Largest slope discontinuity at a knot, in radians per second.
    pub slope_step: f64,
    /// Largest change of velocity between neighbouring frames, in radians per second: of the added
    /// curve, and of the capture.
    pub velocity_step: [f64; 2],
    /// What holding planted feet achieved and cost, a sentence each.
    pub feet: &'a [String],
    /// Notes, a sentence each.
    pub notes: &'a [String],
}

/// One goal.
#[derive(Clone, Debug)]
pub struct GoalRow {
    /// The first keyframe.
    pub frame: usize,
    /// The last keyframe. Distances are the largest over all of them.
    pub last_frame: usize,
    /// The name of the goal.
    pub name: String,
    /// Distance in the capture; `None` without a goal position.
    pub before: Option<f64>,
    /// Distance with the published method.
    pub published: Option<f64>,
    /// Distance in the written file.
    pub after: Option<f64>,
    /// Rotation error in the capture; `None` without a goal rotation.
    pub turn_before: Option<f64>,
    /// Rotation error in the written file.
    pub turn_after: Option<f64>,
}

/// One joint: its angles and velocities over time.
#[derive(Clone, Debug)]
pub struct JointRow {
    /// The name of the joint.
    pub name: String,
    /// The keyframes of the joint.
    pub keys: Vec<usize>,
    /// Captured angles, angles in the file, and angles of the published method.
    pub angles: [Vec<Vec3>; 3],
    /// Angular velocities, in the same order.
    pub velocities: [Vec<Vec3>; 3],
    /// Largest rotation.
    pub turned: f64,
    /// Root mean square change of the velocity: in the file, and with the published method.
    pub changed: [f64; 2],
    /// The part of the velocity change that varies between two knots.
    pub ripple: [f64; 2],
}

/// CSS class and name of each curve.
const LINES: [(&str, &str); 3] = [("before", "captured"), ("after", "new"), ("other", "published")];

const AXES: [&str; 3] = ["x", "y", "z"];

/// Time shown on each side of a keyframe in the detail plot, in seconds.
const DETAIL_SECONDS: f64 = 0.6;

/// The HTML page.
pub fn reach_report(reached: &ReachReport) -> String {
    let parts = [
        header(reached),
        notes(reached.notes),
        section("Goals", &goals(reached)),
        curves(reached),
        section("Joints", &joints(reached)),
        every_joint(reached),
        footer(),
    ];
    page(reached.title, &parts)
}

/// Plots of the curves of the named joint, or of the one with the largest rotation, with a detail.
pub fn reach_curves(reached: &ReachReport, joint: Option<&str>) -> Vec<Plot> {
    let named = |row: &&JointRow| Some(row.name.as_str()) == joint;
    match reached.joints.iter().find(named).or(most(reached)) {
        Some(row) => [of_axis(reached, row, main_axis(row), whole(reached)), closer(reached, row)].concat(),
        None => Vec::new(),
    }
}

/// All frames of the performance.
fn whole(reached: &ReachReport) -> Range<usize> {
    reached.first_frame.min(reached.frames)..reached.frames
}

fn header(reached: &ReachReport) -> String {
    let facts = [
        format!("{} at {} fps", count(reached.frames, "frame"), plain(reached.fps)),
        format!("{} s", plain(reached.frames.saturating_sub(1) as f64 / reached.fps)),
        count(reached.goals.len(), "goal"),
        format!("{} turned", count(reached.joints.len(), "joint")),
    ];
    let feet: String = reached.feet.iter().map(|line| format!("<p>{}</p>\n", unbroken(line))).collect();
    let settings = if reached.settings.is_empty() {
        String::new()
    } else {
        format!("<p>{}</p>\n", escape(&reached.settings.join(" · ")))
    };
    format!(
        "<header>\n<h1>{}</h1>\n<p class=\"headline\">{}</p>\n{feet}{settings}<p class=\"facts\">{}</p>\n</header>\n",
        escape(reached.title),
        unbroken(&headline(reached.goals)),
        facts.join(" · ")
    )
}

/// One sentence with the result.
fn headline(goals: &[GoalRow]) -> String {
    let largest = |of: fn(&GoalRow) -> Option<f64>| goals.iter().filter_map(of).fold(0.0, f64::max);
    let (before, after) = (largest(|goal| goal.before), largest(|goal| goal.after));
    let missed_count = goals.iter().filter(|goal| goal.after.is_some_and(|after| after > 1e-5)).count();
    let all = count(goals.len(), "goal");
    match (goals.is_empty(), missed_count) {
        (true, _) => "No goals.".into(),
        (_, 0) => format!("{all} met: from up to {} away to {}.", length(before), length(after)),
        _ => format!(
            "{} of {all} met; {} stays up to {} away.",
            goals.len() - missed_count,
            count(missed_count, "goal"),
            length(after)
        ),
    }
}

/// A length as text; values below the precision of a file are shown as less than it.
fn length(metres: f64) -> String {
    match metres {
        small if small < 1e-5 => "less than 0.01 mm".into(),
        metres if metres < 0.01 => Unit::Metres.format(metres),
        metres => format!("{} cm", digits(metres * 100.0)),
    }
}

fn goals(reached: &ReachReport) -> String {
    let turns = reached.goals.iter().any(|goal| goal.turn_after.is_some());
    let cell = |metres: Option<f64>| metres.map_or_else(|| "–".into(), fine);
    let mut rows = String::new();
    for goal in reached.goals {
        let is_missed = goal.after.is_some_and(|after| after > 1e-5);
        let class = if is_missed { " class=\"slides\"" } else { "" };
        rows += &format!(
            "<tr{class}><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td>",
            escape(&goal.name),
            frames(goal),
            cell(goal.before),
            cell(goal.published),
            cell(goal.after)
        );
        if turns {
            rows += &format!("<td>{}</td><td>{}</td>", angle(goal.turn_before), angle(goal.turn_after));
        }
        rows += "</tr>\n";
    }
    let more =
        if turns { "<th scope=\"col\">turn, captured</th><th scope=\"col\">in the file</th>" } else { "" };
    let caption = "How far each point is from its goal: in the capture, as the published method leaves it, and in \
                   the file as written.";
    format!(
        "<p class=\"caption\">{caption}</p>\n<div class=\"scroll\" tabindex=\"0\"><table class=\"plants\">\n<thead><tr>\
         <th scope=\"col\">goal</th><th scope=\"col\">frame</th><th scope=\"col\">captured</th>\
         <th scope=\"col\">published</th><th scope=\"col\">in the file</th>{more}</tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table></div>\n"
    )
}

/// The frame of a goal, or its first and last one.
fn frames(goal: &GoalRow) -> String {
    match goal.last_frame > goal.frame {
        true => format!("{} to {}", goal.frame, goal.last_frame),
        false => goal.frame.to_string(),
    }
}

/// A length in millimetres, with the decimals of a file.
fn fine(metres: f64) -> String {
    let mm = metres * 1e3;
    if mm < 0.1 { format!("{mm:.5} mm") } else { format!("{mm:.1} mm") }
}

fn angle(radians: Option<f64>) -> String {
    radians.map_or_else(|| "–".into(), |radians| format!("{:.4}°", radians.to_degrees()))
}

fn most<'a>(reached: &'a ReachReport) -> Option<&'a JointRow> {
    reached.joints.iter().reduce(|a, b| if b.turned > a.turned { b } else { a })
}

/// The axis along which a joint's angles differ most.
fn main_axis(row: &JointRow) -> usize {
    let differ = |axis: usize| {
        let [before, after, _] = &row.angles;
        before.iter().zip(after).map(|(a, b)| (a[axis] - b[axis]).abs()).fold(0.0, f64::max)
    };
    (0..3).max_by(|&a, &b| differ(a).total_cmp(&differ(b))).unwrap_or(0)
}

fn curves(reached: &ReachReport) -> String {
    let Some(row) = most(reached) else {
        return String::new();
    };
    let all = of_axis(reached, row, main_axis(row), whole(reached));
    let caption = format!(
        "{}, the joint that turned most. Rings are keyframes. New is the written file; published is the method of Choi, \
         Park and Ko as printed. Angles are relative to the middle of the joint's range.",
        escape(&row.name)
    );
    let close = "The same curves around the keyframe at which the joint turned most. Published velocities ripple from \
                 knot to knot and lose details that are shorter than a knot interval; new velocities keep them.";
    section_of("Captured and new curves", &caption, &all)
        + &section_of("A closer look", close, &closer(reached, row))
}

/// The curves of a joint around its keyframe of largest change.
fn closer(reached: &ReachReport, row: &JointRow) -> Vec<Plot> {
    let axis = main_axis(row);
    let [before, after, _] = &row.angles;
    let changed = |frame: &&usize| match (before.get(**frame), after.get(**frame)) {
        (Some(a), Some(b)) => (a[axis] - b[axis]).abs(),
        _ => 0.0,
    };
    let Some(&key) = row.keys.iter().max_by(|a, b| changed(a).total_cmp(&changed(b))) else {
        return Vec::new();
    };
    let half = (DETAIL_SECONDS * reached.fps) as usize;
    let frames = key.saturating_sub(half)..(key + half + 1).min(reached.frames);
    // The main plot already shows a short motion in detail.
    let mut plots = if frames.len() * 3 > reached.frames * 2 {
        Vec::new()
    } else {
        of_axis(reached, row, axis, frames.clone())
    };
    plots.push(added(reached, row, axis, frames));
    plots
}

/// The velocity about one axis minus the captured velocity, which makes ripples visible.
fn added(reached: &ReachReport, row: &JointRow, axis: usize, frames: Range<usize>) -> Plot {
    let line = |n: usize| {
        let pairs = row.velocities[n].iter().zip(&row.velocities[0]);
        let all: Vec<f64> =
            pairs.map(|(made, captured)| (made[axis] - captured[axis]) * 180.0 / PI).collect();
        let values = all.get(frames.clone()).unwrap_or_default().to_vec();
        Line { class: LINES[n].0, label: LINES[n].1.into(), values }
    };
    let keys = row.keys.iter().filter(|key| frames.contains(key));
    TimePlot {
        title: format!("{} {}: velocity minus captured", row.name, AXES[axis]),
        unit: "°/s",
        shows: vec![0.0],
        dots: keys.map(|key| (1, key - frames.start)).collect(),
        lines: vec![line(2), line(1)],
        bars: Vec::new(),
        marks_peak: MarksPeak::No,
        start: frames.start as f64 / reached.fps,
        fps: reached.fps,
    }
    .draw()
}

/// The angle and the velocity about one axis, within some frames.
fn of_axis(reached: &ReachReport, row: &JointRow, axis: usize, frames: Range<usize>) -> Vec<Plot> {
    let name = format!("{} {}", row.name, AXES[axis]);
    let plot = |title: String, unit, values: &[Vec<Vec3>; 3]| {
        let line = |n: usize| {
            let part = values[n].get(frames.clone()).unwrap_or_default();
            let (class, label) = LINES[n];
            Line { class, label: label.into(), values: part.iter().map(|v| v[axis] * 180.0 / PI).collect() }
        };
        // The new curve is drawn last, on top of the others.
        let order = [0, 2, 1].into_iter().filter(|&n| !values[n].is_empty());
        let lines: Vec<Line> = order.map(line).collect();
        let new = lines.iter().position(|line| line.class == "after").unwrap_or(0);
        let keys = row.keys.iter().filter(|key| frames.contains(key));
        TimePlot {
            title,
            unit,
            shows: Vec::new(),
            dots: keys.map(|key| (new, key - frames.start)).collect(),
            lines,
            bars: Vec::new(),
            marks_peak: MarksPeak::No,
            start: frames.start as f64 / reached.fps,
            fps: reached.fps,
        }
        .draw()
    };
    vec![
        plot(format!("{name}: angle"), "°", &row.angles),
        plot(format!("{name}: velocity"), "°/s", &row.velocities),
    ]
}

fn joints(reached: &ReachReport) -> String {
    let degrees = |radians: f64| format!("{}°", digits(radians.to_degrees()));
    let speed = |radians: f64| format!("{} °/s", digits(radians.to_degrees()));
    let mut rows = String::new();
    for row in reached.joints {
        rows += &format!(
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            escape(&row.name),
            degrees(row.turned),
            speed(row.changed[1]),
            speed(row.changed[0]),
            speed(row.ripple[1]),
            speed(row.ripple[0])
        );
    }
    let slopes = match reached.slope_step {
        0.0 => "at every knot the slopes to the left and to the right are equal".to_owned(),
        step => format!(
            "at no knot do the slopes to the left and to the right differ by more than {:.0e} °/s",
            step.to_degrees()
        ),
    };
    let [added, captured] = reached.velocity_step.map(speed);
    let caption = format!(
        "The largest rotation of each joint, and the root mean square change of its velocity: the whole change, and \
         ripple, the part that varies between two knots. Slopes are continuous: {slopes}. \
         From one frame to the next the added velocity changes by at most {added}, the \
         captured velocity by at most {captured}."
    );
    format!(
        "<p class=\"caption\">{caption}</p>\n<div class=\"scroll\" tabindex=\"0\"><table class=\"plants\">\n<thead><tr>\
         <th scope=\"col\">joint</th><th scope=\"col\">turned</th><th scope=\"col\">velocity, published</th>\
         <th scope=\"col\">new</th><th scope=\"col\">ripple, published</th><th scope=\"col\">new</th></tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table></div>\n"
    )
}

/// Plots of all joints and axes, collapsed.
fn every_joint(reached: &ReachReport) -> String {
    let mut body = String::new();
    for row in reached.joints {
        let plots: Vec<Plot> = (0..3).flat_map(|axis| of_axis(reached, row, axis, whole(reached))).collect();
        body += &format!(
            "<details>\n<summary>{}</summary>\n{}</details>\n",
            escape(&row.name),
            super::drawn(&plots)
        );
    }
    if body.is_empty() { body } else { section("Every joint", &body) }
}
