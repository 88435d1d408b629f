//! The accuracy of every method on labelled captures, as captured and with their paths scaled.
//!
//! The thresholds were not tuned on these captures. The shipped models were trained on them, so here they
//! only have to reproduce them; `surefoot score` measures models on captures they were not trained on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use surefoot_contact::features::FeatureSet;
use surefoot_contact::{Edges, Method, Settings, detect};
use surefoot_core::{Floor, Motion, UpAxis};
use surefoot_formats::Space;
use surefoot_formats::bvh::Bvh;
use surefoot_formats::contacts::read_contacts;
use surefoot_infer::{Excerpt, Overrides, infer};
use surefoot_train::{Folds, LabelledMotion, MotionInfo, Score, TableRows, tables};

/// Kinds of motion with the least F1 of the methods that were not trained on them. The measured
/// values are a few hundredths higher, so that only a real loss fails.
const KINDS: [(&str, f64); 11] = [
    ("walk", 0.95),
    ("turn", 0.94),
    ("circuit", 0.92),
    ("drop jump", 0.96),
    ("sit, squat", 0.97),
    ("run, 2 m/s", 0.88),
    ("run, 3 m/s", 0.85),
    ("run, 4 m/s", 0.81),
    ("run, 5 m/s", 0.79),
    ("treadmill, 2–3 m/s", 0.86),
    ("treadmill, 4–5 m/s", 0.80),
];

/// The least F1 of the learned method, for every kind.
const LEARNED_F1: f64 = 0.97;

fn kind(path: &Path) -> &'static str {
    let path = path.to_string_lossy();
    let words = [
        ("treadmill/hamner04_run4", "treadmill, 4–5 m/s"),
        ("treadmill/hamner04_run5", "treadmill, 4–5 m/s"),
        ("treadmill", "treadmill, 2–3 m/s"),
        ("run200", "run, 2 m/s"),
        ("run300", "run, 3 m/s"),
        ("run400", "run, 4 m/s"),
        ("run500", "run, 5 m/s"),
        ("camargo", "circuit"),
        ("_DJ", "drop jump"),
        ("_turn", "turn"),
        ("_straight", "walk"),
        ("_walking", "walk"),
    ];
    words.iter().find(|(word, _)| path.contains(word)).map_or("sit, squat", |(_, kind)| kind)
}

/// A capture in metres, Y up.
fn read_capture(path: &Path) -> Motion {
    let bvh = Bvh::read(std::fs::read(path).unwrap()).unwrap();
    let inferred = infer(&bvh.excerpt(), &Overrides::default());
    bvh.motion(&Space { unit_m: inferred.unit_m.value, up: inferred.up.value })
}

/// The motion with its root path scaled horizontally.
fn with_scaled_path(motion: &Motion, factor: f64) -> Motion {
    let mut motion = motion.clone();
    let first = motion.poses[0].offsets[0];
    for pose in &mut motion.poses {
        let root = &mut pose.offsets[0];
        root.x = first.x + (root.x - first.x) * factor;
        root.z = first.z + (root.z - first.z) * factor;
    }
    motion
}

/// The motion with the labels beside its file. Legs and floor are inferred from the given motion, so
/// that nothing is known from before it was damaged.
fn labelled(path: &Path, motion: Motion) -> LabelledMotion {
    labelled_by(&path.with_extension("contacts.csv"), kind(path), motion)
}

fn labelled_by(labels: &Path, kind: &str, motion: Motion) -> LabelledMotion {
    let excerpt = Excerpt { motion: motion.clone(), frames: (0..motion.frames()).collect() };
    let up = UpAxis { axis: 1, negative: false };
    let inferred = infer(&excerpt, &Overrides { unit_m: Some(1.0), up: Some(up), ..Overrides::default() });
    let legs = inferred.legs.unwrap().value;
    let table = std::fs::read(labels).unwrap();
    let labels = read_contacts(&table, motion.frames()).unwrap();
    LabelledMotion {
        info: MotionInfo { kind: kind.into(), ..MotionInfo::default() },
        contacts: legs.iter().map(|leg| labels.of(&leg.side).unwrap().to_vec()).collect(),
        legs,
        floor: inferred.floor.map(|floor| Floor::from(floor.value)),
        first_frame: 0,
        plants: None,
        motion,
    }
}

fn score(labelled: &LabelledMotion, method: Method) -> Score {
    let LabelledMotion { motion, legs, floor, .. } = labelled;
    let settings = Settings { detector: method, edges: Edges::Touch, ..Settings::default() };
    Score::of(labelled, &detect(motion, legs, floor.as_ref(), &settings))
}

/// A row of the printed table: F1, recall, precision and the median delays of strikes and lift-offs in ms.
fn row(kind: &str, score: &Score) -> String {
    let delays = score.median_delays().map(|delay| delay.map_or(f64::NAN, |seconds| 1000.0 * seconds));
    let (f1, recall, precision) = (score.f1(), score.recall(), score.precision());
    format!("{kind:26}{f1:7.3}{recall:9.3}{precision:11.3}{:12.0}{:12.0}", delays[0], delays[1])
}

#[test]
fn contacts_agree_with_force_plates_with_and_without_skate() {
    let captures: Vec<(PathBuf, Motion)> = surefoot_testdata::files("labelled", ".bvh")
        .into_iter()
        .map(|path| (path.clone(), read_capture(&path)))
        .collect();
    // `files` has reported the missing data.
    if captures.is_empty() {
        return;
    }
    for factor in [1.0, 0.85, 1.15] {
        let motions: Vec<LabelledMotion> =
            captures.iter().map(|(path, motion)| labelled(path, with_scaled_path(motion, factor))).collect();
        for method in Method::ALL {
            let mut scores: BTreeMap<&str, Score> = BTreeMap::new();
            for motion in &motions {
                scores.entry(&motion.info.kind).or_default().add(&score(motion, method));
            }
            println!("\n{}, root path × {factor}", method.as_str());
            for (kind, min_f1) in KINDS {
                println!("{}", row(kind, &scores[kind]));
                let min_f1 = if method == Method::Learned { LEARNED_F1 } else { min_f1 };
                let f1 = scores[kind].f1();
                assert!(f1 >= min_f1, "{} {kind} × {factor}: F1 {f1:.3} < {min_f1}", method.as_str());
            }
        }
    }
}

/// The labelled captures with their people and trials, and those of kicks and punches that are labelled in this crate.
fn captures_with_people() -> Vec<LabelledMotion> {
    let labels = Path::new(env!("CARGO_MANIFEST_DIR")).join("labels");
    let own =
        ["kick/74_04", "kick/86_01", "punch/02_05", "punch/17_10", "punch/79_08"].iter().filter_map(|name| {
            let (kind, take) = name.split_once('/')?;
            let motion = surefoot_testdata::path(&format!("bvh/cmu/{take}.bvh"))?;
            Some((motion, labels.join(kind).join(format!("{take}.contacts.csv"))))
        });
    let force_plates = surefoot_testdata::files("labelled", ".bvh").into_iter();
    let force_plates = force_plates.map(|motion| (motion.clone(), motion.with_extension("contacts.csv")));
    let mut all: Vec<(PathBuf, PathBuf)> = own.chain(force_plates).collect();
    // As the command sorts them: the damage of copies depends on the order.
    all.sort();
    let with_info = |(file, labels): (PathBuf, PathBuf)| {
        let name = |path: Option<&std::ffi::OsStr>| path.unwrap().to_string_lossy().into_owned();
        let dataset = name(labels.parent().unwrap().file_name());
        let motion = labelled_by(&labels, kind(&file), read_capture(&file));
        LabelledMotion { info: MotionInfo::from_names(&dataset, &name(file.file_stem())), ..motion }
    };
    all.into_iter().map(with_info).collect()
}

#[test]
fn five_labels_and_skate_are_recognised_as_in_the_tables_of_the_book() {
    let all = captures_with_people();
    if all.is_empty() {
        return;
    }
    let rows = TableRows {
        features: vec![FeatureSet::A.with(FeatureSet::B_SPLIT)],
        windows: Vec::new(),
        plant_and_skate: vec![FeatureSet::B_SPLIT],
    };
    let tables = tables(&all, &Folds::new(&all, 6), &rows, &|_| {});
    println!("{}", tables.text(all.len(), 6));
    let [locomotion, other] = tables.features[0].columns;
    // Measured: 93.7 and 95.0 % in locomotion, 95.2 and 98.7 % in other motion.
    assert!(locomotion.by_person.accuracy() > 0.92 && locomotion.at_random.accuracy() > 0.94);
    assert!(other.by_person.accuracy() > 0.91 && other.at_random.accuracy() > 0.95);
    // Measured: skate 96.2 and 98.0 %, the other frames 99.1 %.
    let skate = tables.plant_and_skate[0].1[1];
    assert!(skate.by_person.accuracy() > 0.95 && skate.at_random.accuracy() > 0.95);
    assert!(tables.not_skating[0].accuracy() > 0.97);
}
