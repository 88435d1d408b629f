//! Replays the kept inputs of every fuzz target, and random changes of them.
//!
//! The changes are the same in every test run; `SUREFOOT_FUZZ_RUNS` and `SUREFOOT_FUZZ_SEED` ask for more and for others,
//! `SUREFOOT_FUZZ_TARGET` for one target.

mod wasm;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use surefoot_fuzz::mutate::{Random, mutate};
use surefoot_fuzz::targets::{ALL, Check};

/// The kept inputs of a target, sorted by name.
fn seeds(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn kept_inputs_are_read_or_refused() {
    for (target, check, _) in ALL {
        let seeds = seeds(target);
        assert!(!seeds.is_empty(), "{target} has no kept input");
        for (path, bytes) in seeds {
            assert!(catch_unwind(|| check(&bytes)).is_ok(), "{}", path.display());
        }
    }
}

#[test]
fn changed_inputs_are_read_or_refused() {
    let runs = number("SUREFOOT_FUZZ_RUNS").unwrap_or(400);
    let seed = number("SUREFOOT_FUZZ_SEED").unwrap_or(20_261_118);
    let only = std::env::var("SUREFOOT_FUZZ_TARGET").ok();
    for (target, check, cost) in
        ALL.into_iter().filter(|(name, ..)| only.as_ref().is_none_or(|only| only == name))
    {
        let failed = change_inputs(target, check, runs.div_ceil(cost), seed);
        if let Some(bytes) = failed {
            let path = std::env::temp_dir().join(format!("surefoot-fuzz-{target}"));
            std::fs::write(&path, bytes).unwrap();
            panic!("{target}: the input in {} fails; keep it below fuzz/seeds/{target}", path.display());
        }
    }
}

/// Checks random changes of the kept inputs, and returns the first that fails.
fn change_inputs(target: &str, check: Check, runs: u64, seed: u64) -> Option<Vec<u8>> {
    let (seeds, mut random) = (seeds(target), Random::new(seed));
    (0..runs).find_map(|_| {
        let mut bytes = seeds[random.below(seeds.len())].1.clone();
        let other = &seeds[random.below(seeds.len())].1;
        mutate(&mut bytes, other, &mut random);
        catch_unwind(AssertUnwindSafe(|| check(&bytes))).is_err().then_some(bytes)
    })
}
