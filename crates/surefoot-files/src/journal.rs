//! The journal of a set: what remains to be done for its files, in their folder.
//!
//! One line for each file: `rename`, `create` or `copy`, the temporary name and the final name, separated by tabs. Names
//! are those of files in the folder of the journal, so that no journal leads to a file elsewhere; bytes other than
//! letters, digits, `.`, `-` and `_` are written as `%2F`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// How a temporary file becomes the final one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// It takes the name of an existing file.
    Rename,
    /// It takes a name that does not exist.
    Create,
    /// Its bytes overwrite those of an existing file.
    Copy,
}

const STEPS: [(Step, &str); 3] = [(Step::Rename, "rename"), (Step::Create, "create"), (Step::Copy, "copy")];

/// A line of a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub step: Step,
    pub part: PathBuf,
    pub target: PathBuf,
}

/// The text of a journal.
pub(crate) fn write(entries: &[Entry]) -> String {
    let line = |entry: &Entry| {
        let step = STEPS.iter().find(|(step, _)| *step == entry.step).map_or("", |(_, word)| word);
        format!("{step}\t{}\t{}\n", escape(&entry.part), escape(&entry.target))
    };
    entries.iter().map(line).collect::<String>() + "end\n"
}

/// The entries of a journal in this folder; `None` if it is incomplete or leads out of the folder.
pub(crate) fn read(text: &str, folder: &Path) -> Option<Vec<Entry>> {
    let entry = |line: &str| {
        let mut words = line.split('\t');
        let word = words.next()?;
        let (step, _) = STEPS.iter().find(|(_, own)| *own == word)?;
        let (part, target) = (unescape(words.next()?, folder)?, unescape(words.next()?, folder)?);
        Some(Entry { step: *step, part, target })
    };
    text.strip_suffix("end\n")?.lines().map(entry).collect()
}

fn escape(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    let byte = |&byte: &u8| match byte {
        b'.' | b'-' | b'_' => char::from(byte).to_string(),
        _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    name.as_encoded_bytes().iter().map(byte).collect()
}

fn unescape(text: &str, folder: &Path) -> Option<PathBuf> {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((&byte, after)) = rest.split_first() {
        let (value, length) = match byte {
            b'%' => (u8::from_str_radix(str::from_utf8(after.get(..2)?).ok()?, 16).ok()?, 2),
            _ => (byte, 0),
        };
        bytes.push(value);
        rest = &after[length..];
    }
    let name = PathBuf::from(name_of(bytes)?);
    let is_plain = name.file_name() == Some(name.as_os_str());
    is_plain.then(|| folder.join(name))
}

#[cfg(unix)]
fn name_of(bytes: Vec<u8>) -> Option<OsString> {
    use std::os::unix::ffi::OsStringExt;
    Some(OsString::from_vec(bytes))
}

#[cfg(not(unix))]
fn name_of(bytes: Vec<u8>) -> Option<OsString> {
    String::from_utf8(bytes).ok().map(OsString::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_is_read_as_it_was_written() {
        let folder = Path::new("out");
        let entry = |step, part: &str, target: &str| Entry {
            step,
            part: folder.join(part),
            target: folder.join(target),
        };
        let entries = vec![
            entry(Step::Rename, ".surefoot-1.part", "walk clean.bvh"),
            entry(Step::Create, ".surefoot-2.part", "Gänge\t%\n.html"),
            entry(Step::Copy, ".surefoot-3.part", "x"),
        ];
        assert_eq!(read(&write(&entries), folder), Some(entries));
    }

    #[test]
    fn a_journal_that_is_incomplete_or_leads_elsewhere_is_not_read() {
        let folder = Path::new("out");
        for text in [
            "",
            "rename\ta\tb\n",
            "rename\ta\nend\n",
            "remove\ta\tb\nend\n",
            "rename\ta\t..%2Fb\nend\n",
            "rename\ta\t%2Fetc%2Fpasswd\nend\n",
            "rename\ta\t..\nend\n",
            "rename\ta\t\nend\n",
            "rename\ta\t%zz\nend\n",
        ] {
            assert_eq!(read(text, folder), None, "{text:?}");
        }
    }
}
