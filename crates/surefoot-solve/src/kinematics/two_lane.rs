//! Two legs at once: a number of each, side by side, so that one step does both.
//!
//! Every step is the one that a leg of its own would take, so the numbers are the same to the bit.

use core::ops::{Add, Mul};

use surefoot_core::{Quat, Vec3};
use wide::f64x2;

/// A place or a direction of each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vec3s {
    x: f64x2,
    y: f64x2,
    z: f64x2,
}

impl Vec3s {
    #[inline(always)]
    pub fn new([one, other]: [Vec3; 2]) -> Self {
        let both = |one: f64, other: f64| f64x2::new([one, other]);
        Self { x: both(one.x, other.x), y: both(one.y, other.y), z: both(one.z, other.z) }
    }

    #[inline(always)]
    pub fn apart(self) -> [Vec3; 2] {
        let ([x, x_other], [y, y_other], [z, z_other]) =
            (self.x.to_array(), self.y.to_array(), self.z.to_array());
        [Vec3::new(x, y, z), Vec3::new(x_other, y_other, z_other)]
    }

    #[inline(always)]
    fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - other.y * self.z,
            y: self.z * other.x - other.z * self.x,
            z: self.x * other.y - other.x * self.y,
        }
    }
}

impl Add for Vec3s {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl Mul<f64x2> for Vec3s {
    type Output = Self;

    #[inline(always)]
    fn mul(self, by: f64x2) -> Self {
        Self { x: self.x * by, y: self.y * by, z: self.z * by }
    }
}

/// A turn of each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quats {
    axis: Vec3s,
    w: f64x2,
}

impl Quats {
    #[inline(always)]
    pub fn new([one, other]: [Quat; 2]) -> Self {
        let axis = |turn: Quat| Vec3::new(turn.x, turn.y, turn.z);
        Self { axis: Vec3s::new([axis(one), axis(other)]), w: f64x2::new([one.w, other.w]) }
    }

    #[inline(always)]
    pub fn apart(self) -> [Quat; 2] {
        let ([one, other], [w, w_other]) = (self.axis.apart(), self.w.to_array());
        [Quat::from_xyzw(one.x, one.y, one.z, w), Quat::from_xyzw(other.x, other.y, other.z, w_other)]
    }

    /// What these turns, of unit length, make of vectors.
    #[inline(always)]
    pub fn turned(self, vectors: Vec3s) -> Vec3s {
        let across = self.axis.cross(vectors);
        let across = across + across;
        vectors + across * self.w + self.axis.cross(across)
    }
}

impl Mul for Quats {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let (Vec3s { x: x0, y: y0, z: z0 }, w0) = (self.axis, self.w);
        let (Vec3s { x: x1, y: y1, z: z1 }, w1) = (other.axis, other.w);
        Self {
            axis: Vec3s {
                x: w0 * x1 + x0 * w1 + y0 * z1 - z0 * y1,
                y: w0 * y1 - x0 * z1 + y0 * w1 + z0 * x1,
                z: w0 * z1 + x0 * y1 - y0 * x1 + z0 * w1,
            },
            w: w0 * w1 - x0 * x1 - y0 * y1 - z0 * z1,
        }
    }
}
