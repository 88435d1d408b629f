//! What does cleanup do to real motions? Every figure of the written file, read back.
//!
//! Each capture is cleaned as it is and with its root path made 10 % longer, so that it skates, by
//! the method as published and by ours, with plants found in the capture as it is. Ratios are after over before; 99th percentile and largest.

use std::path::{Path, PathBuf};

use surefoot::contact::{self, detect, moving_ground, over_ground};
use surefoot::core::understand::{Given, understand};
use surefoot::core::{Floor, Footplants, Leg, Motion, Vec3};
use surefoot::formats::{Space, bvh::Bvh};
use surefoot::measure::{self, Figures, measure};
use surefoot::solve::{Scene, Settings, clean};

/// The captures whose figures are shown one by one.
const NAMED: [&str; 4] = ["02_01.bvh", "16_22.bvh", "07_01.bvh", "02_03.bvh"];

/// A plant is held when its point moves less than this in the written file, in metres.
const HELD: f64 = 1e-5;

/// A capture that can be cleaned.
struct Capture {
    bvh: Bvh,
    space: Space,
    legs: Vec<Leg>,
    floor: Floor,
    first_frame: usize,
}

impl Capture {
    fn read(path: &Path) -> Option<Self> {
        let bvh = Bvh::read(std::fs::read(path).ok()?).ok()?;
        let found = understand(&bvh.excerpt(), &Given::default());
        let space = Space { unit_m: found.unit_m.value, up: found.up.value };
        let leg = |leg: &Leg| Leg {
            heel: space.point_in(leg.heel),
            ball: space.point_in(leg.ball),
            toe: space.point_in(leg.toe),
            ..leg.clone()
        };
        let floor = found.floor?.value;
        Some(Self {
            legs: found.legs.ok()?.value.iter().map(leg).collect(),
            floor: space.plane_in(floor).into(),
            first_frame: usize::from(found.inserted_t_pose.value),
            bvh,
            space,
        })
    }

    fn plants(&self, motion: &Motion) -> Footplants {
        let settings = contact::Settings {
            first_frame: self.first_frame,
            edges: contact::Edges::Rest,
            method: method(),
            ..Default::default()
        };
        detect(motion, &self.legs, Some(&self.floor), &settings)
    }

    /// Cleans a motion, writes it, reads it back and measures that.
    fn figures(&self, before: &Motion, plants: &Footplants, settings: &Settings) -> Option<Figures> {
        let scene = Scene {
            skeleton: before.skeleton.clone(),
            fps: before.fps,
            legs: self.legs.clone(),
            floor: Some(self.floor.clone()),
        };
        let skip = self.first_frame;
        let performance = Motion { poses: before.poses[skip..].to_vec(), ..before.clone() };
        let (mut after, _) = clean(&performance, &scene, &shifted(plants, skip), settings).ok()?;
        after.poses.splice(0..0, before.poses[..skip].iter().cloned());
        let written = Bvh::read(self.bvh.write(&after, &self.space).ok()?).ok()?;
        let scene = measure::Scene { legs: &self.legs, plants, floor: &self.floor, first_frame: skip };
        measure(&written.motion(&self.space), Some(before), &scene).ok()
    }
}

/// How plants are found: as the environment's `METHOD` says, else the default.
fn method() -> contact::Method {
    std::env::var("METHOD").ok().and_then(|word| contact::Method::from_word(&word)).unwrap_or_default()
}

/// Plants counted from a later frame.
fn shifted(plants: &Footplants, by: usize) -> Footplants {
    let mut plants = plants.clone();
    for plant in &mut plants.plants {
        plant.frames = plant.frames.start.saturating_sub(by)..plant.frames.end.saturating_sub(by);
    }
    plants
}

/// The motion with its root's way over the ground made longer.
fn scaled(motion: &Motion, first_frame: usize, scale: f64) -> Motion {
    let mut motion = motion.clone();
    let Some(start) = motion.poses.get(first_frame).map(|pose| pose.offsets[0]) else { return motion };
    for pose in &mut motion.poses[first_frame..] {
        let way = pose.offsets[0] - start;
        pose.offsets[0] = start + Vec3::new(way.x * scale, way.y, way.z * scale);
    }
    motion
}

/// One row of figures.
#[derive(Clone, Copy)]
struct Row {
    drift_before: f64,
    drift_after: f64,
    knee: [f64; 2],
    root: [f64; 2],
    stretch: f64,
    added: f64,
    own: f64,
    held: usize,
    plants: usize,
}

fn row(figures: &Figures) -> Option<Row> {
    let (before, after, change) = (figures.before.as_ref()?, &figures.after, figures.change.as_ref()?);
    let ratio = |after: Option<f64>, before: Option<f64>| Some(after? / before?);
    Some(Row {
        drift_before: before.drift_max_m?,
        drift_after: after.drift_max_m?,
        knee: [
            ratio(after.knee_acceleration_p99_rad_per_s2, before.knee_acceleration_p99_rad_per_s2)?,
            ratio(after.knee_acceleration_max_rad_per_s2, before.knee_acceleration_max_rad_per_s2)?,
        ],
        root: [
            ratio(after.root_acceleration_p99_m_per_s2, before.root_acceleration_p99_m_per_s2)?,
            ratio(after.root_acceleration_max_m_per_s2, before.root_acceleration_max_m_per_s2)?,
        ],
        stretch: after.stretch_max?,
        added: change.added_acceleration_max_m_per_s2?,
        own: before.leg_acceleration_max_m_per_s2?,
        held: figures
            .plants
            .iter()
            .filter(|plant| plant.after.drift.is_some_and(|drift| drift <= HELD))
            .count(),
        plants: figures.plants.len(),
    })
}

fn print(name: &str, form: &str, row: &Row) {
    println!(
        "{name:<22} {form:<6} {:>8.1} {:>9.4}   {:>5.2} /{:>5.2}   {:>5.2} /{:>5.2}   {:>6.2} {:>7.0} {:>5.2} {:>6}/{}",
        row.drift_before * 1e3,
        row.drift_after * 1e3,
        row.knee[0],
        row.knee[1],
        row.root[0],
        row.root[1],
        row.stretch * 1e2,
        row.added,
        row.added / row.own,
        row.held,
        row.plants,
    );
}

fn median(rows: &[Row], of: impl Fn(&Row) -> f64) -> f64 {
    let mut values: Vec<f64> = rows.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn summary(form: &str, rows: &[Row]) {
    let all = Row {
        drift_before: median(rows, |row| row.drift_before),
        drift_after: median(rows, |row| row.drift_after),
        knee: [median(rows, |row| row.knee[0]), median(rows, |row| row.knee[1])],
        root: [median(rows, |row| row.root[0]), median(rows, |row| row.root[1])],
        stretch: median(rows, |row| row.stretch),
        added: median(rows, |row| row.added),
        own: median(rows, |row| row.own),
        held: rows.iter().map(|row| row.held).sum(),
        plants: rows.iter().map(|row| row.plants).sum(),
    };
    print(&format!("median of {}", rows.len()), form, &all);
    let mut shares: Vec<f64> = rows.iter().map(|row| row.added / row.own).collect();
    shares.sort_by(f64::total_cmp);
    let at =
        |share: f64| shares.get((share * (shares.len() - 1) as f64) as usize).copied().unwrap_or(f64::NAN);
    println!(
        "{:<22} {form:<6} added jolt ÷ the capture's own largest, 10 25 50 75 90 100 % of clips: {:.2} {:.2} {:.2} {:.2} {:.2} {:.2}; within it {} of {}",
        "",
        at(0.1),
        at(0.25),
        at(0.5),
        at(0.75),
        at(0.9),
        at(1.0),
        shares.iter().filter(|share| **share <= 1.0).count(),
        shares.len()
    );
}

fn main() {
    let files: Vec<PathBuf> =
        ["bvh", "labelled"].into_iter().flat_map(|folder| surefoot_testdata::files(folder, ".bvh")).collect();
    let captures: Vec<(String, Capture)> = files
        .iter()
        .filter_map(|path| Some((path.file_name()?.to_string_lossy().into_owned(), Capture::read(path)?)))
        .collect();
    let forms = [("paper", Settings::paper()), ("ours", Settings::default())];
    for (what, scale) in [("as captured", 1.0), ("with the root path × 1.10", 1.1)] {
        println!("\n{what}");
        println!(
            "                              drift, mm            knee             root         stretch   added        plants"
        );
        println!(
            "                              before     after   p99 / max        p99 / max            %   m/s²  ÷ own  held"
        );
        for (form, settings) in &forms {
            let mut rows = Vec::new();
            for (name, capture) in &captures {
                let captured = capture.bvh.motion(&capture.space);
                let plants = capture.plants(&captured);
                // On a treadmill all is seen from the belt.
                let ground = moving_ground(&captured, &capture.legs, Some(&capture.floor), &plants);
                let captured = ground.map_or(captured.clone(), |ground| over_ground(&captured, ground));
                let before = scaled(&captured, capture.first_frame, scale);
                let Some(row) = capture.figures(&before, &plants, settings).as_ref().and_then(row) else {
                    continue;
                };
                if NAMED.contains(&name.as_str()) || std::env::var_os("EVERY_FILE").is_some() {
                    print(name, form, &row);
                }
                rows.push(row);
            }
            summary(form, &rows);
        }
    }
}
