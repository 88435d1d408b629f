//! How does the rest of a four-legged body move, given the feet?
//!
//! It is two pairs of legs with a trunk between them: each girdle is as high as its own legs and
//! its manner let it be, and the trunk lies from one to the other.

use crate::bodies::LegShape;
use crate::bodies::dog::{Dog, TRUNK};
use crate::curves::soft_min;
use crate::feet::FootAt;
use crate::gaits::dog::{self, Manner};
use crate::kinds;
use crate::legs::{bend_leg, highest_girdle};
use crate::noise::{Random, Wander};
use crate::plan::{Part, Plan};
use crate::recipe::Recipe;
use surefoot_core::Pose;
use surefoot_core::math::{PI, Quat, Vec3, asin, axis_rotation, cos};

/// A dog with a plan.
#[derive(Clone, Debug)]
pub(crate) struct FourLegs {
    pub dog: Dog,
    pub manner: Manner,
    pub plan: Plan,
    gaze: Wander,
    wag: Wander,
}

/// The front legs and the hind legs, in the list of legs.
const FRONT: [usize; 2] = [0, 1];
const HIND: [usize; 2] = [2, 3];

/// The greatest reach of a leg, as a share of its length. Dogs stand with bent legs.
const LONGEST: f64 = 0.98;
/// How sharply the least of the heights is taken, per metre: 5 mm lower where two limits meet.
const SHARPNESS: f64 = 150.0;
/// How often the trunk's slope and the girdles' heights are fitted to one another. Each round
/// leaves a tenth of what was wrong; four leave less than a millimetre.
const ROUNDS: usize = 4;
/// How far the head looks about and the tail wags, root mean square, in radians.
const GAZE: f64 = 0.12;
const WAG: f64 = 0.15;
/// How far the neck is carried up, and the tail down, in radians.
const NECK: f64 = -15.0 * PI / 180.0;
const TAIL: f64 = -20.0 * PI / 180.0;
/// Seconds by which the eyes are ahead of the feet on a curve.
const LOOKS_AHEAD: f64 = 0.3;

/// Where the trunk is.
#[derive(Clone, Copy)]
struct Trunk {
    hind: Vec3,
    front: Vec3,
    turn: Quat,
}

impl FourLegs {
    /// A dog that does what the recipe says.
    pub fn new(recipe: &Recipe) -> Self {
        let dog = Dog::new();
        let (gait, manner, phases) = dog::of(recipe.kind);
        let part = |leg: usize| Part {
            side: dog.legs[leg].side,
            ahead: if FRONT.contains(&leg) { 0.5 } else { -0.5 } * TRUNK,
            phase: phases[leg],
        };
        let parts: Vec<Part> = (0..4).map(part).collect();
        let mut random = Random::new(recipe.seed, 3);
        Self {
            plan: kinds::plan(recipe, &gait, &parts),
            dog,
            manner,
            gaze: Wander::new(&mut random, 0.05, 0.4),
            wag: Wander::new(&mut random, 0.5, 1.5),
        }
    }

    /// The dog at `time`.
    pub fn pose(&self, time: f64) -> Pose {
        let dog = &self.dog;
        let mut pose = Pose::rest(&dog.skeleton);
        let feet: [FootAt; 4] = core::array::from_fn(|i| self.plan.feet[i].at(&dog.legs[i].foot, time));
        let trunk = self.trunk(time, &feet);
        pose.offsets[0] = trunk.hind;
        pose.rotations[0] = trunk.turn;
        for (leg, foot) in feet.iter().enumerate() {
            let girdle = if FRONT.contains(&leg) { trunk.front } else { trunk.hind };
            bend_leg(&mut pose, &dog.legs[leg], girdle, trunk.turn, foot);
        }
        let gaze = self.plan.guide.heading(time + LOOKS_AHEAD) + GAZE * self.gaze.at(time);
        let neck = trunk.turn.slerp(axis_rotation(1, gaze), 0.6) * axis_rotation(0, NECK);
        pose.rotations[dog.neck.index()] = trunk.turn.inverse() * neck;
        pose.rotations[dog.head.index()] = neck.inverse() * axis_rotation(1, gaze);
        let wag = axis_rotation(1, WAG * self.wag.at(time));
        pose.rotations[dog.tail[0].index()] = wag * axis_rotation(0, TAIL);
        pose.rotations[dog.tail[1].index()] = wag;
        pose
    }

    /// The trunk over the path, towards the standing feet, each end as high as may be.
    fn trunk(&self, time: f64, feet: &[FootAt; 4]) -> Trunk {
        let heading = axis_rotation(1, self.plan.guide.heading(time));
        let weight: f64 = self.plan.shift.at(time) - self.lifted(time);
        let middle = self.plan.guide.place(time) + heading * Vec3::X * (self.manner.sway * weight);
        let roll = axis_rotation(2, self.manner.roll * weight);
        let mut slope = 0.0;
        let mut trunk = Trunk { hind: middle, front: middle, turn: heading };
        for _ in 0..ROUNDS {
            let along = heading * axis_rotation(0, -slope);
            trunk.turn = along * roll;
            let half = along * Vec3::Z * (0.5 * TRUNK);
            let end = |legs, over: Vec3, stands| {
                let over = Vec3::new(over.x, 0.0, over.z);
                over + Vec3::Y * self.height(time, over, trunk.turn, legs, stands, feet)
            };
            trunk.hind = end(HIND, middle - half, self.manner.hind);
            let front = end(FRONT, middle + half, self.manner.front);
            // Slopes of a trunk end below 90°; a dog on its hind legs is not among the kinds.
            slope = asin(((front.y - trunk.hind.y) / TRUNK).clamp(-0.9, 0.9));
        }
        // What the rounds have left is the front legs' to take up: the trunk is stiff.
        trunk.front = trunk.hind + trunk.turn * Vec3::Z * TRUNK;
        trunk
    }

    /// How many more left feet than right ones are in the air.
    fn lifted(&self, time: f64) -> f64 {
        let legs = self.dog.legs.iter().zip(&self.plan.feet);
        legs.map(|(leg, foot)| leg.side * foot.in_the_air(time)).sum()
    }

    /// How high a girdle over `over` is.
    fn height(
        &self,
        time: f64,
        over: Vec3,
        turn: Quat,
        legs: [usize; 2],
        stands: f64,
        feet: &[FootAt; 4],
    ) -> f64 {
        let limit = |leg: usize| {
            let shape: &LegShape = &self.dog.legs[leg];
            highest_girdle(shape, over + turn * shape.hip_in_girdle, feet[leg].ankle, LONGEST)
        };
        let beat = &self.plan.beat;
        let phase = (time - beat.strike - self.manner.lowest) / beat.period;
        let under_way = self.plan.guide.speed(time) / beat.speed;
        let level = legs.map(|leg| self.plan.feet[leg].level(time)).iter().sum::<f64>() / 2.0;
        let bob = under_way * self.manner.bob * cos(2.0 * PI * phase);
        let wish = stands + level + self.plan.height.at(time) - bob;
        soft_min([limit(legs[0]), limit(legs[1]), wish].into_iter(), SHARPNESS)
    }
}
