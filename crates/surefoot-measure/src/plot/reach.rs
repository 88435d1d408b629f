//! Plot of knee corrections against leg extension.
//!
//! After figure 6 of Kovar et al.: the curve is the knee rotation that makes the leg 1 % longer, as a
//! function of its extension. The dots are the knee corrections of this motion.

use super::svg::{Anchor, Mark, Svg};
use super::ticks::ticks;
use super::{Curves, Plot, WIDTH};
use crate::stretch::bones;
use std::collections::HashSet;
use surefoot_core::math::{PI, acos};

const LEFT: f64 = 58.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 26.0;
const TALL: f64 = 170.0;
const BOTTOM: f64 = 20.0;

/// Smallest plotted extension, as a share of the straight leg. Below it knee corrections are small.
const FROM: f64 = 0.7;

/// Largest knee correction that counts as unchanged, in degrees: rounding of the file.
const UNCHANGED: f64 = 0.001;

/// Distance below which dots are merged, in pixels.
const NEAR: f64 = 3.0;

/// Knee corrections against captured leg extension; `None` without a motion before or without
/// corrections.
pub fn reach(curves: &Curves) -> Option<Plot> {
    let turns = turns(curves);
    let bones = bones(curves.pair.before.as_ref()?.legs.first()?).first().copied()?;
    let needed = needed_turns(bones);
    let most = |points: &[(f64, f64)]| points.iter().map(|point| point.1).reduce(f64::max);
    // The curve is unbounded near full extension, so its last points do not set the range.
    let high = most(&turns)?.max(most(&needed)?) * 1.1;
    let (height, title) = (TOP + TALL + BOTTOM, "knee correction, by leg extension in % of the straight leg");
    let mut svg = Svg::new(WIDTH, height, title);
    let items = [(Mark::Line("other"), "needed for 1 % of reach"), (Mark::Dot, "correction in this motion")];
    svg.heading((LEFT, 14.0), title, &items);
    draw_axes(&mut svg, high, height);
    let place = |(reach, degrees): (f64, f64)| (x(reach), y(degrees, high));
    svg.curve("other", needed.into_iter().map(|point| Some(place(point))));
    let mut drawn = HashSet::new();
    let cell = |at: &(f64, f64)| ((at.0 / NEAR) as i32, (at.1 / NEAR) as i32);
    svg.dots("after", turns.into_iter().map(place).filter(|at| drawn.insert(cell(at))));
    Some(Plot { title: title.into(), height, svg: svg.finish() })
}

fn x(reach: f64) -> f64 {
    LEFT + (WIDTH - LEFT - RIGHT) * (reach - FROM) / (1.0 - FROM)
}

fn y(degrees: f64, high: f64) -> f64 {
    TOP + TALL * (1.0 - degrees / high)
}

/// Captured extension and correction, in degrees, of each changed knee.
fn turns(curves: &Curves) -> Vec<(f64, f64)> {
    let before = curves.pair.before.iter().flat_map(|paths| &paths.legs);
    before
        .zip(&curves.pair.after.legs)
        .flat_map(|(before, after)| {
            let lengths = bones(before);
            let angles = before.knee_angles().into_iter().zip(after.knee_angles());
            let turn = |(frame, (was, is)): (usize, (f64, f64))| {
                let reach = before.hip[frame].distance(before.ankle[frame]);
                (reach / (lengths[frame][0] + lengths[frame][1]), (is - was).abs() * 180.0 / PI)
            };
            angles.enumerate().map(turn).collect::<Vec<_>>()
        })
        .filter(|point| point.1 > UNCHANGED && point.0 >= FROM)
        .collect()
}

/// Knee rotation, in degrees, that adds 1 % of the straight leg, as a function of extension.
fn needed_turns([thigh, shin]: [f64; 2]) -> Vec<(f64, f64)> {
    let straight = thigh + shin;
    let angle = |reach: f64| {
        let long = reach * straight;
        // For a distance out of range the knee has the nearest possible angle.
        acos(((thigh * thigh + shin * shin - long * long) / (2.0 * thigh * shin)).clamp(-1.0, 1.0))
    };
    let reaches = (0..=290).map(|n| FROM + f64::from(n) * 0.001);
    reaches.map(|reach| (reach, (angle(reach + 0.01) - angle(reach)) * 180.0 / PI)).collect()
}

fn draw_axes(svg: &mut Svg, high: f64, height: f64) {
    let upright = ticks(0.0, high, 5);
    for &degrees in &upright.at {
        let at = y(degrees, high);
        svg.line(if degrees == 0.0 { "axis" } else { "grid" }, (LEFT, at), (WIDTH - RIGHT, at));
        let label = upright.label(degrees) + if Some(&degrees) == upright.at.last() { "°" } else { "" };
        svg.text("tick", (LEFT - 6.0, at + 4.0), Anchor::End, &label);
    }
    for percent in (70..=100).step_by(5) {
        let at = x(f64::from(percent) / 100.0);
        svg.line("grid", (at, TOP), (at, TOP + TALL));
        let (label, anchor) = match percent {
            100 => ("100 %".into(), Anchor::End),
            _ => (percent.to_string(), Anchor::Middle),
        };
        svg.text("tick", (at, height - 6.0), anchor, &label);
    }
}
