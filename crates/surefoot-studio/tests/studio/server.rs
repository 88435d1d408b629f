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
#[cfg(unix)]
fn saved_files_keep_their_mode_and_protection() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let server = start_server();
    let path = |name: &str| server.folder.path().join(name);
    let mode = |name: &str| fs::metadata(path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(server.save("name=new.bvh", "one"), 200);
    assert_eq!(mode("new.bvh"), mode("walk.bvh"), "the mode of any new file");
    fs::set_permissions(path("new.bvh"), fs::Permissions::from_mode(0o640)).unwrap();
    fs::hard_link(path("new.bvh"), path("other.bvh")).unwrap();
    assert_eq!(server.save("name=new.bvh&overwrite=1", "two"), 200);
    assert_eq!((mode("new.bvh"), fs::metadata(path("new.bvh")).unwrap().nlink()), (0o640, 2));
    assert_eq!(fs::read(path("other.bvh")).unwrap(), b"two");
    fs::set_permissions(path("new.bvh"), fs::Permissions::from_mode(0o444)).unwrap();
    assert_eq!(server.save("name=new.bvh&overwrite=1", "three"), 403);
    assert_eq!(fs::read(path("new.bvh")).unwrap(), b"two");
}

#[test]
fn the_open_motion_is_not_overwritten_by_another_name_either() {
    let server = start_server();
    fs::hard_link(server.folder.path().join("walk.bvh"), server.folder.path().join("link.bvh")).unwrap();
    assert_eq!(server.save("name=link.bvh&overwrite=1", "x"), 400);
    assert_eq!(fs::read(server.folder.path().join("walk.bvh")).unwrap(), b"the motion");
}

#[test]
fn half_requests_do_not_lock_out_the_owner() {
    let server = start_server();
    let half = || {
        let mut stream = TcpStream::connect(&server.host).unwrap();
        stream.write_all(b"GET /").unwrap();
        stream
    };
    let mut slow: Vec<TcpStream> = (0..200).map(|_| half()).collect();
    let started = std::time::Instant::now();
    assert_eq!(server.get(&server.path, "").0, 200);
    assert!(started.elapsed().as_secs() < 3);
    // A byte now and then does not extend the time in which a request has to arrive.
    let mut last = slow.pop().unwrap();
    last.set_read_timeout(Some(std::time::Duration::from_millis(500))).unwrap();
    let answer = (0..30).find_map(|_| {
        let _ = last.write_all(b"x");
        let mut answer = [0; 64];
        match last.read(&mut answer) {
            Ok(length) => Some(String::from_utf8_lossy(&answer[..length]).into_owned()),
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => Some(String::new()),
            Err(_) => None,
        }
    });
    let answer = answer.expect("the connection is closed");
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert_eq!(server.get(&server.path, "").0, 200);
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
