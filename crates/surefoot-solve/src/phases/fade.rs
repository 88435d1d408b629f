//! How much of a correction is left at a distance from the frames that need it?
//!
//! From each side the correction fades from its full value at the held frame to nothing, and the
//! two sides add up. Each fades over the window or the gap, whichever is shorter: so a side that
//! comes into view comes in at nothing, both held frames are met exactly, and across a short gap
//! the two weights sum to one.

use surefoot_core::math;

/// A held frame on one side: how far it is, in frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    pub back: Option<usize>,
    pub ahead: Option<usize>,
    /// The window, in frames.
    pub window: usize,
}

impl Sides {
    /// The weights of the held frames behind and ahead.
    pub fn weights(&self) -> (f64, f64) {
        let full = self.window + 1;
        let gap = match (self.back, self.ahead) {
            (Some(back), Some(ahead)) => full.min(back + ahead),
            _ => full,
        };
        let weight = |side: Option<usize>| side.map_or(0.0, |at| math::fade(at as f64 / gap as f64));
        (weight(self.back), weight(self.ahead))
    }

    /// The weights as printed in 2002, with the hits of equation 7 put the right way round.
    pub fn paper_weights(&self) -> (f64, f64) {
        let full = (self.window + 1) as f64;
        let one = |side: usize| math::fade(side as f64 / full);
        match (self.back, self.ahead) {
            (Some(back), Some(ahead)) => {
                let near = math::fade(back as f64 / (back + ahead) as f64);
                (near * one(back), (1.0 - near) * one(ahead))
            }
            (back, ahead) => (back.map_or(0.0, one), ahead.map_or(0.0, one)),
        }
    }

    /// The weights of the held frames' slopes, per frame away from them.
    ///
    /// Without them a correction that is growing would stop dead at the plant's edge. They end
    /// within `within` frames, so that they never carry it far.
    pub fn slope_weights(&self, within: usize) -> (f64, f64) {
        let gap = match (self.back, self.ahead) {
            (Some(back), Some(ahead)) => within.min(back + ahead),
            _ => within,
        }
        .max(1) as f64;
        let weight = |side: Option<usize>| {
            side.map_or(0.0, |at| {
                let t = (at as f64 / gap).min(1.0);
                gap * t * (1.0 - t) * (1.0 - t)
            })
        };
        (weight(self.back), weight(self.ahead))
    }
}
