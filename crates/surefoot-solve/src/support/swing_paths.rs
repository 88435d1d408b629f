//! The paths of a foot between two stances.
//!
//! Between two stances a foot leaves the first and arrives at the second. In a skate run from frame S to frame T, whose
//! support changes at frame K ([`SkateRun`]), it is held until K and moves until T, or moves from S on and is held from K
//! on, along the curve `(1−u)²·P_S + (1 − (1−u)²)·P_T` or its mirror image. P are the positions of the ankle at S and T,
//! and u runs from 0 to 1. Elsewhere its correction fades over the blend window; no path is shorter than that while there
//! is room, which makes the ends smooth.

use surefoot_core::math::fade;
use surefoot_core::{FrameRange, Vec3};

use super::captured_motion::CapturedMotion;
use super::leg_ik::AnkleTarget;
use super::skate_runs::SkateRun;
use super::stance_targets::StanceTarget;
use crate::kinematics::rotation::{exp, log};

/// The ankle targets of one leg, by frame; `None` where it stays as captured.
pub(super) fn targets(
    captured: &CapturedMotion,
    leg: usize,
    runs: &[SkateRun],
    stance_targets: &[StanceTarget],
) -> Vec<Option<AnkleTarget>> {
    let mut targets: Vec<Option<AnkleTarget>> = stance_targets.iter().map(|stance| stance.target).collect();
    let stances = captured.stances(leg);
    let ends = stances.iter().map(|stance| Some(stance.end - 1));
    let starts = stances.iter().map(|stance| Some(stance.start));
    // The swing before the first stance, those between stances, and the one after the last.
    for (from, to) in [None].into_iter().chain(ends).zip(starts.chain([None])) {
        let swing = Swing { captured, leg, stance_targets, from, to };
        swing.fill(runs, &mut targets);
    }
    targets
}

/// The frames between two stances of a leg.
struct Swing<'a> {
    captured: &'a CapturedMotion<'a>,
    leg: usize,
    stance_targets: &'a [StanceTarget],
    /// The last frame of the stance before.
    from: Option<usize>,
    /// The first frame of the stance after.
    to: Option<usize>,
}

/// The path of a foot from or to a stance.
#[derive(Clone, Copy, Debug)]
struct SwingPath {
    /// The frame until which, or from which on, the foot is held.
    held: usize,
    /// Number of frames from there to the first captured position.
    span: usize,
    /// Whether a skate run determines the path.
    is_in_run: bool,
    /// Correction of the ankle's position at `held`.
    correction: Vec3,
    /// Correction of the foot's rotation, as a rotation vector.
    rotation: Vec3,
    /// The position of the held ankle.
    position: Vec3,
    /// If the path is the published one: the captured position at its other end.
    published_end: Option<Vec3>,
}

impl SwingPath {
    /// Whether the path covers a frame.
    fn covers(&self, frame: usize) -> bool {
        frame.abs_diff(self.held) < self.span
    }

    /// Weight of the stance's correction at a frame.
    fn weight(&self, frame: usize) -> f64 {
        // A foot that is held until it is held again has a path of span 0.
        let t = (frame.abs_diff(self.held) as f64 / self.span.max(1) as f64).min(1.0);
        // With u counted from the stance, the curve and its mirror image are the same.
        match (self.is_in_run, self.published_end) {
            (true, Some(_)) => 1.0 - t * t,
            // Squared, so that the correction ends smoothly at the captured path.
            (true, None) => (1.0 - t * t) * (1.0 - t * t),
            _ => fade(t),
        }
    }
}

/// One end of a swing.
struct SwingEnd {
    /// The frame of the stance next to the swing.
    stance: usize,
    /// The frame until which, or from which on, the foot is held.
    held: usize,
    /// The other end of its skate run: T where the foot leaves, S where it arrives.
    run_end: Option<usize>,
}

impl Swing<'_> {
    fn fill(&self, runs: &[SkateRun], targets: &mut [Option<AnkleTarget>]) {
        let (departure, arrival) = self.paths(runs);
        let start = self.from.map_or(0, |from| from + 1);
        let end = self.to.unwrap_or(self.captured.frames);
        let is_past = |path: &SwingPath, frame: usize| frame > path.held && !path.covers(frame);
        let is_ahead = |path: &SwingPath, frame: usize| frame < path.held && !path.covers(frame);
        let is_corrected = |frame: usize| {
            departure.is_some_and(|path| !is_past(&path, frame))
                || arrival.is_some_and(|path| !is_ahead(&path, frame))
        };
        // A long swing is corrected only near its ends.
        let departed = departure.map_or(start, |path| (path.held + path.span).clamp(start, end));
        let arriving =
            arrival.map_or(end, |path| (path.held + 1).saturating_sub(path.span).clamp(departed, end));
        for frame in (start..departed).chain(arriving..end).filter(|&frame| is_corrected(frame)) {
            targets[frame] = self.target(frame, departure, arrival);
        }
        self.straighten(runs, departed.saturating_sub(1)..arriving + 1, targets);
    }

    /// The paths from the stance before and to the stance after.
    fn paths(&self, runs: &[SkateRun]) -> (Option<SwingPath>, Option<SwingPath>) {
        let departure = self.from.map(|stance| self.departure(runs, stance));
        let arrival = self.to.map(|stance| {
            // A foot is not held by two stances at once: the runs follow each other.
            let first = departure.as_ref().map_or(0, |departure| departure.held + 1);
            self.arrival(runs, stance, first)
        });
        let room = match (&departure, &arrival) {
            (Some(departure), Some(arrival)) => arrival.held - departure.held.min(arrival.held),
            _ => usize::MAX,
        };
        let path = |end: Option<SwingEnd>| end.and_then(|end| self.path(&end, room));
        (path(departure), path(arrival))
    }

    fn departure(&self, runs: &[SkateRun], stance: usize) -> SwingEnd {
        let run = runs_at(runs, stance)
            .find(|run| run.ends_support(self.leg) && (run.first..run.last).contains(&stance));
        let last = self.to.map_or(self.captured.frames, |to| to.max(1)) - 1;
        let held = run.map_or(stance, |run| run.change.clamp(stance, last.max(stance)));
        SwingEnd { stance, held, run_end: run.map(|run| run.last) }
    }

    fn arrival(&self, runs: &[SkateRun], stance: usize, first: usize) -> SwingEnd {
        let run = runs_at(runs, stance)
            .find(|run| run.begins_support(self.leg) && (run.first + 1..=run.last).contains(&stance));
        let held = run.map_or(stance, |run| run.change.clamp(first.min(stance), stance));
        SwingEnd { stance, held, run_end: run.map(|run| run.first) }
    }

    fn path(&self, end: &SwingEnd, room: usize) -> Option<SwingPath> {
        let captured = |frame: usize| self.captured.leg(frame, self.leg);
        let target = self.stance_targets[end.stance].target?;
        let run_span = end.run_end.map_or(0, |other| other.abs_diff(end.held));
        let span = run_span.max(self.captured.setup.windows.fade_frames() + 1).min(room);
        let is_in_run = span == run_span;
        Some(SwingPath {
            held: end.held,
            span,
            is_in_run: end.run_end.is_some(),
            correction: target.position - captured(end.held).ankle,
            rotation: log(target.rotation * captured(end.stance).ankle_rotation.conjugate()),
            position: target.position,
            published_end: end.run_end.filter(|_| is_in_run).map(|other| captured(other).ankle),
        })
    }

    fn target(
        &self,
        frame: usize,
        departure: Option<SwingPath>,
        arrival: Option<SwingPath>,
    ) -> Option<AnkleTarget> {
        let ankle = self.captured.leg(frame, self.leg).ankle;
        let (mut correction, mut rotation) = (Vec3::ZERO, Vec3::ZERO);
        let departure = departure.map(|path| (path, frame <= path.held));
        let arrival = arrival.map(|path| (path, frame >= path.held));
        for (path, is_held) in [departure, arrival].into_iter().flatten() {
            if is_held {
                correction = path.position - ankle;
                rotation = path.rotation;
                break;
            }
            if !path.covers(frame) {
                continue;
            }
            let weight = path.weight(frame);
            correction += match path.published_end {
                Some(end) => end.lerp(path.position, weight) - ankle,
                None => path.correction * weight,
            };
            rotation += path.rotation * weight;
        }
        self.correct(frame, correction, rotation)
    }

    /// A foot moved and rotated, and kept above the floor, or at most as deep below it as captured.
    fn correct(&self, frame: usize, correction: Vec3, rotation: Vec3) -> Option<AnkleTarget> {
        if correction == Vec3::ZERO && rotation == Vec3::ZERO {
            return None;
        }
        let captured = self.captured.leg(frame, self.leg);
        let rotation = exp(rotation);
        let mut position = captured.ankle + correction;
        if let Some(floor) = &self.captured.setup.floor {
            let lowest = |heel: Vec3, ball: Vec3| floor.above(heel).min(floor.above(ball)).min(0.0);
            let moved = captured.points.map(|point| position + rotation * (point - captured.ankle));
            let before = lowest(captured.points.heel, captured.points.ball);
            position += floor.up() * (before - lowest(moved.heel, moved.ball)).max(0.0);
        }
        Some(AnkleTarget { position, rotation: rotation * captured.ankle_rotation })
    }

    /// Moves a foot that supports the body neither before nor after a run straight through it: as published.
    fn straighten(&self, runs: &[SkateRun], free: FrameRange, targets: &mut [Option<AnkleTarget>]) {
        let first = runs.partition_point(|run| run.first < free.start);
        let within = runs[first..].iter().take_while(|run| run.last < free.end);
        for run in within.filter(|run| !(run.before | run.after).contains(self.leg)) {
            let ankle = |frame: usize| self.captured.leg(frame, self.leg).ankle;
            let (first, last) = (ankle(run.first), ankle(run.last));
            for (frame, target) in targets.iter_mut().enumerate().take(run.last).skip(run.first + 1) {
                let weight = fade((frame - run.first) as f64 / (run.last - run.first) as f64);
                let correction = last.lerp(first, weight) - ankle(frame);
                *target = self.correct(frame, correction, Vec3::ZERO);
            }
        }
    }
}

/// The runs that may contain a frame: they are in order, and touch at their ends at most.
fn runs_at(runs: &[SkateRun], frame: usize) -> impl Iterator<Item = &SkateRun> {
    let after = runs.partition_point(|run| run.first <= frame);
    runs[after.saturating_sub(2)..after].iter()
}
