//! The phases of the cleaner, in the order they run.
//!
//! | phase | file | decides | look-ahead |
//! |---|---|---|---|
//! | 1 | `spots` | where each plant stands | spot window |
//! | 2 | `ankles` | position and orientation of each planted ankle | ankle window |
//! | 3 | `root` | where the root must be so that the legs reach | root window and half of it |
//! | 4 | `legs` | how each planted leg bends, swivels and stretches | knee window |
//! | 5 | `blend` | how corrections fade into the frames around a stance | blend window |
//! | 6 | `clearance` | how free feet and toes stay above the floor | none |
//!
//! Each phase works on one frame after the other, as soon as the phase before it has completed the
//! frames that it looks ahead to; a phase reads only what earlier phases wrote. Phases 3 and 4 run in
//! several steps: a request per frame, a filter over the requests, and for the root what the filter left
//! out of reach.

use core::ops::{Index, IndexMut};

use crate::setup::Setup;
use crate::stream::poses::Output;
use crate::stream::window::Window;

pub(crate) mod spots;
pub(crate) mod ankles;
pub(crate) mod root;
pub(crate) mod legs;
pub(crate) mod blend;
pub(crate) mod clearance;

/// A step of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Spots,
    Ankles,
    RootRequest,
    RootSmoothing,
    RootEasing,
    KneeRequest,
    KneeFilter,
    Blend,
    Clearance,
}

impl Phase {
    /// The last step: a frame that it has completed leaves the cleaner.
    pub const LAST: Self = Self::Clearance;

    const COUNT: usize = Self::LAST as usize + 1;

    /// The step whose output this one reads; `None` for the first, which reads the pushed frames.
    #[inline(always)]
    pub const fn previous(self) -> Option<Self> {
        match self {
            Self::Spots => None,
            Self::Ankles => Some(Self::Spots),
            Self::RootRequest => Some(Self::Ankles),
            Self::RootSmoothing => Some(Self::RootRequest),
            Self::RootEasing => Some(Self::RootSmoothing),
            Self::KneeRequest => Some(Self::RootEasing),
            Self::KneeFilter => Some(Self::KneeRequest),
            Self::Blend => Some(Self::KneeFilter),
            Self::Clearance => Some(Self::Blend),
        }
    }
}

/// Number of frames that each step has completed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Progress([usize; Phase::COUNT]);

impl Progress {
    /// All steps have completed the frames before `frame`.
    pub fn all(frame: usize) -> Self {
        Self([frame; Phase::COUNT])
    }
}

impl Index<Phase> for Progress {
    type Output = usize;

    #[inline(always)]
    fn index(&self, phase: Phase) -> &usize {
        &self.0[phase as usize]
    }
}

impl IndexMut<Phase> for Progress {
    #[inline(always)]
    fn index_mut(&mut self, phase: Phase) -> &mut usize {
        &mut self.0[phase as usize]
    }
}

/// Runs every step once, and at the end of the stream until a frame comes out. Returns the frame that came
/// out.
///
/// The first step is a parameter: [`spots::place`], or nothing where all spots are known.
pub(crate) fn advance(
    window: &mut Window,
    output: &mut Output,
    setup: &Setup,
    place_spots: impl Fn(&mut Window, &Setup, usize),
) -> Option<usize> {
    loop {
        let next = window.progress[Phase::LAST];
        run_steps(window, output, setup, &place_spots);
        if window.progress[Phase::LAST] > next {
            return Some(next);
        }
        if !window.has_ended || next == window.pushed {
            return None;
        }
    }
}

/// Runs every step on its next frame, if it is ready.
// Not inlined: within the loop above, the compiler would load and spill all of the setup before it.
#[inline(never)]
fn run_steps(
    window: &mut Window,
    output: &mut Output,
    setup: &Setup,
    place_spots: impl FnOnce(&mut Window, &Setup, usize),
) {
    let (ahead, mut available) = (&setup.windows, window.pushed);
    step(window, setup, Phase::Spots, ahead.spots, &mut available, place_spots);
    step(window, setup, Phase::Ankles, ahead.ankles.frames, &mut available, ankles::aim);
    step(window, setup, Phase::RootRequest, 0, &mut available, root::request);
    step(window, setup, Phase::RootSmoothing, ahead.root.frames, &mut available, root::smooth);
    step(window, setup, Phase::RootEasing, ahead.root_ease.frames, &mut available, root::ease);
    step(window, setup, Phase::KneeRequest, 0, &mut available, legs::request);
    step(window, setup, Phase::KneeFilter, ahead.knee.frames, &mut available, legs::filter);
    step(window, setup, Phase::Blend, ahead.blend.frames, &mut available, |window, setup, frame| {
        blend::blend(window, output, setup, frame);
    });
    step(window, setup, Phase::Clearance, 0, &mut available, |window, setup, frame| {
        clearance::clear(window, output, setup, frame);
    });
}

/// Runs a step on its next frame if the step before it has completed `ahead` more; at the end of the stream,
/// if the step before it has completed all frames.
///
/// `available` is the number of frames that the step before has completed, and becomes that of this one.
#[inline(always)]
fn step(
    window: &mut Window,
    setup: &Setup,
    phase: Phase,
    ahead: usize,
    available: &mut usize,
    work: impl FnOnce(&mut Window, &Setup, usize),
) {
    let next = window.progress[phase];
    let is_draining = || window.has_ended && *available == window.pushed && next < *available;
    let is_ready = next + ahead < *available || is_draining();
    *available = next;
    if is_ready {
        work(window, setup, next);
        *available += 1;
        window.progress[phase] = *available;
    }
}
