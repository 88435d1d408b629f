//! Reads from a connection until a deadline, however slowly the bytes arrive.

use std::io::{self, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A connection that can be read until a deadline. A timeout for each read alone would let a sender of one byte at a
/// time hold the connection for ever.
pub struct DeadlineReader<'s> {
    stream: &'s TcpStream,
    end: Instant,
}

impl<'s> DeadlineReader<'s> {
    /// A reader that fails from this time on.
    pub fn new(stream: &'s TcpStream, time: Duration) -> Self {
        Self { stream, end: Instant::now() + time }
    }

    /// Sets the deadline again, from now.
    pub fn restart(&mut self, time: Duration) {
        self.end = Instant::now() + time;
    }
}

impl Read for DeadlineReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(buffer)
    }
}
