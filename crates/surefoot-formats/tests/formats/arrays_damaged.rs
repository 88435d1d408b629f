//! Damaged copies of arrays are accepted or refused, in bounded memory.

use surefoot_core::Vec3;
use surefoot_formats::source::ReadOptions;
use surefoot_formats::{SourceFile, Space};

use crate::arrays_maker::{Archive, npy, npz, words};
use crate::damage::{Damage, Outcome};
use crate::own_process;

const ARRAYS: Damage = Damage {
    fragments: &[
        b"PK\x03\x04",
        b"PK\x05\x06",
        b"\xff\xff\xff\xff",
        b"\x93NUMPY\x01\x00",
        b"'shape': (99999999999, 22, 3), ",
        b"'shape': (0, 22, 3), ",
        b"'descr': '|O', ",
        b"'descr': '>f2', ",
        b"True",
        b"\0\0\xc0\x7f",
        b"\0\0\0\0\0\0\xf8\x7f",
    ],
    copies: 2_000,
    memory_per_byte: 20,
    memory_besides: 200_000,
};

/// The same for one array, which is a small part of the file that is read.
const ONE_ARRAY: Damage = Damage { memory_besides: 1_500_000, ..ARRAYS };

/// Checks damaged copies of `part`, from which `whole` makes a file.
fn check(damage: &Damage, part: &[u8], whole: impl Fn(&[u8]) -> Vec<u8>) -> Outcome {
    damage.check(
        part,
        |part| SourceFile::read(whole(part), &ReadOptions::default()),
        |file, part| {
            let mut motion = file.motion(&Space::METRES_Y_UP);
            if let Ok(written) = file.write(&motion, &Space::METRES_Y_UP) {
                assert!(written == whole(part), "an unchanged motion changed the file");
            }
            let Some(pose) = motion.poses.first_mut() else { return };
            pose.offsets[0] = Vec3::new(0.25, -3.5, 1e3);
            if let Ok(written) = file.write(&motion, &Space::METRES_Y_UP) {
                file.read_back(written).unwrap();
            }
        },
    )
}

/// Numbers without a pattern, which compress little.
fn numbers(count: usize) -> Vec<f64> {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1 << 24) - 0.5
    };
    (0..count).map(|_| next()).collect()
}

#[test]
fn damaged_copies_are_accepted_or_refused() {
    own_process::run(module_path!(), "damaged_copies_are_accepted_or_refused", || {
        let parents: Vec<f64> = (0..22).map(|joint| f64::from(joint) - 1.0).collect();
        let with_rotations = [
            ("names", words(&["joint"; 22])),
            ("rotations", npy("<f4", &[20, 22, 4], &numbers(20 * 22 * 4))),
            ("root_pos", npy("<f4", &[20, 3], &numbers(60))),
            ("offsets", npy("<f4", &[22, 3], &numbers(66))),
            ("parents", npy("<i4", &[22], &parents)),
            ("fps", npy("<f8", &[], &[30.0])),
        ];
        for archive in [Archive::NumPy, Archive::Compressed, Archive::Streamed] {
            // Most damage shows in a checksum.
            let made = check(&ARRAYS, &npz(archive, &with_rotations), <[u8]>::to_vec);
            assert!(made.accepted > 2 && made.refused > 100, "{archive:?}: {made:?}");
        }
        for (at, (name, content)) in with_rotations.iter().enumerate() {
            let with = |part: &[u8]| {
                let mut members = with_rotations.clone();
                members[at].1 = part.to_vec();
                npz(Archive::NumPy, &members)
            };
            let made = check(&ONE_ARRAY, content, with);
            assert!(made.accepted > 100 && made.refused > 100, "{name}: {made:?}");
        }
        let positions = npy("<f4", &[20, 22, 3], &numbers(20 * 22 * 3));
        let made = check(&ARRAYS, &positions, <[u8]>::to_vec);
        assert!(made.accepted > 100 && made.refused > 100, "{made:?}");
    });
}
