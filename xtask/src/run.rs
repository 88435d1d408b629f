//! Runs other programs in the root of the repository.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

/// The root of the repository.
pub fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_path_buf()
}

/// Whether this is a run of continuous integration, in which a skipped test is a failure.
pub fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true")
}

/// A cargo command that runs in the root of the repository.
pub fn cargo_command(arguments: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(arguments).current_dir(root());
    command
}

/// Runs cargo and returns whether it succeeded.
pub fn cargo(arguments: &[&str]) -> bool {
    succeeds(&mut cargo_command(arguments))
}

/// Runs a command and returns whether it succeeded. Reports a program that cannot be started.
pub fn succeeds(command: &mut Command) -> bool {
    match command.status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("{}: {error}", command.get_program().display());
            false
        }
    }
}

/// Whether packages can be installed: on Debian, as root.
pub fn is_debian_root() -> bool {
    let user = Command::new("id").arg("-u").output();
    let is_root = user.is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    is_root && Path::new("/etc/debian_version").exists()
}

/// Installs packages of Debian.
pub fn apt_install(packages: &[&str]) -> bool {
    let apt = |arguments: &[&str]| {
        succeeds(Command::new("apt-get").args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    apt(&["update"]) && apt(&[&["install", "-y", "--no-install-recommends"], packages].concat())
}

/// The result of [`capture`].
pub struct Captured {
    pub succeeded: bool,
    /// The lines of stdout, then those of stderr.
    pub output: String,
}

/// Runs a command, shows its output as it arrives, and returns a copy of it.
pub fn capture(command: &mut Command) -> Captured {
    let started = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = match started {
        Ok(child) => child,
        Err(error) => {
            eprintln!("{}: {error}", command.get_program().display());
            return Captured { succeeded: false, output: String::new() };
        }
    };
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let errors = thread::spawn(move || stderr.map(|pipe| copy_lines(pipe, std::io::stderr())));
    let mut output = stdout.map(|pipe| copy_lines(pipe, std::io::stdout())).unwrap_or_default();
    if let Ok(Some(errors)) = errors.join() {
        output.push_str(&errors);
    }
    Captured { succeeded: child.wait().is_ok_and(|status| status.success()), output }
}

/// Copies line by line and returns all lines.
fn copy_lines(from: impl Read, mut to: impl Write) -> String {
    let mut text = String::new();
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
        // A closed terminal must not end the tests: the line still counts.
        let _ = to.write_all(&line);
        text.push_str(&String::from_utf8_lossy(&line));
        line.clear();
    }
    text
}
