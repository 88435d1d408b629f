//! How every edit of a whole motion ends: cleaned, written, measured as written, told.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot_core::Motion;
use surefoot_edit::in_place::{belt, in_place, root_motion, travel};
use surefoot_edit::{Take, knee_speed_added};
use surefoot_formats::Space;
use surefoot_formats::bvh::Bvh;
use surefoot_measure::{Edited, Figures, Report, edited, headline, price, table_of_edit};

use crate::args::{Force, Told};
use crate::cleaning::{figures, measure_scene, note_words, scene_notes};
use crate::commands::clean::How;
use crate::found::warnings;
use crate::input::is_dash;
use crate::limits::Limits;
use crate::look::Looked;
use crate::output::{Existing, Output, beside, claim_all, json, print, write_all};
use crate::plants::{self, Known};
use crate::problem::{Problem, Stop, warn};
use crate::scene::Scene;
use crate::tell::{bullets, plain, wrapped};

/// What every edit can be asked.
#[derive(Args, Debug)]
pub struct Ending {
    /// The file to write; - is stdout [default: walk.EDIT.bvh for walk.bvh; stdout for stdin]
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    /// When each heel and ball is down: a plants file, JSON or CSV; - is stdin
    /// [default: surefoot finds out, as `detect` does]
    #[arg(long, value_name = "PLANTS", value_hint = ValueHint::FilePath)]
    pub plants: Option<PathBuf>,

    /// Write the plants as they are after the edit; - is stdout [default: none are written]
    #[arg(long, value_name = "PLANTS", value_hint = ValueHint::FilePath)]
    pub plants_out: Option<PathBuf>,

    /// Write a report with before, edited and clean side by side, one HTML page; - is stdout
    /// [default: none is written]
    #[arg(long, value_name = "REPORT.html", value_hint = ValueHint::FilePath)]
    pub report: Option<PathBuf>,

    /// Leave the feet as the edit leaves them [default: planted feet are held]
    #[arg(long)]
    pub no_clean: bool,

    /// Give the body its way back first, where it was captured in place, as on a treadmill: at the
    /// speed at which the ground goes by under planted feet, median over plants [default: as it is]
    #[arg(long)]
    pub root_motion: bool,

    /// Take its way off at the end, so that it stays in place: at the speed at which it passes its
    /// plants, median over plants [default: it goes]
    #[arg(long)]
    pub in_place: bool,

    /// Print what was done and the figures as one JSON value [default: as text]
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub force: Force,

    #[command(flatten)]
    pub how: How,

    #[command(flatten)]
    pub limits: Limits,

    #[command(flatten)]
    pub told: Told,
}

/// Where things go.
pub struct Names {
    motion: PathBuf,
    plants: Option<PathBuf>,
    report: Option<PathBuf>,
}

impl Names {
    /// The names for an edit of this file that is called `word`, and their places, found good.
    pub fn claim(file: &Path, word: &str, ending: &Ending) -> Result<(Self, Vec<Output>), Problem> {
        plants::check_stdin(file, ending.plants.as_deref())?;
        let default =
            || if is_dash(file) { PathBuf::from("-") } else { beside(file, &format!("{word}.bvh")) };
        let names = Self {
            motion: ending.output.clone().unwrap_or_else(default),
            plants: ending.plants_out.clone(),
            report: ending.report.clone(),
        };
        let all: Vec<&Path> = names.all().collect();
        if ending.json && all.iter().any(|name| is_dash(name)) {
            let both = "--json and an output named - both want stdout";
            return Err(Problem::new(both).help("name the file with -o"));
        }
        let outputs = claim_all(&all, Existing::from_force(ending.force.force))?;
        Ok((names, outputs))
    }

    fn all(&self) -> impl Iterator<Item = &Path> {
        [Some(&self.motion), self.plants.as_ref(), self.report.as_ref()]
            .into_iter()
            .flatten()
            .map(PathBuf::as_path)
    }
}

/// The file and its plants as the library takes them; with --root-motion, on ground that stands.
pub fn take(scene: &Scene, known: &Known, ending: &Ending) -> Result<Take, Problem> {
    let take = Take {
        motion: scene.motion.clone(),
        legs: scene.legs.clone(),
        plants: known.plants.clone(),
        floor: scene.floor.clone(),
        first_frame: scene.first_frame,
    };
    if !ending.root_motion {
        return Ok(take);
    }
    let belt = belt(&take).ok_or_else(|| no_speed("--root-motion"))?;
    Ok(root_motion(&take, belt))
}

fn no_speed(flag: &str) -> Problem {
    Problem::new(format!("{flag} needs planted feet to tell the speed by, and there are none"))
        .help("--plants gives them")
}

/// An edit that has been made, to be brought to its end.
pub struct Made<'a, D> {
    /// What the edit is called.
    pub word: &'static str,
    /// The file it was made of, its motion and plants.
    pub looked: &'a Looked,
    /// The same in metres.
    pub scene: &'a Scene,
    /// Its plants.
    pub known: &'a Known,
    /// The edited motion.
    pub edited: Take,
    /// The file to write into, and its unit and axes.
    pub into: (&'a Bvh, Space),
    /// What was done, in sentences.
    pub about: Vec<String>,
    /// The same in JSON.
    pub details: D,
    /// A table that tells more.
    pub more: Option<(&'a str, Vec<Vec<String>>)>,
}

#[derive(Serialize)]
struct Done<'a, D: Serialize> {
    motion: &'a str,
    edit: &'static str,
    output: &'a Path,
    plants_file: Option<&'a Path>,
    report: Option<&'a Path>,
    cleaned: bool,
    plants_found: bool,
    about: &'a [String],
    notes: &'a [String],
    warnings: Vec<String>,
    limits_missed: Vec<String>,
    /// The most that cleaning changed a knee's speed, in radians a second.
    knee_speed_added_max_rad_per_s: Option<f64>,
    #[serde(flatten)]
    details: &'a D,
    /// The motion before the edit; the figures beside it are before and after cleaning.
    captured: &'a Figures,
    #[serde(flatten)]
    figures: &'a Figures,
}

/// Cleans, writes, measures and tells.
pub fn finish<D: Serialize>(
    names: &Names,
    outputs: Vec<Output>,
    ending: &Ending,
    made: &Made<D>,
) -> Result<(), Stop> {
    let cannot =
        |why: String| Problem::new(format!("cannot {} {}: {why}", made.word, plain(&made.looked.name)));
    let settings = ending.how.settings(&made.looked.settings);
    let mut notes = scene_notes(made.scene, made.known);
    notes.extend(made.known.notes.iter().cloned());
    let take = &made.edited;
    let cleaned = if ending.no_clean {
        None
    } else {
        let (motion, report) = take.cleaned(&settings).map_err(|error| cannot(error.to_string()))?;
        notes.extend(report.notes.iter().map(|note| note_words(&take.legs, note)));
        Some(motion)
    };
    let (bvh, space) = &made.into;
    let motion = cleaned.as_ref().unwrap_or(&take.motion);
    let clean_take = Take { motion: motion.clone(), ..take.clone() };
    let speed = match ending.in_place {
        true => Some(travel(&clean_take).ok_or_else(|| no_speed("--in-place"))?),
        false => None,
    };
    let still = speed.map(|speed| in_place(&clean_take, speed).motion);
    let written = still.as_ref().unwrap_or(motion);
    let text = bvh.write(written, space).map_err(|error| cannot(error.to_string()))?;
    let after = read_again(&text, take.motion.fps, space).map_err(cannot)?;
    // In place, feet are measured on ground that goes by.
    let after = match speed {
        Some(speed) => in_place(&Take { motion: after, ..take.clone() }, -speed).motion,
        None => after,
    };
    notes.extend(speed.map(|speed| {
        let speed = surefoot_measure::Unit::Speed.say(speed.length());
        format!("in place: the ground goes by at {speed}, and the figures are measured on it")
    }));
    let after_scene = Scene {
        motion: take.motion.clone(),
        legs: take.legs.clone(),
        floor: take.floor.clone(),
        floor_of_plants: false,
        first_frame: take.first_frame,
    };
    let before = cleaned.is_some().then_some(&take.motion);
    let measured = figures(&after, before, &after_scene, &take.plants).map_err(cannot)?;
    let captured = figures(&made.scene.motion, None, made.scene, &made.known.plants).map_err(cannot)?;
    let knees = before.map(|before| knee_speed_added(before, &after, &take.legs, take.first_frame));
    let page = names.report.as_ref().map(|_| {
        let floor = after_scene.floor_or_lowest();
        let report = Report {
            title: &names.motion.file_name().unwrap_or_default().to_string_lossy(),
            after: &after,
            before,
            scene: &measure_scene(&after_scene, &take.plants, &floor),
            figures: &measured,
            notes: &notes,
        };
        let more = made.more.as_ref().map(|(heading, rows)| (*heading, rows.as_slice()));
        edited(&Edited { report, captured: &captured, about: &made.about, more })
            .map_err(|error| cannot(error.to_string()))
    });
    let plants = names.plants.as_ref().map(|name| plants::written(name, &take.plants, None, &after_scene));
    let others: Vec<Vec<u8>> =
        [plants, page.transpose()?].into_iter().flatten().map(String::into_bytes).collect();
    let bytes = [&text[..]].into_iter().chain(others.iter().map(Vec::as_slice));
    write_all(outputs.into_iter().zip(bytes).collect())?;
    let limits = ending.limits.or(made.looked.settings.limits);
    if ending.json {
        let done = Done {
            motion: &made.looked.name,
            edit: made.word,
            output: &names.motion,
            plants_file: names.plants.as_deref(),
            report: names.report.as_deref(),
            cleaned: cleaned.is_some(),
            plants_found: made.known.found,
            about: &made.about,
            notes: &notes,
            warnings: warnings(made.looked),
            limits_missed: limits.missed(&measured),
            knee_speed_added_max_rad_per_s: knees,
            details: &made.details,
            captured: &captured,
            figures: &measured,
        };
        print(&json(&done)?)?;
    } else {
        let text = words(names, made, &captured, &measured, knees.map(|speed| (speed, after.fps)), &notes);
        warnings(made.looked).iter().for_each(|warning| warn(&plain(warning)));
        if names.all().any(is_dash) {
            eprint!("{text}");
        } else {
            print(text.as_bytes())?;
        }
    }
    limits.check(&measured)
}

fn read_again(text: &[u8], fps: f64, space: &Space) -> Result<Motion, String> {
    let mut bvh = Bvh::read(text.to_vec()).map_err(|error| error.to_string())?;
    bvh.set_rate(fps);
    Ok(bvh.motion(space))
}

fn words<D>(
    names: &Names,
    made: &Made<D>,
    captured: &Figures,
    measured: &Figures,
    knees: Option<(f64, f64)>,
    notes: &[String],
) -> String {
    let mut text = format!("{}\n", plain(&made.looked.name));
    text += &made.about.iter().map(|line| wrapped(&plain(line), 0, "")).collect::<String>();
    text += &format!("{}\n", headline(measured));
    text += &price(measured).map_or_else(String::new, |price| wrapped(&price, 0, ""));
    if let Some((speed, fps)) = knees {
        let degrees = (speed / fps).to_degrees();
        text += &format!("Cleaning changed the speed of the knees by up to {degrees:.2}° a frame.\n");
    }
    text.push('\n');
    text += &table_of_edit(captured, measured);
    if let Some((heading, rows)) = &made.more {
        text += &format!("\n{heading}\n{}", columns(rows));
    }
    text += &bullets("Notes", notes);
    text.push('\n');
    let written = [
        (Some(&names.motion), "the motion"),
        (names.plants.as_ref(), "its plants, to edit"),
        (names.report.as_ref(), "the report, for a browser"),
    ];
    for (name, what) in written {
        if let Some(name) = name.filter(|name| !is_dash(name)) {
            text += &format!("{}: {what}\n", name.display());
        }
    }
    text
}

/// Rows in columns as wide as they must be.
fn columns(rows: &[Vec<String>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |n: usize| rows.iter().filter_map(|row| row.get(n)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..count).map(|n| width(n).unwrap_or(0) + 2).collect();
    let row = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{:width$}", plain(cell)));
        format!("  {}\n", cells.collect::<String>().trim_end())
    };
    rows.iter().map(row).collect()
}
