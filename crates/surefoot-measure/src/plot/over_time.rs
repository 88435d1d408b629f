//! Plots over time: heights, speeds, knee angles, stretch and root correction.

use super::frame::{Bar, Line, MarksPeak, TimePlot};
use super::{Curves, Plot};
use crate::figures::HELD;
use crate::paths::{LegPath, Paths, planted_frames};
use crate::slide::drift;
use crate::unit::Unit;
use surefoot_core::math::PI;
use surefoot_core::{FootPoint, Vec3};

const POINTS: [FootPoint; 2] = [FootPoint::Heel, FootPoint::Ball];

/// Colours of lines other than before and after, in order.
const COLOURS: [&str; 4] = ["after", "other", "third", "before"];

/// Heights of heels and balls above the floor, with their plants.
pub fn heights(curves: &Curves) -> Vec<Plot> {
    let floor = &curves.context.floor;
    of_points(curves, "height", "cm", &|path, _| {
        path.iter().map(|&point| 100.0 * floor.above(point)).collect()
    })
}

/// Speeds of heels and balls, with their plants. Speed is measured from the previous frame; the first
/// frame has the speed of the second.
pub fn speeds(curves: &Curves) -> Vec<Plot> {
    of_points(curves, "speed", "m/s", &|path, fps| {
        let mut speeds: Vec<f64> = crate::paths::speeds(path, fps).collect();
        speeds.first().copied().into_iter().for_each(|first| speeds.insert(0, first));
        speeds
    })
}

/// One plot for each point that can be planted.
fn of_points(
    curves: &Curves,
    what: &str,
    unit: &'static str,
    values: &dyn Fn(&[Vec3], f64) -> Vec<f64>,
) -> Vec<Plot> {
    let legs = curves.context.legs;
    // Of a hand only the palm is planted.
    let points = |leg: usize| if legs[leg].is_arm() { &POINTS[1..] } else { &POINTS[..] };
    let feet = (0..legs.len()).flat_map(|leg| points(leg).iter().map(move |&point| (leg, point)));
    feet.map(|(leg, point)| {
        let side = curves.side(leg);
        let plot = curves.time_plot(format!("{side} {}, {what}", legs[leg].point_name(point)), unit);
        let of = |paths: &Paths| values(paths.legs[leg].point(point), paths.fps);
        TimePlot {
            shows: vec![0.0],
            lines: curves.before_and_after(of),
            bars: curves.bars(|plant| plant.leg == leg && plant.point == point),
            ..plot
        }
        .draw()
    })
    .collect()
}

/// Angles of the knees, with the plants of their feet; a straight leg has 180°.
pub fn knees(curves: &Curves) -> Vec<Plot> {
    let degrees = |leg: &LegPath| leg.knee_angles().iter().map(|angle| angle * 180.0 / PI).collect();
    let of_leg = |leg: usize| {
        let plot = curves.time_plot(
            format!(
                "{} {}, angle",
                curves.side(leg),
                if curves.context.legs[leg].is_arm() { "elbow" } else { "knee" }
            ),
            "°",
        );
        let lines = curves.before_and_after(|paths| degrees(&paths.legs[leg]));
        TimePlot { lines, bars: merged(curves.bars(|plant| plant.leg == leg)), ..plot }.draw()
    };
    (0..curves.context.legs.len()).map(of_leg).collect()
}

/// Merges bars that overlap or touch; the result is hollow if one of them is.
fn merged(mut bars: Vec<Bar>) -> Vec<Bar> {
    bars.sort_by_key(|bar| bar.frames.start);
    let mut merged: Vec<Bar> = Vec::new();
    for bar in bars {
        match merged.last_mut().filter(|last| bar.frames.start <= last.frames.end) {
            Some(last) => {
                last.frames.end = last.frames.end.max(bar.frames.end);
                last.hint += &format!("; {}", bar.hint);
                last.class = if bar.class == "slid" { "slid" } else { last.class };
            }
            None => merged.push(bar),
        }
    }
    merged
}

/// Stretch of thigh or shin of each leg; `None` if there is no stretch.
pub fn stretch(curves: &Curves) -> Option<Plot> {
    let stretches = &curves.pair.stretch_after;
    if stretches.iter().flatten().all(|&stretch| stretch == 0.0) {
        return None;
    }
    let line = |(leg, values): (usize, &Vec<f64>)| Line {
        class: COLOURS[leg % COLOURS.len()],
        label: curves.side(leg),
        values: values.iter().map(|stretch| 100.0 * stretch).collect(),
    };
    let plot = curves.time_plot("stretch of thigh or shin".into(), "%");
    let lines = stretches.iter().enumerate().map(line).collect();
    Some(TimePlot { lines, shows: vec![0.0], marks_peak: MarksPeak::Yes, ..plot }.draw())
}

/// Horizontal and vertical root correction; `None` without a motion before or without correction.
pub fn root(curves: &Curves) -> Option<Plot> {
    let before = curves.pair.before.as_ref()?;
    let moved: Vec<Vec3> = curves.pair.after.root.iter().zip(&before.root).map(|(a, b)| *a - *b).collect();
    if moved.iter().all(|&offset| offset == Vec3::ZERO) {
        return None;
    }
    let normal = curves.context.floor.up();
    let up: Vec<f64> = moved.iter().map(|offset| 1e3 * normal.dot(*offset)).collect();
    let over = moved.iter().map(|&offset| 1e3 * (offset - normal * normal.dot(offset)).length()).collect();
    let plot = curves.time_plot("root moved".into(), "mm");
    let line = |class, label: &str, values| Line { class, label: label.into(), values };
    let lines = vec![line("after", "over the ground", over), line("other", "up", up)];
    Some(TimePlot { lines, shows: vec![0.0], marks_peak: MarksPeak::Yes, ..plot }.draw())
}

impl Curves<'_> {
    /// An empty plot with the time axis of this motion.
    fn time_plot(&self, title: String, unit: &'static str) -> TimePlot {
        let fps = self.pair.after.fps;
        TimePlot {
            title,
            unit,
            shows: Vec::new(),
            lines: Vec::new(),
            dots: Vec::new(),
            bars: Vec::new(),
            marks_peak: MarksPeak::No,
            start: self.context.first_frame as f64 / fps,
            fps,
        }
    }

    /// One curve for each motion.
    fn before_and_after(&self, values: impl Fn(&Paths) -> Vec<f64>) -> Vec<Line> {
        let line = |class, label: &str, paths| Line { class, label: label.into(), values: values(paths) };
        match &self.pair.before {
            Some(before) => {
                vec![line("before", self.names[0], before), line("after", self.names[1], &self.pair.after)]
            }
            None => vec![line("after", "", &self.pair.after)],
        }
    }

    /// A bar for each selected plant: filled if it is held, hollow if it slides.
    fn bars(&self, wanted: impl Fn(&surefoot_core::Plant) -> bool) -> Vec<Bar> {
        let paths = &self.pair.after;
        let plants = self.context.plants.plants.iter().filter(|plant| wanted(plant));
        let bar = |plant: &surefoot_core::Plant| {
            let frames = planted_frames(plant, &self.context, paths.frames);
            let drift = drift(paths, self.pair.before.as_ref(), plant, &self.context)?;
            let class = if drift <= HELD { "held" } else { "slid" };
            let (first, last) = (plant.frames.start, plant.frames.end - 1);
            let point = self.context.legs[plant.leg].point_name(plant.point);
            let hint = format!("{point} {first}–{last}, drift {}", Unit::Metres.format(drift));
            Some(Bar { frames, class, hint })
        };
        plants.filter_map(bar).collect()
    }
}
