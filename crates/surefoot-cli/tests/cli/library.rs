//! The library and the command give the same bytes.

use std::path::{Path, PathBuf};

use surefoot::{MotionFile, Settings};

use super::test_folder::TestFolder;

/// The quick start of the library.
fn clean_with_library(path: &Path) -> Result<Vec<u8>, surefoot::Error> {
    let mut walk = MotionFile::load(path)?;
    let clean = walk.clean(&Settings::default())?;
    Ok(clean.bytes)
}

fn check(folder: &TestFolder, path: &Path) {
    let outcome = folder.command(&["clean", path.to_str().unwrap(), "-o", "-"]).output().unwrap();
    match clean_with_library(path) {
        Ok(bytes) => assert!(bytes == outcome.stdout, "{}: the bytes differ", path.display()),
        Err(error) => assert_eq!(outcome.status.code(), Some(2), "{}: {error}", path.display()),
    }
}

/// Checks several files at once, as many as there are cores.
fn check_all(folder: &TestFolder, paths: &[PathBuf]) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for start in 0..cores {
            scope.spawn(move || paths.iter().skip(start).step_by(cores).for_each(|path| check(folder, path)));
        }
    });
}

#[test]
fn the_library_cleans_every_sample_as_the_command_does() {
    let folder = TestFolder::new();
    let mut paths = Vec::new();
    for kind in ["walk", "turn", "run", "jump", "stairs", "sneak", "stand"] {
        let name = format!("{kind}.bvh");
        folder.run(&["sample", kind, "-o", &name, "--seconds", "5", "--skate", "scale=1.1"]).expect_success();
        paths.push(folder.path(&name));
    }
    check_all(&folder, &paths);
}

#[test]
fn the_library_cleans_every_capture_as_the_command_does() {
    let captures = ["bvh", "labelled"].map(|folder| surefoot_testdata::files(folder, ".bvh")).concat();
    check_all(&TestFolder::new(), &captures);
}
