//! Damaged copies of every real C3D file: read or refused, never a panic or a hang, in no more
//! memory than a few times the file.

use peak_alloc::PeakAlloc;
use surefoot_formats::c3d::{C3d, foot_intervals};
use surefoot_testdata::Dice;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The most memory that reading may take, in files; and what the groups and an error may take
/// besides, in bytes.
const FILES: usize = 40;
const BESIDES: usize = 20_000;
/// Copies a file. Enough to try each kind of damage some hundred times.
const COPIES: usize = 2_000;
/// The bytes kept of each file before it is damaged: no parameter section here is longer.
const KEPT: usize = 60_000;

fn damage(bytes: &mut Vec<u8>, dice: &mut Dice) {
    // Half of the damage goes where the header and the first parameters are.
    let reach = if dice.roll(2) == 0 { bytes.len() } else { bytes.len().min(2_000) };
    let at = dice.roll(reach);
    match dice.roll(6) {
        0 => bytes.truncate(at),
        1 => bytes[at] = dice.roll(256) as u8,
        2 => bytes[at] ^= 1 << dice.roll(8),
        3 => drop(bytes.drain(at..(at + 1 + dice.roll(64)).min(bytes.len()))),
        4 => {
            let piece = bytes[at..(at + dice.roll(200)).min(bytes.len())].to_vec();
            let to = dice.roll(bytes.len());
            bytes.splice(to..to, piece);
        }
        _ => {
            let end = (at + dice.roll(16)).min(bytes.len());
            bytes[at..end].fill(if dice.roll(2) == 0 { 0 } else { 255 });
        }
    }
}

#[test]
fn a_damaged_file_is_read_or_refused() {
    let mut counts = (0, 0);
    for path in surefoot_testdata::files("c3d", ".c3d") {
        let mut whole = std::fs::read(&path).unwrap();
        whole.truncate(KEPT);
        let mut dice = Dice(whole.len() as u64);
        for _ in 0..COPIES {
            let mut bytes = whole.clone();
            for _ in 0..1 + dice.roll(3) {
                if !bytes.is_empty() {
                    damage(&mut bytes, &mut dice);
                }
            }
            let before = MEMORY.current_usage();
            MEMORY.reset_peak_usage();
            let read = C3d::read(&bytes);
            let taken = MEMORY.peak_usage().saturating_sub(before);
            assert!(taken <= FILES * bytes.len() + BESIDES, "{taken} bytes to read {}", bytes.len());
            match read {
                Ok(c3d) => {
                    counts.0 += 1;
                    if let Ok(feet) = foot_intervals(&c3d, 300, 1, 100.0, Some(c3d.start())) {
                        let known = feet.iter().flat_map(|foot| &foot.intervals);
                        assert!(
                            known.clone().all(|known| known.frames.start >= 1 && known.frames.end <= 300)
                        );
                    }
                }
                Err(error) => {
                    counts.1 += 1;
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
    println!("{} damaged copies read, {} refused", counts.0, counts.1);
}
