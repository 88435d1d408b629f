//! What a run does with the temporary files of earlier ones.

use std::fs;

use surefoot_files::recover;

use super::contents;

#[test]
fn files_in_use_and_files_of_other_programs_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let in_use = fs::File::create(path(".surefoot-1-2-3.part")).unwrap();
    in_use.try_lock().unwrap();
    fs::write(path(".other.part"), "theirs").unwrap();
    fs::write(path(".surefoot-notes.txt"), "theirs").unwrap();
    fs::create_dir(path(".surefoot-folder.part")).unwrap();
    recover(folder.path());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
    drop(in_use);
    fs::remove_dir(path(".surefoot-folder.part")).unwrap();
    recover(folder.path());
    assert_eq!(contents(folder.path()).len(), 2);
}

#[test]
fn a_journal_leads_to_files_of_its_folder_only() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    fs::write(folder.path().join("secret"), "old").unwrap();
    fs::write(inner.join(".surefoot-1.part"), "new").unwrap();
    fs::write(inner.join(".surefoot-1.journal"), "rename\t.surefoot-1.part\t..%2Fsecret\nend\n").unwrap();
    // Only a temporary file can take the name of another.
    fs::write(inner.join("walk.bvh"), "motion").unwrap();
    fs::write(inner.join(".surefoot-2.journal"), "rename\twalk.bvh\tother.bvh\nend\n").unwrap();
    recover(&inner);
    assert_eq!(contents(&inner), [("walk.bvh".to_owned(), "motion".to_owned())]);
    assert_eq!(fs::read_to_string(folder.path().join("secret")).unwrap(), "old");
}

#[test]
#[cfg(unix)]
fn links_are_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("walk.bvh"), "motion").unwrap();
    std::os::unix::fs::symlink("walk.bvh", path(".surefoot-1.part")).unwrap();
    recover(folder.path());
    assert_eq!(fs::read_to_string(path("walk.bvh")).unwrap(), "motion");
    assert!(fs::symlink_metadata(path(".surefoot-1.part")).is_ok());
}
