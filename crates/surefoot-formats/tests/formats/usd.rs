//! USD files of Pixar's library: read as that library reads them, and edited in place.

use core::ops::Range;
use std::path::{Path, PathBuf};

use surefoot_core::{Motion, Quat, Vec3};
use surefoot_formats::source::ReadOptions;
use surefoot_formats::{SourceFile, Space};

/// All files of the folder; `tests/usd/make.py` makes them.
pub const FILES: [&str; 9] = [
    "plain.usda",
    "plain.usdc",
    "odd.usda",
    "odd.usdc",
    "sparse.usda",
    "sparse.usdc",
    "still.usda",
    "still.usdc",
    "shot.usdz",
];

const SPACE: Space = Space::METRES_Y_UP;

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/usd").join(name)
}

pub fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(path(name)).unwrap()
}

pub fn read(bytes: &[u8]) -> SourceFile {
    SourceFile::read(bytes.to_vec(), &ReadOptions::default()).unwrap()
}

/// The positions of all joints in the world at a frame.
fn positions(motion: &Motion, frame: usize) -> Vec<Vec3> {
    let pose = &motion.poses[frame];
    let mut world: Vec<(Vec3, Quat)> = Vec::new();
    for (n, joint) in motion.skeleton.joints().iter().enumerate() {
        let (at, turned) = joint.parent.map_or((Vec3::ZERO, Quat::IDENTITY), |parent| world[parent.index()]);
        world.push((at + turned * pose.offsets[n], turned * pose.rotations[n]));
    }
    world.into_iter().map(|(at, _)| at).collect()
}

fn distance(a: &Motion, b: &Motion) -> f64 {
    assert_eq!(a.frames(), b.frames());
    let apart = |frame| {
        let pairs = positions(a, frame).into_iter().zip(positions(b, frame));
        pairs.map(|(a, b)| a.distance(b)).fold(0.0, f64::max)
    };
    (0..a.frames()).map(apart).fold(0.0, f64::max)
}

/// The motion with the leg turned at two frames, and the hips moved at the second one.
fn edited(motion: &Motion) -> Motion {
    let mut motion = motion.clone();
    for frame in [2, 4] {
        let turned = &mut motion.poses[frame].rotations[1];
        *turned = (*turned * Quat::from_rotation_x(0.2)).normalize();
    }
    motion.poses[4].offsets[0] += Vec3::new(0.01, 0.02, -0.03);
    motion
}

/// The ranges of bytes that differ between two files of the same length.
fn differences(a: &[u8], b: &[u8]) -> Vec<usize> {
    assert_eq!(a.len(), b.len());
    (0..a.len()).filter(|&at| a[at] != b[at]).collect()
}

#[test]
fn joints_are_where_pixars_library_has_them() {
    for name in FILES {
        let text = std::fs::read_to_string(path(name).with_extension("txt")).unwrap();
        let motion = read(&bytes(name)).motion(&SPACE);
        assert_eq!(motion.frames(), text.lines().count(), "{name}");
        for (frame, line) in text.lines().enumerate() {
            let numbers: Vec<f64> = line.split(' ').map(|number| number.parse().unwrap()).collect();
            for (expected, found) in numbers.as_chunks().0.iter().zip(positions(&motion, frame)) {
                let apart = found.distance(Vec3::from_array(*expected));
                // Nine digits of up to 200 units.
                assert!(apart < 2e-6 * (1.0 + found.length()), "{name}, frame {frame}: {apart}");
            }
        }
    }
}

#[test]
fn rate_unit_and_axes_are_those_of_the_file() {
    let odd = read(&bytes("odd.usdc"));
    assert_eq!(odd.rate().value, 24.0, "12 time codes per second, two frames each");
    let space = odd.stated_space().unwrap();
    assert_eq!((space.unit_m, space.up.as_str()), (0.01, "z"));
    let names: Vec<&str> = odd.skeleton().joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["Hips", "Leg", "Foot", "Arm"]);
    assert_eq!(odd.contents().animations[0].name, "/Root/Anim");
}

#[test]
fn an_unchanged_motion_is_written_byte_for_byte() {
    for name in FILES {
        let (bytes, space) = (bytes(name), Space { unit_m: 0.3, ..SPACE });
        let source = read(&bytes);
        assert!(source.write(&source.motion(&space), &space).unwrap() == bytes, "{name} changed");
    }
}

#[test]
fn an_edited_motion_is_read_again() {
    for name in FILES {
        let source = read(&bytes(name));
        let motion = edited(&source.motion(&SPACE));
        let written = source.write(&motion, &SPACE).unwrap();
        let again = source.read_back(written.clone()).unwrap().motion(&SPACE);
        let apart = distance(&motion, &again);
        // Numbers of 32 bits, at up to 200 units.
        assert!(apart < if name.starts_with("odd") { 5e-5 } else { 5e-7 }, "{name}: {apart}");
        assert!(
            source.read_back(written.clone()).unwrap().write(&again, &SPACE).unwrap() == written,
            "{name}"
        );
    }
}

#[test]
fn only_the_numbers_of_changed_samples_change_in_a_text() {
    let before = String::from_utf8(bytes("plain.usda")).unwrap();
    let source = read(before.as_bytes());
    let written = source.write(&edited(&source.motion(&SPACE)), &SPACE).unwrap();
    let after = String::from_utf8(written).unwrap();
    let changed = before.lines().zip(after.lines()).filter(|(before, after)| before != after);
    let mut times: Vec<&str> =
        changed.clone().map(|(line, _)| line.trim().split(':').next().unwrap()).collect();
    times.sort_unstable();
    assert_eq!(times, ["2", "4", "4"]);
    assert_eq!(before.lines().count(), after.lines().count());
    // A sample of rotations has 16 numbers, of which those of one joint change; one of translations three of 12.
    for (before, after) in changed {
        let numbers =
            before.split(", ").zip(after.split(", ")).filter(|(before, after)| before != after).count();
        assert!((3..=4).contains(&numbers), "{before}\n{after}");
    }
}

#[test]
fn only_the_numbers_of_changed_samples_change_in_a_binary_file() {
    let before = bytes("plain.usdc");
    let source = read(&before);
    let written = source.write(&edited(&source.motion(&SPACE)), &SPACE).unwrap();
    let places = differences(&before, &written);
    // Two rotations and one translation of numbers with four bytes each.
    assert!(!places.is_empty() && places.len() <= 2 * 16 + 12, "{} bytes", places.len());
    let spans: Vec<Range<usize>> =
        places.chunk_by(|a, b| b - a < 16).map(|run| run[0]..run[run.len() - 1] + 1).collect();
    assert!(spans.len() <= 3 && spans.iter().all(|span| span.len() <= 16), "{spans:?}");
}

#[test]
fn samples_that_are_added_to_a_binary_file_leave_its_bytes_in_place() {
    for name in ["sparse.usdc", "still.usdc"] {
        let before = bytes(name);
        let source = read(&before);
        let written = source.write(&edited(&source.motion(&SPACE)), &SPACE).unwrap();
        assert!(written.len() > before.len());
        let places = differences(&before, &written[..before.len()]);
        // The places of three tables in the table of contents, and the samples that were there.
        assert!(places.len() <= 3 * 16 + 16, "{name}: {} bytes", places.len());
    }
}

#[test]
fn other_frames_keep_their_values_where_samples_are_added() {
    for name in ["sparse.usda", "sparse.usdc"] {
        let source = read(&bytes(name));
        let motion = source.motion(&SPACE);
        let mut changed = motion.clone();
        // Frames 0 and 3 have samples, between which the others are interpolated.
        for frame in [1, 3] {
            changed.poses[frame].rotations[2] = Quat::from_rotation_z(0.7);
            let written = source.write(&changed, &SPACE).unwrap();
            let again = source.read_back(written).unwrap();
            assert!(distance(&again.motion(&SPACE), &changed) < 5e-7, "{name}, frame {frame}");
            changed = motion.clone();
        }
    }
    let source = read(&bytes("sparse.usda"));
    let mut changed = source.motion(&SPACE);
    changed.poses[1].rotations[2] = Quat::from_rotation_z(0.7);
    let text = String::from_utf8(source.write(&changed, &SPACE).unwrap()).unwrap();
    let samples = text.split("rotations.timeSamples = {").nth(1).unwrap().split('}').next().unwrap();
    let times: Vec<&str> =
        samples.lines().filter_map(|line| line.trim().split_once(": ")).map(|(time, _)| time).collect();
    assert_eq!(times, ["0", "1", "2", "3", "5"]);
}

#[test]
fn a_package_keeps_its_other_files_and_its_alignment() {
    let before = bytes("shot.usdz");
    let source = read(&before);
    let written = source.write(&edited(&source.motion(&SPACE)), &SPACE).unwrap();
    // The checksum is stated twice.
    assert!(differences(&before, &written).len() <= 2 * 16 + 12 + 8);

    let text = two_layers(include_bytes!("../usd/plain.usda"));
    let source = read(&text);
    let written = source.write(&edited(&source.motion(&SPACE)), &SPACE).unwrap();
    assert_ne!(written.len(), text.len());
    let members = |bytes: &[u8]| -> Vec<(usize, Vec<u8>)> {
        let starts = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(b"PK\x03\x04"));
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let short = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
        let member = |at: usize| {
            let start = at + 30 + short(at + 26) + short(at + 28);
            let content = bytes[start..start + number(at + 18)].to_vec();
            let mut crc = flate2::Crc::new();
            crc.update(&content);
            assert_eq!(crc.sum() as usize, number(at + 14));
            (start, content)
        };
        starts.map(member).collect()
    };
    let (before, after) = (members(&text), members(&written));
    assert!(after.iter().all(|(start, _)| start % 64 == 0));
    assert_eq!(before[1].1, after[1].1, "the other file");
    assert!(
        distance(&source.read_back(written).unwrap().motion(&SPACE), &edited(&source.motion(&SPACE))) < 5e-7
    );
}

/// A package with a layer and another file after it, both at multiples of 64 bytes.
fn two_layers(layer: &[u8]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in [("walk.usda", layer), ("skin.png", &b"not a picture"[..])] {
        let mut crc = flate2::Crc::new();
        crc.update(content);
        let padding = (64 - (out.len() + 30 + name.len() + 4) % 64) % 64;
        let offset = out.len() as u32;
        let mut common = vec![20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0];
        common.extend(crc.sum().to_le_bytes());
        common.extend([(content.len() as u32).to_le_bytes(); 2].concat());
        common.extend((name.len() as u16).to_le_bytes());
        out.extend([b"PK\x03\x04", &common[..]].concat());
        out.extend((padding as u16 + 4).to_le_bytes());
        out.extend(name.as_bytes());
        out.extend([0x86, 0x19]);
        out.extend((padding as u16).to_le_bytes());
        out.resize(out.len() + padding, 0);
        out.extend(content);
        directory.extend([b"PK\x01\x02", &[20, 3][..], &common].concat());
        directory.extend([0; 12]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let start = out.len() as u32;
    out.extend(&directory);
    out.extend([b"PK\x05\x06", &[0; 4][..], &[2, 0, 2, 0]].concat());
    out.extend([(directory.len() as u32).to_le_bytes(), start.to_le_bytes()].concat());
    out.extend([0, 0]);
    out
}

#[test]
fn a_new_file_has_the_motion() {
    let motion = read(&bytes("plain.usda")).motion(&SPACE);
    let written = surefoot_formats::usd::from_motion(&motion).unwrap();
    let source = read(&written);
    assert_eq!(source.rate().value, 30.0);
    assert_eq!(source.stated_space().unwrap().unit_m, 1.0);
    assert!(distance(&source.motion(&SPACE), &motion) < 5e-7);
    assert!(source.write(&source.motion(&SPACE), &SPACE).unwrap() == written);
}
