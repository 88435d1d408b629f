//! How every edit ends: cleaned, written, read again, measured and told.
//!
//! Figures are of the text as it will be read, never of what was in memory, and as one who stands on
//! the ground sees it.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot_core::Motion;
use surefoot_edit::in_place::{in_place, speed};
use surefoot_edit::looped::meet;
use surefoot_edit::{Cleaned, Method, Take, knee_speed_added};
use surefoot_formats::Space;
use surefoot_formats::bvh::Bvh;
use surefoot_job::{Finished, Work, finish};
use surefoot_measure::{Captured, Edited, Figures, Unit, headline, price, table_of_edit};

use crate::args::Told;
use crate::cleaning::{scene_notes, skates};
use crate::commands::clean::How;
use crate::found::warnings;
use crate::input::busy;
use crate::limits::Limits;
use crate::names::{Names, Writes};
use crate::output::{Output, json, print, write_all};
use crate::plants;
use crate::problem::{Problem, Stop, warn};
use crate::scene::Scene;
use crate::taken::{Taken, no_speed};
use crate::tell::{bullets, columns, plain, wrapped};

/// What every edit can be asked.
#[derive(Args, Debug, Default)]
pub struct Ending {
    #[command(flatten)]
    pub writes: Writes,

    /// Write the plants that were held, to be edited; - is stdout [default: none are written]
    #[arg(long, value_name = "PLANTS", value_hint = ValueHint::FilePath)]
    pub plants_out: Option<PathBuf>,

    /// Leave the feet as they are before the clean [default: planted feet are held]
    #[arg(long)]
    pub no_clean: bool,

    /// The end meets the start, and feet may be held across the seam [default: they are apart]
    #[arg(long = "loop")]
    pub looped: bool,

    /// Give the body its way back first, where it was captured in place, as on a treadmill: at the
    /// speed at which the ground goes by under planted feet, median over plants [default: as it is]
    #[arg(long)]
    pub root_motion: bool,

    /// Take its way off at the end, so that it stays in place: at the speed at which it passes its
    /// plants, median over plants; a loop by as much as it goes a round [default: it goes]
    #[arg(long)]
    pub in_place: bool,

    #[command(flatten)]
    pub how: How,

    #[command(flatten)]
    pub limits: Limits,

    #[command(flatten)]
    pub told: Told,
}

impl Ending {
    /// The names for a command of this word on this file, and their places, found good.
    pub fn claim(
        &self,
        file: &Path,
        word: &str,
        other: Option<(&PathBuf, &'static str)>,
    ) -> Result<(Names, Vec<Output>), Problem> {
        let names = Names {
            plants: self.plants_out.clone(),
            other: other.map(|(name, what)| (name.clone(), what)),
            ..Names::new(file, word, &self.writes)
        };
        let outputs = names.claim(&self.writes)?;
        Ok((names, outputs))
    }
}

/// An edit that is done.
pub struct Ended {
    /// The motion before it was cleaned, and its plants, seen from the ground.
    pub before: Take,
    /// The motion in the file, read again, seen from the ground.
    pub after: Motion,
    /// How fast the ground goes in the file.
    ground: Option<surefoot_core::Vec3>,
    floor_of_plants: bool,
    /// The file's text.
    pub text: Vec<u8>,
    /// What was measured of it, and of the motion before it was cleaned.
    pub figures: Figures,
    /// What cleaning took; none was done with --no-clean.
    pub cleaned: Option<(Method, Cleaned)>,
    /// The most that cleaning changed a knee's speed, in radians a second.
    knees: Option<f64>,
    /// What a person should know, in sentences.
    pub notes: Vec<String>,
}

impl Ended {
    /// What is performed in the file, read again.
    pub fn performance(&self) -> Motion {
        let first = self.before.first_frame.min(self.after.frames());
        Motion { poses: self.after.poses[first..].to_vec(), ..self.after.clone() }
    }

    /// How far a loop is from itself a round later, in metres.
    pub fn periodic_m(&self) -> Option<f64> {
        self.cleaned.as_ref().and_then(|(_, cleaned)| cleaned.periodic_m)
    }

    fn scene(&self) -> Scene {
        Scene::of(&self.before, self.floor_of_plants)
    }

    /// What a report is made of, for whoever makes one.
    pub fn page<T>(&self, name: &Path, of: impl FnOnce(surefoot_measure::Report) -> T) -> T {
        let title = name.file_name().unwrap_or_default().to_string_lossy();
        let scene = (&self.scene(), &self.before.plants);
        surefoot_job::page(&title, scene, &self.after, &self.figures, &self.notes, of)
    }

    /// Writes all that was claimed: the motion, its plants, its report, and what else there is.
    pub fn write(
        &self,
        names: &Names,
        outputs: Vec<Output>,
        report: Option<String>,
        other: Option<String>,
    ) -> Result<(), Stop> {
        let plants = names.plants.as_ref().map(|name| {
            let scene = Scene { motion: self.after.clone(), ..self.scene() };
            plants::written(name, &self.before.plants, self.ground, &scene)
        });
        let others: Vec<Vec<u8>> =
            [plants, report, other].into_iter().flatten().map(String::into_bytes).collect();
        let bytes = [self.text.as_slice()].into_iter().chain(others.iter().map(Vec::as_slice));
        write_all(outputs.into_iter().zip(bytes).collect())
    }
}

/// Brings an edit of these files to its end: closes it if that is asked, cleans it, writes its text
/// like `into`, in its unit and axes, reads that again and measures it.
pub fn end(
    taken: &[&Taken],
    edited: Take,
    into: Option<(&Bvh, Space)>,
    ending: &Ending,
) -> Result<Ended, Problem> {
    let first = taken[0];
    let names: Vec<String> = taken.iter().map(|taken| plain(&taken.looked.name)).collect();
    let cannot = |why: String| Problem::new(format!("cannot do this to {}: {why}", names.join(" and ")));
    let method = ending.how.method(&first.looked.settings)?;
    let settings = ending.how.settings(&first.looked.settings);
    let edited = match (ending.looped, edited.looped) {
        (true, None) => meet(&edited).map_err(|error| cannot(error.to_string()))?,
        _ => edited,
    };
    let size = first.looked.bvh.text().len();
    let clean = || busy(size, "cleaning", || edited.cleaned_by(method, &settings));
    let cleaned = (!ending.no_clean).then(clean).transpose().map_err(|error| cannot(error.to_string()))?;
    let mut made = cleaned.as_ref().map_or_else(|| edited.clone().cut_at_seam(), |done| done.take.clone());
    let mut notes = Vec::new();
    if ending.in_place {
        let seen = made.from_ground();
        let speed = speed(&seen).ok_or_else(|| no_speed("--in-place"))?;
        made = in_place(&seen, speed);
        let speed = Unit::Speed.say(speed.length());
        notes.push(format!("in place: the ground goes by at {speed}, and the figures are measured on it"));
    }
    let (bvh, space) = into.unwrap_or((&first.looked.bvh, first.looked.space()));
    let ground = made.ground;
    let done = finish(Work {
        bvh,
        space: &space,
        before: edited.from_ground(),
        made,
        report: cleaned.as_ref().map(|cleaned| &cleaned.report),
        floor_of_plants: first.floor_of_plants,
    });
    let Finished { before, text, after, figures, notes: said } = done.map_err(cannot)?;
    let was = cleaned.as_ref().map(|_| &before.motion);
    let knees = was.map(|was| knee_speed_added(was, &after, &before.legs, before.first_frame));
    for taken in taken {
        let known = scene_notes(&Scene::of(&taken.take, taken.floor_of_plants), &taken.known);
        // What holds of both files is said once.
        let new = |note: &String| !notes.contains(note);
        let known: Vec<String> =
            known.into_iter().chain(taken.known.notes.iter().cloned()).filter(new).collect();
        notes.extend(known);
    }
    notes.extend(said.into_iter().map(|note| note.said));
    let labels = cleaned.as_ref().map_or(&[][..], |cleaned| &cleaned.labels);
    notes.extend((!labels.is_empty()).then(|| skates(labels, &settings)));
    let cleaned = cleaned.map(|cleaned| (method, cleaned));
    let floor_of_plants = first.floor_of_plants;
    Ok(Ended { before, after, ground, floor_of_plants, text, figures, cleaned, knees, notes })
}

/// What there is to say of an edit.
pub struct Said<'a, D> {
    /// What the edit is called.
    pub word: &'static str,
    /// What was done, in sentences.
    pub about: Vec<String>,
    /// The same in JSON.
    pub details: D,
    /// A table that tells more: its heading, and its rows, the first of them its head.
    pub more: Option<(&'a str, Vec<Vec<String>>)>,
}

/// What an edit's `--json` prints.
#[derive(Serialize)]
struct Done<'a, D: Serialize> {
    command: &'static str,
    motions: Vec<&'a str>,
    output: &'a Path,
    plants_file: Option<&'a Path>,
    report: Option<&'a Path>,
    cleaned: bool,
    plants_found: bool,
    about: &'a [String],
    edit: &'a D,
    notes: &'a [String],
    warnings: Vec<String>,
    limits_missed: Vec<String>,
    /// The most that cleaning changed a knee's speed, in radians a second.
    knee_speed_added_max_rad_per_s: Option<f64>,
    /// The motions before the edit; the figures beside them are before and after cleaning.
    captured: Vec<&'a Figures>,
    #[serde(flatten)]
    figures: &'a Figures,
}

/// Writes an edit and tells what was done, and whether it is good enough.
pub fn tell<D: Serialize>(
    ending: &Ending,
    (names, outputs): (&Names, Vec<Output>),
    taken: &[&Taken],
    ended: &Ended,
    said: &Said<D>,
    other: Option<String>,
) -> Result<(), Stop> {
    let called: &[&str] = if taken.len() > 1 { &["first", "second"] } else { &["before"] };
    let captured: Vec<(&str, &Figures)> =
        called.iter().copied().zip(taken.iter().map(|taken| &taken.figures)).collect();
    let page = names.report.as_ref().map(|_| page(names, ended, &captured, said)).transpose()?;
    ended.write(names, outputs, page, other)?;
    let limits = ending.limits.or(taken[0].looked.settings.limits);
    let motions: Vec<&str> = taken.iter().map(|taken| taken.looked.name.as_str()).collect();
    let warnings: Vec<String> = taken.iter().flat_map(|taken| warnings(&taken.looked)).collect();
    if ending.writes.json {
        print(&json(&Done {
            command: said.word,
            motions,
            output: &names.motion,
            plants_file: names.plants.as_deref(),
            report: names.report.as_deref(),
            cleaned: ended.cleaned.is_some(),
            plants_found: taken.iter().any(|taken| taken.known.found),
            about: &said.about,
            edit: &said.details,
            notes: &ended.notes,
            warnings,
            limits_missed: limits.missed(&ended.figures),
            knee_speed_added_max_rad_per_s: ended.knees,
            captured: captured.iter().map(|(_, figures)| *figures).collect(),
            figures: &ended.figures,
        })?)?;
    } else {
        warnings.iter().for_each(|warning| warn(&plain(warning)));
        names.say(&words(names, &motions, ended, &captured, said))?;
    }
    limits.check(&ended.figures)
}

fn page<D>(names: &Names, ended: &Ended, captured: &Captured, said: &Said<D>) -> Result<String, Problem> {
    let more = said.more.as_ref().map(|(heading, rows)| (*heading, rows.as_slice()));
    let page = ended.page(&names.motion, |report| {
        surefoot_measure::edited(&Edited { report, captured, about: &said.about, more })
    });
    page.map_err(|error| Problem::new(format!("cannot make the report: {error}")))
}

fn words<D>(names: &Names, motions: &[&str], ended: &Ended, captured: &Captured, said: &Said<D>) -> String {
    let Ended { figures, notes, .. } = ended;
    let mut text = format!("{}\n", plain(&motions.join(" and ")));
    text += &said.about.iter().map(|line| wrapped(&plain(line), 0, "")).collect::<String>();
    text += &format!("{}\n", headline(figures));
    text += &price(figures).map_or_else(String::new, |price| wrapped(&price, 0, ""));
    if let Some(speed) = ended.knees {
        let degrees = (speed / ended.after.fps).to_degrees();
        text += &format!("Cleaning changed the speed of the knees by up to {degrees:.2}° a frame.\n");
    }
    text.push('\n');
    text += &table_of_edit(captured, figures);
    if let Some((heading, rows)) = &said.more {
        text += &format!("\n{heading}\n{}", columns(rows));
    }
    format!("{text}{}\n{}", bullets("Notes", notes), names.listed("the motion"))
}
