//! The axis of a file that points up.

use crate::math::Vec3;

/// A signed coordinate axis: the one that points up in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UpAxis {
    /// 0, 1 or 2 for X, Y or Z.
    pub axis: usize,
    /// Whether up is the negative direction of the axis.
    pub negative: bool,
}

impl UpAxis {
    /// The unit vector that points up, in the file's axes.
    pub fn direction(self) -> Vec3 {
        let mut direction = Vec3::ZERO;
        direction[self.axis] = if self.negative { -1.0 } else { 1.0 };
        direction
    }

    /// The name used in files and flags: `y`, `-z`.
    pub fn as_str(self) -> &'static str {
        [["x", "-x"], ["y", "-y"], ["z", "-z"]][self.axis][usize::from(self.negative)]
    }

    /// The axis of this name, upper or lower case, with an optional `+`.
    pub fn from_name(name: &str) -> Option<Self> {
        let all = (0..3).flat_map(|axis| [false, true].map(|negative| Self { axis, negative }));
        all.into_iter().find(|up| up.as_str().eq_ignore_ascii_case(name.trim_start_matches('+')))
    }
}
