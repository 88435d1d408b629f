//! Labels of captures, and how well found plants agree with them.

use std::path::Path;

/// One foot's labels, a frame each: down, up, or not known.
pub type Labels = Vec<Option<bool>>;

/// The labels of both feet, left first, from the table beside a capture.
pub fn read(capture: &Path) -> [Labels; 2] {
    let text = std::fs::read_to_string(capture.with_extension("contacts.csv")).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| names.iter().position(|found| *found == name);
    let feet = ["left_contact", "right_contact"].map(|name| column(name).unwrap());
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    // Only the force plates know steps that miss them; other tables are valid throughout.
    let is_valid = |row: &[&str]| column("valid").is_none_or(|valid| row[valid] == "1");
    let label = |row: &[&str], foot: usize| match row[foot] {
        "1" if is_valid(row) => Some(true),
        "0" if is_valid(row) => Some(false),
        _ => None,
    };
    feet.map(|foot| rows.iter().map(|row| label(row, foot)).collect())
}

/// How found frames and edges agree with the labels.
#[derive(Clone, Debug, Default)]
pub struct Score {
    both: usize,
    only_found: usize,
    only_labelled: usize,
    /// Seconds by which each edge is late: where a foot comes down, and where it leaves.
    strikes: Vec<f64>,
    lifts: Vec<f64>,
    /// Labelled edges with no found one near.
    missed: usize,
}

/// An edge farther away than this is another one, in seconds.
const NEAR: f64 = 0.15;

impl Score {
    /// What heads the columns of `row`.
    pub const HEAD: &str = "                               F1   recall  precision    \
         strike late by, ms      lift late by, ms   edges\n                                                         \
         5 %   50 %   95 %     5 %   50 %   95 %   missed";

    /// The score of one foot.
    pub fn of(labels: &Labels, found: &[bool], fps: f64) -> Self {
        let count = |label: bool, is_found: bool| {
            let both = labels.iter().zip(found);
            both.filter(|(l, f)| **l == Some(label) && **f == is_found).count()
        };
        let mut score = Self {
            both: count(true, true),
            only_found: count(false, true),
            only_labelled: count(true, false),
            ..Self::default()
        };
        for frame in 1..labels.len() {
            if let (Some(before), Some(after)) = (labels[frame - 1], labels[frame])
                && before != after
            {
                score.add_edge(late(frame, after, found, fps), after);
            }
        }
        score
    }

    fn add_edge(&mut self, late: Option<f64>, down: bool) {
        match late {
            None => self.missed += 1,
            Some(late) if down => self.strikes.push(late),
            Some(late) => self.lifts.push(late),
        }
    }

    /// Takes another foot or capture in.
    pub fn add(&mut self, other: &Self) {
        self.both += other.both;
        self.only_found += other.only_found;
        self.only_labelled += other.only_labelled;
        self.strikes.extend(&other.strikes);
        self.lifts.extend(&other.lifts);
        self.missed += other.missed;
    }

    /// The harmonic mean of precision and recall.
    pub fn f1(&self) -> f64 {
        let all = 2 * self.both + self.only_found + self.only_labelled;
        2.0 * self.both as f64 / all.max(1) as f64
    }

    /// A line of the table.
    pub fn row(&self, name: &str) -> String {
        let share = |other: usize| self.both as f64 / (self.both + other).max(1) as f64;
        let edges = self.strikes.len() + self.lifts.len() + self.missed;
        format!(
            "{name:26}{:7.3}{:9.3}{:11.3}   {}  {}{:5} of {edges}",
            self.f1(),
            share(self.only_labelled),
            share(self.only_found),
            spread(&self.strikes),
            spread(&self.lifts),
            self.missed
        )
    }
}

/// By how many seconds the found edge nearest to a labelled one is late.
fn late(frame: usize, down: bool, found: &[bool], fps: f64) -> Option<f64> {
    let edges = (1..found.len()).filter(|&k| found[k] == down && found[k - 1] != down);
    let late = edges.map(|edge| (edge as f64 - frame as f64) / fps);
    late.min_by(|a, b| a.abs().total_cmp(&b.abs())).filter(|late| late.abs() <= NEAR)
}

fn spread(late: &[f64]) -> String {
    let mut late = late.to_vec();
    late.sort_by(f64::total_cmp);
    let at = |share: f64| match late.get((share * late.len() as f64) as usize) {
        Some(seconds) => format!("{:7.0}", 1000.0 * seconds),
        None => format!("{:>7}", "–"),
    };
    [0.05, 0.5, 0.95].map(at).concat()
}
