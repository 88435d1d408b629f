//! Damaged copies of every captured BVH file are accepted or refused, in bounded memory.

use surefoot_formats::Space;
use surefoot_formats::bvh::Bvh;
use surefoot_infer::{Overrides, infer};

use crate::damage::Damage;
use crate::{captures, own_process};

const BVH: Damage = Damage {
    fragments: &[
        b"nan",
        b"-1.#IND",
        b"1e999",
        b"{",
        b"}",
        b"JOINT x\n{\n",
        b"End Site\n{\n",
        b"CHANNELS 99",
        b"CHANNELS 0",
        b"OFFSET",
        b"MOTION",
        b"Frames: 99999999999",
        b"Frame Time: 0",
        b"\0",
        b"\xff\xfe",
        b",",
        b"\n",
        b"\r",
        b"ROOT",
        b"1e-300",
    ],
    copies: 2_000,
    memory_per_byte: 20,
    memory_besides: 10_000,
};

/// Frames kept of each file before it is damaged; later frames have the same form.
const FRAMES: usize = 3;

fn first_frames(bytes: &[u8]) -> Vec<u8> {
    let bvh = Bvh::read(bytes.to_vec()).unwrap();
    let mut motion = bvh.motion(&Space::METRES_Y_UP);
    motion.poses.truncate(FRAMES);
    bvh.write(&motion, &Space::METRES_Y_UP).unwrap()
}

/// Whether a file that stated a wrong number of frames was written with the right one and the same numbers.
fn corrects_the_count(bvh: &Bvh, written: &[u8]) -> bool {
    let is_count = |note: &surefoot_formats::bvh::Note| note.text.starts_with("Frames ");
    let copy = Bvh::read(written.to_vec()).unwrap();
    let rows = |bvh: &Bvh| (0..bvh.frames()).flat_map(|frame| bvh.row(frame).to_vec()).collect::<Vec<f64>>();
    bvh.notes().iter().any(is_count) && !copy.notes().iter().any(is_count) && rows(bvh) == rows(&copy)
}

#[test]
fn damaged_copies_are_accepted_or_refused() {
    own_process::run(module_path!(), "damaged_copies_are_accepted_or_refused", || {
        let mut accepted = 0;
        for path in captures::all() {
            let file = first_frames(&std::fs::read(&path).unwrap());
            BVH.check(
                &file,
                |bytes| Bvh::read(bytes.to_vec()),
                |bvh, bytes| {
                    accepted += 1;
                    // Inference takes longer than reading: one copy in four is enough.
                    if accepted % 4 == 0 {
                        let inference = infer(&bvh.excerpt(), &Overrides::default());
                        assert!(inference.unit_m.value.is_finite() && inference.unit_m.value > 0.0);
                    }
                    let motion = bvh.motion(&Space::METRES_Y_UP);
                    let written = bvh.write(&motion, &Space::METRES_Y_UP).unwrap();
                    assert!(written == bvh.write_copy(), "an unchanged motion changed the file");
                    assert!(
                        written == bytes || corrects_the_count(&bvh, &written),
                        "more than a count changed"
                    );
                },
            );
        }
    });
}
