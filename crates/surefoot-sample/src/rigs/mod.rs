//! The generated person on rigs of other kinds.
//!
//! A person is posed on one skeleton. Game engines, capture systems and biomechanics have others: a root joint on the
//! ground, one or six spine joints, twist joints, local axes along the bones, another rest pose. `rig.rs` moves the
//! motion to such a rig: every joint follows the rotation of a joint of the person, so the legs are at the same
//! places and the true plants stay true. `kinds.rs` describes the rigs.

mod kinds;
mod rig;

use crate::bodies::human::Human;
use crate::recipe::Body;
use crate::sample::Sample;

/// Moves a sample of the person to the rig of a body; other bodies keep theirs.
pub(crate) fn to_rig_of(body: Body, sample: Sample, human: &Human, seed: u64) -> Sample {
    match kinds::rig(body, human, seed) {
        Some(rig) => rig.perform(sample),
        None => sample,
    }
}
