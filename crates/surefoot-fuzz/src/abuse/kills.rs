//! Runs of the command that are ended at random times.
//!
//! After every kill the outputs are those of before or those of a whole run, never a mix, and the next command in the
//! folder removes what is left. `batch` continues after each kill and ends with the files of an undisturbed run.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::mutate::Random;

const OUTPUTS: [&str; 3] = ["out.bvh", "out.plants.json", "out.html"];

/// What became of the runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct KillCounts {
    /// Runs that were ended before they had written anything under its name.
    pub old: usize,
    /// Runs whose outputs were complete.
    pub new: usize,
}

/// How a run is ended.
const SIGNALS: [&str; 4] = ["KILL", "KILL", "TERM", "INT"];

/// Ends runs of `clean` with three outputs at random times. An error describes the first mix of old and new.
pub fn kill_clean(program: &Path, folder: &Path, runs: usize, random: &mut Random) -> io::Result<KillCounts> {
    let run = |args: &str| finish(start(program, folder, args)?);
    run("sample walk -o walk.bvh --seconds 8 --force")?;
    let clean = "clean walk.bvh -o out.bvh --plants-out out.plants.json --report out.html --force";
    let started = Instant::now();
    run(clean)?;
    let duration = started.elapsed();
    let new = contents(folder)?;
    // Only a motion may replace a motion, and only a page a page.
    let texts = ["HIERARCHY of an old motion", "{\"old\": \"plants\"}", "<html>an old page"];
    let old: Vec<_> = OUTPUTS.into_iter().zip(texts.map(|text| text.as_bytes().to_vec())).collect();
    let mut counts = KillCounts::default();
    for n in 0..runs {
        for (name, bytes) in &old {
            fs::write(folder.join(name), bytes)?;
        }
        let signal = random.pick(&SIGNALS);
        let mut child = start(program, folder, clean)?;
        std::thread::sleep(moment(duration, random));
        end(&mut child, signal)?;
        let left = leftovers(folder)?;
        if signal != "KILL" && !left.is_empty() {
            return Err(fault(format!("run {n}: {signal} left {left:?} behind")));
        }
        // Any later command that writes into the folder completes the set and removes what is left.
        run("sample stand -o other.bvh --seconds 2 --fps 10 --force")?;
        let now = contents(folder)?;
        let is_old = old.iter().all(|(name, bytes)| file(&now, name) == Some(bytes));
        let is_new = OUTPUTS.iter().all(|name| file(&now, name) == file(&new, name));
        let left = leftovers(folder)?;
        if !(is_old || is_new) || !left.is_empty() {
            return Err(fault(format!("run {n}: {signal} left a mix of old and new, or {left:?}")));
        }
        counts.old += usize::from(is_old);
        counts.new += usize::from(is_new);
    }
    Ok(counts)
}

/// Ends runs of `batch` at random times and continues them. An error describes the first difference from an undisturbed
/// run.
pub fn kill_batch(
    program: &Path,
    folder: &Path,
    kills: usize,
    random: &mut Random,
) -> io::Result<KillCounts> {
    let run = |args: &str| finish(start(program, folder, args)?);
    let corpus = folder.join("corpus");
    fs::create_dir_all(corpus.join("more"))?;
    for (n, kind) in ["walk", "stand", "turn", "sneak"].into_iter().enumerate() {
        run(&format!("sample {kind} -o corpus/{kind}.bvh --seconds 5 --fps 30 --force"))?;
        fs::rename(corpus.join(format!("{kind}.bvh")), corpus.join(format!("more/{n}.bvh")))?;
        fs::copy(corpus.join(format!("more/{n}.bvh")), corpus.join(format!("{kind}.bvh")))?;
    }
    let started = Instant::now();
    run("batch corpus -o whole --jobs 2 --reports 1 --force")?;
    let duration = started.elapsed();
    let whole = files_below(&folder.join("whole"))?;
    let (mut counts, mut done) = (KillCounts::default(), 0);
    while done < kills {
        let _ = fs::remove_dir_all(folder.join("out"));
        // Kills a run several times, then lets it finish.
        for _ in 0..=random.below(4) {
            let signal = random.pick(&SIGNALS);
            let mut child = start(program, folder, "batch corpus -o out --jobs 2 --reports 1 --resume")?;
            std::thread::sleep(moment(duration, random));
            end(&mut child, signal)?;
            done += 1;
            let now = files_below(&folder.join("out"))?;
            if let Some(name) = first_damaged(&now, &whole) {
                return Err(fault(format!("kill {done}, {signal}: {name} is not that of a whole run")));
            }
            match now.len() < whole.len() {
                true => counts.old += 1,
                false => counts.new += 1,
            }
        }
        run("batch corpus -o out --jobs 2 --reports 1 --resume")?;
        let now = files_below(&folder.join("out"))?;
        if now != whole {
            let names = |files: &Files| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
            let (now, whole) = (names(&now), names(&whole));
            return Err(fault(format!(
                "after {done} kills: found {now:?}, expected {whole:?} with their bytes"
            )));
        }
    }
    Ok(counts)
}

/// Names and bytes of files, sorted.
type Files = Vec<(String, Vec<u8>)>;

fn fault(message: String) -> io::Error {
    io::Error::other(message)
}

fn start(program: &Path, folder: &Path, args: &str) -> io::Result<Child> {
    let mut command = Command::new(program);
    command.args(args.split(' ')).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
}

fn finish(mut child: Child) -> io::Result<()> {
    match child.wait()?.success() {
        true => Ok(()),
        false => Err(fault("a run without a kill failed".into())),
    }
}

/// A random time of a run. Files are written near its end, where most runs are ended.
fn moment(duration: Duration, random: &mut Random) -> Duration {
    let share = random.below(1000) as f64 / 1000.0;
    duration.mul_f64(if random.chance(70) { 0.6 + 0.5 * share } else { 1.1 * share })
}

fn end(child: &mut Child, signal: &str) -> io::Result<ExitStatus> {
    match signal {
        "KILL" => child.kill()?,
        // The run may have ended meanwhile, which is no error.
        _ => {
            let mut kill = Command::new("kill");
            kill.args(["-s", signal, &child.id().to_string()]).stderr(Stdio::null()).status()?;
        }
    }
    child.wait()
}

fn contents(folder: &Path) -> io::Result<Files> {
    OUTPUTS.iter().map(|name| Ok(((*name).to_owned(), fs::read(folder.join(name))?))).collect()
}

fn file<'a>(files: &'a Files, name: &str) -> Option<&'a Vec<u8>> {
    files.iter().find(|(own, _)| own == name).map(|(_, bytes)| bytes)
}

fn leftovers(folder: &Path) -> io::Result<Vec<String>> {
    let names = fs::read_dir(folder)?.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    Ok(names.filter(|name| name.starts_with(".surefoot-")).collect())
}

/// All files below a folder, apart from the ledger, which states times.
fn files_below(root: &Path) -> io::Result<Files> {
    let (mut folders, mut files) = (vec![root.to_path_buf()], Vec::new());
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let (path, name): (PathBuf, _) = (entry.path(), entry.file_name());
            if name == ".surefoot" {
                continue;
            }
            match entry.file_type()?.is_dir() {
                true => folders.push(path),
                false => {
                    let within = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
                    files.push((within, fs::read(&path)?));
                }
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The first file with other bytes than those of a whole run. Temporary files are left to the next run.
fn first_damaged<'a>(now: &'a Files, whole: &Files) -> Option<&'a str> {
    let is_named = |name: &str| !name.rsplit('/').next().is_some_and(|name| name.starts_with(".surefoot-"));
    let differs = |(name, bytes): &&(String, Vec<u8>)| is_named(name) && file(whole, name) != Some(bytes);
    now.iter().find(differs).map(|(name, _)| name.as_str())
}
