//! `blend`: a weighted mix of two motions.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot_core::{Clip, Motion};
use surefoot_edit::blend::{BlendError, BlendResult, PoseDistance, Settings, Weight, blend, count_steps};
use surefoot_edit::distance;
use surefoot_measure::plot::{self, MapPlot};

use super::join::file_name;
use crate::edit_input::{MotionPair, load_two, pair_problem};
use crate::edit_output::{Description, EditOptions, finish_edit, write_and_print};
use crate::input::{self, Input, busy};
use crate::problem::{CommandError, Problem};
use crate::source::Source;
use surefoot::parse;

/// Blend two motions into one
///
/// The motions are synchronised first, by comparing their poses: dynamic time warping finds which
/// frames belong together. Poses, steps and timing are then interpolated by the weight: 0 gives the
/// first motion, 1 the second. The plants of both motions are blended in time as well and held.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot blend walk.bvh run.bvh --weight 0.5
  surefoot blend walk.bvh run.bvh --weight 0:0,1.5:1
  surefoot blend walk.bvh run.bvh --weight weights.csv --map map.svg --report mix.report.html")]
pub struct Blend {
    #[command(flatten)]
    pair: MotionPair,

    /// Weight of the second motion: a number from 0 to 1; a curve of seconds and weights, as
    /// 0:0,1.5:1; or a file with one such pair per line
    #[arg(long, value_name = "WEIGHT", allow_hyphen_values = true)]
    weight: String,

    /// Length of the window around two frames in which their motions are compared, as 0.5s
    /// [default: 1/3 s]
    #[arg(long, value_name = "TIME", value_parser = parse::seconds)]
    window: Option<f64>,

    /// Also draw the distances between all poses and the synchronisation, as SVG; - is stdout
    /// [default: not drawn]
    #[arg(long, value_name = "MAP.svg", value_hint = ValueHint::FilePath)]
    map: Option<PathBuf>,

    #[command(flatten)]
    options: EditOptions,
}

/// The description of the blend in JSON.
#[derive(Serialize)]
struct Details {
    frames: usize,
    weight_first: f64,
    weight_last: f64,
    /// The largest ratio of playback speeds between the two motions.
    slope_max: f64,
    /// Distance between synchronised poses in metres: mean and largest.
    apart_mean_m: f64,
    apart_max_m: f64,
    /// The number of steps of each motion.
    steps: [usize; 2],
    loops: bool,
    #[serde(serialize_with = "crate::output::optional_path_text")]
    map: Option<PathBuf>,
}

pub fn run(args: &Blend) -> Result<(), CommandError> {
    let weight = weight(&args.weight)?;
    let options = &args.options;
    let map_name = args.map.as_ref().map(|name| (name, "the map of distances; open it in a browser"));
    let (names, outputs) = options.claim(&args.pair.files(), "blend", map_name)?;
    let [first, second] = load_two(&args.pair, options)?;
    let Clip { motion: a, plants: a_plants, .. } = first.clip().performance();
    let Clip { motion: b, plants: b_plants, .. } = second.clip().performance();
    let base = Settings::default();
    let window = args.window.unwrap_or(base.map.window);
    let settings = Settings { map: distance::Settings { window, up: first.up(), ..base.map }, ..base };
    let size = first.size + second.size;
    let blended = busy(size, "comparing poses", || {
        blend((&a, &a_plants), (&b, &b_plants), &first.clip().legs, &weight, &settings)
    });
    let BlendResult { edit: edited, registration, distance: apart, frames: steps } =
        blended.map_err(|error| match error {
            BlendError::Pair(error) => pair_problem(&first, &second, &error),
            error => Problem::new(error.to_string()),
        })?;
    let edited = first.clip().with_performance(edited.motion, &edited.plants);
    let mut finished = finish_edit(&[&first, &second], Cow::Owned(edited), None, options)?;
    if [&a_plants, &b_plants].iter().any(|plants| plants.plants.iter().any(|plant| plant.spot.is_some()))
        && steps.iter().any(|step| step.weight > 0.0 && step.weight < 1.0)
    {
        finished
            .notes
            .push("the spots in the plants files are not used: the feet of a blend land elsewhere".into());
    }
    let step_counts = [&a_plants, &b_plants].map(|plants| count_steps(plants, a.fps));
    if step_counts[0] != step_counts[1] && steps.iter().any(|step| step.weight > 0.0 && step.weight < 1.0) {
        finished.notes.push(out_of_step([&first, &second], step_counts, &apart, a.fps));
    }
    let way: Vec<(f64, f64)> = (0..=400)
        .map(|n| registration.at(registration.end() * f64::from(n) / 400.0))
        .map(|(own, other)| (own / a.fps, other / a.fps))
        .collect();
    let slopes = way.windows(2).map(|pair| {
        let (own, other) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        (own / other).max(other / own)
    });
    let details = Details {
        frames: steps.len(),
        weight_first: steps.first().map_or(0.0, |step| step.weight),
        weight_last: steps.last().map_or(0.0, |step| step.weight),
        slope_max: slopes.filter(|slope| slope.is_finite()).fold(1.0, f64::max),
        apart_mean_m: apart.mean_m,
        apart_max_m: apart.max_m,
        steps: step_counts,
        loops: options.looped,
        map: args.map.clone(),
    };
    let about = format!(
        "{} frames, weight {:.2} to {:.2}; the motions are sped up or slowed down by at most {:.2} to synchronise them.",
        details.frames, details.weight_first, details.weight_last, details.slope_max
    );
    let map = args.map.as_ref().map(|_| picture([&first, &second], [&a, &b], &settings, &way)).transpose()?;
    let description = Description { command: "blend", about: vec![about], details, table: None };
    write_and_print(options, (&names, outputs), &[&first, &second], &finished, &description, map)
}

/// The note about motions with different numbers of steps, which cannot all be synchronised.
fn out_of_step([first, second]: [&Source; 2], steps: [usize; 2], apart: &PoseDistance, fps: f64) -> String {
    let names = [first, second].map(|source| file_name(&source.file.name));
    format!(
        "the steps do not pair up: {} takes {} steps and {} takes {}. A step without a partner is held only while its \
         own motion has at least half of the weight. Synchronised poses are {:.0} cm apart on average and at most \
         {:.0} cm, at {:.2} s of the first and {:.2} s of the second motion; motions cut to the same number of steps \
         of the same feet blend better",
        names[0],
        steps[0],
        names[1],
        steps[1],
        apart.mean_m * 100.0,
        apart.max_m * 100.0,
        apart.at.0 / fps,
        apart.at.1 / fps
    )
}

/// A number, a curve, or a file with one.
fn weight(word: &str) -> Result<Weight, Problem> {
    let problem = |error: String| Problem::new(format!("--weight {word}: {error}"));
    if let Ok(number) = word.trim().parse::<f64>() {
        let weight = Weight::Constant(number);
        return weight.check().map(|()| weight).map_err(|error| problem(error.to_string()));
    }
    if word.contains(':') && !Path::new(word).exists() {
        let points =
            word.split(',').map(|pair| point(pair, ':')).collect::<Result<_, _>>().map_err(problem)?;
        let weight = Weight::Curve(points);
        return weight.check().map(|()| weight).map_err(|error| problem(error.to_string()));
    }
    let Input { name, bytes, .. } = input::read(Path::new(word)).map_err(|problem| {
        problem.help("--weight takes a number from 0 to 1, a curve as 0:0,1.5:1, or a file of such pairs")
    })?;
    let text = String::from_utf8_lossy(&bytes);
    let mut points = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let sign = if line.contains(':') { ':' } else { ',' };
        let at = |error: String| Problem::in_text(&name, &text, &format!("line {}: {error}", n + 1));
        points.push(point(line, sign).map_err(at)?);
    }
    let weight = Weight::Curve(points);
    weight.check().map(|()| weight).map_err(|error| Problem::new(format!("{name}: {error}")))
}

fn point(pair: &str, sign: char) -> Result<(f64, f64), String> {
    let wrong = || format!("found {:?}, expected seconds and a weight, as 1.5{sign}1", pair.trim());
    let (time, weight) = pair.split_once(sign).ok_or_else(wrong)?;
    let number = |word: &str| word.trim().parse::<f64>().map_err(|_| wrong());
    Ok((number(time)?, number(weight)?))
}

fn picture(
    [first, second]: [&Source; 2],
    [a, b]: [&Motion; 2],
    settings: &Settings,
    way: &[(f64, f64)],
) -> Result<String, Problem> {
    let map = distance::map(a, b, &settings.map).map_err(|error| pair_problem(first, second, &error))?;
    let drawn = MapPlot {
        names: [file_name(&first.file.name), file_name(&second.file.name)],
        size: [map.rows, map.columns],
        cells: &map.cells,
        step: map.stride as f64 / a.fps,
        marks: &[],
        taken: None,
        way,
    };
    Ok(plot::sheet(&[plot::map(&drawn)]))
}
