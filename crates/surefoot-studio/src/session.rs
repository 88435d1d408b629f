//! One editing session: the page asks, the crates answer.
//!
//! What goes in is a line of JSON and perhaps bytes after it; what comes out is JSON, a file or numbers. The
//! session holds one file; the page holds the plants.

use serde_json::{Value, json};
use surefoot_core::{FootPoint, Footplants, FrameRange, Leg, Motion, Placed};
use surefoot_formats::Space;
use surefoot_formats::bvh::{Bvh, from_motion};
use surefoot_formats::plants::{PlantsFile, read_csv, write_csv};
use surefoot_formats::rig;
use surefoot_measure::{Figures, Unit, headline, measure, price, report};
use surefoot_sample::{Recipe, Skate, make};
use surefoot_solve::Note;

use crate::asked::{Asked, from_page, to_page};
use crate::curves::{EACH_LEG, curves};
use crate::opened::Opened;

/// A plant that misses its target by no more than this is met, in metres: what a file can show.
const MET: f64 = 1e-6;

/// What the page talks to.
#[derive(Default)]
pub struct Session {
    opened: Option<Opened>,
    plants: Footplants,
}

impl Session {
    /// Does what the first line asks with the bytes after it; or says why not.
    pub fn call(&mut self, input: &[u8]) -> Result<Vec<u8>, String> {
        let end = input.iter().position(|&byte| byte == b'\n').unwrap_or(input.len());
        let asked = serde_json::from_slice(&input[..end]).map_err(|error| error.to_string())?;
        let rest = input.get(end + 1..).unwrap_or_default();
        match asked {
            Asked::Sample => sample(),
            Asked::Open { name, told, how } => {
                self.opened = None;
                let opened = Opened::new(name, rest, &told, how.settings())?;
                let about = about(&opened);
                self.opened = Some(opened);
                Ok(about.to_string().into_bytes())
            }
            Asked::Detect => Ok(plants_json(&self.opened()?.detected())),
            Asked::ReadPlants { name } => Ok(plants_json(&read_plants(self.opened()?, &name, rest)?)),
            Asked::Clean { plants } => self.clean(from_page(&plants)),
            Asked::Places { after, start, end } => {
                self.with_frames(start..end, |opened, frames| places(opened, after, frames))
            }
            Asked::Curves { after, start, end } => {
                self.with_frames(start..end, |opened, frames| curves(opened, after, frames))
            }
            Asked::Figures => self.figures(),
            Asked::Write { what } => self.write(&what),
        }
    }

    fn opened(&self) -> Result<&Opened, String> {
        self.opened.as_ref().ok_or_else(|| "no file is open".to_owned())
    }

    fn clean(&mut self, plants: Footplants) -> Result<Vec<u8>, String> {
        let opened = self.opened.as_mut().ok_or("no file is open")?;
        let runs = opened.clean(&plants)?;
        self.plants = plants;
        let opened = self.opened()?;
        let report = opened.again.report();
        let spots = report.plants.iter().map(|plant| plant.spot.map(|spot| spot.to_array()));
        let slides: Vec<f64> = report.plants.iter().map(|plant| plant.slide_m).collect();
        let runs: Vec<[usize; 2]> = runs.iter().map(|run| [run.start, run.end]).collect();
        let plants = to_page(&self.plants);
        let answer =
            json!({ "runs": runs, "plants": plants, "spots": spots.collect::<Vec<_>>(), "slides": slides });
        Ok(answer.to_string().into_bytes())
    }

    fn with_frames(
        &self,
        frames: FrameRange,
        work: impl Fn(&Opened, FrameRange) -> Vec<f32>,
    ) -> Result<Vec<u8>, String> {
        let opened = self.opened()?;
        if frames.start > frames.end || frames.end > opened.motion.frames() {
            return Err(format!("no frames {frames:?}"));
        }
        Ok(work(opened, frames).into_iter().flat_map(f32::to_le_bytes).collect())
    }

    /// The clean text, and the motion in it, read again.
    fn written(&self) -> Result<(Vec<u8>, Motion), String> {
        let opened = self.opened()?;
        let cannot = |why: String| format!("cannot clean {}: {why}", opened.name);
        let text =
            opened.bvh.write(&opened.after(), &opened.space).map_err(|error| cannot(error.to_string()))?;
        let mut bvh = Bvh::read(text.clone()).map_err(|error| cannot(error.to_string()))?;
        bvh.set_rate(opened.bvh.rate().value);
        let motion = bvh.motion(&opened.space);
        Ok((text, motion))
    }

    fn measured(&self) -> Result<(Figures, Motion, Vec<String>), String> {
        let opened = self.opened()?;
        let (_, after) = self.written()?;
        let floor = opened.floor_or_lowest();
        let scene = surefoot_measure::Scene {
            first_frame: opened.first,
            ..surefoot_measure::Scene::new(&opened.legs, &self.plants, &floor)
        };
        let mut figures = measure(&after, Some(&opened.motion), &scene).map_err(|error| error.to_string())?;
        if opened.floor.is_none() {
            for measured in figures.before.iter_mut().chain([&mut figures.after]) {
                measured.penetration_max_m = None;
                measured.float_max_m = None;
            }
        }
        let report = opened.again.report();
        for (plant, took) in figures.plants.iter_mut().zip(&report.plants) {
            plant.unmet = Some(took.slide_m).filter(|&slide| slide > MET);
        }
        let notes =
            report.notes.iter().map(|note| said(&opened.legs, note, opened.first)).map(|(_, said)| said);
        Ok((figures, after, notes.collect()))
    }

    fn figures(&self) -> Result<Vec<u8>, String> {
        let opened = self.opened()?;
        let (figures, _, _) = self.measured()?;
        let notes = opened.again.report().notes;
        let notes = notes.iter().map(|note| said(&opened.legs, note, opened.first));
        let notes: Vec<Value> = notes.map(|(frame, said)| json!({ "frame": frame, "said": said })).collect();
        let drifts = figures.plants.iter().map(|plant| {
            let drift = |held: Option<f64>| held.map(|drift| Unit::Metres.say(drift));
            json!([plant.before.as_ref().and_then(|held| drift(held.drift)), drift(plant.after.drift)])
        });
        let answer = json!({
            "headline": headline(&figures),
            "price": price(&figures),
            "table": figures.table(),
            "figures": figures,
            "drifts": drifts.collect::<Vec<_>>(),
            "notes": notes,
        });
        Ok(answer.to_string().into_bytes())
    }

    fn write(&self, what: &str) -> Result<Vec<u8>, String> {
        let opened = self.opened()?;
        let Opened { motion, legs, .. } = opened;
        match what {
            "motion" => self.written().map(|(text, _)| text),
            "plants" => {
                Ok(PlantsFile::new(&self.plants, legs, motion.frames(), motion.fps).write().into_bytes())
            }
            "table" => Ok(write_csv(&self.plants, legs, motion.frames()).into_bytes()),
            "rig" => Ok(rig::write(opened.bvh.skeleton(), &opened.understanding).into_bytes()),
            "report" => {
                let (figures, after, notes) = self.measured()?;
                let floor = opened.floor_or_lowest();
                let scene = surefoot_measure::Scene {
                    first_frame: opened.first,
                    ..surefoot_measure::Scene::new(legs, &self.plants, &floor)
                };
                let page = surefoot_measure::Report {
                    title: &opened.name,
                    after: &after,
                    before: Some(motion),
                    scene: &scene,
                    figures: &figures,
                    notes: &notes,
                };
                report(&page).map(String::into_bytes).map_err(|error| error.to_string())
            }
            other => Err(format!("no file of kind {other}")),
        }
    }
}

/// A walk whose path is longer than its steps.
fn sample() -> Result<Vec<u8>, String> {
    let recipe = Recipe { skate: Some(Skate::Scale(1.1)), ..Recipe::default() };
    let sample = make(&recipe).map_err(|error| error.to_string())?;
    let space = Space { unit_m: 0.01, ..Space::METRES_Y_UP };
    from_motion(&sample.motion, &space).map_err(|error| error.to_string())
}

fn plants_json(plants: &Footplants) -> Vec<u8> {
    json!(to_page(plants)).to_string().into_bytes()
}

fn read_plants(opened: &Opened, name: &str, bytes: &[u8]) -> Result<Footplants, String> {
    let Opened { motion, legs, first, .. } = opened;
    let read = if name.to_ascii_lowercase().ends_with(".csv") {
        read_csv(bytes, legs, motion.frames())
    } else {
        PlantsFile::read(bytes).and_then(|file| file.plants(legs, motion.frames(), motion.fps))
    };
    let mut plants = read.map_err(|error| format!("{name}: {error}"))?;
    plants.plants.iter_mut().for_each(|plant| plant.frames.start = plant.frames.start.max(*first));
    plants.plants.retain(|plant| !plant.frames.is_empty());
    Ok(plants)
}

fn about(opened: &Opened) -> Value {
    let skeleton = &opened.motion.skeleton;
    let joints = skeleton.joints().iter();
    let joints =
        joints.map(|joint| json!({ "name": joint.name, "parent": joint.parent.map(|parent| parent.0) }));
    let legs = opened
        .legs
        .iter()
        .map(|leg| json!({ "side": leg.side, "hip": leg.hip.0, "knee": leg.knee.0, "ankle": leg.ankle.0 }));
    let found = &opened.understanding;
    let plane = opened
        .floor_or_lowest()
        .as_plane()
        .map(|plane| json!([plane.normal.x, plane.normal.y, plane.normal.z, plane.offset]));
    let surface = opened.floor.as_ref().and_then(|floor| floor.as_surface());
    let triangles = surface.map(|surface| {
        surface
            .triangles()
            .take(100_000)
            .flatten()
            .flat_map(|corner| corner.to_array())
            .map(|x| x as f32)
            .collect::<Vec<_>>()
    });
    json!({
        "name": opened.name,
        "frames": opened.motion.frames(),
        "fps": opened.motion.fps,
        "first": opened.first,
        "joints": joints.collect::<Vec<_>>(),
        "legs": legs.collect::<Vec<_>>(),
        "unit_m": found.unit_m.value,
        "unit_name": found.unit_name,
        "up": found.up.value.word(),
        "floor": plane,
        "mesh": triangles,
        "has_floor": opened.floor.is_some(),
        "warnings": found.warnings,
        "curves_each_leg": EACH_LEG,
    })
}

fn places(opened: &Opened, after: bool, frames: FrameRange) -> Vec<f32> {
    let skeleton = &opened.motion.skeleton;
    let mut placed = Placed::default();
    let mut places = Vec::with_capacity(frames.len() * 3 * (skeleton.len() + 3 * opened.legs.len()));
    for frame in frames {
        opened.pose(after, frame).place(skeleton, &mut placed);
        let points = opened.legs.iter().flat_map(|leg| [leg.heel, leg.ball, leg.toe]);
        let points = points.map(|point| placed.point(&point));
        let all = placed.positions.iter().copied().chain(points);
        places.extend(all.flat_map(|place| place.to_array()).map(|x| x as f32));
    }
    places
}

/// A note in words, and the frame it is about.
fn said(legs: &[Leg], note: &Note, first: usize) -> (usize, String) {
    let side = |leg: &usize| legs.get(*leg).map_or("no such", |leg| leg.side.as_str());
    let span = |frames: &FrameRange| {
        format!("frames {}–{}", frames.start + first, (frames.end + first).saturating_sub(1))
    };
    let point = |point: &FootPoint| point.word();
    match note {
        Note::OutOfReach { leg, frames, by_m } => (
            frames.start + first,
            format!(
                "{} foot, {}: out of reach, so it slides by up to {:.2} mm",
                side(leg),
                span(frames),
                by_m * 1000.0
            ),
        ),
        Note::WrongSize { leg, point: p, frames, by_m } => (
            frames.start + first,
            format!(
                "{} {}, {}: its spot does not fit the size of the foot, it stays {:.2} mm away",
                side(leg),
                point(p),
                span(frames),
                by_m * 1000.0
            ),
        ),
        Note::NotHeld { leg, point: p, frames, held } => (
            frames.start + first,
            format!(
                "{} {}, {}: held for {held} of {} frames",
                side(leg),
                point(p),
                span(frames),
                frames.len()
            ),
        ),
        Note::OffFloor { leg, point: p, frame, above_m } => (
            frame + first,
            format!(
                "{} {} from frame {}: stands {:.0} mm {} the floor and keeps its height",
                side(leg),
                point(p),
                frame + first,
                above_m.abs() * 1000.0,
                if *above_m < 0.0 { "below" } else { "above" }
            ),
        ),
        other => (first, format!("{other:?}")),
    }
}
