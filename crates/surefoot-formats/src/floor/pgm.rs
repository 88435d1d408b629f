//! A greyscale image as a height field: PGM, plain (P2) or raw (P5), of 8 or 16 bits.
//!
//! Black is the lowest height and white the highest, at the centre of each pixel. Columns run
//! along the first ground axis and rows along the second: seen from above, with Y up, X points to
//! the right of the image and Z down.

use surefoot_core::floor::Surface;

use super::error::{FloorError, shown};
use super::height_grid::HeightGrid;
use crate::Space;

/// Size, heights and position of an image on the ground, in metres. A PGM file has none of these.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImagePlacement {
    /// The side of a pixel.
    pub cell: f64,
    /// The heights of black and white.
    pub heights: (f64, f64),
    /// The centre of the first pixel along the two ground axes; `None` centres the image at 0, 0.
    pub origin: Option<(f64, f64)>,
}

/// Reads a PGM image as a floor in the axes of `space`.
pub fn read_pgm(bytes: &[u8], image: &ImagePlacement, space: &Space) -> Result<Surface, FloorError> {
    let mut words = Words { bytes, at: 0, line: 1 };
    let magic = words.word("P2 or P5")?;
    if magic != b"P2" && magic != b"P5" {
        return Err(FloorError::Unexpected { line: 1, found: shown(magic), expected: "P2 or P5".into() });
    }
    let is_raw = magic == b"P5";
    let columns = words.number("a width of at least 2", 2, usize::MAX)?;
    let rows = words.number("a height of at least 2", 2, usize::MAX)?;
    let white = words.number("a grey value for white from 1 to 65535", 1, 65_535)?;
    let grey = if is_raw {
        raw(words.raw(), columns, rows, white, words.line)?
    } else {
        plain(words, columns, rows, white)?
    };
    let (low, high) = image.heights;
    let height = |grey: u16| low + (high - low) * (f64::from(grey) / white as f64);
    let half = |count: usize| -0.5 * (count - 1) as f64 * image.cell;
    let first = image.origin.map_or([half(columns), half(rows)], |(x, z)| [x, z]);
    let heights = grey.into_iter().map(height).collect();
    HeightGrid { first, step: [image.cell; 2], columns, heights }.surface(space)
}

/// The pixels of a raw image: one byte each, or two, big-endian.
fn raw(bytes: &[u8], columns: usize, rows: usize, white: usize, line: usize) -> Result<Vec<u16>, FloorError> {
    let size = if white < 256 { 1 } else { 2 };
    let length = columns.checked_mul(rows).and_then(|pixels| pixels.checked_mul(size));
    let Some(bytes) = length.and_then(|length| bytes.get(..length)) else {
        let expected = format!("{columns} × {rows} pixels of {size} bytes");
        return Err(FloorError::Truncated { line, expected });
    };
    let value = |pixel: &[u8]| pixel.iter().fold(0, |value, &byte| value << 8 | u16::from(byte));
    let grey: Vec<u16> = bytes.chunks_exact(size).map(value).collect();
    match grey.iter().find(|&&grey| usize::from(grey) > white) {
        Some(found) => Err(FloorError::Unexpected {
            line,
            found: found.to_string(),
            expected: format!("pixels from 0 to {white}"),
        }),
        None => Ok(grey),
    }
}

fn plain(mut words: Words, columns: usize, rows: usize, white: usize) -> Result<Vec<u16>, FloorError> {
    let mut grey = Vec::new();
    let pixel = format!("a pixel from 0 to {white}");
    for _ in 0..columns.saturating_mul(rows) {
        grey.push(words.number(&pixel, 0, white)? as u16);
    }
    Ok(grey)
}

/// Iterates over the words of a text, skipping blanks and comments.
struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
}

impl<'a> Words<'a> {
    fn word(&mut self, expected: &str) -> Result<&'a [u8], FloorError> {
        let mut in_comment = false;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' => {
                    self.line += 1;
                    in_comment = false;
                }
                _ if in_comment || byte.is_ascii_whitespace() => {}
                b'#' => in_comment = true,
                _ => break,
            }
            self.at += 1;
        }
        let rest = &self.bytes[self.at..];
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'#';
        let length = rest.iter().position(is_end).unwrap_or(rest.len());
        if length == 0 {
            return Err(FloorError::Truncated { line: self.line, expected: expected.into() });
        }
        self.at += length;
        Ok(&rest[..length])
    }

    fn number(&mut self, expected: &str, least: usize, most: usize) -> Result<usize, FloorError> {
        let word = self.word(expected)?;
        let number = core::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
        number.filter(|number| (least..=most).contains(number)).ok_or_else(|| FloorError::Unexpected {
            line: self.line,
            found: shown(word),
            expected: expected.into(),
        })
    }

    /// The bytes after the header and the single blank that ends it.
    fn raw(&self) -> &'a [u8] {
        self.bytes.get(self.at + 1..).unwrap_or_default()
    }
}
