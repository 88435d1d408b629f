//! Drift of planted feet after retargeting and path editing, measured in the written files.
//!
//! `cargo bench -p surefoot-edit --bench retarget_follow`; `-- all` prints each clip.
//!
//! It uses every capture of `bvh/cmu` that travels at 0.5 m/s or faster, and every sample that
//! travels.

#[path = "../tests/edit/clips.rs"]
mod clips;
#[path = "../tests/edit/knee_angles.rs"]
mod knee_angles;

use std::time::Instant;

use clips::read;
use knee_angles::{knee_angles, knee_speed_increase};
use surefoot_core::UpAxis;
use surefoot_core::math::PI;
use surefoot_core::{Clip, Floor, JointId, Skeleton};
use surefoot_edit::follow::{Preserve, bend_path, fit, follow};
use surefoot_edit::knee_speed_added;
use surefoot_edit::retarget::{TargetBody, retarget, scale_leg};
use surefoot_formats::Space;
use surefoot_formats::bvh::{Bvh, from_motion};
use surefoot_measure::measure;
use surefoot_sample::{Body, Kind, Recipe};
use surefoot_solve::{CleanResult, clean};

/// Centimetres, so that six decimals are 10 nm.
const FILE: Space = Space { unit_m: 0.01, up: UpAxis { axis: 1, negative: false } };

/// Smallest speed of a capture that is used, in metres per second.
const MIN_SPEED: f64 = 0.5;

/// Distance from the spot above which a plant is out of reach, in metres.
const REACHED: f64 = 1e-6;

#[derive(Default)]
struct Row {
    clips: usize,
    plants: usize,
    reached: usize,
    /// Largest drift in the file of a plant within reach.
    drift: f64,
    edited: f64,
    /// For each clip the largest change and the largest increase of knee speed.
    knees: Vec<([f64; 2], String)>,
    frames: usize,
    seconds: f64,
}

impl Row {
    fn add(&mut self, name: &str, clip: &Clip, seconds: f64) {
        let clock = Instant::now();
        let CleanResult { clip: clean, report, .. } =
            clean(clip, &Default::default()).expect("the clip is valid");
        self.seconds += seconds + clock.elapsed().as_secs_f64();
        let mut bvh = Bvh::read(from_motion(&clean.motion, &FILE).expect("finite")).expect("just written");
        bvh.set_rate(clip.motion.fps);
        let after = bvh.motion(&FILE);
        let floor = clip.floor.clone().or_else(|| Some(Floor::level(0.0)));
        let written = Clip { motion: after, floor, ..clip.clone() };
        let figures = measure(&written, Some(&clip.motion)).expect("both motions have one skeleton");
        let after = &written.motion;
        for (plant, took) in figures.plants.iter().zip(&report.plants) {
            self.plants += 1;
            self.edited = self.edited.max(plant.before.and_then(|held| held.drift).unwrap_or(0.0));
            if took.drift_m <= REACHED {
                self.reached += 1;
                self.drift = self.drift.max(plant.after.drift.unwrap_or(0.0));
            }
        }
        let knees = knee_speed_added(&clip.motion, after, &clip.legs, clip.first_frame);
        let increase = knee_speed_increase(&clip.motion, after, &clip.legs, clip.first_frame);
        self.knees.push(([knees, increase].map(|speed| speed.to_degrees() / 120.0), name.into()));
        self.clips += 1;
        self.frames += clip.motion.frames();
    }

    fn print(mut self, label: &str, all: bool) {
        self.knees.sort_by(|a, b| b.0[0].total_cmp(&a.0[0]));
        let ([worst, _], name) = self.knees.first().cloned().unwrap_or_default();
        let [above, increase] =
            [0, 1].map(|which| self.knees.iter().filter(|(speeds, _)| speeds[which] > 3.0).count());
        println!(
            "{label:22}{:>6}{:>8}{:>9.2} %{:>10.1} mm{:>11.5} mm{worst:>8.2}° {name:12}{above:>5}{increase:>6}{:>8.1} µs",
            self.clips,
            self.plants,
            100.0 * self.reached as f64 / self.plants.max(1) as f64,
            self.edited * 1e3,
            self.drift * 1e3,
            self.seconds / self.frames.max(1) as f64 * 1e6
        );
        if all {
            self.knees.iter().for_each(|([any, increase], name)| {
                println!("    {name:30}{any:6.2}° faster by {increase:6.2}°")
            });
        }
    }
}

/// The same body with scaled legs and feet.
fn long_legs(clip: &Clip, scale: f64) -> TargetBody {
    let skeleton = &clip.motion.skeleton;
    let mut joints = skeleton.joints().to_vec();
    let mut in_leg = vec![false; joints.len()];
    for (index, joint) in joints.iter_mut().enumerate() {
        if joint.parent.is_some_and(|parent| in_leg[parent.index()]) {
            joint.offset *= scale;
            in_leg[index] = true;
        }
        in_leg[index] |= clip.legs.iter().any(|leg| leg.hip == JointId(index as u32));
        if in_leg[index] {
            joint.end = joint.end.map(|end| end * scale);
        }
    }
    TargetBody {
        skeleton: Skeleton::new(joints).expect("as it was"),
        legs: clip.legs.iter().map(|leg| scale_leg(leg, scale)).collect(),
        ..TargetBody::from(clip)
    }
}

fn main() {
    let all = std::env::args().any(|word| word == "all");
    let mut clips: Vec<(String, Clip)> = Vec::new();
    for path in surefoot_testdata::files("bvh/cmu", ".bvh") {
        let clip = read(&path).2;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        clips.push((name, clip));
    }
    for kind in Kind::ALL {
        for of in Body::ALL {
            let recipe = Recipe { kind, body: of, fps: 120.0, seconds: 8.0, ..Recipe::default() };
            // Read back, because the file has its own joint order.
            if let Ok(made) = surefoot_sample::make(&recipe) {
                let name = format!("{}-{}", kind.as_str(), of.as_str());
                let file = std::env::temp_dir().join(format!("surefoot-{}-{name}.bvh", std::process::id()));
                std::fs::write(&file, from_motion(&made.motion, &FILE).expect("finite")).expect("room");
                clips.push((name, read(&file).2));
                let _ = std::fs::remove_file(file);
            }
        }
    }
    clips.retain(|(_, clip)| {
        fit(clip).is_ok_and(|fitted| fitted.path.length() > MIN_SPEED * clip.motion.seconds())
            && !clip.plants.plants.is_empty()
    });
    let names: Vec<&str> = clips.iter().map(|(name, _)| name.as_str()).collect();
    println!("{} motions: {}\n", clips.len(), names.join(" "));
    println!(
        "{:22}{:>6}{:>8}{:>11}{:>13}{:>14}{:>9} {:12}{:>5}{:>7}{:>10}",
        "edit",
        "clips",
        "plants",
        "in reach",
        "slid, edited",
        "clean",
        "knee",
        "of clip",
        "> 3°",
        "faster",
        "a frame"
    );
    for scale in [0.6, 0.8, 1.25, 1.6] {
        let mut row = Row::default();
        for (name, clip) in &clips {
            let target = long_legs(clip, scale);
            let clock = Instant::now();
            let retargeted = retarget(clip, &target).expect("both motions have one skeleton");
            row.add(name, &retargeted.clip, clock.elapsed().as_secs_f64());
        }
        row.print(&format!("retarget, legs × {scale}"), all);
    }
    for (label, angle) in [("turned by 90°", 0.5), ("turned by −90°", -0.5), ("U-turn", 1.0)] {
        let mut row = Row::default();
        for (name, clip) in &clips {
            let clock = Instant::now();
            let Ok(fitted) = fit(clip) else { continue };
            let path = bend_path(&fitted.path, angle * PI).expect("a path");
            let moved = follow(clip, &fitted, &path, Preserve::Stride).unwrap();
            row.add(name, &moved.clip, clock.elapsed().as_secs_f64());
        }
        row.print(label, all);
    }
    let mut own = Row::default();
    for (name, clip) in &clips {
        own.add(name, clip, 0.0);
    }
    own.print("(cleaned, no edit)", all);
    print_backward_knees(&clips);
}

/// Knee angle below which a leg counts as straight, in degrees.
const STRAIGHT: f64 = 0.1;

/// Prints knees that cleaning bends backwards, though the capture does not.
fn print_backward_knees(clips: &[(String, Clip)]) {
    let mut found = Vec::new();
    for (name, clip) in clips {
        let clean = clean(clip, &Default::default()).expect("the clip is valid").clip;
        let least = |motion| {
            let all = knee_angles(motion, &clip.motion, &clip.legs, clip.first_frame);
            all.into_iter().flatten().fold(f64::INFINITY, f64::min).to_degrees()
        };
        let (before, after) = (least(&clip.motion), least(&clean.motion));
        if before > -STRAIGHT && after < -STRAIGHT {
            found.push(format!("{name} {after:.2}°"));
        }
    }
    println!("\nbent backwards by cleaning only: {} clips: {}", found.len(), found.join(", "));
}
