//! What was found out about a file, as JSON.

use std::path::Path;

use serde::Serialize;
use surefoot::{Floor, FloorSource, MotionFile};
use surefoot_core::floor::Surface;
use surefoot_core::{JointPoint, Leg, Skeleton, Vec3};
use surefoot_infer::{Inference, Inferred};

use crate::output;
use crate::problem::Problem;
use crate::source::Source;

/// What `inspect --json` prints. Offsets are in the joint's own frame and the file's unit.
#[derive(Serialize)]
struct Found<'a> {
    file: &'a str,
    /// The `surefoot.toml` that was heeded.
    settings: Option<&'a str>,
    frames: usize,
    fps: f64,
    seconds: f64,
    unit_m: f64,
    unit_name: &'a str,
    up: &'static str,
    floor: Option<FoundFloor>,
    /// A floor that is no plane, where one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    uneven_floor: Option<UnevenFloor<'a>>,
    /// How fast the ground goes under the feet, in metres per second and the file's own axes; `null`
    /// where it stands.
    ground_m_per_s: Option<[f64; 3]>,
    legs: Vec<FoundLeg<'a>>,
    warnings: Vec<String>,
    inserted_t_pose: bool,
    joints: Vec<FoundJoint<'a>>,
    channels: usize,
    how: How<'a>,
}

/// The floor satisfies `normal · p = offset_m` for points p in metres, in the file's own axes.
#[derive(Serialize)]
struct FoundFloor {
    normal: [f64; 3],
    offset_m: f64,
}

/// A floor from a file, or made from the plants. Metres, Y up.
#[derive(Serialize)]
struct UnevenFloor<'a> {
    from: &'a str,
    kind: &'static str,
    triangles: Option<usize>,
    low_m: Option<[f64; 3]>,
    high_m: Option<[f64; 3]>,
}

#[derive(Serialize)]
struct FoundLeg<'a> {
    side: &'a str,
    hip: &'a str,
    knee: &'a str,
    ankle: &'a str,
    /// Their places in the list of joints: names need not be unique.
    indices: [u32; 3],
    heel: FoundPoint<'a>,
    ball: FoundPoint<'a>,
    toe: FoundPoint<'a>,
}

#[derive(Serialize)]
struct FoundPoint<'a> {
    joint: &'a str,
    /// The joint's place in the list of joints.
    index: u32,
    offset: [f64; 3],
}

#[derive(Serialize)]
struct FoundJoint<'a> {
    name: &'a str,
    /// Its parent's place in the list.
    parent: Option<u32>,
}

/// How sure each finding is, from 0 to 1, and why.
#[derive(Serialize)]
struct How<'a> {
    fps: Reason<'a>,
    unit_m: Reason<'a>,
    up: Reason<'a>,
    floor: Option<Reason<'a>>,
    legs: Option<Reason<'a>>,
    /// Where there are no legs: the pairs of chains that were weighed, best first.
    legs_weighed: &'a [String],
    inserted_t_pose: Reason<'a>,
}

#[derive(Serialize)]
struct Reason<'a> {
    confidence: f64,
    reason: &'a str,
}

/// What was found out, as one JSON value and a line break.
pub fn json(source: &Source) -> Result<Vec<u8>, Problem> {
    output::json(&found(source))
}

/// Below this confidence the frame rate is worth a warning, as all findings are.
const DOUBTFUL: f64 = 0.7;

/// What a person should know: what was odd in the file, and what is doubtful about it.
pub fn warnings(file: &MotionFile) -> Vec<String> {
    let MotionFile { bvh, inference, .. } = file;
    let notes = bvh.notes().iter();
    let odd = notes.map(|note| format!("line {}: {}", note.line, note.text));
    let mut warnings: Vec<String> = odd.collect();
    let rate = bvh.rate();
    if rate.confidence < DOUBTFUL {
        let percent = 100.0 * rate.confidence;
        warnings.push(format!("the frame rate is doubtful ({percent:.0} %): {}", rate.reason));
    }
    warnings.extend(inference.warnings.iter().cloned());
    if inference.legs.is_err() {
        warnings.push("no legs were found; name them in a rig file and give it with --rig".into());
    }
    warnings
}

fn found(source: &Source) -> Found<'_> {
    let file = &source.file;
    let MotionFile { bvh, inference, clip, .. } = file;
    let skeleton = bvh.skeleton();
    Found {
        file: &file.name,
        settings: source.settings.file.as_deref().and_then(Path::to_str),
        frames: bvh.frames(),
        fps: bvh.rate().value,
        seconds: file.seconds(),
        unit_m: inference.unit_m.value,
        unit_name: &inference.unit_name,
        up: inference.up.value.as_str(),
        uneven_floor: uneven(file),
        floor: inference.floor.as_ref().map(|floor| FoundFloor {
            normal: numbers(floor.value.normal),
            offset_m: floor.value.offset + 0.0,
        }),
        ground_m_per_s: clip
            .ground_velocity
            .map(|velocity| numbers(file.space().direction_to_file(velocity))),
        legs: match &inference.legs {
            Ok(legs) => legs.value.iter().map(|leg| found_leg(skeleton, leg)).collect(),
            Err(_) => Vec::new(),
        },
        warnings: warnings(file),
        inserted_t_pose: inference.inserted_t_pose.value,
        joints: skeleton
            .joints()
            .iter()
            .map(|joint| FoundJoint { name: &joint.name, parent: joint.parent.map(|parent| parent.0) })
            .collect(),
        channels: bvh.channels().len(),
        how: how(bvh.rate(), inference),
    }
}

fn uneven(file: &MotionFile) -> Option<UnevenFloor<'_>> {
    match &file.floor_source {
        FloorSource::Plane => None,
        FloorSource::Plants => {
            Some(UnevenFloor { from: "plants", kind: "field", triangles: None, low_m: None, high_m: None })
        }
        FloorSource::File(name) => {
            let surface = file.clip.floor.as_ref().and_then(Floor::as_surface);
            Some(UnevenFloor {
                from: name,
                kind: if surface.is_some_and(Surface::is_height_field) { "field" } else { "mesh" },
                triangles: surface.map(Surface::len),
                low_m: surface.map(|surface| numbers(surface.bounds().0)),
                high_m: surface.map(|surface| numbers(surface.bounds().1)),
            })
        }
    }
}

fn how<'a>(rate: &'a Inferred<f64>, inference: &'a Inference) -> How<'a> {
    How {
        fps: reason(rate),
        unit_m: reason(&inference.unit_m),
        up: reason(&inference.up),
        floor: inference.floor.as_ref().map(reason),
        legs: inference.legs.as_ref().ok().map(reason),
        legs_weighed: match &inference.legs {
            Ok(_) => &[],
            Err(none) => &none.candidates,
        },
        inserted_t_pose: reason(&inference.inserted_t_pose),
    }
}

fn reason<T>(finding: &Inferred<T>) -> Reason<'_> {
    Reason { confidence: finding.confidence, reason: &finding.reason }
}

fn found_leg<'a>(skeleton: &'a Skeleton, leg: &'a Leg) -> FoundLeg<'a> {
    let name = |id| skeleton.joint(id).name.as_str();
    let point = |point: &JointPoint| FoundPoint {
        joint: name(point.joint),
        index: point.joint.0,
        offset: numbers(point.offset),
    };
    FoundLeg {
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

/// The parts of a vector, without the sign of a zero.
fn numbers(v: Vec3) -> [f64; 3] {
    [v.x + 0.0, v.y + 0.0, v.z + 0.0]
}
