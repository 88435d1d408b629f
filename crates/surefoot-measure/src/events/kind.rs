//! The kinds of events: their names, lists and units.

use super::{Event, Events};
use crate::unit::{Unit, digits};
use surefoot_core::math::PI;

/// A kind of event. [`Events`] defines each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// A foot that stands in the capture and slides now.
    NewSlide,
    /// A foot that jumps near the ground.
    Teleport,
    /// A knee that jerks.
    KneePop,
    /// A swing that comes too close to the ground.
    Scrape,
    /// A foot point below the floor.
    BelowFloor,
    /// A foot point below the floor and deeper than captured.
    Deeper,
}

impl EventKind {
    /// The kinds that count as visible events. `Deeper` is left out: every such event is a `BelowFloor` too.
    pub const OBJECTIONABLE: [Self; 5] =
        [Self::NewSlide, Self::Teleport, Self::KneePop, Self::Scrape, Self::BelowFloor];

    /// Every kind, in the order of the figures.
    pub const ALL: [Self; 6] =
        [Self::NewSlide, Self::Teleport, Self::KneePop, Self::Scrape, Self::BelowFloor, Self::Deeper];

    /// The key of the list of these events in JSON.
    pub fn key(self) -> &'static str {
        match self {
            Self::NewSlide => "new_slides",
            Self::Teleport => "teleports",
            Self::KneePop => "knee_pops",
            Self::Scrape => "scrapes",
            Self::BelowFloor => "below_floor",
            Self::Deeper => "deeper_than_captured",
        }
    }

    /// The name of an event of this kind.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NewSlide => "new slide",
            Self::Teleport => "teleport",
            Self::KneePop => "knee pop",
            Self::Scrape => "scrape",
            Self::BelowFloor => "below the floor",
            Self::Deeper => "deeper than captured",
        }
    }

    /// The events of this kind. `None` where they could not be determined.
    pub fn list(self, events: &Events) -> Option<&[Event]> {
        match self {
            Self::NewSlide => events.new_slides.as_deref(),
            Self::Teleport => events.teleports.as_deref(),
            Self::KneePop => events.knee_pops.as_deref(),
            Self::Scrape => events.scrapes.as_deref(),
            Self::BelowFloor => events.below_floor.as_deref(),
            Self::Deeper => events.deeper_than_captured.as_deref(),
        }
    }

    /// An amount as text, as `19.0 mm further than captured`.
    pub fn format(self, amount: f64) -> String {
        match self {
            Self::NewSlide => format!("{} further than captured", Unit::Metres.format(amount)),
            Self::Teleport => format!("{} m/s", digits(amount)),
            Self::KneePop => Unit::AngularAcceleration.format(amount),
            Self::Scrape => format!("{} closer to the ground", Unit::Metres.format(amount)),
            Self::BelowFloor => format!("{} deep", Unit::Metres.format(amount)),
            Self::Deeper => format!("{} deeper", Unit::Metres.format(amount)),
        }
    }

    /// An amount that is as visible as those of the other kinds, in the unit of the amount.
    ///
    /// Used to rank events of different kinds. Most of these amounts are the limits from which an event counts; a depth of
    /// 5 mm is about as visible as a loss of clearance of 5 mm.
    fn visible_amount(self) -> f64 {
        match self {
            Self::NewSlide => 0.012,
            Self::Teleport => 0.3,
            Self::KneePop => 1500.0 / 180.0 * PI,
            Self::Scrape | Self::BelowFloor | Self::Deeper => 0.005,
        }
    }

    /// How visible an event is, as a multiple of an amount that is just visible.
    pub(crate) fn visibility(self, event: &Event) -> f64 {
        event.amount / self.visible_amount()
    }
}

impl Events {
    /// The most visible event of these kinds.
    pub fn worst(&self, kinds: &[EventKind]) -> Option<(EventKind, &Event)> {
        let of_kind = |kind: &EventKind| {
            let kind = *kind;
            kind.list(self).unwrap_or_default().iter().map(move |event| (kind, event))
        };
        let size = |(kind, event): &(EventKind, &Event)| kind.visibility(event);
        kinds.iter().flat_map(of_kind).max_by(|a, b| size(a).total_cmp(&size(b)))
    }
}
