#[path = "../tests/labelled/mod.rs"]
mod labelled;
use surefoot_core::understand::*;
use surefoot_core::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let path = std::path::Path::new(&a[1]);
    let (from, to, leg): (usize, usize, usize) =
        (a[2].parse().unwrap(), a[3].parse().unwrap(), a[4].parse().unwrap());
    let m = labelled::capture(path);
    let excerpt = Excerpt { motion: m.clone(), frames: (0..m.frames()).collect() };
    let given = Given { unit_m: Some(1.0), up: Some(Up { axis: 1, negative: false }), ..Given::default() };
    let u = understand(&excerpt, &given);
    let legs = u.legs.unwrap().value;
    let f = u.floor.unwrap();
    println!("{:?} {}", f.value, f.reason);
    let (p, _) = labelled::plants(&m);
    let labels = if path.with_extension("contacts.csv").exists() {
        labelled::labels(path).into_iter().nth(leg).unwrap()
    } else {
        vec![None; m.frames()]
    };
    let places = |k: usize| {
        let pl = m.poses[k].placed(&m.skeleton);
        [pl.point(&legs[leg].heel), pl.point(&legs[leg].ball), pl.point(&legs[leg].toe)]
    };
    println!("frame label heel ball | height cm heel ball toe | speed h, v (m/s)");
    for k in from..to.min(m.frames() - 1) {
        let (a, b, c) = (places(k.max(1) - 1), places(k), places(k + 1));
        print!(
            "{k:5} {} {} {} ",
            labels[k].map_or("?", |l| if l { "#" } else { "." }),
            if p.is_planted(leg, FootPoint::Heel, k) { "H" } else { "." },
            if p.is_planted(leg, FootPoint::Ball, k) { "B" } else { "." }
        );
        for i in 0..3 {
            let v = (c[i] - a[i]) * m.fps / 2.0;
            print!(" | {:6.1} {:6.2} {:6.2} {:6.2}", 100.0 * f.value.above(b[i]), v.x, v.y, v.z);
        }
        println!();
    }
}
