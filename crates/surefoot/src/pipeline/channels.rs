//! Joints whose channels differ between two files.

use surefoot_formats::bvh::{Bvh, Channel, ChannelKind};

/// The channels of a file, to compare with those of another after the file itself is gone.
#[derive(Clone, Debug, Default)]
pub struct FileChannels {
    channels: Vec<Channel>,
}

impl FileChannels {
    /// The channels of a file.
    pub fn of(bvh: &Bvh) -> Self {
        Self { channels: bvh.channels().to_vec() }
    }

    /// The names of the joints that have other channels in `after`, or the same in another order.
    ///
    /// Importers and engines that ignore the translations of joints lose what such channels hold.
    pub fn changed_in(&self, after: &Bvh) -> Vec<String> {
        let of_joints = |channels: &[Channel]| {
            let mut kinds: Vec<Vec<ChannelKind>> = vec![Vec::new(); after.skeleton().len()];
            for channel in channels {
                // A joint that the other skeleton does not have has no name there.
                if let Some(kinds) = kinds.get_mut(channel.joint.index()) {
                    kinds.push(channel.kind);
                }
            }
            kinds
        };
        let (before, now) = (of_joints(&self.channels), of_joints(after.channels()));
        let joints = after.skeleton().joints().iter().zip(before.iter().zip(&now));
        joints.filter(|(_, (before, now))| before != now).map(|(joint, _)| joint.name.clone()).collect()
    }
}
