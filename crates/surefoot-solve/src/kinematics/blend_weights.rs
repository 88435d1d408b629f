//! How corrections fade from the stances before and after into the frames between them.
//!
//! Each side fades from weight 1 at its frame to 0, over the window or the gap between the two frames,
//! whichever is shorter; the two sides are added. So a side that enters the window starts at weight 0,
//! both frames are met exactly, and across a short gap the weights sum to 1.

use surefoot_core::math;

use crate::stream::frame_windows::FrameWindow;

/// How the weights of the two sides are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SideWeights {
    /// Each side fades over the window or the gap, and the sides are added.
    Additive,
    /// As published, with the two rotations of equation 7 in the right order.
    Published,
}

/// Distances of the nearest corrected frames on both sides, in frames; `None` outside the window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sides {
    pub before: Option<usize>,
    pub after: Option<usize>,
    pub window: FrameWindow,
}

/// A weight for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SideWeight {
    pub before: f64,
    pub after: f64,
}

impl Sides {
    /// The sides of `frame`, whose nearest corrected frames are `before` and `after`.
    #[inline(always)]
    pub fn new(frame: usize, before: Option<usize>, after: Option<usize>, window: FrameWindow) -> Self {
        Self { before: before.map(|at| frame - at), after: after.map(|at| at - frame), window }
    }

    /// The weights of the corrections on both sides.
    #[inline(always)]
    pub fn weights(&self, combined: SideWeights) -> SideWeight {
        match combined {
            SideWeights::Additive => self.additive_weights(),
            SideWeights::Published => self.published_weights(),
        }
    }

    fn additive_weights(&self) -> SideWeight {
        let gap = self.gap(self.window.length);
        let weight = |side: Option<usize>| side.map_or(0.0, |at| math::fade(at as f64 / gap));
        SideWeight { before: weight(self.before), after: weight(self.after) }
    }

    fn published_weights(&self) -> SideWeight {
        let one = |side: usize| math::fade(side as f64 / self.window.length);
        match (self.before, self.after) {
            (Some(before), Some(after)) => {
                let near = math::fade(before as f64 / (before + after) as f64);
                SideWeight { before: near * one(before), after: (1.0 - near) * one(after) }
            }
            (before, after) => SideWeight { before: before.map_or(0.0, one), after: after.map_or(0.0, one) },
        }
    }

    /// The gap between the two frames, at most `most`; in frames.
    fn gap(&self, most: f64) -> f64 {
        match (self.before, self.after) {
            (Some(before), Some(after)) => most.min((before + after) as f64),
            _ => most,
        }
    }

    /// The weights of the slopes that the corrections have at the two frames, in frames.
    ///
    /// Without them a correction that grows would stop abruptly at the edge of the stance. They fade
    /// within `within` frames, so that a slope adds at most 4/27 of what it would in that time.
    pub fn slope_weights(&self, within: f64) -> SideWeight {
        let gap = self.gap(within).max(1.0);
        let weight = |side: Option<usize>| {
            side.map_or(0.0, |at| {
                let t = (at as f64 / gap).min(1.0);
                gap * t * (1.0 - t) * (1.0 - t)
            })
        };
        SideWeight { before: weight(self.before), after: weight(self.after) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of frames in the window: the first frame outside is the eleventh.
    const WINDOW: usize = 10;

    /// The steepest part of a fade falls by 1.5 over its length; the rest is margin.
    const STEEPEST: f64 = 1.6;

    fn sides(before: Option<usize>, after: Option<usize>) -> Sides {
        Sides { before, after, window: FrameWindow::new((WINDOW + 1) as f64) }
    }

    fn weights(before: Option<usize>, after: Option<usize>, combined: SideWeights) -> (f64, f64) {
        let SideWeight { before, after } = sides(before, after).weights(combined);
        (before, after)
    }

    fn additive(before: Option<usize>, after: Option<usize>) -> (f64, f64) {
        weights(before, after, SideWeights::Additive)
    }

    fn published(before: Option<usize>, after: Option<usize>) -> (f64, f64) {
        weights(before, after, SideWeights::Published)
    }

    /// A distance, if the window reaches that far.
    fn in_window(distance: usize) -> Option<usize> {
        Some(distance).filter(|&distance| distance <= WINDOW)
    }

    #[test]
    fn the_weights_go_from_one_side_to_the_other_without_a_jump() {
        for gap in 1..4 * WINDOW {
            let at = |frame: usize| additive(in_window(frame), in_window(gap - frame));
            assert_eq!(at(0), (1.0, 0.0), "gap {gap}");
            assert_eq!(at(gap), (0.0, 1.0), "gap {gap}");
            for frame in 0..gap {
                let ((before, after), (next_before, next_after)) = (at(frame), at(frame + 1));
                let jump = (before - next_before).abs().max((after - next_after).abs());
                let limit = (STEEPEST / (WINDOW + 1) as f64).max(STEEPEST / gap as f64);
                assert!(jump <= limit, "gap {gap}, frame {frame}: {jump}");
                assert!((0.0..=1.0).contains(&before) && (0.0..=1.0).contains(&after));
                assert!(next_before <= before && next_after >= after, "gap {gap}, frame {frame}");
            }
        }
    }

    #[test]
    fn the_weights_hardly_change_when_a_gap_grows_by_a_frame() {
        for gap in 2..4 * WINDOW {
            for frame in 1..gap {
                let at = |gap: usize| additive(in_window(frame), in_window(gap - frame));
                let (now, next) = (at(gap), at(gap + 1));
                let limit = STEEPEST / gap.min(WINDOW) as f64;
                assert!((now.0 - next.0).abs() <= limit && (now.1 - next.1).abs() <= limit, "{gap} {frame}");
            }
        }
    }

    #[test]
    fn a_corrected_frame_has_weight_one_and_the_first_frame_outside_the_window_zero() {
        for weights in [additive, published] {
            assert_eq!(weights(Some(0), None), (1.0, 0.0));
            assert_eq!(weights(None, Some(0)), (0.0, 1.0));
            assert_eq!(weights(Some(WINDOW + 1), None), (0.0, 0.0));
            assert_eq!(weights(None, Some(WINDOW + 1)), (0.0, 0.0));
            assert_eq!(weights(None, None), (0.0, 0.0));
        }
    }

    #[test]
    fn a_side_enters_the_window_at_weight_zero() {
        for near in 1..=WINDOW {
            let (alone, _) = additive(Some(near), None);
            assert_eq!((alone, 0.0), additive(Some(near), Some(WINDOW + 1)), "{near}");
        }
    }

    #[test]
    fn across_a_short_gap_the_weights_sum_to_one() {
        for gap in 1..=WINDOW + 1 {
            for frame in 0..=gap {
                let (before, after) = additive(Some(frame), Some(gap - frame));
                assert!((before + after - 1.0).abs() < 1e-15, "gap {gap}, frame {frame}");
            }
        }
    }

    #[test]
    fn the_published_weights_end_at_the_nearer_side() {
        // Equation 7 as printed gives the rotation of the far side next to the near one.
        for gap in 2..=WINDOW + 1 {
            assert_eq!(published(Some(0), Some(gap)), (1.0, 0.0), "gap {gap}");
            assert_eq!(published(Some(gap), Some(0)), (0.0, 1.0), "gap {gap}");
            for frame in 1..gap {
                let (before, after) = published(Some(frame), Some(gap - frame));
                let (later, sooner) = published(Some(gap - frame), Some(frame));
                assert!((before - sooner).abs() < 1e-15 && (after - later).abs() < 1e-15, "symmetric");
                assert!(frame * 2 >= gap || before > after, "the nearer side weighs more");
            }
        }
    }

    #[test]
    fn the_published_weights_do_not_jump_within_a_short_gap() {
        for gap in 1..=WINDOW {
            for frame in 0..gap {
                let at = |frame: usize| published(Some(frame), Some(gap - frame));
                let ((before, after), (next_before, next_after)) = (at(frame), at(frame + 1));
                // The product of two fades is steeper than one.
                let limit = 2.4 / gap as f64;
                assert!(
                    (before - next_before).abs() <= limit && (after - next_after).abs() <= limit,
                    "{gap} {frame}"
                );
            }
        }
    }

    #[test]
    fn slope_weights_start_and_end_at_zero_and_stay_below_their_bound() {
        for within in 0..12 {
            for gap in 1..30 {
                for frame in 0..=gap {
                    let SideWeight { before, after } =
                        sides(Some(frame), Some(gap - frame)).slope_weights(f64::from(within));
                    // The maximum of t (1 − t)² is 4/27.
                    let most = 4.0 / 27.0 * f64::from(within.max(1)) + 1e-12;
                    assert!((0.0..=most).contains(&before) && (0.0..=most).contains(&after));
                    if frame == 0 || frame == gap {
                        assert_eq!((before, after), (0.0, 0.0));
                    }
                }
            }
        }
    }
}
