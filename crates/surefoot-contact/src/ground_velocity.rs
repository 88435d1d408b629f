//! The velocity of the ground of a whole clip: a treadmill, or a clip in place.
//!
//! On a treadmill, and in a clip made to walk in place, the body stays and all planted feet travel
//! backwards at one speed. Skating feet move with the body or each in its own direction; there the
//! ground stands still. This module decides from the plants; `ground_flow` estimates the velocity frame
//! by frame before there are plants.

use crate::leg_length::leg_length;
use surefoot_core::{Floor, Footplants, Leg, Motion, Plant, Vec3, WorldPose};

/// Ground slower than this stands still, in leg lengths per second: 0.25 m/s under an adult.
/// Walking is faster, and skating feet reach that speed.
const MIN_GROUND_SPEED: f64 = 0.3;
/// Fraction of the planted time in which points must move with the ground.
const MIN_AGREEING_TIME: f64 = 0.6;
/// Deviation from the ground's velocity up to which a point moves with it, as a fraction of the ground's speed.
const AGREEMENT_FRACTION: f64 = 0.3;
/// Largest speed of the body, as a fraction of the ground's. Over ground that stands still, the body
/// is faster than its planted feet.
const MAX_BODY_FRACTION: f64 = 0.5;
/// Plants shorter than this are too short to measure a speed, in seconds.
pub(crate) const MIN_PLANT_TIME: f64 = 0.06;

/// Returns the velocity of the ground along the floor, in metres per second; `None` where it stands still.
///
/// It is one velocity for the whole motion: the median over all planted points.
pub fn ground_velocity(
    motion: &Motion,
    legs: &[Leg],
    floor: Option<&Floor>,
    plants: &Footplants,
) -> Option<Vec3> {
    // A hand may rest on a rail beside the treadmill.
    let legs = Leg::without_arms(legs);
    let velocities = plant_velocities(motion, legs, floor, plants);
    common_velocity(&velocities, mean_leg_length(motion, legs))
}

/// Returns the velocity that most of these plants have in common, if they move as on a treadmill. The length of a leg is
/// in metres.
pub(crate) fn common_velocity(velocities: &[PlantVelocity], leg_length: f64) -> Option<Vec3> {
    let total: f64 = velocities.iter().map(|plant| plant.frames).sum();
    let ground = weighted_median(velocities, |plant| plant.point)?;
    let body = weighted_median(velocities, |plant| plant.body)?;
    let agrees = |plant: &&PlantVelocity| plant.point.distance(ground) < AGREEMENT_FRACTION * ground.length();
    let agreeing: f64 = velocities.iter().filter(agrees).map(|plant| plant.frames).sum();
    let moves = ground.length() > MIN_GROUND_SPEED * leg_length
        && body.length() < MAX_BODY_FRACTION * ground.length();
    (moves && agreeing > MIN_AGREEING_TIME * total).then_some(ground)
}

/// Smallest change of the ground's speed from the first plant to the last, as a fraction of the
/// speed. Plants on a belt of constant speed differ by less.
const MIN_SPEED_CHANGE: f64 = 0.1;
/// Largest squared deviation of the plants from a line in time, as a fraction of their squared
/// deviation from the mean: above it the speed does not change steadily.
const MAX_LINE_RESIDUAL: f64 = 0.3;
/// Fewest plants to which a line is fitted.
const MIN_LINE_PLANTS: usize = 6;

/// Returns the ground's speed at the first and at the last plant, in metres per second, where it
/// changes steadily: a treadmill whose belt is sped up or slowed down. `ground` is the result of
/// [`ground_velocity`].
///
/// The motion may be given in world space or relative to ground of constant velocity.
pub fn ground_speed_change(
    motion: &Motion,
    legs: &[Leg],
    floor: Option<&Floor>,
    plants: &Footplants,
    ground: Vec3,
) -> Option<[f64; 2]> {
    let velocities = plant_velocities(motion, Leg::without_arms(legs), floor, plants);
    if velocities.len() < MIN_LINE_PLANTS {
        return None;
    }
    let line = VelocityLine::fit(&velocities);
    let times = || velocities.iter().map(|plant| plant.seconds);
    let ends = [times().fold(f64::INFINITY, f64::min), times().fold(0.0, f64::max)];
    let speeds = ends.map(|end| (ground + line.rate * (end - line.time)).length());
    let changes = (speeds[1] - speeds[0]).abs() > MIN_SPEED_CHANGE * ground.length();
    (changes && line.squared_residual < MAX_LINE_RESIDUAL * line.squared_deviation).then_some(speeds)
}

/// Returns the motion relative to ground of this velocity, in metres per second, so that planted
/// points stand still. The opposite velocity undoes it.
pub fn relative_to_ground(motion: &Motion, velocity: Vec3) -> Motion {
    motion.with_added_velocity(-velocity)
}

/// A line in time through the velocities of the plants, each weighted by its length.
struct VelocityLine {
    /// The mean time, in seconds, at which the line passes through the mean velocity.
    time: f64,
    /// The change of the velocity, in metres per second².
    rate: Vec3,
    /// The weighted sum of squared deviations from the line.
    squared_residual: f64,
    /// The weighted sum of squared deviations from the mean velocity.
    squared_deviation: f64,
}

impl VelocityLine {
    fn fit(plants: &[PlantVelocity]) -> Self {
        let total: f64 = plants.iter().map(|plant| plant.frames).sum();
        let time = plants.iter().map(|plant| plant.frames * plant.seconds).sum::<f64>() / total;
        let mean = plants.iter().map(|plant| plant.point * plant.frames).sum::<Vec3>() / total;
        let weighted_sum = |of: &dyn Fn(&PlantVelocity) -> f64| {
            plants.iter().map(|plant| plant.frames * of(plant)).sum::<f64>()
        };
        let spread = weighted_sum(&|plant| (plant.seconds - time) * (plant.seconds - time));
        let covariance =
            plants.iter().map(|plant| (plant.point - mean) * (plant.frames * (plant.seconds - time)));
        // Plants at the same time define no slope.
        let rate = if spread > 0.0 { covariance.sum::<Vec3>() / spread } else { Vec3::ZERO };
        let residual = |plant: &PlantVelocity| plant.point - mean - rate * (plant.seconds - time);
        Self {
            time,
            rate,
            squared_residual: weighted_sum(&|plant| residual(plant).length_squared()),
            squared_deviation: weighted_sum(&|plant| plant.point.distance_squared(mean)),
        }
    }
}

/// The mean velocities during one plant, along the floor, in metres per second.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlantVelocity {
    /// Length of the plant, in frames: its weight.
    pub frames: f64,
    /// Time of the plant's middle, in seconds.
    pub seconds: f64,
    /// Velocity of the planted point.
    pub point: Vec3,
    /// Velocity of the leg's hip.
    pub body: Vec3,
}

fn plant_velocities(
    motion: &Motion,
    legs: &[Leg],
    floor: Option<&Floor>,
    plants: &Footplants,
) -> Vec<PlantVelocity> {
    let up = floor.map_or(Vec3::Y, Floor::up);
    plants.plants.iter().filter_map(|plant| plant_velocity(plant, motion, legs, up)).collect()
}

/// Measures the middle half of a plant, because the point arrives and leaves at its edges.
fn plant_velocity(plant: &Plant, motion: &Motion, legs: &[Leg], up: Vec3) -> Option<PlantVelocity> {
    let quarter = plant.frames.len() / 4;
    let middle = plant.frames.start + quarter..plant.frames.end.min(motion.frames()) - quarter;
    let leg = legs.get(plant.leg)?;
    if middle.len() < 2 || (plant.frames.len() as f64) < MIN_PLANT_TIME * motion.fps {
        return None;
    }
    let joint_point = leg.point(plant.point);
    let mut world = WorldPose::default();
    let mut at = |frame: usize| {
        motion.poses[frame].forward_kinematics(&motion.skeleton, &mut world);
        (world.point(joint_point), world.joint(leg.hip))
    };
    let ((point_before, hip_before), (point_after, hip_after)) = (at(middle.start), at(middle.end - 1));
    let time = (middle.len() - 1) as f64 / motion.fps;
    let along_floor = |displacement: Vec3| (displacement - up * displacement.dot(up)) / time;
    Some(PlantVelocity {
        frames: plant.frames.len() as f64,
        seconds: (plant.frames.start + plant.frames.end) as f64 / (2.0 * motion.fps),
        point: along_floor(point_after - point_before),
        body: along_floor(hip_after - hip_before),
    })
}

/// Returns the median velocity, axis by axis, weighted by the length of the plants.
fn weighted_median(plants: &[PlantVelocity], of: impl Fn(&PlantVelocity) -> Vec3) -> Option<Vec3> {
    let total: f64 = plants.iter().map(|plant| plant.frames).sum();
    let axis = |axis: usize| {
        let mut values: Vec<(f64, f64)> =
            plants.iter().map(|plant| (of(plant)[axis], plant.frames)).collect();
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

fn mean_leg_length(motion: &Motion, legs: &[Leg]) -> f64 {
    let Some(pose) = motion.poses.first() else { return 1.0 };
    let world = pose.world(&motion.skeleton);
    legs.iter().map(|leg| leg_length(&world, leg)).sum::<f64>() / legs.len().max(1) as f64
}
