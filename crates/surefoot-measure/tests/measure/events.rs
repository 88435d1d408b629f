//! Events of constructed motions with known results, and properties of all events.

use crate::bodies::*;
use surefoot_core::math::axis_rotation;
use surefoot_core::{Clip, Floor, FootPoint, Footplants, Motion, Plane, Plant, Pose, Vec3};
use surefoot_measure::{Event, EventPoint, Events, Report, ReviewKind, headline, measure, report, review};
use surefoot_sample::{Recipe, make};

const FPS: f64 = 100.0;

/// The events of a motion of the body of two legs, compared with the motion before.
fn events(after: &Motion, before: &Motion) -> Events {
    let (none, floor) = (Footplants::default(), Floor::level(0.0));
    measure(&clip_of(after, &legs(), &none, &floor), Some(before)).unwrap().events
}

/// A motion of one second whose body is moved by `place` at each frame.
fn moving(place: impl Fn(usize) -> Vec3) -> Motion {
    motion(100, FPS, |frame| standing(place(frame)))
}

fn forward(by: f64) -> Vec3 {
    Vec3::new(0.0, 0.0, by)
}

/// Asserts that a list has an event with these frames and this amount for each point of each foot.
#[track_caller]
fn for_every_point(events: Option<Vec<Event>>, frames: (usize, usize), amount: f64) {
    let events = events.expect("a list");
    let found: Vec<(&str, EventPoint)> =
        events.iter().map(|event| (event.foot.as_str(), event.point)).collect();
    let points = [EventPoint::Heel, EventPoint::Ball, EventPoint::Toe];
    let expected = ["left", "right"].into_iter().flat_map(|foot| points.map(|point| (foot, point)));
    assert_eq!(found, expected.collect::<Vec<_>>());
    for event in events {
        assert_eq!((event.first, event.last), frames);
        check(Some(event.amount), amount);
    }
}

#[test]
fn a_standing_foot_that_moves_slides() {
    // 1.9 mm in each of the frames 51 to 60, which is slower than a teleport.
    let after = moving(|frame| forward(0.0019 * frame.clamp(50, 60) as f64));
    let found = events(&after, &moving(|_| Vec3::ZERO));
    // Windows of 20 frames with seven or more of these steps start at frames 37 to 53.
    for_every_point(found.new_slides, (37, 73), 0.019);
    assert_eq!(found.teleports, Some(vec![]));
}

#[test]
fn a_movement_of_12_mm_is_not_a_slide() {
    let after = |by: f64| moving(move |frame| forward(by * (frame as f64 / 10.0 - 5.0).clamp(0.0, 1.0)));
    let still = moving(|_| Vec3::ZERO);
    assert_eq!(events(&after(0.0119), &still).new_slides, Some(vec![]));
    assert_eq!(events(&after(0.0121), &still).new_slides.unwrap().len(), 6);
}

#[test]
fn a_foot_that_slid_before_or_moves_up_is_no_new_slide() {
    let sliding = |frame: usize| 0.001 * frame as f64;
    let before = moving(|frame| forward(sliding(frame)));
    // 2 cm per 0.2 s before, and 3 cm after.
    let after = moving(|frame| forward(1.5 * sliding(frame)));
    assert_eq!(events(&after, &before).new_slides, Some(vec![]));
    let lifted = moving(|frame| Vec3::new(0.0, sliding(frame), sliding(frame)));
    assert_eq!(events(&lifted, &before).new_slides, Some(vec![]));
}

#[test]
fn a_raised_or_fast_foot_does_not_stand() {
    let still = |height: f64| move |frame: usize| Vec3::new(0.0, if frame == 0 { 0.0 } else { height }, 0.0);
    let slide = |frame: usize| forward(0.1 * frame as f64 / 100.0);
    // The ground is the lowest point within half a second, here that of frame 0.
    let count = |height: f64| {
        let after = moving(|frame| still(height)(frame) + slide(frame));
        let slides = events(&after, &moving(still(height))).new_slides.unwrap();
        slides.into_iter().filter(|slide| slide.first < 30).count()
    };
    assert_eq!((count(0.029), count(0.031)), (6, 0));
    let fast = |speed: f64| moving(move |frame| forward(speed * frame as f64 / FPS));
    assert_eq!(events(&fast(0.25), &fast(0.14)).new_slides.unwrap().len(), 6);
    assert_eq!(events(&fast(0.26), &fast(0.16)).new_slides, Some(vec![]));
}

#[test]
fn a_foot_that_jumps_on_the_ground_teleports() {
    let after = moving(|frame| forward(if frame < 50 { 0.0 } else { 0.05 }));
    let found = events(&after, &moving(|_| Vec3::ZERO));
    for_every_point(found.teleports, (49, 50), 5.0);
}

#[test]
fn twice_the_captured_speed_is_no_teleport() {
    let constant = |speed: f64| moving(move |frame| forward(speed * frame as f64 / FPS));
    assert_eq!(events(&constant(6.2), &constant(3.0)).teleports, Some(vec![]));
    for_every_point(events(&constant(6.4), &constant(3.0)).teleports, (0, 99), 6.4);
}

#[test]
fn a_foot_in_the_air_does_not_teleport() {
    let raised = |height: f64| {
        let place = move |frame: usize, jump: f64| {
            // Frame 0 sets the ground; later frames are higher.
            Vec3::new(0.0, if frame < 10 { 0.0 } else { height }, if frame < 40 { 0.0 } else { jump })
        };
        let teleports =
            events(&moving(|frame| place(frame, 0.05)), &moving(|frame| place(frame, 0.0))).teleports;
        teleports.unwrap().len()
    };
    assert_eq!((raised(0.045), raised(0.055)), (6, 0));
}

#[test]
fn a_knee_that_bends_for_one_frame_pops() {
    let still = moving(|_| Vec3::ZERO);
    let mut popped = still.clone();
    bend_knee(&mut popped.poses[50], 0.01);
    let pops = events(&popped, &still).knee_pops.unwrap();
    assert_eq!(pops.len(), 1);
    let Event { foot, point, first, last, amount, .. } = &pops[0];
    assert_eq!((foot.as_str(), *point, *first, *last), ("left", EventPoint::Knee, 49, 51));
    // Twice the bend times fps².
    assert!((amount - 200.0).abs() < 1e-6, "{amount}");
    // If the motion before bends the knee as much within 0.25 s, it is no pop.
    for (frame, count) in [(74, 0), (79, 1)] {
        let mut captured = still.clone();
        bend_knee(&mut captured.poses[frame], 0.01);
        assert_eq!(events(&popped, &captured).knee_pops.unwrap().len(), count);
    }
}

/// Half a second of standing, a swing over 1 m of half a second, and standing again. The foot is at `height` but for
/// the first and last 0.05 s of the swing.
fn swing(height: f64) -> Motion {
    motion(150, FPS, |frame| {
        let time = frame as f64 / FPS;
        let lift = ((time - 0.5).min(1.0 - time) / 0.05).clamp(0.0, 1.0);
        standing(Vec3::new(0.0, height * lift, 2.0 * (time - 0.5).clamp(0.0, 0.5)))
    })
}

#[test]
fn a_swing_that_comes_too_low_scrapes() {
    let found = events(&swing(0.02), &swing(0.05)).scrapes.unwrap();
    assert_eq!(found.len(), 2);
    for scrape in &found {
        check(Some(scrape.amount), 0.03);
        // The middle half of the swing, which is from frame 50 to frame 100.
        assert!((62..=63).contains(&scrape.first) && (87..=88).contains(&scrape.last), "{scrape:?}");
    }
    assert_eq!(found.iter().map(|scrape| scrape.foot.as_str()).collect::<Vec<_>>(), ["left", "right"]);
}

#[test]
fn a_swing_that_clears_the_ground_or_was_as_low_does_not_scrape() {
    assert_eq!(events(&swing(0.026), &swing(0.05)).scrapes, Some(vec![]));
    assert_eq!(events(&swing(0.020), &swing(0.0249)).scrapes, Some(vec![]));
    assert_eq!(events(&swing(0.020), &swing(0.0251)).scrapes.unwrap().len(), 2);
}

#[test]
fn points_below_the_floor_are_counted_in_frames() {
    let lowered =
        |by: f64| moving(move |frame| Vec3::new(0.0, if (20..30).contains(&frame) { -by } else { 0.0 }, 0.0));
    let found = events(&lowered(0.005), &lowered(0.002));
    assert_eq!((found.below_floor_frames(), found.deeper_frames()), (Some(10), Some(10)));
    for_every_point(found.below_floor, (20, 29), 0.005);
    for_every_point(found.deeper_than_captured, (20, 29), 0.003);
    let as_deep = events(&lowered(0.005), &lowered(0.0045));
    assert_eq!((as_deep.below_floor_frames(), as_deep.deeper_frames()), (Some(10), Some(0)));
    // A point that was in the air is deeper by its depth below the floor.
    for_every_point(events(&lowered(0.005), &lowered(-0.1)).deeper_than_captured, (20, 29), 0.005);
    let shallow = events(&lowered(0.0009), &lowered(0.0));
    assert_eq!(shallow.below_floor, Some(vec![]));
}

#[test]
fn what_cannot_be_determined_is_none() {
    let still = moving(|_| Vec3::ZERO);
    let clip = clip_of(&still, &legs(), &Footplants::default(), &Floor::level(0.0));
    let alone = measure(&clip, None).unwrap().events;
    assert_eq!(alone, Events { below_floor: Some(vec![]), ..Events::default() });
    let without_floor = Clip { floor: None, ..clip };
    let found = measure(&without_floor, Some(&still)).unwrap().events;
    assert_eq!((found.below_floor, found.deeper_than_captured), (None, None));
    assert_eq!(found.new_slides, Some(vec![]));
}

#[test]
fn an_inserted_pose_has_no_events_and_frames_are_those_of_the_file() {
    let jump = |frame: usize| forward(if frame < 50 { 0.0 } else { 0.05 });
    let mut after = moving(jump);
    let before = moving(|_| Vec3::ZERO);
    after.poses[0] = standing(Vec3::new(5.0, -1.0, 0.0));
    let (none, floor) = (Footplants::default(), Floor::level(0.0));
    let clip = Clip { first_frame: 1, ..clip_of(&after, &legs(), &none, &floor) };
    let found = measure(&clip, Some(&before)).unwrap().events;
    for_every_point(found.teleports, (49, 50), 5.0);
    assert_eq!(found.below_floor, Some(vec![]));
}

/// A generated walk, and the same damaged so that it has events of every kind.
fn walk_and_damaged() -> (Clip, Motion) {
    let walk = make(&Recipe { seconds: 6.0, ..Recipe::default() }).unwrap().into_clip();
    let mut after = walk.motion.clone();
    for (frame, pose) in after.poses.iter_mut().enumerate() {
        let time = frame as f64 / walk.motion.fps;
        let wave = surefoot_core::math::sin(9.0 * time);
        pose.offsets[0] += Vec3::new(0.0, -0.03 - 0.03 * wave, 0.05 * wave);
    }
    // A jump of the whole body, and a jerk of a knee.
    let knee = walk.legs[0].knee.index();
    let (jump, jerk) = (after.frames() / 2, after.frames() / 3);
    after.poses[jump].offsets[0] += Vec3::new(0.1, 0.0, 0.0);
    after.poses[jerk].rotations[knee] *= axis_rotation(0, 0.3);
    let before = walk.motion.clone();
    (Clip { motion: after, ..walk }, before)
}

fn lists(events: &Events) -> [&[Event]; 6] {
    [
        &events.new_slides,
        &events.teleports,
        &events.knee_pops,
        &events.scrapes,
        &events.below_floor,
        &events.deeper_than_captured,
    ]
    .map(|list| list.as_deref().expect("a list"))
}

#[test]
fn a_motion_compared_with_itself_has_no_events() {
    let (damaged, walk) = walk_and_damaged();
    let found = measure(&damaged, Some(&damaged.motion.clone())).unwrap().events;
    for (kind, list) in lists(&found).into_iter().enumerate() {
        // The depth below the floor does not compare two motions.
        assert_eq!(list.is_empty(), kind != 4, "kind {kind}");
    }
    let clip = Clip { motion: walk.clone(), ..damaged };
    assert!(lists(&measure(&clip, Some(&walk)).unwrap().events).iter().all(|list| list.is_empty()));
}

#[test]
fn an_event_beside_a_plant_that_moves_in_the_capture_names_the_plant() {
    let (damaged, before) = walk_and_damaged();
    let slides =
        |clip: &Clip, before: &Motion| measure(clip, Some(before)).unwrap().events.new_slides.unwrap();
    // The points of the capture rest during their plants.
    assert!(slides(&damaged, &before).iter().all(|slide| slide.cause.is_none()));
    let slide = &slides(&damaged, &before)[0];
    let leg = damaged.legs.iter().position(|leg| leg.side == slide.foot).unwrap();
    let frames = slide.first + 1..before.poses.len().min(slide.first + 60);
    let plants = Footplants { plants: vec![Plant::new(leg, FootPoint::Ball, frames.clone())] };
    let named = &slides(&Clip { plants, ..damaged }, &before)[0];
    let cause = named.cause.as_deref().unwrap();
    let held = format!("ball is held in frames {}–{}, in which it moves ", frames.start, frames.end - 1);
    assert!(
        cause.starts_with("the ") && cause.contains(&held) && cause.ends_with(" mm in the capture"),
        "{cause}"
    );
}

#[test]
fn a_rigid_transform_of_both_motions_changes_no_event() {
    let (damaged, before) = walk_and_damaged();
    let here = measure(&damaged, Some(&before)).unwrap().events;
    assert!(lists(&here).iter().all(|list| !list.is_empty()), "{:?}", lists(&here).map(<[Event]>::len));
    let (turn, by) = (axis_rotation(1, 2.0) * axis_rotation(0, 0.7), Vec3::new(3.0, -8.0, 11.0));
    let plane = damaged.floor.as_ref().and_then(Floor::as_plane).unwrap();
    let normal = turn * plane.normal;
    let clip = Clip {
        motion: turned(&damaged.motion, turn, by),
        floor: Some(Plane { normal, offset: plane.offset + normal.dot(by) }.into()),
        ..damaged
    };
    let there = measure(&clip, Some(&turned(&before, turn, by))).unwrap().events;
    for (here, there) in lists(&here).into_iter().zip(lists(&there)) {
        assert_eq!(here.len(), there.len());
        for (here, there) in here.iter().zip(there) {
            let rounded = Event { amount: here.amount, ..there.clone() };
            assert_eq!(*here, rounded);
            assert!((here.amount - there.amount).abs() < 1e-6 * (1.0 + here.amount));
        }
    }
}

#[test]
fn the_frame_rate_does_not_matter_for_slides_and_scrapes() {
    let at =
        |fps: f64, pose: fn(f64) -> Pose| motion((1.5 * fps) as usize, fps, |frame| pose(frame as f64 / fps));
    let still = |_: f64| standing(Vec3::ZERO);
    let sliding = |time: f64| standing(forward(0.03 * ((time - 0.6) / 0.2).clamp(0.0, 1.0)));
    for fps in [30.0, 60.0, 120.0] {
        let found = events(&at(fps, sliding), &at(fps, still));
        let slides = found.new_slides.unwrap();
        assert_eq!(slides.len(), 6);
        for slide in slides {
            check(Some(slide.amount), 0.03);
            let seconds = [slide.first, slide.last].map(|frame| frame as f64 / fps);
            assert!((seconds[0] - 0.48).abs() < 0.06 && (seconds[1] - 0.92).abs() < 0.06, "{seconds:?}");
        }
    }
}

#[test]
fn the_headline_counts_what_was_introduced() {
    let jump = |frame: usize| forward(if frame < 50 { 0.0 } else { 0.05 });
    let (after, still) = (moving(jump), moving(|_| Vec3::ZERO));
    let mut figures = left_heel_planted(&after, Some(&still));
    assert_eq!(
        headline(&figures),
        "0 of 1 plant held; largest drift 0.00 mm → 50.0 mm. Introduced: 6 new slides, 6 teleports."
    );
    figures.events.channels_changed = Some(vec!["LeftLeg".into()]);
    assert!(headline(&figures).ends_with("6 teleports, other channels on 1 joint."));
    let same = left_heel_planted(&still, Some(&still));
    assert_eq!(
        headline(&same),
        "1 plant held; largest drift 0.00 mm → 0.00 mm. No visible events introduced."
    );
    assert_eq!(headline(&left_heel_planted(&still, None)), "1 plant; largest drift 0.00 mm.");
}

#[test]
fn the_report_lists_every_event_with_foot_and_frames() {
    let jump = |frame: usize| forward(if frame < 50 { 0.0 } else { 0.05 });
    let (after, before) = (moving(jump), moving(|_| Vec3::ZERO));
    let clip = &clip_of(&after, &legs(), &Footplants::default(), &Floor::level(0.0));
    let figures = &measure(clip, Some(&before)).unwrap();
    let page = report(&Report {
        title: "jump",
        clip,
        before: Some(&before),
        figures,
        missed_limits: &[],
        warnings: &[],
        notes: &[],
    })
    .unwrap();
    let row = "<th scope=\"row\">teleport</th><td>right toe</td><td>\
               <button type=\"button\" class=\"link\" data-frame=\"49\">49–50</button></td><td>5.00 m/s</td>";
    assert!(page.contains(row));
    assert_eq!(page.matches("<th scope=\"row\">teleport</th>").count(), 6);
    // A picture of the worst slide and of the worst teleport.
    assert_eq!(page.matches("class=\"cell\"").count(), 16);
    assert!(page.contains("<p class=\"headline bad\">Introduced: 6 new slides, 6 teleports.</p>"));
    let clip = &clip_of(&before, &legs(), &Footplants::default(), &Floor::level(0.0));
    let figures = &measure(clip, Some(&before)).unwrap();
    let page = report(&Report {
        title: "still",
        clip,
        before: Some(&before),
        figures,
        missed_limits: &[],
        warnings: &[],
        notes: &[],
    })
    .unwrap();
    assert!(page.contains("<td>0</td><th scope=\"row\">new slides") && !page.contains("data-frame=\""));
}

#[test]
fn a_review_merges_the_points_of_a_foot_and_ranks_by_visibility() {
    let jump = |frame: usize| forward(if frame < 50 { 0.0 } else { 0.05 });
    let (after, before) = (moving(jump), moving(|_| Vec3::ZERO));
    let mut unsure = plant(0, FootPoint::Heel, 10..20);
    unsure.confidence = Some(0.4);
    let clip = &clip_of(&after, &legs(), &plants(vec![unsure]), &Floor::level(0.0));
    let figures = &measure(clip, Some(&before)).unwrap();
    let place =
        |frame: usize| (Some(frame), format!("left heel from frame {frame}: planted {frame} mm too high"));
    let items = review(clip, figures, &[place(3), place(9), (None, "no floor".into())]);
    // Six slides and six teleports are one of each for both feet.
    let count = |kind| items.iter().filter(|item| item.kind == kind).count();
    assert_eq!(count(ReviewKind::Introduced), 4, "{items:?}");
    assert!(items[0].text.starts_with("teleport"), "{items:?}");
    assert_eq!((count(ReviewKind::Unsure), count(ReviewKind::Note)), (1, 2));
    let note = items.iter().find(|item| item.kind == ReviewKind::Note).unwrap();
    assert_eq!(note.frame, Some(3));
    assert!(note.text.starts_with("2 times, the largest: planted 9 mm too high"), "{}", note.text);
}
