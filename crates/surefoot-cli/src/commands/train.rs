//! `train`: fit a detector to labelled motions.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use surefoot_contact::Method;

use crate::args::Force;
use crate::commands::detect::methods;
use crate::fitting::Fitting;
use crate::labelled::labelled;
use crate::output::{Existing, Output};
use crate::problem::{Problem, Stop};

/// Fit a detector to labelled motions
#[derive(Args, Debug)]
pub struct Train {
    /// Labelled motions, or folders of them
    #[arg(value_name = "DATA", value_hint = ValueHint::AnyPath, required = true)]
    data: Vec<PathBuf>,

    /// The model file to write
    #[arg(short, long, value_name = "MODEL", value_hint = ValueHint::FilePath)]
    output: PathBuf,

    /// What is fitted: knn or svm
    #[arg(long, value_name = "METHOD", value_parser = methods())]
    method: Method,

    #[command(flatten)]
    fitting: Fitting,

    #[command(flatten)]
    force: Force,
}

pub fn run(args: &Train) -> Result<(), Stop> {
    let output = Output::claim(&args.output, Existing::from_force(args.force.force))?;
    let all = labelled(&args.data)?;
    let model = args.fitting.fit(args.method, &all.iter().collect::<Vec<_>>())?;
    let none = || Problem::new(format!("--method {} has nothing to fit", args.method.word()));
    output.write(&model.ok_or_else(none)?.write())
}
