//! The transforms of the prims above a skeleton.

use surefoot_core::math::{Mat3, PI, axis_rotation};
use surefoot_core::{Quat, Vec3};

use super::error::UsdError;
use super::files::Files;
use super::stage::Stage;
use super::tracks::{Sampler, Track, Values, unit};
use crate::node_transforms::Affine;

/// Most transform operations of a prim.
const MOST_OPERATIONS: usize = 1_000;
/// Most operations above a skeleton.
const MOST_ABOVE: usize = 10_000;

/// A transform operation.
#[derive(Clone, Debug)]
struct Operation {
    /// Its name without `xformOp:` and suffixes: `translate`, `rotateXYZ`.
    kind: String,
    track: Track,
    is_inverse: bool,
}

/// The transform operations of a prim and its ancestors, from the root of the stage down.
#[derive(Clone, Debug, Default)]
pub(super) struct Transforms(Vec<Operation>);

impl Transforms {
    /// Finds the operations that lead from a prim to the world.
    pub fn new(stage: &Stage, node: usize) -> Result<Self, UsdError> {
        let mut prims = Vec::new();
        let mut count = 0;
        for node in stage.above(node) {
            let (operations, is_reset) = own(stage, node)?;
            count += operations.len();
            if count > MOST_ABOVE {
                let found = "too many transforms";
                return Err(UsdError::new(stage.path(node), found, format_args!("{MOST_ABOVE} at most")));
            }
            prims.push(operations);
            if is_reset {
                break;
            }
        }
        prims.reverse();
        Ok(Self(prims.concat()))
    }

    /// Whether the transform changes over time.
    pub fn is_animated(&self, files: &Files) -> bool {
        self.0.iter().any(|operation| operation.track.property(files).samples.len() > 1)
    }

    /// The transforms at times that grow.
    pub fn at_times(&self, files: &Files, times: &[f64]) -> Result<Vec<Affine>, UsdError> {
        let mut samplers: Vec<Sampler> =
            self.0.iter().map(|operation| Sampler::new(files, operation.track)).collect();
        let mut all = Vec::with_capacity(times.len());
        for &time in times {
            let mut world = Affine::IDENTITY;
            for (operation, sampler) in self.0.iter().zip(&mut samplers) {
                let matrix = operation.matrix(&sampler.at(time)?);
                world = world.then(&if operation.is_inverse { inverse(&matrix) } else { matrix });
            }
            all.push(world);
        }
        Ok(all)
    }
}

/// The operations of a prim, and whether the prims above it do not count.
fn own(stage: &Stage, node: usize) -> Result<(Vec<Operation>, bool), UsdError> {
    let mut operations = Vec::new();
    let mut is_reset = false;
    for name in stage.words(node, "xformOpOrder", MOST_OPERATIONS)? {
        if name == "!resetXformStack!" {
            operations.clear();
            is_reset = true;
            continue;
        }
        let (name, is_inverse) = match name.strip_prefix("!invert!") {
            Some(name) => (name, true),
            None => (&name[..], false),
        };
        let wrong = |found: &str, expected: &str| {
            UsdError::new(format_args!("{}.{name}", stage.path(node)), found, expected)
        };
        let kind = name.strip_prefix("xformOp:").and_then(|name| name.split(':').next());
        let shape = kind.and_then(|kind| Some((kind, shape(kind)?)));
        let (kind, (values, count)) = shape
            .ok_or_else(|| wrong("an unknown transform", "translate, rotate, scale, orient or transform"))?;
        let place = stage.place(node, name).ok_or_else(|| wrong("no value", "one"))?;
        let track = Track { place, values, count };
        operations.push(Operation { kind: kind.into(), track, is_inverse });
    }
    Ok((operations, is_reset))
}

/// What the numbers of an operation are, and how many there are.
fn shape(kind: &str) -> Option<(Values, usize)> {
    Some(match kind {
        "orient" => (Values::Rotations, 4),
        "transform" => (Values::Numbers, 16),
        "translate" | "scale" => (Values::Numbers, 3),
        _ => match kind.strip_prefix("rotate")? {
            "X" | "Y" | "Z" => (Values::Numbers, 1),
            "XYZ" | "XZY" | "YXZ" | "YZX" | "ZXY" | "ZYX" => (Values::Numbers, 3),
            _ => return None,
        },
    })
}

impl Operation {
    fn matrix(&self, numbers: &[f64]) -> Affine {
        let linear = |linear: Mat3| Affine { linear, translation: Vec3::ZERO };
        match (&self.kind[..], numbers) {
            ("translate", &[x, y, z]) => Affine { linear: Mat3::IDENTITY, translation: Vec3::new(x, y, z) },
            ("scale", &[x, y, z]) => linear(Mat3::from_diagonal(Vec3::new(x, y, z))),
            ("orient", &[x, y, z, w]) => linear(Mat3::from_quat(unit(Quat::from_xyzw(x, y, z, w)))),
            ("transform", numbers) => affine(numbers),
            (kind, numbers) => linear(Mat3::from_quat(turn(kind.trim_start_matches("rotate"), numbers))),
        }
    }
}

/// A matrix as USD stores it, row by row, for row vectors: the columns of a matrix for column vectors.
pub(super) fn affine(numbers: &[f64]) -> Affine {
    let column = |n: usize| match numbers.get(4 * n..4 * n + 3) {
        Some(&[x, y, z]) => Vec3::new(x, y, z),
        _ => Vec3::ZERO,
    };
    Affine { linear: Mat3::from_cols(column(0), column(1), column(2)), translation: column(3) }
}

fn inverse(affine: &Affine) -> Affine {
    let linear = affine.linear.inverse();
    Affine { linear, translation: -(linear * affine.translation) }
}

/// A rotation by angles in degrees, which are those about x, y and z; the first axis of the name turns first.
fn turn(axes: &str, degrees: &[f64]) -> Quat {
    axes.bytes().fold(Quat::IDENTITY, |turned, axis| {
        let axis = usize::from(axis.saturating_sub(b'X')).min(2);
        let angle = if degrees.len() == 1 { degrees[0] } else { degrees[axis] };
        axis_rotation(axis, angle * PI / 180.0) * turned
    })
}
