//! The poses that are inside, less what never changes.
//!
//! In nearly every file a joint's offset is the one that its skeleton has, but for the root's. So a pose is kept
//! as its turns and the root's place, and goes out with the skeleton's offsets; one whose joints are
//! elsewhere is kept whole.

use surefoot_core::{Pose, Quat, Vec3};

use crate::setup::Setup;

/// The poses that some phase still needs, each in its place; and the one that came out last.
#[derive(Clone, Debug)]
pub(crate) struct Poses {
    turns: Vec<Vec<Quat>>,
    roots: Vec<Root>,
    /// The offsets of every place, one after the other; no room is made for them before a pose needs it.
    offsets: Vec<Vec3>,
    out: Pose,
    /// Whether the one that came out last had offsets of its own.
    is_out_moved: bool,
}

/// What is kept of a pose besides its turns.
#[derive(Clone, Copy, Debug, Default)]
struct Root {
    place: Vec3,
    /// Whether other joints than the root are not where the skeleton has them.
    is_moved: bool,
}

impl Poses {
    /// Room for `count` poses.
    pub fn new(setup: &Setup, count: usize) -> Self {
        let joints = setup.offsets.len();
        Self {
            turns: vec![vec![Quat::IDENTITY; joints]; count],
            roots: vec![Root::default(); count],
            offsets: Vec::new(),
            out: Pose { offsets: setup.offsets.clone(), rotations: vec![Quat::IDENTITY; joints] },
            is_out_moved: false,
        }
    }

    /// Keeps a pose that fits the skeleton. `is_moved` says whether it has offsets of its own.
    pub fn keep(&mut self, setup: &Setup, place: usize, pose: &Pose, is_moved: bool) {
        self.turns[place].copy_from_slice(&pose.rotations);
        self.roots[place] =
            Root { place: pose.offsets.get(setup.root.index()).copied().unwrap_or_default(), is_moved };
        if is_moved {
            self.make_room(setup);
            let joints = setup.offsets.len();
            self.offsets[place * joints..][..joints].copy_from_slice(&pose.offsets);
        }
    }

    /// Makes room for poses whose joints are not where the skeleton has them.
    #[cold]
    pub fn make_room(&mut self, setup: &Setup) {
        self.offsets.resize(self.turns.len() * setup.offsets.len(), Vec3::ZERO);
    }

    /// Takes a pose out as it was kept, which it is no more then. It must be [put](Self::put_out) back.
    pub fn take_out(&mut self, setup: &Setup, place: usize) -> Pose {
        let (out, root, joints) = (&mut self.out, self.roots[place], setup.offsets.len());
        core::mem::swap(&mut out.rotations, &mut self.turns[place]);
        if root.is_moved {
            out.offsets.copy_from_slice(&self.offsets[place * joints..][..joints]);
        } else if self.is_out_moved {
            out.offsets.copy_from_slice(&setup.offsets);
        } else {
            // All that phase 5 may have put elsewhere.
            for (joint, offset) in &setup.bones {
                out.offsets[joint.index()] = *offset;
            }
        }
        if let Some(at) = out.offsets.get_mut(setup.root.index()) {
            *at = root.place;
        }
        self.is_out_moved = root.is_moved;
        core::mem::take(out)
    }

    /// Puts a pose that was taken out where the one that came out last is.
    pub fn put_out(&mut self, pose: Pose) {
        self.out = pose;
    }

    /// The pose that came out last.
    pub fn out(&self) -> &Pose {
        &self.out
    }
}
