//! Turning, moving or mirroring a scene does the same to the result.

mod made;

use made::*;
use proptest::prelude::*;
use surefoot_core::math::axis_rotation;
use surefoot_core::{Joint, JointPoint, Motion, Plane, Quat, Skeleton, Vec3, WorldPose};
use surefoot_solve::Settings;

/// A change of the whole scene: mirrored left to right or not, then turned, then moved.
#[derive(Clone, Copy, Debug)]
struct Change {
    is_mirrored: bool,
    turn: Quat,
    by: Vec3,
}

impl Change {
    fn mirror(&self, vector: Vec3) -> Vec3 {
        if self.is_mirrored { Vec3::new(-vector.x, vector.y, vector.z) } else { vector }
    }

    fn mirror_turn(&self, turn: Quat) -> Quat {
        let Quat { x, y, z, w } = turn;
        if self.is_mirrored { Quat::from_xyzw(x, -y, -z, w) } else { turn }
    }

    fn place(&self, place: Vec3) -> Vec3 {
        self.turn * self.mirror(place) + self.by
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
                let (offset, turn) = (&mut pose.offsets[index], &mut pose.rotations[index]);
                (*offset, *turn) = (self.mirror(*offset), self.mirror_turn(*turn));
                if is_root {
                    (*offset, *turn) = (self.turn * *offset + self.by, self.turn * *turn);
                }
            }
        }
        let point = |point: JointPoint| JointPoint { offset: self.mirror(point.offset), ..point };
        for leg in &mut case.clip.legs {
            (leg.heel, leg.ball, leg.toe) = (point(leg.heel), point(leg.ball), point(leg.toe));
        }
        let plane = case.clip.floor.as_ref().and_then(|floor| floor.as_plane());
        case.clip.floor = plane.map(|plane| {
            let normal = self.turn * self.mirror(plane.normal);
            Plane { normal, offset: plane.offset + normal.dot(self.by) }.into()
        });
        for plant in &mut case.clip.plants.plants {
            plant.spot = plant.spot.map(|spot| self.place(spot));
        }
        case
    }
}

/// How far results may differ: joints in metres, and turns in radians.
///
/// Where a knee is straight, reach tells its angle to half the digits only: a bend of 10⁻⁸ takes
/// 10⁻¹⁶ off a leg. Twenty roundings of a reach are √(2 · 20 ε) ≈ 10⁻⁷ of bend, and a slope carried
/// past a plant takes three such bends. Everywhere else it is plain rounding. Bones that lean out of the plane they
/// turn in are at an angle even so, hence the margin; random ones lean any way they like, and the
/// slope at the end of a plant is taken from two such frames.
fn rounding(case: &Case, after: &[WorldPose]) -> (f64, f64) {
    if case.name == "any" {
        return (1e-6, 1e-6);
    }
    let is_bent = |placed: &WorldPose| {
        case.clip.legs.iter().all(|leg| {
            let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| placed.joint(joint));
            (knee - hip).angle_between(ankle - knee) > 0.15
        })
    };
    if after.iter().all(is_bent) { (1e-9, 1e-9) } else { (1e-7, 3e-7) }
}

/// Cleans a case, and cleans it changed: the results must differ by that change alone.
fn check(case: &Case, change: Change, settings: &Settings) {
    check_by(case, change, |case| case.clean(settings).0);
}

fn check_by(case: &Case, change: Change, method: impl Fn(&Case) -> Motion) {
    let (here, there) = (method(case), method(&change.apply(case)));
    let (here, there) = (world(&here), world(&there));
    let (place_limit, turn_limit) = rounding(case, &here);
    for (frame, (here, there)) in here.iter().zip(&there).enumerate() {
        for (joint, (place, turn)) in here.positions.iter().zip(&here.rotations).enumerate() {
            let at = format!("{}: frame {frame}, joint {joint}, {change:?}", case.name);
            let off = change.place(*place).distance(there.positions[joint]);
            assert!(off < place_limit, "{at}: {off:e} m off");
            let (turn, other) = (change.turn * change.mirror_turn(*turn), there.rotations[joint]);
            let off = (turn - other).length().min((turn + other).length());
            assert!(off < turn_limit, "{at}: turned {off:e} off");
        }
    }
}

const CHANGES: [fn() -> Change; 4] = [
    || Change { is_mirrored: false, turn: axis_rotation(1, 2.0), by: Vec3::ZERO },
    || Change { is_mirrored: false, turn: Quat::IDENTITY, by: Vec3::new(3.0, -1.0, 2.0) },
    || Change { is_mirrored: true, turn: Quat::IDENTITY, by: Vec3::ZERO },
    // Nothing in the cleaner knows which way is up but the floor.
    || Change { is_mirrored: true, turn: axis_rotation(0, 1.0) * axis_rotation(2, -2.0), by: Vec3::ONE },
];

#[test]
fn a_sample_turned_moved_or_mirrored_is_cleaned_so() {
    for case in few_samples().flat_map(|case| [case.clone(), case.with_spots_found()]) {
        for (_, settings) in all_settings() {
            CHANGES.iter().for_each(|change| check(&case, change(), &settings));
        }
    }
}

#[test]
fn a_motion_turned_moved_or_mirrored_is_mended_by_support_so() {
    let samples = few_samples().flat_map(|case| [case.clone(), case.with_spots_found()]);
    for case in samples.chain(real_files().into_iter().take(2)) {
        for (_, settings) in all_settings() {
            CHANGES.iter().for_each(|change| check_by(&case, change(), |case| case.rectify(&settings).0));
        }
    }
}

#[test]
fn a_captured_motion_turned_moved_or_mirrored_is_cleaned_so() {
    for case in real_files() {
        CHANGES.iter().for_each(|change| check(&case, change(), &Settings::default()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn any_motion_turned_moved_or_mirrored_is_cleaned_so(
        case in any_case(), which in 0..5usize, change in 0..4usize,
    ) {
        check(&case, CHANGES[change](), &all_settings()[which].1);
        // Without a floor only Y tells which heel is higher.
        let change = if case.clip.floor.is_some() { change } else { change % 3 };
        check_by(&case, CHANGES[change](), |case| case.rectify(&all_settings()[which].1).0);
    }
}
