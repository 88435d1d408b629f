//! The figures of captures on the reach page are what the command draws for the goals of the published experiment.

use std::path::Path;

use super::test_folder::TestFolder;

#[path = "../../../surefoot-edit/tests/edit/clips.rs"]
mod clips;
#[path = "../../../surefoot-edit/examples/choi/tables/mod.rs"]
mod tables;

#[test]
fn the_figures_of_the_boxing_experiment_are_current() {
    let Some(table) = tables::table(tables::NAMES[0], surefoot_testdata::path) else { return };
    let folder = TestFolder::new();
    for (name, text) in &table.goals {
        folder.write(name, text);
    }
    let mut stale = Vec::new();
    for (name, joint) in [("17_10", &["--plot-joint", "RightArm"][..]), ("79_08", &[])] {
        let Some(capture) = surefoot_testdata::path(&format!("bvh/cmu/{name}.bvh")) else { return };
        std::fs::copy(capture, folder.path(&format!("{name}.bvh"))).unwrap();
        let (motion, goals, plot) =
            (format!("{name}.bvh"), format!("{name}.goals.json"), format!("reach-{name}.svg"));
        let args = [&["reach", &motion, "--goals", &goals, "--plot", &plot][..], joint].concat();
        folder.run(&args).expect_success();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/figures").join(&plot);
        let drawn = folder.text(&plot);
        if std::fs::read_to_string(&path).unwrap_or_default() != drawn {
            match std::env::var_os("UPDATE_EXPECT") {
                Some(_) => std::fs::write(&path, drawn).unwrap(),
                None => stale.push(plot),
            }
        }
    }
    assert!(
        stale.is_empty(),
        "run UPDATE_EXPECT=1 cargo test -p surefoot-cli reach_figures: {}",
        stale.join(", ")
    );
}
