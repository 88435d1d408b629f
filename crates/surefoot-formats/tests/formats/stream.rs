//! A stream reads back exactly as written, in both encodings.

use proptest::prelude::*;
use surefoot_core::{
    Hold, HoldKind, Joint, JointId, JointPoint, Plane, PlantKind, Pose, Quat, Skeleton, Vec3,
};
use surefoot_formats::stream::*;
use surefoot_infer::LegOverride;

fn position() -> impl Strategy<Value = Vec3> {
    let number =
        prop_oneof![-1e9..1e9f64, -2.0..2.0f64, Just(0.0), Just(-0.0), Just(5e-324), Just(1.0 / 3.0)];
    prop::array::uniform3(number).prop_map(Vec3::from_array)
}

fn direction() -> impl Strategy<Value = Vec3> {
    position().prop_map(|position| position.try_normalize().unwrap_or(Vec3::Y))
}

fn rotation() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1.0..1.0f64).prop_map(|[x, y, z, w]| {
        let rotation = Quat::from_xyzw(x, y, z, w);
        if rotation.length() > 0.1 { rotation.normalize() } else { Quat::from_xyzw(-0.0, 0.0, 0.0, -1.0) }
    })
}

fn held() -> impl Strategy<Value = Option<HeldPoint>> {
    let hold = (prop::sample::select(HoldKind::ALL.to_vec()), 0.0..=1.0f64);
    let label = prop::option::of(prop::sample::select(PlantKind::ALL.to_vec()));
    let held = (1..=u32::MAX, prop::option::of(position()), hold, label);
    prop::option::of(held.prop_map(|(plant, spot, (kind, strength), label)| HeldPoint {
        plant,
        spot,
        hold: Hold { kind, strength },
        kind: label,
    }))
}

/// Joints with arbitrary names, which may be equal.
fn skeleton() -> impl Strategy<Value = Skeleton> {
    let joint = (
        prop_oneof!["[a-c]", ".*", Just("Hip#2".to_owned())],
        any::<u32>(),
        position(),
        prop::option::of(position()),
    );
    prop::collection::vec(joint, 1..9).prop_map(|drawn| {
        let joint = |(index, (name, parent, offset, end)): (usize, (String, u32, Vec3, Option<Vec3>))| {
            Joint { name, parent: (index > 0).then(|| JointId(parent % index as u32)), offset, end }
        };
        Skeleton::new(drawn.into_iter().enumerate().map(joint).collect()).unwrap()
    })
}

fn leg(joints: u32) -> impl Strategy<Value = StreamLeg> {
    let joint = move || (0..joints).prop_map(JointId);
    let point = move || {
        prop::option::of((joint(), position()).prop_map(|(joint, offset)| JointPoint { joint, offset }))
    };
    let shape = (prop::option::of(direction()), prop::option::of(direction()));
    (prop::array::uniform3(joint()), point(), point(), point(), shape).prop_map(
        |([hip, knee, ankle], heel, ball, toe, (knee_axis, sole_up))| StreamLeg {
            given: LegOverride { side: String::new(), hip, knee, ankle, heel, ball, toe },
            knee_axis,
            sole_up,
            toe_axis: knee_axis,
        },
    )
}

fn header() -> impl Strategy<Value = Header> {
    let with_legs = skeleton().prop_flat_map(|skeleton| {
        let joints = skeleton.len() as u32;
        (Just(skeleton), prop::option::of(prop::collection::vec(leg(joints), 0..4)))
    });
    let floor = (direction(), -1e9..1e9f64).prop_map(|(normal, offset)| Plane { normal, offset });
    let amount = || prop::option::of(0.0..10.0f64);
    let settings = (amount(), amount(), any::<Option<bool>>(), 0..4usize);
    let rest =
        (prop::option::of(1e-3..1e4f64), any::<Option<usize>>(), prop::option::of(prop::option::of(floor)));
    (with_legs, settings, rest).prop_map(
        |((skeleton, mut legs), (stretch, blend, whole_plants, preset), (fps, longest_plant, floor))| {
            for (n, leg) in legs.iter_mut().flatten().enumerate() {
                leg.given.side = format!("\"leg\" {n} \u{1}é");
            }
            let words = ["live", "clean", "3%", "\"\u{1}é"];
            let mut settings = StreamSettings::new();
            settings.insert("preset".into(), SettingValue::Word(words[preset].into()));
            settings.extend(stretch.map(|stretch| ("stretch".into(), SettingValue::Number(stretch))));
            let lookahead = fps.map(|seconds| Lookahead { frames: 3, seconds });
            Header {
                fps,
                skeleton: Some(skeleton),
                legs,
                floor,
                ground_velocity: blend.map(|speed| Vec3::new(-0.0, speed, -speed / 3.0)),
                joint_translations: whole_plants,
                holds: whole_plants.filter(|holds| *holds),
                longest_plant,
                settings,
                lookahead,
            }
        },
    )
}

/// The rotation of a joint, and its offset if it differs from the skeleton's.
type Drawn = (Quat, Option<Vec3>);

/// A header and frames that fit it. Each frame's offsets are partly the skeleton's own.
fn stream() -> impl Strategy<Value = (Header, Layout, Vec<Frame>)> {
    (header(), 0..1_000_000usize, 0..4usize).prop_flat_map(|(header, first, count)| {
        let skeleton = header.skeleton.clone().unwrap();
        let sides = header.legs.iter().flatten().map(|leg| leg.given.side.clone()).collect::<Vec<_>>();
        let joint = (rotation(), prop::option::of(position()));
        let pose = prop::collection::vec(joint, skeleton.len());
        let feet = prop::collection::vec([held(), held(), held()], sides.len());
        let frames = prop::collection::vec((pose, feet), count);
        let layout = Layout { skeleton, sides, holds: header.holds == Some(true) };
        (Just(header), Just(layout), frames).prop_map(move |(header, layout, frames)| {
            let frame = |(n, (joints, held)): (usize, (Vec<Drawn>, Vec<_>))| {
                let own = layout.skeleton.joints().iter().map(|joint| joint.offset);
                let offsets = own.zip(&joints).map(|(own, (_, moved))| moved.unwrap_or(own)).collect();
                let rotations = joints.iter().map(|(rotation, _)| *rotation).collect();
                let mut held: Vec<[Option<HeldPoint>; 3]> = held;
                if !layout.holds {
                    // Binary frames without holds have room for heel and ball, held fully and without label.
                    for [heel, ball, toe] in &mut held {
                        *toe = None;
                        for held in [heel, ball].into_iter().flatten() {
                            (held.hold, held.kind) = (Hold::default(), None);
                        }
                    }
                }
                Frame { number: first + n, pose: Pose { offsets, rotations }, held }
            };
            let frames = frames.into_iter().enumerate().map(frame).collect();
            (header, layout, frames)
        })
    })
}

fn written(header: &Header, layout: &Layout, frames: &[Frame], encoding: Encoding) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_header(header, encoding, &mut bytes);
    frames.iter().for_each(|frame| write_frame(frame, layout, encoding, &mut bytes));
    write_end(&End { frames: frames.len(), ..End::default() }, encoding, &mut bytes);
    bytes
}

fn bits(frame: &Frame) -> Vec<u64> {
    let spots = frame.held.iter().flatten().flatten().filter_map(|held| held.spot);
    let positions = frame.pose.offsets.iter().copied().chain(spots).flat_map(|position| position.to_array());
    let rotations = frame.pose.rotations.iter().flat_map(|rotation| rotation.to_array());
    positions.chain(rotations).map(f64::to_bits).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn a_written_stream_reads_back_exactly((header, layout, frames) in stream()) {
        for encoding in [Encoding::Ndjson, Encoding::Binary] {
            let bytes = written(&header, &layout, &frames, encoding);
            let (mut reader, again) = Reader::begin(&bytes[..]).unwrap();
            prop_assert_eq!(&again, &header);
            prop_assert_eq!(reader.encoding(), encoding);
            let mut frame = Frame::default();
            for expected in &frames {
                prop_assert_eq!(reader.next(&layout, &mut frame).unwrap(), Record::Frame);
                prop_assert_eq!(&frame, expected);
                prop_assert_eq!(bits(&frame), bits(expected));
            }
            prop_assert!(matches!(reader.next(&layout, &mut frame).unwrap(), Record::End(_)));
            prop_assert_eq!(reader.next(&layout, &mut frame).unwrap(), Record::EndOfInput);
        }
    }

    /// A truncated stream gives its complete frames, then an error unless it ends between two frames.
    #[test]
    fn truncation_is_reported_and_loses_no_complete_frame((header, layout, frames) in stream(), at in 0.0..1.0f64) {
        for encoding in [Encoding::Ndjson, Encoding::Binary] {
            let bytes = written(&header, &layout, &frames, encoding);
            let cut = (at * bytes.len() as f64) as usize;
            let mut ends = Vec::new();
            let mut whole = Vec::new();
            write_header(&header, encoding, &mut whole);
            for frame in &frames {
                ends.push(whole.len());
                write_frame(frame, &layout, encoding, &mut whole);
            }
            ends.push(whole.len());
            let Ok((mut reader, _)) = Reader::begin(&bytes[..cut]) else {
                // Possibly only the line break of the header is missing.
                prop_assert!(cut < ends[0]);
                continue;
            };
            let mut frame = Frame::default();
            let mut read = 0;
            let ended = loop {
                match reader.next(&layout, &mut frame) {
                    Ok(Record::Frame) => read += 1,
                    ended => break ended,
                }
            };
            // A line is complete without its line break.
            let slack = usize::from(encoding == Encoding::Ndjson);
            let expected = ends[1..].iter().filter(|&&end| end <= cut + slack).count();
            prop_assert_eq!(read, expected);
            let is_between = ends.iter().any(|&end| end <= cut + slack && cut <= end);
            match ended {
                Err(StreamError { problem: StreamProblem::Truncated { .. }, at, .. }) => {
                    prop_assert!(!is_between);
                    prop_assert_eq!(at.byte as usize, ends[read]);
                    prop_assert_eq!(at.frame, Some(if read > 0 { frames[0].number + read } else { 0 }));
                }
                Ok(Record::EndOfInput) => prop_assert!(is_between),
                // Only the line break of the end record is missing.
                Ok(Record::End(_)) => prop_assert_eq!(cut + slack, bytes.len()),
                other => prop_assert!(false, "{:?}", other),
            }
        }
    }
}

#[test]
fn a_rounded_quaternion_is_normalised_and_a_unit_one_is_unchanged() {
    let joint = Joint { name: "a".into(), parent: None, offset: Vec3::ZERO, end: None };
    let layout = Layout { skeleton: Skeleton::new(vec![joint]).unwrap(), sides: vec![], holds: false };
    let mut frame = Frame::default();
    let mut read = |rotation: &str| {
        let mut bytes = Vec::new();
        let header = Header { skeleton: Some(layout.skeleton.clone()), ..Header::default() };
        write_header(&header, Encoding::Ndjson, &mut bytes);
        // Blank lines, a line without a line break and frames without a number are accepted.
        bytes.extend(format!("\n \r\n{{\"root\":[0,0,0],\"rotations\":[{rotation}],\"held\":{{}}}}").bytes());
        let (mut reader, _) = Reader::begin(&bytes[..]).unwrap();
        assert_eq!(reader.next(&layout, &mut frame), Ok(Record::Frame));
        assert_eq!(frame.number, 0);
        frame.pose.rotations[0].to_array()
    };
    let [x, y, z, w] = read("[0.7071,0,0,0.7071]");
    assert!((x * x + w * w - 1.0).abs() < 1e-15 && y == 0.0 && z == 0.0);
    let almost = 0.6 + 1e-16;
    assert_eq!(read(&format!("[{almost},0,0.8,0]")), [almost, 0.0, 0.8, 0.0]);
}
