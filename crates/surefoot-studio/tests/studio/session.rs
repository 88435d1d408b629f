//! Tests of the session, with the requests of the page.

use serde_json::{Value, json};
use surefoot::{LoadOptions, MotionFile, Settings};
use surefoot_contact::relative_to_ground;
use surefoot_core::Vec3;
use surefoot_sample::{Body, Recipe, Skate, make};
use surefoot_studio::Session;

fn text(session: &mut Session, request: &str, bytes: &[u8]) -> Result<String, String> {
    let input = [request.as_bytes(), b"\n", bytes].concat();
    session.call(&input).map(|answer| String::from_utf8(answer).unwrap())
}

/// Detected plants, as JSON.
fn detected_plants(session: &mut Session) -> String {
    let answer = text(session, r#"{"kind":"detect"}"#, b"").unwrap();
    serde_json::from_str::<Value>(&answer).unwrap()["plants"].to_string()
}

/// Opens a file, detects plants, cleans, and returns the text of the clean file.
fn clean(session: &mut Session, options: Value, bytes: &[u8]) -> Result<String, String> {
    text(session, &json!({ "kind": "open", "name": "walk.bvh", "file": options }).to_string(), bytes)?;
    let detected: Value = serde_json::from_str(&text(session, r#"{"kind":"detect"}"#, b"")?).unwrap();
    let request = json!({ "kind": "clean", "plants": detected["plants"], "ground": detected["ground"] });
    text(session, &request.to_string(), b"")?;
    text(session, r#"{"kind":"write","output":"motion"}"#, b"")
}

fn about(session: &mut Session) -> Value {
    serde_json::from_str(&text(session, r#"{"kind":"about"}"#, b"").unwrap()).unwrap()
}

fn walk() -> Vec<u8> {
    Session::default().call(b"{\"kind\":\"sample\"}\n").unwrap()
}

#[test]
fn the_sample_is_opened_cleaned_measured_and_written() {
    let mut session = Session::default();
    let walk = session.call(b"{\"kind\":\"sample\"}\n").unwrap();
    let about = text(&mut session, r#"{"kind":"open","name":"walk.bvh"}"#, &walk).unwrap();
    assert!(about.contains("\"side\":\"left\""), "{about}");
    let plants = detected_plants(&mut session);
    let cleaned = text(&mut session, &format!(r#"{{"kind":"clean","plants":{plants}}}"#), b"").unwrap();
    assert!(cleaned.contains("\"ranges\":[["), "{cleaned}");
    let again = text(&mut session, &format!(r#"{{"kind":"clean","plants":{plants}}}"#), b"").unwrap();
    assert!(again.contains("\"ranges\":[]"), "nothing changed, nothing is solved");
    let figures = text(&mut session, r#"{"kind":"figures"}"#, b"").unwrap();
    assert!(figures.contains("drift, largest"));
    for output in ["motion", "plants", "table", "rig", "report"] {
        assert!(
            !text(&mut session, &format!(r#"{{"kind":"write","output":"{output}"}}"#), b"")
                .unwrap()
                .is_empty()
        );
    }
}

#[test]
fn incremental_and_full_cleaning_write_the_same_motion() {
    let sample = make(&Recipe { skate: Some(Skate::Scale(1.2)), ..Recipe::default() }).unwrap();
    let space = surefoot_formats::Space::METRES_Y_UP;
    let bytes = surefoot_formats::bvh::from_motion(&sample.motion, &space).unwrap();
    let mut session = Session::default();
    text(&mut session, r#"{"kind":"open","name":"walk.bvh"}"#, &bytes).unwrap();
    let plants = detected_plants(&mut session);
    // First with other plants, so that stale cached frames would be visible.
    for plants in ["[]", plants.as_str()] {
        text(&mut session, &format!(r#"{{"kind":"clean","plants":{plants}}}"#), b"").unwrap();
    }
    let incremental = text(&mut session, r#"{"kind":"write","output":"motion"}"#, b"").unwrap();
    let mut whole = Session::default();
    text(&mut whole, r#"{"kind":"open","name":"walk.bvh"}"#, &bytes).unwrap();
    text(&mut whole, &format!(r#"{{"kind":"clean","plants":{plants}}}"#), b"").unwrap();
    assert!(incremental == text(&mut whole, r#"{"kind":"write","output":"motion"}"#, b"").unwrap());
}

#[test]
fn rigs_of_every_kind_are_written_with_the_bytes_of_the_library() {
    for body in Body::RIGS {
        let recipe = Recipe { body, skate: Some(Skate::Scale(1.1)), seconds: 4.0, ..Recipe::default() };
        let motion = make(&recipe).unwrap().motion;
        let bytes =
            surefoot_formats::bvh::from_motion(&motion, &surefoot_formats::Space::METRES_Y_UP).unwrap();
        let mut file =
            MotionFile::from_bytes("walk.bvh".into(), bytes.clone(), &LoadOptions::default()).unwrap();
        let expected = file.clean(&Settings::default()).unwrap().bytes;
        let written = clean(&mut Session::default(), json!({}), &bytes).unwrap();
        assert!(written.as_bytes() == expected, "{}", body.as_str());
        assert!(written.as_bytes() != bytes, "{}: nothing changed", body.as_str());
    }
}

#[test]
fn an_invalid_file_is_an_error_and_no_file_is_open() {
    let mut session = Session::default();
    let message = text(&mut session, r#"{"kind":"open","name":"walk.bvh"}"#, b"HIERARCHY\nROOT").unwrap_err();
    assert!(message.starts_with("walk.bvh: line 2"), "{message}");
    assert_eq!(text(&mut session, r#"{"kind":"figures"}"#, b"").unwrap_err(), "no file is open");
    assert!(text(&mut session, "what", b"").is_err());
    assert!(session.call(b"").is_err());
}

#[test]
fn an_invalid_file_does_not_close_the_open_file() {
    let mut session = Session::default();
    clean(&mut session, json!({}), &walk()).unwrap();
    text(&mut session, r#"{"kind":"open","name":"bad.bvh"}"#, b"HIERARCHY").unwrap_err();
    assert_eq!(about(&mut session)["name"], "walk.bvh");
    text(&mut session, r#"{"kind":"figures"}"#, b"").unwrap();
}

#[test]
fn picked_legs_and_the_saved_rig_give_the_same_motion() {
    let mut session = Session::default();
    let with_inferred_legs = clean(&mut session, json!({}), &walk()).unwrap();
    let mut legs = about(&mut session)["legs"].clone();
    legs[0]["heel"]["offset"] = json!([0.0, -6.5, -7.25]);
    for point in ["ball", "toe"] {
        legs[0].as_object_mut().unwrap().remove(point);
    }
    let by_hand = clean(&mut session, json!({ "legs": legs }), &walk()).unwrap();
    assert!(with_inferred_legs != by_hand, "the heel is elsewhere");
    let rig = text(&mut session, r#"{"kind":"write","output":"rig"}"#, b"").unwrap();
    assert!(rig.contains("[0.0, -6.5, -7.25]"), "{rig}");
    let rig = json!({ "name": "walk.rig.toml", "bytes": rig.bytes().map(char::from).collect::<String>() });
    assert!(by_hand == clean(&mut session, json!({ "rig": rig }), &walk()).unwrap());
}

#[test]
fn invalid_legs_are_errors() {
    let mut session = Session::default();
    clean(&mut session, json!({}), &walk()).unwrap();
    let legs = about(&mut session)["legs"].clone();
    let mut twice = legs.clone();
    twice[0]["knee"] = twice[0]["hip"].clone();
    let message = clean(&mut session, json!({ "legs": twice }), &walk()).unwrap_err();
    assert!(message.contains("expected different joints for hip, knee and ankle"), "{message}");
    let mut outside = legs.clone();
    outside[1]["ankle"] = json!(9999);
    let message = clean(&mut session, json!({ "legs": outside }), &walk()).unwrap_err();
    assert!(message.contains("outside the skeleton"), "{message}");
    let mut odd = legs;
    odd[0]["hip"] = json!(about(&mut session)["joints"].as_array().unwrap().len() - 1);
    // Joints that do not form a chain give an error or a result, but no panic.
    let _ = clean(&mut session, json!({ "legs": odd }), &walk());
    clean(&mut session, json!({}), &walk()).unwrap();
}

#[test]
fn a_body_without_legs_can_be_viewed_and_given_legs() {
    let bvh = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nJOINT b\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.01\n0 0 0 0 0 0\n0 0 0 0 0 0\n";
    let mut session = Session::default();
    let about = text(&mut session, r#"{"kind":"open","name":"stick.bvh"}"#, bvh.as_bytes()).unwrap();
    assert!(about.contains("no legs were found in stick.bvh"), "{about}");
    assert_eq!(detected_plants(&mut session), "[]");
    text(&mut session, r#"{"kind":"clean","plants":[]}"#, b"").unwrap();
    let positions = session.call(b"{\"kind\":\"positions\",\"after\":true,\"start\":0,\"end\":2}\n").unwrap();
    assert_eq!(positions.len(), 2 * 2 * 3 * 4);
    assert!(
        text(&mut session, r#"{"kind":"write","output":"motion"}"#, b"").unwrap_err().contains("no legs")
    );
}

#[test]
fn plants_outside_the_motion_are_errors() {
    let mut session = Session::default();
    clean(&mut session, json!({}), &walk()).unwrap();
    for (leg, first, last) in [(2, 0, 5), (0, 5, 4), (0, 0, 99_999), (0, usize::MAX, usize::MAX)] {
        let plant = json!({ "leg": leg, "point": "heel", "first": first, "last": last });
        let request = json!({ "kind": "clean", "plants": [plant] }).to_string();
        assert!(text(&mut session, &request, b"").unwrap_err().contains("does not fit"), "{request}");
    }
}

#[test]
fn detection_methods_give_different_plants() {
    let mut session = Session::default();
    let mut all = Vec::new();
    for method in ["learned", "speed-height", "zero-crossing"] {
        clean(&mut session, json!({ "detector": method }), &walk()).unwrap();
        all.push(detected_plants(&mut session));
        assert!(all.iter().all(|plants| plants.len() > 10));
    }
    assert!(all[0] != all[1] && all[1] != all[2]);
    assert!(clean(&mut session, json!({ "detector": "svm" }), &walk()).unwrap_err().contains("svm"));
    assert!(
        clean(&mut session, json!({ "max_edge_drift": -1 }), &walk()).unwrap_err().contains("max_edge_drift")
    );
}

#[test]
fn every_kind_of_floor_is_read_and_invalid_floors_are_errors() {
    let mut session = Session::default();
    let file = |name: &str, bytes: &str| json!({ "name": name, "bytes": bytes });
    for options in [json!({ "floor": "5cm" }), json!({ "floor": 0.05 }), json!({ "floor": "0,1,0.02,0.01" })]
    {
        clean(&mut session, options, &walk()).unwrap();
        assert!(about(&mut session)["floor"].is_array());
    }
    let table = "x,z,height\n-900,-900,0\n900,-900,0\n-900,900,1\n900,900,1\n";
    let mesh = "v -900 0 -900\nv 900 0 -900\nv 0 1 900\nf 1 2 3\n";
    let image = json!({ "floor_file": file("ground.pgm", "P5 2 2 255\n\u{0}\u{ff}\u{0}\u{80}"),
        "floor_cell": "10m", "floor_height": "0..5cm" });
    let floors = [
        json!({ "floor_file": file("ground.csv", table) }),
        json!({ "floor_file": file("ground.obj", mesh) }),
        image,
        json!({ "floor": "plants" }),
    ];
    for options in floors {
        clean(&mut session, options.clone(), &walk()).unwrap();
        assert!(about(&mut session)["mesh"].is_array(), "{options}");
    }
    for (options, expected) in [
        (json!({ "floor": "high" }), "expected a height"),
        (json!({ "floor_file": file("ground.obj", "v 1 2") }), "ground.obj: line 1"),
        (
            json!({ "floor_file": file("ground.pgm", "P5") }),
            "ground.pgm: a grey image does not state how large it is",
        ),
        (json!({ "up": "w" }), "expected x, y, z"),
        (json!({ "fps": 0 }), "frames per second"),
        (json!({ "rig": file("a.toml", "up = 3") }), "a.toml: line 1"),
    ] {
        let message = clean(&mut session, options, &walk()).unwrap_err();
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn moving_ground_is_detected_and_plants_move_with_it() {
    let mut sample = make(&Recipe { seconds: 10.0, ..Recipe::default() }).unwrap();
    // Without the standing frames at both ends, which do not occur on a treadmill.
    let frames = sample.motion.frames();
    sample.motion.poses = sample.motion.poses[3 * frames / 10..7 * frames / 10].to_vec();
    let (first, last) = (&sample.motion.poses[0], sample.motion.poses.last().unwrap());
    let seconds = (sample.motion.frames() - 1) as f64 / sample.motion.fps;
    let velocity = (last.offsets[0] - first.offsets[0]) / seconds;
    let treadmill = relative_to_ground(&sample.motion, Vec3::new(velocity.x, 0.0, velocity.z));
    let space = surefoot_formats::Space { unit_m: 0.01, ..surefoot_formats::Space::METRES_Y_UP };
    let bytes = surefoot_formats::bvh::from_motion(&treadmill, &space).unwrap();
    let mut session = Session::default();
    let on_treadmill = clean(&mut session, json!({}), &bytes).unwrap();
    let figures = text(&mut session, r#"{"kind":"figures"}"#, b"").unwrap();
    assert!(figures.contains("as on a treadmill"), "{figures}");
    let plants = text(&mut session, r#"{"kind":"write","output":"plants"}"#, b"").unwrap();
    assert!(plants.contains("ground"), "{plants}");
    // Without the ground velocity, every plant would be held in world space.
    let plants = detected_plants(&mut session);
    text(&mut session, &format!(r#"{{"kind":"clean","plants":{plants}}}"#), b"").unwrap();
    assert!(on_treadmill != text(&mut session, r#"{"kind":"write","output":"motion"}"#, b"").unwrap());
}

#[test]
fn the_automatic_stretch_limit_is_the_default_and_can_be_set() {
    let mut session = Session::default();
    let walk = walk();
    let mut default_stretch = |cleaning: Value| {
        let open = json!({ "kind": "open", "name": "walk.bvh", "cleaning": cleaning });
        text(&mut session, &open.to_string(), &walk)?;
        let plants = detected_plants(&mut session);
        text(&mut session, &format!(r#"{{"kind":"clean","plants":{plants}}}"#), b"")?;
        let motion = text(&mut session, r#"{"kind":"write","output":"motion"}"#, b"")?;
        // A bone that stretches needs position channels.
        let joints = motion.matches("CHANNELS 6").count();
        Ok::<_, String>((about(&mut session)["defaults"]["stretch"].clone(), joints > 1))
    };
    assert_eq!(default_stretch(json!({})).unwrap(), (json!("auto"), false));
    assert_eq!(default_stretch(json!({ "preset": "paper" })).unwrap(), (json!("unlimited"), true));
    let rigid = json!({ "preset": "paper", "stretch": "auto" });
    assert_eq!(default_stretch(rigid).unwrap(), (json!("unlimited"), false));
    let error = default_stretch(json!({ "stretch": "some" })).unwrap_err();
    assert!(error.contains("stretch is \"some\": expected a share, as 3% or 0.03, or auto"), "{error}");
}

/// Everything that the session would save, and what it shows.
fn contents(session: &mut Session) -> Vec<Vec<u8>> {
    let writes = ["motion", "plants", "table", "rig", "report"]
        .map(|output| json!({ "kind": "write", "output": output }).to_string());
    let shown = [r#"{"kind":"about"}"#, r#"{"kind":"figures"}"#].map(str::to_owned);
    let requests = writes.iter().chain(&shown);
    requests.map(|request| session.call(request.as_bytes()).unwrap()).collect()
}

#[test]
fn a_request_that_fails_changes_nothing() {
    let walk = walk();
    for floor in ["level", "plants"] {
        let mut session = Session::default();
        clean(&mut session, json!({ "floor": floor }), &walk).unwrap();
        let before = contents(&mut session);
        let requests = [
            // A velocity at which positions overflow.
            json!({ "kind": "clean", "plants": [], "ground": [1e308, 0.0, 1e308] }),
            json!({ "kind": "clean", "plants": [{ "leg": 7, "point": "heel", "first": 0, "last": 9 }] }),
            json!({ "kind": "open", "name": "bad.bvh" }),
            json!({ "kind": "read_plants", "name": "bad.json" }),
            json!({ "kind": "positions", "start": 5, "end": 1 }),
            json!({ "kind": "curves", "start": 0, "end": 99_999 }),
            json!({ "kind": "joint_offset", "joint": 999 }),
            json!({ "kind": "write", "output": "nothing" }),
        ];
        for request in requests {
            text(&mut session, &request.to_string(), b"HIERARCHY").unwrap_err();
            assert!(contents(&mut session) == before, "floor {floor}: {request}");
        }
    }
}

#[test]
fn the_worst_event_has_a_frame_and_a_sentence() {
    let mut session = Session::default();
    clean(&mut session, json!({}), &walk()).unwrap();
    // A heel that swings through the air is held, so that the leg is dragged along.
    let frames = about(&mut session)["frames"].as_u64().unwrap();
    let plant = json!({ "leg": 0, "point": "heel", "first": frames / 2, "last": frames / 2 + 30 });
    text(&mut session, &json!({ "kind": "clean", "plants": [plant] }).to_string(), b"").unwrap();
    let figures: Value =
        serde_json::from_str(&text(&mut session, r#"{"kind":"figures"}"#, b"").unwrap()).unwrap();
    let worst = &figures["worst_event"];
    let frame = worst["frame"].as_u64().unwrap();
    assert!(frame < frames, "{worst}");
    assert!(worst["text"].as_str().unwrap().contains(&frame.to_string()), "{worst}");
}

#[test]
fn a_plant_out_of_reach_has_a_reason_and_plants_far_from_it_have_none() {
    let mut session = Session::default();
    text(&mut session, r#"{"kind":"open","name":"walk.bvh"}"#, &walk()).unwrap();
    let mut plants: Value = serde_json::from_str(&detected_plants(&mut session)).unwrap();
    plants[0]["spot"] = json!([5.0, 0.0, 5.0]);
    let answer = text(&mut session, &json!({ "kind": "clean", "plants": plants }).to_string(), b"").unwrap();
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let reasons = answer["reasons"].as_array().unwrap();
    assert_eq!(reasons.len(), answer["plants"].as_array().unwrap().len());
    let reason = reasons[0].as_str().unwrap_or_default();
    // Where the other point of the foot is planted too, the length of the foot does not fit.
    assert!(reason.starts_with("out of reach") || reason.contains(" off: "), "{reasons:?}");
    assert!(reasons.last().is_some_and(Value::is_null), "{reasons:?}");
}

/// The sample walk as a `.glb` whose document is changed before it is written.
fn walk_as_glb(change: impl Fn(&mut Value)) -> Vec<u8> {
    let sample = make(&Recipe::default()).unwrap();
    let glb = surefoot_formats::gltf::from_motion(&sample.motion).unwrap();
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let mut document: Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    change(&mut document);
    let mut json = document.to_string().into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let buffer = &glb[20 + length..];
    let head = [2, (20 + json.len() + buffer.len()) as u32, json.len() as u32];
    let head: Vec<u8> = head.iter().flat_map(|number| number.to_le_bytes()).collect();
    [&b"glTF"[..], &head[..], &b"JSON"[..], &json[..], buffer].concat()
}

#[test]
fn animations_are_listed_and_chosen() {
    let glb = walk_as_glb(|document| {
        let mut second = document["animations"][0].clone();
        second["name"] = json!("second");
        document["animations"].as_array_mut().unwrap().push(second);
    });
    let mut session = Session::default();
    let open = json!({ "kind": "open", "name": "walk.glb", "file": { "animation": "second" } });
    let about: Value = serde_json::from_str(&text(&mut session, &open.to_string(), &glb).unwrap()).unwrap();
    assert_eq!((&about["animation"], &about["format"]), (&json!(1), &json!("glTF")));
    assert_eq!(about["animations"][1]["name"], "second");
    let open = json!({ "kind": "open", "name": "walk.glb", "file": { "animation": "third" } });
    let error = text(&mut session, &open.to_string(), &glb).unwrap_err();
    assert!(error.contains("none that is called \"third\""), "{error}");
}

#[test]
fn the_vertices_of_feet_are_marked_and_bones_follow_the_joints() {
    // One triangle, rigid with the left toe: its position is that of the joint, so it belongs to the ball.
    let glb = walk_as_glb(|document| {
        let nodes = document["nodes"].as_array_mut().unwrap();
        let toe = nodes.iter().position(|node| node["name"] == "LeftToeBase").unwrap();
        nodes[toe]["mesh"] = json!(0);
        document["meshes"] = json!([{ "primitives": [{ "attributes": { "POSITION": 0 } }] }]);
        // Any accessor of three numbers will do.
        let accessors = document["accessors"].as_array().unwrap();
        let position = accessors.iter().position(|accessor| accessor["type"] == "VEC3").unwrap();
        document["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(position);
    });
    let mut session = Session::default();
    text(&mut session, r#"{"kind":"open","name":"walk.glb"}"#, &glb).unwrap();
    let mesh = session.call(b"{\"kind\":\"mesh\"}").unwrap();
    let line = mesh.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let header: Value = serde_json::from_slice(&mesh[..line]).unwrap();
    let vertices = header["vertices"].as_u64().unwrap() as usize;
    assert!(vertices > 0 && line.is_multiple_of(4), "{header}");
    let feet = &mesh[mesh.len() - vertices..];
    let left_ball = 2;
    assert!(feet.contains(&left_ball) && feet.iter().all(|&point| (1..3).contains(&point)));
    let about = about(&mut session);
    let joints = about["joints"].as_array().unwrap();
    let toe = joints.iter().position(|joint| joint["name"] == "LeftToeBase").unwrap();
    let numbers = |session: &mut Session, kind: &str| -> Vec<f32> {
        let request = json!({ "kind": kind, "after": true, "start": 9, "end": 10 }).to_string();
        let bytes = session.call(request.as_bytes()).unwrap();
        bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    };
    let (bones, positions) = (numbers(&mut session, "bones"), numbers(&mut session, "positions"));
    assert_eq!(bones.len(), 16);
    assert_eq!(bones[12..15], positions[3 * toe..3 * toe + 3]);
}
