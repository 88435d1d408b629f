//! The tilt of the pelvis: it raises one hip and lowers the other.
//!
//! The pelvis of a capture jitters about the direction in which the body faces. On a body that stands on both feet no
//! displacement of the root keeps that jitter from the knees, as it moves the hips in opposite directions. A tilt of a few
//! tenths of a degree does. The trunk keeps its orientation.

use surefoot_core::math::{cos, sin};
use surefoot_core::{JointId, Pose, Quat, Vec3};

use crate::kinematics::rotation::{rotate, to_parent};
use crate::setup::Setup;
use crate::stream::window::Window;

/// Sine of the least angle between the line through the hips and the legs: 30°. A leg raised to the side leaves no direction
/// in which a tilt moves both hips along their legs.
const LEAST_LEVEL: f64 = 0.5;

/// Shortest distance between the hips, in metres: a skeleton may have both in one place.
const LEAST_WIDTH: f64 = 0.02;

/// How the pelvis can tilt at one frame. A tilt is measured in metres, by which a hip moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tilt {
    /// Direction in which the body faces, of unit length. A positive tilt raises the hip of the second leg.
    axis: Vec3,
    /// The joint of the pelvis.
    pivot: Vec3,
    /// Half the distance between the hips, in metres.
    lever: f64,
}

impl Tilt {
    /// `None` for a pelvis that cannot tilt.
    pub fn at(window: &Window, setup: &Setup, frame: usize) -> Option<Self> {
        let pelvis = setup.pelvis.as_ref()?;
        let [first, second] = hips(window, frame);
        let width = (second - first).length();
        let axis = (second - first).cross(up_along_legs(window, frame));
        if width < LEAST_WIDTH || axis.length() < LEAST_LEVEL * width {
            return None;
        }
        let pivot = window.joint_position(setup, frame, &pelvis.above, pelvis.joint);
        Some(Self { axis: axis.normalize(), pivot, lever: 0.5 * width })
    }

    /// Movement of a hip per metre of tilt.
    pub fn direction(&self, hip: Vec3) -> Vec3 {
        self.axis.cross(hip - self.pivot) / self.lever
    }

    /// The pelvis tilted by some metres; `None` for 0.
    pub fn by(&self, metres: f64) -> Option<TiltedPelvis> {
        let half = 0.5 * metres / self.lever;
        let axis = self.axis * sin(half);
        let rotation = Quat::from_xyzw(axis.x, axis.y, axis.z, cos(half));
        (metres != 0.0).then_some(TiltedPelvis { pivot: self.pivot, rotation })
    }
}

/// A pelvis that is not as captured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TiltedPelvis {
    pivot: Vec3,
    /// In world space.
    pub rotation: Quat,
}

impl TiltedPelvis {
    /// How far the hip of a leg moves.
    pub fn shift(&self, hip: Vec3) -> Vec3 {
        rotate(self.rotation, hip - self.pivot) - (hip - self.pivot)
    }

    /// Rotates the pelvis of a captured pose. The joints attached to it, apart from the legs, keep their orientation.
    pub fn rotate_pelvis(&self, pose: &mut Pose, setup: &Setup) {
        let Some(pelvis) = &setup.pelvis else { return };
        let rotations = &mut pose.rotations;
        let of = |joint: &JointId| rotations[joint.index()];
        let parent = pelvis.above.iter().map(of).fold(Quat::IDENTITY, |parent, rotation| parent * rotation);
        let captured = rotations[pelvis.joint.index()];
        rotations[pelvis.joint.index()] = to_parent(parent, self.rotation) * captured;
        let back = to_parent(parent * captured, self.rotation.conjugate());
        for joint in &pelvis.trunk {
            rotations[joint.index()] = back * rotations[joint.index()];
        }
    }
}

/// The second difference of the captured tilt about a frame, in metres: of half the height of the second hip above the
/// first.
pub(crate) fn captured_tilt_difference(window: &Window, frame: usize) -> f64 {
    let half_width = |frame: usize| {
        let [first, second] = hips(window, frame);
        (second - first) * 0.5
    };
    let difference = half_width(frame - 1) - 2.0 * half_width(frame) + half_width(frame + 1);
    difference.dot(up_along_legs(window, frame))
}

/// The direction from the ankles to the hips, of unit length; 0 where the legs point in opposite directions.
fn up_along_legs(window: &Window, frame: usize) -> Vec3 {
    let up = |leg: usize| {
        let captured = &window.leg(frame, leg).captured;
        captured.hip - captured.ankle
    };
    (up(0) + up(1)).normalize_or_zero()
}

fn hips(window: &Window, frame: usize) -> [Vec3; 2] {
    [0, 1].map(|leg| window.leg(frame, leg).captured.hip)
}
