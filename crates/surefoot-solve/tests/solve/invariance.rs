//! Rotating, translating or mirroring the input does the same to the output.

use proptest::prelude::*;
use surefoot_core::math::axis_rotation;
use surefoot_core::{Joint, JointPoint, Motion, Plane, Quat, Skeleton, Vec3, WorldPose};
use surefoot_solve::Settings;

use crate::fixtures::*;

/// A transform of a whole clip: mirrored left to right or not, then rotated, then translated.
#[derive(Clone, Copy, Debug)]
struct Transform {
    is_mirrored: bool,
    rotation: Quat,
    translation: Vec3,
}

impl Transform {
    fn mirror(&self, vector: Vec3) -> Vec3 {
        if self.is_mirrored { Vec3::new(-vector.x, vector.y, vector.z) } else { vector }
    }

    fn mirror_rotation(&self, rotation: Quat) -> Quat {
        let Quat { x, y, z, w } = rotation;
        if self.is_mirrored { Quat::from_xyzw(x, -y, -z, w) } else { rotation }
    }

    fn point(&self, point: Vec3) -> Vec3 {
        self.rotation * self.mirror(point) + self.translation
    }

    fn apply(&self, case: &Case) -> Case {
        let mut case = case.clone();
        let joint = |joint: &Joint| Joint {
            offset: self.mirror(joint.offset),
            end: joint.end.map(|end| self.mirror(end)),
            ..joint.clone()
        };
        case.clip.motion.skeleton =
            Skeleton::new(case.clip.motion.skeleton.joints().iter().map(joint).collect()).unwrap();
        let is_root: Vec<bool> =
            case.clip.motion.skeleton.joints().iter().map(|joint| joint.parent.is_none()).collect();
        for pose in &mut case.clip.motion.poses {
            for (index, &is_root) in is_root.iter().enumerate() {
                let (offset, rotation) = (&mut pose.offsets[index], &mut pose.rotations[index]);
                *offset = self.mirror(*offset);
                *rotation = self.mirror_rotation(*rotation);
                if is_root {
                    *offset = self.rotation * *offset + self.translation;
                    *rotation = self.rotation * *rotation;
                }
            }
        }
        let point = |point: JointPoint| JointPoint { offset: self.mirror(point.offset), ..point };
        for leg in &mut case.clip.legs {
            (leg.heel, leg.ball, leg.toe) = (point(leg.heel), point(leg.ball), point(leg.toe));
        }
        let plane = case.clip.floor.as_ref().and_then(|floor| floor.as_plane());
        case.clip.floor = plane.map(|plane| {
            let normal = self.rotation * self.mirror(plane.normal);
            Plane { normal, offset: plane.offset + normal.dot(self.translation) }.into()
        });
        for plant in &mut case.clip.plants.plants {
            plant.spot = plant.spot.map(|spot| self.point(spot));
        }
        case
    }
}

/// How far two results may differ by rounding.
struct Tolerance {
    /// In metres.
    position: f64,
    /// In radians.
    rotation: f64,
}

/// The tolerance for a case.
///
/// Near full extension the reach determines the bend of the knee to half its digits only: a bend of 10⁻⁸ shortens the leg
/// by 10⁻¹⁶. Twenty roundings of a reach are √(2 · 20 ε) ≈ 10⁻⁷ of bend, and the slope that continues beyond a stance
/// takes three such bends. With bent knees the difference is plain rounding. The margin is for bones that lean out of the
/// hinge plane and are never straight; in random bodies they lean in any direction.
fn tolerance(case: &Case, after: &[WorldPose]) -> Tolerance {
    if case.name == "any" {
        return Tolerance { position: 1e-6, rotation: 1e-6 };
    }
    let is_bent = |pose: &WorldPose| {
        case.clip.legs.iter().all(|leg| {
            let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| pose.joint(joint));
            (knee - hip).angle_between(ankle - knee) > 0.15
        })
    };
    match after.iter().all(is_bent) {
        true => Tolerance { position: 1e-9, rotation: 1e-9 },
        false => Tolerance { position: 1e-7, rotation: 3e-7 },
    }
}

/// Cleans a case and its transformed copy: the results must differ by the transform alone.
fn check(case: &Case, transform: Transform, settings: &Settings) {
    check_method(case, transform, |case| case.clean(settings).0);
}

fn check_method(case: &Case, transform: Transform, method: impl Fn(&Case) -> Motion) {
    let expected = world(&method(case));
    let found = world(&method(&transform.apply(case)));
    let tolerance = tolerance(case, &expected);
    for (frame, (expected, found)) in expected.iter().zip(&found).enumerate() {
        for joint in 0..expected.positions.len() {
            let context = format!("{}: frame {frame}, joint {joint}, {transform:?}", case.name);
            let position = transform.point(expected.positions[joint]);
            let difference = position.distance(found.positions[joint]);
            assert!(difference < tolerance.position, "{context}: {difference:e} m");
            let rotation = transform.rotation * transform.mirror_rotation(expected.rotations[joint]);
            let other = found.rotations[joint];
            let difference = (rotation - other).length().min((rotation + other).length());
            assert!(difference < tolerance.rotation, "{context}: rotation differs by {difference:e}");
        }
    }
}

const TRANSFORMS: [fn() -> Transform; 4] = [
    || Transform { is_mirrored: false, rotation: axis_rotation(1, 2.0), translation: Vec3::ZERO },
    || Transform { is_mirrored: false, rotation: Quat::IDENTITY, translation: Vec3::new(3.0, -1.0, 2.0) },
    || Transform { is_mirrored: true, rotation: Quat::IDENTITY, translation: Vec3::ZERO },
    // Only the floor defines which way is up.
    || Transform {
        is_mirrored: true,
        rotation: axis_rotation(0, 1.0) * axis_rotation(2, -2.0),
        translation: Vec3::ONE,
    },
];

#[test]
fn cleaning_samples_commutes_with_transforms() {
    for case in few_samples().flat_map(|case| [case.clone(), case.without_spots()]) {
        for (_, settings) in all_settings() {
            TRANSFORMS.iter().for_each(|transform| check(&case, transform(), &settings));
        }
    }
}

#[test]
fn rectification_commutes_with_transforms() {
    let samples = few_samples().flat_map(|case| [case.clone(), case.without_spots()]);
    for case in samples.chain(captures().into_iter().take(2)) {
        for (_, settings) in all_settings() {
            TRANSFORMS
                .iter()
                .for_each(|transform| check_method(&case, transform(), |case| case.rectify(&settings).0));
        }
    }
}

#[test]
fn cleaning_captures_commutes_with_transforms() {
    for case in captures() {
        TRANSFORMS.iter().for_each(|transform| check(&case, transform(), &Settings::default()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn cleaning_random_motions_commutes_with_transforms(
        case in any_case(), settings in 0..5usize, transform in 0..4usize,
    ) {
        // The legs of random motions jump from frame to frame, so that no knee is linear and rounding decides which of
        // many solutions the fit finds. A window of one frame leaves the fit out; samples and captures check it.
        let settings = &Settings { knee_window: 0.0, ..all_settings()[settings].1 };
        check(&case, TRANSFORMS[transform](), settings);
        // Without a floor the height of a heel is along Y.
        let transform = if case.clip.floor.is_some() { transform } else { transform % 3 };
        check_method(&case, TRANSFORMS[transform](), |case| case.rectify(settings).0);
    }
}
