//! Options for loading a file, which override the inference.

use surefoot_core::{Floor, JointId, JointPoint, Leg, Motion, Plane, UpAxis, Vec3, WorldPose};
use surefoot_formats::SourceFile;
use surefoot_formats::source::{ArrayOptions, StatedSpace};
use surefoot_infer::{Excerpt, Inference, LegOverride, Overrides, SkinMesh, infer, infer_with_skins};

/// Values given by the user. Everything else is inferred.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The animation of a file with several, by its name or its number from 0.
    pub animation: Option<String>,
    /// Skeleton, joint order and form of rotations of a file of arrays.
    pub arrays: ArrayOptions,
    /// Frames per second, where the file states a wrong rate.
    pub fps: Option<f64>,
    /// Unit, up axis and legs.
    pub overrides: Overrides,
    /// The floor.
    pub floor: Option<FloorOption>,
    /// Where heel, ball and toe come from.
    pub foot_points: Option<FootPointSource>,
}

/// Where heel, ball and toe of a foot come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FootPointSource {
    /// The lowest vertices of a mesh that follow the foot; the joints in a file without one.
    #[default]
    Mesh,
    /// The joints of the foot.
    Joints,
}

/// A floor that the user has chosen.
#[derive(Clone, Debug)]
pub enum FloorOption {
    /// No floor: every plant keeps the height at which it was captured.
    None,
    /// The inferred floor, made level.
    Level,
    /// A level floor at this height along the up axis, in metres.
    Height(f64),
    /// Any plane, in metres and the file's axes.
    Plane(Plane),
    /// A floor through the spots of the plants, for stairs and uneven ground.
    FromPlants,
    /// A height field or mesh, in metres, Y up, and the name of its file.
    Surface {
        /// The name of the file it was read from.
        name: String,
        /// The floor.
        floor: Floor,
    },
}

/// What the inference reads of a file.
struct Body<'a> {
    excerpt: &'a Excerpt,
    skins: Vec<SkinMesh>,
}

impl LoadOptions {
    /// These options, completed by others where these state nothing.
    pub fn or(self, other: Self) -> Self {
        let plane = |overrides: &Overrides| overrides.floor.map(FloorOption::Plane);
        let floor = self.floor.or_else(|| plane(&self.overrides)).or(other.floor);
        Self {
            animation: self.animation.or(other.animation),
            arrays: self.arrays.or(other.arrays),
            fps: self.fps.or(other.fps),
            floor: floor.or_else(|| plane(&other.overrides)),
            foot_points: self.foot_points.or(other.foot_points),
            overrides: Overrides {
                unit_m: self.overrides.unit_m.or(other.overrides.unit_m),
                up: self.overrides.up.or(other.overrides.up),
                floor: None,
                legs: self.overrides.legs.or(other.overrides.legs),
                arms: self.overrides.arms.or(other.overrides.arms),
            },
        }
    }

    /// Infers everything that these options do not state.
    pub(crate) fn infer(&self, source: &SourceFile, excerpt: &Excerpt) -> Inference {
        let body = Body { excerpt, skins: self.skins(source) };
        let inference = self.infer_body(source, &body);
        match legs_of_positions(source, &inference) {
            Some(legs) if self.overrides.legs.is_none() => {
                let has_no_feet = legs.iter().any(|leg| leg.heel == leg.ball);
                let with_legs = Overrides { legs: Some(legs), ..self.overrides.clone() };
                let mut with_legs = Self { overrides: with_legs, ..self.clone() }.infer_body(source, &body);
                if has_no_feet {
                    let warning =
                        "the positions have no feet: the ankles are held in place, at their lowest height";
                    with_legs.warnings.push(warning.into());
                }
                with_legs
            }
            _ => inference,
        }
    }

    fn skins(&self, source: &SourceFile) -> Vec<SkinMesh> {
        match self.foot_points.unwrap_or_default() {
            FootPointSource::Mesh => source.skin_meshes(),
            FootPointSource::Joints => Vec::new(),
        }
    }

    fn infer_body(&self, source: &SourceFile, body: &Body<'_>) -> Inference {
        let Some(stated) = source.stated_space() else { return self.infer_excerpt(body, None) };
        let inference = self.infer_excerpt(body, Some(&stated));
        if self.overrides.unit_m.is_some() || is_plausible(&inference, body.excerpt) {
            return inference;
        }
        // Many files are in centimetres although their format or header states metres.
        let unstated = Self {
            overrides: Overrides { up: self.overrides.up.or(Some(stated.up)), ..self.overrides.clone() },
            ..self.clone()
        };
        let mut inference = unstated.infer_excerpt(body, None);
        let (unit_m, reason) = (stated.unit_m, &stated.reason);
        if self.overrides.up.is_none() {
            inference.up.reason.clone_from(reason);
        }
        inference.warnings.push(format!(
            "one unit is {unit_m} m ({reason}), but that does not fit a body: the unit was inferred"
        ));
        inference
    }

    /// Infers what neither these options nor the file state.
    fn infer_excerpt(&self, body: &Body<'_>, stated: Option<&StatedSpace>) -> Inference {
        let Body { excerpt, skins } = body;
        let mut overrides = self.overrides.clone();
        overrides.unit_m = overrides.unit_m.or(stated.map(|stated| stated.unit_m));
        overrides.up = overrides.up.or(stated.map(|stated| stated.up));
        overrides.floor = match (&self.floor, overrides.up) {
            (Some(FloorOption::Plane(plane)), _) => Some(*plane),
            (Some(FloorOption::Height(height)), Some(up)) => Some(level_plane(*height, up)),
            // The height is along an axis that has to be inferred first.
            (Some(FloorOption::Height(height)), None) => {
                Some(level_plane(*height, infer(excerpt, &overrides).up.value))
            }
            (None, _) => overrides.floor,
            _ => None,
        };
        let mut inference = infer_with_skins(excerpt, &overrides, skins);
        match &self.floor {
            Some(FloorOption::None) => inference.floor = None,
            Some(FloorOption::Level) => make_level(&mut inference, excerpt),
            _ => {}
        }
        if let Some(stated) = stated {
            let (unit, up) = (self.overrides.unit_m.is_none(), self.overrides.up.is_none());
            let reasons =
                [unit.then_some(&mut inference.unit_m.reason), up.then_some(&mut inference.up.reason)];
            reasons.into_iter().flatten().for_each(|reason| reason.clone_from(&stated.reason));
        }
        inference
    }
}

/// The legs of a body with positions alone, with the foot points that can be found again in the file after cleaning.
///
/// Nothing in such a file tells how the last joint of a chain is turned. So the toe tip of a foot that ends at the ball is
/// the ball, and all points of a leg that ends at the ankle are there. `None` for other files.
fn legs_of_positions(source: &SourceFile, inference: &Inference) -> Option<Vec<LegOverride>> {
    let legs = inference.legs.as_ref().ok().filter(|_| !source.has_rotations())?;
    let joints = source.skeleton().joints();
    let is_last = |joint: JointId| joints.iter().all(|other| other.parent != Some(joint));
    let with_points = |leg: &Leg| {
        let Leg { side, hip, knee, ankle, heel, ball, toe, .. } = leg.clone();
        let ends_at = |joint: JointId| JointPoint { joint, offset: Vec3::ZERO };
        let points = match (is_last(ankle), is_last(toe.joint)) {
            (true, _) => [ends_at(ankle); 3],
            (false, true) => [heel, ball, ends_at(toe.joint)],
            (false, false) => [heel, ball, toe],
        };
        let [heel, ball, toe] = points.map(Some);
        LegOverride { side, hip, knee, ankle, heel, ball, toe }
    };
    Some(legs.value.iter().map(with_points).collect())
}

/// Lengths of a leg in metres, thigh and shin, that bodies of people and animals have. A unit that leads to another length
/// is not the file's.
const LEG_M: core::ops::RangeInclusive<f64> = 0.08..=3.0;

/// Whether the legs have a plausible length. Without legs there is nothing to judge by.
fn is_plausible(inference: &Inference, excerpt: &Excerpt) -> bool {
    let Motion { skeleton, poses, .. } = &excerpt.motion;
    let (Ok(legs), Some(pose)) = (&inference.legs, poses.first()) else { return true };
    let world = pose.world(skeleton);
    let length = |leg: &Leg| {
        let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| world.joint(joint));
        (hip.distance(knee) + knee.distance(ankle)) * inference.unit_m.value
    };
    legs.value.iter().all(|leg| LEG_M.contains(&length(leg)))
}

fn level_plane(height: f64, up: UpAxis) -> Plane {
    Plane { normal: up.direction(), offset: height }
}

/// Makes the inferred floor level, at its height under the middle of all foot positions.
fn make_level(inference: &mut Inference, excerpt: &Excerpt) {
    let Inference { legs: Ok(legs), floor: Some(floor), .. } = inference else { return };
    let (skeleton, poses) = (&excerpt.motion.skeleton, &excerpt.motion.poses);
    let (mut sum, mut count) = (Vec3::ZERO, 0.0);
    let mut world = WorldPose::default();
    for pose in poses.iter().skip(usize::from(inference.inserted_t_pose.value)) {
        pose.forward_kinematics(skeleton, &mut world);
        for leg in &legs.value {
            sum += world.joint(leg.ankle);
            count += 1.0;
        }
    }
    // A file without frames has no middle, but then no floor was inferred from frames either.
    let middle = sum / f64::max(count, 1.0) * inference.unit_m.value;
    floor.value = floor.value.level_at(middle, inference.up.value.direction());
    floor.reason = format!("made level as requested; {}", floor.reason);
}
