//! What speaks for a pair of chains being legs, and what against?
//!
//! Each question below gives one piece of evidence: a weight and the words for it. `legs.rs` adds
//! them up.

use crate::bones::Bones;
use crate::hip_knee_ankle::Cut;
use crate::legs::{Candidate, named_side};
use crate::names::{Part, Said};
use crate::sight::{Look, Sight};
use surefoot_core::JointId;
use surefoot_core::WorldPose;
use surefoot_core::math::{Vec3, ln};

/// One thing that speaks for a pair being legs, or against.
pub(crate) struct Evidence {
    /// As a logarithm of odds: 1 is a good reason, 3 settles it.
    pub weight: f64,
    pub words: String,
}

/// What leg names or arm names are worth.
const NAMED: f64 = 3.0;

/// The body as a whole.
pub(crate) struct Body {
    /// The first joint from the root where chains branch off: where the body begins.
    top: JointId,
    /// Path length from the top to each joint; infinite for joints not below it.
    from_top: Vec<f64>,
}

impl Body {
    pub(crate) fn new(bones: &Bones, sight: &Sight) -> Self {
        let farthest = |a: JointId, b: JointId| {
            if bones.reach[b.index()] > bones.reach[a.index()] { b } else { a }
        };
        let roots = sight
            .skeleton
            .ids()
            .filter(|&id| sight.skeleton.parent(id).is_none() || bones.is_loose[id.index()]);
        let mut top = roots.reduce(farthest).unwrap_or(JointId(0));
        // Down through joints with a single chain of any length: `World`, `Reference`, `Armature`.
        for _ in 0..sight.skeleton.len() {
            let mut ways = (bones.children[top.index()].iter().copied())
                .filter(|child| bones.reach[child.index()] > 0.1 * bones.reach[top.index()]);
            match (ways.next(), ways.next()) {
                (Some(only), None) => top = only,
                _ => break,
            }
        }
        let mut from_top = vec![f64::INFINITY; sight.skeleton.len()];
        if let Some(here) = from_top.get_mut(top.index()) {
            *here = 0.0;
        }
        for id in sight.skeleton.ids() {
            if let Some(parent) = sight.skeleton.parent(id)
                && id != top
                && !bones.is_loose[id.index()]
            {
                from_top[id.index()] = from_top[parent.index()] + bones.length[id.index()];
            }
        }
        Self { top, from_top }
    }
}

/// All that speaks for a pair and against it.
pub(crate) fn weigh(
    candidate: &Candidate,
    longest_rival: f64,
    body: &Body,
    bones: &Bones,
    sight: &Sight,
    said: &[Said],
) -> Vec<Evidence> {
    let mut evidence = vec![mirror(&candidate.cuts), shape(&candidate.cuts)];
    evidence.extend(foot(&candidate.cuts));
    evidence.extend(length(candidate, longest_rival));
    evidence.push(attachment(candidate, body));
    evidence.extend(fingers(candidate, bones));
    evidence.extend(rest_of_body(candidate, body, bones, sight));
    evidence.extend(stillness(candidate, body, sight));
    evidence.extend(names(candidate, sight, said));
    evidence.extend(sides(candidate, sight, said));
    evidence
}

/// Two legs of one body have bones of one length.
fn mirror(cuts: &[Cut; 2]) -> Evidence {
    let unlike = |a: f64, b: f64| ln(a / b) / 0.12;
    let thigh = unlike(cuts[0].thigh, cuts[1].thigh);
    let shin = unlike(cuts[0].shin, cuts[1].shin);
    Evidence {
        weight: (-0.5 * (thigh * thigh + shin * shin)).max(-6.0),
        words: "the two differ in length".into(),
    }
}

/// Thigh, shin and foot of a leg's proportions.
fn shape(cuts: &[Cut; 2]) -> Evidence {
    let fit = (0.5 * (cuts[0].fit + cuts[1].fit)).clamp(-3.0, 2.0);
    Evidence {
        weight: 0.6 * (fit - 0.8),
        words: if fit > 0.8 {
            "thigh, shin and foot have a leg's proportions".into()
        } else {
            "its parts do not have a leg's proportions".into()
        },
    }
}

/// A foot stands at an angle to its shin, a hand goes on straight.
fn foot(cuts: &[Cut; 2]) -> Option<Evidence> {
    let angle = 0.5 * (cuts[0].foot_angle? + cuts[1].foot_angle?);
    let degrees = angle * 180.0 / surefoot_core::math::PI;
    // +1.5 at a right angle, 0 at 45°, −1.2 straight on.
    let weight = ((degrees - 45.0) / 25.0).clamp(-1.2, 1.5);
    let words = if weight > 0.0 {
        format!("its foot stands at {degrees:.0}° to the shin")
    } else {
        format!("its end goes on nearly straight ({degrees:.0}°), as a hand does")
    };
    Some(Evidence { weight, words })
}

/// Legs are longer than arms.
fn length(candidate: &Candidate, longest_rival: f64) -> Option<Evidence> {
    (longest_rival > 0.0).then(|| {
        let ratio = candidate.leg() / longest_rival;
        Evidence {
            weight: 1.2 * (ln(ratio) / 0.35).clamp(-1.0, 1.0),
            words: if ratio > 1.0 {
                "it is the longest pair of the body".into()
            } else {
                "another pair of the body is longer".into()
            },
        }
    })
}

/// Legs branch off where the body begins, arms at the far end of a spine.
fn attachment(candidate: &Candidate, body: &Body) -> Evidence {
    let away = body.from_top[candidate.from.index()] / candidate.leg();
    let weight = (0.8 - 2.5 * away).clamp(-1.0, 0.8);
    Evidence {
        weight,
        words: if weight > 0.0 {
            "it branches off where the body begins".into()
        } else {
            "it branches off far from where the body begins".into()
        },
    }
}

/// Hands have many ends.
fn fingers(candidate: &Candidate, bones: &Bones) -> Option<Evidence> {
    let ends = |cut: &Cut| bones.ends[cut.ankle.index()];
    let ends = ends(&candidate.cuts[0]).max(ends(&candidate.cuts[1]));
    let deep = bones.path(candidate.cuts[0].ankle).len();
    (ends >= 4 && deep >= 4).then(|| Evidence { weight: -1.2, words: format!("it ends in {ends} fingers") })
}

/// The body goes on above its legs and hangs below its arms.
fn rest_of_body(candidate: &Candidate, body: &Body, bones: &Bones, sight: &Sight) -> Option<Evidence> {
    let own = below(candidate.firsts, sight);
    let lean = |placed: &WorldPose| {
        let from = placed.joint(candidate.from);
        let ends = candidate.cuts.map(|cut| placed.joint(cut.ankle));
        // Not normalised: arms stretched out to both sides point nowhere.
        let away = (from - 0.5 * (ends[0] + ends[1])) / candidate.leg();
        let mut centre = Vec3::ZERO;
        let mut weight = 0.0;
        for id in sight.skeleton.ids() {
            let at = id.index();
            if own[at] || !body.from_top[at].is_finite() || id == body.top || bones.is_loose[at] {
                continue;
            }
            centre += bones.length[at] * (placed.joint(id) - from);
            weight += bones.length[at];
        }
        (weight > 0.0).then(|| away.dot(centre / weight) / candidate.leg())
    };
    let step = sight.looks.len().div_ceil(24).max(1);
    let mut leans: Vec<f64> = (sight.looks.iter().step_by(step)).filter_map(|look| lean(&look.now)).collect();
    if leans.is_empty() {
        leans.extend(lean(&sight.rest));
    }
    let lean = (!leans.is_empty()).then(|| leans.iter().sum::<f64>() / leans.len() as f64)?;
    Some(Evidence {
        weight: (4.0 * lean).clamp(-1.5, 1.5),
        words: if lean > 0.0 {
            "the rest of the body is on its other side".into()
        } else {
            "the rest of the body is on the same side as its ends".into()
        },
    })
}

/// Which joints are part of these chains.
fn below(firsts: [JointId; 2], sight: &Sight) -> Vec<bool> {
    let mut below = vec![false; sight.skeleton.len()];
    for id in sight.skeleton.ids() {
        let inherits = sight.skeleton.parent(id).is_some_and(|parent| below[parent.index()]);
        below[id.index()] = firsts.contains(&id) || inherits;
    }
    below
}

/// While a body travels, one of its feet is still; its hands travel along.
fn stillness(candidate: &Candidate, body: &Body, sight: &Sight) -> Option<Evidence> {
    let slower = |look: &Look| {
        let [one, other] = candidate.cuts.map(|cut| look.speed(cut.ankle));
        Some(one?.min(other?))
    };
    let ends = median(sight.looks.iter().filter_map(slower).collect())?;
    let travel = median((sight.looks.iter()).filter_map(|look| look.speed(body.top)).collect())?;
    // Half a leg a second is a slow walk; below it nobody travels.
    (travel > 0.5 * candidate.leg()).then(|| {
        let ratio = ends / travel;
        Evidence {
            weight: (1.5 - 2.5 * ratio).clamp(-0.8, 1.2),
            words: if ratio < 0.6 {
                "one of its ends is nearly still while the body travels".into()
            } else {
                "its ends travel along with the body".into()
            },
        }
    })
}

/// The middle value, of any that there are.
pub(crate) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// What the joints are called.
fn names(candidate: &Candidate, sight: &Sight, said: &[Said]) -> Option<Evidence> {
    let joints = candidate.cuts.iter().flat_map(|cut| [cut.hip, cut.knee, cut.ankle]);
    let parts: Vec<Part> = joints.filter_map(|joint| said[joint.index()].part).collect();
    let legs = parts.iter().filter(|part| part.is_leg()).count() as f64;
    let arms = parts.iter().filter(|&&part| part == Part::Arm).count() as f64;
    let trunk = parts.iter().filter(|&&part| part == Part::Trunk).count() as f64;
    let weight = NAMED * ((legs - arms - trunk) / 4.0).clamp(-1.0, 1.0);
    let name = |joint: JointId| &sight.skeleton.joint(joint).name;
    let first = candidate.cuts[0];
    let listed = format!("{}, {}, {}", name(first.hip), name(first.knee), name(first.ankle));
    (weight != 0.0).then(|| Evidence {
        weight,
        words: if weight > 0.0 {
            format!("its joints are named as a leg's ({listed})")
        } else {
            format!("its joints are not named as a leg's ({listed})")
        },
    })
}

/// What a pair of two left legs, or a front leg with a hind one, loses by its names.
const ONE_SIDE: f64 = -4.0;
const UNLIKE_NAMES: f64 = -0.8;

/// The names of two legs of a pair differ by the side and by nothing else.
fn sides(candidate: &Candidate, sight: &Sight, said: &[Said]) -> Option<Evidence> {
    let [one, other] = candidate.cuts;
    let [left, right] = [one, other].map(|cut| named_side(&cut, said));
    let name = |cut: &Cut| sight.skeleton.joint(cut.hip).name.as_str();
    let listed = format!("{}, {}", name(&one), name(&other));
    if left? == right? {
        return Some(Evidence {
            weight: ONE_SIDE,
            words: format!("both are named as on one side ({listed})"),
        });
    }
    let place = |cut: &Cut| said[cut.hip.index()].place;
    let numbers = |cut: &Cut| name(cut).chars().filter(char::is_ascii_digit).collect::<String>();
    let is_alike = place(&one) == place(&other) && numbers(&one) == numbers(&other);
    (!is_alike).then(|| Evidence {
        weight: UNLIKE_NAMES,
        words: format!("their names differ by more than the side ({listed})"),
    })
}
