//! One quantity of several motions, over time.

use super::Plot;
use super::frame::{Bar, Line, MarksPeak, TimePlot};
use surefoot_core::FrameRange;

/// Colours of the curves, in order.
const COLOURS: [&str; 4] = ["before", "other", "third", "after"];

/// Curves of several motions in one plot, for example of a motion before and after different methods.
#[derive(Clone, Debug)]
pub struct Comparison<'a> {
    /// The title.
    pub title: String,
    /// The unit of the values.
    pub unit: &'static str,
    /// Frames per second.
    pub fps: f64,
    /// The name of each motion and its value at each frame, in the order of drawing. NaN leaves a gap. There are four
    /// colours; further curves begin again.
    pub curves: Vec<(&'a str, Vec<f64>)>,
    /// Frames with a plant: a bar below the curves and a shade behind them.
    pub plants: Vec<FrameRange>,
}

impl Comparison<'_> {
    /// Draws the curves.
    pub fn draw(&self) -> Plot {
        let line = |(index, (label, values)): (usize, &(&str, Vec<f64>))| Line {
            class: COLOURS[index % COLOURS.len()],
            label: (*label).into(),
            values: values.clone(),
        };
        let bar = |frames: &FrameRange| Bar { frames: frames.clone(), class: "held", hint: String::new() };
        TimePlot {
            title: self.title.clone(),
            unit: self.unit,
            shows: vec![0.0],
            lines: self.curves.iter().enumerate().map(line).collect(),
            bars: self.plants.iter().map(bar).collect(),
            dots: Vec::new(),
            marks_peak: MarksPeak::No,
            start: 0.0,
            fps: self.fps,
        }
        .draw()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_motion_has_a_curve_and_a_name_in_the_legend() {
        let plants = vec![0..1, 2..3];
        let curves = vec![("captured", vec![0.0, 1.0, 0.0]), ("cleaned", vec![0.0, 0.5, f64::NAN])];
        let plot = Comparison { title: "ball".into(), unit: "cm", fps: 30.0, curves, plants }.draw();
        assert!(!plot.svg.contains("NaN"));
        for word in ["captured", "cleaned", "line before", "line other", "held"] {
            assert!(plot.svg.contains(word), "{word}: {}", plot.svg);
        }
    }
}
