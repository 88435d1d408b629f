//! The NumPy array format (`.npy`): a header of Python text, then the numbers.
//!
//! Arrays may be big-endian, in Fortran order, or hold half-precision numbers, integers, Booleans and text. Arrays of
//! Python objects are pickled programs and are not read.

use super::error::ArraysError;
use crate::half;

/// The first bytes of every `.npy` file.
pub(super) const MAGIC: &[u8] = b"\x93NUMPY";
/// Most dimensions of an array; NumPy allows 64.
const MOST_DIMENSIONS: usize = 64;
/// Longest part of a header that is shown in a message.
const SHOWN: usize = 60;

/// The type of the elements of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ElementType {
    /// Floating-point numbers of 2, 4 or 8 bytes.
    Float,
    /// Signed integers.
    Int,
    /// Unsigned integers and Booleans.
    Unsigned,
    /// Text of four bytes per character.
    Unicode,
    /// Text of one byte per character.
    Ascii,
    /// A type without numbers or text, as NumPy names it: `|O` are pickled Python objects.
    Other(String),
}

/// The header of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub element: ElementType,
    /// Bytes of one element.
    pub size: usize,
    pub is_big_endian: bool,
    pub is_fortran: bool,
    pub shape: Vec<usize>,
    /// Where the numbers start.
    pub start: usize,
}

impl Header {
    /// Reads the header at the beginning of `bytes`. The numbers need not be there.
    pub fn read(bytes: &[u8]) -> Result<Self, ArraysError> {
        let wrong = |what: &str| ArraysError(format!("the header of the array {what}"));
        let [major, _] = *bytes.strip_prefix(MAGIC).and_then(|rest| rest.first_chunk()).unwrap_or(&[0, 0]);
        let length = |from: usize, count: usize| {
            let digits = bytes.get(from..from + count)?;
            Some(digits.iter().rev().fold(0, |sum, &digit| sum << 8 | usize::from(digit)))
        };
        let (text_at, length) = match major {
            1 => (10, length(8, 2)),
            2 | 3 => (12, length(8, 4)),
            _ => return Err(wrong("is not that of a NumPy array")),
        };
        let start = length.and_then(|length| length.checked_add(text_at));
        let text = start.and_then(|start| bytes.get(text_at..start)).ok_or_else(|| wrong("ends early"))?;
        let text = String::from_utf8_lossy(text);
        let value = |key: &str| value_of(&text, key).ok_or_else(|| wrong(&format!("has no {key}")));
        let (element, size, is_big_endian) = element_type(value("descr")?)?;
        let shape = shape(value("shape")?).ok_or_else(|| {
            let found: String = value_of(&text, "shape").unwrap_or_default().chars().take(SHOWN).collect();
            wrong(&format!("has the shape {found}, expected a tuple of numbers"))
        })?;
        let is_fortran = value("fortran_order")?.starts_with("True");
        Ok(Self { element, size, is_big_endian, is_fortran, shape, start: start.unwrap_or_default() })
    }

    /// The number of elements; `None` if it is too large for memory.
    pub fn len(&self) -> Option<usize> {
        self.shape.iter().try_fold(1_usize, |product, &length| product.checked_mul(length))
    }

    /// The length of the whole file in bytes; `None` if it is too large for memory.
    pub fn file_len(&self) -> Option<usize> {
        self.len()?.checked_mul(self.size)?.checked_add(self.start)
    }

    /// Whether the elements are floating-point numbers that can be read and written.
    pub fn is_float(&self) -> bool {
        self.element == ElementType::Float
    }

    /// Whether the elements are numbers.
    pub fn is_number(&self) -> bool {
        matches!(self.element, ElementType::Float | ElementType::Int | ElementType::Unsigned)
    }

    /// The shape as NumPy prints it.
    pub fn shape_text(&self) -> String {
        let lengths: Vec<String> = self.shape.iter().map(usize::to_string).collect();
        format!("({})", lengths.join(", "))
    }

    /// The header of an array of floating-point numbers like this one with another number of rows.
    pub fn bytes_with_rows(&self, before: usize, after: usize) -> Vec<u8> {
        let mut shape = self.shape.clone();
        // Lengths of 1 before the rows are those of a batch of one.
        if let Some(rows) = shape.iter_mut().find(|rows| **rows == before) {
            *rows = after;
        }
        let endian = if self.is_big_endian { '>' } else { '<' };
        header_bytes(&format!("{endian}f{}", self.size), self.is_fortran, &shape)
    }

    /// The numbers of an array in C order. `bytes` is the whole file.
    pub fn numbers(&self, bytes: &[u8]) -> Vec<f64> {
        let Some(data) = bytes.get(self.start..) else { return Vec::new() };
        let element = |data: &[u8]| number(&self.element, self.is_big_endian, data);
        let count = self.len().unwrap_or(0).min(data.len() / self.size.max(1));
        if !self.is_fortran || self.shape.len() < 2 {
            return data.chunks_exact(self.size).take(count).map(element).collect();
        }
        (0..count).map(|index| element(&data[self.stored_at(index) * self.size..][..self.size])).collect()
    }

    /// Replaces a number. `index` counts in C order.
    pub fn set(&self, bytes: &mut [u8], index: usize, value: f64) {
        let at = self.start + self.stored_at(index) * self.size;
        let mut digits = [0; 8];
        match self.size {
            2 => digits[..2].copy_from_slice(&half::from_f64(value).to_le_bytes()),
            4 => digits[..4].copy_from_slice(&(value as f32).to_le_bytes()),
            _ => digits = value.to_le_bytes(),
        }
        let digits = &mut digits[..self.size];
        if self.is_big_endian {
            digits.reverse();
        }
        bytes[at..at + self.size].copy_from_slice(digits);
    }

    /// The place in the file of the element with this index in C order.
    fn stored_at(&self, mut index: usize) -> usize {
        if !self.is_fortran {
            return index;
        }
        // In Fortran order the first index varies fastest.
        let mut stride: usize = self.shape.iter().product();
        let mut at = 0;
        for &length in self.shape.iter().rev() {
            stride /= length.max(1);
            at += (index % length.max(1)) * stride;
            index /= length.max(1);
        }
        at
    }

    /// The words of an array of text.
    pub fn words(&self, bytes: &[u8]) -> Vec<String> {
        let Some(data) = bytes.get(self.start..).filter(|_| self.size > 0) else { return Vec::new() };
        let letter = |four: &[u8]| {
            let mut digits: [u8; 4] = four.try_into().unwrap_or_default();
            if self.is_big_endian {
                digits.reverse();
            }
            char::from_u32(u32::from_le_bytes(digits)).unwrap_or(char::REPLACEMENT_CHARACTER)
        };
        let word = |data: &[u8]| match self.element {
            ElementType::Unicode => data.chunks_exact(4).map(letter).collect::<String>(),
            _ => String::from_utf8_lossy(data).into_owned(),
        };
        let words = data.chunks_exact(self.size).take(self.len().unwrap_or(0));
        words.map(|data| word(data).trim_end_matches('\0').to_owned()).collect()
    }
}

/// The header of an array as NumPy writes it.
pub(super) fn header_bytes(descr: &str, is_fortran: bool, shape: &[usize]) -> Vec<u8> {
    let lengths: Vec<String> = shape.iter().map(usize::to_string).collect();
    // A tuple of one has a comma.
    let tuple =
        if shape.len() == 1 { format!("({},)", shape[0]) } else { format!("({})", lengths.join(", ")) };
    let order = if is_fortran { "True" } else { "False" };
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {tuple}, }}");
    // The numbers start at a multiple of 64 bytes.
    let total = (MAGIC.len() + 4 + text.len() + 1).next_multiple_of(64);
    let length = total - MAGIC.len() - 4;
    text.extend(core::iter::repeat_n(' ', length - 1 - text.len()));
    text.push('\n');
    let mut bytes = MAGIC.to_vec();
    bytes.extend([1, 0]);
    bytes.extend((length as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes
}

/// The text after a key of a Python dictionary.
fn value_of<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let named = |quote: char| {
        let at = text.find(&format!("{quote}{key}{quote}"))?;
        text[at + key.len() + 2..].trim_start().strip_prefix(':')
    };
    named('\'').or_else(|| named('"')).map(str::trim_start)
}

/// The element type, its size in bytes and whether it is big-endian.
fn element_type(text: &str) -> Result<(ElementType, usize, bool), ArraysError> {
    let quote = text.chars().next().filter(|&quote| quote == '\'' || quote == '"');
    let name = quote.and_then(|quote| text[1..].split(quote).next());
    let Some(name) = name else {
        // A list: a structured type with named fields.
        return Ok((ElementType::Other("structured".into()), 1, false));
    };
    let mut letters = name.chars();
    let order = letters.next().unwrap_or_default();
    let (order, letters) = if order.is_ascii_alphabetic() { ('<', name.chars()) } else { (order, letters) };
    let kind = letters.clone().next().unwrap_or_default();
    let digits: String = letters.skip(1).collect();
    let size: Option<usize> = digits.parse().ok().filter(|&size| size <= 1 << 20);
    let is_big_endian = order == '>';
    let (element, size) = match (kind, size) {
        ('f', Some(size @ (2 | 4 | 8))) => (ElementType::Float, size),
        ('i', Some(size @ (1 | 2 | 4 | 8))) => (ElementType::Int, size),
        ('u' | 'b', Some(size @ (1 | 2 | 4 | 8))) => (ElementType::Unsigned, size),
        ('U', Some(count)) => (ElementType::Unicode, 4 * count),
        ('S', Some(count)) => (ElementType::Ascii, count),
        (_, size) => (ElementType::Other(name.chars().take(SHOWN).collect()), size.unwrap_or(1)),
    };
    Ok((element, size, is_big_endian))
}

/// The lengths of a Python tuple.
fn shape(text: &str) -> Option<Vec<usize>> {
    let inside = text.strip_prefix('(')?.split(')').next()?;
    let lengths = inside.split(',').map(str::trim).filter(|length| !length.is_empty());
    // Python 2 wrote long numbers with an L.
    let lengths: Option<Vec<usize>> =
        lengths.map(|length| length.trim_end_matches('L').parse().ok()).collect();
    lengths.filter(|lengths| lengths.len() <= MOST_DIMENSIONS)
}

/// An element of an array as a number.
fn number(element: &ElementType, is_big_endian: bool, data: &[u8]) -> f64 {
    let mut digits = [0; 8];
    digits[..data.len()].copy_from_slice(data);
    if is_big_endian {
        digits[..data.len()].reverse();
    }
    let bits = u64::from_le_bytes(digits);
    match (element, data.len()) {
        (ElementType::Float, 2) => half::to_f64(bits as u16),
        (ElementType::Float, 4) => f64::from(f32::from_bits(bits as u32)),
        (ElementType::Float, _) => f64::from_bits(bits),
        // The sign bit is at the top of the element's own bytes.
        (ElementType::Int, size) => ((bits as i64) << (64 - 8 * size) >> (64 - 8 * size)) as f64,
        _ => bits as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(descr: &str, is_fortran: bool, shape: &[usize], data: &[u8]) -> Vec<u8> {
        [header_bytes(descr, is_fortran, shape), data.to_vec()].concat()
    }

    #[test]
    fn numbers_of_every_type_are_read() {
        let cases: [(&str, Vec<u8>); 9] = [
            ("<f8", (-2.0_f64).to_le_bytes().to_vec()),
            (">f8", (-2.0_f64).to_be_bytes().to_vec()),
            ("<f4", (-2.0_f32).to_le_bytes().to_vec()),
            (">f4", (-2.0_f32).to_be_bytes().to_vec()),
            ("<f2", vec![0x00, 0xc0]),
            (">f2", vec![0xc0, 0x00]),
            ("<i4", (-2_i32).to_le_bytes().to_vec()),
            (">i8", (-2_i64).to_be_bytes().to_vec()),
            ("|i1", (-2_i8).to_le_bytes().to_vec()),
        ];
        for (descr, data) in cases {
            let bytes = array(descr, false, &[1], &data);
            let header = Header::read(&bytes).unwrap();
            assert_eq!(header.numbers(&bytes), [-2.0], "{descr}");
            assert_eq!(header.file_len(), Some(bytes.len()));
            assert_eq!(bytes.len() % 64, data.len());
        }
    }

    #[test]
    fn fortran_order_is_read_and_written_in_c_order() {
        let stored: Vec<u8> =
            [1.0_f32, 4.0, 2.0, 5.0, 3.0, 6.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        let mut bytes = array("<f4", true, &[2, 3], &stored);
        let header = Header::read(&bytes).unwrap();
        assert_eq!(header.numbers(&bytes), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        header.set(&mut bytes, 1, 9.0);
        assert_eq!(header.numbers(&bytes), [1.0, 9.0, 3.0, 4.0, 5.0, 6.0]);
    }

    #[test]
    fn text_is_read_without_padding() {
        let data: Vec<u8> =
            "hip\0\0\0ankle\0".chars().flat_map(|letter| (letter as u32).to_le_bytes()).collect();
        let bytes = array("<U6", false, &[2], &data);
        assert_eq!(Header::read(&bytes).unwrap().words(&bytes), ["hip", "ankle"]);
        let bytes = array("|S3", false, &[2], b"hipab\0");
        assert_eq!(Header::read(&bytes).unwrap().words(&bytes), ["hip", "ab"]);
    }

    #[test]
    fn a_header_with_rows_has_the_same_type() {
        let bytes = array(">f4", true, &[1, 7, 22, 3], &[]);
        let header = Header::read(&bytes).unwrap();
        let changed = Header::read(&header.bytes_with_rows(7, 9)).unwrap();
        assert_eq!(changed.shape, [1, 9, 22, 3]);
        assert_eq!((changed.is_big_endian, changed.is_fortran, changed.size), (true, true, 4));
    }

    #[test]
    fn headers_that_cannot_be_read_are_refused() {
        let of = |text: &str| {
            let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
            bytes.extend((text.len() as u16).to_le_bytes());
            bytes.extend(text.as_bytes());
            Header::read(&bytes)
        };
        assert!(of("{'descr': '<f4', 'fortran_order': False, 'shape': (3L, 2), }").is_ok());
        assert!(of("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }").is_err());
        assert!(of("{'fortran_order': False, 'shape': (1,)}").is_err());
        let huge =
            of("{'descr': '<f8', 'fortran_order': False, 'shape': (9999999999, 9999999999), }").unwrap();
        assert_eq!(huge.file_len(), None);
        let object = of("{'descr': '|O', 'fortran_order': False, 'shape': (), }").unwrap();
        assert_eq!(object.element, ElementType::Other("|O".into()));
        assert!(Header::read(b"\x93NUMPY\x01\x00\xff\xff{").is_err());
    }
}
