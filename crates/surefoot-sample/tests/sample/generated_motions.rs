//! Properties that hold exactly for every undamaged motion.

use surefoot_core::math::{PI, acos};
use surefoot_core::{FootPoint, Leg, Vec3, WorldPose};
use surefoot_sample::{Body, Kind, Recipe, Sample, SampleError, make, walk};

const POINTS: [FootPoint; 2] = [FootPoint::Heel, FootPoint::Ball];

fn recipes() -> Vec<Recipe> {
    let mut recipes = Vec::new();
    for kind in Kind::ALL {
        for body in Body::ALL {
            let shortest = shortest(kind, body);
            for (fps, seconds) in [(60.0, 6.0), (120.0, 9.3), (24.0, 35.0), (239.5, 7.1), (50.0, shortest)] {
                let seed = recipes.len() as u64;
                recipes.push(Recipe { kind, body, fps, seconds, seed, skate: None });
            }
        }
    }
    recipes
}

/// The shortest duration of a kind in seconds, from the error for a duration of 0.
fn shortest(kind: Kind, body: Body) -> f64 {
    let too_short = Recipe { kind, body, seconds: 0.0, ..Recipe::default() };
    match make(&too_short).unwrap_err() {
        SampleError::Seconds { min, .. } => min,
        other => panic!("{other}"),
    }
}

/// Calls `check` with every motion and its poses in world space.
fn for_each_sample(check: impl Fn(&Recipe, &Sample, &[WorldPose])) {
    for recipe in recipes() {
        let sample = make(&recipe).unwrap();
        let world = world_poses(&sample);
        check(&recipe, &sample, &world);
    }
}

fn world_poses(sample: &Sample) -> Vec<WorldPose> {
    let skeleton = &sample.motion.skeleton;
    let poses = sample.motion.poses.iter();
    poses.map(|pose| pose.world(skeleton)).collect()
}

fn position(world: &WorldPose, leg: &Leg, point: FootPoint) -> Vec3 {
    world.point(leg.point(point))
}

/// Flexion of a knee in radians; 0 is straight.
fn knee_flexion(world: &WorldPose, leg: &Leg) -> f64 {
    let thigh = (world.joint(leg.hip) - world.joint(leg.knee)).normalize();
    let shin = (world.joint(leg.ankle) - world.joint(leg.knee)).normalize();
    PI - acos(thigh.dot(shin).clamp(-1.0, 1.0))
}

#[test]
fn planted_points_stay_at_their_spots() {
    for_each_sample(|recipe, sample, world| {
        let mut worst = 0.0f64;
        for plant in &sample.plants.plants {
            let leg = &sample.legs[plant.leg];
            for frame in plant.frames.clone() {
                let position = position(&world[frame], leg, plant.point);
                worst = worst.max(position.distance(plant.spot.unwrap()));
            }
        }
        assert!(worst < 1e-9, "{recipe:?}: {worst} m");
    });
}

#[test]
fn every_spot_is_on_the_floor_or_on_a_stair() {
    for_each_sample(|recipe, sample, _| {
        for plant in &sample.plants.plants {
            let height = sample.floor.above(plant.spot.unwrap());
            match recipe.kind {
                Kind::Stairs => assert!(height >= 0.0, "{recipe:?}: {plant:?}"),
                _ => assert_eq!(height, 0.0, "{recipe:?}: {plant:?}"),
            }
        }
    });
}

/// The height of the floor at `z`, from the plants: each heel is 2 cm from the edge of its stair.
fn floor_height(sample: &Sample, z: f64) -> f64 {
    let heels = sample.plants.plants.iter().filter(|p| p.point == FootPoint::Heel);
    let spots = heels.filter_map(|plant| plant.spot);
    let below = spots.filter(|spot| spot.y > 0.0 && spot.z - 0.02 <= z);
    below.map(|spot| spot.y).fold(0.0, f64::max)
}

#[test]
fn no_foot_point_penetrates_the_floor() {
    for_each_sample(|recipe, sample, world| {
        for (frame, pose) in world.iter().enumerate() {
            for leg in &sample.legs {
                for part in [&leg.heel, &leg.ball, &leg.toe] {
                    let part = pose.point(part);
                    let above = part.y - floor_height(sample, part.z);
                    assert!(above > -1e-12, "{recipe:?}: {} {frame}: {above}", leg.side);
                }
            }
        }
    });
}

#[test]
fn a_swinging_foot_clears_the_floor() {
    for_each_sample(|recipe, sample, world| {
        for (number, leg) in sample.legs.iter().enumerate() {
            let is_free = |frame| POINTS.iter().all(|&p| !sample.plants.is_planted(number, p, frame));
            // In the first and last frames of a swing the foot is near the floor.
            let margin = (0.12 * recipe.fps) as usize;
            let around = |frame: usize| frame.saturating_sub(margin)..frame + margin + 1;
            for (frame, pose) in world.iter().enumerate() {
                if around(frame).all(is_free) {
                    for part in [&leg.heel, &leg.ball, &leg.toe] {
                        let above = sample.floor.above(pose.point(part));
                        assert!(above > 0.003, "{recipe:?}: {} {frame}: {above}", leg.side);
                    }
                }
            }
        }
    });
}

#[test]
fn the_toe_tip_lies_on_the_floor_while_the_foot_rolls_over_its_ball() {
    for_each_sample(|recipe, sample, world| {
        for plant in &sample.plants.plants {
            let rolls = |frame: &usize| {
                plant.point == FootPoint::Ball
                    && !sample.plants.is_planted(plant.leg, FootPoint::Heel, *frame)
            };
            for frame in plant.frames.clone().filter(rolls) {
                let tip = world[frame].point(&sample.legs[plant.leg].toe);
                let above = tip.y - plant.spot.unwrap().y;
                assert!(above.abs() < 1e-12, "{recipe:?}: {frame}: {above}");
            }
        }
    });
}

#[test]
fn bone_lengths_are_constant_to_the_last_bit() {
    for_each_sample(|_, sample, _| {
        let joints = sample.motion.skeleton.joints();
        for pose in &sample.motion.poses {
            for (joint, offset) in joints.iter().zip(&pose.offsets).skip(1) {
                assert_eq!(joint.offset, *offset);
            }
        }
    });
}

#[test]
fn rotations_are_unit_and_continuous() {
    for_each_sample(|recipe, sample, _| {
        for (frame, pair) in sample.motion.poses.windows(2).enumerate() {
            for (joint, (a, b)) in pair[0].rotations.iter().zip(&pair[1].rotations).enumerate() {
                assert!((b.length() - 1.0).abs() < 1e-12);
                assert!(a.dot(*b) > 0.0);
                // The paws of a trot are fastest, with about 30 rad/s.
                let speed = a.angle_between(*b) * recipe.fps;
                assert!(speed < 40.0, "{recipe:?}: joint {joint}, frame {frame}: {speed} rad/s");
            }
        }
    });
}

#[test]
fn no_leg_is_fully_extended() {
    for_each_sample(|recipe, sample, world| {
        for leg in &sample.legs {
            let bone = |joint| sample.motion.skeleton.joint(joint).offset.length();
            let length = bone(leg.knee) + bone(leg.ankle);
            let reach = |p: &WorldPose| p.joint(leg.hip).distance(p.joint(leg.ankle)) / length;
            let longest = world.iter().map(reach).fold(0.0, f64::max);
            assert!(longest <= 0.995, "{recipe:?}: {} reaches {longest}", leg.side);
        }
    });
}

/// The largest angular acceleration of a knee, in rad/s².
fn knee_acceleration(sample: &Sample) -> f64 {
    let (world, fps) = (world_poses(sample), sample.motion.fps);
    let mut most = 0.0f64;
    for leg in &sample.legs {
        let angles: Vec<f64> = world.iter().map(|pose| knee_flexion(pose, leg)).collect();
        for three in angles.windows(3) {
            most = most.max((three[0] - 2.0 * three[1] + three[2]).abs() * fps * fps);
        }
    }
    most
}

#[test]
fn knees_do_not_pop() {
    for (kind, limit) in [
        (Kind::Walk, 220.0),
        (Kind::Turn, 260.0),
        (Kind::Run, 900.0),
        (Kind::Jump, 500.0),
        (Kind::Stairs, 420.0),
        (Kind::Sneak, 100.0),
        (Kind::Stand, 10.0),
    ] {
        for seed in 0..3 {
            let at = |fps| {
                let recipe = Recipe { kind, fps, seed, ..Recipe::default() };
                knee_acceleration(&make(&recipe).unwrap())
            };
            let (coarse, fine) = (at(120.0), at(960.0));
            println!("{}: {coarse:.0} rad/s² at 120 fps, {fine:.0} at 960", kind.as_str());
            assert!(fine < limit, "{}: {fine} rad/s²", kind.as_str());
            // A kink would give eight times the acceleration at eight times the rate.
            assert!(fine < 1.3 * coarse, "{}: {coarse} then {fine} rad/s²", kind.as_str());
        }
    }
}

#[test]
fn a_motion_is_the_same_at_every_frame_rate() {
    for kind in Kind::ALL {
        for body in Body::ALL {
            let at = |fps| make(&Recipe { kind, body, fps, ..Recipe::default() }).unwrap();
            let (slow, fast) = (at(30.0), at(120.0));
            for (frame, pose) in slow.motion.poses.iter().enumerate() {
                let other = &fast.motion.poses[4 * frame];
                for (a, b) in pose.offsets.iter().zip(&other.offsets) {
                    assert!(a.distance(*b) < 1e-12);
                }
                for (a, b) in pose.rotations.iter().zip(&other.rotations) {
                    assert!(a.dot(*b).abs() > 1.0 - 1e-12);
                }
            }
        }
    }
}

#[test]
fn the_same_recipe_gives_the_same_bits() {
    let at = |seed| make(&Recipe { seed, ..Recipe::default() }).unwrap().motion;
    assert_eq!(at(5), at(5));
    assert_ne!(at(5), at(6));
}

#[test]
fn a_walk_lands_on_the_heel_and_leaves_over_the_ball() {
    let sample = make(&Recipe { fps: 240.0, ..Recipe::default() }).unwrap();
    let plants_of = |point| {
        let is_own = move |p: &&surefoot_core::Plant| p.leg == 0 && p.point == point;
        sample.plants.plants.iter().filter(is_own).collect::<Vec<_>>()
    };
    let (heels, balls) = (plants_of(FootPoint::Heel), plants_of(FootPoint::Ball));
    assert!(heels.len() >= 4);
    assert_eq!(heels.len(), balls.len());
    for (heel, ball) in heels.iter().zip(&balls).skip(1) {
        assert!(heel.frames.start < ball.frames.start);
        assert!(heel.frames.end <= ball.frames.end);
    }
    for pair in balls.windows(2) {
        assert!(pair[0].frames.end < pair[1].frames.start);
    }
}

#[test]
fn the_knee_flexion_of_a_walk_is_human() {
    let sample = make(&Recipe::default()).unwrap();
    let world = world_poses(&sample);
    let angles = world.iter().map(|pose| knee_flexion(pose, &sample.legs[0]) * 180.0 / PI);
    let (least, most) = angles.fold((180.0f64, 0.0f64), |(l, m), b| (l.min(b), m.max(b)));
    assert!(least > 10.0 && (55.0..70.0).contains(&most), "{least}° to {most}°");
}

#[test]
fn invalid_recipes_are_refused_with_the_reason() {
    let message = |recipe: Recipe| make(&recipe).unwrap_err().to_string();
    assert_eq!(
        message(Recipe { fps: f64::NAN, ..Recipe::default() }),
        "found NaN frames per second, expected 1 to 1000"
    );
    assert_eq!(
        message(Recipe { seconds: 0.5, ..Recipe::default() }),
        "found 0.5 s, but a walk takes from 3.7 to 600 s"
    );
}

#[test]
fn the_narrow_function_makes_the_same_walk() {
    let (kind, body) = (Kind::Walk, Body::Human);
    for (fps, seconds, seed) in [(60.0, 6.0, 0), (24.0, 35.0, 7), (50.0, shortest(kind, body), 1)] {
        let wide = make(&Recipe { kind, body, fps, seconds, seed, skate: None }).unwrap();
        let narrow = walk(fps, seconds, seed).unwrap();
        assert_eq!(narrow.motion, wide.motion);
        assert_eq!(narrow.legs, wide.legs);
        assert_eq!(narrow.plants, wide.plants);
        assert!(wide.stairs.is_empty() && narrow.stairs.is_empty());
    }
    for (fps, seconds) in [(0.0, 6.0), (60.0, 0.0), (60.0, 601.0)] {
        let wide = make(&Recipe { kind, body, fps, seconds, ..Recipe::default() }).unwrap_err();
        assert_eq!(walk(fps, seconds, 0).unwrap_err(), wide);
    }
}
