//! Plot of a distance map of two motions, with crossings.

use super::svg::{Anchor, Mark, Svg};
use super::ticks::ticks;
use super::{Plot, WIDTH};

/// The content of the plot of a distance map.
#[derive(Clone, Copy, Debug)]
pub struct MapPlot<'a> {
    /// Names of the motions: the first is the horizontal axis, the second the vertical one.
    pub names: [&'a str; 2],
    /// Number of sampled frames of each motion.
    pub size: [usize; 2],
    /// Distances in metres: for each frame of the first motion, all frames of the second.
    pub cells: &'a [f32],
    /// Time between sampled frames, in seconds.
    pub step: f64,
    /// Crossings, in seconds of each motion, best first.
    pub marks: &'a [(f64, f64)],
    /// Index of the chosen crossing.
    pub chosen: Option<usize>,
    /// Time alignment, in seconds of each motion.
    pub path: &'a [(f64, f64)],
}

/// Largest number of cells along each axis. More would not be visible on a printed page.
const MAX_CELLS: usize = 200;

/// Colours from small to large distances, dark to light, so that the plot works in greyscale.
const COLOURS: [&str; 12] = [
    "#2d0b4e", "#43157a", "#4b3492", "#3f5399", "#2f6f98", "#23898f", "#23a283", "#47b96f", "#7bcb55",
    "#b2d845", "#dfe15d", "#f7f3b8",
];

/// Margins of the map, in pixels.
const LEFT: f64 = 56.0;
const RIGHT: f64 = 120.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 40.0;

/// Plots a distance map; dark cells are similar poses.
pub fn map(plot: &MapPlot) -> Plot {
    let [across, up] = plot.size;
    let wide = WIDTH - LEFT - RIGHT;
    // Equal time scales, within limits for motions of very different lengths.
    let tall = (wide * up as f64 / across.max(1) as f64).clamp(0.25 * wide, 1.3 * wide);
    let height = TOP + tall + BOTTOM;
    let title = "Distance between poses";
    let mut svg = Svg::new(WIDTH, height, title);
    let legend: &[(Mark, &str)] = match (plot.path.is_empty(), plot.marks.is_empty()) {
        (false, _) => &[(Mark::Line("before"), "time alignment")],
        (true, false) => &[(Mark::Place, "transitions, best first")],
        (true, true) => &[],
    };
    svg.heading((LEFT, 14.0), title, legend);
    let scale = |seconds: (f64, f64)| {
        let long = |count: usize| (count.saturating_sub(1).max(1)) as f64 * plot.step;
        (LEFT + wide * seconds.0 / long(across), TOP + tall * (1.0 - seconds.1 / long(up)))
    };
    let coarse = Coarse::new(plot);
    coarse.draw(&mut svg, (wide, tall));
    axes(&mut svg, plot, &scale, (wide, tall));
    svg.curve("under", plot.path.iter().map(|&at| Some(scale(at))));
    svg.curve("before", plot.path.iter().map(|&at| Some(scale(at))));
    for (n, &at) in plot.marks.iter().enumerate().rev() {
        let (x, y) = scale(at);
        let is_chosen = plot.chosen == Some(n);
        let hint = format!("{}: {:.2} s of the first, {:.2} s of the second", n + 1, at.0, at.1);
        svg.dot("dot after", (x, y), if is_chosen { 6.0 } else { 4.0 }, &hint);
        svg.text("halo", (x + 14.0, y + 4.0), Anchor::Middle, &(n + 1).to_string());
    }
    coarse.key(&mut svg, tall);
    Plot { title: title.into(), height, svg: svg.finish() }
}

fn axes(svg: &mut Svg, plot: &MapPlot, scale: &dyn Fn((f64, f64)) -> (f64, f64), (wide, tall): (f64, f64)) {
    let ends = plot.size.map(|count| count.saturating_sub(1) as f64 * plot.step);
    let seconds = ticks(0.0, ends[0], 10);
    for &time in &seconds.at {
        svg.text("tick", (scale((time, 0.0)).0, TOP + tall + 16.0), Anchor::Middle, &seconds.label(time));
    }
    let seconds = ticks(0.0, ends[1], 10);
    for &time in &seconds.at {
        svg.text("tick", (LEFT - 6.0, scale((0.0, time)).1 + 4.0), Anchor::End, &seconds.label(time));
    }
    let cut = |name: &str| {
        if name.chars().count() <= 40 {
            name.to_owned()
        } else {
            name.chars().take(39).chain(['…']).collect()
        }
    };
    svg.text(
        "tick",
        (LEFT + wide / 2.0, TOP + tall + 32.0),
        Anchor::Middle,
        &format!("{}, s →", cut(plot.names[0])),
    );
    svg.text_upwards("tick", (14.0, TOP + tall / 2.0), &format!("{}, s →", cut(plot.names[1])));
}

/// The map with fewer cells and twelve colours.
struct Coarse {
    size: [usize; 2],
    /// For each cell, the smallest distance of the original cells that it replaces.
    cells: Vec<f32>,
    /// The upper distance of each colour.
    steps: [f32; COLOURS.len()],
}

impl Coarse {
    fn new(plot: &MapPlot) -> Self {
        let [across, up] = plot.size;
        let every = across.max(up).div_ceil(MAX_CELLS).max(1);
        let size = [across.div_ceil(every), up.div_ceil(every)];
        let mut cells = vec![f32::INFINITY; size[0] * size[1]];
        for x in 0..across {
            for y in 0..up {
                let cell = &mut cells[(x / every) * size[1] + y / every];
                *cell = cell.min(plot.cells[x * up + y]);
            }
        }
        // Quantiles, so that valleys are visible whatever the largest distance.
        let mut sorted = cells.clone();
        sorted.sort_by(f32::total_cmp);
        let rank = |n: usize| {
            // Few cells get the colours of small distances.
            let share = (n + 1) as f64 / COLOURS.len() as f64;
            sorted.get(((share * share) * (sorted.len() - 1) as f64) as usize).copied().unwrap_or(0.0)
        };
        let steps = core::array::from_fn(|n| if sorted.is_empty() { 0.0 } else { rank(n) });
        Self { size, cells, steps }
    }

    fn colour(&self, cell: f32) -> usize {
        self.steps.partition_point(|&step| step < cell).min(COLOURS.len() - 1)
    }

    fn draw(&self, svg: &mut Svg, (wide, tall): (f64, f64)) {
        let [across, up] = self.size;
        let (cell_wide, cell_tall) = (wide / across.max(1) as f64, tall / up.max(1) as f64);
        let mut runs: Vec<Vec<(f64, f64, f64)>> = vec![Vec::new(); COLOURS.len()];
        for y in 0..up {
            let mut x = 0;
            while x < across {
                let colour = self.colour(self.cells[x * up + y]);
                let from = x;
                while x < across && self.colour(self.cells[x * up + y]) == colour {
                    x += 1;
                }
                let line = TOP + tall - (y as f64 + 0.5) * cell_tall;
                runs[colour].push((LEFT + from as f64 * cell_wide, line, (x - from) as f64 * cell_wide));
            }
        }
        for (colour, runs) in COLOURS.iter().zip(runs).filter(|(_, runs)| !runs.is_empty()) {
            svg.cells(colour, cell_tall, runs);
        }
    }

    /// The colour key.
    fn key(&self, svg: &mut Svg, tall: f64) {
        let left = WIDTH - RIGHT + 24.0;
        let each = (tall / COLOURS.len() as f64).min(18.0);
        for (n, colour) in COLOURS.iter().enumerate() {
            let y = TOP + (n as f64 + 0.5) * each;
            svg.cells(colour, each, [(left, y, 16.0)]);
            svg.text(
                "tick",
                (left + 66.0, y + 4.0),
                Anchor::End,
                &format!("{:.1} cm", self.steps[n] * 100.0),
            );
        }
    }
}
