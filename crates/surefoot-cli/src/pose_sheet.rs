//! The stick figures of `plot --show poses`: of one file or two, or of every file in a folder or two.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use surefoot::edit_files::BeforeAfter;
use surefoot::text::printable;
use surefoot_core::FrameRange;
use surefoot_measure::EventKind;
use surefoot_measure::plot::{Plot, PoseFrames, PoseStrip, poses};

use crate::args::FileOptions;
use crate::before_after::load_before_after;
use crate::problem::{Problem, warn};

/// The frames that `--show poses` draws.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Stick figures (--show poses)")]
pub struct PoseOptions {
    /// Draw a stick figure every N frames, in as many lines as needed
    /// [default: one line of figures]
    #[arg(long, value_name = "FRAMES", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "event")]
    every: Option<u32>,

    /// Draw stick figures around an event, with its foot or knee enlarged: the most visible event of
    /// this kind, or of any kind. Needs a file before. [default: none]
    #[arg(long, value_name = "KIND", value_parser = event_kinds())]
    event: Option<EventChoice>,
}

/// The kinds of events among which the most visible one is drawn.
#[derive(Clone, Copy, Debug)]
struct EventChoice(&'static [EventKind]);

impl EventChoice {
    /// The words on the command line. `any` leaves out points below the floor, which may be as captured.
    const WORDS: [(&'static str, Self); 7] = [
        (
            "any",
            Self(&[
                EventKind::NewSlide,
                EventKind::Teleport,
                EventKind::KneePop,
                EventKind::Scrape,
                EventKind::Deeper,
            ]),
        ),
        ("new-slide", Self(&[EventKind::NewSlide])),
        ("teleport", Self(&[EventKind::Teleport])),
        ("knee-pop", Self(&[EventKind::KneePop])),
        ("scrape", Self(&[EventKind::Scrape])),
        ("below-floor", Self(&[EventKind::BelowFloor])),
        ("deeper", Self(&[EventKind::Deeper])),
    ];
}

fn event_kinds() -> impl TypedValueParser<Value = EventChoice> {
    let find = |word: String| {
        let found = EventChoice::WORDS.into_iter().find(|(name, _)| *name == word);
        found.map(|(_, choice)| choice).ok_or("no such kind of event")
    };
    PossibleValuesParser::new(EventChoice::WORDS.map(|(word, _)| word)).try_map(find)
}

/// The strip of a motion that is loaded. `None` if it has no event of the wanted kinds, or nothing to draw.
pub fn pose_strip(
    name: &str,
    motions: &BeforeAfter,
    options: &PoseOptions,
    frames: Option<&FrameRange>,
) -> Result<Option<Plot>, String> {
    let (clip, before) = (&motions.clip, motions.before.as_ref());
    let events = motions.measure().map_err(|error| error.to_string())?.events;
    let range = frames.cloned().unwrap_or(0..clip.motion.frames());
    let shown = match (options.event, options.every) {
        (Some(EventChoice(kinds)), _) => match events.worst(kinds) {
            Some((kind, event)) => PoseFrames::Around(kind, event),
            None => return Ok(None),
        },
        (None, Some(interval)) => PoseFrames::Every(interval as usize, range),
        (None, None) => PoseFrames::OneLine(range),
    };
    let title = Path::new(name).file_name().map_or_else(|| name.into(), |name| name.to_string_lossy());
    let strip = PoseStrip { title: &printable(&title), clip, before, events: &events, frames: shown };
    poses(&strip).map_err(|error| error.to_string())
}

/// The strips of every file in a folder or two. A file that cannot be drawn is skipped with a warning.
pub fn folder_strips(
    folders: &[PathBuf],
    options: &PoseOptions,
    frames: Option<&FrameRange>,
    file_options: &FileOptions,
) -> Result<Vec<Plot>, Problem> {
    let pairs = pairs_in(folders)?;
    let mut strips = Vec::new();
    for FilePair { before, after } in &pairs {
        let strip = load_before_after(after, before.as_deref(), None, file_options)
            .map_err(|problem| problem.what().to_owned())
            .and_then(|(_, name, motions)| pose_strip(&name, &motions, options, frames));
        match strip {
            Ok(strip) => strips.extend(strip),
            Err(error) => warn(&printable(&format!("{} is skipped: {error}", after.display()))),
        }
    }
    if strips.is_empty() {
        let names: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
        let text = format!("nothing to draw in {}: {} BVH files were read", names.join(" and "), pairs.len());
        return Err(Problem::new(text));
    }
    Ok(strips)
}

/// A motion file, and the one before it where there is one.
struct FilePair {
    before: Option<PathBuf>,
    after: PathBuf,
}

/// The files of one folder, each with its `.clean.bvh` beside it as the file after; or those of a second folder, each
/// with the file of the same name in the first, with or without `.clean`.
fn pairs_in(folders: &[PathBuf]) -> Result<Vec<FilePair>, Problem> {
    let last = &folders[folders.len() - 1];
    let mut names: Vec<PathBuf> = std::fs::read_dir(last)
        .map_err(|error| Problem::with_file(last, "read", &error))?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| ending(path).is_some())
        .collect();
    names.sort();
    let pair = |path: PathBuf| match folders {
        [first, _] => {
            let name = path.file_name()?;
            let (same, original) = (first.join(name), first.join(original_name(&path)));
            let before = [same, original].into_iter().find(|before| before.exists());
            Some(FilePair { before: Some(before?), after: path })
        }
        _ if ending(&path) == Some(CLEAN) => None,
        _ => {
            let clean = path.with_extension(&CLEAN[1..]);
            let has_clean = clean.exists();
            Some(FilePair {
                before: has_clean.then(|| path.clone()),
                after: if has_clean { clean } else { path },
            })
        }
    };
    Ok(names.into_iter().filter_map(pair).collect())
}

/// The ending of a file that `clean` has written.
const CLEAN: &str = ".clean.bvh";

/// The ending of a motion file.
fn ending(path: &Path) -> Option<&'static str> {
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    [CLEAN, ".bvh"].into_iter().find(|ending| name.ends_with(ending))
}

/// `walk.bvh` for `walk.clean.bvh`.
fn original_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match ending(path) {
        Some(CLEAN) => format!("{}.bvh", &name[..name.len() - CLEAN.len()]),
        _ => name.into_owned(),
    }
}
