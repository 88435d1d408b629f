//! The forms in which arrays store rotations: quaternions, matrices, axis–angle vectors and the 6D form.

use surefoot_core::math::{Mat3, Quat, Vec3, atan2, nearest_equivalent_angle, sincos};

/// How an array stores a rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum RotationForm {
    /// A quaternion, the real part first, as in most data sets.
    #[default]
    Wxyz,
    /// A quaternion, the real part last, as in SciPy and game engines.
    Xyzw,
    /// A matrix, row by row.
    Matrix,
    /// The axis times the angle in radians, as in SMPL.
    AxisAngle,
    /// The first column of the matrix, then the second (Zhou et al. 2019).
    SixD,
    /// The first row of the matrix, then the second, as in PyTorch3D.
    SixDRows,
    /// The first two columns of the matrix, row by row.
    SixDInterleaved,
}

use RotationForm::{AxisAngle, Matrix, SixD, SixDInterleaved, SixDRows, Wxyz, Xyzw};

/// All forms with the names by which a user chooses them.
const FORMS: [(&str, RotationForm); 7] = [
    ("wxyz", Wxyz),
    ("xyzw", Xyzw),
    ("matrix", Matrix),
    ("axis-angle", AxisAngle),
    ("6d", SixD),
    ("6d-rows", SixDRows),
    ("6d-interleaved", SixDInterleaved),
];

impl RotationForm {
    /// The form of this name.
    pub fn named(name: &str) -> Option<Self> {
        FORMS.into_iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, form)| form)
    }

    /// The names of all forms.
    pub fn names() -> [&'static str; 7] {
        FORMS.map(|(name, _)| name)
    }

    /// The name of the form.
    pub fn as_str(self) -> &'static str {
        FORMS.into_iter().find(|(_, form)| *form == self).map_or("", |(name, _)| name)
    }

    /// The form that most data sets use for rotations of this many numbers.
    pub fn of_width(width: usize) -> Option<Self> {
        match width {
            3 => Some(AxisAngle),
            4 => Some(Wxyz),
            6 => Some(SixD),
            9 => Some(Matrix),
            _ => None,
        }
    }

    /// The number of numbers of a rotation.
    pub fn width(self) -> usize {
        match self {
            AxisAngle => 3,
            Wxyz | Xyzw => 4,
            SixD | SixDRows | SixDInterleaved => 6,
            Matrix => 9,
        }
    }

    /// The rotation that these numbers stand for. Numbers without a direction, as all zeros, are no rotation.
    pub fn decode(self, n: &[f64]) -> Quat {
        let [a, b, c] = [n[0], n[1], n[2]];
        match self {
            AxisAngle => from_axis_angle(Vec3::new(a, b, c)),
            Wxyz => unit(Quat::from_xyzw(b, c, n[3], a)),
            Xyzw => unit(Quat::from_xyzw(a, b, c, n[3])),
            Matrix => from_columns(Vec3::new(a, n[3], n[6]), Vec3::new(b, n[4], n[7])),
            SixD => from_columns(Vec3::new(a, b, c), Vec3::new(n[3], n[4], n[5])),
            SixDRows => from_columns(Vec3::new(a, b, c), Vec3::new(n[3], n[4], n[5])).conjugate(),
            SixDInterleaved => from_columns(Vec3::new(a, c, n[4]), Vec3::new(b, n[3], n[5])),
        }
    }

    /// The numbers of a rotation. Of several that stand for the same rotation, those nearest to `captured`.
    pub fn encode(self, rotation: Quat, captured: &[f64]) -> Vec<f64> {
        let near = |q: [f64; 4]| {
            let dot: f64 = q.iter().zip(captured).map(|(a, b)| a * b).sum();
            if dot < 0.0 { q.map(|number| -number) } else { q }
        };
        let Quat { x, y, z, w } = rotation;
        let m = Mat3::from_quat(rotation);
        match self {
            AxisAngle => {
                let near = Vec3::new(captured[0], captured[1], captured[2]);
                to_axis_angle(rotation, near).to_array().to_vec()
            }
            Wxyz => near([w, x, y, z]).to_vec(),
            Xyzw => near([x, y, z, w]).to_vec(),
            Matrix => m.transpose().to_cols_array().to_vec(),
            SixD => m.to_cols_array()[..6].to_vec(),
            SixDRows => m.transpose().to_cols_array()[..6].to_vec(),
            SixDInterleaved => {
                let (a, b) = (m.x_axis, m.y_axis);
                vec![a.x, b.x, a.y, b.y, a.z, b.z]
            }
        }
    }
}

/// The order of the quaternions in an array, and whether it is certain. Rotations of joints within their parents are small
/// on average, so that the real part is the larger one.
pub(super) fn quaternion_order(numbers: &[f64]) -> (RotationForm, bool) {
    let sum = |at: usize| numbers.iter().skip(at).step_by(4).map(|number| number.abs()).sum::<f64>();
    let (first, last) = (sum(0), sum(3));
    (if last > first { Xyzw } else { Wxyz }, first.max(last) > 2.0 * first.min(last))
}

fn unit(q: Quat) -> Quat {
    let length = q.length();
    if length > 0.0 && length.is_finite() { q * (1.0 / length) } else { Quat::IDENTITY }
}

/// The rotation whose matrix has these first two columns, after making them orthonormal.
fn from_columns(first: Vec3, second: Vec3) -> Quat {
    let Some(x) = first.try_normalize() else { return Quat::IDENTITY };
    let Some(y) = (second - x * second.dot(x)).try_normalize() else { return Quat::IDENTITY };
    unit(Quat::from_mat3(&Mat3::from_cols(x, y, x.cross(y))))
}

fn from_axis_angle(v: Vec3) -> Quat {
    let angle = v.length();
    // Half the sine of the angle divided by the angle, which tends to 1/2.
    let (sin, cos) = sincos(0.5 * angle);
    let scale = if angle > 1e-9 { sin / angle } else { 0.5 };
    unit(Quat::from_xyzw(v.x * scale, v.y * scale, v.z * scale, cos))
}

/// The axis times the angle, with whole turns added so that it is nearest to `near`.
fn to_axis_angle(q: Quat, near: Vec3) -> Vec3 {
    let (sin, cos) = (Vec3::new(q.x, q.y, q.z), q.w);
    let Some(axis) = sin.try_normalize() else { return Vec3::ZERO };
    axis * nearest_equivalent_angle(2.0 * atan2(sin.length(), cos), near.dot(axis))
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::math::axis_rotation;

    fn rotations() -> Vec<Quat> {
        let turns = [-3.1, -1.2, 0.0, 1e-12, 0.4, 2.9, 3.1];
        let all = turns.iter().flat_map(|&a| turns.iter().map(move |&b| (a, b)));
        all.map(|(a, b)| axis_rotation(0, a) * axis_rotation(1, b) * axis_rotation(2, a - b)).collect()
    }

    #[test]
    fn every_form_holds_every_rotation() {
        for (name, form) in FORMS {
            for rotation in rotations() {
                let numbers = form.encode(rotation, &vec![0.1; form.width()]);
                assert_eq!(numbers.len(), form.width());
                let back = form.decode(&numbers);
                assert!(back.dot(rotation).abs() > 1.0 - 1e-12, "{name}: {rotation} became {back}");
            }
        }
    }

    #[test]
    fn matrices_are_stored_row_by_row() {
        // A quarter turn about Z takes X to Y: the first column is Y.
        let turn = axis_rotation(2, core::f64::consts::FRAC_PI_2);
        let rounded = |form: RotationForm| -> Vec<i32> {
            form.encode(turn, &[0.0; 9]).iter().map(|number| libm_round(*number)).collect()
        };
        assert_eq!(rounded(Matrix), [0, -1, 0, 1, 0, 0, 0, 0, 1]);
        assert_eq!(rounded(SixD), [0, 1, 0, -1, 0, 0]);
        assert_eq!(rounded(SixDRows), [0, -1, 0, 1, 0, 0]);
        assert_eq!(rounded(SixDInterleaved), [0, -1, 1, 0, 0, 0]);
        assert_eq!(rounded(Wxyz), [1, 0, 0, 1]);
    }

    fn libm_round(number: f64) -> i32 {
        (number + 0.5).floor() as i32
    }

    #[test]
    fn an_encoded_rotation_is_on_the_captured_branch() {
        let captured = [0.0, 3.5, 0.0];
        let new = AxisAngle.encode(axis_rotation(1, 3.6), &captured);
        assert!((new[1] - 3.6).abs() < 1e-12);
        let new = Wxyz.encode(axis_rotation(1, 0.2), &[-1.0, 0.0, -0.1, 0.0]);
        assert!(new[0] < -0.9);
    }

    #[test]
    fn the_order_of_quaternions_follows_the_larger_part() {
        assert_eq!(quaternion_order(&[0.9, 0.1, 0.1, 0.3, 0.8, 0.0, 0.2, 0.1]), (Wxyz, true));
        assert_eq!(quaternion_order(&[0.1, 0.1, 0.3, 0.9, 0.0, 0.2, 0.1, 0.8]), (Xyzw, true));
        assert_eq!(quaternion_order(&[0.7, 0.0, 0.0, 0.7]), (Wxyz, false));
    }
}
