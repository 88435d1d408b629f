//! Folds for cross-validation, split by person or by trial: no person or trial is in both the training
//! and the validation part of a fold.

use crate::labelled_motion::{LabelledMotion, MotionInfo};
use std::collections::{BTreeMap, BTreeSet};

/// The assignment of motions to folds.
#[derive(Clone, Debug, PartialEq)]
pub struct Folds {
    /// The fold that holds out each motion.
    pub fold_of: Vec<usize>,
    /// Number of folds.
    pub count: usize,
}

/// Motions that must be in the same fold: a person of a dataset, or a trial of a person.
type Group = (String, String);

impl Folds {
    /// Distributes people or trials over folds.
    ///
    /// A dataset with several people is split by person, one with a single person by trial. Datasets
    /// of the same single person are split together, so that both versions of a take are in one fold.
    pub fn new(all: &[LabelledMotion], count: usize) -> Self {
        let count = count.max(1);
        let mut people: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for info in all.iter().map(|labelled| &labelled.info) {
            people.entry(&info.dataset).or_default().insert(&info.person);
        }
        let group = |info: &MotionInfo| -> Group {
            match people[info.dataset.as_str()].len() > 1 {
                true => (info.dataset.clone(), info.person.clone()),
                false => (info.person.clone(), info.trial.clone()),
            }
        };
        // Numbered through all datasets, so that small datasets do not all fall into the first folds.
        let groups: BTreeSet<Group> = all.iter().map(|labelled| group(&labelled.info)).collect();
        let numbers: BTreeMap<Group, usize> =
            groups.into_iter().enumerate().map(|(number, group)| (group, number)).collect();
        let fold = |labelled: &LabelledMotion| numbers[&group(&labelled.info)] % count;
        Self { fold_of: all.iter().map(fold).collect(), count }
    }

    /// The folds that hold out at least one motion.
    pub fn used(&self) -> impl Iterator<Item = usize> {
        (0..self.count).filter(|fold| self.fold_of.contains(fold))
    }

    /// The motions that a fold holds out: its validation part.
    pub fn held_out(&self, fold: usize) -> impl Iterator<Item = usize> {
        (0..self.fold_of.len()).filter(move |&motion| self.fold_of[motion] == fold)
    }

    /// The motions that a fold trains on.
    pub fn training<'a>(&self, fold: usize, all: &'a [LabelledMotion]) -> Vec<&'a LabelledMotion> {
        all.iter().zip(&self.fold_of).filter(|(_, of)| **of != fold).map(|(motion, _)| motion).collect()
    }
}
