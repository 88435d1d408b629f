//! A motion file together with the files that belong to it: the skeleton of an Acclaim motion, the buffers and images of
//! a `.gltf`, the skeleton of a file of arrays.
//!
//! Page and server pass such a set as one array of bytes: a first line with the sizes and names, then the motion, then
//! the other files. A motion that needs no other file is passed as it is.

use serde::{Deserialize, Serialize};

/// The first bytes of a set of files. No motion file begins with them.
const MAGIC: &str = "surefoot files/1 ";

/// A motion file and the files that belong to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileSet {
    /// The bytes of the motion file.
    pub motion: Vec<u8>,
    /// The other files.
    pub beside: FilesBeside,
}

/// The names and bytes of the files that belong to a motion file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilesBeside(pub Vec<(String, Vec<u8>)>);

/// The first line of a set.
#[derive(Debug, Deserialize, Serialize)]
struct Contents {
    /// The size of the motion, in bytes.
    motion: usize,
    beside: Vec<Entry>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Entry {
    name: String,
    bytes: usize,
}

impl FileSet {
    /// The files in the bytes that a page or a server has sent.
    pub fn split(bytes: &[u8]) -> Result<Self, String> {
        let Some(rest) = bytes.strip_prefix(MAGIC.as_bytes()) else {
            return Ok(Self { motion: bytes.to_vec(), beside: FilesBeside::default() });
        };
        let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        let contents: Contents =
            serde_json::from_slice(&rest[..end]).map_err(|error| format!("the list of files: {error}"))?;
        let mut rest = rest.get(end + 1..).unwrap_or_default();
        let mut take = |name: &str, size: usize| {
            let (file, after) = rest
                .split_at_checked(size)
                .ok_or_else(|| format!("{name}: found {} bytes, expected {size}", rest.len()))?;
            rest = after;
            Ok::<_, String>(file.to_vec())
        };
        let motion = take("the motion", contents.motion)?;
        let beside = contents.beside.into_iter().map(|Entry { name, bytes }| {
            let file = take(&name, bytes)?;
            Ok((name, file))
        });
        Ok(Self { motion, beside: FilesBeside(beside.collect::<Result<_, String>>()?) })
    }

    /// The set as one array of bytes.
    #[cfg(any(feature = "server", test))]
    pub fn join(self) -> Vec<u8> {
        let Self { motion, beside: FilesBeside(beside) } = self;
        if beside.is_empty() {
            return motion;
        }
        let entry = |(name, bytes): &(String, Vec<u8>)| Entry { name: name.clone(), bytes: bytes.len() };
        let contents = Contents { motion: motion.len(), beside: beside.iter().map(entry).collect() };
        let list = serde_json::to_string(&contents).unwrap_or_default();
        let mut all = format!("{MAGIC}{list}\n").into_bytes();
        all.extend(motion);
        beside.into_iter().for_each(|(_, bytes)| all.extend(bytes));
        all
    }
}

impl FilesBeside {
    /// A file by the name under which the motion refers to it. `*.asf` is the only file with that ending. A page knows
    /// files without their folders, so that the folder of a name does not count.
    pub fn find(&self, name: &str) -> Option<&[u8]> {
        let base = |name: &str| name.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
        let wanted = base(name);
        let mut fitting = self.0.iter().filter(|(name, _)| match wanted.strip_prefix('*') {
            Some(ending) => base(name).ends_with(ending),
            None => base(name) == wanted,
        });
        let (Some((_, bytes)), None) = (fitting.next(), fitting.next()) else { return None };
        Some(bytes)
    }

    /// The skeleton of a file of arrays: the file that is called so.
    pub fn skeleton(&self) -> Option<&[u8]> {
        let named = self.0.iter().find(|(name, _)| name.to_lowercase().contains("skeleton"));
        named.map(|(_, bytes)| bytes.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> FileSet {
        let beside = vec![("Walk.BIN".to_owned(), vec![0, 10, 255]), ("skin.png".to_owned(), vec![])];
        FileSet { motion: b"{\n}".to_vec(), beside: FilesBeside(beside) }
    }

    #[test]
    fn a_set_is_split_as_it_was_joined() {
        assert_eq!(FileSet::split(&pair().join()), Ok(pair()));
        let alone = FileSet { motion: b"HIERARCHY\n".to_vec(), beside: FilesBeside::default() };
        assert_eq!(alone.clone().join(), alone.motion);
        assert_eq!(FileSet::split(&alone.motion), Ok(alone));
    }

    #[test]
    fn a_set_that_is_cut_is_refused() {
        let bytes = pair().join();
        assert!(FileSet::split(&bytes[..bytes.len() - 1]).unwrap_err().contains("expected 3"));
        assert!(FileSet::split(b"surefoot files/1 {").unwrap_err().starts_with("the list of files"));
    }

    #[test]
    fn files_are_found_without_their_folder_and_only_if_one_fits() {
        let set = pair().beside;
        assert_eq!(set.find("data/walk.bin"), Some(&[0, 10, 255][..]));
        assert_eq!(set.find("*.png"), Some(&[][..]));
        assert_eq!(set.find("other.bin"), None);
        assert_eq!(set.find("*"), None, "two files fit");
    }
}
