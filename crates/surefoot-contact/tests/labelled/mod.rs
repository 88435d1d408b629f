//! Labelled captures, and how detected plants compare with their labels.
//!
//! A foot is down when its heel or its ball is; frames whose label is not known or not valid are
//! left out.

pub mod samples;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use surefoot_contact::{Settings, detect};
use surefoot_core::understand::{Excerpt, Given, Up, understand};
use surefoot_core::{FootPoint, Footplants, Motion};
use surefoot_formats::Space;
use surefoot_formats::bvh::Bvh;

/// One foot's labels: down, up, or not known.
type Labels = Vec<Option<bool>>;

/// How detected frames and edges compare with the labels.
#[derive(Clone, Debug, Default)]
pub struct Score {
    both: usize,
    only_found: usize,
    only_true: usize,
    /// Seconds by which the found strike or lift is late, of those found at all.
    pub strikes: Vec<f64>,
    pub lifts: Vec<f64>,
    /// Labelled edges without a found one near.
    pub missed: usize,
}

/// An edge farther away than this is another one, in seconds.
const NEAR: f64 = 0.15;

impl Score {
    /// The harmonic mean of precision and recall; 1 where nothing is down and nothing is found.
    pub fn f1(&self) -> f64 {
        let all = 2 * self.both + self.only_found + self.only_true;
        if all == 0 { 1.0 } else { 2.0 * self.both as f64 / all as f64 }
    }

    fn add(&mut self, other: &Self) {
        self.both += other.both;
        self.only_found += other.only_found;
        self.only_true += other.only_true;
        self.strikes.extend(&other.strikes);
        self.lifts.extend(&other.lifts);
        self.missed += other.missed;
    }

    fn of(labels: &Labels, found: &[bool], fps: f64) -> Self {
        let mut score = Self::default();
        for (label, &found) in labels.iter().zip(found) {
            match (label, found) {
                (Some(true), true) => score.both += 1,
                (Some(true), false) => score.only_true += 1,
                (Some(false), true) => score.only_found += 1,
                _ => {}
            }
        }
        let changes: Vec<(usize, bool)> =
            (1..found.len()).filter(|&k| found[k] != found[k - 1]).map(|k| (k, found[k])).collect();
        for k in 1..labels.len() {
            let (Some(before), Some(after)) = (labels[k - 1], labels[k]) else { continue };
            if before == after {
                continue;
            }
            let late = changes
                .iter()
                .filter(|c| c.1 == after)
                .map(|c| (c.0 as f64 - k as f64) / fps)
                .min_by(|a, b| a.abs().total_cmp(&b.abs()))
                .filter(|late| late.abs() <= NEAR);
            match late {
                None => score.missed += 1,
                Some(late) if after => score.strikes.push(late),
                Some(late) => score.lifts.push(late),
            }
        }
        score
    }

    fn row(&self, name: &str) -> String {
        let (f1, missed) = (self.f1(), self.missed);
        let edges = self.strikes.len() + self.lifts.len() + missed;
        let ms = |late: &[f64]| {
            let mut late = late.to_vec();
            late.sort_by(f64::total_cmp);
            let at =
                |share: f64| late.get((share * late.len() as f64) as usize).map_or(f64::NAN, |s| s * 1000.0);
            format!("{:6.0}{:6.0}{:6.0}", at(0.05), at(0.5), at(0.95))
        };
        let down = (self.both + self.only_true).max(1) as f64;
        format!(
            "  {name:34}{f1:7.3}{:7.3}{:7.3} {} |{}  {missed:3}/{edges}\n",
            self.both as f64 / down,
            self.both as f64 / (self.both + self.only_found).max(1) as f64,
            ms(&self.strikes),
            ms(&self.lifts)
        )
    }
}

/// A capture in metres, Y up.
pub fn capture(path: &Path) -> Motion {
    let bvh = Bvh::read(std::fs::read(path).unwrap()).unwrap();
    let found = understand(&bvh.excerpt(), &Given::default());
    bvh.motion(&Space { unit_m: found.unit_m.value, up: found.up.value })
}

/// The same with its root's path over the ground so many times as long.
pub fn scaled(mut motion: Motion, times: f64) -> Motion {
    let Some(first) = motion.poses.first().map(|pose| pose.offsets[0]) else { return motion };
    for pose in &mut motion.poses {
        let root = &mut pose.offsets[0];
        root.x = first.x + (root.x - first.x) * times;
        root.z = first.z + (root.z - first.z) * times;
    }
    motion
}

/// The plants of a motion in metres, Y up.
pub fn plants(motion: &Motion) -> (Footplants, Vec<String>) {
    let excerpt = Excerpt { motion: motion.clone(), frames: (0..motion.frames()).collect() };
    let y_up = Up { axis: 1, negative: false };
    let given = Given { unit_m: Some(1.0), up: Some(y_up), ..Given::default() };
    let found = understand(&excerpt, &given);
    let legs = found.legs.unwrap().value;
    let floor = found.floor.map(|floor| floor.value);
    let settings = Settings { first_frame: usize::from(found.inserted_t_pose.value), ..settings() };
    let sides = legs.iter().map(|leg| leg.side.clone()).collect();
    (detect(motion, &legs, floor.as_ref(), &settings), sides)
}

pub fn settings() -> Settings {
    let mut s = Settings::default();
    let var = |n: &str, v: &mut f64| {
        if let Ok(t) = std::env::var(n) {
            *v = t.parse().unwrap()
        }
    };
    var("A", &mut s.starts_below);
    var("B", &mut s.goes_on_below);
    var("C", &mut s.share_of_swing);
    var("D", &mut s.strays);
    var("E", &mut s.shortest_gap);
    var("F", &mut s.shortest_plant);
    s
}

/// Frames in which a foot's heel or ball is planted.
pub fn down(plants: &Footplants, leg: usize, frames: usize) -> Vec<bool> {
    let is_down =
        |frame| [FootPoint::Heel, FootPoint::Ball].iter().any(|&p| plants.is_planted(leg, p, frame));
    (0..frames).map(is_down).collect()
}

/// The labels of both feet, left first.
pub fn labels(path: &Path) -> [Labels; 2] {
    let text = std::fs::read_to_string(path.with_extension("contacts.csv")).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| names.iter().position(|found| *found == name);
    let (left, right) = (column("left_contact").unwrap(), column("right_contact").unwrap());
    let valid = column("valid");
    let mut labels = [Labels::new(), Labels::new()];
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let is_valid = valid.is_none_or(|valid| cells[valid] == "1");
        for (foot, column) in [left, right].into_iter().enumerate() {
            labels[foot].push(match cells[column] {
                "1" if is_valid => Some(true),
                "0" if is_valid => Some(false),
                _ => None,
            });
        }
    }
    labels
}

/// The score of one capture, both feet together.
pub fn score(path: &Path, times: f64) -> Score {
    let motion = scaled(capture(path), times);
    let (plants, sides) = plants(&motion);
    let mut score = Score::default();
    for (foot, labels) in labels(path).iter().enumerate() {
        let leg = sides.iter().position(|side| side == ["left", "right"][foot]).unwrap();
        score.add(&Score::of(labels, &down(&plants, leg, motion.frames()), motion.fps));
    }
    score
}

/// Scores by kind of capture, or of each capture whose name holds `detail`.
pub fn scores(times: f64, detail: Option<&str>) -> BTreeMap<String, Score> {
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    for path in surefoot_testdata::files("labelled", ".bvh") {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let folder = path.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned();
        let kind = match &name {
            n if n.contains("straight") || n.contains("walking") => "walk",
            n if n.contains("turn") => "turn",
            n if n.contains("DJ") => "drop jump",
            n if n.contains("run200") => "run 2",
            n if n.contains("run300") => "run 3",
            n if n.contains("run400") => "run 4",
            n if n.contains("run500") => "run 5",
            _ => "stand",
        };
        let score = score(&path, times);
        if detail.is_some_and(|detail| name.contains(detail)) {
            scores.entry(format!("{folder} {name}")).or_default().add(&score);
        }
        scores.entry(format!("{folder} {kind}")).or_default().add(&score);
    }
    scores
}

/// A table of them.
pub fn table(times: f64, detail: Option<&str>) -> String {
    let mut text =
        format!("  {:34}{:>7}{:>7}{:>7} strike 5 50 95 ms | lift, missed\n", "", "F1", "recall", "prec");
    for (name, score) in scores(times, detail) {
        write!(text, "{}", score.row(&name)).unwrap();
    }
    text
}
