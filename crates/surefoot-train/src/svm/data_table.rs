//! Table 1 of the thesis on our data: motions and frames of each kind.

use std::collections::BTreeMap;

use crate::frame_examples::{COPIES, FrameExamples};
use crate::labelled_motion::LabelledMotion;

/// A row of table 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataRow {
    /// The kind of motion; `None` for the damaged copies, which take the place of the thesis's synthesised motions.
    pub kind: Option<String>,
    /// Whether it is locomotion.
    pub is_locomotion: bool,
    /// Number of motions.
    pub motions: usize,
    /// Number of labelled frames, at 30 per second.
    pub frames: usize,
}

/// Table 1 of the thesis: whether it is locomotion, the kind, motions and frames.
pub(super) const THESIS: [(bool, &str, usize, usize); 7] = [
    (true, "walk", 9, 692),
    (true, "run", 9, 549),
    (true, "jump", 18, 923),
    (true, "synthesised", 15, 1_542),
    (false, "punch", 18, 639),
    (false, "kick", 18, 920),
    (false, "synthesised", 40, 3_221),
];

/// The rows of locomotion, then those of other motions; the damaged copies last.
pub(super) fn data_table(motions: &[&LabelledMotion], examples: &FrameExamples) -> Vec<DataRow> {
    let mut frames = vec![[0, 0]; motions.len()];
    for example in &examples.frames {
        frames[example.motion][usize::from(example.is_damaged)] += 1;
    }
    let mut rows: BTreeMap<(bool, Option<&str>), (usize, usize)> = BTreeMap::new();
    for (number, labelled) in motions.iter().enumerate() {
        let [captured, damaged] = frames[number];
        let kind = Some(labelled.info.kind.as_str());
        for (kind, copies, frames) in [(kind, 1, captured), (None, COPIES as usize, damaged)] {
            let row = rows.entry((!examples.locomotion[number], kind)).or_default();
            *row = (row.0 + copies, row.1 + frames);
        }
    }
    let mut rows: Vec<DataRow> = rows
        .into_iter()
        .map(|((is_other, kind), (motions, frames))| DataRow {
            kind: kind.map(str::to_owned),
            is_locomotion: !is_other,
            motions,
            frames,
        })
        .collect();
    rows.sort_by_key(|row| (!row.is_locomotion, row.kind.is_none()));
    rows
}
