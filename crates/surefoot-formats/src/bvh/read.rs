//! Reads a BVH file: first the skeleton, then the table; here word by word.
//!
//! Names go to the end of their line. A name that is not UTF-8 is taken as Latin-1.

use core::ops::Range;

use surefoot_core::{Joint, Skeleton};

use super::error::{BvhError, Place, Problem, name_of};
use super::numbers::Table;
use super::skeleton::Block;
use super::table::Header;
use super::{Bvh, Channel, Note, rate};

/// Where things stand in the text, for the writer.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    /// For each joint its channels, from the count to the last name; or the empty range after its
    /// offset, where they would go.
    pub channels: Vec<Range<usize>>,
    /// The number after `Frames:`.
    pub frames: Option<Range<usize>>,
    /// The number after `Frame Time:`.
    pub frame_time: Option<Range<usize>>,
    /// Where the table begins.
    pub table: usize,
    /// Whether there is a `MOTION` at all.
    pub has_motion: bool,
}

pub(super) fn read(text: Vec<u8>) -> Result<Bvh, BvhError> {
    let mut reader = Reader::new(&text)?;
    let has_motion = reader.skeleton()?;
    let header = if has_motion { reader.motion_header()? } else { Header::default() };
    reader.marks.has_motion = has_motion;
    reader.marks.table = reader.at;
    let table = reader.table(&header)?;
    let Reader { joints, channels, channels_of, notes, mut marks, .. } = reader;
    marks.frames = header.frames_at;
    marks.frame_time = header.frame_time_at;
    // The reader lists parents first and refuses numbers that are not finite.
    let skeleton = Skeleton::new(joints).unwrap_or_default();
    let Table { values, frames } = table;
    let rate = header.rate.unwrap_or_else(|| rate::assumed("the file gives no Frame Time"));
    Ok(Bvh { skeleton, channels, channels_of, values, frames, rate, notes, marks, text })
}

/// A file being read, and what has been read of it.
pub(super) struct Reader<'t> {
    /// The text without the padding some programs leave after the last line.
    pub text: &'t [u8],
    /// Whether there was any.
    pub is_padded: bool,
    pub at: usize,
    pub joints: Vec<Joint>,
    pub channels: Vec<Channel>,
    pub channels_of: Vec<Range<usize>>,
    pub open: Vec<Block>,
    /// A block was named and its `{` is still to come.
    pub awaits_brace: bool,
    pub notes: Vec<Note>,
    pub marks: Marks,
}

impl<'t> Reader<'t> {
    fn new(text: &'t [u8]) -> Result<Self, BvhError> {
        let is_padding = |byte: &u8| matches!(byte, 0 | 0x1a) || byte.is_ascii_whitespace();
        let fail = |problem| Err(BvhError { place: Place::of(text, 0), problem });
        if text.starts_with(&[0xff, 0xfe]) || text.starts_with(&[0xfe, 0xff]) {
            return fail(Problem::Utf16);
        }
        let Some(last) = text.iter().rposition(|byte| !is_padding(byte)) else {
            return fail(Problem::Empty);
        };
        let at = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Ok(Self {
            text: &text[..last + 1],
            is_padded: last + 1 < text.len(),
            at,
            joints: Vec::new(),
            channels: Vec::new(),
            channels_of: Vec::new(),
            open: Vec::new(),
            awaits_brace: false,
            notes: Vec::new(),
            marks: Marks::default(),
        })
    }

    pub fn fail<T>(&self, at: usize, problem: Problem) -> Result<T, BvhError> {
        Err(BvhError { place: Place::of(self.text, at), problem })
    }

    pub fn unexpected<T>(&self, at: usize, word: &[u8], expected: impl Into<String>) -> Result<T, BvhError> {
        let found = name_of(&word[..word.len().min(40)]);
        self.fail(at, Problem::Unexpected { found, expected: expected.into() })
    }

    pub fn note(&mut self, at: usize, text: String) {
        // A file may be odd on every line: what matters is said once or a few times.
        const ENOUGH: usize = 100;
        if self.notes.len() < ENOUGH {
            self.notes.push(Note { line: Place::of(self.text, at).line, text });
        }
    }

    pub fn skip_blanks(&mut self) {
        let blanks =
            self.text[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == 0x0b);
        self.at += blanks.count();
    }

    /// The next word: a brace, or all up to the next white space or brace. Empty at the end.
    pub fn as_str(&mut self) -> (usize, &'t [u8]) {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        let ends = |&byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'{' | b'}');
        let length = match rest.first() {
            Some(b'{' | b'}') => 1,
            _ => rest.iter().position(ends).unwrap_or(rest.len()),
        };
        let from = self.at;
        self.at += length;
        (from, &rest[..length])
    }

    /// What is left of the line, up to a `{`, without blanks around it.
    pub fn rest_of_line(&mut self) -> &'t [u8] {
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r' | b'{')).unwrap_or(rest.len());
        self.at += length;
        rest[..length].trim_ascii()
    }
}
