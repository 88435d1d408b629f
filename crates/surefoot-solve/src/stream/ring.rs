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

/// A ring whose first entries stand once more after the last, so that the frames of a window are one slice;
/// one for each leg, or whatever there are several of.
#[derive(Clone, Debug)]
pub(crate) struct Ring<T> {
    entries: Vec<T>,
    count: usize,
    /// How many entries a slice has at most.
    longest: usize,
}

impl<T: Copy + Default> Ring<T> {
    /// So many rings, each of `count` entries, from which slices of up to `longest` are taken.
    pub fn new(rings: usize, count: usize, longest: usize) -> Self {
        let longest = longest.min(count);
        Self { entries: vec![T::default(); rings * (count + longest)], count, longest }
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn at(&self, ring: usize, place: usize) -> T {
        self.entries[self.start(ring) + place]
    }

    fn start(&self, ring: usize) -> usize {
        ring * (self.count + self.longest)
    }

    pub fn set(&mut self, ring: usize, place: usize, entry: T) {
        let at = self.start(ring) + place;
        self.entries[at] = entry;
        if place < self.longest {
            self.entries[at + self.count] = entry;
        }
    }

    /// So many entries, the first of them at this place.
    pub fn range(&self, ring: usize, place: usize, count: usize) -> &[T] {
        &self.entries[self.start(ring) + place..][..count]
    }
}
