//! Events between files: on ground that moves, and of channels.

use std::borrow::Cow;

use surefoot::core::{Clip, Vec3};
use surefoot::formats::SourceFile;
use surefoot::formats::Space;
use surefoot::formats::bvh::{Bvh, from_motion};
use surefoot::measure::{Event, Events};
use surefoot::sample::{Recipe, Skate, make};
use surefoot::{FileChannels, Settings, Target, finish};

const SPACE: Space = Space { unit_m: 0.01, ..Space::METRES_Y_UP };

fn skating_walk() -> Clip {
    make(&Recipe { seconds: 6.0, skate: Some(Skate::Scale(1.3)), ..Recipe::default() }).unwrap().into_clip()
}

/// The events of a clip that is cleaned through its file.
fn events(clip: Clip) -> Events {
    let bvh = Bvh::read(from_motion(&clip.motion, &SPACE).unwrap()).unwrap();
    let target = Target { source: Cow::Owned(bvh.into()), space: SPACE };
    // The method as published leaves more events to compare.
    finish(target, Cow::Owned(clip), &Settings::paper().into()).unwrap().figures.events
}

#[test]
fn a_walk_on_a_treadmill_has_the_events_of_the_walk_over_ground() {
    let walk = skating_walk();
    let velocity = Vec3::new(0.1, 0.0, -1.3);
    let treadmill = Clip {
        motion: walk.motion.with_added_velocity(velocity),
        ground_velocity: Some(velocity),
        ..walk.clone()
    };
    let kinds = |events: Events| {
        let Events { new_slides, teleports, knee_pops, scrapes, below_floor, .. } = events;
        [new_slides, teleports, knee_pops, scrapes, below_floor].map(Option::unwrap)
    };
    let (over_ground, on_treadmill) = (kinds(events(walk)), kinds(events(treadmill)));
    assert!(over_ground.iter().any(|list| !list.is_empty()));
    for (here, there) in over_ground.iter().zip(&on_treadmill) {
        let rounded: Vec<Event> = here
            .iter()
            .zip(there)
            .map(|(here, there)| {
                // Six decimals of a centimetre, differentiated twice at 120 fps.
                assert!((here.amount - there.amount).abs() < 0.02, "{here:?} {there:?}");
                Event { amount: there.amount, ..here.clone() }
            })
            .collect();
        assert_eq!(&rounded, there);
    }
}

#[test]
fn a_joint_with_a_new_position_channel_has_changed_channels() {
    let walk = skating_walk();
    let bvh = SourceFile::from(Bvh::read(from_motion(&walk.motion, &SPACE).unwrap()).unwrap());
    let channels = FileChannels::of(&bvh);
    assert!(channels.changed_in(&bvh).is_empty());
    let mut stretched = walk.motion.clone();
    let knee = walk.legs[0].knee;
    stretched.poses[7].offsets[knee.index()] *= 1.01;
    let written = bvh.read_back(bvh.write(&stretched, &SPACE).unwrap()).unwrap();
    assert_eq!(channels.changed_in(&written), [walk.motion.skeleton.joint(knee).name.clone()]);
    // Channels that are gone are as much of a change.
    assert_eq!(FileChannels::of(&written).changed_in(&bvh).len(), 1);
}
