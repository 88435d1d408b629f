//! From a clip to the bytes of a clean file, measured as they will be read.
//!
//! Figures are measured in the written bytes, read back, never in the motion in memory. Where the ground moves,
//! everything is measured in the ground's frame of reference.

use std::borrow::Cow;
use std::path::Path;

use surefoot_core::{Clip, Leg, Motion};
use surefoot_edit::body_root::{clean_body, on_body};
use surefoot_edit::in_place::{in_place, travel_velocity};
use surefoot_edit::looping::close_loop;
use surefoot_edit::root_convention::{Engine, Travel, with_root_convention};
use surefoot_formats::{SourceFile, Space};
use surefoot_measure::{Figures, MeasureError, Unit, measure};
use surefoot_solve::{CleanResult, Report, Settings, SupportLabel};

use super::channels::FileChannels;
use super::error::Error;
use super::glitch_notes::glitch_notes;
#[cfg(feature = "arrays")]
use super::level_feet::level_feet;
use super::motion_file::MotionFile;
use super::notes::{FrameNote, clean_notes};

/// A plant that misses its spot by no more than this, in metres, is held: less is rounding in the file.
const MET_M: f64 = 1e-6;

/// The steps between a clip and its file.
#[derive(Clone, Debug, Default)]
pub struct OutputSettings {
    /// Settings of the cleaner. `None` leaves the feet as captured.
    pub clean: Option<Settings>,
    /// Makes the end of the motion meet its start, unless the clip is a loop already.
    pub make_loop: bool,
    /// Removes the travel over the ground, as on a treadmill.
    pub in_place: bool,
    /// Puts the root bone where this game engine expects it. `None` leaves it where it is.
    pub engine: Option<Engine>,
}

impl From<Settings> for OutputSettings {
    fn from(settings: Settings) -> Self {
        Self { clean: Some(settings), ..Self::default() }
    }
}

/// A clean motion, written and measured.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CleanFile<'a> {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// The clip in those bytes, read back, in the ground's frame of reference, with the plants that were held.
    pub clip: Clip,
    /// The motion before it was cleaned, in the ground's frame of reference.
    pub before: Cow<'a, Motion>,
    /// The velocity of the ground in the file, in metres per second.
    pub ground_velocity: Option<surefoot_core::Vec3>,
    /// The figures of the file, and of the motion before it was cleaned.
    pub figures: Figures,
    /// The cost of each plant. `None` if the motion was not cleaned.
    pub report: Option<Report>,
    /// Plants that could not be held, and other notes about the result.
    pub notes: Vec<FrameNote>,
    /// For a loop, the largest distance between a joint and the same joint one cycle later, in metres.
    pub periodic_m: Option<f64>,
    /// Which feet support the body in each frame, if the method determines it.
    pub labels: Vec<SupportLabel>,
}

impl MotionFile {
    /// Cleans the clip of this file, after detecting plants if there are none.
    ///
    /// The result has the format, unit and axes of this file, and differs only where it must.
    pub fn clean(&mut self, settings: &Settings) -> Result<CleanFile<'_>, Error> {
        self.require_legs().map_err(Error::NoLegs)?;
        self.ensure_plants()?;
        finish(self.target(), Cow::Borrowed(&self.clip), &(*settings).into())
    }

    /// This file as the one that a clip is written into.
    pub fn target(&self) -> Target<'_> {
        Target { source: Cow::Borrowed(&self.source), space: self.space() }
    }
}

/// The file that a clip is written into: a copy of it with the motion replaced.
#[derive(Clone, Debug)]
pub struct Target<'a> {
    /// The file. An owned one is dropped as soon as it is written, which saves twice its size in memory.
    pub source: Cow<'a, SourceFile>,
    /// The unit and axes of the file.
    pub space: Space,
}

/// Cleans a clip, writes it into a copy of a file, reads the bytes back and measures them.
///
/// `edited` is the file's own clip or an edit of it. The target is the file that it comes from, or that of the body to
/// which it was retargeted.
pub fn finish<'a>(
    target: Target,
    edited: Cow<'a, Clip>,
    settings: &OutputSettings,
) -> Result<CleanFile<'a>, Error> {
    let edited = match settings.make_loop && edited.looping.is_none() {
        true => Cow::Owned(close_loop(&edited).map_err(Error::Loop)?),
        false => edited,
    };
    let edited = without_free_arms(edited);
    let result = match &settings.clean {
        Some(settings) => {
            let mut result = clean_body(&edited, &with_default_stretch(*settings, &target.source))
                .map_err(Error::Clean)?;
            level_feet_of_positions(&mut result.clip, &edited.motion, &target.source);
            result
        }
        None => {
            let mut unchanged = CleanResult::default();
            unchanged.clip = edited.clone().into_owned().split_plants_at_seam();
            unchanged
        }
    };
    write_and_measure(target, edited, result, settings)
}

/// A clip without its arms, if no hand is planted.
fn without_free_arms(clip: Cow<Clip>) -> Cow<Clip> {
    let feet = Leg::without_arms(&clip.legs).len();
    if feet == clip.legs.len() || clip.plants.plants.iter().any(|plant| plant.leg >= feet) {
        return clip;
    }
    let mut clip = clip.into_owned();
    clip.legs.truncate(feet);
    Cow::Owned(clip)
}

/// Levels the planted feet of a clip that has been cleaned, if its file holds positions alone. [`finish`] calls this; it
/// is for a clip that was cleaned by other means.
#[cfg_attr(not(feature = "arrays"), expect(unused_variables, reason = "only arrays hold positions alone"))]
pub fn level_feet_of_positions(cleaned: &mut Clip, captured: &Motion, source: &SourceFile) {
    #[cfg(feature = "arrays")]
    if !source.has_rotations() {
        level_feet(cleaned, captured);
    }
}

/// Settings that keep the captured length of each bone in each frame, unless a limit is set, for a file of positions:
/// its bones change their length by noise, not because the file is made to stretch them. [`finish`] uses them.
pub fn with_default_stretch(settings: Settings, source: &SourceFile) -> Settings {
    let stretch = settings.stretch.or((!source.has_rotations()).then_some(0.0));
    Settings { stretch, ..settings }
}

/// Writes a clip that has been cleaned, reads the bytes back and measures them.
///
/// [`finish`] does all of it; this is for a clip that was cleaned by other means, such as an
/// [`IncrementalCleaner`](surefoot_solve::IncrementalCleaner).
pub fn write_and_measure<'a>(
    target: Target,
    edited: Cow<'a, Clip>,
    result: CleanResult,
    settings: &OutputSettings,
) -> Result<CleanFile<'a>, Error> {
    let CleanResult { clip: mut cleaned, report, periodic_m, labels, .. } = result;
    let mut notes = Vec::new();
    if settings.in_place {
        let speed = remove_travel(&mut cleaned)?;
        let speed = Unit::Speed.format(speed);
        notes.push(format!("in place: the ground moves at {speed}, and figures are relative to it").into());
    }
    if let Some(engine) = settings.engine {
        let travel = if settings.in_place { Travel::InPlace } else { Travel::RootMotion };
        cleaned = with_root_convention(&cleaned, engine, travel).map_err(Error::NoRootBone)?;
    }
    let glitches = settings.clean.as_ref().map_or_else(Vec::new, |clean| glitch_notes(&edited, clean));
    let channels = FileChannels::of(&target.source);
    let ground_velocity = cleaned.ground_velocity;
    let (written, clip) = write_and_read_back(target, Clip { floor: edited.floor.clone(), ..cleaned })?;
    let channels_changed = channels.changed_in(&written);
    let bytes = written.into_bytes();
    let before = motion_at_rest(edited);
    let report = settings.clean.as_ref().map(|_| report);
    let mut figures = measure(&clip, report.as_ref().map(|_| &*before)).map_err(Error::Measure)?;
    if let Some(report) = &report {
        figures.events.channels_changed = Some(channels_changed);
        note_misses(&mut figures, report);
        notes.extend(clean_notes(&clip, report, &figures));
        notes.extend(glitches);
    }
    Ok(CleanFile { bytes, clip, before, ground_velocity, figures, report, notes, periodic_m, labels })
}

/// Removes the travel over the ground from a clip. Returns its speed in metres per second.
fn remove_travel(clip: &mut Clip) -> Result<f64, Error> {
    let at_rest = clip.relative_to_ground();
    let velocity = travel_velocity(&at_rest).ok_or(Error::NoGroundSpeed)?;
    *clip = on_body(at_rest, |clip| Ok(in_place(&clip, velocity)))?;
    Ok(velocity.length())
}

/// Writes a clip and reads the bytes back into a file and a clip, which is in the ground's frame of reference.
fn write_and_read_back(target: Target, mut clip: Clip) -> Result<(SourceFile, Clip), Error> {
    let Target { source, space } = target;
    let fps = clip.motion.fps;
    let (bytes, copied) = source.write_and_list_copies(&clip.motion, &space).map_err(Error::Write)?;
    let mut written;
    match source {
        Cow::Owned(source) => {
            // Freed early: a long motion takes as much memory as everything else together.
            clip.motion = Motion::default();
            written = source.into_read_back(bytes).map_err(Error::ReadBack)?;
            written.set_rate(fps);
            clip.motion = written.motion(&space);
        }
        Cow::Borrowed(source) => {
            written = source.read_back(bytes).map_err(Error::ReadBack)?;
            written.set_rate(fps);
            let motion = core::mem::take(&mut clip.motion);
            clip.motion = written.motion_written_over(source, motion, &copied, &space);
        }
    }
    if let Some(velocity) = clip.ground_velocity.take() {
        clip.motion = clip.motion.with_added_velocity(-velocity);
    }
    Ok((written, clip))
}

/// The motion of a clip in its ground's frame of reference.
fn motion_at_rest(clip: Cow<Clip>) -> Cow<Motion> {
    match (clip.ground_velocity, clip) {
        (Some(velocity), clip) => Cow::Owned(clip.motion.with_added_velocity(-velocity)),
        (None, Cow::Borrowed(clip)) => Cow::Borrowed(&clip.motion),
        (None, Cow::Owned(clip)) => Cow::Owned(clip.motion),
    }
}

/// Adds to the figures of each plant by how much it misses its spot.
fn note_misses(figures: &mut Figures, report: &Report) {
    // A plant that spans the seam of a loop is one for the cleaner and two in the file.
    if figures.plants.len() == report.plants.len() {
        for (figures, cost) in figures.plants.iter_mut().zip(&report.plants) {
            figures.unmet = Some(cost.drift_m).filter(|&slide| slide > MET_M);
        }
    }
}

impl CleanFile<'_> {
    /// Writes the file, whole or not at all. A file of this name is replaced.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".part");
        let part = path.with_file_name(name);
        let written = std::fs::write(&part, &self.bytes).and_then(|()| std::fs::rename(&part, path));
        written.map_err(|error| {
            // The write has failed already; an error of the removal adds nothing.
            let _ = std::fs::remove_file(&part);
            Error::Io { path: path.to_owned(), error }
        })
    }

    /// A report as one HTML page.
    pub fn report_page(&self, title: &str) -> Result<String, MeasureError> {
        let notes: Vec<String> = self.notes.iter().map(|note| note.text.clone()).collect();
        surefoot_measure::report(&self.report_input(title, &notes))
    }

    /// The parts of a report, for a page with other notes or an edit's page.
    pub fn report_input<'a>(&'a self, title: &'a str, notes: &'a [String]) -> surefoot_measure::Report<'a> {
        surefoot_measure::Report {
            title,
            clip: &self.clip,
            before: self.figures.before.as_ref().map(|_| &*self.before),
            figures: &self.figures,
            missed_limits: &[],
            warnings: &[],
            notes,
        }
    }

    /// The clip as the file stores it: plants stand on ground that moves.
    pub fn stored_plants(&self) -> Clip {
        Clip { ground_velocity: self.ground_velocity, ..self.clip.clone() }
    }
}
