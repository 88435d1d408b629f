//! Skate runs of hand-made steps: labels, held feet, and the paths of free feet.

use surefoot_core::math::sin;
use surefoot_core::{Motion, Pose, Vec3};
use surefoot_sample::{Recipe, Skate};
use surefoot_solve::{Form, Report, Settings, SupportLabel};

use super::*;

fn label_of(feet: Feet) -> &'static str {
    ["none", "leg 0", "leg 1", "both"][usize::from(feet[0]) + 2 * usize::from(feet[1])]
}

/// The spot of the first plant of a leg.
fn spot(report: &Report, leg: usize) -> Vec3 {
    report.plants.iter().find(|plant| plant.leg == leg).unwrap().spot.unwrap()
}

#[test]
fn frames_are_labelled_with_the_supporting_feet_or_as_skating() {
    for (before, after) in CASES {
        let case = step(before, after, SKATING);
        let labels = case.support_labels(&Settings::default());
        let found: Vec<String> = labels.iter().map(|label| label.as_str(&case.clip.legs)).collect();
        // The speed is measured over one frame on either side within a plant, so the edges may have either label.
        for (frame, label) in found.iter().enumerate() {
            let expected = match frame {
                _ if frame < SKATING.start => label_of(before),
                _ if frame > SKATING.end => label_of(after),
                _ if frame > SKATING.start && frame < SKATING.end => "skate",
                _ => continue,
            };
            assert_eq!(label, expected, "{}: frame {frame}", case.name);
        }
        let fast = Settings { skate_speed: 10.0, ..Settings::default() };
        let labels = case.support_labels(&fast);
        assert!(!labels.contains(&SupportLabel::Skate));
    }
}

#[test]
fn supporting_feet_are_held_before_and_after_the_change_of_support() {
    for (before, after) in CASES {
        for (name, settings) in all_settings() {
            let case = step(before, after, SKATING);
            let (rectified, report) = check_held_or_noted(&case, case.rectify(&settings)).unwrap();
            assert_eq!(report.notes, [], "{}, {name}", case.name);
            for leg in 0..2 {
                let context = format!("{}, {name}: leg {leg}", case.name);
                // A foot that supports the body before the run keeps its position, one that does afterwards gets its later one.
                let stands_at = match (before[leg], after[leg]) {
                    (true, _) => 0,
                    (false, true) => SKATING.end + 1,
                    (false, false) => continue,
                };
                let expected = heel(&case, &case.clip.motion, stands_at, leg);
                assert!(spot(&report, leg).distance(expected) < 1e-9, "{context}");
                let frames = if before[leg] { 0..SUPPORT_CHANGE } else { SUPPORT_CHANGE..FRAMES };
                for frame in frames {
                    assert!(
                        heel(&case, &rectified, frame, leg).distance(expected) < 1e-9,
                        "{context}: frame {frame}"
                    );
                }
            }
            let roots = |motion: &Motion| motion.poses.iter().map(|pose| pose.offsets[0]).collect::<Vec<_>>();
            if settings.form == Form::Paper {
                assert_eq!(roots(&rectified), roots(&case.clip.motion));
            }
        }
    }
}

#[test]
fn swapping_the_feet_swaps_the_result() {
    for (before, after) in CASES {
        let swap = |feet: Feet| [feet[1], feet[0]];
        let (case, other) = (step(before, after, SKATING), step(swap(before), swap(after), SKATING));
        // The body also slides sideways, which has to be mirrored.
        let mut other = other;
        let mirror = |pose: &mut Pose| pose.offsets[0].x = -pose.offsets[0].x;
        other.clip.motion.poses.iter_mut().for_each(mirror);
        for (_, settings) in all_settings() {
            let (result, swapped) = (case.rectify(&settings).0, other.rectify(&settings).0);
            for frame in 0..FRAMES {
                for leg in 0..2 {
                    let mirrored = ankle(&swapped, frame, 1 - leg) * Vec3::new(-1.0, 1.0, 1.0);
                    let difference = ankle(&result, frame, leg).distance(mirrored);
                    assert!(difference < 1e-9, "{}: frame {frame}, leg {leg}: {difference:e}", case.name);
                }
            }
        }
    }
}

/// The curve of the thesis as printed, from `from` at u = 0 to `to` at u = 1.
fn printed(u: f64, from: Vec3, to: Vec3) -> Vec3 {
    (1.0 - u) * ((1.0 - u) * from + u * to) + u * to
}

#[test]
fn in_the_published_form_a_foot_arrives_along_the_printed_curve_and_leaves_along_its_mirror_image() {
    for swapped in [false, true] {
        let (old, new) = if swapped { (1, 0) } else { (0, 1) };
        let case = step([!swapped, swapped], [swapped, !swapped], SKATING);
        // Without a blend window no path is longer than its run.
        let settings = Settings { blend_window: 0.0, ..Settings::paper() };
        let labels = case.support_labels(&settings);
        let is_skating = |frame: &usize| labels[*frame] == SupportLabel::Skate;
        let s = (0..FRAMES).find(is_skating).unwrap() - 1;
        let t = (0..FRAMES).rev().find(is_skating).unwrap() + 1;
        let height_difference = |frame: usize| {
            (heel(&case, &case.clip.motion, frame, 0).y - heel(&case, &case.clip.motion, frame, 1).y).abs()
        };
        // The heels are equally high where one lifts off as the other comes down.
        let k = (s + 1..t).min_by(|&a, &b| height_difference(a).total_cmp(&height_difference(b))).unwrap();
        assert!((SUPPORT_CHANGE - 1..=SUPPORT_CHANGE).contains(&k), "{k}");
        let rectified = case.rectify(&settings).0;
        let arrives = k.min(SUPPORT_CHANGE);
        let (from, to) = (ankle(&case.clip.motion, s, new), ankle(&rectified, SUPPORT_CHANGE, new));
        for frame in s + 1..=arrives {
            let u = (frame - s) as f64 / (arrives - s) as f64;
            assert!(
                ankle(&rectified, frame, new).distance(printed(u, from, to)) < 1e-9,
                "arrival: frame {frame}"
            );
        }
        let leaves = k.max(SUPPORT_CHANGE - 1);
        let (from, to) = (ankle(&rectified, leaves, old), ankle(&case.clip.motion, t, old));
        for frame in leaves..t {
            let u = (t - frame) as f64 / (t - leaves) as f64;
            assert!(
                ankle(&rectified, frame, old).distance(printed(u, to, from)) < 1e-9,
                "departure: frame {frame}"
            );
        }
        for frame in (0..=s).chain(t..FRAMES) {
            let free = if frame <= s { new } else { old };
            assert_eq!(
                leg_rotations(&rectified, frame, free),
                leg_rotations(&case.clip.motion, frame, free),
                "frame {frame}"
            );
        }
    }
}

#[test]
fn in_the_published_form_a_free_foot_moves_straight_through_a_run() {
    for leg in 0..2 {
        let mut support = [true, true];
        support[leg] = false;
        let mut case = step(support, support, SKATING);
        for (frame, pose) in case.clip.motion.poses.iter_mut().enumerate() {
            pose.rotations[JOINTS_PER_LEG * leg + HIP] = pitch(-0.9 + 0.2 * sin(frame as f64 * 0.3));
        }
        let paper = case.rectify(&Settings::paper()).0;
        let labels = case.support_labels(&Settings::paper());
        let s = labels.iter().position(|label| *label == SupportLabel::Skate).unwrap() - 1;
        let t = labels.iter().rposition(|label| *label == SupportLabel::Skate).unwrap() + 1;
        let (from, to) = (ankle(&case.clip.motion, s, leg), ankle(&case.clip.motion, t, leg));
        let mut correction: f64 = 0.0;
        for frame in s..=t {
            let position = ankle(&paper, frame, leg);
            let along = (position - from).dot(to - from) / (to - from).length_squared();
            assert!((-1e-9..=1.0 + 1e-9).contains(&along), "frame {frame}");
            assert!(position.distance(from.lerp(to, along)) < 1e-9, "frame {frame} is off the straight line");
            correction = correction.max(position.distance(ankle(&case.clip.motion, frame, leg)));
        }
        assert!(correction > 0.01);
        assert_eq!(leg_rotations(&paper, s, leg), leg_rotations(&case.clip.motion, s, leg));
    }
}

#[test]
fn plants_of_runs_at_the_ends_of_a_clip_are_held_or_noted() {
    for (before, after) in CASES {
        for skating in [0..SUPPORT_CHANGE + 8, SUPPORT_CHANGE - 8..FRAMES - 1, 0..FRAMES - 1] {
            let case = step(before, after, skating.clone());
            for (_, settings) in all_settings() {
                check_held_or_noted(&case, case.rectify(&settings)).unwrap();
            }
        }
    }
}

#[test]
fn a_skating_run_of_one_frame_is_rectified() {
    for (before, after) in CASES {
        for jump in [0, 1, SUPPORT_CHANGE - 1, SUPPORT_CHANGE, FRAMES - 1] {
            let mut case = step(before, after, 0..0);
            // A jump to the side and back within one frame.
            case.clip.motion.poses[jump].offsets[0].x += 0.01;
            for (name, settings) in all_settings() {
                let settings = Settings { skate_speed: 0.2, ..settings };
                let (rectified, _) = check_held_or_noted(&case, case.rectify(&settings)).unwrap();
                let far = if jump < FRAMES / 2 { FRAMES - 1 } else { 0 };
                for leg in (0..2).filter(|&leg| before[leg] && after[leg]) {
                    let drift =
                        heel(&case, &rectified, jump, leg).distance(heel(&case, &rectified, far, leg));
                    assert!(drift < 1e-9, "{}, {name}: {drift}", case.name);
                }
            }
        }
    }
    // Clips of zero to two frames.
    for frames in 0..3 {
        let mut case = step([true, true], [true, true], 0..1);
        case.clip.motion.poses.truncate(frames);
        assert_eq!(case.rectify(&Settings::default()).0.frames(), frames);
    }
}

#[test]
fn a_skate_over_many_steps_is_cut_into_a_run_for_each_step() {
    // A walk whose path is a fifth too long skates in every step.
    let recipe = Recipe { skate: Some(Skate::Scale(1.2)), ..Recipe::default() };
    let case = sample(&recipe).without_spots();
    let (rectified, _) = check_held_or_noted(&case, case.rectify(&Settings::default())).unwrap();
    for (leg, joints) in case.clip.legs.iter().enumerate() {
        let correction = |frame: usize| {
            let position = |motion: &Motion| motion.poses[frame].world(&motion.skeleton).joint(joints.ankle);
            position(&rectified).distance(position(&case.clip.motion))
        };
        let largest = (0..case.clip.motion.frames()).map(correction).fold(0.0, f64::max);
        // As a single run, feet would be moved by the length of several steps.
        // Measured: 0.081 and 0.0843 m.
        assert!(largest < 0.085, "leg {leg}: {largest}");
    }
}
