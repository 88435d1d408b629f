//! The cells of a strip: their size, and the figures in them.

use super::figure::{Figure, LegFigure, Point};
use crate::plot::WIDTH;
use crate::plot::svg::{Anchor, Svg};

/// Height of the tallest figure, in pixels.
const TALLEST: f64 = 132.0;
/// Fewest and most cells in a line. A lying figure is as wide as several standing ones.
const COLUMNS: (usize, usize) = (4, 16);
/// Space between figures, in pixels.
const GAP: f64 = 10.0;
/// Space above the figures, in pixels.
const ABOVE: f64 = 8.0;
/// Height of the number below a figure, in pixels.
const BELOW: f64 = 24.0;

/// Cells of one size, and the scale of the figures in them.
pub(super) struct Cells {
    pub columns: usize,
    /// Pixels per metre.
    scale: f64,
    /// The leftmost and lowest point of any figure, in metres.
    low: Point,
    /// Width and height of the box around all figures, in metres.
    size: Point,
}

/// The upper left corner of a cell, in pixels.
pub(super) struct Cell {
    corner: (f64, f64),
}

impl Cells {
    /// Cells that are large enough for every figure: `columns` in a line, or as many as fit.
    pub fn around(samples: &[[Option<Figure>; 2]], columns: Option<usize>) -> Self {
        let (mut low, mut high) = ((0.0, 0.0), (0.0, 0.0));
        for (x, y) in samples.iter().flatten().flatten().flat_map(Figure::points) {
            low = (f64::min(low.0, x), f64::min(low.1, y));
            high = (f64::max(high.0, x), f64::max(high.1, y));
        }
        // A body without size is drawn as if it were 1 cm wide and high.
        let size = (f64::max(high.0 - low.0, 0.01), f64::max(high.1 - low.1, 0.01));
        let fits = |columns: usize| (WIDTH / columns as f64 - GAP) / size.0;
        let scale = f64::min(TALLEST / size.1, fits(columns.unwrap_or(COLUMNS.0)));
        let most = (WIDTH / (size.0 * scale + GAP)) as usize;
        let columns = columns.unwrap_or(most.clamp(COLUMNS.0, COLUMNS.1));
        Self { columns, scale, low, size }
    }

    /// The height of a line of cells, in pixels.
    pub fn height(&self) -> f64 {
        ABOVE + self.size.1 * self.scale + BELOW
    }

    /// The cell with this index, in lines that start at `top`.
    pub fn place(&self, index: usize, top: f64) -> Cell {
        let (column, row) = (index % self.columns, index / self.columns);
        Cell { corner: (column as f64 * self.width(), top + row as f64 * self.height()) }
    }

    fn width(&self) -> f64 {
        WIDTH / self.columns as f64
    }

    pub fn to_pixels(&self, cell: &Cell, (x, y): Point) -> (f64, f64) {
        let left = cell.corner.0 + 0.5 * (self.width() - self.size.0 * self.scale);
        let floor = cell.corner.1 + ABOVE + (self.size.1 + self.low.1) * self.scale;
        (left + (x - self.low.0) * self.scale, floor - y * self.scale)
    }

    /// Draws the floor, the figures before and after, and the number of the frame.
    pub fn draw(&self, svg: &mut Svg, cell: &Cell, figures: &[Option<Figure>; 2], frame: usize) {
        let (left, width) = (cell.corner.0, self.width());
        let to_pixels = |at: Point| self.to_pixels(cell, at);
        if let Some(figure) = figures.iter().flatten().next() {
            let inside = |x: f64| x.clamp(left + 1.0, left + width - 1.0);
            let line = figure.floor.iter().map(|&at| to_pixels(at)).map(|(x, y)| Some((inside(x), y)));
            svg.curve("axis", line);
        }
        for (figure, class) in figures.iter().zip(["pose-before", "pose-after"]) {
            figure.iter().for_each(|figure| draw_figure(svg, figure, class, &to_pixels));
        }
        let below = cell.corner.1 + self.height() - 8.0;
        svg.text("tick", (left + 0.5 * width, below), Anchor::Middle, &frame.to_string());
    }
}

/// Draws trunk and legs; the farther leg is thinner.
fn draw_figure(svg: &mut Svg, figure: &Figure, class: &str, to_pixels: &dyn Fn(Point) -> (f64, f64)) {
    draw_lines(svg, &format!("{class} pose-trunk"), &figure.trunk, to_pixels);
    let last = figure.legs.len().saturating_sub(1);
    for (index, leg) in figure.legs.iter().enumerate() {
        let depth = if index < last { "pose-far" } else { "pose-near" };
        draw_leg(svg, leg, &format!("{class} {depth}"), to_pixels);
    }
}

/// Draws a leg, its foot and its sole.
pub(super) fn draw_leg(svg: &mut Svg, leg: &LegFigure, class: &str, to_pixels: &dyn Fn(Point) -> (f64, f64)) {
    draw_lines(svg, class, &leg.bones, to_pixels);
    draw_lines(svg, &format!("{class} pose-foot"), &leg.foot(), to_pixels);
    svg.curve(&format!("{class} pose-sole"), leg.sole().map(|at| Some(to_pixels(at))));
}

fn draw_lines(svg: &mut Svg, class: &str, lines: &[[Point; 2]], to_pixels: &dyn Fn(Point) -> (f64, f64)) {
    let points = lines.iter().flat_map(|[from, to]| [Some(to_pixels(*from)), Some(to_pixels(*to)), None]);
    svg.curve(class, points);
}
