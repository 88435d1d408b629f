//! Evidence for and against a pair of chains being legs.
//!
//! Each function below returns one piece of evidence: a weight and its description. `legs.rs` adds
//! the weights.

use crate::bones::Bones;
use crate::joint_names::{NameHints, Part};
use crate::leg_chain::LegChain;
use crate::legs::{Candidate, named_side};
use crate::pose_samples::{PoseSample, PoseSamples};
use surefoot_core::JointId;
use surefoot_core::WorldPose;
use surefoot_core::math::{Vec3, ln};

/// One piece of evidence.
pub(crate) struct Evidence {
    /// Log odds: positive for legs, negative against. 1 is a good reason, 3 is nearly certain.
    pub weight: f64,
    /// The reason, for people: a clause about "the pair".
    pub text: String,
}

/// Largest weight of joint names, in log odds.
const NAMES: f64 = 3.0;

/// Where the body begins and how far its joints are from there.
pub(crate) struct Body {
    /// The first joint below the root from which several chains branch off.
    top: JointId,
    /// Distance along the bones from the top to each joint; infinite for joints not below it.
    from_top: Vec<f64>,
}

impl Body {
    pub(crate) fn new(bones: &Bones, samples: &PoseSamples) -> Self {
        let farthest = |a: JointId, b: JointId| {
            if bones.reach[b.index()] > bones.reach[a.index()] { b } else { a }
        };
        let roots = samples
            .skeleton
            .ids()
            .filter(|&id| samples.skeleton.parent(id).is_none() || bones.is_detached[id.index()]);
        let mut top = roots.reduce(farthest).unwrap_or(JointId(0));
        // Descends through joints with a single long chain: `World`, `Reference`, `Armature`.
        for _ in 0..samples.skeleton.len() {
            let mut branches = (bones.children[top.index()].iter().copied())
                .filter(|child| bones.reach[child.index()] > 0.1 * bones.reach[top.index()]);
            match (branches.next(), branches.next()) {
                (Some(only), None) => top = only,
                _ => break,
            }
        }
        let mut from_top = vec![f64::INFINITY; samples.skeleton.len()];
        if let Some(here) = from_top.get_mut(top.index()) {
            *here = 0.0;
        }
        for id in samples.skeleton.ids() {
            if let Some(parent) = samples.skeleton.parent(id)
                && id != top
                && !bones.is_detached[id.index()]
            {
                from_top[id.index()] = from_top[parent.index()] + bones.length[id.index()];
            }
        }
        Self { top, from_top }
    }
}

/// All evidence about a pair.
pub(crate) fn collect(
    candidate: &Candidate,
    longest_rival: f64,
    body: &Body,
    bones: &Bones,
    samples: &PoseSamples,
    hints: &[NameHints],
) -> Vec<Evidence> {
    let mut evidence = vec![mirror(&candidate.legs), shape(&candidate.legs)];
    evidence.extend(foot(&candidate.legs));
    evidence.extend(length(candidate, longest_rival));
    evidence.push(attachment(candidate, body));
    evidence.extend(fingers(candidate, bones));
    evidence.extend(body_direction(candidate, body, bones, samples));
    evidence.extend(stillness(candidate, body, samples));
    evidence.extend(names(candidate, samples, hints));
    evidence.extend(sides(candidate, samples, hints));
    evidence
}

/// The two legs of a body have bones of equal length.
fn mirror(legs: &[LegChain; 2]) -> Evidence {
    // In standard deviations of 12 %.
    let difference = |a: f64, b: f64| ln(a / b) / 0.12;
    let thigh = difference(legs[0].thigh, legs[1].thigh);
    let shin = difference(legs[0].shin, legs[1].shin);
    Evidence {
        weight: (-0.5 * (thigh * thigh + shin * shin)).max(-6.0),
        text: "the two chains differ in length".into(),
    }
}

/// Legs have a thigh and a shin of similar length and a short foot.
fn shape(legs: &[LegChain; 2]) -> Evidence {
    let fit = (0.5 * (legs[0].fit + legs[1].fit)).clamp(-3.0, 2.0);
    Evidence {
        weight: 0.6 * (fit - 0.8),
        text: if fit > 0.8 {
            "thigh, shin and foot have the proportions of a leg".into()
        } else {
            "the chains do not have the proportions of a leg".into()
        },
    }
}

/// A foot is at an angle to its shin, a hand continues the forearm.
fn foot(legs: &[LegChain; 2]) -> Option<Evidence> {
    let angle = 0.5 * (legs[0].foot_angle? + legs[1].foot_angle?);
    let degrees = angle * 180.0 / surefoot_core::math::PI;
    // +1.5 at a right angle, 0 at 45°, −1.2 straight on.
    let weight = ((degrees - 45.0) / 25.0).clamp(-1.2, 1.5);
    let text = if weight > 0.0 {
        format!("the foot is at {degrees:.0}° to the shin")
    } else {
        format!("the end is nearly straight ({degrees:.0}°), like a hand")
    };
    Some(Evidence { weight, text })
}

/// Legs are longer than arms.
fn length(candidate: &Candidate, longest_rival: f64) -> Option<Evidence> {
    (longest_rival > 0.0).then(|| {
        let ratio = candidate.leg_length() / longest_rival;
        Evidence {
            weight: 1.2 * (ln(ratio) / 0.35).clamp(-1.0, 1.0),
            text: if ratio > 1.0 {
                "the pair is the longest of the body".into()
            } else {
                "another pair of the body is longer".into()
            },
        }
    })
}

/// Legs branch off near the root, arms at the far end of the spine.
fn attachment(candidate: &Candidate, body: &Body) -> Evidence {
    let distance = body.from_top[candidate.from.index()] / candidate.leg_length();
    let weight = (0.8 - 2.5 * distance).clamp(-1.0, 0.8);
    Evidence {
        weight,
        text: if weight > 0.0 {
            "the pair branches off near the root".into()
        } else {
            "the pair branches off far from the root".into()
        },
    }
}

/// Hands have fingers.
fn fingers(candidate: &Candidate, bones: &Bones) -> Option<Evidence> {
    let ends = |leg: &LegChain| bones.ends[leg.ankle.index()];
    let ends = ends(&candidate.legs[0]).max(ends(&candidate.legs[1]));
    let deep = bones.path(candidate.legs[0].ankle).len();
    (ends >= 4 && deep >= 4)
        .then(|| Evidence { weight: -1.2, text: format!("each chain ends in {ends} fingers") })
}

/// The rest of the body is opposite to the ends of legs, and on the same side as those of arms.
fn body_direction(
    candidate: &Candidate,
    body: &Body,
    bones: &Bones,
    samples: &PoseSamples,
) -> Option<Evidence> {
    let own = joints_below(candidate.first_joints, samples);
    let lean = |world: &WorldPose| {
        let from = world.joint(candidate.from);
        let ends = candidate.legs.map(|leg| world.joint(leg.ankle));
        // Not normalised: arms stretched out to both sides have no direction.
        let away = (from - 0.5 * (ends[0] + ends[1])) / candidate.leg_length();
        let mut centre = Vec3::ZERO;
        let mut weight = 0.0;
        for id in samples.skeleton.ids() {
            let at = id.index();
            if own[at] || !body.from_top[at].is_finite() || id == body.top || bones.is_detached[at] {
                continue;
            }
            centre += bones.length[at] * (world.joint(id) - from);
            weight += bones.length[at];
        }
        (weight > 0.0).then(|| away.dot(centre / weight) / candidate.leg_length())
    };
    let step = samples.poses.len().div_ceil(24).max(1);
    let mut leans: Vec<f64> =
        (samples.poses.iter().step_by(step)).filter_map(|sample| lean(&sample.now)).collect();
    if leans.is_empty() {
        leans.extend(lean(&samples.rest));
    }
    let lean = (!leans.is_empty()).then(|| leans.iter().sum::<f64>() / leans.len() as f64)?;
    Some(Evidence {
        weight: (4.0 * lean).clamp(-1.5, 1.5),
        text: if lean > 0.0 {
            "the rest of the body is above the pair".into()
        } else {
            "the rest of the body is on the same side as the ends of the pair".into()
        },
    })
}

/// For each joint whether it is one of these or below.
fn joints_below(first_joints: [JointId; 2], samples: &PoseSamples) -> Vec<bool> {
    let mut below = vec![false; samples.skeleton.len()];
    for id in samples.skeleton.ids() {
        let inherits = samples.skeleton.parent(id).is_some_and(|parent| below[parent.index()]);
        below[id.index()] = first_joints.contains(&id) || inherits;
    }
    below
}

/// While a body travels, one of its feet stands still; its hands travel along.
fn stillness(candidate: &Candidate, body: &Body, samples: &PoseSamples) -> Option<Evidence> {
    let slower = |sample: &PoseSample| {
        let [one, other] = candidate.legs.map(|leg| sample.speed(leg.ankle));
        Some(one?.min(other?))
    };
    let ends = median(samples.poses.iter().filter_map(slower).collect())?;
    let travel = median((samples.poses.iter()).filter_map(|sample| sample.speed(body.top)).collect())?;
    // Half a leg length per second is a slow walk; a slower body does not travel.
    (travel > 0.5 * candidate.leg_length()).then(|| {
        let ratio = ends / travel;
        Evidence {
            weight: (1.5 - 2.5 * ratio).clamp(-0.8, 1.2),
            text: if ratio < 0.6 {
                "one end stands nearly still while the body travels".into()
            } else {
                "the ends travel along with the body".into()
            },
        }
    })
}

/// The median; `None` of no values.
pub(crate) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// Joints of legs have the names of legs.
fn names(candidate: &Candidate, samples: &PoseSamples, hints: &[NameHints]) -> Option<Evidence> {
    let joints = candidate.legs.iter().flat_map(|leg| [leg.hip, leg.knee, leg.ankle]);
    let parts: Vec<Part> = joints.filter_map(|joint| hints[joint.index()].part).collect();
    let legs = parts.iter().filter(|part| part.is_leg()).count() as f64;
    let arms = parts.iter().filter(|&&part| part == Part::Arm).count() as f64;
    let trunk = parts.iter().filter(|&&part| part == Part::Trunk).count() as f64;
    let weight = NAMES * ((legs - arms - trunk) / 4.0).clamp(-1.0, 1.0);
    let name = |joint: JointId| &samples.skeleton.joint(joint).name;
    let first = candidate.legs[0];
    let listed = format!("{}, {}, {}", name(first.hip), name(first.knee), name(first.ankle));
    (weight != 0.0).then(|| Evidence {
        weight,
        text: if weight > 0.0 {
            format!("the joints have names of a leg ({listed})")
        } else {
            format!("the joints do not have names of a leg ({listed})")
        },
    })
}

/// Weight of two chains that are both named left, or both right, in log odds.
const SAME_SIDE: f64 = -4.0;
/// Weight of names that differ by more than the side, like a front leg and a hind leg.
const DIFFERENT_NAMES: f64 = -0.8;

/// The names of the two legs of a pair differ by the side and nothing else.
fn sides(candidate: &Candidate, samples: &PoseSamples, hints: &[NameHints]) -> Option<Evidence> {
    let [one, other] = candidate.legs;
    let [left, right] = [one, other].map(|leg| named_side(&leg, hints));
    let name = |leg: &LegChain| samples.skeleton.joint(leg.hip).name.as_str();
    let listed = format!("{}, {}", name(&one), name(&other));
    if left? == right? {
        return Some(Evidence {
            weight: SAME_SIDE,
            text: format!("the names of both chains are of the same side ({listed})"),
        });
    }
    let row = |leg: &LegChain| hints[leg.hip.index()].row;
    let numbers = |leg: &LegChain| name(leg).chars().filter(char::is_ascii_digit).collect::<String>();
    let is_alike = row(&one) == row(&other) && numbers(&one) == numbers(&other);
    (!is_alike).then(|| Evidence {
        weight: DIFFERENT_NAMES,
        text: format!("the names differ by more than the side ({listed})"),
    })
}
