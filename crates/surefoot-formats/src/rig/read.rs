//! A rig file, as what a person says about a motion.

use core::fmt;

use serde::Deserialize;
use surefoot_core::UpAxis;
use surefoot_core::{JointId, JointPoint, Plane, Skeleton, Vec3};
use surefoot_infer::{LegOverride, Overrides};
use toml::Spanned;

use super::names::Labels;

/// What is wrong with a rig file, and where. Lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RigError {
    /// Not TOML, or a field that a rig file does not have.
    Text {
        /// Where.
        line: usize,
        /// What the TOML reader says.
        message: String,
    },
    /// A joint that the skeleton does not have.
    NoSuchJoint {
        /// Where.
        line: usize,
        /// The name found.
        found: String,
        /// Names like it that the skeleton has, nearest first.
        near: Vec<String>,
    },
    /// An up axis that is none.
    NoAxis {
        /// Where.
        line: usize,
        /// The word found.
        found: String,
    },
    /// A number that cannot be meant.
    Number {
        /// Where.
        line: usize,
        /// The field.
        field: &'static str,
        /// What was found.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A leg that names one joint twice.
    SameJoint {
        /// Where.
        line: usize,
        /// The joint.
        joint: String,
    },
    /// A side that two legs have.
    SameSide {
        /// Where the second is.
        line: usize,
        /// The side.
        side: String,
    },
}

impl fmt::Display for RigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text { line, message } => write!(f, "line {line}: {message}"),
            Self::NoSuchJoint { line, found, near } => {
                write!(f, "line {line}: the skeleton has no joint {found:?}")?;
                let near: Vec<String> = near.iter().map(|name| format!("{name:?}")).collect();
                if near.is_empty() { Ok(()) } else { write!(f, "; is it {}?", near.join(" or ")) }
            }
            Self::NoAxis { line, found } => {
                write!(f, "line {line}: found up = {found:?}, expected x, -x, y, -y, z or -z")
            }
            Self::Number { line, field, found, expected } => {
                write!(f, "line {line}: found {field} = {found}, expected {expected}")
            }
            Self::SameJoint { line, joint } => {
                write!(f, "line {line}: {joint:?} cannot be two of hip, knee and ankle at once")
            }
            Self::SameSide { line, side } => write!(f, "line {line}: a second leg is called {side:?}"),
        }
    }
}

impl core::error::Error for RigError {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RigText {
    /// Read by [`skeleton_path`]; says nothing of the motion itself.
    #[allow(dead_code)]
    skeleton: Option<String>,
    unit_m: Option<Spanned<f64>>,
    up: Option<Spanned<String>>,
    floor: Option<FloorText>,
    leg: Option<Vec<LegText>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FloorText {
    normal: Spanned<[f64; 3]>,
    offset_m: Spanned<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LegText {
    side: Spanned<String>,
    hip: Spanned<String>,
    knee: Spanned<String>,
    ankle: Spanned<String>,
    heel: Option<PointText>,
    ball: Option<PointText>,
    toe: Option<PointText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PointText {
    joint: Spanned<String>,
    offset: Spanned<[f64; 3]>,
}

/// Reads a rig file for a motion of this skeleton.
pub fn read(text: &str, skeleton: &Skeleton) -> Result<Overrides, RigError> {
    let rig: RigText = toml::from_str(text).map_err(|error| RigError::Text {
        line: error.span().map_or(1, |span| line_at(text, span.start)),
        message: one_line(error.message()),
    })?;
    let reader = Reader { text, labels: Labels::new(skeleton) };
    Ok(Overrides {
        unit_m: rig.unit_m.map(|unit| reader.unit(&unit)).transpose()?,
        up: rig.up.map(|up| reader.up(&up)).transpose()?,
        floor: rig.floor.map(|floor| reader.floor(&floor)).transpose()?,
        legs: rig.leg.map(|legs| reader.legs(&legs)).transpose()?,
    })
}

/// The motion file that a rig file is about, if it names one: `skeleton = "body.bvh"`.
pub fn skeleton_path(text: &str) -> Result<Option<String>, RigError> {
    #[derive(Deserialize)]
    struct Named {
        skeleton: Option<String>,
    }
    let named: Named = toml::from_str(text).map_err(|error| RigError::Text {
        line: error.span().map_or(1, |span| line_at(text, span.start)),
        message: one_line(error.message()),
    })?;
    Ok(named.skeleton)
}

/// The line of a place in the text, counted from 1.
fn line_at(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count()
}

fn one_line(message: &str) -> String {
    message.lines().collect::<Vec<_>>().join("; ")
}

struct Reader<'a> {
    text: &'a str,
    labels: Labels<'a>,
}

impl Reader<'_> {
    fn line<T>(&self, value: &Spanned<T>) -> usize {
        line_at(self.text, value.span().start)
    }

    fn unit(&self, unit: &Spanned<f64>) -> Result<f64, RigError> {
        let metres = *unit.get_ref();
        if metres.is_finite() && metres > 0.0 {
            return Ok(metres);
        }
        Err(self.number(unit, "unit_m", "metres above 0"))
    }

    fn number<T: fmt::Debug>(
        &self,
        value: &Spanned<T>,
        field: &'static str,
        expected: &'static str,
    ) -> RigError {
        RigError::Number { line: self.line(value), field, found: format!("{:?}", value.get_ref()), expected }
    }

    fn up(&self, up: &Spanned<String>) -> Result<UpAxis, RigError> {
        let word = up.get_ref();
        let no_axis = || RigError::NoAxis { line: self.line(up), found: word.clone() };
        UpAxis::from_name(word.trim()).ok_or_else(no_axis)
    }

    fn floor(&self, floor: &FloorText) -> Result<Plane, RigError> {
        let normal = Vec3::from_array(*floor.normal.get_ref());
        let unit = normal.try_normalize().filter(|_| normal.is_finite());
        let normal = unit.ok_or_else(|| self.number(&floor.normal, "normal", "a direction"))?;
        let offset = *floor.offset_m.get_ref();
        if offset.is_finite() {
            return Ok(Plane { normal, offset });
        }
        Err(self.number(&floor.offset_m, "offset_m", "metres"))
    }

    fn legs(&self, legs: &[LegText]) -> Result<Vec<LegOverride>, RigError> {
        for (at, leg) in legs.iter().enumerate() {
            let side = leg.side.get_ref();
            if legs[..at].iter().any(|other| other.side.get_ref() == side) {
                return Err(RigError::SameSide { line: self.line(&leg.side), side: side.clone() });
            }
        }
        legs.iter().map(|leg| self.leg(leg)).collect()
    }

    fn leg(&self, leg: &LegText) -> Result<LegOverride, RigError> {
        let [hip, knee, ankle] = [self.joint(&leg.hip)?, self.joint(&leg.knee)?, self.joint(&leg.ankle)?];
        let same = |label: &Spanned<String>| RigError::SameJoint {
            line: self.line(label),
            joint: label.get_ref().clone(),
        };
        if hip == knee {
            return Err(same(&leg.knee));
        }
        if ankle == knee || ankle == hip {
            return Err(same(&leg.ankle));
        }
        let point = |point: &Option<PointText>| point.as_ref().map(|point| self.point(point)).transpose();
        Ok(LegOverride {
            side: leg.side.get_ref().clone(),
            hip,
            knee,
            ankle,
            heel: point(&leg.heel)?,
            ball: point(&leg.ball)?,
            toe: point(&leg.toe)?,
        })
    }

    fn point(&self, point: &PointText) -> Result<JointPoint, RigError> {
        let offset = Vec3::from_array(*point.offset.get_ref());
        if !offset.is_finite() {
            return Err(self.number(&point.offset, "offset", "three numbers"));
        }
        Ok(JointPoint { joint: self.joint(&point.joint)?, offset })
    }

    fn joint(&self, label: &Spanned<String>) -> Result<JointId, RigError> {
        self.labels.joint(label.get_ref()).ok_or_else(|| RigError::NoSuchJoint {
            line: self.line(label),
            found: label.get_ref().clone(),
            near: self.labels.nearest(label.get_ref()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::Joint;

    fn skeleton() -> Skeleton {
        let names = ["Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "Leg", "Leg"];
        let joint = |name: &str| Joint { name: name.into(), parent: None, offset: Vec3::ZERO, end: None };
        Skeleton::new(names.into_iter().map(joint).collect()).unwrap()
    }

    fn check(text: &str, error: &str) {
        assert_eq!(read(text, &skeleton()).unwrap_err().to_string(), error, "{text}");
    }

    const LEG: &str =
        "[[leg]]\nside = \"left\"\nhip = \"LeftUpLeg\"\nknee = \"LeftLeg\"\nankle = \"LeftFoot\"\n";

    #[test]
    fn all_of_it_may_be_left_out() {
        assert_eq!(read("", &skeleton()).unwrap(), Overrides::default());
        assert_eq!(read("unit_m = 1", &skeleton()).unwrap().unit_m, Some(1.0));
        let legs = read(LEG, &skeleton()).unwrap().legs.unwrap();
        assert_eq!((legs[0].hip, legs[0].ankle, legs[0].heel), (JointId(1), JointId(3), None));
    }

    #[test]
    fn errors_say_where_and_what() {
        check("\nunit_m = -2.5", "line 2: found unit_m = -2.5, expected metres above 0");
        check("up = \"w\"", "line 1: found up = \"w\", expected x, -x, y, -y, z or -z");
        check(
            &LEG.replace("LeftFoot", "LeftFot"),
            "line 5: the skeleton has no joint \"LeftFot\"; is it \"LeftFoot\"?",
        );
        check(
            &LEG.replace("LeftFoot", "LeftLeg"),
            "line 5: \"LeftLeg\" cannot be two of hip, knee and ankle at once",
        );
        check(&format!("{LEG}{LEG}"), "line 7: a second leg is called \"left\"");
        check(
            "[floor]\nnormal = [0, 0, 0]\noffset_m = 0",
            "line 2: found normal = [0.0, 0.0, 0.0], expected a direction",
        );
        check(
            "unit = 3",
            "line 1: unknown field `unit`, expected one of `skeleton`, `unit_m`, `up`, `floor`, `leg`",
        );
        let error = read("up = ", &skeleton()).unwrap_err().to_string();
        assert!(error.starts_with("line 1: "), "{error}");
    }

    #[test]
    fn a_name_used_twice_is_told_apart_by_number() {
        let text = LEG.replace("\"LeftUpLeg\"", "\"Leg\"").replace("\"LeftLeg\"", "\"Leg#2\"");
        let legs = read(&text, &skeleton()).unwrap().legs.unwrap();
        assert_eq!((legs[0].hip, legs[0].knee), (JointId(4), JointId(5)));
    }
}
