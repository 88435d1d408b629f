//! Paths of the feet, seen from above.

use super::contours::{Contours, Patch, contours};
use super::svg::{Anchor, Mark, Svg};
use super::ticks::ticks;
use super::{Curves, Plot, WIDTH};
use crate::paths::Paths;
use std::collections::HashSet;
use surefoot_core::math::{atan2, sincos};
use surefoot_core::{FootPoint, Vec3};

/// Left margin for the names of the legs, in pixels.
const LEFT: f64 = 58.0;
/// Right margin, in pixels.
const RIGHT: f64 = 14.0;
/// Top margin for title and legend, in pixels.
const TOP: f64 = 26.0;
/// Bottom margin for the numbers of metres, in pixels.
const BOTTOM: f64 = 20.0;
/// Largest height of the map, in pixels; taller paths are drawn at a smaller scale.
const TALLEST: f64 = 420.0;

/// Smallest distance between drawn points, in pixels.
const NEAR: f64 = 0.7;

/// Paths of heels and balls seen from above, before and after. Dots are plants, and uneven ground has
/// contours.
///
/// The direction of travel is from left to right.
pub fn ground(curves: &Curves) -> Vec<Plot> {
    if curves.context.legs.is_empty() || curves.pair.after.frames == 0 {
        return Vec::new();
    }
    let view = View::of(curves);
    let ground = contours(&curves.context.floor, &view.patch(curves));
    [FootPoint::Heel, FootPoint::Ball].map(|point| draw(curves, point, &view, ground.as_ref())).into()
}

/// The view from above: two directions on the floor, and the plotted range.
pub(crate) struct View {
    right: Vec3,
    up: Vec3,
    low: (f64, f64),
    scale: f64,
    size: (f64, f64),
}

impl View {
    /// A view that contains all feet, with the direction of travel from left to right.
    pub(super) fn of(curves: &Curves) -> Self {
        let (right, up) = directions(curves);
        let flat = |point: &Vec3| (point.dot(right), point.dot(up));
        let all: Vec<(f64, f64)> = both(curves)
            .flat_map(|paths| paths.legs.iter().flat_map(|leg| leg.heel.iter().chain(&leg.ball)))
            .map(flat)
            .collect();
        let span = |pick: fn(&(f64, f64)) -> f64| {
            let low = all.iter().map(pick).fold(f64::INFINITY, f64::min);
            let high = all.iter().map(pick).fold(f64::NEG_INFINITY, f64::max);
            // A margin of 10 cm, which also gives motionless feet a range.
            (low - 0.1, high - low + 0.2)
        };
        let ((x, wide), (y, tall)) = (span(|at| at.0), span(|at| at.1));
        let scale = f64::min((WIDTH - LEFT - RIGHT) / wide, TALLEST / tall);
        Self { right, up, low: (x, y), scale, size: (wide, tall) }
    }

    /// The plotted ground; only ground below the highest foot is searched.
    fn patch(&self, curves: &Curves) -> Patch {
        let feet = both(curves).flat_map(|paths| paths.legs.iter().flat_map(|leg| &leg.heel));
        let from = feet.map(|heel| heel.y).fold(f64::NEG_INFINITY, f64::max);
        Patch { axes: (self.right, self.up), low: self.low, size: self.size, from }
    }

    fn height(&self) -> f64 {
        self.size.1 * self.scale
    }

    fn x(&self, metres: f64) -> f64 {
        LEFT + (metres - self.low.0) * self.scale
    }

    fn y(&self, metres: f64) -> f64 {
        TOP + self.height() - (metres - self.low.1) * self.scale
    }

    /// The height of a plot of this view, in pixels.
    pub(super) fn plot_height(&self) -> f64 {
        TOP + self.height() + BOTTOM
    }

    /// Title and legend of a plot of this view.
    pub(super) fn draw_heading(&self, svg: &mut Svg, title: &str, legend: &[(Mark, &str)]) {
        svg.heading((LEFT, 14.0), title, legend);
    }

    pub(super) fn place(&self, point: Vec3) -> (f64, f64) {
        (self.x(point.dot(self.right)), self.y(point.dot(self.up)))
    }
}

/// Directions on the floor of right and up in the plot; right is the direction of travel.
fn directions(curves: &Curves) -> (Vec3, Vec3) {
    let (right, up) = floor_axes(curves.context.floor.up());
    let flat: Vec<(f64, f64)> =
        curves.pair.after.root.iter().map(|point| (point.dot(right), point.dot(up))).collect();
    let count = flat.len().max(1) as f64;
    let (x, y) = flat.iter().fold((0.0, 0.0), |sum, at| (sum.0 + at.0 / count, sum.1 + at.1 / count));
    let (xx, xy, yy) = flat.iter().fold((0.0, 0.0, 0.0), |sum, at| {
        let (dx, dy) = (at.0 - x, at.1 - y);
        (sum.0 + dx * dx, sum.1 + dx * dy, sum.2 + dy * dy)
    });
    // The principal axis of the root path.
    let (sin, cos) = sincos(0.5 * atan2(2.0 * xy, xx - yy));
    let along = right * cos + up * sin;
    let ends = curves.pair.after.root.first().zip(curves.pair.after.root.last());
    let backwards = ends.is_some_and(|(first, last)| (*last - *first).dot(along) < 0.0);
    let along = if backwards { -along } else { along };
    (along, curves.context.floor.up().cross(along))
}

/// Two orthogonal directions along the floor; X and −Z for a level floor.
pub(crate) fn floor_axes(normal: Vec3) -> (Vec3, Vec3) {
    // A vertical floor across X has no X direction along it.
    let along = if normal.x.abs() < 0.9 { Vec3::X } else { Vec3::Z };
    let right = (along - normal * normal.dot(along)).normalize_or(Vec3::X);
    (right, normal.cross(right))
}

fn both<'a>(curves: &'a Curves) -> impl Iterator<Item = &'a Paths> {
    curves.pair.before.iter().chain([&curves.pair.after])
}

fn draw(curves: &Curves, point: FootPoint, view: &View, ground: Option<&Contours>) -> Plot {
    let height = view.plot_height();
    let title = format!("{}s, seen from above", point.as_str());
    let mut svg = Svg::new(WIDTH, height, &title);
    let levels = ground.map(|ground| format!("ground, every {} cm", round(100.0 * ground.levels.step)));
    let mut legend = legend(curves);
    legend.extend(levels.iter().map(|label| (Mark::Line("contour"), label.as_str())));
    view.draw_heading(&mut svg, &title, &legend);
    draw_axes(&mut svg, view, height);
    if let Some(Contours { pieces, .. }) = ground {
        let place = |(right, up): (f64, f64)| Some((view.x(right), view.y(up)));
        svg.curve("contour", pieces.iter().flat_map(|[from, to]| [place(*from), place(*to), None]));
    }
    let motions = curves.pair.before.iter().map(|paths| ("before", paths));
    for (class, paths) in motions.chain([("after", &curves.pair.after)]) {
        for leg in &paths.legs {
            svg.curve(class, thinned(leg.point(point).iter().map(|&point| view.place(point))));
        }
    }
    draw_spots(&mut svg, curves, point, view);
    draw_names(&mut svg, curves, point, view);
    Plot { title, height, svg: svg.finish() }
}

/// The name of each leg at the start of its path, moved down where names would overlap.
pub(super) fn draw_names(svg: &mut Svg, curves: &Curves, point: FootPoint, view: &View) {
    /// Height and width of a name, in pixels.
    const ROOM: (f64, f64) = (13.0, 60.0);
    let start = |leg: usize| view.place(curves.pair.after.legs[leg].point(point)[0]);
    let mut names: Vec<_> = (0..curves.context.legs.len()).map(|leg| (start(leg), leg)).collect();
    names.sort_by(|a, b| a.0.1.total_cmp(&b.0.1));
    let mut set: Vec<(f64, f64)> = Vec::new();
    for ((x, mut y), leg) in names {
        for other in set.iter().filter(|other| (other.0 - x).abs() < ROOM.1) {
            y = y.max(other.1 + ROOM.0);
        }
        set.push((x, y));
        svg.text("halo", (x - 8.0, y + 4.0), Anchor::End, &curves.side(leg));
    }
}

/// A number with at most two decimals, without trailing zeros.
fn round(number: f64) -> String {
    format!("{number:.2}").trim_end_matches('0').trim_end_matches('.').into()
}

fn legend<'a>(curves: &Curves) -> Vec<(Mark, &'a str)> {
    let lines = [(Mark::Line("before"), curves.names[0]), (Mark::Line("after"), curves.names[1])];
    let lines = lines.into_iter().filter(|_| curves.pair.before.is_some());
    lines.chain([(Mark::Spot, "plant")]).collect()
}

pub(super) fn draw_axes(svg: &mut Svg, view: &View, height: f64) {
    let (right, bottom) = (view.x(view.low.0 + view.size.0), view.y(view.low.1));
    // Ticks start at the corner of the plot, since absolute positions have no meaning here.
    let across = ticks(0.0, view.size.0, 12);
    for &metres in &across.at {
        let x = view.x(view.low.0 + metres);
        svg.line("grid", (x, TOP), (x, bottom));
        let last = Some(&metres) == across.at.last();
        let label = across.label(metres) + if last { " m" } else { "" };
        svg.text("tick", (x, height - 6.0), Anchor::Middle, &label);
    }
    // The same step vertically: the squares show that both axes have one scale.
    let rows = (view.size.1 / across.step) as usize;
    for row in 0..=rows {
        let y = view.y(view.low.1 + row as f64 * across.step);
        svg.line("grid", (LEFT, y), (right, y));
    }
}

/// A dot at the mean position of each plant after cleaning.
fn draw_spots(svg: &mut Svg, curves: &Curves, point: FootPoint, view: &View) {
    for plant in curves.context.plants.plants.iter().filter(|plant| plant.point == point) {
        let positions = curves.pair.after.planted_positions(plant, &curves.context);
        if positions.is_empty() {
            continue;
        }
        let middle = positions.iter().sum::<Vec3>() / positions.len() as f64;
        let side = curves.side(plant.leg);
        let hint = format!(
            "{side} {} {}–{}",
            curves.context.legs[plant.leg].point_name(point),
            plant.frames.start,
            plant.frames.end - 1
        );
        svg.dot("spot", view.place(middle), 3.5, &hint);
    }
}

/// A path in pixels, without points close to the previous one and without parts that were drawn
/// before. This bounds the size of the plot for a body that paces one room for an hour.
pub(super) fn thinned(path: impl IntoIterator<Item = (f64, f64)>) -> Vec<Option<(f64, f64)>> {
    let cell = |at: (f64, f64)| (at.0.round() as i32, at.1.round() as i32);
    let mut drawn = HashSet::new();
    let mut points: Vec<Option<(f64, f64)>> = Vec::new();
    let mut last: Option<(f64, f64)> = None;
    for at in path {
        match last {
            Some(from) if (at.0 - from.0).abs().max((at.1 - from.1).abs()) < NEAR => continue,
            Some(from) if !drawn.insert((cell(from), cell(at))) => points.push(None),
            Some(from) if points.last() == Some(&None) => points.extend([Some(from), Some(at)]),
            _ => points.push(Some(at)),
        }
        last = Some(at);
    }
    points
}
