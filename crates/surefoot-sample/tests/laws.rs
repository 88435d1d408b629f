//! What is true of every undamaged sample, exactly.

use surefoot_core::math::{PI, acos};
use surefoot_core::{FootPoint, Leg, Vec3, WorldPose};
use surefoot_sample::{Body, Kind, Recipe, Sample, SampleError, make};

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

/// The least seconds a kind takes, as the error for too few says.
fn shortest(kind: Kind, body: Body) -> f64 {
    let none = Recipe { kind, body, seconds: 0.0, ..Recipe::default() };
    match make(&none).unwrap_err() {
        SampleError::Seconds { least, .. } => least,
        other => panic!("{other}"),
    }
}

/// Calls `law` with every sample and all its placed poses.
fn check(law: impl Fn(&Recipe, &Sample, &[WorldPose])) {
    for recipe in recipes() {
        let sample = make(&recipe).unwrap();
        let placed = placed(&sample);
        law(&recipe, &sample, &placed);
    }
}

fn placed(sample: &Sample) -> Vec<WorldPose> {
    let skeleton = &sample.motion.skeleton;
    let poses = sample.motion.poses.iter();
    poses.map(|pose| pose.world(skeleton)).collect()
}

fn point(placed: &WorldPose, leg: &Leg, point: FootPoint) -> Vec3 {
    placed.point(match point {
        FootPoint::Heel => &leg.heel,
        FootPoint::Ball => &leg.ball,
    })
}

/// Bend of a knee in radians; straight is 0.
fn knee(placed: &WorldPose, leg: &Leg) -> f64 {
    let thigh = (placed.joint(leg.hip) - placed.joint(leg.knee)).normalize();
    let shin = (placed.joint(leg.ankle) - placed.joint(leg.knee)).normalize();
    PI - acos(thigh.dot(shin).clamp(-1.0, 1.0))
}

#[test]
fn a_planted_point_does_not_move() {
    check(|recipe, sample, placed| {
        let mut worst = 0.0f64;
        for plant in &sample.plants.plants {
            let leg = &sample.legs[plant.leg];
            for frame in plant.frames.clone() {
                let here = point(&placed[frame], leg, plant.point);
                worst = worst.max(here.distance(plant.spot.unwrap()));
            }
        }
        assert!(worst < 1e-9, "{recipe:?}: {worst} m");
    });
}

#[test]
fn every_plant_is_on_the_floor_or_on_its_step() {
    check(|recipe, sample, _| {
        for plant in &sample.plants.plants {
            let height = sample.floor.above(plant.spot.unwrap());
            match recipe.kind {
                Kind::Stairs => assert!(height >= 0.0, "{recipe:?}: {plant:?}"),
                _ => assert_eq!(height, 0.0, "{recipe:?}: {plant:?}"),
            }
        }
    });
}

/// The floor at `z`, made from the plants: each heel stands 2 cm from the edge of its step.
fn ground(sample: &Sample, z: f64) -> f64 {
    let heels = sample.plants.plants.iter().filter(|p| p.point == FootPoint::Heel);
    let spots = heels.filter_map(|plant| plant.spot);
    let passed = spots.filter(|spot| spot.y > 0.0 && spot.z - 0.02 <= z);
    passed.map(|spot| spot.y).fold(0.0, f64::max)
}

#[test]
fn no_part_of_a_foot_goes_below_the_floor() {
    check(|recipe, sample, placed| {
        for (frame, placed) in placed.iter().enumerate() {
            for leg in &sample.legs {
                for part in [&leg.heel, &leg.ball, &leg.toe] {
                    let part = placed.point(part);
                    let above = part.y - ground(sample, part.z);
                    assert!(above > -1e-12, "{recipe:?}: {} {frame}: {above}", leg.side);
                }
            }
        }
    });
}

#[test]
fn a_swinging_foot_clears_the_floor() {
    check(|recipe, sample, placed| {
        for (number, leg) in sample.legs.iter().enumerate() {
            let swings = |frame| POINTS.iter().all(|&p| !sample.plants.is_planted(number, p, frame));
            // The first and last frames of a swing are still, or already, on the floor.
            let edge = (0.12 * recipe.fps) as usize;
            let around = |frame: usize| frame.saturating_sub(edge)..frame + edge + 1;
            for (frame, placed) in placed.iter().enumerate() {
                if around(frame).all(swings) {
                    for part in [&leg.heel, &leg.ball, &leg.toe] {
                        let above = sample.floor.above(placed.point(part));
                        assert!(above > 0.003, "{recipe:?}: {} {frame}: {above}", leg.side);
                    }
                }
            }
        }
    });
}

#[test]
fn the_toe_tip_lies_on_the_floor_while_the_foot_rolls_over_its_ball() {
    check(|recipe, sample, placed| {
        for plant in &sample.plants.plants {
            let rolls = |frame: &usize| {
                plant.point == FootPoint::Ball
                    && !sample.plants.is_planted(plant.leg, FootPoint::Heel, *frame)
            };
            for frame in plant.frames.clone().filter(rolls) {
                let tip = placed[frame].point(&sample.legs[plant.leg].toe);
                let above = tip.y - plant.spot.unwrap().y;
                assert!(above.abs() < 1e-12, "{recipe:?}: {frame}: {above}");
            }
        }
    });
}

#[test]
fn bones_keep_their_length_to_the_last_bit() {
    check(|_, sample, _| {
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
    check(|recipe, sample, _| {
        for (frame, pair) in sample.motion.poses.windows(2).enumerate() {
            for (joint, (a, b)) in pair[0].rotations.iter().zip(&pair[1].rotations).enumerate() {
                assert!((b.length() - 1.0).abs() < 1e-12);
                assert!(a.dot(*b) > 0.0);
                // The quickest are the paws of a trot: about 30 rad/s.
                let speed = a.angle_between(*b) * recipe.fps;
                assert!(speed < 40.0, "{recipe:?}: joint {joint}, frame {frame}: {speed} rad/s");
            }
        }
    });
}

#[test]
fn no_leg_is_ever_stretched_straight() {
    check(|recipe, sample, placed| {
        for leg in &sample.legs {
            let bone = |joint| sample.motion.skeleton.joint(joint).offset.length();
            let length = bone(leg.knee) + bone(leg.ankle);
            let reach = |p: &WorldPose| p.joint(leg.hip).distance(p.joint(leg.ankle)) / length;
            let longest = placed.iter().map(reach).fold(0.0, f64::max);
            assert!(longest <= 0.995, "{recipe:?}: {} reaches {longest}", leg.side);
        }
    });
}

/// The largest angular acceleration of a knee, in rad/s².
fn knee_acceleration(sample: &Sample) -> f64 {
    let (placed, fps) = (placed(sample), sample.motion.fps);
    let mut most = 0.0f64;
    for leg in &sample.legs {
        let bends: Vec<f64> = placed.iter().map(|p| knee(p, leg)).collect();
        for three in bends.windows(3) {
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
            // A curve with a kink would show eight times as much at eight times the rate.
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
fn the_same_recipe_gives_the_same_bits_and_another_seed_does_not() {
    let at = |seed| make(&Recipe { seed, ..Recipe::default() }).unwrap().motion;
    assert_eq!(at(5), at(5));
    assert_ne!(at(5), at(6));
}

#[test]
fn a_walk_strikes_with_the_heel_rolls_flat_and_leaves_over_the_ball() {
    let sample = make(&Recipe { fps: 240.0, ..Recipe::default() }).unwrap();
    let of = |point| {
        let mine = move |p: &&surefoot_core::Plant| p.leg == 0 && p.point == point;
        sample.plants.plants.iter().filter(mine).collect::<Vec<_>>()
    };
    let (heels, balls) = (of(FootPoint::Heel), of(FootPoint::Ball));
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
fn a_walk_bends_its_knees_as_people_do() {
    let sample = make(&Recipe::default()).unwrap();
    let placed = placed(&sample);
    let bends = placed.iter().map(|p| knee(p, &sample.legs[0]) * 180.0 / PI);
    let (least, most) = bends.fold((180.0f64, 0.0f64), |(l, m), b| (l.min(b), m.max(b)));
    assert!(least > 10.0 && (55.0..70.0).contains(&most), "{least}° to {most}°");
}

#[test]
fn what_cannot_be_made_is_refused_with_the_reason() {
    let refused = |recipe: Recipe| make(&recipe).unwrap_err().to_string();
    assert_eq!(
        refused(Recipe { fps: f64::NAN, ..Recipe::default() }),
        "NaN frames per second asked for, but only 1 to 1000 make sense"
    );
    assert_eq!(
        refused(Recipe { seconds: 0.5, ..Recipe::default() }),
        "0.5 s asked for, but a walk takes from 3.7 s to ten minutes"
    );
}
