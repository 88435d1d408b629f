//! Reads the `.amc` file: for each frame its number, then a line for each bone with the values of its degrees of freedom.

use core::ops::Range;
use std::collections::BTreeMap;

use super::error::AcclaimError;
use super::skeleton::AcclaimSkeleton;
use super::words::{Lines, number};

/// The numbers of all frames.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// The columns of each bone in a row.
    pub columns: Vec<Range<usize>>,
    /// The numbers, row by row; a row has the numbers of all bones in the order of the skeleton.
    pub values: Vec<f64>,
    pub frames: usize,
    /// The byte range of each frame, from its number to the next one.
    pub spans: Vec<Range<usize>>,
    /// Whether angles are in radians.
    pub is_in_radians: bool,
    /// Frames per second, if the file states it.
    pub rate: Option<f64>,
}

impl Table {
    pub fn read(text: &[u8], skeleton: &AcclaimSkeleton) -> Result<Self, AcclaimError> {
        let mut end = 0;
        let column = |bone: &super::skeleton::Bone| {
            let start = end;
            end += bone.freedoms.len();
            start..end
        };
        let columns: Vec<Range<usize>> = skeleton.bones.iter().map(column).collect();
        let names = skeleton.bones.iter().enumerate().map(|(n, bone)| (bone.name.clone(), n)).collect();
        let table = Self { columns, is_in_radians: skeleton.is_in_radians, ..Self::default() };
        let seen = vec![false; skeleton.bones.len()];
        let mut reader = Reader { text, skeleton, names, table, seen };
        reader.read()?;
        Ok(reader.table)
    }

    /// The numbers of one frame.
    pub fn row(&self, frame: usize) -> &[f64] {
        let width = self.columns.last().map_or(0, |last| last.end);
        &self.values[frame * width..(frame + 1) * width]
    }
}

struct Reader<'t> {
    text: &'t [u8],
    skeleton: &'t AcclaimSkeleton,
    names: BTreeMap<String, usize>,
    table: Table,
    /// The bones that the current frame has had.
    seen: Vec<bool>,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), AcclaimError> {
        let mut lines = Lines::new(self.text);
        let mut words = Vec::new();
        while lines.next(&mut words) {
            let first = &self.text[words[0].clone()];
            if first.starts_with(b":") {
                self.keyword(&words);
            } else if words.len() == 1 && first.iter().all(u8::is_ascii_digit) {
                self.end_frame(words[0].start)?;
                self.begin_frame(words[0].start)?;
            } else {
                self.bone_line(&words)?;
            }
        }
        self.end_frame(self.text.len())
    }

    fn keyword(&mut self, words: &[Range<usize>]) {
        match &self.text[words[0].clone()].to_ascii_lowercase()[..] {
            b":degrees" => self.table.is_in_radians = false,
            b":radians" => self.table.is_in_radians = true,
            b":samples-per-second" => {
                let rate = words.get(1).and_then(|word| number(&self.text[word.clone()]));
                self.table.rate = rate.filter(|rate| *rate > 0.0);
            }
            _ => {}
        }
    }

    fn begin_frame(&mut self, at: usize) -> Result<(), AcclaimError> {
        let width = self.table.columns.last().map_or(0, |last| last.end);
        // The numbers of a frame need their bytes in the file: two for each.
        if self.table.values.len() + width > self.text.len() + width {
            let problem =
                format!("found frame {}, expected the numbers of the frames before", self.table.frames);
            return Err(AcclaimError::in_motion(self.text, at, problem));
        }
        self.table.values.resize(self.table.values.len() + width, 0.0);
        self.table.spans.push(at..at);
        self.table.frames += 1;
        self.seen.fill(false);
        Ok(())
    }

    /// Checks that the frame has a line for every bone that moves.
    fn end_frame(&mut self, at: usize) -> Result<(), AcclaimError> {
        let Some(span) = self.table.spans.last_mut() else { return Ok(()) };
        span.end = at;
        let moves = |n: &usize| !self.seen[*n] && !self.skeleton.bones[*n].freedoms.is_empty();
        match (0..self.seen.len()).find(moves) {
            None => Ok(()),
            Some(missing) => {
                let (frame, name) = (self.table.frames - 1, &self.skeleton.bones[missing].name);
                let problem =
                    format!("frame {frame} ends without bone {name:?}, expected a line for each bone");
                Err(AcclaimError::in_motion(self.text, at, problem))
            }
        }
    }

    fn bone_line(&mut self, words: &[Range<usize>]) -> Result<(), AcclaimError> {
        let name = String::from_utf8_lossy(&self.text[words[0].clone()]).into_owned();
        let fail = |at: usize, problem: String| Err(AcclaimError::in_motion(self.text, at, problem));
        let Some(frame) = self.table.frames.checked_sub(1) else {
            return fail(words[0].start, format!("found {name:?}, expected the number of the first frame"));
        };
        let Some(&bone) = self.names.get(&name) else {
            return fail(
                words[0].start,
                format!("frame {frame}: found bone {name:?}, expected a bone of the .asf file"),
            );
        };
        let columns = self.table.columns[bone].clone();
        if words.len() - 1 != columns.len() {
            let (found, expected) = (words.len() - 1, columns.len());
            let problem = format!("frame {frame}, bone {name:?}: found {found} numbers, expected {expected}");
            return fail(words[0].start, problem);
        }
        let row = self.table.values.len() - self.table.columns.last().map_or(0, |last| last.end);
        for (word, column) in words[1..].iter().zip(columns) {
            match number(&self.text[word.clone()]) {
                Some(value) => self.table.values[row + column] = value,
                None => {
                    let found = String::from_utf8_lossy(&self.text[word.clone()]).into_owned();
                    let problem = format!("frame {frame}, bone {name:?}: found {found:?}, expected a number");
                    return fail(word.start, problem);
                }
            }
        }
        self.seen[bone] = true;
        Ok(())
    }
}
