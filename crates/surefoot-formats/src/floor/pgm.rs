//! A grey image as a height field: PGM, plain (P2) or raw (P5), of 8 or 16 bits.
//!
//! Black is the lowest, white the highest. The image lies on the ground as it is seen: columns
//! along the first axis of the ground, rows along the second, so from above, with Y up, X goes to
//! the right and Z down the page. A height is at the middle of each pixel.

use surefoot_core::floor::Surface;

use super::error::{FloorError, shown};
use super::field::Heights;
use crate::Space;

/// How large a grey image is on the ground, and how high: a PGM file does not say. Metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImagePlacement {
    /// The side of a pixel.
    pub cell: f64,
    /// The heights of black and of white.
    pub heights: (f64, f64),
    /// Where the middle of the first pixel is, along the two axes of the ground; none puts the
    /// middle of the image where both are 0.
    pub origin: Option<(f64, f64)>,
}

/// Reads a PGM image as a floor for a motion whose axes are `space`'s.
pub fn read_pgm(bytes: &[u8], image: &ImagePlacement, space: &Space) -> Result<Surface, FloorError> {
    let mut words = Words { bytes, at: 0, line: 1 };
    let magic = words.word("P2 or P5")?;
    if magic != b"P2" && magic != b"P5" {
        return Err(FloorError::Expected { line: 1, found: shown(magic), expected: "P2 or P5".into() });
    }
    let is_raw = magic == b"P5";
    let columns = words.number("a width from 2 on", 2, usize::MAX)?;
    let rows = words.number("a height from 2 on", 2, usize::MAX)?;
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
    Heights { first, step: [image.cell; 2], columns, heights }.surface(space)
}

/// The pixels of a raw image: a byte each, or two, the greater first.
fn raw(bytes: &[u8], columns: usize, rows: usize, white: usize, line: usize) -> Result<Vec<u16>, FloorError> {
    let size = if white < 256 { 1 } else { 2 };
    let wanted = columns.checked_mul(rows).and_then(|pixels| pixels.checked_mul(size));
    let Some(bytes) = wanted.and_then(|wanted| bytes.get(..wanted)) else {
        let expected = format!("{columns} × {rows} pixels of {size} bytes");
        return Err(FloorError::Ends { line, expected });
    };
    let value = |pixel: &[u8]| pixel.iter().fold(0, |value, &byte| value << 8 | u16::from(byte));
    let grey: Vec<u16> = bytes.chunks_exact(size).map(value).collect();
    match grey.iter().find(|&&grey| usize::from(grey) > white) {
        Some(found) => Err(FloorError::Expected {
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

/// The words of a header, with blanks and comments between.
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
            return Err(FloorError::Ends { line: self.line, expected: expected.into() });
        }
        self.at += length;
        Ok(&rest[..length])
    }

    fn number(&mut self, expected: &str, least: usize, most: usize) -> Result<usize, FloorError> {
        let word = self.word(expected)?;
        let number = core::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
        number.filter(|number| (least..=most).contains(number)).ok_or_else(|| FloorError::Expected {
            line: self.line,
            found: shown(word),
            expected: expected.into(),
        })
    }

    /// What follows the one blank after the header.
    fn raw(&self) -> &'a [u8] {
        self.bytes.get(self.at + 1..).unwrap_or_default()
    }
}
