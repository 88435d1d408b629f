//! What a motion is about when its file does not say: legs, unit, up axis and floor.
//!
//! Everything here works in the file's own unit and axes, because those are what is to be found
//! out. Each finding says how sure it is and why; nothing is guessed silently.

mod t_pose;
mod sight;
mod names;
mod bones;
mod hip_knee_ankle;
mod evidence;
mod legs;
mod up;
mod more_legs;
mod sides;
mod unit;
mod flat_foot;
mod points;
mod ground;
mod doubts;

use bones::Bones;
use flat_foot::FlatFoot;
use hip_knee_ankle::Cut;
use names::Said;
use sight::Sight;
use surefoot_core::Motion;
use surefoot_core::math::Vec3;
use surefoot_core::{JointId, Skeleton};
use surefoot_core::{JointPoint, Leg};
use surefoot_core::{Plane, UpAxis};
use unit::Measure;

/// A motion, or parts of a long one, to be understood.
///
/// Lengths and axes are the file's.
#[derive(Clone, Debug)]
pub struct Excerpt {
    /// The poses taken.
    pub motion: Motion,
    /// The file's frame number of each pose, rising; neighbours differ by 1 except at a cut.
    pub frames: Vec<usize>,
}

/// Something found out: what, how sure, and why.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inferred<T> {
    /// What was found.
    pub value: T,
    /// How sure, from 0 to 1; 1 where a person said so.
    pub confidence: f64,
    /// Why, in one sentence; what else was weighed, where it was close.
    pub reason: String,
}

/// A leg as a person names it: by joints, with whichever points they know.
#[derive(Clone, Debug, PartialEq)]
pub struct LegOverride {
    /// `left`, `right`, `front left`, …
    pub side: String,
    /// The joint the thigh hangs from.
    pub hip: JointId,
    /// The joint between thigh and shin.
    pub knee: JointId,
    /// The joint between shin and foot.
    pub ankle: JointId,
    /// The heel, if given.
    pub heel: Option<JointPoint>,
    /// The ball, if given.
    pub ball: Option<JointPoint>,
    /// The toe tip, if given.
    pub toe: Option<JointPoint>,
}

/// What a person says about a motion; the rest is found out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    /// Metres in one of the file's units.
    pub unit_m: Option<f64>,
    /// The axis that points up.
    pub up: Option<UpAxis>,
    /// The floor, in metres and the file's axes.
    pub floor: Option<Plane>,
    /// The legs.
    pub legs: Option<Vec<LegOverride>>,
}

/// What a motion is about, in the file's own axes.
#[derive(Clone, Debug)]
pub struct Inference {
    /// Whether frame 0 is a T-pose put there by a program and no part of the performance.
    pub inserted_t_pose: Inferred<bool>,
    /// The legs, offsets in the file's unit; or why there are none.
    pub legs: Result<Inferred<Vec<Leg>>, NoLegs>,
    /// Metres in one of the file's units.
    pub unit_m: Inferred<f64>,
    /// What people call that unit: `cm`, `inch`, `CMU (5.6444 cm)`.
    pub unit_name: String,
    /// The axis that points up.
    pub up: Inferred<UpAxis>,
    /// The floor, in metres and the file's axes; `None` where nothing tells.
    pub floor: Option<Inferred<Plane>>,
    /// What a person should know: doubtful findings, swapped sides, and so on.
    pub warnings: Vec<String>,
}

/// Why no legs were found.
#[derive(Clone, Debug, PartialEq)]
pub struct NoLegs {
    /// The pairs of chains that were weighed, best first, each with what speaks against it.
    pub candidates: Vec<String>,
}

/// Finds out what a motion is about, from what a person says and from the motion itself.
///
/// Takes any excerpt: without frames, without joints, of anything at all.
pub fn infer(excerpt: &Excerpt, given: &Overrides) -> Inference {
    let inserted_t_pose = t_pose::find(excerpt);
    let joints = excerpt.motion.skeleton.joints();
    let said: Vec<Said> = joints.iter().map(|joint| names::read(&joint.name)).collect();
    let skeleton = without_ends_of_tips(&excerpt.motion.skeleton, &said);
    let sight = Sight::new(excerpt, &skeleton, usize::from(inserted_t_pose.value));
    let bones = Bones::new(&sight);
    let mut warnings = Vec::new();
    let whole = Whole { sight: &sight, bones: &bones, said: &said };
    let (roles, up) = match &given.legs {
        Some(legs) => whole.given_roles(legs, given),
        None => whole.found_roles(given, &mut warnings),
    };
    let direction = up.value.direction();
    let (unit_m, unit_name) = whole.unit(&roles, given);
    let legs = roles.map(|roles| Inferred {
        value: whole.legs(&roles.value, direction, &mut warnings),
        confidence: roles.confidence,
        reason: roles.reason,
    });
    let floor = match (given.floor, &legs) {
        (Some(floor), _) => Some(given_finding(floor)),
        (None, Ok(legs)) => ground::find(&legs.value, direction, unit_m.value, &sight),
        (None, Err(_)) => None,
    };
    let mut understanding =
        Inference { inserted_t_pose, legs, unit_m, unit_name, up, floor, warnings: Vec::new() };
    warnings.extend(doubts::find(&understanding, &sight));
    understanding.warnings = warnings;
    understanding
}

/// The skeleton without the ends of joints that are ends themselves.
///
/// `LeftToe_End` is where the toes end. Programs that must write an end site below it make one up,
/// often straight up or down and on each side another way.
fn without_ends_of_tips(skeleton: &Skeleton, said: &[Said]) -> Skeleton {
    let mut joints = skeleton.joints().to_vec();
    for (joint, said) in joints.iter_mut().zip(said) {
        if said.tip && joint.parent.is_some() {
            joint.end = None;
        }
    }
    Skeleton::new(joints).unwrap_or_else(|_| skeleton.clone())
}

/// What a person said.
fn given_finding<T>(value: T) -> Inferred<T> {
    Inferred { value, confidence: 1.0, reason: "given".into() }
}

/// A leg whose joints are known and whose points may be.
struct Role {
    side: String,
    cut: Cut,
    heel: Option<JointPoint>,
    ball: Option<JointPoint>,
    toe: Option<JointPoint>,
}

type Roles = Result<Inferred<Vec<Role>>, NoLegs>;

/// The motion and all that is known of it before its legs are.
struct Whole<'a> {
    sight: &'a Sight<'a>,
    bones: &'a Bones,
    said: &'a [Said],
}

impl Whole<'_> {
    /// Legs found by shape and name, and the up axis that goes with them.
    fn found_roles(&self, given: &Overrides, warnings: &mut Vec<String>) -> (Roles, Inferred<UpAxis>) {
        let Self { sight, bones, said } = *self;
        let (pairs, short) = bones::pairs(bones, sight.skeleton);
        let found = match legs::find((&pairs, &short), bones, sight, said) {
            Ok(found) => found,
            Err(no_legs) => return (Err(no_legs), self.up(&[], given)),
        };
        if let Some(joint) = found.other_body {
            warnings.push(format!(
                "there is a second body, with legs below {}; it is left alone",
                sight.skeleton.joint(joint).name
            ));
        }
        let up = self.up(&found.legs.cuts, given);
        let direction = up.value.direction();
        let more = more_legs::find(&found.legs, found.others, direction, bones, sight, said);
        let mut pairs = vec![found.legs];
        pairs.extend(more);
        let mut roles = Vec::new();
        let pairs = sides::front_to_hind(pairs, sight, said);
        let ends = match pairs.as_slice() {
            [(front, _), .., (hind, _)] => Some([front.cuts, hind.cuts]),
            _ => None,
        };
        for (pair, place) in pairs {
            let sided = sides::sides(&pair, ends, direction, bones, sight, said);
            warnings.extend(sided.warning);
            for (side, cut) in [("left", sided.left), ("right", sided.right)] {
                roles.push(Role::new(format!("{place}{side}"), cut));
            }
        }
        let finding = Inferred { value: roles, confidence: found.confidence, reason: found.reason };
        (Ok(finding), up)
    }

    /// Legs that a person named, and the up axis that goes with them.
    fn given_roles(&self, legs: &[LegOverride], given: &Overrides) -> (Roles, Inferred<UpAxis>) {
        let roles: Option<Vec<Role>> = legs.iter().map(|leg| self.given_role(leg)).collect();
        let roles = match roles {
            Some(roles) if !roles.is_empty() => Ok(given_finding(roles)),
            Some(_) => Err("no leg was given"),
            None => Err("a leg was given with a joint that the skeleton does not have"),
        };
        let cuts: Vec<Cut> =
            (roles.iter()).flat_map(|roles| roles.value.iter().map(|role| role.cut)).collect();
        let up = self.up(&cuts, given);
        let weighed = |reason: &str| NoLegs { candidates: vec![reason.into()] };
        (roles.map_err(weighed), up)
    }

    /// A given leg with its bones measured; `None` if a joint of it does not exist.
    fn given_role(&self, leg: &LegOverride) -> Option<Role> {
        let points = [leg.heel, leg.ball, leg.toe].into_iter().flatten();
        let joints = [leg.hip, leg.knee, leg.ankle].into_iter();
        let known = self.sight.skeleton.len();
        if joints.chain(points.map(|point| point.joint)).any(|joint| joint.index() >= known) {
            return None;
        }
        let placed = self.sight.looks.first().map_or(&self.sight.rest, |look| &look.now);
        let cut = Cut {
            hip: leg.hip,
            knee: leg.knee,
            ankle: leg.ankle,
            thigh: placed.joint(leg.hip).distance(placed.joint(leg.knee)),
            shin: placed.joint(leg.knee).distance(placed.joint(leg.ankle)),
            fit: 0.0,
            foot_angle: None,
        };
        Some(Role { heel: leg.heel, ball: leg.ball, toe: leg.toe, ..Role::new(leg.side.clone(), cut) })
    }

    fn up(&self, legs: &[Cut], given: &Overrides) -> Inferred<UpAxis> {
        match given.up {
            Some(up) => given_finding(up),
            None => up::find(legs, self.sight),
        }
    }

    fn unit(&self, roles: &Roles, given: &Overrides) -> (Inferred<f64>, String) {
        if let Some(unit_m) = given.unit_m.filter(|unit| unit.is_finite() && *unit > 0.0) {
            return (given_finding(unit_m), unit::name(unit_m));
        }
        let measure = match roles {
            Ok(roles) => {
                let legs = || roles.value.iter().map(|role| role.cut.leg());
                let mean = legs().sum::<f64>() / roles.value.len().max(1) as f64;
                if roles.value.len() > 2 { Measure::AnimalLeg(mean) } else { Measure::Leg(mean) }
            }
            Err(_) => Measure::Body(self.size()),
        };
        unit::find(measure)
    }

    /// The longest stretch of the body along any axis, in the file's unit.
    fn size(&self) -> f64 {
        let placed = self.sight.looks.first().map_or(&self.sight.rest, |look| &look.now);
        let places = || placed.positions.iter().copied();
        let low = places().reduce(Vec3::min).unwrap_or(Vec3::ZERO);
        let high = places().reduce(Vec3::max).unwrap_or(Vec3::ZERO);
        (high - low).length()
    }

    /// All legs with their points.
    fn legs(&self, roles: &[Role], up: Vec3, warnings: &mut Vec<String>) -> Vec<Leg> {
        let foot = |role: &Role| FlatFoot::new(&role.cut, up, self.bones, self.sight);
        let mut feet: Vec<FlatFoot> = roles.iter().map(foot).collect();
        for pair in feet.chunks_exact_mut(2) {
            if let [left, right] = pair {
                flat_foot::agree([left, right]);
            }
        }
        let legs = roles.iter().zip(&feet);
        legs.map(|(role, foot)| self.leg(role, foot, warnings)).collect()
    }

    /// A leg with its points, found or made where they are not given.
    fn leg(&self, role: &Role, foot: &FlatFoot, warnings: &mut Vec<String>) -> Leg {
        let parent = |joint: JointId| self.sight.skeleton.parent(joint);
        let made = points::find(&role.cut, foot, self.said, &parent);
        let is_made = role.heel.is_none() || role.ball.is_none() || role.toe.is_none();
        if !made.has_foot && is_made {
            warnings
                .push(format!("the {} foot has nothing below its ankle; its points are made up", role.side));
        }
        Leg {
            side: role.side.clone(),
            hip: role.cut.hip,
            knee: role.cut.knee,
            ankle: role.cut.ankle,
            heel: role.heel.unwrap_or(made.heel),
            ball: role.ball.unwrap_or(made.ball),
            toe: role.toe.unwrap_or(made.toe),
        }
    }
}

impl Role {
    fn new(side: String, cut: Cut) -> Self {
        Self { side, cut, heel: None, ball: None, toe: None }
    }
}
