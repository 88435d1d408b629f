//! Draws the book's figure of the knee change for one percent more reach, computed by the solver.
//!
//! A leg is bent to a given length and its heel is planted 1 % of the leg length lower. The published form of the
//! method then moves the knee: once with rigid bones, and once with 3 % stretch, where the knee is damped near full
//! extension and the bones make up the difference. The paper's figure 6 shows the same.

use surefoot_core::{
    Clip, FootPoint, Footplants, Joint, JointId, JointPoint, Leg, Limb, Motion, Plant, Pose, Quat, Skeleton,
    Vec3, math,
};
use surefoot_solve::{Settings, clean};

/// Length of thigh and of shin, in metres.
const BONE: f64 = 0.43;

/// Size of the picture, in pixels.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 320.0;

/// Space around the axes, in pixels: for tick labels to the left and below, for title and legend above.
const LEFT: f64 = 56.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = 44.0;

/// Lengths that are drawn, as shares of the straight leg. At 0.99 one more percent is a straight leg.
const SHORTEST: f64 = 0.6;
const LONGEST: f64 = 0.99;

/// Upper end of the vertical axis, in degrees.
const DEGREES: f64 = 16.0;

pub(super) const STYLE: &str = "\
:root { color-scheme: light dark; --paper: #fff; --ink: #1c2127; --muted: #5d6772; --grid: #e4e7eb; \
--rigid: #d55e00; --damped: #0072b2; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171b; --ink: #e7eaed; --muted: #9ba5b0; \
--grid: #2a3037; --rigid: #f2a15c; --damped: #62b4ee; } }
text { font: 12px system-ui, -apple-system, \"Segoe UI\", \"DejaVu Sans\", sans-serif; fill: var(--muted); }
.title { font-size: 14px; font-weight: 600; fill: var(--ink); }
.paper { fill: var(--paper); } .grid { stroke: var(--grid); }
polyline { fill: none; stroke-width: 2; } polyline.rigid { stroke: var(--rigid); } polyline.damped { stroke: var(--damped); }
text.rigid { fill: var(--rigid); } text.damped { fill: var(--damped); }
";

/// The picture as SVG.
pub fn svg() -> String {
    let mut picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         role=\"img\" aria-label=\"Knee angle that one percent more reach costs\">\n<style>{STYLE}</style>\n\
         <rect class=\"paper\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"8\"/>\n"
    );
    picture += &text(LEFT, 24.0, "start", "title", "Change of the knee angle for 1 % more reach");
    picture += &text(LEFT, 44.0, "start", "rigid", "rigid bones");
    picture += &text(LEFT + 110.0, 44.0, "start", "damped", "damped knee, the bones stretch by the rest");
    picture += &axes();
    for (class, stretch) in [("rigid", 0.0), ("damped", 0.03)] {
        picture += &format!("<polyline class=\"{class}\" points=\"{}\"/>\n", curve(stretch));
    }
    picture + "</svg>\n"
}

fn axes() -> String {
    let mut lines = String::new();
    for degrees in [0.0, 4.0, 8.0, 12.0, 16.0] {
        let y = y(degrees);
        lines += &format!(
            "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{}\" y2=\"{y:.1}\"/>\n",
            WIDTH - RIGHT
        );
        lines += &text(LEFT - 8.0, y + 4.0, "end", "tick", &format!("{degrees}°"));
    }
    for percent in [60.0, 70.0, 80.0, 90.0, 100.0] {
        lines += &text(x(percent / 100.0), HEIGHT - BOTTOM + 18.0, "middle", "tick", &format!("{percent} %"));
    }
    lines
        + &text(
            WIDTH / 2.0,
            HEIGHT - 8.0,
            "middle",
            "tick",
            "distance from hip to ankle, share of the straight leg",
        )
}

pub(super) fn text(x: f64, y: f64, anchor: &str, class: &str, words: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" class=\"{class}\">{words}</text>\n")
}

fn x(length: f64) -> f64 {
    LEFT + (WIDTH - LEFT - RIGHT) * (length - SHORTEST) / (1.0 - SHORTEST)
}

fn y(degrees: f64) -> f64 {
    HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * degrees / DEGREES
}

fn curve(stretch: f64) -> String {
    let steps = 200;
    let lengths = (0..=steps).map(|n| SHORTEST + (LONGEST - SHORTEST) * f64::from(n) / f64::from(steps));
    let points = lengths.map(|length| format!("{:.1},{:.1}", x(length), y(knee_change(length, stretch))));
    points.collect::<Vec<_>>().join(" ")
}

/// How far the knee straightens, in degrees, if a leg of this length must reach 1 % of the leg length further.
fn knee_change(length: f64, stretch: f64) -> f64 {
    let motion = Motion { skeleton: skeleton(), fps: 30.0, poses: vec![pose_with_length(length)] };
    let spot = Some(Vec3::new(0.0, 1.0 - 2.0 * BONE * (length + 0.01), 0.0));
    let plant = Plant { spot, ..Plant::new(0, FootPoint::Heel, 0..1) };
    let plants = Footplants { plants: vec![plant] };
    let clip = Clip { motion, legs: vec![leg()], plants, ..Clip::default() };
    let settings = Settings { stretch: Some(stretch), ..Settings::paper() };
    let after = clean(&clip, &settings).unwrap().clip.motion;
    (knee_bend(&clip.motion.poses[0]) - knee_bend(&after.poses[0])).to_degrees()
}

pub(super) fn skeleton() -> Skeleton {
    let joint = |parent: Option<u32>, offset: Vec3| Joint {
        name: String::from("joint"),
        parent: parent.map(JointId),
        offset,
        end: None,
    };
    let down = Vec3::new(0.0, -BONE, 0.0);
    let joints =
        vec![joint(None, Vec3::Y), joint(Some(0), Vec3::ZERO), joint(Some(1), down), joint(Some(2), down)];
    Skeleton::new(joints).unwrap()
}

const HIP: JointId = JointId(1);
const KNEE: JointId = JointId(2);
pub(super) const ANKLE: JointId = JointId(3);

/// A leg whose heel is its ankle.
pub(super) fn leg() -> Leg {
    let point = |offset| JointPoint { joint: ANKLE, offset };
    let (heel, ball) = (point(Vec3::ZERO), point(Vec3::new(0.0, -0.05, 0.15)));
    Leg { side: "left".into(), limb: Limb::Leg, hip: HIP, knee: KNEE, ankle: ANKLE, heel, ball, toe: ball }
}

/// The pose whose ankle is this share of the straight leg below its hip.
pub(super) fn pose_with_length(length: f64) -> Pose {
    let bend = 2.0 * math::acos(length);
    let about_x = |angle: f64| {
        let (sin, cos) = math::sincos(angle / 2.0);
        Quat::from_xyzw(sin, 0.0, 0.0, cos)
    };
    let mut pose = Pose::rest(&skeleton());
    pose.rotations[HIP.index()] = about_x(-bend / 2.0);
    pose.rotations[KNEE.index()] = about_x(bend);
    pose
}

/// The angle between thigh and shin, 0 for a straight leg.
fn knee_bend(pose: &Pose) -> f64 {
    let world = pose.world(&skeleton());
    let (thigh, shin) = (world.joint(KNEE) - world.joint(HIP), world.joint(ANKLE) - world.joint(KNEE));
    math::acos(thigh.normalize().dot(shin.normalize()).clamp(-1.0, 1.0))
}
