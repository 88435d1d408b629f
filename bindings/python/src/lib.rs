//! The compiled part of the Python package: clips, the streaming cleaner and corpora.
//!
//! Functions and classes here take arrays of doubles in C order. The Python sources in `python/surefoot` convert what
//! users pass, such as tensors and batches, and hold the documentation of the public functions.

mod array_floor;
mod arrays;
mod batch;
mod clean_many;
mod clip;
mod clip_state;
mod content;
mod errors;
mod labels;
mod load;
mod metrics;
mod options;
mod stream;
mod values;

use pyo3::prelude::*;

/// The compiled part of surefoot.
#[pymodule]
fn _surefoot(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<clip::Clip>()?;
    module.add_class::<stream::Cleaner>()?;
    module.add_function(wrap_pyfunction!(load::load, module)?)?;
    module.add_function(wrap_pyfunction!(load::loads, module)?)?;
    module.add_function(wrap_pyfunction!(arrays::clip_from_arrays, module)?)?;
    module.add_function(wrap_pyfunction!(clean_many::clean_many, module)?)?;
    module.add_function(wrap_pyfunction!(metrics::skate_metrics, module)?)?;
    module.add_function(wrap_pyfunction!(batch::batch, module)?)?;
    module.add_function(wrap_pyfunction!(batch::clean_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(batch::motion_endings, module)?)?;
    module.add_function(wrap_pyfunction!(batch::failed_row, module)?)?;
    module.add_function(wrap_pyfunction!(batch::table_schema, module)?)?;
    Ok(())
}
