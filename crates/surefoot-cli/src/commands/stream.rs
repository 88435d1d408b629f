//! `stream`: cleans frames from stdin to stdout.
//!
//! One frame is read, cleaned, written and flushed before the next is read. A slow reader of stdout therefore slows
//! the writer of stdin down, and memory does not grow with the number of frames.

use std::io::{BufReader, ErrorKind, IsTerminal, StdoutLock, Write};
use std::path::PathBuf;

use clap::{Args, ValueHint};
use surefoot::FloorSource;
use surefoot_formats::stream::{
    Encoding, Frame, Header, HeldPoint, Layout, Preset, Reader, Record, StreamError, StreamProblem,
    StreamRoll, StreamSettings, write_end, write_frame, write_header,
};
use surefoot_solve::{ActivePlant, ActivePlants, Cleaner, FootRoll, Settings, StreamReporter};

use crate::args::FileOptions;
use crate::parse;
use crate::problem::{CommandError, Problem, reason_text, warn};
use crate::settings::settings_for;
use crate::source::load_with_legs;
use crate::stream_detector::StreamDetector;
use crate::stream_setup::{StreamSetup, end, header_settings, lookahead, solver_settings};
use crate::text::printable;

/// Clean a live stream of frames from stdin to stdout, with a fixed latency
///
/// A stream is a header followed by frames, as newline-delimited JSON or in a binary format; see
/// book/src/formats/stream.md. Each frame states which heels and balls are planted. Frame n is
/// written as soon as frame n + look-ahead was read; the header of the output states the look-ahead.
///
/// If the input is cut off or wrong, all complete frames before that are cleaned and written, but
/// no end record, and the exit code is 2. It is also 2 if the reader of stdout stops reading.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  capture-program | surefoot stream | game-engine
  capture-program | surefoot stream --detect | game-engine
  capture-program | surefoot stream --skeleton actor.bvh --preset paper --stretch 0
  surefoot convert walk.bvh - --to ndjson | surefoot stream |
    surefoot convert - out.bvh --like walk.bvh")]
pub struct Stream {
    /// Read skeleton, legs, floor and frame rate from a BVH file; the header must not contain joints then
    /// [default: from the header; legs that it does not name are inferred]
    #[arg(long, value_name = "FILE.bvh", value_hint = ValueHint::FilePath)]
    skeleton: Option<PathBuf>,

    /// Format of the output: ndjson or binary [default: that of the input]
    #[arg(long, value_name = "FORM", value_parser = parse::stream_format)]
    to: Option<Encoding>,

    /// Detect the plants, with 0.25 s more latency; those in the frames are ignored
    #[arg(long)]
    detect: bool,

    #[command(flatten)]
    stream: StreamOptions,

    #[command(flatten)]
    file_options: FileOptions,
}

/// The flags of the solver.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Cleanup (flags override the header)")]
struct StreamOptions {
    /// A set of settings: live has a look-ahead below 1 s, clean is the same as `surefoot clean` and
    /// needs longest_plant in the header, paper is the published method [default: live]
    #[arg(long, value_name = "live|clean|paper", value_parser = parse::preset)]
    preset: Option<Preset>,

    /// Largest allowed stretch of thigh and shin, as 3%; 0 keeps all bone lengths
    /// [default: 3%]
    #[arg(long, value_name = "SHARE", value_parser = parse::share)]
    stretch: Option<f64>,

    /// A foot planted at heel and ball keeps its roll as far as possible (kept) or is laid flat on
    /// the floor (flat) [default: kept]
    #[arg(long, value_name = "kept|flat", value_parser = parse::roll)]
    roll: Option<FootRoll>,
}

impl StreamOptions {
    /// Flags, then the header, then `surefoot.toml`, then the preset.
    fn settings(&self, header: &StreamSettings, toml: &crate::settings::Settings) -> Settings {
        let word = |roll| match roll {
            FootRoll::Keep => StreamRoll::Kept,
            FootRoll::Flat => StreamRoll::Flat,
        };
        // A preset given by flag replaces all settings of the header: its times belong to another preset.
        let base = if self.preset.is_some() { StreamSettings::default() } else { *header };
        solver_settings(&StreamSettings {
            preset: self.preset.or(header.preset),
            stretch: self.stretch.or(header.stretch).or(toml.stretch),
            roll: self.roll.map(word).or(header.roll).or(toml.roll.map(word)),
            ..base
        })
    }
}

/// Limit of joints times frames in the look-ahead window. The limit is about 500 MB.
const MOST_KEPT: f64 = 4e6;

pub fn run(args: &Stream) -> Result<(), CommandError> {
    check_file_options(args)?;
    // Errors of the file are reported before the first frame is read.
    let (from_file, toml) = match &args.skeleton {
        Some(file) => {
            let source = load_with_legs(file, &args.file_options)?;
            if source.file.floor_source == FloorSource::Plants {
                return Err(Problem::new(
                    "--floor plants needs all plants in advance, which a stream does not have",
                )
                .help("pass a height, a plane or a file")
                .into());
            }
            let setup = StreamSetup::from_file(source.clip())?;
            (Some(setup), source.settings)
        }
        None => (None, settings_for(None)?),
    };
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        eprintln!("reading from the terminal; Ctrl-D ends it");
    }
    let (mut reader, header) = Reader::begin(BufReader::new(stdin.lock())).map_err(problem)?;
    let setup = match from_file {
        Some(setup) => setup.with_header(&header)?,
        None => StreamSetup::from_header(&header)?,
    };
    setup.warnings.iter().for_each(|warning| warn(&printable(warning)));
    let settings = args.stream.settings(&header.settings, &toml);
    let mut cleaner = cleaner(&setup, header.longest_plant, &settings)?;
    let mut detector = args.detect.then(|| StreamDetector::new(&setup.clip));
    if detector.is_some() {
        reader.allow_missing_held();
    }
    let ahead = cleaner.lookahead() + detector.as_ref().map_or(0, StreamDetector::lookahead);
    let mut writer = RecordWriter::new(args.to.unwrap_or(reader.encoding()), setup.layout());
    writer.header(&Header {
        settings: header_settings(&settings),
        longest_plant: header.longest_plant,
        lookahead: Some(lookahead(ahead, setup.clip.motion.fps)),
        ..setup.header()
    })?;
    let mut tally = StreamReporter::new(&setup.clip, &settings);
    let ended = pump(&mut reader, detector.as_mut(), &mut cleaner, &mut tally, &mut writer)?;
    while let Some((pose, held)) = detector.as_mut().and_then(StreamDetector::finish) {
        // Poses in the detector were checked when they were read.
        let pushed = cleaner.push(pose, held).map_err(|error| Problem::new(format!("stdin: {error}")))?;
        if pushed.is_some() {
            tally.add_frame(&cleaner);
            writer.frame(&cleaner)?;
        }
    }
    while cleaner.finish().is_some() {
        tally.add_frame(&cleaner);
        writer.frame(&cleaner)?;
    }
    match ended {
        Ok(()) => writer.end(tally, &setup),
        Err(error) => Err(error.into()),
    }
}

/// Cleans frame by frame until the stream ends or a frame is wrong.
///
/// The inner result holds an error of the input: frames before it are still to be written. The outer result holds
/// an error of the output: nothing more can be written.
fn pump(
    reader: &mut Reader<impl std::io::BufRead>,
    mut detector: Option<&mut StreamDetector>,
    cleaner: &mut Cleaner,
    tally: &mut StreamReporter,
    writer: &mut RecordWriter,
) -> Result<Result<(), Problem>, CommandError> {
    let layout = writer.layout.clone();
    let mut frame = Frame::default();
    let mut held = Vec::new();
    loop {
        match reader.next(&layout, &mut frame) {
            Ok(Record::Frame) => {}
            // After an end record, the pipe may stay open.
            Ok(Record::End(_) | Record::EndOfInput) => return Ok(Ok(())),
            Err(error) => return Ok(Err(problem(error))),
        }
        writer.first.get_or_insert(frame.number);
        held.clear();
        held.extend(frame.held.iter().map(held_of));
        let setup = match &mut detector {
            None => Some((&frame.pose, &held[..])),
            Some(detector) => detector.push(&frame.pose),
        };
        let Some((pose, held)) = setup else { continue };
        match cleaner.push(pose, held) {
            Ok(None) => {}
            Ok(Some(_)) => {
                tally.add_frame(cleaner);
                writer.frame(cleaner)?;
            }
            Err(error) => return Ok(Err(Problem::new(format!("stdin: {error}")))),
        }
    }
}

/// Returns an error for facts about the file of --skeleton if there is none.
fn check_file_options(args: &Stream) -> Result<(), Problem> {
    let FileOptions {
        rig,
        fps,
        unit,
        up,
        floor,
        floor_unit,
        floor_up,
        floor_cell,
        floor_height,
        floor_origin,
    } = &args.file_options;
    let flags = [
        (rig.is_some(), "--rig"),
        (fps.is_some(), "--fps"),
        (unit.is_some(), "--unit"),
        (up.is_some(), "--up"),
        (floor.is_some(), "--floor"),
        (floor_unit.is_some(), "--floor-unit"),
        (floor_up.is_some(), "--floor-up"),
        (floor_cell.is_some(), "--floor-cell"),
        (floor_height.is_some(), "--floor-height"),
        (floor_origin.is_some(), "--floor-origin"),
    ];
    match flags.into_iter().find(|(is_given, _)| *is_given && args.skeleton.is_none()) {
        None => Ok(()),
        Some((_, flag)) => {
            Err(Problem::new(format!("{flag} states a fact about the file of --skeleton, but there is none"))
                .help("without a file, the header contains it; streams are in metres, Y up"))
        }
    }
}

fn cleaner(
    setup: &StreamSetup,
    longest_plant: Option<usize>,
    settings: &Settings,
) -> Result<Cleaner, Problem> {
    let StreamSetup { clip, shapes, .. } = setup;
    if settings.spot_window.is_infinite() && longest_plant.is_none() {
        let missing = "stdin: header: \"longest_plant\" is missing, but these settings look at whole plants";
        return Err(Problem::new(missing).help(
            "add the number of frames of the longest plant, use the preset live, or set \"spots\" in seconds",
        ));
    }
    let seconds = settings.ankle_window + settings.root_window + settings.knee_window + settings.blend_window;
    let spots = (settings.spot_window * clip.motion.fps)
        .min(longest_plant.map_or(f64::INFINITY, |frames| frames as f64));
    let kept = (seconds * clip.motion.fps + spots) * clip.motion.skeleton.len() as f64;
    if kept > MOST_KEPT {
        return Err(Problem::new(format!(
            "stdin: header: looking ahead with these settings keeps {kept:.0} joints in memory, \
             expected no more than {MOST_KEPT:.0}"
        ))
        .help("shorten the settings' times or longest_plant"));
    }
    let longest_plant = longest_plant.unwrap_or(usize::MAX);
    Cleaner::with_shapes(clip, shapes, longest_plant, settings)
        .map_err(|error| Problem::new(format!("cannot clean this stream: {error}")))
}

fn held_of(points: &[Option<HeldPoint>; 2]) -> ActivePlants {
    let [heel, ball] =
        points.map(|held| held.map(|HeldPoint { plant, spot }| ActivePlant { id: plant, spot }));
    ActivePlants { heel, ball }
}

/// The problem of a wrong input, with the state of the output.
fn problem(error: StreamError) -> Problem {
    let problem = Problem::new(format!("stdin: {}", printable(&error.to_string())));
    match (error.at.frame, &error.problem) {
        (None, StreamProblem::Empty | StreamProblem::NotAStream { .. }) => {
            problem.help("a BVH file becomes a stream with `surefoot convert walk.bvh - --to ndjson`")
        }
        (Some(frame), _) if frame > 0 => {
            problem.help("all frames before it were written, but no end record, so that readers can notice")
        }
        _ => problem,
    }
}

/// Writes whole records to stdout and flushes each.
struct RecordWriter {
    stdout: StdoutLock<'static>,
    form: Encoding,
    layout: Layout,
    /// The number of the first frame.
    first: Option<usize>,
    /// The number of the last frame that was written.
    last: Option<usize>,
    frame: Frame,
    bytes: Vec<u8>,
}

impl RecordWriter {
    fn new(form: Encoding, layout: Layout) -> Self {
        let stdout = std::io::stdout().lock();
        Self { stdout, form, layout, first: None, last: None, frame: Frame::default(), bytes: Vec::new() }
    }

    fn header(&mut self, header: &Header) -> Result<(), CommandError> {
        write_header(header, self.form, &mut self.bytes);
        self.send()
    }

    /// Writes the last frame of the cleaner.
    fn frame(&mut self, cleaner: &Cleaner) -> Result<(), CommandError> {
        let Some(last) = cleaner.output() else { return Ok(()) };
        self.frame.number = self.first.unwrap_or(0) + last.frame;
        self.frame.pose.copy_from(last.pose);
        self.frame.held.clear();
        let point = |hold: ActivePlant| HeldPoint { plant: hold.id, spot: hold.spot };
        self.frame.held.extend(last.active_plants().map(|held| [held.heel.map(point), held.ball.map(point)]));
        write_frame(&self.frame, &self.layout, self.form, &mut self.bytes);
        self.send()?;
        self.last = Some(self.frame.number);
        Ok(())
    }

    fn end(mut self, tally: StreamReporter, setup: &StreamSetup) -> Result<(), CommandError> {
        let end = end(tally.finish(), &setup.clip.legs, self.first.unwrap_or(0));
        write_end(&end, self.form, &mut self.bytes);
        self.send()
    }

    fn send(&mut self) -> Result<(), CommandError> {
        let sent = self.stdout.write_all(&self.bytes).and_then(|()| self.stdout.flush());
        self.bytes.clear();
        sent.map_err(|error| self.cannot(&error).into())
    }

    fn cannot(&self, error: &std::io::Error) -> Problem {
        let after = match self.last {
            None => "before the first frame".to_owned(),
            Some(frame) => format!("after frame {frame}"),
        };
        match error.kind() {
            ErrorKind::BrokenPipe => Problem::new(format!(
                "the reader of stdout closed it {after}; nothing more is read or written"
            )),
            _ => Problem::new(format!("cannot write to stdout {after}: {}", reason_text(error))),
        }
    }
}
