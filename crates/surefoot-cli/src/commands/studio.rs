//! `studio`: starts the editor in the browser.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use clap::{Args, ValueHint};
use serde_json::Value;
use surefoot::{FolderSettings, parse};
use surefoot_studio::server;

use super::studio_link::LinkFile;
use crate::args::FileOptions;
use crate::input::is_dash;
use crate::output::print;
use crate::problem::{CommandError, Problem};
use crate::source::settings_for;

/// Open the editor in the browser: see foot contacts, drag plants, watch the cleaned motion
///
/// Serves the editor to browsers on this machine only, and prints its address. Files are saved in
/// the folder of FILE. The program ends one minute after the last window was closed; see --linger.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot studio
  surefoot studio walk.bvh
  surefoot studio walk.bvh --no-open --port 8123")]
pub struct Studio {
    /// A motion file [default: a sample walk]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: Option<PathBuf>,

    /// Print the address without opening a browser [default: open it]
    #[arg(long)]
    no_open: bool,

    /// The port to listen on [default: any free port]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,

    /// Time until the program ends after the last window was closed [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = parse::seconds)]
    linger: Option<f64>,
}

pub fn run(args: &Studio) -> Result<(), CommandError> {
    if let Some(file) = &args.file {
        if is_dash(file) {
            return Err(
                Problem::new("the studio cannot open stdin: it saves in the folder of its file").into()
            );
        }
        // Errors of the file are reported here, not in the browser.
        crate::source::parse(crate::input::read(file)?, &FileOptions::default())?;
    }
    let settings = settings_for(args.file.as_deref())?;
    let studio = server::Studio::listen(args.file.clone(), args.port, for_page(&settings)?)
        .map_err(|error| Problem::new(format!("cannot listen on port {}: {error}", args.port)))?;
    let studio = match args.linger.map(Duration::try_from_secs_f64) {
        Some(Ok(linger)) => studio.with_linger(linger),
        _ => studio,
    };
    let address = studio.address();
    print(format!("{address}\n").as_bytes())?;
    // The page that leads to the studio is removed when the studio ends.
    let link = match args.no_open {
        true => None,
        false => LinkFile::write(&std::env::temp_dir(), &address).ok(),
    };
    if !args.no_open && !link.as_ref().is_some_and(|link| open(link.path())) {
        stderr_line!("no browser could be started: open the address above");
    }
    studio.run().map_err(|error| Problem::new(format!("the studio stopped: {error}")).into())
}

/// The settings of a `surefoot.toml`, for the page.
fn for_page(settings: &FolderSettings) -> Result<Value, Problem> {
    server::page_settings(settings).map_err(|(path, error)| Problem::with_file(&path, "read", &error))
}

/// Opens a page in the browser with the command of the operating system.
fn open(link: &Path) -> bool {
    let (program, before): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(before).arg(link).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}
