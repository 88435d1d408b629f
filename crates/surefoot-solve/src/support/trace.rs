//! How does a foot come to its place, and leave it?
//!
//! Between two stances a foot leaves the one and comes to the next. In a skating run it stands until K
//! and leaves by T, or leaves at S and stands from K on, along the curve `(1−u)²·P_S + (1 − (1−u)²)·P_T`
//! or its mirror image. Elsewhere its change fades over the blend window, and no trace is shorter than
//! that while there is room: this is what makes the ends smooth.
//!
//! As published, P are places, and a swing within a run loses its arc. Else they are changes of
//! places, what is captured in between stays, and the curve's weight is squared: so it begins at the
//! stance as the published one does, and ends without a jolt.

use surefoot_core::math::fade;
use surefoot_core::{FrameRange, Vec3};

use super::body::Body;
use super::hold::Stand;
use super::leg::Target;
use super::runs::Run;
use crate::kinematics::rotation::{exp, log};
use crate::settings::Form;

/// Where one leg's ankle must be, frame by frame; none where it stays as captured.
pub(super) fn targets(body: &Body, leg: usize, runs: &[Run], stands: &[Stand]) -> Vec<Option<Target>> {
    let mut targets: Vec<Option<Target>> = stands.iter().map(|stand| stand.target).collect();
    let stances = body.stances(leg);
    let ends = stances.iter().map(|stance| Some(stance.end - 1));
    let starts = stances.iter().map(|stance| Some(stance.start));
    // The gap before the first stance, those between, and the one after the last.
    for (from, to) in [None].into_iter().chain(ends).zip(starts.chain([None])) {
        let gap = Gap { body, leg, stands, from, to };
        gap.fill(runs, &mut targets);
    }
    targets
}

/// The frames between two stances of a leg.
struct Gap<'a> {
    body: &'a Body<'a>,
    leg: usize,
    stands: &'a [Stand],
    /// The last frame of the stance before.
    from: Option<usize>,
    /// The first frame of the one after.
    to: Option<usize>,
}

/// A foot on its way from or to a stance.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// The frame until which, or from which on, it stands.
    stands: usize,
    /// How many frames away from there it is as captured.
    span: usize,
    /// Whether a skating run tells the way.
    in_run: bool,
    /// By how much the stance changes the ankle: its place, at the frame until which or from which on
    /// it stands; its turn, as axis times angle.
    by: Vec3,
    turn: Vec3,
    /// Where the ankle stands; and, if the way is as published, where it is as captured again.
    place: Vec3,
    published: Option<Vec3>,
}

impl Way {
    /// Whether the way goes through a frame.
    fn reaches(&self, frame: usize) -> bool {
        frame.abs_diff(self.stands) < self.span
    }

    /// How much of the stance's change is left at a frame.
    fn weight(&self, frame: usize) -> f64 {
        // A foot that stands to the end before it stands again has no way in between.
        let t = (frame.abs_diff(self.stands) as f64 / self.span.max(1) as f64).min(1.0);
        // With u counted from the stance, the curve and its mirror image are one.
        match (self.in_run, self.published) {
            (true, Some(_)) => 1.0 - t * t,
            // Squared, so that it ends without a jolt where the foot is as captured.
            (true, None) => (1.0 - t * t) * (1.0 - t * t),
            _ => fade(t),
        }
    }
}

/// One end of a gap: the stance's frame next to it, and the frame beyond which it cannot go.
struct End {
    stance: usize,
    stands: usize,
    /// The other end of its run: T where it leaves, S where it comes.
    run: Option<usize>,
}

impl Gap<'_> {
    fn fill(&self, runs: &[Run], targets: &mut [Option<Target>]) {
        let (leaves, comes) = self.ways(runs);
        let start = self.from.map_or(0, |from| from + 1);
        let end = self.to.unwrap_or(self.body.frames);
        let is_gone = |way: &Way, frame: usize| frame > way.stands && !way.reaches(frame);
        let is_yet_to_come = |way: &Way, frame: usize| frame < way.stands && !way.reaches(frame);
        let changes = |frame: usize| {
            leaves.is_some_and(|way| !is_gone(&way, frame))
                || comes.is_some_and(|way| !is_yet_to_come(&way, frame))
        };
        // A long gap is looked at only near its ends.
        let left = leaves.map_or(start, |way| (way.stands + way.span).clamp(start, end));
        let back = comes.map_or(end, |way| (way.stands + 1).saturating_sub(way.span).clamp(left, end));
        for frame in (start..left).chain(back..end).filter(|&frame| changes(frame)) {
            targets[frame] = self.target(frame, leaves, comes);
        }
        if self.body.setup.settings.form == Form::Paper {
            self.ease(runs, left.saturating_sub(1)..back + 1, targets);
        }
    }

    /// How the foot leaves the stance before, and comes to the one after.
    fn ways(&self, runs: &[Run]) -> (Option<Way>, Option<Way>) {
        let leaving = self.from.map(|stance| {
            let run = around(runs, stance)
                .find(|run| run.lets_go(self.leg) && (run.first..run.last).contains(&stance));
            let last = self.to.map_or(self.body.frames, |to| to.max(1)) - 1;
            let stands = run.map_or(stance, |run| run.change.clamp(stance, last.max(stance)));
            End { stance, stands, run: run.map(|run| run.last) }
        });
        let coming = self.to.map(|stance| {
            let run = around(runs, stance)
                .find(|run| run.takes_on(self.leg) && (run.first + 1..=run.last).contains(&stance));
            // Two feet never stand in one gap at once: runs are one after the other.
            let first = leaving.as_ref().map_or(0, |leaving| leaving.stands + 1);
            let stands = run.map_or(stance, |run| run.change.clamp(first.min(stance), stance));
            End { stance, stands, run: run.map(|run| run.first) }
        });
        let room = match (&leaving, &coming) {
            (Some(leaving), Some(coming)) => coming.stands - leaving.stands.min(coming.stands),
            _ => usize::MAX,
        };
        let way = |end: Option<End>| end.and_then(|end| self.way(&end, room));
        (way(leaving), way(coming))
    }

    fn way(&self, end: &End, room: usize) -> Option<Way> {
        let seen = |frame: usize| self.body.seen(frame, self.leg);
        let target = self.stands[end.stance].target?;
        let own = end.run.map_or(0, |other| other.abs_diff(end.stands));
        let span = own.max(self.body.setup.frames.blend.frames + 1).min(room);
        let is_published = self.body.setup.settings.form == Form::Paper && span == own;
        Some(Way {
            stands: end.stands,
            span,
            in_run: end.run.is_some(),
            by: target.position - seen(end.stands).ankle,
            turn: log(target.turn * seen(end.stance).ankle_turn.conjugate()),
            place: target.position,
            published: end.run.filter(|_| is_published).map(|other| seen(other).ankle),
        })
    }

    fn target(&self, frame: usize, leaves: Option<Way>, comes: Option<Way>) -> Option<Target> {
        let ankle = self.body.seen(frame, self.leg).ankle;
        let (mut by, mut turn) = (Vec3::ZERO, Vec3::ZERO);
        let leaves = leaves.map(|way| (way, frame <= way.stands));
        let comes = comes.map(|way| (way, frame >= way.stands));
        for (way, is_standing) in [leaves, comes].into_iter().flatten() {
            if is_standing {
                by = way.place - ankle;
                turn = way.turn;
                break;
            }
            if !way.reaches(frame) {
                continue;
            }
            let weight = way.weight(frame);
            by += match way.published {
                Some(free) => free.lerp(way.place, weight) - ankle,
                None => way.by * weight,
            };
            turn += way.turn * weight;
        }
        self.moved(frame, by, turn)
    }

    /// A foot moved and turned, and kept out of the floor, or as deep in it as it was captured.
    fn moved(&self, frame: usize, by: Vec3, turn: Vec3) -> Option<Target> {
        if by == Vec3::ZERO && turn == Vec3::ZERO {
            return None;
        }
        let seen = self.body.seen(frame, self.leg);
        let added = exp(turn);
        let mut position = seen.ankle + by;
        if let Some(floor) = &self.body.setup.floor {
            let lowest = |places: [Vec3; 2]| floor.above(places[0]).min(floor.above(places[1])).min(0.0);
            let now = lowest(seen.points.map(|point| position + added * (point - seen.ankle)));
            position += floor.up() * (lowest(seen.points) - now).max(0.0);
        }
        Some(Target { position, turn: added * seen.ankle_turn })
    }

    /// Eases a foot that carries neither before nor after a run straight through it: as published.
    fn ease(&self, runs: &[Run], free: FrameRange, targets: &mut [Option<Target>]) {
        let first = runs.partition_point(|run| run.first < free.start);
        let within = runs[first..].iter().take_while(|run| run.last < free.end);
        for run in within.filter(|run| !(run.before | run.after).contains(self.leg)) {
            let [first, last] = [run.first, run.last].map(|frame| self.body.seen(frame, self.leg).ankle);
            for (frame, target) in targets.iter_mut().enumerate().take(run.last).skip(run.first + 1) {
                let weight = fade((frame - run.first) as f64 / (run.last - run.first) as f64);
                let by = last.lerp(first, weight) - self.body.seen(frame, self.leg).ankle;
                *target = self.moved(frame, by, Vec3::ZERO);
            }
        }
    }
}

/// The runs that a frame can be in: they are in order, and touch one another at their ends at most.
fn around(runs: &[Run], frame: usize) -> impl Iterator<Item = &Run> {
    let after = runs.partition_point(|run| run.first <= frame);
    runs[after.saturating_sub(2)..after].iter()
}
