//! A motion with what is known of its feet.

use surefoot_core::{Floor, Footplants, Leg, Motion};

/// Whose motion it is and what it shows, which is what folds and tables go by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// What to call it: the file's name without its ending.
    pub name: String,
    /// The data set: the folder's name.
    pub set: String,
    /// Who moves.
    pub person: String,
    /// Which take; two versions of one take, on the treadmill and with the belt's motion taken
    /// out, have the same.
    pub trial: String,
    /// What it shows: the row of the table it counts for.
    pub kind: String,
}

/// A motion in metres, Y up, with what is known of its feet.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// Whose it is and what it shows.
    pub about: About,
    /// The motion.
    pub motion: Motion,
    /// Its legs.
    pub legs: Vec<Leg>,
    /// Its floor, where something tells.
    pub floor: Option<Floor>,
    /// The first frame of the performance: 1 after an inserted T-pose.
    pub first_frame: usize,
    /// By leg, then frame: whether the foot is down; `None` where that is not known.
    pub down: Vec<Vec<Option<bool>>>,
    /// The same of heel and ball apart, where that is known: for made motions, and where a person
    /// has corrected the plants.
    pub points: Option<Footplants>,
}

impl Labelled {
    /// A motion whose plants are known point by point.
    pub fn from_plants(
        about: About,
        motion: Motion,
        legs: Vec<Leg>,
        floor: Option<Floor>,
        points: Footplants,
    ) -> Self {
        let frames = motion.frames();
        let down = (0..legs.len()).map(|leg| feet_down(&points, leg, frames)).collect();
        let down: Vec<Vec<bool>> = down;
        let down = down.into_iter().map(|foot| foot.into_iter().map(Some).collect()).collect();
        Self { about, motion, legs, floor, first_frame: 0, down, points: Some(points) }
    }

    /// How many labels there are.
    pub fn labels(&self) -> usize {
        self.down.iter().flatten().flatten().count()
    }
}

/// Whether a foot is down, frame by frame: its heel is or its ball.
pub(crate) fn feet_down(plants: &Footplants, leg: usize, frames: usize) -> Vec<bool> {
    let mut down = vec![false; frames];
    for plant in plants.plants.iter().filter(|plant| plant.leg == leg) {
        let end = plant.frames.end.min(frames);
        down[plant.frames.start.min(end)..end].fill(true);
    }
    down
}

/// Words in the name of a take or its folder, and what they say it shows. The first that fits.
const KINDS: [(&str, &str); 12] = [
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

impl About {
    /// What the names of a file and of its folder say.
    ///
    /// A person is the letters and the number a name begins with: `HC030A05_straight` is of HC030,
    /// `hamner04_run200` of hamner04. `_og` marks the overground version of a treadmill take.
    pub fn of(set: &str, name: &str) -> Self {
        let letters = name.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(name.len());
        let number = name[letters..].find(|c: char| !c.is_ascii_digit()).unwrap_or(name.len() - letters);
        let both = format!("{set}/{name}");
        let kind = KINDS.iter().find(|(word, _)| both.contains(word)).map_or("other", |(_, kind)| kind);
        Self {
            name: name.into(),
            set: set.into(),
            person: name[..letters + number].into(),
            trial: name.replace("_og", ""),
            kind: kind.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_person_trial_and_kind() {
        let about = About::of("hamner04_overground", "hamner04_og_run200");
        assert_eq!((about.person.as_str(), about.trial.as_str()), ("hamner04", "hamner04_run200"));
        assert_eq!(about.kind, "run, overground");
        assert_eq!(About::of("hamner_treadmill", "hamner_run200").kind, "run, treadmill");
        assert_eq!(About::of("biomechzoo", "HC030A05_straight").person, "HC030");
        assert_eq!(About::of("opencap_subject4", "s4_walkingTI1").kind, "walk (OpenCap)");
        assert_eq!(About::of("", "").kind, "other");
        assert_eq!(About::of("x", "ünlike").person, "");
    }
}
