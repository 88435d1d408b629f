//! Root conventions of game engines: where the root bone lies and what it carries.
//!
//! | engine | root bone | root motion | in place |
//! |---|---|---|---|
//! | Unity | none needed: the engine projects the hips to the ground | the hips carry the motion, a joint above them stays at the origin | the same |
//! | Unreal | `root`, on the ground below the pelvis | the root travels and turns with the body | the root stays at the origin |
//! | Godot | `Root`, on the ground below `Hips`, which `root_motion_track` names | as in Unreal | as in Unreal |
//!
//! Only joints above the hips change, so that the body is at the same place in the world.

use core::fmt;

use surefoot_core::math::{atan2, axis_rotation};
use surefoot_core::{Clip, Floor, JointId, Leg, Motion, Pose, Quat, Skeleton, Vec3, WorldPose};

use crate::body_root::pelvis_of;

/// A game engine with a convention for root bones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Unity, generic and humanoid rigs.
    Unity,
    /// Unreal Engine.
    Unreal,
    /// Godot 4.
    Godot,
}

impl Engine {
    /// All engines.
    pub const ALL: [Self; 3] = [Self::Unity, Self::Unreal, Self::Godot];

    /// The name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unity => "unity",
            Self::Unreal => "unreal",
            Self::Godot => "godot",
        }
    }

    /// The engine of this name; `None` for an unknown name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|engine| engine.as_str() == name)
    }

    /// The name of its root bone; `None` for an engine that needs none.
    pub fn root_bone(self) -> Option<&'static str> {
        match self {
            Self::Unity => None,
            Self::Unreal => Some("root"),
            Self::Godot => Some("Root"),
        }
    }
}

/// Where the travel of the body goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Travel {
    /// The clip travels, and the engine moves the character by it.
    RootMotion,
    /// The clip stays in place, and the game moves the character.
    InPlace,
}

/// A skeleton whose hips are its first joint, for an engine that needs a joint above them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoRootBone {
    /// The engine.
    pub engine: Engine,
    /// The name of the hips.
    pub hips: String,
}

impl fmt::Display for NoRootBone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} needs a root bone above the hips, such as {:?}, but {:?} is the first joint",
            self.engine.as_str(),
            self.engine.root_bone().unwrap_or("root"),
            self.hips
        )
    }
}

impl core::error::Error for NoRootBone {}

/// Gives a clip the root convention of an engine. The body stays where it is.
///
/// Frames before the performance change too, since importers take the first frame for the reference.
pub fn with_root_convention(clip: &Clip, engine: Engine, travel: Travel) -> Result<Clip, NoRootBone> {
    let skeleton = &clip.motion.skeleton;
    let pelvis = pelvis_of(skeleton, &clip.legs);
    let path = skeleton.with_ancestors([pelvis]);
    if path.len() < 2 {
        let hips = skeleton.joint(pelvis).name.clone();
        return if engine.root_bone().is_some() {
            Err(NoRootBone { engine, hips })
        } else {
            Ok(clip.clone())
        };
    }
    let on_ground = engine.root_bone().is_some() && travel == Travel::RootMotion;
    let mut motion = clip.motion.clone();
    let mut world = WorldPose::default();
    for pose in &mut motion.poses {
        pose.forward_kinematics(skeleton, &mut world);
        let root = match on_ground {
            true => below_body(&world, pelvis, &clip.legs, clip.floor.as_ref()),
            false => (Vec3::ZERO, Quat::IDENTITY),
        };
        put_root(pose, &world, &path, root);
    }
    let motion = Motion { skeleton: skeleton.clone(), ..motion };
    Ok(Clip { motion, ..clip.clone() })
}

/// The point of the floor below the pelvis, and the facing of the body.
fn below_body(world: &WorldPose, pelvis: JointId, legs: &[Leg], floor: Option<&Floor>) -> (Vec3, Quat) {
    let at = world.joint(pelvis);
    let height = floor.map_or(at.y, |floor| floor.above(at));
    let of_side =
        |word: &str| legs.iter().find(|leg| leg.side.contains(word)).map(|leg| world.joint(leg.hip));
    let left = of_side("left").zip(of_side("right")).map_or(Vec3::X, |(left, right)| left - right);
    // The body faces along left × up; X is to the left of a body that faces Z.
    (Vec3::new(at.x, at.y - height, at.z), axis_rotation(1, atan2(-left.z, left.x)))
}

/// Moves the root, and the pelvis back to its place in the world.
fn put_root(pose: &mut Pose, world: &WorldPose, path: &[JointId], (position, rotation): (Vec3, Quat)) {
    let (root, pelvis) = (path[0].index(), path[path.len() - 1].index());
    (pose.offsets[root], pose.rotations[root]) = (position, rotation);
    let mut above = (position, rotation);
    for joint in &path[1..path.len() - 1] {
        above.0 += above.1 * pose.offsets[joint.index()];
        above.1 *= pose.rotations[joint.index()];
    }
    pose.offsets[pelvis] = above.1.conjugate() * (world.positions[pelvis] - above.0);
    pose.rotations[pelvis] = (above.1.conjugate() * world.rotations[pelvis]).normalize();
}

/// Whether a skeleton has a joint above its hips.
pub fn has_root_bone(skeleton: &Skeleton, legs: &[Leg]) -> bool {
    skeleton.parent(pelvis_of(skeleton, legs)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_sample::{Body, Kind, Recipe, make};

    fn clip(body: Body) -> Clip {
        make(&Recipe { kind: Kind::Turn, body, fps: 30.0, ..Recipe::default() }).unwrap().into_clip()
    }

    /// Largest distance of a joint at or below the hips between two clips, in metres.
    fn farthest(one: &Clip, other: &Clip) -> f64 {
        let worlds = one.motion.poses.iter().zip(&other.motion.poses);
        worlds
            .flat_map(|(a, b)| {
                let (a, b) = (a.world(&one.motion.skeleton), b.world(&other.motion.skeleton));
                a.positions
                    .into_iter()
                    .zip(b.positions)
                    .skip(1)
                    .map(|(a, b)| a.distance(b))
                    .collect::<Vec<_>>()
            })
            .fold(0.0, f64::max)
    }

    #[test]
    fn the_body_stays_and_the_root_follows_the_engine() {
        for body in [Body::GroundRoot, Body::RootPelvis] {
            let clip = clip(body);
            for (engine, travel) in Engine::ALL
                .into_iter()
                .flat_map(|engine| [Travel::RootMotion, Travel::InPlace].map(|travel| (engine, travel)))
            {
                let moved = with_root_convention(&clip, engine, travel).unwrap();
                assert!(farthest(&clip, &moved) < 1e-9, "{body:?} {engine:?} {travel:?}");
                let root = |frame: usize| moved.motion.poses[frame].offsets[0];
                let last = clip.motion.frames() - 1;
                let travels = root(0).distance(root(last)) > 1.0;
                assert_eq!(travels, engine != Engine::Unity && travel == Travel::RootMotion, "{engine:?}");
                assert!((0..=last).all(|frame| root(frame).y.abs() < 1e-9));
            }
        }
    }

    #[test]
    fn the_root_of_unreal_is_that_of_its_own_rig() {
        let own = clip(Body::RootPelvis);
        let still = with_root_convention(&own, Engine::Unreal, Travel::InPlace).unwrap();
        let back = with_root_convention(&still, Engine::Unreal, Travel::RootMotion).unwrap();
        for (a, b) in own.motion.poses.iter().zip(&back.motion.poses) {
            assert!(a.offsets[0].distance(b.offsets[0]) < 1e-9);
            assert!(a.rotations[0].angle_between(b.rotations[0]) < 0.05);
        }
    }

    #[test]
    fn a_rig_without_a_root_bone_is_an_error_where_one_is_needed() {
        let clip = clip(Body::Human);
        assert_eq!(with_root_convention(&clip, Engine::Unity, Travel::InPlace).unwrap().motion, clip.motion);
        let error = with_root_convention(&clip, Engine::Unreal, Travel::RootMotion).unwrap_err();
        assert_eq!(
            error.to_string(),
            "unreal needs a root bone above the hips, such as \"root\", but \"Hips\" is the first joint"
        );
    }
}
