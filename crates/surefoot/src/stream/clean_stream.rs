//! Cleans a stream frame by frame.
//!
//! One frame is read, cleaned, written and flushed before the next is read. A slow reader of the output therefore
//! slows the writer of the input down, and memory does not grow with the number of frames.

use std::io::{BufRead, Write};

use surefoot_contact::GroundMonitor;
use surefoot_contact::learned::MotionHeader;
use surefoot_core::{Clip, Pose, Vec3};
use surefoot_formats::stream::{
    Encoding, End, EndNote, Frame, Header, HeldPoint, Layout, Lookahead, Reader, Record, write_end,
    write_frame, write_header,
};
use surefoot_solve::{ActivePlant, ActivePlants, Cleaner, Note, Settings, StreamReport, StreamReporter};

use super::detector::StreamDetector;
use super::error::{CleanStreamError, StreamSetupError};
use super::ground_frame::GroundFrame;
use super::setup::StreamSetup;
use crate::{Leg, note_text, settings_to_json};

/// How a stream is cleaned.
#[derive(Clone, Debug)]
pub struct StreamOptions {
    /// The settings of the solver.
    pub settings: Settings,
    /// The encoding of the output. `None` is that of the input.
    pub encoding: Option<Encoding>,
    /// Whether plants are detected, which adds to the latency. Those in the frames are ignored then.
    pub detect: bool,
    /// Called while the stream runs with a note that should not wait for its end.
    pub on_note: fn(&str),
}

impl Default for StreamOptions {
    /// A live stream with given plants.
    fn default() -> Self {
        Self { settings: Settings::live(), encoding: None, detect: false, on_note: |_| {} }
    }
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
    let StreamOptions { settings, encoding, detect, on_note } = options;
    let stretch_limit = settings.stretch_limit_for(|| setup.joint_translations);
    let resolved = Settings { stretch: Some(stretch_limit), ..*settings };
    let cleaner = cleaner(setup, header.longest_plant, &resolved).map_err(CleanStreamError::Setup)?;
    let mut detector = detect.then(|| StreamDetector::new(&setup.clip));
    if detector.is_some() {
        reader.allow_missing_held();
    }
    let frames = cleaner.lookahead() + detector.as_ref().map_or(0, StreamDetector::lookahead);
    let Clip { motion, ground_velocity, .. } = &setup.clip;
    let ground = ground_velocity.map(|velocity| GroundFrame::new(&motion.skeleton, motion.fps, velocity));
    let mut stage = CleanerStage {
        writer: RecordWriter::new(encoding.unwrap_or(reader.encoding()), setup.layout(), output),
        reporter: StreamReporter::new(&setup.clip),
        monitor: ground.is_none().then(|| GroundMonitor::new(&MotionHeader::of_clip(&setup.clip))),
        ground,
        cleaner,
        pushed: 0,
        on_note: *on_note,
    };
    stage.writer.header(&Header {
        settings: settings_to_json(settings),
        longest_plant: header.longest_plant,
        // What cleaning stretches is a translation of a joint.
        joint_translations: Some(setup.joint_translations || stretch_limit > 0.0),
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
    /// The ground, if it moves.
    ground: Option<GroundFrame>,
    /// Watches ground that is said to be at rest, until it is found to move.
    monitor: Option<GroundMonitor>,
    /// Number of poses that were pushed.
    pushed: usize,
    reporter: StreamReporter,
    writer: RecordWriter<W>,
    on_note: fn(&str),
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
            if self.ground.as_ref().is_some_and(|ground| !ground.is_near(frame.number)) {
                return Err(CleanStreamError::GroundTooFar { frame: frame.number });
            }
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
        self.watch_ground(pose, held);
        let number = self.writer.first.unwrap_or(0) + self.pushed;
        let pose = match &mut self.ground {
            Some(ground) => ground.relative_to_ground(number, pose),
            None => pose,
        };
        self.pushed += 1;
        match self.cleaner.push(pose, held).map_err(CleanStreamError::Pose)? {
            Some(_) => self.write_frame(),
            None => Ok(()),
        }
    }

    /// Notes once if planted feet move as on a treadmill although the ground is said to be at rest.
    fn watch_ground(&mut self, pose: &Pose, held: &[ActivePlants]) {
        let id = |plant: Option<ActivePlant>| plant.map(|plant| plant.id);
        let ids = held.iter().map(|held| [id(held.heel), id(held.ball)]);
        let Some(velocity) = self.monitor.as_mut().and_then(|monitor| monitor.push(pose, ids)) else {
            return;
        };
        self.monitor = None;
        let frame = self.writer.first.unwrap_or(0) + self.pushed;
        let text = moving_ground_text(frame, velocity);
        (self.on_note)(&text);
        let note =
            EndNote { kind: "moving_ground".into(), foot: String::new(), first: frame, by_m: None, text };
        self.writer.notes.push(note);
    }

    fn write_frame(&mut self) -> Result<(), CleanStreamError> {
        self.reporter.add_frame(&self.cleaner);
        self.writer.frame(&self.cleaner, self.ground.as_mut())
    }
}

fn moving_ground_text(frame: usize, velocity: Vec3) -> String {
    let [x, y, z] = velocity.to_array();
    format!(
        "the planted feet before frame {frame} move at {:.2} m/s, as on a treadmill, but the ground is said to be at \
         rest, so that the body is dragged along: state \"ground_m_per_s\":[{x:.3},{y:.3},{z:.3}] in the header",
        velocity.length()
    )
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

fn active_plants(points: &[Option<HeldPoint>; 3]) -> ActivePlants {
    let active =
        |HeldPoint { plant, spot, hold, kind }: HeldPoint| ActivePlant { id: plant, spot, kind, hold };
    let [heel, ball, toe] = points.map(|held| held.map(active));
    ActivePlants { heel, ball, toe }
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
    /// Notes about the whole stream, for the end record.
    notes: Vec<EndNote>,
    frame: Frame,
    bytes: Vec<u8>,
}

impl<W: Write> RecordWriter<W> {
    fn new(encoding: Encoding, layout: Layout, output: W) -> Self {
        let (notes, frame, bytes) = (Vec::new(), Frame::default(), Vec::new());
        Self { output, encoding, layout, first: None, last: None, notes, frame, bytes }
    }

    fn header(&mut self, header: &Header) -> Result<(), CleanStreamError> {
        write_header(header, self.encoding, &mut self.bytes);
        self.send()
    }

    /// Writes the last frame of the cleaner, in the room.
    fn frame(&mut self, cleaner: &Cleaner, ground: Option<&mut GroundFrame>) -> Result<(), CleanStreamError> {
        let Some(last) = cleaner.output() else { return Ok(()) };
        self.frame.number = self.first.unwrap_or(0) + last.frame;
        self.frame.pose.copy_from(last.pose);
        if let Some(ground) = ground {
            ground.move_into_room(self.frame.number, &mut self.frame.pose);
        }
        self.frame.held.clear();
        let point =
            |ActivePlant { id, spot, kind, hold }: ActivePlant| HeldPoint { plant: id, spot, hold, kind };
        let foot = |plants: ActivePlants| [plants.heel, plants.ball, plants.toe].map(|held| held.map(point));
        self.frame.held.extend(last.active_plants().map(foot));
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
        let mut notes = core::mem::take(&mut self.notes);
        notes.extend(report.notes.into_iter().map(note));
        let end =
            End { frames: report.frames, plants: report.plants, notes, notes_left_out: report.omitted_notes };
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
