//! Any bytes as a C3D file are refused, or read and converted to intervals of frames.

use surefoot_formats::c3d::{C3d, foot_intervals};

/// Checks one input.
pub fn check_bytes(bytes: &[u8]) {
    let Ok(c3d) = C3d::read(bytes) else { return };
    assert!(c3d.rate > 0.0 && c3d.events.iter().all(|event| event.seconds.is_finite()));
    for start in [None, Some(c3d.start())] {
        let Ok(feet) = foot_intervals(&c3d, 300, 1, 100.0, start) else { continue };
        for known in feet.iter().flat_map(|foot| &foot.intervals) {
            assert!(known.frames.start >= 1 && known.frames.start < known.frames.end);
            assert!(known.frames.end <= 300);
        }
    }
}
