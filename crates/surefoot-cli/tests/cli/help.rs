//! Help texts, completions, manual pages and version.

use expect_test::{ExpectFile, expect_file};

use super::test_folder::TestFolder;

fn check(args: &[&str], expected: ExpectFile) {
    let outcome = TestFolder::new().run(args).expect_success();
    assert_eq!(outcome.stderr, "");
    for line in outcome.stdout.lines() {
        assert!(line.chars().count() <= 100, "{line:?}");
    }
    expected.assert_eq(&outcome.stdout);
}

#[test]
fn a_call_without_arguments_prints_a_short_help() {
    check(&[], expect_file!["help/bare.txt"]);
}

#[test]
fn every_help_matches_its_expected_text() {
    check(&["--help"], expect_file!["help/surefoot.txt"]);
    check(&["demo", "--help"], expect_file!["help/demo.txt"]);
    check(&["inspect", "--help"], expect_file!["help/inspect.txt"]);
    check(&["detect", "--help"], expect_file!["help/detect.txt"]);
    check(&["clean", "--help"], expect_file!["help/clean.txt"]);
    check(&["batch", "--help"], expect_file!["help/batch.txt"]);
    check(&["reach", "--help"], expect_file!["help/reach.txt"]);
    check(&["retarget", "--help"], expect_file!["help/retarget.txt"]);
    check(&["follow", "--help"], expect_file!["help/follow.txt"]);
    check(&["join", "--help"], expect_file!["help/join.txt"]);
    check(&["blend", "--help"], expect_file!["help/blend.txt"]);
    check(&["loop", "--help"], expect_file!["help/loop.txt"]);
    check(&["measure", "--help"], expect_file!["help/measure.txt"]);
    check(&["train", "--help"], expect_file!["help/train.txt"]);
    check(&["score", "--help"], expect_file!["help/score.txt"]);
    check(&["plot", "--help"], expect_file!["help/plot.txt"]);
    check(&["sample", "--help"], expect_file!["help/sample.txt"]);
    check(&["convert", "--help"], expect_file!["help/convert.txt"]);
    check(&["stream", "--help"], expect_file!["help/stream.txt"]);
    check(&["studio", "--help"], expect_file!["help/studio.txt"]);
    check(&["completions", "--help"], expect_file!["help/completions.txt"]);
    check(&["man", "--help"], expect_file!["help/man.txt"]);
}

#[test]
fn every_shell_has_completions() {
    let folder = TestFolder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = folder.run(&["completions", shell]).expect_success().stdout;
        assert!(script.contains("inspect") && script.contains("rig-out"), "{shell}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = TestFolder::new();
    let page = folder.run(&["man"]).expect_success().stdout;
    assert!(page.contains(".TH surefoot 1"), "{page}");
    for command in [
        "demo",
        "inspect",
        "detect",
        "clean",
        "batch",
        "reach",
        "join",
        "blend",
        "loop",
        "measure",
        "plot",
        "sample",
        "convert",
        "stream",
        "completions",
        "man",
    ] {
        assert!(page.contains(command), "{command}");
        let page = folder.run(&["man", command]).expect_success().stdout;
        assert!(page.contains(&format!("surefoot\\-{command}")), "{page}");
    }
    folder.run(&["man", "nothing"]).expect_error("there is no command `nothing`");
}

#[test]
fn the_version_is_that_of_the_crate() {
    let version = TestFolder::new().run(&["--version"]).expect_success().stdout;
    assert_eq!(version, format!("surefoot {}\n", env!("CARGO_PKG_VERSION")));
}
