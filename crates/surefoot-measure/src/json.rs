//! Figures as JSON, one key per row of the table, in the same order.

use crate::figures::{Figures, PlantFigures, PlantMotion, ratio};
use crate::rows::{EventList, ROWS, Row};
use serde::ser::{Serialize, SerializeMap, Serializer};
use surefoot_core::HoldKind;

impl Serialize for Figures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for row in ROWS {
            match row.events().map(|events| &events.list) {
                Some(EventList::Events(kind)) => map.serialize_entry(row.key, &kind.list(&self.events))?,
                Some(EventList::Joints(pick)) => map.serialize_entry(row.key, &pick(&self.events))?,
                None => map.serialize_entry(row.key, &JsonRow { row, figures: self })?,
            }
        }
        map.serialize_entry("plants", &self.plants)?;
        map.end()
    }
}

/// One row as JSON: a number, or before, after and ratio.
struct JsonRow<'a> {
    row: &'a Row,
    figures: &'a Figures,
}

impl Serialize for JsonRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number = |value| Number { value, row: self.row };
        let (before, after) = self.row.values(self.figures);
        let Some(before) = before else {
            return number(after).serialize(serializer);
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("before", &number(before))?;
        map.serialize_entry("after", &number(after))?;
        if self.row.has_ratio {
            map.serialize_entry("ratio", &ratio(before, after))?;
        }
        map.end()
    }
}

/// A figure as JSON: counts without a decimal point, missing figures as null.
struct Number<'a> {
    value: Option<f64>,
    row: &'a Row,
}

impl Serialize for Number<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value {
            Some(count) if self.row.is_count() => serializer.serialize_u64(count as u64),
            value => value.serialize(serializer),
        }
    }
}

impl Serialize for PlantFigures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let pair = |pick: fn(&PlantMotion) -> Option<f64>| Pair {
            before: self.before.as_ref().map(pick),
            after: pick(&self.after),
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("foot", &self.foot)?;
        map.serialize_entry("point", self.point_name)?;
        map.serialize_entry("first", &self.first)?;
        map.serialize_entry("last", &self.last)?;
        if self.hold.kind != HoldKind::Full {
            map.serialize_entry("hold", self.hold.kind.as_str())?;
        }
        if self.hold.strength != 1.0 {
            map.serialize_entry("strength", &self.hold.strength)?;
        }
        map.serialize_entry("drift", &pair(|plant| plant.drift))?;
        map.serialize_entry("slide", &pair(|plant| plant.slide))?;
        map.serialize_entry("stretch", &pair(|plant| plant.stretch))?;
        if let Some(unmet) = self.unmet {
            map.serialize_entry("unmet", &unmet)?;
        }
        if let Some(cost) = &self.cost {
            map.serialize_entry("paid_by", cost)?;
        }
        map.end()
    }
}

/// A figure of a plant as JSON: a number, or before and after.
struct Pair {
    before: Option<Option<f64>>,
    after: Option<f64>,
}

impl Serialize for Pair {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(before) = self.before else {
            return self.after.serialize(serializer);
        };
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("before", &before)?;
        map.serialize_entry("after", &self.after)?;
        map.end()
    }
}
