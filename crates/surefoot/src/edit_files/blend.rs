//! Blends two files into one.

use serde::Serialize;
use surefoot_core::{Clip, FrameRange};
use surefoot_edit::blend::{
    BlendError, BlendResult, PoseDistance, Settings, Weight, blend, count_steps, paired_steps,
};
use surefoot_edit::{PairError, distance};

use super::distance_map::{DistanceMap, map_settings};
use super::file_name;
use crate::{MotionFile, printable};

/// A blend of two files of one body, on one floor.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BlendedClip<'a> {
    files: [&'a MotionFile; 2],
    settings: Settings,
    /// The blended clip, not yet cleaned.
    pub clip: Clip,
    /// The details of the edit, for JSON.
    pub details: BlendDetails,
    /// Notes about the blend.
    pub notes: Vec<String>,
    /// Which times of both motions belong together, in seconds.
    pub warp_path: Vec<(f64, f64)>,
}

/// The details of a blend.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct BlendDetails {
    /// The number of frames.
    pub frames: usize,
    /// The weight of the second motion in the first frame.
    pub weight_first: f64,
    /// The weight of the second motion in the last frame.
    pub weight_last: f64,
    /// The largest ratio of playback speeds between the two motions.
    pub slope_max: f64,
    /// Mean distance between synchronised poses, in metres.
    pub apart_mean_m: f64,
    /// Largest distance between synchronised poses, in metres.
    pub apart_max_m: f64,
    /// The number of steps of each motion.
    pub steps: [usize; 2],
    /// Whether the motions were synchronised by the landings of their feet, and not by their poses.
    pub paired_by_steps: bool,
}

/// The steps of two motions that are blended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepChoice {
    /// All steps: both motions from their first frame to their last. Of a motion that is over three times as long as the
    /// other, only the beginning.
    #[default]
    All,
    /// Those that both motions take: from the first landing of the same foot, as many as the motion with fewer has.
    Paired,
}

/// Cuts two motions to the steps that both take. Motions without common steps are left alone.
fn cut_to_paired_steps(clips: [Clip; 2]) -> [Clip; 2] {
    let fps = clips[0].motion.fps;
    let [a, b] = clips.each_ref().map(|clip| &clip.plants);
    let Some((frames, _)) = paired_steps([a, b], fps) else { return clips };
    let [first, second] = clips;
    let [of_first, of_second] = frames;
    [cut(first, of_first), cut(second, of_second)]
}

fn cut(clip: Clip, frames: FrameRange) -> Clip {
    // The clip is a performance, so what comes before its first frame is left out by moving that frame.
    let mut clip = Clip { first_frame: frames.start, ..clip };
    clip.motion.poses.truncate(frames.end);
    clip.plants.plants.retain(|plant| plant.frames.start < frames.end && plant.frames.end > frames.start);
    for plant in &mut clip.plants.plants {
        plant.frames.end = plant.frames.end.min(frames.end);
    }
    clip.performance()
}

/// Number of points of the synchronisation that is drawn and whose slope is measured.
const WARP_PATH_POINTS: u32 = 400;

/// Motions with so few steps, one for each foot that stands, take none.
const MIN_STEPS: usize = 2;

/// Blends two files. `window` is the time around two frames in which their motions are compared, in seconds.
pub fn blend_files<'a>(
    files: [&'a MotionFile; 2],
    weight: &Weight,
    window: Option<f64>,
    steps: StepChoice,
) -> Result<BlendedClip<'a>, BlendError> {
    let base = Settings::default();
    let settings = Settings { map: map_settings(files[0], window, base.map), ..base };
    let whole = files.map(|file| file.clip.performance());
    let [a, b] = match steps {
        StepChoice::All => whole,
        StepChoice::Paired => cut_to_paired_steps(whole),
    };
    let first = &files[0].clip;
    let BlendResult { edit, registration, distance, frames, paired_by_steps } =
        blend((&a.motion, &a.plants), (&b.motion, &b.plants), &first.legs, weight, &settings)?;
    let fps = a.motion.fps;
    let warp_path: Vec<(f64, f64)> = (0..=WARP_PATH_POINTS)
        .map(|n| registration.at(registration.end() * f64::from(n) / f64::from(WARP_PATH_POINTS)))
        .map(|(own, other)| (own / fps, other / fps))
        .collect();
    let slopes = warp_path.windows(2).map(|pair| {
        let (own, other) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        (own / other).max(other / own)
    });
    let details = BlendDetails {
        frames: frames.len(),
        weight_first: frames.first().map_or(0.0, |frame| frame.weight),
        weight_last: frames.last().map_or(0.0, |frame| frame.weight),
        slope_max: slopes.filter(|slope| slope.is_finite()).fold(1.0, f64::max),
        apart_mean_m: distance.mean_m,
        apart_max_m: distance.max_m,
        steps: [&a, &b].map(|clip| count_steps(&clip.plants, fps)),
        paired_by_steps,
    };
    let mut notes = Vec::new();
    if frames.iter().any(|frame| frame.weight > 0.0 && frame.weight < 1.0) {
        if [&a, &b].iter().any(|clip| clip.plants.plants.iter().any(|plant| plant.spot.is_some())) {
            notes.push(
                "the spots in the plants files are not used: the feet of a blend land elsewhere".into(),
            );
        }
        let ends = registration.at(registration.end());
        notes.extend(left_out(files, [(ends.0, &a), (ends.1, &b)]));
        if !details.paired_by_steps && details.steps.iter().all(|&steps| steps > MIN_STEPS) {
            notes.push(out_of_step(files, details.steps, &distance, fps));
        }
    }
    let clip = first.with_performance(edit.motion, &edit.plants);
    Ok(BlendedClip { files, settings, clip, details, notes, warp_path })
}

/// The note about the end of a motion that is not blended, since the other one is much shorter: the last blended frame of
/// each, and its clip.
fn left_out(files: [&MotionFile; 2], ends: [(f64, &Clip); 2]) -> Option<String> {
    let lasts = ends.map(|(_, clip)| (clip.motion.frames() - 1) as f64);
    let longer = usize::from(lasts[1] > lasts[0]);
    let name = |which: usize| printable(file_name(&files[which].name));
    let (end, last) = (ends[longer].0, lasts[longer]);
    (end < last - 0.5).then(|| {
        format!(
            "{} is {:.1} times as long as {}, more than it can be sped up: only its first {:.2} s of {:.2} s are blended",
            name(longer),
            last / lasts[1 - longer].max(1.0),
            name(1 - longer),
            end / ends[longer].1.motion.fps,
            last / ends[longer].1.motion.fps
        )
    })
}

/// The note about motions with different numbers of steps, which cannot all be synchronised.
fn out_of_step(files: [&MotionFile; 2], steps: [usize; 2], distance: &PoseDistance, fps: f64) -> String {
    let names = files.map(|file| file_name(&file.name));
    format!(
        "the steps do not pair up: {} takes {} steps and {} takes {}. A step without a partner is held only while its \
         own motion has at least half of the weight. Synchronised poses are {:.0} cm apart on average and at most \
         {:.0} cm, at {:.2} s of the first and {:.2} s of the second motion; with `steps` set to `paired`, only the steps \
         that both take are blended",
        names[0],
        steps[0],
        names[1],
        steps[1],
        distance.mean_m * 100.0,
        distance.max_m * 100.0,
        distance.at.0 / fps,
        distance.at.1 / fps
    )
}

impl BlendedClip<'_> {
    /// A warning about motions whose steps do not pair up; `None` if they do, or if only one motion is used.
    pub fn unpaired_steps(&self) -> Option<String> {
        let BlendDetails { steps, paired_by_steps, weight_first, weight_last, .. } = self.details;
        let is_blend = !(weight_first == weight_last && [0.0, 1.0].contains(&weight_first));
        let has_steps = steps.iter().all(|&steps| steps > MIN_STEPS);
        (is_blend && has_steps && !paired_by_steps).then(|| {
            let names = self.files.map(|file| printable(file_name(&file.name)));
            format!(
                "the steps do not pair up: {} takes {} steps and {} takes {}; with `steps` set to `paired`, only those that both take are blended",
                names[0], steps[0], names[1], steps[1]
            )
        })
    }

    /// The distances between all poses and the synchronisation, as SVG.
    pub fn draw(&self) -> Result<String, PairError> {
        let [a, b] = self.files.map(|file| file.clip.performance().motion);
        let map = distance::map(&a, &b, &self.settings.map)?;
        let (files, warp_path) = (self.files, &self.warp_path);
        Ok(DistanceMap { files, map: &map, marks: &[], selected: None, warp_path }.draw())
    }
}

impl BlendDetails {
    /// A sentence that describes the edit.
    pub fn about(&self) -> String {
        format!(
            "{} frames, weight {:.2} to {:.2}; the motions are sped up or slowed down by at most {:.2} to synchronise their {}.",
            self.frames,
            self.weight_first,
            self.weight_last,
            self.slope_max,
            if self.paired_by_steps { "steps" } else { "poses" }
        )
    }
}

/// Parses a curve of weights: a pair of seconds and a weight on each line, with comments after `#`.
///
/// An error starts with its line.
pub fn parse_weights(text: &str) -> Result<Vec<(f64, f64)>, String> {
    let mut points = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            let sign = if line.contains(':') { ':' } else { ',' };
            points.push(parse_weight_point(line, sign).map_err(|error| format!("line {}: {error}", n + 1))?);
        }
    }
    Ok(points)
}

/// Parses a time in seconds and a weight, with `sign` between them.
pub fn parse_weight_point(pair: &str, sign: char) -> Result<(f64, f64), String> {
    let wrong = || format!("found {:?}, expected seconds and a weight, as 1.5{sign}1", pair.trim());
    let (time, weight) = pair.split_once(sign).ok_or_else(wrong)?;
    let number = |word: &str| word.trim().parse::<f64>().map_err(|_| wrong());
    Ok((number(time)?, number(weight)?))
}
