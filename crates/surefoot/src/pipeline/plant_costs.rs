//! The cost of holding each plant.

use serde::Serialize;
use surefoot_core::Leg;
use surefoot_measure::Unit;
use surefoot_solve::{PlantReport, Report};

use super::clean_file::CleanFile;
use crate::printable;

/// The cost of holding one plant.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PlantCost<'a> {
    /// The side of the leg.
    pub foot: &'a str,
    /// The foot point: `heel` or `ball`.
    pub point: &'static str,
    /// The first frame.
    pub first: usize,
    /// The last frame.
    pub last: usize,
    /// The largest correction of the point, in metres.
    pub moved_m: f64,
    /// How far the spot is out of reach of the captured leg, in metres.
    pub out_of_reach_m: f64,
    /// The correction of the root, in metres.
    pub root_m: f64,
    /// The stretch of thigh or shin, as a fraction.
    pub stretch: f64,
    /// The drift that remains, in metres.
    pub drift_m: f64,
}

impl CleanFile<'_> {
    /// The cost of holding each plant. Empty where the motion was not cleaned.
    pub fn plant_costs(&self) -> Vec<PlantCost<'_>> {
        self.report.as_ref().map_or_else(Vec::new, |report| plant_costs(report, &self.clip.legs))
    }
}

fn plant_costs<'a>(report: &Report, legs: &'a [Leg]) -> Vec<PlantCost<'a>> {
    let cost = |plant: &PlantReport| PlantCost {
        foot: &legs[plant.leg].side,
        point: legs[plant.leg].point_name(plant.point),
        first: plant.frames.start,
        last: plant.frames.end.saturating_sub(1),
        moved_m: plant.correction_m,
        out_of_reach_m: plant.out_of_reach_m,
        root_m: plant.root_correction_m,
        stretch: plant.stretch,
        drift_m: plant.drift_m,
    };
    report.plants.iter().map(cost).collect()
}

/// The costs as a text table, as `clean --dry-run` prints it; empty without plants.
pub fn plant_cost_table(costs: &[PlantCost]) -> String {
    if costs.is_empty() {
        return String::new();
    }
    let foot = costs.iter().map(|cost| cost.foot.chars().count()).max().unwrap_or(0).max(4) + 2;
    let mut text = format!(
        "  {:foot$}{:6}{:>12}{:>11}{:>14}{:>12}{:>10}{:>10}\n",
        "foot", "point", "frames", "moved", "out of reach", "root moves", "stretch", "drifts"
    );
    for cost in costs {
        text += &row(cost, foot);
    }
    text
}

fn row(cost: &PlantCost, foot: usize) -> String {
    let PlantCost { point, first, last, moved_m, out_of_reach_m, root_m, stretch, drift_m, .. } = cost;
    // A file cannot show a smaller value.
    let text = |unit: Unit, value: f64| if value < 1e-6 { "–".into() } else { unit.format(value) };
    let (side, frames) = (printable(cost.foot), format!("{first}–{last}"));
    let moved = text(Unit::Metres, *moved_m);
    let beyond = text(Unit::Metres, *out_of_reach_m);
    let root = text(Unit::Metres, *root_m);
    let (stretch, drift) = (text(Unit::Share, *stretch), text(Unit::Metres, *drift_m));
    format!("  {side:foot$}{point:6}{frames:>12}{moved:>11}{beyond:>14}{root:>12}{stretch:>10}{drift:>10}\n")
}
