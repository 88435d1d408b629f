//! The skeleton of a file, block by block.
//!
//! Words are read in any case, blocks may open on the same line or the next. Blocks are kept on a
//! list, not on the call stack, so that a skeleton may be as deep as its file is long.

use surefoot_core::{Joint, JointId, Vec3};

use super::error::{BvhError, Problem, name_of};
use super::read::Reader;
use super::{Channel, ChannelKind, numbers};

/// A block that is open.
pub(super) struct Block {
    joint: JointId,
    /// An `End Site`, which is no joint of its own.
    is_end: bool,
    has_offset: bool,
    has_channels: bool,
}

impl Reader<'_> {
    /// Reads all blocks. True if a `MOTION` follows.
    pub fn skeleton(&mut self) -> Result<bool, BvhError> {
        let (at, first) = self.as_str();
        if first.eq_ignore_ascii_case(b"root") {
            self.note(at, "HIERARCHY is missing before the first ROOT".into());
            self.at = at;
        } else if !first.eq_ignore_ascii_case(b"hierarchy") {
            return self.unexpected(at, first, "HIERARCHY: this is no BVH file");
        }
        loop {
            let (at, word) = self.as_str();
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
        let (from, word) = self.as_str();
        numbers::word(self.text, from..from + word.len(), || what.to_owned())
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
            let (at, word) = self.as_str();
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
            let (at, word) = self.as_str();
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
