//! Outputs: a file appears whole or not at all, and is never overwritten without --force.
//!
//! An output is checked before the work starts, so that an existing file is reported at once. All files of a command are
//! written together by `surefoot-files`, which fails if a name exists by then.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
pub use surefoot_files::Existing;
use surefoot_files::{FileIdentity, Target, TargetError, write_set};
use surefoot_formats::source::Format;

use crate::input::{self, is_dash};
use crate::problem::{CommandError, Problem, reason_text};
use crate::stderr::write_stderr;

/// An output that has been checked to be writable.
#[derive(Debug)]
pub struct Output {
    to: Destination,
}

#[derive(Debug)]
enum Destination {
    Stdout,
    /// A device or a pipe, which cannot be replaced by a renamed file.
    Device(PathBuf),
    File {
        /// The name that the user gave.
        shown: PathBuf,
        target: Target,
    },
}

impl Output {
    /// Checks that `name` can be written to; `-` is stdout.
    pub fn claim(name: &Path, existing: Existing) -> Result<Self, Problem> {
        let to = if is_dash(name) {
            Destination::Stdout
        } else {
            if fs::symlink_metadata(name).is_err() {
                check_folder(name)?;
            }
            claim_file(name, existing)?
        };
        Ok(Self { to })
    }

    /// Whether this is stdout.
    pub fn is_stdout(&self) -> bool {
        matches!(self.to, Destination::Stdout)
    }

    /// Whether this is a file, not a stream or device.
    pub fn is_file(&self) -> bool {
        matches!(self.to, Destination::File { .. })
    }

    /// Writes all of `bytes`.
    pub fn write(self, bytes: &[u8]) -> Result<(), CommandError> {
        write_all(vec![(self, bytes)])
    }
}

/// Checks the drawing of a command that prints its result. With `--json` stdout is one JSON value and nothing else.
pub fn claim_drawing(
    flag: &str,
    name: Option<&Path>,
    existing: Existing,
    json: bool,
) -> Result<Option<Output>, Problem> {
    if json && name.is_some_and(is_dash) {
        let both = format!("--json and {flag} - cannot both go to stdout");
        return Err(Problem::new(both).help(format!("name a file with {flag}")));
    }
    name.map(|name| Output::claim(name, existing)).transpose()
}

/// Writes a drawing and prints the result: to stdout, or to stderr if the drawing goes to stdout.
pub fn print_beside(drawing: Option<(Output, String)>, text: &[u8]) -> Result<(), CommandError> {
    let is_on_stdout = drawing.as_ref().is_some_and(|(output, _)| output.is_stdout());
    if let Some((output, svg)) = drawing {
        output.write(svg.as_bytes())?;
    }
    if is_on_stdout {
        write_stderr(&String::from_utf8_lossy(text));
        return Ok(());
    }
    print(text)
}

/// Checks several outputs, which must all be different.
pub fn claim_all(names: &[&Path], existing: Existing) -> Result<Vec<Output>, Problem> {
    let files: Vec<FileIdentity> = names.iter().map(|name| FileIdentity::of(name)).collect();
    for (n, name) in names.iter().enumerate() {
        if let Some(other) = files[..n].iter().position(|other| *other == files[n]) {
            let shown =
                |name: &Path| if is_dash(name) { "stdout".into() } else { name.display().to_string() };
            return Err(Problem::new(match names[other] == *name {
                true => format!("two outputs have the same name: {}", shown(name)),
                false => {
                    format!("two outputs are the same file: {} and {}", shown(names[other]), shown(name))
                }
            }));
        }
    }
    names.iter().map(|name| Output::claim(name, existing)).collect()
}

/// Refuses to replace a motion, or another file that this command has read, by something of another kind, such as a
/// report: `--force` is for older outputs.
fn keep_input(shown: &Path, path: &Path, bytes: &[u8]) -> Result<(), Problem> {
    let mut start = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(4096).read_to_end(&mut start));
    let old = Kind::of(&start);
    if read.is_err() || old == Kind::of(bytes) || (old != Kind::Motion && !input::was_read(path)) {
        return Ok(());
    }
    let what = if old == Kind::Motion { "a motion" } else { "an input of this command" };
    Err(Problem::new(format!("{} is {what}, which this output would replace", shown.display()))
        .help("--force does not overwrite it either; name another file"))
}

/// The kind of a file, by its content.
#[derive(Debug, PartialEq, Eq)]
enum Kind {
    /// A motion, a skeleton or a stream.
    Motion,
    /// A page or a drawing.
    Page,
    /// Plants, goals, a path or figures.
    Json,
    Other,
}

/// Whether a text or binary begins with the header of a stream. Plants and goals are JSON of another kind.
fn is_stream(bytes: &[u8]) -> bool {
    let header = &bytes[..bytes.len().min(100)];
    bytes.starts_with(b"SUREFOOT") || header.windows(8).any(|part| part == b"\"stream/")
}

impl Kind {
    fn of(bytes: &[u8]) -> Self {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        match text {
            _ if text.starts_with(b"HIERARCHY") || is_stream(text) => Self::Motion,
            // Whatever has no mark of its own is taken for BVH.
            _ if Format::of(bytes) != Format::Bvh => Self::Motion,
            [b'<', ..] => Self::Page,
            [b'{' | b'[', ..] => Self::Json,
            _ => Self::Other,
        }
    }
}

/// Writes several outputs. All files appear together, or none of them does; streams are written last.
pub fn write_all(outputs: Vec<(Output, &[u8])>) -> Result<(), CommandError> {
    let mut files = Vec::new();
    let mut streams = Vec::new();
    for (output, bytes) in outputs {
        match output.to {
            Destination::File { shown, target } => {
                keep_input(&shown, target.path(), bytes)?;
                files.push((shown, target, bytes));
            }
            stream => streams.push((stream, bytes)),
        }
    }
    let set: Vec<(&Target, &[u8])> = files.iter().map(|(_, target, bytes)| (target, *bytes)).collect();
    write_set(&set).map_err(|failed| {
        let named = files.iter().find(|(_, target, _)| target.path() == failed.path);
        let shown = named.map_or(failed.path.as_path(), |(shown, ..)| shown);
        match failed.error.kind() {
            ErrorKind::AlreadyExists => exists_already(shown),
            _ => Problem::with_file(shown, "write", &failed.error),
        }
    })?;
    for (stream, bytes) in streams {
        match stream {
            Destination::Device(path) => write_device(&path, bytes)?,
            _ => print(bytes)?,
        }
    }
    Ok(())
}

/// A value as JSON text, with a line break at the end.
pub fn json(value: &impl Serialize) -> Result<Vec<u8>, Problem> {
    let mut text = serde_json::to_vec_pretty(value)
        .map_err(|error| Problem::new(format!("cannot write this as JSON: {error}")))?;
    text.push(b'\n');
    Ok(text)
}

/// A path as text. Bytes that are not UTF-8 are replaced, so that JSON never fails for a name.
pub fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Writes to stdout.
pub fn print(bytes: &[u8]) -> Result<(), CommandError> {
    let mut stdout = std::io::stdout().lock();
    let written = stdout.write_all(bytes).and_then(|()| stdout.flush());
    written.map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => CommandError::PipeClosed,
        _ => Problem::new(format!("cannot write to stdout: {}", reason_text(&error))).into(),
    })
}

fn claim_file(name: &Path, existing: Existing) -> Result<Destination, Problem> {
    // A set that was interrupted by a kill is completed first.
    surefoot_files::recover(folder(name));
    let shown = name.display();
    match Target::check(name, existing) {
        Ok(target) => Ok(Destination::File { shown: name.to_path_buf(), target }),
        Err(TargetError::NotAFile) if name.is_dir() => {
            Err(Problem::new(format!("{shown} is a folder, not a file")))
        }
        Err(TargetError::NotAFile) => Ok(Destination::Device(name.to_path_buf())),
        Err(TargetError::Exists) => Err(exists_already(name)),
        Err(TargetError::WriteProtected) => {
            Err(Problem::new(format!("{shown} is write-protected"))
                .help("--force does not overwrite it either"))
        }
        Err(TargetError::DanglingLink) => {
            Err(Problem::new(format!("{shown} is a link to a file that does not exist"))
                .help("pass the name of that file, or remove the link"))
        }
        Err(TargetError::Io(error)) => Err(Problem::with_file(name, "write", &error)),
        Err(_) => Err(Problem::new(format!("cannot write {shown}"))),
    }
}

fn exists_already(name: &Path) -> Problem {
    Problem::new(format!("{} exists already", name.display()))
        .help("--force overwrites it; -o names another file")
}

/// The folder a file is in.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn check_folder(name: &Path) -> Result<(), Problem> {
    let cannot = |because: String| Problem::new(format!("cannot write {}: {because}", name.display()));
    if name.file_name().is_none() || name.as_os_str().to_string_lossy().ends_with(['/', '\\']) {
        return Err(cannot("the name is that of a folder".into()));
    }
    let folder = folder(name);
    match fs::metadata(folder) {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Ok(_) => Err(cannot(format!("{} is not a folder", folder.display()))),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(cannot(format!("the folder {} does not exist", folder.display())))
        }
        Err(error) => Err(cannot(reason_text(&error))),
    }
}

fn write_device(path: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    let written =
        fs::OpenOptions::new().write(true).open(path).and_then(|mut device| device.write_all(bytes));
    match written {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(CommandError::PipeClosed),
        Err(error) => Err(Problem::with_file(path, "write", &error).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_created_meanwhile_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("walk.bvh");
        let output = Output::claim(&path, Existing::Keep).unwrap();
        fs::write(&path, "someone else's").unwrap();
        assert!(output.write(b"ours").is_err());
        assert_eq!(fs::read(&path).unwrap(), b"someone else's");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn no_output_appears_if_one_of_two_fails() {
        let folder = tempfile::tempdir().unwrap();
        let first = folder.path().join("walk.bvh");
        let gone = folder.path().join("gone");
        fs::create_dir(&gone).unwrap();
        let outputs = vec![
            (Output::claim(&first, Existing::Keep).unwrap(), &b"one"[..]),
            (Output::claim(&gone.join("plants.json"), Existing::Keep).unwrap(), &b"two"[..]),
        ];
        fs::remove_dir(&gone).unwrap();
        assert!(write_all(outputs).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn names_of_one_file_are_recognised() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let refused = |one: &Path, other: &Path| claim_all(&[one, other], Existing::Overwrite).is_err();
        assert!(refused(&file("x.bvh"), &folder.path().join(".").join("x.bvh")));
        assert!(!refused(&file("x.bvh"), &file("y.bvh")));
        fs::write(file("x.bvh"), "old").unwrap();
        assert!(refused(&file("x.bvh"), &folder.path().join(".").join("x.bvh")));
        fs::hard_link(file("x.bvh"), file("hard.bvh")).unwrap();
        assert!(refused(&file("x.bvh"), &file("hard.bvh")));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(file("x.bvh"), file("link.bvh")).unwrap();
            assert!(refused(&file("hard.bvh"), &file("link.bvh")));
        }
    }

    #[test]
    fn a_motion_is_replaced_by_a_motion_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("walk.bvh");
        fs::write(&path, "\nHIERARCHY\nROOT").unwrap();
        let write = |bytes: &[u8]| Output::claim(&path, Existing::Overwrite).unwrap().write(bytes);
        assert!(write(b"<!doctype html>").is_err());
        assert_eq!(fs::read(&path).unwrap(), b"\nHIERARCHY\nROOT");
        assert!(write(b"HIERARCHY\nROOT Hips").is_ok());
    }
}
