//! Where does each plant stand, and where must the ankle of a planted foot be?
//!
//! A plant stands where its first frame has it; one that begins in a skating run, where it stands at
//! the run's end, or at its own if that is sooner. Near the floor it is put on it. The foot is moved and
//! turned to its spots as in phases 1 and 2.

use surefoot_core::{FrameRange, Quat, Vec3};

use super::body::Body;
use super::leg::{Bent, Target};
use super::runs::Run;
use crate::kinematics::blend_weights::Sides;
use crate::kinematics::rotation::{exp, log};
use crate::phases::ankles::{out_of_floor, pointed};
use crate::phases::spots::{begun, on_floor};
use crate::report::cost::{Spent, Taken};
use crate::settings::Form;

/// A foot of one frame as its plants have it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stand {
    /// Where heel and ball stand.
    pub spots: [Option<Vec3>; 2],
    /// Where the ankle must be; none where the foot is free.
    pub target: Option<Target>,
}

/// One leg as its plants have it, frame by frame.
pub(super) fn hold(body: &Body, leg: usize, runs: &[Run]) -> Vec<Stand> {
    let mut stands = vec![Stand::default(); body.frames];
    let mut runs = runs.iter().filter(|run| run.takes_on(leg)).peekable();
    for stance in body.stances(leg) {
        while runs.next_if(|run| run.last < stance.start).is_some() {}
        settle(body, leg, &stance, runs.peek().copied(), &mut stands);
        aim(body, leg, &stance, &mut stands);
    }
    stands
}

/// Finds the spots of one stance.
fn settle(body: &Body, leg: usize, stance: &FrameRange, run: Option<&Run>, stands: &mut [Stand]) {
    for frame in stance.clone() {
        let hold = body.held(frame, leg).points();
        let kept = core::array::from_fn(|point| {
            let before = frame.checked_sub(1).filter(|before| stance.contains(before))?;
            hold[point].filter(|hold| body.is_held_by(before, leg, point, hold.id))?;
            stands[before].spots[point]
        });
        let fresh = |point: usize| {
            let last = hold[point].map_or(frame, |hold| body.last_of(hold.id));
            let run = run.filter(|run| (run.first..=run.last).contains(&frame));
            let stands_at = run.map_or(frame, |run| run.last.min(last).max(frame));
            let place = body.seen(stands_at, leg).points[point];
            match body.setup.settings.form {
                Form::Improved => on_floor(place, body.setup),
                Form::Paper => place,
            }
        };
        let along = body.seen(frame, leg).along();
        let is_same = (0..2).all(|point| hold[point].is_some() == kept[point].is_some());
        stands[frame].spots = if is_same { kept } else { begun(hold, kept, along, body.setup, fresh) };
    }
}

/// A frame with both points held, and the turn added there.
type Both = (usize, Quat);

/// Finds the ankle's targets in one stance.
fn aim(body: &Body, leg: usize, stance: &FrameRange, stands: &mut [Stand]) {
    let setup = body.setup;
    let added = |frame: usize, stands: &[Stand]| match stands[frame].spots {
        [Some(heel), Some(ball)] => {
            let seen = body.seen(frame, leg);
            Some(pointed(seen.along(), seen.ankle_turn, setup, leg, [heel, ball]))
        }
        _ => None,
    };
    // The nearest frame ahead with both points held, found once and kept until it is passed.
    let (mut behind, mut ahead): (Option<Both>, Option<Both>) = (None, None);
    let mut looked = stance.start;
    for frame in stance.clone() {
        let both = added(frame, stands);
        if ahead.is_none_or(|(at, _)| at <= frame) {
            looked = looked.max(frame + 1);
            let found = (looked..stance.end).find(|&at| stands[at].spots.iter().flatten().count() == 2);
            looked = found.unwrap_or(stance.end);
            ahead = found.and_then(|at| Some((at, added(at, stands)?)));
        }
        let seen = body.seen(frame, leg);
        let (point, turn) = match (both, stands[frame].spots) {
            (Some(turn), _) => (0, turn),
            (None, [_, ball]) => {
                let point = usize::from(ball.is_some());
                let turn = exp(faded(body, frame, behind, ahead));
                let (held, free) = (seen.points[point], seen.points[1 - point]);
                let Some(spot) = stands[frame].spots[point] else { continue };
                (point, out_of_floor(setup, spot, turn * (free - held), 0.0) * turn)
            }
        };
        if let Some(turn) = both {
            behind = Some((frame, turn));
        }
        let Some(spot) = stands[frame].spots[point] else { continue };
        let position = spot - turn * (seen.points[point] - seen.ankle);
        stands[frame].target = Some(Target { position, turn: turn * seen.ankle_turn });
    }
}

/// The turns added where both points are held, before and after in the same stance, faded to a frame.
fn faded(body: &Body, frame: usize, behind: Option<Both>, ahead: Option<Both>) -> Vec3 {
    let window = body.setup.frames.ankles;
    let sides =
        Sides { back: behind.map(|(at, _)| frame - at), ahead: ahead.map(|(at, _)| at - frame), window };
    let (back, fore) = sides.weights();
    let part = |side: Option<Both>, weight: f64| {
        // Most frames are far from either, and the logarithm is the dear part.
        side.filter(|_| weight > 0.0).map_or(Vec3::ZERO, |(_, turn)| log(turn) * weight)
    };
    part(behind, back) + part(ahead, fore)
}

/// Adds one frame to what the plants that hold a leg have taken.
pub(super) fn add(taken: &mut [Taken], body: &Body, leg: usize, frame: usize, stand: &Stand, bent: &Bent) {
    let Some(target) = stand.target else { return };
    let seen = body.seen(frame, leg);
    for (point, hold) in body.held(frame, leg).points().into_iter().enumerate() {
        let (Some(hold), Some(stands)) = (hold, stand.spots[point]) else { continue };
        let Some(taken) = taken.get_mut(hold.id as usize) else { continue };
        let spot = hold.spot.unwrap_or(stands);
        let turn = target.turn * seen.ankle_turn.conjugate();
        let off = (target.position + turn * (seen.points[point] - seen.ankle) - spot).length();
        let Bent { beyond, stretch, short } = *bent;
        taken.add_frame(spot, seen.points[point], &Spent { beyond, root: 0.0, stretch, short, off });
    }
}
