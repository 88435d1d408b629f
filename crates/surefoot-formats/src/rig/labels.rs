//! Labels of joints: unique names, even where two joints share one.

use std::collections::HashMap;

use surefoot_core::{JointId, Skeleton};

/// Most names suggested in place of an unknown one.
const MOST_SUGGESTIONS: usize = 3;

/// Maps between the joints of a skeleton and their labels.
pub(crate) struct Labels<'a> {
    skeleton: &'a Skeleton,
    /// For each name its joints, in the order of the skeleton.
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

    /// The joint with a label.
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

    /// The label of a joint, which no other joint has.
    pub(crate) fn label(&self, joint: JointId) -> String {
        let name = &self.skeleton.joint(joint).name;
        let same = self.by_name.get(name.as_str()).map_or(&[][..], Vec::as_slice);
        let number = same.iter().position(|&other| other == joint).unwrap_or(0) + 1;
        let numbered = format!("{name}#{number}");
        let label = if number == 1 { name.clone() } else { numbered };
        // A name may be empty, or equal the label of another joint.
        if self.joint(&label) == Some(joint) { label } else { format!("#{}", joint.0) }
    }

    /// The names most similar to an unknown one, most similar first.
    ///
    /// Names count as similar up to two edits plus one per three letters.
    pub(crate) fn similar(&self, label: &str) -> Vec<String> {
        let label = label.to_lowercase();
        let mut similar: Vec<(usize, &str)> = (self.by_name.keys())
            .map(|&name| (edit_distance(&label, &name.to_lowercase()), name))
            .filter(|&(edits, name)| !name.is_empty() && edits <= 2 + label.chars().count() / 3)
            .collect();
        similar.sort();
        let fewest = similar.first().map_or(0, |&(edits, _)| edits);
        similar.retain(|&(edits, _)| edits <= fewest + 1);
        similar.into_iter().take(MOST_SUGGESTIONS).map(|(_, name)| name.to_string()).collect()
    }
}

/// Levenshtein distance: letters to change, add or drop to get from one word to the other.
pub(crate) fn edit_distance(from: &str, to: &str) -> usize {
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
    fn every_joint_has_a_unique_label() {
        let skeleton = skeleton(&["Hips", "Leg", "Leg", "", "Leg#2", "Leg", "#0", ""]);
        let labels = Labels::new(&skeleton);
        for id in skeleton.ids() {
            assert_eq!(labels.joint(&labels.label(id)), Some(id), "{}", labels.label(id));
        }
        assert_eq!(labels.label(JointId(5)), "Leg#3");
        assert_eq!(labels.label(JointId(2)), "#2");
    }

    #[test]
    fn similar_names_are_suggested() {
        let skeleton = skeleton(&["LeftUpLeg", "LeftLeg", "RightUpLeg", "Head"]);
        assert_eq!(Labels::new(&skeleton).similar("LeftUpleg")[0], "LeftUpLeg");
        assert!(Labels::new(&skeleton).similar("Quux").is_empty());
    }
}
