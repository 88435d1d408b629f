//! The paper's figure 6 from our code: what a leg that must be 1 % longer costs its knee.
//!
//! ```sh
//! cargo run --release -p surefoot --example figure_6 > docs/figure-6.svg
//! ```
//!
//! A leg is bent to a length, its heel planted 1 % of the leg lower, and the method as published asked for
//! the knee: once with bones that may not stretch, and once with 3 %, where it is damped near straight and
//! the bones take the rest.

use surefoot::core::{
    FootPoint, Footplants, Joint, JointId, JointPoint, Leg, Motion, Plant, Pose, Quat, Skeleton, Vec3, math,
};
use surefoot::solve::{Form, Scene, Settings, clean};

/// Thigh and shin, in metres.
const BONE: f64 = 0.43;

fn skeleton() -> Skeleton {
    let joint = |parent: Option<u32>, offset: Vec3| Joint {
        name: String::from("joint"),
        parent: parent.map(JointId),
        offset,
        end: None,
    };
    let down = Vec3::new(0.0, -BONE, 0.0);
    let joints =
        vec![joint(None, Vec3::Y), joint(Some(0), Vec3::ZERO), joint(Some(1), down), joint(Some(2), down)];
    Skeleton::new(joints).expect("parents come first")
}

/// The knee's change, in degrees, when a leg of this length, as a share of its longest, must be 1 % of it
/// longer.
fn knee_change(length: f64, stretch: f64) -> Option<f64> {
    let skeleton = skeleton();
    let bend = 2.0 * math::acos(length);
    let about_x = |angle: f64| {
        let (sin, cos) = math::sincos(angle / 2.0);
        Quat::from_xyzw(sin, 0.0, 0.0, cos)
    };
    let mut pose = Pose::rest(&skeleton);
    pose.rotations[1] = about_x(-bend / 2.0);
    pose.rotations[2] = about_x(bend);
    let on = |offset| JointPoint { joint: JointId(3), offset };
    let (heel, ball) = (on(Vec3::ZERO), on(Vec3::new(0.0, -0.05, 0.15)));
    let (hip, knee, ankle) = (JointId(1), JointId(2), JointId(3));
    let legs = vec![Leg { side: "left".into(), hip, knee, ankle, heel, ball, toe: ball }];
    let motion = Motion { skeleton: skeleton.clone(), fps: 30.0, poses: vec![pose] };
    let spot = Some(Vec3::new(0.0, 1.0 - 2.0 * BONE * (length + 0.01), 0.0));
    let plant = Plant { leg: 0, point: FootPoint::Heel, frames: 0..1, spot, confidence: None };
    let scene = Scene { skeleton, fps: 30.0, legs, floor: None };
    let settings = Settings { stretch, form: Form::Paper, ..Settings::paper() };
    let (after, _) = clean(&motion, &scene, &Footplants { plants: vec![plant] }, &settings).ok()?;
    let angle = |pose: &Pose| {
        let placed = pose.world(&motion.skeleton);
        let (thigh, shin) =
            (placed.joint(knee) - placed.joint(hip), placed.joint(ankle) - placed.joint(knee));
        math::acos((thigh.normalize().dot(shin.normalize())).clamp(-1.0, 1.0))
    };
    Some((angle(&motion.poses[0]) - angle(&after.poses[0])).to_degrees())
}

/// The picture's size, and its room around the axes: left, right, top, bottom.
const SIZE: [f64; 2] = [720.0, 320.0];
const ROOM: [f64; 4] = [56.0, 24.0, 56.0, 44.0];

/// The lengths shown, and the most degrees.
const LENGTHS: [f64; 2] = [0.6, 0.99];
const MOST: f64 = 16.0;

fn place(length: f64, degrees: f64) -> String {
    let wide = SIZE[0] - ROOM[0] - ROOM[1];
    let high = SIZE[1] - ROOM[2] - ROOM[3];
    let x = ROOM[0] + wide * (length - LENGTHS[0]) / (1.0 - LENGTHS[0]);
    format!("{x:.1},{:.1}", SIZE[1] - ROOM[3] - high * degrees / MOST)
}

fn curve(stretch: f64) -> String {
    let steps = 200;
    let at = |n: i32| LENGTHS[0] + (LENGTHS[1] - LENGTHS[0]) * f64::from(n) / f64::from(steps);
    (0..=steps).filter_map(|n| Some(place(at(n), knee_change(at(n), stretch)?))).collect::<Vec<_>>().join(" ")
}

fn text(place: &str, anchor: &str, class: &str, words: &str) {
    let (x, y) = place.split_once(',').unwrap_or(("0", "0"));
    println!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" class=\"{class}\">{words}</text>");
}

fn line(from: &str, to: &str) {
    let ((x1, y1), (x2, y2)) =
        (from.split_once(',').unwrap_or(("0", "0")), to.split_once(',').unwrap_or(("0", "0")));
    println!("<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" class=\"grid\"/>");
}

fn main() {
    let [width, height] = SIZE;
    println!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"Knee angle needed for one percent more leg, against the leg's length\">"
    );
    println!(
        "<style>text{{font:12px system-ui,sans-serif;fill:#555}}.title{{font-size:14px;fill:#222}}\
         .grid{{stroke:#ddd}}polyline{{fill:none;stroke-width:2}}.rigid{{stroke:#c2410c}}.damped{{stroke:#0f766e}}\
         text.rigid{{fill:#c2410c;stroke:none}}text.damped{{fill:#0f766e;stroke:none}}</style>"
    );
    println!("<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>");
    text("56,24", "start", "title", "What 1 % more leg costs the knee, in degrees");
    text("56,44", "start", "rigid", "rigid bones: the knee alone");
    text("240,44", "start", "damped", "damped near straight, the bones take the rest");
    for degrees in [0.0, 4.0, 8.0, 12.0, 16.0] {
        line(&place(LENGTHS[0], degrees), &place(1.0, degrees));
        let (_, y) = place(LENGTHS[0], degrees)
            .split_once(',')
            .map(|(x, y)| (x.to_owned(), y.to_owned()))
            .unwrap_or_default();
        let y: f64 = y.parse().unwrap_or(0.0);
        text(&format!("48,{:.1}", y + 4.0), "end", "", &format!("{degrees:.0}°"));
    }
    for percent in [60, 70, 80, 90, 100] {
        let at = place(f64::from(percent) / 100.0, 0.0);
        let x = at.split_once(',').map_or("0", |(x, _)| x);
        text(&format!("{x},{:.1}", height - ROOM[3] + 18.0), "middle", "", &format!("{percent} %"));
    }
    text(
        &format!("{:.1},{:.1}", width / 2.0, height - 8.0),
        "middle",
        "",
        "hip to ankle, of the straight leg",
    );
    for (class, stretch) in [("rigid", 0.0), ("damped", 0.03)] {
        println!("<polyline class=\"{class}\" points=\"{}\"/>", curve(stretch));
    }
    println!("</svg>");
}
