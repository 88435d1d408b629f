//! `measure` and `plot`: figures and curves of files.

use super::here::Here;

fn cleaned() -> Here {
    let here = Here::new();
    here.run(&["sample", "walk", "--seconds", "4", "--skate", "drift"]).done();
    here.run(&["clean", "walk.bvh", "--plants", "walk.plants.json"]).done();
    here
}

#[test]
fn every_figure_of_a_file_alone() {
    let here = cleaned();
    let text = here.run(&["measure", "walk.bvh", "--plants", "walk.plants.json"]).done().stdout;
    assert!(text.contains("drift, largest") && !text.contains("before"), "{text}");
    let json = here.run(&["measure", "walk.bvh", "--plants", "walk.plants.json", "--json"]).done().json();
    assert!(json["drift_max_m"].as_f64().unwrap() > 0.001, "{json:#}");
    assert!(json["plants"][0]["drift"].is_number(), "{json:#}");
}

#[test]
fn plants_that_are_found_are_said_to_be() {
    let here = cleaned();
    let text = here.run(&["measure", "walk.bvh"]).done().stdout;
    assert!(text.contains("foot contacts were detected"), "{text}");
    let json = here.run(&["measure", "walk.bvh", "--json"]).done().json();
    assert_eq!(json["plants_found"], true);
}

#[test]
fn before_and_after_side_by_side() {
    let here = cleaned();
    let measure = ["measure", "walk.clean.bvh", "--before", "walk.bvh", "--plants", "walk.plants.json"];
    let text = here.run(&measure).done().stdout;
    assert!(text.contains("before         after   ratio"), "{text}");
    here.run(&[&measure[..], &["--max-drift", "0.01mm"]].concat()).done();
    let swapped = ["measure", "walk.bvh", "--before", "walk.clean.bvh", "--plants", "walk.plants.json"];
    let ended = here.run(&[&swapped[..], &["--max-drift", "0.01mm"]].concat());
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.starts_with("limit not met: --max-drift"), "{ended:#?}");
}

#[test]
fn two_motions_that_do_not_fit_are_refused() {
    let here = cleaned();
    here.run(&["sample", "walk", "-o", "long.bvh", "--seconds", "5"]).done();
    here.run(&["sample", "walk", "-o", "dog.bvh", "--skeleton", "four-legs", "--seconds", "5"]).done();
    let measure = |after: &str| here.run(&["measure", after, "--before", "walk.bvh"]);
    measure("long.bvh").refused("the motion before has 241 frames, but the one after has 301");
    measure("dog.bvh").refused("the joints of the skeletons before and after have different parents");
    here.run(&["measure", "-", "--before", "-"]).refused("stdin can be read only once");
    here.run(&["plot", "walk.bvh", "dog.bvh"])
        .refused("the joints of the skeletons before and after have different parents");
}

#[test]
fn a_plot_is_one_picture() {
    let here = cleaned();
    let plot = ["plot", "walk.bvh", "walk.clean.bvh", "--plants", "walk.plants.json"];
    let ended = here.run(&plot).done();
    assert_eq!(ended.stdout, "");
    assert!(ended.stderr.contains("walk.clean.plot.svg: "), "{ended:#?}");
    let svg = here.text("walk.clean.plot.svg");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("left knee, angle") && svg.contains("after"));
    here.run(&plot).refused("walk.clean.plot.svg exists already");
    let alone = here.run(&["plot", "walk.bvh", "--show", "knees", "-o", "-"]).done().stdout;
    assert!(alone.contains("knee, angle") && !alone.contains("heel, height"), "{alone}");
    let close = here.run(&["plot", "walk.bvh", "--show", "knees", "--frames", "20-60", "-o", "-"]).done();
    assert_ne!(close.stdout, alone);
}

#[test]
fn a_plot_that_cannot_be_drawn_is_refused() {
    let here = cleaned();
    here.run(&["plot", "walk.bvh", "--frames", "60-20"]).refused("as 100-300");
    here.run(&["plot", "walk.bvh", "--frames", "900-999"])
        .refused("starts at frame 900, but the motion has 241");
    here.run(&["plot", "walk.bvh", "--show", "hands"]).refused("heights");
    here.run(&["plot", "walk.bvh", "--show", "root"]).refused("nothing to draw for root");
    here.run(&["plot", "walk.bvh", "a.bvh", "b.bvh"]).refused("");
    assert!(!here.names().iter().any(|name| name.ends_with("svg")));
}
