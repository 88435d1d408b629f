//! `join`: one motion goes over into another.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot_edit::distance::{self, Crossing, Map};
use surefoot_edit::join::{Settings, crossing_at, crossings_of, join};
use surefoot_edit::looped;
use surefoot_measure::plot::{self, MapPlot};

use crate::ended::{self, Ending, Names, end, write};
use crate::input::{busy, is_dash};
use crate::output::{Existing, Output, beside, json, print};
use crate::problem::{Problem, Stop};
use crate::taken::{Taken, check_two, pair_problem, take, take_second};
use crate::tell::plain;
use crate::words;

/// Go from one motion over into another, where they are most alike
///
/// Poses around every frame of the one are compared with those around every frame of the other,
/// the second turned about up and moved so that they lie together best. At the best crossing, or
/// one that is chosen, the first fades into the second. The plants of both are held, and the whole
/// is cleaned.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot join walk.bvh run.bvh
  surefoot join walk.bvh run.bvh --list --map map.svg
  surefoot join walk.bvh run.bvh --pick 2 --fade 0.5s -o both.bvh
  surefoot join walk.bvh run.bvh --at 210,35 --report both.report.html")]
pub struct Join {
    /// A BVH file; - is stdin
    #[arg(value_name = "FIRST", value_hint = ValueHint::FilePath)]
    first: PathBuf,

    /// A BVH file of the same body at the same rate; - is stdin
    #[arg(value_name = "SECOND", value_hint = ValueHint::FilePath)]
    second: PathBuf,

    /// List the best crossings and stop [default: take the best]
    #[arg(long)]
    list: bool,

    /// Take this one of the list, from 1 [default: 1]
    #[arg(long, value_name = "N", conflicts_with = "at", value_parser = clap::value_parser!(u16).range(1..=99))]
    pick: Option<u16>,

    /// Cross from this frame of the first file into that of the second, as 210,35
    #[arg(long, value_name = "FRAME,FRAME", value_parser = words::two_frames)]
    at: Option<(usize, usize)>,

    /// How long the one fades into the other, as 0.5s [default: 1/3 s]
    #[arg(long, value_name = "TIME", value_parser = words::seconds)]
    fade: Option<f64>,

    /// How much of the motions around two frames is compared, as 0.5s [default: 1/3 s]
    #[arg(long, value_name = "TIME", value_parser = words::seconds)]
    window: Option<f64>,

    /// Draw the map of distances with the crossings, as SVG; - is stdout [default: none is drawn]
    #[arg(long, value_name = "MAP.svg", value_hint = ValueHint::FilePath)]
    map: Option<PathBuf>,

    /// Also make the end of the second meet the start of the first [default: it does not]
    #[arg(long = "loop")]
    looped: bool,

    /// The first file's plants, JSON or CSV [default: surefoot finds out]
    #[arg(long, value_name = "PLANTS", value_hint = ValueHint::FilePath)]
    plants_a: Option<PathBuf>,

    /// The second file's plants [default: surefoot finds out]
    #[arg(long, value_name = "PLANTS", value_hint = ValueHint::FilePath)]
    plants_b: Option<PathBuf>,

    #[command(flatten)]
    ending: Ending,
}

/// How many crossings are listed.
const LISTED: usize = 12;

/// A crossing, in the files' frames.
#[derive(Clone, Serialize)]
struct Listed {
    from: usize,
    to: usize,
    distance_m: f64,
    turned_rad: f64,
    moved_m: f64,
}

/// What `join --json` says of the edit.
#[derive(Serialize)]
struct Joined {
    taken: Listed,
    /// The frames over which the one fades into the other, the last included.
    fade: Option<[usize; 2]>,
    loops: bool,
}

pub fn run(args: &Join) -> Result<(), Stop> {
    check_two([&args.first, &args.second], [args.plants_a.as_deref(), args.plants_b.as_deref()])?;
    let ending = &args.ending;
    let default = if is_dash(&args.first) { "-".into() } else { beside(&args.first, "join.bvh") };
    let names = Names::new(ending, default, args.map.clone());
    let outputs = if args.list { Vec::new() } else { names.claim(ending)? };
    let drawn = args.map.as_deref().filter(|_| args.list);
    let drawn =
        drawn.map(|name| Output::claim(name, Existing::from_force(ending.force.force))).transpose()?;
    let first = take(&args.first, args.plants_a.as_deref(), &ending.told)?;
    let second = take_second(&first, &args.second, args.plants_b.as_deref(), &ending.told)?;
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
    let size = first.looked.bvh.text().len() + second.looked.bvh.text().len();
    let map = busy(size, "comparing poses", || distance::map(&first.motion, &second.motion, &settings.map));
    let map = map.map_err(refused)?;
    let found = crossings_of(&first.motion, &second.motion, &map, &settings, LISTED);
    let (taken, crossing) = chosen(args, &first, &second, &found, &settings)?;
    if args.list {
        let list: Vec<Listed> = found.iter().map(|crossing| listed(&first, &second, crossing)).collect();
        if let Some(drawn) = drawn {
            drawn.write(picture(&first, &second, &map, &found, taken).as_bytes())?;
        }
        return if ending.json {
            print(&json(&list)?)
        } else {
            print(table(&first, &second, &list).as_bytes())
        };
    }
    let (a, b) = ((&first.motion, &first.plants), (&second.motion, &second.plants));
    let mut edited = join(a, b, &first.scene.legs, &crossing, &settings).map_err(refused)?;
    let fade = edited.changed.clone();
    let looped = if args.looped { Some(close_whole(&mut edited, &first).map_err(refused)?) } else { None };
    let ended = busy(size, "cleaning", || end(&first, &edited, looped.as_ref(), ending))?;
    let columns = [("first", &first.figures), ("second", &second.figures)];
    let map = names.picture.as_ref().map(|_| picture(&first, &second, &map, &found, taken));
    write(&names, outputs, &ended, &columns, map)?;
    let one = listed(&first, &second, &crossing);
    let lead = first.lead().len();
    let said = format!(
        "from frame {} into frame {}, {:.1} cm apart; the second is turned by {:.1}° and moved by {:.2} m",
        one.from,
        one.to,
        one.distance_m * 100.0,
        one.turned_rad.to_degrees(),
        one.moved_m
    );
    let fade = (!fade.is_empty()).then(|| [fade.start + lead, fade.end - 1 + lead]);
    let joined = Joined { taken: one, fade, loops: looped.is_some() };
    ended::tell(ending, &names, &[&first, &second], &ended, (&said, &joined))
}

/// Makes the end of an edited motion meet its start.
pub fn close_whole(
    edited: &mut surefoot_edit::Edited,
    first: &Taken,
) -> Result<looped::Loop, surefoot_edit::PairError> {
    let settings = looped::Settings {
        map: distance::Settings { up: first.up(), ..Default::default() },
        begin: looped::Begin::First,
        ..Default::default()
    };
    let cycle = looped::cycle_at(&edited.motion, 0, usize::MAX, &settings)?;
    let closed = looped::close(&edited.motion, &edited.plants, &cycle, &settings)?;
    *edited = closed.edited;
    Ok(closed.looped)
}

/// The crossing that is wanted, and its place in the list.
fn chosen(
    args: &Join,
    first: &Taken,
    second: &Taken,
    found: &[Crossing],
    settings: &Settings,
) -> Result<(Option<usize>, Crossing), Problem> {
    if let Some((from, to)) = args.at {
        let within = |frame: usize, taken: &Taken| {
            let (start, end) = (taken.lead().len(), taken.scene.motion.frames());
            if (start..end).contains(&frame) {
                return Ok(frame - start);
            }
            let name = plain(&taken.looked.name);
            Err(Problem::new(format!("--at names frame {frame}, but {name} has frames {start}–{}", end - 1)))
        };
        let at = (within(from, first)?, within(to, second)?);
        let crossing = crossing_at(&first.motion, &second.motion, at, settings);
        return Ok((None, crossing.map_err(|error| pair_problem(first, second, &error))?));
    }
    let pick = usize::from(args.pick.unwrap_or(1)) - 1;
    match found.get(pick) {
        Some(crossing) => Ok((Some(pick), *crossing)),
        None => {
            Err(Problem::new(format!("--pick {}, but there are only {} crossings", pick + 1, found.len())))
        }
    }
}

fn listed(first: &Taken, second: &Taken, crossing: &Crossing) -> Listed {
    Listed {
        from: crossing.from + first.lead().len(),
        to: crossing.to + second.lead().len(),
        distance_m: crossing.distance,
        turned_rad: crossing.placed.angle(),
        moved_m: crossing.placed.shift.length(),
    }
}

fn table(first: &Taken, second: &Taken, list: &[Listed]) -> String {
    let names = [first, second].map(|taken| plain(&taken.looked.name));
    let mut text = format!("from {} into {}\n\n", names[0], names[1]);
    text += &format!(
        "{:>3}  {:>8}  {:>8}  {:>9}  {:>8}  {:>9}\n",
        "", "from", "into", "apart", "turned", "moved"
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
    text + "\n--pick N takes one, --map MAP.svg draws them\n"
}

/// A file's name without its folders.
pub fn file_name(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

fn picture(first: &Taken, second: &Taken, map: &Map, found: &[Crossing], taken: Option<usize>) -> String {
    let fps = first.motion.fps;
    let marks: Vec<(f64, f64)> =
        found.iter().map(|crossing| (crossing.from as f64 / fps, crossing.to as f64 / fps)).collect();
    let drawn = MapPlot {
        names: [file_name(&first.looked.name), file_name(&second.looked.name)],
        size: [map.rows, map.columns],
        cells: &map.cells,
        step: map.stride as f64 / fps,
        marks: &marks,
        taken,
        way: &[],
    };
    plot::sheet(&[plot::map(&drawn)])
}
