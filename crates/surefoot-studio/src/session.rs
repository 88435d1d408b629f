//! One editing session: the page asks, the crates answer.
//!
//! What goes in is a line of JSON and perhaps bytes after it; what comes out is JSON, a file or numbers. The
//! session holds one file; the page holds the plants.

use std::path::Path;

use serde_json::{Value, json};
use surefoot_core::{Footplants, FrameRange, Vec3, WorldPose};
use surefoot_formats::bvh::from_motion;
use surefoot_formats::plants::PlantsError;
use surefoot_formats::{Space, rig};
use surefoot_job::{
    Finished, Known, Said, finish, page, read_plants, scene_notes, standing, without_t_pose, written,
};
use surefoot_measure::{Unit, headline, price, report};
use surefoot_sample::{Recipe, Skate, make};
use surefoot_solve::Settings;

use crate::asked::{Asked, PageLeg, from_page, to_page};
use crate::curves::{EACH_LEG, curves};
use crate::opened::Opened;

/// What the page talks to.
#[derive(Default)]
pub struct Session {
    opened: Option<Opened>,
    /// The plants as they were found or read: while they are these, what is said of them holds.
    origin: Known,
    /// What holds where no setting says otherwise.
    base: Settings,
}

impl Session {
    /// Does what the first line asks with the bytes after it; or says why not.
    pub fn call(&mut self, input: &[u8]) -> Result<Vec<u8>, String> {
        let end = input.iter().position(|&byte| byte == b'\n').unwrap_or(input.len());
        let asked: Asked = serde_json::from_slice(&input[..end]).map_err(|error| error.to_string())?;
        let rest = input.get(end + 1..).unwrap_or_default();
        let Asked { ask, name, told, how, after, start, end, .. } = asked;
        match ask.as_str() {
            "sample" => sample(),
            "open" => {
                // What was open stays open if this cannot be.
                self.opened = Some(Opened::new(name, rest, &told, how.settings())?);
                self.base = how.base();
                self.about()
            }
            "about" => self.about(),
            "detect" => {
                let opened = self.opened()?;
                self.origin = standing(opened.detected(), &opened.room);
                Ok(plants_json(&self.origin))
            }
            "read_plants" => {
                self.origin = plants_of(self.opened()?, &name, rest)?;
                Ok(plants_json(&self.origin))
            }
            "clean" => {
                let scene = &self.opened()?.room;
                let plants = from_page(&asked.plants, scene.legs.len(), scene.motion.frames())?;
                self.clean(plants, asked.ground.map(Vec3::from_array))
            }
            "places" => self.with_frames(start..end, |opened, frames| places(opened, after, frames)),
            "curves" => self.with_frames(start..end, |opened, frames| curves(opened, after, frames)),
            "point_on" => {
                let place = Vec3::from_array(asked.place);
                let offset = self.opened()?.point_on(asked.joint, asked.frame, place);
                let offset = offset.ok_or("no such joint or frame")?;
                Ok(json!(offset.to_array()).to_string().into_bytes())
            }
            "figures" => self.figures(),
            "write" => self.write(&asked.what),
            _ => Err(format!("nobody knows how to {ask}")),
        }
    }

    fn opened(&self) -> Result<&Opened, String> {
        self.opened.as_ref().ok_or_else(|| "no file is open".to_owned())
    }

    fn about(&self) -> Result<Vec<u8>, String> {
        Ok(about(self.opened()?, &self.base).to_string().into_bytes())
    }

    fn clean(&mut self, plants: Footplants, ground: Option<Vec3>) -> Result<Vec<u8>, String> {
        let is_origin = self.origin.plants == plants && self.origin.ground == ground;
        let known = match is_origin {
            true => self.origin.clone(),
            // What was said of a file's plants when it was read stays true of it.
            false => Known { plants, ground, found: false, notes: self.origin.notes.clone() },
        };
        let opened = self.opened.as_mut().ok_or("no file is open")?;
        let (runs, is_new) = opened.clean(known)?;
        let report = opened.report();
        let spots = report.plants.iter().map(|plant| plant.spot.map(|spot| spot.to_array()));
        let slides: Vec<f64> = report.plants.iter().map(|plant| plant.slide_m).collect();
        let runs: Vec<[usize; 2]> = runs.iter().map(|run| [run.start, run.end]).collect();
        let answer = json!({
            "runs": runs,
            "is_new": is_new,
            "plants": to_page(&opened.known.plants),
            "spots": spots.collect::<Vec<_>>(),
            "slides": slides,
        });
        Ok(answer.to_string().into_bytes())
    }

    fn with_frames(
        &self,
        frames: FrameRange,
        work: impl Fn(&Opened, FrameRange) -> Vec<f32>,
    ) -> Result<Vec<u8>, String> {
        let opened = self.opened()?;
        if frames.start > frames.end || frames.end > opened.room.motion.frames() {
            return Err(format!("no frames {frames:?}"));
        }
        Ok(work(opened, frames).into_iter().flat_map(f32::to_le_bytes).collect())
    }

    /// The clean text, read again and measured.
    fn finished(&self) -> Result<Finished, String> {
        let opened = self.opened()?;
        if let Some(none) = &opened.no_legs {
            return Err(none.clone());
        }
        let (clean, report) = opened.cleaned();
        let cannot = |why| format!("cannot do this to {}: {why}", opened.name);
        let mut finished = finish(opened.work(clean, &report)).map_err(cannot)?;
        // As the command says it: first of the file and its plants, then of how it was cleaned.
        let known = &opened.known;
        let general = scene_notes(&opened.scene(), known).into_iter().chain(known.notes.iter().cloned());
        finished.notes.splice(..0, general.map(Said::from));
        Ok(finished)
    }

    fn figures(&self) -> Result<Vec<u8>, String> {
        let Finished { figures, notes, .. } = self.finished()?;
        let notes = notes.iter().map(|note| json!({ "frame": note.frame, "said": note.said }));
        let drifts = figures.plants.iter().map(|plant| {
            let drift = |held: Option<f64>| held.map(|drift| Unit::Metres.say(drift));
            json!([plant.before.as_ref().and_then(|held| drift(held.drift)), drift(plant.after.drift)])
        });
        let answer = json!({
            "headline": headline(&figures),
            "price": price(&figures),
            "table": figures.table(),
            "drifts": drifts.collect::<Vec<_>>(),
            "notes": notes.collect::<Vec<_>>(),
        });
        Ok(answer.to_string().into_bytes())
    }

    fn write(&self, what: &str) -> Result<Vec<u8>, String> {
        let opened = self.opened()?;
        let (scene, Known { plants, ground, .. }) = (&opened.scene(), &opened.known);
        match what {
            "motion" => self.finished().map(|finished| finished.text),
            "plants" => Ok(written(Path::new("plants.json"), plants, *ground, scene).into_bytes()),
            "table" => Ok(written(Path::new("plants.csv"), plants, *ground, scene).into_bytes()),
            "rig" => Ok(rig::write(opened.bvh.skeleton(), &opened.understanding).into_bytes()),
            "report" => {
                let Finished { after, figures, notes, .. } = self.finished()?;
                let notes: Vec<String> = notes.into_iter().map(|note| note.said).collect();
                // The report is of the clean file, and is called after it.
                let stem = opened.name.rsplit_once('.').map_or(opened.name.as_str(), |(stem, _)| stem);
                let page =
                    page(&format!("{stem}.clean.bvh"), (scene, plants), &after, &figures, &notes, |page| {
                        report(&page)
                    });
                page.map(String::into_bytes).map_err(|error| format!("cannot make the report: {error}"))
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

fn plants_json(known: &Known) -> Vec<u8> {
    let ground = known.ground.map(|ground| ground.to_array());
    json!({ "plants": to_page(&known.plants), "ground": ground }).to_string().into_bytes()
}

/// The plants in a file; or why not, in the words of the command.
fn plants_of(opened: &Opened, name: &str, bytes: &[u8]) -> Result<Known, String> {
    let scene = &opened.room;
    let (plants, ground) = read_plants(name, bytes, scene).map_err(|error| {
        let help = match error {
            PlantsError::Frames { .. } | PlantsError::Fps { .. } => "\nplants belong to one motion",
            _ => "",
        };
        format!("{name}: {error}{help}")
    })?;
    let (plants, notes) = without_t_pose(plants, scene);
    Ok(Known { plants, ground, found: false, notes })
}

fn about(opened: &Opened, base: &Settings) -> Value {
    let skeleton = &opened.seen.motion.skeleton;
    let joints = skeleton.joints().iter();
    let joints =
        joints.map(|joint| json!({ "name": joint.name, "parent": joint.parent.map(|parent| parent.0) }));
    let found = &opened.understanding;
    let legs = found.legs.iter().flat_map(|legs| &legs.value).map(PageLeg::of_found);
    let given = opened.given_legs.as_ref().map(|legs| legs.iter().map(PageLeg::of_given).collect::<Vec<_>>());
    let plane = opened
        .floor
        .as_plane()
        .map(|plane| json!([plane.normal.x, plane.normal.y, plane.normal.z, plane.offset]));
    let surface = opened.seen.floor.as_ref().and_then(|floor| floor.as_surface());
    let triangles = surface.map(|surface| {
        let corners = surface.triangles().take(MOST_TRIANGLES).flatten();
        corners.flat_map(|corner| corner.to_array()).map(|x| x as f32).collect::<Vec<_>>()
    });
    let Settings { stretch, spots, ankles, root, knee, blend, snap, .. } = base;
    json!({
        "name": opened.name,
        "frames": opened.seen.motion.frames(),
        "fps": opened.seen.motion.fps,
        "first": opened.first(),
        "joints": joints.collect::<Vec<_>>(),
        "legs": legs.collect::<Vec<_>>(),
        "given_legs": given,
        "no_legs": opened.no_legs,
        "unit_m": found.unit_m.value,
        "unit_name": found.unit_name,
        "up": found.up.value.as_str(),
        "floor": plane,
        "mesh": triangles,
        "has_floor": opened.seen.floor.is_some(),
        "warnings": found.warnings,
        "curves_each_leg": EACH_LEG,
        "usual": {
            "stretch": stretch, "spots": spots, "ankles": ankles, "root": root, "knee": knee,
            "blend": blend, "snap": snap,
        },
    })
}

/// More triangles of a floor than this are not drawn.
const MOST_TRIANGLES: usize = 100_000;

fn places(opened: &Opened, after: bool, frames: FrameRange) -> Vec<f32> {
    let (skeleton, legs) = (&opened.seen.motion.skeleton, &opened.seen.legs);
    let mut placed = WorldPose::default();
    let mut places = Vec::with_capacity(frames.len() * 3 * (skeleton.len() + 3 * legs.len()));
    for frame in frames {
        opened.pose(after, frame).forward_kinematics(skeleton, &mut placed);
        let points = legs.iter().flat_map(|leg| [leg.heel, leg.ball, leg.toe]);
        let points = points.map(|point| placed.point(&point));
        let all = placed.positions.iter().copied().chain(points);
        places.extend(all.flat_map(|place| place.to_array()).map(|x| x as f32));
    }
    places
}
