//! Two thousand damaged copies of every real file: read or refused, never a panic or a hang.
//!
//! Whatever is read must also be understood and written back untouched, and reading takes no more
//! memory than twenty times the file.

mod real_files;

use peak_alloc::PeakAlloc;
use surefoot_formats::Space;
use surefoot_formats::bvh::Bvh;
use surefoot_infer::{Overrides, infer};
use surefoot_testdata::Dice;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The most memory that reading may take, in files; and what an error may take besides, in bytes.
const FILES: usize = 20;
const BESIDES: usize = 10_000;

/// Copies a file. Enough to try each kind of damage some hundred times.
const COPIES: usize = 2_000;
/// The frames kept of each file before it is damaged: what can go wrong goes wrong early.
const FRAMES: usize = 3;

const WORDS: [&[u8]; 20] = [
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
];

fn damage(text: &mut Vec<u8>, dice: &mut Dice) {
    let at = dice.roll(text.len());
    match dice.roll(8) {
        0 => text.truncate(at),
        1 => text[at] = dice.roll(256) as u8,
        2 => text[at] ^= 1 << dice.roll(8),
        3 => drop(text.splice(at..at, WORDS[dice.roll(WORDS.len())].iter().copied())),
        4 => drop(text.drain(at..(at + 1 + dice.roll(64)).min(text.len()))),
        5 => {
            let piece = text[at..(at + dice.roll(200)).min(text.len())].to_vec();
            let to = dice.roll(text.len());
            text.splice(to..to, piece);
        }
        6 => {
            let other = dice.roll(text.len());
            text.swap(at, other);
        }
        _ => {
            let lines: Vec<Vec<u8>> = text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
            let line = dice.roll(lines.len());
            let kept = lines.iter().enumerate().filter(|&(n, _)| n != line).map(|(_, line)| line.as_slice());
            *text = kept.collect::<Vec<_>>().join(&b'\n');
        }
    }
}

fn first_frames(bytes: &[u8]) -> Vec<u8> {
    let bvh = Bvh::read(bytes.to_vec()).unwrap();
    let mut motion = bvh.motion(&Space::METRES_Y_UP);
    motion.poses.truncate(FRAMES);
    bvh.write(&motion, &Space::METRES_Y_UP).unwrap()
}

#[test]
fn a_damaged_file_is_read_or_refused() {
    let mut counts = (0, 0);
    let mut seen = std::collections::HashSet::new();
    for path in real_files::all() {
        let whole = first_frames(&std::fs::read(&path).unwrap());
        // Many files share one skeleton: what differs is only the frames, which are cut to three.
        seen.insert(whole.len());
        let mut dice = Dice(whole.len() as u64);
        for _ in 0..COPIES {
            let mut text = whole.clone();
            for _ in 0..1 + dice.roll(3) {
                if !text.is_empty() {
                    damage(&mut text, &mut dice);
                }
            }
            let bytes = text.clone();
            let before = MEMORY.current_usage();
            MEMORY.reset_peak_usage();
            let read = Bvh::read(bytes);
            let taken = MEMORY.peak_usage().saturating_sub(before) + text.len();
            assert!(taken <= FILES * text.len() + BESIDES, "{taken} bytes to read {}", text.len());
            match read {
                Ok(bvh) => {
                    counts.0 += 1;
                    // Inference costs more than reading: one copy in four is enough.
                    if counts.0 % 4 == 0 {
                        let found = infer(&bvh.excerpt(), &Overrides::default());
                        assert!(found.unit_m.value.is_finite() && found.unit_m.value > 0.0);
                    }
                    let motion = bvh.motion(&Space::METRES_Y_UP);
                    let written = bvh.write(&motion, &Space::METRES_Y_UP).unwrap();
                    assert!(written == text, "untouched, and yet not the same");
                }
                Err(error) => {
                    counts.1 += 1;
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
    println!("{} files, {} damaged copies read, {} refused", seen.len(), counts.0, counts.1);
}
