//! Reads HTTP requests and checks their origin and token.

use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::time::Duration;

use super::deadline::DeadlineReader;

/// Largest size of the request line and headers, in bytes.
const MAX_HEAD: u64 = 16 << 10;

/// Largest body, in bytes. One hour of motion capture is about 200 MB of text.
const MAX_BODY: u64 = 1 << 30;

/// Time in which a short body has to arrive.
const BODY_DEADLINE: Duration = Duration::from_secs(10);

/// Slowest rate of a long body, in bytes per second. Within one machine a body arrives a hundred times as fast.
const SLOWEST_BODY: u64 = 10 << 20;

/// A valid request.
pub struct Request {
    /// `GET` or `POST`.
    pub method: String,
    /// The path after the token.
    pub path: String,
    query: String,
    /// The body.
    pub body: Vec<u8>,
}

/// An HTTP error response.
pub struct HttpError {
    /// Status code and reason phrase.
    pub status: &'static str,
    /// Message for the user.
    pub message: String,
}

impl HttpError {
    /// An error with this status and message.
    pub fn new(status: &'static str, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }
}

impl Request {
    /// Whether the request has this method and path.
    pub fn is(&self, method: &str, path: &str) -> bool {
        self.method == method && self.path == path
    }

    /// The value of a query parameter.
    pub fn parameter(&self, name: &str) -> Option<String> {
        let pairs = self.query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        pairs.into_iter().find(|(key, _)| *key == name).map(|(_, value)| percent_decode(value))
    }
}

/// The head of a valid request.
pub struct Head {
    method: String,
    path: String,
    query: String,
    length: u64,
}

/// Reads the head of a request.
///
/// The Host header has to be the loopback address with this port, the Origin header has to be the
/// page of this server or absent, and the path has to start with the token.
pub fn read_head(reader: &mut impl BufRead, port: u16, token: &str) -> Result<Head, HttpError> {
    let bad = |message: &str| HttpError::new("400 Bad Request", message);
    let mut head = reader.take(MAX_HEAD);
    let mut line = || {
        let mut bytes = Vec::new();
        head.read_until(b'\n', &mut bytes).map_err(|error| incomplete(&error))?;
        if bytes.last() != Some(&b'\n') {
            return Err(HttpError::new(
                "431 Request Header Fields Too Large",
                "the request header is longer than 16 KiB or incomplete",
            ));
        }
        String::from_utf8(bytes)
            .map(|line| line.trim_end().to_owned())
            .map_err(|_| bad("the request header is not UTF-8"))
    };
    let first = line()?;
    let mut words = first.split(' ');
    let (Some(method), Some(target), Some("HTTP/1.1")) = (words.next(), words.next(), words.next()) else {
        return Err(bad("expected an HTTP/1.1 request"));
    };
    let (mut hosts, mut origin, mut length) = (Vec::new(), None, None);
    loop {
        let line = line()?;
        if line.is_empty() {
            break;
        }
        let Some((name, value)) = line.split_once(':') else { return Err(bad("a header line has no colon")) };
        let value = value.trim().to_owned();
        match name.to_ascii_lowercase().as_str() {
            "host" => hosts.push(value),
            "origin" => origin = Some(value),
            "content-length" => {
                length = Some(value.parse::<u64>().map_err(|_| bad("Content-Length is not a number"))?)
            }
            "transfer-encoding" => {
                return Err(HttpError::new(
                    "411 Length Required",
                    "Transfer-Encoding is not supported, expected Content-Length",
                ));
            }
            _ => {}
        }
    }
    let own_hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    if hosts.len() != 1 || !own_hosts.contains(&hosts[0]) {
        return Err(HttpError::new("403 Forbidden", "the Host header is not the address of this server"));
    }
    // Browsers send Origin with every POST, so requests of other pages are recognised.
    if origin.as_ref().is_some_and(|origin| *origin != format!("http://{}", hosts[0]))
        || (method == "POST" && origin.is_none())
    {
        return Err(HttpError::new("403 Forbidden", "requests from other web pages are not allowed"));
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let (given, path) = path.strip_prefix('/').and_then(|path| path.split_once('/')).unwrap_or_default();
    if !is_same(given, token) {
        return Err(HttpError::new(
            "403 Forbidden",
            "the token in the link is wrong, expected the printed link",
        ));
    }
    let length = length.unwrap_or(0);
    if length > MAX_BODY {
        return Err(HttpError::new("413 Content Too Large", "the body is larger than 1 GiB"));
    }
    Ok(Head { method: method.to_owned(), path: path.to_owned(), query: query.to_owned(), length })
}

/// Reads the body of a request, which has to arrive in a time in proportion to its length.
pub fn read_body(head: Head, mut reader: BufReader<DeadlineReader>) -> Result<Request, HttpError> {
    let Head { method, path, query, length } = head;
    reader.get_mut().restart(BODY_DEADLINE + Duration::from_secs(length / SLOWEST_BODY));
    let mut body = Vec::new();
    reader.take(length).read_to_end(&mut body).map_err(|error| incomplete(&error))?;
    if body.len() as u64 != length {
        return Err(incomplete(&ErrorKind::UnexpectedEof.into()));
    }
    Ok(Request { method, path, query, body })
}

fn incomplete(error: &std::io::Error) -> HttpError {
    match error.kind() {
        ErrorKind::TimedOut | ErrorKind::WouldBlock => {
            HttpError::new("408 Request Timeout", "the request did not arrive in time")
        }
        _ => HttpError::new("400 Bad Request", "the connection closed before the end of the request"),
    }
}

/// Compares in constant time, so that the duration does not reveal the token.
fn is_same(given: &str, token: &str) -> bool {
    given.len() == token.len() && given.bytes().zip(token.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

fn percent_decode(value: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), value.as_bytes());
    while let Some((&byte, after)) = rest.split_first() {
        let hex = (byte == b'%').then(|| after.get(..2)).flatten();
        let code = hex.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(code.unwrap_or(byte));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
