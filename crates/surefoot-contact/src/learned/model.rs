//! What a fitted model is, what it says of a row, and its bytes.
//!
//! Boosted trees, each laid out as if all its leaves were equally deep: which question is next follows
//! from the answers so far, so that a tree takes no branch. Their sum is a score, and a table turns
//! the score into a probability that is true of rows the model never saw.

use super::watch::{ROOM, ROW, Row, place};
use core::fmt;
use surefoot_core::FootPoint;

/// Questions a tree asks of a row, at most.
pub const DEPTH: usize = 5;
/// Room for what it may answer.
pub const LEAVES: usize = 1 << DEPTH;
/// Room for its questions.
pub const QUESTIONS: usize = LEAVES - 1;

/// One tree.
///
/// After question `k` comes `2k + 1` if the answer is no, `2k + 2` if it is yes; those beyond the questions
/// are the leaves. What is not asked has the answer no.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// The number of a row that each question looks at.
    pub features: [u16; QUESTIONS],
    /// The answer is yes above this.
    pub thresholds: [f32; QUESTIONS],
    /// What is added to the score.
    pub leaves: [f32; LEAVES],
}

impl Tree {
    /// A tree that asks nothing and adds nothing.
    pub const EMPTY: Self =
        Self { features: [0; QUESTIONS], thresholds: [f32::INFINITY; QUESTIONS], leaves: [0.0; LEAVES] };

    /// What it adds to the score of a row.
    #[inline]
    pub fn answer(&self, row: &Row) -> f32 {
        let mut at = 0;
        for _ in 0..DEPTH {
            // `read` has refused features beyond the row; the bounds spare a branch.
            let question = at.min(QUESTIONS - 1);
            let feature = place(usize::from(self.features[question])) % ROOM;
            at = 2 * question + 1 + usize::from(row[feature] > self.thresholds[question]);
        }
        self.leaves[(at - QUESTIONS).min(LEAVES - 1)]
    }
}

/// A fitted model: trees, and what their sum is worth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// What every score begins with.
    pub base: f32,
    /// The trees, in the order they are asked.
    pub trees: Vec<Tree>,
    /// Scores, and the probability that a foot of that score is down.
    pub sure: Sure,
    /// How sure it is that a point rests so far [from an edge](from_edge) of its plant, while its foot is down
    /// and the edge is where the point was seen to come to rest or to leave: of heel and ball, each at
    /// the start and at the end. Empty tables are quite sure.
    pub rests: [[Sure; 2]; 2],
    /// What the mean of all that over a plant is worth, of a heel's and of a ball's. An empty table takes it as it is.
    pub plants: [Sure; 2],
}

/// Numbers, rising, and a probability each; in between on a straight line, beyond as at the ends.
pub type Sure = Vec<(f32, f32)>;

/// What bytes of a model begin with.
const MAGIC: &[u8; 16] = b"surefoot/model/4";

/// The model inside the program.
static SHIPPED: &[u8] = include_bytes!("model.bin");

impl Model {
    /// The model inside the program.
    pub fn shipped() -> Self {
        // A test reads it; one that cannot be read knows nothing.
        Self::read(SHIPPED).unwrap_or_default()
    }

    /// The probability that a foot of this score is down.
    pub fn probability(&self, score: f32) -> f64 {
        read_off(&self.sure, score).unwrap_or(0.5)
    }

    /// The probability that a point rests so far [from an edge](from_edge) of its plant, if its foot is down.
    pub fn rests(&self, point: FootPoint, edge: Edge, from: f32) -> f64 {
        read_off(&self.rests[point as usize][edge as usize], from).unwrap_or(1.0)
    }

    /// How sure a plant of this point is whose frames are so sure on the mean.
    pub fn plant(&self, point: FootPoint, mean: f64) -> f64 {
        read_off(&self.plants[point as usize], mean as f32).unwrap_or(mean)
    }

    /// The bytes of it.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes();
        bytes.extend(count(ROW));
        bytes.extend(count(self.trees.len()));
        let tables = || core::iter::once(&self.sure).chain(self.rests.iter().flatten()).chain(&self.plants);
        tables().for_each(|table| bytes.extend(count(table.len())));
        bytes.extend(self.base.to_le_bytes());
        for tree in &self.trees {
            bytes.extend(tree.features.iter().flat_map(|feature| feature.to_le_bytes()));
            bytes.extend(tree.thresholds.iter().chain(&tree.leaves).flat_map(|value| value.to_le_bytes()));
        }
        let pair = |(at, sure): &(f32, f32)| [at.to_le_bytes(), sure.to_le_bytes()].concat();
        bytes.extend(tables().flatten().flat_map(pair));
        let sum = check_sum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// Reads the bytes of a model.
    pub fn read(bytes: &[u8]) -> Result<Self, ModelError> {
        let Some(rest) = bytes.strip_prefix(MAGIC) else {
            let same = bytes.iter().zip(MAGIC).take_while(|(a, b)| a == b).count();
            // All but the number of the version.
            return Err(if same + 1 >= MAGIC.len() { ModelError::Version } else { ModelError::NotAModel });
        };
        let mut take = Take { rest };
        let (row, trees) = (take.count()?, take.count()?);
        if row != ROW {
            return Err(ModelError::Version);
        }
        let mut tables = [0; TABLES];
        for table in &mut tables {
            *table = take.count()?;
        }
        let tree = 6 * QUESTIONS + 4 * LEAVES;
        let head = MAGIC.len() + 4 * (3 + TABLES);
        let expected = head + trees * tree + tables.iter().sum::<usize>() * 8 + 8;
        if bytes.len() != expected {
            return Err(ModelError::Length { found: bytes.len(), expected });
        }
        let (body, sum) = bytes.split_at(bytes.len() - 8);
        if check_sum(body).to_le_bytes() != *sum {
            return Err(ModelError::Damaged);
        }
        let base = take.number()?;
        let trees = (0..trees).map(|_| take.tree()).collect::<Result<_, _>>()?;
        let mut table = |count: usize| -> Result<Sure, ModelError> {
            (0..count).map(|_| Ok((take.number()?, take.number()?))).collect()
        };
        let [sure, heel_start, heel_end, ball_start, ball_end, heel, ball] = tables;
        let sure = table(sure)?;
        let rests = [[table(heel_start)?, table(heel_end)?], [table(ball_start)?, table(ball_end)?]];
        let plants = [table(heel)?, table(ball)?];
        Ok(Self { base, trees, sure, rests, plants })
    }
}

/// Tables of a model: what scores are worth, how sure rests are at four kinds of edges, and plants of two points.
const TABLES: usize = 7;

/// The first or the last frames of a plant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Where it begins.
    Start,
    /// Where it ends.
    End,
}

/// Seconds from which on a plant is no longer short.
const LONG: f64 = 0.4;

/// How far a frame is from an edge of its plant, as [`Model::rests`] counts it: so many frames, of so many, in seconds. Those of
/// a plant of less than 0.4 s are stretched to that: a runner's heel rolls off in less time than a stroller's.
pub fn from_edge(frames: usize, of: usize, fps: f64) -> f32 {
    let lasts = (of.max(1) as f64 / fps).min(LONG);
    (frames as f64 / fps * (LONG / lasts)) as f32
}

/// What a table has for a number; nothing where it is empty.
fn read_off(table: &[(f32, f32)], number: f32) -> Option<f64> {
    let after = table.partition_point(|&(known, _)| known <= number);
    let (to, above) = *table.get(after).or(table.last())?;
    let (from, below) = *table.get(after.saturating_sub(1))?;
    let share = if to > from { ((number - from) / (to - from)).clamp(0.0, 1.0) } else { 0.0 };
    Some(f64::from(below + (above - below) * share))
}

struct Take<'a> {
    rest: &'a [u8],
}

impl Take<'_> {
    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], ModelError> {
        let (first, rest) = self.rest.split_first_chunk().ok_or(ModelError::Damaged)?;
        self.rest = rest;
        Ok(*first)
    }

    fn count(&mut self) -> Result<usize, ModelError> {
        let count = u32::from_le_bytes(self.bytes()?);
        // More than any model has, and little enough to be multiplied.
        if count > 1 << 20 { Err(ModelError::Damaged) } else { Ok(count as usize) }
    }

    fn number(&mut self) -> Result<f32, ModelError> {
        Ok(f32::from_le_bytes(self.bytes()?))
            .and_then(|n: f32| if n.is_nan() { Err(ModelError::Damaged) } else { Ok(n) })
    }

    fn tree(&mut self) -> Result<Tree, ModelError> {
        let mut tree = Tree::EMPTY;
        for feature in &mut tree.features {
            *feature = u16::from_le_bytes(self.bytes()?);
            if usize::from(*feature) >= ROW {
                return Err(ModelError::Damaged);
            }
        }
        for value in tree.thresholds.iter_mut().chain(&mut tree.leaves) {
            *value = self.number()?;
        }
        Ok(tree)
    }
}

/// FNV-1a: tells a changed byte, no more.
fn check_sum(bytes: &[u8]) -> u64 {
    let mix = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

/// Why bytes are no model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelError {
    /// They are something else.
    NotAModel,
    /// They are a model of another version of surefoot.
    Version,
    /// There are too few or too many.
    Length {
        /// How many there are.
        found: usize,
        /// How many a model of its size has.
        expected: usize,
    },
    /// They are not what was written.
    Damaged,
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAModel => write!(f, "not a surefoot model"),
            Self::Version => {
                write!(f, "a model of another version of surefoot, which this one cannot use; train it anew")
            }
            Self::Length { found, expected } => {
                write!(f, "{found} bytes, but a model of this size has {expected}; is it cut?")
            }
            Self::Damaged => write!(f, "the model's bytes are damaged"),
        }
    }
}

impl core::error::Error for ModelError {}
