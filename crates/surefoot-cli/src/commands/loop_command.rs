//! `loop`: makes the best cycle of a motion a loop.

use std::borrow::Cow;
use std::fmt::Display;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use surefoot::edit_files::{Cycles, EditDescription, EditedFile, ListedCycle, LoopDetails, RootMotion};
use surefoot::parse;
use surefoot_edit::looping::{Cycle, LoopStart};

use crate::edit_input::{Purpose, load_motion};
use crate::edit_output::{EditOptions, finish, write_and_print};
use crate::input::with_spinner;
use crate::output::{claim_drawing, json, print_beside};
use crate::problem::{CommandError, Problem};
use crate::source::{MotionInput, Source};

/// Find the best cycle of a motion and make it a loop
///
/// Finds the frames between which the motion repeats itself best, or uses those that you name, and
/// eases the end into the start. Cycles of whole strides are preferred where the body walks; rest
/// poses and still stretches are left out, and a walk that is nearly straight becomes straight.
/// Plants may continue across the seam, and the cleaned motion still loops. The last frame repeats
/// the first pose; a loop with root motion continues from where it ended.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot loop walk.bvh
  surefoot loop walk.bvh --list --map cycles.svg
  surefoot loop walk.bvh --length 0.8s..1.5s --report walk.report.html
  surefoot loop walk.bvh --frames 120-254 -o cycle.bvh")]
pub struct Loop {
    #[command(flatten)]
    input: MotionInput,

    /// Only list the best cycles [default: use the best one]
    #[arg(long)]
    list: bool,

    /// Use this cycle of the list, counted from 1 [default: the first one, or one that closes about as well and leads to fewer
    /// visible events; a motion whose ends are over 15 cm apart in every cycle is refused]
    #[arg(long, value_name = "N", conflicts_with = "frames", value_parser = clap::value_parser!(u16).range(1..=99))]
    pick: Option<u16>,

    /// Use the cycle between these frames, e.g. 120-254; the last repeats the first
    #[arg(long, value_name = "FIRST-LAST", value_parser = parse::frames)]
    frames: Option<surefoot_core::FrameRange>,

    /// Shortest and longest cycle to look for, e.g. 0.8s..1.5s [default: 0.4s or longer]
    #[arg(long, value_name = "TIME..TIME", value_parser = parse::time_span)]
    length: Option<(f64, f64)>,

    /// Longest blend window at the end and at the start, e.g. 0.2s [default: 1/3 s each, and up to 1 s where the ends are
    /// more than 3 cm apart]
    #[arg(long, value_name = "TIME", value_parser = parse::seconds)]
    ease: Option<f64>,

    /// Keep a turn of less than 5° per cycle [default: a cycle that is nearly straight becomes straight]
    #[arg(long)]
    keep_turn: bool,

    /// Also draw the distances between all poses and the cycles, as SVG; - is stdout [default: not drawn]
    #[arg(long, value_name = "MAP.svg", value_hint = ValueHint::FilePath)]
    map: Option<PathBuf>,

    /// Leave out the last frame, which repeats the first [default: included]
    #[arg(long)]
    open: bool,

    #[command(flatten)]
    options: EditOptions,
}

/// The number of cycles that are listed.
const LISTED: usize = 12;

/// What the list of cycles ends with.
const HINT: &str = "\ndistance: between the poses at both ends; --pick N uses a cycle\n";

pub fn run(args: &Loop) -> Result<(), CommandError> {
    let options = &args.options;
    let map_output = args.map.as_ref().map(|name| (name, "the map of distances; open it in a browser"));
    let outputs = if args.list {
        None
    } else {
        Some(options.check_outputs(&[&args.input.file], "loop", map_output)?)
    };
    let drawn = args.map.as_deref().filter(|_| args.list);
    let drawn = claim_drawing("--map", drawn, options.writes.force.existing(), options.writes.json)?;
    let source = load_motion(&args.input, options, Purpose::Edit(RootMotion::AddWhereInPlace))?;
    let start = if args.frames.is_some() { LoopStart::First } else { LoopStart::Quietest };
    let cycles = Cycles::new(&source.file, args.length, args.ease, start);
    let cycles = if args.keep_turn { cycles.keep_turn() } else { cycles };
    let refused =
        |error: &dyn Display| Problem::new(format!("cannot make a loop of {}: {error}", source.name()));
    let found = match args.frames {
        Some(_) => Vec::new(),
        None => with_spinner(source.size, "comparing poses", || cycles.find(LISTED))
            .map_err(|error| refused(&error))?,
    };
    let pick = usize::from(args.pick.unwrap_or(1)) - 1;
    let selected = (args.frames.is_none() && pick < found.len()).then_some(pick);
    let map = args.map.as_ref().map(|_| cycles.draw(&found, selected).map_err(|error| refused(&error)));
    let map = map.transpose()?;
    let Some(outputs) = outputs else {
        let list: Vec<ListedCycle> = found.iter().map(|cycle| cycles.listed(cycle)).collect();
        let text = match options.writes.json {
            true => json(&list)?,
            false => (cycles.table(&list) + HINT).into_bytes(),
        };
        return print_beside(drawn.zip(map), &text);
    };
    let choices = choose(args, &source, &cycles, &found)?;
    let (details, mut result) = best_loop(args, &source, &cycles, &choices)?;
    result.notes.extend(details.gap_note());
    result.notes.extend(details.seam_note());
    let description = EditDescription { command: "loop", about: vec![details.about()], details, table: None };
    write_and_print(&args.options, outputs, &[&source], &result, &description, map)
}

/// Closes and cleans the first of some cycles, or the one with the fewest visible events.
fn best_loop(
    args: &Loop,
    source: &Source,
    cycles: &Cycles,
    choices: &[Cycle],
) -> Result<(LoopDetails, EditedFile<'static>), CommandError> {
    let objections = |loop_: &(LoopDetails, EditedFile)| loop_.1.file.figures.events.objection_count();
    let mut best = smoothest_loop(args, source, cycles, &choices[0])?;
    let of_first = objections(&best);
    for cycle in &choices[1..] {
        if objections(&best) == 0 || args.options.no_clean {
            break;
        }
        let other = smoothest_loop(args, source, cycles, cycle)?;
        if objections(&other) < objections(&best) {
            best = other;
        }
    }
    if objections(&best) < of_first {
        best.1.notes.push(format!(
            "this is not the first cycle of --list: cleaning that one, frames {}–{}, introduces {of_first} visible \
             event{}; --pick 1 uses it",
            choices[0].first + source.clip().first_frame,
            choices[0].last + source.clip().first_frame,
            if of_first == 1 { "" } else { "s" }
        ));
    }
    Ok(best)
}

/// Blend windows that are tried where closing the loop introduces visible events, in seconds.
const OTHER_EASES: [f64; 3] = [1.0 / 3.0, 2.0 / 3.0, 1.0];

/// Closes and cleans a cycle. If that introduces visible events, the blend window with the fewest is used, unless one
/// was given.
fn smoothest_loop(
    args: &Loop,
    source: &Source,
    cycles: &Cycles,
    cycle: &Cycle,
) -> Result<(LoopDetails, EditedFile<'static>), CommandError> {
    let mut best = cleaned_loop(args, source, cycles, cycle)?;
    let objections = |loop_: &(LoopDetails, EditedFile)| loop_.1.file.figures.events.objection_count();
    if args.ease.is_none() && !args.options.no_clean {
        for ease in OTHER_EASES {
            if objections(&best) == 0 {
                break;
            }
            let other = cleaned_loop(args, source, &cycles.clone().with_ease(ease), cycle)?;
            if objections(&other) < objections(&best) {
                best = other;
            }
        }
    }
    Ok(best)
}

/// Closes and cleans a cycle.
fn cleaned_loop(
    args: &Loop,
    source: &Source,
    cycles: &Cycles,
    cycle: &Cycle,
) -> Result<(LoopDetails, EditedFile<'static>), CommandError> {
    let options = &args.options;
    let refused =
        |error: &dyn Display| Problem::new(format!("cannot make a loop of {}: {error}", source.name()));
    let mut looped = cycles.close(cycle).map_err(|error| refused(&error))?;
    if args.open {
        looped.open();
    }
    if !options.no_clean && args.frames.is_none() {
        let settings = options.clean.settings(&source.settings)?;
        let restarted = with_spinner(source.size, "cleaning", || looped.restart(&settings));
        restarted.map_err(|error| refused(&error))?;
    }
    let clip = std::mem::take(&mut looped.clip);
    let result = finish(&[source], Cow::Owned(clip), None, options)?;
    Ok((looped.details(&result.file), result))
}

/// The cycle that the flags choose, and those to use instead where they choose none.
fn choose(args: &Loop, source: &Source, cycles: &Cycles, found: &[Cycle]) -> Result<Vec<Cycle>, Problem> {
    let name = source.name();
    if let Some(frames) = &args.frames {
        let (start, end) = (source.clip().first_frame, source.clip().motion.frames());
        let (first, last) = (frames.start, frames.end.saturating_sub(1));
        if first < start || last >= end || last <= first {
            // The last frame of a file without frames is one before its first.
            let frames =
                if end > start { format!("frames {start}–{}", end - 1) } else { "no frames".into() };
            let message = format!("--frames {first}-{last}, but {name} has {frames}");
            return Err(Problem::new(message).help("a loop needs at least two frames"));
        }
        let cycle = cycles.at(first - start, last - start);
        return cycle.map(|cycle| vec![cycle]).map_err(|error| Problem::new(error.to_string()));
    }
    let pick = usize::from(args.pick.unwrap_or(1)) - 1;
    if args.pick.is_none() && !found.is_empty() {
        return cycles.choices(found).map_err(|error| {
            Problem::new(format!("cannot make a loop of {name}: {error}"))
                .help("--list lists the cycles; --pick 1 uses this one, --frames names the frames of one")
        });
    }
    match found.get(pick) {
        Some(cycle) => Ok(vec![*cycle]),
        None if found.is_empty() => Err(Problem::new(format!("no cycle was found in {name}"))
            .help("--length sets the shortest cycle to look for, --frames names the frames of one")),
        None => Err(Problem::new(format!("--pick {}: only {} cycles were found", pick + 1, found.len()))),
    }
}
