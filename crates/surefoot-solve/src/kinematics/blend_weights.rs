//! How much of a correction is left at a distance from the frames that need it?
//!
//! From each side the correction fades from its full value at the held frame to nothing, and the
//! two sides add up. Each fades over the window or the gap, whichever is shorter: so a side that
//! comes into view comes in at nothing, both held frames are met exactly, and across a short gap
//! the two weights sum to one.

use surefoot_core::math;

use crate::stream::frame_windows::Reach;

/// A held frame on one side: how far it is, in frames.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sides {
    pub back: Option<usize>,
    pub ahead: Option<usize>,
    pub window: Reach,
}

impl Sides {
    /// The weights of the held frames behind and ahead.
    pub fn weights(&self) -> (f64, f64) {
        let gap = self.gap(self.window.length);
        let weight = |side: Option<usize>| side.map_or(0.0, |at| math::fade(at as f64 / gap));
        (weight(self.back), weight(self.ahead))
    }

    /// The time from held frame to held frame, in frames, or `most` if that is less.
    fn gap(&self, most: f64) -> f64 {
        match (self.back, self.ahead) {
            (Some(back), Some(ahead)) => most.min((back + ahead) as f64),
            _ => most,
        }
    }

    /// The weights as printed in 2002, with the hits of equation 7 put the right way round.
    pub fn paper_weights(&self) -> (f64, f64) {
        let one = |side: usize| math::fade(side as f64 / self.window.length);
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
    pub fn slope_weights(&self, within: f64) -> (f64, f64) {
        let gap = self.gap(within).max(1.0);
        let weight = |side: Option<usize>| {
            side.map_or(0.0, |at| {
                let t = (at as f64 / gap).min(1.0);
                gap * t * (1.0 - t) * (1.0 - t)
            })
        };
        (weight(self.back), weight(self.ahead))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames in view: the first out of the window is the eleventh.
    const WINDOW: usize = 10;

    fn sides(back: Option<usize>, ahead: Option<usize>) -> Sides {
        Sides { back, ahead, window: Reach::new((WINDOW + 1) as f64) }
    }

    /// A held frame at this distance, if the window reaches that far.
    fn seen(distance: usize) -> Option<usize> {
        Some(distance).filter(|&distance| distance <= WINDOW)
    }

    /// Walks all gaps, and all frames from one held end to the other, both included: the weights
    /// must not jump from a frame to the next, and be one and nothing at the ends.
    fn check(weights: impl Fn(&Sides) -> (f64, f64), most: f64) {
        for gap in 1..4 * WINDOW {
            let at = |frame: usize| weights(&sides(seen(frame), seen(gap - frame)));
            assert_eq!(at(0), (1.0, 0.0), "gap {gap}");
            assert_eq!(at(gap), (0.0, 1.0), "gap {gap}");
            for frame in 0..gap {
                let ((back, ahead), (back_next, ahead_next)) = (at(frame), at(frame + 1));
                let jump = (back - back_next).abs().max((ahead - ahead_next).abs());
                let limit = most.max(1.6 / gap as f64);
                assert!(jump <= limit, "gap {gap}, frame {frame}: {jump}");
                assert!((0.0..=1.0).contains(&back) && (0.0..=1.0).contains(&ahead));
                assert!(back_next <= back && ahead_next >= ahead, "gap {gap}, frame {frame}");
            }
        }
    }

    #[test]
    fn the_weights_go_from_one_held_frame_to_the_other_without_a_jump() {
        // The steepest part of the fade falls by 1.5 over its length.
        check(Sides::weights, 1.6 / (WINDOW + 1) as f64);
    }

    #[test]
    fn the_weights_hardly_change_when_a_gap_grows_by_a_frame() {
        for gap in 2..4 * WINDOW {
            for frame in 1..gap {
                let at = |gap: usize| sides(seen(frame), seen(gap - frame)).weights();
                let (now, next) = (at(gap), at(gap + 1));
                let limit = 1.6 / gap.min(WINDOW) as f64;
                assert!((now.0 - next.0).abs() <= limit && (now.1 - next.1).abs() <= limit, "{gap} {frame}");
            }
        }
    }

    #[test]
    fn a_held_frame_is_met_exactly_and_the_first_out_of_the_window_gets_nothing() {
        for weights in [Sides::weights, Sides::paper_weights] {
            assert_eq!(weights(&sides(Some(0), None)), (1.0, 0.0));
            assert_eq!(weights(&sides(None, Some(0))), (0.0, 1.0));
            assert_eq!(weights(&sides(Some(WINDOW + 1), None)), (0.0, 0.0));
            assert_eq!(weights(&sides(None, Some(WINDOW + 1))), (0.0, 0.0));
            assert_eq!(weights(&sides(None, None)), (0.0, 0.0));
        }
    }

    #[test]
    fn a_side_that_comes_into_view_comes_in_at_nothing() {
        for near in 1..=WINDOW {
            let (alone, _) = sides(Some(near), None).weights();
            let (with, other) = sides(Some(near), Some(WINDOW + 1)).weights();
            assert_eq!((alone, 0.0), (with, other), "{near}");
        }
    }

    #[test]
    fn across_a_short_gap_the_weights_sum_to_one() {
        for gap in 1..=WINDOW + 1 {
            for frame in 0..=gap {
                let (back, ahead) = sides(Some(frame), Some(gap - frame)).weights();
                assert!((back + ahead - 1.0).abs() < 1e-15, "gap {gap}, frame {frame}");
            }
        }
    }

    #[test]
    fn the_papers_weights_end_at_the_side_that_is_reached() {
        // Equation 7 as printed gives the far side's turn next to the near one.
        for gap in 2..=WINDOW + 1 {
            let (back, ahead) = sides(Some(0), Some(gap)).paper_weights();
            assert!(back == 1.0 && ahead == 0.0, "gap {gap}");
            let (back, ahead) = sides(Some(gap), Some(0)).paper_weights();
            assert!(back == 0.0 && ahead == 1.0, "gap {gap}");
            for frame in 1..gap {
                let (back, ahead) = sides(Some(frame), Some(gap - frame)).paper_weights();
                let (later, sooner) = sides(Some(gap - frame), Some(frame)).paper_weights();
                assert!((back - sooner).abs() < 1e-15 && (ahead - later).abs() < 1e-15, "the same both ways");
                assert!(frame * 2 >= gap || back > ahead, "the nearer side weighs more");
            }
        }
    }

    #[test]
    fn the_papers_weights_do_not_jump_within_a_short_gap() {
        for gap in 1..=WINDOW {
            for frame in 0..gap {
                let at = |frame: usize| sides(Some(frame), Some(gap - frame)).paper_weights();
                let ((back, ahead), (back_next, ahead_next)) = (at(frame), at(frame + 1));
                let limit = 2.4 / gap as f64;
                assert!(
                    (back - back_next).abs() <= limit && (ahead - ahead_next).abs() <= limit,
                    "{gap} {frame}"
                );
            }
        }
    }

    #[test]
    fn slopes_start_and_end_at_nothing_and_never_carry_far() {
        for within in 0..12 {
            for gap in 1..30 {
                for frame in 0..=gap {
                    let (back, ahead) =
                        sides(Some(frame), Some(gap - frame)).slope_weights(f64::from(within));
                    // A slope is carried on for at most 4/27 of the time it fades in.
                    let most = 4.0 / 27.0 * f64::from(within.max(1)) + 1e-12;
                    assert!((0.0..=most).contains(&back) && (0.0..=most).contains(&ahead));
                    if frame == 0 || frame == gap {
                        assert_eq!((back, ahead), (0.0, 0.0));
                    }
                }
            }
        }
    }
}
