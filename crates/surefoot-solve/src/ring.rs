//! A few frames of something, each in its place.

use core::ops::Range;

/// A ring in which every entry stands twice, so that the frames of a window are one slice.
#[derive(Clone, Debug)]
pub(crate) struct Ring<T> {
    entries: Vec<T>,
    mask: usize,
}

impl<T: Copy + Default> Ring<T> {
    /// A ring of that many entries, a power of two.
    pub fn new(count: usize) -> Self {
        Self { entries: vec![T::default(); 2 * count], mask: count - 1 }
    }

    pub fn at(&self, frame: usize) -> T {
        self.entries[frame & self.mask]
    }

    pub fn set(&mut self, frame: usize, entry: T) {
        let at = frame & self.mask;
        self.entries[at] = entry;
        self.entries[at + self.mask + 1] = entry;
    }

    pub fn range(&self, frames: Range<usize>) -> &[T] {
        let start = frames.start & self.mask;
        &self.entries[start..start + frames.len()]
    }

    /// Puts nothing everywhere.
    pub fn clear(&mut self) {
        self.entries.fill(T::default());
    }
}
