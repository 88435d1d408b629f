//! Everything that stays fixed while a motion is cleaned, checked and computed once.

mod error;
mod leg;
mod pelvis;
mod shape;

use surefoot_core::{Clip, Floor, JointId, Leg, Pose, Skeleton, Vec3};
use wide::f64x2;

use crate::kinematics::filter_weights::{ankle_weights, root_cell_weights, window_weights};
use crate::kinematics::leg_fk::LegPair;
use crate::rules::Rules;
use crate::settings::{Form, Method, Settings};
use crate::stream::frame_windows::Windows;

pub use error::SetupError;
pub(crate) use leg::{FootPointSetup, LegSetup};
pub(crate) use pelvis::Pelvis;
pub use shape::{LegShape, leg_shapes};

/// What the phases share.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub skeleton: Skeleton,
    /// Offsets of the skeleton, by joint.
    pub offsets: Vec<Vec3>,
    pub fps: f64,
    pub floor: Option<Floor>,
    pub legs: Vec<LegSetup>,
    /// The legs in pairs, for forward kinematics.
    pub pairs: Vec<LegPair>,
    pub root: JointId,
    /// The joint that both legs are attached to; `None` for bodies with more or fewer than two legs.
    pub pelvis: Option<Pelvis>,
    /// As the user gave them, for the report.
    pub settings: Settings,
    pub rules: Rules,
    pub windows: Windows,
    /// Number of frames in a cell of root corrections.
    pub root_cell: usize,
    /// Number of frames in a cell of the fit, a multiple of those in a cell of root corrections.
    pub fit_cell: usize,
    /// Weights of the root filter, for each frame of a cell.
    pub root_weights: Vec<Vec<f64x2>>,
    /// Weights that steady the ankle, for each half width in frames.
    pub ankle_weights: Vec<Vec<f64>>,
    /// Weights of the frames of a fit.
    pub knee_weights: Vec<f64>,
    /// Weights that smooth the swivel.
    pub swivel_weights: Vec<f64>,
}

impl Setup {
    /// `shapes` has an entry for each leg; `longest_plant`, in frames, bounds an infinite spot window.
    pub fn new(
        clip: &Clip,
        shapes: &[LegShape],
        longest_plant: usize,
        settings: &Settings,
    ) -> Result<Self, SetupError> {
        let fps = clip.motion.fps;
        let windows = Windows::new(fps, longest_plant, settings)?;
        check_floor(clip)?;
        let skeleton = clip.motion.skeleton.clone();
        let leg = |(n, leg)| LegSetup::new(&skeleton, leg, shapes.get(n));
        let legs: Vec<LegSetup> = clip.legs.iter().enumerate().map(leg).collect::<Result<_, _>>()?;
        let root = common_root(&skeleton, &legs)?;
        let offsets: Vec<Vec3> = skeleton.joints().iter().map(|joint| joint.offset).collect();
        // A filter needs a few cells to be smooth: at least four on either side.
        let root_cell = ((fps * settings.root_cell).round() as usize).min(windows.root.frames / 4).max(1);
        Ok(Self {
            root_weights: (0..root_cell).map(|at| root_cell_weights(windows.root, root_cell, at)).collect(),
            fit_cell: fit_cell(settings, &windows, root_cell),
            root_cell,
            ankle_weights: ankle_weights(windows.ankle_steady.frames),
            knee_weights: window_weights(windows.knee),
            swivel_weights: window_weights(windows.swivel),
            fps,
            floor: clip.floor.clone(),
            pelvis: Pelvis::new(&skeleton, &legs),
            root,
            pairs: LegPair::all(&legs, &offsets),
            offsets,
            legs,
            skeleton,
            settings: *settings,
            rules: Rules::new(
                settings,
                fps,
                settings.stretch_limit_for(|| has_joint_translations(clip)),
                settings.snap_distance_for(clip.floor.as_ref()),
            ),
            windows,
        })
    }

    /// A setup for the phases, frame by frame: not for the published form of [`Method::Support`].
    pub fn for_phases(
        clip: &Clip,
        shapes: &[LegShape],
        longest_plant: usize,
        settings: &Settings,
    ) -> Result<Self, SetupError> {
        match (settings.method, settings.form) {
            (Method::Support, Form::Paper) => Err(SetupError::WholeMotion),
            _ => Self::new(clip, shapes, longest_plant, settings),
        }
    }

    /// Look-ahead of the fit, in frames: the window of the next cell.
    pub fn fit_lookahead(&self) -> usize {
        match self.rules.is_published {
            true => 0,
            false => self.windows.knee.frames + self.fit_cell - 1,
        }
    }

    /// Number of frames between a pose and its clean counterpart.
    pub fn lookahead(&self) -> usize {
        self.windows.lookahead() - self.windows.knee.frames + self.fit_lookahead()
    }
}

/// Number of frames in a cell of the fit: a multiple of `root_cell`, and about half the window, so that two windows
/// contain each frame. Smaller cells take more computation and less latency, and are no smoother. Without cells of root
/// corrections, as in a loop, where no frame is a first one, each frame has a window of its own.
fn fit_cell(settings: &Settings, windows: &Windows, root_cell: usize) -> usize {
    match settings.root_cell == 0.0 {
        true => 1,
        false => (windows.knee.frames / root_cell * root_cell).max(root_cell),
    }
}

/// Whether any pose of the performance moves a joint away from its offset in the skeleton.
///
/// The root does not count, nor does the pelvis below a root on the ground: their positions are those of the body, and
/// their channels do not mean that the bones of the file may stretch.
pub fn has_joint_translations(clip: &Clip) -> bool {
    let skeleton = &clip.motion.skeleton;
    let is_bone = |joint: JointId| skeleton.parent(joint).is_some() && !carries_all_legs(clip, joint);
    let bones: Vec<JointId> = skeleton.ids().filter(|&joint| is_bone(joint)).collect();
    let has_translations =
        |pose: &Pose| bones.iter().any(|&joint| pose.offsets[joint.index()] != skeleton.joint(joint).offset);
    clip.performance_poses().iter().any(has_translations)
}

/// Whether all legs are below a joint. Without legs there is no pelvis.
fn carries_all_legs(clip: &Clip, joint: JointId) -> bool {
    let skeleton = &clip.motion.skeleton;
    let is_below = |leg: &Leg| {
        let above = core::iter::successors(skeleton.parent(leg.hip), |&joint| skeleton.parent(joint));
        above.into_iter().any(|above| above == joint)
    };
    let legs = Leg::without_arms(&clip.legs);
    !legs.is_empty() && legs.iter().all(is_below)
}

fn check_floor(clip: &Clip) -> Result<(), SetupError> {
    let plane = clip.floor.as_ref().and_then(Floor::as_plane);
    if plane.is_some_and(|plane| !plane.normal.is_normalized() || !plane.offset.is_finite()) {
        Err(SetupError::InvalidFloor)
    } else {
        Ok(())
    }
}

/// The root that all legs are below.
fn common_root(skeleton: &Skeleton, legs: &[LegSetup]) -> Result<JointId, SetupError> {
    let root_of = |leg: &LegSetup| {
        let ancestors = core::iter::successors(Some(leg.leg.hip), |&joint| skeleton.parent(joint));
        ancestors.last().unwrap_or(leg.leg.hip)
    };
    let mut roots = legs.iter().map(root_of);
    let root = roots.next().unwrap_or(JointId(0));
    if roots.any(|other| other != root) { Err(SetupError::SeveralRoots) } else { Ok(root) }
}
