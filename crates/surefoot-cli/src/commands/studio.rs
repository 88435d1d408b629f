//! `studio`: the editor, in the browser.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::{Args, ValueHint};
use serde_json::{Map, Value, json};
use surefoot_solve::FootRoll;
use surefoot_studio::server;

use crate::input::is_dash;
use crate::output::print;
use crate::problem::{Problem, Stop};
use crate::settings::{Settings, settings_for};
use crate::words::FloorWord;

/// Open the editor in the browser: see the feet, drag the plants, fixed at once
///
/// Serves the editor from this program to a browser on this machine, and to nobody else, and prints its
/// address. What is saved goes beside FILE. It ends a minute after the last window has closed.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot studio
  surefoot studio walk.bvh
  surefoot studio walk.bvh --no-open --port 8123")]
pub struct Studio {
    /// A BVH file [default: a sample walk]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: Option<PathBuf>,

    /// Only print the address [default: open the browser]
    #[arg(long)]
    no_open: bool,

    /// The port to listen on [default: any that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
}

pub fn run(args: &Studio) -> Result<(), Stop> {
    if let Some(file) = &args.file {
        if is_dash(file) {
            return Err(Problem::new("the studio saves beside its file, and stdin has no place").into());
        }
        // What cannot be read is told here, not in the browser.
        crate::look::open(file)?;
    }
    let settings = settings_for(args.file.as_deref())?;
    let studio = server::Studio::listen(args.file.clone(), args.port, for_page(&settings)?)
        .map_err(|error| Problem::new(format!("cannot listen on port {}: {error}", args.port)))?;
    let address = studio.address();
    print(format!("{address}\n").as_bytes())?;
    if !args.no_open && !open(&address) {
        eprintln!("no browser could be started: open the address above");
    }
    studio.run().map_err(|error| Problem::new(format!("the studio stopped: {error}")).into())
}

/// What a `surefoot.toml` says, as the page has it.
fn for_page(settings: &Settings) -> Result<Value, Problem> {
    let read =
        |path: &Path| std::fs::read_to_string(path).map_err(|error| Problem::with_file(path, "read", &error));
    let (mut told, mut how) = (Map::new(), Map::new());
    told.extend(settings.fps.map(|fps| ("fps".into(), json!(fps))));
    told.extend(settings.unit.map(|unit| ("unit".into(), json!(unit))));
    told.extend(settings.up.map(|up| ("up".into(), json!(up.word()))));
    how.extend(settings.stretch.map(|stretch| ("stretch".into(), json!(stretch))));
    how.extend((settings.roll == Some(FootRoll::Flat)).then(|| ("roll".into(), json!("flat"))));
    if let Some(rig) = &settings.rig {
        told.insert("rig".into(), json!(read(rig)?));
    }
    let floor = match &settings.floor {
        None => None,
        Some(FloorWord::None) => Some(("floor", json!("none"))),
        Some(FloorWord::Level) => Some(("floor", json!("level"))),
        Some(FloorWord::Plants) => Some(("floor", json!("plants"))),
        Some(FloorWord::Height(height)) => Some(("floor", json!(height.to_string()))),
        Some(FloorWord::File(path))
            if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("obj")) =>
        {
            Some(("mesh", json!(read(path)?)))
        }
        Some(FloorWord::File(_) | FloorWord::Plane(_)) => {
            let what = "the studio does not know the floor that surefoot.toml gives";
            return Err(Problem::new(what).help("it knows a height, level, plants, none and an .obj file"));
        }
    };
    told.extend(floor.map(|(key, value)| (key.into(), value)));
    Ok(json!({ "told": told, "how": how }))
}

/// Starts the browser, the way each system does it.
fn open(address: &str) -> bool {
    let (program, before): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(before).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}
