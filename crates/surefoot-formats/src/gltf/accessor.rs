//! Reads the numbers of accessors, with their strides, component types, normalisation and sparse values.

use core::ops::Range;
use std::sync::Arc;

use super::container::BufferBytes;
use super::document::{Accessor, Document};
use super::error::GltfError;

/// Component type of 32-bit floats, which tracks are written with.
pub(super) const FLOAT: u32 = 5126;

/// The bytes of a file and its buffers.
#[derive(Clone, Copy)]
pub(super) struct Accessors<'a> {
    pub bytes: &'a [u8],
    pub document: &'a Document,
    pub buffers: &'a [BufferBytes],
}

/// Where the elements of an accessor are in a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The buffer.
    pub buffer: usize,
    /// The first byte of the first element.
    pub start: usize,
    /// The distance between elements, in bytes.
    pub stride: usize,
    /// The byte after the last element.
    pub end: usize,
}

impl<'a> Accessors<'a> {
    /// The numbers of an accessor as floats, `components` for each element.
    pub fn floats(&self, index: usize, components: usize) -> Result<Arc<[f32]>, GltfError> {
        let accessor = self.get(index)?;
        let found = components_of(&accessor.kind);
        if found != Some(components) {
            let found = format!("type {:?}", crate::json::shorten(&accessor.kind));
            return Err(GltfError::new(place(index), found, format!("{components} numbers in each element")));
        }
        let mut values = match accessor.buffer_view {
            Some(_) => self.dense(index, accessor, components)?,
            None => self.zeros(index, accessor, components)?,
        };
        if accessor.sparse.is_some() {
            self.sparse(index, accessor, components, &mut values)?;
        }
        Ok(values.into())
    }

    fn get(&self, index: usize) -> Result<&'a Accessor, GltfError> {
        let count = self.document.accessors.len();
        self.document
            .accessors
            .get(index)
            .ok_or_else(|| GltfError::new(place(index), format!("{count} accessors"), "more of them"))
    }

    /// Where the elements of an accessor are. `None` for an accessor without bytes, or with bytes out of range.
    pub fn place(&self, index: usize) -> Option<Place> {
        let accessor = self.document.accessors.get(index)?;
        let size = size_of(accessor.component_type)? * components_of(&accessor.kind)?;
        self.place_in_view(accessor.buffer_view?, accessor.byte_offset, size, accessor.count, true)
    }

    fn place_in_view(
        &self,
        view: usize,
        offset: usize,
        size: usize,
        count: usize,
        is_strided: bool,
    ) -> Option<Place> {
        let view = self.document.buffer_views.get(view)?;
        let stride = view.byte_stride.filter(|stride| is_strided && *stride > 0).unwrap_or(size);
        let length = match count {
            0 => 0,
            count => stride.checked_mul(count - 1)?.checked_add(size)?,
        };
        let end = offset.checked_add(length)?;
        let start = view.byte_offset.checked_add(offset)?;
        let buffer_end = start.checked_add(length)?;
        let is_inside = end <= view.byte_length && buffer_end <= self.buffer(view.buffer)?.len();
        is_inside.then_some(Place { buffer: view.buffer, start, stride, end: buffer_end })
    }

    /// The bytes of a buffer. `None` if they are missing.
    pub fn buffer(&self, index: usize) -> Option<&'a [u8]> {
        self.buffers.get(index)?.bytes(self.bytes)
    }

    /// Why the bytes of an accessor are not there.
    fn missing(&self, index: usize, accessor: &Accessor) -> GltfError {
        let view = accessor.buffer_view.and_then(|view| self.document.buffer_views.get(view));
        let reason = match view.map(|view| self.buffers.get(view.buffer)) {
            None => "no such buffer view".into(),
            Some(None) => "no such buffer".into(),
            Some(Some(BufferBytes::Missing(reason))) => reason.clone(),
            Some(Some(_)) => "a buffer that ends before the last element".to_owned(),
        };
        GltfError::new(place(index), reason, format!("{} elements", accessor.count))
    }

    fn dense(&self, index: usize, accessor: &Accessor, components: usize) -> Result<Vec<f32>, GltfError> {
        let number = reader(index, accessor)?;
        let size = size_of(accessor.component_type).unwrap_or(0);
        let at = self.place(index).ok_or_else(|| self.missing(index, accessor))?;
        let buffer = self.buffer(at.buffer).unwrap_or_default();
        // A stride of less than an element would make more numbers than the file has bytes.
        let all = accessor.count * components;
        if all > buffer.len() {
            return Err(GltfError::new(
                place(index),
                "overlapping elements",
                "a stride of at least an element",
            ));
        }
        let mut values = Vec::with_capacity(all);
        for element in 0..accessor.count {
            let start = at.start + element * at.stride;
            let bytes = &buffer[start..start + size * components];
            values.extend(bytes.chunks_exact(size).map(number));
        }
        Ok(values)
    }

    /// The zeros of an accessor without a buffer view, which only a sparse accessor needs.
    fn zeros(&self, index: usize, accessor: &Accessor, components: usize) -> Result<Vec<f32>, GltfError> {
        let most = self.bytes.len();
        match accessor.count.checked_mul(components).filter(|&all| all <= most) {
            Some(all) => Ok(vec![0.0; all]),
            None => {
                let found = format!("{} elements without a buffer view", accessor.count);
                Err(GltfError::new(place(index), found, "no more than the file has bytes"))
            }
        }
    }

    fn sparse(
        &self,
        index: usize,
        accessor: &Accessor,
        components: usize,
        values: &mut [f32],
    ) -> Result<(), GltfError> {
        let Some(sparse) = &accessor.sparse else { return Ok(()) };
        let at = format!("{}, sparse", place(index));
        let out_of_range =
            || GltfError::new(&at, "values or indices outside their buffer view", "them inside");
        let size = size_of(accessor.component_type).unwrap_or(4);
        let index_size = match sparse.indices.component_type {
            5121 => 1,
            5123 => 2,
            5125 => 4,
            other => {
                return Err(GltfError::new(&at, format!("indices of type {other}"), "5121, 5123 or 5125"));
            }
        };
        let part = |part: &super::document::SparsePart, size: usize| -> Option<(&'a [u8], Range<usize>)> {
            let at = self.place_in_view(part.buffer_view, part.byte_offset, size, sparse.count, false)?;
            Some((self.buffer(at.buffer)?, at.start..at.end))
        };
        let (indices, at_indices) = part(&sparse.indices, index_size).ok_or_else(out_of_range)?;
        let (new, at_new) = part(&sparse.values, size * components).ok_or_else(out_of_range)?;
        let number = reader(index, accessor)?;
        let pairs =
            indices[at_indices].chunks_exact(index_size).zip(new[at_new].chunks_exact(size * components));
        for (element, bytes) in pairs {
            let element = element.iter().rev().fold(0, |sum, &byte| sum << 8 | usize::from(byte));
            let Some(old) = values.get_mut(element * components..(element + 1) * components) else {
                return Err(GltfError::new(
                    &at,
                    format!("index {element}"),
                    format!("less than {}", accessor.count),
                ));
            };
            old.iter_mut().zip(bytes.chunks_exact(size).map(number)).for_each(|(old, new)| *old = new);
        }
        Ok(())
    }
}

fn place(index: usize) -> String {
    format!("accessor {index}")
}

/// The numbers in each element of an accessor type.
pub(super) fn components_of(kind: &str) -> Option<usize> {
    Some(match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" | "MAT2" => 4,
        "MAT3" => 9,
        "MAT4" => 16,
        _ => return None,
    })
}

/// The bytes of a component type.
fn size_of(component_type: u32) -> Option<usize> {
    Some(match component_type {
        5120 | 5121 => 1,
        5122 | 5123 => 2,
        5125 | FLOAT => 4,
        _ => return None,
    })
}

/// Reads one number of a component type. Normalised integers are divided by the largest one, as the specification says.
fn reader(index: usize, accessor: &Accessor) -> Result<fn(&[u8]) -> f32, GltfError> {
    fn two(bytes: &[u8]) -> [u8; 2] {
        bytes.first_chunk().copied().unwrap_or_default()
    }
    fn four(bytes: &[u8]) -> [u8; 4] {
        bytes.first_chunk().copied().unwrap_or_default()
    }
    Ok(match (accessor.component_type, accessor.normalized) {
        (FLOAT, _) => |bytes| f32::from_le_bytes(four(bytes)),
        (5120, true) => |bytes| (f32::from(bytes[0] as i8) / 127.0).max(-1.0),
        (5120, false) => |bytes| f32::from(bytes[0] as i8),
        (5121, true) => |bytes| f32::from(bytes[0]) / 255.0,
        (5121, false) => |bytes| f32::from(bytes[0]),
        (5122, true) => |bytes| (f32::from(i16::from_le_bytes(two(bytes))) / 32767.0).max(-1.0),
        (5122, false) => |bytes| f32::from(i16::from_le_bytes(two(bytes))),
        (5123, true) => |bytes| f32::from(u16::from_le_bytes(two(bytes))) / 65535.0,
        (5123, false) => |bytes| f32::from(u16::from_le_bytes(two(bytes))),
        (5125, _) => |bytes| u32::from_le_bytes(four(bytes)) as f32,
        (other, _) => {
            return Err(GltfError::new(
                place(index),
                format!("component type {other}"),
                "5120 to 5123, 5125 or 5126",
            ));
        }
    })
}
