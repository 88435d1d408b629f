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

/// Legs of UpLeg, Leg, Foot and ToeBase, in centimetres.
const UPLEG_LEG_FOOT: Row = Row {
    folder: "",
    files: "",
    fps: 120.0,
    leg: "*UpLeg *Leg *Foot",
    ball: "*ToeBase",
    heel: "*Foot",
    sides: ["Left", "Right"],
    unit_m: 0.01,
    up: "y",
    t_pose: false,
};

/// Legs of Hip, Knee and Ankle without a toe joint, in centimetres.
const HIP_KNEE_ANKLE: Row = Row {
    folder: "",
    files: "",
    fps: 120.0,
    leg: "*Hip *Knee *Ankle",
    ball: "*Ankle",
    heel: "*Ankle",
    sides: ["Left", "Right"],
    unit_m: 0.01,
    up: "y",
    t_pose: false,
};

/// Legs of the labelled captures, whose heels are joints.
const LABELLED: Row = Row {
    folder: "",
    files: "",
    fps: 100.0,
    leg: "*UpLeg *Leg *Foot",
    ball: "*ToeBase",
    heel: "*Heel",
    sides: ["Left", "Right"],
    unit_m: 0.01,
    up: "y",
    t_pose: false,
};

const ROWS: &[Row] = &[
    Row { folder: "bvh/aitviewer", files: "sample", fps: 40.0, ball: "*Toe", t_pose: true, ..HIP_KNEE_ANKLE },
    Row { folder: "bvh/bvh-matlab", files: "louise", fps: 100.0, ..HIP_KNEE_ANKLE },
    Row { folder: "bvh/bvh-matlab", files: "milad", fps: 125.0, ball: "*Foot", ..UPLEG_LEG_FOOT },
    Row { folder: "bvh/bvh-matlab", files: "walk", unit_m: 0.056444, t_pose: true, ..UPLEG_LEG_FOOT },
    Row {
        folder: "bvh/bvh-python",
        files: "test_freebvh",
        fps: 30.0,
        leg: "mixamorig:*UpLeg mixamorig:*Leg mixamorig:*Foot",
        ball: "mixamorig:*ToeBase",
        heel: "mixamorig:*Foot",
        ..UPLEG_LEG_FOOT
    },
    Row { folder: "bvh/bvh-python", files: "test_mocapbank", fps: 30.0, ..HIP_KNEE_ANKLE },
    Row { folder: "bvh/bvh-toolbox", files: "walk01", fps: 24.0, ball: "*Foot", ..UPLEG_LEG_FOOT },
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
        ..UPLEG_LEG_FOOT
    },
    Row {
        folder: "bvh/pybvh",
        files: "bvh_example bvh_test1",
        fps: 30.0,
        unit_m: 0.0254,
        up: "z",
        ..UPLEG_LEG_FOOT
    },
    Row { folder: "bvh/pybvh", files: "standard_skeleton", unit_m: 0.0254, up: "z", ..UPLEG_LEG_FOOT },
    Row { folder: "bvh/pybvh", files: "bvh_test2", ball: "*Toe", ..HIP_KNEE_ANKLE },
    Row { folder: "bvh/pybvh", files: "bvh_test3", ball: "*Foot", unit_m: 0.0254, up: "z", ..UPLEG_LEG_FOOT },
    Row { folder: "bvh/pybvh", files: "cmu_12_01_walk", unit_m: 0.056444, t_pose: true, ..UPLEG_LEG_FOOT },
    Row { folder: "bvh/pymo", files: "AV_8Walk_Meredith_HVHA_Rep1", unit_m: 0.0254, ..UPLEG_LEG_FOOT },
    Row {
        folder: "bvh/threejs",
        files: "pirouette",
        leg: "*Thigh *Shin *Foot",
        ball: "*Foot",
        sides: ["l", "r"],
        t_pose: true,
        ..UPLEG_LEG_FOOT
    },
    Row {
        folder: "bvh/cmu",
        files: "02_01 02_03 02_04 02_05 05_02 05_10 07_01 07_04 09_01 09_06 102_03 105_10 111_01 \
            114_06 118_01 122_14 127_03 131_03 132_20 136_05 138_01 139_16 13_01 13_11 13_17 \
            13_39 140_01 142_02 143_04 16_01 16_03 16_11 16_22 16_35 17_10 18_01 19_01 36_01 \
            36_04 37_01 54_01 60_01 69_12 74_04 75_01 79_08 83_36 86_01 88_01 90_02 91_10",
        unit_m: 0.056444,
        t_pose: true,
        ..UPLEG_LEG_FOOT
    },
    Row {
        folder: "labelled/biomechzoo",
        files: "HC002D06_straight HC002D25_turn HC030A05_straight HC030A22_turn \
            HC031A06_straight HC031A23_turn HC032A03_straight HC032A18_turn \
            HC033A10_straight HC033A22_turn HC036A10_straight HC036A23_turn",
        ball: "*Toe",
        ..LABELLED
    },
    Row { folder: "labelled/camargo", files: "camargo_levelground_ccw_fast_01_01", fps: 200.0, ..LABELLED },
    Row {
        folder: "labelled/hamner04_overground",
        files: "hamner04_og_run200 hamner04_og_run300 hamner04_og_run400 hamner04_og_run500",
        ..LABELLED
    },
    Row {
        folder: "labelled/hamner04_treadmill",
        files: "hamner04_run200 hamner04_run300 hamner04_run400 hamner04_run500",
        ..LABELLED
    },
    Row { folder: "labelled/hamner_overground", files: "hamner_og_run200", ..LABELLED },
    Row { folder: "labelled/hamner_treadmill", files: "hamner_run200", ..LABELLED },
    Row {
        folder: "labelled/opencap_subject4",
        files: "s4_DJ1 s4_DJ2 s4_DJ3 s4_STS1 s4_STSAsym1 s4_squats1 s4_walking1 s4_walking2 \
            s4_walkingTI1 s4_walkingTI2 s4_walkingTO1 s4_walkingTO2",
        ..LABELLED
    },
];

/// Every captured file with its row. Panics if a file has no row.
fn files() -> Vec<(PathBuf, &'static Row)> {
    captures::all().into_iter().map(|path| (path.clone(), row(&path))).collect()
}

fn row(path: &Path) -> &'static Row {
    let folder = path.parent().unwrap();
    let stem = path.file_stem().unwrap().to_string_lossy();
    let matches =
        |row: &&Row| folder.ends_with(row.folder) && row.files.split_whitespace().any(|file| file == stem);
    ROWS.iter().find(matches).unwrap_or_else(|| panic!("{} has no row in this test", path.display()))
}

fn excerpt(path: &Path) -> Excerpt {
    let bvh = Bvh::read(std::fs::read(path).unwrap());
    bvh.unwrap_or_else(|error| panic!("{}: {error}", path.display())).excerpt()
}

/// Side and joint names of a leg, in the order of a row.
fn leg_names(skeleton: &Skeleton, leg: &Leg) -> String {
    let name = |joint: JointId| skeleton.joint(joint).name.as_str();
    let joints = [leg.hip, leg.knee, leg.ankle, leg.ball.joint, leg.heel.joint].map(name);
    format!("{}: {}", leg.side, joints.join(" "))
}

fn check(path: &Path, row: &Row, excerpt: &Excerpt) -> Inference {
    let inference = infer(excerpt, &Overrides::default());
    let file = path.display();
    let legs = inference.legs.as_ref().unwrap_or_else(|error| panic!("{file}: {error:?}"));
    let names: Vec<String> = legs.value.iter().map(|leg| leg_names(&excerpt.motion.skeleton, leg)).collect();
    let expected = [("left", row.sides[0]), ("right", row.sides[1])].map(|(side, name)| {
        let joints = format!("{} {} {}", row.leg, row.ball, row.heel).replace('*', name);
        format!("{side}: {joints}")
    });
    assert_eq!(names, expected, "{file}");
    assert_eq!(excerpt.motion.fps, row.fps, "{file}");
    assert_eq!(inference.unit_m.value, row.unit_m, "{file}: {:?}", inference.unit_m);
    assert_eq!(inference.up.value.as_str(), row.up, "{file}: {:?}", inference.up);
    assert_eq!(inference.inserted_t_pose.value, row.t_pose, "{file}: {:?}", inference.inserted_t_pose);
    inference
}

#[test]
fn every_capture_is_inferred_correctly() {
    for (path, row) in files() {
        let inference = check(&path, row, &excerpt(&path));
        let confidences =
            [inference.legs.unwrap().confidence, inference.unit_m.confidence, inference.up.confidence];
        assert!(
            confidences.iter().all(|&confidence| confidence > 0.9),
            "{}: {confidences:?}",
            path.display()
        );
    }
}

#[test]
fn every_capture_is_inferred_correctly_without_names() {
    for (path, row) in files() {
        let mut excerpt = excerpt(&path);
        let skeleton = excerpt.motion.skeleton.clone();
        let renamed =
            |(index, joint): (usize, &Joint)| Joint { name: format!("joint_{index}"), ..joint.clone() };
        let joints = skeleton.joints().iter().enumerate().map(renamed).collect();
        excerpt.motion.skeleton = Skeleton::new(joints).unwrap();
        let inference = infer(&excerpt, &Overrides::default());
        let legs = inference.legs.unwrap_or_else(|error| panic!("{}: {error:?}", path.display())).value;
        let name = |joint: JointId| skeleton.joint(joint).name.as_str();
        let joints = |leg: &Leg| [leg.hip, leg.knee, leg.ankle].map(name).join(" ");
        let names: Vec<String> = legs.iter().map(joints).collect();
        let expected = row.sides.map(|side| row.leg.replace('*', side));
        assert_eq!(names, expected, "{}", path.display());
    }
}

#[test]
fn a_rig_file_reads_back_as_inferred() {
    for (path, _) in files() {
        let excerpt = excerpt(&path);
        let skeleton = &excerpt.motion.skeleton;
        let inference = infer(&excerpt, &Overrides::default());
        let text = rig::write(skeleton, &inference);
        let overrides =
            rig::read(&text, skeleton).unwrap_or_else(|error| panic!("{}: {error}\n{text}", path.display()));
        let again = infer(&excerpt, &overrides);
        assert_eq!(again.legs.unwrap().value, inference.legs.unwrap().value, "{}", path.display());
        assert_eq!(again.unit_m.value, inference.unit_m.value);
        assert_eq!(again.unit_name, inference.unit_name);
        assert_eq!(again.up.value, inference.up.value);
        let (again, first) = (again.floor.unwrap().value, inference.floor.unwrap().value);
        assert!((again.normal - first.normal).length() < 1e-12 && again.offset == first.offset);
    }
}

#[test]
fn feet_stand_on_the_inferred_floor() {
    for (path, _) in files() {
        let excerpt = excerpt(&path);
        let inference = infer(&excerpt, &Overrides::default());
        let floor = inference.floor.as_ref().unwrap().value;
        let legs = &inference.legs.as_ref().unwrap().value;
        let points: Vec<JointPoint> = legs.iter().flat_map(|leg| [leg.heel, leg.ball]).collect();
        let first_frame = usize::from(inference.inserted_t_pose.value);
        let mut lowest_heights: Vec<f64> = (excerpt.motion.poses.iter().skip(first_frame))
            .map(|pose| {
                let world = pose.world(&excerpt.motion.skeleton);
                let above =
                    points.iter().map(|point| floor.above(world.point(point) * inference.unit_m.value));
                above.fold(f64::INFINITY, f64::min)
            })
            .collect();
        lowest_heights.sort_by(f64::total_cmp);
        // The lowest foot point is within 5 cm of the floor in a fifth of the frames, and rarely more than
        // 10 cm below it. This holds even for the cyclist in louise.bvh, who first stands beside the bicycle.
        let near = lowest_heights.iter().filter(|height| height.abs() < 0.05).count() as f64
            / lowest_heights.len() as f64;
        let below = lowest_heights[lowest_heights.len() / 50];
        assert!(near > 0.2 && below > -0.1, "{}: {near} {below}", path.display());
    }
}
