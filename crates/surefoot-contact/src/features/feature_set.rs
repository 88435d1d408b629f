//! Sets of features: the thesis's sets A to D and their combinations.

use core::fmt;

/// A set of features of both legs, after Hsu (2009).
///
/// - A: positions of knees, heels, toes and root;
/// - B: velocities and accelerations of knees, heels and toes, either as vectors or split into
///   horizontal speed and vertical velocity;
/// - C: angles of hips, knees and ankles with their first and second derivatives;
/// - D: each leg's centre of mass, with heels and toes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct FeatureSet {
    bits: u8,
}

impl FeatureSet {
    /// Positions.
    pub const A: Self = Self { bits: 1 };
    /// Velocities and accelerations as vectors.
    pub const B: Self = Self { bits: 2 };
    /// Velocities and accelerations, split into horizontal and vertical.
    pub const B_SPLIT: Self = Self { bits: 4 };
    /// Joint angles.
    pub const C: Self = Self { bits: 8 };
    /// Centres of mass.
    pub const D: Self = Self { bits: 16 };
    /// Knee angles with the positions of heels and toes: a row of the thesis's table 2.
    pub const KNEE: Self = Self { bits: 32 };
    /// The horizontal part of B split, which shows skate.
    pub const B_LEVEL: Self = Self { bits: 64 };
    /// The vertical part of B split, which shows contact.
    pub const B_UP: Self = Self { bits: 128 };

    const NAMES: [(&'static str, Self); 8] = [
        ("a", Self::A),
        ("b", Self::B),
        ("b-split", Self::B_SPLIT),
        ("b-level", Self::B_LEVEL),
        ("b-up", Self::B_UP),
        ("c", Self::C),
        ("d", Self::D),
        ("knee", Self::KNEE),
    ];

    /// B is either whole or split; a set with both bits is invalid.
    const BOTH_B: u8 = Self::B.bits | Self::B_SPLIT.bits;

    /// All combinations of A to D with B whole or split: 23 sets, small ones first.
    pub fn combinations() -> Vec<Self> {
        let is_valid = |bits: &u8| *bits & Self::BOTH_B != Self::BOTH_B;
        let mut all: Vec<Self> = (1..32).filter(is_valid).map(|bits| Self { bits }).collect();
        all.sort_by_key(|set| (set.bits.count_ones(), set.bits));
        all
    }

    /// The union of two sets.
    pub fn with(self, other: Self) -> Self {
        Self { bits: self.bits | other.bits }
    }

    /// Whether the set contains any feature of another set.
    pub fn has(self, any: Self) -> bool {
        self.bits & any.bits != 0
    }

    /// The set with B split replaced by one of its parts; unchanged if it has no B split.
    pub fn only(self, part: Self) -> Self {
        let split = Self::B_SPLIT.bits;
        if self.bits & split == 0 { self } else { Self { bits: self.bits & !split | part.bits } }
    }

    /// The set of this name, for example `a` or `b-split+c`; `None` for an unknown name.
    pub fn from_name(name: &str) -> Option<Self> {
        let by_name = |name: &str| Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, set)| *set);
        let mut set = Self { bits: 0 };
        for part in name.split('+') {
            set = set.with(by_name(part)?);
        }
        (set.bits & Self::BOTH_B != Self::BOTH_B).then_some(set)
    }

    /// The set as a byte of a model file.
    pub fn to_byte(self) -> u8 {
        self.bits
    }

    /// The set of a byte; `None` for an invalid one.
    pub fn from_byte(bits: u8) -> Option<Self> {
        (bits != 0 && bits & Self::BOTH_B != Self::BOTH_B).then_some(Self { bits })
    }
}

impl fmt::Display for FeatureSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> =
            Self::NAMES.iter().filter(|(_, set)| self.has(*set)).map(|(name, _)| *name).collect();
        f.write_str(&names.join("+"))
    }
}

impl fmt::Debug for FeatureSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FeatureSet({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_has_a_name_and_a_byte() {
        let all = FeatureSet::combinations();
        assert_eq!(all.len(), 23);
        for set in all {
            assert_eq!(FeatureSet::from_name(&set.to_string()), Some(set));
            assert_eq!(FeatureSet::from_byte(set.to_byte()), Some(set));
        }
        assert_eq!(FeatureSet::from_name("b+b-split"), None);
        assert_eq!(FeatureSet::from_name("e"), None);
        assert_eq!(FeatureSet::from_byte(0), None);
    }

    #[test]
    fn a_split_can_be_reduced_to_one_part() {
        let set = FeatureSet::from_name("a+b-split").unwrap();
        assert_eq!(set.only(FeatureSet::B_UP).to_string(), "a+b-up");
        assert_eq!(FeatureSet::A.only(FeatureSet::B_UP), FeatureSet::A);
    }
}
