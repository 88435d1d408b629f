//! Cleans a stream frame by frame.
//!
//! One frame is read, cleaned, written and flushed before the next is read. A slow reader of the output therefore
//! slows the writer of the input down, and memory does not grow with the number of frames.

use std::io::{BufRead, Write};

use surefoot_core::Pose;
use surefoot_formats::stream::{
    Encoding, End, EndNote, Frame, Header, HeldPoint, Layout, Lookahead, Reader, Record, write_end,
    write_frame, write_header,
};
use surefoot_solve::{ActivePlant, ActivePlants, Cleaner, Note, Settings, StreamReport, StreamReporter};

use super::detector::StreamDetector;
use super::error::{CleanStreamError, StreamSetupError};
use super::setup::{StreamSetup, header_settings};
use crate::{Leg, note_text};

/// How a stream is cleaned.
#[derive(Clone, Debug)]
pub struct StreamOptions {
    /// The settings of the solver.
    pub settings: Settings,
    /// The encoding of the output. `None` is that of the input.
    pub encoding: Option<Encoding>,
    /// Whether plants are detected, which adds to the latency. Those in the frames are ignored then.
    pub detect: bool,
}

/// Largest number of joints times frames in the look-ahead window. It takes about 500 MB.
const MOST_KEPT: f64 = 4e6;

/// Cleans a stream until it ends or a frame is wrong.
///
/// `header` is what [`Reader::begin`] returned, `setup` was made from it. After a wrong frame, all frames before it are
/// still cleaned and written, but no end record.
pub fn clean_stream<R: BufRead>(
    mut reader: Reader<R>,
    header: &Header,
    setup: &StreamSetup,
    options: &StreamOptions,
    output: impl Write,
) -> Result<(), CleanStreamError> {
    let StreamOptions { settings, encoding, detect } = options;
    let cleaner = cleaner(setup, header.longest_plant, settings).map_err(CleanStreamError::Setup)?;
    let mut detector = detect.then(|| StreamDetector::new(&setup.clip));
    if detector.is_some() {
        reader.allow_missing_held();
    }
    let frames = cleaner.lookahead() + detector.as_ref().map_or(0, StreamDetector::lookahead);
    let mut stage = CleanerStage {
        writer: RecordWriter::new(encoding.unwrap_or(reader.encoding()), setup.layout(), output),
        reporter: StreamReporter::new(&setup.clip, settings),
        cleaner,
    };
    stage.writer.header(&Header {
        settings: header_settings(settings),
        longest_plant: header.longest_plant,
        lookahead: Some(Lookahead { frames, seconds: frames as f64 / setup.clip.motion.fps }),
        ..setup.header()
    })?;
    let ended = match stage.read_frames(&mut reader, detector.as_mut()) {
        Err(error @ CleanStreamError::Output { .. }) => return Err(error),
        ended => ended,
    };
    while let Some((pose, held)) = detector.as_mut().and_then(StreamDetector::finish) {
        stage.push(pose, held)?;
    }
    while stage.cleaner.finish().is_some() {
        stage.write_frame()?;
    }
    ended?;
    let CleanerStage { mut writer, reporter, .. } = stage;
    writer.end(reporter.finish(), &setup.clip.legs)
}

/// The cleaner and what follows it.
struct CleanerStage<W> {
    cleaner: Cleaner,
    reporter: StreamReporter,
    writer: RecordWriter<W>,
}

impl<W: Write> CleanerStage<W> {
    /// Cleans frame by frame until the stream ends or a frame is wrong.
    fn read_frames<R: BufRead>(
        &mut self,
        reader: &mut Reader<R>,
        mut detector: Option<&mut StreamDetector>,
    ) -> Result<(), CleanStreamError> {
        let layout = self.writer.layout.clone();
        let mut frame = Frame::default();
        let mut held = Vec::new();
        loop {
            match reader.next(&layout, &mut frame).map_err(CleanStreamError::Input)? {
                Record::Frame => {}
                // After an end record, the pipe may stay open.
                Record::End(_) | Record::EndOfInput => return Ok(()),
            }
            self.writer.first.get_or_insert(frame.number);
            held.clear();
            held.extend(frame.held.iter().map(active_plants));
            let known = match &mut detector {
                None => Some((&frame.pose, &held[..])),
                Some(detector) => detector.push(&frame.pose),
            };
            if let Some((pose, held)) = known {
                self.push(pose, held)?;
            }
        }
    }

    /// Cleans a frame, and writes the one that is complete now.
    fn push(&mut self, pose: &Pose, held: &[ActivePlants]) -> Result<(), CleanStreamError> {
        match self.cleaner.push(pose, held).map_err(CleanStreamError::Pose)? {
            Some(_) => self.write_frame(),
            None => Ok(()),
        }
    }

    fn write_frame(&mut self) -> Result<(), CleanStreamError> {
        self.reporter.add_frame(&self.cleaner);
        self.writer.frame(&self.cleaner)
    }
}

fn cleaner(
    setup: &StreamSetup,
    longest_plant: Option<usize>,
    settings: &Settings,
) -> Result<Cleaner, StreamSetupError> {
    let StreamSetup { clip, shapes, .. } = setup;
    if settings.spot_window.is_infinite() && longest_plant.is_none() {
        return Err(StreamSetupError::NoLongestPlant);
    }
    let seconds = settings.ankle_window + settings.root_window + settings.knee_window + settings.blend_window;
    let spots = (settings.spot_window * clip.motion.fps)
        .min(longest_plant.map_or(f64::INFINITY, |frames| frames as f64));
    let kept = (seconds * clip.motion.fps + spots) * clip.motion.skeleton.len() as f64;
    if kept > MOST_KEPT {
        return Err(StreamSetupError::TooFarAhead { joints: kept, limit: MOST_KEPT });
    }
    let longest_plant = longest_plant.unwrap_or(usize::MAX);
    Cleaner::with_shapes(clip, shapes, longest_plant, settings).map_err(StreamSetupError::Solver)
}

fn active_plants(points: &[Option<HeldPoint>; 2]) -> ActivePlants {
    let [heel, ball] =
        points.map(|held| held.map(|HeldPoint { plant, spot }| ActivePlant { id: plant, spot }));
    ActivePlants { heel, ball }
}

/// Writes whole records and flushes each.
struct RecordWriter<W> {
    output: W,
    encoding: Encoding,
    layout: Layout,
    /// The number of the first frame.
    first: Option<usize>,
    /// The number of the last frame that was written.
    last: Option<usize>,
    frame: Frame,
    bytes: Vec<u8>,
}

impl<W: Write> RecordWriter<W> {
    fn new(encoding: Encoding, layout: Layout, output: W) -> Self {
        let (frame, bytes) = (Frame::default(), Vec::new());
        Self { output, encoding, layout, first: None, last: None, frame, bytes }
    }

    fn header(&mut self, header: &Header) -> Result<(), CleanStreamError> {
        write_header(header, self.encoding, &mut self.bytes);
        self.send()
    }

    /// Writes the last frame of the cleaner.
    fn frame(&mut self, cleaner: &Cleaner) -> Result<(), CleanStreamError> {
        let Some(last) = cleaner.output() else { return Ok(()) };
        self.frame.number = self.first.unwrap_or(0) + last.frame;
        self.frame.pose.copy_from(last.pose);
        self.frame.held.clear();
        let point = |hold: ActivePlant| HeldPoint { plant: hold.id, spot: hold.spot };
        self.frame.held.extend(last.active_plants().map(|held| [held.heel.map(point), held.ball.map(point)]));
        write_frame(&self.frame, &self.layout, self.encoding, &mut self.bytes);
        self.send()?;
        self.last = Some(self.frame.number);
        Ok(())
    }

    fn end(&mut self, report: StreamReport, legs: &[Leg]) -> Result<(), CleanStreamError> {
        let first = self.first.unwrap_or(0);
        let note = |mut note: Note| {
            note.shift_frames(first);
            end_note(legs, &note)
        };
        let end = End {
            frames: report.frames,
            plants: report.plants,
            notes: report.notes.into_iter().map(note).collect(),
            notes_left_out: report.omitted_notes,
        };
        write_end(&end, self.encoding, &mut self.bytes);
        self.send()
    }

    fn send(&mut self) -> Result<(), CleanStreamError> {
        let sent = self.output.write_all(&self.bytes).and_then(|()| self.output.flush());
        self.bytes.clear();
        sent.map_err(|error| CleanStreamError::Output { last: self.last, error })
    }
}

fn end_note(legs: &[Leg], note: &Note) -> EndNote {
    let (kind, leg, first, by_m) = match note {
        Note::OutOfReach { leg, frames, drift_m } => ("out_of_reach", *leg, frames.start, Some(*drift_m)),
        Note::FootLengthMismatch { leg, frames, drift_m, .. } => {
            ("wrong_size", *leg, frames.start, Some(*drift_m))
        }
        Note::NotHeld { leg, frames, .. } => ("not_held", *leg, frames.start, None),
        Note::OffFloor { leg, frame, height_m, .. } => ("off_floor", *leg, *frame, Some(*height_m)),
        _ => ("other", 0, 0, None),
    };
    EndNote {
        kind: kind.into(),
        foot: legs.get(leg).map_or_else(String::new, |leg| leg.side.clone()),
        first,
        by_m,
        text: note_text(legs, note),
    }
}
