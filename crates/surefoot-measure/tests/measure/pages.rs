//! Tests of report and plots: well-formed, escaped, limited in size.

use crate::bodies::*;
use surefoot_core::{Floor, FootPoint, Footplants, Leg, Motion, Vec3};
use surefoot_measure::plot::{self, Curves};
use surefoot_measure::{Report, measure, report};
use surefoot_sample::{Recipe, Skate, make};

/// The report of a motion with both heels planted throughout.
fn page(title: &str, after: &Motion, before: Option<&Motion>, legs: &[Leg], notes: &[String]) -> String {
    let floor = Floor::level(0.0);
    let heel = |leg| plant(leg, FootPoint::Heel, 0..after.frames());
    let plants = plants((0..legs.len()).map(heel).collect());
    let clip = &clip_of(after, legs, &plants, &floor);
    let figures = measure(clip, before).unwrap();
    report(&Report { title, clip, before, figures: &figures, missed_limits: &[], warnings: &[], notes })
        .unwrap()
}

/// A walk in place with sliding feet, and one without.
fn pair(frames: usize) -> (Motion, Motion) {
    let slides = |frame: usize| Vec3::new(0.0, 0.0, 0.05 * (frame as f64 / 30.0).sin_like());
    let before = motion(frames, 60.0, |frame| standing(slides(frame)));
    let mut after = motion(frames, 60.0, |_| standing(Vec3::ZERO));
    bend_knee(&mut after.poses[frames / 2], 0.3);
    (before, after)
}

/// A triangle wave.
trait Wave {
    fn sin_like(self) -> f64;
}

impl Wave for f64 {
    fn sin_like(self) -> f64 {
        let part = self - self.floor();
        if part < 0.5 { 2.0 * part } else { 2.0 - 2.0 * part }
    }
}

/// Asserts that all elements are closed in order and all attributes are quoted.
fn check_balanced(page: &str) {
    let void = ["meta", "!doctype"];
    let mut open: Vec<String> = Vec::new();
    let page = without_scripts(page);
    let mut rest = page.as_str();
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        assert_eq!(tag.matches('"').count() % 2, 0, "unbalanced quotes in <{tag}>");
        assert!(!tag.contains('<'), "a tag within a tag: <{tag}>");
        rest = &rest[end + 1..];
        let name: String =
            tag.trim_start_matches('/').chars().take_while(|c| !c.is_whitespace() && *c != '/').collect();
        if tag.starts_with('/') {
            assert_eq!(open.pop().as_deref(), Some(name.as_str()), "</{name}> closes something else");
        } else if !tag.ends_with('/') && !void.contains(&name.as_str()) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "never closed: {open:?}");
}

/// The page without the text of its scripts, which is not HTML.
fn without_scripts(page: &str) -> String {
    let mut parts = page.split("<script");
    let first = parts.next().unwrap_or_default().to_owned();
    let after = |part: &str| part.split_once("</script>").expect("a script ends").1.to_owned();
    first + &parts.map(after).collect::<String>()
}

#[test]
fn a_page_is_well_formed_and_complete() {
    let (before, after) = pair(120);
    let page = page("walk.bvh", &after, Some(&before), &legs(), &["one note".into()]);
    check_balanced(&page);
    for part in [
        "<h1>walk.bvh</h1>",
        "Figures",
        "Height over the floor",
        "Path over the ground",
        "Knees",
        "Plants",
        "one note",
        "Footprints",
        "What was introduced",
        "Review",
        "class=\"player\"",
    ] {
        assert!(page.contains(part), "no {part}");
    }
    assert!(!page.contains("NaN") && !without_scripts(&page).contains("inf"));
    let places: Vec<usize> =
        ["class=\"headline", "class=\"player\"", "Footprints", "What was introduced", "Figures"]
            .iter()
            .map(|part| page.find(part).unwrap())
            .collect();
    assert!(places.is_sorted(), "the motion comes before what was introduced, and that before the figures");
}

#[test]
fn a_page_of_one_motion_has_no_before() {
    let page = page("walk.bvh", &pair(60).0, None, &legs(), &[]);
    check_balanced(&page);
    let body = &page[page.find("<body>").unwrap()..];
    assert!(!body.contains(">before<") && !body.contains("<h2>Cost<"));
}

#[test]
fn markup_in_names_is_escaped() {
    let (before, after) = pair(30);
    let mut legs = legs();
    legs[0].side = "<b onclick=\"x()\">left".into();
    legs[1].side = "</svg><script>".into();
    let page = page("<b>\"walk\" & co</b>", &after, Some(&before), &legs, &["<i>note".into()]);
    check_balanced(&page);
    for danger in ["<b>", "<b ", "<i>", "onclick=\""] {
        assert!(!page.contains(danger), "{danger} came through");
    }
    // The motion and the script of the player.
    assert_eq!(page.matches("<script").count(), 2);
    assert!(page.contains("&lt;b&gt;&quot;walk&quot; &amp; co&lt;/b&gt;"));
}

#[test]
fn short_and_empty_motions_have_a_page() {
    for frames in 0..4 {
        let short = motion(frames, 10.0, |_| standing(Vec3::ZERO));
        for before in [None, Some(&short)] {
            let page = page("short", &short, before, &legs(), &[]);
            check_balanced(&page);
            assert!(!page.contains("NaN") && !without_scripts(&page).contains("inf"), "{frames} frames");
        }
    }
    let nothing = Motion { fps: 30.0, ..Motion::default() };
    let page = page("nothing", &nothing, Some(&nothing), &[], &[]);
    check_balanced(&page);
    assert!(page.contains("No foot contacts: no foot was held."));
}

#[test]
fn the_headline_can_be_shared() {
    let (before, after) = pair(120);
    let page = page("walk", &after, Some(&before), &legs(), &[]);
    assert!(
        page.contains("1 of 2 plants still slides, by up to ") && page.contains("(before 50.0\u{a0}mm)."),
        "{}",
        &page[page.find("headline\"").unwrap()..][..200]
    );
}

/// The class of the headline: `good`, `bad` or `neutral`.
fn verdict(page: &str) -> &str {
    let class = page.split_once("class=\"headline ").expect("a headline").1;
    class.split_once('"').expect("a quoted class").0
}

#[test]
fn a_failure_is_never_headlined_as_success() {
    let (before, after) = pair(120);
    let slides = page("walk", &after, Some(&before), &legs(), &[]);
    assert_eq!(verdict(&slides), "bad", "a plant slides");

    let still = motion(120, 60.0, |_| standing(Vec3::ZERO));
    let good = page("walk", &still, Some(&before), &legs(), &[]);
    assert_eq!(verdict(&good), "good");
    assert!(good.contains("Nothing visible was introduced."));

    let (legs, floor) = (legs(), Floor::level(0.0));
    let plants = plants(vec![plant(0, FootPoint::Heel, 0..120)]);
    let clip = &clip_of(&still, &legs, &plants, &floor);
    let figures = measure(clip, Some(&before)).unwrap();
    let (missed_limits, warnings) = (["max-knee: too much".to_owned()], ["the file is <odd>".to_owned()]);
    let input = Report {
        title: "walk",
        clip,
        before: Some(&before),
        figures: &figures,
        missed_limits: &missed_limits,
        warnings: &warnings,
        notes: &[],
    };
    let missed = report(&input).unwrap();
    assert_eq!(verdict(&missed), "bad", "a limit is not met");
    let top = missed.split_once("class=\"player\"").expect("a player").0;
    assert!(top.contains("max-knee: too much") && top.contains("the file is &lt;odd&gt;"));

    let none = &clip_of(&still, &legs, &Footplants::default(), &floor);
    let figures = measure(none, Some(&before)).unwrap();
    let nothing = report(&Report { clip: none, figures: &figures, missed_limits: &[], ..input }).unwrap();
    assert_eq!(verdict(&nothing), "neutral", "no contacts");
}

#[test]
fn a_page_loads_nothing() {
    let (before, after) = pair(60);
    let page = page("walk", &after, Some(&before), &legs(), &[]);
    let addresses = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!addresses.contains("http:") && !addresses.contains("https:") && !addresses.contains("src="));
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn a_thousand_frames_make_a_page_of_less_than_a_megabyte() {
    let recipe =
        Recipe { seconds: 1000.0 / 60.0, fps: 60.0, skate: Some(Skate::Noise(0.01)), ..Recipe::default() };
    let clip = make(&recipe).unwrap().into_clip();
    let figures = measure(&clip, Some(&clip.motion)).unwrap();
    let page = report(&Report {
        title: "long",
        clip: &clip,
        before: Some(&clip.motion),
        figures: &figures,
        missed_limits: &[],
        warnings: &[],
        notes: &[],
    })
    .unwrap();
    assert!(clip.motion.frames() >= 1000 && page.len() < 1_000_000, "{} bytes", page.len());
}

#[test]
fn a_hundred_thousand_frames_make_a_page_of_less_than_four_megabytes() {
    let (before, mut after) = pair(100_000);
    for (frame, pose) in after.poses.iter_mut().enumerate() {
        bend_knee(pose, 0.1 + 0.1 * (frame as f64 * 0.37).sin_like());
    }
    let (legs, floor) = (legs(), Floor::level(0.0));
    let steps = (0..1000).map(|step| plant(step % 2, FootPoint::Ball, step * 100..step * 100 + 60));
    let mut plants = plants(steps.collect());
    plants.sort();
    let clip = clip_of(&after, &legs, &plants, &floor);
    let figures = measure(&clip, Some(&before)).unwrap();
    let page = report(&Report {
        title: "long",
        clip: &clip,
        before: Some(&before),
        figures: &figures,
        missed_limits: &[],
        warnings: &[],
        notes: &[],
    })
    .unwrap();
    assert!(page.len() < 4_000_000, "{} bytes", page.len());
}

#[test]
fn a_sheet_of_plots_is_a_complete_svg_file() {
    let sample = make(&Recipe { seconds: 4.0, ..Recipe::default() }).unwrap();
    let clip = sample.into_clip();
    let curves = Curves::new(&clip, None).unwrap();
    let sheet = plot::sheet(
        &[plot::heights(&curves), plot::speeds(&curves), plot::knees(&curves), plot::ground(&curves)]
            .concat(),
    );
    check_balanced(&sheet);
    assert!(sheet.starts_with("<svg xmlns") && sheet.contains("prefers-color-scheme"));
}

#[test]
fn the_same_motions_give_the_same_page() {
    let (before, after) = pair(200);
    let page = || page("walk", &after, Some(&before), &legs(), &[]);
    assert_eq!(page(), page());
}

#[test]
fn without_plants_there_are_no_plant_figures() {
    let (legs, none, floor) = (legs(), Footplants::default(), Floor::level(0.0));
    let still = motion(20, 10.0, |_| standing(Vec3::ZERO));
    let clip = clip_of(&still, &legs, &none, &floor);
    let curves = Curves::new(&clip, Some(&still)).unwrap();
    assert_eq!(plot::spots(&curves), None);
    assert_eq!(plot::root(&curves), None);
    assert_eq!(plot::stretch(&curves), None);
    assert_eq!(plot::reach(&curves), None);
    assert!(plot::heights(&curves).iter().all(|plot| !plot.svg.contains("planted")));
}

#[test]
fn a_detail_keeps_times_and_plants() {
    let (legs, floor) = (legs(), Floor::level(0.0));
    let plants = plants(vec![plant(0, FootPoint::Heel, 10..20), plant(0, FootPoint::Heel, 50..60)]);
    let still = motion(100, 10.0, |_| standing(Vec3::ZERO));
    let clip = clip_of(&still, &legs, &plants, &floor);
    let curves = Curves::new(&clip, None).unwrap().within(45..75);
    let heel = &plot::heights(&curves)[0].svg;
    assert!(heel.contains("heel 50–59") && !heel.contains("heel 10–19"));
    assert!(heel.contains(">5.0<") && !heel.contains(">1.0<"), "{heel}");
    // A range beyond the end is empty.
    assert_eq!(plot::spots(&curves.within(500..600)), None);
}
