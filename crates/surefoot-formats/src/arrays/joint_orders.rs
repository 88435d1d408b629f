//! The joint orders of data sets: names, parents and the directions of bones at rest.
//!
//! Each order lists the joints as the arrays store them. A rest pose stands upright with its arms to the sides, left is
//! +X, up +Y and ahead +Z, so that a converted motion has a T-pose at rest.

use surefoot_core::{JointId, Vec3};

/// A joint of an order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OrderJoint {
    pub name: String,
    /// The parent, as an index into the same list.
    pub parent: Option<JointId>,
    /// The direction from the parent at rest.
    pub direction: Vec3,
    /// Where its position is found.
    pub place: Place,
}

/// Where the position of a joint is found in a row of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// At this joint of the array.
    Stored(usize),
    /// In the middle between two joints of the array, for an order without a pelvis or a neck.
    Middle(usize, usize),
}

/// A joint order of a data set.
#[derive(Debug)]
pub(super) struct JointOrder {
    /// The name by which a user chooses the order.
    pub name: &'static str,
    /// What uses the order.
    pub used_by: &'static str,
    /// Joints of the array.
    pub joints: usize,
    /// One row per joint, parents first: name, place in the array, parent, direction.
    rows: &'static [Row],
}

/// The name of a joint, its place, the name of its parent and its direction at rest.
type Row = (&'static str, Place, &'static str, Direction);

/// The direction of a bone at rest.
#[derive(Clone, Copy, Debug)]
enum Direction {
    Left,
    Right,
    Up,
    Down,
    Ahead,
    /// Left or right and up, as collar bones.
    UpLeft,
    UpRight,
    /// Down and behind, as a heel.
    Heel,
}

use Direction::{Ahead, Down, Heel, Left, Right, Up, UpLeft, UpRight};
use Place::{Middle, Stored};

impl Direction {
    fn vector(self) -> Vec3 {
        let v = match self {
            Left => Vec3::X,
            Right => Vec3::NEG_X,
            Up => Vec3::Y,
            Down => Vec3::NEG_Y,
            Ahead => Vec3::Z,
            UpLeft => Vec3::new(1.0, 1.0, 0.0),
            UpRight => Vec3::new(-1.0, 1.0, 0.0),
            Heel => Vec3::new(0.0, -1.0, -0.5),
        };
        v.normalize()
    }
}

impl JointOrder {
    /// The joints, parents first.
    pub fn joints(&self) -> Vec<OrderJoint> {
        let rows = self.rows.iter().filter(|(_, place, ..)| match place {
            Stored(at) => *at < self.joints,
            Middle(..) => true,
        });
        let mut joints: Vec<OrderJoint> = Vec::new();
        for &(name, place, parent, direction) in rows {
            let parent = joints.iter().position(|joint| joint.name == parent).map(|at| JointId(at as u32));
            joints.push(OrderJoint { name: name.into(), parent, direction: direction.vector(), place });
        }
        joints
    }

    /// The order of the data set with this many joints. Human3.6M and COCO both have 17: Human3.6M begins with the pelvis.
    /// `numbers` are the positions of the joints.
    pub fn of_positions(joints: usize, numbers: &[f64]) -> Option<&'static Self> {
        let mut orders = ORDERS.iter().filter(|order| order.joints == joints);
        let first = orders.next()?;
        match orders.next() {
            Some(second) if !starts_with_pelvis(numbers) => Some(second),
            _ => Some(first),
        }
    }

    /// The order of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        let plain = super::array_file::plain(name);
        ORDERS.iter().find(|order| super::array_file::plain(order.name) == plain)
    }

    /// The names of all orders.
    pub fn names() -> Vec<&'static str> {
        ORDERS.iter().map(|order| order.name).collect()
    }
}

/// Whether joint 0 lies between joints 1 and 4 in the first frame, as the pelvis of Human3.6M between the hips. In the order
/// of COCO these are a nose, an eye and an ear.
fn starts_with_pelvis(numbers: &[f64]) -> bool {
    let positions: Vec<Vec3> = numbers.chunks_exact(3).take(5).map(Vec3::from_slice).collect();
    let [pelvis, right, .., left] = positions.as_slice() else { return false };
    pelvis.distance(0.5 * (*right + *left)) < 0.1 * right.distance(*left)
}

/// All joint orders. Of two with the same number of joints the first is taken unless the positions say otherwise.
pub(super) const ORDERS: &[JointOrder] = &[
    JointOrder { name: "smpl-22", used_by: "HumanML3D and SMPL without hands", joints: 22, rows: SMPL },
    JointOrder { name: "smpl-24", used_by: "SMPL", joints: 24, rows: SMPL },
    JointOrder { name: "smplh-52", used_by: "SMPL-H and AMASS", joints: 52, rows: SMPL_H },
    JointOrder { name: "smplx-55", used_by: "SMPL-X", joints: 55, rows: SMPL_X },
    JointOrder { name: "kit-21", used_by: "KIT-ML", joints: 21, rows: KIT },
    JointOrder { name: "h36m-17", used_by: "Human3.6M", joints: 17, rows: H36M },
    JointOrder { name: "coco-17", used_by: "COCO", joints: 17, rows: COCO },
    JointOrder { name: "body-25", used_by: "OpenPose", joints: 25, rows: BODY_25 },
    JointOrder { name: "mediapipe-33", used_by: "MediaPipe", joints: 33, rows: MEDIAPIPE },
];

const SMPL: &[Row] = &[
    ("pelvis", Stored(0), "", Up),
    ("left_hip", Stored(1), "pelvis", Left),
    ("right_hip", Stored(2), "pelvis", Right),
    ("spine1", Stored(3), "pelvis", Up),
    ("left_knee", Stored(4), "left_hip", Down),
    ("right_knee", Stored(5), "right_hip", Down),
    ("spine2", Stored(6), "spine1", Up),
    ("left_ankle", Stored(7), "left_knee", Down),
    ("right_ankle", Stored(8), "right_knee", Down),
    ("spine3", Stored(9), "spine2", Up),
    ("left_foot", Stored(10), "left_ankle", Ahead),
    ("right_foot", Stored(11), "right_ankle", Ahead),
    ("neck", Stored(12), "spine3", Up),
    ("left_collar", Stored(13), "spine3", UpLeft),
    ("right_collar", Stored(14), "spine3", UpRight),
    ("head", Stored(15), "neck", Up),
    ("left_shoulder", Stored(16), "left_collar", Left),
    ("right_shoulder", Stored(17), "right_collar", Right),
    ("left_elbow", Stored(18), "left_shoulder", Left),
    ("right_elbow", Stored(19), "right_shoulder", Right),
    ("left_wrist", Stored(20), "left_elbow", Left),
    ("right_wrist", Stored(21), "right_elbow", Right),
    ("left_hand", Stored(22), "left_wrist", Left),
    ("right_hand", Stored(23), "right_wrist", Right),
];

/// The joints of SMPL without hands, and those of fingers from `left` and `right` on.
macro_rules! with_fingers {
    ($left:expr, $right:expr, $($between:expr),*) => {
        &[
            SMPL[0], SMPL[1], SMPL[2], SMPL[3], SMPL[4], SMPL[5], SMPL[6], SMPL[7], SMPL[8], SMPL[9], SMPL[10],
            SMPL[11], SMPL[12], SMPL[13], SMPL[14], SMPL[15], SMPL[16], SMPL[17], SMPL[18], SMPL[19], SMPL[20],
            SMPL[21],
            $($between,)*
            ("left_index1", Stored($left), "left_wrist", Left),
            ("left_index2", Stored($left + 1), "left_index1", Left),
            ("left_index3", Stored($left + 2), "left_index2", Left),
            ("left_middle1", Stored($left + 3), "left_wrist", Left),
            ("left_middle2", Stored($left + 4), "left_middle1", Left),
            ("left_middle3", Stored($left + 5), "left_middle2", Left),
            ("left_pinky1", Stored($left + 6), "left_wrist", Left),
            ("left_pinky2", Stored($left + 7), "left_pinky1", Left),
            ("left_pinky3", Stored($left + 8), "left_pinky2", Left),
            ("left_ring1", Stored($left + 9), "left_wrist", Left),
            ("left_ring2", Stored($left + 10), "left_ring1", Left),
            ("left_ring3", Stored($left + 11), "left_ring2", Left),
            ("left_thumb1", Stored($left + 12), "left_wrist", Ahead),
            ("left_thumb2", Stored($left + 13), "left_thumb1", Ahead),
            ("left_thumb3", Stored($left + 14), "left_thumb2", Ahead),
            ("right_index1", Stored($right), "right_wrist", Right),
            ("right_index2", Stored($right + 1), "right_index1", Right),
            ("right_index3", Stored($right + 2), "right_index2", Right),
            ("right_middle1", Stored($right + 3), "right_wrist", Right),
            ("right_middle2", Stored($right + 4), "right_middle1", Right),
            ("right_middle3", Stored($right + 5), "right_middle2", Right),
            ("right_pinky1", Stored($right + 6), "right_wrist", Right),
            ("right_pinky2", Stored($right + 7), "right_pinky1", Right),
            ("right_pinky3", Stored($right + 8), "right_pinky2", Right),
            ("right_ring1", Stored($right + 9), "right_wrist", Right),
            ("right_ring2", Stored($right + 10), "right_ring1", Right),
            ("right_ring3", Stored($right + 11), "right_ring2", Right),
            ("right_thumb1", Stored($right + 12), "right_wrist", Ahead),
            ("right_thumb2", Stored($right + 13), "right_thumb1", Ahead),
            ("right_thumb3", Stored($right + 14), "right_thumb2", Ahead),
        ]
    };
}

const SMPL_H: &[Row] = with_fingers!(22, 37,);

const SMPL_X: &[Row] = with_fingers!(
    25,
    40,
    ("jaw", Stored(22), "head", Ahead),
    ("left_eye", Stored(23), "head", Ahead),
    ("right_eye", Stored(24), "head", Ahead)
);

const KIT: &[Row] = &[
    ("root", Stored(0), "", Up),
    ("spine", Stored(1), "root", Up),
    ("thorax", Stored(2), "spine", Up),
    ("neck", Stored(3), "thorax", Up),
    ("head", Stored(4), "neck", Up),
    ("left_shoulder", Stored(5), "neck", Left),
    ("left_elbow", Stored(6), "left_shoulder", Left),
    ("left_wrist", Stored(7), "left_elbow", Left),
    ("right_shoulder", Stored(8), "neck", Right),
    ("right_elbow", Stored(9), "right_shoulder", Right),
    ("right_wrist", Stored(10), "right_elbow", Right),
    ("left_hip", Stored(11), "root", Left),
    ("left_knee", Stored(12), "left_hip", Down),
    ("left_ankle", Stored(13), "left_knee", Down),
    ("left_midfoot", Stored(14), "left_ankle", Ahead),
    ("left_toes_end", Stored(15), "left_midfoot", Ahead),
    ("right_hip", Stored(16), "root", Right),
    ("right_knee", Stored(17), "right_hip", Down),
    ("right_ankle", Stored(18), "right_knee", Down),
    ("right_midfoot", Stored(19), "right_ankle", Ahead),
    ("right_toes_end", Stored(20), "right_midfoot", Ahead),
];

const H36M: &[Row] = &[
    ("pelvis", Stored(0), "", Up),
    ("right_hip", Stored(1), "pelvis", Right),
    ("right_knee", Stored(2), "right_hip", Down),
    ("right_ankle", Stored(3), "right_knee", Down),
    ("left_hip", Stored(4), "pelvis", Left),
    ("left_knee", Stored(5), "left_hip", Down),
    ("left_ankle", Stored(6), "left_knee", Down),
    ("spine", Stored(7), "pelvis", Up),
    ("thorax", Stored(8), "spine", Up),
    ("neck", Stored(9), "thorax", Up),
    ("head", Stored(10), "neck", Up),
    ("left_shoulder", Stored(11), "thorax", Left),
    ("left_elbow", Stored(12), "left_shoulder", Left),
    ("left_wrist", Stored(13), "left_elbow", Left),
    ("right_shoulder", Stored(14), "thorax", Right),
    ("right_elbow", Stored(15), "right_shoulder", Right),
    ("right_wrist", Stored(16), "right_elbow", Right),
];

const COCO: &[Row] = &[
    ("pelvis", Middle(11, 12), "", Up),
    ("neck", Middle(5, 6), "pelvis", Up),
    ("nose", Stored(0), "neck", Up),
    ("left_eye", Stored(1), "nose", UpLeft),
    ("right_eye", Stored(2), "nose", UpRight),
    ("left_ear", Stored(3), "left_eye", Left),
    ("right_ear", Stored(4), "right_eye", Right),
    ("left_shoulder", Stored(5), "neck", Left),
    ("right_shoulder", Stored(6), "neck", Right),
    ("left_elbow", Stored(7), "left_shoulder", Left),
    ("right_elbow", Stored(8), "right_shoulder", Right),
    ("left_wrist", Stored(9), "left_elbow", Left),
    ("right_wrist", Stored(10), "right_elbow", Right),
    ("left_hip", Stored(11), "pelvis", Left),
    ("right_hip", Stored(12), "pelvis", Right),
    ("left_knee", Stored(13), "left_hip", Down),
    ("right_knee", Stored(14), "right_hip", Down),
    ("left_ankle", Stored(15), "left_knee", Down),
    ("right_ankle", Stored(16), "right_knee", Down),
];

const BODY_25: &[Row] = &[
    ("pelvis", Stored(8), "", Up),
    ("neck", Stored(1), "pelvis", Up),
    ("nose", Stored(0), "neck", Up),
    ("right_eye", Stored(15), "nose", UpRight),
    ("left_eye", Stored(16), "nose", UpLeft),
    ("right_ear", Stored(17), "right_eye", Right),
    ("left_ear", Stored(18), "left_eye", Left),
    ("right_shoulder", Stored(2), "neck", Right),
    ("right_elbow", Stored(3), "right_shoulder", Right),
    ("right_wrist", Stored(4), "right_elbow", Right),
    ("left_shoulder", Stored(5), "neck", Left),
    ("left_elbow", Stored(6), "left_shoulder", Left),
    ("left_wrist", Stored(7), "left_elbow", Left),
    ("right_hip", Stored(9), "pelvis", Right),
    ("right_knee", Stored(10), "right_hip", Down),
    ("right_ankle", Stored(11), "right_knee", Down),
    ("left_hip", Stored(12), "pelvis", Left),
    ("left_knee", Stored(13), "left_hip", Down),
    ("left_ankle", Stored(14), "left_knee", Down),
    ("left_big_toe", Stored(19), "left_ankle", Ahead),
    ("left_small_toe", Stored(20), "left_ankle", Ahead),
    ("left_heel", Stored(21), "left_ankle", Heel),
    ("right_big_toe", Stored(22), "right_ankle", Ahead),
    ("right_small_toe", Stored(23), "right_ankle", Ahead),
    ("right_heel", Stored(24), "right_ankle", Heel),
];

const MEDIAPIPE: &[Row] = &[
    ("pelvis", Middle(23, 24), "", Up),
    ("neck", Middle(11, 12), "pelvis", Up),
    ("nose", Stored(0), "neck", Up),
    ("left_eye_inner", Stored(1), "nose", UpLeft),
    ("left_eye", Stored(2), "left_eye_inner", Left),
    ("left_eye_outer", Stored(3), "left_eye", Left),
    ("right_eye_inner", Stored(4), "nose", UpRight),
    ("right_eye", Stored(5), "right_eye_inner", Right),
    ("right_eye_outer", Stored(6), "right_eye", Right),
    ("left_ear", Stored(7), "left_eye_outer", Left),
    ("right_ear", Stored(8), "right_eye_outer", Right),
    ("mouth_left", Stored(9), "nose", Left),
    ("mouth_right", Stored(10), "nose", Right),
    ("left_shoulder", Stored(11), "neck", Left),
    ("right_shoulder", Stored(12), "neck", Right),
    ("left_elbow", Stored(13), "left_shoulder", Left),
    ("right_elbow", Stored(14), "right_shoulder", Right),
    ("left_wrist", Stored(15), "left_elbow", Left),
    ("right_wrist", Stored(16), "right_elbow", Right),
    ("left_hand_pinky", Stored(17), "left_wrist", Left),
    ("right_hand_pinky", Stored(18), "right_wrist", Right),
    ("left_hand_index", Stored(19), "left_wrist", Left),
    ("right_hand_index", Stored(20), "right_wrist", Right),
    ("left_hand_thumb", Stored(21), "left_wrist", Ahead),
    ("right_hand_thumb", Stored(22), "right_wrist", Ahead),
    ("left_hip", Stored(23), "pelvis", Left),
    ("right_hip", Stored(24), "pelvis", Right),
    ("left_knee", Stored(25), "left_hip", Down),
    ("right_knee", Stored(26), "right_hip", Down),
    ("left_ankle", Stored(27), "left_knee", Down),
    ("right_ankle", Stored(28), "right_knee", Down),
    ("left_heel", Stored(29), "left_ankle", Heel),
    ("right_heel", Stored(30), "right_ankle", Heel),
    ("left_toe", Stored(31), "left_ankle", Ahead),
    ("right_toe", Stored(32), "right_ankle", Ahead),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_joint_of_an_order_is_there_once_and_follows_its_parent() {
        for order in ORDERS {
            let joints = order.joints();
            let mut stored: Vec<usize> = (joints.iter())
                .filter_map(|joint| match joint.place {
                    Stored(at) => Some(at),
                    Middle(..) => None,
                })
                .collect();
            stored.sort_unstable();
            assert_eq!(stored, (0..order.joints).collect::<Vec<_>>(), "{}", order.name);
            assert_eq!(joints.iter().filter(|joint| joint.parent.is_none()).count(), 1, "{}", order.name);
            assert!(joints[0].parent.is_none(), "{}", order.name);
        }
    }

    #[test]
    fn orders_are_found_by_name_in_any_spelling() {
        assert_eq!(JointOrder::named("SMPL_22").unwrap().joints, 22);
        assert_eq!(JointOrder::named("h36m17").unwrap().name, "h36m-17");
        assert!(JointOrder::named("smpl").is_none());
    }
}
