//! Motions with plants for the laws: samples, random ones, real files, and bodies made by hand.

#![allow(dead_code, reason = "each file of laws uses its own part")]

use core::fmt;

use proptest::prelude::*;
use surefoot_core::math::{PI, sin};
use surefoot_core::{
    Clip, Floor, FootPoint, Footplants, FrameRange, Joint, JointId, JointPoint, Leg, Motion, Plant, Pose,
    Quat, Skeleton, Vec3, WorldPose,
};
use surefoot_formats::{Space, bvh::Bvh};
use surefoot_infer::{Overrides, infer};
use surefoot_sample::{Body, Kind, Recipe, Skate, make};
use surefoot_solve::{
    ActivePlant, ActivePlants, CleanError, CleanResult, Cleaner, Method, Note, Report, Settings,
    SupportLabel, clean,
};

/// A named clip.
#[derive(Clone)]
pub struct Case {
    pub name: String,
    pub clip: Clip,
}

/// Short: the poses of a random case tell nobody anything.
impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, clip: Clip { motion, legs, floor, plants, .. } } = self;
        write!(f, "{name}, {} frames, {} legs, floor {floor:?}", motion.frames(), legs.len())?;
        plants.plants.iter().try_for_each(|plant| write!(f, "\n  {plant:?}"))
    }
}

impl Case {
    pub fn clean(&self, settings: &Settings) -> (Motion, Report) {
        self.try_clean(settings).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    pub fn try_clean(&self, settings: &Settings) -> Result<(Motion, Report), CleanError> {
        let CleanResult { clip, report, .. } = clean(&self.clip, settings)?;
        Ok((clip.motion, report))
    }

    pub fn rectify(&self, settings: &Settings) -> (Motion, Report) {
        self.try_rectify(settings).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    pub fn try_rectify(&self, settings: &Settings) -> Result<(Motion, Report), CleanError> {
        self.try_clean(&Settings { method: Method::Support, ..*settings })
    }

    pub fn support_labels(&self, settings: &Settings) -> Vec<SupportLabel> {
        clean(&self.clip, &Settings { method: Method::Support, ..*settings }).unwrap().labels
    }

    /// The same with spots to be found, not given.
    pub fn with_spots_found(mut self) -> Self {
        self.clip.plants.plants.iter_mut().for_each(|plant| plant.spot = None);
        self.name += ", spots found";
        self
    }

    /// A cleaner made as `clean` makes it.
    pub fn cleaner(&self, settings: &Settings) -> Cleaner {
        let lengths =
            self.clip.plants.plants.iter().map(|plant| plant.frames.len().min(self.clip.motion.frames()));
        let longest = lengths.max().unwrap_or(0);
        Cleaner::new(&self.clip, longest, settings).unwrap()
    }

    /// Who is held at a frame, leg by leg.
    pub fn held(&self, frame: usize) -> Vec<ActivePlants> {
        let mut held = vec![ActivePlants::default(); self.clip.legs.len()];
        for (number, plant) in self.clip.plants.plants.iter().enumerate() {
            if plant.leg < held.len() && plant.frames.contains(&frame) {
                let hold = Some(ActivePlant { id: number as u32, spot: plant.spot });
                match plant.point {
                    FootPoint::Heel => held[plant.leg].heel = hold,
                    FootPoint::Ball => held[plant.leg].ball = hold,
                }
            }
        }
        held
    }
}

/// The settings every law is held against.
pub fn all_settings() -> [(&'static str, Settings); 5] {
    [
        ("default", Settings::default()),
        ("paper", Settings::paper()),
        ("live", Settings::live()),
        ("rigid", Settings { stretch_limit: 0.0, ..Settings::default() }),
        ("paper, rigid", Settings { stretch_limit: 0.0, ..Settings::paper() }),
    ]
}

pub fn sample(recipe: &Recipe) -> Case {
    let sample = make(recipe).unwrap();
    let skate = recipe.skate.map_or("clean", Skate::as_str);
    Case {
        name: format!("{} {} {skate} at {} fps", recipe.body.as_str(), recipe.kind.as_str(), recipe.fps),
        clip: sample.into_clip(),
    }
}

/// Every kind of sample, body and damage.
pub fn samples() -> impl Iterator<Item = Case> {
    let skates = [None].into_iter().chain(Skate::ALL.map(Some));
    let recipes = skates.flat_map(|skate| {
        Body::ALL.into_iter().flat_map(move |body| {
            Kind::ALL.map(|kind| Recipe { kind, body, skate, fps: 30.0, ..Recipe::default() })
        })
    });
    recipes.map(|recipe| sample(&recipe))
}

/// One sample of each damage and body: enough for laws that cost more.
pub fn few_samples() -> impl Iterator<Item = Case> {
    let recipe =
        |kind, body, skate| Recipe { kind, body, skate: Some(skate), fps: 60.0, ..Recipe::default() };
    [
        recipe(Kind::Walk, Body::Human, Skate::Scale(1.1)),
        recipe(Kind::Turn, Body::NoToe, Skate::Drift(0.025)),
        recipe(Kind::Jump, Body::Human, Skate::Noise(0.002)),
        recipe(Kind::Run, Body::Human, Skate::Blend(0.5)),
        recipe(Kind::Stairs, Body::Human, Skate::Scale(1.1)),
        recipe(Kind::Walk, Body::FourLegs, Skate::Drift(0.025)),
    ]
    .into_iter()
    .map(|recipe| sample(&recipe))
}

/// Captured motions, the first few seconds of each, with plants by a plain rule.
pub fn real_files() -> Vec<Case> {
    let files =
        ["cmu/02_01", "cmu/16_22", "cmu/16_01", "cmu/36_04", "cmu/60_01", "pymo", "bvh-toolbox", "makehuman"];
    files.iter().flat_map(|name| first_file(name)).filter_map(|file| captured(&file)).collect()
}

fn first_file(name: &str) -> Option<std::path::PathBuf> {
    if name.starts_with("cmu/") {
        return surefoot_testdata::path(&format!("bvh/{name}.bvh"));
    }
    surefoot_testdata::files(&format!("bvh/{name}"), ".bvh").into_iter().next()
}

fn captured(file: &std::path::Path) -> Option<Case> {
    let bvh = Bvh::read(std::fs::read(file).unwrap()).unwrap();
    let found = infer(&bvh.excerpt(), &Overrides::default());
    let space = Space { unit_m: found.unit_m.value, up: found.up.value };
    let mut motion = bvh.motion(&space);
    motion.poses.drain(..usize::from(found.inserted_t_pose.value));
    motion.poses.truncate(600);
    let legs = space.legs_from_file(&found.legs.ok()?.value);
    let floor = found.floor.map(|floor| floor.value);
    let floor = floor.map(|plane| Floor::from(space.plane_from_file(plane)));
    let plants = plain_plants(&motion, &legs, floor.as_ref());
    let name = file.file_name()?.to_string_lossy().into_owned();
    Some(Case { name, clip: Clip { motion, legs, floor, plants, ..Clip::default() } })
}

/// A point within 5 cm of the floor and slower than 0.4 m/s, for a tenth of a second at least.
fn plain_plants(motion: &Motion, legs: &[Leg], floor: Option<&Floor>) -> Footplants {
    let placed: Vec<WorldPose> = motion.poses.iter().map(|pose| pose.world(&motion.skeleton)).collect();
    let mut plants = Footplants::default();
    for (leg, on) in legs.iter().enumerate() {
        for (point, on) in [(FootPoint::Heel, on.heel), (FootPoint::Ball, on.ball)] {
            let places: Vec<Vec3> = placed.iter().map(|placed| placed.point(&on)).collect();
            let down = |frame: usize| {
                let speed = places[frame].distance(places[frame - 1]) * motion.fps;
                floor.is_none_or(|floor| floor.above(places[frame]) < 0.05) && speed < 0.4
            };
            for frames in runs(1..places.len(), down) {
                if frames.len() as f64 > 0.1 * motion.fps {
                    plants.plants.push(plant(leg, point, frames));
                }
            }
        }
    }
    plants
}

/// The runs of frames for which something holds.
pub fn runs(frames: FrameRange, holds: impl Fn(usize) -> bool) -> Vec<FrameRange> {
    let mut runs: Vec<FrameRange> = Vec::new();
    for frame in frames.filter(|&frame| holds(frame)) {
        match runs.last_mut() {
            Some(run) if run.end == frame => run.end += 1,
            _ => runs.push(frame..frame + 1),
        }
    }
    runs
}

/// A plant whose spot is to be found.
pub fn plant(leg: usize, point: FootPoint, frames: FrameRange) -> Plant {
    Plant { leg, point, frames, spot: None, confidence: None }
}

/// A plant whose spot is given.
pub fn plant_at(leg: usize, point: FootPoint, frames: FrameRange, spot: Vec3) -> Plant {
    Plant { spot: Some(spot), ..plant(leg, point, frames) }
}

/// The lengths of a body made by hand, in metres.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    pub legs: usize,
    pub thigh: Vec3,
    pub shin: Vec3,
}

impl Default for Build {
    fn default() -> Self {
        // The knee a little forward of the line: the rest pose tells which way it bends.
        Self { legs: 2, thigh: Vec3::new(0.0, -0.42, 0.02), shin: Vec3::new(0.0, -0.42, -0.02) }
    }
}

/// Joints of a leg made by hand, after the root: hip, knee, ankle, toe.
pub const HIP: usize = 1;
pub const KNEE: usize = 2;
pub const ANKLE: usize = 3;

/// A body of a root and legs, all roots' legs standing in the floor at height 0 in its rest pose.
pub fn body(build: Build) -> (Skeleton, Vec<Leg>) {
    let joint = |name: String, parent: Option<usize>, offset| Joint {
        name,
        parent: parent.map(|parent| JointId(parent as u32)),
        offset,
        end: None,
    };
    let high = 0.06 - build.thigh.y - build.shin.y;
    let mut joints = vec![joint("root".into(), None, Vec3::new(0.0, high, 0.0))];
    let mut legs = Vec::new();
    for leg in 0..build.legs {
        let hip = joints.len();
        let side = if leg % 2 == 0 { 0.1 } else { -0.1 };
        let along = if leg < 2 { 0.0 } else { -0.7 };
        joints.push(joint(format!("hip {leg}"), Some(0), Vec3::new(side, 0.0, along)));
        joints.push(joint(format!("knee {leg}"), Some(hip), build.thigh));
        joints.push(joint(format!("ankle {leg}"), Some(hip + 1), build.shin));
        joints.push(joint(format!("toe {leg}"), Some(hip + 2), Vec3::new(0.0, -0.06, 0.14)));
        let on = |joint: usize, offset| JointPoint { joint: JointId(joint as u32), offset };
        legs.push(Leg {
            side: format!("leg {leg}"),
            hip: JointId(hip as u32),
            knee: JointId(hip as u32 + 1),
            ankle: JointId(hip as u32 + 2),
            heel: on(hip + 2, Vec3::new(0.0, -0.06, -0.05)),
            ball: on(hip + 3, Vec3::ZERO),
            toe: on(hip + 3, Vec3::new(0.0, 0.0, 0.06)),
        });
    }
    (Skeleton::new(joints).unwrap(), legs)
}

/// A motion of a body made by hand at 60 fps on a level floor. `pose` changes the rest pose.
pub fn by_hand(build: Build, frames: usize, plants: Vec<Plant>, pose: impl Fn(usize, &mut Pose)) -> Case {
    let (skeleton, legs) = body(build);
    let rest = Pose::rest(&skeleton);
    let at = |frame: usize| {
        let mut posed = rest.clone();
        pose(frame, &mut posed);
        posed
    };
    let poses = (0..frames).map(at).collect();
    let motion = Motion { skeleton, fps: 60.0, poses };
    let (floor, plants) = (Some(Floor::level(0.0)), Footplants { plants });
    Case { name: "made by hand".into(), clip: Clip { motion, legs, floor, plants, ..Clip::default() } }
}

/// The turn by these radians about X: a knee turned by a positive one bends.
pub fn pitch(radians: f64) -> Quat {
    surefoot_core::math::axis_rotation(0, radians)
}

/// Any motion at all: legs of any build that swing wildly, and any plants.
pub fn any_case() -> impl Strategy<Value = Case> {
    let waves = || prop::collection::vec((0.0..0.7f64, 0.2..3.0f64, 0.0..6.3f64), 8);
    let plants =
        prop::collection::vec((0..4usize, any::<bool>(), 0..90usize, 1..40usize, any::<bool>()), 0..8);
    (1..5usize, 0.2..0.6f64, 0.2..0.6f64, waves(), waves(), plants, any::<bool>(), 1..90usize).prop_map(
        |(legs, thigh, shin, turns, places, plants, has_floor, frames)| {
            let build =
                Build { legs, thigh: Vec3::new(0.0, -thigh, 0.01), shin: Vec3::new(0.01, -shin, -0.01) };
            let wave = |waves: &[(f64, f64, f64)], n: usize, frame: usize| {
                let (size, speed, phase) = waves[n % waves.len()];
                size * sin(2.0 * PI * speed * frame as f64 / 60.0 + phase + n as f64)
            };
            let plants = any_plants(&plants, legs);
            let mut case = by_hand(build, frames, plants, |frame, pose| {
                for axis in 0..3 {
                    pose.offsets[0][axis] += 0.1 * wave(&places, axis, frame);
                }
                for (n, turn) in pose.rotations.iter_mut().enumerate() {
                    *turn = surefoot_core::math::axis_rotation(n % 3, 0.3 * wave(&turns, 3 * n, frame))
                        * pitch(wave(&turns, 3 * n + 1, frame));
                }
            });
            case.name = "any".into();
            case.clip.floor = case.clip.floor.filter(|_| has_floor);
            case
        },
    )
}

/// Plants that do not overlap, some with given spots near where a foot may be.
fn any_plants(drawn: &[(usize, bool, usize, usize, bool)], legs: usize) -> Vec<Plant> {
    let mut plants: Vec<Plant> = Vec::new();
    for &(leg, is_heel, start, length, is_given) in drawn {
        let point = if is_heel { FootPoint::Heel } else { FootPoint::Ball };
        let leg = leg % legs;
        let made = plant(leg, point, start..start + length);
        let clashes = |other: &Plant| {
            other.leg == leg
                && other.point == point
                && other.frames.start < made.frames.end
                && made.frames.start < other.frames.end
        };
        if !plants.iter().any(clashes) {
            let spot = Vec3::new(0.01 * start as f64 - 0.4, 0.0, 0.01 * length as f64);
            plants.push(Plant { spot: is_given.then_some(spot), ..made });
        }
    }
    plants
}

/// Where a plant's point is, frame by frame, while it is held.
pub fn places(motion: &Motion, clip: &Clip, plant: &Plant) -> Vec<Vec3> {
    let leg = &clip.legs[plant.leg];
    let point = match plant.point {
        FootPoint::Heel => &leg.heel,
        FootPoint::Ball => &leg.ball,
    };
    let frames = plant.frames.start.min(motion.frames())..plant.frames.end.min(motion.frames());
    motion.poses[frames].iter().map(|pose| pose.world(&motion.skeleton).point(point)).collect()
}

/// How far a planted point gets from its spot at most.
pub fn drift(motion: &Motion, clip: &Clip, plant: &Plant, spot: Option<Vec3>) -> f64 {
    let away = |place: &Vec3| spot.map_or(0.0, |spot| place.distance(spot));
    places(motion, clip, plant).iter().map(away).fold(0.0, f64::max)
}

/// Whether a note says why a plant is not held.
pub fn is_noted(report: &Report, plant: &Plant) -> bool {
    let is_it = |leg: usize, frames: &FrameRange| leg == plant.leg && *frames == plant.frames;
    report.notes.iter().any(|note| match note {
        Note::OutOfReach { leg, frames, .. } => is_it(*leg, frames),
        Note::FootLengthMismatch { leg, point, frames, .. } => is_it(*leg, frames) && *point == plant.point,
        _ => false,
    })
}

/// Cleans a case and holds every plant to the law: on its spot to rounding, or a note says why not.
pub fn held_or_noted(case: &Case, settings: &Settings) -> Result<(Motion, Report), String> {
    all_held_or_noted(case, case.clean(settings))
}

/// The same for a case that has been cleaned.
pub fn all_held_or_noted(case: &Case, cleaned: (Motion, Report)) -> Result<(Motion, Report), String> {
    let (after, report) = cleaned;
    if after.poses.iter().any(|pose| bits(pose).iter().any(|&bits| !f64::from_bits(bits).is_finite())) {
        return Err(format!("{}: not finite", case.name));
    }
    for (plant, told) in case.clip.plants.plants.iter().zip(&report.plants) {
        let drift = drift(&after, &case.clip, plant, told.spot);
        let broken =
            |what: &str| Err(format!("{}: {plant:?} drifts {drift:e} m {what}: {told:?}", case.name));
        if drift > HELD && !is_noted(&report, plant) {
            return broken("and no note says why");
        }
        if told.drift_m < drift - HELD {
            return broken("but is said to drift less");
        }
        if drift <= HELD && is_noted(&report, plant) {
            return broken("but a note says otherwise");
        }
        if plant.spot.is_some() && !places(&after, &case.clip, plant).is_empty() && plant.spot != told.spot {
            return broken("and its spot is not the one given");
        }
    }
    Ok((after, report))
}

/// How far a planted point may be from its spot, in metres: rounding.
pub const HELD: f64 = 1e-9;

/// A pose as bits: `-0.0` is not `0.0` here, and NaN is itself.
pub fn bits(pose: &Pose) -> Vec<u64> {
    let offsets = pose.offsets.iter().flat_map(|offset| offset.to_array());
    let rotations = pose.rotations.iter().flat_map(|turn| turn.to_array());
    offsets.chain(rotations).map(f64::to_bits).collect()
}

/// Every joint of every frame in the world.
pub fn world(motion: &Motion) -> Vec<WorldPose> {
    motion.poses.iter().map(|pose| pose.world(&motion.skeleton)).collect()
}
