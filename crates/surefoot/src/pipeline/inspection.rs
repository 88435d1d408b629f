//! The content of a file and the values inferred from it, as a value that can be written as JSON.

use std::borrow::Cow;
use std::path::Path;

use serde::Serialize;
use surefoot_core::floor::Surface;
use surefoot_core::{Floor, JointPoint, Leg, Skeleton, Vec3};
use surefoot_formats::source::{Animation, Contents, Skin};
use surefoot_infer::{Inference, Inferred};

use super::motion_file::{FloorSource, MotionFile};

/// The content of a file and the values inferred from it: the value that `inspect --json` prints.
///
/// The book describes its fields. Offsets are in the joint's own frame and the file's unit.
#[derive(Debug, Serialize)]
pub struct Inspection<'a> {
    file: &'a str,
    format: &'static str,
    /// The animations of the file, of which the first that moves joints or the one named was read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    animations: Vec<AnimationJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    skins: Vec<SkinJson>,
    /// The `surefoot.toml` whose settings apply.
    settings: Option<Cow<'a, str>>,
    frames: usize,
    fps: f64,
    seconds: f64,
    unit_m: f64,
    unit_name: &'a str,
    up: &'static str,
    floor: Option<PlaneJson>,
    /// A height field or mesh, if the floor is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    uneven_floor: Option<SurfaceJson<'a>>,
    /// The velocity of the ground under the feet, in metres per second and the file's own axes; `null` where it is
    /// at rest.
    ground_m_per_s: Option<[f64; 3]>,
    legs: Vec<LegJson<'a>>,
    /// Where heel, ball and toe come from: `mesh` or `joints`.
    foot_points: &'static str,
    /// The arms, if hands are held.
    #[serde(skip_serializing_if = "Option::is_none")]
    arms: Option<Vec<ArmJson<'a>>>,
    warnings: Vec<String>,
    inserted_t_pose: bool,
    joints: Vec<JointJson<'a>>,
    channels: usize,
    how: Confidences<'a>,
}

#[derive(Debug, Serialize)]
struct AnimationJson {
    name: String,
    seconds: f64,
    tracks: usize,
    /// Whether this is the animation that was read.
    read: bool,
}

#[derive(Debug, Serialize)]
struct SkinJson {
    name: String,
    joints: usize,
    vertices: usize,
}

/// The floor satisfies `normal · p = offset_m` for points p in metres, in the file's own axes.
#[derive(Debug, Serialize)]
struct PlaneJson {
    normal: [f64; 3],
    offset_m: f64,
}

/// A floor from a file or built from the plants. Metres, Y up.
#[derive(Debug, Serialize)]
struct SurfaceJson<'a> {
    from: &'a str,
    kind: &'static str,
    triangles: Option<usize>,
    low_m: Option<[f64; 3]>,
    high_m: Option<[f64; 3]>,
}

#[derive(Debug, Serialize)]
struct LegJson<'a> {
    side: &'a str,
    hip: &'a str,
    knee: &'a str,
    ankle: &'a str,
    /// Indices of hip, knee and ankle in the list of joints: names need not be unique.
    indices: [u32; 3],
    heel: PointJson<'a>,
    ball: PointJson<'a>,
    toe: PointJson<'a>,
}

#[derive(Debug, Serialize)]
struct ArmJson<'a> {
    side: &'a str,
    shoulder: &'a str,
    elbow: &'a str,
    wrist: &'a str,
    /// Indices of shoulder, elbow and wrist in the list of joints.
    indices: [u32; 3],
    palm: PointJson<'a>,
}

#[derive(Debug, Serialize)]
struct PointJson<'a> {
    joint: &'a str,
    /// Index of the joint in the list of joints.
    index: u32,
    offset: [f64; 3],
}

#[derive(Debug, Serialize)]
struct JointJson<'a> {
    name: &'a str,
    /// Index of the parent in the list of joints.
    parent: Option<u32>,
}

/// The confidence of each inferred value, from 0 to 1, and the reason for it.
#[derive(Debug, Serialize)]
struct Confidences<'a> {
    fps: ConfidenceJson<'a>,
    unit_m: ConfidenceJson<'a>,
    up: ConfidenceJson<'a>,
    floor: Option<ConfidenceJson<'a>>,
    legs: Option<ConfidenceJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    arms: Option<ConfidenceJson<'a>>,
    /// Without legs: the pairs of joint chains that came closest, best first.
    legs_weighed: &'a [String],
    inserted_t_pose: ConfidenceJson<'a>,
}

#[derive(Debug, Serialize)]
struct ConfidenceJson<'a> {
    confidence: f64,
    reason: &'a str,
}

impl MotionFile {
    /// Everything that was read and inferred. `settings` is the `surefoot.toml` that was applied.
    ///
    /// The velocity of the ground is known only after plants were detected or given.
    pub fn inspect<'a>(&'a self, settings: Option<&'a Path>) -> Inspection<'a> {
        inspection(self, settings)
    }
}

fn inspection<'a>(file: &'a MotionFile, settings: Option<&'a Path>) -> Inspection<'a> {
    let MotionFile { source, inference, clip, .. } = file;
    let skeleton = source.skeleton();
    let Contents { animations, skins, chosen, .. } = source.contents();
    let animation = |(n, Animation { name, seconds, tracks, .. })| AnimationJson {
        name,
        seconds,
        tracks,
        read: n == chosen,
    };
    let skin = |Skin { name, joints, vertices, .. }| SkinJson { name, joints, vertices };
    Inspection {
        file: &file.name,
        format: source.format().as_str(),
        animations: animations.into_iter().enumerate().map(animation).collect(),
        skins: skins.into_iter().map(skin).collect(),
        settings: settings.map(Path::to_string_lossy),
        frames: source.frames(),
        fps: source.rate().value,
        seconds: file.seconds(),
        unit_m: inference.unit_m.value,
        unit_name: &inference.unit_name,
        up: inference.up.value.as_str(),
        uneven_floor: surface_json(file),
        floor: inference.floor.as_ref().map(|floor| PlaneJson {
            normal: numbers(floor.value.normal),
            offset_m: floor.value.offset + 0.0,
        }),
        ground_m_per_s: clip
            .ground_velocity
            .map(|velocity| numbers(file.space().direction_to_file(velocity))),
        legs: match &inference.legs {
            Ok(legs) => legs.value.iter().map(|leg| leg_json(skeleton, leg)).collect(),
            Err(_) => Vec::new(),
        },
        foot_points: if inference.sole_vertices > 0 { "mesh" } else { "joints" },
        arms: (file.detection.hold.holds_hands())
            .then(|| inference.arms.value.iter().map(|arm| arm_json(skeleton, arm)).collect()),
        warnings: file.warnings(),
        inserted_t_pose: inference.inserted_t_pose.value,
        joints: skeleton
            .joints()
            .iter()
            .map(|joint| JointJson { name: &joint.name, parent: joint.parent.map(|parent| parent.0) })
            .collect(),
        channels: source.tracks().iter().map(Vec::len).sum(),
        how: Confidences {
            arms: file.detection.hold.holds_hands().then(|| confidence(&inference.arms)),
            ..confidences(source.rate(), inference)
        },
    }
}

fn surface_json(file: &MotionFile) -> Option<SurfaceJson<'_>> {
    match &file.floor_source {
        FloorSource::Plane => None,
        FloorSource::Plants => {
            Some(SurfaceJson { from: "plants", kind: "field", triangles: None, low_m: None, high_m: None })
        }
        FloorSource::File(name) => {
            let surface = file.clip.floor.as_ref().and_then(Floor::as_surface);
            Some(SurfaceJson {
                from: name,
                kind: if surface.is_some_and(Surface::is_height_field) { "field" } else { "mesh" },
                triangles: surface.map(Surface::len),
                low_m: surface.map(|surface| numbers(surface.bounds().0)),
                high_m: surface.map(|surface| numbers(surface.bounds().1)),
            })
        }
    }
}

fn confidences<'a>(rate: &'a Inferred<f64>, inference: &'a Inference) -> Confidences<'a> {
    Confidences {
        fps: confidence(rate),
        unit_m: confidence(&inference.unit_m),
        up: confidence(&inference.up),
        floor: inference.floor.as_ref().map(confidence),
        legs: inference.legs.as_ref().ok().map(confidence),
        arms: None,
        legs_weighed: match &inference.legs {
            Ok(_) => &[],
            Err(none) => &none.candidates,
        },
        inserted_t_pose: confidence(&inference.inserted_t_pose),
    }
}

fn confidence<T>(inferred: &Inferred<T>) -> ConfidenceJson<'_> {
    ConfidenceJson { confidence: inferred.confidence, reason: &inferred.reason }
}

fn arm_json<'a>(skeleton: &'a Skeleton, arm: &'a Leg) -> ArmJson<'a> {
    let LegJson { side, hip, knee, ankle, indices, ball, .. } = leg_json(skeleton, arm);
    ArmJson { side, shoulder: hip, elbow: knee, wrist: ankle, indices, palm: ball }
}

fn leg_json<'a>(skeleton: &'a Skeleton, leg: &'a Leg) -> LegJson<'a> {
    let name = |id| skeleton.joint(id).name.as_str();
    let point = |point: &JointPoint| PointJson {
        joint: name(point.joint),
        index: point.joint.0,
        offset: numbers(point.offset),
    };
    LegJson {
        side: &leg.side,
        hip: name(leg.hip),
        knee: name(leg.knee),
        ankle: name(leg.ankle),
        indices: [leg.hip.0, leg.knee.0, leg.ankle.0],
        heel: point(&leg.heel),
        ball: point(&leg.ball),
        toe: point(&leg.toe),
    }
}

/// The components of a vector, without negative zeros.
fn numbers(v: Vec3) -> [f64; 3] {
    [v.x + 0.0, v.y + 0.0, v.z + 0.0]
}
