//! Mode, owner, links and protection of files that are overwritten.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use surefoot_files::{Existing, Target, TargetError, write_set};

fn overwrite(path: &Path, text: &str) {
    let target = Target::check(path, Existing::Overwrite).unwrap();
    write_set(&[(&target, text.as_bytes())]).unwrap();
    assert_eq!(fs::read_to_string(path).unwrap(), text);
}

#[test]
fn an_overwritten_file_keeps_its_mode() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("walk.bvh");
    for mode in [0o600, 0o640, 0o664, 0o755] {
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        overwrite(&path, "new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, mode);
    }
}

#[test]
fn a_new_file_has_the_mode_of_any_new_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("any"), "").unwrap();
    overwrite(&folder.path().join("walk.bvh"), "new");
    let mode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
    assert_eq!(mode("walk.bvh"), mode("any"));
}

#[test]
fn hard_and_symbolic_links_stay_links() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("walk.bvh"), "a longer old text").unwrap();
    fs::hard_link(path("walk.bvh"), path("hard.bvh")).unwrap();
    std::os::unix::fs::symlink("walk.bvh", path("soft.bvh")).unwrap();
    overwrite(&path("walk.bvh"), "new");
    overwrite(&path("soft.bvh"), "newer");
    assert_eq!(fs::read_to_string(path("hard.bvh")).unwrap(), "newer");
    assert_eq!(fs::metadata(path("walk.bvh")).unwrap().nlink(), 2);
    assert!(fs::symlink_metadata(path("soft.bvh")).unwrap().is_symlink());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[test]
fn an_overwritten_file_keeps_its_owner() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("walk.bvh");
    fs::write(&path, "old").unwrap();
    // Only the administrator can give a file away; for others the owner is the same before and after.
    let _ = std::os::unix::fs::chown(&path, Some(12345), Some(12345));
    let owner = |path: &Path| fs::metadata(path).map(|metadata| (metadata.uid(), metadata.gid())).unwrap();
    let before = owner(&path);
    overwrite(&path, "new");
    assert_eq!(owner(&path), before);
}

#[test]
fn what_must_not_be_replaced_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let check = |name: &str, existing| Target::check(&path(name), existing);
    fs::write(path("walk.bvh"), "old").unwrap();
    assert!(matches!(check("walk.bvh", Existing::Keep), Err(TargetError::Exists)));
    fs::set_permissions(path("walk.bvh"), Permissions::from_mode(0o444)).unwrap();
    assert!(matches!(check("walk.bvh", Existing::Overwrite), Err(TargetError::WriteProtected)));
    fs::create_dir(path("folder")).unwrap();
    assert!(matches!(check("folder", Existing::Overwrite), Err(TargetError::NotAFile)));
    std::os::unix::fs::symlink("nowhere", path("dangling")).unwrap();
    assert!(matches!(check("dangling", Existing::Overwrite), Err(TargetError::DanglingLink)));
}

#[test]
fn a_file_that_appears_meanwhile_is_kept_and_so_is_the_rest_of_its_set() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let targets = ["a", "b"].map(|name| Target::check(&path(name), Existing::Keep).unwrap());
    fs::write(path("b"), "someone else's").unwrap();
    let error = write_set(&[(&targets[0], b"ours"), (&targets[1], b"ours")]).unwrap_err();
    assert_eq!(error.error.kind(), std::io::ErrorKind::AlreadyExists);
    assert_eq!(error.path, path("b"));
    assert_eq!(super::contents(folder.path()), [("b".to_owned(), "someone else's".to_owned())]);
}
