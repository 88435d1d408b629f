//! Decimation of long curves.

/// The points of a curve to draw in `columns` columns of pixels: entry and value.
///
/// A short curve keeps every point. A long one keeps the minimum and the maximum of each column in
/// their order, so no peak is lost.
pub(crate) fn decimate(values: &[f64], columns: usize) -> Vec<(usize, f64)> {
    if values.len() <= 2 * columns.max(1) {
        return values.iter().copied().enumerate().collect();
    }
    let mut kept = Vec::with_capacity(2 * columns);
    for column in 0..columns {
        let (from, to) = (column * values.len() / columns, (column + 1) * values.len() / columns);
        let inside = || (from..to).map(|index| (index, values[index]));
        let low = inside().reduce(|a, b| if b.1 < a.1 { b } else { a });
        let high = inside().reduce(|a, b| if b.1 > a.1 { b } else { a });
        let mut pair: Vec<_> = low.into_iter().chain(high).collect();
        pair.sort_by_key(|point| point.0);
        pair.dedup_by_key(|point| point.0);
        kept.extend(pair);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_curve_is_drawn_whole() {
        assert_eq!(decimate(&[3.0, 1.0, 2.0], 2), [(0, 3.0), (1, 1.0), (2, 2.0)]);
        assert!(decimate(&[], 5).is_empty());
    }

    #[test]
    fn a_peak_of_one_frame_in_a_hundred_thousand_is_drawn() {
        let mut values = vec![0.0; 100_000];
        values[77_777] = 1.0;
        values[77_778] = -1.0;
        let kept = decimate(&values, 600);
        assert!(kept.len() <= 1200);
        assert!(kept.contains(&(77_777, 1.0)) && kept.contains(&(77_778, -1.0)));
        assert!(kept.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
