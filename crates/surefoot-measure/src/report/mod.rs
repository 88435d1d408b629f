//! The HTML report: verdict, warnings, the motion in a player, footprints, what was introduced, figures and plots.
//!
//! A single HTML file that loads nothing, for screens, phones and printing. All text from files and users
//! is escaped.

mod contacts;
mod edit;
mod events;
mod header;
mod headline;
mod introduced;
mod meanings;
mod player;
mod reach;
mod review;
mod tables;

use crate::context::MeasureError;
use crate::figures::{Figures, PlantFigures};
use crate::plot::{self, Curves, Plot, escape};
use surefoot_core::{Clip, Floor, Motion};

use header::header;
use player::Player;

pub use edit::{EditReport, edit_report};
pub use headline::{cost, headline};
pub use reach::{GoalRow, JointRow, ReachReport, reach_curves, reach_report};

/// The content of a report.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// Title: the file name.
    pub title: &'a str,
    /// The clip, with its motion as read back from the written file.
    pub clip: &'a Clip,
    /// The motion before it was cleaned.
    pub before: Option<&'a Motion>,
    /// The figures of [`measure`](crate::measure), with the additions of the cleaner.
    pub figures: &'a Figures,
    /// Limits of the user that the result does not meet, a sentence each. A result with one is never called good.
    pub missed_limits: &'a [String],
    /// Warnings about the file, a sentence each. They are at the top of the page.
    pub warnings: &'a [String],
    /// Notes, a sentence each.
    pub notes: &'a [String],
}

/// The HTML page.
pub fn report(report: &Report) -> Result<String, MeasureError> {
    let curves = Curves::new(report.clip, report.before)?;
    let parts = [
        header(report),
        motion(report, &curves),
        introduced::introduced(report)?,
        review::review_section(report),
        figures(report),
        plots(&curves, report),
        plants(report),
        footer(),
    ];
    Ok(page(report.title, &parts))
}

/// The player with its time line, and the footprints.
fn motion(report: &Report, curves: &Curves) -> String {
    let player = Player::new(report, curves);
    let player = player.map_or_else(String::new, |player| {
        let contacts = contacts::contacts(report, &player);
        // In print, and where scripts do not run, a picture takes the place of the player.
        let still = plot::steps(curves, report.clip, report.before);
        let still =
            still.map_or_else(String::new, |still| format!("<div class=\"still\">{}</div>\n", still.svg));
        // The script comes last, because it uses the elements above it.
        format!(
            "<section class=\"motion\" aria-label=\"the motion\">\n{}{still}{contacts}{}</section>\n",
            player.html(),
            player.script()
        )
    });
    let (close, why) = closer(curves, report);
    let smear = if report.before.is_some() { " A foot that slides smears its print." } else { "" };
    let caption = format!("The body travels from left to right.{smear} {why}");
    player + &section_of("Footprints", &caption, plot::footprints(&close).as_slice())
}

/// Forbids the page to load anything, so that a report from a stranger reaches no network.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// The complete HTML document.
fn page(title: &str, parts: &[String]) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <title>{}</title>\n<style>\n{}{}{}</style>\n</head>\n<body>\n<main>\n{}</main>\n</body>\n</html>\n",
        escape(title),
        plot::STYLE,
        plot::BODY_STYLE,
        include_str!("page.css"),
        parts.concat()
    )
}

/// Escaped text in which numbers and units are not separated by line breaks.
fn unbroken(words: &str) -> String {
    [" mm", " %", " →"]
        .into_iter()
        .fold(escape(words), |words, unit| words.replace(unit, &unit.replace(' ', "\u{a0}")))
}

/// A number with at most two decimals, without trailing zeros.
fn plain(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}

fn figures(report: &Report) -> String {
    section("Figures", &(tables::figures(report.figures) + &meanings::meanings(report.figures)))
}

fn plots(curves: &Curves, report: &Report) -> String {
    let (close, why) = closer(curves, report);
    let mut text = String::new();
    text += &section_of(
        "Drift of planted feet",
        "The plants that drifted most, all at one scale. The cross is the given spot or the start of a plant, a dot is its end.",
        plot::spots(curves).as_slice(),
    );
    let caption = format!("Green is planted; a hollow bar is a plant that drifts. {why}");
    text += &section_of("Height over the floor", &caption, &plot::heights(&close));
    let uneven = report
        .clip
        .floor
        .as_ref()
        .and_then(Floor::as_surface)
        .map_or("", |_| "Thin lines are contours of equal height. ");
    let caption = format!("The body travels from left to right. {uneven}{why}");
    text += &section_of("Path over the ground", &caption, &plot::ground(&close));
    let caption = format!("A straight knee is at 180°. A pop is a corner in the curve. {why}");
    text += &section_of("Knees", &caption, &plot::knees(&close));
    text += &section_of(
        "Leg extension and knee correction",
        "The straighter a leg, the more its knee must turn for the same reach. Each dot is one knee in one \
         frame in which it was changed.",
        plot::reach(curves).as_slice(),
    );
    let cost_plots: Vec<Plot> = plot::root(curves).into_iter().chain(plot::stretch(curves)).collect();
    text += &section_of("Cost", "Correction of the root, and change of the bone lengths.", &cost_plots);
    text + &folded("Speeds", &plot::speeds(&close))
}

/// Duration above which only a part of the motion is plotted, in seconds. In longer plots single steps
/// are not visible.
const LONG: f64 = 30.0;

/// Duration of the plotted part of a long motion, in seconds: about ten steps.
const SHOWN: f64 = 12.0;

/// The part of the motion that is plotted, and a sentence about it if it is not the whole motion.
///
/// Of a long motion, the time around the plant with the largest drift is plotted.
fn closer<'a>(curves: &Curves<'a>, report: &Report) -> (Curves<'a>, String) {
    let motion = &report.clip.motion;
    let drift = |plant: &&PlantFigures| plant.before.unwrap_or(plant.after).drift.unwrap_or(0.0);
    let worst = report.figures.plants.iter().max_by(|a, b| drift(a).total_cmp(&drift(b)));
    let Some(worst) = worst.filter(|_| motion.seconds() > LONG) else {
        return (curves.clone(), String::new());
    };
    let half = (0.5 * SHOWN * motion.fps) as usize;
    let middle = worst.first.midpoint(worst.last);
    // Shifted at the ends so that the duration is always the same.
    let start = middle.saturating_sub(half).min(motion.frames().saturating_sub(2 * half));
    let why = format!(
        "Shows {} of {} s, around the plant that drifted most.",
        plain(SHOWN),
        plain(motion.seconds())
    );
    (curves.within(start..start + 2 * half), why)
}

fn section(heading: &str, body: &str) -> String {
    format!("<section>\n<h2>{heading}</h2>\n{body}</section>\n")
}

/// A section of plots; empty without plots.
fn section_of(heading: &str, caption: &str, plots: &[Plot]) -> String {
    if plots.is_empty() {
        return String::new();
    }
    section(heading, &format!("<p class=\"caption\">{caption}</p>\n{}", drawn(plots)))
}

/// A collapsed section of plots; empty without plots.
fn folded(heading: &str, plots: &[Plot]) -> String {
    if plots.is_empty() {
        return String::new();
    }
    format!("<section>\n<details>\n<summary>{heading}</summary>\n{}</details>\n</section>\n", drawn(plots))
}

fn drawn(plots: &[Plot]) -> String {
    plots.iter().map(|plot| format!("<div class=\"scroll\" tabindex=\"0\">{}</div>\n", plot.svg)).collect()
}

fn plants(report: &Report) -> String {
    if report.figures.plants.is_empty() {
        return String::new();
    }
    let caption = if report.before.is_some() {
        "The cost of each plant: the correction of the root, the stretch of the leg, and the drift that remains."
    } else {
        "Drift (distance) and slide (speed) of each planted point."
    };
    section("Plants", &format!("<p class=\"caption\">{caption}</p>\n{}", tables::plants(report.figures)))
}

fn footer() -> String {
    format!("<footer>Measured by surefoot {} of the files as written.</footer>\n", env!("CARGO_PKG_VERSION"))
}
