//! Plants as they come: a pose in, and which points are held in the pose a quarter of a second ago.
//!
//! The same watch and the same model as for a whole motion. What is missing is hindsight: gaps and
//! blips stay, and a point is held while the foot is down and the point is as low as it was of late,
//! not where it will have come to rest.

use super::asked::Asked;
use super::model::Model;
use super::watch::{ROOM, Row, Watch};
use surefoot_core::{Floor, FootPoint, Footplants, Leg, Motion, Plant, Pose, Skeleton};

/// A point this far above where it was lowest of late no longer rests, in legs: 1.5 cm in an adult.
const RISES: f32 = 0.018;

/// Which points of a leg are held, and how sure it is that the foot is down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Held {
    /// The heel.
    pub heel: bool,
    /// The ball.
    pub ball: bool,
    /// How sure, from 0 to 1.
    pub sure: f64,
}

/// Finds plants in a stream of poses. Nothing is allocated once it runs.
pub struct LiveDetector {
    watch: Watch,
    asked: Asked,
    model: Model,
    row: Box<Row>,
    held: Vec<Held>,
}

impl LiveDetector {
    /// A detector that looks so many seconds ahead: 0.25 at most, which is also best.
    ///
    /// The legs' points are in metres, Y up; the floor says no more than which way is up.
    pub fn new(
        model: Model,
        skeleton: &Skeleton,
        fps: f64,
        legs: &[Leg],
        floor: Option<&Floor>,
        lookahead: f64,
    ) -> Self {
        let watch = Watch::new(skeleton, fps, legs, floor, lookahead);
        let asked = Asked::new(&model);
        Self { watch, asked, model, row: Box::new([0.0; ROOM]), held: vec![Held::default(); legs.len()] }
    }

    /// How many poses must follow one before it is known what it holds.
    pub fn lookahead(&self) -> usize {
        self.watch.lookahead()
    }

    /// Takes a pose; says what is held, by leg, in the one [`lookahead`](Self::lookahead) before it.
    pub fn push(&mut self, pose: &Pose) -> Option<&[Held]> {
        self.watch.push(pose);
        self.next()
    }

    /// After the last pose: what is held in the next one that is not yet known, until there is none.
    pub fn finish(&mut self) -> Option<&[Held]> {
        self.watch.end();
        self.next()
    }

    fn next(&mut self) -> Option<&[Held]> {
        self.watch.ready()?;
        for (leg, held) in self.held.iter_mut().enumerate() {
            self.watch.row(leg, &mut self.row);
            let score = self.asked.score(&self.row);
            let is_down = score > 0.0;
            let [heel, ball] = self.watch.heights(leg).map(|height| height < RISES);
            *held = Held {
                heel: is_down && heel,
                // A foot that is down stands on something: on its toes, at the end of a step.
                ball: is_down && (ball || !heel),
                sure: self.model.probability(score),
            };
        }
        self.watch.pass();
        Some(&self.held)
    }
}

/// The plants of a whole motion as a stream would find them.
pub fn detect_live(
    model: &Model,
    motion: &Motion,
    legs: &[Leg],
    floor: Option<&Floor>,
    first_frame: usize,
    lookahead: f64,
) -> Footplants {
    let mut live = LiveDetector::new(model.clone(), &motion.skeleton, motion.fps, legs, floor, lookahead);
    let mut frames: Vec<Vec<Held>> = Vec::new();
    for pose in motion.poses.get(first_frame..).unwrap_or_default() {
        frames.extend(live.push(pose).map(<[Held]>::to_vec));
    }
    while let Some(held) = live.finish() {
        frames.push(held.to_vec());
    }
    let mut plants = Footplants::default();
    for leg in 0..legs.len() {
        for point in [FootPoint::Heel, FootPoint::Ball] {
            let is_held = |held: &Held| if point == FootPoint::Heel { held.heel } else { held.ball };
            collect(&frames, leg, point, is_held, first_frame, &mut plants);
        }
    }
    plants
}

fn collect(
    frames: &[Vec<Held>],
    leg: usize,
    point: FootPoint,
    is_held: impl Fn(&Held) -> bool,
    first_frame: usize,
    plants: &mut Footplants,
) {
    let mut start = 0;
    for run in frames.chunk_by(|a, b| is_held(&a[leg]) == is_held(&b[leg])) {
        if is_held(&run[0][leg]) {
            let sure = run.iter().map(|held| held[leg].sure).sum::<f64>() / run.len() as f64;
            let frames = first_frame + start..first_frame + start + run.len();
            plants.plants.push(Plant { leg, point, frames, spot: None, confidence: Some(sure) });
        }
        start += run.len();
    }
}
