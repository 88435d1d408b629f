//! What is a file about, from what a person says and from the file itself?

use surefoot_core::UpAxis;
use surefoot_core::{Motion, Plane, Vec3, WorldPose};
use surefoot_formats::bvh::Bvh;
use surefoot_infer::{Excerpt, Inference, Overrides, infer};

use crate::words::FloorWord;

/// What a person says in one place, and where he says nothing, what he says in another.
pub fn prefer(said: (Overrides, Option<FloorWord>), else_said: Overrides) -> (Overrides, Option<FloorWord>) {
    let (said, floor) = said;
    let floor = floor.or(said.floor.map(FloorWord::Plane)).or(else_said.floor.map(FloorWord::Plane));
    let given = Overrides {
        unit_m: said.unit_m.or(else_said.unit_m),
        up: said.up.or(else_said.up),
        floor: None,
        legs: said.legs.or(else_said.legs),
    };
    (given, floor)
}

/// Finds out what a file is about. The floor comes apart: a height is a floor only once it is known which
/// way is up.
pub fn understood(bvh: &Bvh, mut given: Overrides, floor: Option<&FloorWord>) -> Inference {
    let excerpt = bvh.excerpt();
    given.floor = match (floor, given.up) {
        (Some(FloorWord::Plane(floor)), _) => Some(*floor),
        (Some(FloorWord::Height(height)), Some(up)) => Some(level(*height, up)),
        // A height along an axis that is itself to be found out.
        (Some(FloorWord::Height(height)), None) => Some(level(*height, infer(&excerpt, &given).up.value)),
        _ => None,
    };
    let mut understanding = infer(&excerpt, &given);
    match floor {
        Some(FloorWord::None) => understanding.floor = None,
        Some(FloorWord::Level) => level_out(&mut understanding, &excerpt),
        _ => {}
    }
    understanding
}

fn level(height: f64, up: UpAxis) -> Plane {
    Plane { normal: up.direction(), offset: height }
}

/// Makes the floor that was found level, at its height in the middle of where the feet go.
fn level_out(understanding: &mut Inference, excerpt: &Excerpt) {
    let Inference { legs: Ok(legs), floor: Some(floor), .. } = understanding else { return };
    let Motion { skeleton, poses, .. } = &excerpt.motion;
    let (mut sum, mut count) = (Vec3::ZERO, 0.0);
    let mut placed = WorldPose::default();
    for pose in poses.iter().skip(usize::from(understanding.inserted_t_pose.value)) {
        pose.forward_kinematics(skeleton, &mut placed);
        for leg in &legs.value {
            sum += placed.joint(leg.ankle);
            count += 1.0;
        }
    }
    // A file without frames has no middle; its floor was not found in them either.
    let middle = sum / f64::max(count, 1.0) * understanding.unit_m.value;
    floor.value = floor.value.level_at(middle, understanding.up.value.direction());
    floor.reason = format!("made level, as asked; {}", floor.reason);
}
