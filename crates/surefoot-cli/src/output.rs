//! Outputs: a file appears whole or not at all, and is never overwritten without --force.
//!
//! An output is checked before the work starts, so that an existing file is reported at once. The bytes go to a
//! temporary file in the same folder, which is renamed at the end. The rename fails if the name exists by then.

use std::fs::{self, Metadata};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use tempfile::NamedTempFile;

use crate::input::is_dash;
use crate::problem::{CommandError, Problem, reason_text};

/// The treatment of an existing file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// The existing file is kept, and the command fails.
    Keep,
    /// The existing file is overwritten: `--force`.
    Overwrite,
}

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
        /// The file itself, behind any links.
        path: PathBuf,
        existing: Existing,
        /// The permissions of the file that is overwritten.
        permissions: Option<fs::Permissions>,
    },
}

impl Output {
    /// Checks that `name` can be written to; `-` is stdout.
    pub fn claim(name: &Path, existing: Existing) -> Result<Self, Problem> {
        let to = if is_dash(name) {
            Destination::Stdout
        } else if fs::symlink_metadata(name).is_ok() {
            claim_existing(name, existing)?
        } else {
            check_folder(name)?;
            Destination::File {
                shown: name.to_path_buf(),
                path: name.to_path_buf(),
                existing,
                permissions: None,
            }
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

/// Checks several outputs, which must all be different.
pub fn claim_all(names: &[&Path], existing: Existing) -> Result<Vec<Output>, Problem> {
    for (n, name) in names.iter().enumerate() {
        if names[..n].contains(name) {
            let shown = if is_dash(name) { "stdout".into() } else { name.display().to_string() };
            return Err(Problem::new(format!("two outputs have the same name: {shown}")));
        }
    }
    names.iter().map(|name| Output::claim(name, existing)).collect()
}

/// Writes several outputs. No file appears under its name before all are written.
pub fn write_all(outputs: Vec<(Output, &[u8])>) -> Result<(), CommandError> {
    let mut filled = Vec::new();
    let mut streams = Vec::new();
    for (output, bytes) in outputs {
        match output.to {
            Destination::File { shown, path, existing, permissions } => {
                let file = write_temporary(&path, permissions, bytes)
                    .map_err(|error| Problem::with_file(&shown, "write", &error))?;
                filled.push((file, shown, path, existing));
            }
            stream => streams.push((stream, bytes)),
        }
    }
    for (file, shown, path, existing) in filled {
        rename(file, &shown, &path, existing)?;
    }
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

fn claim_existing(name: &Path, existing: Existing) -> Result<Destination, Problem> {
    let metadata = match fs::metadata(name) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let shown = name.display();
            return Err(Problem::new(format!("{shown} is a link to a file that does not exist"))
                .help("pass the name of that file, or remove the link"));
        }
        Err(error) => return Err(Problem::with_file(name, "write", &error)),
    };
    if metadata.is_dir() {
        return Err(Problem::new(format!("{} is a folder, not a file", name.display())));
    }
    if !metadata.is_file() {
        return Ok(Destination::Device(name.to_path_buf()));
    }
    match existing {
        Existing::Keep => Err(exists_already(name)),
        Existing::Overwrite => overwrite(name, &metadata),
    }
}

fn overwrite(name: &Path, metadata: &Metadata) -> Result<Destination, Problem> {
    let cannot = |error| Problem::with_file(name, "write", &error);
    if metadata.permissions().readonly() {
        let shown = name.display();
        return Err(
            Problem::new(format!("{shown} is write-protected")).help("--force does not overwrite it either")
        );
    }
    Ok(Destination::File {
        shown: name.to_path_buf(),
        path: name.canonicalize().map_err(cannot)?,
        existing: Existing::Overwrite,
        permissions: Some(metadata.permissions()),
    })
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

/// Writes the bytes to a temporary file beside `path`, and flushes it to the disk.
fn write_temporary(
    path: &Path,
    permissions: Option<fs::Permissions>,
    bytes: &[u8],
) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".surefoot-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The usual permissions of a new file, before the umask.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder(path))?;
    file.write_all(bytes)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    Ok(file)
}

/// Renames a temporary file to its final name.
fn rename(file: NamedTempFile, shown: &Path, path: &Path, existing: Existing) -> Result<(), Problem> {
    let named = match existing {
        Existing::Keep => file.persist_noclobber(path),
        Existing::Overwrite => file.persist(path),
    };
    match named {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Err(exists_already(shown)),
        Err(error) => Err(Problem::with_file(shown, "write", &error.error)),
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
}
