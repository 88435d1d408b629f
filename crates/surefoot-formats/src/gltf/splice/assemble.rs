//! Puts the bytes of a changed glTF file together: the edited JSON text, patched and appended data, all else copied.

use core::ops::Range;

use super::{Patch, Splice, lost};
use crate::gltf::base64;
use crate::gltf::container::BufferBytes;
use crate::gltf::json_spans::{elements, member, root};
use crate::source::WriteError;

impl Splice<'_> {
    /// The bytes of the changed file.
    pub fn finish(mut self) -> Result<Vec<u8>, WriteError> {
        let (samplers, channels) = (core::mem::take(&mut self.samplers), core::mem::take(&mut self.channels));
        let at = self.animation_array("samplers").ok_or_else(lost)?;
        self.append_elements(at, &samplers);
        let at = self.animation_array("channels").ok_or_else(lost)?;
        self.append_elements(at, &channels);
        let (views, accessors) = (core::mem::take(&mut self.views), core::mem::take(&mut self.accessors));
        self.append_to_root("bufferViews", &views);
        self.append_to_root("accessors", &accessors);
        self.append_buffer()?;
        self.patch_embedded()?;
        let json = self.edited_json();
        Ok(match self.file.container.is_binary {
            true => self.binary_file(&json),
            false => {
                let bytes = &self.file.bytes;
                [&bytes[..self.file.container.json.start], &json[..]].concat()
            }
        })
    }

    fn append_elements(&mut self, array: Range<usize>, new: &[String]) {
        if new.is_empty() {
            return;
        }
        let text = new.join(",");
        let edit = match elements(self.json, array.clone()).last() {
            Some(last) => (last.end..last.end, format!(",{text}")),
            None => (array.start + 1..array.start + 1, text),
        };
        self.edits.push(edit);
    }

    fn append_to_root(&mut self, name: &str, new: &[String]) {
        let root = root(self.json);
        match member(self.json, root.clone(), name) {
            Some(array) => self.append_elements(array, new),
            None if new.is_empty() => {}
            None => {
                let start = root.start + 1;
                self.edits.push((start..start, format!("\"{name}\":[{}],", new.join(","))));
            }
        }
    }

    /// States the new length of the buffer in the binary chunk, or adds a buffer with the new data as a data URI.
    fn append_buffer(&mut self) -> Result<(), WriteError> {
        if self.appended.is_empty() {
            return Ok(());
        }
        match self.chunk() {
            Some(chunk) => {
                let length = chunk.len().next_multiple_of(4) + self.appended.len();
                let buffer = self.element("buffers", 0).ok_or_else(lost)?;
                let value = member(self.json, buffer, "byteLength").ok_or_else(lost)?;
                self.edits.push((value, length.to_string()));
            }
            None => {
                let (length, data) = (self.appended.len(), base64::encode(&self.appended));
                let uri = format!("data:application/octet-stream;base64,{data}");
                self.append_to_root("buffers", &[format!("{{\"byteLength\":{length},\"uri\":\"{uri}\"}}")]);
            }
        }
        Ok(())
    }

    /// Changes the characters of data URIs in which a patch lies.
    fn patch_embedded(&mut self) -> Result<(), WriteError> {
        for buffer in 0..self.file.buffers.len() {
            let BufferBytes::Embedded(bytes) = &self.file.buffers[buffer] else { continue };
            let patches: Vec<&Patch> = self.patches.iter().filter(|patch| patch.buffer == buffer).collect();
            if patches.is_empty() {
                continue;
            }
            let mut new = bytes.clone();
            for patch in patches {
                new[patch.start..patch.start + patch.bytes.len()].copy_from_slice(&patch.bytes);
            }
            let span = self.element("buffers", buffer).ok_or_else(lost)?;
            let uri = member(self.json, span, "uri").ok_or_else(lost)?;
            let comma = self.json[uri.clone()].iter().position(|&byte| byte == b',').ok_or_else(lost)?;
            let digits = uri.start + comma + 1..uri.end - 1;
            self.edits.push((digits, base64::encode(&new)));
        }
        Ok(())
    }

    fn edited_json(&mut self) -> Vec<u8> {
        self.edits.sort_by_key(|(range, _)| (range.start, range.end));
        let mut text =
            Vec::with_capacity(self.json.len() + self.edits.iter().map(|(_, new)| new.len()).sum::<usize>());
        let mut copied = 0;
        for (range, new) in &self.edits {
            text.extend_from_slice(&self.json[copied..range.start]);
            text.extend_from_slice(new.as_bytes());
            copied = range.end;
        }
        text.extend_from_slice(&self.json[copied..]);
        text
    }

    /// The `.glb` with its chunks changed. Chunks after the binary one are copied.
    fn binary_file(&self, json: &[u8]) -> Vec<u8> {
        let bytes = &self.file.bytes;
        let json_range = &self.file.container.json;
        let mut out = bytes[..json_range.start].to_vec();
        out.extend_from_slice(json);
        if !self.edits.is_empty() {
            // A text that became shorter keeps its length, so that the binary chunk stays where it is.
            let length = out.len().next_multiple_of(4).max(json_range.end);
            out.resize(length, b' ');
        }
        let length = (out.len() - json_range.start) as u32;
        out[json_range.start - 8..json_range.start - 4].copy_from_slice(&length.to_le_bytes());
        let Some(bin) = self.file.container.bin.clone() else {
            out.extend_from_slice(&bytes[json_range.end..]);
            return with_length(out);
        };
        out.extend_from_slice(&bytes[json_range.end..bin.start]);
        let start = out.len();
        out.extend_from_slice(&bytes[bin.clone()]);
        for patch in self.patches.iter().filter(|patch| patch.buffer == 0 && self.chunk().is_some()) {
            out[start + patch.start..][..patch.bytes.len()].copy_from_slice(&patch.bytes);
        }
        if let Some(chunk) = self.chunk().filter(|_| !self.appended.is_empty()) {
            out.resize(start + chunk.len().next_multiple_of(4), 0);
            out.extend_from_slice(&self.appended);
            let length = (out.len() - start) as u32;
            out[start - 8..start - 4].copy_from_slice(&length.to_le_bytes());
        }
        out.extend_from_slice(&bytes[bin.end..]);
        with_length(out)
    }
}

/// A `.glb` with its length in the header.
fn with_length(mut glb: Vec<u8>) -> Vec<u8> {
    let length = glb.len() as u32;
    glb[8..12].copy_from_slice(&length.to_le_bytes());
    glb
}
