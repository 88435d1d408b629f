//! Many clips in parallel.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::clip::Clip;
use crate::errors::format_error;
use crate::options::CleanKeywords;

/// Cleans many clips in parallel. `surefoot.clean_many` documents it.
#[pyfunction]
#[pyo3(signature = (clips, jobs, **settings))]
pub fn clean_many(
    py: Python<'_>,
    clips: Vec<Py<Clip>>,
    jobs: usize,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<Clip>> {
    let keywords = CleanKeywords::take_all(settings)?;
    let results: Vec<Mutex<Option<PyResult<Clip>>>> = clips.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(clip) = clips.get(index) else { return };
            let cleaned = clip.get().cleaned(&keywords);
            *results[index].lock().unwrap_or_else(PoisonError::into_inner) = Some(cleaned);
        }
    };
    py.detach(|| {
        std::thread::scope(|scope| {
            // This thread works too: one clip needs no other.
            for _ in 1..jobs.min(clips.len()) {
                scope.spawn(work);
            }
            work();
        });
    });
    let results =
        results.into_iter().map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner));
    let clean = results.zip(clips).map(|(result, before)| {
        let clean =
            result.unwrap_or_else(|| Err(format_error("the clip was not cleaned", &Default::default())))?;
        Ok(clean.after(before))
    });
    clean.collect()
}
