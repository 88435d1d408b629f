//! Damaged goals and path files: read or refused with where and why, never a panic or a hang, in no more memory than
//! some times the file.

use peak_alloc::PeakAlloc;
use surefoot_core::{Joint, JointId, Skeleton, Vec3};
use surefoot_formats::Space;
use surefoot_formats::goals::GoalsFile;
use surefoot_formats::path;
use surefoot_testdata::Dice;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The most memory that reading may take, in bytes a byte of the file: a curve of nine letters is flattened into some dozens of
/// places; and what an error may take besides.
const TIMES: usize = 2_000;
const BESIDES: usize = 20_000;

/// Copies of each file. Enough to try each kind of damage some hundred times.
const COPIES: usize = 4_000;

const GOALS: [&str; 2] = [
    r#"{ "surefoot": "goals/1", "goals": [
  { "frame": 13, "joint": "LeftHand", "position": [0.41, 1.32, 0.55] },
  { "frame": 29, "joint": "RightHand", "point": [0, 0.08, 0], "relative_to": { "joint": "LeftHand" }, "position": [0, 0, 0.05] } ] }"#,
    r#"{ "surefoot": "goals/1", "note": "kept", "goals": [
  { "frame": 3.0, "joint": "LeftHand", "point": "end", "shift": [0, 0, 0.1], "chain_from": "Spine",
    "orientation": [0, 0.7071, 0, 0.7071], "why": "looks better" },
  { "frame": 4, "joint": "RightHand", "position": [0, 0, 0], "relative_to": { "joint": "Antenna", "motion": "b.bvh" } } ],
  "limits": [ { "joint": "Spine", "min": [-10, 0, 0], "max": [90, 0, 5] } ] }"#,
];

const PATHS: [&str; 4] = [
    r#"{ "surefoot": "path/1", "points": [[0, 0], [0, 2], [1.5, 3]] }"#,
    r#"<svg xmlns="http://www.w3.org/2000/svg"><g><path fill="none" d="M0,0 C10,0 10,10 20,10 s10,10 20,0"/></g></svg>"#,
    r#"<svg><polyline points="0,0 10,5 20,0 30,-5"/><path d="m0 0 l5 5"/></svg>"#,
    "M 0 0 Q 5 10 10 0 T 20 0 A 5 8 30 1 0 30 10 H 4 v -3 z",
];

const WORDS: [&str; 18] = [
    "nan",
    "1e999",
    "-1e308",
    "{",
    "}",
    "[",
    "]",
    "null",
    "\"frame\": 1e30",
    "\"frame\": -1",
    "\0",
    "\u{fffd}",
    ",",
    "\n",
    "A0,0 0 1 1 1e300,1e300",
    "M",
    "<path d=\"",
    "\\ud800",
];

fn damage(text: &mut Vec<u8>, dice: &mut Dice) {
    if text.is_empty() {
        return;
    }
    let at = dice.roll(text.len());
    match dice.roll(7) {
        0 => text.truncate(at),
        1 => text[at] = dice.roll(256) as u8,
        2 => text[at] ^= 1 << dice.roll(8),
        3 | 4 => drop(text.splice(at..at, WORDS[dice.roll(WORDS.len())].bytes())),
        5 => drop(text.drain(at..(at + 1 + dice.roll(24)).min(text.len()))),
        _ => {
            let piece = text[at..(at + dice.roll(60)).min(text.len())].to_vec();
            let to = dice.roll(text.len());
            text.splice(to..to, piece);
        }
    }
}

/// Reads damaged copies of files: how many were read, and how many refused.
fn check(files: &[&str], read: impl Fn(&[u8]) -> Result<(), String>) -> [usize; 2] {
    let mut counts = [0; 2];
    for (number, file) in files.iter().enumerate() {
        let mut dice = Dice(number as u64 + 1);
        for _ in 0..COPIES {
            let mut text = file.as_bytes().to_vec();
            for _ in 0..=dice.roll(2) {
                damage(&mut text, &mut dice);
            }
            MEMORY.reset_peak_usage();
            let before = MEMORY.current_usage();
            let done = read(&text);
            let took = MEMORY.peak_usage().saturating_sub(before);
            assert!(took <= TIMES * text.len() + BESIDES, "{took} bytes: {}", String::from_utf8_lossy(&text));
            if let Err(said) = &done {
                assert!(!said.is_empty() && said.len() < 2_000, "{said}");
            }
            counts[usize::from(done.is_err())] += 1;
        }
    }
    counts
}

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

/// One test, as memory is counted for all of them.
#[test]
fn damaged_goals_and_paths_are_read_or_refused() {
    let (skeleton, space) = (skeleton(), Space::METRES_Y_UP);
    let goals = check(&GOALS, |bytes| {
        let file = GoalsFile::read(bytes).map_err(|error| error.to_string())?;
        let goals = file.goals(&skeleton, &space, 30).map_err(|error| error.to_string())?;
        for goal in &goals {
            assert!(goal.frame < 30 && goal.point.offset.is_finite());
            assert!(goal.position.is_none_or(Vec3::is_finite) && goal.shift.is_none_or(Vec3::is_finite));
        }
        file.limits(&skeleton, &space).map_err(|error| error.to_string())?;
        Ok(())
    });
    let good = |places: Result<path::Points, path::PathError>| {
        let places = places.map_err(|error| error.to_string())?;
        assert!(places.len() >= 2 && places.iter().flatten().all(|number| number.is_finite()), "{places:?}");
        assert_eq!(path::read(path::write(&places).as_bytes()).unwrap(), places);
        Ok(())
    };
    let paths = check(&PATHS[..1], |bytes| good(path::read(bytes)));
    let drawings = check(&PATHS[1..3], |bytes| good(path::read_svg(&String::from_utf8_lossy(bytes))));
    let letters = check(&PATHS[3..], |bytes| good(path::read_svg_path_data(&String::from_utf8_lossy(bytes))));
    for counts in [goals, paths, drawings, letters] {
        assert!(counts.iter().all(|count| *count > 20), "damage too light or too heavy to tell: {counts:?}");
    }
}
