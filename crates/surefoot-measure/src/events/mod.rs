//! Events that a viewer notices in a motion compared with the capture: each with foot, frames and size.
//!
//! Events are found from the two motions alone, never from the plants, so that a slide outside the plants counts
//! as much as one inside. Positions are relative to the ground, which matters on a treadmill; frames before the
//! performance are left out. The cost is linear in the number of frames.
//!
//! The *ground* under a foot point is the lowest height of that point within half a second in the capture. It follows
//! stairs and slopes, where the height above a single floor plane is not the height above the ground. Heights are
//! along the normal of the floor.

mod below_floor;
mod cause;
mod ground;
mod kind;
mod knee_pops;
mod runs;
mod scrapes;
mod slides;
mod sliding_window;
mod teleports;

use crate::context::Context;
use crate::motion_pair::MotionPair;
use crate::paths::{LegPath, Paths};
pub(crate) use cause::find_causes;
use core::ops::Range;
use ground::GroundedPoint;
pub use kind::EventKind;
use surefoot_core::{Leg, Vec3};

/// The point of the body at which an event happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EventPoint {
    /// The heel.
    Heel,
    /// The ball of the foot.
    Ball,
    /// The tip of the toes.
    Toe,
    /// The knee.
    Knee,
}

impl EventPoint {
    /// The points of a foot.
    pub(crate) const FOOT: [Self; 3] = [Self::Heel, Self::Ball, Self::Toe];

    /// The name of the point.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Heel => "heel",
            Self::Ball => "ball",
            Self::Toe => "toe",
            Self::Knee => "knee",
        }
    }

    /// The path of the point.
    pub(crate) fn path(self, leg: &LegPath) -> &[Vec3] {
        match self {
            Self::Heel => &leg.heel,
            Self::Ball => &leg.ball,
            Self::Toe => &leg.toe,
            Self::Knee => &leg.knee,
        }
    }
}

/// One event: a foot point or knee, consecutive frames, and the largest amount among them.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Event {
    /// The leg's name.
    pub foot: String,
    /// The point of the leg.
    pub point: EventPoint,
    /// The first frame of the event.
    pub first: usize,
    /// The last frame of the event.
    pub last: usize,
    /// The size of the event in SI units; the meaning depends on the kind of event, see [`Events`].
    pub amount: f64,
    /// What the event comes from, in words: a plant close by whose point moves in the capture. `None` if there is no such
    /// plant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
}

impl Event {
    /// The event in words: kind, foot, frames and amount.
    pub fn sentence(&self, kind: EventKind) -> String {
        let frames = if self.first == self.last { "frame" } else { "frames" };
        let (kind, amount, shown) = (kind.as_str(), kind.format(self.amount), self.frames_text());
        format!("{kind}: {} {}, {frames} {shown}, {amount}", self.foot, self.point.as_str())
    }

    /// The event in words, with its cause where that is known.
    pub fn sentence_with_cause(&self, kind: EventKind) -> String {
        match &self.cause {
            Some(cause) => format!("{}: {cause}", self.sentence(kind)),
            None => self.sentence(kind),
        }
    }

    /// The frames as `12` or `12–15`.
    pub(crate) fn frames_text(&self) -> String {
        match (self.first, self.last) {
            (first, last) if first == last => first.to_string(),
            (first, last) => format!("{first}–{last}"),
        }
    }
}

/// The events of a motion. A list that could not be determined is `None`: most need a motion before, those of
/// the floor a floor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Events {
    /// Feet that stand in the capture and slide now: a heel, ball or toe lower than 3 cm and slower than 15 cm/s for
    /// four frames or more in the capture moves over 12 mm further within 0.2 s than in the capture. The
    /// amount is how much further, in metres.
    pub new_slides: Option<Vec<Event>>,
    /// Feet that jump near the ground: lower than 5 cm and faster than 0.3 m/s plus twice the largest captured speed within
    /// 0.1 s. The amount is the speed, in metres per second.
    pub teleports: Option<Vec<Event>>,
    /// Knees that jerk: an angular acceleration above 1,500 °/s² plus twice the largest captured one within 0.25 s.
    /// The amount is the acceleration, in rad/s².
    pub knee_pops: Option<Vec<Event>>,
    /// Swings in whose middle half the foot clears the ground by less than 2.5 cm and by over 5 mm less than in
    /// the capture. The amount is the lost clearance, in metres.
    pub scrapes: Option<Vec<Event>>,
    /// Heels, balls or toes over 1 mm below the floor. The amount is the depth, in metres.
    pub below_floor: Option<Vec<Event>>,
    /// Heels, balls or toes below the floor that are over 1 mm deeper than in the capture. The amount is how much
    /// deeper, in metres.
    pub deeper_than_captured: Option<Vec<Event>>,
    /// Joints that have other channels in the file after than in the file before. Set by the reader of the files: a
    /// motion has no channels.
    pub channels_changed: Option<Vec<String>>,
}

/// Finds the events of a motion, or of a motion after compared with the motion before.
pub(crate) fn find_events(pair: &MotionPair, has_floor: bool, context: &Context) -> Events {
    let floor = Some(context).filter(|_| has_floor);
    let mut events = Events {
        below_floor: floor.map(|context| below_floor::below_floor(&pair.after, context)),
        ..Events::default()
    };
    let Some(before) = &pair.before else { return events };
    let legs = leg_pairs(before, &pair.after, context);
    let of = |legs: &[LegPair], find: fn(&LegPair) -> Vec<Event>| Some(legs.iter().flat_map(find).collect());
    // There is no ground under a hand.
    let feet = &legs[..context.feet()];
    events.new_slides = of(feet, slides::new_slides);
    events.teleports = of(feet, teleports::teleports);
    events.knee_pops = of(&legs, knee_pops::knee_pops);
    events.scrapes = of(feet, scrapes::scrapes);
    events.deeper_than_captured = floor.map(|context| below_floor::deeper(before, &pair.after, context));
    events
}

/// One leg before and after, with the ground under its foot points.
struct LegPair<'a> {
    foot: &'a str,
    fps: f64,
    first_frame: usize,
    before: &'a LegPath,
    after: &'a LegPath,
    points: [GroundedPoint<'a>; 3],
}

impl LegPair<'_> {
    /// An event of this leg in a range of frames, counted from the first frame of the performance.
    fn event(&self, point: EventPoint, frames: Range<usize>, amount: f64) -> Event {
        let (first, last) = (frames.start + self.first_frame, frames.end - 1 + self.first_frame);
        Event { foot: self.foot.into(), point, first, last, amount, cause: None }
    }
}

fn leg_pairs<'a>(before: &'a Paths, after: &'a Paths, context: &'a Context) -> Vec<LegPair<'a>> {
    let (up, fps) = (context.floor.up(), after.fps);
    let pair = |(before, after): (&'a LegPath, &'a LegPath), leg: &'a Leg| LegPair {
        foot: &leg.side,
        fps,
        first_frame: context.first_frame,
        before,
        after,
        points: EventPoint::FOOT.map(|point| GroundedPoint::new(point, before, after, up, fps)),
    };
    let paths = before.legs.iter().zip(&after.legs);
    paths.zip(context.legs).map(|(paths, leg)| pair(paths, leg)).collect()
}

impl Events {
    /// Number of visible events.
    pub fn objection_count(&self) -> usize {
        EventKind::OBJECTIONABLE.iter().filter_map(|kind| kind.list(self)).map(<[_]>::len).sum()
    }

    /// Number of frames with a foot point below the floor. `None` without a floor.
    pub fn below_floor_frames(&self) -> Option<usize> {
        self.below_floor.as_deref().map(count_frames)
    }

    /// Number of frames with a foot point below the floor and deeper than captured.
    pub fn deeper_frames(&self) -> Option<usize> {
        self.deeper_than_captured.as_deref().map(count_frames)
    }
}

/// The number of frames with at least one of the events.
fn count_frames(events: &[Event]) -> usize {
    let mut ranges: Vec<Range<usize>> = events.iter().map(|event| event.first..event.last + 1).collect();
    ranges.sort_by_key(|range| range.start);
    runs::merge(ranges).into_iter().map(|range| range.len()).sum()
}
