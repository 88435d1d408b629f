//! The comparison with open programs in the book is what `cargo bench -p surefoot --bench peers` prints and draws.
//!
//! `UPDATE_EXPECT=1 cargo test -p surefoot peers` rewrites tables and figures that differ.

use surefoot::core::{Clip, FootPoint, Footplants, Motion, Plant, Vec3};
use surefoot::sample::{Kind, Recipe, make};

use crate::book_pages::{book, expect_current};

#[path = "../../benches/peers/comparison/mod.rs"]
mod comparison;

use comparison::{CAPTURED, GENERATED, figure, mean_targets, table, toe_lock};

/// The page with the table below its marker replaced.
fn with_table(page: &str, name: &str, table: &str) -> String {
    let marker = format!("<!-- table: {name} -->\n");
    let (before, rest) = page.split_once(&marker).unwrap_or_else(|| panic!("no {marker}"));
    let old: usize = rest.lines().take_while(|line| line.starts_with('|')).map(|line| line.len() + 1).sum();
    format!("{before}{marker}{table}{}", &rest[old..])
}

#[test]
fn tables_and_figures_of_the_comparison_are_current_in_the_book() {
    let path = book("method/published-figures.md");
    let mut page = std::fs::read_to_string(&path).unwrap();
    for (name, clips) in [("generated", &GENERATED[..]), ("captured", &CAPTURED)] {
        // Captures may be missing, generated motions never.
        let Some(table) = table(clips) else { continue };
        page = with_table(&page, name, &table);
    }
    expect_current(&path, &page);
    for clip in GENERATED.iter().chain(&CAPTURED) {
        let name = format!("figures/peers-{}.svg", clip.name);
        if let Some(svg) = figure(clip).filter(|_| page.contains(&name)) {
            expect_current(&book(&name), &svg);
        }
    }
}

#[test]
fn ours_holds_every_point_where_the_others_slide_by_millimetres() {
    let rows = table(&GENERATED).unwrap();
    let drifts = |method: &str| {
        let of_method = rows.lines().filter(|row| row.contains(&format!("| {method} |")));
        of_method.map(|row| row.split('|').nth(4).unwrap().trim().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(drifts("ours"), ["0.0, 0.0 mm"; GENERATED.len()]);
    for method in ["toe lock", "mean targets"] {
        assert!(drifts(method).iter().all(|drift| !drift.starts_with("0.0")), "{method}: {rows}");
    }
}

/// A person who stands, with the left ball planted in the given frames.
fn standing(plants: &[core::ops::Range<usize>]) -> Clip {
    let recipe = Recipe { kind: Kind::Stand, fps: 60.0, seconds: 3.0, ..Recipe::default() };
    let clip = make(&recipe).unwrap().into_clip();
    let plants = plants.iter().map(|frames| Plant::new(0, FootPoint::Ball, frames.clone())).collect();
    Clip { plants: Footplants { plants }, ..clip }
}

fn ball(motion: &Motion, clip: &Clip, frame: usize) -> Vec3 {
    motion.poses[frame].world(&motion.skeleton).point(&clip.legs[0].ball)
}

#[test]
fn a_ball_that_is_dragged_stays_where_the_toe_lock_caught_it() {
    let mut clip = standing(core::slice::from_ref(&(30..120)));
    // The body glides by 5 cm in the second after the lock.
    for (frame, pose) in clip.motion.poses.iter_mut().enumerate() {
        pose.offsets[0].z += 0.05 * ((frame as f64 - 40.0) / 60.0).clamp(0.0, 1.0);
    }
    let after = toe_lock::toe_lock(&clip);
    let [caught, held] = [35, 110].map(|frame| ball(&after, &clip, frame));
    // The leg stays short of straight and the root where it is: the lock gives by 3 mm of the 5 cm.
    assert!(caught.distance(held) < 5e-3, "{caught} {held}");
    assert!(ball(&clip.motion, &clip, 35).distance(ball(&clip.motion, &clip, 110)) > 0.04);
    // Long after the contact the ball is where it was captured.
    assert!(ball(&after, &clip, 179).distance(ball(&clip.motion, &clip, 179)) < 2e-3);
}

#[test]
fn mean_targets_without_plants_change_nothing() {
    let clip = standing(&[]);
    let after = mean_targets::mean_targets(&clip);
    for frame in [0, 60, 170] {
        assert!(ball(&after, &clip, frame).distance(ball(&clip.motion, &clip, frame)) < 1e-9);
    }
}
