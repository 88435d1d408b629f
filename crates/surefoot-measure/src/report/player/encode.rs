//! Writes positions as text: rounded to integers, predicted from the frames before, and stored as the differences.
//!
//! A moving point hardly changes its velocity from one frame to the next, so the difference from a prediction at
//! constant velocity is a small integer. Integers are written in base 32: five bits a character, the sixth marks that
//! more follow, the lowest bit of the number is its sign. Most differences take one character.

use surefoot_core::Vec3;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Largest integer that is stored. A position beyond it, in a damaged file, is drawn at the limit.
const LIMIT: f64 = 1e12;

/// Positions as integers, one row of coordinates for each frame.
pub(super) struct Quantised {
    rows: Vec<Vec<i64>>,
}

impl Quantised {
    /// Rounds positions relative to `origin` to multiples of `step`.
    pub fn new(frames: impl IntoIterator<Item = Vec<Vec3>>, origin: Vec3, step: f64) -> Self {
        let round = |value: f64| (value / step).round().clamp(-LIMIT, LIMIT) as i64;
        let row =
            |points: Vec<Vec3>| points.iter().flat_map(|at| (*at - origin).to_array()).map(round).collect();
        Self { rows: frames.into_iter().map(row).collect() }
    }

    /// The differences from a prediction at constant velocity.
    pub fn encode(&self) -> String {
        let mut text = String::new();
        for (frame, row) in self.rows.iter().enumerate() {
            for (column, value) in row.iter().enumerate() {
                let earlier = |frames: usize| frame.checked_sub(frames).map(|frame| self.rows[frame][column]);
                let predicted = match (earlier(1), earlier(2)) {
                    (Some(last), Some(one_before)) => 2 * last - one_before,
                    (Some(last), None) => last,
                    _ => 0,
                };
                push(&mut text, value - predicted);
            }
        }
        text
    }

    /// The differences from another motion, each less the difference in the frame before.
    pub fn encode_change(&self, before: &Self) -> String {
        let mut text = String::new();
        for (frame, (row, from)) in self.rows.iter().zip(&before.rows).enumerate() {
            for (column, value) in row.iter().enumerate() {
                let last =
                    frame.checked_sub(1).map(|last| self.rows[last][column] - before.rows[last][column]);
                push(&mut text, value - from[column] - last.unwrap_or(0));
            }
        }
        text
    }
}

fn push(text: &mut String, value: i64) {
    let mut rest = (value.unsigned_abs() << 1) | u64::from(value < 0);
    loop {
        let more = rest >= 32;
        text.push(char::from(DIGITS[(rest % 32) as usize + if more { 32 } else { 0 }]));
        rest /= 32;
        if !more {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_written_in_base_32() {
        let mut text = String::new();
        for value in [0, 1, -1, 15, 16, -17] {
            push(&mut text, value);
        }
        assert_eq!(text, "ACDegBjB");
    }

    #[test]
    fn a_steady_motion_takes_one_character_a_number() {
        let frames = (0..100).map(|frame| vec![Vec3::new(frame as f64 * 0.02, 0.0, 0.0)]);
        let text = Quantised::new(frames, Vec3::ZERO, 0.0005).encode();
        assert!(text.len() < 305, "{}", text.len());
    }

    #[test]
    fn a_position_beyond_all_bounds_is_limited() {
        let text = Quantised::new([vec![Vec3::splat(1e300)]], Vec3::ZERO, 1e-3).encode();
        assert_eq!(text.len(), 3 * 9);
    }
}
