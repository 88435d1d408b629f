//! Does the ground move under the feet?
//!
//! On a treadmill, and in a clip made to walk in place, the body stays and planted feet travel
//! backwards, all at one speed. Feet that skate move with the body, or each its own way: there the
//! ground stands.

use surefoot_core::math::sqrt;
use surefoot_core::{Floor, FootPoint, Footplants, Leg, Motion, Plant, Vec3, WorldPose};

/// Slower ground stands, in legs per second: 0.25 m/s under an adult. Nobody walks so slowly, and
/// feet that skate do move so fast.
const SLOWEST: f64 = 0.3;
/// The share of the planted time in which points must move with the ground, and how far off they
/// may be, as a share of its speed.
const MOST: f64 = 0.6;
const AGREE: f64 = 0.3;
/// The body is no faster than this share of the ground. Over ground that stands it is faster than
/// its feet.
const BODY: f64 = 0.5;
/// Plants shorter than this tell nothing of a speed, in seconds.
const TELLS: f64 = 0.06;

/// The velocity of the ground along itself, in metres per second; `None` where it stands.
///
/// It is one velocity for the whole motion, the middle one of all planted points.
pub fn moving_ground(
    motion: &Motion,
    legs: &[Leg],
    floor: Option<&Floor>,
    plants: &Footplants,
) -> Option<Vec3> {
    let up = floor.map_or(Vec3::Y, Floor::up);
    let told: Vec<Told> = plants.plants.iter().filter_map(|plant| tell(plant, motion, legs, up)).collect();
    let total: f64 = told.iter().map(|told| told.frames).sum();
    let ground = middle(&told, |told| told.point)?;
    let body = middle(&told, |told| told.body)?;
    let agree = |told: &&Told| told.point.distance(ground) < AGREE * ground.length();
    let agreed: f64 = told.iter().filter(agree).map(|told| told.frames).sum();
    let leg = legs.iter().map(|leg| leg_length(motion, leg)).sum::<f64>() / legs.len().max(1) as f64;
    let moves = ground.length() > SLOWEST * leg && body.length() < BODY * ground.length();
    (moves && agreed > MOST * total).then_some(ground)
}

/// From one end of the motion to the other, a change of the ground's speed by less than this share of it is what
/// plants differ by anyway.
const CHANGES: f64 = 0.1;
/// A speed that changes slowly is told by plants that follow a line in time: what they are off it, squared, is less
/// than this share of what they are off their mean.
const FOLLOWS: f64 = 0.3;
/// The fewest plants that tell a line.
const LINE: usize = 6;

/// The speeds of moving ground where the first and the last plant stand, in metres per second, where it goes evenly
/// faster or slower: a belt that is set to another speed. `ground` is what [`moving_ground`] found.
///
/// The motion may be seen from the room, or from ground of one velocity.
pub fn ground_changes(
    motion: &Motion,
    legs: &[Leg],
    floor: Option<&Floor>,
    plants: &Footplants,
    ground: Vec3,
) -> Option<[f64; 2]> {
    let up = floor.map_or(Vec3::Y, Floor::up);
    let told: Vec<Told> = plants.plants.iter().filter_map(|plant| tell(plant, motion, legs, up)).collect();
    let total: f64 = told.iter().map(|told| told.frames).sum();
    if told.len() < LINE {
        return None;
    }
    let time = told.iter().map(|told| told.frames * told.seconds).sum::<f64>() / total;
    let mean = told.iter().map(|told| told.point * told.frames).sum::<Vec3>() / total;
    let weigh = |of: &dyn Fn(&Told) -> f64| told.iter().map(|told| told.frames * of(told)).sum::<f64>();
    let spread = weigh(&|told| (told.seconds - time) * (told.seconds - time));
    let faster = told.iter().map(|told| (told.point - mean) * (told.frames * (told.seconds - time)));
    // Plants that all stand at once tell no line.
    let rate = if spread > 0.0 { faster.sum::<Vec3>() / spread } else { Vec3::ZERO };
    let off_mean = weigh(&|told| told.point.distance_squared(mean));
    let off_line = weigh(&|told| (told.point - mean - rate * (told.seconds - time)).length_squared());
    let seconds = || told.iter().map(|told| told.seconds);
    let ends = [seconds().fold(f64::INFINITY, f64::min), seconds().fold(0.0, f64::max)];
    let speeds = ends.map(|end| (ground + rate * (end - time)).length());
    let changes = (speeds[1] - speeds[0]).abs() > CHANGES * ground.length();
    (changes && off_line < FOLLOWS * off_mean).then_some(speeds)
}

/// What one plant tells.
struct Told {
    frames: f64,
    /// When, at its middle.
    seconds: f64,
    /// How fast its point goes along the floor.
    point: Vec3,
    /// And the hips above it.
    body: Vec3,
}

/// The middle half of a plant: its edges arrive and leave.
fn tell(plant: &Plant, motion: &Motion, legs: &[Leg], up: Vec3) -> Option<Told> {
    let quarter = plant.frames.len() / 4;
    let middle = plant.frames.start + quarter..plant.frames.end.min(motion.frames()) - quarter;
    let leg = legs.get(plant.leg)?;
    if middle.len() < 2 || (plant.frames.len() as f64) < TELLS * motion.fps {
        return None;
    }
    let on = if plant.point == FootPoint::Heel { &leg.heel } else { &leg.ball };
    let mut placed = WorldPose::default();
    let mut at = |frame: usize| {
        motion.poses[frame].forward_kinematics(&motion.skeleton, &mut placed);
        (placed.point(on), placed.joint(leg.hip))
    };
    let ((point, hip), (point_after, hip_after)) = (at(middle.start), at(middle.end - 1));
    let time = (middle.len() - 1) as f64 / motion.fps;
    let along = |way: Vec3| (way - up * way.dot(up)) / time;
    Some(Told {
        frames: plant.frames.len() as f64,
        seconds: (plant.frames.start + plant.frames.end) as f64 / (2.0 * motion.fps),
        point: along(point_after - point),
        body: along(hip_after - hip),
    })
}

/// The middle velocity, axis by axis, each counted for as long as it was told.
fn middle(told: &[Told], of: impl Fn(&Told) -> Vec3) -> Option<Vec3> {
    let total: f64 = told.iter().map(|told| told.frames).sum();
    let axis = |axis: usize| {
        let mut values: Vec<(f64, f64)> = told.iter().map(|told| (of(told)[axis], told.frames)).collect();
        values.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut passed = 0.0;
        values
            .iter()
            .find(|(_, frames)| {
                passed += frames;
                2.0 * passed >= total
            })
            .map(|(value, _)| *value)
    };
    Some(Vec3::new(axis(0)?, axis(1)?, axis(2)?))
}

fn leg_length(motion: &Motion, leg: &Leg) -> f64 {
    let Some(pose) = motion.poses.first() else { return 1.0 };
    let bone = |joint: surefoot_core::JointId| pose.offsets[joint.index()].length_squared();
    sqrt(bone(leg.knee)) + sqrt(bone(leg.ankle))
}

/// The motion as one who stands on ground of this velocity sees it, so that planted points stand.
///
/// The opposite velocity takes it back.
pub fn over_ground(motion: &Motion, velocity: Vec3) -> Motion {
    motion.with_added_velocity(-velocity)
}
