//! Any bytes as a stream are refused, or read, written back exactly and cleaned to finite poses.

use surefoot_core::{Clip, Leg, Limb, Motion};
use surefoot_formats::stream::{
    Encoding, Frame, Header, HeldPoint, Layout, Reader, Record, StreamLeg, write_frame, write_header,
};
use surefoot_solve::{ActivePlant, ActivePlants, Cleaner, Settings, leg_shapes};

/// Checks one input.
pub fn check_bytes(bytes: &[u8]) {
    let Ok((reader, header)) = Reader::begin(bytes) else { return };
    let Some(skeleton) = header.skeleton.clone() else { return };
    let sides = match &header.legs {
        Some(legs) => legs.iter().map(|leg| leg.given.side.clone()).collect(),
        None => vec!["left".into(), "right".into()],
    };
    let holds = header.holds.unwrap_or(false);
    let mut layout = Layout { skeleton, sides, holds };
    let frames = all(reader, &layout);
    // Frames of JSON may hold toe tips; binary ones have room for them if the header says so.
    let mut header = header;
    header.holds = Some(true);
    layout.holds = true;
    for encoding in [Encoding::Ndjson, Encoding::Binary] {
        let mut written = Vec::new();
        write_header(&header, encoding, &mut written);
        for frame in &frames {
            write_frame(frame, &layout, encoding, &mut written);
        }
        let (reader, again) = Reader::begin(&written[..]).expect("what is written can be read");
        assert_eq!(reader.encoding(), encoding);
        assert_eq!(again, header);
        assert_eq!(all(reader, &layout), frames);
    }
    clean(&header, &layout, &frames);
}

/// The frames up to the end or the first error.
fn all(mut reader: Reader<&[u8]>, layout: &Layout) -> Vec<Frame> {
    let mut frames = Vec::new();
    let mut frame = Frame::default();
    while let Ok(Record::Frame) = reader.next(layout, &mut frame) {
        frames.push(frame.clone());
    }
    frames
}

/// The leg, if all its foot points are given.
fn complete_leg(StreamLeg { given, .. }: &StreamLeg) -> Option<Leg> {
    let (side, hip, knee, ankle) = (given.side.clone(), given.hip, given.knee, given.ankle);
    Some(Leg {
        side,
        hip,
        knee,
        ankle,
        heel: given.heel?,
        ball: given.ball?,
        toe: given.toe?,
        limb: Limb::Leg,
    })
}

fn clean(header: &Header, layout: &Layout, frames: &[Frame]) {
    let legs: Option<Vec<Leg>> = header.legs.iter().flatten().map(complete_leg).collect();
    let (Some(legs), Some(fps)) = (legs, header.fps) else { return };
    // The command refuses larger streams, which would exhaust the memory.
    if fps > 240.0 || layout.skeleton.len() > 64 || header.legs.is_none() {
        return;
    }
    let floor = header.floor.unwrap_or_default().map(Into::into);
    let motion = Motion { skeleton: layout.skeleton.clone(), fps, poses: Vec::new() };
    let clip = Clip { motion, legs, floor, ..Clip::default() };
    let Ok(mut shapes) = leg_shapes(&clip) else { return };
    for (shape, leg) in shapes.iter_mut().zip(header.legs.iter().flatten()) {
        shape.knee_axis = leg.knee_axis.unwrap_or(shape.knee_axis);
        shape.sole_normal = leg.sole_up.unwrap_or(shape.sole_normal);
        shape.toe_axis = leg.toe_axis.or(shape.toe_axis);
    }
    let Ok(mut cleaner) = Cleaner::with_shapes(&clip, &shapes, 0, &Settings::live()) else { return };
    let mut returned = 0;
    for frame in frames {
        let hold = |held: HeldPoint| ActivePlant {
            id: held.plant,
            spot: held.spot,
            hold: held.hold,
            ..ActivePlant::default()
        };
        let held: Vec<ActivePlants> = (frame.held.iter())
            .map(|held| {
                let [heel, ball, toe] = held.map(|held| held.map(hold));
                ActivePlants { heel, ball, toe }
            })
            .collect();
        returned +=
            usize::from(cleaner.push(&frame.pose, &held).expect("a frame that was read fits").is_some());
        check(&cleaner);
    }
    while cleaner.finish().is_some() {
        returned += 1;
        check(&cleaner);
    }
    assert_eq!(returned, frames.len());
}

fn check(cleaner: &Cleaner) {
    let Some(last) = cleaner.output() else { return };
    assert!(last.pose.offsets.iter().all(|offset| offset.is_finite()), "{:?}", last.pose);
    assert!(last.pose.rotations.iter().all(|rotation| rotation.is_finite()), "{:?}", last.pose);
}
