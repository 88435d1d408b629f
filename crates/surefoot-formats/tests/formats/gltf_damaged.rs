//! Damaged copies of glTF files are accepted or refused, in bounded memory.

use surefoot_core::Vec3;
use surefoot_formats::source::ReadOptions;
use surefoot_formats::{SourceFile, Space};

use crate::damage::{Damage, Outcome};
use crate::gltf_judge::encode;
use crate::gltf_maker::Maker;
use crate::own_process;

const GLTF: Damage = Damage {
    fragments: &[
        b"4294967295",
        b"-1",
        b"1e999",
        b"null",
        b"{",
        b"]",
        b"\"count\":99999999999,",
        b"\"byteStride\":1,",
        b"\"byteOffset\":18446744073709551615,",
        b"\"children\":[0],",
        b"\"sparse\":{\"count\":9},",
        b"\"type\":\"MAT4\",",
        b"\xff\xff\x7f\x7f",
        b"\0\0\xc0\x7f",
    ],
    copies: 2_000,
    memory_per_byte: 20,
    // What a damaged count unpacks.
    memory_besides: 3 << 20,
};

fn check(file: &[u8]) -> Outcome {
    GLTF.check(
        file,
        |bytes| SourceFile::read(bytes.to_vec(), &ReadOptions::default()),
        |file, bytes| {
            // A damaged time can make the motion hours long.
            if file.frames() < 5_000 {
                let mut motion = file.motion(&Space::METRES_Y_UP);
                let written = file.write(&motion, &Space::METRES_Y_UP);
                assert!(
                    written.is_err() || written.unwrap() == bytes,
                    "an unchanged motion changed the file"
                );
                motion.poses[0].offsets[0] = Vec3::new(0.25, -3.5, 1e3);
                if let Ok(written) = file.write(&motion, &Space::METRES_Y_UP) {
                    file.read_back(written).unwrap();
                }
            }
        },
    )
}

#[test]
fn damaged_copies_are_accepted_or_refused() {
    own_process::run(module_path!(), "damaged_copies_are_accepted_or_refused", || {
        let mut maker = Maker::with_tracks(9);
        let mut packed = Maker::with_tracks(9);
        packed.pack();
        check(&packed.glb());
        let made = check(&maker.glb());
        assert!(made.accepted > 20 && made.refused > 100, "{made:?}");
        maker.buffer.resize(maker.buffer.len().next_multiple_of(3), 0);
        let text = maker.gltf(&format!("data:;base64,{}", encode(&maker.buffer)));
        let made = check(&text);
        assert!(made.accepted > 100 && made.refused > 100, "{made:?}");
        let Some(path) = surefoot_testdata::path("gltf/khronos/RiggedFigure/glTF-Binary/RiggedFigure.glb")
        else {
            return;
        };
        check(&std::fs::read(path).unwrap());
    });
}
