//! Serves the page to a browser on this machine, and to nobody else.
//!
//! It listens on the loopback address only. Every path begins with a random token that only the printed link
//! has; Host and Origin must be this very address, so that no other page can reach it, not even by a name
//! that resolves to 127.0.0.1. It reads the one motion and the plants beside it, and writes plain names into
//! that folder. It ends a minute after the last window has closed.

mod request;

use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use request::{Request, Wrong};

const FILES: [(&str, &str, &[u8]); 4] = [
    ("", "text/html; charset=utf-8", include_bytes!("../../page/index.html")),
    ("studio.js", "text/javascript; charset=utf-8", include_bytes!("../../page/studio.js")),
    ("studio.css", "text/css; charset=utf-8", include_bytes!("../../page/studio.css")),
    ("surefoot.wasm", "application/wasm", include_bytes!("../../page/surefoot.wasm")),
];

/// What the page may do: its own scripts and WebAssembly, its own server, nothing from elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
    connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// How long nobody may look at it before it ends, unless another time is asked for.
const ALONE: Duration = Duration::from_secs(60);

/// How often an open window is written to, to see whether it is still there.
const BEAT: Duration = Duration::from_secs(2);

/// More windows and requests than this at once are turned away.
const MOST_AT_ONCE: usize = 64;

/// A studio that listens.
pub struct Studio {
    listener: TcpListener,
    shared: Arc<Shared>,
    linger: Duration,
}

struct Shared {
    token: String,
    port: u16,
    file: Option<PathBuf>,
    /// What holds for the file unless a person says otherwise, as the page has it.
    settings: serde_json::Value,
    at_once: AtomicUsize,
    windows: Mutex<Windows>,
}

#[derive(Default)]
struct Windows {
    open: usize,
    /// When the last one closed.
    alone_since: Option<Instant>,
}

impl Studio {
    /// Listens on a port of this machine; 0 takes any that is free. The settings are as the page has them:
    /// `{"told": …, "how": …}`.
    pub fn listen(file: Option<PathBuf>, port: u16, settings: serde_json::Value) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        let mut random = [0u8; 16];
        getrandom::fill(&mut random).map_err(|error| io::Error::other(error.to_string()))?;
        let token = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let shared =
            Shared { token, port, file, settings, at_once: AtomicUsize::new(0), windows: Mutex::default() };
        Ok(Self { listener, shared: Arc::new(shared), linger: ALONE })
    }

    /// The same, but it ends so long after the last window has closed.
    pub fn lingering(self, linger: Duration) -> Self {
        Self { linger, ..self }
    }

    /// The link to open.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.shared.port, self.shared.token)
    }

    /// Serves until a minute, or what [`lingering`](Self::lingering) says, after the last window has closed.
    pub fn run(self) -> io::Result<()> {
        self.listener.set_nonblocking(true)?;
        loop {
            match self.listener.accept() {
                Ok((stream, _)) => serve(&self.shared, stream),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if self.shared.is_over(self.linger) {
                        return Ok(());
                    }
                    std::thread::sleep(Duration::from_millis(15));
                }
                // One visitor's trouble is not everybody's.
                Err(_) => std::thread::sleep(Duration::from_millis(15)),
            }
        }
    }
}

impl Shared {
    fn is_over(&self, linger: Duration) -> bool {
        let windows = self.windows.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        windows.open == 0 && windows.alone_since.is_some_and(|since| since.elapsed() > linger)
    }

    fn opened(&self, by: isize) {
        let mut windows = self.windows.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        windows.open = windows.open.saturating_add_signed(by);
        windows.alone_since = (windows.open == 0).then(Instant::now);
    }

    fn plants(&self) -> Option<PathBuf> {
        let file = self.file.as_ref()?;
        let path = file.with_extension("plants.json");
        path.is_file().then_some(path)
    }
}

fn serve(shared: &Arc<Shared>, stream: TcpStream) {
    let shared = Arc::clone(shared);
    if shared.at_once.fetch_add(1, Ordering::SeqCst) >= MOST_AT_ONCE {
        shared.at_once.fetch_sub(1, Ordering::SeqCst);
        return;
    }
    let counted = Arc::clone(&shared);
    let work = move || {
        // A visitor who goes away in the middle is no trouble of ours.
        let _ = answer(&shared, stream);
        shared.at_once.fetch_sub(1, Ordering::SeqCst);
    };
    if std::thread::Builder::new().spawn(work).is_err() {
        counted.at_once.fetch_sub(1, Ordering::SeqCst);
    }
}

fn answer(shared: &Shared, stream: TcpStream) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    stream.set_write_timeout(Some(Duration::from_secs(20)))?;
    match request::read(&stream, shared.port, &shared.token) {
        Ok(request) if request.is("GET", "api/window") => window(shared, &stream),
        Ok(request) => match respond(shared, &request) {
            Ok((kind, bytes)) => send(&stream, "200 OK", kind, &bytes),
            Err(Wrong { status, why }) => send(&stream, status, "text/plain; charset=utf-8", why.as_bytes()),
        },
        Err(Wrong { status, why }) => send(&stream, status, "text/plain; charset=utf-8", why.as_bytes()),
    }
}

fn respond(shared: &Shared, request: &Request) -> Result<(&'static str, Vec<u8>), Wrong> {
    let read = |path: Option<&Path>| {
        let path = path.ok_or_else(|| Wrong::new("404 Not Found", "there is no such file"))?;
        std::fs::read(path).map_err(|error| Wrong::new("500 Internal Server Error", error.to_string()))
    };
    let page = FILES.iter().find(|(name, _, _)| *name == request.path);
    match (request.method.as_str(), request.path.as_str(), page) {
        ("GET", _, Some((_, kind, bytes))) => Ok((kind, bytes.to_vec())),
        ("GET", "api/info", _) => {
            let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
            let info = serde_json::json!({
                "file": shared.file.as_deref().and_then(name),
                "plants": shared.plants().as_deref().and_then(name),
                "settings": shared.settings,
            });
            Ok(("application/json", info.to_string().into_bytes()))
        }
        ("GET", "api/motion", _) => Ok(("application/octet-stream", read(shared.file.as_deref())?)),
        ("GET", "api/plants", _) => Ok(("application/octet-stream", read(shared.plants().as_deref())?)),
        ("POST", "api/save", _) => save(shared, request).map(|()| ("text/plain; charset=utf-8", Vec::new())),
        _ => Err(Wrong::new("404 Not Found", "there is nothing here")),
    }
}

/// Writes a file beside the motion: whole or not at all, and over another only if asked.
fn save(shared: &Shared, request: &Request) -> Result<(), Wrong> {
    let file = shared.file.as_ref().ok_or_else(|| Wrong::new("404 Not Found", "no file was opened"))?;
    let name = request.asked("name").unwrap_or_default();
    if !is_plain(&name) {
        return Err(Wrong::new("400 Bad Request", format!("{name:?} is no name of a file in this folder")));
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let path = folder.join(&name);
    let failed =
        |error: io::Error| Wrong::new("500 Internal Server Error", format!("cannot write {name}: {error}"));
    let taken = || Wrong::new("409 Conflict", format!("{name} is there already"));
    let overwrite = request.asked("overwrite").is_some();
    match std::fs::symlink_metadata(&path) {
        // A link leads elsewhere, a folder is no file, and the motion itself is never written over.
        Ok(is) if !is.is_file() => {
            return Err(Wrong::new("400 Bad Request", format!("{name} is no plain file")));
        }
        Ok(_) if path.file_name() == file.file_name() => {
            return Err(Wrong::new("400 Bad Request", format!("{name} is the motion itself")));
        }
        Ok(_) if !overwrite => return Err(taken()),
        _ => {}
    }
    let mut part =
        tempfile::Builder::new().prefix(".surefoot-").suffix(".part").tempfile_in(folder).map_err(failed)?;
    part.write_all(&request.body).and_then(|()| part.as_file().sync_all()).map_err(failed)?;
    let named = if overwrite { part.persist(&path) } else { part.persist_noclobber(&path) };
    named.map(drop).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => taken(),
        _ => failed(error.error),
    })
}

/// Whether a name is one of a file in a folder, and of no other place.
fn is_plain(name: &str) -> bool {
    let odd = |letter: char| letter.is_control() || matches!(letter, '/' | '\\' | ':');
    !name.is_empty() && name.len() <= 200 && !name.starts_with('.') && !name.contains(odd)
}

/// Holds the line to a window for as long as it is open.
fn window(shared: &Shared, mut stream: &TcpStream) -> io::Result<()> {
    shared.opened(1);
    let mut held = head(stream, "200 OK", "text/plain", None);
    while held.is_ok() {
        held = stream.write_all(b".").and_then(|()| stream.flush());
        std::thread::sleep(BEAT);
    }
    shared.opened(-1);
    Ok(())
}

fn send(mut stream: &TcpStream, status: &str, kind: &str, bytes: &[u8]) -> io::Result<()> {
    head(stream, status, kind, Some(bytes.len()))?;
    stream.write_all(bytes)?;
    stream.flush()
}

fn head(mut stream: &TcpStream, status: &str, kind: &str, length: Option<usize>) -> io::Result<()> {
    let length = length.map_or(String::new(), |length| format!("Content-Length: {length}\r\n"));
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{length}Content-Security-Policy: {POLICY}\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCache-Control: no-store\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_names_are_written() {
        for name in ["walk.clean.bvh", "a b.json", "Gang ü.bvh"] {
            assert!(is_plain(name), "{name}");
        }
        for name in ["", "..", "../a", "a/b", "a\\b", ".hidden", "C:a", "a\n"] {
            assert!(!is_plain(name), "{name:?}");
        }
    }
}
