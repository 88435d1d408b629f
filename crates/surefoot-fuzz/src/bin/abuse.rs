//! Abuses the command: random command lines on damaged files, kills and hostile requests. `cargo xtask abuse` starts it.
//!
//! Command lines that fail are kept with their files. Kills and requests stop at the first that does harm.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use surefoot_fuzz::abuse::{
    Commands, Inputs, Line, RequestCounts, kill_batch, kill_clean, run, send_hostile_requests,
};
use surefoot_fuzz::mutate::Random;

/// Captures larger than this, in bytes, are left out: their runs take longer and find no more.
const LARGEST_CAPTURE: u64 = 150_000;

/// Captures of each format.
const CAPTURES: usize = 3;

/// What is done to the command.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Lines,
    Kills,
    Requests,
}

struct Options {
    mode: Mode,
    program: PathBuf,
    runs: u64,
    seed: u64,
    keep: PathBuf,
    captures: Option<PathBuf>,
}

fn main() -> ExitCode {
    let done = options().and_then(|options| {
        let done = match options.mode {
            Mode::Lines => run_lines(&options),
            Mode::Kills => kill(&options),
            Mode::Requests => send_requests(&options),
        };
        done.map_err(|error| error.to_string())
    });
    match done {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("abuse: {message}");
            ExitCode::FAILURE
        }
    }
}

fn options() -> Result<Options, String> {
    let mut arguments = std::env::args().skip(1).peekable();
    let mode = match arguments.peek().map(String::as_str) {
        Some("kills") => Mode::Kills,
        Some("requests") => Mode::Requests,
        _ => Mode::Lines,
    };
    if mode != Mode::Lines {
        arguments.next();
    }
    let mut options = Options {
        mode,
        program: "target/release/surefoot".into(),
        runs: 1000,
        seed: 1,
        keep: "target/abuse".into(),
        captures: None,
    };
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
        let number = || value.parse().map_err(|_| format!("{name}: `{value}` is not a number"));
        match name.as_str() {
            "--runs" => options.runs = number()?,
            "--seed" => options.seed = number()?,
            "--program" => options.program = value.into(),
            "--keep" => options.keep = value.into(),
            "--captures" => options.captures = Some(value.into()),
            _ => {
                return Err(format!(
                    "found {name}, expected --runs, --seed, --captures, --program or --keep"
                ));
            }
        }
    }
    options.program =
        options.program.canonicalize().map_err(|error| format!("{}: {error}", options.program.display()))?;
    Ok(options)
}

/// Runs all lines, prints the counts and returns the number of runs that failed.
fn run_lines(options: &Options) -> io::Result<u64> {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    let work = tempfile::tempdir()?;
    let (folder, scratch) = (work.path().join("files"), work.path().join("scratch"));
    fs::create_dir_all(&folder)?;
    fs::create_dir_all(&scratch)?;
    if let Some(captures) = &options.captures {
        copy_captures(captures, &folder)?;
    }
    let inputs = Inputs::prepare(&options.program, &folder, &seeds)?;
    let commands = Commands::of_program(&options.program)?;
    let (mut codes, mut faults) = (BTreeMap::<String, u64>::new(), BTreeMap::<String, u64>::new());
    let mut messages = BTreeMap::<String, u64>::new();
    let (mut slowest, mut largest) = ((0.0, String::new()), (0, String::new()));
    let started = Instant::now();
    for n in 0..options.runs {
        // Every run has random numbers of its own, so that one of them can be repeated alone.
        let mut random = Random::new(options.seed.wrapping_mul(1_000_003).wrapping_add(n));
        for _ in 0..8 {
            random.below(2);
        }
        let line = commands.line(&inputs, &mut random);
        let outcome = run(&options.program, &inputs, &line, &scratch)?;
        *codes.entry(outcome.code.map_or("signal".into(), |code| code.to_string())).or_default() += 1;
        if outcome.code == Some(2) {
            *messages.entry(outline(&outcome.stderr)).or_default() += 1;
        }
        if outcome.duration.as_secs_f64() > slowest.0 {
            slowest = (outcome.duration.as_secs_f64(), line.args.join(" "));
        }
        if outcome.memory_mb > largest.0 {
            largest = (outcome.memory_mb, line.args.join(" "));
        }
        if let Some(fault) = outcome.fault {
            let count = faults.entry(fault.to_string()).or_default();
            *count += 1;
            println!("run {n}: surefoot {:?}: {fault}", line.args);
            if *count <= 3 {
                keep(&inputs, &line, &options.keep.join(format!("{}-{n}", options.seed)), &outcome.stderr)?;
            }
        }
        inputs.restore()?;
    }
    println!("{} runs with seed {} in {:.0} s", options.runs, options.seed, started.elapsed().as_secs_f64());
    println!("exit codes: {codes:?}");
    let mut messages: Vec<(u64, String)> = messages.into_iter().map(|(text, count)| (count, text)).collect();
    messages.sort_by(|a, b| b.cmp(a));
    println!("{} different errors, most often:", messages.len());
    messages.iter().take(12).for_each(|(count, text)| println!("  {count} × {text}"));
    println!("slowest: {:.1} s, surefoot {}", slowest.0, slowest.1);
    println!("most memory: {} MB, surefoot {}", largest.0, largest.1);
    faults.iter().for_each(|(fault, count)| println!("{count} × {fault}"));
    println!("{} runs failed", faults.values().sum::<u64>());
    Ok(faults.values().sum())
}

/// Ends runs of `clean` and of `batch`, half of the number each.
fn kill(options: &Options) -> io::Result<u64> {
    let (work, mut random) = (tempfile::tempdir()?, Random::new(options.seed));
    let (started, half) = (Instant::now(), options.runs as usize / 2);
    let clean = kill_clean(&options.program, work.path(), half, &mut random)?;
    println!("{half} runs of clean: {} as before, {} complete, none mixed", clean.old, clean.new);
    let batch = kill_batch(&options.program, work.path(), half, &mut random)?;
    println!(
        "{} kills of batch: {} incomplete, {} complete; every continued run gave the files of a whole one",
        batch.old + batch.new,
        batch.old,
        batch.new
    );
    println!("seed {}, {:.0} s", options.seed, started.elapsed().as_secs_f64());
    Ok(0)
}

fn send_requests(options: &Options) -> io::Result<u64> {
    let (work, mut random) = (tempfile::tempdir()?, Random::new(options.seed));
    let started = Instant::now();
    let counts = send_hostile_requests(&options.program, work.path(), options.runs as usize, &mut random)?;
    let RequestCounts { accepted, refused, unanswered, memory_mb } = counts;
    println!(
        "{} requests with seed {}: {accepted} accepted, {refused} refused, {unanswered} without an answer",
        options.runs, options.seed
    );
    println!("the server took {memory_mb} MB and {:.0} s", started.elapsed().as_secs_f64());
    Ok(0)
}

/// The first error without its names and numbers, so that errors of a kind are counted together.
fn outline(stderr: &str) -> String {
    let line = stderr.lines().find(|line| line.starts_with("error")).unwrap_or_default();
    let word = |word: &str| match word
        .contains(|letter: char| letter.is_ascii_digit() || "'\"`./".contains(letter))
    {
        true => "…".to_owned(),
        false => word.to_owned(),
    };
    line.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// Copies the folder of a run that failed, with its command line.
fn keep(inputs: &Inputs, line: &Line, folder: &Path, stderr: &str) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (name, ..) in &inputs.files {
        let _ = fs::copy(inputs.folder.join(name), folder.join(name));
    }
    for (name, bytes) in &line.damaged {
        fs::write(folder.join(name), bytes)?;
    }
    let quoted: Vec<String> =
        line.args.iter().map(|arg| format!("'{}'", arg.replace('\'', "'\\''"))).collect();
    let input = line.stdin.as_ref().map_or(String::new(), |name| format!(" < '{name}'"));
    fs::write(folder.join("command.sh"), format!("surefoot {}{input}\n", quoted.join(" ")))?;
    fs::write(folder.join("messages.txt"), stderr)?;
    println!("  kept in {}", folder.display());
    Ok(())
}

/// Copies a few small captures of each format.
fn copy_captures(from: &Path, to: &Path) -> io::Result<()> {
    let (mut folders, mut files) = (vec![from.to_path_buf()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)?.flatten() {
            match entry.file_type()?.is_dir() {
                true => folders.push(entry.path()),
                false => files.push(entry.path()),
            }
        }
    }
    files.sort();
    let mut counts = BTreeMap::<String, usize>::new();
    for path in files {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let is_motion =
            ["bvh", "glb", "gltf", "fbx", "asf", "amc", "npy", "npz", "c3d", "usda", "usdc", "usdz"]
                .contains(&ending.as_str());
        if !is_motion || fs::metadata(&path)?.len() > LARGEST_CAPTURE {
            continue;
        }
        let count = counts.entry(ending).or_default();
        *count += 1;
        if let (true, Some(name)) = (*count <= CAPTURES, path.file_name()) {
            fs::write(to.join(name), fs::read(&path)?)?;
        }
    }
    Ok(())
}
