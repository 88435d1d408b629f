//! DEV
use std::collections::BTreeMap;
use surefoot_contact::Settings;
use surefoot_contact::learned;
use surefoot_core::understand::{Given, understand};
use surefoot_formats::{Space, bvh::Bvh, contacts::read_contacts};
use surefoot_train::*;
fn env(name: &str, default: f64) -> f64 {
    std::env::var(name).map_or(default, |v| v.parse().unwrap())
}
fn main() {
    let mut all = Vec::new();
    for path in surefoot_testdata::files("labelled", ".bvh") {
        let bvh = Bvh::read(std::fs::read(&path).unwrap()).unwrap();
        let found = understand(&bvh.excerpt(), &Given::default());
        let space = Space { unit_m: found.unit_m.value, up: found.up.value };
        let legs: Vec<_> = found
            .legs
            .unwrap()
            .value
            .iter()
            .map(|l| {
                let mut l = l.clone();
                l.heel = space.point_in(l.heel);
                l.ball = space.point_in(l.ball);
                l.toe = space.point_in(l.toe);
                l
            })
            .collect();
        let motion = bvh.motion(&space);
        let c = read_contacts(&std::fs::read(path.with_extension("contacts.csv")).unwrap(), motion.frames())
            .unwrap();
        let down = legs.iter().map(|l| c.of(&l.side).unwrap().to_vec()).collect();
        let about = About::of(
            &path.parent().unwrap().file_name().unwrap().to_string_lossy(),
            &path.file_stem().unwrap().to_string_lossy(),
        );
        all.push(Labelled {
            about,
            motion,
            legs,
            floor: found.floor.map(|f| surefoot_core::Floor::Plane(f.value)),
            first_frame: 0,
            down,
            points: None,
        });
    }
    if std::env::var_os("SEEN").is_some() {
        let model = learned::Model::read(&std::fs::read(std::env::var("SEEN").unwrap()).unwrap()).unwrap();
        for l in &all {
            let touch = learned::detect(&model, &l.motion, &l.legs, l.floor.as_ref(), &Settings::default());
            let rest = learned::detect(
                &model,
                &l.motion,
                &l.legs,
                l.floor.as_ref(),
                &Settings { edges: surefoot_contact::Edges::Rest, ..Settings::default() },
            );
            let p = learned::probabilities(&model, &l.motion, &l.legs, l.floor.as_ref(), 0);
            let mut raw = Score::default();
            for (leg, p) in p.iter().enumerate() {
                raw.add(&Score::of_foot(
                    &l.down[leg],
                    &p.iter().map(|p| *p > 0.5).collect::<Vec<_>>(),
                    l.motion.fps,
                ));
            }
            let live = learned::detect_live(&model, &l.motion, &l.legs, l.floor.as_ref(), 0, 0.25);
            let (t, r, v) = (Score::of(l, &touch), Score::of(l, &rest), Score::of(l, &live));
            println!(
                "{:28} raw {:.4} touch {:.4} rest {:.4} live {:.4}  ground {:?}",
                l.about.name,
                raw.f1(),
                t.f1(),
                r.f1(),
                v.f1(),
                surefoot_contact::moving_ground(&l.motion, &l.legs, l.floor.as_ref(), &rest)
                    .map(|g| g.length())
            );
            if (raw.f1() - t.f1()).abs() > 0.004 {
                for plant in &touch.plants {
                    println!("      {} {:?} {:?}", plant.leg, plant.point, plant.frames);
                }
                for (leg, p) in p.iter().enumerate() {
                    let mut s = 0;
                    for run in p.chunk_by(|a, b| (*a > 0.5) == (*b > 0.5)) {
                        println!("   p {leg} {} {}..{}", run[0] > 0.5, s, s + run.len());
                        s += run.len();
                    }
                }
            }
        }
        return;
    }
    let mut how = Fitting::default();
    how.boosting.trees = env("TREES", how.boosting.trees as f64) as usize;
    how.boosting.rate = env("RATE", how.boosting.rate);
    how.boosting.shrink = env("SHRINK", how.boosting.shrink);
    how.boosting.features = env("FEATURES", how.boosting.features);
    how.copies = env("COPIES", how.copies as f64) as usize;
    how.power = env("POWER", how.power);
    how.samples = env("SAMPLES", how.samples as f64) as u64;
    if let Ok(out) = std::env::var("OUT") {
        let m = fit(&all.iter().collect::<Vec<_>>(), None, &how).unwrap();
        std::fs::write(out, m.write()).unwrap();
        return;
    }
    let folds = Folds::new(&all, 6);
    let held = held_out(&all, &folds, &Damage::SCORED, |seen| {
        let model = fit(seen, None, &how).unwrap();
        Box::new(move |l| learned::detect(&model, &l.motion, &l.legs, l.floor.as_ref(), &Settings::default()))
    });
    let mut rows: BTreeMap<String, Vec<Score>> = BTreeMap::new();
    for h in &held {
        let d = Damage::SCORED.iter().position(|d| *d == h.damage).unwrap();
        for key in [
            all[h.motion].about.kind.clone(),
            if all[h.motion].about.set == "biomechzoo" { all[h.motion].about.name.clone() } else { continue },
        ] {
            rows.entry(key).or_insert_with(|| vec![Score::default(); 4])[d].add(&h.score);
        }
        let key = all[h.motion].about.kind.clone();
        let _ = key;
    }
    for h in &held {
        if all[h.motion].about.set != "biomechzoo" {
            let d = Damage::SCORED.iter().position(|d| *d == h.damage).unwrap();
            rows.entry(all[h.motion].about.kind.clone()).or_insert_with(|| vec![Score::default(); 4])[d]
                .add(&h.score);
        }
    }
    for (k, s) in rows {
        let e = s[0].edges();
        println!(
            "{k:28} {} edges {:.0} {:.0} missed {} late {:?}",
            s.iter().map(|s| format!("{:.4}", s.f1())).collect::<Vec<_>>().join(" "),
            e.map_or(0.0, |e| 1e3 * e.median),
            e.map_or(0.0, |e| 1e3 * e.within),
            e.map_or(0, |e| e.missed),
            s[0].late()
        );
    }
}
