//! Converts motion files to streams and back.

use std::path::Path;

use surefoot::{Clip, FloorSource};
use surefoot_core::UpAxis;
use surefoot_core::{Motion, Pose};
use surefoot_formats::Space;
use surefoot_formats::bvh::from_motion;
use surefoot_formats::stream::{
    Encoding, End, Frame, Header, HeldPoint, Reader, Record, write_end, write_frame, write_header,
};
use surefoot_solve::{ActivePlant, active_plants};

use crate::args::FileOptions;
use crate::problem::Problem;
use crate::source::{Source, add_plants, load};
use crate::stream_setup::StreamSetup;
use crate::text::printable;

/// Whether these bytes are a stream and not a motion file.
pub fn is_stream(bytes: &[u8]) -> bool {
    bytes.starts_with(b"{") || bytes.starts_with(b"SUREFOOT")
}

/// Converts a file to a stream, with plants that are detected or read from a file.
pub fn to_stream(mut source: Source, plants: Option<&Path>, form: Encoding) -> Result<Vec<u8>, Problem> {
    if source.file.floor_source != FloorSource::Plane {
        return Err(Problem::new("the header of a stream can only state a plane as floor")
            .help("leave the floor out here, and pass it to the cleaner: surefoot stream --skeleton walk.bvh --floor FILE"));
    }
    add_plants(&mut source.file, plants)?;
    let known = StreamSetup::from_file(source.clip())?;
    let layout = known.layout();
    let first = source.clip().first_frame;
    let Clip { motion, plants, .. } = source.clip().performance();
    let frames = motion.frames();
    let longest = plants.plants.iter().map(|plant| plant.frames.len().min(frames)).max();
    let mut bytes = Vec::new();
    let header = Header { longest_plant: Some(longest.unwrap_or(0)), ..known.header() };
    write_header(&header, form, &mut bytes);
    let legs = layout.sides.len();
    let held = active_plants(frames, legs, &plants);
    // In a stream, plant 0 is a point that is not planted.
    let point = |hold: ActivePlant| HeldPoint { plant: hold.id + 1, spot: hold.spot };
    for (n, pose) in motion.poses.into_iter().enumerate() {
        let held = held[n * legs..(n + 1) * legs].iter();
        let held = held.map(|held| [held.heel.map(point), held.ball.map(point)]).collect();
        write_frame(&Frame { number: first + n, pose, held }, &layout, form, &mut bytes);
    }
    let end = End { frames, plants: plants.plants.len(), ..End::default() };
    write_end(&end, form, &mut bytes);
    Ok(bytes)
}

/// The motion of a whole stream.
struct StreamMotion {
    motion: Motion,
    /// The number of the first frame.
    first: usize,
}

/// Converts a stream to a BVH file: a new one, or a copy of the file `like` with new frames.
pub fn from_stream(
    name: &str,
    bytes: &[u8],
    like: Option<(&Path, &FileOptions)>,
    unit_m: f64,
    up: UpAxis,
) -> Result<Vec<u8>, Problem> {
    let cannot = |reason: String| Problem::new(format!("cannot convert {name}: {reason}"));
    let StreamMotion { motion, first } = read(name, bytes)?;
    let Some((like, file_options)) = like else {
        return from_motion(&motion, &Space { unit_m, up }).map_err(|error| cannot(error.to_string()));
    };
    let source = load(like, file_options)?;
    let file = &source.file;
    let before = &file.clip.motion;
    let names = |motion: &Motion| -> Vec<String> {
        motion.skeleton.joints().iter().map(|joint| joint.name.clone()).collect()
    };
    if names(&motion) != names(before) {
        return Err(cannot(format!("its joints are not those of {}", source.name())));
    }
    if first > before.frames() {
        let frames = before.frames();
        return Err(cannot(format!("it begins at frame {first}, but {} has {frames} frames", source.name())));
    }
    let poses = before.poses.iter().take(first).cloned().chain(motion.poses).collect();
    let after = Motion { poses, fps: motion.fps, skeleton: before.skeleton.clone() };
    file.bvh.write(&after, &file.space()).map_err(|error| cannot(error.to_string()))
}

fn read(name: &str, bytes: &[u8]) -> Result<StreamMotion, Problem> {
    let wrong = |error: surefoot_formats::stream::StreamError| {
        Problem::new(format!("{name}: {}", printable(&error.to_string())))
    };
    let (mut reader, header) = Reader::begin(bytes).map_err(wrong)?;
    let missing = |field: &str| Problem::new(format!("{name}: header: \"{field}\" is missing"));
    if header.skeleton.is_none() {
        return Err(missing("joints"));
    }
    let fps = header.fps.ok_or_else(|| missing("fps"))?;
    // The legs are needed only to parse the plants of the frames.
    let known = StreamSetup::from_header(&header)?;
    let layout = known.layout();
    let mut frame = Frame::default();
    let mut poses: Vec<Pose> = Vec::new();
    let mut first = None;
    let mut is_ended = false;
    loop {
        match reader.next(&layout, &mut frame).map_err(wrong)? {
            Record::Frame => {
                first.get_or_insert(frame.number);
                poses.push(frame.pose.clone());
            }
            Record::End(_) => is_ended = true,
            Record::EndOfInput if is_ended => break,
            Record::EndOfInput => {
                let frames = poses.len();
                return Err(Problem::new(format!(
                    "{name}: there is no end record after {frames} frames: the stream may be cut off"
                ))
                .help("a complete stream ends with {\"end\": {\"frames\": N}}"));
            }
        }
    }
    let motion = Motion { skeleton: layout.skeleton, fps, poses };
    Ok(StreamMotion { motion, first: first.unwrap_or(0) })
}
