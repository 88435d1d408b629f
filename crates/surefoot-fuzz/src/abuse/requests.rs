//! Hostile requests to the studio's server.
//!
//! Requests with damaged heads, wrong tokens, foreign hosts and origins, lies about lengths, paths out of the folder,
//! noise and half requests that stay open. The server has to stay alive and to answer its owner, must not hand out the
//! motion without the token, and must not change the motion or anything outside its folder.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::mutate::{Random, mutate};

/// Time in which the owner has to get an answer, whatever others send. A few half requests wait at the same time.
const ANSWER_TIME: Duration = Duration::from_secs(5);

/// Largest memory of the server, in megabytes: the page, and the body of one request.
const MOST_MEMORY_MB: u64 = 200;

/// What the server answered.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestCounts {
    /// Requests that were carried out.
    pub accepted: usize,
    /// Requests that were refused with a status.
    pub refused: usize,
    /// Connections that ended without an answer: half requests and noise.
    pub unanswered: usize,
    /// The most memory of the server, in megabytes.
    pub memory_mb: u64,
}

/// The server and its address, ended with this value.
struct Server {
    child: Child,
    host: String,
    token: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends hostile requests to the studio of a program. An error describes the first that did harm.
pub fn send_hostile_requests(
    program: &Path,
    folder: &Path,
    requests: usize,
    random: &mut Random,
) -> io::Result<RequestCounts> {
    let inside = folder.join("inside");
    fs::create_dir_all(&inside)?;
    let made = Command::new(program)
        .args(["sample", "walk", "-o", "walk.bvh", "--seconds", "4", "--force"])
        .current_dir(&inside)
        .stderr(Stdio::null())
        .status()?;
    if !made.success() {
        return Err(io::Error::other("the sample could not be made"));
    }
    fs::write(folder.join("secret.txt"), "secret")?;
    let motion = fs::read(inside.join("walk.bvh"))?;
    let mut server = start(program, &inside)?;
    let mut counts = RequestCounts::default();
    // Half requests that stay open, as many as the server accepts connections.
    let mut open = Vec::new();
    for n in 0..requests {
        let is_owner = random.chance(30);
        let request = request(&server, is_owner, random);
        let harm = |what: &str| {
            io::Error::other(format!(
                "request {n}: {what}: {}",
                String::from_utf8_lossy(&request).escape_debug()
            ))
        };
        if random.chance(15) {
            let cut = random.below(request.len());
            open.push(half_request(&server, &request[..cut])?);
            open.drain(..open.len().saturating_sub(80));
        }
        let answer = exchange(&server, &request, random)?;
        match answer.split(|&byte| byte == b' ').nth(1) {
            Some(b"200") => counts.accepted += 1,
            Some(_) => counts.refused += 1,
            None => counts.unanswered += 1,
        }
        let has = |needle: &[u8]| answer.windows(needle.len()).any(|part| part == needle);
        if !is_owner
            && (has(b"HIERARCHY") || has(server.token.as_bytes()) || answer.starts_with(b"HTTP/1.1 200"))
        {
            return Err(harm("answered without the token"));
        }
        if has(b"secret") && !String::from_utf8_lossy(&request).contains("secret") {
            return Err(harm("a file outside the folder was read"));
        }
        if fs::read(inside.join("walk.bvh"))? != motion {
            return Err(harm("the open motion was changed"));
        }
        if fs::read_dir(folder)?.count() != 2 || fs::read(folder.join("secret.txt"))? != b"secret" {
            return Err(harm("something outside the folder was changed"));
        }
        if n % 10 == 9 && !answers_owner(&server, &motion)? {
            return Err(harm("the owner got no answer afterwards"));
        }
        if server.child.try_wait()?.is_some() {
            return Err(harm("the server ended"));
        }
    }
    counts.memory_mb = memory_mb(&server.child);
    match counts.memory_mb > MOST_MEMORY_MB {
        true => Err(io::Error::other(format!("the server took {} MB", counts.memory_mb))),
        false => Ok(counts),
    }
}

fn start(program: &Path, folder: &Path) -> io::Result<Server> {
    let mut child = Command::new(program)
        .args(["studio", "walk.bvh", "--no-open", "--linger", "3600s"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut line = String::new();
    if let Some(stdout) = child.stdout.take() {
        BufReader::new(stdout).read_line(&mut line)?;
    }
    let address = line.trim().strip_prefix("http://").and_then(|rest| rest.split_once('/'));
    let Some((host, token)) = address else { return Err(io::Error::other("the studio printed no address")) };
    Ok(Server { child, host: host.to_owned(), token: token.trim_end_matches('/').to_owned() })
}

const METHODS: [&str; 9] = ["GET", "GET", "POST", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "get"];

const PATHS: [&str; 22] = [
    "",
    "studio.js",
    "surefoot.wasm",
    "api/info",
    "api/motion",
    "api/plants",
    "api/window2",
    "api/save?name=a.bvh",
    "api/save?name=walk.bvh&overwrite=1",
    "api/save?name=../secret.txt&overwrite=1",
    "api/save?name=..%2Fsecret.txt",
    "api/save?name=%2e%2e%5csecret.txt",
    "api/save?name=a%00b",
    "api/save?name=walk.bvh%20",
    "api/save?name=./walk.bvh",
    "api/save?name=CON",
    "api/save?name=&overwrite",
    "../secret.txt",
    "..%2f..%2fsecret.txt",
    "api/motion/../../secret.txt",
    "//secret.txt",
    "api/save?name=.surefoot-1.journal&overwrite=1",
];

const HEADERS: [&str; 14] = [
    "Transfer-Encoding: chunked",
    "Content-Length: -1",
    "Content-Length: 99999999999999999999",
    "Content-Length: 5",
    "Content-Length: 1073741825",
    "Expect: 100-continue",
    "Upgrade: websocket",
    "Connection: keep-alive",
    "Host: evil.example",
    "Origin: null",
    "X: \u{e9}",
    "Cookie: a=b",
    ": nothing",
    "no colon",
];

/// A request, of the owner or of someone without the token.
fn request(server: &Server, is_owner: bool, random: &mut Random) -> Vec<u8> {
    let zeros = "0".repeat(server.token.len());
    let token = match is_owner {
        true => server.token.as_str(),
        false => [zeros.as_str(), "", &server.token[1..], "..", "%00", "api"][random.below(6)],
    };
    let (method, path) = (random.pick(&METHODS), random.pick(&PATHS));
    let version =
        if random.chance(90) { "HTTP/1.1" } else { random.pick(&["HTTP/1.0", "HTTP/2", "", "HTTP/1.1 x"]) };
    let usual = if is_owner { 95 } else { 80 };
    let host = if random.chance(usual) { server.host.as_str() } else { "evil.example" };
    let origin = if random.chance(usual) { server.host.as_str() } else { "evil.example" };
    let mut text =
        format!("{method} /{token}/{path} {version}\r\nHost: {host}\r\nOrigin: http://{origin}\r\n");
    for _ in 0..random.below(if is_owner { 2 } else { 3 }) {
        text += random.pick(&HEADERS);
        text += "\r\n";
    }
    if random.chance(5) {
        let count = 1 << random.below(18);
        text += &format!("X-Long: {}\r\n", "a".repeat(count));
    }
    let body = "b".repeat(random.below(3000));
    if random.chance(70) {
        text += &format!("Content-Length: {}\r\n", body.len());
    }
    let mut bytes = format!("{text}\r\n{body}").into_bytes();
    // A change could turn a wrong token into the right one only by chance of one in 2^128.
    if random.chance(40) {
        mutate(&mut bytes, b"GET / HTTP/1.1\r\n\r\n", random);
    }
    bytes
}

/// Sends the start of a request and leaves the connection open.
fn half_request(server: &Server, bytes: &[u8]) -> io::Result<TcpStream> {
    let mut stream = TcpStream::connect(&server.host)?;
    let _ = stream.write_all(bytes);
    Ok(stream)
}

/// Sends a request and returns the answer, or the part of it that arrives in time.
fn exchange(server: &Server, request: &[u8], random: &mut Random) -> io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(&server.host)?;
    stream.set_read_timeout(Some(Duration::from_millis(700)))?;
    let mut answer = Vec::new();
    // The server may refuse a request, and close the connection, before all of it has arrived.
    let _ = stream.write_all(request);
    if random.chance(60) {
        let _ = stream.shutdown(Shutdown::Write);
    }
    let _ = stream.take(1 << 22).read_to_end(&mut answer);
    Ok(answer)
}

fn answers_owner(server: &Server, motion: &[u8]) -> io::Result<bool> {
    let started = Instant::now();
    let mut stream = TcpStream::connect(&server.host)?;
    stream.set_read_timeout(Some(ANSWER_TIME))?;
    write!(stream, "GET /{}/api/motion HTTP/1.1\r\nHost: {}\r\n\r\n", server.token, server.host)?;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    Ok(answer.ends_with(motion) && started.elapsed() < ANSWER_TIME)
}

fn memory_mb(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}
