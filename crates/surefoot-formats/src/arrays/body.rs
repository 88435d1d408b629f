//! The skeleton of arrays: joint names, parents and offsets, from arrays of the same file, from a file beside it, or from
//! the joint order of a data set.

use serde_json::Value;
use surefoot_core::{Joint, JointId, Skeleton, Vec3};
use surefoot_infer::{Overrides, infer};

use super::array_file::{ArrayFile, plain};
use super::error::ArraysError;
use super::joint_orders::{JointOrder, OrderJoint, Place};
use super::npy::ElementType;
use crate::json::{too_long, without_bom};
use crate::source::{Format, ReadOptions, SourceFile};

/// Names of arrays with one parent per joint.
pub(super) const PARENTS: &[&str] = &[
    "parents",
    "parent",
    "jointparents",
    "boneparents",
    "parentindices",
    "parentids",
    "kintreetable",
    "kintree",
];
const OFFSETS: &[&str] = &["offsets", "offset", "jointoffsets", "boneoffsets", "restoffsets", "localoffsets"];
/// Names of arrays with the position of each joint in the rest pose.
const REST_POSITIONS: &[&str] =
    &["j", "restjoints", "jointsrest", "restpositions", "restpose", "tpose", "jtemplate"];
const NAMES: &[&str] = &["names", "jointnames", "bonenames", "joints", "bones", "labels"];

/// A skeleton and where its joints are found in arrays.
#[derive(Clone, Debug, Default)]
pub(super) struct Body {
    /// The joints, parents first. Offsets are in the unit of the arrays; zero where only directions are known.
    pub joints: Vec<BodyJoint>,
    /// Whether the offsets are lengths. If not, they are directions of length 1, or zero.
    pub has_lengths: bool,
}

/// A joint of a body.
#[derive(Clone, Debug)]
pub(super) struct BodyJoint {
    pub name: String,
    pub parent: Option<JointId>,
    pub offset: Vec3,
    pub place: Place,
}

impl Body {
    /// The joints of a data set, with directions but without lengths.
    pub fn of_order(order: &JointOrder) -> Self {
        let joint = |OrderJoint { name, parent, direction, place }| BodyJoint {
            name,
            parent,
            offset: if parent.is_some() { direction } else { Vec3::ZERO },
            place,
        };
        Self { joints: order.joints().into_iter().map(joint).collect(), has_lengths: false }
    }

    /// The skeleton that arrays of a file state; `None` if they state no parents.
    pub fn of_arrays(file: &ArrayFile, bytes: &[u8]) -> Result<Option<Self>, ArraysError> {
        let Some(parents) = file.find(PARENTS, |array| array.header.is_number()) else { return Ok(None) };
        let mut numbers = file.numbers(bytes, parents)?;
        if let [2, joints] = *file.arrays[parents].header.shape {
            // The kinematic tree of SMPL: parents in the first row, joints in the second.
            numbers.truncate(joints);
        }
        let count = numbers.len();
        let has_vectors = |shape: &[usize]| *shape == [count, 3];
        let vectors = |names: &[&str]| {
            let array = file.find(names, |array| array.header.is_number() && has_vectors(array.shape_of(2)));
            array.map(|array| file.numbers(bytes, array)).transpose()
        };
        let is_text = |kind: &ElementType| matches!(kind, ElementType::Unicode | ElementType::Ascii);
        let names =
            file.find(NAMES, |array| is_text(&array.header.element) && array.header.len() == Some(count));
        let names = match names {
            Some(array) => file.arrays[array].header.words(&file.npy(bytes, array)?),
            None => Vec::new(),
        };
        let (offsets, rest) = (vectors(OFFSETS)?, vectors(REST_POSITIONS)?);
        let stated = Stated { names, parents: numbers, offsets, rest };
        stated.body().map(Some).map_err(|error| error.in_array(&file.arrays[parents].name))
    }

    /// The skeleton of a file beside the arrays: a motion file, or a JSON text or arrays with parents and offsets.
    pub fn of_file(bytes: &[u8]) -> Result<Self, ArraysError> {
        let wrong = |text: String| ArraysError(format!("the skeleton file: {text}"));
        let without_lengths = || wrong("found no parents and offsets of joints, expected both".into());
        let is_json = without_bom(bytes).trim_ascii_start().starts_with(b"{");
        let format = Format::of(bytes);
        let body = match format {
            Format::Arrays => {
                let file = ArrayFile::read(bytes).map_err(|error| wrong(error.0))?;
                Self::of_arrays(&file, bytes).map_err(|error| wrong(error.0))?.ok_or_else(without_lengths)?
            }
            Format::Bvh if is_json => json_body(bytes).map_err(|error| wrong(error.0))?,
            Format::AcclaimMotion => {
                return Err(wrong("an Acclaim motion has its skeleton in another file".into()));
            }
            _ => {
                let source = SourceFile::read(bytes.to_vec(), &ReadOptions::default());
                motion_body(&source.map_err(|error| wrong(error.to_string()))?)
            }
        };
        if body.has_lengths { Ok(body) } else { Err(without_lengths()) }
    }

    /// The joints that an array must have for this body.
    pub fn stored(&self) -> usize {
        let last = |joint: &BodyJoint| match joint.place {
            Place::Stored(at) => at + 1,
            Place::Middle(a, b) => a.max(b) + 1,
        };
        self.joints.iter().map(last).max().unwrap_or(0)
    }

    /// The children of each joint.
    pub fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.joints.len()];
        for (at, joint) in self.joints.iter().enumerate() {
            if let Some(parent) = joint.parent {
                children[parent.index()].push(at);
            }
        }
        children
    }

    /// The skeleton with these offsets.
    pub fn skeleton(&self, offsets: &[Vec3]) -> Skeleton {
        let joint = |(joint, &offset): (&BodyJoint, &Vec3)| Joint {
            name: joint.name.clone(),
            parent: joint.parent,
            offset,
            end: None,
        };
        // Fails only for offsets that are not finite, which readers refuse.
        Skeleton::new(self.joints.iter().zip(offsets).map(joint).collect()).unwrap_or_default()
    }
}

/// The skeleton of a motion file in metres, since data sets with rotations are in metres.
fn motion_body(source: &SourceFile) -> Body {
    let unit = source.stated_space().map(|stated| stated.unit_m);
    let overrides = Overrides { unit_m: unit, ..Overrides::default() };
    let unit = infer(&source.excerpt(), &overrides).unit_m.value;
    let joint = |(at, joint): (usize, &Joint)| BodyJoint {
        name: joint.name.clone(),
        parent: joint.parent,
        offset: joint.offset * unit,
        place: Place::Stored(at),
    };
    Body { joints: source.skeleton().joints().iter().enumerate().map(joint).collect(), has_lengths: true }
}

/// The skeleton of a JSON text with `parents`, `offsets` and, if it has them, `names`.
fn json_body(bytes: &[u8]) -> Result<Body, ArraysError> {
    if let Some(problem) = too_long(bytes.len()) {
        return Err(ArraysError(problem));
    }
    let value: Value =
        serde_json::from_slice(without_bom(bytes)).map_err(|error| ArraysError(error.to_string()))?;
    let fields = value.as_object().into_iter().flatten();
    let list = |names: &[&str]| {
        let named = fields.clone().find(|(key, _)| names.contains(&plain(key).as_str()));
        named.and_then(|(_, value)| value.as_array())
    };
    // A root has the parent −1 or null.
    let parents = list(PARENTS).map(|list| list.iter().map(|value| value.as_f64().unwrap_or(-1.0)).collect());
    let vectors = |names: &[&str]| -> Result<Option<Vec<f64>>, ArraysError> {
        let Some(list) = list(names) else { return Ok(None) };
        let numbers = list.iter().map(|row| {
            let row = row.as_array().filter(|row| row.len() == 3)?;
            row.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>()
        });
        let numbers: Option<Vec<Vec<f64>>> = numbers.collect();
        numbers.map(|numbers| Some(numbers.concat())).ok_or_else(|| {
            ArraysError(format!("{}: expected a list of lists with three numbers each", names[0]))
        })
    };
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let stated = Stated {
        names: list(NAMES).map(|list| list.iter().map(word).collect()).unwrap_or_default(),
        parents: parents.ok_or_else(|| ArraysError("found no list called parents, expected one".into()))?,
        offsets: vectors(OFFSETS)?,
        rest: vectors(REST_POSITIONS)?,
    };
    stated.body()
}

/// A skeleton as arrays state it.
struct Stated {
    names: Vec<String>,
    parents: Vec<f64>,
    offsets: Option<Vec<f64>>,
    rest: Option<Vec<f64>>,
}

impl Stated {
    /// The skeleton, with its joints sorted so that parents come first.
    fn body(self) -> Result<Body, ArraysError> {
        let count = self.parents.len();
        let parents = self.parent_indices()?;
        let order = parents_first(&parents)?;
        let mut at = vec![0; count];
        order.iter().enumerate().for_each(|(to, &from)| at[from] = to);
        let vector = |numbers: &[f64], joint: usize| Vec3::from_slice(&numbers[3 * joint..]);
        let offset = |joint: usize| match (&self.offsets, &self.rest) {
            (Some(offsets), _) => vector(offsets, joint),
            (None, Some(rest)) => {
                vector(rest, joint) - parents[joint].map_or(Vec3::ZERO, |parent| vector(rest, parent))
            }
            (None, None) => Vec3::ZERO,
        };
        for numbers in [&self.offsets, &self.rest].into_iter().flatten() {
            if numbers.len() != 3 * count {
                let found = numbers.len() / 3;
                return Err(ArraysError(format!("found offsets of {found} joints, expected {count}")));
            }
        }
        let joint = |&from: &usize| BodyJoint {
            name: self.names.get(from).cloned().unwrap_or_else(|| format!("joint_{from}")),
            parent: parents[from].map(|parent| JointId(at[parent] as u32)),
            offset: offset(from),
            place: Place::Stored(from),
        };
        let joints: Vec<BodyJoint> = order.iter().map(joint).collect();
        if let Some(joint) = joints.iter().find(|joint| !joint.offset.is_finite()) {
            return Err(ArraysError(format!("the offset of joint {:?} is not finite", joint.name)));
        }
        Ok(Body { joints, has_lengths: self.offsets.is_some() || self.rest.is_some() })
    }

    /// The parent of each joint. A root has a negative one, itself, or the largest number of its type.
    fn parent_indices(&self) -> Result<Vec<Option<usize>>, ArraysError> {
        let count = self.parents.len();
        let parent = |(joint, &parent): (usize, &f64)| match parent {
            p if p < 0.0 || p >= f64::from(u32::MAX) || p == joint as f64 => Ok(None),
            p if p < count as f64 && p.fract() == 0.0 => Ok(Some(p as usize)),
            p => {
                Err(ArraysError(format!("joint {joint} has the parent {p}, expected a number below {count}")))
            }
        };
        self.parents.iter().enumerate().map(parent).collect()
    }
}

/// The joints in an order in which parents come first; as they are where that is so already.
fn parents_first(parents: &[Option<usize>]) -> Result<Vec<usize>, ArraysError> {
    let mut children = vec![Vec::new(); parents.len()];
    let mut missing = vec![0; parents.len()];
    for (joint, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent {
            children[*parent].push(joint);
            missing[joint] = 1;
        }
    }
    // The smallest joint whose parent is placed comes next.
    let roots = (0..parents.len()).filter(|&joint| missing[joint] == 0);
    let mut ready: std::collections::BTreeSet<usize> = roots.collect();
    let mut order = Vec::with_capacity(parents.len());
    while let Some(joint) = ready.pop_first() {
        order.push(joint);
        children[joint].iter().for_each(|&child| missing[child] = 0);
        ready.extend(&children[joint]);
    }
    match missing.iter().position(|&missing| missing == 1) {
        None => Ok(order),
        Some(joint) => Err(ArraysError(format!("joint {joint} is its own ancestor, expected a tree"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(parents: &[f64]) -> Result<Body, ArraysError> {
        Stated { names: Vec::new(), parents: parents.to_vec(), offsets: None, rest: None }.body()
    }

    #[test]
    fn joints_are_sorted_so_that_parents_come_first() {
        let places = |body: Body| body.joints.iter().map(|joint| joint.place).collect::<Vec<_>>();
        let stored = |order: [usize; 3]| order.map(Place::Stored).to_vec();
        assert_eq!(places(body(&[-1.0, 0.0, 1.0]).unwrap()), stored([0, 1, 2]));
        assert_eq!(places(body(&[2.0, 0.0, 4294967295.0]).unwrap()), stored([2, 0, 1]));
        assert_eq!(places(body(&[0.0, 0.0, 0.0]).unwrap()), stored([0, 1, 2]));
    }

    #[test]
    fn joints_in_a_circle_are_refused() {
        let error = body(&[-1.0, 2.0, 1.0]).unwrap_err();
        assert_eq!(error.to_string(), "joint 1 is its own ancestor, expected a tree");
        assert!(body(&[-1.0, 7.0]).is_err());
        assert!(body(&[-1.0, 0.5]).is_err());
        assert!(body(&[-1.0, f64::NAN]).is_err());
    }

    #[test]
    fn a_json_skeleton_has_offsets_or_rest_positions() {
        let text = br#"{"names": ["a", "b"], "parents": [-1, 0], "rest_joints": [[0, 1, 0], [0, 3, 0]]}"#;
        let body = Body::of_file(text).unwrap();
        assert_eq!(body.joints[1].offset, Vec3::new(0.0, 2.0, 0.0));
        assert_eq!(body.joints[1].name, "b");
        assert!(Body::of_file(br#"{"parents": [-1, 0]}"#).is_err());
        assert!(Body::of_file(br#"{"parents": [-1, 0], "offsets": [[0, 1, 0]]}"#).is_err());
    }
}
