//! Reads the `.asf` file: bones with a direction, a length, a frame of axes and degrees of freedom.
//!
//! The joint of a bone is at the bone's start, which is the end of the bone's parent. Its rotation is `C · M · C⁻¹`: `C`
//! turns the bone's own axes from those of the body at rest, and `M` is the product of its degrees of freedom, of which the
//! one that is listed first is applied first.

use core::ops::Range;

use surefoot_core::math::axis_rotation;
use surefoot_core::{Joint, JointId, Quat, Skeleton, Vec3};

use super::error::AcclaimError;
use super::words::{Lines, number};

/// Most bones of a skeleton. A body has about 30; the limit bounds the time for finding bones by name.
const MOST_BONES: usize = 5_000;

/// What a number of the motion file does to its bone. Axes are 0, 1 and 2 for X, Y and Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Freedom {
    /// Turns about an axis of the bone.
    Rotation(usize),
    /// Moves along an axis of the body.
    Translation(usize),
    /// Changes the length of the bone: copied, without effect on poses.
    Length,
}

/// A bone; bone 0 is the root.
#[derive(Clone, Debug)]
pub(super) struct Bone {
    pub name: String,
    /// The bone's own axes, relative to those of the body at rest.
    pub axes: Quat,
    /// The numbers of the bone in the motion file.
    pub freedoms: Vec<Freedom>,
    /// From the start of the bone to its end.
    pub vector: Vec3,
}

/// The content of an `.asf` file.
#[derive(Clone, Debug, Default)]
pub(super) struct AcclaimSkeleton {
    /// The bones, parents first.
    pub bones: Vec<Bone>,
    pub skeleton: Skeleton,
    /// Whether angles of the motion are in radians.
    pub is_in_radians: bool,
}

/// A bone as the file lists it.
#[derive(Default)]
struct Listed {
    name: String,
    direction: Vec3,
    length: f64,
    angles: [f64; 3],
    order: Vec<usize>,
    freedoms: Vec<Freedom>,
}

impl AcclaimSkeleton {
    pub fn read(text: &[u8]) -> Result<Self, AcclaimError> {
        let mut reader =
            Reader { text, root: Listed::default(), bones: Vec::new(), parents: Vec::new(), radians: false };
        reader.root.name = "root".into();
        reader.read()?;
        reader.finish()
    }
}

struct Reader<'t> {
    text: &'t [u8],
    root: Listed,
    bones: Vec<Listed>,
    /// For each bone, the index of its parent plus one; 0 is the root.
    parents: Vec<Option<usize>>,
    radians: bool,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), AcclaimError> {
        let mut lines = Lines::new(self.text);
        let (mut words, mut section) = (Vec::new(), Vec::new());
        while lines.next(&mut words) {
            let first = self.word(&words[0]).to_ascii_lowercase();
            if first.starts_with(b":") {
                section = first;
                continue;
            }
            match section.as_slice() {
                b":units" if first == b"angle" => self.radians = self.lower(words.get(1)).starts_with(b"rad"),
                b":root" => self.root_line(&first, &words)?,
                b":bonedata" => self.bone_line(&first, &words)?,
                b":hierarchy" => self.hierarchy_line(&first, &words)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn word(&self, range: &Range<usize>) -> &[u8] {
        &self.text[range.clone()]
    }

    fn lower(&self, range: Option<&Range<usize>>) -> Vec<u8> {
        range.map(|range| self.word(range).to_ascii_lowercase()).unwrap_or_default()
    }

    fn fail<T>(&self, at: usize, problem: String) -> Result<T, AcclaimError> {
        Err(AcclaimError::in_skeleton(self.text, at, problem))
    }

    /// The numbers after the first word of a line.
    fn numbers<const N: usize>(&self, words: &[Range<usize>]) -> Result<[f64; N], AcclaimError> {
        let mut numbers = [0.0; N];
        for (n, value) in numbers.iter_mut().enumerate() {
            let range = words.get(n + 1).cloned().unwrap_or(words[0].end..words[0].end);
            let found = number(self.word(&range));
            let Some(found) = found else {
                let word = String::from_utf8_lossy(self.word(&range)).into_owned();
                return self.fail(range.start, format!("found {word:?}, expected {N} numbers"));
            };
            *value = found;
        }
        Ok(numbers)
    }

    fn root_line(&mut self, first: &[u8], words: &[Range<usize>]) -> Result<(), AcclaimError> {
        match first {
            b"order" => self.root.freedoms = self.freedoms(&words[1..])?,
            b"axis" => self.root.order = axes(&self.lower(words.get(1))),
            b"position" => self.root.direction = Vec3::from_array(self.numbers(words)?),
            b"orientation" => self.root.angles = self.numbers(words)?,
            _ => {}
        }
        Ok(())
    }

    fn bone_line(&mut self, first: &[u8], words: &[Range<usize>]) -> Result<(), AcclaimError> {
        if first == b"begin" {
            if self.bones.len() == MOST_BONES {
                return self
                    .fail(words[0].start, format!("found more than {MOST_BONES} bones, expected a body"));
            }
            self.bones.push(Listed::default());
            self.parents.push(None);
            return Ok(());
        }
        let Some(index) = self.bones.len().checked_sub(1) else {
            return self.fail(words[0].start, "found a line outside of begin and end, expected begin".into());
        };
        match first {
            b"name" => {
                let name = words.get(1).map(|range| String::from_utf8_lossy(self.word(range)).into_owned());
                self.bones[index].name = name.unwrap_or_default();
            }
            b"direction" => self.bones[index].direction = Vec3::from_array(self.numbers(words)?),
            b"length" => [self.bones[index].length] = self.numbers(words)?,
            b"axis" => {
                self.bones[index].angles = self.numbers(words)?;
                self.bones[index].order = axes(&self.lower(words.get(4)));
            }
            b"dof" => self.bones[index].freedoms = self.freedoms(&words[1..])?,
            _ => {}
        }
        Ok(())
    }

    fn freedoms(&self, words: &[Range<usize>]) -> Result<Vec<Freedom>, AcclaimError> {
        let freedom = |range: &Range<usize>| {
            Ok(match &self.word(range).to_ascii_lowercase()[..] {
                b"rx" => Freedom::Rotation(0),
                b"ry" => Freedom::Rotation(1),
                b"rz" => Freedom::Rotation(2),
                b"tx" => Freedom::Translation(0),
                b"ty" => Freedom::Translation(1),
                b"tz" => Freedom::Translation(2),
                b"l" => Freedom::Length,
                other => {
                    let found = String::from_utf8_lossy(other).into_owned();
                    return self
                        .fail(range.start, format!("found {found:?}, expected tx, ty, tz, rx, ry, rz or l"));
                }
            })
        };
        words.iter().map(freedom).collect()
    }

    /// A line of parents: the first word is the parent of the others.
    fn hierarchy_line(&mut self, first: &[u8], words: &[Range<usize>]) -> Result<(), AcclaimError> {
        if first == b"begin" || first == b"end" {
            return Ok(());
        }
        let parent = self.bone(&words[0])?;
        for word in &words[1..] {
            match self.bone(word)?.checked_sub(1) {
                Some(child) => self.parents[child] = Some(parent),
                None => return self.fail(word.start, "found root as a child, expected a bone".into()),
            }
        }
        Ok(())
    }

    /// The index of a bone plus one; 0 is the root.
    fn bone(&self, range: &Range<usize>) -> Result<usize, AcclaimError> {
        let name = String::from_utf8_lossy(self.word(range));
        if name.eq_ignore_ascii_case("root") {
            return Ok(0);
        }
        match self.bones.iter().position(|bone| bone.name == name) {
            Some(index) => Ok(index + 1),
            None => self.fail(range.start, format!("found bone {name:?}, expected one of :bonedata")),
        }
    }

    fn finish(self) -> Result<AcclaimSkeleton, AcclaimError> {
        let Self { text, root, bones, parents, radians } = self;
        let fail = |problem: &str| AcclaimError::in_skeleton(text, text.len(), problem.into());
        if bones.is_empty() {
            return Err(fail("the file ends without bones, expected :bonedata"));
        }
        // Bones of the hierarchy, parents first; `place` is the position of a bone in that order.
        let mut order: Vec<usize> = vec![0];
        let mut place = vec![None; bones.len() + 1];
        place[0] = Some(0);
        let mut children = vec![Vec::new(); bones.len() + 1];
        for (child, parent) in parents.iter().enumerate() {
            if let Some(parent) = parent {
                children[*parent].push(child + 1);
            }
        }
        let mut next = 0;
        while next < order.len() {
            for &child in &children[order[next]] {
                place[child] = Some(order.len());
                order.push(child);
            }
            next += 1;
        }
        let all: Vec<&Listed> = core::iter::once(&root).chain(&bones).collect();
        let scale = if radians { 1.0 } else { core::f64::consts::PI / 180.0 };
        let built: Vec<Bone> = order.iter().map(|&n| built_bone(all[n], scale, n == 0)).collect();
        let joint = |&n: &usize| {
            let parent = n.checked_sub(1).and_then(|child| parents[child]).and_then(|parent| place[parent]);
            let has_child = !children[n].is_empty();
            let own = place[n].map(|place| &built[place]);
            Joint {
                name: all[n].name.clone(),
                parent: parent.map(|parent| JointId(parent as u32)),
                offset: parent.map_or(all[n].direction, |parent| built[parent].vector),
                end: own.filter(|_| !has_child && n > 0).map(|own| own.vector),
            }
        };
        let skeleton = Skeleton::new(order.iter().map(joint).collect());
        let skeleton = skeleton.map_err(|error| fail(&error.to_string()))?;
        Ok(AcclaimSkeleton { bones: built, skeleton, is_in_radians: radians })
    }
}

fn built_bone(listed: &Listed, radians_per_angle: f64, is_root: bool) -> Bone {
    let mut axes = Quat::IDENTITY;
    for &axis in &listed.order {
        axes = axis_rotation(axis, listed.angles[axis] * radians_per_angle) * axes;
    }
    Bone {
        name: listed.name.clone(),
        axes,
        freedoms: listed.freedoms.clone(),
        vector: if is_root { Vec3::ZERO } else { listed.direction * listed.length },
    }
}

/// The axes of an order such as `xyz`.
fn axes(word: &[u8]) -> Vec<usize> {
    word.iter().filter(|byte| (b'x'..=b'z').contains(byte)).map(|byte| usize::from(byte - b'x')).collect()
}
