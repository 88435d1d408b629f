//! Ring buffers whose windows are contiguous slices.

/// Index of each recent frame in a ring of `count` entries.
///
/// Computed without a division: every requested frame is less than two rounds after `first`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RingIndex {
    count: usize,
    /// A frame with index 0, at most `count` before the next one to be pushed.
    first: usize,
}

impl RingIndex {
    /// A ring of `count` entries; `next` is the next frame to be pushed.
    pub fn new(count: usize, next: usize) -> Self {
        let count = count.max(1);
        Self { count, first: next.saturating_sub(count) / count * count }
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// The index of one of the last `count` frames, or of the next to be pushed.
    pub fn of(&self, frame: usize) -> usize {
        let after_first = frame - self.first;
        if after_first < self.count { after_first } else { after_first - self.count }
    }

    /// Advances to the next frame to be pushed.
    pub fn advance(&mut self, next: usize) {
        if next >= self.first + 2 * self.count {
            self.first += self.count;
        }
    }
}

/// Several rings, one for each leg, whose first entries are repeated after the last, so that every window
/// is one slice.
#[derive(Clone, Debug)]
pub(crate) struct Ring<T> {
    entries: Vec<T>,
    count: usize,
    /// Longest slice.
    longest: usize,
}

impl<T: Copy + Default> Ring<T> {
    /// `rings` rings of `count` entries each, for slices of up to `longest`.
    pub fn new(rings: usize, count: usize, longest: usize) -> Self {
        let longest = longest.min(count);
        Self { entries: vec![T::default(); rings * (count + longest)], count, longest }
    }

    pub fn at(&self, ring: usize, index: usize) -> T {
        self.entries[self.start(ring) + index]
    }

    fn start(&self, ring: usize) -> usize {
        ring * (self.count + self.longest)
    }

    pub fn set(&mut self, ring: usize, index: usize, entry: T) {
        let at = self.start(ring) + index;
        self.entries[at] = entry;
        if index < self.longest {
            self.entries[at + self.count] = entry;
        }
    }

    /// `count` entries from `index` on.
    pub fn slice(&self, ring: usize, index: usize, count: usize) -> &[T] {
        &self.entries[self.start(ring) + index..][..count]
    }
}
