//! What a plant holds of its point: which coordinates, and how strongly.
//!
//! The solver moves a planted point to [`Hold::position`], and the measurement compares the written file with it.

use crate::floor::Floor;
use crate::math::Vec3;

/// Which coordinates of a planted point are held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HoldKind {
    /// The point stays at its spot. If two points of a foot are held like this, the foot does not turn.
    #[default]
    Full,
    /// The point stays at its spot and the foot turns about it as captured. Meanwhile plants of other points of the same
    /// foot hold only their height.
    Pivot,
    /// The point stays at the height of its spot and moves along the ground as captured: a dragged or a sliding foot.
    Height,
    /// The point stays at its spot along the ground and rises and sinks as captured: soft ground, a bouncing heel.
    Ground,
}

impl HoldKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Full, Self::Pivot, Self::Height, Self::Ground];

    /// The name in files and messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Pivot => "pivot",
            Self::Height => "height",
            Self::Ground => "ground",
        }
    }

    /// The kind of this name; `None` for an unknown name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// What a plant holds of its point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    /// The coordinates that are held.
    pub kind: HoldKind,
    /// The share of the correction that is applied, from 0 (the point stays as captured) to 1 (the point is held exactly);
    /// known to animators as contact weight.
    pub strength: f64,
}

impl Default for Hold {
    /// The point is held exactly.
    fn default() -> Self {
        Self { kind: HoldKind::Full, strength: 1.0 }
    }
}

impl Hold {
    /// Whether the point stays at its spot.
    pub fn is_exact(&self) -> bool {
        matches!(self.kind, HoldKind::Full | HoldKind::Pivot) && self.strength == 1.0
    }

    /// Where a point with this spot is held at a frame in which it is captured at `captured`.
    ///
    /// A point that would be below the floor, because it is captured there, is raised onto the floor, or to the height
    /// of its spot if that is lower.
    pub fn position(&self, spot: Vec3, captured: Vec3, floor: Option<&Floor>) -> Vec3 {
        if self.is_exact() {
            return spot;
        }
        let held = match self.kind {
            HoldKind::Full | HoldKind::Pivot => spot,
            HoldKind::Height => at_height(captured, height(spot, floor), floor),
            HoldKind::Ground => at_height(spot, height(captured, floor), floor),
        };
        let position = captured + (held - captured) * self.strength;
        let lowest = height(spot, floor).min(0.0);
        match floor {
            Some(_) if height(position, floor) < lowest => at_height(position, lowest, floor),
            _ => position,
        }
    }

    /// The part of a displacement that this hold prevents.
    pub fn held_part(&self, displacement: Vec3, up: Vec3) -> Vec3 {
        let vertical = up * displacement.dot(up);
        match self.kind {
            HoldKind::Full | HoldKind::Pivot => displacement,
            HoldKind::Height => vertical,
            HoldKind::Ground => displacement - vertical,
        }
    }
}

/// Height above the floor, or along Y without one, in metres.
fn height(position: Vec3, floor: Option<&Floor>) -> f64 {
    floor.map_or(position.y, |floor| floor.above(position))
}

/// A position moved to a height above the floor, along the normal of a plane and otherwise along Y.
fn at_height(position: Vec3, height: f64, floor: Option<&Floor>) -> Vec3 {
    match floor {
        None => Vec3::new(position.x, height, position.z),
        Some(floor) => {
            let plane = floor.plane_under(position);
            let rise = height - plane.above(position);
            match floor.as_plane() {
                Some(_) => position + plane.normal * rise,
                None => position + Vec3::Y * (rise / plane.normal.y),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floor::Plane;

    const SPOT: Vec3 = Vec3::new(1.0, 0.0, 2.0);
    const CAPTURED: Vec3 = Vec3::new(1.1, 0.04, 2.2);

    fn level() -> Floor {
        Floor::Plane(Plane { normal: Vec3::Y, offset: 0.0 })
    }

    fn held(kind: HoldKind, strength: f64) -> Vec3 {
        Hold { kind, strength }.position(SPOT, CAPTURED, Some(&level()))
    }

    #[test]
    fn each_kind_holds_its_own_coordinates() {
        assert_eq!(held(HoldKind::Full, 1.0), SPOT);
        assert_eq!(held(HoldKind::Pivot, 1.0), SPOT);
        assert_eq!(held(HoldKind::Height, 1.0), Vec3::new(1.1, 0.0, 2.2));
        assert_eq!(held(HoldKind::Ground, 1.0), Vec3::new(1.0, 0.04, 2.0));
    }

    #[test]
    fn strength_is_the_share_of_the_correction() {
        assert_eq!(held(HoldKind::Full, 0.0), CAPTURED);
        assert!((held(HoldKind::Full, 0.75) - (CAPTURED + (SPOT - CAPTURED) * 0.75)).length() < 1e-15);
        assert!((held(HoldKind::Height, 0.5) - Vec3::new(1.1, 0.02, 2.2)).length() < 1e-15);
    }

    #[test]
    fn a_weak_hold_leaves_no_point_below_the_floor() {
        let below = Vec3::new(1.0, -0.02, 2.0);
        for kind in HoldKind::ALL {
            for strength in [0.0, 0.5, 1.0] {
                let held = Hold { kind, strength }.position(SPOT, below, Some(&level()));
                assert!(held.y >= -1e-15, "{kind:?} {strength}: {held}");
            }
        }
    }

    #[test]
    fn a_tilted_floor_has_its_own_up() {
        let normal = Vec3::new(0.0, 0.8, 0.6);
        let floor = Floor::Plane(Plane { normal, offset: 0.0 });
        let captured = normal * 0.05 + Vec3::X;
        let held =
            Hold { kind: HoldKind::Height, strength: 1.0 }.position(Vec3::ZERO, captured, Some(&floor));
        assert!((held - Vec3::X).length() < 1e-12, "{held}");
    }

    #[test]
    fn names_are_read_back() {
        for kind in HoldKind::ALL {
            assert_eq!(HoldKind::from_name(kind.as_str()), Some(kind));
        }
        assert_eq!(HoldKind::from_name("tight"), None);
    }
}
