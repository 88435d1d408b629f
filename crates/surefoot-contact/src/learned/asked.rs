//! What do all trees say of a row? The same as one by one, in less than half the time.
//!
//! One tree's questions wait for one another: which is next follows from the answer before. So eight trees are
//! asked side by side, a depth at a time, and what one waits for the others use. For that the questions of `ASKED`
//! trees lie together by depth: number `k` of a depth is followed by `2k` or `2k + 1` of the next, whichever tree it
//! is of.
//!
//! The answers are added in the order of the trees, so that the sum has the bits it would have one by one.

use super::model::{DEPTH, LEAVES, Model, QUESTIONS, Tree};
use super::watch::{ROW, Row};

/// Trees that are asked before it is looked whether more are needed.
const ASKED: usize = 32;
/// Trees that are asked side by side: as many as a processor has room to keep count of.
const ABREAST: usize = 8;
/// A score beyond this is sure enough: those of feet in mid-swing and mid-stance are, after a third
/// of the trees. Lower asks fewer; at 3 edges begin to move.
const ENOUGH: f32 = 4.5;

/// A question: is this number of a row above this?
#[derive(Clone, Copy, Debug)]
struct Question {
    threshold: f32,
    feature: u16,
}

/// The questions of `ASKED` trees at every depth, and their leaves.
#[derive(Clone, Debug)]
struct Round {
    first: [Question; ASKED],
    second: [Question; 2 * ASKED],
    third: [Question; 4 * ASKED],
    fourth: [Question; 8 * ASKED],
    fifth: [Question; 16 * ASKED],
    leaves: [f32; LEAVES * ASKED],
}

/// A model, laid out to be asked.
#[derive(Clone, Debug)]
pub struct Asked {
    base: f32,
    rounds: Vec<Round>,
}

impl Asked {
    /// The trees of a model.
    pub fn new(model: &Model) -> Self {
        Self { base: model.base, rounds: model.trees.chunks(ASKED).map(Round::new).collect() }
    }

    /// The score of a row; above 0 the foot is rather down.
    pub fn score(&self, row: &Row) -> f32 {
        let mut score = self.base;
        for round in &self.rounds {
            for first in (0..ASKED as u32).step_by(ABREAST) {
                let at = round.asked(first, row);
                at.iter().for_each(|&at| score += round.leaves[at as usize % (LEAVES * ASKED)]);
            }
            if score.abs() > ENOUGH {
                break;
            }
        }
        score
    }
}

impl Round {
    /// Trees that are missing ask nothing and add nothing.
    fn new(trees: &[Tree]) -> Self {
        let none = Question { threshold: f32::INFINITY, feature: 0 };
        let mut round = Self {
            first: [none; _],
            second: [none; _],
            third: [none; _],
            fourth: [none; _],
            fifth: [none; _],
            leaves: [0.0; _],
        };
        for (number, tree) in trees.iter().enumerate() {
            for k in 0..QUESTIONS {
                let depth = (k + 1).ilog2() as usize;
                let place = (number << depth) + k + 1 - (1 << depth);
                round.depth(depth)[place] =
                    Question { threshold: tree.thresholds[k], feature: tree.features[k] };
            }
            round.leaves[number * LEAVES..(number + 1) * LEAVES].copy_from_slice(&tree.leaves);
        }
        round
    }

    fn depth(&mut self, depth: usize) -> &mut [Question] {
        let depths: [&mut [Question]; DEPTH] =
            [&mut self.first, &mut self.second, &mut self.third, &mut self.fourth, &mut self.fifth];
        let mut depths = depths.into_iter();
        depths.nth(depth).unwrap_or_default()
    }

    /// The leaves that `ABREAST` trees come to, from this one on.
    #[inline]
    fn asked(&self, first: u32, row: &Row) -> [u32; ABREAST] {
        let mut at = core::array::from_fn(|tree| first + tree as u32);
        ask(&self.first, &mut at, row);
        ask(&self.second, &mut at, row);
        ask(&self.third, &mut at, row);
        ask(&self.fourth, &mut at, row);
        ask(&self.fifth, &mut at, row);
        at
    }
}

/// One question of each tree.
#[inline]
fn ask<const COUNT: usize>(questions: &[Question; COUNT], at: &mut [u32; ABREAST], row: &Row) {
    for at in at {
        // Neither is ever beyond its end; saying so spares a branch.
        let Question { threshold, feature } = questions[*at as usize % COUNT];
        let value = row[usize::from(feature).min(ROW - 1)];
        *at = 2 * *at + u32::from(value > threshold);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many as two rounds and a few, so that the last round is not full.
    const TREES: usize = 2 * ASKED + 5;

    fn model() -> Model {
        let mut state = 7u32;
        let mut draw = |sides: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % sides
        };
        let mut tree = || Tree {
            features: core::array::from_fn(|_| draw(ROW as u32) as u16),
            thresholds: core::array::from_fn(|_| draw(200) as f32 * 0.01 - 1.0),
            leaves: core::array::from_fn(|_| draw(2001) as f32 * 1e-4 - 0.1),
        };
        Model { base: 0.1, trees: (0..TREES).map(|_| tree()).collect(), sure: Vec::new() }
    }

    #[test]
    fn trees_abreast_say_what_they_say_one_by_one() {
        let model = model();
        let asked = Asked::new(&model);
        for k in 0..50 {
            let row: Row = core::array::from_fn(|at| ((at * 37 + k * 101) % 211) as f32 * 0.01 - 1.0);
            let one_by_one = model.trees.iter().fold(model.base, |score, tree| score + tree.answer(&row));
            assert_eq!(asked.score(&row).to_bits(), one_by_one.to_bits());
        }
    }

    #[test]
    fn nobody_is_asked_once_it_is_sure() {
        let mut model = model();
        model.trees[3].leaves = [9.0; LEAVES];
        // Asked in the second round, which there is none of.
        model.trees[ASKED].leaves = [-90.0; LEAVES];
        assert!(Asked::new(&model).score(&[0.0; ROW]) > ENOUGH);
    }

    #[test]
    fn a_model_without_trees_says_what_it_begins_with() {
        let none = Model { base: -0.5, trees: Vec::new(), sure: Vec::new() };
        assert_eq!(Asked::new(&none).score(&[0.0; ROW]), -0.5);
    }
}
