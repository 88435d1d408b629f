//! Builds a floor from the plants of a motion.
//!
//! The ground was under every foot that stood. A smooth height field passes through all these
//! contacts; between them its height is a weighted mean of the contacts around, so that it never
//! exceeds them. Where a free foot was captured clearly below that surface, as between two steps of
//! a stair, the field is lowered.
//!
//! `scattered_heights.rs` interpolates the field.

use std::collections::BTreeMap;

use super::Floor;
use super::scattered_heights::{FieldLayout, horizontal_distance_squared};
use super::surface::{FARTHEST, Surface};
use crate::footplants::{FootPoint, Footplants};
use crate::leg::Leg;
use crate::math::{Vec3, floor as round_down};
use crate::motion::Motion;
use crate::pose::WorldPose;

/// Distance between neighbouring heights, in metres: a third of the length from ball to toe tip.
/// Smaller cells take more memory, larger ones blur the edges of steps.
const CELL: f64 = 0.025;
/// Most heights of a field. A larger area gets larger cells, so that memory and time stay bounded
/// however far the body travels.
const MOST_HEIGHTS: f64 = 250_000.0;
/// Distance below which two contacts are merged, in cells. Closer contacts could share a triangle,
/// which cannot pass through both.
const MERGE_DISTANCE: f64 = 3.0;
/// Largest difference of height between merged contacts, in metres. The cleaner moves plants within
/// 2 cm of the floor onto it, and the mean of two contacts is within 2 cm of both.
const MERGE_HEIGHT: f64 = 0.04;
/// Farthest contact that is part of the field, in metres along any axis. The field extends beyond it by a margin and a
/// cell, and has to stay within the range of a surface.
const FARTHEST_CONTACT: f64 = FARTHEST / 2.0;
/// Margin of the field around the outermost contacts, in metres: more than the length of a foot.
const MARGIN: f64 = 0.5;
/// Depth of a free foot below the field from which the field is lowered, in metres. Less is noise.
const CONTRADICTION: f64 = 0.02;
/// Rounds of lowering. Each brings the field closer to the feet below it; later ones change little.
const ROUNDS: usize = 3;

impl Floor {
    /// Builds a floor through the plants of a motion as captured. `None` without plants.
    ///
    /// Everything is in metres, Y up. Frames before `first_frame` are ignored.
    pub fn from_plants(
        motion: &Motion,
        legs: &[Leg],
        plants: &Footplants,
        first_frame: usize,
    ) -> Option<Self> {
        // A hand may rest on a wall.
        let tracks = FootTracks::new(motion, Leg::without_arms(legs), first_frame);
        let contacts = tracks.contacts(plants, first_frame);
        surface_through(&contacts, &tracks).map(Self::from)
    }
}

/// The world positions of heel, ball and toe tip of a foot.
type FootPositions = [Vec3; 3];

/// Indices into [`FootPositions`].
const HEEL: usize = 0;
const BALL: usize = 1;
const TOE: usize = 2;

/// The positions of all feet, frame by frame and leg by leg.
struct FootTracks {
    legs: usize,
    feet: Vec<FootPositions>,
}

impl FootTracks {
    fn new(motion: &Motion, legs: &[Leg], first_frame: usize) -> Self {
        let mut world = WorldPose::default();
        let mut feet = Vec::with_capacity(motion.frames() * legs.len());
        for pose in motion.poses.iter().skip(first_frame) {
            pose.forward_kinematics(&motion.skeleton, &mut world);
            feet.extend(
                legs.iter().map(|leg| [leg.heel, leg.ball, leg.toe].map(|point| world.point(&point))),
            );
        }
        Self { legs: legs.len(), feet }
    }

    /// The contact of each plant: its spot, or the mean position of its point. A planted ball also
    /// gives a contact of the toe tip.
    fn contacts(&self, plants: &Footplants, first_frame: usize) -> Vec<Vec3> {
        let frames = self.feet.len().checked_div(self.legs).unwrap_or(0);
        let mut contacts = Vec::new();
        for plant in plants.plants.iter().filter(|plant| plant.leg < self.legs) {
            let end = plant.frames.end.saturating_sub(first_frame).min(frames);
            let held = plant.frames.start.saturating_sub(first_frame).min(end)..end;
            let mean = |point: usize| {
                let positions = held.clone().map(|frame| self.feet[frame * self.legs + plant.leg][point]);
                positions.sum::<Vec3>() / held.len() as f64
            };
            if held.is_empty() {
                continue;
            }
            let point = match plant.point {
                FootPoint::Heel => HEEL,
                FootPoint::Ball => BALL,
                FootPoint::Toe => TOE,
            };
            let contact = plant.spot.unwrap_or_else(|| mean(point));
            contacts.push(contact);
            if plant.point == FootPoint::Ball {
                contacts.push(contact + mean(TOE) - mean(BALL));
            }
        }
        // False for NaN too.
        contacts.retain(|contact| contact.abs().max_element() <= FARTHEST_CONTACT);
        contacts
    }
}

/// A height field through the contacts that is not clearly above any captured foot.
fn surface_through(contacts: &[Vec3], tracks: &FootTracks) -> Option<Surface> {
    let low = contacts.iter().copied().reduce(Vec3::min)? - Vec3::splat(MARGIN);
    let size = contacts.iter().copied().reduce(Vec3::max)? + Vec3::splat(MARGIN) - low;
    // The second bound is for a field that is long and narrow.
    let (area, length) = (size.x * size.z, size.x.max(size.z));
    let cell = CELL.max((area / MOST_HEIGHTS).sqrt()).max(2.0 * length / MOST_HEIGHTS);
    let count = |length: f64| (length / cell).ceil() as usize + 1;
    let field = FieldLayout { low, cell, columns: count(size.x), rows: count(size.z) };
    let mut merged = MergedContacts::new(MERGE_DISTANCE * cell);
    contacts.iter().for_each(|&contact| merged.add(contact));
    let mut sites = merged.means();
    let mut surface = field.interpolate(&sites)?;
    for _ in 0..ROUNDS {
        let lower = feet_below(&surface, &field, &merged, tracks);
        if lower.is_empty() {
            break;
        }
        sites.extend(lower);
        surface = field.interpolate(&sites)?;
    }
    Some(surface)
}

/// The lowest positions of feet that are clearly below the surface and not near a contact.
fn feet_below(
    surface: &Surface,
    field: &FieldLayout,
    contacts: &MergedContacts,
    tracks: &FootTracks,
) -> Vec<Vec3> {
    let mut lower = MergedContacts::new(contacts.distance);
    for &position in tracks.feet.iter().flatten() {
        let plane = surface.plane_under(position);
        let is_below = -plane.above(position) / plane.normal.y > CONTRADICTION;
        if is_below && field.contains(position) && !contacts.is_near(position) {
            lower.add_lowest(position);
        }
    }
    lower.means()
}

/// Contacts, with those close to each other merged to their mean.
struct MergedContacts {
    /// Contacts closer than this are merged, in metres.
    distance: f64,
    /// By square of the ground: the sum of merged positions and their number.
    squares: BTreeMap<(i64, i64), Vec<(Vec3, f64)>>,
}

impl MergedContacts {
    fn new(distance: f64) -> Self {
        Self { distance, squares: BTreeMap::new() }
    }

    fn square(&self, position: Vec3) -> (i64, i64) {
        (round_down(position.x / self.distance) as i64, round_down(position.z / self.distance) as i64)
    }

    /// Merges a contact with the nearest one of similar height, or adds it.
    fn add(&mut self, position: Vec3) {
        let is_similar = |mean: Vec3| (mean.y - position.y).abs() <= MERGE_HEIGHT;
        match self.nearest(position, is_similar) {
            Some((square, index)) => {
                if let Some(sum) = self.squares.get_mut(&square).and_then(|sums| sums.get_mut(index)) {
                    *sum = (sum.0 + position, sum.1 + 1.0);
                }
            }
            None => self.squares.entry(self.square(position)).or_default().push((position, 1.0)),
        }
    }

    /// Lowers the nearest contact to a position, or adds it.
    fn add_lowest(&mut self, position: Vec3) {
        match self.nearest(position, |_| true) {
            Some((square, index)) => {
                let sum = self.squares.get_mut(&square).and_then(|sums| sums.get_mut(index));
                if let Some(sum) = sum.filter(|sum| sum.0.y > position.y) {
                    sum.0.y = position.y;
                }
            }
            None => self.squares.entry(self.square(position)).or_default().push((position, 1.0)),
        }
    }

    fn is_near(&self, position: Vec3) -> bool {
        self.nearest(position, |_| true).is_some()
    }

    /// The square and index of the nearest accepted contact within the merge distance.
    fn nearest(&self, position: Vec3, accepts: impl Fn(Vec3) -> bool) -> Option<((i64, i64), usize)> {
        let (x, z) = self.square(position);
        let mut best = None;
        let mut nearest = self.distance * self.distance;
        for square in (x - 1..=x + 1).flat_map(|x| (z - 1..=z + 1).map(move |z| (x, z))) {
            for (index, &(sum, count)) in self.squares.get(&square).into_iter().flatten().enumerate() {
                let mean = sum / count;
                let distance = horizontal_distance_squared(mean, position);
                if distance < nearest && accepts(mean) {
                    (best, nearest) = (Some((square, index)), distance);
                }
            }
        }
        best
    }

    fn means(&self) -> Vec<Vec3> {
        self.squares.values().flatten().map(|&(sum, count)| sum / count).collect()
    }
}
