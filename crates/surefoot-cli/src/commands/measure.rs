//! `measure`: the figures of a file.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot::PlantsSource;
use surefoot::text::{bullets, printable, wrapped};
use surefoot_measure::{Figures, ReviewItem, ReviewKind, headline, review};

use crate::args::FileOptions;
use crate::before_after::load_before_after;
use crate::limits::{self, LimitOptions};
use crate::output::{json, print};
use crate::problem::{CommandError, Problem, warn};

/// Measure footskate: how far and how fast planted feet move
///
/// Prints drift (distance of a planted point from where its plant began), slide (its speed), depth
/// below the floor, bone stretch and the smoothness of knees and root. With --before, prints the
/// figures of both files, the changes between them, and the events that a viewer notices in the
/// second: new slides, teleports, knee pops, scrapes and feet below the floor. A list of what to
/// review follows, the most visible first: the same list as in the report and in the studio.
///
/// To measure a cleaned file, pass the original with --before: foot points, floor and plants then
/// come from the original, as in `clean`. A cleaned file alone is measured like any other capture:
/// its contacts are detected again, and they are not the plants that `clean` held. With --plants
/// and --rig they are those that you pass.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot measure walk.bvh
  surefoot measure walk.clean.bvh --before walk.bvh --plants walk.plants.json
  surefoot measure walk.clean.bvh --before walk.bvh --json
  surefoot measure walk.clean.bvh --before walk.bvh --max-drift 0.01mm --max-new-slides 0")]
pub struct Measure {
    /// A motion file; - is stdin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// The file before cleaning or editing; legs, floor and plants come from it [default: none]
    #[arg(long, value_name = "FILE0", value_hint = ValueHint::FilePath)]
    before: Option<PathBuf>,

    /// When each heel and ball is planted: a plants file, JSON or CSV; - is stdin
    /// [default: detected, as by `surefoot detect`]
    #[arg(long, value_name = "PLANTS", value_hint = ValueHint::FilePath)]
    plants: Option<PathBuf>,

    /// Print the figures as one JSON value, in metres, seconds and radians [default: as text]
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    limits: LimitOptions,

    #[command(flatten)]
    file_options: FileOptions,
}

/// The value that `measure --json` prints; the figures follow.
#[derive(Serialize)]
struct MeasureJson<'a> {
    motion: &'a str,
    before: Option<String>,
    /// Whether the plants were detected.
    plants_detected: bool,
    notes: &'a [String],
    warnings: Vec<String>,
    limits_missed: Vec<String>,
    /// What could be objected to in the result, the most visible first. Only with a file before.
    #[serde(skip_serializing_if = "Option::is_none")]
    review: Option<&'a [ReviewItem]>,
    #[serde(flatten)]
    figures: &'a Figures,
}

/// The note for a file whose plants were detected in the file itself.
///
/// After `clean` such plants differ from those that were held: a foot that rolls or pivots at the end of a contact is
/// detected as planted, although it was not held there.
const DETECTED_HERE: &str = "the foot contacts were detected in this file. In the output of `clean` or of an edit they \
    differ from the plants that were held, and drift where the foot was free to move. To measure the held plants, pass \
    the original with --before, or the file of --plants-out with --plants and the rig of the original with --rig";

pub fn run(args: &Measure) -> Result<(), CommandError> {
    let (source, name, motions) =
        load_before_after(&args.file, args.before.as_deref(), args.plants.as_deref(), &args.file_options)?;
    let figures = motions
        .measure()
        .map_err(|error| Problem::new(format!("cannot measure {}: {error}", printable(&name))))?;
    let plants_detected = source.file.plants_source == PlantsSource::Detected;
    let mut notes = source.file.clip_notes();
    let are_detected_here =
        motions.before.is_none() && plants_detected && !motions.clip.plants.plants.is_empty();
    if are_detected_here {
        notes.insert(0, DETECTED_HERE.into());
    }
    let located: Vec<_> = notes.iter().map(|note| (None, note.clone())).collect();
    let items = motions.before.is_some().then(|| review(&motions.clip, &figures, &located));
    let limits_missed = args.limits.missed(&source.settings, &figures);
    let warnings = source.file.warnings();
    let printed = if args.json {
        let measured = MeasureJson {
            motion: &name,
            before: args.before.as_ref().map(|name| name.display().to_string()),
            plants_detected,
            notes: &notes,
            warnings,
            limits_missed: limits_missed.clone(),
            review: items.as_deref(),
            figures: &figures,
        };
        print(&json(&measured)?)
    } else {
        warnings.iter().for_each(|warning| warn(&printable(warning)));
        let headline = match are_detected_here {
            true => format!("With the foot contacts detected in this file: {}", headline(&figures)),
            false => headline(&figures),
        };
        let lists = items.map_or_else(|| bullets("Notes", &notes), |items| review_text(&items));
        print(text(&name, &headline, &figures, &lists).as_bytes())
    };
    limits::check(printed, limits_missed)
}

fn text(name: &str, headline: &str, figures: &Figures, lists: &str) -> String {
    let headline = wrapped(headline, 0, "");
    format!("{}\n{headline}\n{}{lists}", printable(name), figures.table())
}

/// Most items of a kind in the text. JSON has all of them.
const MOST_ITEMS: usize = 10;

/// What could be objected to, a list for each kind.
fn review_text(items: &[ReviewItem]) -> String {
    let list = |kind: ReviewKind| {
        let own: Vec<_> = items.iter().filter(|item| item.kind == kind).collect();
        let shown = if kind == ReviewKind::Note { own.len() } else { own.len().min(MOST_ITEMS) };
        let mut texts: Vec<String> = own[..shown].iter().map(|item| item.text.clone()).collect();
        if own.len() > shown {
            texts.push(format!("{} more, which --json lists", own.len() - shown));
        }
        bullets(kind.heading(), &texts)
    };
    ReviewKind::ALL.map(list).concat()
}
