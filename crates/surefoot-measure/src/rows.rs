//! Which figures are there, in which order, and in which unit do people read them?
//!
//! The one list behind the JSON, the text table and the report.

use crate::change::Change;
use crate::figures::{Figures, Measured};
use crate::words::Unit;

/// One figure.
pub(crate) struct Row {
    /// Its key in JSON.
    pub key: &'static str,
    /// What people call it.
    pub label: &'static str,
    /// The unit it is kept in, which says how it is shown.
    pub unit: Unit,
    /// What it is about.
    pub group: Group,
    /// Whether JSON gives after ÷ before too.
    pub has_ratio: bool,
    /// Where it is found.
    of: Of,
}

/// What a figure is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Feet,
    Legs,
    Body,
    Published,
}

impl Group {
    /// The heading above its figures.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Feet => "Planted feet",
            Self::Legs => "Legs",
            Self::Body => "Body",
            Self::Published => "As others measure skate",
        }
    }
}

enum Of {
    Motion(fn(&Measured) -> Option<f64>),
    Change(fn(&Change) -> Option<f64>),
}

/// A row's values: before, if there is such a thing, and after.
pub(crate) type Values = (Option<Option<f64>>, Option<f64>);

impl Row {
    /// What the figures say. A figure that exists only between two motions has no before.
    pub fn values(&self, figures: &Figures) -> Values {
        match self.of {
            Of::Motion(pick) => (figures.before.as_ref().map(pick), pick(&figures.after)),
            Of::Change(pick) => (None, figures.change.as_ref().and_then(pick)),
        }
    }

    /// Whether it counts frames.
    pub fn is_count(&self) -> bool {
        self.unit == Unit::Frames
    }

    /// Whether it exists only between two motions.
    pub fn is_change(&self) -> bool {
        matches!(self.of, Of::Change(_))
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
    pick: fn(&Measured) -> Option<f64>,
) -> Row {
    Row { key, label, unit, group, has_ratio: false, of: Of::Motion(pick) }
}

const fn change(
    group: Group,
    key: &'static str,
    label: &'static str,
    unit: Unit,
    pick: fn(&Change) -> Option<f64>,
) -> Row {
    Row { key, label, unit, group, has_ratio: false, of: Of::Change(pick) }
}

use Group::{Body, Feet, Legs, Published};

/// Every figure but the list of plants.
pub(crate) static ROWS: &[Row] = &[
    row(Feet, "drift_max_m", "drift, largest", Unit::Metres, |m| m.drift_max_m),
    row(Feet, "drift_mean_m", "drift, mean", Unit::Metres, |m| m.drift_mean_m),
    row(Feet, "slide_mean_m_per_s", "slide, mean", Unit::Speed, |m| m.slide_mean_m_per_s),
    row(Feet, "skate_ratio", "frames faster than 10 cm/s", Unit::Share, |m| m.skate_ratio),
    row(Feet, "penetration_max_m", "below the floor, deepest", Unit::Metres, |m| m.penetration_max_m),
    row(Feet, "float_max_m", "above it while planted", Unit::Metres, |m| m.float_max_m),
    row(Legs, "stretch_max", "stretch, largest", Unit::Share, |m| m.stretch_max),
    row(Legs, "stretch_frames", "frames with stretch", Unit::Frames, |m| m.stretch_frames),
    row(
        Legs,
        "knee_acceleration_p99_rad_per_s2",
        "knee acceleration, 99 %",
        Unit::AngularAcceleration,
        |m| m.knee_acceleration_p99_rad_per_s2,
    )
    .with_ratio(),
    row(
        Legs,
        "knee_acceleration_max_rad_per_s2",
        "knee acceleration, largest",
        Unit::AngularAcceleration,
        |m| m.knee_acceleration_max_rad_per_s2,
    )
    .with_ratio(),
    change(Legs, "knee_changed_max_rad", "knee changed by", Unit::Angle, |c| c.knee_changed_max_rad),
    change(Legs, "added_acceleration_max_m_per_s2", "added jolt, largest", Unit::Acceleration, |c| {
        c.added_acceleration_max_m_per_s2
    }),
    row(Body, "root_acceleration_p99_m_per_s2", "root acceleration, 99 %", Unit::Acceleration, |m| {
        m.root_acceleration_p99_m_per_s2
    })
    .with_ratio(),
    row(Body, "root_acceleration_max_m_per_s2", "root acceleration, largest", Unit::Acceleration, |m| {
        m.root_acceleration_max_m_per_s2
    })
    .with_ratio(),
    change(Body, "root_moved_max_m", "root moved by", Unit::Metres, |c| c.root_moved_max_m),
    change(Body, "frames_changed", "frames changed", Unit::Frames, |c| c.frames_changed),
    row(Published, "skate_mann_m_per_s", "foot skating, MANN 2018", Unit::Speed, |m| m.skate_mann_m_per_s),
    row(Published, "skate_ratio_gmd", "foot skating ratio, GMD 2023", Unit::Share, |m| m.skate_ratio_gmd),
    row(Published, "skate_pfc_edge", "physical foot contact, EDGE 2023", Unit::Score, |m| m.skate_pfc_edge),
];
