//! `completions` and `man`: shell completions and manual pages.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::args::Cli;
use crate::output::print;
use crate::problem::{CommandError, Problem};

/// Print a script for your shell that completes commands and flags
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot completions bash > ~/.local/share/bash-completion/completions/surefoot
  surefoot completions zsh > ~/.zfunc/_surefoot
  surefoot completions fish > ~/.config/fish/completions/surefoot.fish")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

/// Print the manual page
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot man > ~/.local/share/man/man1/surefoot.1
  surefoot man inspect > ~/.local/share/man/man1/surefoot-inspect.1
  surefoot man | man -l -")]
pub struct Man {
    /// The command to describe [default: surefoot itself]
    command: Option<String>,
}

pub fn complete(args: &Completions) -> Result<(), CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "surefoot", &mut script);
    print(&script)
}

pub fn man(args: &Man) -> Result<(), CommandError> {
    let mut all = Cli::command();
    all.build();
    let command = match &args.command {
        None => all,
        Some(name) => {
            let missing = || Problem::new(format!("there is no command `{name}`"));
            all.find_subcommand(name).ok_or_else(missing)?.clone()
        }
    };
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(command).render(&mut page);
    rendered.map_err(|error| Problem::new(format!("cannot make the page: {error}")))?;
    print(&page)
}
