//! Fitting: the same bytes each time, clear refusals, and a model that takes to a performer.

use surefoot_contact::Settings;
use surefoot_contact::learned::{Model, detect};
use surefoot_core::Motion;
use surefoot_sample::Skate;
use surefoot_train::{
    About, Boosting, C3dFitError, Damage, Fitting, Folds, Labelled, Reliability, Score, damaged, fit,
    held_out, resampled, rests_reliability, samples,
};

/// Enough trees to tell feet in samples apart, few enough for a test.
fn quick() -> Fitting {
    let boosting = Boosting { trees: 8, rate: 0.4, ..Boosting::default() };
    Fitting { boosting, copies: 1, samples: 0, ..Fitting::default() }
}

fn few() -> Vec<Labelled> {
    samples(3, 50.0, 4.0).into_iter().filter(|one| !one.about.name.contains("no-toe")).collect()
}

fn score(model: &Model, labelled: &Labelled) -> Score {
    let Labelled { motion, legs, floor, .. } = labelled;
    Score::of(labelled, &detect(model, motion, legs, floor.as_ref(), &Settings::default()))
}

#[test]
fn the_same_motions_give_the_same_bytes() {
    let all = few();
    let seen: Vec<&Labelled> = all.iter().collect();
    let model = fit(&seen, None, &quick()).unwrap();
    assert_eq!(model.write(), fit(&seen, None, &quick()).unwrap().write());
    let other = fit(&seen, None, &Fitting { seed: 2, ..quick() }).unwrap();
    assert_ne!(model.write(), other.write());
    // And it has learned something of motions it did not see.
    let unseen = &samples(9, 60.0, 4.0)[0];
    assert!(score(&model, unseen).f1() > 0.95, "{}", score(&model, unseen).f1());
}

#[test]
fn one_class_and_too_few_frames_are_refused() {
    let mut standing = few();
    standing.iter_mut().flat_map(|one| &mut one.down).flatten().for_each(|down| *down = Some(true));
    let seen: Vec<&Labelled> = standing.iter().collect();
    assert_eq!(fit(&seen, None, &quick()), Err(C3dFitError::OneClass { down: true }));
    let mut short = few().swap_remove(0);
    short.motion = Motion { poses: short.motion.poses[..3].to_vec(), ..short.motion };
    short.down.iter_mut().for_each(|foot| foot.truncate(3));
    assert_eq!(fit(&[&short], None, &quick()), Err(C3dFitError::TooFew { found: 6, expected: 200 }));
    assert_eq!(fit(&[], None, &quick()), Err(C3dFitError::TooFew { found: 0, expected: 200 }));
}

#[test]
fn a_model_takes_to_what_a_person_put_right() {
    // A performer who is said to be up for the last 0.2 s of every step. Shaken, as captures are: a
    // point that rests exactly is believed before any model.
    let mut own = damaged(&few().swap_remove(0), Damage::Skate(Skate::Noise(0.002)), 1);
    let late = (0.2 * own.motion.fps) as usize;
    for foot in &mut own.down {
        let before = foot.clone();
        for frame in 0..foot.len() {
            let leaves = before[frame..before.len().min(frame + late)].contains(&Some(false));
            foot[frame] = before[frame].map(|down| down && !leaves);
        }
    }
    let shipped = Model::shipped();
    let how = Fitting { boosting: Boosting { trees: 20, rate: 0.3, ..Boosting::default() }, ..quick() };
    let adapted = fit(&[&own], Some(&shipped), &how).unwrap();
    let (before, after) = (score(&shipped, &own).f1(), score(&adapted, &own).f1());
    assert!(after > before + 0.02, "{before} {after}");
    assert_eq!(adapted.trees.len(), shipped.trees.len() + 20);
}

#[test]
fn damage_keeps_the_labels_and_another_rate_carries_them_over() {
    let one = few().swap_remove(0);
    let skating = damaged(&one, Damage::Legs(1.1), 1);
    assert_eq!(skating.down, one.down);
    assert_ne!(skating.motion, one.motion);
    let fast = resampled(&one, 200.0);
    assert_eq!(fast.motion.fps, 200.0);
    for (frame, down) in one.down[0].iter().enumerate() {
        assert_eq!(fast.down[0].get(frame * 4), Some(down), "frame {frame}");
    }
}

#[test]
fn nobody_is_both_fitted_and_scored() {
    let about = |set: &str, name: &str| About::of(set, name);
    let one = few().swap_remove(0);
    let names = [
        ("biomechzoo", "HC030A05_straight"),
        ("biomechzoo", "HC030A22_turn"),
        ("biomechzoo", "HC031A06_straight"),
        ("hamner04_overground", "hamner04_og_run200"),
        ("hamner04_treadmill", "hamner04_run200"),
        ("hamner04_treadmill", "hamner04_run300"),
        ("opencap_subject4", "s4_DJ1"),
        ("opencap_subject4", "s4_DJ2"),
    ];
    let all: Vec<Labelled> =
        names.iter().map(|(set, name)| Labelled { about: about(set, name), ..one.clone() }).collect();
    let folds = Folds::new(&all, 6);
    let same = |a: usize, b: usize| folds.of[a] == folds.of[b];
    assert!(same(0, 1) && !same(0, 2), "by person: {folds:?}");
    assert!(same(3, 4) && !same(4, 5), "both versions of a take: {folds:?}");
    assert!(!same(6, 7), "by trial: {folds:?}");
    held_out(&all, &folds, &[Damage::None], |seen| {
        assert!(seen.len() < all.len());
        let left_out = all.iter().filter(|one| seen.iter().all(|seen| seen.about != one.about));
        for out in left_out {
            let by_person = out.about.set == "biomechzoo";
            for seen in seen {
                let known = if by_person {
                    seen.about.person == out.about.person
                } else {
                    seen.about.trial == out.about.trial
                };
                assert!(!known, "{} and {}", seen.about.name, out.about.name);
            }
        }
        Box::new(|_| surefoot_core::Footplants::default())
    });
}

#[test]
fn points_that_are_put_off_are_off_alike_on_both_feet_and_change_no_label() {
    let before = few().swap_remove(0);
    let after = damaged(&before, Damage::Points(0.015), 4);
    assert_eq!(before.down, after.down);
    assert_eq!(before.motion, after.motion);
    let rest = surefoot_core::Pose::rest(&before.motion.skeleton).world(&before.motion.skeleton);
    let mut off = Vec::new();
    for (before, after) in before.legs.iter().zip(&after.legs) {
        for (before, after) in
            [(&before.heel, &after.heel), (&before.ball, &after.ball), (&before.toe, &after.toe)]
        {
            let way = rest.point(after) - rest.point(before);
            assert!(way.length() > 0.0 && way.length() < 0.015 * 1.5, "{way}");
            off.push((way.length(), way.y));
        }
    }
    let (left, right) = off.split_at(3);
    for (left, right) in left.iter().zip(right) {
        assert!((left.0 - right.0).abs() < 1e-9 && (left.1 - right.1).abs() < 1e-9, "{off:?}");
    }
}

#[test]
fn of_points_called_so_sure_so_many_are_down() {
    let points = rests_reliability(&Model::shipped());
    for (point, bins) in ["heels", "balls"].into_iter().zip(points) {
        // Few frames are of few plants, and tell nothing.
        for Reliability { called, down, count } in bins.into_iter().filter(|bin| bin.count >= 3000) {
            println!("{point} called {called:.3} are down in {down:.3} of {count} frames");
            assert!((called - down).abs() < 0.03, "{point} called {called:.3}: {down:.3} of {count}");
        }
    }
}
