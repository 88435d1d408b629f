//! What follows `MOTION`: how many frames, how long each, and the table itself.

use core::ops::Range;

use surefoot_infer::Inferred;

use super::error::{BvhError, Problem, name_of};
use super::numbers::{self, Table};
use super::rate;
use super::read::Reader;

/// What stands between `MOTION` and the table.
#[derive(Default)]
pub(super) struct Header {
    pub promised: Option<usize>,
    pub frames_at: Option<Range<usize>>,
    pub rate: Option<Inferred<f64>>,
    pub frame_time_at: Option<Range<usize>>,
}

impl Reader<'_> {
    /// Reads `Frames:` and `Frame Time:`, in any order, either or both missing.
    pub fn motion_header(&mut self) -> Result<Header, BvhError> {
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
            let seconds = numbers::word(self.text, value.clone(), || "Frame Time".into())?;
            rate::rate(seconds, &name_of(word))
        });
        header.frame_time_at = Some(value);
        Ok(())
    }

    pub fn table(&mut self, header: &Header) -> Result<Table, BvhError> {
        let at = self.marks.table;
        let width = self.channels.len();
        if width == 0 || !self.marks.has_motion {
            return self.empty_table(at, header);
        }
        let table = numbers::read_table(self.text, at, width, header.promised)?;
        if !self.is_padded {
            numbers::check_last_number(self.text, &table, width)?;
        }
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
