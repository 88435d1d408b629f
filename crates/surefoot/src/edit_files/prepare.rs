//! Prepares files for an edit: root motion, and two files of one body on one floor.

use std::borrow::Cow;

use surefoot_core::{Clip, Plane, RigidTransform};
use surefoot_edit::body_root::{BodyRoot, body_position};
use surefoot_edit::in_place::{root_motion, treadmill_velocity};
use surefoot_edit::resample::{ResampleError, resample};
use surefoot_edit::retarget::{RetargetError, TargetBody, is_same_body, retarget};

use crate::text::short;
use crate::{Error, Floor, MotionFile, printable};

/// The treatment, before an edit, of a motion that was captured in place, on ground that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootMotion {
    /// The motion is edited unchanged.
    Keep,
    /// The motion is given root motion if its ground moves: the edit needs a body that travels.
    AddWhereInPlace,
    /// The motion is given root motion, at the speed of the ground under planted feet.
    Add,
}

/// Gives a file root motion. Its plants must be known.
pub fn add_root_motion(file: &mut MotionFile, choice: RootMotion) -> Result<(), Error> {
    let clip = &mut file.clip;
    match (choice, clip.ground_velocity) {
        (RootMotion::Keep, _) | (RootMotion::AddWhereInPlace, None) => {}
        (RootMotion::Add, velocity) => {
            let velocity = velocity.or_else(|| treadmill_velocity(clip)).ok_or(Error::NoGroundSpeed)?;
            *clip = root_motion(clip, velocity);
        }
        (RootMotion::AddWhereInPlace, Some(velocity)) => {
            *clip = clip.relative_to_ground();
            file.plants_notes.push(format!(
                "the motion was captured in place, on ground that moves at {:.2} m/s: it was given root motion, \
                 which the output can be written without, in place",
                velocity.length()
            ));
        }
    }
    Ok(())
}

/// Takes the legs of the first file for the second, if their skeletons have the same number of joints.
pub fn share_legs(first: &MotionFile, second: &mut MotionFile) {
    if first.source.skeleton().len() == second.source.skeleton().len() {
        second.clip.legs = first.clip.legs.clone();
    }
}

/// Frame rates closer than this share are the same: rounding of the frame time in files.
const SAME_RATE: f64 = 1e-4;

/// Resamples the second motion to the frame rate of the first, unless it is the same.
pub fn resample_to_rate_of(first: &MotionFile, second: &mut MotionFile) -> Result<(), ResampleError> {
    let (to, from) = (first.clip.motion.fps, second.clip.motion.fps);
    if (to - from).abs() <= SAME_RATE * to {
        return Ok(());
    }
    second.clip = resample(&second.clip, to)?;
    second.plants_notes.push(format!(
        "{} was resampled from {} to {} frames per second, the rate of {}; its frames are counted at that rate",
        printable(&second.name),
        short(from),
        short(to),
        printable(&first.name)
    ));
    Ok(())
}

/// Retargets the second motion to the body of the first, unless it is the same.
pub fn retarget_to_body_of(first: &MotionFile, second: &mut MotionFile) -> Result<(), RetargetError> {
    if is_same_body(&first.clip.motion.skeleton, &second.clip.motion.skeleton, &first.clip.legs) {
        return Ok(());
    }
    let body = TargetBody::from(&first.clip);
    let retargeted = retarget(&second.clip, &body)?;
    second.plants_notes.push(format!(
        "{} was retargeted to the body of {}, whose legs are {:.3} times as long",
        printable(&second.name),
        printable(&first.name),
        retargeted.scale
    ));
    second.clip = retargeted.clip;
    Ok(())
}

/// Puts the second motion on the floor of the first, where both floors are planes.
pub fn put_on_floor_of(first: &MotionFile, second: &mut MotionFile) {
    let plane = |file: &MotionFile| file.clip.floor.as_ref().and_then(Floor::as_plane).copied();
    let (Some(floor), Some(own)) = (plane(first), plane(second)) else { return };
    let clip = &mut second.clip;
    let transform = between_floors(&own, &floor, clip);
    clip.motion = match BodyRoot::of(&clip.motion, &clip.legs) {
        Some(body) => body.scatter(transform.motion(&body.gather(&clip.motion))),
        None => transform.motion(&clip.motion),
    };
    for plant in &mut clip.plants.plants {
        plant.spot = plant.spot.map(|spot| transform.point(spot));
    }
}

/// Two floors closer than this, in metres under the body and as the sine of an angle, are the same floor, inferred
/// twice.
const SAME_FLOOR: f64 = 2e-3;

/// The transform from one floor to another: the identity where they are the same, so that the motion is unchanged,
/// bit for bit.
fn between_floors(own: &Plane, floor: &Plane, clip: &Clip) -> RigidTransform {
    let is_same = (own.normal - floor.normal).length() < SAME_FLOOR
        && clip.motion.poses.iter().all(|pose| {
            let body = body_position(pose, &clip.motion.skeleton, &clip.legs);
            (own.above(body) - floor.above(body)).abs() < SAME_FLOOR
        });
    if is_same { RigidTransform::IDENTITY } else { RigidTransform::between_floors(own, floor) }
}

/// The performance of a clip, without a copy where it is the whole clip.
pub(super) fn performance_of(clip: &Clip) -> Cow<'_, Clip> {
    match clip.first_frame {
        0 => Cow::Borrowed(clip),
        _ => Cow::Owned(clip.performance()),
    }
}
