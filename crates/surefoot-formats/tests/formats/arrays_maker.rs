//! Makes `.npy` and `.npz` files for tests, as NumPy and other programs write them.

use std::io::Write;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// How an archive states the sizes of its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Archive {
    /// As `numpy.savez`: sizes in a zip64 extra field of the local header.
    NumPy,
    /// As `numpy.savez_compressed`.
    Compressed,
    /// As a program that writes to a pipe: compressed, with the sizes after the data.
    Streamed,
}

/// An array as a `.npy` file. `descr` is its type as NumPy names it, as `<f4`.
pub fn npy(descr: &str, shape: &[usize], numbers: &[f64]) -> Vec<u8> {
    npy_in_order(descr, false, shape, numbers)
}

/// An array in C order or in Fortran order. `numbers` are in C order.
pub fn npy_in_order(descr: &str, is_fortran: bool, shape: &[usize], numbers: &[f64]) -> Vec<u8> {
    let tuple: String = shape.iter().map(|length| format!("{length},")).collect();
    let order = if is_fortran { "True" } else { "False" };
    let text = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': ({tuple}), }}");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    let padded = format!("{text:width$}\n", width = (text.len() + 11).next_multiple_of(64) - 11);
    bytes.extend((padded.len() as u16).to_le_bytes());
    bytes.extend(padded.as_bytes());
    assert_eq!(numbers.len(), shape.iter().product::<usize>());
    for at in 0..numbers.len() {
        let at = if is_fortran { c_index_of_fortran(at, shape) } else { at };
        bytes.extend(element(descr, numbers[at]));
    }
    bytes
}

/// The index in C order of the element that is stored at a place in Fortran order.
fn c_index_of_fortran(mut at: usize, shape: &[usize]) -> usize {
    let mut index = Vec::new();
    for length in shape {
        index.push(at % length);
        at /= length;
    }
    index.iter().zip(shape).fold(0, |sum, (index, length)| sum * length + index)
}

fn element(descr: &str, number: f64) -> Vec<u8> {
    let mut bytes = match &descr[1..] {
        "f8" => number.to_le_bytes().to_vec(),
        "f4" => (number as f32).to_le_bytes().to_vec(),
        "i4" => (number as i32).to_le_bytes().to_vec(),
        "i8" => (number as i64).to_le_bytes().to_vec(),
        other => panic!("no test needs {other}"),
    };
    if descr.starts_with('>') {
        bytes.reverse();
    }
    bytes
}

/// Words as an array of text.
pub fn words(words: &[&str]) -> Vec<u8> {
    let longest = words.iter().map(|word| word.len()).max().unwrap_or(1);
    let mut bytes = npy("<f8", &[], &[0.0]);
    let text = format!("{{'descr': '<U{longest}', 'fortran_order': False, 'shape': ({},), }}\n", words.len());
    bytes.truncate(8);
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
    for word in words {
        let letters = word.chars().chain(core::iter::repeat('\0')).take(longest);
        bytes.extend(letters.flat_map(|letter| (letter as u32).to_le_bytes()));
    }
    bytes
}

/// An archive of arrays.
pub fn npz(archive: Archive, members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in members {
        let name = format!("{name}.npy");
        let data = if archive == Archive::NumPy { content.clone() } else { deflated(content) };
        let mut crc = Crc::new();
        crc.update(content);
        let (crc, sizes) = (crc.sum().to_le_bytes(), [data.len() as u32, content.len() as u32]);
        let offset = out.len() as u32;
        let (flags, method) = match archive {
            Archive::NumPy => (0_u16, 0_u16),
            Archive::Compressed => (0, 8),
            Archive::Streamed => (8, 8),
        };
        let common = |sizes: [u32; 2], crc: [u8; 4], extra: u16| {
            let mut bytes = vec![45, 0];
            bytes.extend([flags.to_le_bytes(), method.to_le_bytes(), [0, 0], [0x21, 0]].concat());
            bytes.extend(crc);
            bytes.extend(sizes.map(u32::to_le_bytes).concat());
            bytes.extend([(name.len() as u16).to_le_bytes(), extra.to_le_bytes()].concat());
            bytes
        };
        out.extend(b"PK\x03\x04");
        if archive == Archive::Streamed {
            out.extend([&common([0; 2], [0; 4], 0), name.as_bytes(), &data].concat());
            out.extend([&b"PK\x07\x08"[..], &crc, &sizes.map(u32::to_le_bytes).concat()].concat());
        } else {
            out.extend([&common([u32::MAX; 2], crc, 20), name.as_bytes(), &[1, 0, 16, 0]].concat());
            let [compressed, original] = sizes.map(|size| u64::from(size).to_le_bytes());
            out.extend([&original[..], &compressed, &data].concat());
        }
        directory.extend([&b"PK\x01\x02\x2d\x03"[..], &common(sizes, crc, 0), &[0; 10]].concat());
        directory.extend([&offset.to_le_bytes()[..], name.as_bytes()].concat());
    }
    let (start, count) = (out.len() as u32, members.len() as u16);
    out.extend(&directory);
    out.extend([&b"PK\x05\x06\0\0\0\0"[..], &count.to_le_bytes(), &count.to_le_bytes()].concat());
    out.extend([&(directory.len() as u32).to_le_bytes()[..], &start.to_le_bytes(), &[0, 0]].concat());
    out
}

fn deflated(content: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}
