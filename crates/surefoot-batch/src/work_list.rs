//! The files of a corpus: from folders, files, patterns and lists.
//!
//! Every clip is named by its path below the folder that all arguments share, so that names are unique and the output
//! mirrors the corpus. The list is sorted by name: the same arguments give the same order on every machine.

use core::fmt;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::pattern;

/// Endings of the files that are taken from folders. Files that are named, listed or matched are always taken.
pub const MOTION_ENDINGS: [&str; 9] = ["bvh", "glb", "vrma", "fbx", "npz", "npy", "usda", "usdc", "usdz"];

/// One file of a corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clip {
    /// Its path below the shared folder, with `/` between the names.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
}

/// The files of a corpus, sorted by name.
#[derive(Clone, Debug, Default)]
pub struct WorkList {
    /// The files.
    pub clips: Vec<Clip>,
}

/// Why a work list cannot be made.
#[derive(Debug)]
#[non_exhaustive]
pub enum WorkListError {
    /// A file or folder cannot be read.
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The reason given by the operating system.
        error: std::io::Error,
    },
    /// The arguments name no motion file.
    Empty,
    /// The output folder is the folder of the corpus.
    OutIsInput(PathBuf),
}

impl fmt::Display for WorkListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, error } => write!(f, "cannot read {}: {error}", path.display()),
            Self::Empty => {
                let endings = MOTION_ENDINGS.map(|ending| format!(".{ending}")).join(", ");
                write!(f, "found no motion file, expected files that end in {endings}")
            }
            Self::OutIsInput(path) => write!(
                f,
                "the output folder {} is the folder of the corpus, expected another folder",
                path.display()
            ),
        }
    }
}

impl std::error::Error for WorkListError {}

impl WorkList {
    /// Finds the files that folders, files and patterns name, and those of a list. Everything below `out` is left out.
    pub fn find(arguments: &[PathBuf], listed: &[PathBuf], out: &Path) -> Result<Self, WorkListError> {
        let out = fs::canonicalize(out).ok();
        let mut search = Search { out, ..Search::default() };
        for argument in arguments {
            search.add(argument)?;
        }
        listed.iter().for_each(|file| search.add_listed(file));
        let shared = search.shared_folder();
        let mut clips = BTreeMap::new();
        for path in search.files {
            let name = clip_name(path.strip_prefix(&shared).unwrap_or(&path));
            clips.insert(name.clone(), Clip { name, path });
        }
        if clips.is_empty() {
            return Err(WorkListError::Empty);
        }
        Ok(Self { clips: clips.into_values().collect() })
    }
}

/// The files found so far, and the folders that their names start from.
#[derive(Default)]
struct Search {
    out: Option<PathBuf>,
    files: Vec<PathBuf>,
    starts: Vec<PathBuf>,
    /// The folders that were read. None is read twice, so that the search ends where a link leads to a folder above.
    visited: HashSet<PathBuf>,
}

impl Search {
    fn add(&mut self, argument: &Path) -> Result<(), WorkListError> {
        let text = argument.to_string_lossy();
        if !argument.exists() && pattern::is_pattern(&text) {
            let (folder, names) = pattern::split(argument);
            return self.add_folder(&folder, Some(&names));
        }
        let path = canonical(argument)?;
        if path.is_dir() {
            return self.add_folder(&path, None);
        }
        self.add_listed(&path);
        Ok(())
    }

    /// Adds a file. A file that does not exist becomes a clip that fails, and the others are still cleaned.
    fn add_listed(&mut self, file: &Path) {
        let path = fs::canonicalize(file).or_else(|_| std::path::absolute(file)).unwrap_or(file.to_owned());
        self.starts.push(path.parent().unwrap_or(&path).to_owned());
        self.files.push(path);
    }

    /// Adds the motion files below a folder, or the files below it that match a pattern.
    fn add_folder(&mut self, folder: &Path, wanted: Option<&[String]>) -> Result<(), WorkListError> {
        let start = canonical(folder)?;
        if self.out.as_ref() == Some(&start) {
            return Err(WorkListError::OutIsInput(folder.to_owned()));
        }
        self.visited.clear();
        let mut folders = vec![start.clone()];
        while let Some(folder) = folders.pop() {
            if self.out.as_ref() == Some(&folder) || !self.visited.insert(canonical(&folder)?) {
                continue;
            }
            for path in entries(&folder)? {
                if path.is_dir() {
                    folders.push(path);
                } else if is_wanted(path.strip_prefix(&start).unwrap_or(&path), wanted) {
                    self.files.push(path);
                }
            }
        }
        self.starts.push(start);
        Ok(())
    }

    /// The deepest folder that contains all starts.
    fn shared_folder(&self) -> PathBuf {
        let mut starts = self.starts.iter();
        let Some(first) = starts.next() else { return PathBuf::new() };
        starts.fold(first.clone(), |shared, start| {
            let same = shared.components().zip(start.components()).take_while(|(a, b)| a == b);
            same.map(|(part, _)| part).collect()
        })
    }
}

fn canonical(path: &Path) -> Result<PathBuf, WorkListError> {
    fs::canonicalize(path).map_err(|error| WorkListError::Io { path: path.to_owned(), error })
}

/// The visible files and folders in a folder.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, WorkListError> {
    let error = |error| WorkListError::Io { path: folder.to_owned(), error };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(error)? {
        let entry = entry.map_err(error)?;
        if !entry.file_name().to_string_lossy().starts_with('.') {
            paths.push(entry.path());
        }
    }
    Ok(paths)
}

fn is_wanted(below_start: &Path, wanted: Option<&[String]>) -> bool {
    match wanted {
        Some(pattern) => {
            let names: Vec<_> = below_start.iter().map(|name| name.to_string_lossy()).collect();
            pattern::matches(pattern, &names.iter().map(|name| name.as_ref()).collect::<Vec<_>>())
        }
        None => {
            let ending = below_start.extension().map(|ending| ending.to_ascii_lowercase());
            ending.is_some_and(|ending| MOTION_ENDINGS.iter().any(|motion| ending == *motion))
        }
    }
}

/// A relative path with `/` between its names, on every system.
fn clip_name(path: &Path) -> String {
    let names: Vec<_> = path.iter().map(|name| name.to_string_lossy()).collect();
    names.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corpus(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        folder
    }

    fn names(folder: &Path, arguments: &[&str], listed: &[&str]) -> Vec<String> {
        let below = |names: &[&str]| names.iter().map(|name| folder.join(name)).collect::<Vec<_>>();
        let list = WorkList::find(&below(arguments), &below(listed), &folder.join("out")).unwrap();
        list.clips.into_iter().map(|clip| clip.name).collect()
    }

    #[test]
    fn folders_are_read_to_the_bottom_and_hidden_files_are_not() {
        let folder = corpus(&["in/b.BVH", "in/a/deep/c.bvh", "in/notes.txt", "in/.d.bvh", "out/e.bvh"]);
        assert_eq!(names(folder.path(), &["in"], &[]), ["a/deep/c.bvh", "b.BVH"]);
        assert_eq!(names(folder.path(), &[""], &[]), ["in/a/deep/c.bvh", "in/b.BVH"]);
    }

    #[test]
    fn names_start_below_the_folder_that_all_arguments_share() {
        let folder = corpus(&["x/a.bvh", "y/a.bvh"]);
        assert_eq!(names(folder.path(), &["x", "y"], &[]), ["x/a.bvh", "y/a.bvh"]);
        assert_eq!(names(folder.path(), &["x", "x/a.bvh"], &[]), ["a.bvh"]);
        assert_eq!(names(folder.path(), &["x"], &["y/gone.bvh"]), ["x/a.bvh", "y/gone.bvh"]);
        assert_eq!(names(folder.path(), &["*/a.*"], &[]), ["x/a.bvh", "y/a.bvh"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_folder_above_ends() {
        let folder = corpus(&["in/a.bvh"]);
        std::os::unix::fs::symlink(folder.path(), folder.path().join("in/up")).unwrap();
        assert!(names(folder.path(), &["in"], &[]).contains(&"a.bvh".to_owned()));
    }

    #[test]
    fn nothing_to_do_and_output_over_input_are_errors() {
        let folder = corpus(&["in/a.txt", "bvh/a.bvh"]);
        let find = |argument: &str, out: &str| {
            WorkList::find(&[folder.path().join(argument)], &[], &folder.path().join(out)).unwrap_err()
        };
        assert_eq!(
            find("in", "out").to_string(),
            "found no motion file, expected files that end in .bvh, .glb, .vrma, .fbx, .npz, .npy, .usda, .usdc, .usdz"
        );
        assert!(matches!(find("bvh", "bvh"), WorkListError::OutIsInput(_)));
        assert!(matches!(find("gone", "out"), WorkListError::Io { .. }));
    }
}
