//! Throwaway figures on real clips.
use surefoot_core::understand::{Given, understand};
use surefoot_core::*;
use surefoot_formats::Space;
use surefoot_formats::bvh::Bvh;
use surefoot_solve::*;

fn p99(mut v: Vec<f64>) -> (f64, f64) {
    v.sort_by(f64::total_cmp);
    if v.is_empty() { return (0.0, 0.0); }
    let n = ((v.len() as f64 * 0.99).ceil() as usize).clamp(1, v.len()) - 1;
    (v[n], v[v.len() - 1])
}

struct Track { knee: Vec<Vec<f64>>, root: Vec<Vec3>, heel: Vec<Vec<Vec3>>, ball: Vec<Vec<Vec3>>, joints: Vec<Vec<[Vec3; 3]>>, len: Vec<Vec<[f64; 2]>> }

fn track(m: &Motion, legs: &[Leg]) -> Track {
    let mut t = Track { knee: vec![vec![]; legs.len()], root: vec![], heel: vec![vec![]; legs.len()], ball: vec![vec![]; legs.len()], joints: vec![vec![]; legs.len()], len: vec![vec![]; legs.len()] };
    let mut p = Placed::default();
    for pose in &m.poses {
        pose.place(&m.skeleton, &mut p);
        t.root.push(pose.offsets[0]);
        for (i, l) in legs.iter().enumerate() {
            let (h, k, a) = (p.joint(l.hip), p.joint(l.knee), p.joint(l.ankle));
            t.knee[i].push((h - k).angle_between(a - k));
            t.heel[i].push(p.point(&l.heel));
            t.ball[i].push(p.point(&l.ball));
            t.joints[i].push([h, k, a]);
            t.len[i].push([(h - k).length(), (a - k).length()]);
        }
    }
    t
}

fn acc(v: &[f64], fps: f64) -> Vec<f64> { v.windows(3).map(|w| ((w[0] - 2.0 * w[1] + w[2]) * fps * fps).abs()).collect() }
fn acc3(v: &[Vec3], fps: f64) -> Vec<f64> { v.windows(3).map(|w| ((w[0] - 2.0 * w[1] + w[2]) * fps * fps).length()).collect() }

fn plants(t: &Track, legs: usize, fps: f64, floor: &Floor, speed: f64, height: f64) -> Footplants {
    let mut out = Footplants::default();
    for leg in 0..legs {
        for (point, path) in [(FootPoint::Heel, &t.heel[leg]), (FootPoint::Ball, &t.ball[leg])] {
            let n = path.len();
            let half = ((0.02 * fps).round() as usize).max(1);
            let v = |i: usize| { let (a, b) = (i.saturating_sub(half), (i + half).min(n - 1)); (path[b] - path[a]).length() / ((b - a) as f64) * fps };
            let on: Vec<bool> = (0..n).map(|i| v(i) < speed && floor.above(path[i]) < height).collect();
            let mut i = 0;
            while i < n {
                if on[i] {
                    let s = i;
                    let mut e = i + 1;
                    let mut gap = 0;
                    while e + gap < n && gap <= (0.06 * fps) as usize { if on[e + gap] { e += gap + 1; gap = 0 } else { gap += 1 } }
                    let (mut s, mut e) = (s, e);
                    let trim: f64 = std::env::var("TRIM").ok().and_then(|s| s.parse().ok()).unwrap_or(0.015);
                    for _ in 0..3 {
                        let mean = path[s..e].iter().sum::<Vec3>() / (e - s) as f64;
                        while e > s + 1 && (path[s] - mean).length() > trim && v(s) > 0.1 { s += 1 }
                        while e > s + 1 && (path[e - 1] - mean).length() > trim && v(e - 1) > 0.1 { e -= 1 }
                    }
                    let (s, e) = (s, e);
                    if (e - s) as f64 / fps > 0.1 { out.plants.push(Plant { leg, point, frames: s..e, spot: None, confidence: None }); }
                    i = e + 1;
                } else { i += 1 }
            }
        }
    }
    out
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let scale: f64 = std::env::var("SCALE").ok().and_then(|s| s.parse().ok()).unwrap_or(1.0);
    let speed: f64 = std::env::var("SPEED").ok().and_then(|s| s.parse().ok()).unwrap_or(0.4);
    let e = |n: &str, d: f64| std::env::var(n).ok().and_then(|s| s.parse().ok()).unwrap_or(d);
    let mut all: Vec<[f64; 8]> = vec![];
    for path in &args {
        let bvh = Bvh::read(std::fs::read(path).unwrap()).unwrap();
        let u = understand(&bvh.excerpt(), &Given::default());
        let Ok(legs) = &u.legs else { println!("{path}: no legs"); continue };
        let space = Space { unit_m: u.unit_m.value, up: u.up.value };
        let mut motion = bvh.motion(&space);
        if u.inserted_t_pose.value { motion.poses.remove(0); }
        if motion.poses.len() < 10 { continue }
        let legs: Vec<Leg> = legs.value.iter().map(|l| Leg { heel: space.point_in(l.heel), ball: space.point_in(l.ball), toe: space.point_in(l.toe), ..l.clone() }).collect();
        let Some(f) = &u.floor else { println!("{path}: no floor"); continue };
        let floor = Floor { normal: space.turn_in(f.value.normal), offset: f.value.offset };
        let t0 = track(&motion, &legs);
        let plants = plants(&t0, legs.len(), motion.fps, &floor, speed, e("HEIGHT", 0.05));
        if scale != 1.0 {
            let first = motion.poses[0].offsets[0];
            for p in &mut motion.poses { let d = p.offsets[0] - first; p.offsets[0] = first + Vec3::new(d.x * scale, d.y, d.z * scale); }
        }
        let t0 = track(&motion, &legs);
        let scene = Scene { skeleton: motion.skeleton.clone(), fps: motion.fps, legs: legs.clone(), floor: Some(floor) };
        let mut row = [0.0; 8];
        for (which, mut settings) in [("paper", Settings::paper()), ("cured", Settings::default())] {
            settings.knee = e("KNEE", settings.knee);
            settings.root = e("ROOT", settings.root);
            settings.blend = e("BLEND", settings.blend);
            settings.ankles = e("ANKLES", settings.ankles);
            settings.stretch = e("STRETCH", settings.stretch);
            let start = std::time::Instant::now();
            let (clean, report) = clean(&motion, &scene, &plants, &settings).unwrap();
            let time = start.elapsed().as_secs_f64() / motion.frames() as f64 * 1e6;
            let t1 = track(&clean, &legs);
            let fps = motion.fps;
            let knee = |t: &Track| p99(t.knee.iter().flat_map(|k| acc(k, fps)).collect());
            let (k0, k1) = (knee(&t0), knee(&t1));
            let (r0, r1) = (p99(acc3(&t0.root, fps)), p99(acc3(&t1.root, fps)));
            let drift = |t: &Track| plants.plants.iter().map(|p| {
                let path = if p.point == FootPoint::Heel { &t.heel[p.leg] } else { &t.ball[p.leg] };
                path[p.frames.clone()].iter().map(|q| (*q - path[p.frames.start]).length()).fold(0.0, f64::max)
            }).fold(0.0, f64::max);
            let added = (0..legs.len()).flat_map(|l| { let (a, b) = (&t0.joints[l], &t1.joints[l]); (1..a.len() - 1).flat_map(move |i| (0..3).map(move |j| {
                let d = |t: &Vec<[Vec3; 3]>| t[i - 1][j] - 2.0 * t[i][j] + t[i + 1][j]; ((d(b) - d(a)) * fps * fps).length() })) }).fold(0.0, f64::max);
            if which == "cured" && std::env::var("WHERE").is_ok() { let mut w: Vec<(f64, usize, usize, usize)> = vec![]; for l in 0..legs.len() { let (a, b) = (&t0.joints[l], &t1.joints[l]); for i in 1..a.len() - 1 { for j in 0..3 { let d = |t: &Vec<[Vec3; 3]>| t[i - 1][j] - 2.0 * t[i][j] + t[i + 1][j]; w.push((((d(b) - d(a)) * fps * fps).length(), l, i, j)); } } } w.sort_by(|a, b| b.0.total_cmp(&a.0)); for x in &w[..8] { println!("   added {:.1} leg {} frame {} joint {}", x.0, x.1, x.2, ["hip", "knee", "ankle"][x.3]); } for p in &plants.plants { println!("   {} {:?} {:?}", p.leg, p.point, p.frames); } }
            if which == "cured" && std::env::var("WHERE").is_ok() { for i in 48..60 { let d = t1.joints[0][i][2] - t0.joints[0][i][2]; let k = t1.joints[0][i][1] - t0.joints[0][i][1]; let h = t1.heel[0][i]; println!("   {i} ankle moved {:.1} {:.1} {:.1} mm knee moved {:.1} {:.1} {:.1} heel at {:.1} {:.1} {:.1} was {:.1} {:.1} {:.1} knee angle {:.2} was {:.2}", d.x * 1e3, d.y * 1e3, d.z * 1e3, k.x * 1e3, k.y * 1e3, k.z * 1e3, h.x * 1e3, h.y * 1e3, h.z * 1e3, t0.heel[0][i].x * 1e3, t0.heel[0][i].y * 1e3, t0.heel[0][i].z * 1e3, t1.knee[0][i].to_degrees(), t0.knee[0][i].to_degrees()); } }
            let own = (0..legs.len()).flat_map(|l| { let a = &t0.joints[l]; (1..a.len() - 1).flat_map(move |i| (0..3).map(move |j| {
                ((a[i - 1][j] - 2.0 * a[i][j] + a[i + 1][j]) * fps * fps).length() })) }).fold(0.0, f64::max);
            let stretch = report.plants.iter().map(|p| p.stretch).fold(0.0, f64::max);
            let slide = report.plants.iter().filter(|p| p.slide_m > 1e-6).count();
            let pen = (0..legs.len()).flat_map(|l| t1.heel[l].iter().chain(&t1.ball[l]).map(|p| -floor.above(*p))).fold(0.0, f64::max);
            println!("{:<28} {which} {:4} plants drift {:6.1} -> {:9.6} mm  knee {:5.2} {:5.2}  root {:5.2} {:5.2}  stretch {:4.1}% slides {slide} added {:.1} own {:.1} pen {:.1}mm moved {:.1} mm  {time:.2} us", path.rsplit('/').next().unwrap(), plants.plants.len(), drift(&t0) * 1e3, drift(&t1) * 1e3, k1.0 / k0.0, k1.1 / k0.1, r1.0 / r0.0, r1.1 / r0.1, stretch * 100.0, added, own, pen * 1e3, report.plants.iter().map(|p| p.moved_m).fold(0.0, f64::max) * 1e3);
            if which == "cured" { row = [k1.0 / k0.0, k1.1 / k0.1, r1.0 / r0.0, r1.1 / r0.1, stretch, added / own, drift(&t1), slide as f64]; }
        }
        all.push(row);
    }
    let med = |i: usize| { let mut v: Vec<f64> = all.iter().map(|r| r[i]).collect(); v.sort_by(f64::total_cmp); (v[v.len() / 2], v[v.len() - 1]) };
    if !all.is_empty() { for (i, n) in ["knee p99", "knee max", "root p99", "root max", "stretch", "added/own", "drift", "slides"].iter().enumerate() { println!("{n}: median {:.3} worst {:.4}", med(i).0, med(i).1); } }
}
