//! A flag for every setting of the cleaner and of the detector, from the table of the library.

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use surefoot::Parameters;
use surefoot::Settings;
use surefoot::parameters::{PARAMETERS, Parameter, Value};

/// The flags of the cleaner.
#[derive(Clone, Debug, Default)]
pub struct CleaningFlags(pub Parameters);

/// The flags of the detector.
#[derive(Clone, Debug, Default)]
pub struct DetectionFlags(pub Parameters);

/// The flags of the cleaner in a stream, which cannot have those that need the whole motion.
#[derive(Clone, Debug, Default)]
pub struct StreamFlags(pub Parameters);

/// Implements the traits of clap for flags of the parameters that `is_flag` selects.
macro_rules! flags {
    ($flags:ident, $heading:literal, $is_flag:expr) => {
        impl Args for $flags {
            fn augment_args(command: Command) -> Command {
                PARAMETERS
                    .iter()
                    .filter($is_flag)
                    .fold(command, |command, parameter| command.arg(flag(parameter).help_heading($heading)))
            }

            fn augment_args_for_update(command: Command) -> Command {
                Self::augment_args(command)
            }
        }

        impl FromArgMatches for $flags {
            fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
                let mut flags = Self::default();
                flags.update_from_arg_matches(matches)?;
                Ok(flags)
            }

            fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
                for parameter in PARAMETERS.iter().filter($is_flag) {
                    if let Some(value) = matches.get_one::<Value>(parameter.name) {
                        self.0.set(parameter, *value);
                    }
                }
                Ok(())
            }
        }
    };
}

flags!(CleaningFlags, "Cleanup", |parameter| !parameter.is_detection());
flags!(StreamFlags, "Cleanup (flags override the header)", |parameter| parameter.is_for_streams());
flags!(DetectionFlags, "Detection of plants, where none are given", |parameter| parameter.is_detection());

fn flag(parameter: &'static Parameter) -> Arg {
    let default = parameter.short_text(parameter.value_in(&Settings::default()));
    let flag = Arg::new(parameter.name)
        .long(parameter.dashed_name())
        .value_name(parameter.placeholder())
        .value_parser(move |text: &str| parameter.parse(text))
        .allow_hyphen_values(true)
        // `-h` stays short: most people need none of these.
        .hide_short_help(!matches!(
            parameter.name,
            "stretch" | "roll" | "method" | "edges" | "detector" | "hold"
        ))
        .help(format!("{} [default: {default}]", parameter.effect.trim_end_matches('.')));
    match parameter.is_switch() {
        // The value needs an equals sign, because the next argument may be a file.
        true => flag.num_args(0..=1).require_equals(true).default_missing_value("yes"),
        false => flag,
    }
}
