//! `loop`: makes the best cycle of a motion a loop.

use std::borrow::Cow;

use clap::Args;
use serde::Serialize;
use surefoot_core::{Clip, Motion};
use surefoot_edit::looping::{
    ClosedLoop, Cycle, LoopStart, Settings, close, cycle_at, cycles, restart_at_quietest_frame, seam,
    settings_for, with_loop,
};

use crate::edit_input::{InPlaceMotion, load_one};
use crate::edit_output::{Description, EditOptions, finish_edit, write_and_print};
use crate::input::busy;
use crate::output::{json, print};
use crate::problem::{CommandError, Problem};
use crate::source::{MotionInput, Source};
use surefoot::parse;

/// Find the best cycle of a motion and make it a loop
///
/// Finds the frames between which the motion repeats itself best, or uses those that you name, and
/// eases the end into the start. Plants may continue across the seam, and the cleaned motion still
/// loops. The last frame repeats the first pose; a loop with root motion continues from where it
/// ended.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot loop walk.bvh
  surefoot loop walk.bvh --list
  surefoot loop walk.bvh --length 0.8s..1.5s --report walk.report.html
  surefoot loop walk.bvh --frames 120-254 -o cycle.bvh")]
pub struct Loop {
    #[command(flatten)]
    input: MotionInput,

    /// Only list the best cycles [default: use the best one]
    #[arg(long)]
    list: bool,

    /// Use this cycle of the list, counted from 1 [default: 1]
    #[arg(long, value_name = "N", conflicts_with = "frames", value_parser = clap::value_parser!(u16).range(1..=99))]
    pick: Option<u16>,

    /// Use the cycle between these frames, as 120-254; the last repeats the first
    #[arg(long, value_name = "FIRST-LAST", value_parser = parse::frames)]
    frames: Option<surefoot_core::FrameRange>,

    /// Shortest and longest cycle to look for, as 0.8s..1.5s [default: 0.4s or longer]
    #[arg(long, value_name = "TIME..TIME", value_parser = parse::time_span)]
    length: Option<(f64, f64)>,

    /// Longest blend window at the end and at the start, as 0.2s [default: 1/3 s each]
    #[arg(long, value_name = "TIME", value_parser = parse::seconds)]
    ease: Option<f64>,

    /// Leave out the last frame, which repeats the first [default: included]
    #[arg(long)]
    open: bool,

    #[command(flatten)]
    options: EditOptions,
}

/// The number of cycles that are listed.
const LISTED: usize = 12;

/// A cycle, in frames of the file.
#[derive(Serialize)]
struct CycleJson {
    first: usize,
    last: usize,
    seconds: f64,
    distance_m: f64,
    travel_m: f64,
    turn_rad: f64,
}

/// The description of the loop in JSON.
#[derive(Serialize)]
struct Details {
    cycle: CycleJson,
    /// The frame of the file with which the loop starts.
    begins: usize,
    period: usize,
    seam_step_m: f64,
    median_step_m: f64,
    seam_turn_m: f64,
    median_turn_m: f64,
    /// Largest distance between a joint at the seam and one cycle later, in metres.
    periodic_m: Option<f64>,
}

pub fn run(args: &Loop) -> Result<(), CommandError> {
    let options = &args.options;
    let claimed = if args.list { None } else { Some(options.claim(&[&args.input.file], "loop", None)?) };
    let source = load_one(&args.input, options, InPlaceMotion::AddRootMotion)?;
    let Clip { motion, plants, .. } = source.clip().performance();
    let base = settings_for(source.clip());
    let settings = Settings {
        length: args.length.unwrap_or(base.length),
        ease: args.ease.unwrap_or(base.ease),
        start: if args.frames.is_some() { LoopStart::First } else { LoopStart::Quietest },
        ..base
    };
    let size = source.size;
    let refused = |error| Problem::new(format!("cannot make a loop of {}: {error}", source.name()));
    let found = if args.frames.is_some() {
        Vec::new()
    } else {
        busy(size, "comparing poses", || cycles(&motion, &settings, LISTED)).map_err(refused)?
    };
    let Some((names, outputs)) = claimed else {
        let list: Vec<CycleJson> = found.iter().map(|cycle| listed(&source, cycle)).collect();
        return print(&if options.writes.json { json(&list)? } else { table(&source, &list).into_bytes() });
    };
    let cycle = chosen(args, &source, &motion, &found, &settings)?;
    let ClosedLoop { edit: mut edited, looping: looped, start_frame: begins } =
        close(&motion, &plants, &source.clip().legs, &cycle, &settings).map_err(refused)?;
    if args.open {
        edited.motion.poses.truncate(looped.period);
    }
    let mut edited = with_loop(source.clip(), &edited, &looped);
    let mut later = 0;
    if !options.no_clean && settings.start == LoopStart::Quietest {
        let solved = options.clean.settings(&source.settings)?;
        let begun = busy(size, "cleaning", || restart_at_quietest_frame(&edited, &solved));
        (edited, later) = begun
            .map_err(|error| Problem::new(format!("cannot make a loop of {}: {error}", source.name())))?;
    }
    let begins = cycle.first + (begins - cycle.first + later) % looped.period;
    let finished = finish_edit(&[&source], Cow::Owned(edited), None, options)?;
    let seam = seam(&finished.file.clip.performance().motion, &looped);
    let details = Details {
        cycle: listed(&source, &cycle),
        begins: begins + source.clip().first_frame,
        period: looped.period,
        seam_step_m: seam.step_m,
        median_step_m: seam.median_step_m,
        seam_turn_m: seam.turn_m,
        median_turn_m: seam.median_turn_m,
        periodic_m: finished.file.periodic_m,
    };
    let about = format!(
        "A loop of {} frames that starts at frame {} and travels {:.2} m and {:.1}° per cycle. From the last frame to \
         the first, joints move by {:.2} mm (median of the loop {:.2}), and that step changes by {:.2} mm (median {:.2}).",
        details.period,
        details.begins,
        details.cycle.travel_m,
        details.cycle.turn_rad.to_degrees(),
        details.seam_step_m * 1e3,
        details.median_step_m * 1e3,
        details.seam_turn_m * 1e3,
        details.median_turn_m * 1e3
    );
    let description = Description { command: "loop", about: vec![about], details, table: None };
    write_and_print(options, (&names, outputs), &[&source], &finished, &description, None)
}

fn chosen(
    args: &Loop,
    source: &Source,
    motion: &Motion,
    found: &[Cycle],
    settings: &Settings,
) -> Result<Cycle, Problem> {
    let name = source.name();
    if let Some(frames) = &args.frames {
        let (start, end) = (source.clip().first_frame, source.clip().motion.frames());
        let (first, last) = (frames.start, frames.end.saturating_sub(1));
        if first < start || last >= end || last <= first {
            let what = format!("--frames {first}-{last}, but {name} has frames {start}–{}", end - 1);
            return Err(Problem::new(what).help("a loop needs at least two frames"));
        }
        let cycle = cycle_at(motion, first - start, last - start, settings);
        return cycle.map_err(|error| Problem::new(error.to_string()));
    }
    let pick = usize::from(args.pick.unwrap_or(1)) - 1;
    match found.get(pick) {
        Some(cycle) => Ok(*cycle),
        None if found.is_empty() => Err(Problem::new(format!("no cycle was found in {name}"))
            .help("--length sets the shortest cycle to look for, --frames names the frames of one")),
        None => Err(Problem::new(format!("--pick {}: only {} cycles were found", pick + 1, found.len()))),
    }
}

fn listed(source: &Source, cycle: &Cycle) -> CycleJson {
    let lead = source.clip().first_frame;
    CycleJson {
        first: cycle.first + lead,
        last: cycle.last + lead,
        seconds: (cycle.last - cycle.first) as f64 / source.clip().motion.fps,
        distance_m: cycle.distance,
        travel_m: {
            let root =
                source.clip().motion.poses[cycle.first + lead].offsets.first().copied().unwrap_or_default();
            (cycle.travel.point(root) - root).length()
        },
        turn_rad: cycle.travel.angle(),
    }
}

fn table(source: &Source, list: &[CycleJson]) -> String {
    let mut text = format!("cycles of {}\n\n", source.name());
    text += &format!(
        "{:>3}  {:>14}  {:>8}  {:>9}  {:>9}  {:>7}\n",
        "", "frames", "length", "distance", "travels", "turns"
    );
    for (n, one) in list.iter().enumerate() {
        text += &format!(
            "{:>3}  {:>14}  {:>6.2} s  {:>6.2} cm  {:>7.2} m  {:>6.1}°\n",
            n + 1,
            format!("{}–{}", one.first, one.last),
            one.seconds,
            one.distance_m * 100.0,
            one.travel_m,
            one.turn_rad.to_degrees()
        );
    }
    text + "\ndistance: between the poses at both ends; --pick N uses a cycle\n"
}
