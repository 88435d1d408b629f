//! Any bytes as requests to a studio session: a session after edits writes what a new session writes.
//!
//! Before the first zero byte is a request as the page would send it, after it are edits of the plants
//! (`plant_edits.rs`). [`requests`] gives the same as a list of requests, for a session elsewhere: the module of the page.

use std::sync::OnceLock;

use serde_json::{Value, json};
use surefoot_core::{FootPoint, Footplants, PlantKind};
use surefoot_formats::Space;
use surefoot_formats::bvh::from_motion;
use surefoot_sample::{Recipe, Skate, make};
use surefoot_studio::Session;

use crate::plant_edits::edits;

/// The file that is open: a short walk that skates, and its plants.
fn walk() -> &'static (Vec<u8>, Footplants, usize) {
    static WALK: OnceLock<(Vec<u8>, Footplants, usize)> = OnceLock::new();
    WALK.get_or_init(|| {
        let recipe = Recipe { seconds: 4.0, fps: 15.0, skate: Some(Skate::Scale(1.1)), ..Recipe::default() };
        let sample = make(&recipe).expect("the recipe is valid");
        let space = Space { unit_m: 0.01, ..Space::METRES_Y_UP };
        let bytes = from_motion(&sample.motion, &space).expect("a sample can be written");
        (bytes, sample.plants, sample.motion.frames())
    })
}

/// Legs of the walk.
const LEGS: usize = 2;

/// The requests that an input stands for, each with the bytes after its line.
pub fn requests(bytes: &[u8]) -> Vec<Vec<u8>> {
    let (raw, edit_bytes) = split(bytes);
    let mut all = vec![open(), raw.to_vec(), open()];
    let (_, plants, frames) = walk();
    let mut plants = plants.clone();
    for edit in edits(edit_bytes) {
        edit.apply(&mut plants, LEGS, *frames);
        all.push(clean_request(&plants));
    }
    let end = walk().2;
    all.push(format!("{{\"kind\":\"positions\",\"after\":true,\"start\":0,\"end\":{end}}}\n").into_bytes());
    all.push(b"{\"kind\":\"figures\"}\n".to_vec());
    all.push(WRITE.to_vec());
    all
}

const WRITE: &[u8] = b"{\"kind\":\"write\",\"output\":\"motion\"}\n";

/// Checks one input.
pub fn check_bytes(bytes: &[u8]) {
    let (raw, edit_bytes) = split(bytes);
    // A test of the page asks for a panic with this field.
    if raw.windows(4).any(|part| part == b"trap") {
        return;
    }
    let mut session = Session::default();
    session.call(&open()).expect("the walk can be opened");
    let about = |session: &mut Session| session.call(b"{\"kind\":\"about\"}\n").expect("a file is open");
    let before = about(&mut session);
    if session.call(raw).is_err() {
        assert!(about(&mut session) == before, "a request that failed changed the session");
    }
    session.call(&open()).expect("the walk can be opened again");
    let (_, plants, frames) = walk();
    let mut plants = plants.clone();
    for edit in edits(edit_bytes) {
        edit.apply(&mut plants, LEGS, *frames);
        session.call(&clean_request(&plants)).expect("the plants are valid");
    }
    let mut fresh = Session::default();
    fresh.call(&open()).expect("the walk can be opened");
    for session in [&mut session, &mut fresh] {
        session.call(&clean_request(&plants)).expect("the plants are valid");
    }
    let written = session.call(WRITE).expect("the motion can be written");
    assert!(written == fresh.call(WRITE).expect("the motion can be written"), "edits changed the result");
}

fn split(bytes: &[u8]) -> (&[u8], &[u8]) {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    (&bytes[..end], bytes.get(end + 1..).unwrap_or_default())
}

fn open() -> Vec<u8> {
    [b"{\"kind\":\"open\",\"name\":\"walk.bvh\"}\n", walk().0.as_slice()].concat()
}

/// The request of the page to clean with these plants.
pub fn clean_request(plants: &Footplants) -> Vec<u8> {
    let message = |plant: &surefoot_core::Plant| {
        let mut message = json!({
            "leg": plant.leg,
            "point": if plant.point == FootPoint::Heel { "heel" } else { "ball" },
            "first": plant.frames.start,
            "last": plant.frames.end - 1,
        });
        if let Some(spot) = plant.spot {
            message["spot"] = json!(spot.to_array());
        }
        if let Some(kind) = plant.kind {
            message["kind"] = json!(if kind == PlantKind::Skate { "skate" } else { "plant" });
        }
        message
    };
    let plants: Vec<Value> = plants.plants.iter().map(message).collect();
    format!("{}\n", json!({ "kind": "clean", "plants": plants })).into_bytes()
}
