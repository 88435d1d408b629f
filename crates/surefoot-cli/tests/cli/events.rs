//! `detect --events`: a gait lab's foot strikes and foot offs.

use std::path::{Path, PathBuf};

use super::here::Here;

/// A capture and the C3D file of the same trial.
pub fn trial() -> Option<(PathBuf, PathBuf)> {
    let motion = surefoot_testdata::path("labelled/biomechzoo/HC002D06_straight.bvh")?;
    Some((motion, surefoot_testdata::path("c3d/biomechzoo/HC002D06.c3d")?))
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Whether each foot is down, left first, and whether that is known, from the labels that were
/// made of the same events.
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
fn feet_are_down_when_the_lab_says_so_and_the_rest_is_found() {
    let Some((motion, c3d)) = trial() else { return };
    let here = Here::new();
    let ended = here.run(&["detect", text(&motion), "--events", text(&c3d), "-o", "p.csv"]).done();
    assert!(ended.stderr.contains("5 stances; its events cover 89 % of the frames"), "{}", ended.stderr);
    let table = here.text("p.csv");
    let mut known = 0;
    let mut found_elsewhere = 0;
    for (line, labels) in table.lines().skip(1).zip(labels(&motion)) {
        let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        for (foot, label) in labels.into_iter().enumerate() {
            let is_down = cells[2 * foot] > 0.0 || cells[2 * foot + 1] > 0.0;
            match label {
                Some(label) => {
                    assert_eq!(is_down, label, "{line}");
                    known += 1;
                }
                None => found_elsewhere += usize::from(is_down),
            }
        }
    }
    assert!(known > 400 && found_elsewhere > 10, "{known} {found_elsewhere}");
}

#[test]
fn a_c3d_file_serves_as_plants() {
    let Some((motion, c3d)) = trial() else { return };
    let here = Here::new();
    here.run(&["clean", text(&motion), "--plants", text(&c3d), "-o", "out.bvh", "--max-drift", "0.01mm"])
        .done();
    let json = here.run(&["measure", text(&motion), "--plants", text(&c3d), "--json"]).done().json();
    let strikes = json["plants"].as_array().unwrap().iter().filter(|plant| plant["first"] == 104);
    assert_eq!(strikes.count(), 1, "the left heel, with its foot: {json}");
}

#[test]
fn events_of_another_trial_are_refused_and_nothing_is_written() {
    let (Some((motion, _)), Some(other)) = (trial(), surefoot_testdata::path("c3d/biomechzoo/HC030A22.c3d"))
    else {
        return;
    };
    let here = Here::new();
    here.run(&["detect", text(&motion), "--events", text(&other), "-o", "p.json"])
        .refused("the file lasts 5.12 s and the motion 2.55 s, expected equal durations")
        .refused("--events-start");
    // What is said to begin elsewhere is taken at its word.
    here.run(&["detect", text(&motion), "--events", text(&other), "--events-start", "2", "-o", "p.json"])
        .done();
    here.run(&["detect", text(&motion), "--events", text(&other), "--events-start", "90", "-o", "q.json"])
        .refused("the events are at");
    assert_eq!(here.names(), ["p.json"]);
}

#[test]
fn a_c3d_file_without_steps_and_one_that_is_none_are_refused() {
    let (Some((motion, _)), Some(none)) = (trial(), surefoot_testdata::path("c3d/bmc/Gait.c3d")) else {
        return;
    };
    let here = Here::new();
    here.put("text.c3d", "no markers at all");
    here.run(&["detect", text(&motion), "--events", "text.c3d", "-o", "p.json"])
        .refused("text.c3d: the file ends after 17 bytes, expected a header of 512");
    here.run(&["detect", text(&motion), "--events", text(&none), "--events-start", "0", "-o", "p.json"])
        .refused("the file has no events, expected foot strikes and foot offs");
    here.run(&["detect", text(&none)]).refused("is a C3D file, which has markers but no joints to move");
    assert_eq!(here.names(), ["text.c3d"]);
}
