//! A motion with contact labels.

use surefoot_core::{Floor, Footplants, Leg, Motion};

/// Person and action of a motion; folds and tables group motions by it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MotionInfo {
    /// The file's name without its extension.
    pub name: String,
    /// The dataset: the folder's name.
    pub dataset: String,
    /// The performer.
    pub person: String,
    /// The take. The treadmill version of a take and its overground version are the same trial.
    pub trial: String,
    /// The kind of motion: the row of the table in which it counts.
    pub kind: String,
}

/// A motion in metres, Y up, with contact labels.
#[derive(Clone, Debug)]
pub struct LabelledMotion {
    /// Person and action.
    pub info: MotionInfo,
    /// The motion.
    pub motion: Motion,
    /// The legs.
    pub legs: Vec<Leg>,
    /// The floor, if known.
    pub floor: Option<Floor>,
    /// The first frame of the performance: 1 after an inserted T-pose.
    pub first_frame: usize,
    /// By leg, then frame: whether the foot is down; `None` where that is not known.
    pub contacts: Vec<Vec<Option<bool>>>,
    /// The plants of heel and ball, where known: for generated motions, and where a person has
    /// corrected the plants.
    pub plants: Option<Footplants>,
}

impl LabelledMotion {
    /// A motion whose plants are known.
    pub fn from_plants(
        info: MotionInfo,
        motion: Motion,
        legs: Vec<Leg>,
        floor: Option<Floor>,
        plants: Footplants,
    ) -> Self {
        let foot = |leg| foot_contacts(&plants, leg, motion.frames()).into_iter().map(Some).collect();
        let contacts = (0..legs.len()).map(foot).collect();
        Self { info, motion, legs, floor, first_frame: 0, contacts, plants: Some(plants) }
    }

    /// Number of labels.
    pub fn label_count(&self) -> usize {
        self.contacts.iter().flatten().flatten().count()
    }

    /// The first frame of the performance, within the motion.
    pub(crate) fn performance_start(&self) -> usize {
        self.first_frame.min(self.motion.frames())
    }
}

/// Whether a foot is down, frame by frame: its heel or its ball is planted.
pub(crate) fn foot_contacts(plants: &Footplants, leg: usize, frames: usize) -> Vec<bool> {
    let mut down = vec![false; frames];
    for plant in plants.plants.iter().filter(|plant| plant.leg == leg) {
        let end = plant.frames.end.min(frames);
        down[plant.frames.start.min(end)..end].fill(true);
    }
    down
}

/// Words in the name of a take or its folder, and the kind of motion they stand for. The first match counts.
const KINDS: [(&str, &str); 14] = [
    ("kick", "kick"),
    ("punch", "punch"),
    ("treadmill", "run, treadmill"),
    ("sprint", "sprint"),
    ("stair", "stairs"),
    ("run", "run, overground"),
    ("biomechzoo", "walk and turn (biomechzoo)"),
    ("camargo", "circuit"),
    ("_DJ", "drop jump"),
    ("walking", "walk (OpenCap)"),
    ("walk", "walk"),
    ("STS", "sit, squat"),
    ("squat", "sit, squat"),
    ("jump", "jump"),
];

impl MotionInfo {
    /// Derives the information from the names of a file and its folder.
    ///
    /// The person is the letters and digits at the start of the name: `HC030A05_straight` is of HC030,
    /// `hamner04_run200` of hamner04. `_og` marks the overground version of a treadmill take.
    pub fn from_names(dataset: &str, name: &str) -> Self {
        let letters = name.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(name.len());
        let digits = name[letters..].find(|c: char| !c.is_ascii_digit()).unwrap_or(name.len() - letters);
        let path = format!("{dataset}/{name}");
        let kind = KINDS.iter().find(|(word, _)| path.contains(word)).map_or("other", |(_, kind)| kind);
        Self {
            name: name.into(),
            dataset: dataset.into(),
            person: name[..letters + digits].into(),
            trial: name.replace("_og", ""),
            kind: kind.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn person_trial_and_kind_follow_from_the_names() {
        let info = MotionInfo::from_names("hamner04_overground", "hamner04_og_run200");
        assert_eq!((info.person.as_str(), info.trial.as_str()), ("hamner04", "hamner04_run200"));
        assert_eq!(info.kind, "run, overground");
        assert_eq!(MotionInfo::from_names("hamner_treadmill", "hamner_run200").kind, "run, treadmill");
        assert_eq!(MotionInfo::from_names("biomechzoo", "HC030A05_straight").person, "HC030");
        assert_eq!(MotionInfo::from_names("opencap_subject4", "s4_walkingTI1").kind, "walk (OpenCap)");
        assert_eq!(MotionInfo::from_names("", "").kind, "other");
        assert_eq!(MotionInfo::from_names("x", "ünlike").person, "");
    }
}
