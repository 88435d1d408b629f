//! Rectification by support: its three cases, its runs, and its laws.

mod made;

use made::*;
use proptest::prelude::*;
use surefoot_core::{FootPoint, Footplants, FrameRange, Motion, Plant, Pose, Vec3, WorldPose};
use surefoot_solve::{CleanError, FootRoll, Form, Note, Settings, SetupError, SupportLabel};

/// Frames of a step made by hand, the one at which its support changes, and those in which it skates.
const FRAMES: usize = 60;
const CHANGES: usize = 30;
const SKATES: FrameRange = 22..40;

/// Who carries: left, right.
type Feet = [bool; 2];

/// A body in a crouch that slides forward while it skates; feet that do not carry are in the air.
fn step(before: Feet, after: Feet, skates: FrameRange) -> Case {
    let mut plants = Vec::new();
    for leg in 0..2 {
        let frames = match (before[leg], after[leg]) {
            (true, true) => 0..FRAMES,
            (true, false) => 0..CHANGES,
            (false, true) => CHANGES..FRAMES,
            (false, false) => continue,
        };
        plants.extend([FootPoint::Heel, FootPoint::Ball].map(|point| plant(leg, point, frames.clone())));
    }
    let last = skates.end;
    let case = by_hand(Build::default(), FRAMES, plants, |frame, pose| {
        for leg in 0..2 {
            let carries = |frame: usize| if frame < CHANGES { before[leg] } else { after[leg] };
            let down = (0..FRAMES).filter(|&at| carries(at)).map(|at| at.abs_diff(frame)).min();
            // In the air a foot is lifted within ten frames, and goes its own way.
            let lift = down.unwrap_or(FRAMES).min(10) as f64 / 10.0;
            let bend = 0.5 + 0.3 * lift;
            let joint = 4 * leg + HIP;
            pose.rotations[joint] = pitch(-bend - 0.1 * lift);
            pose.rotations[joint + 1] = pitch(2.0 * bend);
            pose.rotations[joint + 2] = pitch(0.1 * lift - bend);
        }
        // A carrying foot is flat on the floor.
        let (sin, cos) = surefoot_core::math::sincos(0.5);
        pose.offsets[0].y += 0.84 * (cos - 1.0) - 0.04 * sin;
        let slid = frame.clamp(skates.start, last) - skates.start;
        pose.offsets[0] += Vec3::new(0.001, 0.0, 0.004) * slid as f64;
    });
    Case { name: format!("{before:?} to {after:?}"), ..case }
}

fn ankle(motion: &Motion, frame: usize, leg: usize) -> Vec3 {
    motion.poses[frame].world(&motion.skeleton).positions[4 * leg + ANKLE]
}

fn heel(case: &Case, motion: &Motion, frame: usize, leg: usize) -> Vec3 {
    motion.poses[frame].world(&motion.skeleton).point(&case.clip.legs[leg].heel)
}

/// How the joints of a leg are turned at a frame.
fn turns(motion: &Motion, frame: usize, leg: usize) -> &[surefoot_core::Quat] {
    &motion.poses[frame].rotations[4 * leg + HIP..4 * leg + HIP + 4]
}

/// Every case of the thesis, for either foot.
const CASES: [(Feet, Feet); 9] = [
    ([true, false], [false, true]),
    ([false, true], [true, false]),
    ([true, false], [true, false]),
    ([false, true], [false, true]),
    ([true, true], [true, true]),
    ([true, true], [true, false]),
    ([true, true], [false, true]),
    ([true, false], [true, true]),
    ([false, true], [true, true]),
];

fn word(feet: Feet) -> &'static str {
    ["none", "leg 0", "leg 1", "both"][usize::from(feet[0]) + 2 * usize::from(feet[1])]
}

/// The first plant of a leg in a report.
fn spot(report: &surefoot_solve::Report, leg: usize) -> Vec3 {
    report.plants.iter().find(|plant| plant.leg == leg).unwrap().spot.unwrap()
}

#[test]
fn frames_are_labelled_by_who_carries_or_as_skating() {
    for (before, after) in CASES {
        let case = step(before, after, SKATES);
        let labels = case.support_labels(&Settings::default());
        let words: Vec<String> = labels.iter().map(|label| label.as_str(&case.clip.legs)).collect();
        // The speed is taken over a frame on either side, within a plant.
        for (frame, word_here) in words.iter().enumerate() {
            let expected = match frame {
                _ if frame < SKATES.start => word(before),
                _ if frame > SKATES.end => word(after),
                _ if frame > SKATES.start && frame < SKATES.end => "skate",
                _ => continue,
            };
            assert_eq!(word_here, expected, "{}: frame {frame}", case.name);
        }
        let still = Settings { skate_speed: 10.0, ..Settings::default() };
        let labels = case.support_labels(&still);
        assert!(!labels.contains(&SupportLabel::Skate));
    }
}

#[test]
fn every_case_holds_who_carries_before_and_who_carries_after() {
    for (before, after) in CASES {
        for (name, settings) in all_settings() {
            let case = step(before, after, SKATES);
            let (mended, report) = all_held_or_noted(&case, case.rectify(&settings)).unwrap();
            assert_eq!(report.notes, [], "{}, {name}", case.name);
            for leg in 0..2 {
                let at = format!("{}, {name}: leg {leg}", case.name);
                // Who carries before stands where it stood; who carries after, where it will stand.
                let stands = match (before[leg], after[leg]) {
                    (true, _) => 0,
                    (false, true) => SKATES.end + 1,
                    (false, false) => continue,
                };
                let wanted = heel(&case, &case.clip.motion, stands, leg);
                assert!(spot(&report, leg).distance(wanted) < 1e-9, "{at}");
                let frames = if before[leg] { 0..CHANGES } else { CHANGES..FRAMES };
                for frame in frames {
                    assert!(heel(&case, &mended, frame, leg).distance(wanted) < 1e-9, "{at}: frame {frame}");
                }
            }
            let roots = |motion: &Motion| motion.poses.iter().map(|pose| pose.offsets[0]).collect::<Vec<_>>();
            assert_eq!(roots(&mended), roots(&case.clip.motion));
        }
    }
}

#[test]
fn swapped_feet_are_mended_swapped() {
    for (before, after) in CASES {
        let swap = |feet: Feet| [feet[1], feet[0]];
        let (case, other) = (step(before, after, SKATES), step(swap(before), swap(after), SKATES));
        // The way over the floor is not straight ahead: only along it are the two alike.
        let mut other = other;
        let slid = |pose: &mut Pose| pose.offsets[0].x = -pose.offsets[0].x;
        other.clip.motion.poses.iter_mut().for_each(slid);
        for (_, settings) in all_settings() {
            let (here, there) = (case.rectify(&settings).0, other.rectify(&settings).0);
            for frame in 0..FRAMES {
                for leg in 0..2 {
                    let mirrored = ankle(&there, frame, 1 - leg) * Vec3::new(-1.0, 1.0, 1.0);
                    let off = ankle(&here, frame, leg).distance(mirrored);
                    assert!(off < 1e-9, "{}: frame {frame}, leg {leg}: {off:e}", case.name);
                }
            }
        }
    }
}

/// The thesis's curve, as it is printed, from `from` at u = 0 to `to` at u = 1.
fn printed(u: f64, from: Vec3, to: Vec3) -> Vec3 {
    (1.0 - u) * ((1.0 - u) * from + u * to) + u * to
}

#[test]
fn as_published_a_foot_comes_along_the_printed_curve_and_leaves_along_its_mirror_image() {
    for swapped in [false, true] {
        let (old, new) = if swapped { (1, 0) } else { (0, 1) };
        let case = step([!swapped, swapped], [swapped, !swapped], SKATES);
        // No way is made longer than its run, so that it is as printed.
        let settings = Settings { blend_window: 0.0, ..Settings::paper() };
        let labels = case.support_labels(&settings);
        let skates = |frame: &usize| labels[*frame] == SupportLabel::Skate;
        let s = (0..FRAMES).find(skates).unwrap() - 1;
        let t = (0..FRAMES).rev().find(skates).unwrap() + 1;
        let apart = |frame: usize| {
            (heel(&case, &case.clip.motion, frame, 0).y - heel(&case, &case.clip.motion, frame, 1).y).abs()
        };
        // The heels are nearest where one lifts off as the other comes down.
        let k = (s + 1..t).min_by(|&a, &b| apart(a).total_cmp(&apart(b))).unwrap();
        assert!((CHANGES - 1..=CHANGES).contains(&k), "{k}");
        let mended = case.rectify(&settings).0;
        let arrives = k.min(CHANGES);
        let (from, to) = (ankle(&case.clip.motion, s, new), ankle(&mended, CHANGES, new));
        for frame in s + 1..=arrives {
            let u = (frame - s) as f64 / (arrives - s) as f64;
            assert!(ankle(&mended, frame, new).distance(printed(u, from, to)) < 1e-9, "comes: {frame}");
        }
        let leaves = k.max(CHANGES - 1);
        let (from, to) = (ankle(&mended, leaves, old), ankle(&case.clip.motion, t, old));
        for frame in leaves..t {
            let u = (t - frame) as f64 / (t - leaves) as f64;
            assert!(ankle(&mended, frame, old).distance(printed(u, to, from)) < 1e-9, "leaves: {frame}");
        }
        for frame in (0..=s).chain(t..FRAMES) {
            let free = if frame <= s { new } else { old };
            assert_eq!(turns(&mended, frame, free), turns(&case.clip.motion, frame, free), "frame {frame}");
        }
    }
}

#[test]
fn as_published_a_free_foot_is_eased_through_a_run_and_else_it_is_left_alone() {
    for leg in 0..2 {
        let mut carries = [true, true];
        carries[leg] = false;
        let mut case = step(carries, carries, SKATES);
        for (frame, pose) in case.clip.motion.poses.iter_mut().enumerate() {
            pose.rotations[4 * leg + HIP] = pitch(-0.9 + 0.2 * surefoot_core::math::sin(frame as f64 * 0.3));
        }
        let ours = case.rectify(&Settings::default()).0;
        let paper = case.rectify(&Settings::paper()).0;
        for frame in 0..FRAMES {
            assert_eq!(turns(&ours, frame, leg), turns(&case.clip.motion, frame, leg));
        }
        let labels = case.support_labels(&Settings::paper());
        let s = labels.iter().position(|label| *label == SupportLabel::Skate).unwrap() - 1;
        let t = labels.iter().rposition(|label| *label == SupportLabel::Skate).unwrap() + 1;
        let (from, to) = (ankle(&case.clip.motion, s, leg), ankle(&case.clip.motion, t, leg));
        let mut moved: f64 = 0.0;
        for frame in s..=t {
            let place = ankle(&paper, frame, leg);
            let along = (place - from).dot(to - from) / (to - from).length_squared();
            assert!((-1e-9..=1.0 + 1e-9).contains(&along), "frame {frame}");
            assert!(place.distance(from.lerp(to, along)) < 1e-9, "frame {frame} is off the way");
            moved = moved.max(place.distance(ankle(&case.clip.motion, frame, leg)));
        }
        assert!(moved > 0.01);
        assert_eq!(turns(&paper, s, leg), turns(&case.clip.motion, s, leg));
    }
}

#[test]
fn runs_at_the_start_and_the_end_of_a_clip_are_mended() {
    for (before, after) in CASES {
        for skates in [0..CHANGES + 8, CHANGES - 8..FRAMES - 1, 0..FRAMES - 1] {
            let case = step(before, after, skates.clone());
            for (_, settings) in all_settings() {
                all_held_or_noted(&case, case.rectify(&settings)).unwrap();
            }
        }
    }
}

#[test]
fn a_run_of_one_frame_is_mended() {
    for (before, after) in CASES {
        for jump in [0, 1, CHANGES - 1, CHANGES, FRAMES - 1] {
            let mut case = step(before, after, 0..0);
            // One step to the side and back: its own speed is none, that of the frames beside it is not.
            case.clip.motion.poses[jump].offsets[0].x += 0.01;
            for (name, settings) in all_settings() {
                let settings = Settings { skate_speed: 0.2, ..settings };
                let (mended, _) = all_held_or_noted(&case, case.rectify(&settings)).unwrap();
                let far = if jump < FRAMES / 2 { FRAMES - 1 } else { 0 };
                for leg in (0..2).filter(|&leg| before[leg] && after[leg]) {
                    let off = heel(&case, &mended, jump, leg).distance(heel(&case, &mended, far, leg));
                    assert!(off < 1e-9, "{}, {name}: {off}", case.name);
                }
            }
        }
    }
    // A clip of one frame, and one of none.
    for frames in 0..3 {
        let mut case = step([true, true], [true, true], 0..1);
        case.clip.motion.poses.truncate(frames);
        assert_eq!(case.rectify(&Settings::default()).0.frames(), frames);
    }
}

#[test]
fn a_long_skate_over_many_steps_is_cut_at_each() {
    // A walk whose path is a fifth too long skates from its first step to its last.
    let recipe = surefoot_sample::Recipe {
        skate: Some(surefoot_sample::Skate::Scale(1.2)),
        ..surefoot_sample::Recipe::default()
    };
    let case = sample(&recipe).with_spots_found();
    let (mended, _) = all_held_or_noted(&case, case.rectify(&Settings::default())).unwrap();
    for (leg, on) in case.clip.legs.iter().enumerate() {
        let moved = |frame: usize| {
            let place = |motion: &Motion| motion.poses[frame].world(&motion.skeleton).joint(on.ankle);
            place(&mended).distance(place(&case.clip.motion))
        };
        let most = (0..case.clip.motion.frames()).map(moved).fold(0.0, f64::max);
        // Were it one run, feet would be off by the length of steps.
        assert!(most < 0.35, "leg {leg}: {most}");
    }
}

/// The first frames of a jump: off the floor with both feet.
#[test]
fn a_jump_without_any_support_is_untouched_to_the_bit() {
    for mut case in samples().chain(real_files()) {
        case.clip.plants = Footplants::default();
        for (_, settings) in all_settings() {
            let (after, report) = case.rectify(&settings);
            assert_eq!(report, surefoot_solve::Report::default());
            let same = |(before, after): (&Pose, &Pose)| bits(before) == bits(after);
            assert!(case.clip.motion.poses.iter().zip(&after.poses).all(same), "{}", case.name);
        }
    }
    let jump = surefoot_sample::Recipe { kind: surefoot_sample::Kind::Jump, ..Default::default() };
    let case = sample(&surefoot_sample::Recipe { skate: Some(surefoot_sample::Skate::Noise(0.004)), ..jump });
    check_untouched(&case, &Settings::default());
}

/// Holds a mended case to all that must stay as it was: frames that no run, plant or fade reaches, and
/// everything but the legs.
fn check_untouched(case: &Case, settings: &Settings) {
    let after = case.rectify(settings).0;
    let labels = case.support_labels(settings);
    let reach = (settings.blend_window * case.clip.motion.fps).ceil() as usize;
    let legs: Vec<usize> =
        case.clip.legs.iter().flat_map(|leg| [leg.hip, leg.knee, leg.ankle]).map(|id| id.index()).collect();
    for (frame, (was, is)) in case.clip.motion.poses.iter().zip(&after.poses).enumerate() {
        let near = frame.saturating_sub(reach)..(frame + reach + 1).min(labels.len());
        if labels[near].iter().all(|label| *label == SupportLabel::None) {
            assert_eq!(bits(was), bits(is), "{}: frame {frame}", case.name);
        }
        for joint in case.clip.motion.skeleton.ids() {
            if !legs.contains(&joint.index()) {
                assert_eq!(was.rotations[joint.index()], is.rotations[joint.index()], "{}", case.name);
            }
            let (was, is) = (was.offsets[joint.index()], is.offsets[joint.index()]);
            let change = (is.length() - was.length()).abs();
            assert!(change <= settings.stretch_limit * was.length() + 1e-12, "{}: {joint:?}", case.name);
            if case.clip.motion.skeleton.parent(joint).is_none() || settings.stretch_limit == 0.0 {
                assert_eq!(was.to_array().map(f64::to_bits), is.to_array().map(f64::to_bits));
            }
        }
    }
}

fn check(case: &Case) {
    for (name, settings) in all_settings() {
        if let Err(broken) = all_held_or_noted(case, case.rectify(&settings)) {
            panic!("{name}: {broken}");
        }
        check_untouched(case, &settings);
    }
}

#[test]
fn planted_points_of_every_sample_stay_put_and_the_rest_as_it_was() {
    samples().flat_map(|case| [case.clone(), case.with_spots_found()]).for_each(|case| check(&case));
}

#[test]
fn planted_points_of_captured_motions_stay_put_and_the_rest_as_it_was() {
    real_files().iter().for_each(check);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn planted_points_of_any_motion_stay_put_and_the_rest_as_it_was(case in any_case()) {
        check(&case);
    }
}

#[test]
fn a_foot_is_laid_flat_if_asked() {
    let mut case = step([true, false], [true, false], SKATES);
    // It stands flat at first, and then on its edge.
    for pose in &mut case.clip.motion.poses[FRAMES / 2..] {
        pose.rotations[ANKLE] *= surefoot_core::math::axis_rotation(2, 0.1);
    }
    let tilt = |roll: FootRoll| {
        let mended = case.rectify(&Settings { foot_roll: roll, ..Settings::default() }).0;
        let WorldPose { rotations, .. } = mended.poses[FRAMES - 1].world(&mended.skeleton);
        (rotations[ANKLE] * Vec3::X).y.abs()
    };
    assert!(tilt(FootRoll::Keep) > 0.09, "{}", tilt(FootRoll::Keep));
    assert!(tilt(FootRoll::Flat) < 1e-9, "{}", tilt(FootRoll::Flat));
}

#[test]
fn what_is_out_of_reach_slides_and_is_noted_and_the_root_stays() {
    let mut case = step([true, false], [true, false], SKATES);
    for plant in &mut case.clip.plants.plants {
        let far = if plant.point == FootPoint::Heel { 0.0 } else { 0.19 };
        plant.spot = Some(Vec3::new(0.1, 0.0, 1.0 + far));
    }
    let (_, report) = all_held_or_noted(&case, case.rectify(&Settings::default())).unwrap();
    assert!(report.notes.iter().any(|note| matches!(note, Note::OutOfReach { leg: 0, .. })));
    assert!(report.plants.iter().all(|plant| plant.root_correction_m == 0.0 && plant.drift_m > 0.1));
}

#[test]
fn a_bad_speed_a_bad_pose_and_a_bad_spot_are_refused() {
    let case = step([true, false], [true, false], SKATES);
    for skate in [f64::NAN, -1.0] {
        let settings = Settings { skate_speed: skate, ..Settings::default() };
        let refused = case.try_rectify(&settings).unwrap_err();
        assert!(
            matches!(refused, CleanError::Setup(SetupError::InvalidSetting("skate_speed", _))),
            "{refused}"
        );
    }
    let mut bad = case.clone();
    bad.clip.motion.poses[3].offsets[0].x = f64::NAN;
    assert!(bad.try_rectify(&Settings::default()).is_err());
    let mut bad = case.clone();
    bad.clip.plants.plants[0].spot = Some(Vec3::NAN);
    assert!(bad.try_rectify(&Settings::default()).is_err());
    // Plants of no leg, and of frames that are not there, hold nothing.
    let mut odd = case.clone();
    odd.clip.plants.plants.push(Plant { leg: 7, ..odd.clip.plants.plants[0].clone() });
    odd.clip.plants.plants.push(plant(1, FootPoint::Heel, FRAMES + 3..FRAMES + 9));
    let (_, report) = odd.rectify(&Settings { form: Form::Paper, ..Settings::default() });
    assert_eq!(report.notes.iter().filter(|note| matches!(note, Note::NotHeld { .. })).count(), 2);
}
