//! Goals files are read, or refused with line and reason.

use surefoot_core::UpAxis;
use surefoot_core::{Joint, JointId, Quat, Skeleton, Vec3};
use surefoot_formats::Space;
use surefoot_formats::goals::{GoalPath, GoalsFile, RelativeTo};

fn skeleton() -> Skeleton {
    let joint = |name: &str, parent: Option<u32>, end| Joint {
        name: name.into(),
        parent: parent.map(JointId),
        offset: Vec3::X,
        end,
    };
    let joints = vec![
        joint("Hips", None, None),
        joint("Spine", Some(0), None),
        joint("LeftHand", Some(1), Some(Vec3::new(10.0, 0.0, 0.0))),
        joint("RightHand", Some(1), None),
    ];
    Skeleton::new(joints).unwrap()
}

fn with(goals: &str) -> String {
    format!("{{ \"surefoot\": \"goals/1\",\n  \"goals\": [\n    {goals} ] }}")
}

const PLAIN: Space = Space::METRES_Y_UP;

#[test]
fn the_documented_file_is_read() {
    let text = with(
        r#"{ "frame": 13, "joint": "LeftHand", "position": [0.41, 1.32, 0.55] },
    { "frame": 29, "joint": "RightHand", "point": [0, 0.08, 0], "relative_to": { "joint": "LeftHand" }, "position": [0, 0, 0.05] }"#,
    );
    let file = GoalsFile::read(text.as_bytes()).unwrap();
    let goals = file.goals(&skeleton(), &PLAIN, 30).unwrap();
    assert_eq!((file.len(), file.is_empty(), file.motions().len()), (2, false, 0));
    assert_eq!((goals[0].frame, goals[0].point.joint), (13, JointId(2)));
    assert_eq!(goals[0].position, Some(Vec3::new(0.41, 1.32, 0.55)));
    assert_eq!(goals[1].point.offset, Vec3::new(0.0, 0.08, 0.0));
    assert_eq!(goals[1].relative_to, Some(RelativeTo::Joint(JointId(2))));
    assert_eq!(goals[1].at.line, 4);
}

#[test]
fn every_field_is_read() {
    let text = r#"{ "surefoot": "goals/1", "note": "kept by its writer",
      "goals": [ { "frame": 3.0, "joint": "LeftHand", "point": "end", "shift": [0, 0, 0.1], "chain_from": "Spine",
                   "orientation": [0, 0.7071, 0, 0.7071], "why": "looks better" },
                 { "frame": 4, "joint": "RightHand", "position": [0, 0, 0], "relative_to": { "joint": "Antenna", "motion": "b.bvh" } } ],
      "limits": [ { "joint": "Spine", "min": [-10, 0, 0], "max": [90, 0, 5] } ] }"#;
    let file = GoalsFile::read(text.as_bytes()).unwrap();
    let space = Space { unit_m: 0.01, up: UpAxis::from_name("z").unwrap() };
    let goals = file.goals(&skeleton(), &space, 30).unwrap();
    assert_eq!(goals[0].point.offset, Vec3::new(0.1, 0.0, 0.0), "the end is in the file's unit");
    assert_eq!(goals[0].shift, Some(Vec3::new(0.0, 0.1, 0.0)), "the file's up is ours");
    let rotation = goals[0].orientation.unwrap();
    assert!(
        (rotation - Quat::from_xyzw(0.0, 0.0, -0.5_f64.sqrt(), 0.5_f64.sqrt())).length() < 1e-9,
        "{rotation}"
    );
    assert_eq!(goals[0].chain_from, Some(JointId(1)));
    assert_eq!(file.motions(), ["b.bvh"]);
    let limits = file.limits(&skeleton(), &space).unwrap();
    let degrees = |v: Vec3| v.map(|x| x.to_degrees().round());
    assert_eq!(
        (degrees(limits[0].lower), degrees(limits[0].upper)),
        (Vec3::new(-10.0, 0.0, 0.0), Vec3::new(90.0, 5.0, 0.0))
    );
    let near = file.other_motion_joint(&goals[1], &skeleton()).unwrap_err().to_string();
    assert_eq!(near, "line 4: goal 1 names the joint \"Antenna\", which b.bvh does not have");
    assert_eq!(file.other_motion_joint(&goals[0], &skeleton()), Ok(None));
}

#[test]
fn a_goal_may_last_for_several_frames() {
    let text = with(
        r#"{ "frames": [5, 8], "joint": "LeftHand", "position": [1, 2, 3] },
    { "joint": "RightHand", "path": [[10, 0, 0, 0], [12, 0, 2, 0], [14, 0, 4, 0]] },
    { "frames": [11, 12], "joint": "RightHand", "path": [[10, 0, 0, 0], [12, 0, 2, 0], [14, 0, 4, 0]] }"#,
    );
    let file = GoalsFile::read(text.as_bytes()).unwrap();
    assert_eq!(file.len(), 3);
    let goals = file.goals(&skeleton(), &PLAIN, 30).unwrap();
    let of_entry = |number: usize| goals.iter().filter(move |goal| goal.at.number == number);
    assert_eq!(of_entry(0).map(|goal| goal.frame).collect::<Vec<_>>(), [5, 6, 7, 8]);
    assert!(of_entry(0).all(|goal| goal.position == Some(Vec3::new(1.0, 2.0, 3.0))));
    for goal in of_entry(1).chain(of_entry(2)) {
        assert_eq!(goal.position, Some(Vec3::Y * (goal.frame as f64 - 10.0)));
    }
    assert_eq!((of_entry(1).count(), of_entry(2).count()), (5, 2));
    // In a file with Z up a path is turned like every other position.
    let space = Space { unit_m: 0.01, up: UpAxis::from_name("z").unwrap() };
    let goals = file.goals(&skeleton(), &space, 30).unwrap();
    assert_eq!(goals[5].position, Some(Vec3::new(0.0, 0.0, -1.0)));
}

#[test]
fn a_goal_may_follow_a_table() {
    let text = with(r#"{ "joint": "LeftHand", "path": "ball.csv" }"#);
    let mut file = GoalsFile::read(text.as_bytes()).unwrap();
    assert_eq!(file.path_files(), ["ball.csv"]);
    let problem = file.goals(&skeleton(), &PLAIN, 30).unwrap_err().to_string();
    assert_eq!(problem, "line 3: goal 0 follows \"ball.csv\", which was not loaded");
    let table = b"# a ball\ntime, x, y, z\n0.25, 0, 1, 0\n0.5, 1, 1, 0\n";
    file.add_path("ball.csv", GoalPath::read_csv(table, 10.0).unwrap());
    let goals = file.goals(&skeleton(), &PLAIN, 30).unwrap();
    // From 2.5 to 5: the whole frames are 3, 4 and 5.
    assert_eq!(goals.iter().map(|goal| goal.frame).collect::<Vec<_>>(), [3, 4, 5]);
    assert!((goals[0].position.unwrap() - Vec3::new(0.2, 1.0, 0.0)).length() < 1e-12);
}

#[test]
fn goals_may_be_a_table() {
    let text = "frame,joint,x,y,z\n3,LeftHand,0,1,2\n4,LeftHand,0,1,3\n9,LeftHand,0,1,4\n9,RightHand,5,1,4\n";
    let file = GoalsFile::read(text.as_bytes()).unwrap();
    assert_eq!(file.len(), 3);
    let goals = file.goals(&skeleton(), &PLAIN, 30).unwrap();
    let found: Vec<_> =
        goals.iter().map(|goal| (goal.frame, goal.at.number, goal.position.unwrap().z)).collect();
    assert_eq!(found, [(3, 0, 2.0), (4, 0, 3.0), (9, 1, 4.0), (9, 2, 4.0)]);
    assert_eq!(goals[3].point.joint, JointId(3));
    assert_eq!(goals[3].at.line, 5);
    for (text, message) in [
        ("frame,joint,x,y\n", "line 1: found frame,joint,x,y, expected a column z"),
        ("joint,frame,x,y,z\nA,-1,0,0,0", "line 2: found -1, expected a whole number from 0"),
        ("joint,frame,x,y,z\nA,1.5,0,0,0", "line 2: found 1.5, expected a whole number from 0"),
    ] {
        assert_eq!(GoalsFile::read(text.as_bytes()).unwrap_err().to_string(), message);
    }
}

#[test]
fn too_many_goals_are_refused_before_they_are_made() {
    let goal = r#"{ "frames": [0, 99999], "joint": "LeftHand", "position": [1, 2, 3] }"#;
    let file = GoalsFile::read(with(&[goal; 3].join(",\n")).as_bytes()).unwrap();
    let problem = file.goals(&skeleton(), &PLAIN, 100_000).unwrap_err().to_string();
    assert_eq!(
        problem,
        "line 5: goal 2: there are more than 250000 goals, where each frame of a goal counts"
    );
}

#[test]
fn a_file_without_goals_is_valid() {
    let file = GoalsFile::read(b"\xef\xbb\xbf{ \"surefoot\": \"goals/1\", \"goals\": [] }").unwrap();
    assert!(file.is_empty() && file.goals(&skeleton(), &PLAIN, 0).unwrap().is_empty());
}

#[test]
fn errors_state_the_line_what_was_found_and_what_was_expected() {
    let check = |text: &str, message: &str| {
        let found = match GoalsFile::read(text.as_bytes()) {
            Ok(file) => file
                .goals(&skeleton(), &PLAIN, 30)
                .map(|_| ())
                .and_then(|()| file.limits(&skeleton(), &PLAIN).map(|_| ())),
            Err(error) => Err(error),
        };
        assert_eq!(found.unwrap_err().to_string(), message, "{text}");
    };
    check("", "line 1, column 0: not JSON: the text ends before it is complete");
    check("{\n  \"surefoot\": goals }", "line 2, column 15: not JSON: expected value");
    check("[]", "\"surefoot\" is missing, expected \"goals/1\": not a goals file");
    check(r#"{ "surefoot": "plants/1" }"#, "\"surefoot\" is \"plants/1\", expected \"goals/1\"");
    check(r#"{ "surefoot": "goals/1" }"#, "the file: \"goals\" is missing, expected a list of goals");
    check(r#"{ "surefoot": "goals/1", "goals": {} }"#, "the file: \"goals\" is {}, expected a list of goals");
    let goal = |text: &str, message: &str| check(&with(text), message);
    goal("7", "line 3: goal 0 is 7, expected fields in braces");
    goal("{}", "line 3: goal 0: \"frame\" is missing, expected a whole number from 0");
    goal(r#"{ "frame": -1 }"#, "line 3: goal 0: \"frame\" is -1, expected a whole number from 0");
    goal(r#"{ "frame": 1 }"#, "line 3: goal 0: \"joint\" is missing, expected a name");
    goal(r#"{ "frame": 1, "joint": 3 }"#, "line 3: goal 0: \"joint\" is 3, expected a name");
    goal(
        r#"{ "frame": 1, "joint": "Spine" }"#,
        "line 3: goal 0 has no target, expected \"position\", \"shift\", \"path\" or \"orientation\"",
    );
    goal(
        r#"{ "frame": 1, "frames": [1, 2], "joint": "Spine", "shift": [0, 0, 0] }"#,
        "line 3: goal 0 has both \"frame\" and \"frames\", expected one of them",
    );
    goal(
        r#"{ "frames": [5, 2], "joint": "Spine", "shift": [0, 0, 0] }"#,
        "line 3: goal 0: \"frames\" is [5,2], expected the first and the last frame, such as [40, 90]",
    );
    goal(
        r#"{ "joint": "Spine", "path": [[5, 0, 0, 0], [5, 0, 1, 0]] }"#,
        "line 3: goal 0: \"path\" is [[5,0,0,0],[5,0,1,0]], expected points [frame, x, y, z] in order of their \
         frames, or the name of a CSV file",
    );
    goal(
        r#"{ "joint": "Spine", "position": [0, 0, 0], "path": [[5, 0, 0, 0]] }"#,
        "line 3: goal 0 has both \"position\" and \"path\", expected one of them",
    );
    goal(
        r#"{ "frames": [4, 6], "joint": "Spine", "path": [[5, 0, 0, 0], [9, 0, 1, 0]] }"#,
        "line 3: goal 0 is at frames 4 to 6, but its path covers 5 to 9",
    );
    goal(
        r#"{ "joint": "Spine", "path": [[-5, 0, 0, 0], [9, 0, 1, 0]] }"#,
        "line 3: goal 0 is at frames 0 to 29, but its path covers -5 to 9",
    );
    goal(
        r#"{ "joint": "Spine", "path": [[5, 0, 0, 0], [30, 0, 1, 0]] }"#,
        "line 3: goal 0 is at frame 30, but the frames are 0 to 29",
    );
    goal(
        r#"{ "frame": 1, "joint": "Spine", "position": [1, 2] }"#,
        "line 3: goal 0: \"position\" is [1,2], expected three numbers",
    );
    goal(
        r#"{ "frame": 1, "joint": "Spine", "position": [1, 2, 3], "shift": [0, 0, 0] }"#,
        "line 3: goal 0 has both \"position\" and \"shift\", expected one of them",
    );
    goal(
        r#"{ "frame": 1, "joint": "Spine", "position": [1, 2, 3], "relativ_to": { "joint": "Hips" } }"#,
        "line 3: goal 0 has an unknown field \"relativ_to\", expected \"relative_to\"",
    );
    goal(
        r#"{ "frame": 1, "joint": "Spine", "orientation": [0, 0, 0, 0] }"#,
        "line 3: goal 0: \"orientation\" is [0,0,0,0], expected a quaternion [x, y, z, w] of length 1",
    );
    goal(
        r#"{ "frame": 1, "joint": "Spine", "position": [1, 2, 3], "relative_to": "Hips" }"#,
        "line 3: goal 0: \"relative_to\" is \"Hips\", expected a joint in braces",
    );
    goal(
        r#"{ "frame": 1, "joint": "Spine", "position": [1, 2, 3], "point": "tip" }"#,
        "line 3: goal 0: \"point\" is \"tip\", expected three numbers, or \"end\"",
    );
    goal(
        r#"{ "frame": 1, "joint": "Lefthand", "position": [1, 2, 3] }"#,
        "line 3: goal 0 names the joint \"Lefthand\", which the motion does not have; similar: LeftHand",
    );
    goal(
        r#"{ "frame": 1, "joint": "RightHand", "point": "end", "position": [1, 2, 3] }"#,
        "line 3: goal 0 is for the end of RightHand, but the motion file has no End Site there",
    );
    goal(
        r#"{ "frame": 30, "joint": "Spine", "position": [1, 2, 3] }"#,
        "line 3: goal 0 is at frame 30, but the frames are 0 to 29",
    );
    check(
        "{ \"surefoot\": \"goals/1\", \"goals\": [],\n\"limits\": [{ \"joint\": \"Spine\", \"min\": [0, 1, 0], \"max\": [0, 0, 0] }] }",
        "line 2: limit 0: \"min\" is above \"max\" for y, expected at most \"max\"",
    );
}
