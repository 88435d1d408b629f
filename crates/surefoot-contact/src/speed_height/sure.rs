//! How sure is a plant?

use crate::settings::Settings;

/// Confidences have so many steps from 0 to 1; more digits would say nothing in a file.
const STEPS: f64 = 100.0;

/// From 0 to 1: the slower the point against what is allowed, and the longer against the shortest
/// plant, the surer. A plant at half the allowed speed, or only as long as the shortest, is about
/// two thirds sure.
pub(crate) fn of(speeds: &[f64], fps: f64, settings: &Settings) -> f64 {
    let mean = speeds.iter().sum::<f64>() / speeds.len().max(1) as f64;
    let slow = settings.goes_on_below / (settings.goes_on_below + mean);
    let seconds = speeds.len() as f64 / fps;
    let long = seconds / (seconds + 0.5 * settings.shortest_plant);
    // Settings of 0 make 0/0: nothing is known then.
    let sure = if (slow * long).is_finite() { slow * long } else { 0.0 };
    (sure * STEPS).round() / STEPS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_and_long_is_sure() {
        let sure = |speed: f64, frames: usize| of(&vec![speed; frames], 100.0, &Settings::default());
        assert!(sure(0.01, 60) > 0.9);
        assert!(sure(0.7, 60) < 0.6);
        assert!(sure(0.01, 7) < 0.75);
        assert_eq!(of(&[], 100.0, &Settings::default()), 0.0);
    }
}
