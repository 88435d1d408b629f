//! Ours beside the rebuilt programs: the same motions, the same plants, the same measure.
//!
//! `toe_lock` and `mean_targets` are the programs, and `body` what both need.

mod body;
pub mod mean_targets;
pub mod toe_lock;

use surefoot::MotionFile;
use surefoot::contact::{Method, Settings as DetectionSettings, detect};
use surefoot::core::{Clip, FootPoint, FrameRange, Motion, Vec3, WorldPose};
use surefoot::measure::measure;
use surefoot::measure::plot::{Comparison, sheet};
use surefoot::sample::{Kind, Recipe, Skate, make};
use surefoot::solve::{Settings, clean};

/// A motion that is compared.
pub struct ComparedClip {
    /// The name in the table and of its figure.
    pub name: &'static str,
    /// What is in it.
    pub title: &'static str,
    source: Source,
    /// The range of its figure, in seconds.
    seconds: (f64, f64),
}

enum Source {
    /// A generated motion with its true plants.
    Sample(Kind, Skate),
    /// A capture with the plants of `speed-height`, and the factor of its root path.
    Capture(&'static str, f64),
}

/// Motions that need no captures.
pub const GENERATED: [ComparedClip; 2] = [
    ComparedClip {
        name: "turn",
        title: "turn, whose joints shake",
        source: Source::Sample(Kind::Turn, Skate::Noise(0.001)),
        seconds: (1.0, 5.0),
    },
    ComparedClip {
        name: "walk",
        title: "walk, root path × 1.1",
        source: Source::Sample(Kind::Walk, Skate::Scale(1.1)),
        seconds: (1.0, 4.0),
    },
];

/// Captures of CMU.
pub const CAPTURED: [ComparedClip; 4] = [
    ComparedClip {
        name: "02_01",
        title: "02_01, as captured",
        source: Source::Capture("02_01", 1.0),
        seconds: (0.0, 2.8),
    },
    ComparedClip {
        name: "02_01-long",
        title: "02_01, root path × 1.10",
        source: Source::Capture("02_01", 1.1),
        seconds: (0.0, 2.8),
    },
    ComparedClip {
        name: "16_22",
        title: "16_22, as captured",
        source: Source::Capture("16_22", 1.0),
        seconds: (0.0, 3.0),
    },
    ComparedClip {
        name: "16_22-long",
        title: "16_22, root path × 1.10",
        source: Source::Capture("16_22", 1.1),
        seconds: (0.0, 3.0),
    },
];

type CleanMethod = fn(&Clip) -> Motion;

/// The methods, in the order of rows and curves.
const METHODS: [(&str, CleanMethod); 4] = [
    ("before", |clip| clip.motion.clone()),
    ("toe lock", toe_lock::toe_lock),
    ("mean targets", mean_targets::mean_targets),
    ("ours", |clip| clean(clip, &Settings::default()).expect("the clip is valid").clip.motion),
];

impl ComparedClip {
    /// The clip with plants that have no spots; `None` without the capture.
    fn clip(&self) -> Option<Clip> {
        let mut clip = match self.source {
            Source::Sample(kind, skate) => {
                let recipe =
                    Recipe { kind, skate: Some(skate), fps: 60.0, seconds: 6.0, ..Recipe::default() };
                make(&recipe).expect("the recipe is valid").into_clip()
            }
            Source::Capture(name, scale) => capture(name, scale)?,
        };
        clip.plants.plants.iter_mut().for_each(|plant| plant.spot = None);
        Some(clip)
    }
}

/// The performance of a capture, without the T-pose that precedes it.
fn capture(name: &str, scale: f64) -> Option<Clip> {
    let path = surefoot_testdata::path(&format!("bvh/cmu/{name}.bvh"))?;
    let file = MotionFile::load(&path).expect("the capture is valid");
    let settings = DetectionSettings { detector: Method::Threshold, ..file.detection_settings() };
    let mut clip = file.clip.performance();
    clip.floor = file.detection_floor();
    clip.plants = detect(
        &clip.motion,
        &clip.legs,
        clip.floor.as_ref(),
        &DetectionSettings { first_frame: 0, ..settings },
    );
    let start = clip.motion.poses[0].offsets[0];
    for pose in &mut clip.motion.poses {
        let offset = pose.offsets[0] - start;
        pose.offsets[0] = start + Vec3::new(offset.x * scale, offset.y, offset.z * scale);
    }
    Some(clip)
}

/// The columns of the table. All but the last two are of planted points; the root moves in ours only.
const COLUMNS: [&str; 7] = [
    "motion",
    "method",
    "slide: heels, balls",
    "drift: heels, balls",
    "knee acceleration ÷ before: 99 %, largest",
    "knee changed",
    "below the floor",
];

/// The table of some motions, in Markdown; `None` where a capture is missing.
pub fn table(clips: &[ComparedClip]) -> Option<String> {
    let mut table = format!("| {} |\n|{}\n", COLUMNS.join(" | "), "---|".repeat(COLUMNS.len()));
    for compared in clips {
        let clip = compared.clip()?;
        for (method, work) in METHODS {
            let after = Clip { motion: work(&clip), ..clip.clone() };
            let title = if method == "before" { compared.title } else { "" };
            table += &row(title, method, &clip.motion, &after);
        }
    }
    Some(table)
}

fn row(title: &str, method: &str, before: &Motion, after: &Clip) -> String {
    let figures = measure(after, Some(before)).expect("both motions are of one skeleton");
    let (captured, change) = (figures.before.expect("a motion before"), figures.change.expect("a change"));
    let after = figures.after;
    let ratio =
        |after: Option<f64>, before: Option<f64>| after.unwrap_or_default() / before.unwrap_or(f64::INFINITY);
    let of = |point: FootPoint| {
        let plants = figures.plants.iter().filter(move |plant| plant.point == point);
        let (mut frames, mut slid, mut drift) = (0.0, 0.0, 0.0f64);
        for plant in plants {
            let length = (plant.last + 1 - plant.first) as f64;
            frames += length;
            slid += length * plant.after.slide.unwrap_or_default();
            drift = drift.max(plant.after.drift.unwrap_or_default());
        }
        (100.0 * slid / frames, 1e3 * drift)
    };
    let [heels, balls] = [FootPoint::Heel, FootPoint::Ball].map(of);
    format!(
        "| {title} | {method} | {:.1}, {:.1} cm/s | {:.1}, {:.1} mm | {:.2}, {:.2} | {:.1}° | {:.1} mm |\n",
        heels.0,
        balls.0,
        heels.1,
        balls.1,
        ratio(after.knee_acceleration_p99_rad_per_s2, captured.knee_acceleration_p99_rad_per_s2),
        ratio(after.knee_acceleration_max_rad_per_s2, captured.knee_acceleration_max_rad_per_s2),
        change.knee_changed_max_rad.unwrap_or_default().to_degrees(),
        1e3 * after.penetration_max_m.unwrap_or_default(),
    )
}

/// Height above which a foot is not drawn, in centimetres: what matters is near the floor.
const DRAWN_HEIGHT: f64 = 3.0;

/// Heights of the right heel and ball near the floor, and their distances from where their plants begin, before and after
/// every method, as SVG; `None` without the capture.
pub fn figure(compared: &ComparedClip) -> Option<String> {
    let clip = compared.clip()?;
    let motions: Vec<(&str, Motion)> = METHODS.iter().map(|(name, work)| (*name, work(&clip))).collect();
    let fps = clip.motion.fps;
    let [first, end] = [compared.seconds.0, compared.seconds.1].map(|seconds| (seconds * fps) as usize);
    let shown = first..end.min(clip.motion.frames());
    let leg = clip.legs.iter().position(|leg| leg.side == "right")?;
    let floor = clip.floor_or_lowest_point();
    let plots = [FootPoint::Heel, FootPoint::Ball].map(|point| {
        let plants = plants_within(&clip, leg, point, &shown);
        let plot = |what: &str, values: &dyn Fn(&[Vec3]) -> Vec<f64>| {
            let curve = |(name, motion): &(&'static str, Motion)| {
                let path = &positions(motion, &clip, leg, point)[shown.clone()];
                (*name, values(path))
            };
            let curves = motions.iter().map(curve).collect();
            let title = format!("right {}, {what}", point.as_str());
            Comparison { title, unit: "cm", fps, curves, plants: plants.clone() }.draw()
        };
        let height = |&at: &Vec3| Some(100.0 * floor.above(at)).filter(|height| *height < DRAWN_HEIGHT);
        let heights = |path: &[Vec3]| path.iter().map(|at| height(at).unwrap_or(f64::NAN)).collect();
        [plot("height", &heights), plot("distance from its spot", &|path| drifts(path, &plants))]
    });
    Some(sheet(&plots.concat()))
}

/// The distance along the ground from where a point is in the first frame of its plant, in centimetres; NaN where it is not
/// planted.
fn drifts(path: &[Vec3], plants: &[FrameRange]) -> Vec<f64> {
    let drift = |frame: usize| {
        let plant = plants.iter().find(|frames| frames.contains(&frame))?;
        let moved = path[frame] - path[plant.start];
        Some(100.0 * Vec3::new(moved.x, 0.0, moved.z).length())
    };
    (0..path.len()).map(|frame| drift(frame).unwrap_or(f64::NAN)).collect()
}

/// The plants of a point, in frames from the first that is shown.
fn plants_within(clip: &Clip, leg: usize, point: FootPoint, shown: &FrameRange) -> Vec<FrameRange> {
    let of_point = clip.plants.plants.iter().filter(|plant| plant.leg == leg && plant.point == point);
    let inside = of_point.map(|plant| {
        let [first, end] =
            [plant.frames.start, plant.frames.end].map(|frame| frame.clamp(shown.start, shown.end));
        first - shown.start..end - shown.start
    });
    inside.filter(|frames| !frames.is_empty()).collect()
}

fn positions(motion: &Motion, clip: &Clip, leg: usize, point: FootPoint) -> Vec<Vec3> {
    let mut world = WorldPose::default();
    let position = |pose: &surefoot::core::Pose| {
        pose.forward_kinematics(&motion.skeleton, &mut world);
        world.point(clip.legs[leg].point(point))
    };
    motion.poses.iter().map(position).collect()
}
