//! `join`: a transition from one motion to another.

use std::borrow::Cow;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot::edit_files::{EditDescription, JoinDetails, JoinedClip, Transitions};
use surefoot::parse;
use surefoot_edit::distance::Crossing;

use crate::edit_input::{MotionPair, load_two, pair_problem};
use crate::edit_output::{EditOptions, finish, write_and_print};
use crate::input::with_spinner;
use crate::output::{claim_drawing, json, print_beside, shown};
use crate::problem::{CommandError, Problem};
use crate::source::Source;

/// Join two motions with a transition where they are most alike
///
/// The poses around every frame of the first motion are compared with those around every frame of
/// the second, after turning and moving the second over the ground for the best fit. At the best
/// transition, or one that you choose, the first motion cross-fades into the second. The plants of
/// both motions are held.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot join walk.bvh run.bvh
  surefoot join walk.bvh run.bvh --list --map map.svg
  surefoot join walk.bvh run.bvh --pick 2 --fade 0.5s -o both.bvh
  surefoot join walk.bvh run.bvh --at 210,35 --report both.report.html")]
pub struct Join {
    #[command(flatten)]
    pair: MotionPair,

    /// Only list the best transitions [default: use the best one]
    #[arg(long)]
    list: bool,

    /// Use this transition of the list, counted from 1 [default: 1]
    #[arg(long, value_name = "N", conflicts_with = "at", value_parser = clap::value_parser!(u16).range(1..=99))]
    pick: Option<u16>,

    /// Go from this frame of the first file to that frame of the second, e.g. 210,35
    #[arg(long, value_name = "FRAME,FRAME", value_parser = parse::two_frames)]
    at: Option<(usize, usize)>,

    /// Length of the cross-fade, e.g. 0.5s [default: 1/3 s]
    #[arg(long, value_name = "TIME", value_parser = parse::seconds)]
    fade: Option<f64>,

    /// Length of the window around two frames in which their motions are compared, e.g. 0.5s
    /// [default: 1/3 s]
    #[arg(long, value_name = "TIME", value_parser = parse::seconds)]
    window: Option<f64>,

    /// Also draw the distances between all poses and the transitions, as SVG; - is stdout
    /// [default: not drawn]
    #[arg(long, value_name = "MAP.svg", value_hint = ValueHint::FilePath)]
    map: Option<PathBuf>,

    #[command(flatten)]
    options: EditOptions,
}

/// The number of transitions that are listed.
const LISTED: usize = 12;

/// What the list of transitions ends with.
const HINT: &str = "\nframes of both files; --pick N uses a transition, --map MAP.svg draws them\n";

/// The description of the edit in JSON.
#[derive(Serialize)]
struct Details {
    #[serde(flatten)]
    details: JoinDetails,
    loops: bool,
    map: Option<String>,
}

pub fn run(args: &Join) -> Result<(), CommandError> {
    let options = &args.options;
    let outputs =
        if args.list { None } else { Some(args.pair.check_outputs(options, "join", args.map.as_ref())?) };
    let drawn = args.map.as_deref().filter(|_| args.list);
    let drawn = claim_drawing("--map", drawn, options.writes.force.existing(), options.writes.json)?;
    let [first, second] = &load_two(&args.pair, options)?;
    let refused = |error| pair_problem(first, second, &error);
    let files = [&first.file, &second.file];
    let found = with_spinner(first.size + second.size, "comparing poses", || {
        Transitions::find(files, args.window, args.fade, LISTED)
    });
    let found = found.map_err(refused)?;
    let (picked, crossing) = choose(args, [first, second], &found)?;
    let Some(outputs) = outputs else {
        let list =
            if options.writes.json { json(&found.list())? } else { (found.table() + HINT).into_bytes() };
        return print_beside(drawn.map(|drawn| (drawn, found.draw(picked))), &list);
    };
    let JoinedClip { clip, details, .. } = found.join(&crossing).map_err(refused)?;
    let result = finish(&[first, second], Cow::Owned(clip), None, options)?;
    let about = vec![details.about()];
    let details = Details { details, loops: options.looped, map: args.map.as_deref().map(shown) };
    let description = EditDescription { command: "join", about, details, table: None };
    let map = args.map.as_ref().map(|_| found.draw(picked));
    write_and_print(options, outputs, &[first, second], &result, &description, map)
}

/// The transition that the flags choose, and its index in the list.
fn choose(
    args: &Join,
    [first, second]: [&Source; 2],
    found: &Transitions,
) -> Result<(Option<usize>, Crossing), Problem> {
    if let Some((from, to)) = args.at {
        let performance_frame = |frame: usize, source: &Source| {
            let (start, end) = (source.clip().first_frame, source.clip().motion.frames());
            if (start..end).contains(&frame) {
                return Ok(frame - start);
            }
            let name = source.name();
            Err(Problem::new(format!("--at names frame {frame}, but {name} has frames {start}–{}", end - 1)))
        };
        let at = (performance_frame(from, first)?, performance_frame(to, second)?);
        return Ok((None, found.at(at).map_err(|error| pair_problem(first, second, &error))?));
    }
    let pick = usize::from(args.pick.unwrap_or(1)) - 1;
    found.get(pick).map(|crossing| (Some(pick), crossing)).ok_or_else(|| {
        Problem::new(format!("--pick {}: only {} transitions were found", pick + 1, found.list().len()))
    })
}
