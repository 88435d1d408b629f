//! A layer: the prims of one file, with the places of their values in its bytes.
//!
//! Text and binary layers give the same prims. Values stay in the bytes and are decoded where they are needed, so that a
//! layer takes little memory and a writer knows where each value is.

use core::ops::{Deref, Range};
use std::sync::Arc;

use super::binary::Binary;
use super::error::UsdError;
use super::text;

/// Prims that a layer of any size may have, and bytes of a larger file for each further one.
const PRIMS_BESIDES: usize = 100_000;
const BYTES_PER_PRIM: usize = 64;

/// Longest name of a transform operation, in bytes.
const LONGEST_OPERATION: usize = 200;
/// Bytes of names beyond the size of the file. Prims of a binary file can share a name.
const NAMES_BESIDES: usize = 4 << 20;

/// The properties that are read; all others are only copied.
const WANTED: [&str; 15] = [
    "joints",
    "restTransforms",
    "bindTransforms",
    "translations",
    "rotations",
    "scales",
    "xformOpOrder",
    "skel:skeleton",
    "skel:animationSource",
    "skel:joints",
    "points",
    "faceVertexIndices",
    "primvars:skel:jointIndices",
    "primvars:skel:jointWeights",
    "primvars:skel:geomBindTransform",
];

/// Whether a property is read.
pub(super) fn is_wanted(name: &str) -> bool {
    WANTED.contains(&name) || name.starts_with("xformOp:") && name.len() <= LONGEST_OPERATION
}

/// The bytes of a layer: a whole file, or a member of a package.
#[derive(Clone, Debug, Default)]
pub(super) struct Data {
    pub file: Arc<Vec<u8>>,
    pub range: Range<usize>,
}

impl Data {
    pub fn whole(file: Arc<Vec<u8>>) -> Self {
        let range = 0..file.len();
        Self { file, range }
    }
}

impl Deref for Data {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // The range was taken from the directory of the package, which is inside the file.
        self.file.get(self.range.clone()).unwrap_or_default()
    }
}

/// A value in the bytes of a layer: a range of a text, or a value representation of a binary file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Stored(pub u64);

impl Stored {
    /// A value between two places of a text, which is shorter than 4 GB.
    pub fn text(range: Range<usize>) -> Self {
        Self((range.start as u64) << 32 | range.end as u64 & 0xffff_ffff)
    }

    /// The places of a value in a text.
    pub fn range(self) -> Range<usize> {
        (self.0 >> 32) as usize..(self.0 & 0xffff_ffff) as usize
    }
}

/// The precision of stored numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Precision {
    Half,
    #[default]
    Single,
    Double,
}

impl Precision {
    /// A number as a file of this precision holds it.
    pub fn round(self, number: f64) -> f64 {
        match self {
            Self::Half => crate::half::to_f64(crate::half::from_f64(number)),
            Self::Single => f64::from(number as f32),
            Self::Double => number,
        }
    }
}

/// An attribute or a relationship.
#[derive(Clone, Debug, Default)]
pub(super) struct Property {
    pub name: Box<str>,
    /// The value that holds at all times, or the targets of a relationship.
    pub value: Option<Stored>,
    /// The values at times, in the order of the times.
    pub samples: Vec<(f64, Stored)>,
    pub precision: Precision,
    /// Where the property ends in a text, or the index of its spec in a binary file.
    pub end: usize,
}

/// A reference or payload: prims of another layer, or of the same one, that are added to a prim.
#[derive(Clone, Debug, Default)]
pub(super) struct Link {
    /// The file; `None` for the layer itself.
    pub asset: Option<String>,
    /// The path of the prim; `None` for the default prim.
    pub prim: Option<String>,
    /// Whether the times of the layer are moved or scaled.
    pub has_offset: bool,
}

/// A prim as one layer states it.
#[derive(Clone, Debug, Default)]
pub(super) struct Prim {
    /// The prim above; the first prim of a layer is the root, which has itself above.
    pub parent: u32,
    pub name: Box<str>,
    pub type_name: Box<str>,
    /// Whether it is switched off or a class, which is not part of the scene.
    pub is_hidden: bool,
    pub has_variants: bool,
    pub properties: Vec<Property>,
    pub links: Vec<Link>,
    pub children: Vec<u32>,
}

impl Prim {
    pub fn property(&self, name: &str) -> Option<usize> {
        self.properties.iter().position(|property| &*property.name == name)
    }
}

/// The values of a layer by the way they are stored.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Text,
    Binary(Box<Binary>),
}

/// A layer.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    /// The name of the file, or of the member of a package.
    pub name: String,
    pub data: Data,
    pub content: Content,
    /// The prims; the first one is the root, whose properties are the metadata of the layer.
    pub prims: Vec<Prim>,
    /// The layers below this one, the strongest first.
    pub sublayers: Vec<Link>,
}

impl Layer {
    /// Reads the bytes of a layer.
    pub fn read(name: &str, data: Data) -> Result<Self, UsdError> {
        let read = match data.starts_with(super::binary::MAGIC) {
            true => super::binary::read(name, data),
            false => text::read(name, data),
        };
        read.map_err(|error| error.within(name))
    }

    pub fn is_text(&self) -> bool {
        matches!(self.content, Content::Text)
    }

    /// The numbers of a value, in the order in which the layer stores them; at most `most`.
    pub fn numbers(&self, stored: Stored, precision: Precision, most: usize) -> Result<Vec<f64>, UsdError> {
        match &self.content {
            Content::Text => text::numbers(&self.data, stored, precision, most),
            Content::Binary(binary) => binary.numbers(&self.data, stored, most),
        }
        .map_err(|error| error.within(&self.name))
    }

    /// Rotations as x, y, z, w, one after another.
    pub fn rotations(&self, stored: Stored, precision: Precision, most: usize) -> Result<Vec<f64>, UsdError> {
        let mut numbers = self.numbers(stored, precision, most)?;
        if self.is_text() {
            numbers.as_chunks_mut::<4>().0.iter_mut().for_each(|q| q.rotate_left(1));
        }
        Ok(numbers)
    }

    /// The strings, tokens or paths of a value; at most `most`.
    pub fn words(&self, stored: Stored, most: usize) -> Result<Vec<String>, UsdError> {
        match &self.content {
            Content::Text => text::words(&self.data, stored, most),
            Content::Binary(binary) => binary.words(&self.data, stored, most),
        }
        .map_err(|error| error.within(&self.name))
    }

    /// Metadata of the layer that is a number.
    pub fn metadata_number(&self, name: &str) -> Option<f64> {
        let root = self.prims.first()?;
        let value = root.properties[root.property(name)?].value?;
        self.numbers(value, Precision::Double, 1).ok()?.first().copied()
    }

    /// Metadata of the layer that is a word.
    pub fn metadata_word(&self, name: &str) -> Option<String> {
        let root = self.prims.first()?;
        let value = root.properties[root.property(name)?].value?;
        self.words(value, 1).ok()?.into_iter().next()
    }
}

/// The prims of a layer in the making.
pub(super) struct Prims {
    pub all: Vec<Prim>,
    most: usize,
    /// Bytes that the names of further prims may take.
    names_left: usize,
}

impl Prims {
    /// The prims of a layer of this many bytes: the root alone.
    pub fn new(bytes: usize) -> Self {
        Self {
            all: vec![Prim::default()],
            most: PRIMS_BESIDES + bytes / BYTES_PER_PRIM,
            names_left: NAMES_BESIDES + bytes,
        }
    }

    /// Adds a prim below another.
    pub fn add(&mut self, parent: usize, mut prim: Prim) -> Result<usize, UsdError> {
        let index = self.all.len();
        let left = self.names_left.checked_sub(prim.name.len());
        self.names_left = left.unwrap_or_default();
        if index >= self.most || left.is_none() {
            let found = format!("more than {index} prims, or very long names");
            return Err(UsdError::new("the layer", found, "a prim for every 64 bytes at most"));
        }
        prim.parent = parent as u32;
        self.all[parent].children.push(index as u32);
        self.all.push(prim);
        Ok(index)
    }
}
