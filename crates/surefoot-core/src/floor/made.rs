//! A floor made from the plants themselves.
//!
//! Where a foot stood there was ground. A smooth height field goes through every such spot: each
//! place has the mean of the spots around it, the nearer counting more, so that it is never
//! higher than the highest or lower than the lowest. Where a free foot was captured well below
//! that, as between two steps of a stair, there was no ground so high, and it is lowered.

use std::collections::BTreeMap;

use super::Floor;
use super::surface::Surface;
use crate::footplants::{FootPoint, Footplants};
use crate::leg::Leg;
use crate::math::{Vec3, floor as round_down};
use crate::motion::Motion;
use crate::pose::WorldPose;

/// The side of a cell, in metres: a third of the way from ball to toe tip.
const CELL: f64 = 0.025;
/// A field of more heights has larger cells: memory and time stay small however far a body goes.
const MOST_HEIGHTS: f64 = 250_000.0;
/// Spots nearer than this to one another are one, in cells. Nearer, and two could lie on one
/// triangle, which cannot go through both.
const APART: f64 = 3.0;
/// Spots that differ by more in height are never one, in metres: the cleaner puts a plant on the
/// floor that is within 2 cm of it, and their mean is within 2 cm of both.
const ALIKE: f64 = 0.04;
/// How far the field goes on beyond the outermost spot, in metres: a foot's length and some more.
const MARGIN: f64 = 0.5;
/// A free foot this far below the field shows that the field is wrong, in metres. Less is noise.
const CONTRADICTS: f64 = 0.02;
/// How often the field is lowered where feet contradict it. Each time it goes nearer to them.
const ROUNDS: usize = 3;
/// A place has the mean of this many spots.
const AROUND: usize = 8;

impl Floor {
    /// A floor through the spots of the plants, as captured. None without a plant.
    ///
    /// All is in metres, Y up. Frames before `first_frame` are not looked at.
    pub fn from_plants(
        motion: &Motion,
        legs: &[Leg],
        plants: &Footplants,
        first_frame: usize,
    ) -> Option<Self> {
        let passes = passes(motion, legs, first_frame);
        let stands = stands(&passes, plants, first_frame);
        through(&stands, &passes).map(Self::from)
    }
}

/// Heel, ball and toe tip of one leg in one frame.
type Foot = [Vec3; 3];

/// Where every foot is: frame by frame, leg by leg.
struct Passes {
    legs: usize,
    feet: Vec<Foot>,
}

fn passes(motion: &Motion, legs: &[Leg], first_frame: usize) -> Passes {
    let mut placed = WorldPose::default();
    let mut feet = Vec::with_capacity(motion.frames() * legs.len());
    for pose in motion.poses.iter().skip(first_frame) {
        pose.forward_kinematics(&motion.skeleton, &mut placed);
        feet.extend(legs.iter().map(|leg| [leg.heel, leg.ball, leg.toe].map(|point| placed.point(&point))));
    }
    Passes { legs: legs.len(), feet }
}

/// Where each plant stands: at its spot, or at the mean of its point. With a ball the toes stand.
fn stands(passes: &Passes, plants: &Footplants, first_frame: usize) -> Vec<Vec3> {
    let frames = passes.feet.len().checked_div(passes.legs).unwrap_or(0);
    let mut stands = Vec::new();
    for plant in plants.plants.iter().filter(|plant| plant.leg < passes.legs) {
        let end = plant.frames.end.saturating_sub(first_frame).min(frames);
        let held = plant.frames.start.saturating_sub(first_frame).min(end)..end;
        let mean = |point: usize| {
            let places = held.clone().map(|frame| passes.feet[frame * passes.legs + plant.leg][point]);
            places.sum::<Vec3>() / held.len() as f64
        };
        if held.is_empty() {
            continue;
        }
        let point = if plant.point == FootPoint::Heel { 0 } else { 1 };
        let stand = plant.spot.unwrap_or_else(|| mean(point));
        stands.push(stand);
        if plant.point == FootPoint::Ball {
            stands.push(stand + mean(2) - mean(1));
        }
    }
    stands.retain(|stand| stand.is_finite());
    stands
}

/// A field through the places where feet stand, and not much above any place of a foot.
fn through(stands: &[Vec3], passes: &Passes) -> Option<Surface> {
    let low = stands.iter().copied().reduce(Vec3::min)? - Vec3::splat(MARGIN);
    let size = stands.iter().copied().reduce(Vec3::max)? + Vec3::splat(MARGIN) - low;
    let cell = CELL.max((size.x * size.z / MOST_HEIGHTS).sqrt());
    let count = |length: f64| (length / cell).ceil() as usize + 1;
    let field = Field { low, cell, columns: count(size.x), rows: count(size.z) };
    let mut spots = Spots::new(APART * cell);
    stands.iter().for_each(|&stand| spots.add(stand));
    let mut sites = spots.means();
    let mut surface = field.surface(&sites)?;
    for _ in 0..ROUNDS {
        let mut lower = Spots::new(APART * cell);
        for &place in passes.feet.iter().flatten() {
            let plane = surface.plane_under(place);
            let is_below = -plane.above(place) / plane.normal.y > CONTRADICTS;
            if is_below && field.holds(place) && !spots.is_near(place) {
                lower.add_lowest(place);
            }
        }
        let lower = lower.means();
        if lower.is_empty() {
            break;
        }
        sites.extend(lower);
        surface = field.surface(&sites)?;
    }
    Some(surface)
}

/// Places on the ground, those near one another taken together.
struct Spots {
    apart: f64,
    /// By square of the ground: sums of places and how many.
    squares: BTreeMap<(i64, i64), Vec<(Vec3, f64)>>,
}

impl Spots {
    fn new(apart: f64) -> Self {
        Self { apart, squares: BTreeMap::new() }
    }

    fn square(&self, place: Vec3) -> (i64, i64) {
        (round_down(place.x / self.apart) as i64, round_down(place.z / self.apart) as i64)
    }

    /// Takes a place together with the nearest that is alike, if one is near.
    fn add(&mut self, place: Vec3) {
        let is_alike = |mean: Vec3| (mean.y - place.y).abs() <= ALIKE;
        match self.near(place, is_alike) {
            Some((square, index)) => {
                if let Some(spot) = self.squares.get_mut(&square).and_then(|spots| spots.get_mut(index)) {
                    *spot = (spot.0 + place, spot.1 + 1.0);
                }
            }
            None => self.squares.entry(self.square(place)).or_default().push((place, 1.0)),
        }
    }

    /// Takes a place instead of a higher one near it, or leaves it.
    fn add_lowest(&mut self, place: Vec3) {
        match self.near(place, |_| true) {
            Some((square, index)) => {
                let spot = self.squares.get_mut(&square).and_then(|spots| spots.get_mut(index));
                if let Some(spot) = spot.filter(|spot| spot.0.y > place.y) {
                    spot.0.y = place.y;
                }
            }
            None => self.squares.entry(self.square(place)).or_default().push((place, 1.0)),
        }
    }

    fn is_near(&self, place: Vec3) -> bool {
        self.near(place, |_| true).is_some()
    }

    /// The nearest spot within the distance that counts as one.
    fn near(&self, place: Vec3, counts: impl Fn(Vec3) -> bool) -> Option<((i64, i64), usize)> {
        let (x, z) = self.square(place);
        let mut best = None;
        let mut nearest = self.apart * self.apart;
        for square in (x - 1..=x + 1).flat_map(|x| (z - 1..=z + 1).map(move |z| (x, z))) {
            for (index, &(sum, count)) in self.squares.get(&square).into_iter().flatten().enumerate() {
                let mean = sum / count;
                let far = from_above(mean, place);
                if far < nearest && counts(mean) {
                    (best, nearest) = (Some((square, index)), far);
                }
            }
        }
        best
    }

    fn means(&self) -> Vec<Vec3> {
        self.squares.values().flatten().map(|&(sum, count)| sum / count).collect()
    }
}

/// The square of how far two places are from each other, seen from above.
fn from_above(one: Vec3, other: Vec3) -> f64 {
    (one.x - other.x) * (one.x - other.x) + (one.z - other.z) * (one.z - other.z)
}

/// Where the heights of a field are.
struct Field {
    low: Vec3,
    cell: f64,
    columns: usize,
    rows: usize,
}

impl Field {
    fn holds(&self, place: Vec3) -> bool {
        let (x, z) = ((place.x - self.low.x) / self.cell, (place.z - self.low.z) / self.cell);
        x >= 0.0 && z >= 0.0 && x <= (self.columns - 1) as f64 && z <= (self.rows - 1) as f64
    }

    /// The field through these sites.
    fn surface(&self, sites: &[Vec3]) -> Option<Surface> {
        let mut sorted = sites.to_vec();
        sorted.sort_by(|one, other| one.z.total_cmp(&other.z).then(one.x.total_cmp(&other.x)));
        let mut heights = Vec::with_capacity(self.columns * self.rows);
        for row in 0..self.rows {
            for column in 0..self.columns {
                let ahead = Vec3::new(column as f64, 0.0, row as f64) * self.cell;
                heights.push(mean_around(self.low + ahead, &sorted));
            }
        }
        self.go_through(&sorted, &mut heights);
        let low = (self.low.x, self.low.z);
        Surface::from_heights(low, (self.cell, self.cell), self.columns, heights).ok()
    }

    /// Moves the corners of each site's triangle by the least that makes it go through the site.
    ///
    /// Sites lie too far apart to share a corner, but for those that differ in height; a few
    /// rounds settle these.
    fn go_through(&self, sites: &[Vec3], heights: &mut [f64]) {
        /// Rounds, and how near is near enough, in metres.
        const SETTLES: (usize, f64) = (50, 1e-12);
        for _ in 0..SETTLES.0 {
            let mut off: f64 = 0.0;
            for site in sites {
                let corners = self.corners(*site);
                let now: f64 = corners.iter().map(|&(index, share)| heights[index] * share).sum();
                let squares: f64 = corners.iter().map(|(_, share)| share * share).sum();
                let by = (site.y - now) / squares;
                corners.iter().for_each(|&(index, share)| heights[index] += by * share);
                off = off.max((site.y - now).abs());
            }
            if off <= SETTLES.1 {
                break;
            }
        }
    }

    /// The corners of the triangle under a place, and the share each has in its height.
    fn corners(&self, place: Vec3) -> [(usize, f64); 3] {
        let within = |at: f64, count: usize| {
            let cell = (at as usize).min(count - 2);
            (cell, (at - cell as f64).clamp(0.0, 1.0))
        };
        let (column, right) = within((place.x - self.low.x) / self.cell, self.columns);
        let (row, far) = within((place.z - self.low.z) / self.cell, self.rows);
        let at = row * self.columns + column;
        // Split as every field is: from the corner on the right to the far one.
        let (at_right, at_far) = (at + 1, at + self.columns);
        if right + far <= 1.0 {
            [(at, 1.0 - right - far), (at_right, right), (at_far, far)]
        } else {
            [(at_far + 1, right + far - 1.0), (at_far, 1.0 - right), (at_right, 1.0 - far)]
        }
    }
}

/// The mean height of the nearest sites, which are sorted by Z.
///
/// Each counts by `(1/d − 1/r)³`, d its distance and r that of the first site left out: the mean
/// is smooth, a site has its own height, and one that comes into view counts nothing yet.
fn mean_around(place: Vec3, sites: &[Vec3]) -> f64 {
    let mut near = [(f64::INFINITY, 0.0); AROUND + 1];
    let middle = sites.partition_point(|site| site.z < place.z);
    let (mut back, mut ahead) = (middle, middle);
    let away = |index: usize| (sites[index].z - place.z) * (sites[index].z - place.z);
    loop {
        let behind = back.checked_sub(1).map(|index| (away(index), index));
        let before = (ahead < sites.len()).then(|| (away(ahead), ahead));
        let next = match (behind, before) {
            (Some(one), Some(other)) if one.0 <= other.0 => one,
            (_, Some(other)) => other,
            (Some(one), None) => one,
            (None, None) => break,
        };
        if next.0 >= near[AROUND].0 {
            break;
        }
        if next.1 < middle {
            back -= 1
        } else {
            ahead += 1
        }
        put(&mut near, (from_above(sites[next.1], place), sites[next.1].y));
    }
    let most = near[AROUND].0.sqrt();
    let (mut sum, mut weights) = (0.0, 0.0);
    for &(square, height) in near[..AROUND].iter().filter(|(square, _)| square.is_finite()) {
        // A site under the place itself would count without end.
        let weight = 1.0 / square.sqrt().max(1e-9) - 1.0 / most;
        let weight = weight * weight * weight;
        sum += weight * height;
        weights += weight;
    }
    // All sites equally far: none counts more than another.
    if weights > 0.0 { sum / weights } else { near[0].1 }
}

/// Puts a site in its place among the nearest; the farthest falls out.
fn put(near: &mut [(f64, f64); AROUND + 1], site: (f64, f64)) {
    let mut at = AROUND;
    if site.0 >= near[at].0 {
        return;
    }
    while at > 0 && near[at - 1].0 > site.0 {
        near[at] = near[at - 1];
        at -= 1;
    }
    near[at] = site;
}
