//! What it takes to hold each plant: how far it is moved, how far out of reach it is, who pays.

use serde::Serialize;
use surefoot_core::Leg;
use surefoot_measure::Unit;
use surefoot_solve::{PlantReport, Report};

use crate::text::printable;

/// What one plant takes.
#[derive(Serialize)]
pub struct PlantCost<'a> {
    foot: &'a str,
    point: &'static str,
    first: usize,
    last: usize,
    moved_m: f64,
    out_of_reach_m: f64,
    /// Who pays: the root by moving, in metres.
    root_m: f64,
    /// The bones by stretching, as a fraction.
    stretch: f64,
    /// And the plant itself by sliding, in metres.
    slide_m: f64,
}

/// What every plant takes.
pub fn of<'a>(report: &Report, legs: &'a [Leg]) -> Vec<PlantCost<'a>> {
    let budget = |plant: &PlantReport| PlantCost {
        foot: &legs[plant.leg].side,
        point: plant.point.as_str(),
        first: plant.frames.start,
        last: plant.frames.end.saturating_sub(1),
        moved_m: plant.correction_m,
        out_of_reach_m: plant.out_of_reach_m,
        root_m: plant.root_correction_m,
        stretch: plant.stretch,
        slide_m: plant.drift_m,
    };
    report.plants.iter().map(budget).collect()
}

/// The same as text: nothing where nothing is paid.
pub fn table(budgets: &[PlantCost]) -> String {
    if budgets.is_empty() {
        return String::new();
    }
    let foot = budgets.iter().map(|budget| budget.foot.chars().count()).max().unwrap_or(0).max(4) + 2;
    let mut text = format!(
        "  {:foot$}{:6}{:>12}{:>11}{:>14}{:>12}{:>10}{:>10}\n",
        "foot", "point", "frames", "moved", "out of reach", "root moves", "stretch", "slides"
    );
    for budget in budgets {
        text += &row(budget, foot);
    }
    text
}

fn row(budget: &PlantCost, foot: usize) -> String {
    let PlantCost { point, first, last, moved_m, out_of_reach_m, root_m, stretch, slide_m, .. } = budget;
    // Less than what a file can show is nothing.
    let say = |unit: Unit, value: f64| if value < 1e-6 { "–".into() } else { unit.say(value) };
    let (side, frames) = (printable(budget.foot), format!("{first}–{last}"));
    let moved = say(Unit::Metres, *moved_m);
    let beyond = say(Unit::Metres, *out_of_reach_m);
    let root = say(Unit::Metres, *root_m);
    let (stretch, slide) = (say(Unit::Share, *stretch), say(Unit::Metres, *slide_m));
    format!("  {side:foot$}{point:6}{frames:>12}{moved:>11}{beyond:>14}{root:>12}{stretch:>10}{slide:>10}\n")
}
