//! Makes a cycle of a file a loop.

use core::fmt;
use std::borrow::Cow;

use serde::Serialize;
use surefoot_core::{Clip, Loop};
use surefoot_edit::PairError;
use surefoot_edit::body_root::body_position;
use surefoot_edit::distance;
use surefoot_edit::looping::{
    ClosedLoop, Cycle, LoopStart, MAX_CYCLE_DISTANCE, MAX_LOOP_GAP, RoughestJoint, Settings, close, cycle_at,
    cycles, detect_loop, restart_at_quietest_frame, seam, settings_for, strides_within, with_loop,
};
use surefoot_solve::CleanError;

use super::distance_map::DistanceMap;
use super::prepare::performance_of;
use crate::{CleanFile, MotionFile, printable};

/// Largest distance between the ends of a cycle that repeats itself, in metres. The strides of walks and runs repeat to
/// 1–4 cm.
const REPEATING_M: f64 = 0.06;

/// Distance between the ends of a cycle that may be used instead of the best one: as a multiple, and in metres, which is
/// the noise of a capture.
const SIMILAR: f64 = 1.5;
const SIMILAR_M: f64 = 0.03;

/// Largest number of cycles that are tried.
const MAX_CHOICES: usize = 4;

/// The performance of a file, in which cycles are looked for.
#[derive(Clone, Debug)]
pub struct Cycles<'a> {
    file: &'a MotionFile,
    performance: Cow<'a, Clip>,
    settings: Settings,
}

/// A cycle, in frames of the file.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ListedCycle {
    /// The first frame.
    pub first: usize,
    /// The last frame, which repeats the first.
    pub last: usize,
    /// The length in seconds.
    pub seconds: f64,
    /// The distance between the poses at both ends, in metres.
    pub distance_m: f64,
    /// How far the body travels in one cycle.
    pub travel_m: f64,
    /// How far the body turns in one cycle.
    pub turn_rad: f64,
    /// The number of strides: how often every foot lands, or 0 if the feet land unequally often.
    pub strides: usize,
}

/// A cycle that was made a loop.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoopedClip {
    /// The loop, not yet cleaned.
    pub clip: Clip,
    cycle: ListedCycle,
    begins: usize,
    looping: Loop,
}

/// What was done to make a loop, and the seam of the written file.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct LoopDetails {
    /// The cycle.
    pub cycle: ListedCycle,
    /// The frame of the file with which the loop starts.
    pub begins: usize,
    /// The number of frames of one round.
    pub period: usize,
    /// The largest movement of a joint from the last frame to the first, in metres.
    pub seam_step_m: f64,
    /// The median of the same over all frames.
    pub median_step_m: f64,
    /// The change of that movement at the seam, in metres.
    pub seam_turn_m: f64,
    /// The median of the same over all frames.
    pub median_turn_m: f64,
    /// Largest distance between a joint at the seam and one cycle later, in metres.
    pub periodic_m: Option<f64>,
    /// The joint whose step at the seam is largest, compared with its own steps in the loop.
    pub roughest_joint: Option<String>,
    /// Its step or change of step at the seam, divided by the 95th percentile of the loop.
    pub roughest_ratio: Option<f64>,
}

impl<'a> Cycles<'a> {
    /// Cycles of a file. `length` is the shortest and the longest cycle, `ease` the longest blend window at its ends, in
    /// seconds.
    pub fn new(
        file: &'a MotionFile,
        length: Option<(f64, f64)>,
        ease: Option<f64>,
        start: LoopStart,
    ) -> Self {
        let base = settings_for(&file.clip);
        let length = length.unwrap_or(base.length);
        Self {
            file,
            performance: performance_of(&file.clip),
            settings: Settings { length, ease, start, ..base },
        }
    }

    /// Finds at most this many cycles, the best first.
    pub fn find(&self, most: usize) -> Result<Vec<Cycle>, PairError> {
        let Clip { motion, plants, .. } = &*self.performance;
        cycles(motion, plants, &self.settings, most)
    }

    /// The cycles of a list that may become the loop if none is chosen: the first one, and those to use instead if cleaning
    /// its loop introduces events that a viewer objects to.
    ///
    /// Returns an error if the ends of the first cycle show other poses, since then the motion has no cycle at all.
    pub fn choices(&self, list: &[Cycle]) -> Result<Vec<Cycle>, NoCycle> {
        let Some(best) = list.first() else { return Ok(Vec::new()) };
        if best.distance > MAX_CYCLE_DISTANCE {
            return Err(NoCycle(self.listed(best)));
        }
        let strides = |cycle: &Cycle| self.listed(cycle).strides;
        let is_similar = |cycle: &&Cycle| {
            cycle.distance <= f64::max(SIMILAR * best.distance, SIMILAR_M) && strides(cycle) == strides(best)
        };
        Ok(list.iter().filter(is_similar).take(MAX_CHOICES).copied().collect())
    }

    /// The cycle between two frames of the performance.
    pub fn at(&self, first: usize, last: usize) -> Result<Cycle, PairError> {
        cycle_at(&self.performance.motion, first, last, &self.settings)
    }

    /// A cycle in frames of the file.
    pub fn listed(&self, cycle: &Cycle) -> ListedCycle {
        let Clip { motion, first_frame: lead, legs, .. } = &self.file.clip;
        let body = body_position(&motion.poses[cycle.first + lead], &motion.skeleton, legs);
        ListedCycle {
            first: cycle.first + lead,
            last: cycle.last + lead,
            seconds: (cycle.last - cycle.first) as f64 / motion.fps,
            distance_m: cycle.distance,
            travel_m: (cycle.travel.point(body) - body).length(),
            turn_rad: cycle.travel.angle(),
            strides: strides_within(&self.performance.plants, motion.fps, cycle.first, cycle.last),
        }
    }

    /// The distances between all poses and the cycles, as SVG. `selected` is the index of the one that is used.
    pub fn draw(&self, found: &[Cycle], selected: Option<usize>) -> Result<String, PairError> {
        let motion = &self.performance.motion;
        let map = distance::map(motion, motion, &self.settings.map)?;
        let mark = |cycle: &Cycle| (cycle.last as f64 / motion.fps, cycle.first as f64 / motion.fps);
        let marks: Vec<(f64, f64)> = found.iter().map(mark).collect();
        let files = [self.file, self.file];
        Ok(DistanceMap { files, map: &map, marks: &marks, selected, warp_path: &[] }.draw())
    }

    /// Keeps the turn of a cycle, however small. Without it a cycle that is nearly straight becomes straight.
    pub fn keep_turn(mut self) -> Self {
        self.settings.max_straight_turn = 0.0;
        self
    }

    /// Closes cycles over this time at each end, in seconds.
    pub fn with_ease(mut self, ease: f64) -> Self {
        self.settings.ease = Some(ease);
        self
    }

    /// Cycles as a text table.
    pub fn table(&self, list: &[ListedCycle]) -> String {
        table(&printable(&self.file.name), list)
    }

    /// Makes a cycle a loop.
    pub fn close(&self, cycle: &Cycle) -> Result<LoopedClip, PairError> {
        let (file, Clip { motion, plants, .. }) = (self.file, &*self.performance);
        let ClosedLoop { edit, looping, start_frame } =
            close(motion, plants, &file.clip.legs, cycle, &self.settings)?;
        let clip = with_loop(&file.clip, &edit, &looping);
        let begins = file.clip.first_frame + cycle.first + (start_frame - cycle.first) % looping.period;
        Ok(LoopedClip { clip, cycle: self.listed(cycle), begins, looping })
    }
}

impl LoopedClip {
    /// Leaves out the last frame, which repeats the first.
    pub fn open(&mut self) {
        let (first, period) = (self.clip.first_frame, self.looping.period);
        self.clip.motion.poses.truncate(first + period);
    }

    /// Starts the loop at the frame at which cleaning changes the motion least.
    pub fn restart(&mut self, settings: &surefoot_solve::Settings) -> Result<(), CleanError> {
        let (clip, later) = restart_at_quietest_frame(&self.clip, settings)?;
        let first = self.cycle.first;
        self.begins = first + (self.begins - first + later) % self.looping.period;
        self.clip = clip;
        Ok(())
    }

    /// The details of the edit. `written` is the loop, cleaned and written.
    pub fn details(self, written: &CleanFile) -> LoopDetails {
        let performance = written.clip.performance();
        let seam = seam(&performance.motion, &performance.legs, &self.looping);
        let joint_name = |one: RoughestJoint| performance.motion.skeleton.joint(one.joint).name.clone();
        LoopDetails {
            cycle: self.cycle,
            begins: self.begins,
            period: self.looping.period,
            seam_step_m: seam.step_m,
            median_step_m: seam.median_step_m,
            seam_turn_m: seam.step_change_m,
            median_turn_m: seam.median_step_change_m,
            periodic_m: written.periodic_m,
            roughest_joint: seam.roughest.map(joint_name),
            roughest_ratio: seam.roughest.map(|one| one.ratio),
        }
    }
}

impl LoopDetails {
    /// A note about a seam that is rougher than the motion; `None` if it is not.
    pub fn seam_note(&self) -> Option<String> {
        let (joint, ratio) =
            (self.roughest_joint.as_ref()?, self.roughest_ratio.filter(|&ratio| ratio > 1.0)?);
        Some(format!(
            "the seam is rougher than the motion: joint {joint} moves there {ratio:.1} times as much as the 95th \
             percentile of the loop; another cycle may have a smoother one"
        ))
    }

    /// A note about a cycle whose ends are far apart; `None` where the motion repeats itself.
    pub fn gap_note(&self) -> Option<String> {
        let distance = Some(self.cycle.distance_m).filter(|&distance| distance > REPEATING_M)?;
        Some(format!(
            "the motion does not repeat itself: the ends of the cycle are {:.1} cm apart, which the loop closes over up to \
             a second at each end; --list shows other cycles, --pick uses one",
            distance * 100.0
        ))
    }

    /// Sentences that describe the edit.
    pub fn about(&self) -> String {
        format!(
            "A loop of {} frames{} that starts at frame {} and travels {:.2} m and {:.1}° per cycle. From the last frame \
             to the first, joints move by {:.2} mm (median of the loop {:.2}), and that step changes by {:.2} mm (median {:.2}).",
            self.period,
            match self.cycle.strides {
                0 => String::new(),
                1 => ", one stride,".into(),
                strides => format!(", {strides} strides,"),
            },
            self.begins,
            self.cycle.travel_m,
            self.cycle.turn_rad.to_degrees(),
            self.seam_step_m * 1e3,
            self.median_step_m * 1e3,
            self.seam_turn_m * 1e3,
            self.median_turn_m * 1e3
        )
    }
}

/// A motion that does not repeat itself: the ends of its best cycle show other poses.
#[derive(Debug)]
pub struct NoCycle(pub ListedCycle);

impl fmt::Display for NoCycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ListedCycle { first, last, distance_m, .. } = &self.0;
        write!(
            f,
            "the motion does not repeat itself: its best cycle, frames {first}–{last}, has ends that are {:.1} cm apart, \
             expected at most {:.0} cm",
            distance_m * 100.0,
            MAX_CYCLE_DISTANCE * 100.0
        )
    }
}

impl std::error::Error for NoCycle {}

/// Why a clip was not marked as a loop.
#[derive(Debug)]
pub enum NotALoop {
    /// The motion is too short or otherwise unfit.
    Motion(PairError),
    /// Its end is this far from its start, in metres.
    Gap(f64),
}

impl fmt::Display for NotALoop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Motion(error) => error.fmt(f),
            Self::Gap(gap_m) => {
                write!(f, "the motion is not a loop: its end is {:.1} cm from its start", gap_m * 100.0)
            }
        }
    }
}

impl std::error::Error for NotALoop {}

impl MotionFile {
    /// Marks the clip as a loop. Returns an error if it is not one: plants held across the seam would pull the feet to
    /// positions where they never were.
    pub fn mark_as_loop(&mut self) -> Result<(), NotALoop> {
        let (clip, gap_m) = detect_loop(&self.clip).map_err(NotALoop::Motion)?;
        if gap_m > MAX_LOOP_GAP {
            return Err(NotALoop::Gap(gap_m));
        }
        self.clip = clip;
        Ok(())
    }
}

fn table(name: &str, list: &[ListedCycle]) -> String {
    let mut text = format!("cycles of {name}\n\n");
    text += &format!(
        "{:>3}  {:>14}  {:>8}  {:>7}  {:>9}  {:>9}  {:>7}\n",
        "", "frames", "length", "strides", "distance", "travels", "turns"
    );
    for (n, one) in list.iter().enumerate() {
        text += &format!(
            "{:>3}  {:>14}  {:>6.2} s  {:>7}  {:>6.2} cm  {:>7.2} m  {:>6.1}°\n",
            n + 1,
            format!("{}–{}", one.first, one.last),
            one.seconds,
            if one.strides > 0 { one.strides.to_string() } else { "–".into() },
            one.distance_m * 100.0,
            one.travel_m,
            one.turn_rad.to_degrees()
        );
    }
    text
}
