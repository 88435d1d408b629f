//! Throughput and memory of reading and writing BVH, compared with `bvh_anim` on the same file.
//!
//! Runs on one thread. Each figure is the fastest of several rounds in which both libraries take
//! turns, so that the ratios hold on a noisy machine.

use std::hint::black_box;
use std::time::Instant;

use peak_alloc::PeakAlloc;
use surefoot_core::math::{axis_rotation, sin};
use surefoot_core::{Joint, JointId, Motion, Pose, Skeleton, Vec3};
use surefoot_formats::Space;
use surefoot_formats::bvh::{Bvh, from_motion};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Size of the file, in megabytes: far beyond every cache.
const MEGABYTES: usize = 40;
/// Rounds of which the fastest counts. More rounds take longer and vary less.
const ROUNDS: usize = 7;

/// A chain of 31 rotating joints with enough frames for a file of `MEGABYTES`.
fn synthetic_motion() -> Motion {
    let joint = |n: u32| Joint {
        name: format!("Joint{n}"),
        parent: n.checked_sub(1).map(JointId),
        offset: Vec3::new(1.25, 10.5, -0.5),
        end: None,
    };
    let skeleton = Skeleton::new((0..31).map(joint).collect()).expect("parents come first");
    let pose = |frame: usize| {
        let mut pose = Pose::rest(&skeleton);
        for (n, rotation) in pose.rotations.iter_mut().enumerate() {
            let swing = |rate: f64| sin(frame as f64 * 0.01 * rate + n as f64);
            *rotation = axis_rotation(2, swing(1.0))
                * axis_rotation(0, swing(1.7) * 0.5)
                * axis_rotation(1, swing(0.6));
        }
        pose.offsets[0] = Vec3::new(frame as f64 * 0.37, 90.0 + sin(frame as f64 * 0.1), 12.0);
        pose
    };
    // A row has 96 numbers of about 10.4 bytes.
    let frames = MEGABYTES * 1_000_000 / 1_000;
    Motion { skeleton: skeleton.clone(), fps: 120.0, poses: (0..frames).map(pose).collect() }
}

/// Runs `work` and lowers `shortest` to its duration in seconds if that is less.
fn keep_fastest<T>(shortest: &mut f64, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = black_box(work());
    *shortest = shortest.min(start.elapsed().as_secs_f64());
    result
}

/// The fastest time of each operation, in seconds.
#[derive(Clone, Copy)]
struct Times {
    read: f64,
    peer_read: f64,
    /// Prints every number of the table again.
    reprint: f64,
    peer_write: f64,
    /// Converts the table to poses.
    to_motion: f64,
    /// Writes a motion that equals the file.
    write_unchanged: f64,
    /// Writes a motion in which every joint differs from the file.
    write_changed: f64,
}

fn measure(text: &[u8]) -> Times {
    let none = f64::INFINITY;
    let mut times = Times {
        read: none,
        peer_read: none,
        reprint: none,
        peer_write: none,
        to_motion: none,
        write_unchanged: none,
        write_changed: none,
    };
    let space = Space::METRES_Y_UP;
    for _ in 0..ROUNDS {
        let peer = keep_fastest(&mut times.peer_read, || bvh_anim::from_bytes(text))
            .expect("bvh_anim reads the file");
        let bytes = text.to_vec();
        let ours = keep_fastest(&mut times.read, || Bvh::read(bytes)).expect("surefoot reads the file");
        let mut out = Vec::with_capacity(text.len() * 2);
        keep_fastest(&mut times.peer_write, || peer.write_to(&mut out)).expect("bvh_anim writes the file");
        drop((out, peer));
        keep_fastest(&mut times.reprint, || ours.write_reprinted());
        let mut motion = keep_fastest(&mut times.to_motion, || ours.motion(&space));
        let same = keep_fastest(&mut times.write_unchanged, || ours.write(&motion, &space))
            .expect("surefoot writes the file");
        assert!(same == text, "an unchanged motion changed the file");
        for pose in &mut motion.poses {
            for rotation in &mut pose.rotations {
                *rotation *= axis_rotation(1, 0.001);
            }
        }
        keep_fastest(&mut times.write_changed, || ours.write(&motion, &space))
            .expect("surefoot writes the file");
    }
    times
}

/// Peak memory of reading beyond the file's own bytes, in bytes per number.
fn memory_per_number(text: &[u8]) -> f64 {
    let bytes = text.to_vec();
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let bvh = Bvh::read(bytes).expect("surefoot reads the file");
    let numbers = bvh.frames() * bvh.channels().len();
    (MEMORY.peak_usage() - before) as f64 / numbers as f64
}

fn main() {
    let text =
        from_motion(&synthetic_motion(), &Space::METRES_Y_UP).expect("the synthetic motion can be written");
    let megabytes = text.len() as f64 / 1e6;
    println!("a BVH file of {megabytes:.1} MB, one thread, fastest of {ROUNDS} rounds");
    println!("{:<44} {:>8} {:>16}", "", "MB/s", "× bvh_anim 0.4");
    let times = measure(&text);
    let row = |operation: &str, seconds: f64, peer: f64| {
        println!("{operation:<44} {:>8.0} {:>16.1}", megabytes / seconds, peer / seconds);
    };
    row("read: bvh_anim", times.peer_read, times.peer_read);
    row("read", times.read, times.peer_read);
    row("read and convert to poses", times.read + times.to_motion, times.peer_read);
    row("write: bvh_anim", times.peer_write, times.peer_write);
    row("write, reprinting every number", times.reprint, times.peer_write);
    row("write an unchanged motion", times.write_unchanged, times.peer_write);
    row("write a motion with every joint changed", times.write_changed, times.peer_write);
    println!("memory to read: the file and {:.1} bytes per number", memory_per_number(&text));
}
