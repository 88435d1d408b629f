//! Detail plots of the plants with the largest drift.

use super::decimate::decimate;
use super::ground::floor_axes;
use super::svg::{Anchor, Mark, Svg};
use super::ticks::ticks;
use super::{Curves, Plot, WIDTH};
use crate::paths::Paths;
use crate::slide::{drift, plant_spot};
use crate::unit::Unit;
use surefoot_core::Plant;

/// Number of cells per row.
const COLUMNS: usize = 6;
/// Largest number of plants: two rows.
const MAX_PLANTS: usize = 2 * COLUMNS;
/// Top margin for title and legend, in pixels.
const TOP: f64 = 30.0;
/// Space between cells, in pixels.
const GAP: f64 = 10.0;
/// Height of the three lines of text below each cell, in pixels.
const CAPTION: f64 = 56.0;
/// Horizontal resolution of a path in one cell.
const PATH_RESOLUTION: usize = 200;

/// Paths of planted points seen from above, for the plants with the largest drift, all at the same
/// scale. `None` without plants.
pub fn spots(curves: &Curves) -> Option<Plot> {
    let worst = worst(curves);
    let reach = worst.iter().map(|close| close.extent(curves)).reduce(f64::max)?;
    // Each cell shows at least 1 mm; otherwise rounding would look like skate.
    let reach = reach.max(0.001) * 1.1;
    let side = (WIDTH - GAP * (COLUMNS - 1) as f64) / COLUMNS as f64;
    let rows = worst.len().div_ceil(COLUMNS);
    let height = TOP + rows as f64 * (side + CAPTION);
    let title = "planted points, seen from above";
    let mut svg = Svg::new(WIDTH, height, title);
    let lines: &[_] = match curves.pair.before {
        Some(_) => &[(Mark::Line("before"), curves.names[0]), (Mark::Line("after"), curves.names[1])],
        None => &[],
    };
    svg.heading((0.0, 14.0), title, lines);
    draw_scale(&mut svg, reach, side);
    for (index, close) in worst.iter().enumerate() {
        let (column, row) = (index % COLUMNS, index / COLUMNS);
        let corner = (column as f64 * (side + GAP), TOP + row as f64 * (side + CAPTION));
        Cell { corner, side, reach, curves }.draw(&mut svg, close);
    }
    Some(Plot { title: title.into(), height, svg: svg.finish() })
}

/// A plant and its drift, in metres.
struct Close<'a> {
    plant: &'a Plant,
    drift_before: f64,
    drift_after: f64,
}

impl Close<'_> {
    /// How far the paths get from the spot: the drift, or more of a plant that lets its point move.
    fn extent(&self, curves: &Curves) -> f64 {
        let farthest = |paths: &Paths| {
            let path = paths.planted_positions(self.plant, &curves.context);
            let spot = plant_spot(self.plant, path)?;
            path.iter().map(|point| point.distance(spot)).reduce(f64::max)
        };
        let paths = curves.pair.before.iter().chain([&curves.pair.after]);
        paths.filter_map(farthest).fold(self.drift_before.max(self.drift_after), f64::max)
    }
}

/// The plants with the largest drift, before or after, in order of time.
fn worst<'a>(curves: &'a Curves) -> Vec<Close<'a>> {
    let drift_in = |paths: &Paths, plant| drift(paths, curves.pair.before.as_ref(), plant, &curves.context);
    let mut all: Vec<Close> = curves
        .context
        .plants
        .plants
        .iter()
        .filter_map(|plant| {
            let drift_after = drift_in(&curves.pair.after, plant)?;
            let drift_before = curves.pair.before.as_ref().and_then(|paths| drift_in(paths, plant));
            Some(Close { plant, drift_before: drift_before.unwrap_or(0.0), drift_after })
        })
        .collect();
    let most = |close: &Close| close.drift_before.max(close.drift_after);
    all.sort_by(|a, b| most(b).total_cmp(&most(a)));
    all.truncate(MAX_PLANTS);
    all.sort_by_key(|close| (close.plant.frames.start, close.plant.leg, close.plant.point));
    all
}

/// The scale bar, above the last cell.
fn draw_scale(svg: &mut Svg, reach: f64, side: f64) {
    let bar = ticks(0.0, reach, 2).step;
    let (from, to) = (WIDTH - 1.0 - bar / (2.0 * reach) * side, WIDTH - 1.0);
    svg.line("axis", (from, 10.0), (to, 10.0));
    svg.line("axis", (from, 6.0), (from, 14.0));
    svg.line("axis", (to, 6.0), (to, 14.0));
    let label = Unit::Metres.format(bar).replace(".00", "").replace(".0", "");
    svg.text("", (from - 6.0, 14.0), Anchor::End, &label);
}

/// One cell.
struct Cell<'a> {
    corner: (f64, f64),
    side: f64,
    reach: f64,
    curves: &'a Curves<'a>,
}

impl Cell<'_> {
    fn draw(&self, svg: &mut Svg, close: &Close) {
        let ((x, y), side) = (self.corner, self.side);
        svg.rect("cell", self.corner, (side, side), "");
        svg.line("grid", (x, y + side / 2.0), (x + side, y + side / 2.0));
        svg.line("grid", (x + side / 2.0, y), (x + side / 2.0, y + side));
        if let Some(before) = &self.curves.pair.before {
            self.draw_path(svg, "before", before, close.plant);
        }
        self.draw_path(svg, "after", &self.curves.pair.after, close.plant);
        self.draw_labels(svg, close);
    }

    fn draw_labels(&self, svg: &mut Svg, close: &Close) {
        let (plant, middle) = (close.plant, self.corner.0 + self.side / 2.0);
        let below = self.corner.1 + self.side;
        let point = self.curves.context.legs[plant.leg].point_name(plant.point);
        let name = format!("{} {point}", self.curves.side(plant.leg));
        let frames = format!("{}–{}", plant.frames.start, plant.frames.end - 1);
        svg.text("", (middle, below + 14.0), Anchor::Middle, &name);
        let after = Unit::Metres.format(close.drift_after);
        let drift = match self.curves.pair.before {
            Some(_) => format!("{} → {after}", crate::unit::digits(close.drift_before * 1e3)),
            None => after,
        };
        svg.text("tick", (middle, below + 28.0), Anchor::Middle, &frames);
        svg.text("tick", (middle, below + 41.0), Anchor::Middle, &drift);
    }

    /// The path of a point, with its spot in the middle and a dot at its end.
    fn draw_path(&self, svg: &mut Svg, class: &str, paths: &Paths, plant: &Plant) {
        let path = paths.planted_positions(plant, &self.curves.context);
        let Some(spot) = plant_spot(plant, path).filter(|_| !path.is_empty()) else { return };
        let (right, up) = floor_axes(self.curves.context.floor.up());
        let (middle, scale) = (self.side / 2.0, self.side / (2.0 * self.reach));
        let to_svg = |index: usize| {
            let offset = path[index] - spot;
            let (x, y) = (self.corner.0 + middle, self.corner.1 + middle);
            (x + offset.dot(right) * scale, y - offset.dot(up) * scale)
        };
        // Decimated by the distance from the spot, so the farthest point is always drawn.
        let distances: Vec<f64> = path.iter().map(|point| point.distance(spot)).collect();
        svg.curve(
            class,
            decimate(&distances, PATH_RESOLUTION).into_iter().map(|(index, _)| Some(to_svg(index))),
        );
        svg.dot(&format!("dot {class}"), to_svg(path.len() - 1), 2.5, "");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::Hold;
    use surefoot_sample::{Kind, Recipe, Skate, make};

    #[test]
    fn paths_of_plants_of_half_the_strength_stay_within_their_cells() {
        let sample = |skate| make(&Recipe { kind: Kind::Stand, skate, ..Recipe::default() }).unwrap();
        let (still, mut clip) = (sample(None).motion, sample(Some(Skate::Drift(0.05))).into_clip());
        let before = clip.motion.clone();
        for (pose, still) in clip.motion.poses.iter_mut().zip(&still.poses) {
            pose.offsets[0] = pose.offsets[0].midpoint(still.offsets[0]);
        }
        // A motion that gives by half has hardly any drift, however long its path is.
        for plant in &mut clip.plants.plants {
            (plant.hold, plant.spot) = (Hold { strength: 0.5, ..Hold::default() }, None);
        }
        let plot = spots(&Curves::new(&clip, Some(&before)).unwrap()).unwrap();
        let bottom = TOP + (WIDTH - GAP * (COLUMNS - 1) as f64) / COLUMNS as f64;
        let paths = plot.svg.split("class=\"line ").skip(1).map(|rest| rest.split('"').nth(2).unwrap());
        let heights: Vec<f64> = paths
            .flat_map(|path| path.split(['M', 'L']).filter(|point| !point.is_empty()))
            .map(|point| point.split(' ').nth(1).unwrap().parse().unwrap())
            .collect();
        assert!(heights.len() > 100);
        assert!(heights.iter().all(|y| (TOP..bottom).contains(y)), "{heights:?}");
    }
}
