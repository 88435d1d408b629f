//! How fast is BVH read and written, and in how much memory? Against `bvh_anim`, same file, same
//! run, one thread.
//!
//! Machines are noisy: the ratios are what holds. Each figure is the best of several turns, taken
//! in alternation.

use std::hint::black_box;
use std::time::Instant;

use peak_alloc::PeakAlloc;
use surefoot_core::math::{axis_rotation, sin};
use surefoot_core::{Joint, JointId, Motion, Pose, Skeleton, Vec3};
use surefoot_formats::Space;
use surefoot_formats::bvh::{Bvh, from_motion};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const MEGABYTES: usize = 40;
const TURNS: usize = 7;

/// A chain of 31 joints that all turn, as long as a file of `MEGABYTES` needs.
fn made_motion() -> Motion {
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
    // 96 numbers a row, about 10.4 bytes each.
    let frames = MEGABYTES * 1_000_000 / 1_000;
    Motion { skeleton: skeleton.clone(), fps: 120.0, poses: (0..frames).map(pose).collect() }
}

/// The shortest time of one call, in seconds.
fn best<T>(shortest: &mut f64, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = black_box(work());
    *shortest = shortest.min(start.elapsed().as_secs_f64());
    result
}

#[derive(Clone, Copy)]
struct Times {
    read: f64,
    peer_read: f64,
    fresh: f64,
    peer_write: f64,
    motion: f64,
    untouched: f64,
    all_changed: f64,
}

fn measure(text: &[u8]) -> Times {
    let never = f64::INFINITY;
    let mut times = Times {
        read: never,
        peer_read: never,
        fresh: never,
        peer_write: never,
        motion: never,
        untouched: never,
        all_changed: never,
    };
    let space = Space::METRES_Y_UP;
    for _ in 0..TURNS {
        let peer = best(&mut times.peer_read, || bvh_anim::from_bytes(text)).expect("bvh_anim reads it");
        let bytes = text.to_vec();
        let ours = best(&mut times.read, || Bvh::read(bytes)).expect("we read it");
        let mut out = Vec::with_capacity(text.len() * 2);
        best(&mut times.peer_write, || peer.write_to(&mut out)).expect("bvh_anim writes it");
        drop((out, peer));
        best(&mut times.fresh, || ours.write_reprinted());
        let mut motion = best(&mut times.motion, || ours.motion(&space));
        let same = best(&mut times.untouched, || ours.write(&motion, &space)).expect("we write it");
        assert!(same == text, "untouched, and yet not the same");
        for pose in &mut motion.poses {
            for rotation in &mut pose.rotations {
                *rotation *= axis_rotation(1, 0.001);
            }
        }
        best(&mut times.all_changed, || ours.write(&motion, &space)).expect("we write it");
    }
    times
}

/// The most memory that reading takes beyond the file's own bytes, per number, in bytes.
fn memory_per_number(text: &[u8]) -> f64 {
    let bytes = text.to_vec();
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let bvh = Bvh::read(bytes).expect("we read it");
    let numbers = bvh.frames() * bvh.channels().len();
    (MEMORY.peak_usage() - before) as f64 / numbers as f64
}

fn main() {
    let text = from_motion(&made_motion(), &Space::METRES_Y_UP).expect("a motion can be written");
    let megabytes = text.len() as f64 / 1e6;
    println!("a BVH file of {megabytes:.1} MB, one thread, best of {TURNS}");
    println!("{:<44} {:>8} {:>16}", "", "MB/s", "× bvh_anim 0.4");
    let times = measure(&text);
    let row = |what: &str, seconds: f64, peer: f64| {
        println!("{what:<44} {:>8.0} {:>16.1}", megabytes / seconds, peer / seconds);
    };
    row("read: bvh_anim", times.peer_read, times.peer_read);
    row("read", times.read, times.peer_read);
    row("read, and every pose made", times.read + times.motion, times.peer_read);
    row("write: bvh_anim", times.peer_write, times.peer_write);
    row("write, every number printed anew", times.fresh, times.peer_write);
    row("write a motion, nothing changed", times.untouched, times.peer_write);
    row("write a motion, every joint turned", times.all_changed, times.peer_write);
    println!("memory to read: the file and {:.1} bytes per number", memory_per_number(&text));
}
