//! Reads a rig file as overrides of inference.

use core::fmt;

use surefoot_core::UpAxis;
use surefoot_core::{JointId, JointPoint, Plane, Skeleton, Vec3};
use surefoot_infer::{LegOverride, Overrides};
use toml::Spanned;

use super::fields::{FieldError, FloorText, LegText, PointText, RigText};
use super::labels::Labels;
use crate::json;
use crate::space::UNIT_RANGE;

/// Error of reading a rig file. Lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RigError {
    /// The text is not TOML, or has an unknown field.
    NotToml {
        /// The line.
        line: usize,
        /// The message of the TOML parser.
        problem: String,
    },
    /// A joint that the skeleton does not have.
    UnknownJoint {
        /// The line.
        line: usize,
        /// The name in the file.
        found: String,
        /// Similar names of the skeleton, most similar first.
        similar: Vec<String>,
    },
    /// An up axis other than x, y, z or their negatives.
    UnknownAxis {
        /// The line.
        line: usize,
        /// The word in the file.
        found: String,
    },
    /// A number out of range.
    Number {
        /// The line.
        line: usize,
        /// The field.
        field: &'static str,
        /// The value.
        found: String,
        /// The values that are possible.
        expected: &'static str,
    },
    /// A joint that is two of hip, knee and ankle.
    DuplicateJoint {
        /// The line.
        line: usize,
        /// The joint.
        joint: String,
    },
    /// A knee or ankle of two legs.
    SharedJoint {
        /// The line of the second.
        line: usize,
        /// The joint.
        joint: String,
        /// The legs.
        sides: [String; 2],
    },
    /// Two legs with the same side.
    DuplicateSide {
        /// The line of the second.
        line: usize,
        /// The side.
        side: String,
    },
}

impl fmt::Display for RigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotToml { line, problem } => write!(f, "line {line}: {problem}"),
            Self::UnknownJoint { line, found, similar } => {
                write!(f, "line {line}: the skeleton has no joint {found:?}")?;
                let similar: Vec<String> = similar.iter().map(|name| format!("{name:?}")).collect();
                if similar.is_empty() { Ok(()) } else { write!(f, "; similar: {}", similar.join(", ")) }
            }
            Self::UnknownAxis { line, found } => {
                write!(f, "line {line}: found up = {found:?}, expected x, -x, y, -y, z or -z")
            }
            Self::Number { line, field, found, expected } => {
                write!(f, "line {line}: found {field} = {found}, expected {expected}")
            }
            Self::DuplicateJoint { line, joint } => write!(
                f,
                "line {line}: found {joint:?} twice, expected hip, knee and ankle to be different joints"
            ),
            Self::SharedJoint { line, joint, sides: [one, other] } => write!(
                f,
                "line {line}: found {joint:?} in the legs {one:?} and {other:?}, expected different knees and ankles"
            ),
            Self::DuplicateSide { line, side } => {
                write!(f, "line {line}: found a second leg called {side:?}, expected different sides")
            }
        }
    }
}

impl core::error::Error for RigError {}

/// Reads a rig file for a motion with this skeleton.
pub fn read(text: &str, skeleton: &Skeleton) -> Result<Overrides, RigError> {
    let rig = parse(text)?;
    let reader = Reader { text, labels: Labels::new(skeleton) };
    Ok(Overrides {
        unit_m: rig.unit_m.map(|unit| reader.unit(&unit)).transpose()?,
        up: rig.up.map(|up| reader.up(&up)).transpose()?,
        floor: rig.floor.map(|floor| reader.floor(&floor)).transpose()?,
        legs: rig.leg.map(|legs| reader.legs(&legs)).transpose()?,
        arms: rig.arm.map(|arms| reader.legs(&arms)).transpose()?,
    })
}

/// The motion file that a rig file names as its skeleton, if any: `skeleton = "body.bvh"`.
pub fn skeleton_path(text: &str) -> Result<Option<String>, RigError> {
    let rig = parse(text)?;
    Ok(rig.skeleton.map(Spanned::into_inner))
}

fn parse(text: &str) -> Result<RigText, RigError> {
    match json::too_long(text.len()) {
        Some(problem) => Err(RigError::NotToml { line: 1, problem }),
        None => RigText::parse(text).map_err(|error| not_toml(text, error)),
    }
}

fn not_toml(text: &str, FieldError { at, problem }: FieldError) -> RigError {
    RigError::NotToml { line: line_at(text, at), problem }
}

/// The line of byte `at`, from 1.
fn line_at(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count()
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
        match metres {
            _ if UNIT_RANGE.contains(&metres) => Ok(metres),
            _ if metres > 0.0 => Err(self.number(unit, "unit_m", "metres from 1e-30 to 1e30")),
            _ => Err(self.number(unit, "unit_m", "metres above 0")),
        }
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
        let unknown = || RigError::UnknownAxis { line: self.line(up), found: word.clone() };
        UpAxis::from_name(word.trim()).ok_or_else(unknown)
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
                return Err(RigError::DuplicateSide { line: self.line(&leg.side), side: side.clone() });
            }
        }
        let read: Vec<LegOverride> = legs.iter().map(|leg| self.leg(leg)).collect::<Result<_, _>>()?;
        for (at, leg) in read.iter().enumerate() {
            // Legs may share a hip, but not the joints that bend them.
            for (joint, label) in [(leg.knee, &legs[at].knee), (leg.ankle, &legs[at].ankle)] {
                if let Some(other) =
                    read[..at].iter().find(|other| other.knee == joint || other.ankle == joint)
                {
                    return Err(RigError::SharedJoint {
                        line: self.line(label),
                        joint: label.get_ref().clone(),
                        sides: [other.side.clone(), leg.side.clone()],
                    });
                }
            }
        }
        Ok(read)
    }

    fn leg(&self, leg: &LegText) -> Result<LegOverride, RigError> {
        let [hip, knee, ankle] = [self.joint(&leg.hip)?, self.joint(&leg.knee)?, self.joint(&leg.ankle)?];
        let duplicate = |label: &Spanned<String>| RigError::DuplicateJoint {
            line: self.line(label),
            joint: label.get_ref().clone(),
        };
        if hip == knee {
            return Err(duplicate(&leg.knee));
        }
        if ankle == knee || ankle == hip {
            return Err(duplicate(&leg.ankle));
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
        self.labels.joint(label.get_ref()).ok_or_else(|| RigError::UnknownJoint {
            line: self.line(label),
            found: label.get_ref().clone(),
            similar: self.labels.similar(label.get_ref()),
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
    fn every_field_is_optional() {
        assert_eq!(read("", &skeleton()).unwrap(), Overrides::default());
        assert_eq!(read("unit_m = 1", &skeleton()).unwrap().unit_m, Some(1.0));
        let legs = read(LEG, &skeleton()).unwrap().legs.unwrap();
        assert_eq!((legs[0].hip, legs[0].ankle, legs[0].heel), (JointId(1), JointId(3), None));
    }

    #[test]
    fn errors_state_the_line_what_was_found_and_what_was_expected() {
        check("\nunit_m = -2.5", "line 2: found unit_m = -2.5, expected metres above 0");
        check("up = \"w\"", "line 1: found up = \"w\", expected x, -x, y, -y, z or -z");
        check(
            &LEG.replace("LeftFoot", "LeftFot"),
            "line 5: the skeleton has no joint \"LeftFot\"; similar: \"LeftFoot\"",
        );
        check(
            &LEG.replace("LeftFoot", "LeftLeg"),
            "line 5: found \"LeftLeg\" twice, expected hip, knee and ankle to be different joints",
        );
        check(
            &format!("{LEG}{}", LEG.replace("\"left\"", "\"right\"")),
            "line 9: found \"LeftLeg\" in the legs \"left\" and \"right\", expected different knees and ankles",
        );
        check(&format!("{LEG}{LEG}"), "line 7: found a second leg called \"left\", expected different sides");
        check(
            "[floor]\nnormal = [0, 0, 0]\noffset_m = 0",
            "line 2: found normal = [0.0, 0.0, 0.0], expected a direction",
        );
        check(
            "unit = 3",
            "line 1: unknown field `unit`, expected one of `skeleton`, `unit_m`, `up`, `floor`, `leg`, `arm`",
        );
        let error = read("up = ", &skeleton()).unwrap_err().to_string();
        assert!(error.starts_with("line 1: "), "{error}");
    }

    #[test]
    fn joints_with_the_same_name_are_distinguished_by_number() {
        let text = LEG.replace("\"LeftUpLeg\"", "\"Leg\"").replace("\"LeftLeg\"", "\"Leg#2\"");
        let legs = read(&text, &skeleton()).unwrap().legs.unwrap();
        assert_eq!((legs[0].hip, legs[0].knee), (JointId(4), JointId(5)));
    }
}
