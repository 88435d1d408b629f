//! The distances between the poses of two files.

use surefoot_core::{Floor, Vec3};
use surefoot_edit::distance::{Map, Settings, weights_of_body};
use surefoot_measure::plot::{self, MapPlot};

use super::file_name;
use crate::MotionFile;

/// The settings for a map of distances from the poses of a file. `window` is the time around two frames in which their
/// motions are compared, in seconds.
pub(crate) fn map_settings(file: &MotionFile, window: Option<f64>, base: Settings) -> Settings {
    let up = file.clip.floor.as_ref().map_or(Vec3::Y, Floor::up);
    let weights = Some(weights_of_body(&file.clip.motion.skeleton, &file.clip.legs));
    Settings { window: window.unwrap_or(base.window), up, weights, ..base }
}

/// A map of distances to draw. Marks and the warp path are in seconds of each motion.
pub(crate) struct DistanceMap<'a> {
    pub files: [&'a MotionFile; 2],
    pub map: &'a Map,
    pub marks: &'a [(f64, f64)],
    pub selected: Option<usize>,
    pub warp_path: &'a [(f64, f64)],
}

impl DistanceMap<'_> {
    /// The map as SVG.
    pub fn draw(&self) -> String {
        let Self { files, map, marks, selected, warp_path } = *self;
        plot::sheet(&[plot::map(&MapPlot {
            names: files.map(|file| file_name(&file.name)),
            size: [map.rows, map.columns],
            cells: &map.cells,
            step: map.stride as f64 / files[0].clip.motion.fps,
            marks,
            chosen: selected,
            path: warp_path,
        })])
    }
}
