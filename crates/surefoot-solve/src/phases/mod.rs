//! The five phases, in the order they run.

use crate::setup::Setup;
use crate::stream::poses::Out;
use crate::stream::window::Window;

pub(crate) mod spots;
pub(crate) mod ankles;
pub(crate) mod root;
pub(crate) mod legs;
pub(crate) mod blend;
pub(crate) mod clearance;

/// Moves every phase on by one frame, and at the end by as many as it takes until one comes out. Gives back the
/// frame that is done.
///
/// The first phase comes from outside: [`spots::settle`], or nothing where all spots are known.
pub(crate) fn advance(
    window: &mut Window,
    out: &mut Out,
    setup: &Setup,
    settle: impl Fn(&mut Window, &Setup, usize),
) -> Option<usize> {
    loop {
        let last = window.done[6];
        move_on(window, out, setup, &settle);
        if window.done[6] > last {
            return Some(last);
        }
        if !window.ended || last == window.pushed {
            return None;
        }
    }
}

/// Moves every phase on by one frame.
// By itself: within a loop, all that is fixed would be fetched and laid aside before it.
#[inline(never)]
fn move_on(
    window: &mut Window,
    out: &mut Out,
    setup: &Setup,
    settle: impl FnOnce(&mut Window, &Setup, usize),
) {
    let (ahead, mut above) = (&setup.frames, window.pushed);
    step(window, setup, 0, ahead.spots, &mut above, settle);
    step(window, setup, 1, ahead.ankles.frames, &mut above, ankles::aim);
    step(window, setup, 2, ahead.root.frames, &mut above, root::place);
    step(window, setup, 3, ahead.ease.frames, &mut above, root::ease);
    step(window, setup, 4, 0, &mut above, legs::ask);
    step(window, setup, 5, ahead.knee.frames, &mut above, legs::bend);
    step(window, setup, 6, ahead.blend.frames, &mut above, |window, setup, frame| {
        blend::fade(window, out, setup, frame);
    });
}

/// Does the next frame of a phase, if `above`, how many frames the phase above it has done, is far enough
/// `ahead` of it. That becomes how many this phase has done.
///
/// So what a phase reads has always been filled in. Only once the one above has done every frame there is
/// does it look less far ahead.
#[inline(always)]
fn step(
    window: &mut Window,
    setup: &Setup,
    phase: usize,
    ahead: usize,
    above: &mut usize,
    work: impl FnOnce(&mut Window, &Setup, usize),
) {
    let next = window.done[phase];
    let is_all = || window.ended && *above == window.pushed && next < *above;
    let is_ready = next + ahead < *above || is_all();
    *above = next;
    if is_ready {
        work(window, setup, next);
        *above += 1;
        window.done[phase] = *above;
    }
}
