//! One run of the command with limits of memory and time, and what is wrong with its result.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::command_lines::Line;
use super::inputs::Inputs;

const MEGABYTE: u64 = 1 << 20;

/// Address space of a run, in kilobytes: a run that needs more is stopped by the system.
const ADDRESS_SPACE_KB: u64 = 3_000_000;

/// Processor time of a run, in seconds.
const SECONDS: u64 = 20;

/// Time after which a run that takes no processor time has to end: it waits for something that does not come.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// What is wrong with a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A panic, with its place in the code.
    Panic(String),
    /// The process was ended by a signal or with another exit code than 0, 1 and 2.
    Abort(String),
    /// The run took more than 20 s of processor time, or did not end.
    Hang,
    /// The run took more memory than is promised, in megabytes.
    Memory(u64, u64),
    /// The output of `--json` is not one JSON value.
    MixedOutput,
    /// The command failed without an error message.
    NoMessage,
    /// A temporary file was left behind.
    Leftover(String),
    /// A motion was replaced by something that is not one.
    LostMotion(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Panic(place) => write!(f, "panic at {place}"),
            Self::Abort(status) => write!(f, "ended by {status}"),
            Self::Hang => write!(f, "took more than {SECONDS} s"),
            Self::Memory(taken, bound) => write!(f, "took {taken} MB, promised are {bound} MB"),
            Self::MixedOutput => write!(f, "--json did not print one JSON value"),
            Self::NoMessage => write!(f, "failed without a message"),
            Self::Leftover(name) => write!(f, "left {name} behind"),
            Self::LostMotion(name) => write!(f, "replaced the motion {name} by something else"),
        }
    }
}

/// The result of a run.
#[derive(Debug)]
pub struct Outcome {
    /// The exit code.
    pub code: Option<i32>,
    /// What is wrong with it.
    pub fault: Option<Fault>,
    /// The most memory that was seen, in megabytes.
    pub memory_mb: u64,
    /// Duration of the run.
    pub duration: Duration,
    /// The messages of the command.
    pub stderr: String,
}

/// Runs a line in the folder of its inputs. The damaged files are left there, for a look at a run that failed.
pub fn run(program: &Path, inputs: &Inputs, line: &Line, scratch: &Path) -> io::Result<Outcome> {
    for (name, bytes) in &line.damaged {
        fs::write(inputs.folder.join(name), bytes)?;
    }
    let (out, err) = (scratch.join("stdout"), scratch.join("stderr"));
    let stdin = match &line.stdin {
        Some(name) => Stdio::from(File::open(inputs.folder.join(name))?),
        None => Stdio::null(),
    };
    let limits = format!("ulimit -v {ADDRESS_SPACE_KB}; ulimit -t {SECONDS}; exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(limits).arg(program).args(&line.args).current_dir(&inputs.folder);
    shell.env("RUST_BACKTRACE", "0").stdin(stdin).stdout(File::create(&out)?).stderr(File::create(&err)?);
    let started = Instant::now();
    let mut child = shell.spawn()?;
    let memory_mb = watch(&mut child)?;
    let status = child.wait()?;
    let duration = started.elapsed();
    let stderr = String::from_utf8_lossy(&head(&err)?).into_owned();
    let bound = bound_mb(program, line, files_size(inputs, line) + fs::metadata(&out)?.len());
    let is_cpu = matches!(signal(status), Some(9 | 24));
    let fault = if let Some(place) = panic_place(&stderr) {
        Some(Fault::Panic(place))
    } else if is_cpu || duration > LONGEST_WAIT {
        Some(Fault::Hang)
    } else if !matches!(status.code(), Some(0..=2)) {
        Some(Fault::Abort(status.to_string()))
    } else if memory_mb > bound {
        Some(Fault::Memory(memory_mb, bound))
    } else if status.code() == Some(2) && stderr.trim().is_empty() && line.args[0] != "batch" {
        Some(Fault::NoMessage)
    } else if line.args.iter().any(|arg| arg == "--json") && !is_one_json_value(&fs::read(&out)?) {
        Some(Fault::MixedOutput)
    } else {
        leftover(&inputs.folder)?.or(lost_motion(inputs, line)?)
    };
    Ok(Outcome { code: status.code(), fault, memory_mb, duration, stderr })
}

/// Reads the largest memory of a run until it ends, and ends a run that waits for too long.
fn watch(child: &mut Child) -> io::Result<u64> {
    let (status, started, mut memory) = (format!("/proc/{}/status", child.id()), Instant::now(), 0);
    loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes =
            line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0);
        memory = memory.max(kilobytes / 1024);
        if child.try_wait()?.is_some() {
            return Ok(memory);
        }
        if started.elapsed() > LONGEST_WAIT {
            child.kill()?;
        }
        std::thread::sleep(Duration::from_millis(if started.elapsed().as_millis() < 50 { 1 } else { 5 }));
    }
}

/// The promised memory: 12 times what a command reads and writes, 64 MB for each motion, and the program itself.
fn bound_mb(program: &Path, line: &Line, files: u64) -> u64 {
    let program = fs::metadata(program).map_or(0, |metadata| metadata.len());
    // `batch` cleans one clip on each core, `score` fits to all motions at once.
    let motions = match line.args[0].as_str() {
        "batch" | "score" | "plot" => 4,
        "join" | "blend" | "retarget" | "measure" => 2,
        _ => 1,
    };
    (12 * files + program) / MEGABYTE + 64 * motions
}

/// The size of the files that a line reads and writes: those that it names, and those that are new in the folder.
fn files_size(inputs: &Inputs, line: &Line) -> u64 {
    if matches!(line.args[0].as_str(), "batch" | "score") {
        return folder_size(&inputs.folder);
    }
    let is_named = |name: &str| {
        line.stdin.as_deref() == Some(name)
            || line.args.iter().any(|arg| arg.rsplit('=').next() == Some(name))
    };
    let is_input = |name: &str| inputs.files.iter().any(|(own, ..)| own == name);
    let entries = fs::read_dir(&inputs.folder).into_iter().flatten().flatten();
    let counts = |entry: &fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        is_named(&name) || !is_input(&name)
    };
    entries.filter(counts).filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.len()).sum()
}

/// The size of all files below a folder.
fn folder_size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let metadata = entry.metadata().ok()?;
            Some(if metadata.is_dir() { folder_size(&entry.path()) } else { metadata.len() })
        })
        .sum()
}

fn head(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MEGABYTE).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The place in the code of a panic, without the message, so that equal bugs are counted together.
fn panic_place(stderr: &str) -> Option<String> {
    let line =
        stderr.lines().find(|line| line.contains("panicked at") || line.contains("overflowed its stack"));
    let line = line.or_else(|| stderr.lines().find(|line| line.contains("bug in surefoot")))?;
    Some(line.split_once("panicked at ").map_or(line, |(_, place)| place).trim_end_matches(':').to_owned())
}

fn is_one_json_value(bytes: &[u8]) -> bool {
    bytes.is_empty() || serde_json::from_slice::<serde_json::Value>(bytes).is_ok()
}

fn leftover(folder: &Path) -> io::Result<Option<Fault>> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.starts_with(".surefoot") {
            return Ok(Some(Fault::Leftover(name)));
        }
    }
    Ok(None)
}

/// A BVH file that the command line reads and that is no longer valid after the run.
fn lost_motion(inputs: &Inputs, line: &Line) -> io::Result<Option<Fault>> {
    let is_damaged = |name: &str| line.damaged.iter().any(|(own, _)| own == name);
    for (name, ..) in inputs.files.iter().filter(|(name, ..)| name.ends_with(".bvh") && !is_damaged(name)) {
        if !fs::read(inputs.folder.join(name))?.starts_with(b"HIERARCHY") {
            return Ok(Some(Fault::LostMotion(name.clone())));
        }
    }
    Ok(None)
}

#[cfg(unix)]
fn signal(status: std::process::ExitStatus) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt;
    status.signal()
}

#[cfg(not(unix))]
fn signal(_: std::process::ExitStatus) -> Option<i32> {
    None
}
