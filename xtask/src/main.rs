//! The development commands of the repository: `cargo xtask test`, `bench`, `train`, `fuzz` and more.

mod abuse;
mod advisories;
mod architecture;
mod blender;
mod book;
mod clang;
mod dependencies;
mod doc_paths;
mod features;
mod fuzz;
mod links;
mod manifests;
mod packages;
mod page_check;
mod pictures;
mod python;
mod python_env;
mod run;
mod sbom;
mod studio;
mod tally;
mod test;
mod toolchain;
mod train;

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  test [STEP]...  run every check of CI: format, clippy, tests, doc tests, docs, features,
                  fuzz targets, paths, links, dependencies, packages, licences, Rust
                  version, the Python package, the Blender extension and the studio.
                  With names, run only the steps whose names contain them
  bench           measure speed, memory, a crowd and the quality of the cleanup; checks nothing
  train           fit the built-in contact model to the labelled data again; takes minutes
  fuzz [SECONDS]  run each fuzz target for SECONDS (default: 60); installs cargo-fuzz if needed
  abuse [kills | requests] [--runs N] [--seed S]
                  run random command lines on damaged files, or end runs at random times, or send
                  hostile requests to the studio (default: 1000 command lines with seed 1)
  advisories FOLDER  compare all dependencies with a copy of the RustSec database in FOLDER
  sbom            write sbom.cdx.json, the list of everything that the program is built from
  book [--update] check the links of the book and build it into target/book; installs mdBook if
                  needed. --update first rewrites transcripts and figures
  blender [WHEEL]...  pack the Blender extension into target/blender/surefoot.zip, with the wheel of this
                  machine and those of other platforms that are given; needs Python 3.11
  blender-pictures  render the pictures of the Blender extension for the book
  soles           measure the feet of captured characters against the floor, on their meshes in
                  Blender; checks nothing
  studio          build the studio's page and WebAssembly; needs Node and a wasm32 compiler
  studio-test     check format, lint and types of the studio, and test it in Chromium; needs Node
  pictures        take the screenshots of the studio for the book; needs Node and Chromium";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let succeeded = match arguments.as_slice() {
        ["test", selected @ ..] => test::run(selected),
        ["bench"] => run::cargo(&["bench", "--workspace", "--bench", "*"]),
        ["book"] => book::build(),
        ["book", "--update"] => book::update(),
        ["blender", wheels @ ..] => blender::pack(wheels),
        ["blender-pictures"] => blender::take_pictures(),
        ["soles"] => blender::measure_soles(),
        ["studio"] => studio::build(),
        ["studio-test"] => studio::test(),
        ["pictures"] => pictures::take(),
        ["train"] => train::run(),
        ["abuse", arguments @ ..] => abuse::run(arguments),
        ["advisories", database] => advisories::check(Path::new(database)),
        ["sbom"] => sbom::write(),
        ["fuzz"] => fuzz::run(60),
        ["fuzz", seconds] => match seconds.parse() {
            Ok(seconds) => fuzz::run(seconds),
            Err(_) => fail(&format!("fuzz: `{seconds}` is not a number of seconds")),
        },
        [] | ["help" | "-h" | "--help"] => {
            println!("{USAGE}");
            true
        }
        [command, ..] => {
            fail(&format!("`{command}` is not a command, or not with these arguments\n\n{USAGE}"))
        }
    };
    if succeeded { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn fail(message: &str) -> bool {
    eprintln!("{message}");
    false
}
