//! Inference on every captured BVH file, compared with values determined by hand.
//!
//! A captured file without a row here is a failure.

use std::path::{Path, PathBuf};

use surefoot_core::{Joint, JointId, JointPoint, Leg, Skeleton};
use surefoot_formats::bvh::Bvh;
use surefoot_formats::rig;
use surefoot_infer::{Excerpt, Inference, Overrides, infer};

use crate::captures;

/// Files of one dialect and the expected result. `*` stands for the side.
struct Row {
    folder: &'static str,
    files: &'static str,
    fps: f64,
    /// Hip, knee and ankle.
    leg: &'static str,
    /// The joints that ball and heel are on.
    ball: &'static str,
    heel: &'static str,
    sides: [&'static str; 2],
    unit_m: f64,
    up: &'static str,
    t_pose: bool,
}

const ROWS: &[Row] = &[
    Row {
        folder: "bvh/aitviewer",
        files: "sample",
        fps: 40.0,
        leg: "*Hip *Knee *Ankle",
        ball: "*Toe",
        heel: "*Ankle",
        sides: ["Left", "Right"],
        unit_m: 0.01,
        up: "y",
        t_pose: true,
    },
    Row {
        folder: "bvh/bvh-matlab",
        files: "louise",
        fps: 100.0,
        leg: "*Hip *Knee *Ankle",
        ball: "*Ankle",
        heel: "*Ankle",
        sides: ["Left", "Right"],
        unit_m: 0.01,
        up: "y",
        t_pose: false,
    },
    Row {
        folder: "bvh/bvh-matlab",
        files: "milad",
        fps: 125.0,
        leg: "*UpLeg *Leg *Foot",
        ball: "*Foot",
        heel: "*Foot",
        sides: ["Left", "Right"],
        unit_m: 0.01,
        up: "y",
        t_pose: false,
    },
    Row {
        folder: "bvh/bvh-matlab",
        files: "walk",
        fps: 120.0,
        leg: "*UpLeg *Leg *Foot",
        ball: "*ToeBase",
        heel: "*Foot",
        sides: ["Left", "Right"],
        unit_m: 0.056444,
        up: "y",
        t_pose: true,
    },
    Row {
        folder: "bvh/bvh-python",
        files: "test_freebvh",
        fps: 30.0,
        leg: "mixamorig:*UpLeg mixamorig:*Leg mixamorig:*Foot",
        ball: "mixamorig:*ToeBase",
        heel: "mixamorig:*Foot",
        sides: ["Left", "Right"],
        unit_m: 0.01,
        up: "y",
        t_pose: false,
    },
    Row {
        folder: "bvh/bvh-python",
        files: "test_mocapbank",
        fps: 30.0,
        leg: "*Hip *Knee *Ankle",
        ball: "*Ankle",
        heel: "*Ankle",
        sides: ["Left", "Right"],
        unit_m: 0.01,
        up: "y",
        t_pose: false,
    },
    Row {
        folder: "bvh/bvh-toolbox",
        files: "walk01",
        fps: 24.0,
        leg: "*UpLeg *Leg *Foot",
        ball: "*Foot",
        heel: "*Foot",
        sides: ["Left", "Right"],
        unit_m: 0.01,
        up: "y",
        t_pose: false,
    },
    Row {
        folder: "bvh/makehuman",
        files: "walk1",
        fps: 24.0,
        leg: "UpLeg_* LoLeg_* Foot_*",
        ball: "Toe_*",
        heel: "Foot_*",
        sides: ["L", "R"],
        unit_m: 0.1,
        up: "z",
        t_pose: false,
    },
    Row {
        folder: "bvh/pybvh",
        files: "bvh_example bvh_test1",
        fps: 30.0,
        leg: "*UpLeg *Leg *Foot",
        ball: "*ToeBase",
        heel: "*Foot",
        sides: ["Left", "Right"],
        unit_m: 0.0254,
        up: "z",
        t_pose: false,
    },
    Row {
        folder: "bvh/pybvh",
        files: "standard_skeleton",
        fps: 120.0,
        leg: "*UpLeg *Leg *Foot",
        ball: "*ToeBase",
        heel: "*Foot",
        sides: ["Left", "Right"],
        unit_m: 0.0254,
        up: "z",
        t_pose: false,
    },
    Row {
        folder: "bvh/pybvh",
        files: "bvh_test2",
        fps: 120.0,
        leg: "*Hip *Knee *Ankle",
        ball: "*Toe",
        heel: "*Ankle",
        sides: ["Left", "Right"],
        unit_m: 0.01,
        up: "y",
        t_pose: false,
    },
    Row {
        folder: "bvh/pybvh",
        files: "bvh_test3",
        fps: 120.0,
        leg: "*UpLeg *Leg *Foot",
        ball: "*Foot",
        heel: "*Foot",
        sides: ["Left", "Right"],
        unit_m: 0.0254,
        up: "z",
        t_pose: false,
    },
    Row {
        folder: "bvh/pybvh",
        files: "cmu_12_01_walk",
        fps: 120.0,
        leg: "*UpLeg *Leg *Foot",
        ball: "*ToeBase",
        heel: "*Foot",
        sides: ["Left", "Right"],
        unit_m: 0.056444,
        up: "y",
        t_pose: true,
    },
    Row {
        folder: "bvh/pymo",
        files: "AV_8Walk_Meredith_HVHA_Rep1",
        fps: 120.0,
        leg: "*UpLeg *Leg *Foot",
        ball: "*ToeBase",
        heel: "*Foot",
        sides: ["Left", "Right"],
        unit_m: 0.0254,
        up: "y",
        t_pose: false,
    },
    Row {
        folder: "bvh/threejs",
        files: "pirouette",
        fps: 120.0,
        leg: "*Thigh *Shin *Foot",
        ball: "*Foot",
        heel: "*Foot",
        sides: ["l", "r"],
        unit_m: 0.01,
        up: "y",
        t_pose: true,
    },
    Row {
        folder: "bvh/cmu",
        files: "02_01 02_03 02_04 02_05 05_02 05_10 07_01 07_04 09_01 09_06 102_03 105_10 111_01 \
            114_06 118_01 122_14 127_03 131_03 132_20 136_05 138_01 139_16 13_01 13_11 13_17 \
            13_39 140_01 142_02 143_04 16_01 16_03 16_11 16_22 16_35 17_10 18_01 19_01 36_01 \
            36_04 37_01 54_01 60_01 69_12 74_04 75_01 79_08 83_36 86_01 88_01 90_02 91_10",
        fps: 120.0,
        leg: "*UpLeg *Leg *Foot",
        ball: "*ToeBase",
        heel: "*Foot",
        sides: ["Left", "Right"],
        unit_m: 0.056444,
        up: "y",
        t_pose: true,
    },
    Row {
        folder: "labelled/biomechzoo",
        files: "HC002D06_straight HC002D25_turn HC030A05_straight HC030A22_turn \
            HC031A06_straight HC031A23_turn HC032A03_straight HC032A18_turn \
            HC033A10_straight HC033A22_turn HC036A10_straight HC036A23_turn",
        fps: 100.0,
        leg: "*UpLeg *Leg *Foot",
        ball: "*Toe",
        heel: "*Heel",
        sides: ["Left", "Right"],
        unit_m: 0.01,
        up: "y",
        t_pose: false,
    },
    Row {
        folder: "labelled/camargo",
        files: "camargo_levelground_ccw_fast_01_01",
        fps: 200.0,
        leg: "*UpLeg *Leg *Foot",
        ball: "*ToeBase",
        heel: "*Heel",
        sides: ["Left", "Right"],
        unit_m: 0.01,
        up: "y",
        t_pose: false,
    },
    Row {
        folder: "labelled/hamner04_overground",
        files: "hamner04_og_run200 hamner04_og_run300 hamner04_og_run400 hamner04_og_run500",
        fps: 100.0,
        leg: "*UpLeg *Leg *Foot",
        ball: "*ToeBase",
        heel: "*Heel",
        sides: ["Left", "Right"],
        unit_m: 0.01,
        up: "y",
        t_pose: false,
    },
    Row {
        folder: "labelled/hamner04_treadmill",
        files: "hamner04_run200 hamner04_run300 hamner04_run400 hamner04_run500",
        fps: 100.0,
        leg: "*UpLeg *Leg *Foot",
        ball: "*ToeBase",
        heel: "*Heel",
        sides: ["Left", "Right"],
        unit_m: 0.01,
        up: "y",
        t_pose: false,
    },
    Row {
        folder: "labelled/hamner_overground",
        files: "hamner_og_run200",
        fps: 100.0,
        leg: "*UpLeg *Leg *Foot",
        ball: "*ToeBase",
        heel: "*Heel",
        sides: ["Left", "Right"],
        unit_m: 0.01,
        up: "y",
        t_pose: false,
    },
    Row {
        folder: "labelled/hamner_treadmill",
        files: "hamner_run200",
        fps: 100.0,
        leg: "*UpLeg *Leg *Foot",
        ball: "*ToeBase",
        heel: "*Heel",
        sides: ["Left", "Right"],
        unit_m: 0.01,
        up: "y",
        t_pose: false,
    },
    Row {
        folder: "labelled/opencap_subject4",
        files: "s4_DJ1 s4_DJ2 s4_DJ3 s4_STS1 s4_STSAsym1 s4_squats1 s4_walking1 s4_walking2 \
            s4_walkingTI1 s4_walkingTI2 s4_walkingTO1 s4_walkingTO2",
        fps: 100.0,
        leg: "*UpLeg *Leg *Foot",
        ball: "*ToeBase",
        heel: "*Heel",
        sides: ["Left", "Right"],
        unit_m: 0.01,
        up: "y",
        t_pose: false,
    },
];

/// Every file with its row; fails on a file that has none.
fn files() -> Vec<(PathBuf, &'static Row)> {
    captures::all().into_iter().map(|path| (path.clone(), row(&path))).collect()
}

fn row(path: &Path) -> &'static Row {
    let folder = path.parent().unwrap();
    let stem = path.file_stem().unwrap().to_string_lossy();
    let fits =
        |row: &&Row| folder.ends_with(row.folder) && row.files.split_whitespace().any(|file| file == stem);
    ROWS.iter().find(fits).unwrap_or_else(|| panic!("{} has no row in this test", path.display()))
}

fn excerpt(path: &Path) -> Excerpt {
    let bvh = Bvh::read(std::fs::read(path).unwrap());
    bvh.unwrap_or_else(|error| panic!("{}: {error}", path.display())).excerpt()
}

/// A leg in the words of a row.
fn words(skeleton: &Skeleton, leg: &Leg) -> String {
    let name = |joint: JointId| skeleton.joint(joint).name.as_str();
    let joints = [leg.hip, leg.knee, leg.ankle, leg.ball.joint, leg.heel.joint].map(name);
    format!("{}: {}", leg.side, joints.join(" "))
}

fn check(path: &Path, row: &Row, excerpt: &Excerpt) -> Inference {
    let found = infer(excerpt, &Overrides::default());
    let at = path.display();
    let legs = found.legs.as_ref().unwrap_or_else(|no| panic!("{at}: {no:?}"));
    let listed: Vec<String> = legs.value.iter().map(|leg| words(&excerpt.motion.skeleton, leg)).collect();
    let expected = [("left", row.sides[0]), ("right", row.sides[1])].map(|(side, word)| {
        let joints = format!("{} {} {}", row.leg, row.ball, row.heel).replace('*', word);
        format!("{side}: {joints}")
    });
    assert_eq!(listed, expected, "{at}");
    assert_eq!(excerpt.motion.fps, row.fps, "{at}");
    assert_eq!(found.unit_m.value, row.unit_m, "{at}: {:?}", found.unit_m);
    assert_eq!(found.up.value.as_str(), row.up, "{at}: {:?}", found.up);
    assert_eq!(found.inserted_t_pose.value, row.t_pose, "{at}: {:?}", found.inserted_t_pose);
    found
}

#[test]
fn every_capture_is_inferred_correctly() {
    for (path, row) in files() {
        let found = check(&path, row, &excerpt(&path));
        let sure = [found.legs.unwrap().confidence, found.unit_m.confidence, found.up.confidence];
        assert!(sure.iter().all(|&sure| sure > 0.9), "{}: {sure:?}", path.display());
    }
}

#[test]
fn every_capture_is_inferred_correctly_without_names() {
    for (path, row) in files() {
        let mut excerpt = excerpt(&path);
        let named = excerpt.motion.skeleton.clone();
        let nameless = |(at, joint): (usize, &Joint)| Joint { name: format!("joint_{at}"), ..joint.clone() };
        let joints = named.joints().iter().enumerate().map(nameless).collect();
        excerpt.motion.skeleton = Skeleton::new(joints).unwrap();
        let found = infer(&excerpt, &Overrides::default());
        let legs = found.legs.unwrap_or_else(|no| panic!("{}: {no:?}", path.display())).value;
        let name = |joint: JointId| named.joint(joint).name.as_str();
        let joints = |leg: &Leg| [leg.hip, leg.knee, leg.ankle].map(name).join(" ");
        let found: Vec<String> = legs.iter().map(joints).collect();
        let expected = row.sides.map(|side| row.leg.replace('*', side));
        assert_eq!(found, expected, "{}", path.display());
    }
}

#[test]
fn a_rig_file_reads_back_as_inferred() {
    for (path, _) in files() {
        let excerpt = excerpt(&path);
        let skeleton = &excerpt.motion.skeleton;
        let found = infer(&excerpt, &Overrides::default());
        let text = rig::write(skeleton, &found);
        let given =
            rig::read(&text, skeleton).unwrap_or_else(|error| panic!("{}: {error}\n{text}", path.display()));
        let again = infer(&excerpt, &given);
        assert_eq!(again.legs.unwrap().value, found.legs.unwrap().value, "{}", path.display());
        assert_eq!(again.unit_m.value, found.unit_m.value);
        assert_eq!(again.unit_name, found.unit_name);
        assert_eq!(again.up.value, found.up.value);
        let (again, found) = (again.floor.unwrap().value, found.floor.unwrap().value);
        assert!((again.normal - found.normal).length() < 1e-12 && again.offset == found.offset);
    }
}

#[test]
fn feet_stand_on_the_inferred_floor() {
    for (path, _) in files() {
        let excerpt = excerpt(&path);
        let found = infer(&excerpt, &Overrides::default());
        let floor = found.floor.as_ref().unwrap().value;
        let legs = &found.legs.as_ref().unwrap().value;
        let points: Vec<JointPoint> = legs.iter().flat_map(|leg| [leg.heel, leg.ball]).collect();
        let skipped = usize::from(found.inserted_t_pose.value);
        let mut lows: Vec<f64> = (excerpt.motion.poses.iter().skip(skipped))
            .map(|pose| {
                let placed = pose.world(&excerpt.motion.skeleton);
                let above = points.iter().map(|point| floor.above(placed.point(point) * found.unit_m.value));
                above.fold(f64::INFINITY, f64::min)
            })
            .collect();
        lows.sort_by(f64::total_cmp);
        // The body's lowest foot point is hardly ever far below the floor, and near it for long: even
        // of the cyclist in louise.bvh, who first stands beside the bicycle.
        let near = lows.iter().filter(|low| low.abs() < 0.05).count() as f64 / lows.len() as f64;
        let below = lows[lows.len() / 50];
        assert!(near > 0.2 && below > -0.1, "{}: {near} {below}", path.display());
    }
}
