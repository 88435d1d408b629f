//! Throwaway: prints joint positions and foot points as CSV, for plotting.
use surefoot_sample::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let recipe = Recipe {
        kind: Kind::from_word(&a[1]).unwrap(),
        body: Body::from_word(a.get(2).map_or("human", |s| s)).unwrap(),
        fps: 120.0,
        seconds: a.get(3).map_or(6.0, |s| s.parse().unwrap()),
        skate: a.get(4).and_then(|s| Skate::from_word(s)),
        ..Recipe::default()
    };
    let s = make(&recipe).unwrap();
    let sk = &s.motion.skeleton;
    let parents: Vec<String> = sk
        .joints()
        .iter()
        .map(|j| j.parent.map_or("-1".into(), |p| p.0.to_string()))
        .collect();
    println!(
        "{}",
        sk.joints()
            .iter()
            .map(|j| j.name.clone())
            .collect::<Vec<_>>()
            .join(",")
    );
    println!("{}", parents.join(","));
    println!(
        "{}",
        s.legs
            .iter()
            .map(|l| format!("{},{},{},{}", l.side, l.hip.0, l.knee.0, l.ankle.0))
            .collect::<Vec<_>>()
            .join(";")
    );
    for (i, pose) in s.motion.poses.iter().enumerate() {
        let p = pose.placed(sk);
        let mut row: Vec<String> = vec![];
        for q in &p.positions {
            row.push(format!("{:.6},{:.6},{:.6}", q.x, q.y, q.z));
        }
        for (k, l) in s.legs.iter().enumerate() {
            for pt in [&l.heel, &l.ball, &l.toe] {
                let q = p.point(pt);
                row.push(format!("{:.6},{:.6},{:.6}", q.x, q.y, q.z));
            }
            use surefoot_core::FootPoint::*;
            row.push(format!(
                "{},{}",
                s.plants.is_planted(k, Heel, i) as u8,
                s.plants.is_planted(k, Ball, i) as u8
            ));
        }
        for (j, joint) in sk.joints().iter().enumerate() {
            if let Some(e) = joint.end {
                let q = p.positions[j] + p.rotations[j] * e;
                row.push(format!("{:.6},{:.6},{:.6}", q.x, q.y, q.z));
            }
        }
        println!("{}", row.join(","));
    }
}
