//! The arrays of a `.npz` or `.npy` file, by name.

use super::error::ArraysError;
use super::npy::{Header, MAGIC};
use crate::zip::Directory;

/// The name of the array in a `.npy` file, as `numpy.savez` names an array without a name.
pub(super) const ONLY: &str = "arr_0";
/// Longest header of an array that is read, in bytes. Headers with numbers have some hundred.
const HEADER_BYTES: usize = 1 << 16;
/// Memory for decompressed arrays beyond 20 times the size of their file, in bytes.
const DECOMPRESSED_BYTES: usize = 1 << 29;

/// An array in a file.
#[derive(Clone, Debug)]
pub(super) struct ArrayInfo {
    /// Its name, without `.npy`.
    pub name: String,
    pub header: Header,
    /// Its member of the archive; `None` in a `.npy` file.
    member: Option<usize>,
}

impl ArrayInfo {
    /// Its name in lower case with letters and digits only, as names are compared.
    pub fn plain_name(&self) -> String {
        plain(&self.name)
    }

    /// Its shape without leading lengths of 1, as a batch of one has, unless `dimensions` or fewer are left.
    pub fn shape_of(&self, dimensions: usize) -> &[usize] {
        let mut shape = self.header.shape.as_slice();
        while let [1, rest @ ..] = shape
            && rest.len() >= dimensions
        {
            shape = rest;
        }
        shape
    }
}

/// A name in lower case with letters and digits only.
pub(super) fn plain(name: &str) -> String {
    name.chars()
        .filter(|letter| letter.is_ascii_alphanumeric())
        .map(|letter| letter.to_ascii_lowercase())
        .collect()
}

/// The arrays of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct ArrayFile {
    pub arrays: Vec<ArrayInfo>,
    directory: Option<Directory>,
}

impl ArrayFile {
    /// Reads the headers of all arrays. Members of an archive that are not arrays are left alone.
    pub fn read(bytes: &[u8]) -> Result<Self, ArraysError> {
        if bytes.starts_with(MAGIC) {
            let header = Header::read(bytes)?;
            let array = ArrayInfo { name: ONLY.into(), header, member: None };
            return Ok(Self { arrays: vec![array], directory: None });
        }
        let directory = Directory::read(bytes)?;
        let mut arrays = Vec::new();
        for (index, member) in directory.members.iter().enumerate() {
            let Some(name) = member.name.strip_suffix(".npy") else { continue };
            let beginning = member.content(bytes, HEADER_BYTES).map_err(ArraysError::from);
            let header = beginning.and_then(|beginning| Header::read(&beginning));
            let header = header.map_err(|error| error.in_array(name))?;
            arrays.push(ArrayInfo { name: name.into(), header, member: Some(index) });
        }
        Ok(Self { arrays, directory: Some(directory) })
    }

    /// The bytes of an array as a `.npy` file.
    pub fn npy(&self, bytes: &[u8], array: usize) -> Result<Vec<u8>, ArraysError> {
        let ArrayInfo { name, header, member } = &self.arrays[array];
        let shape = header.shape_text();
        let most = DECOMPRESSED_BYTES.saturating_add(bytes.len().saturating_mul(20));
        let expected = header.file_len().filter(|&length| length <= most);
        let expected = expected.ok_or_else(|| {
            ArraysError(format!("found the shape {shape}, expected an array that fits into memory"))
                .in_array(name)
        })?;
        let npy = match (member, &self.directory) {
            (Some(member), Some(directory)) => {
                let member = &directory.members[*member];
                // One byte more shows that the member is longer than its array.
                let content = member.content(bytes, member.size.min(most).saturating_add(1));
                let wrong = |error| ArraysError::from(error).in_array(name);
                let content = content.map_err(wrong)?;
                member.check(bytes, &content).map_err(wrong)?;
                content
            }
            _ => bytes.to_vec(),
        };
        if npy.len() < expected {
            let found = npy.len();
            let text = format!("{found} bytes were found, expected {expected} for the shape {shape}");
            return Err(ArraysError(text).in_array(name));
        }
        Ok(npy)
    }

    /// The numbers of an array in C order.
    pub fn numbers(&self, bytes: &[u8], array: usize) -> Result<Vec<f64>, ArraysError> {
        let npy = self.npy(bytes, array)?;
        Ok(self.arrays[array].header.numbers(&npy))
    }

    /// The file with some arrays replaced, each given as a `.npy` file. `None` if the archive would get too large.
    pub fn replace(&self, bytes: &[u8], changes: Vec<(usize, Vec<u8>)>) -> Option<Vec<u8>> {
        let Some(directory) = &self.directory else {
            return Some(changes.into_iter().next().map_or_else(|| bytes.to_vec(), |(_, npy)| npy));
        };
        if changes.is_empty() {
            return Some(bytes.to_vec());
        }
        let changes: Option<Vec<(usize, Vec<u8>)>> =
            changes.into_iter().map(|(array, npy)| Some((self.arrays[array].member?, npy))).collect();
        directory.replace(bytes, &changes?, 1)
    }

    /// The first array with one of these plain names that fulfils a condition.
    pub fn find(&self, names: &[&str], is_fit: impl Fn(&ArrayInfo) -> bool) -> Option<usize> {
        let named =
            |name: &&str| self.arrays.iter().position(|array| array.plain_name() == **name && is_fit(array));
        names.iter().find_map(named)
    }

    /// The arrays as a list for a message: names and shapes.
    pub fn describe(&self) -> String {
        /// How many arrays are listed.
        const LISTED: usize = 12;
        let one = |array: &ArrayInfo| {
            let name: String = array.name.chars().take(40).collect();
            match &array.header.element {
                super::npy::ElementType::Other(kind) => format!("{name:?} of type {kind}"),
                _ => format!("{name:?} {}", array.header.shape_text()),
            }
        };
        let listed: Vec<String> = self.arrays.iter().take(LISTED).map(one).collect();
        let more = self.arrays.len().saturating_sub(LISTED);
        match (listed.is_empty(), more) {
            (true, _) => "no arrays".into(),
            (false, 0) => listed.join(", "),
            (false, more) => format!("{} and {more} more", listed.join(", ")),
        }
    }
}
