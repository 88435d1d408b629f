//! The meaning of each figure, for readers of the report.

use crate::figures::Figures;
use crate::rows::ROWS;

/// The meaning of every figure in the table, folded away.
pub(crate) fn meanings(figures: &Figures) -> String {
    let rows = ROWS.iter().filter(|row| figures.before.is_some() || !row.is_change());
    let items: String = rows
        .map(|row| format!("<dt>{} <code>{}</code></dt><dd>{}</dd>\n", row.label, row.key, row.meaning))
        .collect();
    format!("<details>\n<summary>What the figures mean</summary>\n<dl>\n{items}</dl>\n</details>\n")
}
