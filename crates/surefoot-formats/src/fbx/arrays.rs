//! Arrays in the properties of records, stored plainly or compressed with zlib.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use super::records::{NewProperties, Property, Record};

/// The elements of the array of a record, and whether it is compressed.
pub(super) fn read<const N: usize>(
    bytes: &[u8],
    record: &Record,
    wanted: u8,
) -> Option<(Vec<[u8; N]>, bool)> {
    let properties = record.properties(bytes);
    let Property::Array { kind, length, is_compressed, bytes } = properties.first()? else { return None };
    if *kind != wanted {
        return None;
    }
    let size = length.checked_mul(N)?;
    let mut plain = Vec::new();
    if *is_compressed {
        // The limit is that of the stated length, which a damaged file states wrongly.
        ZlibDecoder::new(*bytes).take(size as u64).read_to_end(&mut plain).ok()?;
    } else {
        plain.extend_from_slice(bytes);
    }
    let (elements, rest) = plain.as_chunks::<N>();
    (elements.len() == *length && rest.is_empty()).then(|| (elements.to_vec(), *is_compressed))
}

/// An array as the only property of a record.
pub(super) fn written<const N: usize>(
    kind: u8,
    elements: impl ExactSizeIterator<Item = [u8; N]>,
    is_compressed: bool,
) -> NewProperties {
    let length = elements.len() as u32;
    let plain: Vec<u8> = elements.flatten().collect();
    let stored = match is_compressed {
        true => compressed(&plain).unwrap_or_default(),
        false => plain,
    };
    let mut bytes = vec![kind];
    for number in [length, u32::from(is_compressed), stored.len() as u32] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes.extend_from_slice(&stored);
    NewProperties { bytes, count: 1 }
}

/// Writing to memory does not fail.
fn compressed(plain: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(plain).ok()?;
    encoder.finish().ok()
}
