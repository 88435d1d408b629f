//! How an edit ends: cleaned, written, read again, measured and told.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot_core::{Footplants, Motion, Plant};
use surefoot_edit::Edited;
use surefoot_edit::looped::{self, Loop};
use surefoot_formats::bvh::Bvh;
use surefoot_measure::{Figures, headline, price, report_of_edit};
use surefoot_solve::{Report, clean};

use crate::args::{Force, Told};
use crate::cleaning::{figures, measure_scene, note_words, scene_notes};
use crate::commands::clean::How;
use crate::found::warnings;
use crate::input::is_dash;
use crate::limits::Limits;
use crate::output::{Existing, Output, claim_all, json, print, write_all};
use crate::plants;
use crate::problem::{Problem, Stop, warn};
use crate::scene::Scene;
use crate::taken::Taken;
use crate::tell::{bullets, plain, wrapped};

/// How an edit ends.
#[derive(Args, Debug)]
pub struct Ending {
    /// The file to write; - is stdout [default: named after the first file and the edit]
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    /// Write the plants that were held, to be edited; - is stdout [default: none are written]
    #[arg(long, value_name = "PLANTS", value_hint = ValueHint::FilePath)]
    pub plants_out: Option<PathBuf>,

    /// Write a report: before, edited and clean, one HTML page; - is stdout [default: none is written]
    #[arg(long, value_name = "REPORT.html", value_hint = ValueHint::FilePath)]
    pub report: Option<PathBuf>,

    /// Leave out the clean, to see what the edit alone does [default: clean]
    #[arg(long)]
    pub no_clean: bool,

    /// Print what was done as one JSON value [default: as text]
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
    pub motion: PathBuf,
    plants: Option<PathBuf>,
    report: Option<PathBuf>,
    /// A picture that the edit draws.
    pub picture: Option<PathBuf>,
}

impl Names {
    pub fn new(ending: &Ending, default: PathBuf, picture: Option<PathBuf>) -> Self {
        let motion = ending.output.clone().unwrap_or(default);
        Self { motion, plants: ending.plants_out.clone(), report: ending.report.clone(), picture }
    }

    fn all(&self) -> Vec<&Path> {
        let names = [Some(&self.motion), self.plants.as_ref(), self.report.as_ref(), self.picture.as_ref()];
        names.into_iter().flatten().map(PathBuf::as_path).collect()
    }

    pub fn claim(&self, ending: &Ending) -> Result<Vec<Output>, Problem> {
        let names = self.all();
        if ending.json && names.iter().any(|name| is_dash(name)) {
            let both = "--json and an output named - both want stdout";
            return Err(Problem::new(both).help("name the file with -o"));
        }
        claim_all(&names, Existing::from_force(ending.force.force))
    }
}

/// An edit that is done.
pub struct Ended {
    scene: Scene,
    plants: Footplants,
    text: Vec<u8>,
    after: Motion,
    pub figures: Figures,
    pub notes: Vec<String>,
    /// How far a loop is from itself a round later, in metres.
    pub periodic_m: Option<f64>,
}

impl Ended {
    /// What is performed in the file, read again.
    pub fn performance(&self) -> Motion {
        Motion { poses: self.after.poses[self.scene.first_frame..].to_vec(), ..self.after.clone() }
    }
}

/// Cleans an edit of `first`, writes its text, reads that again and measures it.
pub fn end(first: &Taken, edited: &Edited, looped: Option<&Loop>, ending: &Ending) -> Result<Ended, Problem> {
    let cannot =
        |why: String| Problem::new(format!("cannot do this to {}: {why}", plain(&first.looked.name)));
    let solved = surefoot_solve::Scene {
        skeleton: edited.motion.skeleton.clone(),
        fps: edited.motion.fps,
        legs: first.scene.legs.clone(),
        floor: first.scene.floor.clone(),
    };
    let settings = ending.how.settings(&first.looked.settings);
    let mut periodic_m = None;
    let (motion, held, report) = match (ending.no_clean, looped) {
        (true, _) => (edited.motion.clone(), edited.plants.clone(), Report::default()),
        (false, None) => {
            let (motion, report) = clean(&edited.motion, &solved, &edited.plants, &settings)
                .map_err(|error| cannot(error.to_string()))?;
            (motion, edited.plants.clone(), report)
        }
        (false, Some(looped)) => {
            let cleaned = looped::clean(&edited.motion, &solved, &edited.plants, looped, &settings)
                .map_err(|error| cannot(error.to_string()))?;
            periodic_m = Some(cleaned.periodic_m);
            (cleaned.motion, cleaned.plants, cleaned.report)
        }
    };
    let lead = first.lead();
    let with_lead = |motion: &Motion| Motion {
        poses: lead.iter().chain(&motion.poses).cloned().collect(),
        ..motion.clone()
    };
    let text = first.looked.bvh.write(&with_lead(&motion), &first.looked.space());
    let text = text.map_err(|error| cannot(error.to_string()))?;
    let mut bvh = Bvh::read(text.clone()).map_err(|error| cannot(error.to_string()))?;
    bvh.set_rate(first.looked.bvh.rate().value);
    let after = bvh.motion(&first.looked.space());
    let scene = Scene {
        motion: with_lead(&edited.motion),
        legs: first.scene.legs.clone(),
        floor: first.scene.floor.clone(),
        floor_of_plants: first.scene.floor_of_plants,
        first_frame: lead.len(),
    };
    let plants = in_file(&held, looped, motion.frames(), lead.len());
    let before = (!ending.no_clean).then_some(&scene.motion);
    let figures = figures(&after, before, &scene, &plants).map_err(cannot)?;
    let mut notes = scene_notes(&scene, &first.known);
    notes.extend(first.known.notes.iter().cloned());
    notes.extend(report.notes.iter().map(|note| {
        let mut note = note.clone();
        crate::cleaning::later(&mut note, lead.len());
        note_words(&scene.legs, &note)
    }));
    Ok(Ended { scene, plants, text, after, figures, notes, periodic_m })
}

/// Plants as a file has them: in its own frames, those across a seam in two.
fn in_file(plants: &Footplants, looped: Option<&Loop>, frames: usize, lead: usize) -> Footplants {
    let mut all = Footplants::default();
    for plant in &plants.plants {
        let mut put = |from: usize, to: usize, spot| {
            if from < to.min(frames) {
                let frames = from + lead..to.min(frames) + lead;
                all.plants.push(Plant { frames, spot, ..plant.clone() });
            }
        };
        put(plant.frames.start, plant.frames.end, plant.spot);
        if let Some(looped) = looped.filter(|looped| plant.frames.end > looped.period) {
            let spot = plant.spot.map(|spot| looped.travel.inverse().place(spot));
            let end = (plant.frames.end - looped.period).min(plant.frames.start);
            put(0, end, spot);
        }
    }
    all.sort();
    all
}

/// Writes all that was claimed, in that order.
pub fn write(
    names: &Names,
    outputs: Vec<Output>,
    ended: &Ended,
    columns: &[(&str, &Figures)],
    picture: Option<String>,
) -> Result<(), Stop> {
    let plants = names.plants.as_ref().map(|name| {
        let scene = Scene { motion: ended.after.clone(), ..copy(&ended.scene) };
        plants::written(name, &ended.plants, None, &scene)
    });
    let report = names.report.as_ref().map(|_| page(&names.motion, ended, columns)).transpose()?;
    let others: Vec<Vec<u8>> =
        [plants, report, picture].into_iter().flatten().map(String::into_bytes).collect();
    let bytes = [ended.text.as_slice()].into_iter().chain(others.iter().map(Vec::as_slice));
    write_all(outputs.into_iter().zip(bytes).collect())
}

fn copy(scene: &Scene) -> Scene {
    Scene {
        motion: Motion::default(),
        legs: scene.legs.clone(),
        floor: scene.floor.clone(),
        floor_of_plants: scene.floor_of_plants,
        first_frame: scene.first_frame,
    }
}

fn page(name: &Path, ended: &Ended, columns: &[(&str, &Figures)]) -> Result<String, Problem> {
    let Ended { scene, plants, after, figures, notes, .. } = ended;
    let floor = scene.floor_or_lowest();
    let page = surefoot_measure::Report {
        title: &name.file_name().unwrap_or_default().to_string_lossy(),
        after,
        before: figures.before.as_ref().map(|_| &scene.motion),
        scene: &measure_scene(scene, plants, &floor),
        figures,
        notes,
    };
    let edited = Figures { after: figures.before.clone().unwrap_or_default(), ..Figures::default() };
    let mut columns = columns.to_vec();
    if figures.before.is_some() {
        columns.push(("edited", &edited));
    }
    columns.push((if figures.before.is_some() { "clean" } else { "edited" }, figures));
    report_of_edit(&page, &columns).map_err(|error| Problem::new(format!("cannot make the report: {error}")))
}

/// What an edit's `--json` prints.
#[derive(Serialize)]
struct Done<'a, T> {
    motions: &'a [&'a str],
    output: &'a Path,
    plants_file: Option<&'a Path>,
    report: Option<&'a Path>,
    picture: Option<&'a Path>,
    clean: bool,
    edit: &'a T,
    notes: &'a [String],
    warnings: Vec<String>,
    limits_missed: Vec<String>,
    #[serde(flatten)]
    figures: &'a Figures,
}

/// Tells what was done, and whether it is good enough.
pub fn tell<T: Serialize>(
    ending: &Ending,
    names: &Names,
    taken: &[&Taken],
    ended: &Ended,
    (said, edit): (&str, &T),
) -> Result<(), Stop> {
    let motions: Vec<&str> = taken.iter().map(|taken| taken.looked.name.as_str()).collect();
    let limits = ending.limits.or(taken[0].looked.settings.limits);
    let warnings: Vec<String> = taken.iter().flat_map(|taken| warnings(&taken.looked)).collect();
    if ending.json {
        print(&json(&Done {
            motions: &motions,
            output: &names.motion,
            plants_file: names.plants.as_deref(),
            report: names.report.as_deref(),
            picture: names.picture.as_deref(),
            clean: !ending.no_clean,
            edit,
            notes: &ended.notes,
            warnings,
            limits_missed: limits.missed(&ended.figures),
            figures: &ended.figures,
        })?)?;
        return limits.check(&ended.figures);
    }
    warnings.iter().for_each(|warning| warn(&plain(warning)));
    let text = text(names, &motions, ended, said);
    if names.all().iter().any(|name| is_dash(name)) {
        eprint!("{text}");
    } else {
        print(text.as_bytes())?;
    }
    limits.check(&ended.figures)
}

fn text(names: &Names, motions: &[&str], ended: &Ended, said: &str) -> String {
    let mut text = format!("{}\n{said}\n", plain(&motions.join(" and ")));
    text += &format!("{}\n", headline(&ended.figures));
    text += &price(&ended.figures).map_or_else(String::new, |price| wrapped(&price, 0, ""));
    text += &ended.figures.table();
    text += &bullets("Notes", &ended.notes);
    text.push('\n');
    let written = [
        (Some(&names.motion), "the motion"),
        (names.plants.as_ref(), "the plants that were held, to edit"),
        (names.report.as_ref(), "the report, for a browser"),
        (names.picture.as_ref(), "the map, for a browser"),
    ];
    for (name, what) in written {
        if let Some(name) = name.filter(|name| !is_dash(name)) {
            text += &format!("{}: {what}\n", name.display());
        }
    }
    text
}
