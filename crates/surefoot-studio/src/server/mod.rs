//! The local HTTP server of the studio.
//!
//! It listens on the loopback address only. Every path starts with a random token, which only the
//! printed link contains. Host and Origin headers must match the address of the server, so that other
//! web pages cannot send requests, even through a name that resolves to 127.0.0.1. The server reads one
//! motion file with the files that belong to it and the plants file next to it, and writes files into the
//! same folder only. It exits one minute after the last window closes.

mod deadline;
mod page_settings;
mod request;
mod served_motion;
mod unread;

use std::io::{self, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use deadline::DeadlineReader;
pub use page_settings::page_settings;
use request::Request;
pub use request::{Head, HttpError, read_head};
use served_motion::served_motion;
use unread::Unread;

use surefoot_files::{Existing, FileIdentity, Target, TargetError, write_set};

const FILES: [(&str, &str, &[u8]); 7] = [
    ("", "text/html; charset=utf-8", include_bytes!("../../page/index.html")),
    ("studio.js", "text/javascript; charset=utf-8", include_bytes!("../../page/studio.js")),
    ("worker.js", "text/javascript; charset=utf-8", include_bytes!("../../page/worker.js")),
    ("formats.js", "text/javascript; charset=utf-8", include_bytes!("../../page/formats.js")),
    ("studio.css", "text/css; charset=utf-8", include_bytes!("../../page/studio.css")),
    ("surefoot.wasm", "application/wasm", include_bytes!("../../page/surefoot.wasm")),
    ("surefoot-full.wasm", "application/wasm", include_bytes!("../../page/surefoot-full.wasm")),
];

/// Content security policy: only scripts, WebAssembly and requests of this server.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
    connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Default time from the last closed window to the exit of the server. It covers a page reload.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

/// Interval of the keep-alive byte that detects closed windows.
const KEEP_ALIVE: Duration = Duration::from_secs(2);

/// Largest number of concurrent connections. Further ones are closed at once.
const MAX_CONNECTIONS: usize = 64;

/// Time in which the head of a request has to arrive. Browsers send it at once.
const HEAD_DEADLINE: Duration = Duration::from_secs(5);

/// The server of the studio, listening on its port.
pub struct Studio {
    listener: TcpListener,
    shared: Arc<Shared>,
    linger: Duration,
}

struct Shared {
    token: String,
    port: u16,
    file: Option<PathBuf>,
    /// Initial settings, in the format of the page.
    settings: serde_json::Value,
    connections: AtomicUsize,
    unread: Unread,
    windows: Mutex<Windows>,
}

#[derive(Default)]
struct Windows {
    open: usize,
    /// Time at which the last window closed.
    last_closed: Option<Instant>,
}

impl Studio {
    /// Listens on a port of the loopback address; 0 selects a free port. `settings` has the format of the
    /// page: `{"file": …, "cleaning": …}`.
    pub fn listen(file: Option<PathBuf>, port: u16, settings: serde_json::Value) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        let mut random = [0u8; 16];
        getrandom::fill(&mut random).map_err(|error| io::Error::other(error.to_string()))?;
        let token = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let shared = Shared {
            token,
            port,
            file,
            settings,
            connections: AtomicUsize::new(0),
            unread: Unread::default(),
            windows: Mutex::default(),
        };
        Ok(Self { listener, shared: Arc::new(shared), linger: IDLE_TIMEOUT })
    }

    /// Sets the time from the last closed window to the exit of the server.
    pub fn with_linger(self, linger: Duration) -> Self {
        Self { linger, ..self }
    }

    /// The link to open.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.shared.port, self.shared.token)
    }

    /// Serves until all windows have been closed for one minute, or for the time set by
    /// [`with_linger`](Self::with_linger).
    pub fn run(self) -> io::Result<()> {
        self.listener.set_nonblocking(true)?;
        loop {
            match self.listener.accept() {
                Ok((stream, _)) => serve(&self.shared, stream),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if self.shared.is_idle(self.linger) {
                        return Ok(());
                    }
                    std::thread::sleep(Duration::from_millis(15));
                }
                // A failed connection does not stop the server.
                Err(_) => std::thread::sleep(Duration::from_millis(15)),
            }
        }
    }
}

impl Shared {
    fn is_idle(&self, linger: Duration) -> bool {
        let windows = self.windows.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        windows.open == 0 && windows.last_closed.is_some_and(|closed| closed.elapsed() > linger)
    }

    fn count_windows(&self, change: isize) {
        let mut windows = self.windows.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        windows.open = windows.open.saturating_add_signed(change);
        windows.last_closed = (windows.open == 0).then(Instant::now);
    }

    fn plants(&self) -> Option<PathBuf> {
        let file = self.file.as_ref()?;
        let path = file.with_extension("plants.json");
        path.is_file().then_some(path)
    }
}

fn serve(shared: &Arc<Shared>, stream: TcpStream) {
    let shared = Arc::clone(shared);
    if shared.connections.fetch_add(1, Ordering::SeqCst) >= MAX_CONNECTIONS {
        // Whoever sends half requests must not lock out the owner, whose requests arrive at once.
        if !shared.unread.close_oldest() {
            shared.connections.fetch_sub(1, Ordering::SeqCst);
            return;
        }
    }
    let counter = Arc::clone(&shared);
    let work = move || {
        // A connection closed by the browser is not an error.
        let _ = answer(&shared, stream);
        shared.connections.fetch_sub(1, Ordering::SeqCst);
    };
    if std::thread::Builder::new().spawn(work).is_err() {
        counter.connections.fetch_sub(1, Ordering::SeqCst);
    }
}

fn answer(shared: &Shared, stream: TcpStream) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(Duration::from_secs(20)))?;
    let number = shared.unread.add(&stream)?;
    let mut reader = BufReader::new(DeadlineReader::new(&stream, HEAD_DEADLINE));
    let head = request::read_head(&mut reader, shared.port, &shared.token);
    shared.unread.remove(number);
    match head.and_then(|head| request::read_body(head, reader)) {
        Ok(request) if request.is("GET", "api/window") => window(shared, &stream),
        Ok(request) => match respond(shared, &request) {
            Ok((kind, bytes)) => send(&stream, "200 OK", kind, &bytes),
            Err(HttpError { status, message }) => {
                send(&stream, status, "text/plain; charset=utf-8", message.as_bytes())
            }
        },
        Err(HttpError { status, message }) => {
            send(&stream, status, "text/plain; charset=utf-8", message.as_bytes())
        }
    }
}

fn respond(shared: &Shared, request: &Request) -> Result<(&'static str, Vec<u8>), HttpError> {
    let read = |path: Option<&Path>| {
        let path = path.ok_or_else(|| HttpError::new("404 Not Found", "the file does not exist"))?;
        surefoot_files::read_file(path)
            .map_err(|error| HttpError::new("500 Internal Server Error", error.to_string()))
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
        ("GET", "api/motion", _) => {
            let path = shared.file.as_deref();
            let path = path.ok_or_else(|| HttpError::new("404 Not Found", "the file does not exist"))?;
            let bytes = served_motion(path)
                .map_err(|error| HttpError::new("500 Internal Server Error", error.to_string()))?;
            Ok(("application/octet-stream", bytes))
        }
        ("GET", "api/plants", _) => Ok(("application/octet-stream", read(shared.plants().as_deref())?)),
        ("POST", "api/save", _) => save(shared, request).map(|()| ("text/plain; charset=utf-8", Vec::new())),
        _ => Err(HttpError::new("404 Not Found", "unknown path")),
    }
}

/// Writes a file next to the motion, atomically. Existing files are overwritten only with the
/// `overwrite` parameter.
fn save(shared: &Shared, request: &Request) -> Result<(), HttpError> {
    let file = shared.file.as_ref().ok_or_else(|| {
        HttpError::new(
            "404 Not Found",
            "the studio was started without a file, so there is no folder to write to",
        )
    })?;
    let name = request.parameter("name").unwrap_or_default();
    if !is_file_name(&name) {
        return Err(HttpError::new(
            "400 Bad Request",
            format!("{name:?} is not a valid file name, expected a name without folder"),
        ));
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let path = folder.join(&name);
    let failed = |error: io::Error| {
        HttpError::new("500 Internal Server Error", format!("cannot write {name}: {error}"))
    };
    let conflict = || HttpError::new("409 Conflict", format!("{name} exists already"));
    let overwrite = request.parameter("overwrite").is_some();
    match std::fs::symlink_metadata(&path) {
        // Links could lead out of the folder, and the motion itself is never overwritten.
        Ok(metadata) if !metadata.is_file() => {
            return Err(HttpError::new(
                "400 Bad Request",
                format!("{name} is a folder or a link, expected a regular file"),
            ));
        }
        Ok(_) if FileIdentity::of(&path) == FileIdentity::of(file) => {
            return Err(HttpError::new(
                "400 Bad Request",
                format!("{name} is the open motion file, which is never overwritten"),
            ));
        }
        _ => {}
    }
    surefoot_files::recover(folder);
    let existing = if overwrite { Existing::Overwrite } else { Existing::Keep };
    let target = Target::check(&path, existing).map_err(|error| match error {
        TargetError::Exists => conflict(),
        TargetError::WriteProtected => {
            HttpError::new("403 Forbidden", format!("{name} is write-protected and was not overwritten"))
        }
        TargetError::Io(error) => failed(error),
        _ => failed(io::Error::other("it is not a regular file")),
    })?;
    write_set(&[(&target, &request.body)]).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => conflict(),
        _ => failed(error.error),
    })
}

/// Whether a name is a plain file name without path separators or other special characters.
fn is_file_name(name: &str) -> bool {
    let is_special = |letter: char| letter.is_control() || matches!(letter, '/' | '\\' | ':');
    !name.is_empty() && name.len() <= 200 && !name.starts_with('.') && !name.contains(is_special)
}

/// Keeps the connection of a window open and counts the window until it closes.
fn window(shared: &Shared, mut stream: &TcpStream) -> io::Result<()> {
    shared.count_windows(1);
    let mut connection = head(stream, "200 OK", "text/plain", None);
    while connection.is_ok() {
        connection = stream.write_all(b".").and_then(|()| stream.flush());
        std::thread::sleep(KEEP_ALIVE);
    }
    shared.count_windows(-1);
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
    fn names_with_paths_or_special_characters_are_invalid() {
        for name in ["walk.clean.bvh", "a b.json", "Gang ü.bvh"] {
            assert!(is_file_name(name), "{name}");
        }
        for name in ["", "..", "../a", "a/b", "a\\b", ".hidden", "C:a", "a\n"] {
            assert!(!is_file_name(name), "{name:?}");
        }
    }
}
