//! The phases of the cleaner, in the order they run.
//!
//! | phase | file | decides | look-ahead |
//! |---|---|---|---|
//! | 1 | `spots`, `resting_feet` | where each plant stands | spot window |
//! | 2 | `ankles` | position and orientation of each planted foot | ankle window |
//! | 3 | `swing` | position and orientation of each free foot | blend window |
//! | 4 | `clearance` | how far free feet are lifted out of the floor | lift window |
//! | 5 | `root` | where the root must be so that the legs reach | root window and half of it |
//! | 6 | `fit` | the last millimetres of root, pelvis and feet, so that knees stay smooth | knee window |
//! | 7 | `legs` | the rotations of hip, knee and ankle; `toes` those of the toes | none |
//!
//! Each phase works on one frame after the other, as soon as the phase before it has completed the
//! frames that it looks ahead to; a phase reads only what earlier phases wrote. Phases 5 and 6 run in
//! several steps: a request per frame, a filter over the requests, and for the root what the filter left
//! out of reach.
//!
//! The published form has no phases 3, 4 and 6: after the legs have bent, it fades the joint angles
//! into the frames around a stance (`published::blend`) and lifts free feet (`published::lift`).

use core::ops::{Index, IndexMut};

use crate::published;
use crate::setup::Setup;
use crate::stream::poses::Output;
use crate::stream::window::Window;

pub(crate) mod spots;
pub(crate) mod resting_feet;
pub(crate) mod holds;
pub(crate) mod turns;
pub(crate) mod ankles;
pub(crate) mod swing;
pub(crate) mod clearance;
pub(crate) mod root;
pub(crate) mod fit;
pub(crate) mod legs;
pub(crate) mod toes;

/// A step of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Spots,
    Ankles,
    Swing,
    Clearance,
    RootRequest,
    RootSmoothing,
    RootEasing,
    FitPreparation,
    Fit,
    Blend,
    Legs,
}

impl Phase {
    /// The last step: a frame that it has completed leaves the cleaner.
    pub const LAST: Self = Self::Legs;

    const COUNT: usize = Self::LAST as usize + 1;

    /// The step whose output this one reads; `None` for the first, which reads the pushed frames.
    #[inline(always)]
    pub const fn previous(self) -> Option<Self> {
        match self {
            Self::Spots => None,
            Self::Ankles => Some(Self::Spots),
            Self::Swing => Some(Self::Ankles),
            Self::Clearance => Some(Self::Swing),
            Self::RootRequest => Some(Self::Clearance),
            Self::RootSmoothing => Some(Self::RootRequest),
            Self::RootEasing => Some(Self::RootSmoothing),
            Self::FitPreparation => Some(Self::RootEasing),
            Self::Fit => Some(Self::FitPreparation),
            Self::Blend => Some(Self::Fit),
            Self::Legs => Some(Self::Blend),
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
    let is_published = setup.rules.is_published;
    let improved = |step: fn(&mut Window, &Setup, usize)| {
        if is_published { |_: &mut Window, _: &Setup, _| {} } else { step }
    };
    step(window, setup, Phase::Spots, ahead.spots, &mut available, place_spots);
    step(window, setup, Phase::Ankles, ahead.ankles.frames, &mut available, ankles::aim);
    step(window, setup, Phase::Swing, ahead.swing.frames, &mut available, improved(swing::lead));
    step(window, setup, Phase::Clearance, ahead.lift.frames, &mut available, improved(clearance::lift));
    step(window, setup, Phase::RootRequest, 0, &mut available, root::request);
    step(window, setup, Phase::RootSmoothing, ahead.root.frames, &mut available, root::smooth);
    step(window, setup, Phase::RootEasing, ahead.root_ease.frames, &mut available, root::ease);
    step(window, setup, Phase::FitPreparation, 0, &mut available, improved(fit::prepare));
    step(
        window,
        setup,
        Phase::Fit,
        setup.fit_lookahead(),
        &mut available,
        match is_published {
            true => legs::bend,
            false => fit::fit,
        },
    );
    step(window, setup, Phase::Blend, ahead.blend.frames, &mut available, |window, setup, frame| {
        if is_published {
            published::blend::blend(window, output, setup, frame);
        }
    });
    step(window, setup, Phase::Legs, 0, &mut available, |window, setup, frame| {
        legs::write_pose(window, output, setup, frame);
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
