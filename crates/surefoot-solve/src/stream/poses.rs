//! The poses that are inside, less what never changes.
//!
//! In nearly every file a joint's offset is the one that its skeleton has, but for the root's. So a pose is kept
//! as its turns and the root's place, and goes out with the skeleton's offsets; one whose joints are
//! elsewhere is kept whole.

use surefoot_core::{JointId, Pose, Quat, Vec3};
use wide::f64x2;

use crate::setup::Setup;

/// The poses that some phase still needs, each in its place.
#[derive(Clone, Debug)]
pub(crate) struct Poses {
    kept: Vec<Kept>,
    /// The offsets of every place, one after the other; no room is made for them before a pose needs it.
    offsets: Vec<Vec3>,
}

/// The pose that came out last.
#[derive(Clone, Debug)]
pub(crate) struct Out {
    pub pose: Pose,
    /// Whether it had offsets of its own.
    is_moved: bool,
}

impl Out {
    pub fn new(setup: &Setup) -> Self {
        let rotations = vec![Quat::IDENTITY; setup.offsets.len()];
        Self { pose: Pose { offsets: setup.offsets.clone(), rotations }, is_moved: false }
    }

    /// Makes bones longer than captured by a fraction.
    pub fn make_longer(&mut self, bones: &[(JointId, Vec3)], stretch: f64) {
        for (joint, drawn) in bones {
            let offset = &mut self.pose.offsets[joint.index()];
            *offset = if self.is_moved { *offset } else { *drawn } * (1.0 + stretch);
        }
    }
}

/// What is kept of a pose.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Kept {
    turns: Vec<Quat>,
    /// Where the root is.
    root: Vec3,
    /// Whether other joints than the root are not where the skeleton has them.
    is_moved: bool,
}

impl Poses {
    /// Room for `count` poses.
    pub fn new(setup: &Setup, count: usize) -> Self {
        let joints = setup.offsets.len();
        Self {
            kept: vec![
                Kept { turns: vec![Quat::IDENTITY; joints], root: Vec3::ZERO, is_moved: false };
                count
            ],
            offsets: Vec::new(),
        }
    }

    /// Keeps a pose that fits the skeleton. `is_moved` says whether it has offsets of its own. Gives back
    /// whether its turns are finite.
    #[must_use]
    pub fn keep(&mut self, setup: &Setup, place: usize, pose: &Pose, is_moved: bool) -> bool {
        let kept = &mut self.kept[place];
        kept.turns.copy_from_slice(&pose.rotations);
        kept.root = pose.offsets.get(setup.root.index()).copied().unwrap_or_default();
        kept.is_moved = is_moved;
        if is_moved {
            self.make_room(setup);
            let joints = setup.offsets.len();
            self.offsets[place * joints..][..joints].copy_from_slice(&pose.offsets);
        }
        // A sum with a number that is none is none. By eights, so that they need not wait for each other.
        let numbers = bytemuck::cast_slice::<Quat, f64>(&pose.rotations);
        let (eights, last) = numbers.as_chunks::<8>();
        let mut sums = [f64x2::ZERO; 4];
        for eight in eights {
            for (sum, two) in sums.iter_mut().zip(eight.as_chunks::<2>().0) {
                *sum += f64x2::new(*two);
            }
        }
        let sum: f64 = (sums[0] + sums[1] + (sums[2] + sums[3])).to_array().iter().chain(last).sum();
        sum.is_finite()
    }

    /// Reads from each line of a place, so that they are near.
    pub fn fetch(&self, place: usize) -> f64 {
        self.kept[place].turns.iter().step_by(2).map(|turn| turn.x).sum()
    }

    /// Makes room for poses whose joints are not where the skeleton has them.
    #[cold]
    pub fn make_room(&mut self, setup: &Setup) {
        self.offsets.resize(self.kept.len() * setup.offsets.len(), Vec3::ZERO);
    }

    /// Takes a pose out as it was kept, which it is no more then. The bones of the legs may still be as long as
    /// they were in the one before: they are to be [made](Out::make_longer) as long as they should be.
    pub fn take_out(&mut self, setup: &Setup, place: usize, out: &mut Out) {
        let (pose, kept, joints) = (&mut out.pose, &mut self.kept[place], setup.offsets.len());
        core::mem::swap(&mut pose.rotations, &mut kept.turns);
        if kept.is_moved {
            pose.offsets.copy_from_slice(&self.offsets[place * joints..][..joints]);
        } else if out.is_moved {
            pose.offsets.copy_from_slice(&setup.offsets);
        }
        if let Some(at) = pose.offsets.get_mut(setup.root.index()) {
            *at = kept.root;
        }
        out.is_moved = kept.is_moved;
    }
}
