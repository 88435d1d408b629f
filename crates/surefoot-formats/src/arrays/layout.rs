//! Recognises what the arrays of a file hold: rotations with a skeleton, or joint positions alone.
//!
//! Arrays are recognised by their shapes and by the names that data sets and libraries give them (`names.rs`). What the shapes leave
//! open, such as the order of the joints, the options state.

use super::array_file::{ArrayFile, ArrayInfo};
use super::body::Body;
use super::error::ArraysError;
use super::joint_orders::JointOrder;
use super::names::{POSITIONS, ROOT, ROTATIONS, SMPL_COMMON, SMPL_JOINTS, SMPL_PARTS, SMPL_POSES, SMPL_ROOT};
use super::npy::ElementType;
use super::rotation_form::{RotationForm, quaternion_order};
use crate::source::{ArrayOptions, ReadOptions};

/// Rotations of consecutive joints in an array.
#[derive(Clone, Debug)]
pub(super) struct RotationArray {
    pub array: usize,
    pub form: RotationForm,
    /// Whether other forms with the same shape are ruled out.
    pub is_certain: bool,
    /// The number of frames.
    pub rows: usize,
    /// The first joint, and the number of joints.
    pub first: usize,
    pub count: usize,
}

/// What the arrays of a file hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub body: Body,
    pub frames: usize,
    /// Rotations; empty for positions alone. Of several arrays with the same joint the first is read, and all are
    /// written.
    pub rotations: Vec<RotationArray>,
    /// Joints of the rotations that the body uses.
    pub used: usize,
    /// The root's position, one row per frame.
    pub root: Option<usize>,
    /// Whether the root's position is counted from its position at rest.
    pub root_from_rest: bool,
    /// Positions of all joints: in the world, or within their parents. Decided once the poses are known.
    pub positions: Option<usize>,
    /// The joint order that was recognised or named.
    pub order: Option<&'static JointOrder>,
    /// Arrays of joint positions, of which one was read.
    pub candidates: Vec<usize>,
    pub notes: Vec<String>,
}

impl Layout {
    /// Recognises the arrays of a file.
    pub fn of(file: &ArrayFile, bytes: &[u8], options: &ReadOptions) -> Result<Self, ArraysError> {
        let search = Search::new(file, bytes, options)?;
        if let Some(body) = &search.body
            && options.animation.is_none()
            && search.order.is_none()
        {
            let rotations = search.rotations(body.stored())?;
            if !rotations.is_empty() {
                return search.with_rotations(rotations);
            }
        }
        search.with_positions(options.animation)
    }
}

struct Search<'a> {
    file: &'a ArrayFile,
    bytes: &'a [u8],
    /// The skeleton of a file beside the arrays, or else of other arrays.
    body: Option<Body>,
    order: Option<&'static JointOrder>,
    form: Option<RotationForm>,
}

impl<'a> Search<'a> {
    fn new(file: &'a ArrayFile, bytes: &'a [u8], options: &ReadOptions) -> Result<Self, ArraysError> {
        let none = ArrayOptions::default();
        let ArrayOptions { skeleton, joints, rotations } = options.arrays.unwrap_or(&none);
        let unknown = |what: &str, name: &str, known: &[&str]| {
            ArraysError(format!("no {what} is called {name:?}, expected one of {}", known.join(", ")))
        };
        let order = joints.as_ref().map(|name| {
            JointOrder::named(name).ok_or_else(|| unknown("joint order", name, &JointOrder::names()))
        });
        let form = rotations.as_ref().map(|name| {
            RotationForm::named(name)
                .ok_or_else(|| unknown("form of rotations", name, &RotationForm::names()))
        });
        let body = match skeleton {
            Some(skeleton) => Some(Body::of_file(skeleton)?),
            None => Body::of_arrays(file, bytes)?,
        };
        Ok(Self { file, bytes, body, order: order.transpose()?, form: form.transpose()? })
    }

    /// The arrays that hold the rotations of a body with this many joints.
    fn rotations(&self, joints: usize) -> Result<Vec<RotationArray>, ArraysError> {
        let whole = self.file.find(ROTATIONS, |array| self.rotation_shape(array, joints).is_some());
        let mut found = Vec::new();
        if let Some(array) = whole {
            let (rows, count, form) =
                self.rotation_shape(&self.file.arrays[array], joints).unwrap_or_default();
            let (form, is_certain) = match form {
                _ if self.form.is_some() => (form, true),
                RotationForm::Wxyz => quaternion_order(&self.file.numbers(self.bytes, array)?),
                form => (form, form != RotationForm::SixD),
            };
            found.push(RotationArray { array, form, is_certain, rows, first: 0, count });
        }
        let has_face = self.file.find(&["posejaw"], |_| true).is_some();
        for (name, first) in SMPL_PARTS {
            let is_part = |array: &ArrayInfo| array.header.is_float() && part_shape(array).is_some();
            let Some(array) = self.file.find(&[name], is_part) else { continue };
            let (rows, count) = part_shape(&self.file.arrays[array]).unwrap_or_default();
            let first = if has_face && *name == "posehand" { first + 3 } else { *first };
            found.push(RotationArray {
                array,
                form: RotationForm::AxisAngle,
                is_certain: true,
                rows,
                first,
                count,
            });
        }
        Ok(found)
    }

    /// Frames, joints and form of an array of rotations; `None` for arrays of other shapes.
    fn rotation_shape(&self, array: &ArrayInfo, joints: usize) -> Option<(usize, usize, RotationForm)> {
        if !array.header.is_float() {
            return None;
        }
        let (frames, (count, width)) = match (array.shape_of(4), array.shape_of(3), array.shape_of(2)) {
            (&[frames, count, 3, 3], ..) => (frames, (count, 9)),
            (_, &[frames, count, width @ (3 | 4 | 6 | 9)], _) => (frames, (count, width)),
            (.., &[frames, row]) => (frames, self.row_shape(array, row, joints)?),
            _ => return None,
        };
        let form = self.form.filter(|form| form.width() == width).or(RotationForm::of_width(width))?;
        if self.form.is_some_and(|form| form.width() != width) { None } else { Some((frames, count, form)) }
    }

    /// Joints and numbers per joint of an array with one row of numbers per frame.
    fn row_shape(&self, array: &ArrayInfo, row: usize, joints: usize) -> Option<(usize, usize)> {
        if SMPL_POSES.contains(&array.plain_name().as_str()) && row.is_multiple_of(3) && self.form.is_none() {
            return Some((row / 3, 3));
        }
        let width =
            row.checked_div(joints).filter(|width| width * joints == row && [3, 4, 6, 9].contains(width))?;
        Some((joints, width))
    }

    fn with_rotations(self, rotations: Vec<RotationArray>) -> Result<Layout, ArraysError> {
        let body = self.body.clone().unwrap_or_default();
        let stored = body.stored();
        let count = rotations.iter().map(|one| one.first + one.count).max().unwrap_or(0);
        let are_smpl = SMPL_JOINTS.contains(&count) && stored >= SMPL_COMMON;
        let used = match count == stored {
            true => stored,
            false if are_smpl => SMPL_COMMON,
            false => {
                let array = &self.file.arrays[rotations[0].array].name;
                let text =
                    format!("found rotations of {count} joints, expected {stored}, as the skeleton has");
                return Err(ArraysError(text).in_array(array));
            }
        };
        let frames = rotations[0].rows;
        let root = self.file.find(ROOT, |array| array.header.is_float() && root_rows(array).is_some());
        let has_joints =
            |array: &ArrayInfo| array.header.is_float() && *array.shape_of(3) == [frames, stored, 3];
        let is_read = |array: usize| rotations.iter().any(|one| one.array == array);
        let positions = self.file.find(POSITIONS, has_joints).filter(|&array| !is_read(array));
        if !body.has_lengths && positions.is_none() {
            let text = "the arrays state parents but no offsets, expected an array \"offsets\" (joints, 3)";
            return Err(ArraysError(text.into()));
        }
        let root_rows = root.map(|root| (root, root_rows(&self.file.arrays[root]).unwrap_or(0)));
        for (array, found) in rotations.iter().map(|one| (one.array, one.rows)).chain(root_rows) {
            if found != frames {
                let text = format!("found {found} rows, expected {frames}, one for each frame");
                return Err(ArraysError(text).in_array(&self.file.arrays[array].name));
            }
        }
        let mut notes = Vec::new();
        if let RotationArray { array, form, is_certain: false, .. } = &rotations[0] {
            let (name, form) = (&self.file.arrays[*array].name, form.as_str());
            notes.push(format!(
                "the rotations in {name:?} are read as {form}; if that is wrong, name the form as `rotations`"
            ));
        }
        let root_from_rest =
            root.is_some_and(|root| SMPL_ROOT.contains(&self.file.arrays[root].plain_name().as_str()));
        Ok(Layout {
            body,
            frames,
            rotations,
            used,
            root,
            root_from_rest,
            positions,
            notes,
            ..Layout::default()
        })
    }

    fn with_positions(self, wanted: Option<&str>) -> Result<Layout, ArraysError> {
        let candidates = self.position_arrays();
        let named = |name: &str| candidates.iter().copied().find(|&at| self.file.arrays[at].name == name);
        let array = match wanted {
            Some(name) => named(name).ok_or_else(|| {
                let names = candidates.iter().map(|&at| format!("{:?}", self.file.arrays[at].name));
                let names = names.collect::<Vec<_>>().join(", ");
                let names = if names.is_empty() { "a file with joint positions".into() } else { names };
                ArraysError(format!("no array of joint positions is called {name:?}, expected {names}"))
            })?,
            None => *candidates.first().ok_or_else(|| self.nothing_found())?,
        };
        let info = &self.file.arrays[array];
        let (frames, joints) = self.position_shape(info).unwrap_or_default();
        let numbers = self.file.numbers(self.bytes, array)?;
        let (body, order) = match (&self.body, self.order) {
            (Some(body), None) if body.stored() == joints => (body.clone(), None),
            (Some(body), None) => {
                let expected = body.stored();
                let text = format!("found {joints} joints, expected {expected}, as the skeleton has");
                return Err(ArraysError(text).in_array(&info.name));
            }
            (_, Some(order)) => (Body::of_order(order), Some(order)),
            (None, None) => {
                let order =
                    JointOrder::of_positions(joints, &numbers).ok_or_else(|| unknown_order(info, joints))?;
                (Body::of_order(order), Some(order))
            }
        };
        let mut notes = Vec::new();
        if let (Some(order), None) = (order, self.order) {
            let (name, used_by) = (order.name, order.used_by);
            notes.push(format!(
                "the joints are read in the order {name} of {used_by}; if that is wrong, name the order as `joints`"
            ));
        }
        if let Some(rotations) =
            self.file.find(ROTATIONS, |other| other.header.is_float() && other.name != info.name)
        {
            let name = &self.file.arrays[rotations].name;
            notes.push(format!(
                "the array {name:?} may hold rotations, which stay as they are; with a `skeleton` they are read instead"
            ));
        }
        let positions = Some(array);
        Ok(Layout { body, frames, positions, order, candidates, notes, ..Layout::default() })
    }

    /// All arrays of joint positions, those with usual names first.
    fn position_arrays(&self) -> Vec<usize> {
        let place = |array: &ArrayInfo| {
            let name = array.plain_name();
            POSITIONS.iter().position(|known| *known == name).unwrap_or(POSITIONS.len())
        };
        let is_candidate = |&at: &usize| self.position_shape(&self.file.arrays[at]).is_some();
        let mut found: Vec<usize> = (0..self.file.arrays.len()).filter(is_candidate).collect();
        found.sort_by_key(|&at| place(&self.file.arrays[at]));
        found
    }

    /// Frames and joints of an array of positions; `None` for arrays of other shapes.
    fn position_shape(&self, array: &ArrayInfo) -> Option<(usize, usize)> {
        let shape = match (array.shape_of(3), array.shape_of(2)) {
            (&[frames, joints, 3], _) if joints > 1 => Some((frames, joints)),
            (_, &[frames, row]) => {
                self.order.filter(|order| 3 * order.joints == row).map(|order| (frames, order.joints))
            }
            _ => None,
        };
        shape.filter(|&(_, joints)| {
            let expected = self.order.map_or(joints, |order| order.joints);
            array.header.is_float() && joints == expected
        })
    }

    fn nothing_found(&self) -> ArraysError {
        let arrays = self.file.describe();
        let has = |is: &dyn Fn(&ArrayInfo) -> bool| self.file.arrays.iter().any(is);
        let is_object = |array: &ArrayInfo| array.header.element == ElementType::Other("|O".into());
        let is_features = |array: &ArrayInfo| matches!(array.shape_of(2), [_, 263 | 251]);
        let has_poses = self.file.find(SMPL_POSES, |array| array.header.is_float()).is_some()
            || self.file.find(ROTATIONS, |array| array.header.is_float()).is_some();
        if let (Some(form), true) = (self.form, has_poses) {
            let (name, width) = (form.as_str(), form.width());
            return ArraysError(format!(
                "found {arrays}; expected rotations of the form {name}, {width} numbers each"
            ));
        }
        let expected = if has(&is_features) {
            "joint positions: these are features of HumanML3D or KIT-ML, whose positions are in new_joints"
        } else if has_poses && self.body.is_none() {
            "the bones that the rotations belong to: a `skeleton`, which is a motion file or a JSON or npz file with offsets \
             and parents"
        } else if has(&is_object) {
            "joint positions or rotations: pickled Python objects are programs and are not read"
        } else {
            "joint positions (frames, joints, 3), or rotations with offsets and parents"
        };
        ArraysError(format!("found {arrays}; expected {expected}"))
    }
}

/// Frames and joints of a part of an SMPL pose.
fn part_shape(array: &ArrayInfo) -> Option<(usize, usize)> {
    match *array.shape_of(2) {
        [frames, row] if row.is_multiple_of(3) && row > 0 => Some((frames, row / 3)),
        [frames, joints, 3] => Some((frames, joints)),
        _ => None,
    }
}

/// The rows of an array of the root's positions; `None` for arrays of other shapes.
fn root_rows(array: &ArrayInfo) -> Option<usize> {
    match *array.shape_of(2) {
        [frames, 3] | [frames, 1, 3] => Some(frames),
        _ => None,
    }
}

fn unknown_order(array: &ArrayInfo, joints: usize) -> ArraysError {
    let names = JointOrder::names().join(", ");
    let text = format!(
        "found {joints} joints, expected an array \"parents\", a `skeleton`, or the joints of one of {names}"
    );
    ArraysError(text).in_array(&array.name)
}
