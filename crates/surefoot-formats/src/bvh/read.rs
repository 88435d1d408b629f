//! Parses a BVH file: splits the text into words and collects the results of the other parsers.
//!
//! Joint names extend to the end of their line. A name that is not UTF-8 is decoded as Latin-1.

use core::ops::Range;

use surefoot_core::{Joint, Skeleton};

use super::error::{BvhError, BvhProblem, TextPosition, decode};
use super::hierarchy::Block;
use super::motion::Header;
use super::table::Table;
use super::{Bvh, Channel, Note, frame_rate};

/// Byte ranges of the text that the writer may replace.
#[derive(Clone, Debug, Default)]
pub(super) struct Spans {
    /// For each joint its channels, from the count to the last name; or the empty range after its
    /// offset, where a `CHANNELS` line would be inserted.
    pub channels: Vec<Range<usize>>,
    /// The number after `Frames:`.
    pub frames: Option<Range<usize>>,
    /// The value of that number, which the table may contradict; `None` if it is not a count.
    pub stated_frames: Option<usize>,
    /// The number after `Frame Time:`.
    pub frame_time: Option<Range<usize>>,
    /// First byte of the table.
    pub table: usize,
    /// Whether the file has a `MOTION` section.
    pub has_motion: bool,
    /// Whether every line of the table is one frame.
    pub is_frame_per_line: bool,
}

pub(super) fn read(text: Vec<u8>) -> Result<Bvh, BvhError> {
    let mut reader = Reader::new(&text)?;
    let has_motion = reader.hierarchy()?;
    let header = if has_motion { reader.motion_header()? } else { Header::default() };
    reader.spans.has_motion = has_motion;
    reader.spans.table = reader.at;
    let table = reader.table(&header)?;
    let Reader { joints, channels, channels_of, notes, mut spans, .. } = reader;
    spans.frames = header.frames_span;
    spans.stated_frames = header.stated_frames;
    spans.frame_time = header.frame_time_span;
    // Cannot fail: the parser lists parents first and refuses numbers that are not finite.
    let skeleton = Skeleton::new(joints).unwrap_or_default();
    let Table { values, frames, is_frame_per_line } = table;
    spans.is_frame_per_line = is_frame_per_line;
    let rate = header.rate.unwrap_or_else(|| frame_rate::assumed("the file gives no Frame Time"));
    Ok(Bvh { skeleton, channels, channels_of, values, frames, rate, notes, spans, text })
}

/// The state of parsing.
pub(super) struct Reader<'t> {
    /// The text without the padding (zeros, blanks, Ctrl-Z) some programs leave at the end.
    pub text: &'t [u8],
    /// Whether there was padding.
    pub is_padded: bool,
    /// The next byte to read.
    pub at: usize,
    pub joints: Vec<Joint>,
    pub channels: Vec<Channel>,
    pub channels_of: Vec<Range<usize>>,
    /// The open blocks, outermost first.
    pub open: Vec<Block>,
    /// Whether the next word must be the `{` of the innermost block.
    pub awaits_brace: bool,
    pub notes: Vec<Note>,
    pub spans: Spans,
}

impl<'t> Reader<'t> {
    fn new(text: &'t [u8]) -> Result<Self, BvhError> {
        let is_padding = |byte: &u8| matches!(byte, 0 | 0x1a) || byte.is_ascii_whitespace();
        let fail = |problem| Err(BvhError { position: TextPosition::of(text, 0), problem });
        if text.starts_with(&[0xff, 0xfe]) || text.starts_with(&[0xfe, 0xff]) {
            return fail(BvhProblem::Utf16);
        }
        let Some(last) = text.iter().rposition(|byte| !is_padding(byte)) else {
            return fail(BvhProblem::Empty);
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
            spans: Spans::default(),
        })
    }

    pub fn fail<T>(&self, at: usize, problem: BvhProblem) -> Result<T, BvhError> {
        Err(BvhError { position: TextPosition::of(self.text, at), problem })
    }

    pub fn unexpected<T>(&self, at: usize, word: &[u8], expected: impl Into<String>) -> Result<T, BvhError> {
        let found = decode(&word[..word.len().min(40)]);
        self.fail(at, BvhProblem::Unexpected { found, expected: expected.into() })
    }

    pub fn note(&mut self, at: usize, text: String) {
        /// Notes kept: a file with an irregularity on every line must not fill the memory or the screen.
        const MOST_NOTES: usize = 100;
        if self.notes.len() < MOST_NOTES {
            self.notes.push(Note { line: TextPosition::of(self.text, at).line, text });
        }
    }

    pub fn skip_blanks(&mut self) {
        let blanks =
            self.text[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == 0x0b);
        self.at += blanks.count();
    }

    /// The next word and its position: a brace, or everything up to the next white space or brace.
    /// The word is empty at the end of the text.
    pub fn next_word(&mut self) -> (usize, &'t [u8]) {
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

    /// The rest of the line, up to a `{`, without blanks around it.
    pub fn rest_of_line(&mut self) -> &'t [u8] {
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r' | b'{')).unwrap_or(rest.len());
        self.at += length;
        rest[..length].trim_ascii()
    }
}
