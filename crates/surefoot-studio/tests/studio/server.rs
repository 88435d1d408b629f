//! Tests of the server: its page, its security checks and saving files.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;

use surefoot_studio::server::Studio;

struct TestServer {
    folder: tempfile::TempDir,
    host: String,
    path: String,
}

fn start_server() -> TestServer {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("walk.bvh");
    fs::write(&file, "the motion").unwrap();
    let studio = Studio::listen(Some(file), 0, serde_json::json!({ "file": {}, "cleaning": {} })).unwrap();
    let address = studio.address();
    let (host, path) = address.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let server = TestServer { folder, host: host.to_owned(), path: format!("/{path}") };
    std::thread::spawn(move || studio.run());
    server
}

impl TestServer {
    /// Sends a request and returns the status and the whole response.
    fn request(&self, head: &str, body: &str) -> (u32, String) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        write!(stream, "{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        (answer.split(' ').nth(1).unwrap().parse().unwrap(), answer)
    }

    fn get(&self, path: &str, more: &str) -> (u32, String) {
        self.request(&format!("GET {path} HTTP/1.1\r\nHost: {}{more}", self.host), "")
    }

    fn save(&self, query: &str, body: &str) -> u32 {
        let Self { host, path, .. } = self;
        let head = format!("POST {path}api/save?{query} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}");
        self.request(&head, body).0
    }
}

#[test]
fn page_and_motion_are_served_with_a_content_security_policy() {
    let server = start_server();
    let (status, page) = server.get(&server.path, "");
    assert_eq!(status, 200);
    assert!(
        page.contains("default-src 'none'")
            && page.contains("no-referrer")
            && page.contains("<!doctype html>")
    );
    let (status, motion) = server.get(&format!("{}api/motion", server.path), "");
    assert!(status == 200 && motion.ends_with("the motion"));
}

#[test]
fn a_wrong_token_is_forbidden() {
    let server = start_server();
    for path in ["/", "/api/motion", "/00000000000000000000000000000000/api/motion", "//api/motion"] {
        assert_eq!(server.get(path, "").0, 403, "{path}");
    }
}

#[test]
fn a_foreign_host_or_origin_is_forbidden() {
    let server = start_server();
    let motion = format!("{}api/motion", server.path);
    for host in ["evil.example", "127.0.0.1", "127.0.0.1:1", "evil.example:80"] {
        let head = format!("GET {motion} HTTP/1.1\r\nHost: {host}");
        assert_eq!(server.request(&head, "").0, 403, "{host}");
    }
    assert_eq!(server.request(&format!("GET {motion} HTTP/1.1\r\nX: y"), "").0, 403);
    assert_eq!(server.get(&motion, "\r\nOrigin: http://evil.example").0, 403);
    assert_eq!(server.get(&motion, "\r\nOrigin: null").0, 403);
    let (host, path) = (&server.host, &server.path);
    let without_origin = format!("POST {path}api/save?name=a.bvh HTTP/1.1\r\nHost: {host}");
    assert_eq!(server.request(&without_origin, "x").0, 403, "a POST without Origin is forbidden");
}

#[test]
fn nothing_is_read_or_written_outside_the_folder() {
    let server = start_server();
    for path in ["../Cargo.toml", "api/../../x", "..%2f..%2fetc/passwd", "api/other"] {
        assert_eq!(server.get(&format!("{}{path}", server.path), "").0, 404, "{path}");
    }
    for name in ["../a.bvh", "..%2Fa.bvh", "%2Ftmp%2Fa", "a%5Cb", "", ".hidden", "walk.bvh&overwrite=1"] {
        assert_eq!(server.save(&format!("name={name}"), "x"), 400, "{name}");
    }
    let names: Vec<_> = fs::read_dir(server.folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["walk.bvh"]);
    assert_eq!(fs::read(server.folder.path().join("walk.bvh")).unwrap(), b"the motion");
}

#[test]
fn files_are_saved_next_to_the_motion_and_overwritten_only_on_request() {
    let server = start_server();
    let path = server.folder.path().join("walk.clean.bvh");
    assert_eq!(server.save("name=walk.clean.bvh", "one"), 200);
    assert_eq!(server.save("name=walk.clean.bvh", "two"), 409);
    assert_eq!(fs::read(&path).unwrap(), b"one");
    assert_eq!(server.save("name=walk.clean.bvh&overwrite=1", "two"), 200);
    assert_eq!(fs::read(&path).unwrap(), b"two");
}

#[test]
fn oversized_requests_are_errors() {
    let server = start_server();
    let (host, path) = (&server.host, &server.path);
    let long = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nX: {}", "x".repeat(20_000));
    let mut stream = TcpStream::connect(host).unwrap();
    // The server may close the connection before everything is sent.
    let _ = write!(stream, "{long}\r\n\r\n");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(answer.is_empty() || String::from_utf8_lossy(&answer).starts_with("HTTP/1.1 431"));
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "POST {path}api/save?name=a HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Length: 9999999999\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
}
