//! Tilts the pelvis of a body whose legs are not equally long.
//!
//! Captured skeletons often have one leg that is a centimetre or two longer, or a foot whose sole is further below its
//! ankle. With a level pelvis such a body stands on the shorter leg and bends the knee of the longer one by 20° and more.
//! People with unequal legs tilt the pelvis instead, and keep both knees straight.

use surefoot_core::JointId;
use surefoot_core::math::{PI, Quat, atan2, sqrt};

use super::align::ReferenceBody;
use super::matching::Match;
use super::roles::Role;
use crate::interpolate::exp;

/// Largest tilt, in radians: 8°. More is an error of the skeleton rather than a leg, and would show as a limp.
const MAX_TILT: f64 = 8.0 * PI / 180.0;

/// How far the left leg of a body reaches further down than its right one, in metres, sole included. `None` without a pair
/// of legs.
fn longer_left(body: &ReferenceBody) -> Option<f64> {
    let reach = |word: &str| {
        let leg = body.legs.iter().find(|leg| leg.side.contains(word))?;
        let bone = |a: JointId, b: JointId| body.world.joint(a).distance(body.world.joint(b));
        Some(bone(leg.hip, leg.knee) + bone(leg.knee, leg.ankle) + body.ankle_height(&leg.side))
    };
    (body.legs.len() == 2).then_some(())?;
    Some(reach("left")? - reach("right")?)
}

/// The tilt of the target's pelvis, about the forward axis, that makes both feet reach equally far down, as on the source;
/// positive where the left hip rises.
fn tilt(source: &ReferenceBody, target: &ReferenceBody, scale: f64) -> Option<f64> {
    let longer = longer_left(target)? - scale * longer_left(source)?;
    let [one, other] = [0, 1].map(|n| target.world.joint(target.legs[n].hip));
    let width = one.distance(other);
    let beside = sqrt((width * width - longer * longer).max(0.0));
    (width > 0.0).then(|| atan2(longer, beside).clamp(-MAX_TILT, MAX_TILT))
}

/// Tilts the alignment of the pelvis. A body without a spine would tilt its whole trunk, and is left alone.
pub(super) fn tilt_pelvis(
    rotations: &mut [Option<(Match, Quat)>],
    source: &ReferenceBody,
    target: &ReferenceBody,
    scale: f64,
) {
    let has_spine = target.roles.joint(&Role::Spine(1)).is_some();
    let Some(tilt) = tilt(source, target, scale).filter(|_| has_spine) else { return };
    let Some(pelvis) = target.roles.joint(&Role::Pelvis) else { return };
    if let Some((one, alignment)) = rotations[pelvis.index()].as_mut() {
        let before = one.source_rotation(&source.world);
        let turn = exp(source.forward() * tilt);
        *alignment = (before.conjugate() * turn * before * *alignment).normalize();
    }
}
