//! What is the one sentence to say?

use crate::figures::Figures;
use crate::words::{Unit, count};

/// What was achieved, in a sentence to share.
pub fn headline(figures: &Figures) -> String {
    let Some(after) = figures.after.drift_max_m else {
        return "No plants to hold.".into();
    };
    let (held, all) = figures.plants_held();
    let Some(before) = figures.before.as_ref().and_then(|before| before.drift_max_m) else {
        return format!(
            "{}; the farthest a planted foot slides is {}.",
            count(all, "plant"),
            Unit::Metres.say(after)
        );
    };
    let who = if held == all {
        format!("{} held", count(all, "plant"))
    } else {
        format!("{held} of {} held", count(all, "plant"))
    };
    format!("{who}; largest slide {} → {}.", Unit::Metres.say(before), Unit::Metres.say(after))
}

/// What it cost, in a sentence; none without a before, or without plants to pay for.
pub fn price(figures: &Figures) -> Option<String> {
    figures.after.drift_max_m?;
    let change = figures.change.as_ref()?;
    let root = Unit::Metres.say(change.root_moved_max_m?);
    let knee = Unit::Angle.say(change.knee_changed_max_rad?);
    let stretch = match figures.after.stretch_max? {
        0.0 => "no bone changed its length".into(),
        stretch => format!("bones stretched by up to {}", Unit::Share.say(stretch)),
    };
    Some(format!("For it the body moved by up to {root}, the knees by up to {knee}, and {stretch}."))
}
