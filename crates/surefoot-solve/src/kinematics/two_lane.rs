//! Vectors and quaternions of two legs in the two lanes of a SIMD register.
//!
//! Each lane runs the same operations in the same order as scalar code, so the results are
//! bit-identical.

use core::ops::{Add, Mul};

use surefoot_core::{Quat, Vec3};
use wide::f64x2;

/// A vector of each leg.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vec3x2 {
    x: f64x2,
    y: f64x2,
    z: f64x2,
}

impl Vec3x2 {
    #[inline(always)]
    pub fn new([first, second]: [Vec3; 2]) -> Self {
        let lanes = |first: f64, second: f64| f64x2::new([first, second]);
        Self { x: lanes(first.x, second.x), y: lanes(first.y, second.y), z: lanes(first.z, second.z) }
    }

    /// The two lanes as vectors.
    #[inline(always)]
    pub fn split(self) -> [Vec3; 2] {
        let ([x0, x1], [y0, y1], [z0, z1]) = (self.x.to_array(), self.y.to_array(), self.z.to_array());
        [Vec3::new(x0, y0, z0), Vec3::new(x1, y1, z1)]
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

impl Add for Vec3x2 {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl Mul<f64x2> for Vec3x2 {
    type Output = Self;

    #[inline(always)]
    fn mul(self, by: f64x2) -> Self {
        Self { x: self.x * by, y: self.y * by, z: self.z * by }
    }
}

/// A rotation of each leg.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quatx2 {
    axis: Vec3x2,
    w: f64x2,
}

impl Quatx2 {
    #[inline(always)]
    pub fn new([first, second]: [Quat; 2]) -> Self {
        let axis = |rotation: Quat| Vec3::new(rotation.x, rotation.y, rotation.z);
        Self { axis: Vec3x2::new([axis(first), axis(second)]), w: f64x2::new([first.w, second.w]) }
    }

    /// The two lanes as quaternions.
    #[inline(always)]
    pub fn split(self) -> [Quat; 2] {
        let ([first, second], [w0, w1]) = (self.axis.split(), self.w.to_array());
        [Quat::from_xyzw(first.x, first.y, first.z, w0), Quat::from_xyzw(second.x, second.y, second.z, w1)]
    }

    /// The vectors, rotated by these quaternions of unit length.
    #[inline(always)]
    pub fn rotate(self, vectors: Vec3x2) -> Vec3x2 {
        let across = self.axis.cross(vectors);
        let across = across + across;
        vectors + across * self.w + self.axis.cross(across)
    }
}

impl Mul for Quatx2 {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let (Vec3x2 { x: x0, y: y0, z: z0 }, w0) = (self.axis, self.w);
        let (Vec3x2 { x: x1, y: y1, z: z1 }, w1) = (other.axis, other.w);
        Self {
            axis: Vec3x2 {
                x: w0 * x1 + x0 * w1 + y0 * z1 - z0 * y1,
                y: w0 * y1 - x0 * z1 + y0 * w1 + z0 * x1,
                z: w0 * z1 + x0 * y1 - y0 * x1 + z0 * w1,
            },
            w: w0 * w1 - x0 * x1 - y0 * y1 - z0 * z1,
        }
    }
}
