//! Limits on the figures of a written file.

use surefoot_measure::{EventKind, Figures};

/// Limits on the figures of a written file. A limit of `None` is always met.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Largest drift: distance of a planted point from its given spot, or else from where its plant began, in metres.
    pub max_drift: Option<f64>,
    /// Largest change of the length of a thigh or shin, as a fraction.
    pub max_stretch: Option<f64>,
    /// Largest depth of a heel, ball or toe tip below the floor, in metres.
    pub max_penetration: Option<f64>,
    /// Largest growth of the knee acceleration, as a multiple of the captured one.
    ///
    /// Compares the 99th percentile over all frames and legs.
    pub max_knee: Option<f64>,
    /// Most slides of feet that stand in the capture.
    pub max_new_slides: Option<usize>,
    /// Most jumps of a foot near the ground.
    pub max_teleports: Option<usize>,
    /// Most jerks of a knee.
    pub max_knee_pops: Option<usize>,
    /// Most swings that come closer to the ground than captured.
    pub max_scrapes: Option<usize>,
    /// Most frames with a heel, ball or toe below the floor.
    pub max_below_floor_frames: Option<usize>,
    /// Most frames with a heel, ball or toe deeper below the floor than captured.
    pub max_deeper_frames: Option<usize>,
    /// Most joints with other channels than in the file before.
    pub max_channels_changed: Option<usize>,
}

impl Limits {
    /// These limits; where one is not set, that of `other`.
    pub fn or(self, other: Self) -> Self {
        Self {
            max_drift: self.max_drift.or(other.max_drift),
            max_stretch: self.max_stretch.or(other.max_stretch),
            max_penetration: self.max_penetration.or(other.max_penetration),
            max_knee: self.max_knee.or(other.max_knee),
            max_new_slides: self.max_new_slides.or(other.max_new_slides),
            max_teleports: self.max_teleports.or(other.max_teleports),
            max_knee_pops: self.max_knee_pops.or(other.max_knee_pops),
            max_scrapes: self.max_scrapes.or(other.max_scrapes),
            max_below_floor_frames: self.max_below_floor_frames.or(other.max_below_floor_frames),
            max_deeper_frames: self.max_deeper_frames.or(other.max_deeper_frames),
            max_channels_changed: self.max_channels_changed.or(other.max_channels_changed),
        }
    }

    /// A line for each limit that is not met, with its name in flags and in `surefoot.toml` and the amount by which it is missed.
    ///
    /// A limit on a figure that could not be measured is not met, and the line states why there is no figure.
    pub fn missed(&self, figures: &Figures) -> Vec<String> {
        let checks = self.figure_checks(figures).into_iter().chain(self.event_checks(figures));
        checks.filter_map(|check| check.missed()).collect()
    }

    fn figure_checks(&self, figures: &Figures) -> [Check; 4] {
        let after = &figures.after;
        let drift = after.drift_max_m.ok_or("no point is planted");
        let stretch = after.stretch_max.ok_or("the motion has no legs or no frames");
        let penetration = after.penetration_max_m.ok_or(NO_FLOOR);
        let check = |name, figure, limit, found, unit| Check { name, figure, limit, found, unit };
        [
            check("max-drift", "the largest drift", self.max_drift, drift, MILLIMETRES),
            check("max-stretch", "the largest stretch", self.max_stretch, stretch, PERCENT),
            check(
                "max-penetration",
                "the largest depth below the floor",
                self.max_penetration,
                penetration,
                MILLIMETRES,
            ),
            check("max-knee", "the knee acceleration", self.max_knee, knee_ratio(figures), TIMES),
        ]
    }

    fn event_checks(&self, figures: &Figures) -> [Check; 7] {
        let events = &figures.events;
        let check = |name, figure, limit: Option<usize>, found: Result<usize, &'static str>| Check {
            name,
            figure,
            limit: limit.map(|limit| limit as f64),
            found: found.map(|count| count as f64),
            unit: COUNT,
        };
        let compared = figures.before.as_ref().map(|_| ()).ok_or(NO_MOTION_BEFORE);
        let count = |kind: EventKind| kind.list(events).map(<[_]>::len).ok_or(NO_MOTION_BEFORE);
        let below = events.below_floor_frames().ok_or(NO_FLOOR);
        let deeper = compared.and(events.deeper_frames().ok_or(NO_FLOOR));
        let channels = events.channels_changed.as_ref().map(Vec::len);
        let channels = compared.and(channels.ok_or("the motions do not come from files"));
        [
            check(
                "max-new-slides",
                "the number of new slides",
                self.max_new_slides,
                count(EventKind::NewSlide),
            ),
            check("max-teleports", "the number of teleports", self.max_teleports, count(EventKind::Teleport)),
            check("max-knee-pops", "the number of knee pops", self.max_knee_pops, count(EventKind::KneePop)),
            check("max-scrapes", "the number of scrapes", self.max_scrapes, count(EventKind::Scrape)),
            check(
                "max-below-floor-frames",
                "the number of frames below the floor",
                self.max_below_floor_frames,
                below,
            ),
            check(
                "max-deeper-frames",
                "the number of frames deeper below the floor than captured",
                self.max_deeper_frames,
                deeper,
            ),
            check(
                "max-channels-changed",
                "the number of joints with other channels",
                self.max_channels_changed,
                channels,
            ),
        ]
    }
}

/// The 99th percentile of the knee acceleration as a multiple of the captured one, or why there is none.
///
/// 1 if the knees move neither before nor after.
fn knee_ratio(figures: &Figures) -> Result<f64, &'static str> {
    let before = figures.before.as_ref().ok_or(NO_MOTION_BEFORE)?;
    let [before, after] = [before, &figures.after].map(|motion| motion.knee_acceleration_p99_rad_per_s2);
    match before.zip(after) {
        None => Err("the motion has fewer than three frames"),
        Some((before, after)) if before.max(after) <= KNEE_AT_REST => Ok(1.0),
        Some((before, _)) if before <= KNEE_AT_REST => Err("the knees do not move in the motion before"),
        Some((before, after)) => Ok(after / before),
    }
}

/// Knee acceleration of a knee at rest, in rad/s². A smaller value is rounding and no denominator of a ratio.
const KNEE_AT_REST: f64 = 1e-9;

/// Why a comparison, or a depth below the floor, could not be measured.
const NO_MOTION_BEFORE: &str = "there is no motion before to compare with";
const NO_FLOOR: &str = "there is no floor";

/// A limit, and the limited figure or the reason why it could not be measured.
struct Check {
    name: &'static str,
    figure: &'static str,
    limit: Option<f64>,
    found: Result<f64, &'static str>,
    unit: DisplayUnit,
}

impl Check {
    /// A line about the limit if it is not met.
    fn missed(&self) -> Option<String> {
        let Self { name, figure, limit, found, unit } = self;
        let limit = (*limit)?;
        let found = match found {
            Ok(found) => *found,
            Err(reason) => return Some(format!("{name}: {figure} could not be measured: {reason}")),
        };
        (found > limit + ROUNDING).then(|| {
            let [found, limit, by] = [found, limit, found - limit].map(|value| value_text(value, *unit));
            format!("{name}: {figure} is {found}, {by} more than the limit of {limit}")
        })
    }
}

/// An excess of up to this, in metres or as a fraction, is rounding in the file.
///
/// Six decimals of a CMU unit are 6e-8 m. Bones at exactly the limit of 3 % are read back as up
/// to 3.000005 %.
const ROUNDING: f64 = 1e-7;

/// The name of a unit, and the number of them in one SI unit.
type DisplayUnit = (&'static str, f64);
const MILLIMETRES: DisplayUnit = (" mm", 1e3);
const PERCENT: DisplayUnit = (" %", 1e2);
const TIMES: DisplayUnit = (" times the captured one", 1.0);
const COUNT: DisplayUnit = ("", 1.0);

/// A value with enough digits to distinguish it from a limit close to it.
fn value_text(value: f64, (word, scale): DisplayUnit) -> String {
    let value = value * scale;
    let decimals = match value.abs() {
        size if size >= 100.0 => 1,
        size if size >= 1.0 => 3,
        _ => 6,
    };
    let text = format!("{value:.decimals$}");
    format!("{}{word}", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_measure::{Event, EventPoint, Events, MotionFigures};

    fn figures(drift: f64, stretch: f64) -> Figures {
        let after = MotionFigures {
            drift_max_m: Some(drift),
            stretch_max: Some(stretch),
            ..MotionFigures::default()
        };
        Figures { after, ..Figures::default() }
    }

    #[test]
    fn a_missed_limit_is_reported_with_its_name_and_the_excess() {
        let limits = Limits { max_drift: Some(1e-5), max_stretch: Some(0.02), ..Limits::default() };
        assert!(limits.missed(&figures(1e-5, 0.020_000_05)).is_empty());
        assert_eq!(
            limits.missed(&figures(0.0003, 0.025)),
            [
                "max-drift: the largest drift is 0.3 mm, 0.29 mm more than the limit of 0.01 mm",
                "max-stretch: the largest stretch is 2.5 %, 0.5 % more than the limit of 2 %",
            ]
        );
    }

    #[test]
    fn events_are_limited_by_their_number() {
        let slide = Event {
            foot: "left".into(),
            point: EventPoint::Heel,
            first: 5,
            last: 14,
            amount: 0.02,
            cause: None,
        };
        let events = Events {
            new_slides: Some(vec![slide.clone(), slide.clone()]),
            below_floor: Some(vec![slide]),
            ..Events::default()
        };
        let figures = Figures { events, ..Figures::default() };
        let met = Limits { max_new_slides: Some(2), max_below_floor_frames: Some(10), ..Limits::default() };
        assert!(met.missed(&figures).is_empty());
        let missed = Limits { max_new_slides: Some(0), max_below_floor_frames: Some(9), ..Limits::default() };
        assert_eq!(
            missed.missed(&figures),
            [
                "max-new-slides: the number of new slides is 2, 2 more than the limit of 0",
                "max-below-floor-frames: the number of frames below the floor is 10, 1 more than the limit of 9",
            ]
        );
    }

    #[test]
    fn depths_need_a_floor_and_channels_need_files() {
        let limits =
            Limits { max_deeper_frames: Some(9), max_channels_changed: Some(9), ..Limits::default() };
        let figures = Figures { before: Some(MotionFigures::default()), ..Figures::default() };
        assert_eq!(
            limits.missed(&figures),
            [
                "max-deeper-frames: the number of frames deeper below the floor than captured could not be measured: there is no floor",
                "max-channels-changed: the number of joints with other channels could not be measured: the motions do not come from files",
            ]
        );
    }

    #[test]
    fn a_limit_on_what_could_not_be_measured_is_not_met() {
        let limits = Limits {
            max_drift: Some(1.0),
            max_stretch: Some(1.0),
            max_penetration: Some(1.0),
            max_knee: Some(9.0),
            max_new_slides: Some(9),
            max_teleports: Some(9),
            max_knee_pops: Some(9),
            max_scrapes: Some(9),
            max_below_floor_frames: Some(9),
            max_deeper_frames: Some(9),
            max_channels_changed: Some(9),
        };
        assert_eq!(
            limits.missed(&Figures::default()),
            [
                "max-drift: the largest drift could not be measured: no point is planted",
                "max-stretch: the largest stretch could not be measured: the motion has no legs or no frames",
                "max-penetration: the largest depth below the floor could not be measured: there is no floor",
                "max-knee: the knee acceleration could not be measured: there is no motion before to compare with",
                "max-new-slides: the number of new slides could not be measured: there is no motion before to compare with",
                "max-teleports: the number of teleports could not be measured: there is no motion before to compare with",
                "max-knee-pops: the number of knee pops could not be measured: there is no motion before to compare with",
                "max-scrapes: the number of scrapes could not be measured: there is no motion before to compare with",
                "max-below-floor-frames: the number of frames below the floor could not be measured: there is no floor",
                "max-deeper-frames: the number of frames deeper below the floor than captured could not be measured: there is no motion before to compare with",
                "max-channels-changed: the number of joints with other channels could not be measured: there is no motion before to compare with",
            ]
        );
        assert!(Limits::default().missed(&Figures::default()).is_empty());
    }

    #[test]
    fn knees_that_start_to_move_have_no_ratio() {
        let limits = Limits { max_knee: Some(1.2), ..Limits::default() };
        let missed = |before: f64, after: f64| {
            let motion = |knee| MotionFigures {
                knee_acceleration_p99_rad_per_s2: Some(knee),
                ..MotionFigures::default()
            };
            limits.missed(&Figures {
                before: Some(motion(before)),
                after: motion(after),
                ..Figures::default()
            })
        };
        assert!(missed(0.0, 0.0).is_empty());
        assert!(missed(10.0, 11.0).is_empty());
        assert_eq!(missed(10.0, 15.0).len(), 1);
        assert_eq!(
            missed(0.0, 1.0),
            [
                "max-knee: the knee acceleration could not be measured: the knees do not move in the motion before"
            ]
        );
    }
}
