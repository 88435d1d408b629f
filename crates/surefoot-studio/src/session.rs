//! One editing session: answers the requests of the page.
//!
//! A request is one line of JSON, optionally followed by the bytes of a file. The answer is JSON, a
//! file or an array of numbers. The session owns the open file, the page owns the plants.

use std::path::Path;

use serde_json::{Value, json};
use surefoot::{
    CONTACTS_DETECTED, CleanFile, PlantsSource, Preset, parse_plants, plants_text, settings_to_json,
    without_inserted_frames,
};
use surefoot_core::{Footplants, FrameRange, JointPoint, Vec3, WorldPose};
use surefoot_formats::bvh::from_motion;
use surefoot_formats::plants::PlantsError;
use surefoot_formats::source::Format;
use surefoot_formats::{Space, rig};
use surefoot_measure::{EventKind, Unit, cost, headline, review};
use surefoot_sample::{Recipe, Skate, damage, walk};
use surefoot_solve::Settings;

use crate::curves::{CURVES_PER_LEG, curves};
use crate::messages::{LegMessage, PageRequest, plants_from_message, plants_to_message};
use crate::open_file::{Changes, OpenFile, PlantsEdit};
#[cfg(feature = "full")]
use crate::page_mesh::{bone_matrices, page_mesh};
use crate::read_file::studio_parameters;
use crate::reasons::reasons;

/// The state of one page: the open file and its settings.
#[derive(Default)]
pub struct Session {
    open: Option<OpenFile>,
    /// The plants as they were detected or read. Plants that equal these keep their source and notes.
    origin: PlantsEdit,
    /// The settings of the chosen preset.
    base: Settings,
}

impl Session {
    /// Executes the request in the first line of `input` with the bytes after it. Returns the answer or
    /// an error message for the user. After an error the session is as it was before.
    pub fn call(&mut self, input: &[u8]) -> Result<Vec<u8>, String> {
        let end = input.iter().position(|&byte| byte == b'\n').unwrap_or(input.len());
        let request: PageRequest =
            serde_json::from_slice(&input[..end]).map_err(|error| error.to_string())?;
        let rest = input.get(end + 1..).unwrap_or_default();
        let ends_in_panic = request.trap;
        let answer = self.answer(request, rest);
        assert!(!ends_in_panic, "a test of the page has requested a panic");
        answer
    }

    fn answer(&mut self, request: PageRequest, rest: &[u8]) -> Result<Vec<u8>, String> {
        let PageRequest { kind, name, file, cleaning, after, start, end, .. } = request;
        match kind.as_str() {
            "sample" => sample(),
            "format" => Ok(json!(Format::of(rest).as_str()).to_string().into_bytes()),
            "open" => {
                // If this fails, the file that was open stays open.
                let given = studio_parameters(&cleaning)?;
                self.open = Some(OpenFile::new(name, rest, &file, given.settings(Preset::Clean))?);
                self.base = given.preset().unwrap_or_default().settings();
                self.about()
            }
            "about" => self.about(),
            "detect" => {
                self.origin = self.open()?.detect();
                Ok(plants_json(&self.origin))
            }
            "read_plants" => {
                self.origin = read_plants(self.open()?, &name, rest)?;
                Ok(plants_json(&self.origin))
            }
            "clean" => {
                let clip = &self.open()?.file.clip;
                let plants = plants_from_message(&request.plants, clip.legs.len(), clip.motion.frames())?;
                self.clean(plants, request.ground.map(Vec3::from_array))
            }
            "positions" => self.with_frames(start..end, |open, frames| positions(open, after, frames)),
            #[cfg(feature = "full")]
            "mesh" => Ok(page_mesh(self.open()?)),
            #[cfg(feature = "full")]
            "bones" => {
                self.with_frames(start..end, |open, frames| bone_matrices(open, open.bones(), after, frames))
            }
            "curves" => self.with_frames(start..end, |open, frames| curves(open, after, frames)),
            "joint_offset" => {
                let position = Vec3::from_array(request.position);
                let offset = self.open()?.joint_offset(request.joint, request.frame, position);
                let offset = offset.ok_or("the joint or frame does not exist")?;
                Ok(json!(offset.to_array()).to_string().into_bytes())
            }
            "figures" => self.figures(),
            "write" => self.write(&request.output),
            _ => Err(format!("unknown request {kind:?}")),
        }
    }

    fn open(&self) -> Result<&OpenFile, String> {
        self.open.as_ref().ok_or_else(|| "no file is open".to_owned())
    }

    fn about(&self) -> Result<Vec<u8>, String> {
        Ok(about(self.open()?, &self.base).to_string().into_bytes())
    }

    fn clean(&mut self, plants: Footplants, ground_velocity: Option<Vec3>) -> Result<Vec<u8>, String> {
        let is_origin = self.origin.plants == plants && self.origin.ground_velocity == ground_velocity;
        let edit = match is_origin {
            true => self.origin.clone(),
            // Notes about the file that the plants were read from stay true after an edit.
            false => PlantsEdit {
                plants,
                ground_velocity,
                source: PlantsSource::Given,
                notes: self.origin.notes.clone(),
            },
        };
        let open = self.open.as_mut().ok_or("no file is open")?;
        let Changes { frames, all_frames } = open.clean(edit)?;
        let report = open.report();
        let spots = report.plants.iter().map(|plant| plant.spot.map(|spot| spot.to_array()));
        let drifts: Vec<f64> = report.plants.iter().map(|plant| plant.drift_m).collect();
        let ranges: Vec<[usize; 2]> = frames.iter().map(|range| [range.start, range.end]).collect();
        let answer = json!({
            "ranges": ranges,
            "all_frames_changed": all_frames,
            "plants": plants_to_message(&open.file.clip.plants),
            "spots": spots.collect::<Vec<_>>(),
            "drifts": drifts,
            "reasons": reasons(&report),
        });
        Ok(answer.to_string().into_bytes())
    }

    fn with_frames(
        &self,
        frames: FrameRange,
        work: impl Fn(&OpenFile, FrameRange) -> Vec<f32>,
    ) -> Result<Vec<u8>, String> {
        let open = self.open()?;
        let count = open.file.clip.motion.frames();
        if frames.start > frames.end || frames.end > count {
            return Err(format!("frames {frames:?} were requested, but the motion has {count} frames"));
        }
        Ok(work(open, frames).into_iter().flat_map(f32::to_le_bytes).collect())
    }

    fn figures(&self) -> Result<Vec<u8>, String> {
        let open = self.open()?;
        let CleanFile { figures, mut notes, .. } = open.clean_file()?;
        // The page shows the plants and edits them, so it needs no note about a plants file.
        notes.retain(|note| note.text != CONTACTS_DETECTED);
        let located: Vec<_> = notes.iter().map(|note| (note.frame, note.text.clone())).collect();
        let items = review(&open.at_rest, &figures, &located);
        let notes = notes.iter().map(|note| json!({ "frame": note.frame, "text": note.text }));
        let drifts = figures.plants.iter().map(|plant| {
            let text = |drift: Option<f64>| drift.map(|drift| Unit::Metres.format(drift));
            json!([plant.before.as_ref().and_then(|before| text(before.drift)), text(plant.after.drift)])
        });
        let worst = figures.events.worst(&INTRODUCED);
        let answer = json!({
            "headline": headline(&figures),
            "cost": cost(&figures),
            "table": figures.table(),
            "drifts": drifts.collect::<Vec<_>>(),
            "notes": notes.collect::<Vec<_>>(),
            "review": items,
            "worst_event": worst.map(|(kind, event)| json!({ "frame": event.first, "text": event.sentence(kind) })),
        });
        Ok(answer.to_string().into_bytes())
    }

    fn write(&self, output: &str) -> Result<Vec<u8>, String> {
        let open = self.open()?;
        let file = &open.file;
        match output {
            "motion" => open.clean_file().map(|clean| clean.bytes),
            "plants" => Ok(plants_text(Path::new("plants.json"), &file.clip).into_bytes()),
            "table" => Ok(plants_text(Path::new("plants.csv"), &file.clip).into_bytes()),
            "rig" => Ok(rig::write(file.source.skeleton(), &file.inference).into_bytes()),
            #[cfg(feature = "full")]
            "report" => {
                // The report is about the clean file, and is named after it.
                let (stem, ending) = file.name.rsplit_once('.').unwrap_or((&file.name, "bvh"));
                let page = open.clean_file()?.report_page(&format!("{stem}.clean.{ending}"));
                page.map(String::into_bytes).map_err(|error| format!("cannot make the report: {error}"))
            }
            other => Err(format!("unknown kind of file {other:?}")),
        }
    }
}

/// The kinds of events that are in the cleaned motion and not in the capture.
const INTRODUCED: [EventKind; 5] =
    [EventKind::NewSlide, EventKind::Teleport, EventKind::KneePop, EventKind::Scrape, EventKind::Deeper];

/// The bytes of a sample walk that skates: its root path is scaled by 1.1.
fn sample() -> Result<Vec<u8>, String> {
    let Recipe { fps, seconds, seed, .. } = Recipe::default();
    let mut sample = walk(fps, seconds, seed).map_err(|error| error.to_string())?;
    damage(&mut sample.motion, Skate::Scale(1.1), seed);
    let space = Space { unit_m: 0.01, ..Space::METRES_Y_UP };
    from_motion(&sample.motion, &space).map_err(|error| error.to_string())
}

fn plants_json(edit: &PlantsEdit) -> Vec<u8> {
    let ground = edit.ground_velocity.map(|velocity| velocity.to_array());
    json!({ "plants": plants_to_message(&edit.plants), "ground": ground }).to_string().into_bytes()
}

/// Reads a plants file. Errors have the text that the command prints.
fn read_plants(open: &OpenFile, name: &str, bytes: &[u8]) -> Result<PlantsEdit, String> {
    let clip = &open.file.clip;
    let (plants, ground_velocity) = parse_plants(name, bytes, clip).map_err(|error| {
        let help = match error {
            PlantsError::Frames { .. } | PlantsError::Fps { .. } => "\nplants belong to one motion",
            _ => "",
        };
        format!("{name}: {error}{help}")
    })?;
    let (plants, notes) = without_inserted_frames(plants, clip);
    Ok(PlantsEdit { plants, ground_velocity, source: PlantsSource::Given, notes })
}

fn about(open: &OpenFile, base: &Settings) -> Value {
    let skeleton = &open.at_rest.motion.skeleton;
    let joints = skeleton.joints().iter();
    let joints =
        joints.map(|joint| json!({ "name": joint.name, "parent": joint.parent.map(|parent| parent.0) }));
    let inference = &open.file.inference;
    let legs = inference.legs.iter().flat_map(|legs| &legs.value).map(LegMessage::from_leg);
    let given =
        open.given_legs.as_ref().map(|legs| legs.iter().map(LegMessage::from_override).collect::<Vec<_>>());
    let plane = open
        .floor
        .as_plane()
        .map(|plane| json!([plane.normal.x, plane.normal.y, plane.normal.z, plane.offset]));
    let surface = open.at_rest.floor.as_ref().and_then(|floor| floor.as_surface());
    let contents = open.file.source.contents();
    let animations =
        contents.animations.iter().map(|one| json!({ "name": one.name, "seconds": one.seconds }));
    let triangles = surface.map(|surface| {
        let corners = surface.triangles().take(MAX_DRAWN_TRIANGLES).flatten();
        corners.flat_map(|corner| corner.to_array()).map(|x| x as f32).collect::<Vec<_>>()
    });
    json!({
        "name": open.file.name,
        "frames": open.at_rest.motion.frames(),
        "fps": open.at_rest.motion.fps,
        "first": open.first_frame(),
        "joints": joints.collect::<Vec<_>>(),
        "legs": legs.collect::<Vec<_>>(),
        "given_legs": given,
        "no_legs": open.no_legs,
        "unit_m": inference.unit_m.value,
        "unit_name": inference.unit_name,
        "up": inference.up.value.as_str(),
        "floor": plane,
        "mesh": triangles,
        "format": open.file.source.format().as_str(),
        "animations": animations.collect::<Vec<_>>(),
        "animation": contents.chosen,
        "has_mesh": contents.skins.iter().any(|skin| skin.vertices > 0),
        "has_floor": open.at_rest.floor.is_some(),
        "warnings": inference.warnings,
        "body": open.body.message(),
        "curves_per_leg": CURVES_PER_LEG,
        "defaults": settings_to_json(base),
    })
}

/// Largest number of floor triangles sent to the page. More would make drawing slow; the rest of the
/// floor is not drawn, but still used.
const MAX_DRAWN_TRIANGLES: usize = 100_000;

fn positions(open: &OpenFile, after: bool, frames: FrameRange) -> Vec<f32> {
    let (skeleton, legs) = (&open.at_rest.motion.skeleton, &open.at_rest.legs);
    let mut world = WorldPose::default();
    let points: Vec<JointPoint> = legs.iter().flat_map(|leg| [leg.heel, leg.ball, leg.toe]).collect();
    let points: Vec<JointPoint> = points.into_iter().chain(open.body.extra.iter().copied()).collect();
    let mut numbers = Vec::with_capacity(frames.len() * 3 * (skeleton.len() + points.len()));
    for frame in frames {
        open.pose(after, frame).forward_kinematics(skeleton, &mut world);
        let all = world.positions.iter().copied().chain(points.iter().map(|point| world.point(point)));
        numbers.extend(all.flat_map(|position| position.to_array()).map(|x| x as f32));
    }
    numbers
}
