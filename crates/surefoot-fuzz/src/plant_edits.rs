//! Edits of plants, decoded from bytes: the same bytes edit the plants of a clip and those of a studio session.

use surefoot_core::{FootPoint, Footplants, Plant, PlantKind, Vec3};

/// Bytes of an edit.
const BYTES: usize = 6;

/// Most edits of an input: each costs a whole cleanup.
const MOST_EDITS: usize = 5;

/// An edit of the plants of a motion.
#[derive(Clone, Copy, Debug)]
pub struct PlantEdit([u8; BYTES]);

/// The edits in the bytes of an input.
pub fn edits(bytes: &[u8]) -> Vec<PlantEdit> {
    let (edits, _) = bytes.as_chunks::<BYTES>();
    edits.iter().take(MOST_EDITS).copied().map(PlantEdit).collect()
}

impl PlantEdit {
    /// Adds, removes, moves or labels a plant. Plants stay within the motion.
    pub fn apply(self, plants: &mut Footplants, legs: usize, frames: usize) {
        let [what, which, leg, first, length, place] = self.0.map(usize::from);
        let start = first * frames / 256;
        let new = || {
            let point = if leg % 2 == 0 { FootPoint::Heel } else { FootPoint::Ball };
            let end = (start + 1 + length % frames).min(frames);
            Plant::new(leg / 2 % legs.max(1), point, start..end)
        };
        let list = &mut plants.plants;
        if list.is_empty() || what % 6 == 0 {
            // A detector and the page give plants of one point that do not overlap.
            let plant = new();
            let is_free = |other: &Plant| {
                (other.leg, other.point) != (plant.leg, plant.point)
                    || other.frames.end < plant.frames.start
                    || plant.frames.end < other.frames.start
            };
            if list.iter().all(is_free) {
                list.push(plant);
            }
            return plants.sort();
        }
        let at = which % list.len();
        let plant = &mut list[at];
        match what % 6 {
            1 => drop(list.remove(at)),
            2 => plant.frames.start = (plant.frames.start + length % 9).min(plant.frames.end - 1),
            3 => plant.frames.end = plant.frames.end.saturating_sub(length % 9).max(plant.frames.start + 1),
            4 => {
                let metres = |byte: usize| (byte as f64 - 128.0) / 100.0;
                plant.spot = Some(Vec3::new(metres(first), metres(length) / 10.0, 3.0 * metres(place)));
            }
            _ if place % 3 == 0 => plant.spot = None,
            _ => plant.kind = Some(if place % 3 == 1 { PlantKind::Skate } else { PlantKind::Plant }),
        }
    }
}
