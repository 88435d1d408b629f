//! How fast does the ground go by under the feet?
//!
//! Not at all in a good capture. On a treadmill it runs back at the belt's speed, and where a path
//! was stretched, or the body drifts, all planted feet slide alike. So the ground's velocity is
//! the one that most low points share for a second or so, and feet that move with it stand.

use super::ranks::ranked;
use super::still::fastest_around;
use super::track::{Track, Tracks};
use surefoot_core::{FrameRange, Vec3};

/// Seconds to each side in which points are asked. Long enough for a stance of each foot, of a
/// stroller's too; longer, and the ground of a runner who sets out is that of his full speed.
const AROUND: f64 = 0.6;
/// A point is asked while it is this near to its lowest place of that time, in legs: 2.5 cm in an
/// adult. Higher, and swings are asked with the stances; lower, and the jitter of one is left out.
const LOW: f64 = 0.03;
/// And while it rises or falls more slowly than this, in legs per second.
const LEVEL: f64 = 0.3;
/// Seconds from one asking to the next; between, the answer is interpolated.
const EVERY: f64 = 0.1;
/// Frames a second of which points are asked, at most: their velocities are taken over as long, and more of them would say
/// the same again.
const ASKED: f64 = 60.0;
/// Points agree that differ by less than this, in legs per second, or by this share of the flow.
const AGREE: f64 = 0.35;
const AGREE_SHARE: f64 = 0.25;
/// The share of the low points that must agree for the ground to be taken as moving. Below, each
/// foot goes its own way, and the ground is taken to stand.
const MOST: f64 = 0.5;

/// The ground's velocity at each frame, along the floor, in legs per second.
pub(crate) fn find(tracks: &Tracks) -> Vec<Vec3> {
    // One frame in so many is asked; what follows counts those.
    let thinned = ((tracks.fps / ASKED) as usize).max(1);
    let every = (tracks.frames_in(EVERY) / thinned).max(1);
    let half = tracks.frames_in(AROUND) / thinned;
    let asked = tracks.frames.div_ceil(thinned);
    let point = |track| Point::new(track, tracks.up, thinned, half);
    let points: Vec<Point> = tracks.tracks.iter().map(point).collect();
    let mut said = Said::default();
    let at = |middle: usize| {
        let around = middle.saturating_sub(half)..(middle + half + 1).min(asked);
        said.axes.iter_mut().for_each(Vec::clear);
        points.iter().for_each(|point| point.say(middle, around.clone(), &mut said));
        said.shared()
    };
    let step = every * thinned;
    let asked: Vec<Vec3> = (0..asked).step_by(every).map(at).collect();
    let mut flow = Vec::with_capacity(tracks.frames);
    for (before, &from) in asked.iter().enumerate() {
        let to = asked[(before + 1).min(asked.len() - 1)];
        let frames = step.min(tracks.frames - before * step);
        flow.extend((0..frames).map(|frame| from.lerp(to, frame as f64 / step as f64)));
    }
    flow
}

/// A point, with what is found once of every frame that is asked: each is asked a dozen times.
struct Point {
    /// Its height; infinite where it rises or falls.
    level: Vec<f64>,
    /// The height up to which it is low, at each frame.
    low: Vec<f64>,
    /// How it moves along the floor, axis by axis.
    along: [Vec<f64>; 3],
}

impl Point {
    fn new(track: &Track, up: Vec3, thinned: usize, half: usize) -> Self {
        let heights = track.heights.iter().step_by(thinned);
        let velocities = track.velocities.iter().step_by(thinned);
        // The least is the largest of what is turned round.
        let turned: Vec<f64> = heights.clone().map(|height| -height).collect();
        let mut low = fastest_around(&turned, half);
        low.iter_mut().for_each(|low| *low = LOW - *low);
        let mut level = turned;
        let mut along = [(); 3].map(|()| Vec::with_capacity(level.len()));
        for ((level, velocity), height) in level.iter_mut().zip(velocities).zip(heights) {
            let climb = velocity.dot(up);
            *level = if climb.abs() < LEVEL { *height } else { f64::INFINITY };
            let flat = *velocity - up * climb;
            along.iter_mut().zip(flat.to_array()).for_each(|(along, flat)| along.push(flat));
        }
        Self { level, low, along }
    }

    /// Says how it moves around a frame, while it is low and level.
    fn say(&self, middle: usize, around: FrameRange, said: &mut Said) {
        let low = self.low[middle];
        let mut first = around.start;
        for run in self.level[around].chunk_by(|a, b| (*a < low) == (*b < low)) {
            let frames = first..first + run.len();
            first = frames.end;
            if run[0] < low {
                for (said, along) in said.axes.iter_mut().zip(&self.along) {
                    said.extend_from_slice(&along[frames.clone()]);
                }
            }
        }
    }
}

/// What the low points around a frame say, what they said before, and room to put it in order.
#[derive(Default)]
struct Said {
    /// Their velocities, axis by axis.
    axes: [Vec<f64>; 3],
    before: Vec3,
    ranked: Vec<f64>,
}

impl Said {
    /// The velocity that most of these share; zero if there is none.
    fn shared(&mut self) -> Vec3 {
        self.before = Vec3::new(self.middle(0), self.middle(1), self.middle(2));
        let flow = self.before;
        let near = AGREE.max(AGREE_SHARE * flow.length());
        let [x, y, z] = &self.axes;
        let squares = x.iter().zip(y).zip(z).map(|((x, y), z)| {
            let off = [x - flow.x, y - flow.y, z - flow.z];
            off[0] * off[0] + off[1] * off[1] + off[2] * off[2]
        });
        let agree = squares.filter(|square| *square < near * near).count();
        if agree as f64 > MOST * x.len() as f64 { flow } else { Vec3::ZERO }
    }

    /// The middle one along an axis; 0 where nothing was said.
    fn middle(&mut self, axis: usize) -> f64 {
        self.ranked.clone_from(&self.axes[axis]);
        let middle = self.ranked.len() / 2;
        if self.ranked.is_empty() { 0.0 } else { ranked(&mut self.ranked, middle, self.before[axis]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(velocities: &[Vec3]) -> Vec3 {
        let axes = [0, 1, 2].map(|axis| velocities.iter().map(|velocity| velocity[axis]).collect());
        Said { axes, ..Said::default() }.shared()
    }

    #[test]
    fn the_ground_moves_as_most_low_points_do() {
        let belt = Vec3::new(0.0, 0.0, -3.0);
        let swing = Vec3::new(0.0, 0.0, 4.0);
        assert_eq!(shared(&[belt, swing, belt, belt, swing]), belt);
    }

    #[test]
    fn where_points_do_not_agree_the_ground_stands() {
        let all: Vec<Vec3> = (0..9).map(|k| Vec3::new(f64::from(k), 0.0, 1.0)).collect();
        assert_eq!(shared(&all), Vec3::ZERO);
        assert_eq!(shared(&[]), Vec3::ZERO);
    }
}
