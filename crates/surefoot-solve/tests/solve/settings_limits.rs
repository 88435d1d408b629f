//! Settings and frame rates at their limits.

use surefoot_solve::{CleanError, Cleaner, Form, Settings, SetupError};

use crate::fixtures::*;

#[test]
fn windows_of_length_zero_hold_plants() {
    let zero = Settings {
        spot_window: 0.0,
        ankle_window: 0.0,
        root_window: 0.0,
        knee_window: 0.0,
        blend_window: 0.0,
        snap_distance: Some(0.0),
        ..Settings::default()
    };
    let case = crouch(both_feet());
    for stretch in [0.0, 0.03] {
        for form in [Form::Improved, Form::Paper] {
            let settings = Settings { stretch: Some(stretch), form, ..zero };
            let (after, report) = clean_held_or_noted(&case, &settings).unwrap();
            assert_eq!(held_plants(&case, &after, &report), 4, "{settings:?}");
            // A spot is averaged over at least one frame, which needs no look-ahead.
            assert_eq!(case.cleaner(&settings).lookahead(), 0);
        }
    }
}

#[test]
fn the_live_latency_does_not_depend_on_the_longest_plant() {
    let case = crouch(both_feet());
    let lookahead = |longest, settings| Cleaner::new(&case.clip, longest, settings).unwrap().lookahead();
    let (live, whole_plants) = (Settings::live(), Settings::default());
    assert_eq!(lookahead(0, &live), lookahead(1000, &live));
    assert_eq!(lookahead(0, &whole_plants) + 30, lookahead(30, &whole_plants));
}

#[test]
fn infinite_settings_are_accepted_except_for_windows() {
    let case = crouch(both_feet());
    let infinite = f64::INFINITY;
    for settings in [
        Settings { spot_window: infinite, ..Settings::default() },
        Settings { stretch: Some(infinite), ..Settings::default() },
        Settings { snap_distance: Some(infinite), ..Settings::default() },
        Settings { stretch: Some(infinite), ..Settings::paper() },
    ] {
        let (_, report) = clean_held_or_noted(&case, &settings).unwrap();
        assert_eq!(report.notes, []);
    }
    let error = |settings| case.error(&settings);
    assert_eq!(
        error(Settings { blend_window: infinite, ..Settings::default() }),
        "blend_window is inf seconds, expected 0 to 10"
    );
    assert_eq!(
        error(Settings { root_window: -0.1, ..Settings::default() }),
        "root_window is -0.1 seconds, expected 0 to 10"
    );
    assert_eq!(
        error(Settings { knee_window: f64::NAN, ..Settings::default() }),
        "knee_window is NaN seconds, expected 0 to 10"
    );
    assert_eq!(
        error(Settings { ankle_window: 11.0, ..Settings::default() }),
        "ankle_window is 11 seconds, expected 0 to 10"
    );
    assert_eq!(
        error(Settings { stretch: Some(-1.0), ..Settings::default() }),
        "stretch is -1, expected a number from 0 up"
    );
    assert_eq!(
        error(Settings { snap_distance: Some(f64::NAN), ..Settings::default() }),
        "snap_distance is NaN, expected a number from 0 up"
    );
}

#[test]
fn frame_rates_from_1_to_10000_are_accepted() {
    for fps in [1.0, 1000.0] {
        let mut case = crouch(both_feet());
        case.clip.motion.fps = fps;
        clean_with_all_settings(&case);
    }
    for fps in [0.0, -30.0, f64::NAN, f64::INFINITY, 1e9] {
        let mut case = crouch(both_feet());
        case.clip.motion.fps = fps;
        let error = case.try_clean(&Settings::default()).unwrap_err();
        assert!(matches!(error, CleanError::Setup(SetupError::FrameRate(_))), "{fps}: {error}");
        assert!(error.to_string().ends_with("expected more than 0 and up to 10000"));
    }
}

#[test]
fn legs_without_plants_in_a_push_are_free() {
    let case = crouch(both_feet());
    let mut cleaner = case.cleaner(&Settings::live());
    for pose in &case.clip.motion.poses {
        cleaner.push(pose, &[]).unwrap();
    }
    let mut last = None;
    while let Some(pose) = cleaner.finish() {
        last = Some(pose.clone());
    }
    assert_eq!(last.as_ref(), case.clip.motion.poses.last());
}
