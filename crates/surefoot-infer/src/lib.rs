//! Infers the legs, foot points, unit, up axis and floor of a motion whose file does not state them.
//!
//! Everything works in the unit and axes of the file, since those are to be inferred. Each result
//! has a confidence and a reason, and uncertain results are reported as warnings.
//!
//! `t_pose` detects an inserted T-pose, `pose_samples` samples the motion, `joint_names` parses
//! names, `bones` finds pairs of chains, `legs` (with `leg_chain` and `evidence`) chooses the legs
//! among them, `up` the up axis, `more_legs` and `sides` complete and order the legs, `arms` finds the
//! arms, `unit` infers the unit, `feet` the foot points, from the joints by `points` (with `flat_foot`) or from
//! the mesh by `sole` (with `skin_mesh`), and `floor` the floor.

mod t_pose;
mod pose_samples;
mod joint_names;
mod bones;
mod leg_chain;
mod evidence;
mod legs;
mod up;
mod more_legs;
mod sides;
mod arms;
mod unit;
mod flat_foot;
mod feet;
mod points;
mod skin_mesh;
mod sole;
mod floor;
mod warnings;

pub use skin_mesh::{BindTransform, SkinMesh, SkinVertex};

use bones::Bones;
use joint_names::NameHints;
use leg_chain::LegChain;
use pose_samples::PoseSamples;
use surefoot_core::Motion;
use surefoot_core::math::Vec3;
use surefoot_core::{JointId, Skeleton};
use surefoot_core::{JointPoint, Leg};
use surefoot_core::{Plane, UpAxis};
use unit::BodyLength;

/// A motion, or runs of frames from a long one, in the unit and axes of the file.
#[derive(Clone, Debug)]
pub struct Excerpt {
    /// The poses.
    pub motion: Motion,
    /// The frame number of each pose in the file, rising; consecutive within a run.
    pub frames: Vec<usize>,
}

/// An inferred value with its confidence and reason.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inferred<T> {
    /// The value.
    pub value: T,
    /// The confidence from 0 to 1; 1 for a value given by the caller.
    pub confidence: f64,
    /// The reason, as a clause; with the second choice where that was close.
    pub reason: String,
}

/// A leg given by the caller, with any foot points that are known. Of an arm, `hip`, `knee` and `ankle` are shoulder,
/// elbow and wrist, and `ball` is the palm.
#[derive(Clone, Debug, PartialEq)]
pub struct LegOverride {
    /// The name of the leg: `left`, `right`, `front left`, …
    pub side: String,
    /// The joint at the top of the thigh.
    pub hip: JointId,
    /// The joint between thigh and shin.
    pub knee: JointId,
    /// The joint between shin and foot.
    pub ankle: JointId,
    /// The heel, if known.
    pub heel: Option<JointPoint>,
    /// The ball, if known.
    pub ball: Option<JointPoint>,
    /// The toe tip, if known.
    pub toe: Option<JointPoint>,
}

/// Values given by the caller; everything else is inferred.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    /// Metres per unit of the file.
    pub unit_m: Option<f64>,
    /// The axis that points up.
    pub up: Option<UpAxis>,
    /// The floor, in metres and the axes of the file.
    pub floor: Option<Plane>,
    /// The legs.
    pub legs: Option<Vec<LegOverride>>,
    /// The arms.
    pub arms: Option<Vec<LegOverride>>,
}

/// Everything that was inferred about a motion, in the axes of its file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Inference {
    /// Whether frame 0 is a T-pose that a converter inserted before the performance.
    pub inserted_t_pose: Inferred<bool>,
    /// The legs, with foot points in the unit of the file; or the candidates that were rejected.
    pub legs: Result<Inferred<Vec<Leg>>, NoLegs>,
    /// The arms, left before right, with palms in the unit of the file; none without legs, or where no pair of chains
    /// resembles arms. Nothing else is inferred from them.
    pub arms: Inferred<Vec<Leg>>,
    /// Metres per unit of the file.
    pub unit_m: Inferred<f64>,
    /// The name of the unit: `cm`, `inch`, `CMU (5.6444 cm)`.
    pub unit_name: String,
    /// The axis that points up.
    pub up: Inferred<UpAxis>,
    /// The floor, in metres and the axes of the file; `None` if it could not be inferred.
    pub floor: Option<Inferred<Plane>>,
    /// The vertices of all feet whose heel, ball and toe were found on a mesh; 0 where they come from the joints.
    pub sole_vertices: usize,
    /// Uncertain results, swapped sides and other things to check, as sentences.
    pub warnings: Vec<String>,
}

/// The result of a search for legs that found none.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct NoLegs {
    /// The pairs of chains that were rejected, best first, each with the reasons.
    pub candidates: Vec<String>,
}

/// Infers everything about a motion that the caller does not give.
///
/// Accepts any excerpt, even without frames or joints; the confidences are low then.
pub fn infer(excerpt: &Excerpt, given: &Overrides) -> Inference {
    infer_with_skins(excerpt, given, &[])
}

/// Infers everything about a motion with meshes, on which the foot points are found.
pub fn infer_with_skins(excerpt: &Excerpt, given: &Overrides, skins: &[SkinMesh]) -> Inference {
    let inserted_t_pose = t_pose::find(excerpt);
    let joints = excerpt.motion.skeleton.joints();
    let hints: Vec<NameHints> = joints.iter().map(|joint| joint_names::parse(&joint.name)).collect();
    let skeleton = without_ends_of_tips(&excerpt.motion.skeleton, &hints);
    let samples = PoseSamples::new(excerpt, &skeleton, usize::from(inserted_t_pose.value));
    let bones = Bones::new(&samples);
    let mut warnings = Vec::new();
    let context = Context { samples: &samples, bones: &bones, hints: &hints, skins };
    let (joints, up) = match &given.legs {
        Some(legs) => context.given_legs(legs, given),
        None => context.find_legs(given, &mut warnings),
    };
    let direction = up.value.direction();
    let (unit_m, unit_name) = context.unit(&joints, given);
    let mut sole_vertices = 0;
    let legs = joints.map(|joints| Inferred {
        value: context.foot_points(&joints.value, direction, &mut warnings, &mut sole_vertices),
        confidence: joints.confidence,
        reason: joints.reason,
    });
    let floor = match (given.floor, &legs) {
        (Some(floor), _) => Some(given_value(floor)),
        (None, Ok(legs)) => floor::find(&legs.value, direction, unit_m.value, &samples, &mut warnings),
        (None, Err(_)) => None,
    };
    let arms = match (&legs, &given.arms) {
        (Ok(legs), Some(arms)) => arms::given(arms, &legs.value, &samples),
        (Ok(legs), None) => arms::find(&legs.value, &bones, &samples, &hints),
        (Err(_), _) => Inferred::default(),
    };
    let mut inference = Inference {
        inserted_t_pose,
        legs,
        arms,
        unit_m,
        unit_name,
        up,
        floor,
        sole_vertices,
        warnings: Vec::new(),
    };
    warnings.extend(warnings::of_results(&inference, &samples));
    inference.warnings = warnings;
    inference
}

/// The skeleton without the end sites of joints that are themselves the end of a bone.
///
/// `LeftToe_End` is the end of the toes. Programs that must write an end site below it make one up,
/// often straight up or down and different on each side.
fn without_ends_of_tips(skeleton: &Skeleton, hints: &[NameHints]) -> Skeleton {
    let mut joints = skeleton.joints().to_vec();
    for (joint, hints) in joints.iter_mut().zip(hints) {
        if hints.is_tip && joint.parent.is_some() {
            joint.end = None;
        }
    }
    Skeleton::new(joints).unwrap_or_else(|_| skeleton.clone())
}

/// A value given by the caller.
fn given_value<T>(value: T) -> Inferred<T> {
    Inferred { value, confidence: 1.0, reason: "given".into() }
}

/// A leg with known joints and with the foot points that were given.
struct LegJoints {
    side: String,
    chain: LegChain,
    heel: Option<JointPoint>,
    ball: Option<JointPoint>,
    toe: Option<JointPoint>,
}

impl LegJoints {
    fn new(side: String, chain: LegChain) -> Self {
        Self { side, chain, heel: None, ball: None, toe: None }
    }

    fn has_given_points(&self) -> bool {
        self.heel.is_some() || self.ball.is_some() || self.toe.is_some()
    }
}

type LegSearch = Result<Inferred<Vec<LegJoints>>, NoLegs>;

/// What every step of the inference reads.
struct Context<'a> {
    samples: &'a PoseSamples<'a>,
    bones: &'a Bones,
    hints: &'a [NameHints],
    skins: &'a [SkinMesh],
}

impl Context<'_> {
    /// Finds the legs by shape and name, and the up axis, which needs the first pair.
    fn find_legs(&self, given: &Overrides, warnings: &mut Vec<String>) -> (LegSearch, Inferred<UpAxis>) {
        let Self { samples, bones, hints, .. } = *self;
        let (pairs, short) = bones::pairs(bones, samples.skeleton);
        let found = match legs::find((&pairs, &short), bones, samples, hints) {
            Ok(found) => found,
            Err(no_legs) => return (Err(no_legs), self.up(&[], given)),
        };
        if let Some(joint) = found.other_body {
            warnings.push(format!(
                "there is a second body, with legs below {}, which is ignored",
                samples.skeleton.joint(joint).name
            ));
        }
        let up = self.up(&found.pair.legs, given);
        let more = more_legs::find(&found.pair, found.others, up.value.direction(), bones, samples, hints);
        let mut pairs = vec![found.pair];
        pairs.extend(more);
        let value = self.assign_sides(pairs, up.value.direction(), warnings);
        (Ok(Inferred { value, confidence: found.confidence, reason: found.reason }), up)
    }

    /// Orders the pairs from front to hind and names their legs.
    fn assign_sides(
        &self,
        pairs: Vec<legs::Candidate>,
        up: Vec3,
        warnings: &mut Vec<String>,
    ) -> Vec<LegJoints> {
        let Self { samples, bones, hints, .. } = *self;
        let pairs = sides::order_front_to_hind(pairs, samples, hints);
        let ends = match pairs.as_slice() {
            [(front, _), .., (hind, _)] => Some([front.legs, hind.legs]),
            _ => None,
        };
        let mut legs = Vec::new();
        for (pair, prefix) in pairs {
            let sided = sides::assign(&pair, ends, up, bones, samples, hints);
            warnings.extend(sided.warning);
            for (side, chain) in [("left", sided.left), ("right", sided.right)] {
                legs.push(LegJoints::new(format!("{prefix}{side}"), chain));
            }
        }
        legs
    }

    /// Checks the given legs, and infers the up axis from them.
    fn given_legs(&self, legs: &[LegOverride], given: &Overrides) -> (LegSearch, Inferred<UpAxis>) {
        let joints: Option<Vec<LegJoints>> = legs.iter().map(|leg| self.given_leg(leg)).collect();
        let joints = match joints {
            Some(joints) if !joints.is_empty() => Ok(given_value(joints)),
            Some(_) => Err("the given list of legs is empty"),
            None => Err("a given leg has a joint that the skeleton does not have"),
        };
        let chains: Vec<LegChain> =
            (joints.iter()).flat_map(|joints| joints.value.iter().map(|leg| leg.chain)).collect();
        let up = self.up(&chains, given);
        let no_legs = |reason: &str| NoLegs { candidates: vec![reason.into()] };
        (joints.map_err(no_legs), up)
    }

    /// A given leg with its bones measured; `None` if one of its joints does not exist.
    fn given_leg(&self, leg: &LegOverride) -> Option<LegJoints> {
        let points = [leg.heel, leg.ball, leg.toe].into_iter().flatten();
        let joints = [leg.hip, leg.knee, leg.ankle].into_iter();
        let known = self.samples.skeleton.len();
        if joints.chain(points.map(|point| point.joint)).any(|joint| joint.index() >= known) {
            return None;
        }
        let world = self.samples.first_or_rest();
        let chain = LegChain {
            hip: leg.hip,
            knee: leg.knee,
            ankle: leg.ankle,
            thigh: world.joint(leg.hip).distance(world.joint(leg.knee)),
            shin: world.joint(leg.knee).distance(world.joint(leg.ankle)),
            fit: 0.0,
            foot_angle: None,
        };
        Some(LegJoints {
            heel: leg.heel,
            ball: leg.ball,
            toe: leg.toe,
            ..LegJoints::new(leg.side.clone(), chain)
        })
    }

    fn up(&self, legs: &[LegChain], given: &Overrides) -> Inferred<UpAxis> {
        match given.up {
            Some(up) => given_value(up),
            None => up::find(legs, self.samples),
        }
    }

    fn unit(&self, legs: &LegSearch, given: &Overrides) -> (Inferred<f64>, String) {
        if let Some(unit_m) = given.unit_m.filter(|unit| unit.is_finite() && *unit > 0.0) {
            return (given_value(unit_m), unit::name(unit_m));
        }
        let length = match legs {
            Ok(legs) => {
                let lengths = || legs.value.iter().map(|leg| leg.chain.leg_length());
                let mean = lengths().sum::<f64>() / legs.value.len().max(1) as f64;
                if legs.value.len() > 2 { BodyLength::AnimalLeg(mean) } else { BodyLength::Leg(mean) }
            }
            Err(_) => BodyLength::Extent(self.extent()),
        };
        unit::find(length)
    }

    /// The diagonal of the body's bounding box, in the unit of the file.
    fn extent(&self) -> f64 {
        let world = self.samples.first_or_rest();
        let positions = || world.positions.iter().copied();
        let low = positions().reduce(Vec3::min).unwrap_or(Vec3::ZERO);
        let high = positions().reduce(Vec3::max).unwrap_or(Vec3::ZERO);
        (high - low).length()
    }
}
