//! Records as they come: which encoding, how long, whole or cut.

use std::io::{BufRead, Read};

use super::error::{At, StreamError, StreamProblem, short};
use super::ndjson::Line;
use super::{Encoding, End, Frame, Header, LONGEST_HEADER, Layout, binary, header, ndjson};

/// The longest line of a frame: so many bytes, and so many a joint. A joint of seven numbers with
/// all their digits takes 200.
const LONGEST_LINE: usize = 64 << 10;
const LONGEST_JOINT: usize = 1 << 10;

/// A stream that is being read. After an error or the end there is nothing more to read.
pub struct Reader<R> {
    input: R,
    encoding: Encoding,
    /// Where the record at hand begins.
    line: usize,
    byte: u64,
    /// How many bytes have come.
    came: u64,
    /// The record at hand.
    record: Vec<u8>,
    /// How many frames have been read, and the number of the next where one has.
    frames: usize,
    next: Option<usize>,
    ended: bool,
    /// Whether every frame must say who is held.
    must_say: bool,
}

/// What comes next in a stream.
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// A frame.
    Frame,
    /// The end, said.
    End(End),
    /// No more bytes, and no end said.
    EndOfInput,
}

impl<R: BufRead> Reader<R> {
    /// Reads the header. The first byte tells the encoding.
    pub fn begin(input: R) -> Result<(Self, Header), StreamError> {
        let mut reader = Self {
            input,
            encoding: Encoding::Ndjson,
            line: 1,
            byte: 0,
            came: 0,
            record: Vec::new(),
            frames: 0,
            next: None,
            ended: false,
            must_say: true,
        };
        let header = reader.header().map_err(|problem| reader.error(problem, true))?;
        Ok((reader, header))
    }

    /// How the stream is written.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// From here on a frame need not say who is held: the reader of the frames finds it out.
    pub fn allow_missing_held(&mut self) {
        self.must_say = false;
    }

    /// Reads a frame into `frame`, or finds the end.
    pub fn next(&mut self, layout: &Layout, frame: &mut Frame) -> Result<Record, StreamError> {
        let read = match self.encoding {
            Encoding::Ndjson => self.next_line(layout, frame),
            Encoding::Binary => self.next_record(layout, frame),
        };
        read.map_err(|problem| self.error(problem, false))
    }

    fn error(&self, problem: StreamProblem, in_header: bool) -> StreamError {
        let line = Some(self.line).filter(|_| self.encoding == Encoding::Ndjson);
        let frame = Some(self.next.unwrap_or(0)).filter(|_| !in_header);
        StreamError { at: At { line, byte: self.byte, frame }, problem }
    }

    fn header(&mut self) -> Result<Header, StreamProblem> {
        let first = loop {
            let bytes = self.input.fill_buf();
            match bytes.map(|bytes| bytes.first().copied()) {
                Ok(first) => break first,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(cannot(&error)),
            }
        };
        match first {
            None => Err(StreamProblem::Empty),
            Some(b'S') => self.binary_header(),
            Some(b'{') => {
                self.take_line(LONGEST_HEADER)?;
                header::read(&self.record)
            }
            Some(_) => {
                self.take(8)?;
                Err(self.not_a_stream())
            }
        }
    }

    fn binary_header(&mut self) -> Result<Header, StreamProblem> {
        self.encoding = Encoding::Binary;
        self.take(16)?;
        let magic = self.record.len().min(8);
        if self.record[..magic] != binary::MAGIC[..magic] {
            return Err(self.not_a_stream());
        }
        let &[_, _, _, _, _, _, _, _, v0, v1, v2, v3, l0, l1, l2, l3] = &self.record[..] else {
            return Err(self.cut(Some(16)));
        };
        let version = u32::from_le_bytes([v0, v1, v2, v3]);
        if version != binary::VERSION {
            return Err(StreamProblem::Version { found: Some(format!("binary version {version}")) });
        }
        let length = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
        self.take_text(length)?;
        header::read(&self.record)
    }

    fn next_line(&mut self, layout: &Layout, frame: &mut Frame) -> Result<Record, StreamProblem> {
        loop {
            self.byte = self.came;
            self.line += 1;
            self.take_line(LONGEST_LINE + LONGEST_JOINT * layout.skeleton.len())?;
            if self.record.is_empty() {
                return Ok(Record::EndOfInput);
            }
            if !self.record.trim_ascii().is_empty() {
                break;
            }
        }
        if self.ended {
            return Err(StreamProblem::AfterEnd);
        }
        match ndjson::read(&self.record, layout, frame, self.must_say)? {
            Line::Frame { number } => self.number(number, frame),
            Line::End(end) => self.end(end),
        }
    }

    fn next_record(&mut self, layout: &Layout, frame: &mut Frame) -> Result<Record, StreamProblem> {
        self.byte = self.came;
        self.take(8)?;
        if self.record.is_empty() {
            return Ok(Record::EndOfInput);
        }
        let Some((&tag, length)) = self.record.split_first_chunk::<4>() else {
            return Err(self.cut(Some(8)));
        };
        if self.ended {
            return Err(StreamProblem::AfterEnd);
        }
        let Some(&length) = length.first_chunk::<4>() else { return Err(self.cut(Some(8))) };
        let length = u32::from_le_bytes(length);
        if &tag == binary::END {
            self.take_text(length as usize)?;
            let end = serde_json::from_slice(&self.record)
                .map_err(|error| header::not_json(&error, &self.record))?;
            return self.end(end);
        }
        if &tag != binary::FRAME {
            return Err(StreamProblem::Tag { found: String::from_utf8_lossy(&tag).into_owned() });
        }
        let size = binary::size(layout);
        if length as usize != size {
            return Err(StreamProblem::Size { found: length, expected: size });
        }
        self.take(size)?;
        if self.record.len() < size {
            return Err(StreamProblem::Cut { found: 8 + self.record.len(), expected: Some(8 + size) });
        }
        let number = binary::read(&self.record, layout, frame)?;
        self.number(Some(number), frame)
    }

    /// Gives a frame its number, if that is the next one. The first may have any.
    fn number(&mut self, found: Option<u64>, frame: &mut Frame) -> Result<Record, StreamProblem> {
        /// No stream runs for so long, and one more is still a number everywhere.
        const MOST: u64 = 1 << 53;
        let number = found.unwrap_or(self.next.unwrap_or(0) as u64);
        let expected = self.next.unwrap_or(number.min(MOST) as usize);
        if number != expected as u64 {
            return Err(StreamProblem::Number { found: number, expected });
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
        self.ended = true;
        Ok(Record::End(end))
    }

    /// Reads a line of at most so many bytes, with its line break if it has one.
    fn take_line(&mut self, limit: usize) -> Result<(), StreamProblem> {
        self.record.clear();
        let mut limited = (&mut self.input).take(limit as u64 + 1);
        limited.read_until(b'\n', &mut self.record).map_err(|error| cannot(&error))?;
        self.came += self.record.len() as u64;
        if self.record.len() > limit { Err(StreamProblem::TooLong { limit }) } else { Ok(()) }
    }

    /// Reads so many bytes, or as many as there are.
    fn take(&mut self, count: usize) -> Result<(), StreamProblem> {
        self.record.clear();
        // Memory is taken as bytes come, not on the word of the stream.
        let mut limited = (&mut self.input).take(count as u64);
        limited.read_to_end(&mut self.record).map_err(|error| cannot(&error))?;
        self.came += self.record.len() as u64;
        Ok(())
    }

    /// Reads JSON of a stated length.
    fn take_text(&mut self, length: usize) -> Result<(), StreamProblem> {
        if length > LONGEST_HEADER {
            return Err(StreamProblem::TooLong { limit: LONGEST_HEADER });
        }
        self.take(length)?;
        if self.record.len() < length {
            return Err(self.cut(Some(length)));
        }
        // As a line that is whole.
        self.record.push(b'\n');
        Ok(())
    }

    fn cut(&self, expected: Option<usize>) -> StreamProblem {
        StreamProblem::Cut { found: self.record.len(), expected }
    }

    fn not_a_stream(&self) -> StreamProblem {
        StreamProblem::NotAStream { found: short(&String::from_utf8_lossy(&self.record)) }
    }
}

fn cannot(error: &std::io::Error) -> StreamProblem {
    StreamProblem::Read(error.to_string())
}
