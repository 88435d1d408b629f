//! Seeded random numbers: the same seed gives the same bits on every machine.

use surefoot_core::math::{PI, sin};

/// A small random number generator (splitmix64), not for cryptography.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator; different values of `stream` give independent numbers for one seed.
    pub fn new(seed: u64, stream: u64) -> Self {
        let state = seed ^ stream.wrapping_mul(0xD1B5_4A32_D192_ED03);
        let mut random = Self { state };
        // The first numbers of similar seeds are similar.
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Draws a whole number below `count`; 0 if `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    /// Draws a number from `low` to `high`, evenly.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        // 53 bits are the precision of an f64 between 0 and 1.
        let unit = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        low + (high - low) * unit
    }
}

/// Number of sine waves in a smooth noise. With eight the period is not visible.
const WAVES: usize = 8;

/// Smooth random noise with a root mean square of 1: a sum of sine waves of one frequency band.
///
/// It is a function of time and not of frames, so it is the same at every frame rate.
#[derive(Clone, Debug)]
pub struct SmoothNoise {
    /// Angular frequency in rad/s and phase of each wave.
    waves: [(f64, f64); WAVES],
}

impl SmoothNoise {
    /// Draws one frequency in each eighth of the band from `low` to `high` hertz, and the phases.
    pub fn new(random: &mut Random, low: f64, high: f64) -> Self {
        let step = (high - low) / WAVES as f64;
        let wave = |k: usize| {
            let from = low + step * k as f64;
            let hertz = random.between(from, from + step);
            (2.0 * PI * hertz, random.between(0.0, 2.0 * PI))
        };
        Self { waves: core::array::from_fn(wave) }
    }

    /// The value at `time`, in seconds.
    pub fn at(&self, time: f64) -> f64 {
        // The mean square of a sine is 1/2, so the root mean square of eight waves is 2.
        const AMPLITUDE: f64 = 0.5;
        let sum: f64 = self.waves.iter().map(|(frequency, phase)| sin(frequency * time + phase)).sum();
        AMPLITUDE * sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smooth_noise_has_a_root_mean_square_of_one() {
        let noise = SmoothNoise::new(&mut Random::new(7, 1), 1.0, 6.0);
        let squares: f64 = (0..10_000).map(|i| noise.at(i as f64 * 0.01)).map(|v| v * v).sum();
        assert!(((squares / 10_000.0).sqrt() - 1.0).abs() < 0.05);
    }

    #[test]
    fn seeds_and_streams_give_different_numbers() {
        let first = |seed, stream| Random::new(seed, stream).between(0.0, 1.0);
        assert_ne!(first(1, 0), first(2, 0));
        assert_ne!(first(1, 0), first(1, 1));
        assert_eq!(first(1, 1), first(1, 1));
    }
}
