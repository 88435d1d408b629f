//! Who is left out when: no person, or no trial, is ever both fitted and scored.

use crate::labelled::Labelled;
use std::collections::BTreeMap;

/// The fold in which each motion is left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Folds {
    /// By motion.
    pub of: Vec<usize>,
    /// How many folds there are.
    pub count: usize,
}

impl Folds {
    /// Shares people or trials out over folds.
    ///
    /// A set with several people leaves out people, one with a single person trials; sets of the
    /// same people are taken together, so that both versions of a take fall into one fold.
    pub fn new(all: &[Labelled], count: usize) -> Self {
        let mut people: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for about in all.iter().map(|labelled| &labelled.about) {
            let known = people.entry(&about.set).or_default();
            if !known.contains(&about.person.as_str()) {
                known.push(&about.person);
            }
        }
        let group = |labelled: &Labelled| {
            let about = &labelled.about;
            let by_person = people[about.set.as_str()].len() > 1;
            match by_person {
                true => (about.set.clone(), about.person.clone()),
                false => (about.person.clone(), about.trial.clone()),
            }
        };
        let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (family, member) in all.iter().map(group) {
            let members = groups.entry(family).or_default();
            if !members.contains(&member) {
                members.push(member);
            }
        }
        groups.values_mut().for_each(|members| members.sort());
        // Families begin at different folds, so that small ones do not all fall into the first.
        let mut begins = BTreeMap::new();
        let mut total = 0;
        for (family, members) in &groups {
            begins.insert(family.clone(), total);
            total += members.len();
        }
        let fold = |labelled: &Labelled| {
            let (family, member) = group(labelled);
            let at = groups[&family].iter().position(|known| *known == member).unwrap_or(0);
            (begins[&family] + at) % count.max(1)
        };
        Self { of: all.iter().map(fold).collect(), count: count.max(1) }
    }
}
