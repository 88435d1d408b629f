//! Joins two files with a transition where they are most alike.

use std::borrow::Cow;

use serde::Serialize;
use surefoot_core::Clip;
use surefoot_edit::PairError;
use surefoot_edit::distance::{self, Crossing, Map};
use surefoot_edit::join::{Settings, crossing_at, crossings_of, join};

use super::distance_map::{DistanceMap, map_settings};
use super::prepare::performance_of;
use crate::{MotionFile, printable};

/// The transitions from one file to another. Both are of one body, on one floor.
#[derive(Clone, Debug)]
pub struct Transitions<'a> {
    files: [&'a MotionFile; 2],
    performances: [Cow<'a, Clip>; 2],
    settings: Settings,
    map: Map,
    found: Vec<Crossing>,
}

/// A transition, in frames of the files.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Transition {
    /// The frame of the first file.
    pub from: usize,
    /// The frame of the second file.
    pub to: usize,
    /// The distance between the poses, in metres.
    pub distance_m: f64,
    /// How far the second motion is turned.
    pub turned_rad: f64,
    /// How far the second motion is moved.
    pub moved_m: f64,
}

/// A join of two files.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct JoinedClip {
    /// The joined clip, not yet cleaned.
    pub clip: Clip,
    /// The details of the edit, for JSON.
    pub details: JoinDetails,
}

/// The details of a join.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct JoinDetails {
    /// The transition.
    pub transition: Transition,
    /// The first and last frame of the cross-fade.
    pub fade: Option<[usize; 2]>,
}

impl<'a> Transitions<'a> {
    /// Compares all poses of two files, and lists at most this many transitions, the best first.
    ///
    /// `window` is the time around two frames in which their motions are compared, `fade` the length of the cross-fade,
    /// both in seconds.
    pub fn find(
        files: [&'a MotionFile; 2],
        window: Option<f64>,
        fade: Option<f64>,
        most: usize,
    ) -> Result<Self, PairError> {
        let base = Settings::default();
        let map = map_settings(files[0], window, base.map);
        let settings = Settings { map, fade: fade.unwrap_or(base.fade) };
        let performances = files.map(|file| performance_of(&file.clip));
        let [a, b] = performances.each_ref().map(|clip| &clip.motion);
        let map = distance::map(a, b, &settings.map)?;
        let found = crossings_of(a, b, &map, &settings, most);
        Ok(Self { files, performances, settings, map, found })
    }

    /// The transitions, the best first.
    pub fn list(&self) -> Vec<Transition> {
        self.found.iter().map(|crossing| self.transition(crossing)).collect()
    }

    /// The transitions as a text table.
    pub fn table(&self) -> String {
        table(self.files.map(|file| printable(&file.name)), &self.list())
    }

    /// The transition of this index in the list.
    pub fn get(&self, index: usize) -> Option<Crossing> {
        self.found.get(index).copied()
    }

    /// The transition between these frames of the performances.
    pub fn at(&self, frames: (usize, usize)) -> Result<Crossing, PairError> {
        let [a, b] = self.performances.each_ref().map(|clip| &clip.motion);
        crossing_at(a, b, frames, &self.settings)
    }

    /// Joins the files.
    pub fn join(&self, crossing: &Crossing) -> Result<JoinedClip, PairError> {
        let [a, b] = self.performances.each_ref().map(|clip| (&clip.motion, &clip.plants));
        let first = &self.files[0].clip;
        let joined = join(a, b, &first.legs, crossing, &self.settings)?;
        let clip = first.with_performance(joined.motion, &joined.plants);
        let (lead, fade) = (first.first_frame, joined.changed);
        let fade = (!fade.is_empty()).then(|| [fade.start + lead, fade.end - 1 + lead]);
        Ok(JoinedClip { clip, details: JoinDetails { transition: self.transition(crossing), fade } })
    }

    /// The distances between all poses and the transitions, as SVG. `selected` is the index of the one that is used.
    pub fn draw(&self, selected: Option<usize>) -> String {
        let fps = self.files[0].clip.motion.fps;
        let mark = |crossing: &Crossing| (crossing.from as f64 / fps, crossing.to as f64 / fps);
        let marks: Vec<(f64, f64)> = self.found.iter().map(mark).collect();
        DistanceMap { files: self.files, map: &self.map, marks: &marks, selected, warp_path: &[] }.draw()
    }

    fn transition(&self, crossing: &Crossing) -> Transition {
        let [first, second] = self.files.map(|file| file.clip.first_frame);
        Transition {
            from: crossing.from + first,
            to: crossing.to + second,
            distance_m: crossing.distance,
            turned_rad: crossing.transform.angle(),
            moved_m: crossing.transform.translation.length(),
        }
    }
}

impl JoinDetails {
    /// A sentence that describes the edit.
    pub fn about(&self) -> String {
        let Transition { from, to, distance_m, turned_rad, moved_m } = self.transition;
        format!(
            "Transition from frame {from} to frame {to}, whose poses are {:.1} cm apart; the second motion was turned \
             by {:.1}° and moved by {moved_m:.2} m.",
            distance_m * 100.0,
            turned_rad.to_degrees(),
        )
    }
}

fn table(names: [String; 2], list: &[Transition]) -> String {
    let mut text = format!("transitions from {} to {}\n\n", names[0], names[1]);
    text += &format!(
        "{:>3}  {:>8}  {:>8}  {:>9}  {:>8}  {:>9}\n",
        "", "from", "to", "distance", "turned", "moved"
    );
    for (n, one) in list.iter().enumerate() {
        text += &format!(
            "{:>3}  {:>8}  {:>8}  {:>6.2} cm  {:>7.1}°  {:>7.2} m\n",
            n + 1,
            one.from,
            one.to,
            one.distance_m * 100.0,
            one.turned_rad.to_degrees(),
            one.moved_m
        );
    }
    text
}
