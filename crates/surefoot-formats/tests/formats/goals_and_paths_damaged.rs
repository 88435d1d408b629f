//! Damaged goals and path files are accepted or refused, in bounded memory.

use surefoot_core::{Joint, JointId, Skeleton, Vec3};
use surefoot_formats::Space;
use surefoot_formats::goals::{Goal, GoalsError, GoalsFile};
use surefoot_formats::path::{self, PathError, Points};

use crate::damage::{Damage, Outcome};
use crate::own_process;

const GOALS: [&str; 4] = [
    r#"{ "surefoot": "goals/1", "goals": [
  { "frames": [5, 20], "joint": "LeftHand", "shift": [0.41, 1.32, 0.55] },
  { "joint": "RightHand", "path": [[2, 0, 0.08, 0], [7.5, 0, 0.05, 1], [28, 0, 0, 0]] } ] }"#,
    "frame,joint,x,y,z\n3,LeftHand,0,1,2\n4,LeftHand,0,1,3\n9,LeftHand,0,1,4\n9,RightHand,5,1,4\n",
    r#"{ "surefoot": "goals/1", "goals": [
  { "frame": 13, "joint": "LeftHand", "position": [0.41, 1.32, 0.55] },
  { "frame": 29, "joint": "RightHand", "point": [0, 0.08, 0], "relative_to": { "joint": "LeftHand" }, "position": [0, 0, 0.05] } ] }"#,
    r#"{ "surefoot": "goals/1", "note": "kept", "goals": [
  { "frame": 3.0, "joint": "LeftHand", "point": "end", "shift": [0, 0, 0.1], "chain_from": "Spine",
    "orientation": [0, 0.7071, 0, 0.7071], "why": "looks better" },
  { "frame": 4, "joint": "RightHand", "position": [0, 0, 0], "relative_to": { "joint": "Antenna", "motion": "b.bvh" } } ],
  "limits": [ { "joint": "Spine", "min": [-10, 0, 0], "max": [90, 0, 5] } ] }"#,
];

const PATH_FILES: [&str; 1] = [r#"{ "surefoot": "path/1", "points": [[0, 0], [0, 2], [1.5, 3]] }"#];

const DRAWINGS: [&str; 2] = [
    r#"<svg xmlns="http://www.w3.org/2000/svg"><g><path fill="none" d="M0,0 C10,0 10,10 20,10 s10,10 20,0"/></g></svg>"#,
    r#"<svg><polyline points="0,0 10,5 20,0 30,-5"/><path d="m0 0 l5 5"/></svg>"#,
];

const PATH_DATA: [&str; 1] = ["M 0 0 Q 5 10 10 0 T 20 0 A 5 8 30 1 0 30 10 H 4 v -3 z"];

const TEXT: Damage = Damage {
    fragments: &[
        b"nan",
        b"1e999",
        b"-1e308",
        b"{",
        b"}",
        b"[",
        b"]",
        b"null",
        b"\"frame\": 1e30",
        b"\"frame\": -1",
        b"\0",
        b"\xef\xbf\xbd",
        b",",
        b"\n",
        b"A0,0 0 1 1 1e300,1e300",
        b"M",
        b"<path d=\"",
        b"\\ud800",
    ],
    copies: 4_000,
    // A curve of nine letters is flattened into a dozen points.
    memory_per_byte: 2_000,
    memory_besides: 20_000,
};

fn skeleton() -> Skeleton {
    let joint = |name: &str, parent: Option<u32>| Joint {
        name: name.into(),
        parent: parent.map(JointId),
        offset: Vec3::X,
        end: Some(Vec3::Y),
    };
    let joints = [("Hips", None), ("Spine", Some(0)), ("LeftHand", Some(1)), ("RightHand", Some(1))];
    Skeleton::new(joints.into_iter().map(|(name, parent)| joint(name, parent)).collect()).unwrap()
}

/// Damages every file and checks that some copies are accepted and some refused.
fn check<T, E: core::fmt::Display>(files: &[&str], read: impl Fn(&[u8]) -> Result<T, E>, check: impl Fn(T)) {
    let mut total = Outcome::default();
    for file in files {
        let outcome = TEXT.check(file.as_bytes(), &read, |value, _| check(value));
        total.accepted += outcome.accepted;
        total.refused += outcome.refused;
    }
    assert!(total.accepted > 20 && total.refused > 20, "{total:?}");
}

/// Reads a goals file and resolves its goals and limits for a motion of 30 frames.
fn read_goals(bytes: &[u8], skeleton: &Skeleton) -> Result<Vec<Goal>, GoalsError> {
    let file = GoalsFile::read(bytes)?;
    file.limits(skeleton, &Space::METRES_Y_UP)?;
    file.goals(skeleton, &Space::METRES_Y_UP, 30)
}

#[test]
fn damaged_goals_are_accepted_or_refused() {
    own_process::run(module_path!(), "damaged_goals_are_accepted_or_refused", || {
        let skeleton = skeleton();
        check(
            &GOALS,
            |bytes| read_goals(bytes, &skeleton),
            |goals| {
                for goal in &goals {
                    assert!(goal.frame < 30 && goal.point.offset.is_finite());
                    assert!(
                        goal.position.is_none_or(Vec3::is_finite) && goal.shift.is_none_or(Vec3::is_finite)
                    );
                }
            },
        );
    });
}

#[test]
fn damaged_paths_are_accepted_or_refused() {
    own_process::run(module_path!(), "damaged_paths_are_accepted_or_refused", || {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let svg = |bytes: &[u8]| path::read_svg(&text(bytes));
        let path_data = |bytes: &[u8]| path::read_svg_path_data(&text(bytes));
        let round_trips = |points: Points| {
            assert!(points.len() >= 2 && points.iter().flatten().all(|number| number.is_finite()));
            let again: Result<Points, PathError> = path::read(path::write(&points).as_bytes());
            // Relative steps may add up to more than the 1e9 that a path file may contain.
            if points.iter().flatten().all(|number| number.abs() <= 1e9) {
                assert_eq!(again.unwrap(), points);
            }
        };
        check(&PATH_FILES, path::read, round_trips);
        check(&DRAWINGS, svg, round_trips);
        check(&PATH_DATA, path_data, round_trips);
    });
}
