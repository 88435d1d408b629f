//! Parses the `HIERARCHY` section: nested blocks of joints.
//!
//! Keywords may have any case, and a block's brace may be on the same line or the next. Open blocks
//! are kept in a list, not on the call stack, so that a deep hierarchy cannot overflow it.

use surefoot_core::{Joint, JointId, Vec3};

use super::error::{BvhError, BvhProblem, decode};
use super::read::Reader;
use super::{Channel, ChannelKind, table};

/// A block whose closing brace has not been read yet.
pub(super) struct Block {
    joint: JointId,
    /// Whether the block is an `End Site` of `joint`, not a joint.
    is_end: bool,
    has_offset: bool,
    has_channels: bool,
}

impl Reader<'_> {
    /// Parses all blocks. Returns whether a `MOTION` section follows.
    pub fn hierarchy(&mut self) -> Result<bool, BvhError> {
        let (at, first) = self.next_word();
        if first.eq_ignore_ascii_case(b"root") {
            self.note(at, "HIERARCHY is missing before the first ROOT".into());
            self.at = at;
        } else if !first.eq_ignore_ascii_case(b"hierarchy") {
            return self.unexpected(at, first, "HIERARCHY: this is not a BVH file");
        }
        loop {
            let (at, word) = self.next_word();
            if self.awaits_brace && word != b"{" {
                let name = self.innermost_joint();
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
                b"" => return self.end_of_hierarchy(at),
                _ => return self.unexpected(at, word, self.expected_keywords()),
            }
        }
    }

    fn end_of_hierarchy(&mut self, at: usize) -> Result<bool, BvhError> {
        if !self.open.is_empty() {
            let (open, joint) = (self.open.len(), self.innermost_joint());
            return self.fail(at, BvhProblem::TruncatedHierarchy { open, joint });
        }
        if self.joints.is_empty() {
            return self.unexpected(at, b"", "ROOT");
        }
        self.note(at, "MOTION is missing: the file is a skeleton without frames".into());
        Ok(false)
    }

    /// The name of the innermost open joint, for messages.
    fn innermost_joint(&self) -> String {
        self.open.last().map(|block| self.joints[block.joint.index()].name.clone()).unwrap_or_default()
    }

    fn expected_keywords(&self) -> &'static str {
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
                return self.unexpected(at, word, self.expected_keywords());
            }
            block => block.map(|block| block.joint),
        };
        if parent.is_some() != word.eq_ignore_ascii_case(b"joint") {
            let expected = if parent.is_some() { "JOINT" } else { "ROOT" };
            self.note(at, format!("found {}, expected {expected}: read as {expected}", decode(word)));
        }
        let name = decode(self.rest_of_line());
        self.open_block(name, parent, false);
        Ok(())
    }

    /// Opens an `End Site`. Further end sites of a joint become child joints, so that none is lost.
    fn open_end(&mut self, at: usize) -> Result<(), BvhError> {
        let Some(block) = self.open.last() else {
            return Ok(());
        };
        if block.is_end {
            return self.unexpected(at, b"End", self.expected_keywords());
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
        self.spans.channels.push(0..0);
        self.open.push(Block { joint, is_end, has_offset: false, has_channels: false });
        self.awaits_brace = true;
    }

    fn close(&mut self, at: usize) {
        let Some(block) = self.open.pop() else { return };
        if !block.has_offset && !block.is_end {
            let name = &self.joints[block.joint.index()].name;
            self.note(at, format!("joint {name:?} has no OFFSET: read as 0 0 0"));
        }
        if !block.has_channels && !block.is_end && self.spans.channels[block.joint.index()].end == 0 {
            self.spans.channels[block.joint.index()] = at..at;
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
            let joint = self.innermost_joint();
            return self.fail(at, BvhProblem::Duplicate { keyword: "OFFSET", joint });
        }
        let joint = &mut self.joints[block.joint.index()];
        if block.is_end {
            joint.end = Some(offset);
            return Ok(());
        }
        joint.offset = offset;
        if !block.has_channels {
            self.spans.channels[block.joint.index()] = end..end;
        }
        Ok(())
    }

    /// Parses the next word as a number. `context` names what the number belongs to, for errors.
    fn number(&mut self, context: &str) -> Result<f64, BvhError> {
        self.skip_blanks();
        if self.at == self.text.len() {
            return self.unexpected(self.at, b"", format!("a number of {context}"));
        }
        let (from, word) = self.next_word();
        table::parse_word(self.text, from..from + word.len(), || context.to_owned())
    }

    fn read_channels(&mut self, at: usize) -> Result<(), BvhError> {
        let Some(block) = self.open.last_mut() else {
            return Ok(());
        };
        if core::mem::replace(&mut block.has_channels, true) {
            let joint = self.innermost_joint();
            return self.fail(at, BvhProblem::Duplicate { keyword: "CHANNELS", joint });
        }
        if block.is_end {
            self.turn_end_into_joint();
        }
        let Some(joint) = self.open.last().map(|block| block.joint) else {
            return Ok(());
        };
        self.skip_blanks();
        let from = self.at;
        let count = self.number("CHANNELS")?;
        let first = self.channels.len();
        let end = self.channel_names(joint);
        let found = self.channels.len() - first;
        if count != found as f64 {
            let (at, word) = self.next_word();
            if found == 0 || (found as f64) < count && !is_keyword(word) {
                return self.unexpected(at, word, "a channel such as Xrotation or Yposition");
            }
            self.at = end;
            self.note(from, format!("CHANNELS states {count} and names {found}: read as {found}"));
        }
        self.channels_of[joint.index()] = first..self.channels.len();
        self.spans.channels[joint.index()] = from..end;
        Ok(())
    }

    /// Reads words while they are channel names. Returns the end of the last one.
    fn channel_names(&mut self, joint: JointId) -> usize {
        let mut end = self.at;
        loop {
            let (at, word) = self.next_word();
            let Some(kind) = channel_kind(word) else {
                self.at = at;
                return end;
            };
            if kind == ChannelKind::Other {
                self.note(at, format!("channel {:?} is copied but has no effect", decode(word)));
            }
            self.channels.push(Channel { joint, kind });
            end = self.at;
        }
    }

    /// Replaces the innermost `End Site` by a joint, because it has channels.
    fn turn_end_into_joint(&mut self) {
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
}

fn is_keyword(word: &[u8]) -> bool {
    let words: [&[u8]; 8] = [b"joint", b"end", b"endsite", b"offset", b"{", b"}", b"root", b"motion"];
    words.iter().any(|keyword| word.eq_ignore_ascii_case(keyword))
}

/// The meaning of a channel name; `None` for any other word.
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
