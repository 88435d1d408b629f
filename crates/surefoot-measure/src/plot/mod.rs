//! SVG plots of feet, knees and root, before and after.
//!
//! The plots contain no scripts or fonts. Colours are distinguishable for colour-blind readers, in
//! light and dark mode. Long curves are decimated to screen resolution, with peaks preserved.

mod svg;
mod ticks;
mod decimate;
pub(crate) mod frame;
mod over_time;
mod contours;
mod footprints;
mod ground;
mod spots;
mod reach;
mod poses;
mod steps;
mod map;
mod reliability;
mod comparison;

use crate::context::{Context, MeasureError};
use crate::motion_pair::MotionPair;
use surefoot_core::{Clip, FrameRange, Motion};

pub use comparison::Comparison;
pub use footprints::footprints;
pub(crate) use ground::floor_axes;
pub use ground::ground;
pub use map::{MapPlot, map};
pub use over_time::{heights, knees, root, speeds, stretch};
pub use poses::{PoseFrames, PoseStrip, poses};
pub use reach::reach;
pub use reliability::reliability;
pub use spots::spots;
pub use steps::steps;
pub use svg::escape;

/// The width of every plot, in pixels.
///
/// Wide enough to show single steps, narrow enough for a printed page.
pub(crate) const WIDTH: f64 = 760.0;

/// The colours and fonts of the plots, for a page that shows them inline.
pub const STYLE: &str = include_str!("plot.css");

/// The colours of bodies and footprints. Plots that draw them contain it, so that the other plots stay small.
pub(crate) const BODY_STYLE: &str = include_str!("body.css");

/// The data of the plots: paths of one motion, or of a motion before and after.
#[derive(Clone, Debug)]
pub struct Curves<'a> {
    pub(crate) pair: MotionPair,
    pub(crate) context: Context<'a>,
    /// Names of both motions.
    pub(crate) names: [&'static str; 2],
}

impl<'a> Curves<'a> {
    /// The curves of one motion, or of two motions of the same skeleton.
    pub fn new(clip: &'a Clip, before: Option<&Motion>) -> Result<Self, MeasureError> {
        let context = Context::of(clip, before);
        Ok(Self {
            pair: MotionPair::new(&clip.motion, before, &context)?,
            context,
            names: ["before", "after"],
        })
    }

    /// Names the motions "edited" and "clean".
    pub(crate) fn of_edit(self) -> Self {
        Self { names: ["edited", "clean"], ..self }
    }

    /// The curves within a range of frames of the file, for a detail of a long motion.
    ///
    /// Frames outside the motion are ignored. Plants keep the frame numbers of the file.
    pub fn within(&self, frames: FrameRange) -> Self {
        let first = self.context.first_frame;
        let end = frames.end.saturating_sub(first).min(self.pair.after.frames);
        let start = frames.start.saturating_sub(first).min(end);
        let context = Context { first_frame: first + start, ..self.context.clone() };
        Self { pair: self.pair.within(start..end), context, names: self.names }
    }

    /// The name of a leg, shortened to the available width.
    pub(crate) fn side(&self, leg: usize) -> String {
        /// Largest number of characters of a name.
        const MAX_LENGTH: usize = 16;
        let side = &self.context.legs[leg].side;
        if side.chars().count() <= MAX_LENGTH {
            return side.clone();
        }
        side.chars().take(MAX_LENGTH - 1).chain(['…']).collect()
    }
}

/// One plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// Title.
    pub title: String,
    /// Height in pixels; all plots have the same width.
    pub height: f64,
    /// An `<svg>` element for a page that contains [`STYLE`].
    pub svg: String,
}

/// A stand-alone SVG file with the plots one below the other.
pub fn sheet(plots: &[Plot]) -> String {
    /// Space around and between the plots, in pixels.
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
