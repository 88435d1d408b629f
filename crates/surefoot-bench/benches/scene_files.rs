//! Time to read an FBX or glTF file and to write it with a changed motion.
//!
//! The glTF file is generated: 31 joints with a key at each of 1,000 frames. The FBX file is a capture of some 93,000
//! keys. Each figure is the least of many rounds on one thread. Reading includes the transforms of all frames; writing
//! replaces the keys of the hips and of six joints in every frame, as a cleanup does.

use std::hint::black_box;
use std::time::Instant;

use surefoot_core::math::{axis_rotation, sin};
use surefoot_core::{Joint, JointId, Motion, Pose, Skeleton, Vec3};
use surefoot_formats::source::ReadOptions;
use surefoot_formats::{SourceFile, Space, gltf};

/// Rounds of which the least time counts.
const ROUNDS: usize = 60;
const FRAMES: usize = 1_000;
const JOINTS: u32 = 31;
/// The capture with the most keys.
const FBX: &str = "fbx/rocketbox/m_crouch_in.max.fbx";

fn synthetic_motion() -> Motion {
    let joint = |n: u32| Joint {
        name: format!("Joint{n}"),
        parent: n.checked_sub(1).map(JointId),
        offset: Vec3::new(0.01, 0.1, -0.01),
        end: None,
    };
    let skeleton = Skeleton::new((0..JOINTS).map(joint).collect()).expect("parents come first");
    let pose = |frame: usize| {
        let mut pose = Pose::rest(&skeleton);
        for (n, rotation) in pose.rotations.iter_mut().enumerate() {
            *rotation = axis_rotation(n % 3, sin(frame as f64 * 0.01 + n as f64));
        }
        pose.offsets[0] = Vec3::new(frame as f64 * 0.01, 1.0, 0.0);
        pose
    };
    Motion { skeleton: skeleton.clone(), fps: 30.0, poses: (0..FRAMES).map(pose).collect() }
}

/// A motion with the hips and six joints below them changed.
fn changed(motion: &Motion) -> Motion {
    let mut changed = motion.clone();
    for pose in &mut changed.poses {
        pose.offsets[0] += Vec3::new(0.001, -0.002, 0.001);
        for rotation in pose.rotations.iter_mut().skip(1).step_by(4).take(6) {
            *rotation *= axis_rotation(0, 0.01);
        }
    }
    changed
}

fn least(mut work: impl FnMut() -> f64) -> f64 {
    (0..ROUNDS).map(|_| work()).fold(f64::INFINITY, f64::min)
}

fn measure(name: &str, bytes: &[u8], space: &Space) {
    let read = || SourceFile::read(bytes.to_vec(), &ReadOptions::default()).expect("the file is good");
    let source = read();
    let motion = changed(&source.motion(space));
    let milliseconds = |start: Instant| 1e3 * start.elapsed().as_secs_f64();
    let reading = least(|| {
        let start = Instant::now();
        let source = read();
        black_box(source.motion(space));
        milliseconds(start)
    });
    let writing = least(|| {
        let start = Instant::now();
        black_box(source.write(&motion, space).expect("keys can be changed"));
        milliseconds(start)
    });
    println!(
        "{name:28} {:8} bytes  read {reading:6.2} ms  write {writing:6.2} ms  both {:6.2} ms",
        bytes.len(),
        reading + writing
    );
}

fn main() {
    let glb = gltf::from_motion(&synthetic_motion()).expect("the motion is finite");
    measure("glTF, 31 joints × 1,000", &glb, &Space::METRES_Y_UP);
    if let Some(path) = surefoot_testdata::path(FBX) {
        let bytes = std::fs::read(path).expect("the capture can be read");
        measure(FBX, &bytes, &Space { unit_m: 0.01, ..Space::METRES_Y_UP });
    }
}
