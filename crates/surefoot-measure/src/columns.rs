//! Figures as one flat row of numbers, for tables with one row for each clip.

use crate::figures::{Figures, ratio};
use crate::rows::{ROWS, Row};
use crate::unit::Unit;

/// One column of a table of figures.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Column {
    /// The key of the figure in JSON, with `_before`, `_after` or `_ratio` where the figure has them.
    pub name: String,
    /// Whether the values are counts.
    pub is_count: bool,
}

/// The columns of [`Figures::column_values`], the same for every motion.
pub fn columns() -> Vec<Column> {
    ROWS.iter().flat_map(row_columns).collect()
}

fn row_columns(row: &Row) -> Vec<Column> {
    let column = |ending: &str, is_count| Column { name: format!("{}{ending}", row.key), is_count };
    // The lists in JSON have the bare key. A column counts the frames or joints of its list.
    let counted = if row.events().is_some() && row.unit == Unit::Frames { "_frames" } else { "" };
    match (row.is_change(), row.has_ratio) {
        (true, _) => vec![column(counted, row.is_count())],
        (false, false) => ["_before", "_after"].map(|ending| column(ending, row.is_count())).into(),
        (false, true) => {
            vec![column("_before", row.is_count()), column("_after", row.is_count()), column("_ratio", false)]
        }
    }
}

impl Figures {
    /// The figures in the order of [`columns`]. A figure that could not be measured is `None`.
    pub fn column_values(&self) -> Vec<Option<f64>> {
        let mut values = Vec::new();
        for row in ROWS {
            let (before, after) = row.values(self);
            let before = before.flatten();
            if !row.is_change() {
                values.push(before);
            }
            values.push(after);
            if row.has_ratio {
                values.push(ratio(before, after));
            }
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::MotionFigures;

    #[test]
    fn every_column_has_a_value_and_its_own_name() {
        let columns = columns();
        assert_eq!(columns.len(), Figures::default().column_values().len());
        let mut names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), columns.len());
    }

    #[test]
    fn values_are_in_the_order_of_the_columns() {
        let knee =
            |value| MotionFigures { knee_acceleration_max_rad_per_s2: Some(value), ..Default::default() };
        let figures = Figures { before: Some(knee(10.0)), after: knee(15.0), ..Figures::default() };
        let columns = columns().into_iter().zip(figures.column_values());
        let known: Vec<_> = columns.filter_map(|(column, value)| Some((column.name, value?))).collect();
        let knee = |ending: &str| format!("knee_acceleration_max_rad_per_s2{ending}");
        assert_eq!(known, [(knee("_before"), 10.0), (knee("_after"), 15.0), (knee("_ratio"), 1.5)]);
    }
}
