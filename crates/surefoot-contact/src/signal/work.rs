//! Counts the work of detection in tests, which assert that it is linear in frames.
//!
//! Functions whose cost is not constant count the frames or runs that they visit. Outside of tests
//! nothing is counted.

#[cfg(test)]
std::thread_local! {
    static VISITS: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

/// Adds visits to the count of the current thread.
#[inline]
pub(crate) fn count(visits: usize) {
    #[cfg(test)]
    VISITS.with(|total| total.set(total.get() + visits));
    #[cfg(not(test))]
    let _ = visits;
}

/// Returns the number of visits during a call.
#[cfg(test)]
pub(crate) fn measure<T>(call: impl FnOnce() -> T) -> usize {
    let before = VISITS.with(core::cell::Cell::get);
    call();
    VISITS.with(core::cell::Cell::get) - before
}
