//! The root in the window: its captured position, the requested corrections, and the correction.

use core::ops::Range;

use surefoot_core::Vec3;
use wide::f64x2;

use super::Window;
use crate::phases::fit::pelvis::{Tilt, TiltedPelvis};
use crate::stream::slots::{RootCorrection, RootSlot};

impl Window {
    /// The captured position of the root, in the space of its parent.
    pub fn captured_root(&self, frame: usize) -> Vec3 {
        self.poses.root(self.index.of(frame))
    }

    /// What is added to the captured root of a frame; `None` where no plant is near.
    pub fn root_correction(&self, frame: usize) -> Option<Vec3> {
        self.roots[self.index.of(frame)].correction
    }

    pub fn set_root_correction(&mut self, frame: usize, correction: Option<Vec3>) {
        let index = self.index.of(frame);
        self.roots[index].correction = correction;
    }

    /// How the pelvis can tilt at a frame; `None` if it cannot.
    pub fn tilt(&self, frame: usize) -> Option<&Tilt> {
        self.tilts[self.index.of(frame)].as_ref()
    }

    pub fn set_tilt(&mut self, frame: usize, tilt: Option<Tilt>) {
        let index = self.index.of(frame);
        self.tilts[index] = tilt;
    }

    /// The pelvis at a frame; `None` where it is as captured.
    pub fn tilted_pelvis(&self, frame: usize) -> Option<TiltedPelvis> {
        self.tilted[self.index.of(frame)]
    }

    pub fn set_tilted_pelvis(&mut self, frame: usize, tilted: Option<TiltedPelvis>) {
        let index = self.index.of(frame);
        self.tilted[index] = tilted;
    }

    /// The frames from the last one back to `start` that have a reach deficit, and the deficits.
    pub fn reach_deficits(&self, start: usize) -> impl Iterator<Item = (usize, Vec3)> {
        let mut next = self.last_deficit;
        core::iter::from_fn(move || {
            let frame = next.checked_sub(1).filter(|frame| *frame >= start)?;
            let RootSlot { reach_deficit, previous_deficit, .. } = self.roots[self.index.of(frame)];
            next = previous_deficit;
            Some((frame, reach_deficit))
        })
    }

    /// Sets the smoothed root correction of a frame, and the further correction with which all legs reach their targets.
    pub fn set_root_request_result(&mut self, frame: usize, correction: Option<Vec3>, reach_deficit: Vec3) {
        let index = self.index.of(frame);
        self.roots[index] = RootSlot { correction, reach_deficit, previous_deficit: self.last_deficit };
        if reach_deficit != Vec3::ZERO {
            self.last_deficit = frame + 1;
        }
    }

    /// Adds the root correction that a frame requests to its cell; frames come in order.
    pub fn add_root_request(&mut self, frame: usize, request: &RootCorrection) {
        let mut sum = *request;
        let cell = frame / self.root_cell;
        self.root_cell_index.advance(cell);
        let index = self.root_cell_index.of(cell);
        if !frame.is_multiple_of(self.root_cell) {
            let before = self.root_cells.at(0, index);
            sum.add_scaled(&before, f64x2::ONE);
        }
        if !request.is_zero() {
            self.last_root_request = frame;
        }
        self.root_cells.set(0, index, sum);
    }

    /// The sums of these cells, in order.
    pub fn root_cells(&self, cells: Range<usize>) -> &[RootCorrection] {
        self.root_cells.slice(0, self.root_cell_index.of(cells.start), cells.len())
    }

    /// The smoothed root corrections of these frames, before the fit, in order.
    pub fn smoothed_roots(&self, frames: Range<usize>) -> &[Vec3] {
        self.smoothed_roots.slice(0, self.index.of(frames.start), frames.len())
    }

    pub fn smoothed_root(&self, frame: usize) -> Vec3 {
        self.smoothed_roots.at(0, self.index.of(frame))
    }

    pub fn set_smoothed_root(&mut self, frame: usize, root: Vec3) {
        self.smoothed_roots.set(0, self.index.of(frame), root);
    }
}
