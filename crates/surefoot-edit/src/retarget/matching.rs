//! Matches the joints of two bodies.

use surefoot_core::math::Quat;
use surefoot_core::{JointId, Skeleton, WorldPose};

use super::roles::{Role, RoleSource, Roles};

/// A joint of the target and its source joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The role of both joints.
    pub role: Role,
    /// The joint of the target.
    pub to: JointId,
    /// The source joint whose rotation it gets.
    pub from: JointId,
    /// For trunks with different numbers of joints: the source joint after `from`, and the share of
    /// its rotation.
    pub towards: Option<(JointId, f64)>,
    /// How the role of the target joint was found.
    pub found_by: RoleSource,
}

impl Match {
    /// The world rotation of the source at the target joint.
    pub(super) fn source_rotation(&self, from: &WorldPose) -> Quat {
        let first = from.rotations[self.from.index()];
        match self.towards {
            Some((next, part)) => first.slerp(from.rotations[next.index()], part),
            None => first,
        }
    }
}

/// The matched and unmatched joints of two bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matching {
    /// Matched joints, in the order of the target.
    pub matches: Vec<Match>,
    /// Source joints without a counterpart.
    pub unmatched_source: Vec<JointId>,
    /// Target joints without a counterpart: they keep their rest rotation.
    pub unmatched_target: Vec<JointId>,
}

/// Matches the joints of two bodies by role, and the remaining ones by name.
pub fn matching(from: (&Skeleton, &Roles), to: (&Skeleton, &Roles)) -> Matching {
    let mut matches: Vec<Match> =
        to.1.all
            .iter()
            .filter_map(|(role, joint, source)| match_joint(from.1, to.1, role, *joint, *source))
            .collect();
    by_name(from.0, to.0, &mut matches);
    matches.sort_by_key(|one| one.to);
    let is_used = |joint: &JointId| {
        let used = |one: &Match| one.from == *joint || one.towards.is_some_and(|(next, _)| next == *joint);
        matches.iter().any(used)
    };
    Matching {
        unmatched_source: from.0.ids().filter(|joint| !is_used(joint)).collect(),
        unmatched_target: to.0.ids().filter(|joint| matches.iter().all(|one| one.to != *joint)).collect(),
        matches,
    }
}

fn match_joint(from: &Roles, to: &Roles, role: &Role, joint: JointId, found_by: RoleSource) -> Option<Match> {
    let one = |other: &Role| Some((from.joint(other)?, None));
    let (source, towards) = match role {
        // Target joints above the pelvis move with it.
        Role::Root => one(role).or_else(|| one(&Role::Pelvis)),
        Role::Spine(n) => {
            let chain: Vec<JointId> = spine(from).collect();
            between(&chain, *n as f64 * (chain.len() - 1) as f64 / to.count(Role::Spine) as f64)
        }
        Role::Neck(n) => {
            let necks = (1..=from.count(Role::Neck)).filter_map(|n| from.joint(&Role::Neck(n)));
            let chain: Vec<JointId> =
                spine(from).last().into_iter().chain(necks).chain(from.joint(&Role::Head)).collect();
            let count = (to.count(Role::Neck) + usize::from(to.joint(&Role::Head).is_some())) as f64;
            between(&chain, *n as f64 * (chain.len().checked_sub(1)?) as f64 / count)
        }
        _ => one(role),
    }?;
    Some(Match { role: role.clone(), to: joint, from: source, towards, found_by })
}

/// The pelvis, and the spine above it.
fn spine(roles: &Roles) -> impl Iterator<Item = JointId> + '_ {
    let above = (1..=roles.count(Role::Spine)).filter_map(|n| roles.joint(&Role::Spine(n)));
    roles.joint(&Role::Pelvis).into_iter().chain(above)
}

/// The joint at a fractional index of a chain, and the next joint if the index is not an integer.
fn between(chain: &[JointId], at: f64) -> Option<(JointId, Option<(JointId, f64)>)> {
    let whole = surefoot_core::math::floor(at + 1e-9);
    let first = *chain.get(whole as usize)?;
    let part = at - whole;
    let next = chain.get(whole as usize + 1).filter(|_| part > 1e-6);
    Some((first, next.map(|&next| (next, part))))
}

/// Matches joints without a role by name, such as twist bones.
fn by_name(from: &Skeleton, to: &Skeleton, matches: &mut Vec<Match>) {
    let mut is_used = vec![false; from.len()];
    let mut is_matched = vec![false; to.len()];
    for one in matches.iter() {
        is_used[one.from.index()] = true;
        is_matched[one.to.index()] = true;
    }
    for joint in to.ids().filter(|joint| !is_matched[joint.index()]) {
        let name = bare(&to.joint(joint).name);
        let has_same_name =
            |other: &JointId| !is_used[other.index()] && bare(&from.joint(*other).name) == name;
        if let Some(other) = from.ids().find(has_same_name).filter(|_| !name.is_empty()) {
            is_used[other.index()] = true;
            let role = Role::Named(to.joint(joint).name.clone());
            matches.push(Match { role, to: joint, from: other, towards: None, found_by: RoleSource::Name });
        }
    }
}

/// A name in lower case, without its namespace and punctuation.
fn bare(name: &str) -> String {
    let name = name.rsplit([':', '|']).find(|part| !part.is_empty()).unwrap_or(name);
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
