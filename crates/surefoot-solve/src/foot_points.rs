//! A value for the heel and one for the front of a foot.

use core::ops::{Index, IndexMut};

use surefoot_core::FootPoint;

/// A value of the heel and one of the ball, indexed by [`FootPoint`]. In frames in which a foot stands on its toe tip,
/// the tip takes the place of the ball.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FootPoints<T> {
    pub heel: T,
    pub ball: T,
}

/// Heel and ball.
pub(crate) const FOOT_POINTS: [FootPoint; 2] = [FootPoint::Heel, FootPoint::Ball];

/// The other point of the same foot.
pub(crate) fn other(point: FootPoint) -> FootPoint {
    match point {
        FootPoint::Heel => FootPoint::Ball,
        FootPoint::Ball | FootPoint::Toe => FootPoint::Heel,
    }
}

impl<T> FootPoints<T> {
    #[inline(always)]
    pub fn map<U>(self, mut map: impl FnMut(T) -> U) -> FootPoints<U> {
        FootPoints { heel: map(self.heel), ball: map(self.ball) }
    }

    #[inline(always)]
    pub fn from_fn(mut value: impl FnMut(FootPoint) -> T) -> Self {
        Self { heel: value(FootPoint::Heel), ball: value(FootPoint::Ball) }
    }
}

impl<T> FootPoints<Option<T>> {
    /// The number of points that have a value.
    pub fn count(&self) -> usize {
        usize::from(self.heel.is_some()) + usize::from(self.ball.is_some())
    }
}

impl FootPoints<f64> {
    /// The smaller of the two values.
    #[inline(always)]
    pub fn min(&self) -> f64 {
        self.heel.min(self.ball)
    }
}

impl<T> Index<FootPoint> for FootPoints<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, point: FootPoint) -> &T {
        match point {
            FootPoint::Heel => &self.heel,
            FootPoint::Ball | FootPoint::Toe => &self.ball,
        }
    }
}

impl<T> IndexMut<FootPoint> for FootPoints<T> {
    #[inline(always)]
    fn index_mut(&mut self, point: FootPoint) -> &mut T {
        match point {
            FootPoint::Heel => &mut self.heel,
            FootPoint::Ball | FootPoint::Toe => &mut self.ball,
        }
    }
}
