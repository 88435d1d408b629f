//! A captured walk, and the same walk with its root path scaled by 1.1, as after retargeting.

use surefoot_core::{Clip, Floor, FootPoint, Footplants, Leg, Motion, Plant, Vec3, WorldPose};
use surefoot_formats::{Space, bvh::Bvh};
use surefoot_infer::{Overrides, infer};
use surefoot_measure::{Figures, Report, measure, report};

/// The walk with plants from a threshold: within 3 cm of the floor and slower than 0.2 m/s for at
/// least 0.1 s.
fn walk() -> Option<Clip> {
    let file = surefoot_testdata::path("bvh/cmu/02_01.bvh")?;
    let bvh = Bvh::read(std::fs::read(file).unwrap()).unwrap();
    let found = infer(&bvh.excerpt(), &Overrides::default());
    let space = Space { unit_m: found.unit_m.value, up: found.up.value };
    let motion = bvh.motion(&space);
    let legs = space.legs_from_file(&found.legs.unwrap().value);
    let floor = found.floor.unwrap().value;
    let floor = Floor::from(space.plane_from_file(floor));
    let first_frame = usize::from(found.inserted_t_pose.value);
    let plants = plain_plants(&motion, &legs, &floor, first_frame);
    Some(Clip { motion, legs, plants, floor: Some(floor), first_frame, ..Clip::default() })
}

fn plain_plants(motion: &Motion, legs: &[Leg], floor: &Floor, first_frame: usize) -> Footplants {
    let placed: Vec<WorldPose> = motion.poses.iter().map(|pose| pose.world(&motion.skeleton)).collect();
    let mut plants = Footplants::default();
    for (leg, on) in legs.iter().enumerate() {
        for (point, on) in [(FootPoint::Heel, on.heel), (FootPoint::Ball, on.ball)] {
            let places: Vec<Vec3> = placed.iter().map(|placed| placed.point(&on)).collect();
            let down = |frame: usize| {
                let speed = places[frame].distance(places[frame - 1]) * motion.fps;
                floor.above(places[frame]) < 0.03 && speed < 0.2
            };
            let mut start = None;
            for frame in first_frame + 1..=places.len() {
                match (start, frame < places.len() && down(frame)) {
                    (None, true) => start = Some(frame),
                    (Some(first), false) => {
                        let long = (frame - first) as f64 > 0.1 * motion.fps;
                        let plant = Plant::new(leg, point, first..frame);
                        plants.plants.extend(long.then_some(plant));
                        start = None;
                    }
                    _ => {}
                }
            }
        }
    }
    plants
}

/// The walk with its root path scaled by 1.1.
fn longer(motion: &Motion) -> Motion {
    let mut motion = motion.clone();
    motion.poses.iter_mut().for_each(|pose| pose.offsets[0] *= Vec3::new(1.1, 1.0, 1.1));
    motion
}

fn figures(walk: &Clip) -> Figures {
    measure(walk, Some(&longer(&walk.motion))).unwrap()
}

#[test]
fn a_longer_path_makes_a_walk_skate() {
    let Some(walk) = walk() else { return };
    let figures = figures(&walk);
    let before = figures.before.as_ref().unwrap();
    assert!(figures.plants.len() >= 6, "{} plants", figures.plants.len());
    assert!(before.drift_max_m > figures.after.drift_max_m);
    assert!(before.slide_mean_m_per_s.unwrap() > 1.5 * figures.after.slide_mean_m_per_s.unwrap());
    assert!(before.skate_mann_m_per_s > figures.after.skate_mann_m_per_s);
    assert_eq!(figures.after.stretch_max, Some(0.0));
    // Scaling the path does not change joint angles.
    assert!(figures.change.as_ref().unwrap().knee_changed_max_rad.unwrap() < 1e-9);
    println!("{}", figures.table());
}

#[test]
fn a_captured_walk_has_a_page() {
    let Some(walk) = walk() else { return };
    let (before, figures) = (longer(&walk.motion), figures(&walk));
    let page = report(&Report {
        title: "02_01.bvh",
        clip: &walk,
        before: Some(&before),
        figures: &figures,
        missed_limits: &[],
        warnings: &[],
        notes: &[],
    })
    .unwrap();
    assert!(page.len() < 1_000_000 && !page.contains("NaN"));
}
