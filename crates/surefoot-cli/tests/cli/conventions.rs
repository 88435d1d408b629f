//! What holds everywhere: overwriting, whole files, `-`, `--json`, exit codes, pipes.

use std::io::Read;
use std::process::Stdio;

use super::here::{Here, walk};

#[test]
fn nothing_is_overwritten_without_force() {
    let here = Here::with_walk();
    here.put("out.bvh", "mine");
    here.run(&["convert", "walk.bvh", "out.bvh"])
        .refused("out.bvh exists already")
        .refused("--force overwrites it");
    assert_eq!(here.text("out.bvh"), "mine");
    here.run(&["convert", "walk.bvh", "out.bvh", "--force"]).done();
    assert_eq!(here.text("out.bvh"), walk());
}

#[test]
fn an_output_that_is_taken_is_refused_before_the_input_is_read() {
    let here = Here::new();
    here.put("junk.bvh", "no motion at all");
    here.put("out.bvh", "mine");
    here.run(&["convert", "junk.bvh", "out.bvh"]).refused("out.bvh exists already");
}

#[test]
fn a_file_may_replace_itself_only_with_force() {
    let here = Here::with_walk();
    here.run(&["convert", "walk.bvh", "walk.bvh"]).refused("walk.bvh exists already");
    here.run(&["convert", "walk.bvh", "./walk.bvh", "--force"]).done();
    assert_eq!(here.text("walk.bvh"), walk());
}

#[test]
fn a_missing_folder_is_named_and_nothing_is_left() {
    let here = Here::with_walk();
    here.run(&["convert", "walk.bvh", "no/out.bvh"])
        .refused("cannot write no/out.bvh: the folder no does not exist");
    here.run(&["convert", "walk.bvh", "walk.bvh/out.bvh"]).refused("walk.bvh is not a folder");
    here.run(&["convert", "walk.bvh", "new/"]).refused("the name is that of a folder");
    assert_eq!(here.names(), ["walk.bvh"]);
}

#[test]
fn a_folder_is_no_file() {
    let here = Here::with_walk();
    std::fs::create_dir(here.path("folder")).unwrap();
    here.run(&["inspect", "folder"]).refused("folder is a folder, not a file");
    here.run(&["convert", "walk.bvh", "folder", "--force"]).refused("folder is a folder, not a file");
}

#[test]
fn a_missing_file_is_named_with_its_likely_neighbour() {
    let here = Here::with_walk();
    here.run(&["inspect", "wlak.bvh"])
        .refused("cannot read wlak.bvh: it does not exist")
        .refused("did you mean walk.bvh?");
    here.run(&["inspect", "no/such/file.bvh"]).refused("it does not exist");
}

#[cfg(unix)]
mod unix {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_link_stays_and_the_file_behind_it_is_written() {
        let here = Here::with_walk();
        here.put("real.bvh", "mine");
        symlink("real.bvh", here.path("link.bvh")).unwrap();
        here.run(&["convert", "walk.bvh", "link.bvh"]).refused("link.bvh exists already");
        here.run(&["convert", "walk.bvh", "link.bvh", "--force"]).done();
        assert_eq!(here.text("real.bvh"), walk());
        assert!(std::fs::symlink_metadata(here.path("link.bvh")).unwrap().is_symlink());
    }

    #[test]
    fn a_link_to_nowhere_is_said() {
        let here = Here::with_walk();
        symlink("nowhere.bvh", here.path("link.bvh")).unwrap();
        here.run(&["convert", "walk.bvh", "link.bvh", "--force"])
            .refused("link.bvh is a link to a file that does not exist");
        here.run(&["inspect", "link.bvh"]).refused("it does not exist");
    }

    #[test]
    fn a_new_file_is_as_readable_as_any_and_an_old_one_keeps_its_mode() {
        let here = Here::with_walk();
        let mode = |name: &str| {
            let metadata = std::fs::metadata(here.path(name)).unwrap();
            metadata.permissions().mode() & 0o777
        };
        here.run(&["convert", "walk.bvh", "out.bvh"]).done();
        // What the test itself was given when it wrote the input.
        assert_eq!(mode("out.bvh"), mode("walk.bvh"));
        std::fs::set_permissions(here.path("out.bvh"), Permissions::from_mode(0o640)).unwrap();
        here.run(&["convert", "walk.bvh", "out.bvh", "--force"]).done();
        assert_eq!(mode("out.bvh"), 0o640);
    }

    #[test]
    fn a_write_protected_file_stays_even_with_force() {
        let here = Here::with_walk();
        here.put("out.bvh", "mine");
        std::fs::set_permissions(here.path("out.bvh"), Permissions::from_mode(0o444)).unwrap();
        here.run(&["convert", "walk.bvh", "out.bvh", "--force"]).refused("out.bvh is write-protected");
        assert_eq!(here.text("out.bvh"), "mine");
    }

    #[test]
    fn a_read_only_folder_is_said_and_nothing_is_left() {
        let here = Here::with_walk();
        std::fs::create_dir(here.path("locked")).unwrap();
        std::fs::set_permissions(here.path("locked"), Permissions::from_mode(0o555)).unwrap();
        // The administrator may write anywhere.
        if std::fs::write(here.path("locked/probe"), "").is_ok() {
            return;
        }
        here.run(&["convert", "walk.bvh", "locked/out.bvh"])
            .refused("cannot write locked/out.bvh: permission denied");
        assert!(super::super::here::names_in(&here.path("locked")).is_empty());
    }

    #[test]
    fn a_folder_that_takes_no_files_is_said() {
        // Not even the administrator may make files there.
        if !std::path::Path::new("/proc/self").exists() {
            return;
        }
        let here = Here::with_walk();
        here.run(&["convert", "walk.bvh", "/proc/out.bvh"]).refused("cannot write /proc/out.bvh: ");
    }

    #[test]
    fn a_device_takes_bytes_and_needs_no_force() {
        let here = Here::with_walk();
        here.run(&["convert", "walk.bvh", "/dev/null"]).done();
    }

    #[test]
    fn a_full_disk_is_said() {
        let here = Here::with_walk();
        let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else {
            return;
        };
        let mut command = here.command(&["convert", "walk.bvh", "-"]);
        let child = command.stdout(full).stderr(Stdio::piped()).spawn().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let words = String::from_utf8(output.stderr).unwrap();
        assert!(words.contains("cannot write to stdout: no space left"), "{words}");
        here.run(&["convert", "walk.bvh", "/dev/full"]).refused("cannot write /dev/full: no space left");
    }
}

#[test]
fn a_dash_is_stdin_and_stdout() {
    let here = Here::new();
    let ended = here.run_with_stdin(&["convert", "-", "-"], walk().as_bytes()).done();
    assert_eq!(ended.stdout, walk());
    assert!(here.names().is_empty());
    let ended = here.run_with_stdin(&["inspect", "-", "--json"], walk().as_bytes()).done();
    assert_eq!(ended.json()["file"], "stdin");
}

#[test]
fn an_error_in_stdin_says_so() {
    let here = Here::new();
    here.run_with_stdin(&["inspect", "-"], b"HIERARCHY\nROOT\n").refused("--> stdin:");
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let here = Here::with_walk();
    let large = here.text("walk.bvh") + &"\n".repeat(1 << 20);
    here.put("large.bvh", &large);
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
        let mut command = here.command(args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut words = String::new();
        child.stderr.take().unwrap().read_to_string(&mut words).unwrap();
        assert_eq!(words, "", "{args:?}");
        assert_eq!(child.wait().unwrap().code(), Some(0), "{args:?}");
    }
}

#[test]
fn no_colour_in_a_pipe() {
    let here = Here::new();
    here.put("cut.bvh", "HIERARCHY\nROOT\n");
    let ended = here.run(&["inspect", "cut.bvh"]).refused("cut.bvh");
    assert!(!ended.stderr.contains('\x1b'));
}

#[test]
fn a_wrong_flag_is_exit_code_2() {
    let here = Here::new();
    let ended = here.run(&["inspect", "--jsno", "walk.bvh"]).refused("--jsno");
    assert!(ended.stderr.contains("--json"), "{ended:#?}");
    here.run(&["inspct"]).refused("inspect");
    here.run(&["inspect"]).refused("<FILE>");
    here.run(&["inspect", "walk.bvh", "--unit", "furlong"]).refused("expected m, cm, mm, inch, ft");
}

#[test]
fn a_missing_input_is_reported_before_an_existing_output() {
    let here = Here::new();
    let outputs = ["clean.bvh", "follow.bvh", "join.bvh", "loop.bvh", "plants.json", "plot.svg", "reach.bvh"];
    outputs.iter().for_each(|ending| here.put(&format!("walk.{ending}"), ""));
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
        here.run(args).refused("cannot read walk.bvh: it does not exist");
    }
}

#[test]
fn control_characters_in_file_names_are_not_printed() {
    let here = Here::new();
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
        let ended = here.run(args);
        assert!(!ended.stdout.contains('\x1b') && !ended.stderr.contains('\x1b'), "{args:?}: {ended:#?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn names_that_are_not_utf_8_are_written_to_json() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let here = Here::new();
    here.run(&["sample", "walk", "--seconds", "4"]).done();
    here.put("goals.json", r#"{ "surefoot": "goals/1", "goals": [] }"#);
    let odd = |ending: &str| OsStr::from_bytes(&[b"w\xff".as_slice(), ending.as_bytes()].concat()).to_owned();
    std::fs::copy(here.path("walk.bvh"), here.path("").join(odd(".bvh"))).unwrap();
    std::fs::write(here.path("surefoot.toml"), "").unwrap();
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
        let mut command = here.command(args);
        command.arg(odd(".bvh"));
        for (flag, ending) in names {
            command.arg(flag).arg(odd(ending));
        }
        let output = command.output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {stderr}");
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(json.to_string().contains('\u{fffd}'), "{args:?}: {json:#}");
    }
    let demo = here.command(&["demo", "--json", "-o"]).arg(odd("demo")).output().unwrap();
    assert_eq!(demo.status.code(), Some(0), "{}", String::from_utf8_lossy(&demo.stderr));
}
