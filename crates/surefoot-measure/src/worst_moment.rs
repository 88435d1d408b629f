//! The moment at which a planted foot is farthest from its spot.

use crate::plot::Curves;
use crate::promise::deviations;
use surefoot_core::Plant;

/// A plant and the frame in which its point is farthest from its spot.
#[derive(Clone, Debug)]
pub(crate) struct WorstMoment<'a> {
    pub plant: &'a Plant,
    /// Counted from the first frame of the performance.
    pub frame: usize,
}

/// The largest drift of the motion before, or of the only motion. `None` without plants.
pub(crate) fn worst_moment<'a>(curves: &'a Curves) -> Option<WorstMoment<'a>> {
    let (pair, context) = (&curves.pair, &curves.context);
    let paths = pair.before.as_ref().unwrap_or(&pair.after);
    let moments = context.plants.plants.iter().filter_map(|plant| {
        let drifts = deviations(paths, Some(paths), plant, context).into_iter().enumerate();
        let (frame, drift) = drifts.max_by(|a, b| a.1.total_cmp(&b.1))?;
        let frame = plant.frames.start.saturating_sub(context.first_frame) + frame;
        Some((drift, WorstMoment { plant, frame }))
    });
    moments.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, moment)| moment)
}
