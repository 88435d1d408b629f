//! Running other programs from the root of the checkout.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

/// The root of the checkout.
pub fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_path_buf()
}

/// A cargo command, to be run at the root.
pub fn cargo_command(arguments: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(arguments).current_dir(root());
    command
}

/// Runs cargo and says whether it went well.
pub fn cargo(arguments: &[&str]) -> bool {
    went_well(&mut cargo_command(arguments))
}

/// Runs a command and says whether it went well.
pub fn went_well(command: &mut Command) -> bool {
    match command.status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("{}: {error}", command.get_program().display());
            false
        }
    }
}

/// Runs a command, shows what it prints as it comes, and gives all of it back with whether it
/// went well.
pub fn heard(command: &mut Command) -> (bool, String) {
    let started = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = match started {
        Ok(child) => child,
        Err(error) => {
            eprintln!("{}: {error}", command.get_program().display());
            return (false, String::new());
        }
    };
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let words = thread::spawn(move || stderr.map(|pipe| pass_on(pipe, std::io::stderr())));
    let mut text = stdout.map(|pipe| pass_on(pipe, std::io::stdout())).unwrap_or_default();
    if let Ok(Some(words)) = words.join() {
        text.push_str(&words);
    }
    (child.wait().is_ok_and(|status| status.success()), text)
}

/// Copies line by line, and keeps the copy.
fn pass_on(from: impl Read, mut to: impl Write) -> String {
    let mut text = String::new();
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
        // What we cannot show is still kept and counted.
        let _ = to.write_all(&line);
        text.push_str(&String::from_utf8_lossy(&line));
        line.clear();
    }
    text
}
