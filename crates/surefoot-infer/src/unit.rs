//! How many metres is one of the file's units?
//!
//! A person's leg from hip to ankle is 0.82 m long, give or take a tenth, a child's down to 0.5 m.
//! Each unit that files use is tried on the leg as it is in the file; the one that makes the
//! likeliest leg wins, common units before rare ones. Animals and bodies without legs have no such
//! measure, and the finding says so.

use crate::Inferred;
use surefoot_core::math::{exp, ln};

/// Hip to ankle of a grown person, in metres.
const ADULT: f64 = 0.82;
/// Spread of its logarithm: 0.65 m to 1.03 m are 95 of 100 people and stylised bodies.
const ADULT_SPREAD: f64 = 0.11;
/// The same for children, and how often one is met.
const CHILD: f64 = 0.65;
const CHILD_SPREAD: f64 = 0.18;
const CHILDREN: f64 = 0.15;

/// A unit that files use.
struct Unit {
    name: &'static str,
    metres: f64,
    /// How common it is; what counts is the ratio between two.
    common: f64,
}

/// Units of motion files. CMU's is an inch over 0.45. Double-size rigs come from old Poser and
/// game exports, whose bodies stand 3.4 m tall.
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

/// Below this likelihood no unit makes a person: a leg under 0.33 m or over 1.25 m.
const NO_PERSON: f64 = 0.012;

/// How a body is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Measure {
    /// Hip to ankle of a body on two legs.
    Leg(f64),
    /// The same of a body on more legs.
    AnimalLeg(f64),
    /// The longest stretch between any two joints of a body without legs.
    Body(f64),
}

/// What people call a unit of this many metres.
pub(crate) fn name(metres: f64) -> String {
    let same = |unit: &&Unit| (unit.metres / metres - 1.0).abs() < 1e-4;
    let known = UNITS.iter().find(same).map(|unit| unit.name.into());
    known.unwrap_or_else(|| format!("{metres} m"))
}

/// The unit, and its name.
pub(crate) fn find(measure: Measure) -> (Inferred<f64>, String) {
    match measure {
        Measure::Leg(leg) if leg > 0.0 => from_leg(leg, likelihood),
        Measure::AnimalLeg(leg) if leg > 0.0 => {
            let (mut finding, name) = from_leg(leg, animal_likelihood);
            finding.confidence = finding.confidence.min(0.3);
            finding.reason += "; but animals come in all sizes";
            (finding, name)
        }
        Measure::Body(size) if size > 0.0 => {
            // A body from one hand to the other, or from hips to head, is about one and a half
            // legs, give or take a half.
            let (mut finding, name) = from_leg(size / 1.5, likelihood);
            finding.confidence = finding.confidence.min(0.25);
            finding.reason = format!(
                "no legs to measure; {size:.3} units from one end of the body to the other are \
                 likeliest {:.2} m, in {name}",
                size * finding.value
            );
            (finding, name)
        }
        _ => {
            let finding = Inferred {
                value: 0.01,
                confidence: 0.0,
                reason: "nothing to measure; centimetres, as in most files".into(),
            };
            (finding, "cm".into())
        }
    }
}

fn from_leg(leg: f64, likelihood: fn(f64) -> f64) -> (Inferred<f64>, String) {
    let mut weighed: Vec<(f64, &Unit)> =
        (UNITS.iter()).map(|unit| (unit.common * likelihood(leg * unit.metres), unit)).collect();
    weighed.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (best, unit) = weighed[0];
    let metres = leg * unit.metres;
    if likelihood(metres) < NO_PERSON {
        return no_person(leg, &weighed);
    }
    let all: f64 = weighed.iter().map(|(weight, _)| weight).sum();
    let confidence = best / all;
    let mut reason = format!("hip to ankle is {leg:.4} units, which in {} is {metres:.2} m", unit.name);
    if confidence < 0.9 {
        let (_, second) = weighed[1];
        reason += &format!("; {} would make it {:.2} m", second.name, leg * second.metres);
    }
    let finding = Inferred { value: unit.metres, confidence, reason };
    (finding, unit.name.into())
}

/// The unit that makes the leg a grown person's, where no known unit makes it any person's.
fn no_person(leg: f64, weighed: &[(f64, &Unit)]) -> (Inferred<f64>, String) {
    let metres = ADULT / leg;
    let tried: Vec<String> = (weighed.iter().take(4))
        .map(|(_, unit)| format!("{} would make it {:.3} m", unit.name, leg * unit.metres))
        .collect();
    let finding = Inferred {
        value: if metres.is_finite() { metres } else { 1.0 },
        confidence: 0.1,
        reason: format!(
            "hip to ankle is {leg:.4} units, a person's leg in no unit ({}); taken as {ADULT} m",
            tried.join(", ")
        ),
    };
    (finding, format!("{metres:.6} m"))
}

/// How likely a person's leg of this length is, in metres.
fn likelihood(leg: f64) -> f64 {
    (1.0 - CHILDREN) * bell(leg, ADULT, ADULT_SPREAD) + CHILDREN * bell(leg, CHILD, CHILD_SPREAD)
}

/// The same for an animal: a dog's is 0.4 m, a horse's 1 m, a cat's 0.2 m.
fn animal_likelihood(leg: f64) -> f64 {
    bell(leg, 0.45, 0.6)
}

/// A bell over the logarithm of a length.
fn bell(length: f64, mean: f64, spread: f64) -> f64 {
    let away = ln(length / mean) / spread;
    exp(-0.5 * away * away) / spread
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(leg: f64, name: &str) {
        let (finding, found) = find(Measure::Leg(leg));
        assert_eq!(found, name, "{leg}: {finding:?}");
    }

    #[test]
    fn a_leg_gives_away_its_unit() {
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
    fn a_leg_that_fits_no_unit_says_so() {
        let (finding, _) = find(Measure::Leg(260.0));
        assert!((finding.value * 260.0 - ADULT).abs() < 1e-12);
        assert!(finding.confidence < 0.2);
        assert!(finding.reason.contains("in no unit"));
    }

    #[test]
    fn a_body_of_no_size_has_no_unit() {
        for measure in [Measure::Leg(0.0), Measure::Body(f64::NAN), Measure::Body(0.0)] {
            assert_eq!(find(measure).0.confidence, 0.0);
        }
    }
}
