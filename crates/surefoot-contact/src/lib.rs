//! Foot contact detection: when each heel and ball is planted.
//!
//! [`detect`] takes a motion and returns its footplants, which a person can edit. It decides when a
//! foot is down and never moves it; holding the plants is the task of the solver.
//!
//! ```
//! use surefoot_contact::{Settings, detect};
//! use surefoot_sample::{Recipe, make};
//!
//! let walk = make(&Recipe::default())?;
//! let plants = detect(&walk.motion, &walk.legs, Some(&walk.floor), &Settings::default());
//! assert_eq!(plants.plants.len(), walk.plants.plants.len());
//! # Ok::<(), surefoot_sample::SampleError>(())
//! ```
//!
//! The methods are [`learned`] (the default), [`threshold`], and three from the literature:
//! [`zero_crossing`], [`knn`] and [`svm`]. [`hands`] finds when a palm is planted.

pub mod learned;
pub mod threshold;
pub mod zero_crossing;
pub mod hands;
pub mod knn;
pub mod svm;
pub mod features;
pub mod examples;

mod confidence;
mod exact_rest;
mod ground_flow;
mod ground_monitor;
mod ground_velocity;
mod leg_length;
mod lifted;
mod moving_feet;
mod overrides;
mod settings;
mod signal;
mod stances;
mod tracks;
mod travel;

pub use ground_monitor::GroundMonitor;
pub use ground_velocity::{ground_speed_change, ground_velocity, relative_to_ground};
pub use moving_feet::{MovingFoot, moving_feet};
pub use overrides::{ContactOverride, apply_overrides};
pub use settings::{Edges, Hold, Method, Settings};
pub use travel::Travel;

use surefoot_core::{Floor, Footplants, Leg, Motion};

/// Finds when each heel and ball is planted, or each palm, as [`Settings::hold`] states.
///
/// The motion and the points of the legs are in metres, Y up. The floor is a hint: feet may stand on
/// stairs and boxes above it. Without one, a level floor through the lowest foot positions is used.
pub fn detect(motion: &Motion, legs: &[Leg], floor: Option<&Floor>, settings: &Settings) -> Footplants {
    let mut plants = Footplants::default();
    if settings.hold.holds_feet() {
        plants = detect_feet(motion, Leg::without_arms(legs), floor, settings);
    }
    if settings.hold.holds_hands() {
        plants.plants.extend(hands::detect(motion, legs, floor, settings).plants);
    }
    plants
}

/// Returns the results of [`detect`] and [`moving_feet`]. The learned method shares the computations of the two.
pub fn detect_with_moving_feet(
    motion: &Motion,
    legs: &[Leg],
    floor: Option<&Floor>,
    settings: &Settings,
) -> (Footplants, Vec<MovingFoot>) {
    let shares_rests = settings.detector == Method::Learned && settings.edges == Edges::Rest;
    if !shares_rests || !settings.hold.holds_feet() {
        return (detect(motion, legs, floor, settings), moving_feet(motion, legs, floor, settings));
    }
    let feet = Leg::without_arms(legs);
    let model = learned::Model::shared();
    let (plants, rests) = learned::plants_and_rests(model, motion, feet, floor, settings);
    let mut plants = learned::sorted(plants);
    if settings.hold.holds_hands() {
        plants.plants.extend(hands::detect(motion, legs, floor, settings).plants);
    }
    (plants, moving_feet::moving_feet_of(&rests, motion, feet, settings.first_frame))
}

/// Finds when each heel and ball is planted.
fn detect_feet(motion: &Motion, legs: &[Leg], floor: Option<&Floor>, settings: &Settings) -> Footplants {
    match settings.detector {
        Method::Learned => learned::detect(learned::Model::shared(), motion, legs, floor, settings),
        Method::Threshold => threshold::detect(motion, legs, floor, settings),
        Method::ZeroCrossing => zero_crossing::detect(motion, legs, floor, settings),
        Method::Knn => knn::detect(motion, legs, floor, &knn::Model::shipped(), settings),
        Method::Svm => svm::detect(motion, legs, floor, &svm::Model::shipped(), settings).plants,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::work;
    use surefoot_core::Vec3;
    use surefoot_sample::{Kind, Recipe, Sample, Skate, make};

    /// Repeats a motion. Each repetition starts `travel` metres further, and every frame is `climb` metres higher than
    /// the previous one.
    fn repeated(motion: &Motion, times: usize, travel: Vec3, climb: f64) -> Motion {
        let mut long = motion.clone();
        long.poses = (0..times).flat_map(|_| motion.poses.iter().cloned()).collect();
        for (frame, pose) in long.poses.iter_mut().enumerate() {
            pose.offsets[0] += travel * (frame / motion.frames()) as f64 + Vec3::Y * climb * frame as f64;
        }
        long
    }

    #[test]
    fn the_work_of_every_detector_is_linear_in_frames() {
        let sample = |kind, skate| make(&Recipe { kind, skate, fps: 30.0, ..Recipe::default() }).unwrap();
        let noise = Some(Skate::Noise(0.001));
        let walk = Vec3::Z * 4.0;
        let cases = [
            ("a walk", sample(Kind::Walk, None), walk, 0.0),
            ("a noisy walk", sample(Kind::Walk, noise), walk, 0.0),
            ("standing", sample(Kind::Stand, noise), Vec3::ZERO, 0.0),
            ("a lift", sample(Kind::Stand, None), Vec3::ZERO, 0.25 / 30.0),
            ("a shaking lift", sample(Kind::Stand, noise), Vec3::ZERO, 0.25 / 30.0),
            ("stairs", sample(Kind::Stairs, noise), Vec3::new(0.0, 1.2, 2.0), 0.0),
        ];
        // The cost of these two for a frame is a constant number of labelled examples, which is large.
        let methods = Method::ALL.into_iter().filter(|method| !matches!(method, Method::Knn | Method::Svm));
        for (method, (name, Sample { motion, legs, floor, .. }, travel, climb)) in
            methods.flat_map(|method| cases.iter().map(move |case| (method, case)))
        {
            let settings = Settings { detector: method, ..Settings::default() };
            let visits = |times| {
                let motion = repeated(motion, times, *travel, *climb);
                work::measure(|| detect(&motion, legs, Some(floor), &settings))
            };
            let (short, long) = (visits(5), visits(40));
            assert!(short > 5 * motion.frames(), "{}, {name}: {short} visits", method.as_str());
            assert!(long < 9 * short, "{}, {name}: {short} and {long} visits", method.as_str());
        }
    }
}
