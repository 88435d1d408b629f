//! Random command lines: every command with flags from its help text.

use std::io;
use std::path::Path;
use std::process::Command;

use super::damage::damage;
use super::inputs::{Inputs, Kind, SETTINGS};
use crate::mutate::Random;

/// Commands that end by themselves, with their inputs: `M` is a motion, other capital letters a file of their kind.
const COMMANDS: [(&str, usize); 22] = [
    ("inspect M", 6),
    ("detect M", 5),
    ("clean M", 12),
    ("clean M --plants P", 5),
    ("measure M", 5),
    ("measure M --before M --plants P", 3),
    ("plot M", 4),
    ("plot M M", 2),
    ("reach M --goals G", 5),
    ("retarget M --to M", 4),
    ("follow M --path T", 4),
    ("follow M", 2),
    ("join M M", 4),
    ("blend M M --weight 0.5", 4),
    ("loop M", 4),
    ("convert M O", 6),
    ("sample walk", 2),
    ("batch . -o out", 1),
    ("batch corpus -o out", 1),
    ("stream", 8),
    ("score corpus --model D", 1),
    ("completions bash", 1),
];

/// Values that are odd for most flags.
const VALUES: [&str; 44] = [
    "0",
    "1",
    "-1",
    "1e9",
    "-1e9",
    "1e-9",
    "1e308",
    "-0",
    "nan",
    "inf",
    "18446744073709551615",
    "65536",
    "3%",
    "1000000%",
    "2cm",
    "-2cm",
    "1e6m",
    "0.5s",
    "1e5s",
    "1e-12s",
    "90deg",
    "1e9deg",
    "auto",
    "none",
    "level",
    "plants",
    "whole",
    "unlimited",
    "never",
    "all",
    "x",
    "-y",
    "cm",
    "left",
    "0..10cm",
    "50cm..0",
    "0-3",
    "3-1",
    "1/3",
    "3/1",
    "",
    "-",
    "é\u{301}",
    "M 0 0 L 0 9",
];

const UNITS: [&str; 12] = ["", "", "", "m", "cm", "mm", "s", "ms", "%", "deg", "m/s", "fps"];

const OUTPUTS: [&str; 15] = [
    "out.bvh",
    "out.glb",
    "out.gltf",
    "out.fbx",
    "out.usda",
    "out.npz",
    "out.npy",
    "out.ndjson",
    "out.bin",
    "out.csv",
    "out.json",
    "out.svg",
    "out.html",
    "-",
    "none/out.bvh",
];

/// Flags that are not used: those that only print, and `--tables`, which takes minutes by its description.
const NEVER_USED: [&str; 4] = ["--help", "--version", "--", "--tables"];

/// A flag of a command.
#[derive(Debug)]
struct Flag {
    name: String,
    /// The placeholder of its value; `None` for a flag without one.
    value: Option<String>,
    /// The words that the help text lists as possible values.
    words: Vec<String>,
}

/// All commands and their flags.
#[derive(Debug)]
pub struct Commands {
    flags: Vec<Vec<Flag>>,
}

/// A command line and the files that it finds damaged.
#[derive(Clone, Debug)]
pub struct Line {
    /// The arguments of the command.
    pub args: Vec<String>,
    /// The name of the file that is fed to stdin.
    pub stdin: Option<String>,
    /// Names and bytes of damaged files.
    pub damaged: Vec<(String, Vec<u8>)>,
}

impl Commands {
    /// Reads the flags of all commands from the help texts of a program.
    pub fn of_program(program: &Path) -> io::Result<Self> {
        let flags = |(command, _): &(&str, usize)| {
            let name = command.split(' ').next().unwrap_or_default();
            let help = Command::new(program).args([name, "--help"]).env("COLUMNS", "400").output()?;
            let found = flags_in(&String::from_utf8_lossy(&help.stdout));
            match found.is_empty() && name != "completions" {
                true => Err(io::Error::other(format!("the help of {name} lists no flags"))),
                false => Ok(found),
            }
        };
        Ok(Self { flags: COMMANDS.iter().map(flags).collect::<io::Result<_>>()? })
    }

    /// A random command line on these files.
    pub fn line(&self, inputs: &Inputs, random: &mut Random) -> Line {
        let at = pick_command(random);
        let mut args: Vec<String> = Vec::new();
        for word in COMMANDS[at].0.split(' ') {
            args.push(match word {
                "M" => motion(inputs, random),
                "P" => plants_for(args.get(1), inputs, random),
                "G" => file(inputs, Kind::Goals, random),
                "T" => file(inputs, Kind::Path, random),
                "D" => file(inputs, Kind::Model, random),
                "O" => random.pick(&OUTPUTS).into(),
                word => word.into(),
            });
        }
        for _ in 0..random.below(4) {
            let flag = pick_flag(&self.flags[at], random);
            // A second use of a flag is refused before anything is read.
            let is_new =
                |flag: &&Flag| random.chance(2) || !args.iter().any(|arg| arg.starts_with(&flag.name));
            if let Some(flag) = flag.filter(is_new) {
                args.push(with_value(flag, inputs, random));
            }
        }
        let can_force = self.flags[at].iter().any(|flag| flag.name == "--force");
        if can_force && !args.contains(&"--force".into()) && random.chance(95) {
            args.push("--force".into());
        }
        let reads_stdin = args[0] == "stream" || args.iter().any(|arg| arg == "-");
        let kind = if args[0] == "stream" { Kind::Stream } else { Kind::Motion };
        let stdin = reads_stdin.then(|| file(inputs, kind, random));
        let damaged = damaged_files(&args, stdin.as_deref(), inputs, random);
        Line { args, stdin, damaged }
    }
}

fn pick_command(random: &mut Random) -> usize {
    let total: usize = COMMANDS.iter().map(|(_, weight)| weight).sum();
    let mut left = random.below(total);
    COMMANDS
        .iter()
        .position(|(_, weight)| {
            let is_here = left < *weight;
            left = left.saturating_sub(*weight);
            is_here
        })
        .unwrap_or(0)
}

fn pick_flag<'a>(flags: &'a [Flag], random: &mut Random) -> Option<&'a Flag> {
    if flags.is_empty() { None } else { flags.get(random.below(flags.len())) }
}

fn motion(inputs: &Inputs, random: &mut Random) -> String {
    match random.below(100) {
        0..3 => "-".into(),
        // Motions with legs, which more commands accept.
        3..40 => random.pick(&["walk.bvh", "walk.glb", "stand.bvh", "run.bvh"]).into(),
        _ => file(inputs, Kind::Motion, random),
    }
}

/// The plants of a motion, or sometimes those of another.
fn plants_for(motion: Option<&String>, inputs: &Inputs, random: &mut Random) -> String {
    let stem = motion.and_then(|name| name.split('.').next()).unwrap_or_default();
    let own = format!("{stem}.plants.json");
    match inputs.files.iter().any(|(name, ..)| *name == own) && random.chance(80) {
        true => own,
        false => file(inputs, Kind::Plants, random),
    }
}

/// A file of this kind, or sometimes one of any kind.
fn file(inputs: &Inputs, kind: Kind, random: &mut Random) -> String {
    let names = inputs.of_kind(kind);
    match names.is_empty() || random.chance(5) {
        true => inputs.files[random.below(inputs.files.len())].0.clone(),
        false => random.pick(&names).into(),
    }
}

/// The flag with a value, if it takes one.
fn with_value(flag: &Flag, inputs: &Inputs, random: &mut Random) -> String {
    let Some(placeholder) = &flag.value else { return flag.name.clone() };
    let value = match random.below(10) {
        0 => random.pick(&VALUES).to_owned(),
        1 if random.chance(50) => number(random) + random.pick(&UNITS),
        1 if random.chance(50) => inputs.files[random.below(inputs.files.len())].0.clone(),
        _ => fitting_value(flag, placeholder, inputs, random),
    };
    format!("{}={value}", flag.name)
}

/// A value of the kind that the flag expects.
fn fitting_value(flag: &Flag, placeholder: &str, inputs: &Inputs, random: &mut Random) -> String {
    let is_list = !placeholder.contains("TIME") && !placeholder.contains("SHARE");
    if !flag.words.is_empty() && (is_list || random.chance(30)) {
        return flag.words[random.below(flag.words.len())].clone();
    }
    let kind = match flag.name.as_str() {
        "--rig" => Kind::Rig,
        "--floor" => Kind::Floor,
        "--plants" | "--plants-a" | "--plants-b" => Kind::Plants,
        "--goals" => Kind::Goals,
        "--path" => Kind::Path,
        "--model" | "--from" => Kind::Model,
        "--skeleton" | "--to" | "--like" | "--before" => Kind::Motion,
        "--output" | "--report" | "--map" | "--plants-out" | "--rig-out" | "--table" => {
            return random.pick(&OUTPUTS).into();
        }
        _ if placeholder.contains('.') || placeholder.contains("FILE") => Kind::Other,
        _ => return measure(placeholder, random),
    };
    file(inputs, kind, random)
}

/// A value that can be read as what the placeholder names, often an extreme one.
fn measure(placeholder: &str, random: &mut Random) -> String {
    let mut positive = || number(random).trim_start_matches('-').to_owned();
    match placeholder {
        "TIME" | "TIME|whole" | "TIME|never" => positive() + "s",
        "LENGTH" | "DISTANCE" => number(random) + random.pick(&["m", "cm", "mm"]),
        "SHARE" | "SHARE|auto|unlimited" => positive() + "%",
        "SPEED" => positive() + "m/s",
        "ANGLE" => number(random) + "deg",
        "UNIT" => random.pick(&["m", "cm", "mm", "inch", "ft", "0.01", "1e-3", "1e3", "1e-29", "7"]).into(),
        "AXIS" => random.pick(&["x", "y", "z", "-x", "-y", "-z"]).into(),
        "FLOOR" => {
            random.pick(&["none", "level", "plants", "0", "5cm", "1e3m", "0,1,0,0.1", "0.2,1,0,0"]).into()
        }
        "COUNT" | "N" | "INSTANTS" | "FRAMES" => {
            let bits = random.below(20);
            random.below(1 << bits).to_string()
        }
        "FRAME,FRAME" => format!("{},{}", random.below(150), random.below(150)),
        "FIRST-LAST" => format!("{}-{}", random.below(150), random.below(200)),
        "LOW..HIGH" => format!("{}..{}m", random.below(3), 1 + random.below(5)),
        "X,Z" => format!("-{}m,{}m", random.below(9), random.below(9)),
        "WEIGHT" => {
            random.pick(&["0.3", "1", "0:0,1.5:1", "0:1,0:0", "weights.csv", "0:0,1e-9:1,1e9:0"]).into()
        }
        "I/N" => format!("{}/{}", random.below(4), random.below(4)),
        "ORDER" => {
            random.pick(&["smpl-22", "smpl-24", "smplh-52", "kit-21", "h36m-17", "coco-17", "body-25"]).into()
        }
        "FORM" => {
            random.pick(&["wxyz", "xyzw", "matrix", "axis-angle", "6d", "6d-rows", "ndjson", "binary"]).into()
        }
        _ => number(random),
    }
}

/// A number of any size.
fn number(random: &mut Random) -> String {
    let digits = random.below(1000);
    match random.below(8) {
        0 => format!("{digits}"),
        1..=3 => format!("0.{digits:03}"),
        4 => format!("{}.{digits:03}", random.below(10)),
        5 => format!("{digits}e{}", random.below(40)),
        6 => format!("{digits}e-{}", random.below(40)),
        _ => format!("-{digits}"),
    }
}

/// Damages, in most lines, one or two of the files that a line names.
fn damaged_files(
    args: &[String],
    stdin: Option<&str>,
    inputs: &Inputs,
    random: &mut Random,
) -> Vec<(String, Vec<u8>)> {
    let is_named = |name: &str| {
        Some(name) == stdin || args.iter().any(|arg| arg == name || arg.rsplit('=').next() == Some(name))
    };
    let named: Vec<_> = inputs.files.iter().filter(|(name, ..)| is_named(name)).collect();
    let mut damaged = Vec::new();
    for (name, _, bytes) in named {
        if !random.chance(40) {
            continue;
        }
        let mut bytes = bytes.clone();
        let other = &inputs.files[random.below(inputs.files.len())].2;
        damage(&mut bytes, other, random);
        damaged.push((name.clone(), bytes));
    }
    if random.chance(3) {
        let mut settings = SETTINGS.as_bytes().to_vec();
        damage(&mut settings, b"", random);
        damaged.push(("surefoot.toml".into(), settings));
    }
    damaged
}

/// The flags in a help text.
fn flags_in(help: &str) -> Vec<Flag> {
    let mut flags: Vec<Flag> = Vec::new();
    for line in help.lines() {
        let text = line.trim_start();
        let text =
            if text.starts_with('-') && !text.starts_with("--") { &text[text.len().min(4)..] } else { text };
        if let Some(rest) = text.strip_prefix("--") {
            let name = rest.split([' ', '[', '=', ',']).next().unwrap_or_default();
            let value =
                rest.split_once('<').and_then(|(_, after)| after.split_once('>')).map(|(value, _)| value);
            let choices = value.filter(|value| value.contains('|')).map(words);
            let (value, words) = (value.map(str::to_owned), choices.unwrap_or_default());
            flags.push(Flag { name: format!("--{name}"), value, words });
        } else if let (Some(flag), Some((_, list))) =
            (flags.last_mut(), text.split_once("[possible values: "))
        {
            flag.words.extend(words(list));
        }
    }
    flags.retain(|flag| !NEVER_USED.contains(&flag.name.as_str()));
    flags
}

/// The lower-case words of a list; placeholders are in capital letters.
fn words(list: &str) -> Vec<String> {
    let words = list.split(['|', ',', ' ', ']']).filter(|word| !word.is_empty());
    words
        .filter(|word| !word.contains(|letter: char| letter.is_ascii_uppercase()))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_and_their_values_are_read_from_the_help() {
        let help = "Options:\n  -o, --output <OUT>\n          The file\n      --json\n      --roll <kept|flat>\n      \
                    --steps <STEPS>\n          [possible values: all, paired]\n  -h, --help\n";
        let flags = flags_in(help);
        let names: Vec<&str> = flags.iter().map(|flag| flag.name.as_str()).collect();
        assert_eq!(names, ["--output", "--json", "--roll", "--steps"]);
        assert_eq!(flags[1].value, None);
        assert_eq!(flags[2].words, ["kept", "flat"]);
        assert_eq!(flags[3].words, ["all", "paired"]);
    }
}
