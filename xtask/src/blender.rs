//! `cargo xtask blender` packs the Blender extension, `cargo xtask test blender` tests it in Blender without a window, and
//! `cargo xtask blender-pictures` renders its pictures for the book.
//!
//! Blender is the module `bpy` of the Python package index, in a virtual environment of its own. The extension is a zip
//! file with the sources, the manifest and the wheel of the Python package, packed by Blender's own tool.
//!
//! A wheel is for one platform, and this command builds that of the machine it runs on. Wheels of other platforms, each
//! built on its own, are given as arguments and packed into the same file; Blender installs the one that fits.

use std::fs;
use std::path::{Path, PathBuf};

use crate::python_env::{Environment, runs};
use crate::run::{cargo, cargo_command, root, succeeds};
use crate::tally::Tally;

/// The version of Python that Blender 4.2 to 5.0 has, which `bpy` therefore needs.
const BLENDERS_PYTHON: &str = "import sys, venv, ensurepip; sys.exit(sys.version_info[:2] != (3, 11))";
/// Names under which that version may be installed.
const INTERPRETERS: [&str; 2] = ["python3.11", "python3"];
/// Blender's tool for extensions, in the environment.
const TOOL: &str = "lib/python3.11/site-packages/bpy/5.0/scripts/addons_core/bl_pkg/cli/blender_ext.py";
/// The folder of the sources.
const SOURCES: &str = "bindings/blender/extension";

/// The program that the tests need and this machine lacks.
pub fn lacks() -> Option<&'static str> {
    interpreter().is_none().then_some("Python 3.11 with its module venv")
}

fn interpreter() -> Option<&'static str> {
    INTERPRETERS.into_iter().find(|interpreter| runs(interpreter, BLENDERS_PYTHON))
}

/// Packs the extension with the wheel of this machine and further ones, and prints the name of the zip file.
pub fn pack(further: &[&str]) -> bool {
    let further: Vec<PathBuf> = further.iter().map(PathBuf::from).collect();
    if let Some(missing) = further.iter().find(|wheel| !wheel.is_file()) {
        eprintln!("blender: {} is not a file, expected a wheel of another platform", missing.display());
        return false;
    }
    match prepare(&further) {
        Some((_, zip)) => {
            println!("{}", zip.display());
            true
        }
        None => {
            eprintln!(
                "{}",
                lacks().map_or("blender: failed, see above".into(), |what| format!("{what} is missing"))
            );
            false
        }
    }
}

/// Packs the extension and tests it.
pub fn test() -> Tally {
    match prepare(&[]) {
        Some((environment, zip)) => environment.pytest(&[("SUREFOOT_EXTENSION", &zip)]),
        None => Tally::of_one(false),
    }
}

/// Renders the pictures of the book. A person has to look at each before it is committed.
pub fn take_pictures() -> bool {
    let Some((environment, _)) = prepare(&[]) else { return false };
    let (folder, walk) = (root().join("book/src/pictures"), root().join("target/blender/walk.bvh"));
    let sample =
        ["run", "--quiet", "--package", "surefoot-cli", "--", "sample", "walk", "--skate", "scale=1.1"];
    let made = succeeds(cargo_command(&sample).args(["--force", "--output"]).arg(&walk));
    let mut still = environment.python();
    still.arg("pictures/still.py").arg(&walk).arg(folder.join("blender-still.png"));
    let mut bars = environment.python();
    bars.args(["-m", "pytest", "tests/test_timeline.py", "--pictures"]).arg(folder);
    bars.env("SUREFOOT_COMMAND", root().join("target/debug/surefoot"));
    made && succeeds(&mut still) && succeeds(&mut bars)
}

/// Prints how far the feet of captured characters are below the floor, on their meshes.
pub fn measure_soles() -> bool {
    let environment = interpreter()
        .and_then(|interpreter| Environment::new(interpreter, "blender-env", "bindings/blender"));
    let Some(environment) = environment else {
        eprintln!(
            "{}",
            lacks().map_or("blender: failed, see above".into(), |what| format!("{what} is missing"))
        );
        return false;
    };
    let data = std::env::var_os("SUREFOOT_DATA").map_or_else(|| root().join("../shared/data"), PathBuf::from);
    cargo(&["build", "--package", "surefoot-cli", "--release"])
        && succeeds(
            environment.python().arg("soles.py").arg(root().join("target/release/surefoot")).arg(data),
        )
}

/// The environment with the wheel of this machine, and the packed extension.
fn prepare(further: &[PathBuf]) -> Option<(Environment, PathBuf)> {
    let environment = Environment::new(interpreter()?, "blender-env", "bindings/blender")?;
    let wheel = environment.install_wheel()?;
    let staged = root().join("target/blender/surefoot");
    let wheels: Vec<PathBuf> = [std::slice::from_ref(&wheel), further].concat();
    stage(&staged, &wheels).map_err(|error| eprintln!("{}: {error}", staged.display())).ok()?;
    let zip = root().join("target/blender/surefoot.zip");
    let mut tool = environment.python();
    tool.arg(environment.path(TOOL)).arg("build").arg("--source-dir").arg(&staged);
    succeeds(tool.arg("--output-filepath").arg(&zip)).then_some((environment, zip))
}

/// Copies sources and wheels into an empty folder, and completes the manifest with the wheels.
fn stage(staged: &Path, wheels: &[PathBuf]) -> std::io::Result<()> {
    // Where there is no such folder yet, there is nothing to remove.
    let _ = fs::remove_dir_all(staged);
    fs::create_dir_all(staged.join("wheels"))?;
    for entry in fs::read_dir(root().join(SOURCES))? {
        let path = entry?.path();
        if let (true, Some(name)) = (path.is_file(), path.file_name()) {
            fs::copy(&path, staged.join(name))?;
        }
    }
    let mut names = Vec::new();
    for wheel in wheels {
        let name = wheel.file_name().unwrap_or_default().to_string_lossy().into_owned();
        fs::copy(wheel, staged.join("wheels").join(&name))?;
        names.push(name);
    }
    names.sort();
    names.dedup();
    let manifest = staged.join("blender_manifest.toml");
    let text = fs::read_to_string(&manifest)?;
    fs::write(manifest, format!("{text}{}", wheel_lines(&names)))
}

/// Parts of the name of a wheel, and Blender's name of its platform.
const PLATFORMS: [(&str, &str, &str); 5] = [
    ("manylinux", "x86_64", "linux-x64"),
    ("macosx", "arm64", "macos-arm64"),
    ("macosx", "x86_64", "macos-x64"),
    ("win", "amd64", "windows-x64"),
    ("win", "arm64", "windows-arm64"),
];

/// The lines of the manifest that state the wheels, and the platforms they are for. Without the platforms, which are left
/// out where a wheel fits all of them or one that is not known, Blender offers the extension on every platform.
fn wheel_lines(wheels: &[String]) -> String {
    let platform = |wheel: &String| {
        let fits = |(system, machine, _): &&(&str, &str, &str)| {
            wheel.contains(&format!("-{system}")) && wheel.contains(machine)
        };
        PLATFORMS.iter().find(fits).map(|(_, _, name)| format!("\"{name}\""))
    };
    let platforms = wheels.iter().map(platform).collect::<Option<Vec<_>>>();
    let platforms = platforms.map(|names| format!("platforms = [{}]\n", names.join(", ")));
    let wheels: Vec<String> = wheels.iter().map(|wheel| format!("\"./wheels/{wheel}\"")).collect();
    format!("{}wheels = [{}]\n", platforms.unwrap_or_default(), wheels.join(", "))
}

#[cfg(test)]
mod tests {
    use super::wheel_lines;

    fn lines(platforms: &[&str]) -> String {
        let wheel = |platform: &&str| format!("surefoot-0.1.0-cp310-abi3-{platform}.whl");
        wheel_lines(&platforms.iter().map(wheel).collect::<Vec<_>>())
    }

    #[test]
    fn the_manifest_states_the_wheel_and_its_platform() {
        assert_eq!(
            lines(&["manylinux_2_28_x86_64"]),
            "platforms = [\"linux-x64\"]\nwheels = [\"./wheels/surefoot-0.1.0-cp310-abi3-manylinux_2_28_x86_64.whl\"]\n"
        );
        assert!(lines(&["any"]).starts_with("wheels"), "a wheel for all platforms");
    }

    #[test]
    fn wheels_of_several_platforms_are_packed_together() {
        let all = lines(&[
            "macosx_11_0_arm64",
            "macosx_10_12_x86_64",
            "manylinux_2_34_x86_64",
            "win_amd64",
            "win_arm64",
        ]);
        let platforms = "platforms = [\"macos-arm64\", \"macos-x64\", \"linux-x64\", \"windows-x64\", \"windows-arm64\"]\n";
        assert!(all.starts_with(platforms), "{all}");
        assert_eq!(all.matches(".whl").count(), 5);
    }
}
