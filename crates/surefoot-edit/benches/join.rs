//! Quality of joins, blends and loops, measured in the written files.
//!
//! Captured walks and runs of the same body and frame rate are joined at their best crossing, blended
//! with weight 0.5, and closed into loops at their best cycle; so are the samples. Drift is measured
//! over plants within reach; plants that the cleaner reports as out of reach are counted separately.
//! The added knee speed is the change by the final cleaning.

#[path = "../tests/edit/clips.rs"]
mod clips;
#[path = "../tests/edit/knee_angles.rs"]
mod knee_angles;

use std::path::Path;

use surefoot_core::{Clip, Floor, Footplants, Motion, RigidTransform, Vec3};
use surefoot_edit::blend::{self, Weight, blend};
use surefoot_edit::distance;
use surefoot_edit::join::{self, crossings, join};
use surefoot_edit::looping::{self, close, cycles, restart_at_quietest_frame, seam};
use surefoot_edit::{EditResult, knee_speed_added};
use surefoot_formats::Space;
use surefoot_formats::bvh::{Bvh, from_motion};
use surefoot_measure::measure;
use surefoot_sample::{Kind, Recipe, make};
use surefoot_solve::{CleanResult, Note, clean};

/// Walks and runs of `bvh/cmu`, according to its index.
const CAPTURES: [&str; 25] = [
    "02_01", "02_03", "07_01", "07_04", "09_01", "09_06", "105_10", "111_01", "127_03", "132_20", "136_05",
    "138_01", "142_02", "143_04", "16_11", "16_22", "16_35", "18_01", "19_01", "36_01", "36_04", "37_01",
    "69_12", "83_36", "91_10",
];

/// Largest drift of a plant that counts as held in the file, in metres.
const HELD: f64 = 1e-5;

/// A performance on a floor.
struct NamedClip {
    name: String,
    clip: Clip,
}

/// An edit as a clip with the same body and floor.
fn edited_clip(clip: &Clip, edited: EditResult) -> Clip {
    let (legs, floor) = (clip.legs.clone(), clip.floor.clone());
    Clip { motion: edited.motion, plants: edited.plants, legs, floor, ..Clip::default() }
}

fn captured(path: &Path) -> Option<NamedClip> {
    let clip = clips::read(path).2.performance();
    let name = path.file_stem()?.to_string_lossy().into_owned();
    clip.floor.is_some().then_some(NamedClip { name, clip })
}

fn generate(kind: Kind, seed: u64) -> Option<NamedClip> {
    let sample = make(&Recipe { kind, seed, fps: 120.0, seconds: 6.0, ..Recipe::default() }).ok()?;
    let name = format!("{} {seed}", kind.as_str());
    Some(NamedClip { name, clip: sample.into_clip() })
}

/// The second motion moved to the floor of the first.
fn move_to_floor_of(first: &Clip, second: &Clip) -> Option<(Motion, Footplants)> {
    let plane = |clip: &Clip| clip.floor.as_ref().and_then(Floor::as_plane).copied();
    let transform = RigidTransform::between_floors(&plane(second)?, &plane(first)?);
    let mut plants = second.plants.clone();
    for plant in &mut plants.plants {
        plant.spot = plant.spot.map(|spot| transform.point(spot));
    }
    Some((transform.motion(&second.motion), plants))
}

/// The figures of one edit.
#[derive(Default)]
struct Row {
    plants: usize,
    held: usize,
    out_of_reach: usize,
    /// The largest drift of a plant within reach, before and after the cleanup, in metres.
    drift: [f64; 2],
    /// Largest change of knee speed by cleaning, in degrees per frame.
    knee: f64,
    /// Largest increase of knee speed, in degrees per frame.
    faster: f64,
    periodic: f64,
    seam: Option<looping::Seam>,
}

fn row(clip: &Clip, edited: &Clip) -> Option<Row> {
    let mut row = Row::default();
    let CleanResult { clip: after, report, periodic_m, .. } = clean(edited, &Default::default()).ok()?;
    row.periodic = periodic_m.unwrap_or(0.0);
    let (after, plants) = (after.motion, after.plants);
    // Six decimals of a metre are 1 µm.
    let after = Bvh::read(from_motion(&after, &Space::METRES_Y_UP).ok()?).ok()?.motion(&Space::METRES_Y_UP);
    row.seam = edited.looping.map(|looped| seam(&after, &edited.legs, &looped));
    let (legs, floor) = (clip.legs.clone(), clip.floor.clone());
    let written = Clip { motion: after, plants, legs, floor, ..Clip::default() };
    let figures = measure(&written, Some(&edited.motion)).ok()?;
    for (plant, figures) in written.plants.plants.iter().zip(&figures.plants) {
        let is_out_of_reach = report.notes.iter().any(|note| match note {
            Note::OutOfReach { leg, frames, .. } => {
                *leg == plant.leg && frames.start < plant.frames.end && plant.frames.start < frames.end
            }
            Note::FootLengthMismatch { leg, point, frames, .. } => {
                (*leg, *point) == (plant.leg, plant.point) && frames.start == plant.frames.start
            }
            _ => false,
        });
        row.plants += 1;
        if is_out_of_reach {
            row.out_of_reach += 1;
            continue;
        }
        let drifts =
            [figures.before.and_then(|held| held.drift), figures.after.drift].map(|d| d.unwrap_or(0.0));
        row.drift = [row.drift[0].max(drifts[0]), row.drift[1].max(drifts[1])];
        row.held += usize::from(drifts[1] <= HELD);
    }
    row.faster =
        knee_angles::knee_speed_increase(&edited.motion, &written.motion, &clip.legs, 0).to_degrees() / 120.0;
    row.knee = knee_speed_added(&edited.motion, &written.motion, &clip.legs, 0).to_degrees() / 120.0;
    Some(row)
}

fn print(edit: &str, name: &str, row: &Row) {
    print!(
        "{edit:<6} {name:<22} {:>5} {:>5} {:>4}   {:>7.2} {:>9.5}   {:>6.2}",
        row.plants,
        row.held,
        row.out_of_reach,
        row.drift[0] * 1e3,
        row.drift[1] * 1e3,
        row.knee
    );
    if let Some(seam) = row.seam {
        print!(
            "   {:>6.2} / {:<6.2} {:>6.3} / {:<6.3} {:.0e} {}",
            seam.step_m * 1e3,
            seam.median_step_m * 1e3,
            seam.step_change_m * 1e3,
            seam.median_step_change_m * 1e3,
            row.periodic,
            if seam.is_smooth() { "" } else { "seen" }
        );
    }
    println!();
}

fn summary(edit: &str, rows: &[Row]) {
    let sum = |of: fn(&Row) -> usize| rows.iter().map(of).sum::<usize>();
    let most = |of: fn(&Row) -> f64| rows.iter().map(of).fold(0.0, f64::max);
    let mut knees: Vec<f64> = rows.iter().map(|row| row.knee).collect();
    knees.sort_by(f64::total_cmp);
    println!(
        "{edit:<6} all {}: {} of {} plants within reach ({:.1} %), of those {} held to 0.01 mm; largest drift {:.5} mm; \
         knee median {:.2}, largest {:.2} °/frame, above 3 in {} ({} by making it faster); seams unseen {} of {}; periodic to {:.0e} m\n",
        rows.len(),
        sum(|row| row.plants) - sum(|row| row.out_of_reach),
        sum(|row| row.plants),
        100.0 * (1.0 - sum(|row| row.out_of_reach) as f64 / sum(|row| row.plants).max(1) as f64),
        sum(|row| row.held),
        most(|row| row.drift[1]) * 1e3,
        knees.get(knees.len() / 2).copied().unwrap_or(0.0),
        most(|row| row.knee),
        rows.iter().filter(|row| row.knee > 3.0).count(),
        rows.iter().filter(|row| row.faster > 3.0 && row.knee > 3.0).count(),
        rows.iter().filter(|row| row.seam.is_some_and(|seam| seam.is_smooth())).count(),
        rows.iter().filter(|row| row.seam.is_some()).count(),
        most(|row| row.periodic),
    );
}

fn main() {
    let mut clips: Vec<NamedClip> = Vec::new();
    for name in CAPTURES {
        let Some(folder) = surefoot_testdata::path("bvh/cmu") else { break };
        clips.extend(captured(&folder.join(format!("{name}.bvh"))));
    }
    for (kind, seed) in
        [(Kind::Walk, 1), (Kind::Walk, 2), (Kind::Turn, 1), (Kind::Run, 1), (Kind::Run, 2), (Kind::Sneak, 1)]
    {
        clips.extend(generate(kind, seed));
    }
    println!(
        "edit   clips                  plants held  out    drift, mm            knee     seam: step / median, its change / median, mm"
    );
    println!("                                           of     edited     clean   °/frame");
    println!("                                           reach                     at 120");
    let mut pairs: Vec<(&NamedClip, &NamedClip)> = Vec::new();
    for (n, first) in clips.iter().enumerate() {
        // Every other clip of the same body.
        let is_same = |second: &&NamedClip| {
            let (first, second) = (&first.clip.motion, &second.clip.motion);
            second.fps == first.fps && crossings(&head(first), &head(second), &Default::default(), 1).is_ok()
        };
        let others = clips.iter().enumerate().filter(|(other, _)| *other != n).map(|(_, clip)| clip);
        pairs.extend(others.filter(is_same).take(4).map(|second| (first, second)));
    }
    let up = |clip: &Clip| {
        let up = clip.floor.as_ref().map_or(Vec3::Y, Floor::up);
        distance::Settings { up, ..Default::default() }
    };
    let mut rows = Vec::new();
    for (NamedClip { name, clip: first }, second) in &pairs {
        let Some((motion, plants)) = move_to_floor_of(first, &second.clip) else { continue };
        let settings = join::Settings { map: up(first), ..Default::default() };
        let Ok(found) = crossings(&first.motion, &motion, &settings, 1) else { continue };
        let Some(best) = found.first() else { continue };
        let edited = join((&first.motion, &first.plants), (&motion, &plants), &first.legs, best, &settings);
        let Some(row) = edited.ok().and_then(|edited| row(first, &edited_clip(first, edited))) else {
            continue;
        };
        print("join", &format!("{name} {}", second.name), &row);
        rows.push(row);
    }
    summary("join", &rows);
    rows.clear();
    for (NamedClip { name, clip: first }, second) in &pairs {
        let Some((motion, plants)) = move_to_floor_of(first, &second.clip) else { continue };
        let settings = blend::Settings { map: up(first), ..Default::default() };
        let weight = Weight::Constant(0.5);
        let edited =
            blend((&first.motion, &first.plants), (&motion, &plants), &first.legs, &weight, &settings);
        let Some(row) = edited.ok().and_then(|blended| row(first, &edited_clip(first, blended.edit))) else {
            continue;
        };
        print("blend", &format!("{name} {}", second.name), &row);
        rows.push(row);
    }
    summary("blend", &rows);
    rows.clear();
    for NamedClip { name, clip } in &clips {
        let settings = looping::Settings { map: up(clip), ..Default::default() };
        let Some(best) =
            cycles(&clip.motion, &clip.plants, &settings, 1).ok().and_then(|found| found.first().copied())
        else {
            println!("loop   {name:<22} no cycle");
            continue;
        };
        let Ok(closed) = close(&clip.motion, &clip.plants, &clip.legs, &best, &settings) else { continue };
        let edited = Clip { looping: Some(closed.looping), ..edited_clip(clip, closed.edit) };
        let Ok((edited, _)) = restart_at_quietest_frame(&edited, &Default::default()) else { continue };
        let Some(row) = row(clip, &edited) else { continue };
        print("loop", name, &row);
        rows.push(row);
    }
    summary("loop", &rows);
}

/// The first frames of a motion, enough for the compatibility check.
fn head(motion: &Motion) -> Motion {
    Motion { poses: motion.poses.iter().take(2).cloned().collect(), ..motion.clone() }
}
