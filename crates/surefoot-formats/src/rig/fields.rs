//! The fields of a rig file, taken from a parsed TOML table one by one.
//!
//! The table is read by hand: derived deserialisers would be generated for every type of field, 30 KB of the studio's
//! compressed WebAssembly.

use core::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A field that is not as expected: the byte where it is, and what is wrong.
#[derive(Debug, PartialEq)]
pub(super) struct FieldError {
    pub at: usize,
    pub problem: String,
}

/// The text of a rig file as values with their places.
#[derive(Default)]
pub(super) struct RigText {
    pub skeleton: Option<Spanned<String>>,
    pub unit_m: Option<Spanned<f64>>,
    pub up: Option<Spanned<String>>,
    pub floor: Option<FloorText>,
    pub leg: Option<Vec<LegText>>,
    /// Shoulder, elbow, wrist and palm are hip, knee, ankle and ball.
    pub arm: Option<Vec<LegText>>,
}

pub(super) struct FloorText {
    pub normal: Spanned<[f64; 3]>,
    pub offset_m: Spanned<f64>,
}

pub(super) struct LegText {
    pub side: Spanned<String>,
    pub hip: Spanned<String>,
    pub knee: Spanned<String>,
    pub ankle: Spanned<String>,
    pub heel: Option<PointText>,
    pub ball: Option<PointText>,
    pub toe: Option<PointText>,
}

pub(super) struct PointText {
    pub joint: Spanned<String>,
    pub offset: Spanned<[f64; 3]>,
}

impl RigText {
    /// Reads the text. Fields that a rig file does not have are refused.
    pub fn parse(text: &str) -> Result<Self, FieldError> {
        let table = DeTable::parse(text).map_err(|error| FieldError {
            at: error.span().map_or(0, |span| span.start),
            problem: error.message().lines().collect::<Vec<_>>().join("; "),
        })?;
        let fields = Fields { at: table.span(), table: table.get_ref() };
        fields.check(&["skeleton", "unit_m", "up", "floor", "leg", "arm"])?;
        Ok(Self {
            skeleton: fields.text("skeleton")?,
            unit_m: fields.number("unit_m")?,
            up: fields.text("up")?,
            floor: fields.table("floor")?.map(floor).transpose()?,
            leg: fields.tables("leg")?.map(|legs| legs.into_iter().map(leg).collect()).transpose()?,
            arm: fields.tables("arm")?.map(|arms| arms.into_iter().map(arm).collect()).transpose()?,
        })
    }
}

fn floor(fields: Fields) -> Result<FloorText, FieldError> {
    fields.check(&["normal", "offset_m"])?;
    Ok(FloorText {
        normal: fields.needed("normal", fields.three_numbers("normal")?)?,
        offset_m: fields.needed("offset_m", fields.number("offset_m")?)?,
    })
}

fn leg(fields: Fields) -> Result<LegText, FieldError> {
    fields.check(&["side", "hip", "knee", "ankle", "heel", "ball", "toe"])?;
    let text = |key| fields.needed(key, fields.text(key)?);
    let foot_point = |key| fields.table(key)?.map(point).transpose();
    Ok(LegText {
        side: text("side")?,
        hip: text("hip")?,
        knee: text("knee")?,
        ankle: text("ankle")?,
        heel: foot_point("heel")?,
        ball: foot_point("ball")?,
        toe: foot_point("toe")?,
    })
}

fn arm(fields: Fields) -> Result<LegText, FieldError> {
    fields.check(&["side", "shoulder", "elbow", "wrist", "palm"])?;
    let text = |key| fields.needed(key, fields.text(key)?);
    Ok(LegText {
        side: text("side")?,
        hip: text("shoulder")?,
        knee: text("elbow")?,
        ankle: text("wrist")?,
        heel: None,
        ball: fields.table("palm")?.map(point).transpose()?,
        toe: None,
    })
}

fn point(fields: Fields) -> Result<PointText, FieldError> {
    fields.check(&["joint", "offset"])?;
    Ok(PointText {
        joint: fields.needed("joint", fields.text("joint")?)?,
        offset: fields.needed("offset", fields.three_numbers("offset")?)?,
    })
}

/// A table and its place in the text.
struct Fields<'a> {
    table: &'a DeTable<'a>,
    at: Range<usize>,
}

impl<'a> Fields<'a> {
    /// Refuses fields with other names.
    fn check(&self, known: &[&str]) -> Result<(), FieldError> {
        let unknown = self.table.keys().filter(|key| !known.contains(&&**key.get_ref()));
        match unknown.min_by_key(|key| key.span().start) {
            None => Ok(()),
            Some(key) => {
                let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
                let (found, known) = (key.get_ref(), known.join(", "));
                Err(FieldError {
                    at: key.span().start,
                    problem: format!("unknown field `{found}`, expected one of {known}"),
                })
            }
        }
    }

    fn value(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.table.iter().find(|(name, _)| **name.get_ref() == *key).map(|(_, value)| value)
    }

    fn needed<T>(&self, key: &str, value: Option<T>) -> Result<T, FieldError> {
        value.ok_or_else(|| FieldError { at: self.at.start, problem: format!("missing field `{key}`") })
    }

    /// The value of a field, converted; an error states what was expected.
    fn read<T>(
        &self,
        key: &str,
        expected: &str,
        convert: impl Fn(&'a DeValue<'a>) -> Option<T>,
    ) -> Result<Option<Spanned<T>>, FieldError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let span = value.span();
        match convert(value.get_ref()) {
            Some(converted) => Ok(Some(Spanned::new(span, converted))),
            None => {
                let found = value.get_ref().type_str();
                Err(FieldError {
                    at: span.start,
                    problem: format!("found {found} for {key}, expected {expected}"),
                })
            }
        }
    }

    fn text(&self, key: &str) -> Result<Option<Spanned<String>>, FieldError> {
        self.read(key, "a string", |value| value.as_str().map(str::to_owned))
    }

    fn number(&self, key: &str) -> Result<Option<Spanned<f64>>, FieldError> {
        self.read(key, "a number", number)
    }

    fn three_numbers(&self, key: &str) -> Result<Option<Spanned<[f64; 3]>>, FieldError> {
        self.read(key, "three numbers", |value| {
            let all: Option<Vec<f64>> = value.as_array()?.iter().map(|part| number(part.get_ref())).collect();
            all?.try_into().ok()
        })
    }

    fn table(&self, key: &str) -> Result<Option<Fields<'a>>, FieldError> {
        let table = self.read(key, "a table", DeValue::as_table)?;
        Ok(table.map(|table| Fields { at: table.span(), table: table.into_inner() }))
    }

    fn tables(&self, key: &str) -> Result<Option<Vec<Fields<'a>>>, FieldError> {
        let of_array = |value: &'a DeValue<'a>| -> Option<Vec<Fields<'a>>> {
            let fields = |part: &'a Spanned<DeValue<'a>>| {
                Some(Fields { at: part.span(), table: part.get_ref().as_table()? })
            };
            value.as_array()?.iter().map(fields).collect()
        };
        Ok(self.read(key, "tables", of_array)?.map(Spanned::into_inner))
    }
}

/// An integer or a number with a decimal point.
fn number(value: &DeValue) -> Option<f64> {
    match value {
        DeValue::Integer(integer) => {
            i64::from_str_radix(integer.as_str(), integer.radix()).ok().map(|n| n as f64)
        }
        DeValue::Float(float) => float.as_str().parse().ok(),
        _ => None,
    }
}
