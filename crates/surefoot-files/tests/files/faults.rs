//! A disk that fails at every single operation: the old files stay whole, or the new ones are all there.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

use surefoot_files::{Disk, Existing, RealDisk, Target, recover, write_set_on};

use super::contents;

/// What happens at the operation that fails.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// It fails with this reason, and later ones succeed.
    Error(ErrorKind),
    /// Half of the bytes are written, then it fails.
    TornWrite,
    /// It and all later ones fail: the process was killed.
    Kill,
}

struct FaultyDisk {
    fault: Fault,
    fails_at: usize,
    count: Cell<usize>,
}

impl FaultyDisk {
    /// Counts an operation. An error if it fails.
    fn operation(&self) -> io::Result<()> {
        let now = self.count.replace(self.count.get() + 1);
        let fails = now == self.fails_at || (self.fault == Fault::Kill && now > self.fails_at);
        match (fails, self.fault) {
            (false, _) => Ok(()),
            (true, Fault::Error(kind)) => Err(kind.into()),
            (true, _) => Err(io::Error::other("injected")),
        }
    }
}

impl Disk for FaultyDisk {
    fn create(&self, path: &Path) -> io::Result<File> {
        self.operation().and_then(|()| RealDisk.create(path))
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        let failed = self.operation();
        if failed.is_err() && self.fault != Fault::Error(ErrorKind::PermissionDenied) {
            let is_kill_later = self.fault == Fault::Kill && self.count.get() - 1 > self.fails_at;
            if !is_kill_later {
                RealDisk.write(file, &bytes[..bytes.len() / 2])?;
            }
        }
        failed.and_then(|()| RealDisk.write(file, bytes))
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        self.operation().and_then(|()| RealDisk.sync(file))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.operation().and_then(|()| RealDisk.rename(from, to))
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.operation().and_then(|()| RealDisk.rename_new(from, to))
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.operation().and_then(|()| RealDisk.link(from, to))
    }

    fn open(&self, path: &Path) -> io::Result<File> {
        self.operation().and_then(|()| RealDisk.open(path))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.operation().and_then(|()| RealDisk.remove(path))
    }
}

/// A folder with old files, and the set to write into it.
struct Case {
    old: &'static [(&'static str, &'static str)],
    /// A second name of an old file.
    link: Option<(&'static str, &'static str)>,
    new: &'static [(&'static str, &'static str)],
}

const CASES: [Case; 4] = [
    Case { old: &[], link: None, new: &[("walk.bvh", "new motion")] },
    Case { old: &[("walk.bvh", "old")], link: None, new: &[("walk.bvh", "new motion")] },
    Case {
        old: &[("walk.bvh", "old motion"), ("walk.html", "old page")],
        link: None,
        new: &[("walk.bvh", "new motion"), ("walk.html", "new"), ("walk.json", "new plants")],
    },
    Case {
        old: &[("walk.bvh", "a long old motion"), ("walk.html", "old page")],
        link: Some(("walk.bvh", "other.bvh")),
        new: &[("walk.html", "new page"), ("walk.bvh", "new"), ("walk.json", "new plants")],
    },
];

type Files = Vec<(String, String)>;

/// The files of a folder before and after a set is written.
fn prepare(case: &Case, folder: &Path) -> (Files, Files) {
    for (name, text) in case.old {
        std::fs::write(folder.join(name), text).unwrap();
    }
    if let Some((name, link)) = case.link {
        std::fs::hard_link(folder.join(name), folder.join(link)).unwrap();
    }
    let before = contents(folder);
    let mut after = before.clone();
    for (name, text) in case.new {
        let linked = case.link.filter(|(own, _)| own == name).map(|(_, link)| link);
        after.retain(|(own, _)| own != name && Some(own.as_str()) != linked);
        after.extend([Some(*name), linked].into_iter().flatten().map(|name| (name.into(), (*text).into())));
    }
    after.sort();
    (before, after)
}

/// Writes the set of a case with one fault. Returns the result, the operations, and the files before and after.
fn write(case: &Case, folder: &Path, disk: &FaultyDisk) -> Result<(), surefoot_files::WriteError> {
    let targets: Vec<Target> = case
        .new
        .iter()
        .map(|(name, _)| Target::check(&folder.join(name), Existing::Overwrite).unwrap())
        .collect();
    let files: Vec<(&Target, &[u8])> =
        targets.iter().zip(case.new).map(|(target, (_, text))| (target, text.as_bytes())).collect();
    write_set_on(disk, &files)
}

/// Calls `check` for every operation of every case and every fault.
fn for_every_operation(faults: &[Fault], check: impl Fn(&str, Result<(), io::Error>, &Path, &Files, &Files)) {
    for (n, case) in CASES.iter().enumerate() {
        for &fault in faults {
            for fails_at in 0.. {
                let folder = tempfile::tempdir().unwrap();
                let (before, after) = prepare(case, folder.path());
                let disk = FaultyDisk { fault, fails_at, count: Cell::new(0) };
                let result = write(case, folder.path(), &disk);
                let label = format!("case {n}, {fault:?} at operation {fails_at}: {result:?}");
                if disk.count.get() <= fails_at {
                    assert!(result.is_ok() && contents(folder.path()) == after, "{label}");
                    assert!(fails_at >= 3, "{label}");
                    break;
                }
                check(&label, result.map_err(|error| error.error), folder.path(), &before, &after);
            }
        }
    }
}

#[test]
fn after_any_failed_operation_the_files_are_all_old_or_all_new() {
    let faults =
        [Fault::Error(ErrorKind::StorageFull), Fault::Error(ErrorKind::PermissionDenied), Fault::TornWrite];
    for_every_operation(&faults, |label, result, folder, before, after| {
        // The temporary file whose removal failed is left to the next run.
        recover(folder);
        let expected = if result.is_ok() { after } else { before };
        assert_eq!(&contents(folder), expected, "{label}");
        if let Err(error) = result {
            let is_told = [ErrorKind::StorageFull, ErrorKind::PermissionDenied, ErrorKind::Other];
            assert!(is_told.contains(&error.kind()), "{label}");
        }
    });
}

#[test]
fn after_a_kill_at_any_operation_the_next_run_completes_or_undoes_the_set() {
    for_every_operation(&[Fault::Kill], |label, _, folder, before, after| {
        recover(folder);
        let now = contents(folder);
        assert!(&now == before || &now == after, "{label}: {now:?}");
    });
}
