//! The project's own chores: `cargo xtask test`, `bench`, `train`, `fuzz`, `book`, `studio` and `studio-test`.

mod book;
mod fuzz;
mod links;
mod named_paths;
mod run;
mod studio;
mod test;
mod train;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask CHORE

  test            everything that must hold: fmt, clippy, tests, doc tests, docs, paths in docs
  bench           reading and writing, a crowd, and every figure of cleanup; measured, not checked
  train           the model inside the program, fitted anew to the labelled data; minutes
  fuzz [SECONDS]  every fuzz target for SECONDS each (60 if not said); cargo-fuzz is
                  installed first where it is missing
  book [--update] build the book into target/book, after checking its links; mdBook is installed
                  first where it is missing. --update first rewrites transcripts and figures
  studio          build the studio's page and WebAssembly; needs Node and a wasm32 compiler
  studio-test     check format, lint and types of the studio, and test it in Chromium; needs Node";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["test"] => test::run(),
        ["bench"] => run::cargo(&["bench", "--workspace", "--bench", "*"]),
        ["book"] => book::build(),
        ["book", "--update"] => book::update(),
        ["studio"] => studio::build(),
        ["studio-test"] => studio::test(),
        ["train"] => train::run(),
        ["fuzz"] => fuzz::run(60),
        ["fuzz", seconds] => match seconds.parse() {
            Ok(seconds) => fuzz::run(seconds),
            Err(_) => refuse(&format!("`{seconds}` is not a number of seconds")),
        },
        [] | ["help" | "-h" | "--help"] => {
            println!("{USAGE}");
            true
        }
        [chore, ..] => refuse(&format!("no chore `{}`\n\n{USAGE}", chore)),
    };
    if done { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn refuse(why: &str) -> bool {
    eprintln!("{why}");
    false
}
