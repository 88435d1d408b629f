//! Arrays of numbers in records: plain or compressed with zlib in a binary file, lists of numbers in a text.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use super::records::{Encoding, NewProperties, Property, Record, Records};
use super::{binary, text};

/// The numbers of a new array.
pub(super) enum Numbers {
    Ints(Vec<i32>),
    Longs(Vec<i64>),
    Floats(Vec<f32>),
    /// Slopes, weights and velocities of tangents: floats, whose bits a text since version 7200 has as integers.
    Tangents([f32; 4]),
}

/// First version whose texts have tangents as integers.
const TANGENT_BITS_SINCE: u32 = 7200;

/// The times of keys, and whether they are compressed.
pub(super) fn longs(records: &Records, bytes: &[u8], record: &Record) -> Option<(Vec<i64>, bool)> {
    if records.encoding == Encoding::Binary {
        let (elements, is_compressed) = elements::<8>(bytes, record, b'l')?;
        return Some((elements.into_iter().map(i64::from_le_bytes).collect(), is_compressed));
    }
    let integer = |property| match property {
        Property::Integer(number) => Some(number),
        _ => None,
    };
    let numbers = records.properties(bytes, record).map(integer).collect::<Option<Vec<i64>>>()?;
    Some((numbers, false))
}

/// The array of a record with some of its floats changed; `None` if it has another number of elements than `count`.
pub(super) fn with_floats_changed(
    records: &Records,
    bytes: &[u8],
    record: &Record,
    count: usize,
    change: impl Fn(usize) -> Option<f32>,
) -> Option<NewProperties> {
    if records.encoding == Encoding::Binary {
        let (mut elements, is_compressed) = elements::<4>(bytes, record, b'f')?;
        for (n, element) in elements.iter_mut().enumerate() {
            if let Some(value) = change(n) {
                *element = value.to_le_bytes();
            }
        }
        return (elements.len() == count).then(|| array(b'f', &elements, is_compressed));
    }
    let (mut text, mut copied, mut length) = (Vec::new(), record.properties.start, 0);
    for (n, (_, range)) in text::Values::of(bytes, record).enumerate() {
        length = n + 1;
        if let Some(value) = change(n) {
            text.extend_from_slice(&bytes[copied..range.start]);
            text.extend_from_slice(value.to_string().as_bytes());
            copied = range.end;
        }
    }
    text.extend_from_slice(&bytes[copied..record.properties.end]);
    (length == count).then_some(NewProperties { bytes: text, count: 0 })
}

/// An array as the only property of a record.
pub(super) fn written(records: &Records, numbers: &Numbers, is_compressed: bool) -> NewProperties {
    match records.encoding {
        Encoding::Binary => in_binary(numbers, is_compressed),
        Encoding::Text => in_text(numbers, records.version),
    }
}

fn in_binary(numbers: &Numbers, is_compressed: bool) -> NewProperties {
    fn array_of<T: Copy, const N: usize>(
        kind: u8,
        list: &[T],
        bytes: fn(T) -> [u8; N],
        is_compressed: bool,
    ) -> NewProperties {
        array(kind, &list.iter().map(|&number| bytes(number)).collect::<Vec<_>>(), is_compressed)
    }
    match numbers {
        Numbers::Ints(list) => array_of(b'i', list, i32::to_le_bytes, is_compressed),
        Numbers::Longs(list) => array_of(b'l', list, i64::to_le_bytes, is_compressed),
        Numbers::Floats(list) => array_of(b'f', list, f32::to_le_bytes, is_compressed),
        Numbers::Tangents(list) => array_of(b'f', list, f32::to_le_bytes, is_compressed),
    }
}

fn in_text(numbers: &Numbers, version: u32) -> NewProperties {
    let texts: Vec<String> = match numbers {
        Numbers::Ints(list) => list.iter().map(i32::to_string).collect(),
        Numbers::Longs(list) => list.iter().map(i64::to_string).collect(),
        Numbers::Tangents(list) if version >= TANGENT_BITS_SINCE => {
            list.iter().map(|number| (number.to_bits() as i32).to_string()).collect()
        }
        Numbers::Tangents(list) => list.iter().map(f32::to_string).collect(),
        Numbers::Floats(list) => list.iter().map(f32::to_string).collect(),
    };
    let head = format!("*{} {{\n\t\t\ta: ", texts.len());
    let bytes = [head.as_bytes(), &text::list(texts.into_iter()), b"\n\t\t}"].concat();
    NewProperties { bytes, count: 0 }
}

/// The elements of the array of a record, and whether it is compressed.
fn elements<const N: usize>(bytes: &[u8], record: &Record, wanted: u8) -> Option<(Vec<[u8; N]>, bool)> {
    let stored = binary::array(bytes, record).filter(|stored| stored.kind == wanted)?;
    let size = stored.length.checked_mul(N)?;
    let mut plain = Vec::new();
    if stored.is_compressed {
        // The limit is that of the stated length, which a damaged file states wrongly.
        ZlibDecoder::new(stored.bytes).take(size as u64).read_to_end(&mut plain).ok()?;
    } else {
        plain.extend_from_slice(stored.bytes);
    }
    let (elements, rest) = plain.as_chunks::<N>();
    (elements.len() == stored.length && rest.is_empty()).then(|| (elements.to_vec(), stored.is_compressed))
}

fn array<const N: usize>(kind: u8, elements: &[[u8; N]], is_compressed: bool) -> NewProperties {
    let plain = elements.as_flattened();
    let packed = if is_compressed { compressed(plain).unwrap_or_default() } else { Vec::new() };
    let stored = if is_compressed { &packed } else { plain };
    let mut bytes = Vec::with_capacity(13 + stored.len());
    bytes.push(kind);
    for number in [elements.len() as u32, u32::from(is_compressed), stored.len() as u32] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes.extend_from_slice(stored);
    NewProperties { bytes, count: 1 }
}

/// Writing to memory does not fail.
fn compressed(plain: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(plain).ok()?;
    encoder.finish().ok()
}
