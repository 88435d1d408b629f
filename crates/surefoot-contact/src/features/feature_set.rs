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
    /// Ankle angles with the positions of heels and toes: the set for locomotion in chapter 4 of the thesis.
    pub const ANKLE: Self = Self { bits: 4 };
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
    /// Velocities and accelerations, split into horizontal and vertical.
    pub const B_SPLIT: Self = Self::B_LEVEL.with(Self::B_UP);

    /// The names. A set comes before its parts, so that a union is named by the largest sets in it.
    const NAMES: [(&'static str, Self); 9] = [
        ("a", Self::A),
        ("b", Self::B),
        ("b-split", Self::B_SPLIT),
        ("b-level", Self::B_LEVEL),
        ("b-up", Self::B_UP),
        ("c", Self::C),
        ("d", Self::D),
        ("knee", Self::KNEE),
        ("ankle", Self::ANKLE),
    ];

    /// All combinations of A to D with B whole or split: 23 sets, small ones first.
    pub fn combinations() -> Vec<Self> {
        let parts = [Self::A, Self::B, Self::B_SPLIT, Self::C, Self::D];
        let set = |code: u32| {
            let chosen = (0..parts.len()).filter(|part| code >> part & 1 == 1).map(|part| parts[part]);
            chosen.fold(Self { bits: 0 }, Self::with)
        };
        let mut codes: Vec<u32> = (1..1 << parts.len()).filter(|&code| set(code).is_valid()).collect();
        codes.sort_by_key(|code| (code.count_ones(), *code));
        codes.into_iter().map(set).collect()
    }

    /// Whether B is not both whole and split, and there is a feature at all.
    fn is_valid(self) -> bool {
        self.bits != 0 && !self.contains(Self::B.with(Self::B_SPLIT))
    }

    fn contains(self, all: Self) -> bool {
        self.bits & all.bits == all.bits
    }

    /// The union of two sets.
    pub const fn with(self, other: Self) -> Self {
        Self { bits: self.bits | other.bits }
    }

    /// Whether the set contains any feature of another set.
    pub fn has(self, any: Self) -> bool {
        self.bits & any.bits != 0
    }

    /// The set with B split replaced by one of its parts; unchanged if it has no B split.
    pub fn only(self, part: Self) -> Self {
        let split = Self::B_SPLIT.bits;
        if self.contains(Self::B_SPLIT) { Self { bits: self.bits & !split | part.bits } } else { self }
    }

    /// The set of this name, for example `a` or `b-split+c`; `None` for an unknown name.
    pub fn from_name(name: &str) -> Option<Self> {
        let by_name = |name: &str| Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, set)| *set);
        let mut set = Self { bits: 0 };
        for part in name.split('+') {
            set = set.with(by_name(part)?);
        }
        set.is_valid().then_some(set)
    }

    /// The set as a byte of a model file.
    pub fn to_byte(self) -> u8 {
        self.bits
    }

    /// The set of a byte; `None` for an invalid one.
    pub fn from_byte(bits: u8) -> Option<Self> {
        Some(Self { bits }).filter(|set| set.is_valid())
    }
}

impl fmt::Display for FeatureSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut named = Self { bits: 0 };
        let mut names = Vec::new();
        for (name, set) in Self::NAMES {
            if self.contains(set) && !named.contains(set) {
                named = named.with(set);
                names.push(name);
            }
        }
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
        for set in all.into_iter().chain([FeatureSet::KNEE, FeatureSet::ANKLE, FeatureSet::B_UP]) {
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
