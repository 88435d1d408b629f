//! Interpolates scattered heights to a height field: modified Shepard's method.

use super::surface::Surface;
use crate::math::Vec3;

/// Nearest sites that determine the height of a position. More make the field smoother and slower.
const SITES: usize = 8;

/// Position and size of a height field.
pub(super) struct FieldLayout {
    pub low: Vec3,
    /// Distance between neighbouring heights, in metres.
    pub cell: f64,
    pub columns: usize,
    pub rows: usize,
}

impl FieldLayout {
    /// Whether a position is above or below the field.
    pub fn contains(&self, position: Vec3) -> bool {
        let (x, z) = ((position.x - self.low.x) / self.cell, (position.z - self.low.z) / self.cell);
        x >= 0.0 && z >= 0.0 && x <= (self.columns - 1) as f64 && z <= (self.rows - 1) as f64
    }

    /// The height field that passes through these sites.
    pub fn interpolate(&self, sites: &[Vec3]) -> Option<Surface> {
        let mut sorted = sites.to_vec();
        sorted.sort_by(|one, other| one.z.total_cmp(&other.z).then(one.x.total_cmp(&other.x)));
        let mut heights = Vec::with_capacity(self.columns * self.rows);
        for row in 0..self.rows {
            for column in 0..self.columns {
                let ahead = Vec3::new(column as f64, 0.0, row as f64) * self.cell;
                heights.push(weighted_mean(self.low + ahead, &sorted));
            }
        }
        self.pass_through(&sorted, &mut heights);
        let low = (self.low.x, self.low.z);
        Surface::from_heights(low, (self.cell, self.cell), self.columns, heights).ok()
    }

    /// Changes the corners of the triangle under each site by the least that moves it to the site.
    ///
    /// Sites of similar height are too far apart to share a corner. Sites that differ in height may
    /// share one; repeating the correction settles them.
    fn pass_through(&self, sites: &[Vec3], heights: &mut [f64]) {
        /// Most repetitions, for sites that contradict each other.
        const ROUNDS: usize = 50;
        /// Distance from a site that is close enough, in metres.
        const TOLERANCE: f64 = 1e-12;
        for _ in 0..ROUNDS {
            let mut error: f64 = 0.0;
            for site in sites {
                let corners = self.corners(*site);
                let now: f64 = corners.iter().map(|&(index, weight)| heights[index] * weight).sum();
                let squares: f64 = corners.iter().map(|(_, weight)| weight * weight).sum();
                let change = (site.y - now) / squares;
                corners.iter().for_each(|&(index, weight)| heights[index] += change * weight);
                error = error.max((site.y - now).abs());
            }
            if error <= TOLERANCE {
                break;
            }
        }
    }

    /// The corners of the triangle under a position, with their barycentric weights.
    fn corners(&self, position: Vec3) -> [(usize, f64); 3] {
        let cell_at = |at: f64, count: usize| {
            let cell = (at as usize).min(count - 2);
            (cell, (at - cell as f64).clamp(0.0, 1.0))
        };
        let (column, right) = cell_at((position.x - self.low.x) / self.cell, self.columns);
        let (row, far) = cell_at((position.z - self.low.z) / self.cell, self.rows);
        let at = row * self.columns + column;
        // The diagonal of a cell is that of `Surface`: from the right corner to the far one.
        let (at_right, at_far) = (at + 1, at + self.columns);
        if right + far <= 1.0 {
            [(at, 1.0 - right - far), (at_right, right), (at_far, far)]
        } else {
            [(at_far + 1, right + far - 1.0), (at_far, 1.0 - right), (at_right, 1.0 - far)]
        }
    }
}

/// The squared horizontal distance between two positions.
pub(super) fn horizontal_distance_squared(one: Vec3, other: Vec3) -> f64 {
    (one.x - other.x) * (one.x - other.x) + (one.z - other.z) * (one.z - other.z)
}

/// Squared distance and height of a site.
type NearSite = (f64, f64);

/// The weighted mean height of the nearest sites, which are sorted by Z.
///
/// The weight is `(1/d − 1/r)³` with the distance d of the site and r that of the first site left
/// out. The mean is smooth, equals the height of a site at the site, and a site that comes into
/// range starts with weight 0.
fn weighted_mean(position: Vec3, sites: &[Vec3]) -> f64 {
    let nearest = nearest_sites(position, sites);
    let range = nearest[SITES].0.sqrt();
    let (mut sum, mut weights) = (0.0, 0.0);
    for &(square, height) in nearest[..SITES].iter().filter(|(square, _)| square.is_finite()) {
        // The maximum limits the weight of a site exactly at the position.
        let weight = 1.0 / square.sqrt().max(1e-9) - 1.0 / range;
        let weight = weight * weight * weight;
        sum += weight * height;
        weights += weight;
    }
    // All weights are 0 if all sites are equally far.
    if weights > 0.0 { sum / weights } else { nearest[0].1 }
}

/// The nearest sites and the first left out, nearest first; missing ones are infinitely far.
///
/// Walks from the position along Z in both directions, until the distance along Z alone exceeds
/// that of the farthest site.
fn nearest_sites(position: Vec3, sites: &[Vec3]) -> [NearSite; SITES + 1] {
    let mut nearest = [(f64::INFINITY, 0.0); SITES + 1];
    let middle = sites.partition_point(|site| site.z < position.z);
    let (mut back, mut ahead) = (middle, middle);
    let away = |index: usize| (sites[index].z - position.z) * (sites[index].z - position.z);
    loop {
        let behind = back.checked_sub(1).map(|index| (away(index), index));
        let before = (ahead < sites.len()).then(|| (away(ahead), ahead));
        let next = match (behind, before) {
            (Some(one), Some(other)) if one.0 <= other.0 => one,
            (_, Some(other)) => other,
            (Some(one), None) => one,
            (None, None) => break,
        };
        if next.0 >= nearest[SITES].0 {
            break;
        }
        if next.1 < middle {
            back -= 1
        } else {
            ahead += 1
        }
        let site = sites[next.1];
        insert(&mut nearest, (horizontal_distance_squared(site, position), site.y));
    }
    nearest
}

/// Inserts a site into the sorted list of the nearest; the farthest drops out.
fn insert(nearest: &mut [NearSite; SITES + 1], site: NearSite) {
    let mut at = SITES;
    if site.0 >= nearest[at].0 {
        return;
    }
    while at > 0 && nearest[at - 1].0 > site.0 {
        nearest[at] = nearest[at - 1];
        at -= 1;
    }
    nearest[at] = site;
}
