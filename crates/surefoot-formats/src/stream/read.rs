//! Reads the records of a stream: detects the encoding, limits lengths and reports truncation.

use std::io::{BufRead, Read};

use super::error::{StreamError, StreamPosition, StreamProblem};
use super::ndjson::Line;
use super::{Encoding, End, Frame, Header, LONGEST_HEADER, Layout, binary, header, ndjson};
use crate::json::shorten;

/// Most bytes of a frame's line, beside [`LONGEST_JOINT`] bytes per joint.
const LONGEST_LINE: usize = 64 << 10;
/// Most bytes of a frame's line per joint. Seven numbers with all their digits take 200.
const LONGEST_JOINT: usize = 1 << 10;

/// Reads a stream. After an error or the end of input no more records can be read.
pub struct Reader<R> {
    input: R,
    encoding: Encoding,
    /// The line of the current record, from 1.
    line: usize,
    /// The first byte of the current record.
    byte: u64,
    /// The number of bytes read.
    bytes_read: u64,
    /// The bytes of the current record.
    record: Vec<u8>,
    /// The number of frames read.
    frames: usize,
    /// The number of the next frame; `None` before the first.
    next: Option<usize>,
    has_ended: bool,
    /// Whether every frame must have the field `held`.
    held_is_required: bool,
}

/// A record of a stream.
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// A frame, written to the caller's `Frame`.
    Frame,
    /// The end record.
    End(End),
    /// The end of the input, with or without an end record before it.
    EndOfInput,
}

impl<R: BufRead> Reader<R> {
    /// Reads the header. Its first byte determines the encoding.
    pub fn begin(input: R) -> Result<(Self, Header), StreamError> {
        let mut reader = Self {
            input,
            encoding: Encoding::Ndjson,
            line: 1,
            byte: 0,
            bytes_read: 0,
            record: Vec::new(),
            frames: 0,
            next: None,
            has_ended: false,
            held_is_required: true,
        };
        let header = reader.header().map_err(|problem| reader.header_error(problem))?;
        Ok((reader, header))
    }

    /// The encoding of the stream.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Accepts frames without the field `held`, for callers that detect the plants themselves.
    pub fn allow_missing_held(&mut self) {
        self.held_is_required = false;
    }

    /// Reads the next record. A frame is written to `frame`.
    pub fn next(&mut self, layout: &Layout, frame: &mut Frame) -> Result<Record, StreamError> {
        let read = match self.encoding {
            Encoding::Ndjson => self.next_line(layout, frame),
            Encoding::Binary => self.next_binary(layout, frame),
        };
        read.map_err(|problem| self.frame_error(problem))
    }

    fn header_error(&self, problem: StreamProblem) -> StreamError {
        StreamError { at: self.position(None), problem }
    }

    fn frame_error(&self, problem: StreamProblem) -> StreamError {
        StreamError { at: self.position(Some(self.next.unwrap_or(0))), problem }
    }

    fn position(&self, frame: Option<usize>) -> StreamPosition {
        let line = Some(self.line).filter(|_| self.encoding == Encoding::Ndjson);
        StreamPosition { line, byte: self.byte, frame }
    }

    fn header(&mut self) -> Result<Header, StreamProblem> {
        let first = loop {
            let bytes = self.input.fill_buf();
            match bytes.map(|bytes| bytes.first().copied()) {
                Ok(first) => break first,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(read_error(&error)),
            }
        };
        match first {
            None => Err(StreamProblem::Empty),
            Some(b'S') => self.binary_header(),
            Some(b'{') => {
                self.read_line(LONGEST_HEADER)?;
                header::read(&self.record)
            }
            Some(_) => {
                self.read_bytes(8)?;
                Err(self.not_a_stream())
            }
        }
    }

    fn binary_header(&mut self) -> Result<Header, StreamProblem> {
        self.encoding = Encoding::Binary;
        // Magic number, version and length of the JSON text.
        self.read_bytes(16)?;
        let magic = self.record.len().min(8);
        if self.record[..magic] != binary::MAGIC[..magic] {
            return Err(self.not_a_stream());
        }
        let &[_, _, _, _, _, _, _, _, v0, v1, v2, v3, l0, l1, l2, l3] = &self.record[..] else {
            return Err(self.truncated(16));
        };
        let version = u32::from_le_bytes([v0, v1, v2, v3]);
        if version != binary::VERSION {
            return Err(StreamProblem::Version { found: Some(format!("binary version {version}")) });
        }
        let length = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
        self.read_text(length)?;
        header::read(&self.record)
    }

    fn next_line(&mut self, layout: &Layout, frame: &mut Frame) -> Result<Record, StreamProblem> {
        loop {
            self.byte = self.bytes_read;
            self.line += 1;
            self.read_line(LONGEST_LINE + LONGEST_JOINT * layout.skeleton.len())?;
            if self.record.is_empty() {
                return Ok(Record::EndOfInput);
            }
            if !self.record.trim_ascii().is_empty() {
                break;
            }
        }
        if self.has_ended {
            return Err(StreamProblem::AfterEnd);
        }
        match ndjson::read(&self.record, layout, frame)? {
            Line::Frame { has_held: false, .. } if self.held_is_required => Err(StreamProblem::NoHeld),
            Line::Frame { number, .. } => self.number(number, frame),
            Line::End(end) => self.end(end),
        }
    }

    fn next_binary(&mut self, layout: &Layout, frame: &mut Frame) -> Result<Record, StreamProblem> {
        self.byte = self.bytes_read;
        // Tag and length.
        self.read_bytes(8)?;
        if self.record.is_empty() {
            return Ok(Record::EndOfInput);
        }
        let Some((&tag, length)) = self.record.split_first_chunk::<4>() else {
            return Err(self.truncated(8));
        };
        if self.has_ended {
            return Err(StreamProblem::AfterEnd);
        }
        let Some(&length) = length.first_chunk::<4>() else { return Err(self.truncated(8)) };
        let length = u32::from_le_bytes(length);
        if &tag == binary::END {
            self.read_text(length as usize)?;
            let end = serde_json::from_slice(&self.record)
                .map_err(|error| header::not_json(&error, &self.record))?;
            return self.end(end);
        }
        if &tag != binary::FRAME {
            return Err(StreamProblem::UnknownTag { found: String::from_utf8_lossy(&tag).into_owned() });
        }
        let size = binary::size(layout);
        if length as usize != size {
            return Err(StreamProblem::FrameSize { found: length, expected: size });
        }
        self.read_bytes(size)?;
        if self.record.len() < size {
            return Err(StreamProblem::Truncated { found: 8 + self.record.len(), expected: Some(8 + size) });
        }
        let number = binary::read(&self.record, layout, frame)?;
        self.number(Some(number), frame)
    }

    /// Sets the number of a frame. The first frame may have any number, the others must follow it.
    fn number(&mut self, found: Option<u64>, frame: &mut Frame) -> Result<Record, StreamProblem> {
        /// Largest first number: up to 2⁵³ JSON numbers are exact, and counting on cannot overflow.
        const MOST: u64 = 1 << 53;
        let number = found.unwrap_or(self.next.unwrap_or(0) as u64);
        let expected = self.next.unwrap_or(number.min(MOST) as usize);
        if number != expected as u64 {
            return Err(StreamProblem::FrameNumber { found: number, expected });
        }
        frame.number = expected;
        self.next = Some(expected + 1);
        self.frames += 1;
        Ok(Record::Frame)
    }

    fn end(&mut self, end: End) -> Result<Record, StreamProblem> {
        if end.frames != self.frames {
            return Err(StreamProblem::EndCount { found: end.frames, expected: self.frames });
        }
        self.has_ended = true;
        Ok(Record::End(end))
    }

    /// Reads a line of at most `limit` bytes into `record`, with its line break if it has one.
    fn read_line(&mut self, limit: usize) -> Result<(), StreamProblem> {
        self.record.clear();
        let mut limited = (&mut self.input).take(limit as u64 + 1);
        limited.read_until(b'\n', &mut self.record).map_err(|error| read_error(&error))?;
        self.bytes_read += self.record.len() as u64;
        if self.record.len() > limit { Err(StreamProblem::TooLong { limit }) } else { Ok(()) }
    }

    /// Reads `count` bytes into `record`, or fewer at the end of the input.
    fn read_bytes(&mut self, count: usize) -> Result<(), StreamProblem> {
        self.record.clear();
        // Memory grows with the bytes that arrive, not with the stated length.
        let mut limited = (&mut self.input).take(count as u64);
        limited.read_to_end(&mut self.record).map_err(|error| read_error(&error))?;
        self.bytes_read += self.record.len() as u64;
        Ok(())
    }

    /// Reads JSON of a stated length into `record`.
    fn read_text(&mut self, length: usize) -> Result<(), StreamProblem> {
        if length > LONGEST_HEADER {
            return Err(StreamProblem::TooLong { limit: LONGEST_HEADER });
        }
        self.read_bytes(length)?;
        if self.record.len() < length {
            return Err(self.truncated(length));
        }
        // The parser takes a text without a line break for a truncated line.
        self.record.push(b'\n');
        Ok(())
    }

    fn truncated(&self, expected: usize) -> StreamProblem {
        StreamProblem::Truncated { found: self.record.len(), expected: Some(expected) }
    }

    fn not_a_stream(&self) -> StreamProblem {
        StreamProblem::NotAStream { found: shorten(&String::from_utf8_lossy(&self.record)) }
    }
}

fn read_error(error: &std::io::Error) -> StreamProblem {
    StreamProblem::Read(error.to_string())
}
