//! The foot or knee of an event enlarged, in one cell for each frame.

use super::AROUND_EVENT;
use super::cells::draw_leg;
use super::figure::{Actors, Figure, LegFigure, Point};
use crate::events::{Event, EventPoint};
use crate::plot::WIDTH;
use crate::plot::svg::Svg;

/// Space between cells, in pixels.
const GAP: f64 = 6.0;
/// Height of a cell ÷ its width.
const ASPECT: f64 = 0.8;
/// Space below the cells, in pixels.
const BELOW: f64 = 6.0;
/// Width of a cell ÷ length of the foot or of the leg from knee to ankle.
const ZOOM: f64 = 1.35;
/// Share of the cell below the lowest point.
const FOOTROOM: f64 = 0.2;

/// The cells below a line of figures.
pub(super) struct CloseUp {
    /// Before and after, in each frame.
    legs: Vec<[Option<LegFigure>; 2]>,
    floors: Vec<Vec<Point>>,
    point: EventPoint,
    /// Pixels per metre.
    scale: f64,
    /// The height at the bottom of all cells, in metres.
    bottom: f64,
}

impl CloseUp {
    pub fn new(actors: &Actors, event: &Event, frames: &[usize]) -> Self {
        let index = actors.leg_of(event);
        let own = |figure: Option<Figure>| {
            figure.and_then(|figure| figure.legs.into_iter().find(|leg| Some(leg.leg) == index))
        };
        let figures: Vec<[Option<Figure>; 2]> = frames.iter().map(|&frame| actors.figures(frame)).collect();
        let floors = figures.iter().map(|[before, after]| {
            before.as_ref().or(after.as_ref()).map_or_else(Vec::new, |figure| figure.floor.clone())
        });
        let floors = floors.collect();
        let legs: Vec<[Option<LegFigure>; 2]> = figures.into_iter().map(|pair| pair.map(own)).collect();
        let all = || legs.iter().flatten().flatten();
        let length = all().map(|leg| size(leg, event.point)).fold(0.01, f64::max);
        let scale = cell_width() / (ZOOM * length);
        let lowest = all().map(|leg| lowest(leg, event.point)).fold(f64::INFINITY, f64::min);
        let bottom = lowest - FOOTROOM * cell_height() / scale;
        Self { legs, floors, point: event.point, scale, bottom }
    }

    /// The height of the cells with the space below them, in pixels.
    pub fn height(&self) -> f64 {
        cell_height() + BELOW
    }

    pub fn draw(&self, svg: &mut Svg, top: f64) {
        for (index, (legs, floor)) in self.legs.iter().zip(&self.floors).enumerate() {
            let corner = (index as f64 * WIDTH / AROUND_EVENT as f64 + 0.5 * GAP, top);
            svg.begin_clipped(corner, (cell_width(), cell_height()));
            svg.rect("cell", (0.5, 0.5), (cell_width() - 1.0, cell_height() - 1.0), "");
            self.draw_cell(svg, legs, floor);
            svg.end_clipped();
        }
    }

    /// Draws one cell, centred on the captured foot or knee: a foot that stands stays where it is.
    fn draw_cell(&self, svg: &mut Svg, legs: &[Option<LegFigure>; 2], floor: &[Point]) {
        let Some(captured) = legs.iter().flatten().next() else { return };
        let middle = centre(captured, self.point);
        let to_pixels = |(x, y): Point| {
            let right = 0.5 * cell_width() + (x - middle) * self.scale;
            (right, cell_height() - (y - self.bottom) * self.scale)
        };
        svg.curve("axis", floor.iter().map(|&at| Some(to_pixels(at))));
        for (leg, class) in legs.iter().zip(["pose-before pose-close", "pose-after pose-close"]) {
            leg.iter().for_each(|leg| draw_leg(svg, leg, class, &to_pixels));
        }
    }
}

fn cell_width() -> f64 {
    WIDTH / AROUND_EVENT as f64 - GAP
}

fn cell_height() -> f64 {
    ASPECT * cell_width()
}

/// The length that the cell must show, in metres.
fn size(leg: &LegFigure, point: EventPoint) -> f64 {
    match point {
        EventPoint::Knee => distance(leg.knee, leg.ankle),
        _ => distance(leg.heel, leg.toe),
    }
}

/// The horizontal centre of the cell, in metres.
fn centre(leg: &LegFigure, point: EventPoint) -> f64 {
    match point {
        EventPoint::Knee => leg.knee.0,
        _ => 0.5 * (leg.heel.0 + leg.toe.0),
    }
}

/// The lowest point that the cell must show, in metres.
fn lowest(leg: &LegFigure, point: EventPoint) -> f64 {
    match point {
        EventPoint::Knee => 0.5 * (leg.knee.1 + leg.ankle.1),
        _ => leg.lowest().1,
    }
}

fn distance(a: Point, b: Point) -> f64 {
    surefoot_core::math::hypot(a.0 - b.0, a.1 - b.1)
}
