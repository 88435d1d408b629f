//! Mode, owner and hard links of a file that is overwritten.

use std::fs::{File, Metadata};

/// How the content of an existing file is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Replacement {
    /// A new file takes its name.
    Rename,
    /// Its bytes are overwritten, so that its other names and its owner stay as they are.
    InPlace,
}

/// Gives a temporary file the mode and owner of the file that it replaces; where that is not possible, or where that
/// file has other names, its bytes have to be overwritten in place.
pub(crate) fn adopt(part: &File, replaced: &Metadata) -> Replacement {
    match has_other_names(replaced) || adopt_owner(part, replaced).is_err() {
        true => Replacement::InPlace,
        // The owner is set first: changing it clears bits of the mode.
        false => match part.set_permissions(replaced.permissions()) {
            Ok(()) => Replacement::Rename,
            Err(_) => Replacement::InPlace,
        },
    }
}

#[cfg(unix)]
fn has_other_names(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.nlink() > 1
}

#[cfg(not(unix))]
fn has_other_names(_: &Metadata) -> bool {
    false
}

#[cfg(unix)]
fn adopt_owner(part: &File, replaced: &Metadata) -> std::io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let own = part.metadata()?;
    let changed = |own: u32, wanted: u32| (own != wanted).then_some(wanted);
    let (user, group) = (changed(own.uid(), replaced.uid()), changed(own.gid(), replaced.gid()));
    if user.is_none() && group.is_none() { Ok(()) } else { fchown(part, user, group) }
}

#[cfg(not(unix))]
fn adopt_owner(_: &File, _: &Metadata) -> std::io::Result<()> {
    Ok(())
}
