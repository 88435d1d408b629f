//! Hands the address of the studio to the browser without showing its token to other users.
//!
//! The arguments of a process can be read by every user of a machine. So the browser is given the name of a file, which
//! only its owner can read, and which leads to the address.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A page that leads to the studio, removed when the value is dropped.
pub struct LinkFile {
    path: PathBuf,
}

impl LinkFile {
    /// Writes the page into a folder, readable by its owner only.
    pub fn write(folder: &Path, address: &str) -> io::Result<Self> {
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let name = |n: u32| folder.join(format!("surefoot-studio-{}-{n}.html", std::process::id()));
        let mut n = 0;
        let (path, mut file) = loop {
            match options.open(name(n)) {
                Ok(file) => break (name(n), file),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && n < 100 => n += 1,
                Err(error) => return Err(error),
            }
        };
        surefoot_files::remove_on_signal(&path);
        let link = Self { path };
        file.write_all(page(address).as_bytes())?;
        Ok(link)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for LinkFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

fn page(address: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>surefoot studio</title>\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<meta http-equiv=\"refresh\" content=\"0; url={address}\">\n\
         <p><a href=\"{address}\">Open the studio</a></p>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn only_the_owner_can_read_the_link() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let link = LinkFile::write(folder.path(), "http://127.0.0.1:1/secret/").unwrap();
        let path = link.path().to_path_buf();
        assert!(!path.display().to_string().contains("secret"));
        assert!(std::fs::read_to_string(&path).unwrap().contains("url=http://127.0.0.1:1/secret/"));
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let other = LinkFile::write(folder.path(), "http://127.0.0.1:1/other/").unwrap();
        assert_ne!(other.path(), path);
        drop(link);
        assert!(!path.exists());
    }
}
