//! Which joint does a label mean, and what label does a joint have?

use std::collections::HashMap;

use surefoot_core::{JointId, Skeleton};

/// Names that are offered for one that is not there, at most.
const OFFERED: usize = 3;

/// The labels of a skeleton's joints.
pub(crate) struct Labels<'a> {
    skeleton: &'a Skeleton,
    /// The joints of each name, in the file's order.
    by_name: HashMap<&'a str, Vec<JointId>>,
}

impl<'a> Labels<'a> {
    pub(crate) fn new(skeleton: &'a Skeleton) -> Self {
        let mut by_name: HashMap<&str, Vec<JointId>> = HashMap::new();
        for id in skeleton.ids() {
            by_name.entry(skeleton.joint(id).name.as_str()).or_default().push(id);
        }
        Self { skeleton, by_name }
    }

    /// The joint that a label means.
    pub(crate) fn joint(&self, label: &str) -> Option<JointId> {
        if let Some(joints) = self.by_name.get(label).filter(|_| !label.is_empty()) {
            return joints.first().copied();
        }
        let (name, number) = label.rsplit_once('#')?;
        let number: usize = number.parse().ok()?;
        if name.is_empty() {
            return self.skeleton.ids().nth(number);
        }
        self.by_name.get(name)?.get(number.checked_sub(1)?).copied()
    }

    /// A label that means this joint and no other.
    pub(crate) fn label(&self, joint: JointId) -> String {
        let name = &self.skeleton.joint(joint).name;
        let same = self.by_name.get(name.as_str()).map_or(&[][..], Vec::as_slice);
        let place = same.iter().position(|&other| other == joint).unwrap_or(0) + 1;
        let numbered = format!("{name}#{place}");
        let label = if place == 1 { name.clone() } else { numbered };
        // A name may be empty, or look like another's label.
        if self.joint(&label) == Some(joint) { label } else { format!("#{}", joint.0) }
    }

    /// The names nearest to one that is not there, nearest first.
    pub(crate) fn nearest(&self, label: &str) -> Vec<String> {
        let wanted = label.to_lowercase();
        let mut near: Vec<(usize, &str)> = (self.by_name.keys())
            .map(|&name| (distance(&wanted, &name.to_lowercase()), name))
            .filter(|&(far, name)| !name.is_empty() && far <= 2 + wanted.chars().count() / 3)
            .collect();
        near.sort();
        let nearest = near.first().map_or(0, |&(far, _)| far);
        near.retain(|&(far, _)| far <= nearest + 1);
        near.into_iter().take(OFFERED).map(|(_, name)| name.to_string()).collect()
    }
}

/// Letters to change, add or drop to get from one word to the other.
pub(crate) fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (at, letter) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (column, &other) in to.iter().enumerate() {
            let change = diagonal + usize::from(letter != other);
            diagonal = row[column + 1];
            row[column + 1] = change.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::{Joint, Vec3};

    fn skeleton(names: &[&str]) -> Skeleton {
        let joint =
            |name: &&str| Joint { name: name.to_string(), parent: None, offset: Vec3::ZERO, end: None };
        Skeleton::new(names.iter().map(joint).collect()).unwrap()
    }

    #[test]
    fn every_joint_has_a_label_of_its_own() {
        let skeleton = skeleton(&["Hips", "Leg", "Leg", "", "Leg#2", "Leg", "#0", ""]);
        let labels = Labels::new(&skeleton);
        for id in skeleton.ids() {
            assert_eq!(labels.joint(&labels.label(id)), Some(id), "{}", labels.label(id));
        }
        assert_eq!(labels.label(JointId(5)), "Leg#3");
        assert_eq!(labels.label(JointId(2)), "#2");
    }

    #[test]
    fn near_misses_are_offered() {
        let skeleton = skeleton(&["LeftUpLeg", "LeftLeg", "RightUpLeg", "Head"]);
        assert_eq!(Labels::new(&skeleton).nearest("LeftUpleg")[0], "LeftUpLeg");
        assert!(Labels::new(&skeleton).nearest("Quux").is_empty());
    }
}
