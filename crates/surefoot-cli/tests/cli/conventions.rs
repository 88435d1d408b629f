//! Conventions of all commands: overwriting, atomic writes, `-`, `--json`, exit codes, pipes.

use std::io::PipeWriter;
use std::process::Stdio;

use super::test_folder::{TestFolder, walk};

#[test]
fn nothing_is_overwritten_without_force() {
    let folder = TestFolder::with_walk();
    folder.write("out.bvh", "mine");
    folder
        .run(&["convert", "walk.bvh", "out.bvh"])
        .expect_error("out.bvh exists already")
        .expect_error("--force overwrites it");
    assert_eq!(folder.text("out.bvh"), "mine");
    folder.run(&["convert", "walk.bvh", "out.bvh", "--force"]).expect_success();
    assert_eq!(folder.text("out.bvh"), walk());
}

#[test]
fn an_existing_output_is_refused_before_the_input_is_read() {
    let folder = TestFolder::new();
    folder.write("junk.bvh", "no motion at all");
    folder.write("out.bvh", "mine");
    folder.run(&["convert", "junk.bvh", "out.bvh"]).expect_error("out.bvh exists already");
}

#[test]
fn a_file_may_replace_itself_only_with_force() {
    let folder = TestFolder::with_walk();
    folder.run(&["convert", "walk.bvh", "walk.bvh"]).expect_error("walk.bvh exists already");
    folder.run(&["convert", "walk.bvh", "./walk.bvh", "--force"]).expect_success();
    assert_eq!(folder.text("walk.bvh"), walk());
}

#[test]
fn a_missing_folder_is_named_and_no_file_is_left() {
    let folder = TestFolder::with_walk();
    folder
        .run(&["convert", "walk.bvh", "no/out.bvh"])
        .expect_error("cannot write no/out.bvh: the folder no does not exist");
    folder.run(&["convert", "walk.bvh", "walk.bvh/out.bvh"]).expect_error("walk.bvh is not a folder");
    folder.run(&["convert", "walk.bvh", "new/"]).expect_error("the name is that of a folder");
    assert_eq!(folder.names(), ["walk.bvh"]);
}

#[test]
fn a_folder_in_place_of_a_file_is_refused() {
    let folder = TestFolder::with_walk();
    std::fs::create_dir(folder.path("folder")).unwrap();
    folder.run(&["inspect", "folder"]).expect_error("folder is a folder, not a file");
    folder.run(&["convert", "walk.bvh", "folder", "--force"]).expect_error("folder is a folder, not a file");
}

#[test]
fn a_missing_file_is_reported_with_a_similar_name() {
    let folder = TestFolder::with_walk();
    folder
        .run(&["inspect", "wlak.bvh"])
        .expect_error("cannot read wlak.bvh: it does not exist")
        .expect_error("did you mean walk.bvh?");
    folder.run(&["inspect", "no/such/file.bvh"]).expect_error("it does not exist");
}

#[cfg(unix)]
mod unix {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_link_is_kept_and_its_target_is_written() {
        let folder = TestFolder::with_walk();
        folder.write("real.bvh", "mine");
        symlink("real.bvh", folder.path("link.bvh")).unwrap();
        folder.run(&["convert", "walk.bvh", "link.bvh"]).expect_error("link.bvh exists already");
        folder.run(&["convert", "walk.bvh", "link.bvh", "--force"]).expect_success();
        assert_eq!(folder.text("real.bvh"), walk());
        assert!(std::fs::symlink_metadata(folder.path("link.bvh")).unwrap().is_symlink());
    }

    #[test]
    fn a_dangling_link_is_reported() {
        let folder = TestFolder::with_walk();
        symlink("nowhere.bvh", folder.path("link.bvh")).unwrap();
        folder
            .run(&["convert", "walk.bvh", "link.bvh", "--force"])
            .expect_error("link.bvh is a link to a file that does not exist");
        folder.run(&["inspect", "link.bvh"]).expect_error("it does not exist");
    }

    #[test]
    fn a_new_file_has_the_default_mode_and_an_existing_file_keeps_its_mode() {
        let folder = TestFolder::with_walk();
        let mode = |name: &str| {
            let metadata = std::fs::metadata(folder.path(name)).unwrap();
            metadata.permissions().mode() & 0o777
        };
        folder.run(&["convert", "walk.bvh", "out.bvh"]).expect_success();
        // The input was written by the test with the default mode.
        assert_eq!(mode("out.bvh"), mode("walk.bvh"));
        std::fs::set_permissions(folder.path("out.bvh"), Permissions::from_mode(0o640)).unwrap();
        folder.run(&["convert", "walk.bvh", "out.bvh", "--force"]).expect_success();
        assert_eq!(mode("out.bvh"), 0o640);
    }

    #[test]
    fn a_write_protected_file_stays_even_with_force() {
        let folder = TestFolder::with_walk();
        folder.write("out.bvh", "mine");
        std::fs::set_permissions(folder.path("out.bvh"), Permissions::from_mode(0o444)).unwrap();
        folder.run(&["convert", "walk.bvh", "out.bvh", "--force"]).expect_error("out.bvh is write-protected");
        assert_eq!(folder.text("out.bvh"), "mine");
    }

    #[test]
    fn a_read_only_folder_is_reported_and_no_file_is_left() {
        let folder = TestFolder::with_walk();
        std::fs::create_dir(folder.path("locked")).unwrap();
        std::fs::set_permissions(folder.path("locked"), Permissions::from_mode(0o555)).unwrap();
        // Root may write to any folder.
        if std::fs::write(folder.path("locked/probe"), "").is_ok() {
            return;
        }
        folder
            .run(&["convert", "walk.bvh", "locked/out.bvh"])
            .expect_error("cannot write locked/out.bvh: permission denied");
        assert!(super::super::test_folder::names_in(&folder.path("locked")).is_empty());
    }

    #[test]
    fn a_folder_that_cannot_hold_files_is_reported() {
        // Not even root can create files in /proc.
        if !std::path::Path::new("/proc/self").exists() {
            return;
        }
        let folder = TestFolder::with_walk();
        folder.run(&["convert", "walk.bvh", "/proc/out.bvh"]).expect_error("cannot write /proc/out.bvh: ");
    }

    #[test]
    fn a_device_takes_bytes_and_needs_no_force() {
        let folder = TestFolder::with_walk();
        folder.run(&["convert", "walk.bvh", "/dev/null"]).expect_success();
    }

    #[test]
    fn a_full_disk_is_reported() {
        let folder = TestFolder::with_walk();
        let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else {
            return;
        };
        let mut command = folder.command(&["convert", "walk.bvh", "-"]);
        let child = command.stdout(full).stderr(Stdio::piped()).spawn().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains("cannot write to stdout: no space left"), "{stderr}");
        folder
            .run(&["convert", "walk.bvh", "/dev/full"])
            .expect_error("cannot write /dev/full: no space left");
    }
}

#[test]
fn a_dash_is_stdin_and_stdout() {
    let folder = TestFolder::new();
    let outcome = folder.run_with_stdin(&["convert", "-", "-"], walk().as_bytes()).expect_success();
    assert_eq!(outcome.stdout, walk());
    assert!(folder.names().is_empty());
    let outcome = folder.run_with_stdin(&["inspect", "-", "--json"], walk().as_bytes()).expect_success();
    assert_eq!(outcome.json()["file"], "stdin");
}

#[test]
fn an_error_in_stdin_names_stdin() {
    let folder = TestFolder::new();
    folder.run_with_stdin(&["inspect", "-"], b"HIERARCHY\nROOT\n").expect_error("--> stdin:");
}

#[test]
fn a_closed_pipe_ends_the_command_without_an_error() {
    let folder = TestFolder::with_walk();
    let large = folder.text("walk.bvh") + &"\n".repeat(1 << 20);
    folder.write("large.bvh", &large);
    for args in [
        &["convert", "large.bvh", "-"][..],
        &["inspect", "walk.bvh"],
        &["inspect", "walk.bvh", "--json"],
        &["clean", "walk.bvh", "--dry-run"],
        &["measure", "walk.bvh", "--json"],
        &["plot", "walk.bvh", "-o", "-"],
        &["--help"],
        &["man"],
        &["completions", "bash"],
    ] {
        let output = folder.command(args).stdout(closed_pipe()).output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{args:?}");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
    }
}

/// A pipe whose reader is gone before the command starts, so that its first write fails.
fn closed_pipe() -> PipeWriter {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer
}

#[test]
fn a_closed_pipe_does_not_hide_a_limit_that_is_not_met() {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk", "--seconds", "4", "--skate", "scale=1.1"]).expect_success();
    folder.write(
        "goals.json",
        r#"{ "surefoot": "goals/1", "goals": [
        { "frame": 30, "joint": "LeftHand", "position": [9, 9, 9] } ] }"#,
    );
    for args in [
        &["measure", "walk.bvh", "--plants", "walk.plants.json", "--max-drift", "0.01mm"][..],
        &["measure", "walk.bvh", "--plants", "walk.plants.json", "--max-drift", "0.01mm", "--json"],
        &["clean", "walk.bvh", "--plants", "walk.plants.json", "--max-knee", "0.001", "-o", "out.bvh"],
        &["clean", "walk.bvh", "--plants", "walk.plants.json", "--max-knee", "0.001", "-o", "-"],
        &["clean", "walk.bvh", "--plants", "walk.plants.json", "--max-knee", "0.001", "--dry-run"],
        &["follow", "walk.bvh", "--turn", "20deg", "--max-knee", "0.001", "-o", "turned.bvh"],
        &["reach", "walk.bvh", "--goals", "goals.json", "--max-miss", "1mm", "-o", "reached.bvh"],
    ] {
        let output = folder.command(args).stdout(closed_pipe()).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}: {stderr}");
        assert!(stderr.contains("limit not met: max-"), "{args:?}: {stderr}");
    }
}

#[test]
fn output_to_a_pipe_has_no_colour() {
    let folder = TestFolder::new();
    folder.write("cut.bvh", "HIERARCHY\nROOT\n");
    let outcome = folder.run(&["inspect", "cut.bvh"]).expect_error("cut.bvh");
    assert!(!outcome.stderr.contains('\x1b'));
}

#[test]
fn a_wrong_flag_is_exit_code_2() {
    let folder = TestFolder::new();
    let outcome = folder.run(&["inspect", "--jsno", "walk.bvh"]).expect_error("--jsno");
    assert!(outcome.stderr.contains("--json"), "{outcome:#?}");
    folder.run(&["inspct"]).expect_error("inspect");
    folder.run(&["inspect"]).expect_error("<FILE>");
    folder.run(&["inspect", "walk.bvh", "--unit", "furlong"]).expect_error("expected m, cm, mm, inch, ft");
}

#[test]
fn a_missing_input_is_reported_before_an_existing_output() {
    let folder = TestFolder::new();
    let outputs = ["clean.bvh", "follow.bvh", "join.bvh", "loop.bvh", "plants.json", "plot.svg", "reach.bvh"];
    outputs.iter().for_each(|ending| folder.write(&format!("walk.{ending}"), ""));
    for args in [
        &["clean", "walk.bvh"][..],
        &["detect", "walk.bvh"],
        &["follow", "walk.bvh", "--turn", "90deg"],
        &["join", "walk.bvh", "walk.bvh"],
        &["loop", "walk.bvh"],
        &["plot", "walk.bvh"],
        &["reach", "walk.bvh", "--goals", "walk.plants.json"],
        &["convert", "walk.bvh", "walk.clean.bvh"],
        &["inspect", "walk.bvh", "--rig-out", "walk.clean.bvh"],
    ] {
        folder.run(args).expect_error("cannot read walk.bvh: it does not exist");
    }
}

#[test]
fn control_characters_in_file_names_are_not_printed() {
    let folder = TestFolder::new();
    let name = "\x1b[31mwalk.bvh";
    let runs = [
        &["sample", "walk", "--seconds", "3", "-o", name][..],
        &["clean", name, "--report", "\x1b[31mreport.html", "--plants-out", "\x1b[31mheld.json"],
        &["detect", name, "--force"],
        &["follow", name, "--turn", "30deg", "--path-out", "\x1b[31mpath.json"],
        &["plot", name],
        &["measure", name],
        &["inspect", name],
        &["clean", name],
        &["demo", "-o", "\x1b[31mdemo"],
        &["train", name, "--method", "knn", "-o", "\x1b[31mmodel"],
        &["train", name, "--from", "shipped", "-o", "\x1b[31mown"],
    ];
    for args in runs {
        let outcome = folder.run(args);
        assert!(
            !outcome.stdout.contains('\x1b') && !outcome.stderr.contains('\x1b'),
            "{args:?}: {outcome:#?}"
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn names_that_are_not_utf_8_are_written_to_json() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = TestFolder::new();
    folder.run(&["sample", "walk", "--seconds", "4"]).expect_success();
    folder.write("goals.json", r#"{ "surefoot": "goals/1", "goals": [] }"#);
    let invalid_utf8 =
        |ending: &str| OsStr::from_bytes(&[b"w\xff".as_slice(), ending.as_bytes()].concat()).to_owned();
    std::fs::copy(folder.path("walk.bvh"), folder.path("").join(invalid_utf8(".bvh"))).unwrap();
    std::fs::write(folder.path("surefoot.toml"), "").unwrap();
    /// Arguments, and flags with the ending of the file name that each gets.
    type Run = (&'static [&'static str], &'static [(&'static str, &'static str)]);
    let runs: [Run; 10] = [
        (&["inspect", "--json"], &[]),
        (&["detect", "--json"], &[]),
        (&["clean", "--json"], &[("--report", ".html"), ("--plants-out", ".held.json")]),
        (&["measure", "--json"], &[("--before", ".bvh")]),
        (&["follow", "--json", "--turn", "30deg"], &[("--path-out", ".path.json")]),
        (&["loop", "--json"], &[]),
        (&["retarget", "--json"], &[("--to", ".bvh")]),
        (&["join", "--json", "walk.bvh"], &[("--map", ".join.svg"), ("-o", ".join.bvh")]),
        (
            &["blend", "--json", "--weight", "0.5", "walk.bvh"],
            &[("--map", ".blend.svg"), ("-o", ".blend.bvh")],
        ),
        (&["reach", "--json", "--goals", "goals.json"], &[("--plot", ".svg"), ("--report", ".reach.html")]),
    ];
    for (args, names) in runs {
        let mut command = folder.command(args);
        command.arg(invalid_utf8(".bvh"));
        for (flag, ending) in names {
            command.arg(flag).arg(invalid_utf8(ending));
        }
        let output = command.output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {stderr}");
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(json.to_string().contains('\u{fffd}'), "{args:?}: {json:#}");
    }
    let demo = folder.command(&["demo", "--json", "-o"]).arg(invalid_utf8("demo")).output().unwrap();
    assert_eq!(demo.status.code(), Some(0), "{}", String::from_utf8_lossy(&demo.stderr));
}
