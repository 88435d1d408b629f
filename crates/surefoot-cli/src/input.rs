//! Inputs: a file, or stdin if the name is `-`.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use surefoot_files::{FileIdentity, RealDisk, read_file_on, read_stream};

use crate::problem::Problem;

/// Files larger than this, in bytes, are read with a progress bar.
///
/// Smaller files are read in a tenth of a second, in which a bar would only flicker.
const PROGRESS_BAR_FROM: u64 = 64 << 20;

/// The bytes of a file and its name.
pub struct Input {
    /// The name of the file, for messages.
    pub name: String,
    /// The file; `None` for stdin.
    pub path: Option<PathBuf>,
    /// The content.
    pub bytes: Vec<u8>,
}

/// The files that this command has read.
fn read_files() -> MutexGuard<'static, Vec<FileIdentity>> {
    static READ: Mutex<Vec<FileIdentity>> = Mutex::new(Vec::new());
    READ.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Whether this command has read a file.
pub fn was_read(path: &Path) -> bool {
    read_files().contains(&FileIdentity::of(path))
}

/// Whether this name means stdin or stdout.
pub fn is_dash(name: &Path) -> bool {
    name.as_os_str() == "-"
}

/// Returns an error if an input does not exist, before outputs are checked: a missing input is the first thing to fix.
pub fn check_exists<'a>(names: impl IntoIterator<Item = &'a Path>) -> Result<(), Problem> {
    for name in names.into_iter().filter(|name| !is_dash(name)) {
        std::fs::metadata(name).map_err(|error| open_problem(name, &error))?;
    }
    Ok(())
}

/// Reads all of a file, or of stdin for `-`.
pub fn read(name: &Path) -> Result<Input, Problem> {
    if is_dash(name) {
        return read_stdin();
    }
    let shown = name.display().to_string();
    let metadata = std::fs::metadata(name).map_err(|error| open_problem(name, &error))?;
    if metadata.is_dir() {
        return Err(Problem::new(format!("{shown} is a folder, not a file")));
    }
    let bar = progress_bar(metadata.len());
    let read = read_file_on(&RealDisk, name, &mut |bytes| bar.set_position(bytes));
    bar.finish_and_clear();
    let bytes = read.map_err(|error| Problem::with_file(name, "read", &error))?;
    read_files().push(FileIdentity::of(name));
    Ok(Input { name: shown, path: Some(name.to_path_buf()), bytes })
}

fn read_stdin() -> Result<Input, Problem> {
    let stdin = std::io::stdin().lock();
    if stdin.is_terminal() {
        stderr_line!("reading from the terminal; press Ctrl-D to end");
    }
    let bytes = read_stream(stdin, &mut |_| {})
        .map_err(|error| Problem::with_file(Path::new("stdin"), "read", &error))?;
    Ok(Input { name: "stdin".into(), path: None, bytes })
}

/// A progress bar, on a terminal and for large files; else a hidden one.
fn progress_bar(bytes: u64) -> ProgressBar {
    match bytes < PROGRESS_BAR_FROM {
        true => ProgressBar::hidden(),
        false => bar_on_terminal(bytes, "reading {bar:40} {bytes}/{total_bytes} {eta}"),
    }
}

/// A progress bar for fitting, in percent, on a terminal; else a hidden one.
pub fn fitting_bar() -> ProgressBar {
    bar_on_terminal(100, "fitting {bar:40} {percent} % {eta}")
}

/// A progress bar for a corpus, with its rate and the remaining time, on a terminal; else a hidden one.
pub fn corpus_bar(clips: usize) -> ProgressBar {
    bar_on_terminal(clips as u64, "{bar:30} {pos}/{len} clips, {msg}, {eta} left")
}

fn bar_on_terminal(length: u64, template: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Runs `work`, with a spinner on a terminal if it processes many bytes.
pub fn with_spinner<T>(bytes: usize, activity: &'static str, work: impl FnOnce() -> T) -> T {
    if (bytes as u64) < PROGRESS_BAR_FROM || !std::io::stderr().is_terminal() {
        return work();
    }
    let spinner = ProgressBar::new_spinner();
    spinner.set_message(activity);
    spinner.enable_steady_tick(Duration::from_millis(100));
    let result = work();
    spinner.finish_and_clear();
    result
}

/// The problem of a file that cannot be opened, with a similar name if there is one.
fn open_problem(name: &Path, error: &std::io::Error) -> Problem {
    let problem = Problem::with_file(name, "read", error);
    if error.kind() != std::io::ErrorKind::NotFound {
        return problem;
    }
    match similar_file(name) {
        Some(meant) => problem.help(format!("did you mean {}?", meant.display())),
        None => problem,
    }
}

/// The file in the same folder with the most similar name, if one is similar.
fn similar_file(name: &Path) -> Option<PathBuf> {
    let file_name = name.file_name()?.to_str()?;
    let folder = match name.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let entries = std::fs::read_dir(folder).ok()?;
    // Only the first entries of a very large folder are compared.
    let names = entries.flatten().take(10_000).map(|entry| entry.file_name());
    let names: Vec<String> = names.filter_map(|name| name.into_string().ok()).collect();
    let nearest = nearest(file_name, names.iter().map(String::as_str))?;
    Some(name.with_file_name(nearest))
}

/// The word most similar to `name`, if one is similar enough to be a typing error.
pub fn nearest<'a>(name: &str, words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    /// Jaro similarity from 0 to 1. Lower values suggest unrelated words; higher values miss a swapped pair of letters
    /// in a short word.
    const SIMILAR: f64 = 0.8;
    let like = |word: &'a str| (strsim::jaro(name, word), word);
    words
        .map(like)
        .filter(|(similarity, _)| *similarity > SIMILAR)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, word)| word)
}
