//! The motion file that the server was started with, and the files that belong to it.

use std::cell::RefCell;
use std::io;
use std::path::Path;

use surefoot::load_beside;
use surefoot_formats::source::{Format, ReadOptions};
use surefoot_formats::{SourceFile, Space};

use crate::file_set::{FileSet, FilesBeside};

/// The bytes of a motion file, together with the files that it needs, in the form that the page opens.
pub fn served_motion(path: &Path) -> io::Result<Vec<u8>> {
    let motion = std::fs::read(path)?;
    let may_need_files = matches!(Format::of(&motion), Format::Gltf | Format::AcclaimMotion | Format::Fbx);
    let beside = if may_need_files { files_beside(path, &motion) } else { Vec::new() };
    Ok(FileSet { motion, beside: FilesBeside(beside) }.join())
}

/// The files that are loaded while the motion and its mesh are read.
fn files_beside(path: &Path, motion: &[u8]) -> Vec<(String, Vec<u8>)> {
    let found: RefCell<Vec<(String, Vec<u8>)>> = RefCell::default();
    let load = |name: &str| {
        let known = found.borrow().iter().find(|(own, _)| own == name).map(|(_, bytes)| bytes.clone());
        known.or_else(|| {
            let bytes = load_beside(path, name)?;
            found.borrow_mut().push((name.to_owned(), bytes.clone()));
            Some(bytes)
        })
    };
    let name = path.to_string_lossy();
    let options = ReadOptions { name: Some(&name), load_beside: Some(&load), ..ReadOptions::default() };
    // A file that cannot be read is reported by the page, with the same message.
    if let Ok(source) = SourceFile::read(motion.to_vec(), &options) {
        let _ = source.mesh(&Space::METRES_Y_UP, &load);
    }
    found.into_inner()
}
