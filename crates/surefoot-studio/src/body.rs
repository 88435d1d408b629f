//! The body that the page draws: its limbs and soles between points that the page knows by their numbers.
//!
//! The page gets the positions of all joints, then heel, ball and toe of each leg, then the points of the body that are
//! none of these, as the centre of the head.

use serde_json::{Value, json};
use surefoot_core::{Clip, JointPoint, Vec3};
use surefoot_measure::body::{BodyShape, SOLE};

/// The shape of a body with the page's numbers of its points.
#[derive(Clone, Debug, Default)]
pub struct PageBody {
    shape: BodyShape,
    /// The page's number of each point of the shape.
    numbers: Vec<usize>,
    /// The points that are neither a joint nor a foot point, in the order of their numbers.
    pub extra: Vec<JointPoint>,
}

impl PageBody {
    /// The body of a clip. Without legs it has no limbs.
    pub fn of(clip: &Clip) -> Self {
        let joints = clip.motion.skeleton.len();
        let feet: Vec<JointPoint> = clip.legs.iter().flat_map(|leg| [leg.heel, leg.ball, leg.toe]).collect();
        let mut body = Self { shape: BodyShape::of(clip), ..Self::default() };
        for point in &body.shape.points {
            let foot = feet.iter().position(|foot| foot == point);
            let number = match foot {
                Some(foot) => joints + foot,
                None if point.offset == Vec3::ZERO => point.joint.index(),
                None => {
                    body.extra.push(*point);
                    joints + feet.len() + body.extra.len() - 1
                }
            };
            body.numbers.push(number);
        }
        body
    }

    /// The body for the page; radii are in metres.
    pub fn message(&self) -> Value {
        let number = |point: usize| self.numbers[point];
        let limbs = self.shape.limbs.iter().map(|limb| {
            let ([from, to], radii) = (limb.ends.map(number), limb.radii);
            json!({ "ends": [from, to], "radii": radii })
        });
        json!({
            "limbs": limbs.collect::<Vec<_>>(),
            "outer": self.shape.feet.iter().map(|foot| foot.outer).collect::<Vec<_>>(),
            "sole": SOLE,
            "pelvis": self.numbers.get(self.shape.pelvis).copied().unwrap_or(0),
            "extra": self.extra.len(),
        })
    }
}
