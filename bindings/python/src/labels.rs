//! Plants as contact labels and back: one row a frame, two columns for each leg. Plants of toe tips have no column.

use numpy::ndarray::{Array2, ArrayView2};
use surefoot::core::{Clip, FootPoint, Footplants, Plant};

/// Plants as labels, two columns for each leg.
pub fn contacts(clip: &Clip) -> Array2<f32> {
    let mut labels = Array2::zeros((clip.motion.frames(), 2 * clip.legs.len()));
    let has_column = |plant: &&Plant| plant.leg < clip.legs.len() && plant.point != FootPoint::Toe;
    for plant in clip.plants.plants.iter().filter(has_column) {
        let column = 2 * plant.leg + usize::from(plant.point == FootPoint::Ball);
        for frame in plant.frames.start..plant.frames.end.min(clip.motion.frames()) {
            labels[[frame, column]] = plant.confidence.unwrap_or(1.0) as f32;
        }
    }
    labels
}

/// Labels as plants: every run of values of 0.5 and more.
pub fn plants_of(labels: ArrayView2<'_, f64>) -> Footplants {
    let mut found = Footplants::default();
    for (column, values) in labels.columns().into_iter().enumerate() {
        let point = if column % 2 == 0 { FootPoint::Heel } else { FootPoint::Ball };
        let mut start = None;
        for frame in 0..=values.len() {
            let is_planted = values.get(frame).is_some_and(|&value| value >= 0.5);
            match (start, is_planted) {
                (None, true) => start = Some(frame),
                (Some(first), false) => {
                    let frames = first..frame;
                    found.plants.push(Plant::new(column / 2, point, frames));
                    start = None;
                }
                _ => {}
            }
        }
    }
    found.sort();
    found
}
