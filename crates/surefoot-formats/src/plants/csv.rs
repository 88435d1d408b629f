//! Plants as a CSV table: one row per frame, one column for each heel and ball.
//!
//! The columns are `left_heel,left_ball,right_heel,right_ball`, or `front_left_heel` and so on for
//! more feet, in any order. A cell is 0 or 1, or a probability from 0 to 1. A table has no spots,
//! and two adjacent plants of one point are read back as one.

use super::error::PlantsError;
use crate::json::without_bom;
use surefoot_core::{FootPoint, Footplants, Leg, Plant};

/// Probability from which a point counts as planted: more likely planted than not.
const PLANTED_FROM: f64 = 0.5;

/// One column: which leg and which point.
type Column = (usize, FootPoint);

/// Reads a table for a motion with these legs and number of frames.
///
/// The confidence of a plant is the mean of its probabilities, or `None` if all are 1, as in a
/// table written by a person.
pub fn read_csv(bytes: &[u8], legs: &[Leg], frames: usize) -> Result<Footplants, PlantsError> {
    let text = String::from_utf8_lossy(without_bom(bytes));
    let mut lines = text.lines().enumerate();
    let columns = header(lines.next().map_or("", |(_, line)| line), legs)?;
    let mut table: Vec<Vec<f64>> = vec![Vec::new(); columns.len()];
    for (index, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let row = row(line, index + 1, &columns, legs)?;
        for (column, cell) in table.iter_mut().zip(row) {
            column.push(cell);
        }
    }
    let found = table.first().map_or(0, Vec::len);
    if found != frames {
        return Err(PlantsError::Frames { found, motion: frames });
    }
    let runs = columns.iter().zip(&table).flat_map(|(&column, cells)| runs(column, cells));
    let mut plants = Footplants { plants: runs.collect() };
    plants.sort();
    Ok(plants)
}

/// Writes a table with the confidence of each plant, or 1 if it has none, and 0 elsewhere.
///
/// A confidence below 0.5 is written as 0.5, so that it is read as planted.
pub fn write_csv(plants: &Footplants, legs: &[Leg], frames: usize) -> String {
    let columns = columns(legs);
    let mut table = vec![vec![0.0; columns.len()]; frames];
    for plant in &plants.plants {
        let column = columns.iter().position(|&column| column == (plant.leg, plant.point));
        let (Some(column), end) = (column, plant.frames.end.min(frames)) else { continue };
        for row in &mut table[plant.frames.start.min(end)..end] {
            row[column] = plant.confidence.map_or(1.0, |confidence| confidence.max(PLANTED_FROM));
        }
    }
    let mut text = names(&columns, legs).join(",") + "\n";
    for row in table {
        let cells: Vec<String> = row.iter().map(f64::to_string).collect();
        text += &cells.join(",");
        text.push('\n');
    }
    text
}

fn columns(legs: &[Leg]) -> Vec<Column> {
    let points = [FootPoint::Heel, FootPoint::Ball];
    (0..legs.len()).flat_map(|leg| points.map(|point| (leg, point))).collect()
}

fn name(&(leg, point): &Column, legs: &[Leg]) -> String {
    format!("{}_{}", legs[leg].side.replace(' ', "_"), point.as_str())
}

fn names(columns: &[Column], legs: &[Leg]) -> Vec<String> {
    columns.iter().map(|column| name(column, legs)).collect()
}

/// The columns of a table, in its order.
fn header(line: &str, legs: &[Leg]) -> Result<Vec<Column>, PlantsError> {
    let all = columns(legs);
    let expected = names(&all, legs);
    if line.trim().is_empty() {
        return Err(PlantsError::NoHeader { expected });
    }
    let mut found: Vec<Column> = Vec::new();
    for cell in line.split(',').map(unquoted) {
        match expected.iter().position(|name| name == cell) {
            Some(column) if !found.contains(&all[column]) => found.push(all[column]),
            _ => return Err(PlantsError::Column { found: cell.into(), expected }),
        }
    }
    match all.iter().find(|column| !found.contains(column)) {
        Some(missing) => Err(PlantsError::MissingColumn { name: name(missing, legs) }),
        None => Ok(found),
    }
}

/// A cell without surrounding blanks and quotes.
fn unquoted(cell: &str) -> &str {
    cell.trim().trim_matches('"').trim()
}

fn row(line: &str, number: usize, columns: &[Column], legs: &[Leg]) -> Result<Vec<f64>, PlantsError> {
    let cells: Vec<&str> = line.split(',').map(unquoted).collect();
    if cells.len() != columns.len() {
        return Err(PlantsError::RowLength { line: number, found: cells.len(), expected: columns.len() });
    }
    let value = |(cell, column): (&&str, &Column)| match cell.parse::<f64>() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err(PlantsError::Cell { line: number, column: name(column, legs), found: (*cell).into() }),
    };
    cells.iter().zip(columns).map(value).collect()
}

/// The plants of one column: every run of consecutive planted frames.
fn runs((leg, point): Column, cells: &[f64]) -> Vec<Plant> {
    let mut plants = Vec::new();
    let mut start = 0;
    for run in cells.chunk_by(|a, b| (*a >= PLANTED_FROM) == (*b >= PLANTED_FROM)) {
        let frames = start..start + run.len();
        start = frames.end;
        if run[0] >= PLANTED_FROM {
            let mean = run.iter().sum::<f64>() / run.len() as f64;
            let is_certain = run.iter().all(|&cell| cell == 1.0);
            let confidence = if is_certain { None } else { Some(mean.clamp(0.0, 1.0)) };
            plants.push(Plant { leg, point, frames, spot: None, confidence });
        }
    }
    plants
}
