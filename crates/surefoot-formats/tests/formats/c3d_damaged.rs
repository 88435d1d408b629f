//! Damaged copies of every captured C3D file are accepted or refused, in bounded memory.

use surefoot_formats::c3d::{C3d, foot_intervals};

use crate::damage::Damage;
use crate::own_process;

const C3D: Damage = Damage { fragments: &[], copies: 2_000, memory_per_byte: 40, memory_besides: 20_000 };

/// Bytes kept of each file before it is damaged: no parameter section of the captures is longer.
const KEPT: usize = 60_000;

#[test]
fn damaged_copies_are_accepted_or_refused() {
    own_process::run(module_path!(), "damaged_copies_are_accepted_or_refused", || {
        for path in surefoot_testdata::files("c3d", ".c3d") {
            let mut file = std::fs::read(&path).unwrap();
            file.truncate(KEPT);
            C3D.check(&file, C3d::read, |c3d, _| {
                let Ok(feet) = foot_intervals(&c3d, 300, 1, 100.0, Some(c3d.start())) else { return };
                let mut frames = feet.iter().flat_map(|foot| &foot.intervals).map(|known| &known.frames);
                assert!(frames.all(|frames| frames.start >= 1 && frames.end <= 300));
            });
        }
    });
}
