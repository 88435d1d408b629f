//! Decides where a plant is held by the label of its foot, as in chapter 5 of Hsu's thesis (2008), but in phase 1 of
//! the cleaner.
//!
//! A foot that stands is held where its plant begins. A foot that skates when its plant begins is held where the skate
//! ends. A skate over many steps is cut in the middle of each stance, as in the published form (`skate_runs`), so a foot
//! that slides all through its stance is held where it is in the middle of it.

use surefoot_core::{FootPoint, PlantKind, Vec3};

use crate::phases::spots::snap_to_floor;
use crate::setup::Setup;
use crate::stream::window::Window;

/// The position at which a plant that begins at a frame is held, snapped to the floor if it is near; as far as the
/// spot window reaches.
pub(crate) fn held_position(
    window: &Window,
    setup: &Setup,
    frame: usize,
    leg: usize,
    point: FootPoint,
) -> Vec3 {
    let captured = CapturedPoint { window, setup, leg, point };
    let id = window.plants(frame, leg).ids()[point];
    let ahead = setup.windows.spots.max(1);
    let end = (frame + ahead).min(window.pushed);
    let while_true =
        |is_true: &dyn Fn(usize) -> bool| frame..frame + (frame..end).take_while(|&at| is_true(at)).count();
    let plant = while_true(&|at| window.plants(at, leg).ids()[point] == id);
    let stance = while_true(&|at| window.plants(at, leg).count() > 0);
    // Of a stance that is longer than a short window, the last visible frame is nearest to the middle.
    let is_cut_off = setup.settings.spot_window.is_finite() && stance.len() == ahead;
    let middle = if is_cut_off { end - 1 } else { frame + stance.len() / 2 };
    let cut = middle.min(plant.end.max(frame + 1) - 1);
    let stands_at = (frame..cut).find(|&at| !captured.skates(at, &plant)).unwrap_or(cut);
    snap_to_floor(captured.position(stands_at), setup)
}

struct CapturedPoint<'a> {
    window: &'a Window,
    setup: &'a Setup,
    leg: usize,
    point: FootPoint,
}

impl CapturedPoint<'_> {
    fn position(&self, frame: usize) -> Vec3 {
        self.window.leg(frame, self.leg).points()[self.point]
    }

    /// Whether the point slides at a frame of its plant: by its label, otherwise by its speed.
    fn skates(&self, frame: usize, plant: &core::ops::Range<usize>) -> bool {
        match self.window.plants(frame, self.leg).kinds[self.point] {
            Some(kind) => kind == PlantKind::Skate,
            None => self.slide_speed(frame, plant) > self.setup.rules.skate_speed,
        }
    }

    /// Speed along the floor over the neighbouring frames of the plant, in metres per second.
    fn slide_speed(&self, frame: usize, plant: &core::ops::Range<usize>) -> f64 {
        let (first, last) = (frame.saturating_sub(1).max(plant.start), (frame + 1).min(plant.end - 1));
        let travel = self.position(last) - self.position(first);
        let up = self.setup.floor.as_ref().map_or(Vec3::ZERO, |floor| floor.up());
        // A plant of one frame has speed 0.
        (travel - up * travel.dot(up)).length() * self.setup.fps / (last - first).max(1) as f64
    }
}
