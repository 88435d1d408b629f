//! `stream`: frames in on stdin, clean frames out on stdout.
//!
//! One frame is read, cleaned, written and flushed before the next is read. So whoever reads
//! slowly slows down whoever writes, and memory stays what it was at the first frame.

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
use crate::stream_setup::{StreamSetup, end, lookahead, settings, settings_given};
use crate::text::printable;

/// Clean frames as they come: stdin to stdout, with a declared look-ahead
///
/// A header, then a frame at a time: newline-delimited JSON, or a binary form; book/src/formats/stream.md shows
/// both. Each frame says which heels and balls are held at it. Frame n comes out as soon as frame
/// n + look-ahead is in; the header that comes out says how many frames that is.
///
/// Where the input is cut or wrong, every whole frame before that comes out clean, but no end; the
/// exit code is then 2, as it is when whoever reads stdout goes away.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  capture-program | surefoot stream | game-engine
  capture-program | surefoot stream --detect | game-engine
  capture-program | surefoot stream --skeleton actor.bvh --preset paper --stretch 0
  surefoot convert walk.bvh - --to ndjson | surefoot stream |
    surefoot convert - out.bvh --like walk.bvh")]
pub struct Stream {
    /// Skeleton, legs, floor and frame rate from a BVH file; the header then leaves out its joints
    /// [default: as the header says; legs it does not name are found out]
    #[arg(long, value_name = "FILE.bvh", value_hint = ValueHint::FilePath)]
    skeleton: Option<PathBuf>,

    /// How frames are written: ndjson or binary [default: as they come in]
    #[arg(long, value_name = "FORM", value_parser = parse::form)]
    to: Option<Encoding>,

    /// Find out who is held while the stream runs, 0.25 s later; what frames say of it is not looked at
    #[arg(long)]
    detect: bool,

    #[command(flatten)]
    stream: StreamOptions,

    #[command(flatten)]
    file_options: FileOptions,
}

/// How a stream is cleaned.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "How it is cleaned; flags win over the header")]
struct StreamOptions {
    /// Settings that go together: live looks ahead less than 1 s, clean is what `clean` does and needs
    /// longest_plant in the header, paper is the method as published [default: live]
    #[arg(long, value_name = "live|clean|paper", value_parser = parse::preset)]
    preset: Option<Preset>,

    /// The most that thigh and shin may be stretched, as 3%; 0 keeps every bone as it is
    /// [default: 3%]
    #[arg(long, value_name = "SHARE", value_parser = parse::share)]
    stretch: Option<f64>,

    /// Whether a foot held at heel and ball is turned no more than it must (kept) or laid flat
    /// (flat) [default: kept]
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
        // A preset by flag is all of it: times in the header belong to another.
        let base = if self.preset.is_some() { StreamSettings::default() } else { *header };
        settings(&StreamSettings {
            preset: self.preset.or(header.preset),
            stretch: self.stretch.or(header.stretch).or(toml.stretch),
            roll: self.roll.map(word).or(header.roll).or(toml.roll.map(word)),
            ..base
        })
    }
}

/// The most joints times frames that are kept to look around: some 500 MB.
const MOST_KEPT: f64 = 4e6;

pub fn run(args: &Stream) -> Result<(), CommandError> {
    check_file_options(args)?;
    // A file that cannot be read is said before a frame is waited for.
    let (from_file, toml) = match &args.skeleton {
        Some(file) => {
            let source = load_with_legs(file, &args.file_options)?;
            if source.file.floor_source == FloorSource::Plants {
                return Err(Problem::new(
                    "--floor plants needs all plants beforehand, and a stream has none",
                )
                .help("give a height, a plane or a file")
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
        Some(setup) => setup.but_for(&header)?,
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
    let mut sender = Sender::new(args.to.unwrap_or(reader.encoding()), setup.layout());
    sender.header(&Header {
        settings: settings_given(&settings),
        longest_plant: header.longest_plant,
        lookahead: Some(lookahead(ahead, setup.clip.motion.fps)),
        ..setup.header()
    })?;
    let mut tally = StreamReporter::new(&setup.clip, &settings);
    let ended = pump(&mut reader, detector.as_mut(), &mut cleaner, &mut tally, &mut sender)?;
    while let Some((pose, held)) = detector.as_mut().and_then(StreamDetector::finish) {
        // A pose that waits was taken by nobody who could refuse it, and it is finite.
        let pushed = cleaner.push(pose, held).map_err(|error| Problem::new(format!("stdin: {error}")))?;
        if pushed.is_some() {
            tally.add_frame(&cleaner);
            sender.frame(&cleaner)?;
        }
    }
    while cleaner.finish().is_some() {
        tally.add_frame(&cleaner);
        sender.frame(&cleaner)?;
    }
    match ended {
        Ok(()) => sender.end(tally, &setup),
        Err(error) => Err(error.into()),
    }
}

/// Cleans frame by frame until no more come, or a wrong one does.
///
/// What is wrong with the input is in the inner result: what came before it is still to be
/// written. What is wrong with the output is in the outer: nothing more can be.
fn pump(
    reader: &mut Reader<impl std::io::BufRead>,
    mut detector: Option<&mut StreamDetector>,
    cleaner: &mut Cleaner,
    tally: &mut StreamReporter,
    sender: &mut Sender,
) -> Result<Result<(), Problem>, CommandError> {
    let layout = sender.layout.clone();
    let mut frame = Frame::default();
    let mut held = Vec::new();
    loop {
        match reader.next(&layout, &mut frame) {
            Ok(Record::Frame) => {}
            // Whoever says that this is the end need not close the pipe.
            Ok(Record::End(_) | Record::EndOfInput) => return Ok(Ok(())),
            Err(error) => return Ok(Err(problem(error))),
        }
        sender.first.get_or_insert(frame.number);
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
                sender.frame(cleaner)?;
            }
            Err(error) => return Ok(Err(Problem::new(format!("stdin: {error}")))),
        }
    }
}

/// Without a file, its flags have nothing to speak of.
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
    let said = [
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
    match said.into_iter().find(|(is_said, _)| *is_said && args.skeleton.is_none()) {
        None => Ok(()),
        Some((_, flag)) => {
            Err(Problem::new(format!("{flag} speaks of the file of --skeleton, and there is none"))
                .help("without a file the header says it; a stream is in metres, Y up"))
        }
    }
}

fn cleaner(setup: &StreamSetup, longest_plant: Option<usize>, settings: &Settings) -> Result<Cleaner, Problem> {
    let StreamSetup { clip, shapes, .. } = setup;
    if settings.spot_window.is_infinite() && longest_plant.is_none() {
        let missing =
            "stdin: header: \"longest_plant\" is missing, but spots are to be means of whole plants";
        return Err(Problem::new(missing).help(
            "say how many frames the longest plant has, or take the preset live, or \"spots\" in seconds",
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

/// What is wrong with the input, and what became of what came before.
fn problem(error: StreamError) -> Problem {
    let said = Problem::new(format!("stdin: {}", printable(&error.to_string())));
    match (error.at.frame, &error.problem) {
        (None, StreamProblem::Empty | StreamProblem::NotAStream { .. }) => {
            said.help("a BVH file becomes a stream with `surefoot convert walk.bvh - --to ndjson`")
        }
        (Some(frame), _) if frame > 0 => {
            said.help("every frame before it is written; the end is not, so that a reader can tell")
        }
        _ => said,
    }
}

/// Whole records, sent as soon as they are setup.
struct Sender {
    stdout: StdoutLock<'static>,
    form: Encoding,
    layout: Layout,
    /// The number of the first frame.
    first: Option<usize>,
    /// The number of the frame sent last.
    last: Option<usize>,
    frame: Frame,
    bytes: Vec<u8>,
}

impl Sender {
    fn new(form: Encoding, layout: Layout) -> Self {
        let stdout = std::io::stdout().lock();
        Self { stdout, form, layout, first: None, last: None, frame: Frame::default(), bytes: Vec::new() }
    }

    fn header(&mut self, header: &Header) -> Result<(), CommandError> {
        write_header(header, self.form, &mut self.bytes);
        self.send()
    }

    /// The frame that came out of the cleaner last.
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
                "whoever read stdout went away {after}; nothing more is read or written"
            )),
            _ => Problem::new(format!("cannot write to stdout {after}: {}", reason_text(error))),
        }
    }
}
