//! Damaged floor files are accepted or refused, in bounded memory.

use surefoot_core::floor::Surface;
use surefoot_core::{Floor, Vec3};
use surefoot_formats::floor::{FloorError, read_csv, read_obj, read_pgm, write_obj};

use crate::damage::Damage;
use crate::floors::{CM, IMAGE};
use crate::own_process;

const FLOOR: Damage = Damage {
    fragments: &[
        b"nan",
        b"1e999",
        b"1e300",
        b"-1",
        b"0",
        b"\0",
        b"\xff",
        b",",
        b"\n",
        b"99999999999",
        b"f 1 2 3 4 5 6\n",
        b"/",
    ],
    copies: 2_000,
    // In a face of many corners each further corner is two bytes and one triangle.
    memory_per_byte: 250,
    memory_besides: 20_000,
};

type Read = fn(&[u8]) -> Result<Surface, FloorError>;

/// A small file of each format, with its reader.
fn files() -> [(Vec<u8>, Read); 4] {
    let rows: String = (0..30).map(|n| format!("{},{},{}\n", n % 5, n / 5, n * n % 7)).collect();
    let table = format!("x,z,height\n{rows}").into_bytes();
    let mesh = write_obj(read_csv(&table, &CM).unwrap().triangles(), &CM).into_bytes();
    let greys: String = (0..30).map(|n| format!("{} ", n * n % 7)).collect();
    let plain = format!("P2\n5 6\n# grey\n7\n{greys}").into_bytes();
    let raw = [b"P5 5 6 7\n".to_vec(), (0..30).map(|n| n % 8).collect()].concat();
    [
        (table, |bytes| read_csv(bytes, &CM)),
        (mesh, |bytes| read_obj(bytes, &CM)),
        (plain, |bytes| read_pgm(bytes, &IMAGE, &CM)),
        (raw, |bytes| read_pgm(bytes, &IMAGE, &CM)),
    ]
}

#[test]
fn damaged_copies_are_accepted_or_refused() {
    own_process::run(module_path!(), "damaged_copies_are_accepted_or_refused", || {
        for (file, read) in files() {
            assert!(read(&file).is_ok());
            let outcome = FLOOR.check(&file, read, |surface, _| {
                let floor = Floor::from(surface);
                for point in [Vec3::ZERO, Vec3::new(0.02, 0.3, 0.03), Vec3::splat(-7.0)] {
                    assert!(floor.above(point).is_finite() && floor.nearest(point).is_finite());
                }
            });
            assert!(outcome.accepted > 20 && outcome.refused > 20, "{outcome:?}");
        }
    });
}
