//! The setup of a stream: skeleton, legs and floor, from its header or from a file.
//!
//! What the header leaves out is inferred from the skeleton.

use surefoot_core::{Clip, Floor, Leg, Limb, Motion, Plane, Pose, Skeleton, UpAxis};
use surefoot_formats::stream::{Header, Layout, StreamLeg};
use surefoot_infer::{Excerpt, LegOverride, Overrides, infer};
use surefoot_solve::{LegShape, has_joint_translations, leg_shapes};

use super::error::StreamSetupError;

/// Everything that is fixed while a stream runs.
#[derive(Clone, Debug)]
pub struct StreamSetup {
    /// Skeleton, legs, floor and ground velocity; without frames.
    pub clip: Clip,
    /// Whether the captured frames may move joints other than the root relative to their parents.
    pub joint_translations: bool,
    /// The shape of each leg: knee axis and sole.
    pub shapes: Vec<LegShape>,
    /// Whether binary frames have room for toe tips, holds, strengths and labels of skate.
    pub holds: bool,
    /// Warnings about inferred values.
    pub warnings: Vec<String>,
}

impl StreamSetup {
    /// The setup of a motion file.
    pub fn from_file(clip: &Clip) -> Result<Self, StreamSetupError> {
        let shapes = leg_shapes(&clip.relative_to_ground()).map_err(StreamSetupError::Solver)?;
        let joint_translations = has_joint_translations(clip);
        let Clip { motion: Motion { skeleton, fps, .. }, legs, floor, ground_velocity, .. } = clip;
        let without_frames = without_frames(skeleton.clone(), *fps, legs.clone(), floor.clone());
        let clip = Clip { ground_velocity: *ground_velocity, ..without_frames };
        Ok(Self { clip, joint_translations, shapes, holds: false, warnings: Vec::new() })
    }

    /// The setup that a header states; legs that it does not state are inferred.
    pub fn from_header(header: &Header) -> Result<Self, StreamSetupError> {
        let missing = |field, expected| StreamSetupError::Missing { field, expected };
        let skeleton = header.skeleton.clone().ok_or_else(|| missing("joints", "a list of joints"))?;
        let fps = header.fps.ok_or_else(|| missing("fps", "frames per second"))?;
        let plane = header.floor.unwrap_or(Some(Plane::level(0.0)));
        let floor = plane.map(Floor::Plane);
        let (legs, warnings) = match header.legs.as_deref().and_then(complete_legs) {
            Some(legs) => (legs, Vec::new()),
            None => infer_legs(&skeleton, fps, plane, header.legs.as_deref())?,
        };
        let without_frames = without_frames(skeleton, fps, legs, floor);
        let clip = Clip { ground_velocity: header.ground_velocity, ..without_frames };
        let mut shapes = leg_shapes(&clip).map_err(StreamSetupError::Solver)?;
        for (shape, leg) in shapes.iter_mut().zip(header.legs.iter().flatten()) {
            shape.knee_axis = leg.knee_axis.unwrap_or(shape.knee_axis);
            shape.sole_normal = leg.sole_up.unwrap_or(shape.sole_normal);
            shape.toe_axis = leg.toe_axis.or(shape.toe_axis);
        }
        let (joint_translations, holds) =
            (header.joint_translations == Some(true), header.holds == Some(true));
        Ok(Self { clip, joint_translations, shapes, holds, warnings })
    }

    /// Replaces frame rate, floor, ground velocity and joint translations by those of a header, if it states them.
    pub fn with_header(mut self, header: &Header) -> Result<Self, StreamSetupError> {
        if header.skeleton.is_some() {
            return Err(StreamSetupError::JointsGivenTwice);
        }
        self.clip.motion.fps = header.fps.unwrap_or(self.clip.motion.fps);
        if let Some(plane) = header.floor {
            self.clip.floor = plane.map(Floor::Plane);
        }
        self.clip.ground_velocity = header.ground_velocity.or(self.clip.ground_velocity);
        self.joint_translations = header.joint_translations.unwrap_or(self.joint_translations);
        self.holds = header.holds.unwrap_or(self.holds);
        Ok(self)
    }

    /// The layout of the frames.
    pub fn layout(&self) -> Layout {
        let sides = self.clip.legs.iter().map(|leg| leg.side.clone()).collect();
        Layout { skeleton: self.clip.motion.skeleton.clone(), sides, holds: self.holds }
    }

    /// The header of this setup.
    pub fn header(&self) -> Header {
        let leg = |(leg, shape): (&Leg, &LegShape)| StreamLeg {
            given: LegOverride {
                side: leg.side.clone(),
                hip: leg.hip,
                knee: leg.knee,
                ankle: leg.ankle,
                heel: Some(leg.heel),
                ball: Some(leg.ball),
                toe: Some(leg.toe),
            },
            knee_axis: Some(shape.knee_axis),
            sole_up: Some(shape.sole_normal),
            toe_axis: shape.toe_axis,
        };
        Header {
            fps: Some(self.clip.motion.fps),
            skeleton: Some(self.clip.motion.skeleton.clone()),
            legs: Some(self.clip.legs.iter().zip(&self.shapes).map(leg).collect()),
            // A header cannot contain a height field or mesh.
            floor: match &self.clip.floor {
                None => Some(None),
                Some(floor) => floor.as_plane().map(|plane| Some(*plane)),
            },
            ground_velocity: self.clip.ground_velocity,
            joint_translations: Some(self.joint_translations),
            holds: self.holds.then_some(true),
            ..Header::default()
        }
    }
}

fn without_frames(skeleton: Skeleton, fps: f64, legs: Vec<Leg>, floor: Option<Floor>) -> Clip {
    Clip { motion: Motion { skeleton, fps, poses: Vec::new() }, legs, floor, ..Clip::default() }
}

/// The legs, if all of them are given with all points.
fn complete_legs(legs: &[StreamLeg]) -> Option<Vec<Leg>> {
    let leg = |StreamLeg { given, .. }: &StreamLeg| {
        Some(Leg {
            side: given.side.clone(),
            limb: Limb::Leg,
            hip: given.hip,
            knee: given.knee,
            ankle: given.ankle,
            heel: given.heel?,
            ball: given.ball?,
            toe: given.toe?,
        })
    };
    legs.iter().map(leg).collect()
}

/// Infers the legs that are not given from the rest pose.
fn infer_legs(
    skeleton: &Skeleton,
    fps: f64,
    floor: Option<Plane>,
    legs: Option<&[StreamLeg]>,
) -> Result<(Vec<Leg>, Vec<String>), StreamSetupError> {
    let rest = vec![Pose::rest(skeleton)];
    let motion = Motion { skeleton: skeleton.clone(), fps, poses: rest };
    let given = Overrides {
        unit_m: Some(1.0),
        up: Some(UpAxis { axis: 1, negative: false }),
        // The floor is stated and must not be inferred, even if it is `null`.
        floor: floor.or(Some(Plane::level(0.0))),
        legs: legs.map(|legs| legs.iter().map(|leg| leg.given.clone()).collect()),
        arms: None,
    };
    let found = infer(&Excerpt { motion, frames: vec![0] }, &given);
    match found.legs {
        Ok(legs) => Ok((legs.value, found.warnings)),
        Err(none) => Err(StreamSetupError::NoLegs { candidates: none.candidates }),
    }
}
