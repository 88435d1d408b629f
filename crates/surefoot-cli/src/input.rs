//! Reading: a file, or stdin where the name is `-`.

use std::fs::File;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::problem::Problem;

/// Files larger than this show how far the reading has come, in bytes.
///
/// A disk gives this much in a tenth of a second; a bar for less would only flicker.
const WORTH_A_BAR: u64 = 64 << 20;

/// A file's bytes and where they come from.
pub struct Input {
    /// The name to show.
    pub name: String,
    /// The file; `None` for stdin.
    pub path: Option<PathBuf>,
    /// All of it.
    pub bytes: Vec<u8>,
}

/// Whether this name means stdin or stdout.
pub fn is_dash(name: &Path) -> bool {
    name.as_os_str() == "-"
}

/// Reads all of a file, or of stdin for `-`.
pub fn read(name: &Path) -> Result<Input, Problem> {
    if is_dash(name) {
        return read_stdin();
    }
    let shown = name.display().to_string();
    let metadata = std::fs::metadata(name).map_err(|error| not_there(name, &error))?;
    if metadata.is_dir() {
        return Err(Problem::new(format!("{shown} is a folder, not a file")));
    }
    let cannot = |error| Problem::with_file(name, "read", &error);
    let file = File::open(name).map_err(cannot)?;
    let bar = bar(metadata.len());
    let mut bytes = Vec::new();
    // A length that lies or is too much for the memory is no reason to fall over.
    bytes
        .try_reserve_exact(usize::try_from(metadata.len()).unwrap_or(usize::MAX))
        .map_err(|_| Problem::new(format!("{shown} is too large for the memory there is")))?;
    bar.wrap_read(file).read_to_end(&mut bytes).map_err(cannot)?;
    bar.finish_and_clear();
    Ok(Input { name: shown, path: Some(name.to_path_buf()), bytes })
}

fn read_stdin() -> Result<Input, Problem> {
    let mut stdin = std::io::stdin().lock();
    if stdin.is_terminal() {
        eprintln!("reading from the terminal; Ctrl-D ends it");
    }
    let mut bytes = Vec::new();
    stdin.read_to_end(&mut bytes).map_err(|error| Problem::with_file(Path::new("stdin"), "read", &error))?;
    Ok(Input { name: "stdin".into(), path: None, bytes })
}

/// A bar on a terminal for what takes a while, else nothing.
fn bar(bytes: u64) -> ProgressBar {
    if bytes < WORTH_A_BAR || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::stderr());
    match ProgressStyle::with_template("reading {bar:40} {bytes}/{total_bytes} {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Does something with that many bytes, and on a terminal shows that it goes on.
pub fn busy<T>(bytes: usize, doing: &'static str, work: impl FnOnce() -> T) -> T {
    if (bytes as u64) < WORTH_A_BAR || !std::io::stderr().is_terminal() {
        return work();
    }
    let spinner = ProgressBar::new_spinner();
    spinner.set_message(doing);
    spinner.enable_steady_tick(Duration::from_millis(100));
    let done = work();
    spinner.finish_and_clear();
    done
}

/// The problem with a file that cannot be looked at, with the name that was perhaps meant.
fn not_there(name: &Path, error: &std::io::Error) -> Problem {
    let problem = Problem::with_file(name, "read", error);
    if error.kind() != std::io::ErrorKind::NotFound {
        return problem;
    }
    match neighbour(name) {
        Some(meant) => problem.help(format!("did you mean {}?", meant.display())),
        None => problem,
    }
}

/// The file in the same folder whose name is nearest, if one is near.
fn neighbour(name: &Path) -> Option<PathBuf> {
    let wanted = name.file_name()?.to_str()?;
    let folder = match name.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let entries = std::fs::read_dir(folder).ok()?;
    // A folder of a whole corpus is not worth going through for a hint.
    let names = entries.flatten().take(10_000).map(|entry| entry.file_name());
    let names: Vec<String> = names.filter_map(|name| name.into_string().ok()).collect();
    let nearest = nearest(wanted, names.iter().map(String::as_str))?;
    Some(name.with_file_name(nearest))
}

/// The word nearest to `wanted`, if one is near enough to have been meant.
pub fn nearest<'a>(wanted: &str, words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    /// From 0 to 1. Lower, and words turn up that nobody meant; higher, and a swapped pair of
    /// letters in a short word goes unseen.
    const NEAR: f64 = 0.8;
    let like = |word: &'a str| (strsim::jaro(wanted, word), word);
    words
        .map(like)
        .filter(|(likeness, _)| *likeness > NEAR)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, word)| word)
}
