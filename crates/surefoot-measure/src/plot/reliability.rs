//! Reliability diagram of confidences.

use super::svg::{Anchor, Mark, Svg};
use super::{Plot, WIDTH};

const LEFT: f64 = 58.0;
const TOP: f64 = 26.0;
const SIDE: f64 = 330.0;
const BOTTOM: f64 = 34.0;

/// Plots pairs of confidence and observed frequency, with the diagonal of perfect calibration.
pub fn reliability(title: &str, points: &[(f64, f64)]) -> Plot {
    let height = TOP + SIDE + BOTTOM;
    let mut svg = Svg::new(WIDTH, height, title);
    let items = [(Mark::Line("other"), "true"), (Mark::Line("after"), "found")];
    svg.heading((LEFT, 14.0), title, &items);
    let place = |(called, down): (f64, f64)| (LEFT + SIDE * called, TOP + SIDE * (1.0 - down));
    for tenth in (0..=10).step_by(2) {
        let value = f64::from(tenth) / 10.0;
        let ((x, bottom), (right, y)) = (place((value, 0.0)), place((1.0, value)));
        svg.line(if tenth == 0 { "axis" } else { "grid" }, (LEFT, y), (right, y));
        svg.line(if tenth == 0 { "axis" } else { "grid" }, (x, TOP), (x, bottom));
        let label = format!("{} %", 10 * tenth);
        svg.text("tick", (LEFT - 6.0, y + 4.0), Anchor::End, &label);
        svg.text("tick", (x, bottom + 16.0), Anchor::Middle, &label);
    }
    svg.curve("other", [(0.0, 0.0), (1.0, 1.0)].map(|point| Some(place(point))));
    svg.curve("after", points.iter().map(|&point| Some(place(point))));
    svg.dots("after", points.iter().map(|&point| place(point)));
    Plot { title: title.into(), height, svg: svg.finish() }
}
