//! Recognises the format of a file by its content.

use core::fmt;

use crate::c3d::is_c3d;
use crate::json::without_bom;

/// Bytes at the beginning of a text in which its format shows. Exporters put comments of some hundred bytes first.
const BEGINNING: usize = 8_192;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Biovision hierarchy: `.bvh`.
    Bvh,
    /// glTF 2.0: `.glb` and `.gltf`.
    Gltf,
    /// Autodesk FBX, binary or ASCII: `.fbx`.
    Fbx,
    /// The motion of an Acclaim pair: `.amc`.
    AcclaimMotion,
    /// The skeleton of an Acclaim pair: `.asf`.
    AcclaimSkeleton,
    /// Universal Scene Description: `.usda`, `.usdc`, `.usdz`.
    Usd,
    /// NumPy arrays: `.npz`, `.npy`.
    Arrays,
    /// Marker positions and events of a gait lab: `.c3d`.
    C3d,
}

impl Format {
    /// The format of a file, by its content. A text that fits no other format is taken for BVH, whose reader says what it
    /// expected.
    pub fn of(bytes: &[u8]) -> Self {
        let starts = |magic: &[u8]| bytes.starts_with(magic);
        if starts(b"glTF") {
            return Self::Gltf;
        }
        if starts(b"Kaydara FBX Binary") {
            return Self::Fbx;
        }
        if starts(b"PXR-USDC") || starts(b"#usda") {
            return Self::Usd;
        }
        if starts(b"\x93NUMPY") {
            return Self::Arrays;
        }
        if starts(b"PK\x03\x04") {
            return zip_format(bytes);
        }
        if is_c3d(bytes) {
            return Self::C3d;
        }
        text_format(without_bom(bytes))
    }

    /// The name of the format in a sentence.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Bvh => "BVH",
            Self::Gltf => "glTF",
            Self::Fbx => "FBX",
            Self::AcclaimMotion => "Acclaim AMC",
            Self::AcclaimSkeleton => "Acclaim ASF",
            Self::Usd => "USD",
            Self::Arrays => "NumPy",
            Self::C3d => "C3D",
        }
    }

    /// The format that an ending of a file name stands for.
    pub fn of_ending(ending: &str) -> Option<Self> {
        Some(match ending.to_ascii_lowercase().as_str() {
            "bvh" => Self::Bvh,
            "glb" | "gltf" | "vrm" | "vrma" => Self::Gltf,
            "fbx" => Self::Fbx,
            "amc" => Self::AcclaimMotion,
            "asf" => Self::AcclaimSkeleton,
            "usd" | "usda" | "usdc" | "usdz" => Self::Usd,
            "npz" | "npy" => Self::Arrays,
            "c3d" => Self::C3d,
            _ => return None,
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A `.usdz` is a zip archive too; the names of its members tell it apart.
fn zip_format(bytes: &[u8]) -> Format {
    let beginning = &bytes[..bytes.len().min(BEGINNING)];
    let is_usd = |ending: &[u8]| beginning.windows(4).any(|part| part == ending);
    if is_usd(b".usd") { Format::Usd } else { Format::Arrays }
}

fn text_format(bytes: &[u8]) -> Format {
    let text = &bytes[..bytes.len().min(BEGINNING)];
    let has = |word: &[u8]| text.windows(word.len()).any(|part| part == word);
    match text.trim_ascii_start() {
        [b'{', ..] if is_gltf_json(bytes) => Format::Gltf,
        [b';', ..] if has(b"FBX") => Format::Fbx,
        _ if has(b"FBXHeaderExtension:") => Format::Fbx,
        _ => acclaim_format(text).unwrap_or(Format::Bvh),
    }
}

/// Whether a JSON text has the property that every glTF file must have.
fn is_gltf_json(text: &[u8]) -> bool {
    text.windows(7).any(|part| part == b"\"asset\"")
}

/// The format of a text whose first line that is not a comment starts with a colon, as in both Acclaim files.
fn acclaim_format(text: &[u8]) -> Option<Format> {
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let is_comment = |line: &&[u8]| line.is_empty() || line.starts_with(b"#");
    let line = lines.filter(|line| !is_comment(line)).find(|line| line.starts_with(b":"))?;
    if !text.trim_ascii_start().starts_with(b"#") && !text.trim_ascii_start().starts_with(b":") {
        return None;
    }
    let is = |word: &[u8]| line.len() >= word.len() && line[..word.len()].eq_ignore_ascii_case(word);
    let is_motion = is(b":fully-specified") || is(b":degrees") || is(b":samples-per-second");
    Some(if is_motion { Format::AcclaimMotion } else { Format::AcclaimSkeleton })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognised_by_content() {
        let of = |text: &str| Format::of(text.as_bytes());
        assert_eq!(of("HIERARCHY\nROOT Hips\n{"), Format::Bvh);
        assert_eq!(of("glTF\x02\0\0\0"), Format::Gltf);
        assert_eq!(of("\u{feff} {\n \"asset\": {\"version\": \"2.0\"}}"), Format::Gltf);
        assert_eq!(of("; FBX 7.4.0 project file\n"), Format::Fbx);
        assert_eq!(of("# AST/ASF file\r\n:version 1.10\r\n"), Format::AcclaimSkeleton);
        assert_eq!(of("#!OML:ASF F:\\VICON\r\n:FULLY-SPECIFIED\r\n:DEGREES\r\n1\r\n"), Format::AcclaimMotion);
        assert_eq!(of("#usda 1.0\n"), Format::Usd);
        assert_eq!(of(""), Format::Bvh);
    }

    #[test]
    fn a_stream_is_not_taken_for_gltf() {
        assert_eq!(Format::of(b"{\"surefoot\": \"stream/1\"}\n"), Format::Bvh);
    }
}
