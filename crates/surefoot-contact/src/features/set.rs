//! Which features are asked for? The thesis's sets A to D, and what can be made of them.

use core::fmt;

/// A set of features, of both legs.
///
/// - A: places of knees, heels, toes and root;
/// - B: velocities and accelerations of knees, heels and toes, whole or with what goes along the
///   ground apart from what goes up;
/// - C: how hips, knees and ankles are bent, how fast, and how fast that changes;
/// - D: each leg's centre of mass, with heels and toes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Features {
    bits: u8,
}

impl Features {
    /// Places.
    pub const A: Self = Self { bits: 1 };
    /// Velocities and accelerations, whole.
    pub const B: Self = Self { bits: 2 };
    /// The same, the speed along the ground apart from the speed upwards.
    pub const B_SPLIT: Self = Self { bits: 4 };
    /// How joints are bent.
    pub const C: Self = Self { bits: 8 };
    /// Centres of mass.
    pub const D: Self = Self { bits: 16 };
    /// How knees are bent, with the places of heels and toes: a row of the thesis's table 2.
    pub const KNEE: Self = Self { bits: 32 };
    /// Of B split, only what goes along the ground: it shows skate.
    pub const B_LEVEL: Self = Self { bits: 64 };
    /// Of B split, only what goes up: it shows contact.
    pub const B_UP: Self = Self { bits: 128 };

    const WORDS: [(&'static str, Self); 8] = [
        ("a", Self::A),
        ("b", Self::B),
        ("b-split", Self::B_SPLIT),
        ("b-level", Self::B_LEVEL),
        ("b-up", Self::B_UP),
        ("c", Self::C),
        ("d", Self::D),
        ("knee", Self::KNEE),
    ];

    /// Every combination of A to D with B whole or split: 23 of them, the smaller first.
    pub fn combinations() -> Vec<Self> {
        let of = |bits: u8| Self { bits };
        let is_one = |bits: &u8| *bits & 6 != 6;
        let mut all: Vec<Self> = (1..32).filter(is_one).map(of).collect();
        all.sort_by_key(|set| (set.bits.count_ones(), set.bits));
        all
    }

    /// Both together.
    pub fn with(self, other: Self) -> Self {
        Self { bits: self.bits | other.bits }
    }

    /// Whether any of these is in the set.
    pub fn has(self, any: Self) -> bool {
        self.bits & any.bits != 0
    }

    /// The same with one part of B split, where B is split.
    pub fn only(self, part: Self) -> Self {
        let split = Self::B_SPLIT.bits;
        if self.bits & split == 0 { self } else { Self { bits: self.bits & !split | part.bits } }
    }

    /// The set that a word names: `a`, `b-split+c`. `None` where it names none.
    pub fn from_name(word: &str) -> Option<Self> {
        let one = |word: &str| Self::WORDS.iter().find(|(known, _)| *known == word).map(|(_, set)| *set);
        let mut set = Self { bits: 0 };
        for part in word.split('+') {
            set = set.with(one(part)?);
        }
        // B is whole or split, not both.
        (!(set.has(Self::B) && set.has(Self::B_SPLIT))).then_some(set)
    }

    /// As a byte, for files.
    pub fn to_byte(self) -> u8 {
        self.bits
    }

    /// From a byte; `None` where that is no set.
    pub fn from_byte(bits: u8) -> Option<Self> {
        (bits != 0 && bits & 6 != 6).then_some(Self { bits })
    }
}

impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> =
            Self::WORDS.iter().filter(|(_, set)| self.has(*set)).map(|(word, _)| *word).collect();
        f.write_str(&words.join("+"))
    }
}

impl fmt::Debug for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Features({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_has_a_word_and_a_byte() {
        let all = Features::combinations();
        assert_eq!(all.len(), 23);
        for set in all {
            assert_eq!(Features::from_name(&set.to_string()), Some(set));
            assert_eq!(Features::from_byte(set.to_byte()), Some(set));
        }
        assert_eq!(Features::from_name("b+b-split"), None);
        assert_eq!(Features::from_name("e"), None);
        assert_eq!(Features::from_byte(0), None);
    }

    #[test]
    fn a_split_can_be_halved() {
        let set = Features::from_name("a+b-split").unwrap();
        assert_eq!(set.only(Features::B_UP).to_string(), "a+b-up");
        assert_eq!(Features::A.only(Features::B_UP), Features::A);
    }
}
