//! `plot --show poses` of files and folders.

use super::test_folder::TestFolder;

/// A folder with `walk.bvh`, a walk, and `walk.clean.bvh`, the same walk, in which the root jumps at frame 100.
pub fn walk_with_jump() -> TestFolder {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk", "-o", "walk.bvh", "--seconds", "4"]).expect_success();
    let text = folder.text("walk.bvh");
    let (head, frames) = text.split_at(text.find("Frame Time").unwrap());
    let mut lines: Vec<String> = frames.lines().map(str::to_owned).collect();
    let row = &mut lines[101];
    let (_, rest) = row.split_once(' ').unwrap();
    *row = format!("999 {rest}");
    folder.write("walk.clean.bvh", &format!("{head}{}\n", lines.join("\n")));
    folder
}

#[test]
fn poses_are_drawn_of_two_files() {
    let folder = walk_with_jump();
    folder.run(&["plot", "walk.bvh", "walk.clean.bvh", "--show", "poses", "--every", "50"]).expect_success();
    let drawn = folder.text("walk.clean.plot.svg");
    for part in ["pose-before", "pose-after", ">50</text>", ">100</text>", "walk.clean.bvh"] {
        assert!(drawn.contains(part), "{part}");
    }
    let plot = ["plot", "walk.bvh", "walk.clean.bvh", "--show", "poses,knees", "-o", "-"];
    assert!(folder.run(&plot).expect_success().stdout.contains("knee, angle"));
}

#[test]
fn poses_are_drawn_around_an_event() {
    let folder = walk_with_jump();
    let plot = ["plot", "walk.bvh", "walk.clean.bvh", "--show", "poses", "--event", "knee-pop"];
    // The root jumps, but no knee bends.
    folder.run(&plot).expect_error("there is nothing to draw for poses");
    let drawn = folder.run(&[&plot[..6], &["any", "-o", "-"]].concat()).expect_success().stdout;
    assert!(drawn.contains("teleport: ") && drawn.contains("pose-event"), "{drawn}");
    folder.run(&[&plot[..6], &["any", "--every", "5"]].concat()).expect_error("cannot be used with");
}

#[test]
fn a_folder_has_a_line_for_each_motion() {
    let folder = walk_with_jump();
    folder.write("notes.txt", "not a motion");
    folder.write("broken.bvh", "not a motion either");
    let run = folder.run(&["plot", ".", "--show", "poses"]).expect_success();
    assert!(run.stderr.contains("broken.bvh is skipped: "), "{run:?}");
    let drawn = folder.text("poses.svg");
    // One line, since walk.bvh and walk.clean.bvh are drawn together.
    assert_eq!(drawn.matches("class=\"title\"").count(), 1);
    assert!(drawn.contains("pose-before"));
    folder.run(&["plot", ".", "-o", "-"]).expect_error("only stick figures are drawn of folders");
}

#[test]
fn two_folders_are_paired_by_name() {
    let folder = walk_with_jump();
    for subfolder in ["takes", "cleaned"] {
        std::fs::create_dir(folder.path(subfolder)).unwrap();
    }
    std::fs::copy(folder.path("walk.bvh"), folder.path("takes/walk.bvh")).unwrap();
    std::fs::copy(folder.path("walk.bvh"), folder.path("takes/alone.bvh")).unwrap();
    std::fs::copy(folder.path("walk.clean.bvh"), folder.path("cleaned/walk.clean.bvh")).unwrap();
    folder.run(&["plot", "takes", "cleaned", "--show", "poses"]).expect_success();
    let drawn = folder.text("cleaned/poses.svg");
    assert_eq!(drawn.matches("class=\"title\"").count(), 1);
    assert!(drawn.contains("walk.clean.bvh") && drawn.contains("pose-before"));
    std::fs::remove_file(folder.path("takes/walk.bvh")).unwrap();
    folder
        .run(&["plot", "takes", "cleaned", "--show", "poses", "--force"])
        .expect_error("nothing to draw in takes and cleaned");
}
