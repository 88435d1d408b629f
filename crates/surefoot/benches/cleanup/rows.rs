//! A row of figures for each capture, and their summary.

use surefoot::measure::{Event, Figures};

/// A plant is held when its point moves less than this in the written file, in metres.
const HELD: f64 = 1e-5;

/// The number of columns of events.
const EVENTS: usize = 7;

/// The two lines of the heading of the columns.
pub const HEADING: [&str; 2] = [
    "                             drift, mm           knee            root        stretch   added  skate     plants    new  tele- knee          below deeper    other",
    "                            before   after     p99 / max       p99 / max           %   ÷ cap  ÷ cap       held slides ports pops scrapes  frames frames channels",
];

/// The figures of one capture.
#[derive(Clone)]
pub struct Row {
    drift_before: f64,
    drift_after: f64,
    /// After ÷ captured, 99th percentile and largest.
    knee: [f64; 2],
    root: [f64; 2],
    stretch: f64,
    /// The largest added acceleration of a hip, knee or ankle ÷ the largest captured one.
    added: f64,
    /// The skating of Zhang et al. 2018, after ÷ captured; infinite where the capture has none.
    skate: f64,
    held: usize,
    plants: usize,
    /// New slides, teleports, knee pops, scrapes, point frames below the floor (a frame counts once for each heel, ball
    /// or toe), point frames deeper than captured, joints with other channels.
    events: [usize; EVENTS],
}

impl Row {
    /// `None` without plants.
    pub fn new(figures: &Figures) -> Option<Self> {
        let (before, after, change) = (figures.before.as_ref()?, &figures.after, figures.change.as_ref()?);
        let ratio = |after: Option<f64>, before: Option<f64>| Some(after? / before?);
        let events = &figures.events;
        let count = |events: &Option<Vec<Event>>| events.as_ref().map_or(0, Vec::len);
        let point_frames = |events: &Option<Vec<Event>>| {
            events.iter().flatten().map(|event| event.last + 1 - event.first).sum::<usize>()
        };
        let is_held = |drift: Option<f64>| drift.is_some_and(|drift| drift <= HELD);
        Some(Self {
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
            added: ratio(change.added_acceleration_max_m_per_s2, before.leg_acceleration_max_m_per_s2)?,
            skate: ratio(after.skate_mann_m_per_s, before.skate_mann_m_per_s)?,
            held: figures.plants.iter().filter(|plant| is_held(plant.after.drift)).count(),
            plants: figures.plants.len(),
            events: [
                count(&events.new_slides),
                count(&events.teleports),
                count(&events.knee_pops),
                count(&events.scrapes),
                point_frames(&events.below_floor),
                point_frames(&events.deeper_than_captured),
                events.channels_changed.as_ref().map_or(0, Vec::len),
            ],
        })
    }

    /// Prints the row after a name, with its events.
    pub fn print(&self, name: &str) {
        let [slides, teleports, pops, scrapes, below, deeper, channels] = self.events;
        print!("{}", self.figures(name));
        println!(" {slides:>6} {teleports:>5} {pops:>4} {scrapes:>7} {below:>7} {deeper:>6} {channels:>8}");
    }

    /// The row after a name, without its events.
    pub fn figures(&self, name: &str) -> String {
        format!(
            "{name:<26} {:>8.1} {:>7.4}   {:>5.2} /{:>5.2}   {:>5.2} /{:>5.2}     {:>5.2}   {:>5.2}  {:>5.2} {:>10}",
            self.drift_before * 1e3,
            self.drift_after * 1e3,
            self.knee[0],
            self.knee[1],
            self.root[0],
            self.root[1],
            self.stretch * 1e2,
            self.added,
            self.skate,
            format!("{}/{}", self.held, self.plants),
        )
    }
}

/// Prints the median and 90th percentile of every figure, and the number of events and of captures that have any.
pub fn summary(rows: &[Row]) {
    for (name, share) in [("median", 0.5), ("90 %", 0.9), ("largest", 1.0)] {
        println!("{}", quantile_row(rows, share).figures(&format!("{name} of {}", rows.len())));
    }
    println!(
        "added acceleration within the largest captured one: {} of {}",
        within_captured(rows),
        rows.len()
    );
    println!("events / captures with any:");
    println!(
        "| new slides | teleports | knee pops | scrapes | point frames below the floor | point frames deeper | other channels |"
    );
    println!("|---|---|---|---|---|---|---|");
    println!("| {} |", events(rows).join(" | "));
}

/// Of each kind of event, how many there are and how many captures have any.
pub fn events(rows: &[Row]) -> [String; EVENTS] {
    core::array::from_fn(|kind| {
        let sum: usize = rows.iter().map(|row| row.events[kind]).sum();
        let clips = rows.iter().filter(|row| row.events[kind] > 0).count();
        format!("{sum} / {clips}")
    })
}

/// Number of captures whose added acceleration stays below the largest captured one.
pub fn within_captured(rows: &[Row]) -> usize {
    rows.iter().filter(|row| row.added <= 1.0).count()
}

/// The quantile of each figure, with the plants of all rows.
pub fn quantile_row(rows: &[Row], share: f64) -> Row {
    let of = |pick: &dyn Fn(&Row) -> f64| quantile(rows.iter().map(pick).collect(), share);
    Row {
        drift_before: of(&|row| row.drift_before),
        drift_after: of(&|row| row.drift_after),
        knee: [of(&|row| row.knee[0]), of(&|row| row.knee[1])],
        root: [of(&|row| row.root[0]), of(&|row| row.root[1])],
        stretch: of(&|row| row.stretch),
        added: of(&|row| row.added),
        skate: of(&|row| row.skate),
        held: rows.iter().map(|row| row.held).sum(),
        plants: rows.iter().map(|row| row.plants).sum(),
        events: [0; EVENTS],
    }
}

/// The value that this share of the values does not exceed; without values NaN.
fn quantile(mut values: Vec<f64>, share: f64) -> f64 {
    values.retain(|value| value.is_finite());
    values.sort_by(f64::total_cmp);
    let rank = (share * values.len() as f64).ceil() as usize;
    values.get(rank.max(1) - 1).copied().unwrap_or(f64::NAN)
}

/// Prints every event of a capture but those of the floor, which are many.
pub fn print_events(figures: &Figures) {
    let events = &figures.events;
    let kinds = [
        ("new slide", &events.new_slides),
        ("teleport", &events.teleports),
        ("knee pop", &events.knee_pops),
        ("scrape", &events.scrapes),
    ];
    for (kind, events) in kinds {
        for Event { foot, point, first, last, amount, .. } in events.iter().flatten() {
            println!("    {kind}: {foot} {} frames {first} to {last}, {amount:.4}", point.as_str());
        }
    }
}
