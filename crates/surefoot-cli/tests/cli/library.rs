//! The library and the command give the same bytes.

use std::path::{Path, PathBuf};

use surefoot::{MotionFile, Settings};

use super::here::Here;

/// The quick start of the library.
fn clean_with_library(path: &Path) -> Result<Vec<u8>, surefoot::Error> {
    let mut walk = MotionFile::load(path)?;
    let clean = walk.clean(&Settings::default())?;
    Ok(clean.bytes)
}

fn check(here: &Here, path: &Path) {
    let ended = here.command(&["clean", path.to_str().unwrap(), "-o", "-"]).output().unwrap();
    match clean_with_library(path) {
        Ok(bytes) => assert!(bytes == ended.stdout, "{}: the bytes differ", path.display()),
        Err(error) => assert_eq!(ended.status.code(), Some(2), "{}: {error}", path.display()),
    }
}

/// Checks several files at once, as many as there are cores.
fn check_all(here: &Here, paths: &[PathBuf]) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for start in 0..cores {
            scope.spawn(move || paths.iter().skip(start).step_by(cores).for_each(|path| check(here, path)));
        }
    });
}

#[test]
fn the_library_cleans_every_sample_as_the_command_does() {
    let here = Here::new();
    let mut paths = Vec::new();
    for kind in ["walk", "turn", "run", "jump", "stairs", "sneak", "stand"] {
        let name = format!("{kind}.bvh");
        here.run(&["sample", kind, "-o", &name, "--seconds", "5", "--skate", "scale=1.1"]).done();
        paths.push(here.path(&name));
    }
    check_all(&here, &paths);
}

#[test]
fn the_library_cleans_every_capture_as_the_command_does() {
    let captures = ["bvh", "labelled"].map(|folder| surefoot_testdata::files(folder, ".bvh")).concat();
    check_all(&Here::new(), &captures);
}
