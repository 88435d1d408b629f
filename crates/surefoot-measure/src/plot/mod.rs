//! What did the feet, the knees and the body do? Curves before and after, as SVG.
//!
//! No scripts and no fonts of their own; colours that colour-blind people tell apart, for light
//! and dark; curves of any length are thinned to what a screen can show, peaks kept.

mod svg;
mod ticks;
mod thin;
pub(crate) mod frame;
mod over_time;
mod contours;
mod ground;
mod spots;
mod reach;
mod map;
mod reliability;

use crate::context::{Context, MeasureError};
use crate::seen::Seen;
use surefoot_core::{Clip, FrameRange, Motion};

pub use ground::ground;
pub use map::{MapPlot, map};
pub use over_time::{heights, knees, root, speeds, stretch};
pub use reach::reach;
pub use reliability::reliability;
pub use spots::spots;
pub(crate) use svg::escape;

/// The width of every plot, in pixels.
///
/// Wide enough for a second of walking a finger's width, narrow enough for a printed page.
pub(crate) const WIDTH: f64 = 760.0;

/// The colours and fonts of the plots, for a page that shows them inline.
pub const STYLE: &str = include_str!("plot.css");

/// What plots are drawn from: both motions in the world.
#[derive(Clone, Debug)]
pub struct Curves<'a> {
    pub(crate) seen: Seen,
    pub(crate) context: Context<'a>,
    /// What the two motions are called.
    pub(crate) names: [&'static str; 2],
}

impl<'a> Curves<'a> {
    /// The curves of a motion, or of two that fit each other.
    pub fn new(clip: &'a Clip, before: Option<&Motion>) -> Result<Self, MeasureError> {
        let context = Context::of(clip, before);
        Ok(Self { seen: Seen::new(&clip.motion, before, &context)?, context, names: ["before", "after"] })
    }

    /// The same of a motion as edited and as clean.
    pub(crate) fn of_edit(self) -> Self {
        Self { names: ["edited", "clean"], ..self }
    }

    /// The curves within some frames of the file, for a closer look at a long motion.
    ///
    /// Frames that the motion has not are left out. Plants stay whole numbers of the file's frames.
    pub fn within(&self, frames: FrameRange) -> Self {
        let first = self.context.first_frame;
        let end = frames.end.saturating_sub(first).min(self.seen.after.frames);
        let start = frames.start.saturating_sub(first).min(end);
        let context = Context { first_frame: first + start, ..self.context.clone() };
        Self { seen: self.seen.within(start..end), context, names: self.names }
    }

    /// A leg's name, cut where it would run into what stands beside it.
    pub(crate) fn side(&self, leg: usize) -> String {
        /// Letters of a leg's name that fit everywhere.
        const LONGEST: usize = 16;
        let side = &self.context.legs[leg].side;
        if side.chars().count() <= LONGEST {
            return side.clone();
        }
        side.chars().take(LONGEST - 1).chain(['…']).collect()
    }
}

/// One plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// Its height in pixels; the width is always the same.
    pub height: f64,
    /// An `<svg>` element to put in a page that has [`STYLE`].
    pub svg: String,
}

/// Plots one below the other, as an SVG file that stands on its own.
pub fn sheet(plots: &[Plot]) -> String {
    /// White space around and between the plots, in pixels.
    const MARGIN: f64 = 16.0;
    let height = MARGIN + plots.iter().map(|plot| plot.height + MARGIN).sum::<f64>();
    let width = WIDTH + 2.0 * MARGIN;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n<style>{STYLE}</style>\n\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n"
    );
    let mut y = MARGIN;
    for plot in plots {
        text += &format!("<g transform=\"translate({MARGIN} {y})\">{}</g>\n", plot.svg);
        y += plot.height + MARGIN;
    }
    text + "</svg>\n"
}
