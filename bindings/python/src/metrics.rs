//! The published skate metrics of joint positions.

use numpy::PyReadonlyArray3;
use numpy::ndarray::{ArrayView3, Axis};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use surefoot::core::{Clip, Floor, Joint, JointId, JointPoint, Leg, Limb, Quat, Vec3};
use surefoot::formats::Space;
use surefoot::measure::measure;
use surefoot::{Motion, Pose, Skeleton, parse};

use crate::arrays::vector;
use crate::errors::value_error;

/// The published metrics. `surefoot.skate_metrics` documents them.
#[pyfunction]
pub fn skate_metrics<'py>(
    py: Python<'py>,
    positions: PyReadonlyArray3<'py, f64>,
    fps: f64,
    feet: Vec<(usize, usize)>,
    root: usize,
    up: &str,
    floor: f64,
) -> PyResult<Bound<'py, PyDict>> {
    let fps = parse::fps_of_number(fps).map_err(value_error)?;
    let up = parse::up_axis(up).map_err(|error| value_error(format!("up: {error}")))?;
    let positions = positions.as_array();
    let joints = positions.shape()[1];
    let used = feet.iter().flat_map(|&(ankle, ball)| [ankle, ball]).chain([root]);
    if let Some(joint) = used.into_iter().find(|&joint| joint >= joints) {
        return Err(value_error(format!("found joint {joint}, expected a joint below {joints}")));
    }
    if positions.iter().any(|value| !value.is_finite()) {
        return Err(value_error("positions: found a value that is not finite"));
    }
    let figures = py.detach(|| {
        let space = Space { unit_m: 1.0, up };
        let clip = points_clip(positions, &feet, root, fps, &space);
        measure(&Clip { floor: Some(Floor::level(floor)), ..clip }, None).map_err(value_error)
    })?;
    let metrics = PyDict::new(py);
    metrics.set_item("skate_mann_m_per_s", figures.after.skate_mann_m_per_s)?;
    metrics.set_item("skate_ratio_gmd", figures.after.skate_ratio_gmd)?;
    metrics.set_item("skate_pfc_edge", figures.after.skate_pfc_edge)?;
    Ok(metrics)
}

/// A clip whose joints are free points: the root, then ankle and ball of each foot.
fn points_clip(
    positions: ArrayView3<'_, f64>,
    feet: &[(usize, usize)],
    root: usize,
    fps: f64,
    space: &Space,
) -> Clip {
    let points: Vec<usize> =
        [root].into_iter().chain(feet.iter().flat_map(|&(ankle, ball)| [ankle, ball])).collect();
    let free = |_: &usize| Joint { name: String::new(), parent: None, offset: Vec3::ZERO, end: None };
    let pose = |frame: usize| Pose {
        offsets: points
            .iter()
            .map(|&point| {
                space.position_from_file(vector(
                    positions.index_axis(Axis(0), frame).index_axis(Axis(0), point),
                ))
            })
            .collect(),
        rotations: vec![Quat::IDENTITY; points.len()],
    };
    let leg = |foot: usize| {
        let [ankle, ball] = [JointId(2 * foot as u32 + 1), JointId(2 * foot as u32 + 2)];
        let at = |joint| JointPoint { joint, offset: Vec3::ZERO };
        Leg {
            side: format!("foot {foot}"),
            limb: Limb::Leg,
            hip: ankle,
            knee: ankle,
            ankle,
            heel: at(ankle),
            ball: at(ball),
            toe: at(ball),
        }
    };
    let skeleton = Skeleton::new(points.iter().map(free).collect()).unwrap_or_default();
    let poses = (0..positions.shape()[0]).map(pose).collect();
    Clip {
        motion: Motion { skeleton, fps, poses },
        legs: (0..feet.len()).map(leg).collect(),
        ..Clip::default()
    }
}
