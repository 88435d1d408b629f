//! The motion as a picture: bodies at several times with their footprints and trails, before above after, and the foot
//! that slid most enlarged.
//!
//! Both motions are drawn from the same camera. The picture covers the time around the largest drift of the motion
//! before, as far as the body travels along one row.

mod camera;
mod figure;

use super::footprints::{apart, outer_sides, prints, slides_visibly};
use super::ground::thinned;
use super::svg::{Anchor, Svg};
use super::{Curves, Plot, WIDTH};
use crate::body::BodyShape;
use crate::figures::HELD;
use crate::paths::{Paths, planted_frames};
use crate::slide::drift;
use crate::stances::stances;
use crate::unit::Unit;
use crate::worst_moment::{WorstMoment, worst_moment};
use camera::{Camera, LENS_LIFT, LIFT};
use core::ops::Range;
use surefoot_core::{Clip, Motion, Plant, Vec3};

/// Width of the column with the enlarged foot, in pixels.
const LENS_COLUMN: f64 = 196.0;
/// Radius of the enlarged foot, in pixels.
const LENS: f64 = 88.0;
/// Largest height of the bodies, in pixels.
const TALLEST: f64 = 250.0;
/// Space above the bodies and below their feet, in pixels.
const MARGIN: f64 = 22.0;
/// Most travel of the body that is drawn, in lengths of a leg. Farther, the feet would be too small.
const MOST_TRAVEL: f64 = 5.8;
/// Longest time that is drawn, in seconds: a body that stays in one place would cover its own footprints.
const MOST_SECONDS: f64 = 6.0;
/// Travel between two drawn bodies, in lengths of a leg: about one step.
const SPACING: f64 = 1.25;

/// Draws the motion of a clip, with the motion before above it. `None` without legs or frames.
pub fn steps(curves: &Curves, clip: &Clip, before: Option<&Motion>) -> Option<Plot> {
    let shape = BodyShape::of(clip);
    if shape.leg_length <= 0.0 || curves.pair.after.frames == 0 {
        return None;
    }
    let worst = worst_moment(curves);
    let middle = worst.as_ref().map_or(0, |worst| worst.frame);
    let most = (MOST_SECONDS * curves.pair.after.fps) as usize;
    let frames = window(&curves.pair.after.root, middle, MOST_TRAVEL * shape.leg_length, most);
    let [camera, lens_camera] =
        [LIFT, LENS_LIFT].map(|lift| Camera::facing(curves, &shape, worst.as_ref(), lift));
    let scene = Scene { curves, shape, camera, lens_camera, worst, frames, outer: outer_sides(curves) };
    let rows: Vec<(&str, &Motion, &Paths)> = match (before, &curves.pair.before) {
        (Some(motion), Some(paths)) => {
            vec![("before", motion, paths), ("after", &clip.motion, &curves.pair.after)]
        }
        _ => vec![("after", &clip.motion, &curves.pair.after)],
    };
    Some(scene.draw(&rows))
}

struct Scene<'a> {
    curves: &'a Curves<'a>,
    shape: BodyShape,
    camera: Camera,
    lens_camera: Camera,
    worst: Option<WorstMoment<'a>>,
    /// The drawn frames, counted from the first frame of the performance.
    frames: Range<usize>,
    outer: Vec<f64>,
}

/// The frames around `middle` in which the body travels at most `most` metres, and at most `count` of them.
fn window(root: &[Vec3], middle: usize, most: f64, count: usize) -> Range<usize> {
    let (mut start, mut end) = (middle, middle + 1);
    let mut travel = 0.0;
    let step = |a: usize, b: usize| root.get(a).zip(root.get(b)).map_or(0.0, |(a, b)| a.distance(*b));
    while (start > 0 || end < root.len()) && travel < most && end - start < count {
        // Both sides grow alike, so that the worst moment is in the middle where the motion allows it.
        if start > 0 {
            travel += step(start - 1, start);
            start -= 1;
        }
        if end < root.len() && travel < most {
            travel += step(end - 1, end);
            end += 1;
        }
    }
    start..end
}

impl Scene<'_> {
    fn draw(&self, rows: &[(&str, &Motion, &Paths)]) -> Plot {
        let poses = self.poses();
        let points: Vec<(f64, f64)> = rows
            .iter()
            .flat_map(|(_, motion, _)| poses.iter().flat_map(|&frame| self.place(motion, frame)))
            .map(|at| self.camera.project(at).0)
            .collect();
        let air = 0.16 * self.shape.leg_length;
        let span = |pick: fn(&(f64, f64)) -> f64| {
            let low = points.iter().map(pick).fold(f64::INFINITY, f64::min) - air;
            (low, points.iter().map(pick).fold(f64::NEG_INFINITY, f64::max) + air - low)
        };
        let ((left, wide), (bottom, tall)) = (span(|at| at.0), span(|at| at.1));
        let scale = f64::min((WIDTH - LENS_COLUMN) / wide, TALLEST / tall);
        let row_height = f64::max(tall * scale, 2.0 * LENS + 24.0) + MARGIN;
        let height = row_height * rows.len() as f64;
        let mut svg = Svg::new(WIDTH, height, "the motion before and after, with footprints");
        svg.body_style();
        svg.shades();
        for (index, (name, motion, paths)) in rows.iter().enumerate() {
            let top = row_height * index as f64;
            let floor = 0.5 * (row_height + tall * scale) + bottom * scale;
            let view = self.camera.scaled(scale, (-left * scale, floor));
            if index > 0 {
                svg.line("grid", (0.0, top), (WIDTH, top));
            }
            // Footprints of other times end at the column of the enlarged foot.
            svg.begin_clipped((0.0, top), (WIDTH - LENS_COLUMN, row_height));
            self.draw_ground(&mut svg, &view, (left, left + wide));
            self.draw_prints(&mut svg, &view, name, paths, &self.frames);
            for &frame in poses.iter().filter(|&&frame| Some(frame) != self.worst_frame()) {
                figure::draw(
                    &mut svg,
                    &view,
                    (&self.shape, &self.place(motion, frame)),
                    None,
                    &format!("far {name}"),
                );
            }
            let worst = self.worst_frame().unwrap_or(self.frames.start);
            figure::draw(&mut svg, &view, (&self.shape, &self.place(motion, worst)), None, name);
            self.draw_ring(&mut svg, &view, paths);
            svg.end_clipped();
            self.draw_lens(&mut svg, name, motion, paths, top + 0.5 * row_height);
            if rows.len() > 1 {
                svg.text(&format!("title mark-{name}"), (4.0, top + 20.0), Anchor::Start, name);
            }
        }
        Plot { title: "the motion before and after".into(), height, svg: svg.finish() }
    }

    fn worst_frame(&self) -> Option<usize> {
        self.worst.as_ref().map(|worst| worst.frame)
    }

    /// The frames in which a body is drawn: the worst moment, and one for each step away from it.
    fn poses(&self) -> Vec<usize> {
        let root = &self.curves.pair.after.root;
        let middle = self.worst_frame().unwrap_or(self.frames.start);
        let spacing = SPACING * self.shape.leg_length;
        let pick = |frames: &mut dyn Iterator<Item = usize>| {
            let (mut last, mut travel, mut found) = (middle, 0.0, Vec::new());
            for frame in frames {
                travel += root.get(frame).zip(root.get(last)).map_or(0.0, |(a, b)| a.distance(*b));
                last = frame;
                if travel >= spacing {
                    travel = 0.0;
                    found.push(frame);
                }
            }
            found
        };
        let earlier = pick(&mut (self.frames.start..middle).rev());
        let later = pick(&mut (middle..self.frames.end).skip(1));
        earlier.into_iter().rev().chain([middle]).chain(later).collect()
    }

    /// The points of the body in one frame.
    fn place(&self, motion: &Motion, frame: usize) -> Vec<Vec3> {
        let pose = &motion.poses[self.curves.context.first_frame + frame];
        self.shape.place(&pose.world(&motion.skeleton))
    }

    /// Lines on the floor along the row, half a metre apart.
    fn draw_ground(&self, svg: &mut Svg, view: &Camera, (left, right): (f64, f64)) {
        let frame = self.worst_frame().unwrap_or(self.frames.start);
        let (floor, after) = (&self.curves.context.floor, &self.curves.pair.after);
        let below = floor.nearest(after.root[frame]);
        let (along, across) = view.floor_axes(floor.up());
        let middle = self.camera.project(below).0.0;
        for line in -1..=1 {
            let at = below + across * (0.5 * f64::from(line));
            let ends = [left - middle, right - middle].map(|x| view.project(at + along * x).0);
            svg.line("ground", ends[0], ends[1]);
        }
    }

    /// A ring around the foot that slid most.
    fn draw_ring(&self, svg: &mut Svg, view: &Camera, paths: &Paths) {
        let Some(WorstMoment { plant, frame }) = &self.worst else { return };
        let leg = &paths.legs[plant.leg];
        let at = view.project(0.5 * (leg.heel[*frame] + leg.ball[*frame])).0;
        svg.dot("ring", at, (0.2 * self.shape.leg_length * view.scale()).round(), "");
    }

    /// The footprints of some frames, and the paths of planted points.
    fn draw_prints(&self, svg: &mut Svg, view: &Camera, name: &str, paths: &Paths, frames: &Range<usize>) {
        let context = &self.curves.context;
        let overlaps = |other: Range<usize>| other.start < frames.end && other.end > frames.start;
        for stance in
            stances(context, paths.frames).into_iter().filter(|stance| overlaps(stance.frames.clone()))
        {
            let prints = prints(self.curves, paths, &stance, self.outer[stance.leg]);
            let placed =
                prints.into_iter().map(|print| print.map(|at| view.project(context.floor.nearest(at)).0));
            svg.outlines(&format!("print-{name}"), apart(placed));
        }
        for plant in &context.plants.plants {
            let path = paths.planted_positions(plant, context);
            if overlaps(planted_frames(plant, context, paths.frames))
                && slides_visibly(self.curves, paths, plant)
            {
                svg.curve("trail", thinned(path.iter().map(|&at| view.project(at).0)));
            }
        }
    }

    /// The foot that slid most in a circle, with its drift below.
    fn draw_lens(&self, svg: &mut Svg, name: &str, motion: &Motion, paths: &Paths, middle: f64) {
        let Some(WorstMoment { plant, frame }) = &self.worst else { return };
        let (x, y) = (WIDTH - LENS - 4.0, middle - 10.0);
        let leg = &self.curves.pair.after.legs[plant.leg];
        let start = self.plant_start(plant);
        let target = 0.5 * (leg.heel[start] + leg.ball[start]);
        let scale = LENS / (0.29 * self.shape.leg_length);
        let (tx, ty) = self.lens_camera.project(target).0;
        let view = self.lens_camera.scaled(scale, (x - tx * scale, y + ty * scale));
        let lens = format!("lens-{name}");
        svg.begin_lens(&lens, (x, y), LENS);
        self.draw_prints(svg, &view, name, paths, &planted_frames(plant, &self.curves.context, paths.frames));
        let points = self.place(motion, *frame);
        figure::draw(svg, &view, (&self.shape, &points), Some(plant.leg), name);
        if slides_visibly(self.curves, paths, plant) {
            self.draw_trail(svg, &view, paths, plant, *frame);
        }
        svg.end_lens((x, y), LENS);
        let drift =
            drift(paths, self.curves.pair.before.as_ref(), plant, &self.curves.context).unwrap_or(0.0);
        let foot = format!("{} {}", self.curves.side(plant.leg), plant.point.as_str());
        let verb = if drift > HELD { "slides" } else { "stands:" };
        let words = format!("{foot} {verb} {}", Unit::Metres.format(drift));
        svg.text("title", (x, y + LENS + 18.0), Anchor::Middle, &words);
    }

    fn plant_start(&self, plant: &Plant) -> usize {
        let last = self.curves.pair.after.frames.saturating_sub(1);
        plant.frames.start.saturating_sub(self.curves.context.first_frame).min(last)
    }

    /// The path of a planted point up to a frame.
    fn draw_trail(&self, svg: &mut Svg, view: &Camera, paths: &Paths, plant: &Plant, frame: usize) {
        let path = paths.planted_positions(plant, &self.curves.context);
        let shown = (frame + 1).saturating_sub(self.plant_start(plant)).min(path.len());
        svg.curve("trail trail-close", thinned(path[..shown].iter().map(|&at| view.project(at).0)));
    }
}
