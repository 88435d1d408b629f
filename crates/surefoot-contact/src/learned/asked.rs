//! What do all trees say of a row? The same as one by one, in less than half the time.
//!
//! One tree's questions wait for one another: which is next follows from the answer before. So eight trees are
//! asked side by side, a depth at a time, and what one waits for the others use. Their questions lie in one list:
//! first the first of each tree, then all that may come second, and so on, so that after number `k` comes
//! `2k` or `2k + 1` whichever tree it is of.
//!
//! The answers are added in the order of the trees, so that the sum has the bits it would have one by one.

use super::model::{DEPTH, LEAVES, Model, QUESTIONS, Tree};
use super::watch::{ROOM, Row, place};

/// Trees that are asked side by side: as many as a processor has room to keep count of.
const ABREAST: usize = 8;
/// Room for the questions of so many trees, and for their leaves.
const ALL: usize = ABREAST * LEAVES;
/// A score beyond this is sure enough, and the rest is not asked: those of feet in mid-swing and mid-stance are after
/// a fifth of the trees. Of 81,000 frames that their model never saw none changes sides at 3, 4 do at 2.5 and 7 at 2.
const ENOUGH: f32 = 3.0;

/// Is what is at this place of a row above this?
#[derive(Clone, Copy, Debug)]
struct Question {
    threshold: f32,
    place: u16,
}

/// Eight trees. Their first questions are numbers 8 to 15, and leaves are numbered on from the last questions.
#[derive(Clone, Debug)]
struct Eight {
    questions: [Question; ALL],
    leaves: [f32; ALL],
}

/// A model, laid out to be asked.
#[derive(Clone, Debug)]
pub struct Asked {
    base: f32,
    eights: Vec<Eight>,
}

impl Asked {
    /// The trees of a model.
    pub fn new(model: &Model) -> Self {
        Self { base: model.base, eights: model.trees.chunks(ABREAST).map(Eight::new).collect() }
    }

    /// The score of a row; above 0 the foot is rather down.
    pub fn score(&self, row: &Row) -> f32 {
        let mut score = self.base;
        for eight in &self.eights {
            eight.add_to(&mut score, row);
            if score.abs() > ENOUGH {
                break;
            }
        }
        score
    }
}

impl Eight {
    /// Trees that are missing ask nothing and add nothing.
    fn new(trees: &[Tree]) -> Self {
        let none = Question { threshold: f32::INFINITY, place: 0 };
        let mut eight = Self { questions: [none; ALL], leaves: [0.0; ALL] };
        for (number, tree) in trees.iter().enumerate() {
            for k in 0..QUESTIONS {
                let depth = (k + 1).ilog2();
                let at = ((ABREAST + number) << depth) + k + 1 - (1 << depth);
                let place = place(usize::from(tree.features[k])) as u16;
                eight.questions[at] = Question { threshold: tree.thresholds[k], place };
            }
            eight.leaves[number * LEAVES..(number + 1) * LEAVES].copy_from_slice(&tree.leaves);
        }
        eight
    }

    #[inline]
    fn add_to(&self, score: &mut f32, row: &Row) {
        let mut at: [u32; ABREAST] = core::array::from_fn(|tree| (ABREAST + tree) as u32);
        for _ in 0..DEPTH {
            for at in &mut at {
                // Neither is ever beyond its end; saying so spares two branches.
                let Question { threshold, place } = self.questions[*at as usize % ALL];
                let value = row[usize::from(place) % ROOM];
                *at = 2 * *at + u32::from(value > threshold);
            }
        }
        at.iter().for_each(|at| *score += self.leaves[*at as usize % ALL]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::watch::ROW;
    use super::*;

    /// Four eights and a few, so that the last eight is not full.
    const TREES: usize = 4 * ABREAST + 5;

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
        Model { base: 0.1, trees: (0..TREES).map(|_| tree()).collect(), ..Model::default() }
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
        // In the second eight, which is not asked.
        model.trees[ABREAST].leaves = [-90.0; LEAVES];
        assert!(Asked::new(&model).score(&[0.0; ROOM]) > ENOUGH);
    }

    #[test]
    fn a_model_without_trees_says_what_it_begins_with() {
        let none = Model { base: -0.5, ..Model::default() };
        assert_eq!(Asked::new(&none).score(&[0.0; ROOM]), -0.5);
    }
}
