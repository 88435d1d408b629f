//! The WebAssembly module of the page answers every request with the bytes of the native session.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use surefoot_fuzz::mutate::{Random, mutate};
use surefoot_fuzz::targets::session::requests;
use surefoot_studio::Session;

use super::{number, seeds};

/// Answers: whether each is an error, and its bytes.
type Answers = Vec<(bool, Vec<u8>)>;

fn native(requests: &[Vec<u8>]) -> Answers {
    let mut session = Session::default();
    let answer = |request: &Vec<u8>| match session.call(request) {
        Ok(answer) => (false, answer),
        Err(message) => (true, message.into_bytes()),
    };
    requests.iter().map(answer).collect()
}

/// The answers of a module of the page; `None` without Node.
fn in_wasm(module: &Path, requests: &[Vec<u8>]) -> Option<Answers> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/session.mjs");
    let mut node = Command::new("node");
    let started = node.arg(script).arg(module).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = match started {
        Ok(child) => child,
        Err(error) => {
            surefoot_testdata::skip(&format!(
                "the page's module is not run, because node cannot be started: {error}"
            ));
            return None;
        }
    };
    let mut stdin = child.stdin.take().unwrap();
    for request in requests {
        stdin.write_all(&u32::try_from(request.len()).unwrap().to_le_bytes()).unwrap();
        stdin.write_all(request).unwrap();
    }
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "the module ended: {:?}", output.status);
    let (mut answers, mut rest) = (Vec::new(), output.stdout.as_slice());
    while let Some((head, after)) = rest.split_at_checked(5) {
        let length = u32::from_le_bytes(head[1..].try_into().unwrap()) as usize;
        answers.push((head[0] != 0, after[..length].to_vec()));
        rest = &after[length..];
    }
    Some(answers)
}

#[test]
fn the_module_of_the_page_answers_like_the_native_session() {
    let runs = number("SUREFOOT_FUZZ_RUNS").unwrap_or(400).div_ceil(40);
    let mut random = Random::new(number("SUREFOOT_FUZZ_SEED").unwrap_or(20_261_118));
    let kept: Vec<Vec<u8>> = seeds("session").into_iter().map(|(_, bytes)| bytes).collect();
    let changed = (0..runs).map(|_| {
        let mut bytes = kept[random.below(kept.len())].clone();
        mutate(&mut bytes, &kept[random.below(kept.len())], &mut random);
        bytes
    });
    let inputs: Vec<Vec<u8>> = kept.iter().cloned().chain(changed).collect();
    // The fields for a panic, and reports, which only the larger module writes, are left out.
    let is_usual = |bytes: &&Vec<u8>| [&b"trap"[..], b"report", b"rig"].iter().all(|word| !has(bytes, word));
    let all: Vec<Vec<u8>> = inputs.iter().filter(is_usual).flat_map(|bytes| requests(bytes)).collect();
    assert!(all.len() > 20);
    let expected = native(&all);
    for name in ["surefoot.wasm", "surefoot-full.wasm"] {
        let page = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../surefoot-studio/page").join(name);
        let Some(found) = in_wasm(&page, &all) else { return };
        assert_eq!(found.len(), expected.len(), "{name}");
        for (n, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let text = |(_, bytes): &(bool, Vec<u8>)| {
                String::from_utf8_lossy(&bytes[..bytes.len().min(300)]).into_owned()
            };
            let request = String::from_utf8_lossy(&all[n][..all[n].len().min(200)]);
            assert!(found == expected, "{name}: {request}\n{}\ninstead of\n{}", text(found), text(expected));
        }
    }
}

fn has(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|part| part == word)
}
