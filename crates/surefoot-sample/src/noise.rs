//! Seeded randomness: the same seed gives the same bits on every machine.

use surefoot_core::math::{PI, sin};

/// A small generator (splitmix64); good enough for shaking a walk, for nothing secret.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator; `stream` tells apart the uses of one seed.
    pub fn new(seed: u64, stream: u64) -> Self {
        let state = seed ^ stream.wrapping_mul(0xD1B5_4A32_D192_ED03);
        let mut random = Self { state };
        // Seeds that differ by one bit begin alike; the first draw is thrown away.
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

    /// A whole number from 0 up to but not including `count`, which is above 0.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    /// Evenly between two bounds.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        // 53 bits: every f64 from 0 to 1 with an even step.
        let unit = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        low + (high - low) * unit
    }
}

/// Sines in one wander. With eight nobody sees that it is made of sines.
const WAVES: usize = 8;

/// A smooth random function of time, about 1 in size: a few sines of one band of frequencies.
///
/// A function of time and not of frames, so that it is the same at every frame rate.
#[derive(Clone, Debug)]
pub struct Wander {
    waves: [(f64, f64); WAVES],
}

impl Wander {
    /// Frequencies evenly spread from `low` to `high` hertz, phases drawn.
    pub fn new(random: &mut Random, low: f64, high: f64) -> Self {
        let step = (high - low) / WAVES as f64;
        let wave = |k: usize| {
            let from = low + step * k as f64;
            let hertz = random.between(from, from + step);
            (2.0 * PI * hertz, random.between(0.0, 2.0 * PI))
        };
        Self { waves: core::array::from_fn(wave) }
    }

    /// Its value at `time`; its root mean square over a long time is 1.
    pub fn at(&self, time: f64) -> f64 {
        // A sine has mean square 1/2, so WAVES of them have WAVES/2.
        const SIZE: f64 = 0.5;
        let sum: f64 = self.waves.iter().map(|(w, p)| sin(w * time + p)).sum();
        SIZE * sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wander_has_a_root_mean_square_of_one() {
        let wander = Wander::new(&mut Random::new(7, 1), 1.0, 6.0);
        let squares: f64 = (0..10_000).map(|i| wander.at(i as f64 * 0.01)).map(|v| v * v).sum();
        assert!(((squares / 10_000.0).sqrt() - 1.0).abs() < 0.05);
    }

    #[test]
    fn seeds_and_streams_differ() {
        let first = |seed, stream| Random::new(seed, stream).between(0.0, 1.0);
        assert_ne!(first(1, 0), first(2, 0));
        assert_ne!(first(1, 0), first(1, 1));
        assert_eq!(first(1, 1), first(1, 1));
    }
}
