//! `clean --all-animations`: cleans every animation of a glTF or FBX file, one after the other, in one copy of the file.

use std::borrow::Cow;

use serde::Serialize;
use surefoot::text::printable;
use surefoot_formats::source::Animation;
use surefoot_measure::Figures;

use super::clean::{Clean, summary};
use crate::args::FileOptions;
use crate::edit_output::finish;
use crate::input::{self, Input, check_exists};
use crate::limits;
use crate::output::{json, print, write_all};
use crate::output_names::OutputNames;
use crate::problem::{CommandError, Problem, warn};
use crate::source::{add_plants, load_bytes};

/// An animation, and what was done with it.
#[derive(Serialize)]
struct Outcome {
    animation: String,
    /// Why the animation stays as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_alone: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    #[serde(flatten)]
    figures: Option<Figures>,
}

/// The result as JSON.
#[derive(Serialize)]
struct Outcomes<'a> {
    motion: &'a str,
    output: Option<String>,
    animations: &'a [Outcome],
    warnings: &'a [String],
    limits_missed: &'a [String],
}

pub fn run(args: &Clean) -> Result<(), CommandError> {
    let (options, motion) = (&args.options, &args.input);
    let names = OutputNames::new(&motion.file, "clean", &options.writes);
    check_exists([motion.file.as_path()])?;
    let outputs = names.claim(&options.writes)?;
    let Input { name, path, mut bytes } = input::read(&motion.file)?;
    let load = |bytes: Vec<u8>, animation: Option<String>| {
        let file_options = FileOptions { animation, ..options.file_options.clone() };
        load_bytes(Input { name: name.clone(), path: path.clone(), bytes }, &file_options)
    };
    let first = load(bytes.clone(), None)?;
    let animations = first.file.source.contents().animations;
    if animations.is_empty() {
        let problem = format!("{} holds one motion, expected a file with animations", printable(&name));
        return Err(Problem::new(problem).help("without --all-animations its motion is cleaned").into());
    }
    let (mut outcomes, mut warnings, mut missed) = (Vec::new(), Vec::new(), Vec::new());
    for index in 0..animations.len() {
        let animation = shown_name(&animations, index);
        let mut source = load(bytes.clone(), Some(selector(&animations, index)))?;
        warnings.extend(source.file.warnings());
        if let Err(reason) = source.file.require_legs() {
            let left_alone = Some(reason.to_string());
            outcomes.push(Outcome { animation, left_alone, notes: Vec::new(), figures: None });
            continue;
        }
        source.file.set_detection(&options.clean.detection.0);
        add_plants(&mut source.file, None)?;
        let result = finish(&[&source], Cow::Borrowed(source.clip()), None, options)?;
        let limits = options.limits.missed(&source.settings, &result.file.figures);
        missed.extend(limits.into_iter().map(|limit| format!("{animation}: {limit}")));
        bytes.clone_from(&result.file.bytes);
        let figures = Some(result.file.figures.clone());
        outcomes.push(Outcome { animation, left_alone: None, notes: result.notes.clone(), figures });
    }
    warnings.sort();
    warnings.dedup();
    let written = write_all(outputs.into_iter().zip([bytes.as_slice()]).collect());
    let printed = written.and_then(|()| {
        if options.writes.json {
            let output = names.written().output;
            let value = Outcomes {
                motion: &name,
                output,
                animations: &outcomes,
                warnings: &warnings,
                limits_missed: &missed,
            };
            return print(&json(&value)?);
        }
        warnings.iter().for_each(|warning| warn(&printable(warning)));
        let text: String = outcomes.iter().map(outcome_text).collect();
        names.print_text(&format!("{text}{}", names.file_list("the file with clean animations")))
    });
    limits::check(printed, missed)
}

/// What `--animation` takes for an animation: its name, or its number where others have the same name.
fn selector(animations: &[Animation], index: usize) -> String {
    let name = &animations[index].name;
    let is_unique = animations.iter().filter(|other| other.name == *name).count() == 1;
    match is_unique && !name.is_empty() {
        true => name.clone(),
        false => index.to_string(),
    }
}

fn shown_name(animations: &[Animation], index: usize) -> String {
    match animations[index].name.as_str() {
        "" => format!("animation {index}"),
        name => printable(name),
    }
}

fn outcome_text(outcome: &Outcome) -> String {
    let Outcome { animation, left_alone, notes, figures } = outcome;
    let text = match (figures, left_alone) {
        (Some(figures), _) => summary(figures),
        (None, reason) => format!("left as it is: {}\n", printable(reason.as_deref().unwrap_or_default())),
    };
    let notes: String = notes.iter().map(|note| format!("  - {}\n", printable(note))).collect();
    format!("{animation}\n{text}{notes}\n")
}
