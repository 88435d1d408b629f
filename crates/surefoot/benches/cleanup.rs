//! Figures of cleaned captures, measured in the written files.
//!
//! Each capture is cleaned twice: as captured, and with its root path made 10 % longer, so that it skates. Plants are
//! detected in the unchanged capture. Each is cleaned by the published method and by ours. Ratios are after to before,
//! as 99th percentile and maximum.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use surefoot::contact::{self, detect, ground_velocity, relative_to_ground};
use surefoot::core::{Clip, Floor, FootPoint, Footplants, JointPoint, Leg, Motion, Plant, Pose, Vec3};
use surefoot::formats::{Space, bvh::Bvh};
use surefoot::infer::{Overrides, infer};
use surefoot::measure::{Figures, measure};
use surefoot::solve::{Cleaner, Settings, active_plants, clean};

/// The captures whose figures are shown one by one.
const NAMED: [&str; 4] = ["02_01.bvh", "16_22.bvh", "07_01.bvh", "02_03.bvh"];

/// A plant is held when its point moves less than this in the written file, in metres.
const HELD: f64 = 1e-5;

/// A capture that can be cleaned.
struct Capture {
    bvh: Bvh,
    space: Space,
    legs: Vec<Leg>,
    floor: Floor,
    first_frame: usize,
}

impl Capture {
    fn read(path: &Path) -> Option<Self> {
        let bvh = Bvh::read(std::fs::read(path).ok()?).ok()?;
        let inference = infer(&bvh.excerpt(), &Overrides::default());
        let space = Space { unit_m: inference.unit_m.value, up: inference.up.value };
        let floor = inference.floor?.value;
        Some(Self {
            legs: space.legs_from_file(&inference.legs.ok()?.value),
            floor: space.plane_from_file(floor).into(),
            first_frame: usize::from(inference.inserted_t_pose.value),
            bvh,
            space,
        })
    }

    fn plants(&self, motion: &Motion) -> Footplants {
        let settings =
            contact::Settings { first_frame: self.first_frame, method: method(), ..Default::default() };
        detect(motion, &self.legs, Some(&self.floor), &settings)
    }

    fn clip(&self, motion: &Motion, plants: &Footplants) -> Clip {
        Clip {
            motion: motion.clone(),
            legs: self.legs.clone(),
            plants: plants.clone(),
            floor: Some(self.floor.clone()),
            first_frame: self.first_frame,
            ..Clip::default()
        }
    }

    /// Time per frame of a stream, in nanoseconds: the minimum of many runs.
    fn nanoseconds(&self, motion: &Motion, plants: &Footplants, settings: &Settings) -> Option<f64> {
        const RUNS: usize = 500;
        let clip = self.clip(motion, plants).performance();
        let (poses, plants) = (&clip.motion.poses, &clip.plants);
        let held = active_plants(poses.len(), self.legs.len(), plants);
        let longest = plants.plants.iter().map(|plant| plant.frames.len()).max().unwrap_or(0);
        let new_cleaner = Cleaner::new(&clip, longest, settings).ok()?;
        let run = |_| {
            let mut cleaner = new_cleaner.clone();
            let start = Instant::now();
            for (pose, held) in poses.iter().zip(held.chunks_exact(self.legs.len())) {
                black_box(cleaner.push(pose, held)).ok()?;
            }
            while black_box(cleaner.finish()).is_some() {}
            Some(start.elapsed().as_secs_f64())
        };
        (0..RUNS).filter_map(run).reduce(f64::min).map(|seconds| seconds * 1e9 / poses.len() as f64)
    }

    /// Cleans a motion, writes it, reads it back and measures the result.
    fn figures(
        &self,
        before: &Motion,
        plants: &Footplants,
        settings: &Settings,
    ) -> Option<(Figures, Deterioration)> {
        let skip = self.first_frame;
        let after = clean(&self.clip(before, plants), settings).ok()?.clip.motion;
        let written = Bvh::read(self.bvh.write(&after, &self.space).ok()?).ok()?.motion(&self.space);
        let figures = measure(&self.clip(&written, plants), Some(before)).ok()?;
        let motions = [before, &written];
        let deterioration = Deterioration {
            acceleration: acceleration_increase(motions, &self.legs, skip),
            point_depth: depth_increase(motions, &self.legs, &self.floor, skip, |leg| {
                vec![leg.heel, leg.ball]
            }),
            toe_depth: depth_increase(motions, &self.legs, &self.floor, skip, |leg| vec![leg.toe]),
            remaining_depth: remaining_depth(&written, plants, &self.legs, &self.floor, skip),
        };
        Some((figures, deterioration))
    }
}

/// Figures that `measure` does not have: the largest deteriorations by cleaning.
#[derive(Clone, Copy)]
struct Deterioration {
    /// Increase of the acceleration of a hip, knee or ankle, in m/s².
    acceleration: f64,
    /// Increase of the depth of a heel or ball below the floor, in metres.
    point_depth: f64,
    /// The same for a toe tip.
    toe_depth: f64,
    /// Remaining depth of a heel or ball that is planted on the floor or lifted out of it, in metres.
    remaining_depth: f64,
}

/// Largest increase of the depth of these points below the floor, in metres.
fn depth_increase(
    motions: [&Motion; 2],
    legs: &[Leg],
    floor: &Floor,
    first_frame: usize,
    points: fn(&Leg) -> Vec<JointPoint>,
) -> f64 {
    let points: Vec<JointPoint> = legs.iter().flat_map(points).collect();
    let [before, after] = motions.map(|motion| {
        let depths = |pose: &Pose| {
            let world = pose.world(&motion.skeleton);
            points.iter().map(|point| (-floor.above(world.point(point))).max(0.0)).collect::<Vec<f64>>()
        };
        motion.poses[first_frame..].iter().flat_map(depths).collect::<Vec<f64>>()
    });
    before.iter().zip(&after).map(|(before, after)| after - before).fold(0.0, f64::max)
}

/// Largest depth of a heel or ball that is planted on the floor or lifted out of it, in metres.
///
/// Cleaning lifts a free foot within 0.1 s of a plant. A plant more than 2 cm below the floor keeps its height, so the
/// foot is left out there and around it.
fn remaining_depth(
    motion: &Motion,
    plants: &Footplants,
    legs: &[Leg],
    floor: &Floor,
    first_frame: usize,
) -> f64 {
    let near = (0.1 * motion.fps) as usize;
    let mut deepest = 0.0f64;
    for (n, leg) in legs.iter().enumerate() {
        let height = |pose: &Pose| {
            let world = pose.world(&motion.skeleton);
            [leg.heel, leg.ball].map(|point| floor.above(world.point(&point)))
        };
        let heights: Vec<[f64; 2]> = motion.poses.iter().map(height).collect();
        let height_of =
            |plant: &Plant, frame: usize| heights[frame][usize::from(plant.point == FootPoint::Ball)];
        let own = plants.plants.iter().filter(|plant| plant.leg == n && !plant.frames.is_empty());
        let (on, off): (Vec<&Plant>, Vec<&Plant>) =
            own.partition(|plant| height_of(plant, plant.frames.start) > -0.0195);
        let is_within = |plants: &[&Plant], frame: usize, by: usize| {
            plants.iter().any(|plant| plant.frames.start <= frame + by && frame < plant.frames.end + by)
        };
        for plant in &on {
            deepest =
                plant.frames.clone().fold(deepest, |deepest, frame| deepest.max(-height_of(plant, frame)));
        }
        for (frame, [heel, ball]) in heights.iter().enumerate().skip(first_frame) {
            let is_free = !is_within(&on, frame, 0) && !is_within(&off, frame, 3 * near);
            if is_free && is_within(&on, frame, near) {
                deepest = deepest.max(-heel.min(*ball));
            }
        }
    }
    deepest
}

/// Largest increase of the acceleration of a hip, knee or ankle, in m/s².
///
/// Unlike the added acceleration, which is the norm of a difference, it ignores accelerations that cleaning removes.
fn acceleration_increase(motions: [&Motion; 2], legs: &[Leg], first_frame: usize) -> f64 {
    let [before, after] = motions.map(|motion| {
        let joints = |pose: &Pose| -> Vec<Vec3> {
            let world = pose.world(&motion.skeleton);
            legs.iter()
                .flat_map(|leg| [leg.hip, leg.knee, leg.ankle])
                .map(|joint| world.joint(joint))
                .collect()
        };
        let positions: Vec<Vec<Vec3>> = motion.poses[first_frame..].iter().map(joints).collect();
        let acceleration = |at: &[Vec<Vec3>], n: usize| (at[2][n] - 2.0 * at[1][n] + at[0][n]).length();
        let accelerations =
            |at: &[Vec<Vec3>]| (0..3 * legs.len()).map(|n| acceleration(at, n)).collect::<Vec<f64>>();
        positions.windows(3).flat_map(accelerations).collect::<Vec<f64>>()
    });
    let increases = before.iter().zip(&after).map(|(before, after)| after - before);
    increases.fold(0.0, f64::max) * motions[0].fps * motions[0].fps
}

/// The detection method that the environment variable `METHOD` names, or the default.
fn method() -> contact::Method {
    std::env::var("METHOD").ok().and_then(|name| contact::Method::from_name(&name)).unwrap_or_default()
}

/// Scales the horizontal path of the root.
fn scale_root_path(motion: &Motion, first_frame: usize, scale: f64) -> Motion {
    let mut motion = motion.clone();
    let Some(start) = motion.poses.get(first_frame).map(|pose| pose.offsets[0]) else { return motion };
    for pose in &mut motion.poses[first_frame..] {
        let offset = pose.offsets[0] - start;
        pose.offsets[0] = start + Vec3::new(offset.x * scale, offset.y, offset.z * scale);
    }
    motion
}

/// One row of figures.
#[derive(Clone, Copy)]
struct Row {
    drift_before: f64,
    drift_after: f64,
    knee: [f64; 2],
    root: [f64; 2],
    stretch: f64,
    added: f64,
    deterioration: Deterioration,
    captured: f64,
    held: usize,
    plants: usize,
}

fn row((figures, deterioration): &(Figures, Deterioration)) -> Option<Row> {
    let (before, after, change) = (figures.before.as_ref()?, &figures.after, figures.change.as_ref()?);
    let ratio = |after: Option<f64>, before: Option<f64>| Some(after? / before?);
    Some(Row {
        drift_before: before.drift_max_m?,
        drift_after: after.drift_max_m?,
        knee: [
            ratio(after.knee_acceleration_p99_rad_per_s2, before.knee_acceleration_p99_rad_per_s2)?,
            ratio(after.knee_acceleration_max_rad_per_s2, before.knee_acceleration_max_rad_per_s2)?,
        ],
        root: [
            ratio(after.root_acceleration_p99_m_per_s2, before.root_acceleration_p99_m_per_s2)?,
            ratio(after.root_acceleration_max_m_per_s2, before.root_acceleration_max_m_per_s2)?,
        ],
        stretch: after.stretch_max?,
        added: change.added_acceleration_max_m_per_s2?,
        deterioration: *deterioration,
        captured: before.leg_acceleration_max_m_per_s2?,
        held: figures
            .plants
            .iter()
            .filter(|plant| plant.after.drift.is_some_and(|drift| drift <= HELD))
            .count(),
        plants: figures.plants.len(),
    })
}

fn print(name: &str, form: &str, row: &Row) {
    println!(
        "{name:<22} {form:<6} {:>8.1} {:>9.4}   {:>5.2} /{:>5.2}   {:>5.2} /{:>5.2}   {:>6.2} {:>7.0} {:>5.2} {:>5.2} {:>6}/{}",
        row.drift_before * 1e3,
        row.drift_after * 1e3,
        row.knee[0],
        row.knee[1],
        row.root[0],
        row.root[1],
        row.stretch * 1e2,
        row.added,
        row.added / row.captured,
        row.deterioration.acceleration / row.captured,
        row.held,
        row.plants,
    );
}

fn median(rows: &[Row], of: impl Fn(&Row) -> f64) -> f64 {
    let mut values: Vec<f64> = rows.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn summary(form: &str, rows: &[Row]) {
    let all = Row {
        drift_before: median(rows, |row| row.drift_before),
        drift_after: median(rows, |row| row.drift_after),
        knee: [median(rows, |row| row.knee[0]), median(rows, |row| row.knee[1])],
        root: [median(rows, |row| row.root[0]), median(rows, |row| row.root[1])],
        stretch: median(rows, |row| row.stretch),
        added: median(rows, |row| row.added),
        deterioration: Deterioration {
            acceleration: median(rows, |row| row.deterioration.acceleration),
            point_depth: median(rows, |row| row.deterioration.point_depth),
            toe_depth: median(rows, |row| row.deterioration.toe_depth),
            remaining_depth: median(rows, |row| row.deterioration.remaining_depth),
        },
        captured: median(rows, |row| row.captured),
        held: rows.iter().map(|row| row.held).sum(),
        plants: rows.iter().map(|row| row.plants).sum(),
    };
    print(&format!("median of {}", rows.len()), form, &all);
    distribution("added acceleration", form, rows.iter().map(|row| row.added / row.captured).collect());
    distribution(
        "increase of acceleration",
        form,
        rows.iter().map(|row| row.deterioration.acceleration / row.captured).collect(),
    );
    let count =
        |of: fn(&Deterioration) -> f64| rows.iter().filter(|row| of(&row.deterioration) > 1e-3).count();
    println!(
        "{:<22} {form:<6} deeper below the floor than captured by more than 1 mm: heels or balls in {}, toes in {}",
        "",
        count(|deterioration| deterioration.point_depth),
        count(|deterioration| deterioration.toe_depth)
    );
    println!(
        "{:<22} {form:<6} largest depth of points planted on the floor or lifted out of it: {:.4} mm",
        "",
        rows.iter().map(|row| row.deterioration.remaining_depth * 1e3).fold(0.0, f64::max)
    );
}

/// Prints quantiles of a ratio to the largest captured value.
fn distribution(name: &str, form: &str, mut shares: Vec<f64>) {
    shares.sort_by(f64::total_cmp);
    let at =
        |share: f64| shares.get((share * (shares.len() - 1) as f64) as usize).copied().unwrap_or(f64::NAN);
    println!(
        "{:<22} {form:<6} {name} ÷ largest captured, 10 25 50 75 90 100 % of clips: {:.2} {:.2} {:.2} {:.2} {:.2} {:.2}; at most 1 in {} of {}",
        "",
        at(0.1),
        at(0.25),
        at(0.5),
        at(0.75),
        at(0.9),
        at(1.0),
        shares.iter().filter(|share| **share <= 1.0).count(),
        shares.len()
    );
}

fn main() {
    let files: Vec<PathBuf> =
        ["bvh", "labelled"].into_iter().flat_map(|folder| surefoot_testdata::files(folder, ".bvh")).collect();
    let captures: Vec<(String, Capture)> = files
        .iter()
        .filter_map(|path| Some((path.file_name()?.to_string_lossy().into_owned(), Capture::read(path)?)))
        .collect();
    // `-- cost` skips the figures.
    if !std::env::args().any(|word| word == "cost") {
        figures(&captures);
    }
    costs(&captures);
}

/// The published method and ours.
fn forms() -> [(&'static str, Settings); 2] {
    [("paper", Settings::paper()), ("ours", Settings::default())]
}

/// Prints the figures of the cleaned captures.
fn figures(captures: &[(String, Capture)]) {
    for (label, scale) in [("as captured", 1.0), ("with the root path × 1.10", 1.1)] {
        println!("\n{label}");
        println!(
            "                              drift, mm            knee             root         stretch   added     increase  plants"
        );
        println!(
            "                              before     after   p99 / max        p99 / max            %   m/s²  ÷ cap ÷ cap   held"
        );
        for (form, settings) in &forms() {
            let mut rows = Vec::new();
            for (name, capture) in captures {
                let captured = capture.bvh.motion(&capture.space);
                let plants = capture.plants(&captured);
                // Motions on a treadmill are measured relative to the belt.
                let ground = ground_velocity(&captured, &capture.legs, Some(&capture.floor), &plants);
                let captured =
                    ground.map_or(captured.clone(), |ground| relative_to_ground(&captured, ground));
                let before = scale_root_path(&captured, capture.first_frame, scale);
                let Some(row) = capture.figures(&before, &plants, settings).as_ref().and_then(row) else {
                    continue;
                };
                if NAMED.contains(&name.as_str()) || std::env::var_os("EVERY_FILE").is_some() {
                    print(name, form, &row);
                }
                rows.push(row);
            }
            summary(form, &rows);
        }
    }
}

/// Prints the time per frame on unchanged captures.
fn costs(captures: &[(String, Capture)]) {
    println!("\ntime per frame, as captured, in nanoseconds");
    for (name, capture) in captures.iter().filter(|(name, _)| NAMED.contains(&name.as_str())) {
        let captured = capture.bvh.motion(&capture.space);
        let plants = capture.plants(&captured);
        let costs = forms().map(|(form, settings)| {
            let ns = capture.nanoseconds(&captured, &plants, &settings).unwrap_or(f64::NAN);
            format!("{form} {ns:.0}")
        });
        println!(
            "{name:<22} {}, {} joints at {:.0} fps",
            costs.join(", "),
            captured.skeleton.len(),
            captured.fps
        );
    }
}
