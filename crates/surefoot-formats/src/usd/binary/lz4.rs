//! LZ4 blocks, in which binary layers keep their tables.
//!
//! A block is a run of sequences: a byte with two lengths, literal bytes, and a copy of bytes that came before.

/// Decompresses a table into at most `size` bytes. `None` if it is damaged or longer.
///
/// The first byte counts chunks, which tables of more than 2 GB have; 0 is a single block without a length.
pub(super) fn decompress(bytes: &[u8], size: usize) -> Option<Vec<u8>> {
    let (&chunks, mut rest) = bytes.split_first()?;
    // A byte gives at most 255: the stated size may be far more than there is.
    let mut out = Vec::with_capacity(size.min(bytes.len().saturating_mul(255)));
    if chunks == 0 {
        block(rest, &mut out, size)?;
        return Some(out);
    }
    for _ in 0..chunks {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let (own, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        block(own, &mut out, size)?;
        rest = after;
    }
    Some(out)
}

fn block(mut rest: &[u8], out: &mut Vec<u8>, size: usize) -> Option<()> {
    while let Some((&token, after)) = rest.split_first() {
        rest = after;
        let literals = length(usize::from(token >> 4), &mut rest)?;
        let (copied, after) = rest.split_at_checked(literals)?;
        if out.len().checked_add(literals)? > size {
            return None;
        }
        out.extend_from_slice(copied);
        rest = after;
        if rest.is_empty() {
            // The last sequence has literals only.
            return Some(());
        }
        let (offset, after) = rest.split_first_chunk::<2>()?;
        rest = after;
        let repeated = length(usize::from(token & 15), &mut rest)?.checked_add(4)?;
        let start = out.len().checked_sub(usize::from(u16::from_le_bytes(*offset)))?;
        if start == out.len() || out.len().checked_add(repeated)? > size {
            return None;
        }
        // The copy may reach into itself, which repeats its beginning.
        for at in start..start + repeated {
            out.push(out[at]);
        }
    }
    Some(())
}

/// A length of four bits, which 15 continues with bytes up to one that is not 255.
fn length(first: usize, rest: &mut &[u8]) -> Option<usize> {
    let mut length = first;
    if first == 15 {
        loop {
            let (&byte, after) = rest.split_first()?;
            *rest = after;
            length = length.checked_add(usize::from(byte))?;
            if byte < 255 {
                break;
            }
        }
    }
    Some(length)
}

/// A table as a block that is not compressed: one run of literals.
pub(super) fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0];
    let length = bytes.len();
    out.push((length.min(15) as u8) << 4);
    if let Some(beyond) = length.checked_sub(15) {
        out.resize(out.len() + beyond / 255, 255);
        out.push((beyond % 255) as u8);
    }
    out.extend_from_slice(bytes);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_repeats_the_bytes_before() {
        // Three literals, then eight bytes from three before, then one literal.
        let block = [0, 0x34, b'a', b'b', b'c', 3, 0, 0x10, b'!'];
        assert_eq!(decompress(&block, 100).unwrap(), b"abcabcabcab!");
        assert_eq!(decompress(&block, 11), None);
    }

    #[test]
    fn stored_tables_are_read_again() {
        for length in [0, 1, 14, 15, 16, 269, 270, 271, 1_000] {
            let bytes: Vec<u8> = (0..length).map(|n| n as u8).collect();
            assert_eq!(decompress(&stored(&bytes), length).unwrap(), bytes, "{length}");
        }
    }

    #[test]
    fn a_copy_from_before_the_beginning_is_refused() {
        assert_eq!(decompress(&[0, 0x10, b'a', 2, 0, 0], 100), None);
        assert_eq!(decompress(&[0, 0x10, b'a', 0, 0, 0], 100), None);
    }
}
