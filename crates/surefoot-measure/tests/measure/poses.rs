//! Strips of stick figures.

use crate::bodies::*;
use surefoot_core::{Clip, Floor, Footplants, Motion, Vec3};
use surefoot_measure::plot::{Plot, PoseFrames, PoseStrip, poses};
use surefoot_measure::{EventKind, Events, measure};

/// The body that stands, and the same with a jump of 5 cm at frame 50 of 100.
fn jump() -> (Clip, Motion) {
    let before = motion(100, 100.0, |_| standing(Vec3::ZERO));
    let after =
        motion(100, 100.0, |frame| standing(Vec3::new(0.0, 0.0, if frame < 50 { 0.0 } else { 0.05 })));
    (clip_of(&after, &legs(), &Footplants::default(), &Floor::level(0.0)), before)
}

fn strip(clip: &Clip, before: Option<&Motion>, events: &Events, frames: PoseFrames) -> Option<Plot> {
    poses(&PoseStrip { title: "a <walk>", clip, before, events, frames }).unwrap()
}

/// The numbers below the figures.
fn labels(plot: &Plot) -> Vec<usize> {
    let texts = plot.svg.split("<text ").filter(|text| text.contains("class=\"tick\""));
    texts.filter_map(|text| text.split(['>', '<']).nth(1)?.parse().ok()).collect()
}

#[test]
fn a_strip_shows_every_nth_frame_of_the_performance() {
    let (clip, before) = jump();
    let clip = Clip { first_frame: 1, ..clip };
    let none = Events::default();
    let plot = strip(&clip, Some(&before), &none, PoseFrames::Every(30, 0..100)).unwrap();
    assert_eq!(labels(&plot), [1, 31, 61, 91]);
    assert!(plot.svg.contains("a &lt;walk&gt;") && !plot.svg.contains("NaN"));
    let part = strip(&clip, None, &none, PoseFrames::Every(0, 98..300)).unwrap();
    assert_eq!(labels(&part), [98, 99]);
    assert!(part.svg.contains("pose-after") && !part.svg.contains("pose-before"));
}

#[test]
fn one_line_spans_the_motion() {
    let (clip, before) = jump();
    let plot = strip(&clip, Some(&before), &Events::default(), PoseFrames::OneLine(0..100)).unwrap();
    let shown = labels(&plot);
    assert!(shown.len() >= 4 && shown[0] == 0 && shown[shown.len() - 1] >= 75, "{shown:?}");
    // A line of standing figures is as high as one of them.
    assert!(plot.height < 250.0);
}

#[test]
fn the_middle_of_an_event_is_shown_and_circled() {
    let (clip, before) = jump();
    let events = measure(&clip, Some(&before)).unwrap().events;
    let (kind, event) = events.worst(&[EventKind::Teleport]).unwrap();
    let plot = strip(&clip, Some(&before), &events, PoseFrames::Around(kind, event)).unwrap();
    let shown = labels(&plot);
    assert_eq!(shown.len(), 8);
    assert!(shown.contains(&event.first.midpoint(event.last)), "{shown:?}");
    assert!(plot.svg.contains(&event.sentence(kind)) && plot.svg.contains("pose-event"));
    // A close-up below each figure.
    assert_eq!(plot.svg.matches("overflow=\"hidden\"").count(), 8);
}

#[test]
fn the_figures_are_seen_from_the_side() {
    let (clip, before) = jump();
    let plot = strip(&clip, Some(&before), &Events::default(), PoseFrames::Every(99, 0..100)).unwrap();
    let soles = |svg: &str| -> Vec<Vec<f64>> {
        let paths =
            svg.split("<path ").filter(|path| path.contains("pose-after") && path.contains("pose-sole"));
        paths
            .map(|path| {
                let data = path.split("d=\"").nth(1).unwrap().split('"').next().unwrap();
                data.split(['M', 'L', ' ']).filter_map(|number| number.parse().ok()).collect()
            })
            .collect()
    };
    // Heel, ball and toe of the left and the right foot in two frames: from left to right at one height.
    for sole in soles(&plot.svg) {
        assert_eq!(sole.len(), 6);
        assert!(sole[0] < sole[2] && sole[2] < sole[4], "{sole:?}");
        assert!((sole[1] - sole[3]).abs() < 0.2 && (sole[3] - sole[5]).abs() < 0.2);
    }
    assert_eq!(soles(&plot.svg).len(), 4);
}

#[test]
fn without_legs_or_frames_there_is_no_strip() {
    let (clip, _) = jump();
    let none = Events::default();
    assert_eq!(strip(&clip, None, &none, PoseFrames::OneLine(200..300)), None);
    let nobody = Clip { legs: Vec::new(), ..clip };
    assert_eq!(strip(&nobody, None, &none, PoseFrames::OneLine(0..100)), None);
}
