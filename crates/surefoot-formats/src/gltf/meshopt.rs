//! Unpacks buffer views that `EXT_meshopt_compression` packs, as `gltfpack` and glTF-Transform write animations.
//!
//! Each byte of an element is stored as its difference from the element before, in groups of 16 of as many bits as they
//! need; filters then make floats or quaternions of them. A packed track is changed by new keys that are not packed. Lists
//! of triangles and filtered normals stay packed: no track and no sole needs them.

use super::container::BufferBytes;
use super::document::{Document, Packed};

/// The first byte of packed elements: version 0.
const HEADER: u8 = 0xa0;
/// Elements of a group.
const GROUP: usize = 16;
/// Most elements of a block.
const BLOCK: usize = 256;
/// Most bytes of a block.
const BLOCK_BYTES: usize = 8192;
/// Least bytes after the blocks; the last of them are the element that the first one differs from.
const TAIL: usize = 32;
/// Memory of unpacked views beyond 8 times the size of the file, in bytes. Groups of zeros are packed 64 to 1.
const UNPACKED_BESIDES: usize = 1 << 20;

/// Replaces packed views by unpacked ones in buffers of their own, as many as fit into memory.
pub(super) fn unpack(bytes: &[u8], document: &mut Document, buffers: &mut Vec<BufferBytes>) {
    let mut left = UNPACKED_BESIDES + 8 * bytes.len();
    for view in &mut document.buffer_views {
        let Some(packed) = view.extensions.packed.take().filter(|packed| packed.mode == "ATTRIBUTES") else {
            continue;
        };
        let all = packed.count.saturating_mul(packed.byte_stride);
        let source = buffers.get(packed.buffer).and_then(|buffer| buffer.bytes(bytes));
        let end = packed.byte_offset.saturating_add(packed.byte_length);
        let source = source.and_then(|source| source.get(packed.byte_offset..end));
        let unpacked = source.filter(|_| all <= left).and_then(|source| elements(source, &packed));
        left -= unpacked.as_ref().map_or(0, Vec::len);
        let unpacked = unpacked.map(BufferBytes::Unpacked).unwrap_or_else(|| {
            BufferBytes::Missing("a buffer view that meshopt has packed in a way that is not read".into())
        });
        (view.buffer, view.byte_offset) = (buffers.len(), 0);
        buffers.push(unpacked);
    }
}

/// The elements of a packed view; `None` if its bytes are wrong or its filter is that of normals.
fn elements(data: &[u8], packed: &Packed) -> Option<Vec<u8>> {
    let (count, stride) = (packed.count, packed.byte_stride);
    if !(1..=BLOCK).contains(&stride) || data.first() != Some(&HEADER) {
        return None;
    }
    let body_end = data.len().checked_sub(stride.max(TAIL)).filter(|&end| end >= 1)?;
    let (mut rest, mut last) = (&data[1..body_end], data[data.len() - stride..].to_vec());
    let in_block = (BLOCK_BYTES / stride / GROUP * GROUP).min(BLOCK);
    let mut out = vec![0; count * stride];
    for block in out.chunks_mut(in_block * stride) {
        for (place, last) in last.iter_mut().enumerate() {
            let differences = differences(&mut rest, block.len() / stride)?;
            for (element, difference) in block.chunks_exact_mut(stride).zip(differences) {
                *last = last.wrapping_add((difference >> 1) ^ 0_u8.wrapping_sub(difference & 1));
                element[place] = *last;
            }
        }
    }
    match packed.filter.as_deref() {
        None | Some("NONE") => Some(out),
        Some("QUATERNION") if stride == 8 => Some(quaternions(out)),
        Some("EXPONENTIAL") if stride.is_multiple_of(4) => Some(floats(out)),
        _ => None,
    }
}

fn take<'b>(rest: &mut &'b [u8], length: usize) -> Option<&'b [u8]> {
    let (part, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(part)
}

/// One byte of each element of a block: two bits for each group state how many bits its differences have.
fn differences(rest: &mut &[u8], count: usize) -> Option<[u8; BLOCK]> {
    let mut all = [0; BLOCK];
    let groups = count.div_ceil(GROUP);
    let widths = take(rest, groups.div_ceil(4))?;
    for (n, group) in all.chunks_exact_mut(GROUP).take(groups).enumerate() {
        match widths[n / 4] >> (2 * (n % 4)) & 3 {
            0 => {}
            1 => narrow(rest, 2, group)?,
            2 => narrow(rest, 4, group)?,
            _ => group.copy_from_slice(take(rest, GROUP)?),
        }
    }
    Some(all)
}

/// A group of differences of `width` bits; the largest stands for a byte of its own after the group.
fn narrow(rest: &mut &[u8], width: usize, group: &mut [u8]) -> Option<()> {
    let (bits, in_byte) = (take(rest, GROUP * width / 8)?, 8 / width);
    let largest = (1 << width) - 1;
    for (n, difference) in group.iter_mut().enumerate() {
        let value = bits[n / in_byte] >> (8 - width * (n % in_byte + 1)) & largest;
        *difference = if value == largest { take(rest, 1)?[0] } else { value };
    }
    Some(())
}

/// Quaternions of which the largest part is left out: three parts, and a scale whose last two bits name the largest.
fn quaternions(mut bytes: Vec<u8>) -> Vec<u8> {
    for element in bytes.as_chunks_mut::<8>().0 {
        let part = |n: usize| i16::from_le_bytes([element[2 * n], element[2 * n + 1]]);
        let scale = core::f64::consts::FRAC_1_SQRT_2 / f64::from(part(3) | 3);
        let parts = [0, 1, 2].map(|n| f64::from(part(n)) * scale);
        let rest = 1.0 - parts.iter().map(|part| part * part).sum::<f64>();
        let largest = (part(3) & 3) as usize;
        for (n, value) in [rest.max(0.0).sqrt(), parts[0], parts[1], parts[2]].into_iter().enumerate() {
            let at = 2 * ((largest + n) % 4);
            element[at..at + 2].copy_from_slice(&((value * 32767.0).round() as i16).to_le_bytes());
        }
    }
    bytes
}

/// Floats as a mantissa of 24 bits and an exponent of two.
fn floats(mut bytes: Vec<u8>) -> Vec<u8> {
    for element in bytes.as_chunks_mut::<4>().0 {
        let bits = i32::from_le_bytes(*element);
        let (mantissa, exponent) = (bits << 8 >> 8, bits >> 24);
        let power = f64::from_bits(((1023 + i64::from(exponent)) as u64) << 52);
        *element = ((f64::from(mantissa) * power) as f32).to_le_bytes();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(count: usize, byte_stride: usize, filter: Option<&str>) -> Packed {
        Packed { count, byte_stride, filter: filter.map(String::from), ..Packed::default() }
    }

    #[test]
    fn differences_of_all_widths_are_added_up() {
        // 64 elements of one byte: groups of zeros, two bits, four bits and bytes.
        let mut data = vec![HEADER, 0b11_10_01_00];
        data.extend([0b01_10_11_00, 0, 0, 0, 200]);
        data.extend([[0x2f, 0, 0, 0, 0, 0, 0, 0].as_slice(), &[7]].concat());
        data.extend(1..=16);
        data.extend([0; 31]);
        data.push(100);
        let out = elements(&data, &packed(64, 1, None)).unwrap();
        assert_eq!(out[..16], [100; 16]);
        // Zigzag: 1 is -1, 2 is 1, 200 is 100.
        assert_eq!(out[16..20], [99, 100, 200, 200]);
        assert_eq!(out[32..35], [201, 197, 197]);
        assert_eq!(out[48..51], [196, 197, 195]);
        assert!(elements(&data[..data.len() - 20], &packed(64, 1, None)).is_none());
        assert!(elements(&data, &packed(64, 0, None)).is_none());
    }

    #[test]
    fn filters_make_quaternions_and_floats() {
        // The largest part is W, and X is half of the largest value that another part can have.
        let stored = [1023_i16, 0, 0, 2047].map(i16::to_le_bytes).concat();
        let rotation = quaternions(stored);
        let part = |n: usize| f64::from(i16::from_le_bytes([rotation[2 * n], rotation[2 * n + 1]])) / 32767.0;
        let length = (0..4).map(|n| part(n) * part(n)).sum::<f64>();
        assert!((length - 1.0).abs() < 1e-4 && part(3) > 0.9 && (part(0) - 0.3534).abs() < 1e-3, "{length}");
        let bits = (-2_i32 << 24) | 13;
        assert_eq!(floats(bits.to_le_bytes().to_vec()), 3.25_f32.to_le_bytes());
    }
}
