//! A file that has been read and understood: what `clean` would make of it.

use surefoot_contact::{Edges, Method, learned, speed_height, zero_crossing};
use surefoot_core::{Floor, Footplants, FrameRange, Pose, Vec3};
use surefoot_edit::Take;
use surefoot_formats::bvh::Bvh;
use surefoot_formats::c3d::is_c3d;
use surefoot_formats::{Space, rig};
use surefoot_infer::{Inference, LegOverride, Overrides};
use surefoot_job::words::{self, FloorWord};
use surefoot_job::{
    FloorFile, FloorProblem, Known, Scene, Work, floor_from, prefer, standing_settings, understood,
};
use surefoot_solve::{Again, Report, Settings};

use crate::asked::{Told, read_word};

/// A file, what was found out about it, and the same cleaned.
pub struct Opened {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub bvh: Bvh,
    /// What that means.
    pub understanding: Inference,
    /// Its unit and axis.
    pub space: Space,
    /// The legs that a person gave.
    pub given_legs: Option<Vec<LegOverride>>,
    /// The motion as captured, on the floor on which plants are found.
    pub room: Scene,
    /// The same with its plants, on the floor on which they stand.
    take: Take,
    /// The same as its ground sees it.
    pub seen: Take,
    /// The floor it is shown on: where nothing tells, under the lowest place of any foot.
    pub floor: Floor,
    /// Who holds it.
    pub known: Known,
    /// Why it has no legs, where it has none: in the words of the command.
    pub no_legs: Option<String>,
    /// The performance and its cleaning; without legs there is none.
    again: Option<Again>,
    settings: Settings,
    detect: surefoot_contact::Settings,
}

impl Opened {
    /// Reads a file; or why not, in the words of the command.
    pub fn new(name: String, bytes: &[u8], told: &Told, settings: Settings) -> Result<Self, String> {
        if is_c3d(bytes) {
            return Err(format!("{name} is a C3D file: markers, and no joints to move"));
        }
        let mut bvh = Bvh::read(bytes.to_vec()).map_err(|error| format!("{name}: {error}"))?;
        if let Some(fps) = told.fps {
            bvh.set_rate(words::fps_of_number(fps)?);
        }
        let (given, floor) = given(told, &bvh)?;
        let given_legs = given.legs.clone();
        let understanding = understood(&bvh, given, floor.as_ref());
        let space = Space { unit_m: understanding.unit_m.value, up: understanding.up.value };
        let uneven = uneven(told, &space)?;
        let floor_of_plants = uneven.is_none() && floor == Some(FloorWord::Plants);
        let found = surefoot_job::scene(&name, &bvh, &understanding, uneven);
        let no_legs = found.as_ref().err().map(|none| {
            let weighed = none.weighed.iter().map(|one| format!("\nweighed: {one}"));
            format!("{none}{}", weighed.collect::<String>())
        });
        let bare = |_| Scene {
            motion: bvh.motion(&space),
            legs: Vec::new(),
            floor: None,
            floor_of_plants: false,
            first_frame: 0,
        };
        let room = Scene { floor_of_plants, ..found.unwrap_or_else(bare) };
        let detect = detection(told, &room)?;
        let (floor, known) = (Floor::level(0.0), Known::default());
        let mut opened = Self {
            name,
            bvh,
            understanding,
            space,
            given_legs,
            room,
            take: Take::default(),
            seen: Take::default(),
            floor,
            known,
            no_legs,
            again: None,
            settings,
            detect,
        };
        opened.begin()?;
        Ok(opened)
    }

    /// Makes ready to clean what the plants and their ground ask for.
    fn begin(&mut self) -> Result<(), String> {
        let mut scene = self.room.clone();
        scene.settle(&self.known.plants);
        self.floor = scene.floor_or_lowest();
        self.take = scene.take(&self.known);
        self.seen = self.take.from_ground();
        if self.no_legs.is_none() {
            let again = Again::new(self.seen.performed().0, &self.seen.scene(), &self.settings);
            self.again = Some(again.map_err(|why| format!("cannot do this to {}: {why}", self.name))?);
        }
        Ok(())
    }

    /// The first frame of the performance.
    pub fn first(&self) -> usize {
        self.room.first_frame.min(self.room.motion.frames())
    }

    /// The plants that are found: the one place that asks a detector.
    pub fn detected(&self) -> Footplants {
        // Method by method: through `detect` the models of knn and svm would be in the page, and they are
        // larger than all the rest of it.
        let Scene { motion, legs, floor, .. } = &self.room;
        match self.detect.method {
            Method::SpeedHeight => speed_height::detect(motion, legs, floor.as_ref(), &self.detect),
            Method::ZeroCrossing => zero_crossing::detect(motion, legs, floor.as_ref(), &self.detect),
            _ => learned::detect(&learned::Model::shipped(), motion, legs, floor.as_ref(), &self.detect),
        }
    }

    /// What each plant took, in the performance's frames.
    pub fn report(&self) -> Report {
        self.again.as_ref().map(Again::report).unwrap_or_default()
    }

    /// The clean take, and what it took.
    pub fn cleaned(&self) -> (Take, Report) {
        match &self.again {
            Some(again) => {
                self.take.put_back(&self.seen, again.after().clone(), again.plants(), again.report())
            }
            None => (self.take.clone(), Report::default()),
        }
    }

    /// What is to be finished.
    pub fn work<'a>(&'a self, made: Take, report: &'a Report) -> Work<'a> {
        let floor_of_plants = self.room.floor_of_plants;
        let (bvh, space, before) = (&self.bvh, &self.space, self.seen.clone());
        Work { bvh, space, before, made, report: Some(report), floor_of_plants }
    }

    /// What is shown: as the ground sees it, on the floor on which plants stand.
    pub fn scene(&self) -> Scene {
        Scene::of(&self.seen, self.room.floor_of_plants)
    }

    /// The pose of a frame, before or after.
    pub fn pose(&self, after: bool, frame: usize) -> &Pose {
        match (&self.again, frame.checked_sub(self.first())) {
            (Some(again), Some(frame)) if after => &again.after().poses[frame],
            _ => &self.seen.motion.poses[frame],
        }
    }

    /// Cleans with these plants; answers with the frames that may be others than before, and whether all are:
    /// where the ground or the floor is another one.
    pub fn clean(&mut self, known: Known) -> Result<(Vec<FrameRange>, bool), String> {
        let is_new = self.room.floor_of_plants || known.ground != self.known.ground;
        let was = std::mem::replace(&mut self.known, known);
        if is_new && let Err(why) = self.begin() {
            self.known = was;
            return Err(why);
        }
        self.take.plants.clone_from(&self.known.plants);
        self.seen.plants.clone_from(&self.known.plants);
        let first = self.first();
        let Some(again) = &mut self.again else { return Ok((Vec::new(), is_new)) };
        let runs = again.clean(&earlier(&self.known.plants, first)).map_err(|error| error.to_string())?;
        Ok((runs.into_iter().map(|run| run.start + first..run.end + first).collect(), is_new))
    }

    /// Where on a joint a place is, in the joint's own frame and the file's unit.
    pub fn point_on(&self, joint: usize, frame: usize, place: Vec3) -> Option<Vec3> {
        let motion = &self.seen.motion;
        let placed = motion.poses.get(frame)?.world(&motion.skeleton);
        let offset = placed.rotations.get(joint)?.inverse() * (place - *placed.positions.get(joint)?);
        Some(self.space.position_to_file(offset))
    }
}

/// Plants in the frames of a performance that begins there.
fn earlier(plants: &Footplants, first: usize) -> Footplants {
    let mut plants = plants.clone();
    for plant in &mut plants.plants {
        let frames = &mut plant.frames;
        *frames = frames.start.saturating_sub(first)..frames.end.saturating_sub(first);
    }
    plants
}

/// What a person says: settings, then legs picked by hand, then the rig file.
fn given(told: &Told, bvh: &Bvh) -> Result<(Overrides, Option<FloorWord>), String> {
    let rig = match &told.rig {
        Some(file) => {
            let text = String::from_utf8(file.bytes()?)
                .map_err(|_| format!("{} is no rig file: its text is not UTF-8", file.name))?;
            rig::read(&text, bvh.skeleton()).map_err(|error| format!("{}: {error}", file.name))?
        }
        None => Overrides::default(),
    };
    let legs = match &told.legs {
        Some(legs) => Some(legs.iter().map(|leg| leg.given(bvh.skeleton())).collect::<Result<_, _>>()?),
        None => None,
    };
    let said = Overrides {
        unit_m: read_word(&told.unit, words::unit)?,
        up: read_word(&told.up, words::up)?,
        legs,
        ..Overrides::default()
    };
    Ok(prefer((said, read_word(&told.floor, words::floor)?), rig))
}

/// A floor that is no plane, if there is a file of one.
fn uneven(told: &Told, space: &Space) -> Result<Option<Floor>, String> {
    let Some(file) = &told.floor_file else { return Ok(None) };
    let says = FloorFile {
        unit: read_word(&told.floor_unit, words::unit)?,
        up: read_word(&told.floor_up, words::up)?,
        cell: read_word(&told.floor_cell, words::positive_length)?,
        heights: read_word(&told.floor_height, words::heights)?,
        origin: read_word(&told.floor_origin, words::ground_place)?,
    };
    let floor = floor_from(&file.name, &file.bytes()?, &says, space).map_err(|problem| match problem {
        FloorProblem::NoSize => format!("{problem}: {}", file.name),
        FloorProblem::Wrong(error) => format!("{}: {error}", file.name),
    })?;
    Ok(Some(floor))
}

/// How plants are found.
fn detection(told: &Told, room: &Scene) -> Result<surefoot_contact::Settings, String> {
    let usual = standing_settings(room);
    let method = match told.method.as_deref() {
        None => usual.method,
        Some(word) => match Method::from_name(word) {
            Some(Method::Knn | Method::Svm) | None => {
                return Err(format!(
                    "{word}: the page finds plants by learned, speed-height or zero-crossing"
                ));
            }
            Some(method) => method,
        },
    };
    let above_0 = |what: &str, number: Option<f64>, usual: f64| match number {
        Some(number) if !(number > 0.0 && number.is_finite()) => {
            Err(format!("{what}: found {number}, expected more than 0"))
        }
        number => Ok(number.unwrap_or(usual)),
    };
    let starts_below = above_0("stands below", told.starts_below, usual.starts_below)?;
    Ok(surefoot_contact::Settings {
        method,
        edges: if told.edges.as_deref() == Some("touch") { Edges::Touch } else { usual.edges },
        starts_below,
        // As far apart as the usual two.
        goes_on_below: starts_below / usual.starts_below * usual.goes_on_below,
        strays: above_0("strays", told.strays, usual.strays)?,
        shortest_plant: above_0("shortest plant", told.shortest_plant, usual.shortest_plant)?,
        ..usual
    })
}
