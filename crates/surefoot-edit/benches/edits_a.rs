//! What becomes of planted feet after retargeting and path editing? Measured of written files.
//!
//! `cargo bench -p surefoot-edit --bench edits_a`, with `-- all` clip by clip.
//!
//! Every capture of `bvh/cmu` whose body goes at half a metre a second or more, and every sample
//! that goes anywhere.

// The benches use some of its functions.
#[allow(dead_code)]
#[path = "../tests/edit/takes.rs"]
mod takes;

use std::time::Instant;

use surefoot_core::UpAxis;
use surefoot_core::math::PI;
use surefoot_core::{Floor, JointId, Skeleton};
use surefoot_edit::follow::{Keep, fit, follow, turned};
use surefoot_edit::retarget::{Target, retarget, scaled_leg};
use surefoot_edit::{Cleaned, Take, knee_speed_added};
use surefoot_formats::Space;
use surefoot_formats::bvh::{Bvh, from_motion};
use surefoot_measure::{Scene, measure};
use surefoot_sample::{Body, Kind, Recipe};
use takes::{bent, body, knee_made_faster, read};

/// Centimetres, so that six decimals are 10 nm.
const FILE: Space = Space { unit_m: 0.01, up: UpAxis { axis: 1, negative: false } };

/// A body at least so fast walks or runs, in metres a second.
const GOES: f64 = 0.5;

/// A plant that is farther than this from its spot is out of reach, in metres.
const REACHED: f64 = 1e-6;

#[derive(Default)]
struct Row {
    clips: usize,
    plants: usize,
    reached: usize,
    /// The farthest that a plant within reach drifts in the file.
    drift: f64,
    edited: f64,
    /// Clip by clip: by how much the speed of a knee is changed, and by how much one is made faster.
    knees: Vec<([f64; 2], String)>,
    frames: usize,
    seconds: f64,
}

impl Row {
    fn add(&mut self, name: &str, take: &Take, seconds: f64) {
        let clock = Instant::now();
        let Cleaned { take: clean, report, .. } =
            take.cleaned(&Default::default()).expect("the scene is good");
        self.seconds += seconds + clock.elapsed().as_secs_f64();
        let mut bvh = Bvh::read(from_motion(&clean.motion, &FILE).expect("finite")).expect("just written");
        bvh.set_rate(take.motion.fps);
        let after = bvh.motion(&FILE);
        let floor = take.floor.clone().unwrap_or_else(|| Floor::level(0.0));
        let scene = Scene { first_frame: take.first_frame, ..Scene::new(&take.legs, &take.plants, &floor) };
        let figures = measure(&after, Some(&take.motion), &scene).expect("one body");
        for (plant, took) in figures.plants.iter().zip(&report.plants) {
            self.plants += 1;
            self.edited = self.edited.max(plant.before.and_then(|held| held.drift).unwrap_or(0.0));
            if took.slide_m <= REACHED {
                self.reached += 1;
                self.drift = self.drift.max(plant.after.drift.unwrap_or(0.0));
            }
        }
        let knees = knee_speed_added(&take.motion, &after, &take.legs, take.first_frame);
        let faster = knee_made_faster(&take.motion, &after, &take.legs, take.first_frame);
        self.knees.push(([knees, faster].map(|speed| speed.to_degrees() / 120.0), name.into()));
        self.clips += 1;
        self.frames += take.motion.frames();
    }

    fn print(mut self, what: &str, all: bool) {
        self.knees.sort_by(|a, b| b.0[0].total_cmp(&a.0[0]));
        let ([worst, _], name) = self.knees.first().cloned().unwrap_or_default();
        let [above, faster] =
            [0, 1].map(|which| self.knees.iter().filter(|(speeds, _)| speeds[which] > 3.0).count());
        println!(
            "{what:22}{:>6}{:>8}{:>9.2} %{:>10.1} mm{:>11.5} mm{worst:>8.2}° {name:12}{above:>5}{faster:>6}{:>8.1} µs",
            self.clips,
            self.plants,
            100.0 * self.reached as f64 / self.plants.max(1) as f64,
            self.edited * 1e3,
            self.drift * 1e3,
            self.seconds / self.frames.max(1) as f64 * 1e6
        );
        if all {
            self.knees.iter().for_each(|([any, faster], name)| {
                println!("    {name:30}{any:6.2}° faster by {faster:6.2}°")
            });
        }
    }
}

/// The same body with legs so many times as long, feet included.
fn long_legs(take: &Take, scale: f64) -> Target {
    let skeleton = &take.motion.skeleton;
    let mut joints = skeleton.joints().to_vec();
    let mut in_leg = vec![false; joints.len()];
    for (index, joint) in joints.iter_mut().enumerate() {
        if joint.parent.is_some_and(|parent| in_leg[parent.index()]) {
            joint.offset *= scale;
            in_leg[index] = true;
        }
        in_leg[index] |= take.legs.iter().any(|leg| leg.hip == JointId(index as u32));
        if in_leg[index] {
            joint.end = joint.end.map(|end| end * scale);
        }
    }
    Target {
        skeleton: Skeleton::new(joints).expect("as it was"),
        legs: take.legs.iter().map(|leg| scaled_leg(leg, scale)).collect(),
        ..body(take)
    }
}

fn main() {
    let all = std::env::args().any(|word| word == "all");
    let mut takes: Vec<(String, Take)> = Vec::new();
    for path in surefoot_testdata::files("bvh/cmu", ".bvh") {
        let take = read(&path).2;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        takes.push((name, take));
    }
    for kind in Kind::ALL {
        for of in Body::ALL {
            let recipe = Recipe { kind, body: of, fps: 120.0, seconds: 8.0, ..Recipe::default() };
            // A file lists joints in its own order; so it is read like any other.
            if let Ok(made) = surefoot_sample::make(&recipe) {
                let name = format!("{}-{}", kind.as_str(), of.as_str());
                let file = std::env::temp_dir().join(format!("surefoot-{}-{name}.bvh", std::process::id()));
                std::fs::write(&file, from_motion(&made.motion, &FILE).expect("finite")).expect("room");
                takes.push((name, read(&file).2));
                let _ = std::fs::remove_file(file);
            }
        }
    }
    takes.retain(|(_, take)| {
        fit(take).is_ok_and(|walked| walked.path.length() > GOES * take.motion.seconds())
            && !take.plants.plants.is_empty()
    });
    let names: Vec<&str> = takes.iter().map(|(name, _)| name.as_str()).collect();
    println!("{} motions: {}\n", takes.len(), names.join(" "));
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
        for (name, take) in &takes {
            let target = long_legs(take, scale);
            let clock = Instant::now();
            let there = retarget(take, &target).expect("one body");
            row.add(name, &there.take, clock.elapsed().as_secs_f64());
        }
        row.print(&format!("retarget, legs × {scale}"), all);
    }
    for (what, angle) in [("turned by 90°", 0.5), ("turned by −90°", -0.5), ("U-turn", 1.0)] {
        let mut row = Row::default();
        for (name, take) in &takes {
            let clock = Instant::now();
            let Ok(walked) = fit(take) else { continue };
            let path = turned(&walked.path, angle * PI).expect("a path");
            let moved = follow(take, &walked, &path, Keep::Stride);
            row.add(name, &moved.take, clock.elapsed().as_secs_f64());
        }
        row.print(what, all);
    }
    let mut own = Row::default();
    for (name, take) in &takes {
        own.add(name, take, 0.0);
    }
    own.print("(cleaned, no edit)", all);
    backwards(&takes);
}

/// Less than this, in degrees, is no bend.
const STRAIGHT: f64 = 0.1;

/// Which knees does the clean bend backwards, though the capture never does?
fn backwards(takes: &[(String, Take)]) {
    let mut found = Vec::new();
    for (name, take) in takes {
        let clean = take.cleaned(&Default::default()).expect("the scene is good").take;
        let least = |motion| {
            let all = bent(motion, &take.motion, &take.legs, take.first_frame);
            all.into_iter().flatten().fold(f64::INFINITY, f64::min).to_degrees()
        };
        let (before, after) = (least(&take.motion), least(&clean.motion));
        if before > -STRAIGHT && after < -STRAIGHT {
            found.push(format!("{name} {after:.2}°"));
        }
    }
    println!("\nbent backwards by the clean alone: {} clips: {}", found.len(), found.join(", "));
}
