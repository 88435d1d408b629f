//! The list of all figures, their order, labels and units, for the JSON, the text table and the report.

use crate::change::Change;
use crate::events::{EventKind, Events};
use crate::figures::{Figures, MotionFigures};
use crate::unit::Unit;

/// One figure.
pub(crate) struct Row {
    /// The key of the figure in JSON.
    pub key: &'static str,
    /// The label of the figure in tables.
    pub label: &'static str,
    /// The unit, which determines how the value is printed.
    pub unit: Unit,
    /// The group of the figure in tables.
    pub group: Group,
    /// Whether JSON also contains after ÷ before.
    pub has_ratio: bool,
    /// What the figure means, in a sentence.
    pub meaning: &'static str,
    /// Where the value comes from.
    source: Source,
}

/// A group of figures in tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Feet,
    Events,
    Legs,
    Body,
    Published,
}

impl Group {
    /// The sentence below the figures with this heading, if they need one.
    pub fn remark(heading: &str) -> Option<&'static str> {
        (heading == Self::Published.heading())
            .then_some("a walk without skating measures about 2.4 cm/s (MANN) and 34 % (GMD), not 0")
    }

    /// The heading above the figures of this group.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Feet => "Planted feet",
            Self::Events => "Visible events",
            Self::Legs => "Legs",
            Self::Body => "Body",
            Self::Published => "Published skate metrics",
        }
    }
}

/// Where the value of a row comes from.
enum Source {
    Motion(fn(&MotionFigures) -> Option<f64>),
    Change(fn(&Change) -> Option<f64>),
    Events(EventRow),
}

/// A kind of event: a count in tables, a list in JSON.
pub(crate) struct EventRow {
    /// The number of events, frames or joints.
    count: fn(&Events) -> Option<usize>,
    /// The list.
    pub list: EventList,
}

/// The list of one kind of event.
pub(crate) enum EventList {
    Events(EventKind),
    Joints(fn(&Events) -> Option<&[String]>),
}

/// A row's values: before, if the row has one, and after.
pub(crate) type Values = (Option<Option<f64>>, Option<f64>);

impl Row {
    /// The values of the figure. A figure of a change has no value before.
    pub fn values(&self, figures: &Figures) -> Values {
        match &self.source {
            Source::Motion(pick) => (figures.before.as_ref().map(pick), pick(&figures.after)),
            Source::Change(pick) => (None, figures.change.as_ref().and_then(pick)),
            Source::Events(row) => (None, (row.count)(&figures.events).map(|count| count as f64)),
        }
    }

    /// The list of events, for a row that counts them.
    pub fn events(&self) -> Option<&EventRow> {
        match &self.source {
            Source::Events(row) => Some(row),
            _ => None,
        }
    }

    /// Whether the row counts frames.
    pub fn is_count(&self) -> bool {
        matches!(self.unit, Unit::Frames | Unit::Count)
    }

    /// Whether the row compares two motions.
    pub fn is_change(&self) -> bool {
        matches!(self.source, Source::Change(_) | Source::Events(_))
    }

    const fn means(self, meaning: &'static str) -> Self {
        Self { meaning, ..self }
    }

    const fn with_ratio(self) -> Self {
        Self { has_ratio: true, ..self }
    }
}

const fn row(
    group: Group,
    key: &'static str,
    label: &'static str,
    unit: Unit,
    pick: fn(&MotionFigures) -> Option<f64>,
) -> Row {
    Row { key, label, unit, group, has_ratio: false, meaning: "", source: Source::Motion(pick) }
}

const fn change(
    group: Group,
    key: &'static str,
    label: &'static str,
    unit: Unit,
    pick: fn(&Change) -> Option<f64>,
) -> Row {
    Row { key, label, unit, group, has_ratio: false, meaning: "", source: Source::Change(pick) }
}

/// A row that counts events, and is a list of them in JSON.
const fn events(
    key: &'static str,
    label: &'static str,
    unit: Unit,
    count: fn(&Events) -> Option<usize>,
    list: EventList,
) -> Row {
    let source = Source::Events(EventRow { count, list });
    Row { key, label, unit, group: Group::Events, has_ratio: false, meaning: "", source }
}

use Group::{Body, Feet, Legs, Published};

/// Every figure but the list of plants.
pub(crate) static ROWS: &[Row] = &[
    row(Feet, "drift_max_m", "drift, largest", Unit::Metres, |m| m.drift_max_m)
        .means("The largest distance of a planted point from its given spot, or else from its position in the first frame of its plant."),
    row(Feet, "drift_mean_m", "drift, mean", Unit::Metres, |m| m.drift_mean_m)
        .means("The mean distance of planted points from their spots, over all planted frames."),
    row(Feet, "slide_mean_m_per_s", "slide, mean", Unit::Speed, |m| m.slide_mean_m_per_s)
        .means("The mean speed of planted points, from each planted frame to the next."),
    row(Feet, "skate_ratio", "frames faster than 10 cm/s", Unit::Share, |m| m.skate_ratio)
        .means("The share of planted frames in which the point moves faster than 10 cm/s."),
    row(Feet, "penetration_max_m", "below the floor, deepest", Unit::Metres, |m| m.penetration_max_m)
        .means("The largest depth of a heel, ball or toe tip below the floor, planted or not."),
    row(Feet, "float_max_m", "above the floor while planted", Unit::Metres, |m| m.float_max_m)
        .means("The largest height of a planted point above the floor, or above the step it stands on."),
    events(
        "new_slides",
        "new slides",
        Unit::Count,
        |e| e.new_slides.as_ref().map(Vec::len),
        EventList::Events(EventKind::NewSlide),
    )
    .means(
        "A heel, ball or toe that is lower than 3 cm and slower than 15 cm/s for at least four frames before, and \
         moves over 12 mm further within 0.2 s after. Heights are above the lowest height of that point within \
         0.5 s before.",
    ),
    events(
        "teleports",
        "teleports",
        Unit::Count,
        |e| e.teleports.as_ref().map(Vec::len),
        EventList::Events(EventKind::Teleport),
    )
    .means(
        "A foot point lower than 5 cm that is faster than 0.3 m/s plus twice the largest speed before within 0.1 s.",
    ),
    events(
        "knee_pops",
        "knee pops",
        Unit::Count,
        |e| e.knee_pops.as_ref().map(Vec::len),
        EventList::Events(EventKind::KneePop),
    )
    .means("A knee acceleration above 1,500 °/s² plus twice the largest one before within 0.25 s."),
    events(
        "scrapes",
        "scrapes",
        Unit::Count,
        |e| e.scrapes.as_ref().map(Vec::len),
        EventList::Events(EventKind::Scrape),
    )
    .means(
        "A swing (heel and ball faster than 0.3 m/s for at least 0.15 s before) in whose middle half the foot \
         clears the ground by less than 2.5 cm and by over 5 mm less than before.",
    ),
    events(
        "below_floor",
        "frames below the floor",
        Unit::Frames,
        Events::below_floor_frames,
        EventList::Events(EventKind::BelowFloor),
    )
    .means("Frames in which a heel, ball or toe is over 1 mm below the floor."),
    events(
        "deeper_than_captured",
        "frames deeper than before",
        Unit::Frames,
        Events::deeper_frames,
        EventList::Events(EventKind::Deeper),
    )
    .means("Frames in which a point below the floor is over 1 mm deeper than before."),
    events(
        "channels_changed",
        "joints with other channels",
        Unit::Count,
        |e| e.channels_changed.as_ref().map(Vec::len),
        EventList::Joints(|e| e.channels_changed.as_deref()),
    )
    .means("Joints whose channels in the file after differ from those in the file before."),
    row(Legs, "stretch_max", "stretch, largest", Unit::Share, |m| m.stretch_max)
        .means("The largest change of the length of a thigh or shin, relative to the same frame before."),
    row(Legs, "stretch_frames", "frames with stretch", Unit::Frames, |m| m.stretch_frames)
        .means("Frames in which the length of a thigh or shin changed."),
    row(
        Legs,
        "knee_acceleration_p99_rad_per_s2",
        "knee acceleration, 99 %",
        Unit::AngularAcceleration,
        |m| m.knee_acceleration_p99_rad_per_s2,
    )
    .means(
        "Shows knee pops: the second difference of the hip–knee–ankle angle times fps², as the 99th \
         percentile over all frames and legs, by nearest rank.",
    )
    .with_ratio(),
    row(
        Legs,
        "knee_acceleration_max_rad_per_s2",
        "knee acceleration, largest",
        Unit::AngularAcceleration,
        |m| m.knee_acceleration_max_rad_per_s2,
    )
    .means("The largest knee acceleration over all frames and legs.")
    .with_ratio(),
    change(Legs, "knee_changed_max_rad", "knee changed, largest", Unit::Angle, |c| c.knee_changed_max_rad)
        .means("The largest change of the angle of a knee in any frame."),
    row(Legs, "leg_acceleration_max_m_per_s2", "leg acceleration, largest", Unit::Acceleration, |m| {
        m.leg_acceleration_max_m_per_s2
    })
    .means("The largest acceleration of a hip, knee or ankle in any frame.")
    .with_ratio(),
    change(Legs, "added_acceleration_max_m_per_s2", "added acceleration, largest", Unit::Acceleration, |c| {
        c.added_acceleration_max_m_per_s2
    })
    .means("The largest change of the acceleration of a hip, knee or ankle in any frame. Compare it with the row above, the largest acceleration of the captured motion."),
    row(Body, "root_acceleration_p99_m_per_s2", "root acceleration, 99 %", Unit::Acceleration, |m| {
        m.root_acceleration_p99_m_per_s2
    })
    .means(
        "The second difference of the root position times fps², 99th percentile: shows whether the \
         cleanup shakes the body.",
    )
    .with_ratio(),
    row(Body, "root_acceleration_max_m_per_s2", "root acceleration, largest", Unit::Acceleration, |m| {
        m.root_acceleration_max_m_per_s2
    })
    .means("The largest root acceleration over all frames.")
    .with_ratio(),
    change(Body, "root_moved_max_m", "root moved, largest", Unit::Metres, |c| c.root_moved_max_m)
        .means("The largest correction of the root position in any frame."),
    change(Body, "frames_changed", "frames changed", Unit::Frames, |c| c.frames_changed)
        .means("Frames in which the position or rotation of any joint changed."),
    row(Published, "skate_mann_m_per_s", "foot skating, MANN 2018", Unit::Speed, |m| m.skate_mann_m_per_s)
        .means(
            "Zhang et al. 2018: the speed of the balls along the floor, v·(2 − 2^(h/H)) with H = 2.5 \
         cm, mean over feet and frames. A walk without skating measures about 2.4 cm/s, because a ball \
         that rolls or lands moves near the floor: compare with the true motion, not with zero.",
        ),
    row(Published, "skate_ratio_gmd", "foot skating ratio, GMD 2023", Unit::Share, |m| m.skate_ratio_gmd)
        .means(
            "Karunratanakul et al. 2023: frames in which a ball below 5 cm moves faster than 0.5 m/s, \
         also in the mean over 0.25 s. A walk without skating measures about 34 %, because balls move \
         near the floor when they land and lift: compare with the true motion, not with zero.",
        ),
    row(Published, "skate_pfc_edge", "physical foot contact, EDGE 2023", Unit::Score, |m| m.skate_pfc_edge)
        .means(
            "Tseng et al. 2023: movement of both feet while the root accelerates, × 10⁴; lower is better, two \
         legs only.",
        ),
];
