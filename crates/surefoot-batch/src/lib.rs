//! Cleans whole corpora: many files, every core, and a kill at any point loses nothing.
//!
//! [`WorkList`] finds the files, [`run`] cleans them with a function of the caller and writes, below one folder:
//!
//! ```text
//! OUT/walks/01.bvh            each clean file, under the name it has in the corpus
//! OUT/figures.jsonl           one row of figures for each clip
//! OUT/figures.parquet         the same table
//! OUT/index.html              the clips that a person should look at, ranked
//! OUT/reports/walks/01.html   the reports of the first of them
//! OUT/.surefoot/              the ledger, which `--resume` reads
//! ```
//!
//! A file appears under its name only when it is complete, and a clip is finished when its row is in the ledger, which
//! is written after the file. So a run that was killed continues with the clips that have no row, and ends with the
//! same files as a run that was not.

mod batch;
mod cleaned;
mod finish;
mod index_page;
mod ledger;
mod memory_gate;
mod parquet;
mod pattern;
mod row;
mod shard;
mod thumbnail;
mod work_list;
mod workers;

pub use batch::{BatchError, BatchSettings, Existing, Summary, run};
pub use cleaned::{Cleaned, ClipFacts, ClipInput, Failure, Want, clean_file};
pub use parquet::ParquetWriter;
pub use row::{Cell, CellKind, Row, RowColumn, schema};
pub use shard::Shard;
pub use work_list::{Clip, MOTION_ENDINGS, WorkList, WorkListError};
pub use workers::Progress;
