//! Plants as a CSV table: one row per frame, one column for each heel and ball.
//!
//! The columns are `left_heel,left_ball,right_heel,right_ball`, or `front_left_heel` and so on for
//! more feet, in any order. A cell is 0 or 1, or a probability from 0 to 1. A table has no spots,
//! and two adjacent plants of one point are read back as one.
//!
//! Further columns, `left_heel_skate` and so on, label whether a planted foot slides: 1 where it slides, 0 where it
//! stands or is free, and −1 where that is not known. They are written only if some plant is labelled. Likewise
//! `left_toe` and so on for plants of toe tips, `left_heel_hold` for what a plant holds (`full`, `pivot`, `height` or
//! `ground`), and `left_heel_strength` for its strength, from 0 to 1: each kind of column only if some plant needs it.
//!
//! On ground that moves, as on a treadmill, three more columns contain its velocity, which is the
//! same in every row.

use super::error::PlantsError;
use crate::ground::{GROUND_RANGE, is_ground_velocity};
use crate::json::without_bom;
use surefoot_core::{FootPoint, Footplants, FrameRange, Hold, HoldKind, Leg, Plant, PlantKind, Vec3};

/// Probability from which a point counts as planted: more likely planted than not.
const PLANTED_FROM: f64 = 0.5;

/// The columns with the velocity of the ground, in metres per second, Y up.
const GROUND_COLUMNS: [&str; 3] = ["ground_x_m_per_s", "ground_y_m_per_s", "ground_z_m_per_s"];

/// The points of a foot; the toe tip has a column only where it is planted.
const POINTS: [FootPoint; 3] = FootPoint::ALL;

/// The cell of a planted point of which it is not known whether it slides.
const UNKNOWN_KIND: f64 = -1.0;

/// One column: whether a point of a leg is planted, whether it slides, what its plant holds and how strongly, or an axis of
/// the ground's velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Column {
    Point(usize, FootPoint),
    Skate(usize, FootPoint),
    Hold(usize, FootPoint),
    Strength(usize, FootPoint),
    Ground(usize),
}

/// Reads a table for a motion with these legs and number of frames, and the velocity of its ground;
/// `None` for ground at rest.
///
/// The confidence of a plant is the mean of its probabilities, or `None` if all are 1, as in a
/// table written by a person.
pub fn read_csv(
    bytes: &[u8],
    legs: &[Leg],
    frames: usize,
) -> Result<(Footplants, Option<Vec3>), PlantsError> {
    let text = String::from_utf8_lossy(without_bom(bytes));
    let mut lines = text.lines().enumerate();
    let first = lines.clone().next().map_or("", |(_, line)| line);
    let columns = match labels_without_header(first, legs) {
        Some(columns) => columns,
        None => {
            lines.next();
            header(first, legs)?
        }
    };
    let mut table: Vec<Vec<f64>> = vec![Vec::new(); columns.len()];
    for (index, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let row = row(line, index + 1, &columns, legs)?;
        for ((cells, cell), column) in table.iter_mut().zip(row).zip(&columns) {
            let before =
                cells.first().filter(|before| matches!(column, Column::Ground(_)) && **before != cell);
            if let Some(&before) = before {
                let column = name(column, legs);
                return Err(PlantsError::GroundChanges { line: index + 1, column, found: cell, before });
            }
            cells.push(cell);
        }
    }
    let found = table.first().map_or(0, Vec::len);
    if found != frames {
        return Err(PlantsError::Frames { found, motion: frames });
    }
    let mut plants = Footplants::default();
    let mut ground = None;
    for (&column, cells) in columns.iter().zip(&table) {
        match column {
            Column::Point(leg, point) => {
                let cells_of = |column: Column| {
                    let at = columns.iter().position(|&other| other == column);
                    at.map_or(&[][..], |at| &table[at])
                };
                let labels = Labels {
                    planted: cells,
                    skate: cells_of(Column::Skate(leg, point)),
                    hold: cells_of(Column::Hold(leg, point)),
                    strength: cells_of(Column::Strength(leg, point)),
                };
                plants.plants.extend(runs(leg, point, &labels));
            }
            Column::Skate(..) | Column::Hold(..) | Column::Strength(..) => {}
            Column::Ground(axis) => {
                ground.get_or_insert(Vec3::ZERO)[axis] = cells.first().copied().unwrap_or(0.0);
            }
        }
    }
    plants.sort();
    Ok((plants, ground))
}

/// Writes a table with the confidence of each plant, or 1 if it has none, and 0 elsewhere; and with the
/// velocity of the ground, if it moves.
///
/// A confidence below 0.5 is written as 0.5, so that it is read as planted.
pub fn write_csv(plants: &Footplants, legs: &[Leg], frames: usize, ground: Option<Vec3>) -> String {
    let any = |is_needed: fn(&Plant) -> bool| plants.plants.iter().any(is_needed);
    let has_toes = any(|plant| plant.point == FootPoint::Toe);
    let of_points = |column: fn(usize, FootPoint) -> Column| {
        let mut columns = columns_of(legs, column);
        columns.retain(|column| has_toes || !column.is_of_toe());
        columns
    };
    let mut columns = of_points(Column::Point);
    if any(|plant| plant.kind.is_some()) {
        columns.extend(of_points(Column::Skate));
    }
    if any(|plant| plant.hold.kind != HoldKind::Full) {
        columns.extend(of_points(Column::Hold));
    }
    if any(|plant| plant.hold.strength != 1.0) {
        columns.extend(of_points(Column::Strength));
    }
    if ground.is_some() {
        columns.extend((0..3).map(Column::Ground));
    }
    let cell = |column: &Column| match column {
        Column::Point(..) | Column::Skate(..) => 0.0,
        Column::Hold(..) => hold_cell(HoldKind::Full),
        Column::Strength(..) => 1.0,
        Column::Ground(axis) => ground.unwrap_or_default()[*axis],
    };
    let mut table = vec![columns.iter().map(cell).collect::<Vec<f64>>(); frames];
    for plant in &plants.plants {
        let planted = plant.confidence.map_or(1.0, |confidence| confidence.max(PLANTED_FROM));
        let skates = plant.kind.map_or(UNKNOWN_KIND, |kind| f64::from(u8::from(kind == PlantKind::Skate)));
        let (leg, point) = (plant.leg, plant.point);
        let cells = [
            (Column::Point(leg, point), planted),
            (Column::Skate(leg, point), skates),
            (Column::Hold(leg, point), hold_cell(plant.hold.kind)),
            (Column::Strength(leg, point), plant.hold.strength),
        ];
        for (column, cell) in cells {
            let column = columns.iter().position(|&other| other == column);
            let (Some(column), end) = (column, plant.frames.end.min(frames)) else { continue };
            for row in &mut table[plant.frames.start.min(end)..end] {
                row[column] = cell;
            }
        }
    }
    let mut text = names(&columns, legs).join(",") + "\n";
    for row in table {
        let cells: Vec<String> = row.iter().zip(&columns).map(|(cell, column)| column.text(*cell)).collect();
        text += &cells.join(",");
        text.push('\n');
    }
    text
}

impl Column {
    /// Whether this is a column of a toe tip.
    fn is_of_toe(self) -> bool {
        match self {
            Self::Point(_, point)
            | Self::Skate(_, point)
            | Self::Hold(_, point)
            | Self::Strength(_, point) => point == FootPoint::Toe,
            Self::Ground(_) => false,
        }
    }

    /// The text of a cell.
    fn text(self, cell: f64) -> String {
        match self {
            Self::Hold(..) => hold_of_cell(cell).as_str().into(),
            _ => cell.to_string(),
        }
    }
}

/// What a plant holds, as the number in the table: its index in the list of all.
fn hold_cell(kind: HoldKind) -> f64 {
    HoldKind::ALL.iter().position(|other| *other == kind).unwrap_or(0) as f64
}

fn hold_of_cell(cell: f64) -> HoldKind {
    HoldKind::ALL.get(cell as usize).copied().unwrap_or_default()
}

/// The columns of labels without names: heel and ball of each foot, the left foot first.
pub(crate) fn label_columns(legs: &[Leg]) -> Vec<(usize, FootPoint)> {
    let mut order: Vec<usize> = (0..legs.len()).collect();
    order.sort_by_key(|&leg| legs[leg].side != "left");
    order.into_iter().flat_map(|leg| [(leg, FootPoint::Heel), (leg, FootPoint::Ball)]).collect()
}

/// The plants in a table of labels, one row per frame, with these columns.
#[cfg(feature = "arrays")]
pub(crate) fn plants_of_labels(columns: &[(usize, FootPoint)], table: &[Vec<f64>]) -> Footplants {
    let mut plants = Footplants::default();
    for (at, &(leg, point)) in columns.iter().enumerate() {
        let cells: Vec<f64> = table.iter().map(|row| row[at]).collect();
        plants.plants.extend(runs(leg, point, &Labels { planted: &cells, ..Labels::default() }));
    }
    plants.sort();
    plants
}

/// The columns of a table whose first line has numbers instead of names; `None` if it has names.
fn labels_without_header(line: &str, legs: &[Leg]) -> Option<Vec<Column>> {
    let is_number = |cell: &str| unquoted(cell).parse::<f64>().is_ok();
    let columns = label_columns(legs).into_iter().map(|(leg, point)| Column::Point(leg, point));
    line.split(',').all(is_number).then(|| columns.collect())
}

/// One column for each foot point, and one for the palm of each hand.
fn columns_of(legs: &[Leg], column: fn(usize, FootPoint) -> Column) -> Vec<Column> {
    let points = |leg: usize| if legs[leg].is_arm() { &POINTS[1..2] } else { &POINTS[..] };
    (0..legs.len()).flat_map(|leg| points(leg).iter().map(move |point| column(leg, *point))).collect()
}

fn name(column: &Column, legs: &[Leg]) -> String {
    let point_name = |leg: usize, point: FootPoint| {
        format!("{}_{}", legs[leg].side.replace(' ', "_"), legs[leg].point_name(point))
    };
    match *column {
        Column::Point(leg, point) => point_name(leg, point),
        Column::Skate(leg, point) => format!("{}_skate", point_name(leg, point)),
        Column::Hold(leg, point) => format!("{}_hold", point_name(leg, point)),
        Column::Strength(leg, point) => format!("{}_strength", point_name(leg, point)),
        Column::Ground(axis) => GROUND_COLUMNS[axis].to_owned(),
    }
}

fn names(columns: &[Column], legs: &[Leg]) -> Vec<String> {
    columns.iter().map(|column| name(column, legs)).collect()
}

/// The columns of a table, in its order: all heels and balls, any of the toe tips and of the labels, and all or none of the
/// axes of the ground's velocity.
fn header(line: &str, legs: &[Leg]) -> Result<Vec<Column>, PlantsError> {
    let mut all = columns_of(legs, Column::Point);
    all.retain(|column| !column.is_of_toe());
    let expected = names(&all, legs);
    if line.trim().is_empty() {
        return Err(PlantsError::NoHeader { expected });
    }
    let mut possible = all.clone();
    possible.extend((0..3).map(Column::Ground));
    let with_ground = possible.clone();
    possible.extend(columns_of(legs, Column::Point).into_iter().filter(|column| column.is_of_toe()));
    for column in [Column::Skate, Column::Hold, Column::Strength] {
        possible.extend(columns_of(legs, column));
    }
    let possible_names = names(&possible, legs);
    let mut found: Vec<Column> = Vec::new();
    for cell in line.split(',').map(unquoted) {
        match possible_names.iter().position(|name| name == cell) {
            Some(column) if !found.contains(&possible[column]) => found.push(possible[column]),
            _ => return Err(PlantsError::Column { found: cell.into(), expected }),
        }
    }
    if found.iter().any(|column| matches!(column, Column::Ground(_))) {
        all = with_ground;
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
    let value = |(cell, column): (&&str, &Column)| {
        let (is_valid, expected): (fn(&f64) -> bool, _) = match column {
            Column::Point(..) | Column::Strength(..) => {
                (|value| (0.0..=1.0).contains(value), "a number from 0 to 1")
            }
            Column::Hold(..) => (|_| true, "full, pivot, height or ground"),
            Column::Skate(..) => {
                let is_label = |value: &f64| *value == UNKNOWN_KIND || (0.0..=1.0).contains(value);
                (is_label, "a number from 0 to 1, or -1")
            }
            Column::Ground(_) => (|value| is_ground_velocity(*value), GROUND_RANGE),
        };
        let parsed = match column {
            Column::Hold(..) => HoldKind::from_name(cell).map(hold_cell),
            _ => cell.parse().ok(),
        };
        parsed.filter(is_valid).ok_or_else(|| PlantsError::Cell {
            line: number,
            column: name(column, legs),
            found: (*cell).into(),
            expected,
        })
    };
    cells.iter().zip(columns).map(value).collect()
}

/// The columns about one point; those that the table does not have are empty.
#[derive(Clone, Copy, Debug, Default)]
struct Labels<'a> {
    /// Whether the point is planted.
    planted: &'a [f64],
    /// Labels the kinds of its plants.
    skate: &'a [f64],
    hold: &'a [f64],
    strength: &'a [f64],
}

impl Labels<'_> {
    /// What a plant holds at a frame.
    fn hold(&self, frame: usize) -> Hold {
        let full = Hold::default();
        Hold {
            kind: self.hold.get(frame).map_or(full.kind, |cell| hold_of_cell(*cell)),
            strength: self.strength.get(frame).copied().unwrap_or(full.strength),
        }
    }
}

/// The plants of one point: every run of consecutive planted frames that are held alike.
fn runs(leg: usize, point: FootPoint, labels: &Labels) -> Vec<Plant> {
    let is_planted = |frame: usize| labels.planted[frame] >= PLANTED_FROM;
    let mut plants = Vec::new();
    let frames: Vec<usize> = (0..labels.planted.len()).collect();
    let is_one_run = |&a: &usize, &b: &usize| {
        is_planted(a) == is_planted(b) && (!is_planted(a) || labels.hold(a) == labels.hold(b))
    };
    for run in frames.chunk_by(is_one_run) {
        let frames = run[0]..run[0] + run.len();
        let run = &labels.planted[frames.clone()];
        if run[0] >= PLANTED_FROM {
            let mean = run.iter().sum::<f64>() / run.len() as f64;
            let is_certain = run.iter().all(|&cell| cell == 1.0);
            let confidence = if is_certain { None } else { Some(mean.clamp(0.0, 1.0)) };
            let (kind, hold) = (kind(labels.skate, &frames), labels.hold(frames.start));
            plants.push(Plant { confidence, kind, hold, ..Plant::new(leg, point, frames) });
        }
    }
    plants
}

/// The kind of a plant: that of most of its labelled frames.
fn kind(skate: &[f64], frames: &FrameRange) -> Option<PlantKind> {
    let labels: Vec<f64> = skate.get(frames.clone())?.iter().copied().filter(|&cell| cell >= 0.0).collect();
    let mean = labels.iter().sum::<f64>() / labels.len() as f64;
    match labels.is_empty() {
        true => None,
        false if mean >= 0.5 => Some(PlantKind::Skate),
        false => Some(PlantKind::Plant),
    }
}
