//! The report of a stream whose plants are not known beforehand.
//!
//! The notes of a plant are collected when it ends and its cost is dropped, so that a stream can run
//! without end in constant memory.

use surefoot_core::{Clip, Floor, FootPoint, Hold, Plant, Vec3};

use crate::cleaner::Cleaner;
use crate::plants::ActivePlant;
use crate::report::Note;
use crate::report::cost::{CorrectionCost, add_notes};

/// Number of notes that are stored; further ones are only counted. Bounds the memory of a stream:
/// 1000 notes take 40 kB.
const MOST_NOTES: usize = 1000;

/// Collects the report of a stream, frame by frame.
#[derive(Clone, Debug)]
pub struct StreamReporter {
    floor: Option<Floor>,
    /// The plants that have begun and not ended, by leg.
    open: Vec<[Option<OpenPlant>; FootPoint::ALL.len()]>,
    report: StreamReport,
}

/// Totals and notes of a whole stream.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct StreamReport {
    /// Number of frames that came out.
    pub frames: usize,
    /// Number of plants that were held.
    pub plants: usize,
    /// The first 1000 notes. Frames count from the first that was pushed.
    pub notes: Vec<Note>,
    /// Number of notes that were only counted.
    pub omitted_notes: usize,
}

#[derive(Clone, Copy, Debug)]
struct OpenPlant {
    id: u32,
    start: usize,
    given_spot: Option<Vec3>,
    hold: Hold,
    cost: CorrectionCost,
}

impl StreamReporter {
    /// A reporter for the legs and floor of a clip, before the first frame.
    pub fn new(clip: &Clip) -> Self {
        Self {
            floor: clip.floor.clone(),
            open: vec![[None; FootPoint::ALL.len()]; clip.legs.len()],
            report: StreamReport { notes: Vec::with_capacity(MOST_NOTES), ..StreamReport::default() },
        }
    }

    /// Adds the frame that the cleaner returned last. Call it once for each returned frame.
    pub fn add_frame(&mut self, cleaner: &Cleaner) {
        let Some((frame, legs)) = cleaner.output_legs() else { return };
        self.report.frames += 1;
        for (leg, output) in legs.enumerate() {
            for point in FootPoint::ALL {
                let plant = output.plants.of(point);
                let continues = |open: &OpenPlant| plant.is_some_and(|plant| plant.id == open.id);
                if !self.open[leg][point as usize].as_ref().is_some_and(continues) {
                    self.close(frame, leg, point);
                    self.open[leg][point as usize] = plant.map(|plant| OpenPlant::new(plant, frame));
                }
                if let Some(open) = &mut self.open[leg][point as usize] {
                    open.cost.add(&output, point);
                }
            }
        }
    }

    /// The report, once the last frame has come out.
    pub fn finish(mut self) -> StreamReport {
        for leg in 0..self.open.len() {
            for point in FootPoint::ALL {
                self.close(self.report.frames, leg, point);
            }
        }
        self.report
    }

    /// Ends the open plant of a point, if there is one, and collects its notes.
    fn close(&mut self, end: usize, leg: usize, point: FootPoint) {
        let Some(OpenPlant { start, given_spot, hold, cost, .. }) = self.open[leg][point as usize].take()
        else {
            return;
        };
        let plant = Plant { spot: given_spot, hold, ..Plant::new(leg, point, start..end) };
        let report = &mut self.report;
        report.plants += 1;
        add_notes(&plant, &cost, self.floor.as_ref(), |note| {
            if report.notes.len() < MOST_NOTES {
                report.notes.push(note);
            } else {
                report.omitted_notes += 1;
            }
        });
    }
}

impl OpenPlant {
    fn new(plant: ActivePlant, start: usize) -> Self {
        Self {
            id: plant.id,
            start,
            given_spot: plant.spot,
            hold: plant.hold,
            cost: CorrectionCost::default(),
        }
    }
}
