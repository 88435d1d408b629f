//! Blends and loops.

use surefoot_core::{Clip, FootPoint, Footplants, Loop, Motion, Plant, RigidTransform, Vec3};
use surefoot_edit::blend::{Settings, Weight, WeightError, blend, count_steps};
use surefoot_edit::looping::{self, LoopStart, close, cycle_at, cycles, seam, whole_motion_loop, with_loop};
use surefoot_sample::{Kind, Recipe, Sample, make};
use surefoot_solve::{CleanResult, PlantReport, clean};

fn generate(kind: Kind, seconds: f64, seed: u64) -> Sample {
    make(&Recipe { kind, seconds, seed, fps: 30.0, ..Recipe::default() }).unwrap()
}

/// A clip with the body and floor of a sample.
fn clip_of(sample: &Sample, motion: &Motion, plants: &Footplants) -> Clip {
    Clip { motion: motion.clone(), plants: plants.clone(), ..sample.clip() }
}

/// A closed loop as a clip with the body and floor of a sample.
fn loop_of(sample: &Sample, closed: &looping::ClosedLoop) -> Clip {
    with_loop(&sample.clip(), &closed.edit, &closed.looping)
}

fn farthest(a: &Motion, b: &Motion) -> f64 {
    let pairs = a.poses.iter().zip(&b.poses);
    pairs
        .flat_map(|(a_pose, b_pose)| {
            let (a, b) = (a_pose.world(&a.skeleton).positions, b_pose.world(&b.skeleton).positions);
            a.into_iter().zip(b).map(|(a, b)| a.distance(b)).collect::<Vec<_>>()
        })
        .fold(0.0, f64::max)
}

#[test]
fn weights_0_and_1_reproduce_the_motions() {
    let (a, b) = (generate(Kind::Walk, 5.0, 1), generate(Kind::Turn, 6.0, 2));
    let blended = |weight: Weight| {
        blend((&a.motion, &a.plants), (&b.motion, &b.plants), &a.legs, &weight, &Settings::default())
            .unwrap()
            .edit
    };
    let first = blended(Weight::Constant(0.0));
    assert_eq!((first.motion, first.plants), (a.motion.clone(), a.plants.clone()));
    let second = blended(Weight::Curve(vec![(0.0, 1.0)]));
    assert_eq!((second.motion, second.plants), (b.motion.clone(), b.plants.clone()));
    // Weights near 0 and 1 take the general code path and give nearly the same motion.
    for (weight, whole) in [(1e-12, &a), (1.0 - 1e-12, &b)] {
        let near = blended(Weight::Constant(weight));
        assert!(near.motion.frames().abs_diff(whole.motion.frames()) <= 1);
        assert!(farthest(&near.motion, &whole.motion) < 1e-6);
        let times =
            |plants: &Footplants| plants.plants.iter().map(|plant| plant.frames.clone()).collect::<Vec<_>>();
        for (found, expected) in times(&near.plants).iter().zip(&times(&whole.plants)) {
            assert!(found.start.abs_diff(expected.start) <= 1 && found.end.abs_diff(expected.end) <= 1);
        }
    }
}

#[test]
fn the_registration_is_monotonic_and_limits_the_speed_ratio() {
    for (a, b) in [(Kind::Walk, Kind::Turn), (Kind::Walk, Kind::Run), (Kind::Stand, Kind::Walk)] {
        let (a, b) = (generate(a, 5.0, 1), generate(b, 8.0, 2));
        let weight = Weight::Constant(0.5);
        let blended =
            blend((&a.motion, &a.plants), (&b.motion, &b.plants), &a.legs, &weight, &Settings::default())
                .unwrap();
        let curve = &blended.registration;
        assert_eq!(curve.at(0.0), (0.0, 0.0));
        let ends = ((a.motion.frames() - 1) as f64, (b.motion.frames() - 1) as f64);
        assert!(
            (curve.at(curve.end()).0 - ends.0).abs() < 1e-9
                && (curve.at(curve.end()).1 - ends.1).abs() < 1e-9
        );
        let mut before = curve.at(0.0);
        for n in 1..=(4.0 * curve.end()) as usize {
            let now = curve.at(n as f64 / 4.0);
            let (first, second) = (now.0 - before.0, now.1 - before.1);
            assert!(first > 0.0 && second > 0.0, "{n}: {before:?} {now:?}");
            // Slightly more, because a subsampled map is stretched to the ends of the motions.
            assert!(first / second < 3.05 && second / first < 3.05, "{n}: {}", first / second);
            before = now;
        }
    }
}

#[test]
fn planted_feet_stay_put_in_a_blend() {
    let (a, b) = (generate(Kind::Walk, 5.0, 1), generate(Kind::Turn, 6.0, 2));
    for weight in [Weight::Constant(0.3), Weight::Constant(0.5), Weight::Curve(vec![(1.0, 0.0), (3.0, 1.0)])]
    {
        let edited =
            blend((&a.motion, &a.plants), (&b.motion, &b.plants), &a.legs, &weight, &Settings::default())
                .unwrap()
                .edit;
        assert!(edited.plants.plants.len() > 8);
        let clip = clip_of(&a, &edited.motion, &edited.plants);
        let report = clean(&clip, &Default::default()).unwrap().report;
        for plant in &report.plants {
            assert!(plant.drift_m < 1e-6 || !report.notes.is_empty(), "{plant:?}");
        }
    }
}

/// Without the height correction, feet would sink into the floor between a low sneak and a run.
#[test]
fn a_blended_body_keeps_its_height_above_its_feet() {
    let (a, b) = (generate(Kind::Sneak, 6.0, 1), generate(Kind::Run, 6.0, 1));
    let weight = Weight::Constant(0.5);
    let blended =
        blend((&a.motion, &a.plants), (&b.motion, &b.plants), &a.legs, &weight, &Settings::default())
            .unwrap();
    let lowest = |motion: &Motion, frame: usize| {
        let world = motion.poses[frame].world(&motion.skeleton);
        let points = a.legs.iter().flat_map(|leg| [leg.heel, leg.ball, leg.toe]);
        points.map(|point| world.point(&point).y).fold(f64::INFINITY, f64::min)
    };
    let motion = &blended.edit.motion;
    let mean = |of: &dyn Fn(usize) -> f64| (0..motion.frames()).map(of).sum::<f64>() / motion.frames() as f64;
    let expected = |frame: usize| {
        let step = blended.frames[frame];
        0.5 * (lowest(&a.motion, step.first as usize) + lowest(&b.motion, step.second as usize))
    };
    let difference = mean(&|frame| (lowest(motion, frame) - expected(frame)).abs());
    assert!(difference < 0.02, "{difference}");
    let deepest = (0..motion.frames()).map(|frame| lowest(motion, frame)).fold(0.0, f64::min);
    assert!(deepest > -0.03, "{deepest}");
}

/// Where one motion has a stance and the other a swing, the blended foot moves and is not planted.
#[test]
fn a_blend_has_no_plants_on_moving_feet() {
    let (a, b) = (generate(Kind::Walk, 6.0, 1), generate(Kind::Run, 6.0, 1));
    let weight = Weight::Constant(0.5);
    let edited =
        blend((&a.motion, &a.plants), (&b.motion, &b.plants), &a.legs, &weight, &Settings::default())
            .unwrap()
            .edit;
    assert!(edited.plants.plants.len() > 8, "{}", edited.plants.plants.len());
    for plant in &edited.plants.plants {
        let leg = &a.legs[plant.leg];
        let point = if plant.point == FootPoint::Heel { leg.heel } else { leg.ball };
        let at = |frame: usize| edited.motion.poses[frame].world(&edited.motion.skeleton).point(&point);
        for frame in plant.frames.clone().skip(1) {
            // The limit applies to a central difference; a single frame may be faster.
            let speed = at(frame).distance(at(frame - 1)) * edited.motion.fps;
            assert!(speed < 1.2, "{plant:?} at {frame}: {speed} m/s");
        }
    }
}

#[test]
fn motions_of_one_or_two_frames_can_be_blended() {
    let walk = generate(Kind::Walk, 4.0, 1);
    let none = Footplants::default();
    for few in [1, 2] {
        let short = Motion { poses: walk.motion.poses[30..30 + few].to_vec(), ..walk.motion.clone() };
        for (a, b) in [(&short, &walk.motion), (&walk.motion, &short), (&short, &short)] {
            let blended =
                blend((a, &none), (b, &none), &walk.legs, &Weight::Constant(0.5), &Settings::default())
                    .unwrap();
            assert!(!blended.edit.motion.poses.is_empty());
            assert!(blended.edit.motion.poses.iter().all(|pose| pose.offsets[0].is_finite()));
        }
    }
}

#[test]
fn different_motions_have_a_larger_distance_than_similar_ones() {
    let [one, same, other] =
        [generate(Kind::Walk, 4.0, 1), generate(Kind::Walk, 4.0, 1), generate(Kind::Run, 6.0, 1)];
    let blended = |second: &Sample| {
        let weight = Weight::Constant(0.5);
        let (a, b) = ((&one.motion, &one.plants), (&second.motion, &second.plants));
        blend(a, b, &one.legs, &weight, &Default::default()).unwrap()
    };
    let (near, far) = (blended(&same).distance, blended(&other).distance);
    assert!(near.max_m < 1e-3 && near.mean_m <= near.max_m, "{near:?}");
    assert!(far.mean_m > 0.02 && far.max_m > far.mean_m, "{far:?}");
    let steps = |sample: &Sample| count_steps(&sample.plants, sample.motion.fps);
    assert_eq!(steps(&one), steps(&same));
    assert!(steps(&other) > steps(&one), "{} {}", steps(&other), steps(&one));
    // Heel and ball plants of one stance are one step, also with a short gap while the foot rolls.
    let plant = |point, frames| Plant::new(0, point, frames);
    let rolls =
        vec![plant(FootPoint::Heel, 0..20), plant(FootPoint::Ball, 24..60), plant(FootPoint::Heel, 90..120)];
    assert_eq!(count_steps(&Footplants { plants: rolls }, 100.0), 2);
}

#[test]
fn invalid_weights_are_errors() {
    let error = |weight: Weight| weight.check().unwrap_err();
    assert_eq!(error(Weight::Constant(1.5)), WeightError::Range(1.5));
    assert!(matches!(error(Weight::Constant(f64::NAN)), WeightError::Range(_)));
    assert_eq!(error(Weight::Curve(vec![])), WeightError::Empty);
    assert_eq!(
        error(Weight::Curve(vec![(1.0, 0.0), (1.0, 1.0)])),
        WeightError::Order { before: 1.0, found: 1.0 }
    );
    assert_eq!(error(Weight::Curve(vec![(f64::INFINITY, 0.0)])), WeightError::Time(f64::INFINITY));
    assert_eq!(error(Weight::Curve(vec![(0.0, -0.1)])), WeightError::Range(-0.1));
    let curve = Weight::Curve(vec![(1.0, 0.0), (2.0, 1.0)]);
    assert_eq!([0.0, 1.5, 3.0].map(|time| curve.at(time)), [0.0, 0.5, 1.0]);
}

/// The best loop of a sample, closed and cleaned.
fn best_loop(sample: &Sample) -> (looping::ClosedLoop, CleanResult) {
    let settings = looping::Settings::default();
    let best = cycles(&sample.motion, &sample.plants, &settings, 1).unwrap()[0];
    cleaned_loop(sample, &best, &settings)
}

/// A cycle of a sample, closed and cleaned.
fn cleaned_loop(
    sample: &Sample,
    cycle: &looping::Cycle,
    settings: &looping::Settings,
) -> (looping::ClosedLoop, CleanResult) {
    let closed = close(&sample.motion, &sample.plants, &sample.legs, cycle, settings).unwrap();
    let cleaned = clean(&loop_of(sample, &closed), &Default::default()).unwrap();
    (closed, cleaned)
}

/// Starts and ends of plants in frames of the cycle.
fn plants_in_cycle(closed: &looping::ClosedLoop, first: usize, plants: &[PlantReport]) -> Vec<[usize; 4]> {
    let period = closed.looping.period;
    let start = closed.start_frame - first;
    let in_cycle = |frame: usize| (frame + start) % period;
    let mut all: Vec<[usize; 4]> = plants
        .iter()
        .map(|plant| {
            let (start, end) = (plant.frames.start, plant.frames.end);
            [plant.leg, usize::from(plant.point == FootPoint::Ball), in_cycle(start), in_cycle(end)]
        })
        .collect();
    all.sort();
    all
}

#[test]
fn the_start_of_a_loop_does_not_change_its_plants() {
    let sample = generate(Kind::Walk, 8.0, 1);
    let middle = |plant: &Plant| (plant.frames.start + plant.frames.end) / 2;
    let balls = sample.plants.plants.iter().filter(|plant| plant.leg == 0 && plant.point == FootPoint::Ball);
    let stances: Vec<usize> = balls.map(middle).collect();
    let first = looping::Settings { start: LoopStart::First, ..Default::default() };
    let cycle = cycle_at(&sample.motion, stances[2], stances[3], &first).unwrap();
    let (closed, cleaned) = cleaned_loop(&sample, &cycle, &first);
    let (shifted, shifted_clean) = cleaned_loop(&sample, &cycle, &looping::Settings::default());
    assert_ne!(shifted.start_frame, closed.start_frame, "the test needs two different starts");
    assert_eq!(
        plants_in_cycle(&closed, cycle.first, &cleaned.report.plants),
        plants_in_cycle(&shifted, cycle.first, &shifted_clean.report.plants)
    );
}

#[test]
fn a_cleaned_loop_is_periodic() {
    for kind in [Kind::Walk, Kind::Run, Kind::Sneak, Kind::Turn] {
        let sample = generate(kind, 8.0, 1);
        let (closed, cleaned) = best_loop(&sample);
        let periodic_m = cleaned.periodic_m.unwrap();
        assert!(periodic_m < 1e-9, "{kind:?}: {periodic_m}");
        let period = closed.looping.period;
        assert!(period >= 12 && cleaned.clip.motion.frames() == period + 1);
        // The loop travels, and its last frame is the first one period later.
        assert!(closed.looping.travel.translation.length() > 0.3, "{kind:?} {:?}", closed.looping);
        let moved = closed.looping.travel.pose(&cleaned.clip.motion.poses[0], &cleaned.clip.motion.skeleton);
        assert_eq!(cleaned.clip.motion.poses[period], moved);
        let seam = seam(&cleaned.clip.motion, &sample.legs, &closed.looping);
        assert!(seam.is_smooth(), "{kind:?} {seam:?}");
        for plant in &cleaned.report.plants {
            assert!(plant.drift_m < 1e-6 || !cleaned.report.notes.is_empty(), "{kind:?} {plant:?}");
        }
        assert!(!cleaned.report.plants.is_empty());
    }
}

/// The quietest frame can change by cleaning.
#[test]
fn a_loop_starts_at_the_quietest_frame_of_the_cleaned_motion() {
    for name in ["07_01", "111_01", "16_22"] {
        let Some(path) = surefoot_testdata::path(&format!("bvh/cmu/{name}.bvh")) else { return };
        let (_, _, clip) = crate::clips::read(&path);
        let Clip { motion, plants, .. } = clip.performance();
        let settings = looping::settings_for(&clip);
        let best = cycles(&motion, &plants, &settings, 1).unwrap()[0];
        let closed = close(&motion, &plants, &clip.legs, &best, &settings).unwrap();
        let loops = with_loop(&clip, &closed.edit, &closed.looping);
        let (begun, _) = looping::restart_at_quietest_frame(&loops, &Default::default()).unwrap();
        let clean = clean(&begun, &Default::default()).unwrap().clip.performance().motion;
        let seam = seam(&clean, &clip.legs, &closed.looping);
        assert!(seam.is_smooth(), "{name} {seam:?}");
    }
}

#[test]
fn the_best_cycle_of_a_walk_excludes_standing_at_its_ends() {
    let sample = generate(Kind::Walk, 8.0, 1);
    let best = cycles(&sample.motion, &sample.plants, &looping::Settings::default(), 1).unwrap()[0];
    let steps = sample
        .plants
        .plants
        .iter()
        .filter(|plant| best.first <= plant.frames.start && plant.frames.start < best.last);
    assert!(steps.count() >= 2, "{best:?}");
}

#[test]
fn a_cleaned_loop_is_detected_as_a_loop() {
    let (closed, cleaned) = best_loop(&generate(Kind::Walk, 8.0, 1));
    let (again, gap) = whole_motion_loop(&cleaned.clip.motion, &looping::Settings::default()).unwrap();
    assert_eq!(again.period, closed.looping.period);
    assert!(gap < 1e-9 && again.travel.translation.distance(closed.looping.travel.translation) < 1e-9);
    // It is also detected without the repeated frame.
    let open =
        Motion { poses: cleaned.clip.motion.poses[..again.period].to_vec(), ..cleaned.clip.motion.clone() };
    let (open, gap) = whole_motion_loop(&open, &looping::Settings::default()).unwrap();
    assert_eq!(open.period, closed.looping.period);
    // Its travel is then extrapolated from the frames next to the seam.
    let root = cleaned.clip.motion.poses[0].offsets[0];
    let difference = open.travel.point(root).distance(closed.looping.travel.point(root));
    assert!(gap < 0.01 && difference < 0.02, "{open:?} {gap} {difference}");
}

#[test]
fn a_plant_continues_across_the_seam() {
    let sample = generate(Kind::Walk, 8.0, 1);
    // From the middle of a stance to the middle of the next of the same foot.
    let stances: Vec<&Plant> = sample
        .plants
        .plants
        .iter()
        .filter(|plant| plant.leg == 0 && plant.point == FootPoint::Ball)
        .collect();
    let middle = |plant: &Plant| (plant.frames.start + plant.frames.end) / 2;
    let settings = looping::Settings { start: LoopStart::First, ..Default::default() };
    let cycle = cycle_at(&sample.motion, middle(stances[2]), middle(stances[3]), &settings).unwrap();
    let (closed, cleaned) = cleaned_loop(&sample, &cycle, &settings);
    let periodic_m = cleaned.periodic_m.unwrap();
    assert!(periodic_m < 1e-9, "{periodic_m}");
    let period = closed.looping.period;
    let across = cleaned.report.plants.iter().find(|plant| plant.leg == 0 && plant.frames.end > period);
    let across = across.expect("the foot is held across the seam");
    // The planted point is at its spot, moved by the travel of one period.
    let ball = sample.legs[0].ball;
    let at = |frame: usize| {
        let travel = closed.looping.travel.repeated((frame / period) as isize);
        travel.point(
            cleaned.clip.motion.poses[frame % period].world(&cleaned.clip.motion.skeleton).point(&ball),
        )
    };
    let spot = at(across.frames.start);
    for frame in across.frames.clone() {
        assert!(at(frame).distance(spot) < 1e-6, "{frame}: {}", at(frame).distance(spot));
    }
}

#[test]
fn plants_of_a_standing_loop_never_end() {
    let sample = generate(Kind::Stand, 6.0, 1);
    let all = |leg: usize, point| Plant::new(leg, point, 0..sample.motion.frames());
    let plants = Footplants { plants: vec![all(0, FootPoint::Ball), all(1, FootPoint::Ball)] };
    let settings = looping::Settings::default();
    let cycle = cycle_at(&sample.motion, 0, sample.motion.frames() - 1, &settings).unwrap();
    let closed = close(&sample.motion, &plants, &sample.legs, &cycle, &settings).unwrap();
    assert_eq!(closed.looping.travel, RigidTransform::IDENTITY);
    let cleaned = clean(&loop_of(&sample, &closed), &Default::default()).unwrap();
    let periodic_m = cleaned.periodic_m.unwrap();
    assert!(periodic_m < 1e-9, "{periodic_m}");
    assert_eq!(cleaned.report.plants.len(), 2);
}

#[test]
fn invalid_periods_are_errors_and_two_frames_can_be_closed() {
    let sample = generate(Kind::Walk, 4.0, 1);
    let two = Motion { poses: sample.motion.poses[40..42].to_vec(), ..sample.motion.clone() };
    let none = Footplants::default();
    let settings = looping::Settings::default();
    assert!(cycles(&two, &none, &settings, 1).unwrap().is_empty());
    let cycle = cycle_at(&two, 0, 1, &settings).unwrap();
    let closed = close(&two, &none, &sample.legs, &cycle, &settings).unwrap();
    let of_two = |motion: &Motion, looping: Loop| {
        let clip = Clip { looping: Some(looping), ..clip_of(&sample, motion, &none) };
        clean(&clip, &Default::default())
    };
    of_two(&closed.edit.motion, closed.looping).unwrap();
    for period in [0, 3] {
        let looped = Loop { period, travel: RigidTransform::IDENTITY };
        assert!(of_two(&two, looped).is_err());
    }
    let travel = RigidTransform { translation: Vec3::Y, ..RigidTransform::IDENTITY };
    assert!(of_two(&two, Loop { period: 2, travel }).is_err());
}

#[test]
fn a_blend_with_a_much_longer_motion_ends_with_the_shorter_one() {
    let (a, b) = (generate(Kind::Walk, 4.0, 1), generate(Kind::Walk, 20.0, 2));
    for (first, second) in [(&a, &b), (&b, &a)] {
        let blended = blend(
            (&first.motion, &first.plants),
            (&second.motion, &second.plants),
            &a.legs,
            &Weight::Constant(0.5),
            &Settings::default(),
        )
        .unwrap();
        let (from, to) = blended.registration.at(blended.registration.end());
        let (short, long) =
            if first.motion.frames() < second.motion.frames() { (from, to) } else { (to, from) };
        assert!((short - (a.motion.frames() - 1) as f64).abs() < 1e-9);
        // The walks have the same pace, so both advance alike.
        assert!((0.7..1.5).contains(&(long / short)), "{short} {long}");
    }
}
