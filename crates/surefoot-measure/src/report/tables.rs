//! The figures and the plants as HTML tables.

use crate::figures::{CorrectionCost, Figures, HELD, PlantFigures, PlantMotion};
use crate::plot::escape;
use crate::rows::Group;
use crate::unit::Unit;
use surefoot_core::{Hold, HoldKind};

/// Number of plants above which the table is collapsed.
const FOLDED_FROM: usize = 40;

/// Table of all figures: label, before, after, and after ÷ before.
pub(crate) fn figures(figures: &Figures) -> String {
    let paired = figures.before.is_some();
    let mut rows = String::new();
    for (heading, lines) in figures.lines() {
        let span = if paired { 4 } else { 2 };
        rows +=
            &format!("<tr class=\"group\"><th colspan=\"{span}\" scope=\"rowgroup\">{heading}</th></tr>\n");
        for line in lines {
            let numbers =
                if paired { cells(&[&line.before, &line.after, &line.ratio]) } else { cells(&[&line.after]) };
            let (key, label) = (line.key, line.label.replace(" %", "\u{a0}%"));
            rows += &format!("<tr><th scope=\"row\" title=\"{key}\">{label}</th>{numbers}</tr>\n");
        }
        if let Some(remark) = Group::remark(heading) {
            rows += &format!("<tr class=\"remark\"><td colspan=\"{span}\">{remark}</td></tr>\n");
        }
    }
    let head = if paired {
        "<thead><tr><td></td><th scope=\"col\">before</th><th scope=\"col\">after</th>\
         <th scope=\"col\">ratio</th></tr></thead>\n"
    } else {
        ""
    };
    format!(
        "<div class=\"scroll\" tabindex=\"0\"><table class=\"figures\">\n{head}<tbody>\n{rows}</tbody>\n</table></div>\n"
    )
}

fn cells(texts: &[&str]) -> String {
    texts.iter().map(|text| format!("<td>{}</td>", escape(text))).collect()
}

/// Table of all plants: drift, slide, stretch and root correction.
pub(crate) fn plants(figures: &Figures) -> String {
    let paired = figures.before.is_some();
    let unmet = figures.plants.iter().any(|plant| plant.unmet.is_some());
    let mut columns = vec!["foot", "frames"];
    columns.extend(if paired { ["drift before", "after"].as_slice() } else { &["drift"] });
    columns.extend(["slide", "stretch"]);
    columns.extend(paired.then_some("root moved"));
    columns.extend(unmet.then_some("not met"));
    let head: String = columns.iter().map(|name| format!("<th scope=\"col\">{name}</th>")).collect();
    let rows: String = figures.plants.iter().map(|plant| plant_row(plant, paired, unmet)).collect();
    let table = format!(
        "<div class=\"scroll\" tabindex=\"0\"><table class=\"plants\">\n<thead><tr>{head}</tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table></div>\n"
    );
    if figures.plants.len() <= FOLDED_FROM {
        return table;
    }
    format!("<details>\n<summary>All {} plants</summary>\n{table}</details>\n", figures.plants.len())
}

fn plant_row(plant: &PlantFigures, paired: bool, unmet: bool) -> String {
    let cost = plant.cost.unwrap_or_default();
    let mut texts = vec![format!("{}–{}", plant.first, plant.last)];
    texts.extend(paired.then(|| Unit::Metres.format_or_dash(plant.before.and_then(|before| before.drift))));
    texts.extend(plant_cells(&plant.after));
    texts.extend(paired.then(|| root(&cost)));
    texts.extend(unmet.then(|| plant.unmet.map_or_else(String::new, |unmet| Unit::Metres.format(unmet))));
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let foot = escape(&format!("{} {}{}", plant.foot, plant.point_name, hold_text(&plant.hold)));
    let slides = plant.after.drift.is_some_and(|drift| drift > HELD);
    let class = if slides { " class=\"slides\"" } else { "" };
    format!("<tr{class}><th scope=\"row\">{foot}</th>{}</tr>\n", cells(&texts))
}

/// What a plant holds of its point, in brackets; nothing for a plant that holds it fully.
fn hold_text(hold: &Hold) -> String {
    let kind = match hold.kind {
        HoldKind::Full => None,
        HoldKind::Pivot => Some("pivot".to_owned()),
        HoldKind::Height => Some("height only".to_owned()),
        HoldKind::Ground => Some("on the ground only".to_owned()),
    };
    let strength = (hold.strength != 1.0).then(|| format!("strength {}", hold.strength));
    match kind.into_iter().chain(strength).collect::<Vec<_>>() {
        texts if texts.is_empty() => String::new(),
        texts => format!(" ({})", texts.join(", ")),
    }
}

fn plant_cells(after: &PlantMotion) -> [String; 3] {
    [
        Unit::Metres.format_or_dash(after.drift),
        Unit::Speed.format_or_dash(after.slide),
        Unit::Share.format_or_dash(after.stretch),
    ]
}

fn root(cost: &CorrectionCost) -> String {
    Unit::Metres.format(cost.root)
}
