//! What has a stream of plants taken, when nobody knows them beforehand?
//!
//! A plant is known once it is over. What a person should know of it is noted then, and the plant
//! is forgotten, so that a stream may go on for days.

use surefoot_core::{Clip, Floor, FootPoint, Plant, Vec3};

use crate::cleaner::Cleaner;
use crate::plants::ActivePlant;
use crate::report::Note;
use crate::report::cost::{Taken, note};
use crate::settings::Settings;

/// How many notes are kept; more are counted.
const MOST_NOTES: usize = 1000;

/// What a stream has taken so far.
#[derive(Clone, Debug)]
pub struct StreamReporter {
    floor: Option<Floor>,
    settings: Settings,
    /// The plants that go on, leg by leg: heel, ball.
    open: Vec<[Option<Open>; 2]>,
    total: StreamReport,
}

/// What a stream has taken in all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StreamReport {
    /// How many frames came out.
    pub frames: usize,
    /// How many plants were held.
    pub plants: usize,
    /// What a person should know, of the first plants of which there is something to know. Frames
    /// count from the first that was pushed.
    pub notes: Vec<Note>,
    /// How many notes more there would be.
    pub omitted_notes: usize,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    plant: u32,
    start: usize,
    given: Option<Vec3>,
    taken: Taken,
}

impl StreamReporter {
    /// Nothing yet.
    pub fn new(clip: &Clip, settings: &Settings) -> Self {
        let total = StreamReport { notes: Vec::with_capacity(MOST_NOTES), ..StreamReport::default() };
        Self { floor: clip.floor.clone(), settings: *settings, open: vec![[None; 2]; clip.legs.len()], total }
    }

    /// Counts the frame that came out of the cleaner last. Called once for each.
    pub fn add_frame(&mut self, cleaner: &Cleaner) {
        let Some((frame, legs)) = cleaner.took() else { return };
        self.total.frames += 1;
        for (leg, is) in legs.enumerate() {
            for (point, hold) in is.held.points().into_iter().enumerate() {
                let goes_on = |open: &Open| hold.is_some_and(|hold| hold.id == open.plant);
                if !self.open[leg][point].as_ref().is_some_and(goes_on) {
                    self.close(frame, leg, point);
                    self.open[leg][point] = hold.map(|hold| Open::new(hold, frame));
                }
                if let Some(open) = &mut self.open[leg][point] {
                    open.taken.add(&is, point);
                }
            }
        }
    }

    /// What it comes to, once the last frame has come out.
    pub fn finish(mut self) -> StreamReport {
        for leg in 0..self.open.len() {
            for point in 0..2 {
                self.close(self.total.frames, leg, point);
            }
        }
        self.total
    }

    fn close(&mut self, end: usize, leg: usize, point: usize) {
        let Some(Open { start, given, taken, .. }) = self.open[leg][point].take() else { return };
        let point = [FootPoint::Heel, FootPoint::Ball][point];
        let plant = Plant { leg, point, frames: start..end, spot: given, confidence: None };
        let total = &mut self.total;
        total.plants += 1;
        note(&plant, &taken, self.floor.as_ref(), &self.settings, |note| {
            if total.notes.len() < MOST_NOTES {
                total.notes.push(note);
            } else {
                total.omitted_notes += 1;
            }
        });
    }
}

impl Open {
    fn new(hold: ActivePlant, start: usize) -> Self {
        Self { plant: hold.id, start, given: hold.spot, taken: Taken::default() }
    }
}
