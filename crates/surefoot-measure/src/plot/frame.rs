//! A plot of curves over time: axes, ticks, grid, legend, and bars for plants.

use super::decimate::decimate;
use super::svg::{Anchor, Mark, Svg};
use super::ticks::{Ticks, ticks};
use super::{Plot, WIDTH};

/// Left margin for the numbers of the vertical axis, in pixels.
const LEFT: f64 = 58.0;
/// Right margin for half of the last number of the time axis, in pixels.
const RIGHT: f64 = 14.0;
/// Top margin for title and legend, in pixels.
const TOP: f64 = 26.0;
/// Height of the curves, in pixels.
const TALL: f64 = 104.0;
/// Height of the row of plants, in pixels.
const BARS: f64 = 7.0;
/// Bottom margin for the numbers of the time axis, in pixels.
const BOTTOM: f64 = 20.0;
/// Space between the parts, in pixels.
const GAP: f64 = 5.0;

/// Assumed width of a character, in pixels, to keep text within the plot. That of a wide font, since
/// fonts differ between readers.
const LETTER: f64 = 7.3;

/// One curve.
pub(crate) struct Line {
    /// CSS class of the colour.
    pub class: &'static str,
    /// Name in the legend.
    pub label: String,
    /// A value at each frame; one that is not finite leaves a gap.
    pub values: Vec<f64>,
}

/// A time interval, in indices of the curves.
pub(crate) struct Bar {
    pub frames: core::ops::Range<usize>,
    pub class: &'static str,
    pub hint: String,
}

/// Curves over time.
pub(crate) struct TimePlot {
    pub title: String,
    /// The unit of the values.
    pub unit: &'static str,
    /// Values that are always within the range of the axis.
    pub shows: Vec<f64>,
    pub lines: Vec<Line>,
    pub bars: Vec<Bar>,
    /// Marked values: index of the line and frame.
    pub dots: Vec<(usize, usize)>,
    /// Whether the value farthest from zero is marked and labelled.
    pub marks_peak: MarksPeak,
    /// Time of the first value, in seconds.
    pub start: f64,
    pub fps: f64,
}

/// Whether the value farthest from zero is marked and labelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarksPeak {
    Yes,
    No,
}

/// Conversion from values to pixels.
struct Scale {
    frames: usize,
    low: f64,
    high: f64,
}

impl Scale {
    fn x(&self, frame: f64) -> f64 {
        // A single frame is at the left.
        LEFT + (WIDTH - LEFT - RIGHT) * frame / self.frames.saturating_sub(1).max(1) as f64
    }

    fn y(&self, value: f64) -> f64 {
        TOP + TALL * (self.high - value) / (self.high - self.low)
    }
}

impl TimePlot {
    pub fn draw(&self) -> Plot {
        let height = TOP + TALL + BOTTOM + if self.bars.is_empty() { 0.0 } else { GAP + BARS };
        let scale = self.scale();
        let mut svg = Svg::new(WIDTH, height, &format!("{}, over time", self.title));
        self.draw_header(&mut svg);
        self.draw_shades(&mut svg, &scale);
        self.draw_axes(&mut svg, &scale, height);
        for line in &self.lines {
            let points = decimate(&line.values, (WIDTH - LEFT - RIGHT) as usize);
            let place = |(frame, value): (usize, f64)| {
                value.is_finite().then(|| (scale.x(frame as f64), scale.y(value)))
            };
            svg.curve(line.class, points.into_iter().map(place));
        }
        self.draw_bars(&mut svg, &scale);
        self.draw_dots(&mut svg, &scale);
        if self.marks_peak == MarksPeak::Yes {
            self.draw_peak(&mut svg, &scale);
        }
        Plot { title: self.title.clone(), height, svg: svg.finish() }
    }

    fn scale(&self) -> Scale {
        let values = || self.lines.iter().flat_map(|line| &line.values).chain(&self.shows).copied();
        let finite = || values().filter(|value| value.is_finite());
        let (low, high) =
            (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
        // No values, or a constant: a range of one unit around it.
        let (low, high) = if low < high { (low, high) } else { (low.min(0.0), low.min(0.0) + 1.0) };
        // Space for the label of the peak.
        let air = (high - low) * if self.marks_peak == MarksPeak::Yes { 0.2 } else { 0.06 };
        let frames = self.lines.iter().map(|line| line.values.len()).max().unwrap_or(0);
        Scale { frames, low: low - air, high: high + air }
    }

    fn draw_header(&self, svg: &mut Svg) {
        let planted = (!self.bars.is_empty()).then_some((Mark::Plant, "planted"));
        let lines = self.lines.iter().filter(|line| !line.label.is_empty());
        let items = lines.map(|line| (Mark::Line(line.class), line.label.as_str())).chain(planted);
        svg.heading((LEFT, 14.0), &self.title, &items.collect::<Vec<_>>());
    }

    fn draw_shades(&self, svg: &mut Svg, scale: &Scale) {
        for (x, width, _) in self.bars.iter().map(|bar| extent(bar, scale)) {
            svg.rect("shade", (x, TOP), (width, TALL), "");
        }
    }

    fn draw_bars(&self, svg: &mut Svg, scale: &Scale) {
        for (x, width, bar) in self.bars.iter().map(|bar| extent(bar, scale)) {
            svg.rect(bar.class, (x, TOP + TALL + GAP), (width, BARS), &bar.hint);
        }
    }

    fn draw_dots(&self, svg: &mut Svg, scale: &Scale) {
        for &(line, frame) in &self.dots {
            let line = &self.lines[line];
            if let Some(&value) = line.values.get(frame) {
                let at = (scale.x(frame as f64), scale.y(value));
                svg.dot(&format!("dot {}", line.class), at, 3.0, "");
            }
        }
    }

    fn draw_axes(&self, svg: &mut Svg, scale: &Scale, height: f64) {
        let upright = ticks(scale.low, scale.high, 5);
        for &value in &upright.at {
            let y = scale.y(value);
            let class = if value.abs() < upright.step * 1e-6 { "axis" } else { "grid" };
            svg.line(class, (LEFT, y), (WIDTH - RIGHT, y));
            svg.text("tick", (LEFT - 6.0, y + 4.0), Anchor::End, &self.label(&upright, value));
        }
        let end = self.start + scale.frames.saturating_sub(1) as f64 / self.fps;
        let seconds = ticks(self.start, end, 12);
        for &time in &seconds.at {
            let x = scale.x((time - self.start) * self.fps);
            svg.line("grid", (x, TOP), (x, TOP + TALL));
            let last = Some(&time) == seconds.at.last();
            let label = seconds.label(time) + if last { " s" } else { "" };
            let anchor = if x > WIDTH - RIGHT - 12.0 { Anchor::End } else { Anchor::Middle };
            svg.text("tick", (x, height - 6.0), anchor, &label);
        }
    }

    /// The label of a tick; the topmost has the unit.
    fn label(&self, ticks: &Ticks, value: f64) -> String {
        let label = ticks.label(value);
        if Some(&value) != ticks.at.last() {
            return label;
        }
        // No space before a degree sign.
        if self.unit == "°" { label + "°" } else { format!("{label} {}", self.unit) }
    }

    fn draw_peak(&self, svg: &mut Svg, scale: &Scale) {
        let points = self
            .lines
            .iter()
            .flat_map(|line| line.values.iter().enumerate().map(move |(frame, &value)| (line, frame, value)));
        let Some((line, frame, value)) = points.reduce(|a, b| if b.2.abs() > a.2.abs() { b } else { a })
        else {
            return;
        };
        let at = (scale.x(frame as f64), scale.y(value));
        svg.dot(&format!("dot {}", line.class), at, 3.0, "");
        let label = format!("{} {}", crate::unit::digits(value), self.unit).replace('-', "−");
        // Keep half the width of the label from both ends.
        let half = LETTER * label.chars().count() as f64 / 2.0;
        let x = at.0.clamp(LEFT + half, WIDTH - RIGHT - half);
        let y = if value < 0.0 { at.1 + 16.0 } else { at.1 - 7.0 };
        svg.text("", (x, y), Anchor::Middle, &label);
    }
}

/// Start and width of a bar, in pixels; a single frame is still visible.
fn extent<'a>(bar: &'a Bar, scale: &Scale) -> (f64, f64, &'a Bar) {
    let (from, to) = (scale.x(bar.frames.start as f64), scale.x(bar.frames.end.saturating_sub(1) as f64));
    (from, (to - from).max(1.5), bar)
}
