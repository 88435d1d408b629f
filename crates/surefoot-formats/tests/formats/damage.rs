//! Damages copies of a file at random, to test that a reader accepts or refuses each of them.
//!
//! A reader may neither panic nor hang on any bytes, and its memory must stay in proportion to
//! the file, whatever sizes the file claims.

use core::fmt::Display;

use surefoot_testdata::Random;

use crate::MEMORY;

/// How a kind of file is damaged and how much memory its reader may take.
pub struct Damage {
    /// Fragments that are inserted: numbers out of range, keywords in the wrong place.
    pub fragments: &'static [&'static [u8]],
    /// Damaged copies of each file. 2,000 apply each kind of damage some hundred times.
    pub copies: usize,
    /// The memory limit, in bytes per byte of the file.
    pub memory_per_byte: usize,
    /// The memory that a reader may take beyond that limit, in bytes: for error messages.
    pub memory_besides: usize,
}

/// How many copies a reader accepted and refused.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    pub accepted: usize,
    pub refused: usize,
}

impl Damage {
    /// Reads damaged copies of `file` and calls `check` with each accepted value and its bytes.
    ///
    /// Memory is measured for the whole process: call this inside [`crate::own_process::run`].
    pub fn check<T, E: Display>(
        &self,
        file: &[u8],
        read: impl Fn(&[u8]) -> Result<T, E>,
        mut check: impl FnMut(T, &[u8]),
    ) -> Outcome {
        let mut random = Random(file.len() as u64);
        let mut outcome = Outcome::default();
        for _ in 0..self.copies {
            let bytes = self.damaged_copy(file, &mut random);
            match self.read_within_memory_limit(&bytes, &read) {
                Ok(value) => {
                    outcome.accepted += 1;
                    check(value, &bytes);
                }
                Err(error) => {
                    outcome.refused += 1;
                    let message = error.to_string();
                    assert!(!message.is_empty() && message.len() < 2_000, "{message}");
                }
            }
        }
        outcome
    }

    /// Reads `bytes` and checks the memory that it took.
    fn read_within_memory_limit<T, E>(
        &self,
        bytes: &[u8],
        read: impl Fn(&[u8]) -> Result<T, E>,
    ) -> Result<T, E> {
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let result = read(bytes);
        let used = MEMORY.peak_usage().saturating_sub(before);
        let limit = self.memory_per_byte * bytes.len() + self.memory_besides;
        assert!(used <= limit, "reading {} bytes used {used} bytes of memory", bytes.len());
        result
    }

    /// A copy of `file` with one to three pieces of damage.
    fn damaged_copy(&self, file: &[u8], random: &mut Random) -> Vec<u8> {
        let mut bytes = file.to_vec();
        for _ in 0..1 + random.below(3) {
            if !bytes.is_empty() {
                self.damage(&mut bytes, random);
            }
        }
        bytes
    }

    fn damage(&self, bytes: &mut Vec<u8>, random: &mut Random) {
        // Half of the damage hits the beginning, where headers are.
        let reach = if random.below(2) == 0 { bytes.len() } else { bytes.len().min(2_000) };
        let at = random.below(reach);
        let end = |length: usize| (at + length).min(bytes.len());
        match random.below(10) {
            0 => bytes.truncate(at),
            1 => bytes[at] = random.below(256) as u8,
            2 => bytes[at] ^= 1 << random.below(8),
            3 | 4 if !self.fragments.is_empty() => {
                let fragment = self.fragments[random.below(self.fragments.len())];
                bytes.splice(at..at, fragment.iter().copied());
            }
            5 => drop(bytes.drain(at..end(1 + random.below(64)))),
            6 => {
                let piece = bytes[at..end(random.below(200))].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            7 => {
                let end = end(random.below(16));
                bytes[at..end].fill(if random.below(2) == 0 { 0 } else { 255 });
            }
            8 => {
                let other = random.below(bytes.len());
                bytes.swap(at, other);
            }
            _ => remove_line(bytes, at),
        }
    }
}

/// Removes the line that byte `at` is on.
fn remove_line(bytes: &mut Vec<u8>, at: usize) {
    let is_break = |byte: &u8| *byte == b'\n';
    let start = bytes[..at].iter().rposition(is_break).map_or(0, |start| start + 1);
    let end = bytes[at..].iter().position(is_break).map_or(bytes.len(), |length| at + length + 1);
    bytes.drain(start..end);
}
