//! `detect --events`: a gait lab's foot strikes and foot offs.

use std::path::{Path, PathBuf};

use super::test_folder::TestFolder;

/// A capture and the C3D file of the same trial.
pub fn trial() -> Option<(PathBuf, PathBuf)> {
    let motion = surefoot_testdata::path("labelled/biomechzoo/HC002D06_straight.bvh")?;
    Some((motion, surefoot_testdata::path("c3d/biomechzoo/HC002D06.c3d")?))
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Whether each foot is down, left first, from labels derived from the same events; `None` if unknown.
fn labels(motion: &Path) -> Vec<[Option<bool>; 2]> {
    let table = std::fs::read_to_string(motion.with_extension("contacts.csv")).unwrap();
    let label = |cell: &str| match cell {
        "1" => Some(true),
        "0" => Some(false),
        _ => None,
    };
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        [label(cells[2]), label(cells[3])]
    };
    table.lines().skip(1).map(row).collect()
}

#[test]
fn feet_are_down_between_the_events_and_detected_in_all_other_frames() {
    let Some((motion, c3d)) = trial() else { return };
    let folder = TestFolder::new();
    let outcome =
        folder.run(&["detect", text(&motion), "--events", text(&c3d), "-o", "p.csv"]).expect_success();
    assert!(outcome.stderr.contains("5 stances; its events cover 89 % of the frames"), "{}", outcome.stderr);
    let table = folder.text("p.csv");
    let mut known = 0;
    let mut detected_elsewhere = 0;
    for (line, labels) in table.lines().skip(1).zip(labels(&motion)) {
        let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        for (foot, label) in labels.into_iter().enumerate() {
            let is_down = cells[2 * foot] > 0.0 || cells[2 * foot + 1] > 0.0;
            match label {
                Some(label) => {
                    assert_eq!(is_down, label, "{line}");
                    known += 1;
                }
                None => detected_elsewhere += usize::from(is_down),
            }
        }
    }
    assert!(known > 400 && detected_elsewhere > 10, "{known} {detected_elsewhere}");
}

#[test]
fn a_c3d_file_is_accepted_as_a_plants_file() {
    let Some((motion, c3d)) = trial() else { return };
    let folder = TestFolder::new();
    folder
        .run(&["clean", text(&motion), "--plants", text(&c3d), "-o", "out.bvh", "--max-drift", "0.01mm"])
        .expect_success();
    let json =
        folder.run(&["measure", text(&motion), "--plants", text(&c3d), "--json"]).expect_success().json();
    let strikes = json["plants"].as_array().unwrap().iter().filter(|plant| plant["first"] == 104);
    assert_eq!(strikes.count(), 1, "the left heel, with its foot: {json}");
}

#[test]
fn events_of_another_trial_are_refused_and_nothing_is_written() {
    let (Some((motion, _)), Some(other)) = (trial(), surefoot_testdata::path("c3d/biomechzoo/HC030A22.c3d"))
    else {
        return;
    };
    let folder = TestFolder::new();
    folder
        .run(&["detect", text(&motion), "--events", text(&other), "-o", "p.json"])
        .expect_error("the file lasts 5.12 s and the motion 2.55 s, expected equal durations")
        .expect_error("--events-start");
    // A given start frame is used without a check.
    folder
        .run(&["detect", text(&motion), "--events", text(&other), "--events-start", "2", "-o", "p.json"])
        .expect_success();
    folder
        .run(&["detect", text(&motion), "--events", text(&other), "--events-start", "90", "-o", "q.json"])
        .expect_error("the events are at");
    assert_eq!(folder.names(), ["p.json"]);
}

#[test]
fn a_c3d_file_without_events_and_a_file_of_another_format_are_refused() {
    let (Some((motion, _)), Some(none)) = (trial(), surefoot_testdata::path("c3d/bmc/Gait.c3d")) else {
        return;
    };
    let folder = TestFolder::new();
    folder.write("text.c3d", "no markers at all");
    folder
        .run(&["detect", text(&motion), "--events", "text.c3d", "-o", "p.json"])
        .expect_error("text.c3d: the file ends after 17 bytes, expected a header of 512");
    folder
        .run(&["detect", text(&motion), "--events", text(&none), "--events-start", "0", "-o", "p.json"])
        .expect_error("the file has no events, expected foot strikes and foot offs");
    folder
        .run(&["detect", text(&none)])
        .expect_error("is a C3D file, which has markers but no joints to move");
    assert_eq!(folder.names(), ["text.c3d"]);
}
