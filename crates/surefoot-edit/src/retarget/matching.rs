//! Which joint of one body is which of the other?

use surefoot_core::{JointId, Skeleton};

use super::roles::{How, Role, Roles};

/// A joint of the target, and what it is turned like.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The part both play.
    pub role: Role,
    /// The joint of the target.
    pub to: JointId,
    /// The joint it is turned like.
    pub from: JointId,
    /// Where the bodies have not as many joints in the trunk: the joint after `from`, and how far
    /// towards it.
    pub towards: Option<(JointId, f64)>,
    /// How the target's joint was found.
    pub how: How,
}

/// All joints of two bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matching {
    /// Those that were matched, in the target's order.
    pub matches: Vec<Match>,
    /// Joints of the source that nothing was turned like.
    pub left_from: Vec<JointId>,
    /// Joints of the target that stay as they are at rest.
    pub left_to: Vec<JointId>,
}

/// Matches the joints of two bodies, part by part, and what is left by name.
pub fn matching(from: (&Skeleton, &Roles), to: (&Skeleton, &Roles)) -> Matching {
    let mut matches: Vec<Match> =
        to.1.all.iter().filter_map(|(role, joint, how)| matched(from.1, to.1, role, *joint, *how)).collect();
    by_name(from.0, to.0, &mut matches);
    matches.sort_by_key(|one| one.to);
    let is_used = |joint: &JointId| {
        let used = |one: &Match| one.from == *joint || one.towards.is_some_and(|(next, _)| next == *joint);
        matches.iter().any(used)
    };
    Matching {
        left_from: from.0.ids().filter(|joint| !is_used(joint)).collect(),
        left_to: to.0.ids().filter(|joint| matches.iter().all(|one| one.to != *joint)).collect(),
        matches,
    }
}

fn matched(from: &Roles, to: &Roles, role: &Role, joint: JointId, how: How) -> Option<Match> {
    let one = |other: &Role| Some((from.joint(other)?, None));
    let (source, towards) = match role {
        // A target with joints above its pelvis moves as one down to there.
        Role::Root => one(role).or_else(|| one(&Role::Pelvis)),
        Role::Spine(n) => {
            let chain: Vec<JointId> = spine(from).collect();
            between(&chain, *n as f64 * (chain.len() - 1) as f64 / to.count(Role::Spine) as f64)
        }
        Role::Neck(n) => {
            let necks = (1..=from.count(Role::Neck)).filter_map(|n| from.joint(&Role::Neck(n)));
            let chain: Vec<JointId> =
                spine(from).last().into_iter().chain(necks).chain(from.joint(&Role::Head)).collect();
            let of = (to.count(Role::Neck) + usize::from(to.joint(&Role::Head).is_some())) as f64;
            between(&chain, *n as f64 * (chain.len().checked_sub(1)?) as f64 / of)
        }
        _ => one(role),
    }?;
    Some(Match { role: role.clone(), to: joint, from: source, towards, how })
}

/// The pelvis, and the spine above it.
fn spine(roles: &Roles) -> impl Iterator<Item = JointId> + '_ {
    let above = (1..=roles.count(Role::Spine)).filter_map(|n| roles.joint(&Role::Spine(n)));
    roles.joint(&Role::Pelvis).into_iter().chain(above)
}

/// A joint of a chain, and the next where a place is between two.
fn between(chain: &[JointId], at: f64) -> Option<(JointId, Option<(JointId, f64)>)> {
    let whole = surefoot_core::math::floor(at + 1e-9);
    let first = *chain.get(whole as usize)?;
    let part = at - whole;
    let next = chain.get(whole as usize + 1).filter(|_| part > 1e-6);
    Some((first, next.map(|&next| (next, part))))
}

/// Joints that play no part but are called the same, such as twist bones between like bodies.
fn by_name(from: &Skeleton, to: &Skeleton, matches: &mut Vec<Match>) {
    let mut is_used = vec![false; from.len()];
    let mut is_matched = vec![false; to.len()];
    for one in matches.iter() {
        is_used[one.from.index()] = true;
        is_matched[one.to.index()] = true;
    }
    for joint in to.ids().filter(|joint| !is_matched[joint.index()]) {
        let name = bare(&to.joint(joint).name);
        let like = |other: &JointId| !is_used[other.index()] && bare(&from.joint(*other).name) == name;
        if let Some(other) = from.ids().find(like).filter(|_| !name.is_empty()) {
            is_used[other.index()] = true;
            let role = Role::Named(to.joint(joint).name.clone());
            matches.push(Match { role, to: joint, from: other, towards: None, how: How::Name });
        }
    }
}

/// A name without its namespace and all that is no letter or number.
fn bare(name: &str) -> String {
    let name = name.rsplit([':', '|']).find(|part| !part.is_empty()).unwrap_or(name);
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
