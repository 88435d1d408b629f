//! Notes for the user about a clip and its cleaning, as sentences.

use surefoot_contact::{MovingFoot, Travel, ground_speed_change};
use surefoot_core::{Clip, Floor, FootPoint, FrameRange, Leg, Pose, Vec3};
use surefoot_measure::{DeepestPoint, Figures, PlantFigures, Unit};
use surefoot_solve::{Note, PlantReport, Report};

use super::motion_file::{FloorSource, MotionFile, PlantsSource};
use crate::printable;

/// A sentence, with the frame that it is about if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameNote {
    /// The first frame that the sentence is about.
    pub frame: Option<usize>,
    /// The sentence.
    pub text: String,
}

impl From<String> for FrameNote {
    fn from(text: String) -> Self {
        Self { frame: None, text }
    }
}

/// Notes about how a clip was cleaned. The clip is the clean one, read back.
pub(crate) fn clean_notes(clip: &Clip, report: &Report, figures: &Figures) -> Vec<FrameNote> {
    let mut notes: Vec<FrameNote> = report
        .notes
        .iter()
        .filter(|note| !is_hand_off_floor(&clip.legs, note))
        .map(|note| frame_note(&clip.legs, note))
        .collect();
    notes.extend(dragged_body(clip, report));
    notes.extend(uneven_ground(clip, report).map(FrameNote::from));
    notes.extend(figures.plants.iter().filter_map(drifting_plant));
    notes.extend(figures.deepest.as_ref().and_then(below_floor));
    notes
}

/// Root correction from which a body is said to be dragged, in leg lengths: 21 cm in an adult. Cleaning 102 captures moves
/// no root by more than 7 cm; hips that are this far from where they were captured are over other feet.
const DRAGGED: f64 = 0.25;

/// Whether a note states that a planted hand is above the floor, as on a wall.
fn is_hand_off_floor(legs: &[Leg], note: &Note) -> bool {
    matches!(note, Note::OffFloor { leg, .. } if legs.get(*leg).is_some_and(Leg::is_arm))
}

/// A plant for which the root moves further than a body would.
fn dragged_body(clip: &Clip, report: &Report) -> Option<FrameNote> {
    let limit = DRAGGED * leg_length(clip)?;
    let drags = |plant: &&PlantReport| plant.root_correction_m > limit;
    let (first, others) = (report.plants.iter().find(drags)?, report.plants.iter().filter(drags).count() - 1);
    let worst = report.plants.iter().map(|plant| plant.root_correction_m).fold(0.0, f64::max);
    let side = clip.legs.get(first.leg).map_or("missing".into(), |leg| printable(&leg.side));
    let span = format!("frames {}–{}", first.frames.start, first.frames.end.saturating_sub(1));
    let others = match others {
        0 => String::new(),
        1 => " and another plant".into(),
        count => format!(" and {count} other plants"),
    };
    let text = format!(
        "{side} {}, {span}: to hold this plant{others}, the root moves by up to {}, further than a body would (a quarter \
         of a leg, {}): check the plants and their spots, and whether the ground moves or turns",
        clip.legs.get(first.leg).map_or(first.point.as_str(), |leg| leg.point_name(first.point)),
        Unit::Metres.format(worst),
        Unit::Metres.format(limit)
    );
    Some(FrameNote { frame: Some(first.frames.start), text })
}

/// The mean length of thigh and shin together, in metres.
fn leg_length(clip: &Clip) -> Option<f64> {
    let skeleton = &clip.motion.skeleton;
    let rest = Pose::rest(skeleton).world(skeleton);
    let length = |leg: &Leg| {
        let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| rest.joint(joint));
        hip.distance(knee) + knee.distance(ankle)
    };
    let sum: f64 = clip.legs.iter().map(length).sum();
    Some(sum / clip.legs.len() as f64).filter(|length| *length > 0.0 && length.is_finite())
}

/// Above this share of plants off the floor, the ground is probably not a plane.
const UNEVEN_SHARE: f64 = 0.2;

/// Suggests another floor where many plants are off the floor.
fn uneven_ground(clip: &Clip, report: &Report) -> Option<String> {
    let is_off = |note: &&Note| matches!(note, Note::OffFloor { .. });
    let (off, all) = (report.notes.iter().filter(is_off).count(), report.plants.len());
    let is_plane = clip.floor.as_ref().and_then(Floor::as_plane).is_some();
    let is_uneven = is_plane && off > 1 && off as f64 > UNEVEN_SHARE * all as f64;
    is_uneven.then(|| {
        format!(
            "{off} of {all} plants are off the floor: for stairs and uneven ground set the floor to `plants`"
        )
    })
}

/// A plant that drifts by no more than this in the file, in metres, is held.
const HELD_M: f64 = 1e-5;

/// A plant that drifts in the file although the cleaner reports nothing about it.
fn drifting_plant(plant: &PlantFigures) -> Option<FrameNote> {
    let PlantFigures { foot, point_name, first, last, .. } = plant;
    let drift = plant.after.drift.filter(|&drift| drift > HELD_M && plant.unmet.is_none())?;
    let (foot, point, drift) = (printable(foot), *point_name, Unit::Metres.format(drift));
    let text = format!("{foot} {point}, frames {first}–{last}: not held, it drifts by {drift}");
    Some(FrameNote { frame: Some(*first), text })
}

/// A foot that stays below the floor by more than this, in metres, is reported.
const DEEP_M: f64 = 1e-3;

/// The foot point that is deepest below the floor, and its depth before.
fn below_floor(deepest: &DeepestPoint) -> Option<FrameNote> {
    let DeepestPoint { foot, point, frame, depth, before } = deepest;
    let before = before.filter(|_| *depth > DEEP_M)?;
    let [depth, before] = [*depth, before].map(|depth| Unit::Metres.format(depth));
    let text = format!(
        "{} {point}, frame {frame}: {depth} below the floor, the deepest point; {before} as captured",
        printable(foot)
    );
    Some(FrameNote { frame: Some(*frame), text })
}

/// A warning about ground whose speed changes, from the speeds at the first and last plant.
pub fn changing_ground([first, last]: [f64; 2], velocity: Vec3) -> String {
    format!(
        "the speed of the ground changes from {first:.2} to {last:.2} m/s, but {:.2} m/s is used throughout: \
         feet slide where the ground moves at another speed",
        velocity.length()
    )
}

/// Largest number of dragged feet that are listed one by one; of more feet, only the number is stated.
const MAX_LISTED_DRAGS: usize = 4;

/// Notes about feet that are on the ground and move, and therefore are not planted.
pub(crate) fn moving_feet_notes(moving: &[MovingFoot], legs: &[Leg], floor: Option<&Floor>) -> Vec<String> {
    let up = floor.map_or(Vec3::Y, Floor::up);
    let (carried, dragged): (Vec<_>, Vec<_>) = moving.iter().partition(|foot| foot.travel == Travel::Carried);
    let mut notes: Vec<String> = carried.iter().map(|foot| carried_foot(foot, legs, up)).collect();
    if dragged.len() > MAX_LISTED_DRAGS {
        let count = dragged.len();
        notes.push(format!(
            "feet are dragged over the ground {count} times, and are not held while they move"
        ));
    } else {
        notes.extend(dragged.iter().map(|foot| {
            let distance = Unit::Metres.format((foot.displacement - up * foot.displacement.dot(up)).length());
            format!(
                "{}: dragged {distance} over the ground, so it is not held there",
                foot_frames(foot, legs)
            )
        }));
    }
    notes
}

fn carried_foot(foot: &MovingFoot, legs: &[Leg], up: Vec3) -> String {
    let height = foot.displacement.dot(up);
    let along = (foot.displacement - up * height).length();
    let (distance, place) = match (height.abs() > along, height > 0.0) {
        (true, true) => (format!("up {}", Unit::Metres.format(height)), "on a lift"),
        (true, false) => (format!("down {}", Unit::Metres.format(-height)), "on a lift"),
        _ => (Unit::Metres.format(along), "on a platform or in a vehicle"),
    };
    format!(
        "{}: carried {distance} with the body, as {place}, so it is not held there",
        foot_frames(foot, legs)
    )
}

fn foot_frames(foot: &MovingFoot, legs: &[Leg]) -> String {
    let side = legs.get(foot.leg).map_or("missing".into(), |leg| printable(&leg.side));
    format!("{side} foot, frames {}–{}", foot.frames.start, foot.frames.end.saturating_sub(1))
}

/// The note about plants that the detector found.
pub const CONTACTS_DETECTED: &str =
    "foot contacts were detected; write them to a plants file to check and correct them";

impl MotionFile {
    /// Notes about the clip of this file before it is cleaned or measured.
    pub fn clip_notes(&self) -> Vec<String> {
        let Clip { motion, legs, floor, plants, .. } = &self.clip;
        let mut notes = Vec::new();
        if self.plants_source == PlantsSource::Detected {
            notes.push(match plants.plants.is_empty() {
                true => "no foot contact was found, so nothing is held".into(),
                false => CONTACTS_DETECTED.to_owned(),
            });
        }
        if let Some(velocity) = self.clip.ground_velocity {
            notes.push(format!(
                "the ground moves at {:.2} m/s, as on a treadmill: plants and drift are relative to it",
                velocity.length()
            ));
            let changes = ground_speed_change(motion, legs, floor.as_ref(), plants, velocity);
            notes.extend(changes.map(|speeds| changing_ground(speeds, velocity)));
        }
        if self.clip.first_frame > 0 {
            notes.push("frame 0 is a T-pose inserted by an exporter: it is not changed or measured".into());
        }
        if self.floor_source == FloorSource::Plants {
            notes.push("the floor was built from the plants, at the heights where they were captured".into());
        }
        if floor.is_none() {
            notes.push("there is no floor: plants keep the height at which they were captured".into());
        }
        notes.extend(self.plants_notes.iter().cloned());
        notes
    }
}

/// Below this confidence the frame rate is worth a warning, as other inferred values are.
const DOUBTFUL: f64 = 0.7;

impl MotionFile {
    /// Warnings about the file itself: irregularities in its text, and inferred values of low confidence.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = self.source.notes();
        let rate = self.source.rate();
        if rate.confidence < DOUBTFUL {
            let percent = 100.0 * rate.confidence;
            warnings.push(format!("the frame rate is doubtful ({percent:.0} %): {}", rate.reason));
        }
        warnings.extend(self.inference.warnings.iter().cloned());
        if self.inference.legs.is_err() {
            warnings.push("no legs were found; name them in a rig file".into());
        }
        if self.detection.hold.holds_hands() && self.inference.arms.value.is_empty() {
            warnings.push("no arms were found, so that no hand is held; name them in a rig file".into());
        }
        warnings
    }
}

fn frame_note(legs: &[Leg], note: &Note) -> FrameNote {
    let frame = match note {
        Note::OutOfReach { frames, .. }
        | Note::FootLengthMismatch { frames, .. }
        | Note::NotHeld { frames, .. } => Some(frames.start),
        Note::OffFloor { frame, .. } => Some(*frame),
        _ => None,
    };
    FrameNote { frame, text: note_text(legs, note) }
}

/// A note of the solver as a sentence.
pub fn note_text(legs: &[Leg], note: &Note) -> String {
    let side = |leg: usize| legs.get(leg).map_or("missing".into(), |leg| printable(&leg.side));
    let span = |frames: &FrameRange| format!("frames {}–{}", frames.start, frames.end.saturating_sub(1));
    let name =
        |leg: usize, point: &FootPoint| legs.get(leg).map_or(point.as_str(), |leg| leg.point_name(*point));
    let foot = |leg: usize| if legs.get(leg).is_some_and(Leg::is_arm) { "" } else { " foot" };
    match note {
        Note::OutOfReach { leg, frames, drift_m } => format!(
            "{}{}, {}: out of reach, so it drifts by up to {:.2} mm",
            side(*leg),
            foot(*leg),
            span(frames),
            drift_m * 1000.0
        ),
        Note::FootLengthMismatch { leg, point, frames, drift_m } => format!(
            "{} {}, {}: the spots of heel and ball do not fit the size of the foot; it misses its spot by {:.2} mm",
            side(*leg),
            name(*leg, point),
            span(frames),
            drift_m * 1000.0
        ),
        Note::NotHeld { leg, point, frames, held_frames } => format!(
            "{} {}, {}: held for {held_frames} of {} frames",
            side(*leg),
            name(*leg, point),
            span(frames),
            frames.len()
        ),
        Note::OffFloor { leg, point, frame, height_m } => format!(
            "{} {} from frame {frame}: planted {:.0} mm {} the floor, and kept at that height",
            side(*leg),
            name(*leg, point),
            height_m.abs() * 1000.0,
            if *height_m < 0.0 { "below" } else { "above" }
        ),
        other => format!("{other:?}"),
    }
}
