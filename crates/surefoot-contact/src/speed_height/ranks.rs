//! Values by their rank.

/// The value below which this share of all lie; 0 where there is none.
pub(crate) fn at_share(values: &[f64], share: f64) -> f64 {
    let mut values = values.to_vec();
    let at = ((share * values.len() as f64) as usize).min(values.len().saturating_sub(1));
    if values.is_empty() { 0.0 } else { *values.select_nth_unstable_by(at, f64::total_cmp).1 }
}

/// The least value; infinite where there is none.
pub(crate) fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}
