//! Lists of integers in binary layers: differences of 0, 1, 2 or 4 bytes, with two bits each for the width.

use super::lz4;

/// Decodes `count` integers. `None` if the data are damaged.
pub(super) fn decode(bytes: &[u8], count: usize) -> Option<Vec<i32>> {
    let codes = count.div_ceil(4);
    let plain = lz4::decompress(bytes, 4 + codes + count.checked_mul(4)?)?;
    let (common, rest) = plain.split_first_chunk::<4>()?;
    let common = i32::from_le_bytes(*common);
    let (codes, mut rest) = rest.split_at_checked(codes)?;
    let mut integers = Vec::with_capacity(count);
    let mut last = 0_i32;
    for index in 0..count {
        let difference = match codes[index / 4] >> (2 * (index % 4)) & 3 {
            0 => common,
            1 => i32::from(i8::from_le_bytes(take(&mut rest)?)),
            2 => i32::from(i16::from_le_bytes(take(&mut rest)?)),
            _ => i32::from_le_bytes(take(&mut rest)?),
        };
        last = last.wrapping_add(difference);
        integers.push(last);
    }
    Some(integers)
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (bytes, after) = rest.split_first_chunk::<N>()?;
    *rest = after;
    Some(*bytes)
}

/// Encodes integers with differences of four bytes each.
pub(super) fn encode(integers: &[i32]) -> Vec<u8> {
    let mut plain = vec![0; 4];
    plain.resize(4 + integers.len().div_ceil(4), 0xff);
    let mut last = 0_i32;
    for &integer in integers {
        plain.extend(integer.wrapping_sub(last).to_le_bytes());
        last = integer;
    }
    lz4::stored(&plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_of_all_widths_are_added_up() {
        // 5 is the common difference; then 1 of one byte, 1000 of two, 100,000 of four.
        let mut plain = vec![5, 0, 0, 0, 0b11_10_01_00, 1];
        plain.extend(1000_i16.to_le_bytes());
        plain.extend(100_000_i32.to_le_bytes());
        assert_eq!(decode(&lz4::stored(&plain), 4).unwrap(), [5, 6, 1006, 101_006]);
        assert_eq!(decode(&lz4::stored(&plain), 6), None);
    }

    #[test]
    fn encoded_integers_are_decoded() {
        let integers = [0, 7, -3, i32::MAX, i32::MIN, 12, 12];
        assert_eq!(decode(&encode(&integers), integers.len()).unwrap(), integers);
    }
}
