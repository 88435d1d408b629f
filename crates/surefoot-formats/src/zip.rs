//! The directory of a zip archive, and an archive with some members replaced and all others copied byte for byte.
//!
//! NumPy writes archives whose local headers state sizes in a zip64 extra field; other programs write sizes after the
//! data. The central directory at the end of the archive is correct in both, so that all sizes are read from it.

use core::ops::Range;

use flate2::bufread::{DeflateDecoder, DeflateEncoder};
use flate2::{Compression, Crc};
use std::io::Read;

/// What is wrong with an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ZipError(pub String);

const LOCAL: &[u8] = b"PK\x03\x04";
const CENTRAL: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";
const END_64: &[u8] = b"PK\x06\x06";
const LOCATOR_64: &[u8] = b"PK\x06\x07";
/// Bytes of the end record without its comment, and of a local and a central header without name and extra fields.
const END_LENGTH: usize = 22;
const LOCAL_LENGTH: usize = 30;
const CENTRAL_LENGTH: usize = 46;
/// The flag of a member whose sizes follow its data, and of an encrypted one.
const SIZES_FOLLOW: u16 = 1 << 3;
const ENCRYPTED: u16 = 1;
/// Longest description of sizes after the data, in bytes.
const LONGEST_DESCRIPTOR: usize = 24;
/// The extra field that moves the data of a member of a USD package to a multiple of 64 bytes.
const PADDING: u16 = 0x1986;
/// A size or offset that is in the zip64 extra field instead.
const IN_EXTRA: u64 = 0xffff_ffff;

/// A number in the archive: its place and its width in bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Field {
    at: usize,
    width: usize,
}

impl Field {
    fn get(self, bytes: &[u8]) -> Option<u64> {
        let digits = bytes.get(self.at..self.at.checked_add(self.width)?)?;
        Some(digits.iter().rev().fold(0, |sum, &digit| sum << 8 | u64::from(digit)))
    }

    /// Writes a value; `None` if it does not fit.
    fn set(self, bytes: &mut [u8], value: u64) -> Option<()> {
        if self.width < 8 && value >> (8 * self.width) != 0 || self.width == 4 && value == IN_EXTRA {
            return None;
        }
        bytes.get_mut(self.at..self.at + self.width)?.copy_from_slice(&value.to_le_bytes()[..self.width]);
        Some(())
    }

    /// The same field in a copy of the bytes that starts at `start`.
    fn from(self, start: usize) -> Self {
        Self { at: self.at - start, ..self }
    }
}

/// A file in an archive.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// Its name.
    pub name: String,
    /// Its size after decompression.
    pub size: usize,
    header: usize,
    data: Range<usize>,
    is_compressed: bool,
    /// Why it cannot be read.
    problem: Option<&'static str>,
    crc: Field,
    /// Compressed and original size, and offset of the header, in the central directory.
    sizes: [Field; 2],
    offset: Field,
    /// Compressed and original size in the local header.
    local_sizes: [Field; 2],
}

/// The directory of an archive.
#[derive(Clone, Debug, Default)]
pub(crate) struct Directory {
    pub members: Vec<Member>,
    /// Where the central directory starts.
    start: usize,
    /// The fields that state where it starts, and the offset of the zip64 end record.
    starts: Vec<Field>,
    end_64: Option<Field>,
}

impl Directory {
    /// Reads the central directory.
    pub fn read(bytes: &[u8]) -> Result<Self, ZipError> {
        let wrong = |what: &str| ZipError(format!("the zip archive {what}: it is damaged or cut off"));
        let last = bytes.len().checked_sub(END_LENGTH).ok_or_else(|| wrong("is too short"))?;
        let earliest = last.saturating_sub(0xffff);
        let end = (earliest..=last).rev().find(|&at| bytes[at..].starts_with(END));
        let end = end.ok_or_else(|| wrong("has no directory at its end"))?;
        let mut count = Field { at: end + 10, width: 2 };
        let mut starts = vec![Field { at: end + 16, width: 4 }];
        let mut end_64 = None;
        let locator = end.checked_sub(20).filter(|&at| bytes[at..].starts_with(LOCATOR_64));
        if let Some(locator) = locator {
            let field = Field { at: locator + 8, width: 8 };
            let record = field.get(bytes).and_then(|at| usize::try_from(at).ok());
            let record = record.filter(|&at| bytes.get(at..).is_some_and(|rest| rest.starts_with(END_64)));
            let record = record.ok_or_else(|| wrong("has no zip64 directory"))?;
            end_64 = Some(field);
            count = Field { at: record + 32, width: 8 };
            starts.insert(0, Field { at: record + 48, width: 8 });
        }
        let start = starts[0].get(bytes).and_then(|at| usize::try_from(at).ok()).filter(|&at| at <= end);
        let start = start.ok_or_else(|| wrong("has its directory outside the file"))?;
        if starts.iter().chain(&end_64).any(|field| field.at < start) {
            return Err(wrong("ends before its directory"));
        }
        let mut directory = Self { start, starts, end_64, ..Self::default() };
        let mut at = start;
        for _ in 0..count.get(bytes).unwrap_or(0) {
            let (member, next) =
                member(bytes, at, start).ok_or_else(|| wrong("has a directory that does not fit"))?;
            directory.members.push(member);
            at = next;
        }
        Ok(directory)
    }

    /// The archive with the content of some members replaced, and the data of all others at multiples of `alignment` if
    /// they were. `None` if it would get too large for its headers.
    pub fn replace(&self, bytes: &[u8], changes: &[(usize, Vec<u8>)], alignment: usize) -> Option<Vec<u8>> {
        let mut order: Vec<usize> = (0..self.members.len()).collect();
        order.sort_by_key(|&index| self.members[index].header);
        let mut out = Vec::with_capacity(bytes.len());
        let mut tail = bytes[self.start..].to_vec();
        let (mut copied, mut ends) = (0, order.iter().skip(1).map(|&next| self.members[next].header));
        for &index in &order {
            let member = &self.members[index];
            let next = ends.next().unwrap_or(self.start);
            out.extend_from_slice(bytes.get(copied..member.header)?);
            member.offset.from(self.start).set(&mut tail, out.len() as u64)?;
            copied = member.header;
            if let Some((_, content)) = changes.iter().find(|(changed, _)| *changed == index) {
                member.write(bytes, content, &mut out, (&mut tail, self.start))?;
                copied = member.end(bytes, next);
            } else if member.data.start.is_multiple_of(alignment) {
                member.write_padded_header(bytes, &mut out, alignment)?;
                copied = member.data.start;
            }
        }
        out.extend_from_slice(bytes.get(copied..self.start)?);
        let moved = out.len() as i64 - self.start as i64;
        for field in &self.starts {
            // A field of four bytes is unused where the zip64 record states the start.
            if field.get(bytes)? != IN_EXTRA || field.width == 8 {
                field.from(self.start).set(&mut tail, out.len() as u64)?;
            }
        }
        if let Some(field) = self.end_64 {
            let at = field.get(bytes)?.checked_add_signed(moved)?;
            field.from(self.start).set(&mut tail, at)?;
        }
        out.extend_from_slice(&tail);
        Some(out)
    }
}

impl Member {
    /// The first bytes of the content: at most `most` of them.
    pub fn content(&self, bytes: &[u8], most: usize) -> Result<Vec<u8>, ZipError> {
        if let Some(problem) = self.problem {
            return Err(ZipError(problem.into()));
        }
        let data = &bytes[self.data.clone()];
        if !self.is_compressed {
            return Ok(data[..data.len().min(most)].to_vec());
        }
        let mut content = Vec::with_capacity(most.min(self.size).min(20 * data.len()));
        let read = DeflateDecoder::new(data).take(most as u64).read_to_end(&mut content);
        read.map_err(|_| ZipError("its compressed data are damaged".into()))?;
        Ok(content)
    }

    /// Checks the whole content against the checksum of the directory.
    pub fn check(&self, bytes: &[u8], content: &[u8]) -> Result<(), ZipError> {
        let mut crc = Crc::new();
        crc.update(content);
        let stated = self.crc.get(bytes).unwrap_or(0);
        if content.len() == self.size && u64::from(crc.sum()) == stated {
            return Ok(());
        }
        let (found, size) = (content.len(), self.size);
        Err(ZipError(format!(
            "{found} bytes with checksum {:08x} were found, expected {size} with {stated:08x}: the file is damaged",
            crc.sum()
        )))
    }

    /// Writes this member with other content, and its fields in the central directory.
    fn write(&self, bytes: &[u8], content: &[u8], out: &mut Vec<u8>, tail: (&mut [u8], usize)) -> Option<()> {
        let (tail, tail_start) = tail;
        let mut data = Vec::new();
        if self.is_compressed {
            let mut encoder = DeflateEncoder::new(content, Compression::default());
            encoder.read_to_end(&mut data).ok()?;
        } else {
            data.extend_from_slice(content);
        }
        let mut crc = Crc::new();
        crc.update(content);
        let mut header = bytes[self.header..self.data.start].to_vec();
        // The sizes are known now, and stand in the header.
        header[6] &= !(SIZES_FOLLOW as u8);
        Field { at: 14, width: 4 }.set_any(&mut header, u64::from(crc.sum()));
        self.crc.from(tail_start).set_any(tail, u64::from(crc.sum()));
        let flags = Field { at: self.crc.at - 8, width: 2 }.from(tail_start);
        flags.set(tail, flags.get(tail)? & !u64::from(SIZES_FOLLOW))?;
        for (n, size) in [data.len(), content.len()].into_iter().enumerate() {
            self.local_sizes[n].from(self.header).set(&mut header, size as u64)?;
            self.sizes[n].from(tail_start).set(tail, size as u64)?;
        }
        out.extend_from_slice(&header);
        out.extend_from_slice(&data);
        Some(())
    }

    /// Writes the local header, with an extra field that moves the data to the next multiple of `alignment` if needed.
    fn write_padded_header(&self, bytes: &[u8], out: &mut Vec<u8>, alignment: usize) -> Option<()> {
        let mut header = bytes.get(self.header..self.data.start)?.to_vec();
        let beyond = (out.len() + header.len()) % alignment;
        if beyond != 0 {
            // An extra field has a number and a length of two bytes each.
            let missing = alignment - beyond;
            let missing = if missing < 4 { missing + alignment } else { missing };
            let extra = Field { at: 28, width: 2 };
            let length = extra.get(&header)? + missing as u64;
            extra.set(&mut header, length)?;
            header.extend(PADDING.to_le_bytes());
            header.extend((missing as u16 - 4).to_le_bytes());
            header.resize(header.len() + missing - 4, 0);
        }
        out.extend_from_slice(&header);
        Some(())
    }

    /// Where the content is in the archive; `None` if it is compressed or cannot be read.
    #[cfg(feature = "usd")]
    pub fn stored(&self) -> Option<Range<usize>> {
        (!self.is_compressed && self.problem.is_none()).then(|| self.data.clone())
    }

    /// Where this member ends, with the sizes after its data.
    fn end(&self, bytes: &[u8], next: usize) -> usize {
        let flags = Field { at: self.header + 6, width: 2 }.get(bytes).unwrap_or(0) as u16;
        let has_descriptor =
            flags & SIZES_FOLLOW != 0 && next.saturating_sub(self.data.end) <= LONGEST_DESCRIPTOR;
        if has_descriptor { next.max(self.data.end) } else { self.data.end }
    }
}

impl Field {
    /// Writes a value that every field of this width can hold.
    fn set_any(self, bytes: &mut [u8], value: u64) {
        if let Some(digits) = bytes.get_mut(self.at..self.at + self.width) {
            digits.copy_from_slice(&value.to_le_bytes()[..self.width]);
        }
    }
}

/// The member whose central header is at a place, and the place of the next one.
fn member(bytes: &[u8], at: usize, directory: usize) -> Option<(Member, usize)> {
    if !bytes.get(at..)?.starts_with(CENTRAL) {
        return None;
    }
    let number = |offset: usize, width: usize| Field { at: at + offset, width }.get(bytes);
    let (flags, method) = (number(8, 2)? as u16, number(10, 2)?);
    let [name, extra, comment] = [28, 30, 32].map(|offset| number(offset, 2).unwrap_or(0) as usize);
    let extra_at = at + CENTRAL_LENGTH + name;
    let name = String::from_utf8_lossy(bytes.get(at + CENTRAL_LENGTH..extra_at)?).into_owned();
    let fields = [(24, 4), (20, 4), (42, 4)].map(|(offset, width)| Field { at: at + offset, width });
    let [original, compressed, offset] = in_extra(bytes, fields, extra_at, extra)?;
    let header = usize::try_from(offset.get(bytes)?).ok()?;
    if !bytes.get(header..)?.starts_with(LOCAL) {
        return None;
    }
    let local = |offset: usize| Some(Field { at: header + offset, width: 2 }.get(bytes)? as usize);
    let local_extra_at = header + LOCAL_LENGTH + local(26)?;
    let start = local_extra_at + local(28)?;
    let end =
        start.checked_add(usize::try_from(compressed.get(bytes)?).ok()?).filter(|&end| end <= directory)?;
    let local_fields = [22, 18].map(|offset| Field { at: header + offset, width: 4 });
    let [local_original, local_compressed] = in_extra(bytes, local_fields, local_extra_at, local(28)?)?;
    let size = usize::try_from(original.get(bytes)?).ok()?;
    let problem = match method {
        _ if flags & ENCRYPTED != 0 => Some("it is encrypted"),
        0 if size != end - start => return None,
        0 | 8 => None,
        _ => Some("it is compressed by a method other than deflate"),
    };
    let member = Member {
        name,
        size,
        header,
        data: start..end,
        is_compressed: method != 0,
        problem,
        crc: Field { at: at + 16, width: 4 },
        sizes: [compressed, original],
        offset,
        local_sizes: [local_compressed, local_original],
    };
    Some((member, extra_at + extra + comment))
}

/// Fields of a header; those with all bits set are in the zip64 extra field, in the same order.
fn in_extra<const N: usize>(
    bytes: &[u8],
    mut fields: [Field; N],
    extra_at: usize,
    extra: usize,
) -> Option<[Field; N]> {
    let end = extra_at.checked_add(extra).filter(|&end| end <= bytes.len())?;
    let mut at = extra_at;
    while at + 4 <= end {
        let id = Field { at, width: 2 }.get(bytes)?;
        let length = Field { at: at + 2, width: 2 }.get(bytes)? as usize;
        if id == 1 {
            let mut value = at + 4;
            for field in &mut fields {
                if field.get(bytes)? == IN_EXTRA {
                    *field = Field { at: value, width: 8 };
                    value += 8;
                }
            }
            return (value <= end).then_some(fields);
        }
        at += 4 + length;
    }
    Some(fields)
}

/// An archive in which nothing is compressed, with these files.
pub(crate) fn new_archive(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in files {
        let mut crc = Crc::new();
        crc.update(content);
        let mut common = Vec::new();
        // Version 2.0, no flags, stored, at midnight on 1 January 1980, as NumPy writes it.
        common.extend([20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0]);
        common.extend(crc.sum().to_le_bytes());
        common.extend([(content.len() as u32).to_le_bytes(); 2].concat());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        let offset = out.len() as u32;
        out.extend([LOCAL, &common, name.as_bytes(), content].concat());
        directory.extend([CENTRAL, &[20, 3], &common].concat());
        directory.extend([0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x01]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (start, count) = (out.len() as u32, files.len() as u16);
    out.extend_from_slice(&directory);
    out.extend([END, &[0; 4]].concat());
    out.extend([count.to_le_bytes(); 2].concat());
    out.extend([(directory.len() as u32).to_le_bytes(), start.to_le_bytes()].concat());
    out.extend([0, 0]);
    out
}
