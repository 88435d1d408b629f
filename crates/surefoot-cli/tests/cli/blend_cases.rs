//! Draws the book's figure of how the rotation of a foot fades, computed by the solver.
//!
//! The ball of a foot is planted throughout, and the heel for a while. The captured foot is pitched by 6°, the spots are
//! level: where both are planted the foot is turned by 6°, and that rotation fades where only the ball is planted. The
//! paper's figure 3 shows the three cases: such frames ahead, behind, and on both sides.

use surefoot_core::math::{PI, axis_rotation};
use surefoot_core::{Clip, FootPoint, Footplants, FrameRange, JointPoint, Leg, Motion, Plant, Pose, Vec3};
use surefoot_solve::{Settings, clean};

use super::knee_cost::{ANKLE, STYLE, leg, pose_with_length, skeleton, text};

/// Frames of each case, at 30 per second.
const FRAMES: usize = 60;

/// Pitch of the captured foot, in degrees.
const PITCH: f64 = 6.0;

/// The cases: title, and the first and end frames of the intervals in which the heel is planted too.
const CASES: [(&str, &[(usize, usize)]); 3] = [
    ("1: planted flat ahead", &[(40, FRAMES)]),
    ("2: planted flat behind", &[(0, 20)]),
    ("3: planted flat on both sides", &[(0, 22), (38, FRAMES)]),
];

/// Size of a panel and the space around its axes, in pixels.
const WIDTH: f64 = 260.0;
const HEIGHT: f64 = 170.0;
const LEFT: f64 = 40.0;
const TOP: f64 = 78.0;

/// The picture as SVG.
pub fn svg() -> String {
    let (width, height) = (3.0 * WIDTH + 20.0, TOP + HEIGHT + 44.0);
    let mut picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" aria-label=\"Rotation of a foot that fades, in three cases\">\n<style>{STYLE}</style>\n\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>\n"
    );
    picture += &text(LEFT, 24.0, "start", "title", "Rotation added to a foot whose ball is planted");
    picture += &text(LEFT, 44.0, "start", "rigid", "published");
    picture += &text(LEFT + 80.0, 44.0, "start", "damped", "ours");
    for (n, (title, flat)) in CASES.iter().enumerate() {
        picture += &panel(n as f64 * WIDTH, title, flat);
    }
    picture + "</svg>\n"
}

fn panel(left: f64, title: &str, flat: &[(usize, usize)]) -> String {
    let x = |frame: usize| left + LEFT + (WIDTH - LEFT - 10.0) * frame as f64 / (FRAMES - 1) as f64;
    let y = |degrees: f64| TOP + HEIGHT * (1.0 - degrees / (PITCH + 1.0));
    let mut panel = text(left + LEFT, TOP - 10.0, "start", "tick", title);
    for degrees in [0.0, 2.0, 4.0, 6.0] {
        let (y, end) = (y(degrees), x(FRAMES - 1));
        panel +=
            &format!("<line class=\"grid\" x1=\"{}\" y1=\"{y:.1}\" x2=\"{end:.1}\" y2=\"{y:.1}\"/>\n", x(0));
        panel += &text(x(0) - 6.0, y + 4.0, "end", "tick", &format!("{degrees}°"));
    }
    for second in [0, 1, 2] {
        let frame = (second * 30).min(FRAMES - 1);
        panel += &text(x(frame), TOP + HEIGHT + 20.0, "middle", "tick", &format!("{second} s"));
    }
    for (class, settings) in [("rigid", Settings::paper()), ("damped", Settings::default())] {
        let turned = turned(flat, &settings);
        let points =
            turned.iter().enumerate().map(|(frame, degrees)| format!("{:.1},{:.1}", x(frame), y(*degrees)));
        panel +=
            &format!("<polyline class=\"{class}\" points=\"{}\"/>\n", points.collect::<Vec<_>>().join(" "));
    }
    panel
}

/// The rotation added to the foot in each frame, in degrees.
fn turned(flat: &[(usize, usize)], settings: &Settings) -> Vec<f64> {
    let clip = clip(flat);
    let after = clean(&clip, settings).unwrap().clip.motion;
    let rotation = |pose: &Pose| pose.world(&skeleton()).rotations[ANKLE.index()];
    let poses = clip.motion.poses.iter().zip(&after.poses);
    poses.map(|(before, after)| rotation(before).angle_between(rotation(after)).to_degrees()).collect()
}

fn clip(flat: &[(usize, usize)]) -> Clip {
    let mut pose = pose_with_length(0.9);
    let level = pose.world(&skeleton()).rotations[ANKLE.index()].conjugate();
    pose.rotations[ANKLE.index()] *= level * axis_rotation(0, PITCH * PI / 180.0);
    let point = |z: f64| JointPoint { joint: ANKLE, offset: Vec3::new(0.0, -0.08, z) };
    let (heel, ball) = (point(-0.05), point(0.15));
    let spot = pose.world(&skeleton()).point(&ball);
    let plant = |point: FootPoint, frames: FrameRange, spot: Vec3| Plant {
        spot: Some(spot),
        ..Plant::new(0, point, frames)
    };
    let mut plants: Vec<Plant> =
        flat.iter().map(|&(start, end)| plant(FootPoint::Heel, start..end, spot - Vec3::Z * 0.2)).collect();
    plants.push(plant(FootPoint::Ball, 0..FRAMES, spot));
    Clip {
        motion: Motion { skeleton: skeleton(), fps: 30.0, poses: vec![pose; FRAMES] },
        legs: vec![Leg { heel, ball, toe: ball, ..leg() }],
        plants: Footplants { plants },
        ..Clip::default()
    }
}

#[test]
fn the_rotation_is_whole_where_both_points_are_planted_and_fades_outside() {
    for (title, flat) in CASES {
        for settings in [Settings::paper(), Settings::default()] {
            let turned = turned(flat, &settings);
            for &(start, end) in flat {
                assert!(
                    turned[start..end].iter().all(|degrees| (degrees - PITCH).abs() < 1e-3),
                    "{title} {turned:?}"
                );
            }
            let steps = turned.windows(2).map(|pair| (pair[1] - pair[0]).abs());
            let largest = steps.fold(0.0, f64::max);
            assert!(largest < 1.5, "{title} {largest}");
        }
    }
}
