//! A temporary folder for each test, in which the test runs the command.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A temporary folder, deleted at the end of the test.
pub struct TestFolder {
    folder: TempDir,
}

/// Exit code and output of a run of the command.
#[derive(Debug)]
pub struct Outcome {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl TestFolder {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder }
    }

    /// A folder with `walk.bvh`, the file of [`walk`].
    pub fn with_walk() -> Self {
        let folder = Self::new();
        folder.write("walk.bvh", &walk());
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// The names of all files in the folder, sorted.
    pub fn names(&self) -> Vec<String> {
        names_in(self.folder.path())
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_surefoot"));
        command
            .args(args)
            .current_dir(self.folder.path())
            .env_remove("NO_COLOR")
            .env("COLUMNS", "100")
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, args: &[&str]) -> Outcome {
        outcome(self.command(args).output().unwrap())
    }

    pub fn run_with_stdin(&self, args: &[&str], stdin: &[u8]) -> Outcome {
        let mut child = self
            .command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let stdin = stdin.to_vec();
        // A separate thread, because the command may write before it has read all its input. The
        // write fails if the command rejects its arguments and closes the pipe without reading.
        let writer = std::thread::spawn(move || drop(input.write_all(&stdin)));
        let outcome = outcome(child.wait_with_output().unwrap());
        writer.join().unwrap();
        outcome
    }
}

impl Outcome {
    /// Checks that the run ended with exit code 0.
    #[track_caller]
    pub fn expect_success(self) -> Self {
        assert_eq!(self.code, Some(0), "{self:#?}");
        self
    }

    /// Checks that the run ended with exit code 2, this error message on stderr and nothing on stdout.
    #[track_caller]
    pub fn expect_error(self, message: &str) -> Self {
        assert_eq!(self.code, Some(2), "{self:#?}");
        assert_eq!(self.stdout, "", "{self:#?}");
        assert!(self.stderr.starts_with("error: "), "{self:#?}");
        assert!(self.stderr.contains(message), "expected {message:?} in {self:#?}");
        assert!(!self.stderr.contains("panicked"), "{self:#?}");
        self
    }

    /// The value that the command printed with `--json`.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}

pub fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn outcome(output: Output) -> Outcome {
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A small body in centimetres, Y up: a root, two legs of hip, knee, ankle and toe; 40 frames in
/// which the knees bend a little.
pub fn walk() -> String {
    let leg = |side: &str, x: &str| {
        format!(
            "  JOINT {side}UpLeg\n  {{\n    OFFSET {x} -5 0\n    CHANNELS 3 Zrotation Xrotation Yrotation\n    \
             JOINT {side}Leg\n    {{\n      OFFSET 0 -42 0\n      CHANNELS 3 Zrotation Xrotation Yrotation\n      \
             JOINT {side}Foot\n      {{\n        OFFSET 0 -41 0\n        CHANNELS 3 Zrotation Xrotation Yrotation\n        \
             JOINT {side}ToeBase\n        {{\n          OFFSET 0 -7 13\n          CHANNELS 3 Zrotation Xrotation Yrotation\n          \
             End Site\n          {{\n            OFFSET 0 0 7\n          }}\n        }}\n      }}\n    }}\n  }}\n"
        )
    };
    let mut text = format!(
        "HIERARCHY\nROOT Hips\n{{\n  OFFSET 0 0 0\n  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n{}{}}}\n\
         MOTION\nFrames: 40\nFrame Time: 0.0333333\n",
        leg("Left", "9"),
        leg("Right", "-9")
    );
    for frame in 0..40 {
        let bend = f64::from(frame % 20) * 2.0;
        let (left, right) = if frame < 20 { (bend, 0.0) } else { (0.0, bend) };
        let z = f64::from(frame) * 3.0;
        let leg = |bend: f64| {
            format!(
                " 0.00 {:.2} 0.00 0.00 {bend:.2} 0.00 0.00 {:.2} 0.00 0.00 0.00 0.00",
                -bend / 2.0,
                -bend / 2.0
            )
        };
        text += &format!("0.00 95.00 {z:.2} 0.00 0.00 0.00{}{}\n", leg(left), leg(right));
    }
    text
}
