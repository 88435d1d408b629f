//! The sentences above the table: the result, what it introduced, and its cost.

use crate::events::EventKind;
use crate::figures::Figures;
use crate::unit::{Unit, count};

/// The result: how many plants are held, the largest drift, and the visible events that were introduced.
///
/// Drift does not cover the frames between the plants, so drift and events always appear together.
pub fn headline(figures: &Figures) -> String {
    let introduced = introduced(figures).map_or_else(String::new, |introduced| format!(" {introduced}"));
    drift_sentence(figures) + &introduced
}

/// How many plants are held, and the largest drift.
fn drift_sentence(figures: &Figures) -> String {
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

/// The visible events of the motion after that the motion before does not have. `None` without a motion before.
fn introduced(figures: &Figures) -> Option<String> {
    let found = introduced_list(figures)?;
    Some(match found.is_empty() {
        true => "No visible events introduced.".into(),
        false => format!("Introduced: {}.", found.join(", ")),
    })
}

/// The number of introduced events of each kind that has some. `None` without a motion before.
pub(super) fn introduced_list(figures: &Figures) -> Option<Vec<String>> {
    figures.before.as_ref()?;
    let events = &figures.events;
    let kinds = [EventKind::NewSlide, EventKind::Teleport, EventKind::KneePop, EventKind::Scrape];
    let listed = |kind: EventKind| {
        let number = kind.list(events)?.len();
        (number > 0).then(|| count(number, kind.as_str()))
    };
    let deeper = events.deeper_frames().filter(|&frames| frames > 0);
    let channels = events.channels_changed.as_ref().map(Vec::len).filter(|&joints| joints > 0);
    let found = kinds
        .into_iter()
        .filter_map(listed)
        .chain(deeper.map(|frames| format!("{} deeper below the floor", count(frames, "frame"))))
        .chain(channels.map(|joints| format!("other channels on {}", count(joints, "joint"))));
    Some(found.collect())
}

/// The cost in one sentence. `None` without a motion before, or without plants.
pub fn cost(figures: &Figures) -> Option<String> {
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
