//! A small drawing of the foot at the moment of a clip that a person should look at first.
//!
//! The foot is seen from the side of its movement: heel, ball and toe with the ankle above, in a few frames around
//! the worst event, or around the plant that drifted most. Before is orange, after is blue. A foot that stands is one
//! blue outline over a fan of orange ones.

use std::fmt::Write;
use std::ops::Range;

use surefoot::CleanFile;
use surefoot_core::{Leg, Motion, Vec3, WorldPose};

use crate::row::worst_event;

/// Width and height, in pixels.
const SIZE: (f64, f64) = (168.0, 84.0);
/// Margin around the drawing, in pixels.
const MARGIN: f64 = 6.0;
/// Time before and after the moment, in seconds.
const AROUND: f64 = 0.25;
/// Largest number of outlines of each motion.
const OUTLINES: usize = 10;

/// The drawing as an `<svg>` element. Empty for a clip in which nothing is planted and nothing happens.
pub(crate) fn thumbnail(file: &CleanFile) -> String {
    let Some((leg, frames)) = focus(file) else { return String::new() };
    let frames = sampled(file, frames);
    let [before, after] =
        [&*file.before, &file.clip.motion].map(|motion| outlines(motion, &file.clip.legs[leg], &frames));
    let Some(view) = View::of(&before, &after) else { return String::new() };
    let mut svg = format!("<svg class=\"foot\" viewBox=\"0 0 {} {}\" aria-hidden=\"true\">", SIZE.0, SIZE.1);
    for (class, outlines) in [("before", &before), ("after", &after)] {
        let _ = write!(svg, "<path class=\"{class}\" d=\"");
        outlines.iter().for_each(|outline| view.draw(outline, &mut svg));
        svg += "\"/>";
    }
    svg + "</svg>"
}

/// The leg and the frames to draw.
fn focus(file: &CleanFile) -> Option<(usize, Range<usize>)> {
    let leg_of = |foot: &str| file.clip.legs.iter().position(|leg| leg.side == foot);
    if let Some((_, event)) = worst_event(&file.figures) {
        return Some((leg_of(&event.foot)?, event.first..event.last + 1));
    }
    let drift =
        |plant: &&surefoot_measure::PlantFigures| plant.before.and_then(|plant| plant.drift).unwrap_or(0.0);
    let plant = file.figures.plants.iter().max_by(|a, b| drift(a).total_cmp(&drift(b)))?;
    Some((leg_of(&plant.foot)?, plant.first..plant.last + 1))
}

/// Evenly spaced frames of a range, widened to the time around it.
fn sampled(file: &CleanFile, frames: Range<usize>) -> Vec<usize> {
    let motion = &file.clip.motion;
    let around = (AROUND * motion.fps) as usize;
    let start = frames.start.saturating_sub(around).max(file.clip.first_frame);
    // Of a long plant only the start is drawn.
    let end = frames.end.min(frames.start + 2 * around) + around;
    let end = end.min(motion.frames()).min(file.before.frames());
    let step = end.saturating_sub(start).div_ceil(OUTLINES).max(1);
    (start..end).step_by(step).collect()
}

/// Ankle, heel, ball and toe in each frame.
type Outline = [Vec3; 4];

fn outlines(motion: &Motion, leg: &Leg, frames: &[usize]) -> Vec<Outline> {
    let joints = motion.skeleton.with_ancestors([leg.ankle, leg.heel.joint, leg.ball.joint, leg.toe.joint]);
    let mut world = WorldPose::default();
    let outline = |&frame: &usize| {
        motion.poses[frame].forward_kinematics_of(&motion.skeleton, &joints, &mut world);
        [world.joint(leg.ankle), world.point(&leg.heel), world.point(&leg.ball), world.point(&leg.toe)]
    };
    frames.iter().map(outline).collect()
}

/// The vertical plane of the movement, and its scale.
struct View {
    along: Vec3,
    /// The smallest position along the plane and the largest height.
    corner: (f64, f64),
    scale: f64,
}

impl View {
    /// A view that contains all outlines. `None` without outlines.
    fn of(before: &[Outline], after: &[Outline]) -> Option<Self> {
        let along = direction(before).or_else(|| direction(after))?;
        let points = before.iter().chain(after).flatten();
        let mut range = [(f64::INFINITY, f64::NEG_INFINITY); 2];
        for point in points {
            for (value, range) in [point.dot(along), point.y].into_iter().zip(&mut range) {
                *range = (range.0.min(value), range.1.max(value));
            }
        }
        let [across, up] = range;
        // A foot is larger than a centimetre; smaller is a body without size.
        let size = |range: (f64, f64)| (range.1 - range.0).max(0.01);
        let scale = f64::min((SIZE.0 - 2.0 * MARGIN) / size(across), (SIZE.1 - 2.0 * MARGIN) / size(up));
        // The drawing stands on the lower margin.
        let top = up.0 + (SIZE.1 - 2.0 * MARGIN) / scale;
        Some(Self { along, corner: (across.0, top), scale })
    }

    fn draw(&self, outline: &Outline, path: &mut String) {
        for (letter, point) in ["M", "L", "L", "L"].into_iter().zip(outline) {
            let x = MARGIN + (point.dot(self.along) - self.corner.0) * self.scale;
            let y = MARGIN + (self.corner.1 - point.y) * self.scale;
            let _ = write!(path, "{letter}{x:.1} {y:.1}");
        }
    }
}

/// The horizontal direction in which a foot points on average. `None` for a foot without direction.
fn direction(outlines: &[Outline]) -> Option<Vec3> {
    let sum: Vec3 = outlines.iter().map(|[_, heel, _, toe]| *toe - *heel).sum();
    let flat = Vec3::new(sum.x, 0.0, sum.z);
    (flat.length() > 1e-9).then(|| flat / flat.length())
}
