//! The tables of the experiments, measured in written files.

mod auxiliary;
mod boxing;
mod catching;
mod kicking;

use std::path::PathBuf;

use super::clips::read;
use surefoot_core::math::{sincos, sqrt};
use surefoot_core::{Clip, Motion, Vec3, WorldPose};
use surefoot_edit::reach::{
    Form, Goal, JointChange, Settings, changes, measure, reach, reach_with_plants, settings_for,
};
use surefoot_formats::Space;
use surefoot_formats::bvh::Bvh;

/// The names of the tables.
pub const NAMES: [&str; 4] = ["boxing", "kicking", "catching", "auxiliary frames"];

/// A table in Markdown, and the goals files of its captures.
pub struct Table {
    pub text: String,
    pub goals: Vec<(String, String)>,
}

/// Makes a table. `path` gives the path of a capture, or `None` if it is missing.
pub fn table(name: &str, path: impl Fn(&str) -> Option<PathBuf>) -> Option<Table> {
    let capture = |name: &'static str| Some(Capture::read(name, path(&format!("bvh/cmu/{name}.bvh"))?));
    match name {
        "boxing" => boxing::table(capture),
        "kicking" => kicking::table(capture),
        "catching" => catching::table(capture),
        _ => auxiliary::table(capture),
    }
}

/// A capture with its plants.
pub struct Capture {
    pub name: &'static str,
    bvh: Bvh,
    space: Space,
    pub clip: Clip,
}

/// The figures of a written file.
pub struct Measured {
    pub missed: Vec<f64>,
    /// The largest distance of a planted point from where its plant began; `None` without plants.
    pub drift: Option<f64>,
    pub changes: Vec<JointChange>,
}

impl Capture {
    fn read(name: &'static str, path: PathBuf) -> Self {
        let (bvh, space, clip) = read(&path);
        Self { name, bvh, space, clip }
    }

    /// The name, the number of frames and the frame rate.
    pub fn title(&self) -> String {
        let motion = &self.clip.motion;
        format!("{}: {} frames at {:.0} fps", self.name, motion.frames(), motion.fps)
    }

    /// The capture as it is.
    pub fn captured(&self, goals: &[Goal]) -> Measured {
        let missed = measure(&self.clip.motion, goals).iter().map(|goal| goal.distance).collect();
        Measured { missed, drift: drift(&self.clip), changes: Vec::new() }
    }

    /// Reaches the goals without holding the feet, as published or with our curves.
    pub fn reached(&self, goals: &[Goal], settings: &Settings) -> Measured {
        let settings = settings_for(&self.clip, settings);
        let (motion, report) = reach(&self.clip.motion, goals, &settings).expect("goals of this motion");
        let clip = Clip { motion, ..self.clip.clone() };
        self.written(&clip, &self.clip.motion, goals, &report.changed_joints, &settings)
    }

    /// Reaches the goals with planted feet held. The joints are compared with the cleaned capture, so that the figures are
    /// those of the goals.
    pub fn held(&self, goals: &[Goal], settings: &Settings) -> Measured {
        let reached = reach_with_plants(&self.clip, goals, settings, &Default::default());
        let reached = reached.expect("goals of this motion");
        let settings = settings_for(&self.clip, settings);
        self.written(&reached.result.clip, &reached.cleaned, goals, &reached.report.changed_joints, &settings)
    }

    /// Writes a clip, reads it again and measures it.
    fn written(
        &self,
        clip: &Clip,
        before: &Motion,
        goals: &[Goal],
        joints: &[surefoot_core::JointId],
        settings: &Settings,
    ) -> Measured {
        let bytes = self.bvh.write(&clip.motion, &self.space).expect("a motion of this file");
        let motion = Bvh::read(bytes).expect("a file that was just written").motion(&self.space);
        let missed = measure(&motion, goals).iter().map(|goal| goal.distance).collect();
        let changes = changes(before, &motion, joints, settings);
        Measured { missed, drift: drift(&Clip { motion, ..clip.clone() }), changes }
    }

    /// The goals as a file for `surefoot reach`.
    pub fn goals_file(&self, goals: &[Goal]) -> (String, String) {
        let line = |goal: &Goal| {
            let [x, y, z] = self.space.direction_to_file(goal.position.unwrap_or_default()).to_array();
            let name = &self.clip.motion.skeleton.joint(goal.point.joint).name;
            let point = self.space.direction_to_file(goal.point.offset).to_array().map(|x| format!("{x:.6}"));
            format!(
                "    {{ \"frame\": {}, \"joint\": \"{name}\", \"point\": [{}], \"position\": [{x:.6}, {y:.6}, {z:.6}] }}",
                goal.frame,
                point.join(", ")
            )
        };
        let lines: Vec<String> = goals.iter().map(line).collect();
        let text = format!("{{ \"surefoot\": \"goals/1\",\n  \"goals\": [\n{} ] }}\n", lines.join(",\n"));
        (format!("{}.goals.json", self.name), text)
    }
}

impl Measured {
    /// Distance from the goals, drift, largest turn, change of velocity and ripple, as cells of a table.
    pub fn cells(&self) -> String {
        let mean = self.missed.iter().sum::<f64>() / self.missed.len() as f64;
        let largest = self.missed.iter().copied().fold(0.0, f64::max);
        let drift = self.drift.map_or_else(String::new, |drift| format!("{} mm", mm(drift)));
        if self.changes.is_empty() {
            return format!("{}, {} mm | {drift} | | | |", mm(mean), mm(largest));
        }
        format!(
            "{}, {} mm | {drift} | {:.1}° | {:.2} °/s | {:.2} °/s |",
            mm(mean),
            mm(largest),
            self.changes.iter().map(|change| change.angle_max).fold(0.0, f64::max).to_degrees(),
            self.rms(|change| change.velocity_rms),
            self.rms(|change| change.ripple_rms)
        )
    }

    /// The root mean square over joints, in degrees.
    pub fn rms(&self, of: fn(&JointChange) -> f64) -> f64 {
        let sum: f64 = self.changes.iter().map(|change| of(change) * of(change)).sum();
        sqrt(sum / self.changes.len().max(1) as f64).to_degrees()
    }
}

/// Metres as millimetres, with decimals where they matter.
fn mm(metres: f64) -> String {
    if metres < 1e-4 { format!("{:.4}", metres * 1e3) } else { format!("{:.1}", metres * 1e3) }
}

/// The header of a table of captures and methods.
pub fn header(first: &str) -> String {
    format!(
        "| {first} | method | missed: mean, largest | largest drift | turned | velocity changed | ripple |\n\
         |---|---|---|---|---|---|---|\n"
    )
}

/// The rows of a capture: as it is, as published, with our curves, with planted feet held, and with a root that moves.
pub fn rows(title: &str, capture: &Capture, goals: &[Goal]) -> String {
    let row = |title: &str, method: &str, measured: &Measured| {
        format!("| {title} | {method} | {}\n", measured.cells())
    };
    let closed = Settings { form: Form::Paper, ..Settings::default() };
    let root = Settings { moves_root: true, ..Settings::default() };
    [
        row(title, "captured", &capture.captured(goals)),
        row("", "published", &capture.reached(goals, &Settings::paper())),
        row("", "published, distance closed", &capture.reached(goals, &closed)),
        row("", "ours", &capture.held(goals, &Settings::default())),
        row("", "ours, `--move-root`", &capture.held(goals, &root)),
    ]
    .concat()
}

/// A displacement of 3 to 8 cm in a direction that varies from goal to goal, like the palms of a partner.
pub fn displacement(n: usize) -> Vec3 {
    // Directions by the golden angle, alternating up and down.
    let (sin, cos) = sincos(n as f64 * 2.399_963);
    let (up, _) = sincos(n as f64 * 1.3);
    let far = 0.03 + 0.05 * ((n * 5) % 12) as f64 / 11.0;
    Vec3::new(cos, 0.7 * up, sin).normalize() * far
}

/// The world positions of a point at all frames.
pub fn positions(clip: &Clip, point: &surefoot_core::JointPoint) -> Vec<Vec3> {
    let mut world = WorldPose::default();
    let position = |pose: &surefoot_core::Pose| {
        pose.forward_kinematics(&clip.motion.skeleton, &mut world);
        world.point(point)
    };
    clip.motion.poses.iter().map(position).collect()
}

fn drift(clip: &Clip) -> Option<f64> {
    let of_plant = |plant: &surefoot_core::Plant| {
        let positions = positions(clip, &plant.foot_point(&clip.legs)?);
        let planted = positions.get(plant.frames.clone())?;
        Some(planted.iter().map(|position| position.distance(planted[0])).fold(0.0, f64::max))
    };
    clip.plants.plants.iter().filter_map(of_plant).reduce(f64::max)
}
