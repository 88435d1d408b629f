//! Files and sets of files on disks that fail, with processes that are killed, and with the attributes of overwritten files.

mod attributes;
mod faults;
mod reads;
mod recovery;

use std::path::Path;

/// The names and contents of all files in a folder, sorted.
fn contents(folder: &Path) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut all: Vec<(String, String)> = entries
        .map(|entry| {
            let text = std::fs::read_to_string(entry.path()).unwrap();
            (entry.file_name().into_string().unwrap(), text)
        })
        .collect();
    all.sort();
    all
}
