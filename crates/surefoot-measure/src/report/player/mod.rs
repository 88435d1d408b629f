//! The player at the top of the report: the motions as data, a small script that draws them, and its buttons.
//!
//! The page loads nothing: positions are stored in the page as text, and the script draws on a canvas. Where scripts do
//! not run, and in print, a still picture takes the place of the player.

mod encode;
mod shown_frames;

use super::Report;
use crate::body::{BodyShape, SOLE};
use crate::plot::{Curves, floor_axes};
use crate::stances::stances;
use crate::worst_moment::{WorstMoment, worst_moment};
use core::fmt::Write;
use encode::Quantised;
use shown_frames::ShownFrames;
use surefoot_core::{Motion, Vec3, WorldPose};

/// The script of the player.
const SCRIPT: &str = concat!(
    "(() => {\n'use strict'\n",
    include_str!("motion.js"),
    include_str!("draw.js"),
    include_str!("layout.js"),
    include_str!("controls.js"),
    include_str!("start.js"),
    "})()\n"
);

/// Length of a leg ÷ rounding of the stored positions: half a millimetre for an adult.
const STEPS_PER_LEG: f64 = 1700.0;

/// What the player shows of a report.
pub(super) struct Player<'a> {
    report: &'a Report<'a>,
    curves: &'a Curves<'a>,
    shape: BodyShape,
    worst: Option<WorstMoment<'a>>,
    shown: ShownFrames,
}

impl<'a> Player<'a> {
    /// `None` for a motion without legs or frames.
    pub fn new(report: &'a Report<'a>, curves: &'a Curves<'a>) -> Option<Self> {
        let (shape, frames) = (BodyShape::of(report.clip), curves.pair.after.frames);
        // A body without size cannot be drawn.
        if shape.leg_length <= 0.0 || frames == 0 {
            return None;
        }
        let worst = worst_moment(curves);
        let middle = worst.as_ref().map_or(0, |worst| worst.frame);
        let shown = ShownFrames::choose(frames, curves.pair.after.fps, middle);
        Some(Self { report, curves, shape, worst, shown })
    }

    /// The first and the last frame of the file that can be played.
    pub fn shown_file_frames(&self) -> (usize, usize) {
        let first = self.shown.first + self.curves.context.first_frame;
        (first, first + (self.shown.count - 1) * self.shown.every)
    }

    /// The player and its data as HTML.
    pub fn html(&self) -> String {
        let compared = self.report.before.is_some();
        let layouts = match compared {
            true => {
                "<span class=\"choice\" role=\"group\" aria-label=\"arrangement\">\
                 <button type=\"button\" data-layout=\"side\">Side by side</button>\
                 <button type=\"button\" data-layout=\"wipe\">Wipe</button>\
                 <button type=\"button\" data-layout=\"overlay\">Overlay</button></span>\n"
            }
            false => "",
        };
        format!(
            "<div class=\"player\">\n<canvas tabindex=\"0\" role=\"img\" aria-label=\"{}\"></canvas>\n\
             <div class=\"controls\">\n<button type=\"button\" class=\"play\" data-control=\"play\">Play</button>\n\
             <input type=\"range\" min=\"0\" value=\"0\" aria-label=\"frame\" data-control=\"scrub\"/>\n\
             <output data-control=\"frame\"></output>\n</div>\n<div class=\"controls\">\n{layouts}\
             <span class=\"choice\" role=\"group\" aria-label=\"framing\">\
             <button type=\"button\" data-framing=\"body\">Body</button>\
             <button type=\"button\" data-framing=\"feet\">Feet</button></span>\n\
             <label>Speed <select data-control=\"speed\"><option value=\"0.1\">0.1×</option>\
             <option value=\"0.25\">0.25×</option><option value=\"0.5\" selected=\"\">0.5×</option>\
             <option value=\"1\">1×</option></select></label>\n\
             <button type=\"button\" data-control=\"worst\">Worst moment</button>\n</div>\n\
             <p class=\"caption\">{}</p>\n</div>\n",
            if compared { "the motion before and after" } else { "the motion" },
            self.caption()
        )
    }

    /// The data of the motions and the script that draws them.
    pub fn script(&self) -> String {
        format!(
            "<script type=\"application/json\" id=\"motion\">{}</script>\n<script>\n{SCRIPT}</script>\n",
            self.data()
        )
    }

    fn caption(&self) -> String {
        let part =
            match (self.shown.every, self.shown.count * self.shown.every < self.curves.pair.after.frames) {
                (1, false) => String::new(),
                (every, false) => format!(" One frame in {every} is stored."),
                (_, true) => " Only the time around the worst moment is stored.".into(),
            };
        format!(
            "Drag to turn. A sole is <span class=\"held-text\">green</span> while its foot is planted and stands, \
             <span class=\"slid-text\">red</span> while it is planted and slides.{part}"
        )
    }

    /// The data of the script, as JSON.
    fn data(&self) -> String {
        let (curves, shape, shown) = (self.curves, &self.shape, self.shown);
        let origin = self.origin();
        let step = shape.leg_length / STEPS_PER_LEG;
        let (fps, (tall, wide)) = (curves.pair.after.fps, self.size());
        let mut text = format!(
            "{{\"fps\":{},\"rate\":{fps},\"first\":{},\"every\":{},\"frames\":{},\"step\":{step:e},\"points\":{},\
             \"pelvis\":{},\"leg\":{:.4},\"tall\":{tall:.4},\"wide\":{wide:.4},\"start\":{},\"turn\":{:.2}",
            fps / shown.every as f64,
            shown.first + curves.context.first_frame,
            shown.every,
            shown.count,
            shape.points.len(),
            shape.pelvis,
            shape.leg_length,
            self.start(),
            self.turn(),
        );
        self.push_shape(&mut text);
        self.push_floor(&mut text, origin);
        self.push_contacts(&mut text);
        let motions = self.motions(origin, step);
        let quoted: Vec<String> = motions.iter().map(|motion| format!("\"{motion}\"")).collect();
        write(&mut text, format_args!(",\"motions\":[{}]}}", quoted.join(",")));
        text
    }

    /// The positions of both motions, as text.
    fn motions(&self, origin: Vec3, step: f64) -> Vec<String> {
        let quantised = |motion: &Motion| {
            let mut world = WorldPose::default();
            let first = self.curves.context.first_frame;
            let place = |frame: usize| {
                motion.poses[first + frame].forward_kinematics(&motion.skeleton, &mut world);
                self.shape.place(&world)
            };
            Quantised::new(self.shown.iter().map(place), origin, step)
        };
        let after = quantised(&self.report.clip.motion);
        match self.report.before.map(quantised) {
            Some(before) => vec![before.encode(), after.encode_change(&before)],
            None => vec![after.encode()],
        }
    }

    /// A point near the body, so that the stored numbers are small.
    fn origin(&self) -> Vec3 {
        self.curves.pair.after.root.get(self.shown.first).copied().unwrap_or_default()
    }

    fn push_shape(&self, text: &mut String) {
        let limbs = self.shape.limbs.iter().map(|limb| {
            let ([a, b], [ra, rb]) = (limb.ends, limb.radii);
            format!("{{\"ends\":[{a},{b}],\"radii\":[{ra:.4},{rb:.4}]}}")
        });
        let feet = self.shape.feet.iter().map(|foot| {
            let (ankle, heel, ball, toe, outer) = (foot.ankle, foot.heel, foot.ball, foot.toe, foot.outer);
            format!("{{\"ankle\":{ankle},\"heel\":{heel},\"ball\":{ball},\"toe\":{toe},\"outer\":{outer}}}")
        });
        let names = (0..self.shape.feet.len()).map(|leg| json_text(&self.curves.side(leg)));
        let labels = match self.report.before {
            Some(_) => self.curves.names.to_vec(),
            None => vec![""],
        };
        for (key, values) in [
            ("limbs", limbs.collect::<Vec<_>>()),
            ("feet", feet.collect()),
            ("names", names.collect()),
            ("labels", labels.into_iter().map(json_text).collect()),
            ("sole", SOLE.iter().map(|(along, aside)| format!("[{along},{aside}]")).collect()),
        ] {
            write(text, format_args!(",\"{key}\":[{}]", values.join(",")));
        }
    }

    fn push_floor(&self, text: &mut String, origin: Vec3) {
        let floor = &self.curves.context.floor;
        let normal = floor.up();
        let below = floor.nearest(origin) - origin;
        let (right, ahead) = self.axes();
        let vector = |v: Vec3| format!("[{:.5},{:.5},{:.5}]", v.x, v.y, v.z);
        write(
            text,
            format_args!(
                ",\"floor\":{{\"origin\":{},\"normal\":{},\"right\":{},\"ahead\":{}}}",
                vector(below),
                vector(normal),
                vector(right),
                vector(ahead)
            ),
        );
    }

    fn push_contacts(&self, text: &mut String) {
        let context = &self.curves.context;
        let end = self.shown.count as f64 - 1.0;
        let visible = |first: f64, last: f64| last >= 0.0 && first <= end;
        let position = |frame: usize| self.shown.position(frame);
        let plants = context.plants.plants.iter().filter(|plant| !plant.frames.is_empty()).filter_map(|plant| {
            let at = |frame: usize| position(frame.saturating_sub(context.first_frame));
            let (first, last) = (at(plant.frames.start), at(plant.frames.end - 1));
            let (leg, point) = (plant.leg, plant.point.as_str());
            let (first_shown, last_shown) = (first.max(0.0), last.min(end));
            visible(first, last).then(|| {
                format!("{{\"leg\":{leg},\"point\":\"{point}\",\"first\":{first_shown:.2},\"last\":{last_shown:.2}}}")
            })
        });
        let stances = stances(context, self.curves.pair.after.frames);
        let stances = stances.iter().filter_map(|stance| {
            let (first, last) = (position(stance.frames.start), position(stance.frames.end));
            let (leg, first_shown, end_shown) = (stance.leg, first.max(0.0), last.min(end + 1.0));
            visible(first, last)
                .then(|| format!("{{\"leg\":{leg},\"first\":{first_shown:.2},\"end\":{end_shown:.2}}}"))
        });
        let (plants, stances): (Vec<String>, Vec<String>) = (plants.collect(), stances.collect());
        write(text, format_args!(",\"plants\":[{}],\"stances\":[{}]", plants.join(","), stances.join(",")));
    }

    /// The stored frame nearest to the worst moment.
    fn start(&self) -> usize {
        let frame = self.worst.as_ref().map_or(0, |worst| worst.frame);
        (self.shown.position(frame).round().max(0.0) as usize).min(self.shown.count - 1)
    }

    /// Two directions on the floor; the first is where the feet point at the start.
    fn axes(&self) -> (Vec3, Vec3) {
        let up = self.curves.context.floor.up();
        let frame = self.worst.as_ref().map_or(0, |worst| worst.frame);
        let legs = &self.curves.pair.after.legs;
        let toes: Vec3 = legs.iter().map(|leg| leg.ball[frame] - leg.heel[frame]).sum();
        let facing = (toes - up * up.dot(toes)).try_normalize();
        let right = facing.unwrap_or_else(|| floor_axes(up).0);
        (right, right.cross(up))
    }

    /// The angle of the camera, in radians: three quarters from the front, with the worst foot on the near side.
    fn turn(&self) -> f64 {
        let outer = self.worst.as_ref().map_or(-1.0, |worst| self.shape.feet[worst.plant.leg].outer);
        if outer > 0.0 { core::f64::consts::PI + 0.5 } else { -0.5 }
    }

    /// Height and width of the body in its tallest and widest pose, in metres. The pelvis is in the middle of the width.
    fn size(&self) -> (f64, f64) {
        let up = self.curves.context.floor.up();
        let motion = &self.report.clip.motion;
        let every = (self.shown.count / 32).max(1);
        let (mut tall, mut wide) = (self.shape.leg_length, 0.0);
        for frame in self.shown.iter().step_by(every) {
            let world = motion.poses[self.curves.context.first_frame + frame].world(&motion.skeleton);
            let points = self.shape.place(&world);
            let (mut low, mut high) = (f64::MAX, f64::MIN);
            for from_pelvis in points.iter().map(|at| *at - points[self.shape.pelvis]) {
                let above = from_pelvis.dot(up);
                (low, high) = (low.min(above), high.max(above));
                wide = f64::max(wide, 2.0 * (from_pelvis - up * above).length());
            }
            tall = f64::max(tall, high - low);
        }
        (tall, wide)
    }
}

/// A JSON string that is also safe inside a script element.
fn json_text(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => {
                write(&mut quoted, format_args!("\\u{:04x}", letter as u32));
            }
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}

fn write(text: &mut String, words: core::fmt::Arguments) {
    text.write_fmt(words).expect("writing to a string cannot fail");
}
