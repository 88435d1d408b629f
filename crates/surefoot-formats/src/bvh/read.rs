//! Reads a BVH file: first the skeleton, block by block, then the table.
//!
//! Words are read in any case, blocks may open on the same line or the next, names go to the end
//! of their line. A name that is not UTF-8 is taken as Latin-1. Blocks are kept on a list, not on
//! the call stack, so that a skeleton may be as deep as its file is long.

use core::ops::Range;

use surefoot_core::understand::Finding;
use surefoot_core::{Joint, JointId, Skeleton, Vec3};

use super::error::{BvhError, Place, Problem, name_of};
use super::numbers::{Table, number, read_table};
use super::{Bvh, Channel, ChannelKind, Note, rate};

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

/// What stands between `MOTION` and the table.
#[derive(Default)]
struct Header {
    promised: Option<usize>,
    frames_at: Option<Range<usize>>,
    rate: Option<Finding<f64>>,
    frame_time_at: Option<Range<usize>>,
}

/// A block that is open.
struct Block {
    joint: JointId,
    /// An `End Site`, which is no joint of its own.
    is_end: bool,
    has_offset: bool,
    has_channels: bool,
}

struct Reader<'t> {
    /// The text without the padding some programs leave after the last line.
    text: &'t [u8],
    at: usize,
    joints: Vec<Joint>,
    channels: Vec<Channel>,
    channels_of: Vec<Range<usize>>,
    open: Vec<Block>,
    /// A block was named and its `{` is still to come.
    awaits_brace: bool,
    notes: Vec<Note>,
    marks: Marks,
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

    fn fail<T>(&self, at: usize, problem: Problem) -> Result<T, BvhError> {
        Err(BvhError { place: Place::of(self.text, at), problem })
    }

    fn unexpected<T>(&self, at: usize, word: &[u8], expected: impl Into<String>) -> Result<T, BvhError> {
        let found = name_of(&word[..word.len().min(40)]);
        self.fail(at, Problem::Unexpected { found, expected: expected.into() })
    }

    fn note(&mut self, at: usize, text: String) {
        // A file may be odd on every line: what matters is said once or a few times.
        const ENOUGH: usize = 100;
        if self.notes.len() < ENOUGH {
            self.notes.push(Note { line: Place::of(self.text, at).line, text });
        }
    }

    fn skip_blanks(&mut self) {
        let blanks =
            self.text[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == 0x0b);
        self.at += blanks.count();
    }

    /// The next word: a brace, or all up to the next white space or brace. Empty at the end.
    fn word(&mut self) -> (usize, &'t [u8]) {
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
    fn rest_of_line(&mut self) -> &'t [u8] {
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r' | b'{')).unwrap_or(rest.len());
        self.at += length;
        rest[..length].trim_ascii()
    }

    /// Reads all blocks. True if a `MOTION` follows.
    fn skeleton(&mut self) -> Result<bool, BvhError> {
        let (at, first) = self.word();
        if first.eq_ignore_ascii_case(b"root") {
            self.note(at, "HIERARCHY is missing before the first ROOT".into());
            self.at = at;
        } else if !first.eq_ignore_ascii_case(b"hierarchy") {
            return self.unexpected(at, first, "HIERARCHY: this is no BVH file");
        }
        loop {
            let (at, word) = self.word();
            if self.awaits_brace && word != b"{" {
                let name = self.innermost();
                return self.unexpected(at, word, format!("{{ after the name of {name:?}"));
            }
            match word.to_ascii_lowercase().as_slice() {
                b"{" if self.awaits_brace => self.awaits_brace = false,
                b"}" if !self.open.is_empty() => self.close(at),
                b"root" | b"joint" => self.open_joint(at, word)?,
                b"end" | b"endsite" if !self.open.is_empty() => self.open_end(at)?,
                b"offset" if !self.open.is_empty() => self.offset(at)?,
                b"channels" if !self.open.is_empty() => self.read_channels(at)?,
                b"motion" if self.open.is_empty() && !self.joints.is_empty() => return Ok(true),
                b"" => return self.end_of_skeleton(at),
                _ => return self.unexpected(at, word, self.what_may_follow()),
            }
        }
    }

    fn end_of_skeleton(&mut self, at: usize) -> Result<bool, BvhError> {
        if !self.open.is_empty() {
            return self.fail(at, Problem::CutSkeleton { open: self.open.len(), joint: self.innermost() });
        }
        if self.joints.is_empty() {
            return self.unexpected(at, b"", "ROOT");
        }
        self.note(at, "there is no MOTION: a skeleton without frames".into());
        Ok(false)
    }

    fn innermost(&self) -> String {
        self.open.last().map(|block| self.joints[block.joint.index()].name.clone()).unwrap_or_default()
    }

    fn what_may_follow(&self) -> &'static str {
        match self.open.last() {
            None if self.joints.is_empty() => "ROOT",
            None => "ROOT or MOTION",
            Some(block) if block.is_end => "OFFSET or }",
            Some(_) => "OFFSET, CHANNELS, JOINT, End Site or }",
        }
    }

    fn open_joint(&mut self, at: usize, word: &[u8]) -> Result<(), BvhError> {
        let parent = match self.open.last() {
            Some(block) if block.is_end => {
                return self.unexpected(at, word, self.what_may_follow());
            }
            block => block.map(|block| block.joint),
        };
        if parent.is_some() != word.eq_ignore_ascii_case(b"joint") {
            let right = if parent.is_some() { "JOINT" } else { "ROOT" };
            self.note(at, format!("{} where {right} belongs", name_of(word)));
        }
        let name = name_of(self.rest_of_line());
        self.open_block(name, parent, false);
        Ok(())
    }

    /// Opens an `End Site`, of which a joint has one; more become joints, so that none is lost.
    fn open_end(&mut self, at: usize) -> Result<(), BvhError> {
        let Some(block) = self.open.last() else {
            return Ok(());
        };
        if block.is_end {
            return self.unexpected(at, b"End", self.what_may_follow());
        }
        let joint = block.joint;
        self.rest_of_line();
        if self.joints[joint.index()].end.is_some() {
            self.open_block("End Site".into(), Some(joint), false);
        } else {
            self.open.push(Block { joint, is_end: true, has_offset: false, has_channels: false });
            self.awaits_brace = true;
        }
        Ok(())
    }

    fn open_block(&mut self, name: String, parent: Option<JointId>, is_end: bool) {
        let joint = JointId(self.joints.len() as u32);
        self.joints.push(Joint { name, parent, offset: Vec3::ZERO, end: None });
        self.channels_of.push(0..0);
        self.marks.channels.push(0..0);
        self.open.push(Block { joint, is_end, has_offset: false, has_channels: false });
        self.awaits_brace = true;
    }

    fn close(&mut self, at: usize) {
        let Some(block) = self.open.pop() else { return };
        if !block.has_offset && !block.is_end {
            let name = &self.joints[block.joint.index()].name;
            self.note(at, format!("joint {name:?} has no OFFSET: taken as 0 0 0"));
        }
        if !block.has_channels && !block.is_end && self.marks.channels[block.joint.index()].end == 0 {
            self.marks.channels[block.joint.index()] = at..at;
        }
    }

    fn offset(&mut self, at: usize) -> Result<(), BvhError> {
        let mut offset = Vec3::ZERO;
        for axis in 0..3 {
            offset[axis] = self.number("an offset")?;
        }
        let end = self.at;
        let Some(block) = self.open.last_mut() else {
            return Ok(());
        };
        if core::mem::replace(&mut block.has_offset, true) {
            return self.fail(at, Problem::Twice { what: "OFFSET", joint: self.innermost() });
        }
        let joint = &mut self.joints[block.joint.index()];
        if block.is_end {
            joint.end = Some(offset);
            return Ok(());
        }
        joint.offset = offset;
        if !block.has_channels {
            self.marks.channels[block.joint.index()] = end..end;
        }
        Ok(())
    }

    fn number(&mut self, what: &str) -> Result<f64, BvhError> {
        self.skip_blanks();
        if self.at == self.text.len() {
            return self.unexpected(self.at, b"", format!("a number of {what}"));
        }
        let (from, word) = self.word();
        // A brace may touch the last number of a block: read the word, not to the next blank.
        let (value, _) = number(&self.text[..from + word.len()], from, || what.to_owned())?;
        Ok(value)
    }

    fn read_channels(&mut self, at: usize) -> Result<(), BvhError> {
        let Some(block) = self.open.last_mut() else {
            return Ok(());
        };
        if core::mem::replace(&mut block.has_channels, true) {
            return self.fail(at, Problem::Twice { what: "CHANNELS", joint: self.innermost() });
        }
        if block.is_end {
            self.make_end_a_joint();
        }
        let Some(joint) = self.open.last().map(|block| block.joint) else {
            return Ok(());
        };
        self.skip_blanks();
        let from = self.at;
        let count = self.number("CHANNELS")?;
        let first = self.channels.len();
        let mut end = self.at;
        // The names say what there is, whatever the count says.
        loop {
            let (at, word) = self.word();
            let Some(kind) = channel_kind(word) else {
                self.at = at;
                break;
            };
            if kind == ChannelKind::Other {
                self.note(at, format!("channel {:?} is kept but has no effect here", name_of(word)));
            }
            self.channels.push(Channel { joint, kind });
            end = self.at;
        }
        let found = self.channels.len() - first;
        if count != found as f64 {
            let (at, word) = self.word();
            if found == 0 || (found as f64) < count && !is_keyword(word) {
                return self.unexpected(at, word, "a channel such as Xrotation or Yposition");
            }
            self.at = end;
            self.note(from, format!("CHANNELS says {count} and names {found}: taken as {found}"));
        }
        self.channels_of[joint.index()] = first..self.channels.len();
        self.marks.channels[joint.index()] = from..end;
        Ok(())
    }

    /// An end with channels moves: it is a joint.
    fn make_end_a_joint(&mut self) {
        let Some(block) = self.open.pop() else { return };
        let end = self.joints[block.joint.index()].end.take();
        self.open_block("End Site".into(), Some(block.joint), false);
        self.awaits_brace = false;
        if let Some(joint) = self.joints.last_mut() {
            joint.offset = end.unwrap_or(Vec3::ZERO);
        }
        if let Some(opened) = self.open.last_mut() {
            opened.has_offset = block.has_offset;
            opened.has_channels = true;
        }
    }

    /// Reads `Frames:` and `Frame Time:`, in any order, either or both missing.
    fn motion_header(&mut self) -> Result<Header, BvhError> {
        let mut header = Header::default();
        loop {
            self.skip_blanks();
            let at = self.at;
            if !self.text.get(at).is_some_and(|byte| byte.is_ascii_alphabetic()) || self.is_word_like_nan() {
                return Ok(header);
            }
            let name = self.header_name();
            let value = self.header_value();
            let word = &self.text[value.clone()];
            match name.as_slice() {
                b"frames" | b"frame" => self.frames_line(&mut header, at, value, word),
                b"frametime" => self.frame_time_line(&mut header, value, word)?,
                _ => {
                    let found = &self.text[at..value.start.max(at)];
                    return self.unexpected(
                        at,
                        found.trim_ascii(),
                        "Frames:, Frame Time: or the numbers of frame 0",
                    );
                }
            }
        }
    }

    /// A word such as `nan` in the table, which is for the table to refuse.
    fn is_word_like_nan(&self) -> bool {
        let word = &self.text[self.at..self.text.len().min(self.at + 3)];
        word.eq_ignore_ascii_case(b"nan") || word.eq_ignore_ascii_case(b"inf")
    }

    /// The letters of a line up to its colon or number, in lower case, without blanks.
    fn header_name(&mut self) -> Vec<u8> {
        let rest = &self.text[self.at..];
        let is_part = |byte: &&u8| byte.is_ascii_alphabetic() || matches!(byte, b' ' | b'\t' | b'_');
        let name: Vec<u8> = rest.iter().take_while(is_part).copied().collect();
        self.at += name.len();
        if self.text.get(self.at) == Some(&b':') {
            self.at += 1;
        }
        name.iter().filter(|byte| byte.is_ascii_alphabetic()).map(u8::to_ascii_lowercase).collect()
    }

    /// The next word of this line; an empty range at the line's end.
    fn header_value(&mut self) -> Range<usize> {
        while matches!(self.text.get(self.at), Some(b' ' | b'\t' | b':')) {
            self.at += 1;
        }
        let from = self.at;
        let length =
            self.text[from..].iter().position(u8::is_ascii_whitespace).unwrap_or(self.text.len() - from);
        self.at += length;
        from..self.at
    }

    fn frames_line(&mut self, header: &mut Header, at: usize, value: Range<usize>, word: &[u8]) {
        let count = core::str::from_utf8(word).ok().and_then(|word| word.parse::<f64>().ok());
        header.promised = count.filter(|count| (0.0..1e15).contains(count)).map(|count| count as usize);
        if header.promised.is_none() {
            self.note(at, format!("Frames is {:?}: the frames were counted instead", name_of(word)));
        }
        header.frames_at = Some(value);
    }

    fn frame_time_line(
        &mut self,
        header: &mut Header,
        value: Range<usize>,
        word: &[u8],
    ) -> Result<(), BvhError> {
        header.rate = Some(if word.is_empty() {
            rate::assumed("Frame Time is left empty")
        } else {
            let (seconds, _) = number(self.text, value.start, || "Frame Time".into())?;
            rate::rate(seconds, &name_of(word))
        });
        header.frame_time_at = Some(value);
        Ok(())
    }

    fn table(&mut self, header: &Header) -> Result<Table, BvhError> {
        let at = self.marks.table;
        let width = self.channels.len();
        if width == 0 || !self.marks.has_motion {
            return self.empty_table(at, header);
        }
        let table = read_table(self.text, at, width, header.promised)?;
        let line = header.frames_at.as_ref().map_or(at, |value| value.start);
        match header.promised {
            Some(promised) if promised > 0 && table.frames == 0 => {
                return self.fail(self.text.len(), Problem::NoFrames { promised });
            }
            Some(promised) if promised > table.frames => {
                self.note(
                    line,
                    format!("Frames says {promised}, the file holds {}: it may be cut", table.frames),
                );
            }
            Some(promised) if promised < table.frames => {
                self.note(
                    line,
                    format!("Frames says {promised}, the file holds {}: all were read", table.frames),
                );
            }
            None if header.frames_at.is_none() => {
                self.note(line, "Frames is missing: the frames were counted".into())
            }
            _ => {}
        }
        Ok(table)
    }

    /// A file without motion, or whose joints have no channels to move by.
    fn empty_table(&mut self, at: usize, header: &Header) -> Result<Table, BvhError> {
        if at < self.text.len() {
            let (found, expected) = (1, 0);
            return self.fail(at, Problem::FrameLength { frame: 0, found, expected });
        }
        if header.promised.is_some_and(|promised| promised > 0) {
            self.note(at, "no joint has channels: there are no frames".into());
        }
        Ok(Table { values: Vec::new(), frames: 0 })
    }
}

fn is_keyword(word: &[u8]) -> bool {
    let words: [&[u8]; 8] = [b"joint", b"end", b"endsite", b"offset", b"{", b"}", b"root", b"motion"];
    words.iter().any(|keyword| word.eq_ignore_ascii_case(keyword))
}

/// What a channel's name says, if it is one.
fn channel_kind(word: &[u8]) -> Option<ChannelKind> {
    let (first, rest) = word.split_first()?;
    let axis = usize::from(first.to_ascii_lowercase().checked_sub(b'x').filter(|&axis| axis < 3)?);
    let rest = rest.strip_prefix(b"_").unwrap_or(rest).to_ascii_lowercase();
    match rest.as_slice() {
        b"rotation" | b"rot" | b"rotate" => Some(ChannelKind::Rotation(axis)),
        b"position" | b"pos" | b"translation" | b"trans" | b"translate" => Some(ChannelKind::Position(axis)),
        b"scale" | b"scaling" => Some(ChannelKind::Other),
        _ => None,
    }
}
