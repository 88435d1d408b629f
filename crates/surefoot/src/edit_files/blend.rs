//! Blends two files into one.

use serde::Serialize;
use surefoot_core::Clip;
use surefoot_edit::blend::{BlendError, BlendResult, PoseDistance, Settings, Weight, blend, count_steps};
use surefoot_edit::{PairError, distance};

use super::distance_map::{DistanceMap, map_settings};
use super::file_name;
use crate::MotionFile;

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
}

/// Number of points of the synchronisation that is drawn and whose slope is measured.
const WARP_PATH_POINTS: u32 = 400;

/// Blends two files. `window` is the time around two frames in which their motions are compared, in seconds.
pub fn blend_files<'a>(
    files: [&'a MotionFile; 2],
    weight: &Weight,
    window: Option<f64>,
) -> Result<BlendedClip<'a>, BlendError> {
    let base = Settings::default();
    let settings = Settings { map: map_settings(files[0], window, base.map), ..base };
    let [a, b] = files.map(|file| file.clip.performance());
    let first = &files[0].clip;
    let BlendResult { edit, registration, distance, frames } =
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
    };
    let mut notes = Vec::new();
    if frames.iter().any(|frame| frame.weight > 0.0 && frame.weight < 1.0) {
        if [&a, &b].iter().any(|clip| clip.plants.plants.iter().any(|plant| plant.spot.is_some())) {
            notes.push(
                "the spots in the plants files are not used: the feet of a blend land elsewhere".into(),
            );
        }
        if details.steps[0] != details.steps[1] {
            notes.push(out_of_step(files, details.steps, &distance, fps));
        }
    }
    let clip = first.with_performance(edit.motion, &edit.plants);
    Ok(BlendedClip { files, settings, clip, details, notes, warp_path })
}

/// The note about motions with different numbers of steps, which cannot all be synchronised.
fn out_of_step(files: [&MotionFile; 2], steps: [usize; 2], distance: &PoseDistance, fps: f64) -> String {
    let names = files.map(|file| file_name(&file.name));
    format!(
        "the steps do not pair up: {} takes {} steps and {} takes {}. A step without a partner is held only while its \
         own motion has at least half of the weight. Synchronised poses are {:.0} cm apart on average and at most \
         {:.0} cm, at {:.2} s of the first and {:.2} s of the second motion; motions cut to the same number of steps \
         of the same feet blend better",
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
            "{} frames, weight {:.2} to {:.2}; the motions are sped up or slowed down by at most {:.2} to synchronise them.",
            self.frames, self.weight_first, self.weight_last, self.slope_max
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
