//! Tests of path editing and of in-place motion.

use crate::bodies::sample;
use crate::clips::read;
use surefoot_core::math::PI;
use surefoot_core::{Clip, FootPoint, Plant, Vec3, WorldPose};
use surefoot_edit::follow::{
    GroundPosition, Path, PathError, Preserve, align_start, bend_path, fit, follow, path_through, scale_path,
};
use surefoot_edit::in_place::{body_velocity, in_place, root_motion, treadmill_velocity};
use surefoot_edit::knee_speed_added;
use surefoot_sample::{Kind, Recipe};
use surefoot_solve::{CleanResult, clean};

fn distance(a: GroundPosition, b: GroundPosition) -> f64 {
    ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).sqrt()
}

fn root(clip: &Clip, frame: usize) -> Vec3 {
    let mut world = WorldPose::default();
    clip.motion.poses[frame].forward_kinematics(&clip.motion.skeleton, &mut world);
    world.positions[0]
}

/// Largest distance of each planted point from its first position, in metres.
fn drifts(clip: &Clip) -> Vec<f64> {
    let drift = |plant: &Plant| {
        let leg = &clip.legs[plant.leg];
        let point = if plant.point == FootPoint::Heel { leg.heel } else { leg.ball };
        let at = |frame: usize| clip.motion.poses[frame].world(&clip.motion.skeleton).point(&point);
        let began = at(plant.frames.start);
        plant.frames.clone().map(|frame| at(frame).distance(began)).fold(0.0, f64::max)
    };
    clip.plants.plants.iter().map(drift).collect()
}

#[test]
fn a_path_is_parametrised_by_arc_length() {
    let circle: Vec<GroundPosition> = (0..=64)
        .map(|n| n as f64 / 64.0 * PI)
        .map(|angle| [2.0 * surefoot_core::math::cos(angle), 2.0 * surefoot_core::math::sin(angle)])
        .collect();
    let path = Path::through(&circle).unwrap();
    assert!((path.length() - 2.0 * PI).abs() < 1e-4, "{}", path.length());
    let step = path.length() / 1000.0;
    for n in 0..1000 {
        let (a, b) = (path.at(step * n as f64), path.at(step * (n + 1) as f64));
        assert!((distance(a.position, b.position) - step).abs() < 1e-5, "{n}");
        assert!((a.direction[0] * a.direction[0] + a.direction[1] * a.direction[1] - 1.0).abs() < 1e-12);
    }
    let straight = Path::through(&[[1.0, 1.0], [1.0, 4.0]]).unwrap();
    assert_eq!(straight.at(5.0).position, [1.0, 6.0]);
    assert_eq!(straight.at(-1.0).position, [1.0, 0.0]);
}

#[test]
fn invalid_points_are_errors() {
    assert_eq!(Path::through(&[]), Err(PathError::TooFew));
    assert_eq!(Path::through(&[[1.0, 2.0], [1.0, 2.0]]), Err(PathError::TooFew));
    assert_eq!(Path::through(&[[0.0, 0.0], [f64::NAN, 0.0]]), Err(PathError::NotFinite { point: 1 }));
}

#[test]
fn a_straight_walk_has_a_straight_path_and_a_turn_a_curved_one() {
    let walk = fit(&sample(&Recipe::default())).unwrap();
    for n in 0..100 {
        let along = walk.path.at(walk.path.length() * n as f64 / 99.0).direction;
        assert!(along[1] > 0.999, "{n} {along:?}");
    }
    let turn = fit(&sample(&Recipe { kind: Kind::Turn, seconds: 10.0, ..Recipe::default() })).unwrap();
    // The sample turns by 70° to the left, then by 100° to the right.
    let heading = |metres: f64| {
        let along = turn.path.at(metres).direction;
        surefoot_core::math::atan2(along[0], along[1]).to_degrees()
    };
    assert!(heading(0.0).abs() < 3.0, "{}", heading(0.0));
    let end = heading(turn.path.length());
    assert!((end + 30.0).abs() < 3.0, "{end}");
    let leftmost = turn.metres.iter().map(|&metres| heading(metres)).fold(0.0, f64::max);
    assert!((leftmost - 70.0).abs() < 6.0, "{leftmost}");
    assert!(turn.metres.windows(2).all(|pair| pair[1] > pair[0] - 0.02));
}

/// A run on a small figure eight, as in `bvh/cmu/143_04`. If its path is smoothed to a line, planted
/// feet are swept by metres at the turning points.
#[test]
fn a_small_figure_eight_keeps_its_turns() {
    let mut clip = sample(&Recipe { kind: Kind::Run, seconds: 6.0, fps: 120.0, ..Recipe::default() });
    let (fitted, radius) = (fit(&clip).unwrap(), 0.8);
    let eight: Vec<GroundPosition> = (0..=160)
        .map(|n| n as f64 / 160.0 * 4.0 * PI)
        .map(|angle| {
            let side = if angle <= 2.0 * PI { 1.0 } else { -1.0 };
            let (sin, cos) = (surefoot_core::math::sin(angle), surefoot_core::math::cos(angle));
            [side * radius * (1.0 - cos), radius * sin]
        })
        .collect();
    let eight = Path::through(&eight).unwrap();
    clip = follow(&clip, &fitted, &eight, Preserve::Time).unwrap().clip;
    let own = fit(&clip).unwrap();
    assert!((own.path.length() / eight.length() - 1.0).abs() < 0.1, "{}", own.path.length());
    let followed = follow(&clip, &own, &bend_path(&own.path, PI).unwrap(), Preserve::Stride).unwrap().clip;
    let max_drift = |clip: &Clip| drifts(clip).into_iter().fold(0.0, f64::max);
    assert!(max_drift(&followed) < max_drift(&clip) + 0.05, "{} {}", max_drift(&followed), max_drift(&clip));
}

#[test]
fn a_body_that_stands_has_no_path() {
    let stands = fit(&sample(&Recipe { kind: Kind::Stand, ..Recipe::default() })).unwrap_err();
    assert!(stands.farthest < 0.5);
    let mut short = sample(&Recipe::default());
    for frames in [2, 1, 0] {
        short.motion.poses.truncate(frames);
        assert!(fit(&short).is_err(), "{frames}");
    }
}

#[test]
fn following_its_own_path_changes_no_bit() {
    for kind in [Kind::Walk, Kind::Turn, Kind::Run] {
        let clip = sample(&Recipe { kind, seconds: 8.0, ..Recipe::default() });
        let fitted = fit(&clip).unwrap();
        let own = [
            bend_path(&fitted.path, 0.0).unwrap(),
            scale_path(&fitted.path, 1.0).unwrap(),
            Path::through(fitted.path.points()).unwrap(),
        ];
        for path in own {
            for keep in [Preserve::Stride, Preserve::Speed, Preserve::Time] {
                let same = follow(&clip, &fitted, &path, keep).unwrap();
                assert_eq!(same.clip.motion, clip.motion);
                assert_eq!(same.clip.plants, clip.plants);
            }
        }
    }
}

#[test]
fn bending_the_path_turns_the_body_and_preserves_its_sway() {
    let clip = sample(&Recipe::default());
    let fitted = fit(&clip).unwrap();
    for angle in [PI / 2.0, -PI / 2.0, PI] {
        let path = bend_path(&fitted.path, angle).unwrap();
        assert!((path.length() - fitted.path.length()).abs() < 0.01, "as long as it was");
        let end = path.at(path.length());
        let expected = [surefoot_core::math::sin(angle), surefoot_core::math::cos(angle)];
        assert!(distance(end.direction, expected) < 0.05, "{angle} {:?}", end.direction);
        let moved = follow(&clip, &fitted, &path, Preserve::Stride).unwrap();
        for (frame, &metres) in fitted.metres.iter().enumerate() {
            let offset = |clip: &Clip, path: &Path| {
                let at = path.at(metres);
                let root = root(clip, frame);
                let (x, z) = (root.x - at.position[0], root.z - at.position[1]);
                (x * at.direction[0] + z * at.direction[1], x * at.direction[1] - z * at.direction[0])
            };
            let (one, other) = (offset(&clip, &fitted.path), offset(&moved.clip, &path));
            assert!((one.0 - other.0).abs() < 1e-9 && (one.1 - other.1).abs() < 1e-9, "{frame}");
        }
        let CleanResult { clip: clean, report, .. } = clean(&moved.clip, &Default::default()).unwrap();
        assert!(report.plants.iter().all(|plant| plant.drift_m < 1e-5), "{:?}", report.notes);
        let added = knee_speed_added(&moved.clip.motion, &clean.motion, &clip.legs, 0).to_degrees() / 120.0;
        assert!(added < 3.0, "{added}");
    }
}

#[test]
fn a_rigid_transform_of_the_path_transforms_the_motion() {
    let clip = sample(&Recipe::default());
    let fitted = fit(&clip).unwrap();
    let path = Path::through(&[[3.0, -1.0], [4.0, 0.5], [3.5, 2.5], [1.0, 4.0]]).unwrap();
    let moved =
        Path::through(&path.points().iter().map(|p| [p[1] + 2.0, -p[0] + 1.0]).collect::<Vec<_>>()).unwrap();
    let (one, other) = (
        follow(&clip, &fitted, &path, Preserve::Time).unwrap(),
        follow(&clip, &fitted, &moved, Preserve::Time).unwrap(),
    );
    for frame in [0, 100, 300] {
        let (a, b) = (root(&one.clip, frame), root(&other.clip, frame));
        assert!((Vec3::new(a.z + 2.0, a.y, -a.x + 1.0) - b).length() < 1e-9);
    }
    let back = align_start(&moved, &path).unwrap();
    assert!(path.points().iter().zip(back.points()).all(|(a, b)| distance(*a, *b) < 1e-6));
}

#[test]
fn longer_paths_preserve_the_chosen_quantity() {
    let clip = sample(&Recipe::default());
    let fitted = fit(&clip).unwrap();
    let longer = scale_path(&fitted.path, 1.2).unwrap();
    let frames = |keep| follow(&clip, &fitted, &longer, keep).unwrap().clip.motion.frames();
    assert_eq!(frames(Preserve::Stride), clip.motion.frames());
    assert_eq!(frames(Preserve::Time), clip.motion.frames());
    assert_eq!(frames(Preserve::Speed), 433, "1.2 times 360 and the first");
    let time = follow(&clip, &fitted, &longer, Preserve::Time).unwrap();
    let speed = follow(&clip, &fitted, &longer, Preserve::Speed).unwrap();
    let end = longer.at(longer.length()).position;
    for followed in [&time, &speed] {
        let last = root(&followed.clip, followed.clip.motion.frames() - 1);
        assert!(distance([last.x, last.z], end) < 0.1);
        assert!(followed.clip.plants.plants.iter().all(|p| p.frames.end <= followed.clip.motion.frames()));
    }
    let path = path_through(&fitted.path, &[[1.0, 2.0], [0.0, 4.0]]).unwrap();
    assert_eq!(path.points()[1..], [[1.0, 2.0], [0.0, 4.0]]);
}

#[test]
fn root_motion_inverts_in_place() {
    for kind in [Kind::Walk, Kind::Run] {
        let clip = sample(&Recipe { kind, ..Recipe::default() });
        let speed = body_velocity(&clip).unwrap();
        assert!(speed.z > 0.3 && treadmill_velocity(&clip).unwrap().length() < 1e-6, "{speed:?}");
        let still = in_place(&clip, speed);
        assert!((treadmill_velocity(&still).unwrap() + speed).length() < 1e-6);
        let back = root_motion(&still, treadmill_velocity(&still).unwrap());
        for frame in 0..clip.motion.frames() {
            assert!(root(&clip, frame).distance(root(&back, frame)) < 1e-5, "{frame}");
        }
    }
    let mut none = sample(&Recipe::default());
    none.plants.plants.clear();
    assert_eq!((body_velocity(&none), treadmill_velocity(&none)), (None, None));
}

#[test]
fn a_capture_on_a_bent_path_keeps_its_plants() {
    let Some(path) = surefoot_testdata::path("bvh/cmu/02_01.bvh") else { return };
    let (_, _, clip) = read(&path);
    let fitted = fit(&clip).unwrap();
    let bent = bend_path(&fitted.path, PI / 2.0).unwrap();
    let moved = follow(&clip, &fitted, &bent, Preserve::Stride).unwrap();
    assert_eq!(moved.clip.motion.poses[0], clip.motion.poses[0], "a T-pose is left alone");
    let report = clean(&moved.clip, &Default::default()).unwrap().report;
    assert!(report.plants.iter().all(|plant| plant.drift_m < 1e-5), "{:?}", report.notes);
}

/// `bvh/cmu/69_12` walks back and forth and turns on the spot, where a path has no heading.
#[test]
fn turning_on_the_spot_does_not_sweep_planted_feet() {
    for name in ["69_12", "143_04"] {
        let Some(path) = surefoot_testdata::path(&format!("bvh/cmu/{name}.bvh")) else { return };
        let (_, _, clip) = read(&path);
        let fitted = fit(&clip).unwrap();
        assert!(fitted.metres.windows(2).all(|pair| pair[1] >= pair[0]), "{name}: the arc length decreases");
        for angle in [PI / 2.0, -PI] {
            let bent = bend_path(&fitted.path, angle).unwrap();
            let moved = follow(&clip, &fitted, &bent, Preserve::Stride).unwrap().clip;
            for (own, plant) in drifts(&clip).iter().zip(drifts(&moved)) {
                assert!(plant < own + 0.1, "{name} {angle}: {own} {plant}");
            }
        }
    }
}

#[test]
fn paths_in_pixels_or_kilometres_are_errors() {
    let clip = sample(&Recipe::default());
    let own = fit(&clip).unwrap();
    let line = |metres: f64| Path::through(&[[0.0, 0.0], [0.0, metres]]).unwrap();
    for (metres, keep) in [
        (1e5, Preserve::Time),
        (500.0, Preserve::Time),
        (0.01, Preserve::Time),
        (1e5, Preserve::Speed),
        (9e5, Preserve::Stride),
    ] {
        let error = follow(&clip, &own, &line(metres), keep).unwrap_err();
        assert!(matches!(error, PathError::Length { .. }), "{metres} {keep:?} {error}");
        assert!(error.to_string().contains(&format!("the path is {metres:.1} m long, expected ")), "{error}");
    }
    for (metres, keep) in [(10.0, Preserve::Time), (100.0, Preserve::Speed), (5e4, Preserve::Stride)] {
        assert!(follow(&clip, &own, &line(metres), keep).is_ok(), "{metres} {keep:?}");
    }
}
