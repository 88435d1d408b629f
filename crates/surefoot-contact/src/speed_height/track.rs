//! Where is each heel and ball, and how does it move?
//!
//! Lengths come out in legs and speeds in legs per second. Frames are counted from the first one
//! of the performance.

use surefoot_core::math::floor as round_down;
use surefoot_core::{Floor, FootPoint, Leg, Motion, Pose, Skeleton, Vec3, WorldPose};

/// Seconds to each side over which a velocity is taken.
///
/// One frame at 30 frames a second. Shorter hands marker jitter of a millimetre on as 5 cm/s;
/// longer and the first frames of a plant look like the swing before it.
const AROUND: f64 = 0.03;

/// One point of one foot through the whole performance.
pub(crate) struct Track {
    pub leg: usize,
    pub point: FootPoint,
    /// Where it is.
    pub places: Vec<Vec3>,
    /// Where it is on the ground that goes by: a point that skates with the ground stays. Set once
    /// the flow is known.
    pub over_ground: Vec<Vec3>,
    /// How far above the floor, or below.
    pub heights: Vec<f64>,
    /// How it moves.
    pub velocities: Vec<Vec3>,
    /// How far above the floor its leg's hip is.
    pub hips: Vec<f64>,
}

/// All points.
pub(crate) struct Tracks {
    pub tracks: Vec<Track>,
    /// How many frames there are.
    pub frames: usize,
    pub fps: f64,
    /// Which way is up from the floor.
    pub up: Vec3,
}

impl Tracks {
    pub fn new(motion: &Motion, legs: &[Leg], floor: Option<&Floor>, first_frame: usize) -> Self {
        let poses = motion.poses.get(first_frame..).unwrap_or_default();
        let joints = motion.skeleton.with_ancestors(legs.iter().flat_map(Leg::joints));
        let mut placed = WorldPose::default();
        let mut places = Places::new(legs, poses.len());
        for pose in poses {
            pose.forward_kinematics_of(&motion.skeleton, &joints, &mut placed);
            for (index, leg) in legs.iter().enumerate() {
                let [heel, ball] = [&leg.heel, &leg.ball].map(|point| placed.point(point));
                places.push(index, heel, ball, placed.joint(leg.hip));
            }
        }
        Self::of(places, motion, legs, floor, first_frame)
    }

    /// The same from places that are known.
    pub fn of(
        places: Places,
        motion: &Motion,
        legs: &[Leg],
        floor: Option<&Floor>,
        first_frame: usize,
    ) -> Self {
        let poses = motion.poses.get(first_frame..).unwrap_or_default();
        let Places { tracks, hips } = places;
        let lowest = || lowest(&tracks);
        let floor = floor.cloned().unwrap_or_else(lowest);
        let mut tracks = Self { frames: poses.len(), fps: motion.fps, up: floor.up(), tracks };
        let half = tracks.frames_in(AROUND).max(1);
        for track in &mut tracks.tracks {
            let unit = 1.0 / leg_length(poses, &motion.skeleton, &legs[track.leg]);
            let height = |&place: &Vec3| floor.above(place) * unit;
            track.heights = track.places.iter().map(height).collect();
            track.hips = hips[track.leg].iter().map(height).collect();
            track.places.iter_mut().for_each(|place| *place *= unit);
            track.velocities = velocities(&track.places, half, motion.fps);
        }
        tracks
    }

    /// Puts every point on ground that goes by at these velocities.
    pub fn put_on_ground(&mut self, flow: &[Vec3]) {
        for track in &mut self.tracks {
            let mut gone = Vec3::ZERO;
            let over_ground = |(place, flow): (&Vec3, &Vec3)| {
                gone += *flow / self.fps;
                *place - gone
            };
            track.over_ground = track.places.iter().zip(flow).map(over_ground).collect();
        }
    }

    /// How many frames these seconds are, to the nearest.
    pub fn frames_in(&self, seconds: f64) -> usize {
        round_down(seconds * self.fps + 0.5) as usize
    }
}

/// Where every heel and ball is, and every leg's hip, in metres.
pub(crate) struct Places {
    tracks: Vec<Track>,
    hips: Vec<Vec<Vec3>>,
}

impl Places {
    /// Room for so many frames.
    pub fn new(legs: &[Leg], frames: usize) -> Self {
        let points = |leg: usize| [(leg, FootPoint::Heel), (leg, FootPoint::Ball)];
        let track = |(leg, point)| Track {
            leg,
            point,
            places: Vec::with_capacity(frames),
            over_ground: Vec::new(),
            heights: Vec::new(),
            velocities: Vec::new(),
            hips: Vec::new(),
        };
        let tracks = (0..legs.len()).flat_map(points).map(track).collect();
        Self { tracks, hips: legs.iter().map(|_| Vec::with_capacity(frames)).collect() }
    }

    /// The places of a leg in the next frame.
    pub fn push(&mut self, leg: usize, heel: Vec3, ball: Vec3, hip: Vec3) {
        self.tracks[2 * leg].places.push(heel);
        self.tracks[2 * leg + 1].places.push(ball);
        self.hips[leg].push(hip);
    }
}

/// Thigh and shin together, in metres.
fn leg_length(poses: &[Pose], skeleton: &Skeleton, leg: &Leg) -> f64 {
    let Some(pose) = poses.first() else {
        return 1.0;
    };
    let placed = pose.world(skeleton);
    let bone = |from, to| placed.joint(from).distance(placed.joint(to));
    let length = bone(leg.hip, leg.knee) + bone(leg.knee, leg.ankle);
    // A leg without length has no plants that make sense; a metre keeps its figures finite.
    if length > 0.0 { length } else { 1.0 }
}

/// Share of all heel and ball places that may lie below the floor where none was given.
const BELOW: f64 = 0.1;

/// A level floor through the lowest places of the feet.
fn lowest(tracks: &[Track]) -> Floor {
    let mut heights: Vec<f64> = tracks.iter().flat_map(|t| &t.places).map(|place| place.y).collect();
    heights.sort_by(f64::total_cmp);
    let at = (BELOW * heights.len() as f64) as usize;
    Floor::level(heights.get(at).copied().unwrap_or(0.0))
}

/// The slope of the straight line through the places up to `half` frames away, at each frame.
fn velocities(places: &[Vec3], half: usize, fps: f64) -> Vec<Vec3> {
    let slope = |around: &[Vec3]| {
        let mut away = -((around.len() - 1) as f64) / 2.0;
        let (mut moved, mut time) = (Vec3::ZERO, 0.0);
        for place in around {
            moved += *place * away;
            time += away * away;
            away += 1.0;
        }
        // A single frame does not move.
        if time > 0.0 { moved * (fps / time) } else { Vec3::ZERO }
    };
    let at = |frame: usize| slope(&places[frame.saturating_sub(half)..(frame + half + 1).min(places.len())]);
    (0..places.len()).map(at).collect()
}
