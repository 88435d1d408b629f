//! Samples, whose plants are known exactly, and how detected ones compare.

use std::fmt::Write;

use surefoot_contact::{Settings, detect};
use surefoot_core::{FootPoint, Footplants, Plant};
use surefoot_sample::{Body, Kind, Recipe, Skate, make};

/// How the plants of one point of a sample compare.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    pub truths: usize,
    pub extra: usize,
    pub missed: usize,
    /// Frames by which each found edge is late.
    pub starts: Vec<i64>,
    pub ends: Vec<i64>,
}

pub fn compare(
    truth: &Footplants,
    found: &Footplants,
    point: FootPoint,
    frames: usize,
    shortest: usize,
) -> Compared {
    let mut c = Compared::default();
    let of =
        |p: &Footplants| -> Vec<Plant> { p.plants.iter().filter(|p| p.point == point).cloned().collect() };
    let (truth, found) = (of(truth), of(found));
    let shared = |a: &Plant, b: &Plant| {
        if a.leg != b.leg {
            0
        } else {
            a.frames.end.min(b.frames.end).saturating_sub(a.frames.start.max(b.frames.start))
        }
    };
    let mut used = vec![false; found.len()];
    for t in &truth {
        if t.frames.len() < shortest {
            continue;
        }
        c.truths += 1;
        let best = (0..found.len())
            .filter(|&k| !used[k] && shared(t, &found[k]) > 0)
            .max_by_key(|&k| shared(t, &found[k]));
        let Some(k) = best else {
            c.missed += 1;
            continue;
        };
        used[k] = true;
        let f = &found[k].frames;
        if t.frames.start > 0 {
            c.starts.push(f.start as i64 - t.frames.start as i64);
        }
        if t.frames.end < frames {
            c.ends.push(f.end as i64 - t.frames.end as i64);
        }
    }
    c.extra = (0..found.len())
        .filter(|&k| {
            !used[k]
                && !truth
                    .iter()
                    .any(|t| shared(t, &found[k]) == found[k].frames.len() && t.frames.len() < shortest)
        })
        .count();
    c
}

pub fn table(fps: f64) -> String {
    let mut text = format!(
        "  {:26}{:>6}{:>7}{:>6}  start min med max   end min med max (frames at {fps})\n",
        "", "true", "missed", "extra"
    );
    let spread = |v: &[i64]| {
        let mut v = v.to_vec();
        v.sort();
        if v.is_empty() {
            "   -   -   -".into()
        } else {
            format!("{:4}{:4}{:4}", v[0], v[v.len() / 2], v[v.len() - 1])
        }
    };
    for body in Body::ALL {
        for kind in Kind::ALL {
            for skate in [None]
                .into_iter()
                .chain(Skate::ALL.map(Some))
                .chain([Some(Skate::Scale(0.85)), Some(Skate::Scale(1.15))])
            {
                let recipe = Recipe { kind, body, fps, skate, seconds: 8.0, ..Recipe::default() };
                let Ok(s) = make(&recipe) else { continue };
                let found = detect(&s.motion, &s.legs, Some(&s.floor), &super::settings());
                for point in [FootPoint::Heel, FootPoint::Ball] {
                    let c = compare(&s.plants, &found, point, s.motion.frames(), (0.06 * fps) as usize);
                    let sk = skate.map_or("".to_string(), |s| format!("{}{}", s.word(), s.amount()));
                    writeln!(
                        text,
                        "  {:26}{:6}{:7}{:6}  {}      {}",
                        format!("{} {} {} {}", body.word(), kind.word(), sk, point.word()),
                        c.truths,
                        c.missed,
                        c.extra,
                        spread(&c.starts),
                        spread(&c.ends)
                    )
                    .unwrap();
                }
            }
        }
    }
    text
}
