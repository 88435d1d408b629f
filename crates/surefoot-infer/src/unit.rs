//! Infers the length unit of a file from the length of a leg.
//!
//! An adult's leg from hip to ankle is 0.82 m ± 11 %, a child's down to 0.5 m. For each unit that
//! files use, the likelihood of the resulting leg length is multiplied by how common the unit is;
//! the largest product wins. The size of animals and of bodies without legs varies too much, so
//! their confidence is low.

use crate::Inferred;
use surefoot_core::math::{exp, ln};

/// Length from hip to ankle of an adult, in metres.
const ADULT: f64 = 0.82;
/// Standard deviation of the logarithm of an adult's leg length: 95 % of people and stylised bodies have 0.65 m to 1.03 m.
const ADULT_DEVIATION: f64 = 0.11;
/// Length from hip to ankle of a child, in metres.
const CHILD: f64 = 0.65;
/// Standard deviation of the logarithm of a child's leg length.
const CHILD_DEVIATION: f64 = 0.18;
/// Share of motions that are of children.
const CHILDREN: f64 = 0.15;

/// A unit of motion files.
struct Unit {
    name: &'static str,
    metres: f64,
    /// How common the unit is, relative to the others.
    common: f64,
}

/// Units of motion files. The CMU unit is 1/0.45 inch. Bodies of double size, 3.4 m tall, come from
/// old Poser and game exports.
const UNITS: [Unit; 10] = [
    unit("cm", 0.01, 10.0),
    unit("m", 1.0, 8.0),
    unit("mm", 0.001, 5.0),
    unit("inch", 0.0254, 4.0),
    unit("CMU (5.6444 cm)", 0.056444, 4.0),
    unit("dm", 0.1, 2.0),
    unit("foot", 0.3048, 0.5),
    unit("cm at double size", 0.005, 1.0),
    unit("m at double size", 0.5, 0.4),
    unit("mm at double size", 0.0005, 0.3),
];

const fn unit(name: &'static str, metres: f64, common: f64) -> Unit {
    Unit { name, metres, common }
}

/// Likelihood below which a leg is not that of a person: shorter than 0.33 m or longer than 1.25 m.
const NOT_A_PERSON: f64 = 0.012;

/// A length of the body, in units of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum BodyLength {
    /// Hip to ankle of a body with two legs.
    Leg(f64),
    /// Hip to ankle of a body with more legs.
    AnimalLeg(f64),
    /// The extent of a body without legs.
    Extent(f64),
}

/// The name of a unit of this many metres.
pub(crate) fn name(metres: f64) -> String {
    let same = |unit: &&Unit| (unit.metres / metres - 1.0).abs() < 1e-4;
    let known = UNITS.iter().find(same).map(|unit| unit.name.into());
    known.unwrap_or_else(|| format!("{metres} m"))
}

/// Infers the unit and returns it with its name.
pub(crate) fn find(body: BodyLength) -> (Inferred<f64>, String) {
    match body {
        BodyLength::Leg(leg) if leg > 0.0 => from_leg(leg, likelihood),
        BodyLength::AnimalLeg(leg) if leg > 0.0 => {
            let (mut unit, name) = from_leg(leg, animal_likelihood);
            unit.confidence = unit.confidence.min(0.3);
            unit.reason += "; but animals vary in size";
            (unit, name)
        }
        BodyLength::Extent(extent) if extent > 0.0 => {
            // From hand to hand, or from hips to head, a body measures about 1.5 ± 0.5 legs.
            let (mut unit, name) = from_leg(extent / 1.5, likelihood);
            unit.confidence = unit.confidence.min(0.25);
            unit.reason = format!(
                "there are no legs to measure; the body extends over {extent:.3} units, \
                 which in {name} is {:.2} m",
                extent * unit.value
            );
            (unit, name)
        }
        _ => {
            let unit = Inferred {
                value: 0.01,
                confidence: 0.0,
                reason: "the body has no size; centimetres are assumed, as in most files".into(),
            };
            (unit, "cm".into())
        }
    }
}

fn from_leg(leg: f64, likelihood: fn(f64) -> f64) -> (Inferred<f64>, String) {
    let mut ranked: Vec<(f64, &Unit)> =
        (UNITS.iter()).map(|unit| (unit.common * likelihood(leg * unit.metres), unit)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (best, unit) = ranked[0];
    let metres = leg * unit.metres;
    if likelihood(metres) < NOT_A_PERSON {
        return not_a_person(leg, &ranked);
    }
    let all: f64 = ranked.iter().map(|(weight, _)| weight).sum();
    let confidence = best / all;
    let mut reason =
        format!("the leg from hip to ankle is {leg:.4} units, which in {} is {metres:.2} m", unit.name);
    if confidence < 0.9 {
        let (_, second) = ranked[1];
        reason += &format!("; in {} it would be {:.2} m", second.name, leg * second.metres);
    }
    (Inferred { value: unit.metres, confidence, reason }, unit.name.into())
}

/// The unit in which the leg has the length of an adult's, for a leg that fits no known unit.
fn not_a_person(leg: f64, ranked: &[(f64, &Unit)]) -> (Inferred<f64>, String) {
    let metres = ADULT / leg;
    let lengths: Vec<String> = (ranked.iter().take(4))
        .map(|(_, unit)| format!("{:.3} m in {}", leg * unit.metres, unit.name))
        .collect();
    let unit = Inferred {
        value: if metres.is_finite() { metres } else { 1.0 },
        confidence: 0.1,
        reason: format!(
            "the leg from hip to ankle is {leg:.4} units, which fits a person in no unit ({}); \
             {ADULT} m is assumed",
            lengths.join(", ")
        ),
    };
    (unit, format!("{metres:.6} m"))
}

/// Probability density of a person's leg length in metres.
fn likelihood(leg: f64) -> f64 {
    (1.0 - CHILDREN) * log_normal(leg, ADULT, ADULT_DEVIATION)
        + CHILDREN * log_normal(leg, CHILD, CHILD_DEVIATION)
}

/// Probability density of an animal's leg length in metres: a cat has 0.2 m, a dog 0.4 m, a horse
/// 1 m.
fn animal_likelihood(leg: f64) -> f64 {
    log_normal(leg, 0.45, 0.6)
}

/// Density of the logarithm of a length, up to a constant factor.
fn log_normal(length: f64, median: f64, deviation: f64) -> f64 {
    let z = ln(length / median) / deviation;
    exp(-0.5 * z * z) / deviation
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(leg: f64, name: &str) {
        let (unit, found) = find(BodyLength::Leg(leg));
        assert_eq!(found, name, "{leg}: {unit:?}");
    }

    #[test]
    fn the_length_of_a_leg_determines_the_unit() {
        for (leg, name) in [
            (0.82, "m"),
            (0.7, "m"),
            (8.2, "dm"),
            (14.9, "CMU (5.6444 cm)"),
            (13.6, "CMU (5.6444 cm)"),
            (32.3, "inch"),
            (29.0, "inch"),
            (82.0, "cm"),
            (61.5, "cm"),
            (95.0, "cm"),
            (820.0, "mm"),
            (650.0, "mm"),
            (160.0, "cm at double size"),
            (1.64, "m at double size"),
            (1640.0, "mm at double size"),
            (2.7, "foot"),
        ] {
            check(leg, name);
        }
    }

    #[test]
    fn a_leg_that_fits_no_unit_has_low_confidence() {
        let (unit, _) = find(BodyLength::Leg(260.0));
        assert!((unit.value * 260.0 - ADULT).abs() < 1e-12);
        assert!(unit.confidence < 0.2);
        assert!(unit.reason.contains("in no unit"));
    }

    #[test]
    fn the_unit_of_a_body_without_size_has_no_confidence() {
        for body in [BodyLength::Leg(0.0), BodyLength::Extent(f64::NAN), BodyLength::Extent(0.0)] {
            assert_eq!(find(body).0.confidence, 0.0);
        }
    }
}
