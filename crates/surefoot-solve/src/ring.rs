//! A few frames of something, each in its place.

/// Where each of the last frames stands in a list that has room for so many: in a ring, and without a
/// division, since all that are asked for are less than twice round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    count: usize,
    /// A frame that stands first, at most `count` before the next one to come.
    first: usize,
}

impl Places {
    /// Places for `count` frames, of which `next` is the next to come.
    pub fn new(count: usize, next: usize) -> Self {
        let count = count.max(1);
        Self { count, first: next.saturating_sub(count) / count * count }
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// The place of a frame that is among the last or the next to come.
    pub fn of(&self, frame: usize) -> usize {
        let on = frame - self.first;
        if on < self.count { on } else { on - self.count }
    }

    /// Makes room for the next frame to come.
    pub fn come(&mut self, next: usize) {
        if next >= self.first + 2 * self.count {
            self.first += self.count;
        }
    }
}

/// A ring in which every entry stands twice, so that the frames of a window are one slice.
#[derive(Clone, Debug)]
pub(crate) struct Ring<T> {
    entries: Vec<T>,
    count: usize,
}

impl<T: Copy + Default> Ring<T> {
    /// A ring of that many entries.
    pub fn new(count: usize) -> Self {
        Self { entries: vec![T::default(); 2 * count], count }
    }

    pub fn at(&self, place: usize) -> T {
        self.entries[place]
    }

    pub fn set(&mut self, place: usize, entry: T) {
        self.entries[place] = entry;
        self.entries[place + self.count] = entry;
    }

    /// So many entries, the first of them at this place.
    pub fn range(&self, place: usize, count: usize) -> &[T] {
        &self.entries[place..place + count]
    }

    /// Puts nothing everywhere.
    pub fn clear(&mut self) {
        self.entries.fill(T::default());
    }
}
