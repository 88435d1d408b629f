//! Parses the `MOTION` section: the frame count, the frame time, then the table.

use core::ops::Range;

use surefoot_infer::Inferred;

use super::error::{BvhError, BvhProblem, decode};
use super::frame_rate;
use super::read::Reader;
use super::table::{self, Table};

/// The lines between `MOTION` and the table.
#[derive(Default)]
pub(super) struct Header {
    /// The number of frames that `Frames:` states.
    pub stated_frames: Option<usize>,
    /// Byte range of that number.
    pub frames_span: Option<Range<usize>>,
    /// The rate that `Frame Time:` stands for.
    pub rate: Option<Inferred<f64>>,
    /// Byte range of the frame time.
    pub frame_time_span: Option<Range<usize>>,
}

impl Reader<'_> {
    /// Parses `Frames:` and `Frame Time:`, in any order; either may be missing.
    pub fn motion_header(&mut self) -> Result<Header, BvhError> {
        let mut header = Header::default();
        loop {
            self.skip_blanks();
            let at = self.at;
            let is_letter = self.text.get(at).is_some_and(|byte| byte.is_ascii_alphabetic());
            if !is_letter || self.is_nan_or_inf() {
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

    /// Whether the table starts here with `nan` or `inf`, which the table's parser refuses.
    fn is_nan_or_inf(&self) -> bool {
        let word = &self.text[self.at..self.text.len().min(self.at + 3)];
        word.eq_ignore_ascii_case(b"nan") || word.eq_ignore_ascii_case(b"inf")
    }

    /// The letters of a line before its colon or number, in lower case, without blanks.
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

    /// The next word of the line; an empty range at the end of the line.
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
        header.stated_frames = count.filter(|count| (0.0..1e15).contains(count)).map(|count| count as usize);
        if header.stated_frames.is_none() {
            self.note(at, format!("Frames is {:?}: the frames were counted instead", decode(word)));
        }
        header.frames_span = Some(value);
    }

    fn frame_time_line(
        &mut self,
        header: &mut Header,
        value: Range<usize>,
        word: &[u8],
    ) -> Result<(), BvhError> {
        header.rate = Some(if word.is_empty() {
            frame_rate::assumed("Frame Time is left empty")
        } else {
            let seconds = table::parse_word(self.text, value.clone(), || "Frame Time".into())?;
            frame_rate::infer(seconds, &decode(word))
        });
        header.frame_time_span = Some(value);
        Ok(())
    }

    /// Parses the table and compares its length with the stated number of frames.
    pub fn table(&mut self, header: &Header) -> Result<Table, BvhError> {
        let at = self.spans.table;
        let width = self.channels.len();
        if width == 0 || !self.spans.has_motion {
            return self.empty_table(at, header);
        }
        let table = table::read_table(self.text, at, width, header.stated_frames)?;
        if !self.is_padded {
            table::check_last_number(self.text, &table, width)?;
        }
        if let Some(stated) = header.stated_frames.filter(|&stated| stated > 0 && table.frames == 0) {
            return self.fail(self.text.len(), BvhProblem::NoFrames { stated });
        }
        let line = header.frames_span.as_ref().map_or(at, |value| value.start);
        if let Some(note) = frame_count_note(header, table.frames) {
            self.note(line, note);
        }
        Ok(table)
    }

    /// The table of a file without `MOTION`, or without channels.
    fn empty_table(&mut self, at: usize, header: &Header) -> Result<Table, BvhError> {
        if at < self.text.len() {
            let (found, expected) = (1, 0);
            return self.fail(at, BvhProblem::FrameLength { frame: 0, found, expected });
        }
        if header.stated_frames.is_some_and(|stated| stated > 0) {
            self.note(at, "no joint has channels: the file has no frames".into());
        }
        Ok(Table { values: Vec::new(), frames: 0, is_frame_per_line: false })
    }
}

/// A note if `Frames:` differs from the number of frames in the table, or is missing.
fn frame_count_note(header: &Header, frames: usize) -> Option<String> {
    match header.stated_frames {
        Some(stated) if stated > frames => {
            Some(format!("Frames states {stated}, the file has {frames}: it may be truncated"))
        }
        Some(stated) if stated < frames => {
            Some(format!("Frames states {stated}, the file has {frames}: all were read"))
        }
        None if header.frames_span.is_none() => Some("Frames is missing: the frames were counted".into()),
        _ => None,
    }
}
