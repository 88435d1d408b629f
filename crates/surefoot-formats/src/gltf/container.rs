//! Where the JSON text and the buffers of a glTF file are: in the chunks of a `.glb`, in data URIs or in files beside it.

use core::ops::Range;

use super::base64;
use super::document::{Buffer, Document};
use super::error::GltfError;
use crate::json;
use crate::source::ReadOptions;

/// Objects that a JSON text may have beside one for each 32 bytes. Those of exporters are longer.
const MOST_OBJECTS: usize = 100_000;

const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;
const JSON_CHUNK: &[u8] = b"JSON";
const BIN_CHUNK: &[u8] = b"BIN\0";

/// The parts of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Container {
    /// The JSON text: all of a `.gltf`, or the content of the first chunk.
    pub json: Range<usize>,
    /// The content of the binary chunk of a `.glb`.
    pub bin: Option<Range<usize>>,
    /// Whether the file is a `.glb`.
    pub is_binary: bool,
}

/// Where the bytes of a buffer are.
#[derive(Clone, Debug)]
pub(super) enum BufferBytes {
    /// In the binary chunk.
    Chunk(Range<usize>),
    /// In a data URI of the JSON text.
    Embedded(Vec<u8>),
    /// In a file beside this one.
    Beside(Vec<u8>),
    /// Unpacked from another buffer.
    Unpacked(Vec<u8>),
    /// Missing, with the reason. An error only where a track needs the buffer.
    Missing(String),
}

impl BufferBytes {
    /// The bytes in a file. `None` if they are missing.
    pub fn bytes<'a>(&'a self, file: &'a [u8]) -> Option<&'a [u8]> {
        match self {
            Self::Chunk(range) => file.get(range.clone()),
            Self::Embedded(bytes) | Self::Beside(bytes) | Self::Unpacked(bytes) => Some(bytes),
            Self::Missing(_) => None,
        }
    }
}

impl Container {
    pub fn new(bytes: &[u8]) -> Result<Self, GltfError> {
        if !bytes.starts_with(b"glTF") {
            let start = bytes.len() - json::without_bom(bytes).len();
            return Ok(Self { json: start..bytes.len(), bin: None, is_binary: false });
        }
        let version = number(bytes, 4).unwrap_or(0);
        if version != 2 {
            return Err(GltfError::new("the header", format!("version {version}"), "version 2"));
        }
        let stated = number(bytes, 8).unwrap_or(0) as usize;
        if stated > bytes.len() {
            let found = format!("{} bytes", bytes.len());
            return Err(GltfError::new("the file", found, format!("{stated}, as its header states")));
        }
        let json = chunk(bytes, HEADER, JSON_CHUNK)
            .ok_or_else(|| GltfError::new("the file", "no JSON chunk", "one after the header"))?;
        let bin = chunk(bytes, json.end, BIN_CHUNK);
        Ok(Self { json, bin, is_binary: true })
    }

    /// Parses the JSON text.
    pub fn document(&self, bytes: &[u8]) -> Result<Document, GltfError> {
        let text = &bytes[self.json.clone()];
        // An empty object takes three bytes here and a hundred times as many in memory.
        let (objects, most) =
            (text.iter().filter(|&&byte| byte == b'{').count(), MOST_OBJECTS + text.len() / 32);
        if objects > most {
            let found = format!("{objects} objects in {} bytes", text.len());
            return Err(GltfError::new("the JSON text", found, format!("at most {most}")));
        }
        let document: Document = serde_json::from_slice(text).map_err(|error| {
            let at = format!("the JSON text, line {}, column {}", error.line(), error.column());
            GltfError::new(at, json::problem(&error), "the JSON of a glTF 2.0 file")
        })?;
        if !document.asset.version.starts_with("2.") {
            let found = format!("version {:?}", json::shorten(&document.asset.version));
            return Err(GltfError::new("asset", found, "version 2.0"));
        }
        Ok(document)
    }

    /// The bytes of every buffer.
    pub fn buffers(&self, document: &Document, options: &ReadOptions) -> Vec<BufferBytes> {
        let buffers = document.buffers.iter().enumerate();
        buffers.map(|(n, buffer)| self.buffer(n, buffer, options)).collect()
    }

    fn buffer(&self, index: usize, buffer: &Buffer, options: &ReadOptions) -> BufferBytes {
        let Some(uri) = &buffer.uri else {
            return match &self.bin {
                Some(bin) if index == 0 => {
                    BufferBytes::Chunk(bin.start..bin.start + bin.len().min(buffer.byte_length))
                }
                _ => BufferBytes::Missing("no URI and no binary chunk".into()),
            };
        };
        if let Some((_, data)) = uri.strip_prefix("data:").and_then(|uri| uri.split_once(";base64,")) {
            return match base64::decode(data.as_bytes()) {
                Some(bytes) => BufferBytes::Embedded(bytes),
                None => BufferBytes::Missing("a data URI that is not base64".into()),
            };
        }
        let name = percent_decoded(uri);
        match options.load_beside.and_then(|load| load(&name)) {
            Some(bytes) => BufferBytes::Beside(bytes),
            None => BufferBytes::Missing(format!("no file {:?} beside it", json::shorten(&name))),
        }
    }
}

/// A little-endian number of four bytes.
pub(super) fn number(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|four| u32::from_le_bytes(*four))
}

/// The content of the chunk at `at`, if it has this type and is complete.
fn chunk(bytes: &[u8], at: usize, kind: &[u8]) -> Option<Range<usize>> {
    // Content is padded to four bytes, but some programs state the length without the padding.
    let at = if bytes.get(at + 4..at + 8) == Some(kind) { at } else { at.next_multiple_of(4) };
    let length = number(bytes, at)? as usize;
    let start = at + CHUNK_HEADER;
    let end = start.checked_add(length)?;
    (bytes.get(at + 4..start)? == kind && end <= bytes.len()).then_some(start..end)
}

/// The name that a URI stands for: `walk%20cycle.bin` is `walk cycle.bin`.
pub(super) fn percent_decoded(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).and_then(|two| core::str::from_utf8(two).ok());
        match digits.filter(|_| *first == b'%').and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) => (bytes.push(byte), rest = &after[2..]).1,
            None => (bytes.push(*first), rest = after).1,
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
