//! Events of synthetic C3D files of all processor types, and of every captured one.

use surefoot_formats::c3d::{
    C3d, C3dError, C3dFitError, EventKind, FootInterval, Side, foot_intervals, is_c3d,
};

/// Writes small C3D files of each processor type.
struct Maker {
    processor: u8,
    section: Vec<u8>,
    header: Vec<u8>,
}

const INTEL: u8 = 84;
const DEC: u8 = 85;
const SGI: u8 = 86;

impl Maker {
    fn new(processor: u8) -> Self {
        let mut maker = Self { processor, section: vec![1, 0x50, 1, processor], header: vec![0; 512] };
        maker.header[..2].copy_from_slice(&[2, 0x50]);
        maker.put_word(6, 101);
        maker.put_word(8, 400);
        maker.put_float(20, 100.0);
        maker
    }

    fn word(&self, word: u16) -> [u8; 2] {
        if self.processor == SGI { word.to_be_bytes() } else { word.to_le_bytes() }
    }

    fn float(&self, float: f32) -> [u8; 4] {
        match self.processor {
            SGI => float.to_be_bytes(),
            DEC => {
                let [a, b, c, d] = (float * 4.0).to_le_bytes();
                [c, d, a, b]
            }
            _ => float.to_le_bytes(),
        }
    }

    fn put_word(&mut self, at: usize, word: u16) {
        let word = self.word(word);
        self.header[at..at + 2].copy_from_slice(&word);
    }

    fn put_float(&mut self, at: usize, float: f32) {
        let float = self.float(float);
        self.header[at..at + 4].copy_from_slice(&float);
    }

    fn entry(&mut self, name: &str, number: i8, rest: &[u8]) {
        self.section.extend([name.len() as u8, number as u8]);
        self.section.extend(name.bytes());
        let offset = self.word(rest.len() as u16 + 2);
        self.section.extend(offset);
        self.section.extend(rest);
    }

    fn group(&mut self, name: &str, number: i8) {
        self.entry(name, -number, &[0]);
    }

    fn texts(&mut self, group: i8, name: &str, texts: &[&str]) {
        let width = texts.iter().map(|text| text.len()).max().unwrap_or(0) + 3;
        let mut rest = vec![255, 2, width as u8, texts.len() as u8];
        rest.extend(texts.iter().flat_map(|text| format!("{text:width$}").into_bytes()));
        rest.push(0);
        self.entry(name, group, &rest);
    }

    fn floats(&mut self, group: i8, name: &str, dimensions: &[u8], floats: &[f32]) {
        let mut rest = vec![4, dimensions.len() as u8];
        rest.extend(dimensions);
        rest.extend(floats.iter().flat_map(|&float| self.float(float)));
        rest.push(0);
        self.entry(name, group, &rest);
    }

    fn words(&mut self, group: i8, name: &str, words: &[u16]) {
        let mut rest = vec![2, 1, words.len() as u8];
        rest.extend(words.iter().flat_map(|&word| self.word(word)));
        rest.push(0);
        self.entry(name, group, &rest);
    }

    fn done(mut self) -> Vec<u8> {
        self.section.extend([0, 0]);
        self.header.extend(self.section);
        self.header
    }
}

/// A trial of 3 s from frame 101 on, with two steps of each foot, noted out of order.
fn trial(processor: u8) -> Maker {
    let mut maker = Maker::new(processor);
    maker.texts(9, "CONTEXTS", &["Left", "Right", "Left", "Right", "General"]);
    maker.texts(9, "LABELS", &["Foot Off", "Foot Strike", "Foot Strike", "Foot Off", "Event"]);
    let times = [0.0, 1.75, 0.0, 1.5, 0.0, 1.25, 0.0, 2.0, 0.0, 2.5];
    maker.floats(9, "TIMES", &[2, 5], &times);
    maker.group("EVENT", 9);
    maker
}

#[test]
fn all_processor_types_give_the_same_events() {
    let [intel, dec, sgi] = [INTEL, DEC, SGI].map(|processor| C3d::read(&trial(processor).done()).unwrap());
    assert_eq!(intel, dec);
    assert_eq!(intel, sgi);
    assert_eq!((intel.rate, intel.first_frame, intel.frames), (100.0, 101, 300));
    let steps: Vec<_> = intel.events.iter().map(|event| (event.seconds, event.side, event.kind)).collect();
    assert_eq!(
        steps,
        [
            (1.25, Some(Side::Left), EventKind::FootStrike),
            (1.5, Some(Side::Right), EventKind::FootStrike),
            (1.75, Some(Side::Left), EventKind::FootOff),
            (2.0, Some(Side::Right), EventKind::FootOff),
            (2.5, None, EventKind::Other),
        ]
    );
}

#[test]
fn event_times_are_converted_to_frames() {
    let c3d = C3d::read(&trial(INTEL).done()).unwrap();
    // The first frame, 101, is at 1 s.
    let [left, right] = foot_intervals(&c3d, 300, 0, 100.0, None).unwrap();
    assert_eq!(left.intervals, [FootInterval { frames: 25..75, is_down: true }]);
    assert_eq!(right.intervals, [FootInterval { frames: 50..100, is_down: true }]);
    // At another rate, behind a T-pose.
    let [left, _] = foot_intervals(&c3d, 91, 1, 30.0, None).unwrap();
    // 0.25 s is frame 7.5: 8 is the first that is not before it.
    assert_eq!(left.intervals, [FootInterval { frames: 9..24, is_down: true }]);
    // A part of the trial, from 1.5 s of the recording on.
    let [left, right] = foot_intervals(&c3d, 40, 0, 100.0, Some(1.5)).unwrap();
    assert_eq!(left.intervals, [FootInterval { frames: 0..25, is_down: true }]);
    assert_eq!(right.intervals, [FootInterval { frames: 0..40, is_down: true }]);
}

#[test]
fn a_foot_is_up_from_off_to_strike_and_unknown_between_two_strikes() {
    let mut maker = Maker::new(SGI);
    maker.group("EVENT", 3);
    maker.texts(3, "LABELS", &["LTO", "LHS", "LHS", "LTO"]);
    maker.floats(3, "TIMES", &[2, 4], &[0.0, 1.1, 0.0, 1.2, 0.0, 1.6, 0.0, 2.0]);
    let c3d = C3d::read(&maker.done()).unwrap();
    let [left, right] = foot_intervals(&c3d, 300, 0, 100.0, None).unwrap();
    let up = FootInterval { frames: 10..20, is_down: false };
    assert_eq!(left.intervals, [up, FootInterval { frames: 60..100, is_down: true }]);
    assert!(right.intervals.is_empty());
}

#[test]
fn long_event_lists_continue_in_numbered_lists() {
    let mut maker = Maker::new(INTEL);
    maker.group("EVENT", 3);
    maker.words(3, "USED", &[3]);
    for (part, label, seconds) in
        [("", "Foot Strike", 1.25), ("2", "Foot Off", 1.5), ("3", "Foot Strike", 2.0)]
    {
        maker.texts(3, &format!("LABELS{part}"), &[label]);
        maker.texts(3, &format!("CONTEXTS{part}"), &["Right"]);
        maker.floats(3, &format!("TIMES{part}"), &[2, 1], &[0.0, seconds]);
    }
    let c3d = C3d::read(&maker.done()).unwrap();
    assert_eq!(c3d.events.len(), 3);
    assert!(c3d.events.iter().all(|event| event.side == Some(Side::Right)));
}

#[test]
fn events_of_old_files_are_read_from_the_header() {
    for processor in [INTEL, DEC, SGI] {
        let mut maker = Maker::new(processor);
        maker.put_word(298, 12_345);
        maker.put_word(300, 2);
        maker.put_float(304, 1.25);
        maker.put_float(308, 2.25);
        maker.header[396..404].copy_from_slice(b"RHS RTO ");
        let c3d = C3d::read(&maker.done()).unwrap();
        let [_, right] = foot_intervals(&c3d, 300, 0, 100.0, None).unwrap();
        assert_eq!(right.intervals, [FootInterval { frames: 25..125, is_down: true }]);
    }
}

#[test]
fn minutes_and_frame_numbers_beyond_16_bits_are_read() {
    let mut maker = Maker::new(INTEL);
    // Frame 70,001, at 700 s: 4,465 and one time 65,536.
    maker.put_word(6, 4_465);
    maker.put_word(8, 4_764);
    maker.group("TRIAL", 1);
    maker.words(1, "ACTUAL_START_FIELD", &[4_465, 1]);
    maker.words(1, "ACTUAL_END_FIELD", &[4_764, 1]);
    maker.group("EVENT", 2);
    maker.texts(2, "LABELS", &["LHS", "LTO"]);
    maker.floats(2, "TIMES", &[2, 2], &[11.0, 41.0, 11.0, 42.0]);
    let c3d = C3d::read(&maker.done()).unwrap();
    assert_eq!((c3d.first_frame, c3d.frames, c3d.start()), (70_001, 300, 700.0));
    let [left, _] = foot_intervals(&c3d, 300, 0, 100.0, None).unwrap();
    assert_eq!(left.intervals, [FootInterval { frames: 100..200, is_down: true }]);
}

#[track_caller]
fn refused(bytes: &[u8], expected: &str) {
    assert_eq!(C3d::read(bytes).unwrap_err().to_string(), expected);
}

#[test]
fn errors_state_the_byte_what_was_found_and_what_was_expected() {
    refused(b"", "the file ends after 0 bytes, expected a header of 512");
    refused(&[b'H'; 600], "byte 1: found 72, expected 80: this is not a C3D file");
    let whole = trial(INTEL).done();
    refused(&whole[..512], "byte 512: the file ends before its parameters, which the header places here");
    refused(&whole[..560], "byte 516: the file ends inside parameter \"CONTEXTS\", expected 22 more bytes");
    let mut bytes = whole.clone();
    bytes[515] = 9;
    // The header's frame rate is plausible only for Intel; without a rate the type is unknown.
    assert_eq!(C3d::read(&bytes).unwrap(), C3d::read(&whole).unwrap());
    bytes[20..24].fill(0);
    refused(&bytes, "byte 515: found processor 9, expected 84 (Intel), 85 (DEC) or 86 (SGI)");
    bytes[515] = 84;
    refused(&bytes, "byte 20: the frame rate is 0, expected a number above 0");
    let mut bytes = whole.clone();
    bytes[8..10].fill(0);
    refused(&bytes, "byte 6: the first frame is 101, expected one up to the last, 0");
    let mut bytes = whole.clone();
    bytes[526] = 2;
    let message = "byte 516: parameter \"CONTEXTS\" places the next one 2 bytes ahead, \
                expected a position after its own end";
    refused(&bytes, message);
    let mut bytes = whole;
    bytes[528] = 7;
    refused(&bytes, "byte 516: parameter \"CONTEXTS\" has type 7, expected -1, 1, 2 or 4");
    let mut maker = Maker::new(INTEL);
    maker.group("EVENT", 1);
    maker.texts(1, "LABELS", &["LHS"]);
    maker.floats(1, "TIMES", &[2, 1], &[0.0, f32::NAN]);
    let error = C3d::read(&maker.done()).unwrap_err();
    assert!(matches!(error, C3dError::EventTime { event: 0, .. }), "{error}");
}

#[test]
fn events_of_another_trial_are_refused() {
    let c3d = C3d::read(&trial(INTEL).done()).unwrap();
    let error = foot_intervals(&c3d, 500, 0, 100.0, None).unwrap_err();
    assert_eq!(error.to_string(), "the file lasts 3.00 s and the motion 5.00 s, expected equal durations");
    let error = foot_intervals(&c3d, 500, 0, 100.0, Some(60.0)).unwrap_err();
    assert!(matches!(error, C3dFitError::Outside { .. }), "{error}");
    let none = C3d::read(&Maker::new(DEC).done()).unwrap();
    let error = foot_intervals(&none, 300, 0, 100.0, None).unwrap_err();
    assert_eq!(error, C3dFitError::NoSteps { others: 0 });
}

#[test]
fn every_captured_file_is_read() {
    let mut lines = String::new();
    for path in surefoot_testdata::files("c3d", ".c3d") {
        let bytes = std::fs::read(&path).unwrap();
        assert!(is_c3d(&bytes));
        let c3d = C3d::read(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let steps = c3d.events.iter().filter(|event| event.side.is_some() && event.kind != EventKind::Other);
        let name = path.file_name().unwrap().to_string_lossy();
        let C3d { rate, first_frame, frames, events, .. } = &c3d;
        lines += &format!(
            "{name}: {frames} frames from {first_frame} on at {rate}, {} of {} events are steps\n",
            steps.count(),
            events.len()
        );
    }
    if lines.is_empty() {
        return;
    }
    expect_test::expect![[r#"
        HC002D06.c3d: 255 frames from 124 on at 100, 12 of 12 events are steps
        HC002D25.c3d: 237 frames from 110 on at 100, 12 of 12 events are steps
        HC030A05.c3d: 197 frames from 286 on at 100, 8 of 8 events are steps
        HC030A22.c3d: 512 frames from 126 on at 100, 19 of 19 events are steps
        HC031A06.c3d: 172 frames from 158 on at 100, 8 of 8 events are steps
        HC031A23.c3d: 362 frames from 107 on at 100, 16 of 16 events are steps
        Gait.c3d: 487 frames from 1 on at 100, 0 of 0 events are steps
        test_walking.c3d: 806 frames from 1 on at 250, 0 of 0 events are steps
        walking2.c3d: 1249 frames from 1 on at 250, 0 of 0 events are steps
        walking5.c3d: 1103 frames from 1 on at 250, 0 of 0 events are steps
        Movement_trial.c3d: 323 frames from 695 on at 120, 0 of 0 events are steps
        2014001_C1_01.c3d: 387 frames from 1 on at 100, 7 of 7 events are steps
        2014001_ST.c3d: 1 frames from 1 on at 100, 0 of 0 events are steps
    "#]]
    .assert_eq(&lines);
}

/// The labels of `labelled/biomechzoo` were made from the events of these files.
#[test]
fn events_agree_with_the_labels_made_from_them() {
    let mut frames = 0;
    for path in surefoot_testdata::files("c3d/biomechzoo", ".c3d") {
        let c3d = C3d::read(&std::fs::read(&path).unwrap()).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        for table in surefoot_testdata::files("labelled/biomechzoo", ".csv") {
            if !table.file_name().unwrap().to_string_lossy().starts_with(&name) {
                continue;
            }
            let text = std::fs::read_to_string(&table).unwrap();
            let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|row| row.split(',').collect()).collect();
            let feet = foot_intervals(&c3d, rows.len(), 0, 100.0, None).unwrap();
            for (foot, column) in feet.iter().zip([2, 3]) {
                let mut expected = vec!["-1"; rows.len()];
                for known in &foot.intervals {
                    expected[known.frames.clone()].fill(if known.is_down { "1" } else { "0" });
                }
                for (frame, row) in rows.iter().enumerate() {
                    assert_eq!(row[column], expected[frame], "{name}: frame {frame}, {:?}", foot.side);
                    frames += 1;
                }
            }
        }
    }
    println!("{frames} frames agree");
}
