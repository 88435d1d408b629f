//! What a browser asks, and whether it may.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;

/// The longest head of a request, in bytes.
const LONGEST_HEAD: u64 = 16 << 10;

/// The longest body, in bytes: an hour of motion capture is 200 MB of text.
const LONGEST_BODY: u64 = 1 << 30;

/// A request that may be answered.
pub struct Request {
    /// `GET` or `POST`.
    pub method: String,
    /// What comes after the token and its slash.
    pub path: String,
    query: String,
    /// What was sent.
    pub body: Vec<u8>,
}

/// Why a request is refused.
pub struct Wrong {
    /// Code and name.
    pub status: &'static str,
    /// In words.
    pub why: String,
}

impl Wrong {
    /// A refusal.
    pub fn new(status: &'static str, why: impl Into<String>) -> Self {
        Self { status, why: why.into() }
    }
}

impl Request {
    /// Whether it asks for this.
    pub fn is(&self, method: &str, path: &str) -> bool {
        self.method == method && self.path == path
    }

    /// What the query says of this name.
    pub fn asked(&self, name: &str) -> Option<String> {
        let pairs = self.query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        pairs.into_iter().find(|(key, _)| *key == name).map(|(_, value)| decoded(value))
    }
}

/// Reads a request. It must be for this very port of the loopback address, come from our own page or from
/// no page, and know the token.
pub fn read(stream: &TcpStream, port: u16, token: &str) -> Result<Request, Wrong> {
    let bad = |why: &str| Wrong::new("400 Bad Request", why);
    let mut reader = BufReader::new(stream);
    let mut head = (&mut reader).take(LONGEST_HEAD);
    let mut line = || {
        let mut bytes = Vec::new();
        head.read_until(b'\n', &mut bytes).map_err(|_| bad("it broke off"))?;
        if bytes.last() != Some(&b'\n') {
            return Err(Wrong::new(
                "431 Request Header Fields Too Large",
                "its head is too long, or broke off",
            ));
        }
        String::from_utf8(bytes)
            .map(|line| line.trim_end().to_owned())
            .map_err(|_| bad("its head is no text"))
    };
    let first = line()?;
    let mut words = first.split(' ');
    let (Some(method), Some(target), Some("HTTP/1.1")) = (words.next(), words.next(), words.next()) else {
        return Err(bad("expected a request of HTTP/1.1"));
    };
    let (mut hosts, mut origin, mut length) = (Vec::new(), None, None);
    loop {
        let line = line()?;
        if line.is_empty() {
            break;
        }
        let Some((name, value)) = line.split_once(':') else { return Err(bad("a header without a colon")) };
        let value = value.trim().to_owned();
        match name.to_ascii_lowercase().as_str() {
            "host" => hosts.push(value),
            "origin" => origin = Some(value),
            "content-length" => {
                length = Some(value.parse::<u64>().map_err(|_| bad("a length that is no number"))?)
            }
            "transfer-encoding" => return Err(Wrong::new("411 Length Required", "say how long the body is")),
            _ => {}
        }
    }
    let ours = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    if hosts.len() != 1 || !ours.contains(&hosts[0]) {
        return Err(Wrong::new("403 Forbidden", "this is not the host that was asked for"));
    }
    // A page elsewhere that posts here says where it is from; ours does too.
    if origin.as_ref().is_some_and(|origin| *origin != format!("http://{}", hosts[0]))
        || (method == "POST" && origin.is_none())
    {
        return Err(Wrong::new("403 Forbidden", "this page may not ask"));
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let (given, path) = path.strip_prefix('/').and_then(|path| path.split_once('/')).unwrap_or_default();
    if !is_same(given, token) {
        return Err(Wrong::new("403 Forbidden", "the link is not the one that was printed"));
    }
    let length = length.unwrap_or(0);
    if length > LONGEST_BODY {
        return Err(Wrong::new("413 Content Too Large", "that is too much"));
    }
    let mut body = Vec::new();
    reader.take(length).read_to_end(&mut body).map_err(|_| bad("it broke off"))?;
    if body.len() as u64 != length {
        return Err(bad("it broke off"));
    }
    Ok(Request { method: method.to_owned(), path: path.to_owned(), query: query.to_owned(), body })
}

/// Compares all of both, however early they differ: how long it takes tells nothing.
fn is_same(given: &str, token: &str) -> bool {
    given.len() == token.len() && given.bytes().zip(token.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

fn decoded(value: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), value.as_bytes());
    while let Some((&byte, after)) = rest.split_first() {
        let hex = (byte == b'%').then(|| after.get(..2)).flatten();
        let code = hex.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(code.unwrap_or(byte));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
