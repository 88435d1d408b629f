//! The method `support` compared with the method `phases`: motions, methods and rows of figures.
//!
//! The motions are samples that skate, blends among them, and captures whose root path is made 10 % longer. Each is
//! cleaned in four ways: by `phases`, by `support`, by `support` as published, and by `support` with the ten
//! iterations of cyclic coordinate descent of the thesis in place of the closed-form leg. The frames of the plants are
//! given, their spots are not. All figures are measured in the written file.

use surefoot::contact::{self, detect};
use surefoot::core::{Clip, Floor, Leg, Motion, Quat, Vec3, WorldPose, math};
use surefoot::formats::Space;
use surefoot::formats::bvh::{Bvh, from_motion};
use surefoot::infer::{Overrides, infer};
use surefoot::measure::measure;
use surefoot::sample::{Kind, Recipe, Skate, make};
use surefoot::solve::{self, Settings, SupportLabel, clean};

/// The heading of the rows.
pub const HEADING: &str = "\
                           drift, mm      knee, ÷ before  added       moved, mm   knee  stretch
                         before    after   speed   p99    jolt   ankle  root    most,°    %
";

/// Captures that are compared.
pub const CAPTURES: [&str; 3] = ["02_01", "16_22", "07_01"];

/// A sample that skates.
pub fn sample(kind: Kind, skate: Skate) -> Option<Clip> {
    let recipe = Recipe { kind, skate: Some(skate), fps: 120.0, ..Recipe::default() };
    let mut clip = make(&recipe).ok()?.into_clip();
    // The spots of the undamaged motion do not fit the damaged one.
    clip.plants.plants.iter_mut().for_each(|plant| plant.spot = None);
    Some(clip)
}

/// A capture with detected plants, whose root path is scaled by 1.1 afterwards.
pub fn capture(name: &str) -> Option<Clip> {
    let bvh =
        Bvh::read(std::fs::read(surefoot_testdata::path(&format!("bvh/cmu/{name}.bvh"))?).ok()?).ok()?;
    let inference = infer(&bvh.excerpt(), &Overrides::default());
    let space = Space { unit_m: inference.unit_m.value, up: inference.up.value };
    let mut motion = bvh.motion(&space);
    motion.poses.drain(..usize::from(inference.inserted_t_pose.value));
    let legs = space.legs_from_file(&inference.legs.ok()?.value);
    let floor = Floor::from(space.plane_from_file(inference.floor?.value));
    let plants = detect(&motion, &legs, Some(&floor), &contact::Settings::default());
    let start = motion.poses.first()?.offsets[0];
    for pose in &mut motion.poses {
        let offset = pose.offsets[0] - start;
        pose.offsets[0] = start + Vec3::new(offset.x * 1.1, offset.y, offset.z * 1.1);
    }
    Some(Clip { motion, legs, plants, floor: Some(floor), ..Clip::default() })
}

/// Cleans the motion of a clip; `None` if it cannot be cleaned.
pub type Method = fn(&Clip) -> Option<Motion>;

/// The four ways.
pub const METHODS: [(&str, Method); 4] = [
    ("phases", |clip| Some(clean(clip, &Settings::default()).ok()?.clip.motion)),
    ("support", |clip| Some(clean(clip, &by_support(Settings::default())).ok()?.clip.motion)),
    ("published", |clip| Some(clean(clip, &by_support(Settings::paper())).ok()?.clip.motion)),
    ("CCD", |clip| {
        let target = clean(clip, &by_support(Settings::paper())).ok()?.clip.motion;
        Some(descend(clip, &target))
    }),
];

fn by_support(settings: Settings) -> Settings {
    Settings { method: solve::Method::Support, ..settings }
}

/// Moves each ankle to its position in `target` by ten iterations of cyclic coordinate descent over knee and hip, and
/// gives the foot its rotation in `target`.
fn descend(clip: &Clip, target: &Motion) -> Motion {
    let mut after = clip.motion.clone();
    let (mut goal, mut world) = (WorldPose::default(), WorldPose::default());
    let skeleton = &clip.motion.skeleton;
    for (pose, target) in after.poses.iter_mut().zip(&target.poses) {
        target.forward_kinematics(skeleton, &mut goal);
        for leg in &clip.legs {
            let is_same = |joint: usize| pose.rotations[joint] == target.rotations[joint];
            if [leg.hip, leg.knee, leg.ankle].iter().all(|joint| is_same(joint.index())) {
                continue;
            }
            for _ in 0..10 {
                for joint in [leg.knee, leg.hip] {
                    pose.forward_kinematics(skeleton, &mut world);
                    let pivot = world.joint(joint);
                    let rotation =
                        rotation_between(world.joint(leg.ankle) - pivot, goal.joint(leg.ankle) - pivot);
                    let parent_rotation = skeleton
                        .parent(joint)
                        .map_or(Quat::IDENTITY, |parent| world.rotations[parent.index()]);
                    let rotated = rotation * world.rotations[joint.index()];
                    pose.rotations[joint.index()] = (parent_rotation.conjugate() * rotated).normalize();
                }
            }
            pose.forward_kinematics(skeleton, &mut world);
            if let Some(parent) = skeleton.parent(leg.ankle) {
                pose.rotations[leg.ankle.index()] =
                    world.rotations[parent.index()].conjugate() * goal.rotations[leg.ankle.index()];
            }
        }
    }
    after
}

fn rotation_between(from: Vec3, to: Vec3) -> Quat {
    let cross = from.cross(to);
    let w = (from.length_squared() * to.length_squared()).sqrt() + from.dot(to);
    if w > 1e-12 { Quat::from_xyzw(cross.x, cross.y, cross.z, w).normalize() } else { Quat::IDENTITY }
}

/// Largest angular speed of a knee, in radians per second.
fn knee_speed(motion: &Motion, legs: &[Leg]) -> f64 {
    let mut world = WorldPose::default();
    let mut before = vec![None; legs.len()];
    let mut most: f64 = 0.0;
    for pose in &motion.poses {
        pose.forward_kinematics(&motion.skeleton, &mut world);
        for (leg, before) in legs.iter().zip(&mut before) {
            let thigh = (world.joint(leg.hip) - world.joint(leg.knee)).normalize_or_zero();
            let shin = (world.joint(leg.ankle) - world.joint(leg.knee)).normalize_or_zero();
            let angle = math::acos(thigh.dot(shin).clamp(-1.0, 1.0));
            if let Some(before) = before.replace(angle) {
                most = most.max((angle - before).abs() * motion.fps);
            }
        }
    }
    most
}

/// Mean distance by which ankles and root are moved, in metres.
fn mean_distances(before: &Motion, after: &Motion, legs: &[Leg]) -> [f64; 2] {
    let mut worlds = [WorldPose::default(), WorldPose::default()];
    let (mut ankles, mut root) = (0.0, 0.0);
    for (one, other) in before.poses.iter().zip(&after.poses) {
        one.forward_kinematics(&before.skeleton, &mut worlds[0]);
        other.forward_kinematics(&after.skeleton, &mut worlds[1]);
        let distance = |joint| worlds[0].joint(joint).distance(worlds[1].joint(joint));
        ankles += legs.iter().map(|leg| distance(leg.ankle)).sum::<f64>() / legs.len() as f64;
        root += one.offsets[0].distance(other.offsets[0]);
    }
    let frames = before.frames().max(1) as f64;
    [ankles / frames, root / frames]
}

/// The line above the rows of a clip: how much of it the labels of the method `support` call skate.
pub fn title(name: &str, clip: &Clip) -> String {
    let labels = clean(clip, &by_support(Settings::default())).map(|result| result.labels);
    let skates = labels.iter().flatten().filter(|label| **label == SupportLabel::Skate).count();
    format!("{name}: {:.0} % of its frames skate", 100.0 * skates as f64 / clip.motion.frames() as f64)
}

/// The figures of a cleaned motion; `None` if it cannot be measured.
pub fn row(name: &str, method: &str, clip: &Clip, after: &Motion) -> Option<String> {
    let space = Space::METRES_Y_UP;
    let written = Bvh::read(from_motion(after, &space).ok()?).ok()?.motion(&space);
    let written = Clip { motion: written, ..clip.clone() };
    let figures = measure(&written, Some(&clip.motion)).ok()?;
    let (before, change) = (figures.before.as_ref()?, figures.change.as_ref()?);
    let knee = |motion: &Motion| knee_speed(motion, &clip.legs);
    let [ankles, root] = mean_distances(&clip.motion, &written.motion, &clip.legs);
    Some(format!(
        "{name:<13} {method:<10} {:>7.1} {:>8.4}   {:>5.2} {:>6.2} {:>6.2}   {:>5.1} {:>5.1} {:>6.1} {:>6.2}",
        before.drift_max_m? * 1e3,
        figures.after.drift_max_m? * 1e3,
        knee(&written.motion) / knee(&clip.motion),
        figures.after.knee_acceleration_p99_rad_per_s2? / before.knee_acceleration_p99_rad_per_s2?,
        change.added_acceleration_max_m_per_s2? / before.leg_acceleration_max_m_per_s2?,
        ankles * 1e3,
        root * 1e3,
        change.knee_changed_max_rad?.to_degrees(),
        figures.after.stretch_max? * 1e2,
    ))
}
