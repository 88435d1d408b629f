//! Footprints, seen from above: a foot that slides smears its print, a foot that stands leaves a sharp one.

use super::ground::{View, draw_axes, draw_names, thinned};
use super::svg::Svg;
use super::{Curves, Plot, WIDTH};
use crate::body::{SOLE, sole_outline};
use crate::paths::{LegPath, Paths};
use crate::slide::drift;
use crate::stances::{Stance, stances};
use surefoot_core::{FootPoint, Plant, Vec3};

/// Most outlines of one smeared print. At 10 a slide of half a foot has no visible gaps.
const MOST_OUTLINES: usize = 10;

/// The prints of all stances, those before above those after, with the paths of planted points that slide. `None`
/// without stances.
///
/// The direction of travel is from left to right.
pub fn footprints(curves: &Curves) -> Option<Plot> {
    let stances = stances(&curves.context, curves.pair.after.frames);
    if stances.is_empty() {
        return None;
    }
    let view = View::of(curves);
    let rows: Vec<(&str, &str, &Paths)> = match &curves.pair.before {
        Some(before) => {
            vec![("before", curves.names[0], before), ("after", curves.names[1], &curves.pair.after)]
        }
        None => vec![("after", "", &curves.pair.after)],
    };
    let row_height = view.plot_height();
    let height = row_height * rows.len() as f64;
    let title = "footprints, seen from above";
    let mut svg = Svg::new(WIDTH, height, title);
    svg.body_style();
    let outer = outer_sides(curves);
    for (index, (class, name, paths)) in rows.into_iter().enumerate() {
        svg.begin_clipped((0.0, index as f64 * row_height), (WIDTH, row_height));
        let heading = if name.is_empty() { title.into() } else { format!("footprints {name}") };
        view.draw_heading(&mut svg, &heading, &[]);
        draw_axes(&mut svg, &view, row_height);
        for stance in &stances {
            let prints = prints(curves, paths, stance, outer[stance.leg]);
            let placed = prints.into_iter().map(|print| print.map(|at| view.place(at)));
            svg.outlines(&format!("print-{class}"), apart(placed));
        }
        draw_trails(&mut svg, curves, paths, &view);
        draw_names(&mut svg, curves, FootPoint::Heel, &view);
        svg.end_clipped();
    }
    Some(Plot { title: title.into(), height, svg: svg.finish() })
}

/// The paths of planted points that slide.
fn draw_trails(svg: &mut Svg, curves: &Curves, paths: &Paths, view: &View) {
    for plant in &curves.context.plants.plants {
        if slides_visibly(curves, paths, plant) {
            let path = paths.planted_positions(plant, &curves.context);
            svg.curve("trail trail-thin", thinned(path.iter().map(|&at| view.place(at))));
        }
    }
}

/// Whether a planted point slides far enough for a trail.
pub(super) fn slides_visibly(curves: &Curves, paths: &Paths, plant: &Plant) -> bool {
    /// Shortest slide that is drawn, in metres: about one pixel.
    const SHORTEST_TRAIL: f64 = 0.004;
    drift(paths, curves.pair.before.as_ref(), plant, &curves.context)
        .is_some_and(|drift| drift > SHORTEST_TRAIL)
}

/// The outer side of each foot, see [`crate::body::FootShape`].
pub(super) fn outer_sides(curves: &Curves) -> Vec<f64> {
    let up = curves.context.floor.up();
    let legs = &curves.pair.after.legs;
    let Some(middle) =
        legs.iter().map(|leg| leg.hip[0]).reduce(|a, b| a + b).map(|sum| sum / legs.len() as f64)
    else {
        return Vec::new();
    };
    let outer = |leg: &LegPath| {
        let left = up.cross(leg.ball[0] - leg.heel[0]);
        if (leg.hip[0] - middle).dot(left) < 0.0 { -1.0 } else { 1.0 }
    };
    legs.iter().map(outer).collect()
}

/// Outlines without those that are hardly apart from the last one kept, to keep the file small.
pub(super) fn apart<const N: usize>(
    outlines: impl IntoIterator<Item = [(f64, f64); N]>,
) -> Vec<[(f64, f64); N]> {
    /// Smallest distance of two outlines, in pixels.
    const NEAR: f64 = 1.5;
    let mut kept: Vec<[(f64, f64); N]> = Vec::new();
    for outline in outlines {
        let distance = |last: &[(f64, f64); N]| {
            let apart = |(a, b): (&(f64, f64), &(f64, f64))| (a.0 - b.0).abs().max((a.1 - b.1).abs());
            last.iter().zip(&outline).map(apart).fold(0.0, f64::max)
        };
        if kept.last().is_none_or(|last| distance(last) >= NEAR) {
            kept.push(outline);
        }
    }
    kept
}

/// The outlines of a sole in the frames of a stance.
pub(super) fn prints(curves: &Curves, paths: &Paths, stance: &Stance, outer: f64) -> Vec<[Vec3; SOLE.len()]> {
    let (up, leg) = (curves.context.floor.up(), &paths.legs[stance.leg]);
    let count = stance.frames.len().min(MOST_OUTLINES);
    let frame = |index: usize| stance.frames.start + index * (stance.frames.len() - 1) / (count - 1).max(1);
    (0..count)
        .map(frame)
        .map(|frame| sole_outline(leg.heel[frame], leg.ball[frame], leg.toe[frame], up, outer))
        .collect()
}
