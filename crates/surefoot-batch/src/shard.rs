//! One part of a corpus, for several machines that work on it at the same time.

use core::fmt;
use core::str::FromStr;

/// Part `index` of `count`, counted from 1, as `3/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: usize,
    count: usize,
}

impl Shard {
    /// Whether the clip at this place of the work list belongs to this part.
    ///
    /// Neighbours go to different parts: the clips of one folder tend to have the same length.
    pub fn contains(self, place: usize) -> bool {
        place % self.count == self.index - 1
    }

    /// The part in the name of a file: `3-of-8`.
    pub fn file_name(self) -> String {
        format!("{}-of-{}", self.index, self.count)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(index, count)| {
            Some(Self { index: index.trim().parse().ok()?, count: count.trim().parse().ok()? })
        });
        numbers
            .filter(|shard| 1 <= shard.index && shard.index <= shard.count)
            .ok_or_else(|| "expected a part and the number of parts, as 3/8, counted from 1".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_clip_belongs_to_exactly_one_shard() {
        let shards: Vec<Shard> = ["1/3", "2/3", "3/3"].iter().map(|text| text.parse().unwrap()).collect();
        for place in 0..10 {
            assert_eq!(shards.iter().filter(|shard| shard.contains(place)).count(), 1);
        }
        assert_eq!((shards[1].to_string(), shards[1].file_name()), ("2/3".into(), "2-of-3".into()));
    }

    #[test]
    fn a_shard_outside_its_count_is_refused() {
        for text in ["0/3", "4/3", "1/0", "1", "a/b", ""] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
