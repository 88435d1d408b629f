//! A folder with a sound file of every kind that the command reads.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A motion file of any format.
    Motion,
    /// Frames for `stream`.
    Stream,
    /// Plants or labels.
    Plants,
    /// Goals of `reach`.
    Goals,
    /// A path of `follow`.
    Path,
    /// A rig file.
    Rig,
    /// A floor.
    Floor,
    /// A trained model.
    Model,
    /// A list, a settings file, or something else.
    Other,
}

/// The sound files in a folder, with their bytes, so that every run starts from the same files.
#[derive(Debug)]
pub struct Inputs {
    /// The folder.
    pub folder: PathBuf,
    /// Name, kind and bytes of each file.
    pub files: Vec<(String, Kind, Vec<u8>)>,
}

const FLOOR: &str = "v -9 0 -9\nv -9 0 9\nv 9 0.2 9\nv 9 0 -9\nv 0 1 0\nf 1 2 3 4\nf 1 2 5\n";

const GOALS: &str = r#"{"surefoot": "goals/1", "goals": [
 {"frame": 13, "joint": "LeftHand", "position": [0.41, 1.32, 0.55]},
 {"frame": 29, "joint": "RightHand", "point": [0, 0.08, 0], "relative_to": {"joint": "LeftHand"}, "position": [0, 0, 0.05]},
 {"frame": 40, "joint": "LeftFoot", "position": [0.1, 0.2, 1.0]}]}
"#;

/// Settings of the folder, which every command reads.
pub(super) const SETTINGS: &str = "stretch = \"2%\"\nknee-window = \"0.25s\"\nmin-plant = \"0.1s\"\n";

const PATH: &str = r#"{"surefoot": "path/1", "points": [[0, 0], [0.5, 1], [1, 3], [0, 4]]}"#;

impl Inputs {
    /// Writes the sound files into a folder, with the command itself and from the kept inputs in `seeds`.
    pub fn prepare(program: &Path, folder: &Path, seeds: &Path) -> io::Result<Self> {
        let run = |args: &str| run(program, folder, args);
        run("sample walk -o walk.bvh --seconds 4 --fps 30")?;
        run("sample stand -o stand.bvh --seconds 2 --fps 30 --skate scale=1.1")?;
        run("sample run -o run.bvh --seconds 4.5 --fps 24 --skeleton root-pelvis")?;
        run("convert walk.bvh walk.glb")?;
        run("convert walk.bvh walk.ndjson")?;
        run("convert walk.bvh walk.bin --to binary")?;
        run("inspect walk.bvh --rig-out rig.toml")?;
        run("detect walk.bvh -o labels.csv")?;
        fs::write(folder.join("floor.obj"), FLOOR)?;
        fs::write(folder.join("floor.csv"), "x,z,height\n-5,-5,0\n5,-5,0.1\n-5,5,0.2\n5,5,0\n")?;
        fs::write(folder.join("floor.pgm"), "P2\n4 3\n255\n0 10 20 30\n40 50 60 70\n80 90 255 0\n")?;
        fs::write(folder.join("goals.json"), GOALS)?;
        fs::write(folder.join("path.json"), PATH)?;
        fs::write(folder.join("list.txt"), "walk.bvh\nstand.bvh\nmissing.bvh\n")?;
        fs::write(folder.join("weights.csv"), "0,0\n0.5,0.3\n1.5,1\n")?;
        fs::write(folder.join("surefoot.toml"), SETTINGS)?;
        for (seed, name) in [
            ("fbx/7400.fbx", "binary.fbx"),
            ("fbx/7700.fbx", "newer.fbx"),
            ("fbx/7400-ascii.fbx", "text.fbx"),
            ("fbx/6100.fbx", "older.fbx"),
            ("usd/plain.usda", "plain.usda"),
            ("usd/odd.usdc", "odd.usdc"),
            ("usd/shot.usdz", "shot.usdz"),
            ("arrays/positions", "positions.npy"),
            ("arrays/stand", "stand.npz"),
            ("c3d/intel", "gait.c3d"),
            ("bvh/legs.bvh", "legs.bvh"),
            ("model/three_trees", "three.model"),
            ("path/drawing.svg", "drawing.svg"),
            ("goals/two.json", "two.goals.json"),
            ("stream/whole.bin", "whole.bin"),
        ] {
            fs::copy(seeds.join(seed), folder.join(name))?;
        }
        let pair = fs::read(seeds.join("acclaim/two_bones"))?;
        let end = pair.iter().position(|&byte| byte == 0).unwrap_or(pair.len());
        fs::write(folder.join("two.asf"), &pair[..end])?;
        fs::write(folder.join("two.amc"), pair.get(end + 1..).unwrap_or_default())?;
        make_corpus(folder)?;
        Self::of_folder(folder)
    }

    fn of_folder(folder: &Path) -> io::Result<Self> {
        let mut files = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                let name = entry.file_name().to_string_lossy().into_owned();
                files.push((name.clone(), kind(&name), fs::read(entry.path())?));
            }
        }
        files.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(Self { folder: folder.to_path_buf(), files })
    }

    /// The names of all files of one kind.
    pub fn of_kind(&self, kind: Kind) -> Vec<&str> {
        self.files.iter().filter(|(_, own, _)| *own == kind).map(|(name, ..)| name.as_str()).collect()
    }

    /// Restores files that a run has changed, and removes what it has written. Returns the names of changed files.
    pub fn restore(&self) -> io::Result<Vec<String>> {
        let mut changed = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.file_type()?.is_dir() {
                if name != "corpus" {
                    fs::remove_dir_all(entry.path())?;
                }
            } else if !self.files.iter().any(|(own, ..)| *own == name) {
                fs::remove_file(entry.path())?;
            }
        }
        for (name, _, bytes) in &self.files {
            let path = self.folder.join(name);
            if fs::read(&path).is_ok_and(|now| now == *bytes) {
                continue;
            }
            changed.push(name.clone());
            fs::write(path, bytes)?;
        }
        Ok(changed)
    }
}

/// A folder of labelled motions for `batch`, `train` and `score`, with a damaged file.
fn make_corpus(folder: &Path) -> io::Result<()> {
    let corpus = folder.join("corpus");
    fs::create_dir_all(&corpus)?;
    for name in ["walk.bvh", "walk.plants.json", "run.bvh", "run.plants.json"] {
        fs::copy(folder.join(name), corpus.join(name))?;
    }
    let walk = fs::read(folder.join("walk.bvh"))?;
    fs::write(corpus.join("cut.bvh"), &walk[..walk.len() / 2])
}

fn kind(name: &str) -> Kind {
    match name.rsplit('.').next().unwrap_or_default() {
        "ndjson" | "bin" => Kind::Stream,
        "obj" | "pgm" => Kind::Floor,
        "toml" if name.starts_with("rig") => Kind::Rig,
        "model" => Kind::Model,
        "svg" => Kind::Path,
        _ if name.starts_with("floor") => Kind::Floor,
        _ if name.starts_with("path") => Kind::Path,
        _ if name.contains("goals") => Kind::Goals,
        _ if name.contains("plants") || name.starts_with("labels") => Kind::Plants,
        "bvh" | "glb" | "gltf" | "fbx" | "npy" | "npz" | "amc" | "usda" | "usdc" | "usdz" => Kind::Motion,
        _ => Kind::Other,
    }
}

fn run(program: &Path, folder: &Path, args: &str) -> io::Result<()> {
    let output =
        Command::new(program).args(args.split(' ')).current_dir(folder).stdin(Stdio::null()).output()?;
    match output.status.success() {
        true => Ok(()),
        false => {
            Err(io::Error::other(format!("surefoot {args}: {}", String::from_utf8_lossy(&output.stderr))))
        }
    }
}
