//! Where each heel and ball is, and how it moves.
//!
//! Lengths are in leg lengths and speeds in leg lengths per second, so that one threshold fits a
//! child and a giant. Frames are counted from the first frame of the performance.

use crate::leg_length::leg_length;
use crate::signal::{frames_in, min_run};
use surefoot_core::{Floor, FootPoint, FrameRange, Leg, Motion, Vec3, WorldPose};

/// Half-width of the window of a velocity, in seconds: one frame at 30 fps.
///
/// A shorter window turns one millimetre of marker jitter into 5 cm/s; with a longer one the first
/// frames of a plant look like the swing before it.
pub(crate) const VELOCITY_HALF_WINDOW: f64 = 0.03;

/// One point of one foot through the whole performance.
pub(crate) struct PointTrack {
    pub leg: usize,
    pub point: FootPoint,
    /// World position, in leg lengths.
    pub positions: Vec<Vec3>,
    /// Position relative to the moving ground, in leg lengths: constant for a point that moves with
    /// the ground. Empty until [`PointTracks::set_ground_flow`].
    pub ground_positions: Vec<Vec3>,
    /// Signed height above the floor, in leg lengths.
    pub heights: Vec<f64>,
    /// World velocity, in leg lengths per second.
    pub velocities: Vec<Vec3>,
    /// Height of the leg's hip above the floor, in leg lengths.
    pub hip_heights: Vec<f64>,
}

impl PointTrack {
    /// Returns the speed relative to the ground at each frame, in leg lengths per second.
    pub fn ground_speeds(&self, flow: &[Vec3]) -> Vec<f64> {
        self.velocities.iter().zip(flow).map(|(velocity, flow)| velocity.distance(*flow)).collect()
    }

    /// Returns the mean position relative to the ground over some frames.
    pub fn mean_ground_position(&self, frames: FrameRange) -> Vec3 {
        let count = frames.len() as f64;
        self.ground_positions[frames].iter().copied().sum::<Vec3>() / count
    }
}

/// The heel and ball of every leg.
pub(crate) struct PointTracks {
    /// Each leg's heel, followed by its ball.
    pub tracks: Vec<PointTrack>,
    /// Number of frames.
    pub frames: usize,
    pub fps: f64,
    /// The floor's normal.
    pub up: Vec3,
    /// World position of the hip of each leg, in leg lengths.
    pub hips: Vec<Vec<Vec3>>,
    /// World position of the toe tip of each leg, in leg lengths.
    pub toes: Vec<Vec<Vec3>>,
}

impl PointTracks {
    /// Tracks all points by forward kinematics. Without a floor, one is estimated from the lowest positions.
    pub fn new(motion: &Motion, legs: &[Leg], floor: Option<&Floor>, first_frame: usize) -> Self {
        let poses = motion.poses.get(first_frame..).unwrap_or_default();
        let joints = motion.skeleton.with_ancestors(legs.iter().flat_map(Leg::joints));
        let mut world = WorldPose::default();
        let mut positions = PointPositions::new(legs, poses.len());
        for pose in poses {
            pose.forward_kinematics_of(&motion.skeleton, &joints, &mut world);
            for (index, leg) in legs.iter().enumerate() {
                let points = [&leg.heel, &leg.ball, &leg.toe].map(|point| world.point(point));
                positions.push(index, points, world.joint(leg.hip));
            }
        }
        Self::from_positions(positions, motion, legs, floor, first_frame)
    }

    /// Builds the tracks from positions that a caller has already computed.
    pub fn from_positions(
        positions: PointPositions,
        motion: &Motion,
        legs: &[Leg],
        floor: Option<&Floor>,
        first_frame: usize,
    ) -> Self {
        let poses = motion.poses.get(first_frame..).unwrap_or_default();
        let first_pose = poses.first().map(|pose| pose.world(&motion.skeleton));
        let PointPositions { tracks, mut hips, mut toes } = positions;
        let estimate = || estimated_floor(&tracks);
        let floor = floor.cloned().unwrap_or_else(estimate);
        let (up, fps) = (floor.up(), motion.fps);
        let mut tracks = Self { frames: poses.len(), fps, up, tracks, hips: Vec::new(), toes: Vec::new() };
        let half = min_run(VELOCITY_HALF_WINDOW, motion.fps);
        for track in &mut tracks.tracks {
            let unit = first_pose.as_ref().map_or(1.0, |pose| 1.0 / leg_length(pose, &legs[track.leg]));
            let height = |&position: &Vec3| floor.above(position) * unit;
            track.heights = track.positions.iter().map(height).collect();
            track.hip_heights = hips[track.leg].iter().map(height).collect();
            track.positions.iter_mut().for_each(|position| *position *= unit);
            track.velocities = velocities(&track.positions, half, motion.fps);
        }
        for ((hips, toes), leg) in hips.iter_mut().zip(&mut toes).zip(legs) {
            let unit = first_pose.as_ref().map_or(1.0, |pose| 1.0 / leg_length(pose, leg));
            hips.iter_mut().chain(toes).for_each(|position| *position *= unit);
        }
        (tracks.hips, tracks.toes) = (hips, toes);
        tracks
    }

    /// Level ground without any points.
    #[cfg(test)]
    pub fn without_points(frames: usize, fps: f64) -> Self {
        let (tracks, hips, toes) = Default::default();
        Self { tracks, frames, fps, up: Vec3::Y, hips, toes }
    }

    /// Sets the positions relative to ground that moves with the given velocity at each frame.
    pub fn set_ground_flow(&mut self, flow: &[Vec3]) {
        for track in &mut self.tracks {
            let mut ground = Vec3::ZERO;
            let relative = |(position, flow): (&Vec3, &Vec3)| {
                ground += *flow / self.fps;
                *position - ground
            };
            track.ground_positions = track.positions.iter().zip(flow).map(relative).collect();
        }
    }

    /// Converts seconds to the nearest number of frames.
    pub fn frames_in(&self, seconds: f64) -> usize {
        frames_in(seconds, self.fps)
    }

    /// The shortest run that counts, in frames: at least one.
    pub fn min_run(&self, seconds: f64) -> usize {
        min_run(seconds, self.fps)
    }
}

/// World positions of every heel, ball, toe tip and hip, in metres.
pub(crate) struct PointPositions {
    tracks: Vec<PointTrack>,
    hips: Vec<Vec<Vec3>>,
    toes: Vec<Vec<Vec3>>,
}

impl PointPositions {
    /// Empty lists with capacity for this many frames.
    pub fn new(legs: &[Leg], frames: usize) -> Self {
        let points = |leg: usize| [(leg, FootPoint::Heel), (leg, FootPoint::Ball)];
        let track = |(leg, point)| PointTrack {
            leg,
            point,
            positions: Vec::with_capacity(frames),
            ground_positions: Vec::new(),
            heights: Vec::new(),
            velocities: Vec::new(),
            hip_heights: Vec::new(),
        };
        let tracks = (0..legs.len()).flat_map(points).map(track).collect();
        let of_legs = || legs.iter().map(|_| Vec::with_capacity(frames)).collect();
        Self { tracks, hips: of_legs(), toes: of_legs() }
    }

    /// Appends the next frame of a leg: its heel, ball and toe tip, and its hip.
    pub fn push(&mut self, leg: usize, [heel, ball, toe]: [Vec3; 3], hip: Vec3) {
        self.tracks[2 * leg].positions.push(heel);
        self.tracks[2 * leg + 1].positions.push(ball);
        self.toes[leg].push(toe);
        self.hips[leg].push(hip);
    }
}

/// Fraction of all heel and ball positions that may lie below an estimated floor: outliers and
/// penetration. A larger fraction raises the floor into the stances.
const BELOW_FLOOR: f64 = 0.1;

/// A level floor through the low positions of the feet.
fn estimated_floor(tracks: &[PointTrack]) -> Floor {
    let positions = tracks.iter().flat_map(|track| &track.positions);
    let mut heights: Vec<f64> = positions.map(|position| position.y).collect();
    heights.sort_by(f64::total_cmp);
    let at = (BELOW_FLOOR * heights.len() as f64) as usize;
    Floor::level(heights.get(at).copied().unwrap_or(0.0))
}

/// The velocity at each frame: the slope of a line fitted to the positions up to `half` frames away.
pub(crate) fn velocities(positions: &[Vec3], half: usize, fps: f64) -> Vec<Vec3> {
    let slope = |window: &[Vec3]| {
        let mut offset = -((window.len() - 1) as f64) / 2.0;
        let (mut moment, mut spread) = (Vec3::ZERO, 0.0);
        for position in window {
            moment += *position * offset;
            spread += offset * offset;
            offset += 1.0;
        }
        // A window of one frame has no slope.
        if spread > 0.0 { moment * (fps / spread) } else { Vec3::ZERO }
    };
    let window =
        |frame: usize| &positions[frame.saturating_sub(half)..(frame + half + 1).min(positions.len())];
    (0..positions.len()).map(|frame| slope(window(frame))).collect()
}
