//! Joints whose channels differ between two files.

use surefoot_formats::SourceFile;
use surefoot_formats::source::JointTracks;

/// The channels of a file, to compare with those of another after the file itself is gone.
#[derive(Clone, Debug, Default)]
pub struct FileChannels {
    tracks: Vec<JointTracks>,
}

impl FileChannels {
    /// The channels of a file.
    pub fn of(file: &SourceFile) -> Self {
        Self { tracks: file.tracks() }
    }

    /// The names of the joints that have other channels in `after`, or the same in another order.
    ///
    /// Importers and engines that ignore the translations of joints lose what such channels hold.
    pub fn changed_in(&self, after: &SourceFile) -> Vec<String> {
        let now = after.tracks();
        let none = JointTracks::new();
        let of = |tracks: &[JointTracks], n: usize| tracks.get(n).unwrap_or(&none).clone();
        let joints = after.skeleton().joints().iter().enumerate();
        let is_changed = |n: usize| of(&self.tracks, n) != of(&now, n);
        joints.filter(|(n, _)| is_changed(*n)).map(|(_, joint)| joint.name.clone()).collect()
    }
}
