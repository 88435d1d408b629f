//! The end of a run: the table, the ranking, the reports and the index page, from the ledger.
//!
//! Rows are read from the ledger one at a time, so that memory does not grow with the figures of a corpus.

use core::cmp::Ordering;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use surefoot_files::{OpenFile, commit_set};

use crate::batch::{BatchError, BatchSettings, CleanClip, Summary, output_path};
use crate::cleaned::Want;
use crate::index_page::{Listed, index_page};
use crate::ledger::Lines;
use crate::parquet::ParquetWriter;
use crate::row::{Row, schema};
use crate::work_list::Clip;
use crate::workers::{clean_without_panic, target, write_file};

/// Clips on the index page, and failures on it. More are in the table.
const LISTED: usize = 300;

/// The names of the table and of the page.
#[derive(Debug)]
pub(crate) struct Tables {
    parquet: PathBuf,
    json_lines: PathBuf,
    page: PathBuf,
}

impl Tables {
    pub fn new(settings: &BatchSettings) -> Self {
        let shard = settings.shard.map_or(String::new(), |shard| format!("-{}", shard.file_name()));
        let default = || settings.out.join(format!("figures{shard}.parquet"));
        let table = settings.table.clone().unwrap_or_else(default);
        Self {
            parquet: table.with_extension("parquet"),
            json_lines: table.with_extension("jsonl"),
            page: settings.out.join(format!("index{shard}.html")),
        }
    }
}

/// The criteria that rank a clip: visible events, missed limits, the lowest confidence of a plant, the remaining drift.
#[derive(Clone, Copy, Debug)]
struct Rank {
    place: usize,
    events: f64,
    limits: usize,
    confidence: f64,
    drift: f64,
}

impl Rank {
    fn of(place: usize, row: &Row) -> Self {
        Self {
            place,
            events: row.number("events").unwrap_or(0.0),
            limits: row.limits_missed(),
            // Plants that a person has set have no confidence and count as certain.
            confidence: row.number("confidence_min").unwrap_or(1.0),
            drift: row.number("drift_max_m_after").unwrap_or(0.0),
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        (other.events.total_cmp(&self.events))
            .then(other.limits.cmp(&self.limits))
            .then(self.confidence.total_cmp(&other.confidence))
            .then(other.drift.total_cmp(&self.drift))
            .then(self.place.cmp(&other.place))
    }
}

/// Writes the tables, the reports and the index page.
pub(crate) fn finish(
    clips: &[&Clip],
    lines: &mut Lines,
    tables: &Tables,
    settings: &BatchSettings,
    clean: &CleanClip,
) -> Result<Summary, BatchError> {
    surefoot_files::recover(tables.page.parent().unwrap_or(&settings.out));
    let (summary, mut ranks, failed, mut files) = write_tables(clips, lines, tables)?;
    ranks.sort_by(Rank::compare);
    let mut listed = Vec::new();
    for (index, rank) in ranks.iter().take(LISTED.max(settings.reports)).enumerate() {
        let clip = clips[rank.place];
        let report = if index < settings.reports { write_report(clip, settings, clean)? } else { None };
        let (row, thumbnail) = lines.row(&clip.name)?;
        listed.push(Listed { clip, row, thumbnail, report });
    }
    let mut failures = Vec::new();
    for place in failed.into_iter().take(LISTED) {
        let row = lines.row(&clips[place].name)?.0;
        failures.push(Listed { clip: clips[place], row, thumbnail: String::new(), report: None });
    }
    let table = tables.parquet.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let page = index_page(&summary, &listed, &failures, &table);
    let mut file = create(&tables.page)?;
    file.write_all(page.as_bytes()).map_err(|error| BatchError::write(&tables.page, error))?;
    files.push(file);
    commit_set(files).map_err(|failed| BatchError::write(&failed.path, failed.error))?;
    Ok(summary)
}

/// Totals, ranks, places of failed clips, and the tables, which get their names together with the page.
type Written = (Summary, Vec<Rank>, Vec<usize>, Vec<OpenFile>);

/// Writes both tables in the order of the clips.
fn write_tables(clips: &[&Clip], lines: &mut Lines, tables: &Tables) -> Result<Written, BatchError> {
    let Tables { parquet: parquet_path, json_lines: json_path, .. } = tables;
    let cannot = |path: &Path| {
        let path = path.to_owned();
        move |error| BatchError::write(&path, error)
    };
    let file = BufWriter::new(create(parquet_path)?);
    let mut parquet = ParquetWriter::new(file, schema()).map_err(cannot(parquet_path))?;
    let mut json_lines = BufWriter::new(create(json_path)?);
    let mut summary = Summary { clips: clips.len(), ..Summary::default() };
    let (mut ranks, mut failed) = (Vec::new(), Vec::new());
    for (place, clip) in clips.iter().enumerate() {
        let (row, _) = lines.row(&clip.name)?;
        parquet.push(row.cells()).map_err(cannot(parquet_path))?;
        let written = serde_json::to_writer(&mut json_lines, &row).map_err(std::io::Error::from);
        written.and_then(|()| json_lines.write_all(b"\n")).map_err(cannot(json_path))?;
        add(&mut summary, &row);
        if row.is_failed() { failed.push(place) } else { ranks.push(Rank::of(place, &row)) }
    }
    let whole = |file: BufWriter<OpenFile>| file.into_inner().map_err(|failed| failed.into_error());
    let parquet = parquet.finish().and_then(whole).map_err(cannot(parquet_path))?;
    let json_lines = whole(json_lines).map_err(cannot(json_path))?;
    Ok((summary, ranks, failed, vec![parquet, json_lines]))
}

fn create(path: &Path) -> Result<OpenFile, BatchError> {
    OpenFile::create(&target(path)?).map_err(|failed| BatchError::write(path, failed.error))
}

fn add(summary: &mut Summary, row: &Row) {
    summary.failed += usize::from(row.is_failed());
    summary.limits_missed += usize::from(row.limits_missed() > 0);
    summary.with_events += usize::from(row.number("events").is_some_and(|events| events > 0.0));
    summary.frames += row.number("frames").unwrap_or(0.0) as u64;
}

/// The report of a clip, below the output folder.
pub(crate) fn report_name(clip: &Clip) -> String {
    format!("reports/{}.html", clip.name)
}

/// Cleans a clip once more for its report. Returns the report's path below the output folder; `None` if the clip could
/// not be cleaned again, because its source is gone.
fn write_report(
    clip: &Clip,
    settings: &BatchSettings,
    clean: &CleanClip,
) -> Result<Option<String>, BatchError> {
    let cleaned = clean_without_panic(clean, clip, Want::Report);
    let Some(report) = cleaned.ok().and_then(|cleaned| cleaned.report) else { return Ok(None) };
    let name = report_name(clip);
    let path = output_path(&settings.out, &name);
    write_file(&path, report.as_bytes())?;
    Ok(Some(name))
}
