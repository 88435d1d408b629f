//! The sentences above the table: the result and its cost.

use crate::figures::Figures;
use crate::unit::{Unit, count};

/// The result in one sentence: how many plants are held, and the largest drift.
pub fn headline(figures: &Figures) -> String {
    let Some(after) = figures.after.drift_max_m else {
        return "No foot contacts.".into();
    };
    let (held, all) = figures.plants_held();
    let Some(before) = figures.before.as_ref().and_then(|before| before.drift_max_m) else {
        return format!("{}; largest drift {}.", count(all, "plant"), Unit::Metres.format(after));
    };
    let plants = if held == all {
        format!("{} held", count(all, "plant"))
    } else {
        format!("{held} of {} held", count(all, "plant"))
    };
    format!("{plants}; largest drift {} → {}.", Unit::Metres.format(before), Unit::Metres.format(after))
}

/// The cost in one sentence. `None` without a motion before, or without plants.
pub fn price(figures: &Figures) -> Option<String> {
    figures.after.drift_max_m?;
    let change = figures.change.as_ref()?;
    let root = Unit::Metres.format(change.root_moved_max_m?);
    let knee = Unit::Angle.format(change.knee_changed_max_rad?);
    let stretch = match figures.after.stretch_max? {
        0.0 => "no stretch".into(),
        stretch => format!("stretch up to {}", Unit::Share.format(stretch)),
    };
    Some(format!("Cost: root moved up to {root}, knee up to {knee}, {stretch}."))
}
