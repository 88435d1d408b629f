//! The surefoot command: arguments, input, output and text.
//!
//! Everything that computes is in the library crate `surefoot` and the crates below it.

#![warn(clippy::print_stderr)]

#[macro_use]
mod stderr;

mod args;
mod before_after;
mod commands;
mod edit_input;
mod edit_output;
mod fitting;
mod input;
mod training_data;
mod limits;
mod output_names;
mod parameter_flags;
mod output;
mod pose_sheet;
mod problem;
mod source;

use std::panic::catch_unwind;
use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use problem::{CommandError, Problem};

/// Exit code: the output was written, but a limit is not met.
const LIMIT_MISSED: u8 = 1;
/// Exit code: the command failed.
const FAILED: u8 = 2;

fn main() -> ExitCode {
    // A panic is a bug. Its message has been printed; the exit code is that of any failure.
    match catch_unwind(run) {
        Ok(code) => code,
        Err(_) => {
            Problem::new("this is a bug in surefoot")
                .help("please report the lines above, and the file if you may share it")
                .print();
            ExitCode::from(FAILED)
        }
    }
}

fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help goes to stdout and is a success, also if the reader closes the pipe.
            let _ = error.print();
            return if error.use_stderr() { ExitCode::from(FAILED) } else { ExitCode::SUCCESS };
        }
    };
    let result = match &cli.command {
        None => output::print(args::GREETING.as_bytes()),
        Some(Command::Demo(args)) => commands::demo::run(args),
        Some(Command::Inspect(args)) => commands::inspect::run(args),
        Some(Command::Detect(args)) => commands::detect::run(args),
        Some(Command::Clean(args)) => commands::clean::run(args),
        Some(Command::Batch(args)) => commands::batch::run(args),
        Some(Command::Reach(args)) => commands::reach::run(args),
        Some(Command::Retarget(args)) => commands::retarget::run(args),
        Some(Command::Follow(args)) => commands::follow::run(args),
        Some(Command::Join(args)) => commands::join::run(args),
        Some(Command::Blend(args)) => commands::blend::run(args),
        Some(Command::Loop(args)) => commands::loop_command::run(args),
        Some(Command::Measure(args)) => commands::measure::run(args),
        Some(Command::Score(args)) => commands::score::run(args),
        Some(Command::Train(args)) => commands::train::run(args),
        Some(Command::Plot(args)) => commands::plot::run(args),
        Some(Command::Sample(args)) => commands::sample::run(args),
        Some(Command::Convert(args)) => commands::convert::run(args),
        Some(Command::Studio(args)) => commands::studio::run(args),
        Some(Command::Stream(args)) => commands::stream::run(args),
        Some(Command::Completions(args)) => commands::completions::complete(args),
        Some(Command::Man(args)) => commands::completions::man(args),
    };
    result.map_or_else(exit_code, |()| ExitCode::SUCCESS)
}

fn exit_code(error: CommandError) -> ExitCode {
    match error {
        CommandError::PipeClosed => ExitCode::SUCCESS,
        CommandError::LimitsMissed(lines) => {
            lines.iter().for_each(|line| stderr_line!("limit not met: {line}"));
            ExitCode::from(LIMIT_MISSED)
        }
        CommandError::Problem(problem) => {
            problem.print();
            ExitCode::from(FAILED)
        }
    }
}
