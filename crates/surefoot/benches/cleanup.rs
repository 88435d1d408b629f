//! What does cleanup do to real motions? Every figure of the written file, read back.
//!
//! Each capture is cleaned as it is and with its root path made 10 % longer, so that it skates, by
//! the method as published and by ours, with plants found in the capture as it is. Ratios are after over before; 99th percentile and largest.

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
        let found = infer(&bvh.excerpt(), &Overrides::default());
        let space = Space { unit_m: found.unit_m.value, up: found.up.value };
        let floor = found.floor?.value;
        Some(Self {
            legs: space.legs_from_file(&found.legs.ok()?.value),
            floor: space.plane_from_file(floor).into(),
            first_frame: usize::from(found.inserted_t_pose.value),
            bvh,
            space,
        })
    }

    fn plants(&self, motion: &Motion) -> Footplants {
        let settings = contact::Settings {
            first_frame: self.first_frame,
            edges: contact::Edges::Rest,
            method: method(),
            ..Default::default()
        };
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

    /// The least that a frame of a motion takes, of many turns, in nanoseconds; from the first that is pushed until the
    /// last is out.
    fn nanoseconds(&self, motion: &Motion, plants: &Footplants, settings: &Settings) -> Option<f64> {
        const TURNS: usize = 500;
        let clip = self.clip(motion, plants).performance();
        let (poses, plants) = (&clip.motion.poses, &clip.plants);
        let held = active_plants(poses.len(), self.legs.len(), plants);
        let longest = plants.plants.iter().map(|plant| plant.frames.len()).max().unwrap_or(0);
        let fresh = Cleaner::new(&clip, longest, settings).ok()?;
        let turn = |_| {
            let mut cleaner = fresh.clone();
            let start = Instant::now();
            for (pose, held) in poses.iter().zip(held.chunks_exact(self.legs.len())) {
                black_box(cleaner.push(pose, held)).ok()?;
            }
            while black_box(cleaner.finish()).is_some() {}
            Some(start.elapsed().as_secs_f64())
        };
        (0..TURNS).filter_map(turn).reduce(f64::min).map(|least| least * 1e9 / poses.len() as f64)
    }

    /// Cleans a motion, writes it, reads it back and measures that; and what no figure tells.
    fn figures(&self, before: &Motion, plants: &Footplants, settings: &Settings) -> Option<(Figures, Worse)> {
        let skip = self.first_frame;
        let after = clean(&self.clip(before, plants), settings).ok()?.clip.motion;
        let written = Bvh::read(self.bvh.write(&after, &self.space).ok()?).ok()?.motion(&self.space);
        let figures = measure(&self.clip(&written, plants), Some(before)).ok()?;
        let motions = [before, &written];
        let worse = Worse {
            grown: grown(motions, &self.legs, skip),
            points_sunk: sunk(motions, &self.legs, &self.floor, skip, |leg| vec![leg.heel, leg.ball]),
            toes_sunk: sunk(motions, &self.legs, &self.floor, skip, |leg| vec![leg.toe]),
            left_in: left_in(&written, plants, &self.legs, &self.floor, skip),
        };
        Some((figures, worse))
    }
}

/// What cleaning made worse at most.
#[derive(Clone, Copy)]
struct Worse {
    /// The acceleration of a hip, knee or ankle, in metres a second squared.
    grown: f64,
    /// How deep a heel or ball is in the floor, and a toe tip, in metres.
    points_sunk: f64,
    toes_sunk: f64,
    /// How deep a heel or ball is in the floor that stands on it or is lifted out of it, in metres.
    left_in: f64,
}

/// By how much points are deeper in the floor than before, at most, in metres.
fn sunk(
    motions: [&Motion; 2],
    legs: &[Leg],
    floor: &Floor,
    first_frame: usize,
    points: fn(&Leg) -> Vec<JointPoint>,
) -> f64 {
    let points: Vec<JointPoint> = legs.iter().flat_map(points).collect();
    let [before, after] = motions.map(|motion| {
        let depths = |pose: &Pose| {
            let placed = pose.world(&motion.skeleton);
            points.iter().map(|on| (-floor.above(placed.point(on))).max(0.0)).collect::<Vec<f64>>()
        };
        motion.poses[first_frame..].iter().flat_map(depths).collect::<Vec<f64>>()
    });
    before.iter().zip(&after).map(|(before, after)| after - before).fold(0.0, f64::max)
}

/// How deep a heel or ball that is planted on the floor is in it at most, or one that is lifted out of it, in metres.
///
/// Lifted are those of a free foot within a tenth of a second of a plant. A plant more than 2 cm below the floor keeps its
/// height, and so its foot is in it there and around.
fn left_in(motion: &Motion, plants: &Footplants, legs: &[Leg], floor: &Floor, first_frame: usize) -> f64 {
    let near = (0.1 * motion.fps) as usize;
    let mut deepest = 0.0f64;
    for (n, leg) in legs.iter().enumerate() {
        let height = |pose: &Pose| {
            let placed = pose.world(&motion.skeleton);
            [leg.heel, leg.ball].map(|on| floor.above(placed.point(&on)))
        };
        let heights: Vec<[f64; 2]> = motion.poses.iter().map(height).collect();
        let of = |plant: &Plant, frame: usize| heights[frame][usize::from(plant.point == FootPoint::Ball)];
        let own = plants.plants.iter().filter(|plant| plant.leg == n && !plant.frames.is_empty());
        let (on, off): (Vec<&Plant>, Vec<&Plant>) =
            own.partition(|plant| of(plant, plant.frames.start) > -0.0195);
        let is_within = |plants: &[&Plant], frame: usize, by: usize| {
            plants.iter().any(|plant| plant.frames.start <= frame + by && frame < plant.frames.end + by)
        };
        for plant in &on {
            deepest = plant.frames.clone().fold(deepest, |deepest, frame| deepest.max(-of(plant, frame)));
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

/// By how much the acceleration of a hip, knee or ankle grew at most, in metres a second squared.
///
/// An added acceleration is a difference, and a jolt that is taken away is one too; of that, this knows nothing.
fn grown(motions: [&Motion; 2], legs: &[Leg], first_frame: usize) -> f64 {
    let [before, after] = motions.map(|motion| {
        let placed = |pose: &Pose| pose.world(&motion.skeleton);
        let joints = |pose: &Pose| -> Vec<Vec3> {
            let placed = placed(pose);
            legs.iter()
                .flat_map(|leg| [leg.hip, leg.knee, leg.ankle])
                .map(|joint| placed.joint(joint))
                .collect()
        };
        let places: Vec<Vec<Vec3>> = motion.poses[first_frame..].iter().map(joints).collect();
        let jolt = |at: &[Vec<Vec3>], n: usize| (at[2][n] - 2.0 * at[1][n] + at[0][n]).length();
        let jolts = |at: &[Vec<Vec3>]| (0..3 * legs.len()).map(|n| jolt(at, n)).collect::<Vec<f64>>();
        places.windows(3).flat_map(jolts).collect::<Vec<f64>>()
    });
    let more = before.iter().zip(&after).map(|(before, after)| after - before);
    more.fold(0.0, f64::max) * motions[0].fps * motions[0].fps
}

/// How plants are found: as the environment's `METHOD` says, else the default.
fn method() -> contact::Method {
    std::env::var("METHOD").ok().and_then(|word| contact::Method::from_name(&word)).unwrap_or_default()
}

/// The motion with its root's way over the ground made longer.
fn scaled(motion: &Motion, first_frame: usize, scale: f64) -> Motion {
    let mut motion = motion.clone();
    let Some(start) = motion.poses.get(first_frame).map(|pose| pose.offsets[0]) else { return motion };
    for pose in &mut motion.poses[first_frame..] {
        let way = pose.offsets[0] - start;
        pose.offsets[0] = start + Vec3::new(way.x * scale, way.y, way.z * scale);
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
    worse: Worse,
    own: f64,
    held: usize,
    plants: usize,
}

fn row((figures, worse): &(Figures, Worse)) -> Option<Row> {
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
        worse: *worse,
        own: before.leg_acceleration_max_m_per_s2?,
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
        row.added / row.own,
        row.worse.grown / row.own,
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
        worse: Worse {
            grown: median(rows, |row| row.worse.grown),
            points_sunk: median(rows, |row| row.worse.points_sunk),
            toes_sunk: median(rows, |row| row.worse.toes_sunk),
            left_in: median(rows, |row| row.worse.left_in),
        },
        own: median(rows, |row| row.own),
        held: rows.iter().map(|row| row.held).sum(),
        plants: rows.iter().map(|row| row.plants).sum(),
    };
    print(&format!("median of {}", rows.len()), form, &all);
    distribution("added jolt", form, rows.iter().map(|row| row.added / row.own).collect());
    distribution("grown jolt", form, rows.iter().map(|row| row.worse.grown / row.own).collect());
    let sunk = |of: fn(&Worse) -> f64| rows.iter().filter(|row| of(&row.worse) > 1e-3).count();
    println!(
        "{:<22} {form:<6} deeper in the floor than captured by more than 1 mm: heels or balls in {}, toes in {}",
        "",
        sunk(|worse| worse.points_sunk),
        sunk(|worse| worse.toes_sunk)
    );
    println!(
        "{:<22} {form:<6} deepest in the floor of all that stands on it or is lifted out of it: {:.4} mm",
        "",
        rows.iter().map(|row| row.worse.left_in * 1e3).fold(0.0, f64::max)
    );
}

/// What share of clips has how much of something, against the capture's own largest.
fn distribution(what: &str, form: &str, mut shares: Vec<f64>) {
    shares.sort_by(f64::total_cmp);
    let at =
        |share: f64| shares.get((share * (shares.len() - 1) as f64) as usize).copied().unwrap_or(f64::NAN);
    println!(
        "{:<22} {form:<6} {what} ÷ the capture's own largest, 10 25 50 75 90 100 % of clips: {:.2} {:.2} {:.2} {:.2} {:.2} {:.2}; within it {} of {}",
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
    // `-- cost` runs only that part.
    if !std::env::args().any(|word| word == "cost") {
        figures(&captures);
    }
    costs(&captures);
}

/// The method as published, and ours.
fn forms() -> [(&'static str, Settings); 2] {
    [("paper", Settings::paper()), ("ours", Settings::default())]
}

/// What cleanup does to the motions.
fn figures(captures: &[(String, Capture)]) {
    for (what, scale) in [("as captured", 1.0), ("with the root path × 1.10", 1.1)] {
        println!("\n{what}");
        println!(
            "                              drift, mm            knee             root         stretch   added        grown  plants"
        );
        println!(
            "                              before     after   p99 / max        p99 / max            %   m/s²  ÷ own ÷ own   held"
        );
        for (form, settings) in &forms() {
            let mut rows = Vec::new();
            for (name, capture) in captures {
                let captured = capture.bvh.motion(&capture.space);
                let plants = capture.plants(&captured);
                // On a treadmill all is seen from the belt.
                let ground = ground_velocity(&captured, &capture.legs, Some(&capture.floor), &plants);
                let captured =
                    ground.map_or(captured.clone(), |ground| relative_to_ground(&captured, ground));
                let before = scaled(&captured, capture.first_frame, scale);
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

/// What a frame takes, on captures as they are.
fn costs(captures: &[(String, Capture)]) {
    println!("\na frame takes, as captured, in nanoseconds");
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
