//! `join`: a transition from one motion to another.

use std::borrow::Cow;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot_core::{Clip, Motion};
use surefoot_edit::distance::{self, Crossing, Map};
use surefoot_edit::join::{Settings, crossing_at, crossings_of, join};
use surefoot_measure::plot::{self, MapPlot};

use crate::edit_input::{MotionPair, load_two, pair_problem};
use crate::edit_output::{Description, EditOptions, finish_edit, write_and_print};
use crate::input::busy;
use crate::output::{Existing, Output, json, print};
use crate::problem::{CommandError, Problem};
use crate::source::Source;
use surefoot::parse;

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

    /// Go from this frame of the first file to that frame of the second, as 210,35
    #[arg(long, value_name = "FRAME,FRAME", value_parser = parse::two_frames)]
    at: Option<(usize, usize)>,

    /// Length of the cross-fade, as 0.5s [default: 1/3 s]
    #[arg(long, value_name = "TIME", value_parser = parse::seconds)]
    fade: Option<f64>,

    /// Length of the window around two frames in which their motions are compared, as 0.5s
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

/// A transition, in frames of the files.
#[derive(Clone, Serialize)]
struct TransitionJson {
    from: usize,
    to: usize,
    distance_m: f64,
    turned_rad: f64,
    moved_m: f64,
}

/// The description of the edit in JSON.
#[derive(Serialize)]
struct JoinDetails {
    taken: TransitionJson,
    /// The first and last frame of the cross-fade.
    fade: Option<[usize; 2]>,
    loops: bool,
    #[serde(serialize_with = "crate::output::optional_path_text")]
    map: Option<PathBuf>,
}

pub fn run(args: &Join) -> Result<(), CommandError> {
    let options = &args.options;
    let map_name = args.map.as_ref().map(|name| (name, "the map of distances; open it in a browser"));
    let existing = Existing::from_force(options.writes.force.force);
    let claimed = if args.list { None } else { Some(options.claim(&args.pair.files(), "join", map_name)?) };
    let drawn = args.map.as_deref().filter(|_| args.list);
    let drawn = drawn.map(|name| Output::claim(name, existing)).transpose()?;
    let [first, second] = load_two(&args.pair, options)?;
    let Clip { motion: a, plants: a_plants, .. } = first.clip().performance();
    let Clip { motion: b, plants: b_plants, .. } = second.clip().performance();
    let base = Settings::default();
    let settings = Settings {
        map: distance::Settings {
            window: args.window.unwrap_or(base.map.window),
            up: first.up(),
            ..base.map
        },
        fade: args.fade.unwrap_or(base.fade),
    };
    let refused = |error| pair_problem(&first, &second, &error);
    let size = first.size + second.size;
    let map = busy(size, "comparing poses", || distance::map(&a, &b, &settings.map)).map_err(refused)?;
    let found = crossings_of(&a, &b, &map, &settings, LISTED);
    let (picked, crossing) = chosen(args, [&first, &second], [&a, &b], &found, &settings)?;
    let drawing = |_: &PathBuf| picture(&first, &second, &map, &found, picked);
    let Some((names, outputs)) = claimed else {
        let list: Vec<TransitionJson> =
            found.iter().map(|crossing| listed(&first, &second, crossing)).collect();
        if let (Some(drawn), Some(name)) = (drawn, &args.map) {
            drawn.write(drawing(name).as_bytes())?;
        }
        let table = || table(&first, &second, &list).into_bytes();
        return print(&if options.writes.json { json(&list)? } else { table() });
    };
    let joined =
        join((&a, &a_plants), (&b, &b_plants), &first.clip().legs, &crossing, &settings).map_err(refused)?;
    let edited = first.clip().with_performance(joined.motion, &joined.plants);
    let finished = finish_edit(&[&first, &second], Cow::Owned(edited), None, options)?;
    let one = listed(&first, &second, &crossing);
    let about = format!(
        "Transition from frame {} to frame {}, whose poses are {:.1} cm apart; the second motion was turned by {:.1}° and moved by {:.2} m.",
        one.from,
        one.to,
        one.distance_m * 100.0,
        one.turned_rad.to_degrees(),
        one.moved_m
    );
    let (lead, fade) = (first.clip().first_frame, joined.changed);
    let fade = (!fade.is_empty()).then(|| [fade.start + lead, fade.end - 1 + lead]);
    let details = JoinDetails { taken: one, fade, loops: options.looped, map: args.map.clone() };
    let description = Description { command: "join", about: vec![about], details, table: None };
    let map = args.map.as_ref().map(drawing);
    write_and_print(options, (&names, outputs), &[&first, &second], &finished, &description, map)
}

/// The transition that the flags choose, and its index in the list.
fn chosen(
    args: &Join,
    [first, second]: [&Source; 2],
    [a, b]: [&Motion; 2],
    found: &[Crossing],
    settings: &Settings,
) -> Result<(Option<usize>, Crossing), Problem> {
    if let Some((from, to)) = args.at {
        let within = |frame: usize, source: &Source| {
            let (start, end) = (source.clip().first_frame, source.clip().motion.frames());
            if (start..end).contains(&frame) {
                return Ok(frame - start);
            }
            let name = source.name();
            Err(Problem::new(format!("--at names frame {frame}, but {name} has frames {start}–{}", end - 1)))
        };
        let at = (within(from, first)?, within(to, second)?);
        let crossing = crossing_at(a, b, at, settings);
        return Ok((None, crossing.map_err(|error| pair_problem(first, second, &error))?));
    }
    let pick = usize::from(args.pick.unwrap_or(1)) - 1;
    match found.get(pick) {
        Some(crossing) => Ok((Some(pick), *crossing)),
        None => {
            Err(Problem::new(format!("--pick {}: only {} transitions were found", pick + 1, found.len())))
        }
    }
}

fn listed(first: &Source, second: &Source, crossing: &Crossing) -> TransitionJson {
    TransitionJson {
        from: crossing.from + first.clip().first_frame,
        to: crossing.to + second.clip().first_frame,
        distance_m: crossing.distance,
        turned_rad: crossing.placed.angle(),
        moved_m: crossing.placed.translation.length(),
    }
}

fn table(first: &Source, second: &Source, list: &[TransitionJson]) -> String {
    let names = [first, second].map(|source| source.name());
    let mut text = format!("transitions from {} to {}\n\n", names[0], names[1]);
    text += &format!(
        "{:>3}  {:>8}  {:>8}  {:>9}  {:>8}  {:>9}\n",
        "", "from", "to", "distance", "turned", "moved"
    );
    for (n, one) in list.iter().enumerate() {
        text += &format!(
            "{:>3}  {:>8}  {:>8}  {:>6.2} cm  {:>7.1}°  {:>7.2} m\n",
            n + 1,
            one.from,
            one.to,
            one.distance_m * 100.0,
            one.turned_rad.to_degrees(),
            one.moved_m
        );
    }
    text + "\nframes of both files; --pick N uses a transition, --map MAP.svg draws them\n"
}

/// A file name without its folders.
pub fn file_name(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

fn picture(first: &Source, second: &Source, map: &Map, found: &[Crossing], taken: Option<usize>) -> String {
    let fps = first.clip().motion.fps;
    let marks: Vec<(f64, f64)> =
        found.iter().map(|crossing| (crossing.from as f64 / fps, crossing.to as f64 / fps)).collect();
    let drawn = MapPlot {
        names: [file_name(&first.file.name), file_name(&second.file.name)],
        size: [map.rows, map.columns],
        cells: &map.cells,
        step: map.stride as f64 / fps,
        marks: &marks,
        taken,
        way: &[],
    };
    plot::sheet(&[plot::map(&drawn)])
}
