//! `batch`: cleans a whole corpus.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot::OutputSettings;
use surefoot_batch::{
    BatchError, BatchSettings, Cleaned, Clip, ClipFacts, Existing, Failure, Progress, Shard, Summary, Want,
    WorkList, WorkListError,
};

use crate::args::{FileOptions, Force};
use crate::commands::clean::CleanOptions;
use crate::input::{self, corpus_bar};
use crate::limits::{self, LimitOptions};
use crate::output::{json, print, shown};
use crate::problem::{CommandError, Problem};
use crate::source::{add_plants, load_with_legs};

/// Clean a whole corpus: folders, patterns and lists of files
///
/// Cleans every motion file with the settings of `clean` and gives the same bytes. The output folder mirrors the
/// corpus; beside the clean files it holds a table with every figure of every clip (figures.jsonl and
/// figures.parquet) and a page (index.html) that ranks the clips by what a person should look at.
///
/// A file that cannot be read is listed and never stops the rest. After a kill at any point, --resume continues: no
/// clip is cleaned twice, none is lost, and the result is that of an undisturbed run.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot batch mocap -o clean
  surefoot batch mocap -o clean --resume
  surefoot batch 'mocap/**/*walk*.bvh' -o walks --jobs 4
  find mocap -name '*.bvh' | surefoot batch --list - -o clean
  surefoot batch mocap -o clean --max-new-slides 0 --max-drift 0.01mm

On a cluster, each task of a Slurm array cleans one part; the last line joins the tables:
  surefoot batch mocap -o clean --resume --shard $SLURM_ARRAY_TASK_ID/64
  surefoot batch mocap -o clean --resume

Exit codes: 0 every clip was cleaned, 1 a clip misses a limit, 2 a file could not be cleaned or the
command failed.")]
pub struct Batch {
    /// Folders with all folders below them, files, or patterns with *, ? and **
    #[arg(value_name = "DIR", value_hint = ValueHint::AnyPath, required_unless_present = "list")]
    inputs: Vec<PathBuf>,

    /// A file with the path of one motion file in each line; - is stdin [default: none]
    #[arg(long, value_name = "LIST", value_hint = ValueHint::FilePath)]
    list: Option<PathBuf>,

    /// The folder to write; it is made where it does not exist
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::DirPath)]
    output: PathBuf,

    /// Number of clips to clean at a time [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = jobs)]
    jobs: Option<usize>,

    /// Clean only part I of N parts, counted from 1, e.g. 3/8 [default: all]
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// Continue a run that was stopped [default: fail if OUT is not empty]
    #[arg(long, conflicts_with = "force")]
    resume: bool,

    /// The table, as .parquet or .jsonl; the other is written beside it [default: OUT/figures.parquet]
    #[arg(long, value_name = "TABLE", value_hint = ValueHint::FilePath, value_parser = table)]
    table: Option<PathBuf>,

    /// Number of reports to write, for the clips that most need a look [default: 20]
    #[arg(long, value_name = "N")]
    reports: Option<usize>,

    /// Print the totals as one JSON value [default: as text]
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    force: Force,

    #[command(flatten)]
    clean: CleanOptions,

    #[command(flatten)]
    limits: LimitOptions,

    #[command(flatten)]
    file_options: FileOptions,
}

/// Number of reports that are written by default: as many as a person can look through in one session.
const REPORTS: usize = 20;

/// Largest number of clips at a time: more threads than any machine has cores.
const MOST_JOBS: usize = 4096;

fn jobs(text: &str) -> Result<usize, String> {
    let jobs = text.parse().ok().filter(|jobs| (1..=MOST_JOBS).contains(jobs));
    jobs.ok_or_else(|| format!("expected a number from 1 to {MOST_JOBS}"))
}

fn table(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("parquet" | "jsonl") => Ok(path),
        _ => Err("expected a name that ends in .parquet or .jsonl".into()),
    }
}

/// The value that `batch --json` prints.
#[derive(Serialize)]
struct BatchJson {
    output: String,
    clips: usize,
    cleaned: usize,
    failed: usize,
    limits_missed: usize,
    with_events: usize,
    frames: u64,
    resumed: usize,
    seconds: f64,
}

pub fn run(args: &Batch) -> Result<(), CommandError> {
    let started = Instant::now();
    let work = WorkList::find(&args.inputs, &listed_files(args)?, &args.output).map_err(list_problem)?;
    let bar = corpus_bar(work.clips.len());
    let turn = Mutex::new(());
    let progress = |progress: Progress| {
        // One thread at a time, so that the bar never goes back.
        let _turn = turn.lock();
        let rate = progress.frames as f64 / started.elapsed().as_secs_f64().max(1e-3);
        bar.set_length(progress.total as u64);
        bar.set_position(bar.position().max(progress.done as u64));
        bar.set_message(format!("{rate:.0} frames/s, {} failed", progress.failed));
    };
    let clean = |clip: &Clip, want: Want| clean_clip(clip, want, args);
    let summary = surefoot_batch::run(&work, &args.settings(), &clean, &progress);
    bar.finish_and_clear();
    let summary = summary.map_err(|error| batch_problem(&error, args))?;
    let seconds = started.elapsed().as_secs_f64();
    let printed = if args.json {
        print(&json(&value(args, &summary, seconds))?)
    } else {
        stderr_line!("{seconds:.1} s, {:.0} frames/s", summary.frames as f64 / seconds.max(1e-3));
        print(text(args, &summary).as_bytes())
    };
    outcome(printed, args, &summary)
}

impl Batch {
    fn settings(&self) -> BatchSettings {
        let existing = match (self.resume, self.force.force) {
            (true, _) => Existing::Resume,
            (_, true) => Existing::Overwrite,
            _ => Existing::Keep,
        };
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        BatchSettings {
            out: self.output.clone(),
            jobs: self.jobs.unwrap_or_else(cores),
            shard: self.shard,
            existing,
            table: self.table.clone(),
            reports: self.reports.unwrap_or(REPORTS),
            clean_settings: format!("{:?} {:?} {:?}", self.clean, self.limits, self.file_options),
        }
    }
}

/// The paths in the file of `--list`.
fn listed_files(args: &Batch) -> Result<Vec<PathBuf>, Problem> {
    let Some(list) = &args.list else { return Ok(Vec::new()) };
    let bytes = input::read(list)?.bytes;
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    Ok(lines.map(PathBuf::from).collect())
}

/// Cleans a clip with the functions of `clean`.
fn clean_clip(clip: &Clip, want: Want, args: &Batch) -> Result<Cleaned, Failure> {
    let failure = |problem: Problem| match problem.line() {
        Some(line) => Failure::at(line, problem.what()),
        None => Failure::new(problem.what()),
    };
    let mut source = load_with_legs(&clip.path, &args.file_options).map_err(failure)?;
    source.file.set_detection(&args.clean.detection.0);
    add_plants(&mut source.file, None).map_err(failure)?;
    let settings = args.clean.settings(&source.settings).map_err(failure)?;
    let (warnings, mut notes) = (source.file.warnings(), source.file.clip_notes());
    // The file is needed only until the clean motion is written.
    let target = source.file.target();
    let file = surefoot::finish(target, Cow::Borrowed(source.clip()), &OutputSettings::from(settings))?;
    notes.extend(file.notes.iter().map(|note| note.text.clone()));
    let limits_missed = args.limits.missed(&source.settings, &file.figures);
    let facts = ClipFacts { name: clip.name.clone(), warnings, notes, limits_missed };
    Cleaned::new(&facts, file, want)
}

fn list_problem(error: WorkListError) -> Problem {
    match error {
        WorkListError::Io { path, error } => Problem::with_file(&path, "read", &error),
        error => Problem::new(error.to_string()),
    }
}

fn batch_problem(error: &BatchError, args: &Batch) -> Problem {
    let out = shown(&args.output);
    match error {
        BatchError::Write { path, error } => {
            Problem::with_file(path, "write", error).help("--resume continues after the last finished clip")
        }
        BatchError::Read { path, error } => Problem::with_file(path, "read", error),
        BatchError::Exists(_) => Problem::new(format!("{out} holds a run already"))
            .help("--resume continues it; --force starts anew"),
        BatchError::NotEmpty(_) => Problem::new(format!("{out} is not empty"))
            .help("-o names another folder; --force writes into it and overwrites files of the same names"),
        BatchError::OtherSettings(_) => {
            Problem::new(format!("the run in {out} has other settings, or is of another version of surefoot"))
                .help("pass the same flags to continue it; --force starts anew")
        }
        BatchError::Running(_) => Problem::new(format!("another process is cleaning into {out}"))
            .help("several processes can share a corpus with --shard"),
        error => Problem::new(error.to_string()),
    }
}

fn value(args: &Batch, summary: &Summary, seconds: f64) -> BatchJson {
    BatchJson {
        output: shown(&args.output),
        clips: summary.clips,
        cleaned: summary.clips - summary.failed,
        failed: summary.failed,
        limits_missed: summary.limits_missed,
        with_events: summary.with_events,
        frames: summary.frames,
        resumed: summary.resumed,
        seconds,
    }
}

fn text(args: &Batch, summary: &Summary) -> String {
    let Summary { clips, failed, frames, with_events, resumed, .. } = summary;
    let resumed = if *resumed > 0 { format!(", {resumed} of them by earlier runs") } else { String::new() };
    let shard = args.shard.map_or(String::new(), |shard| format!("-{}", shard.file_name()));
    let name = |name: String| shown(&args.output.join(name));
    let table = args.table.clone().map_or(name(format!("figures{shard}.parquet")), |table| shown(&table));
    format!(
        "{} of {clips} clips cleaned{resumed}: {frames} frames\n\
         {with_events} clips have visible events\n\n\
         {}: the clips to look at first; open it in a browser\n\
         {}: every figure of every clip; also as {}\n",
        clips - failed,
        name(format!("index{shard}.html")),
        Path::new(&table).with_extension("parquet").display(),
        Path::new(&table).with_extension("jsonl").display(),
    )
}

/// The end of the command: files that could not be cleaned, then limits that are not met.
fn outcome(printed: Result<(), CommandError>, args: &Batch, summary: &Summary) -> Result<(), CommandError> {
    let Summary { clips, failed, limits_missed, .. } = *summary;
    if failed > 0 {
        return Err(Problem::new(format!("{failed} of {clips} files could not be cleaned"))
            .help(format!("the reasons are in {}", shown(&args.output.join("index.html"))))
            .into());
    }
    let missed = (limits_missed > 0).then(|| format!("{limits_missed} of {clips} clips miss a limit"));
    limits::check(printed, missed.into_iter().collect())
}
