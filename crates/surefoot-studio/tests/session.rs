//! What the page is told, asked as the page asks.

use surefoot_sample::{Recipe, Skate, make};
use surefoot_studio::Session;

fn text(session: &mut Session, asked: &str, bytes: &[u8]) -> Result<String, String> {
    let input = [asked.as_bytes(), b"\n", bytes].concat();
    session.call(&input).map(|answer| String::from_utf8(answer).unwrap())
}

#[test]
fn the_sample_is_opened_cleaned_measured_and_written() {
    let mut session = Session::default();
    let walk = session.call(b"{\"ask\":\"sample\"}\n").unwrap();
    let about = text(&mut session, r#"{"ask":"open","name":"walk.bvh"}"#, &walk).unwrap();
    assert!(about.contains("\"side\":\"left\""), "{about}");
    let plants = text(&mut session, r#"{"ask":"detect"}"#, b"").unwrap();
    let cleaned = text(&mut session, &format!(r#"{{"ask":"clean","plants":{plants}}}"#), b"").unwrap();
    assert!(cleaned.contains("\"runs\":[["), "{cleaned}");
    let again = text(&mut session, &format!(r#"{{"ask":"clean","plants":{plants}}}"#), b"").unwrap();
    assert!(again.contains("\"runs\":[]"), "nothing changed, nothing is solved");
    let figures = text(&mut session, r#"{"ask":"figures"}"#, b"").unwrap();
    assert!(figures.contains("drift_max_m"));
    for what in ["motion", "plants", "table", "rig", "report"] {
        assert!(
            !text(&mut session, &format!(r#"{{"ask":"write","what":"{what}"}}"#), b"").unwrap().is_empty()
        );
    }
}

#[test]
fn the_written_motion_is_what_a_whole_clean_writes() {
    let sample = make(&Recipe { skate: Some(Skate::Scale(1.2)), ..Recipe::default() }).unwrap();
    let space = surefoot_formats::Space::METRES_Y_UP;
    let bytes = surefoot_formats::bvh::from_motion(&sample.motion, &space).unwrap();
    let mut session = Session::default();
    text(&mut session, r#"{"ask":"open","name":"walk.bvh"}"#, &bytes).unwrap();
    let plants = text(&mut session, r#"{"ask":"detect"}"#, b"").unwrap();
    // By way of another set of plants, so that what is kept of it would show.
    for plants in ["[]", plants.as_str()] {
        text(&mut session, &format!(r#"{{"ask":"clean","plants":{plants}}}"#), b"").unwrap();
    }
    let ours = text(&mut session, r#"{"ask":"write","what":"motion"}"#, b"").unwrap();
    let mut whole = Session::default();
    text(&mut whole, r#"{"ask":"open","name":"walk.bvh"}"#, &bytes).unwrap();
    text(&mut whole, &format!(r#"{{"ask":"clean","plants":{plants}}}"#), b"").unwrap();
    assert!(ours == text(&mut whole, r#"{"ask":"write","what":"motion"}"#, b"").unwrap());
}

#[test]
fn a_bad_file_is_told_and_leaves_nothing_open() {
    let mut session = Session::default();
    let said = text(&mut session, r#"{"ask":"open","name":"walk.bvh"}"#, b"HIERARCHY\nROOT").unwrap_err();
    assert!(said.starts_with("walk.bvh: line 2"), "{said}");
    assert_eq!(text(&mut session, r#"{"ask":"figures"}"#, b"").unwrap_err(), "no file is open");
    assert!(text(&mut session, "what", b"").is_err());
    assert!(session.call(b"").is_err());
}
