//! Bounds the memory of all workers together.

use std::sync::{Condvar, Mutex, PoisonError};

/// Lets a worker start a file only while the files in work are small enough together.
///
/// The memory of a clip is proportional to the size of its file, so bytes of input bound bytes of memory. A file
/// larger than the whole budget waits until it is alone.
#[derive(Debug)]
pub(crate) struct MemoryGate {
    budget: u64,
    used: Mutex<u64>,
    freed: Condvar,
}

impl MemoryGate {
    /// A gate for this many bytes of files at a time.
    pub fn new(budget: u64) -> Self {
        Self { budget: budget.max(1), used: Mutex::new(0), freed: Condvar::new() }
    }

    /// Waits until a file of this many bytes may be worked on, and returns what holds its place.
    pub fn enter(&self, bytes: u64) -> Place<'_> {
        let bytes = bytes.clamp(1, self.budget);
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let mut used = self
            .freed
            .wait_while(used, |used| *used + bytes > self.budget)
            .unwrap_or_else(PoisonError::into_inner);
        *used += bytes;
        Place { gate: self, bytes }
    }
}

/// A file in work. Dropping it lets others start.
#[derive(Debug)]
pub(crate) struct Place<'a> {
    gate: &'a MemoryGate,
    bytes: u64,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        *self.gate.used.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        self.gate.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn files_in_work_never_exceed_the_budget() {
        let (gate, inside, most) = (MemoryGate::new(100), AtomicU64::new(0), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for worker in 0..8 {
                let (gate, inside, most) = (&gate, &inside, &most);
                scope.spawn(move || {
                    for round in 0..50 {
                        // Some are larger than the budget, and count as all of it.
                        let bytes = 1 + (worker * 37 + round * 11) % 130;
                        let _place = gate.enter(bytes);
                        let now = inside.fetch_add(bytes.min(100), Ordering::SeqCst) + bytes.min(100);
                        most.fetch_max(now, Ordering::SeqCst);
                        inside.fetch_sub(bytes.min(100), Ordering::SeqCst);
                    }
                });
            }
        });
        assert!(most.into_inner() <= 100);
    }
}
