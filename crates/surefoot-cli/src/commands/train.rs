//! `train`: fits a detector to labelled motions.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use surefoot::text::printable;
use surefoot_contact::Method;
use surefoot_contact::learned::Model;
use surefoot_train::{LabelledMotion, TrainingSettings, fit, train};

use crate::args::Force;
use crate::commands::detect::methods;
use crate::fitting::FitArgs;
use crate::input::{self, Input};
use crate::output::Output;
use crate::problem::{CommandError, Problem};
use crate::training_data::{LabelledData, load_labelled, load_with_labels};

/// Fit a contact detector to labelled motions
///
/// Without --from, a new model is fitted to each motion as captured and to damaged copies of it:
/// the contacts stay the same when a motion skates. With --from, an existing model is adapted to
/// one performer: pass motions of that performer with plants that you have corrected.
///
/// The same motions and flags give the same bytes.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot train labelled -o own.model
  surefoot detect walk.bvh --model own.model
  surefoot train labelled --method svm --features a+c --window 5 -o svm.model
  surefoot train walk.bvh --plants walk.plants.json --from shipped -o ann.model")]
pub struct Train {
    #[command(flatten)]
    data: LabelledData,

    /// The model to write; - is stdout
    #[arg(short, long, value_name = "MODEL", value_hint = ValueHint::FilePath)]
    output: PathBuf,

    /// The model to adapt: a file, or `shipped` for the built-in one
    /// [default: fit a new model]
    #[arg(long, value_name = "MODEL", value_hint = ValueHint::FilePath)]
    from: Option<PathBuf>,

    /// Plants files, one for each motion in DATA, in the same order
    /// [default: the labels in the folder of each motion]
    #[arg(long, value_name = "PLANTS", num_args = 1.., value_hint = ValueHint::FilePath)]
    plants: Vec<PathBuf>,

    /// The method to fit: learned, knn or svm
    #[arg(long, value_name = "METHOD", value_parser = methods(), default_value = Method::default().as_str())]
    method: Method,

    #[command(flatten)]
    fitting: FitArgs,

    /// Seed of the random damage, and of the random choices in fitting
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    force: Force,
}

pub fn run(args: &Train) -> Result<(), CommandError> {
    input::check_exists(args.data.data.iter().chain(&args.plants).map(PathBuf::as_path))?;
    let output = Output::claim(&args.output, args.force.existing())?;
    let all = data(args)?;
    if args.method != Method::Learned {
        return fit_examples(args, &all, output);
    }
    let from = args.from.as_ref().map(|file| model(file)).transpose()?;
    let fit_problem = |error: surefoot_train::FitError| Problem::new(format!("cannot fit a model: {error}"));
    let model = match &from {
        None => {
            let settings = TrainingSettings { seed: args.seed, ..TrainingSettings::default() };
            train(&all, &settings, |done, of| stderr_line!("fitting model {} of {of}", done + 1))
                .map_err(fit_problem)?
        }
        Some(from) => {
            fit(&all.iter().collect::<Vec<_>>(), Some(from), &TrainingSettings::for_adaptation(args.seed))
                .map_err(fit_problem)?
        }
    };
    let frames: usize = all.iter().map(LabelledMotion::label_count).sum();
    let bytes = model.write();
    output.write(&bytes)?;
    if !input::is_dash(&args.output) {
        let (name, trees) = (printable(&args.output.display().to_string()), model.trees.len());
        stderr_line!("{name}: {trees} trees from {} motions, {frames} labelled frames", all.len());
    }
    Ok(())
}

/// Fits knn or svm and writes the model.
fn fit_examples(args: &Train, all: &[LabelledMotion], output: Output) -> Result<(), CommandError> {
    let method = args.method.as_str();
    if args.from.is_some() {
        let message = format!("--from needs --method learned: {method} cannot be adapted");
        return Err(Problem::new(message).into());
    }
    let model = args.fitting.fit(args.method, all, args.seed)?;
    let none = || Problem::new(format!("--method {method} has nothing to fit"));
    output.write(&model.ok_or_else(none)?.write())
}

fn data(args: &Train) -> Result<Vec<LabelledMotion>, Problem> {
    if args.plants.is_empty() {
        return load_labelled(&args.data);
    }
    if args.plants.len() != args.data.data.len() {
        let (plants, motions) = (args.plants.len(), args.data.data.len());
        return Err(Problem::new(format!("{plants} plants files given for {motions} motions"))
            .help("--plants needs one file for each motion, in the same order"));
    }
    args.data.data.iter().zip(&args.plants).map(|(motion, plants)| load_with_labels(motion, plants)).collect()
}

/// The model in a file; the name `shipped` stands for the built-in one.
pub fn model(file: &std::path::Path) -> Result<Model, Problem> {
    if file.as_os_str() == "shipped" {
        return Ok(Model::shipped());
    }
    let Input { name, bytes, .. } = input::read(file)?;
    Model::read(&bytes).map_err(|error| Problem::new(format!("{name}: {error}")))
}
