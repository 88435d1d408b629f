//! USD files of several layers, what is refused, and damaged copies in bounded memory.

use surefoot_core::Vec3;
use surefoot_formats::source::ReadOptions;
use surefoot_formats::{SourceFile, Space};

use crate::damage::Damage;
use crate::own_process;
use crate::usd::{FILES, bytes, read};

const SPACE: Space = Space::METRES_Y_UP;

/// Reads a file beside which `plain.usda` is.
fn read_beside(text: &str) -> Result<SourceFile, String> {
    let beside = |name: &str| (name == "plain.usda").then(|| bytes("plain.usda"));
    let options = ReadOptions { load_beside: Some(&beside), ..ReadOptions::default() };
    SourceFile::read(text.as_bytes().to_vec(), &options).map_err(|error| error.to_string())
}

fn plain() -> String {
    String::from_utf8(bytes("plain.usda")).unwrap()
}

fn problem(text: &str) -> String {
    read_beside(text).map(drop).unwrap_err()
}

#[test]
fn layers_beside_the_file_are_read_but_not_changed() {
    let metadata = "timeCodesPerSecond = 30\n";
    let files = [
        format!("#usda 1.0\n({metadata} subLayers = [ @./plain.usda@ ])\n"),
        format!("#usda 1.0\n({metadata})\ndef \"A\" (prepend references = @./plain.usda@</Root>) {{ }}\n"),
        format!("#usda 1.0\n({metadata})\ndef \"A\" (payload = [@plain.usda@]) {{ def Cube \"B\" {{ }} }}\n"),
    ];
    let expected = read(&bytes("plain.usda")).motion(&SPACE);
    for text in files {
        let source = read_beside(&text).unwrap();
        let mut motion = source.motion(&SPACE);
        assert_eq!(motion.poses, expected.poses, "{text}");
        assert_eq!(source.write(&motion, &SPACE).unwrap(), text.as_bytes());
        motion.poses[0].offsets[0].x += 0.1;
        let refused = source.write(&motion, &SPACE).unwrap_err().to_string();
        let reason = "the animation is in \"plain.usda\", another file, which is not changed: clean that file, or make one \
                      file of all layers with `usdcat --flatten`";
        assert_eq!(refused, reason);
    }
}

#[test]
fn a_stronger_layer_wins() {
    let text = "#usda 1.0\n(subLayers = [@plain.usda@])\nover \"Root\" { over \"Anim\" {\n\
                float3[] translations = [(9, 9, 9), (0, 0, 0), (0, 0, 0), (0, 0, 0)]\n} }\n";
    let motion = read_beside(text).unwrap().motion(&SPACE);
    assert!(motion.poses.iter().all(|pose| pose.offsets[0] == Vec3::splat(9.0)));
}

#[test]
fn a_layer_that_is_missing_is_a_note() {
    let text = plain().replacen("(\n", "(\n    subLayers = [@gone.usda@]\n", 1);
    let notes = read_beside(&text).unwrap().notes();
    assert_eq!(notes, ["layer \"gone.usda\" was not read: there is no such file beside it"]);
}

#[test]
fn errors_state_where_what_was_found_and_what_was_expected() {
    let plain = plain();
    let changed = |from: &str, to: &str| problem(&plain.replacen(from, to, 1));
    assert_eq!(problem("#usda 2.0\n"), "the file, line 1: found \"#usda 2.0\", expected \"#usda 1.0\"");
    let none = "the scene: found no SkelAnimation, expected one";
    assert_eq!(problem("#usda 1.0\n"), none);
    let cut = problem(&plain[..plain.len() / 2]);
    assert!(cut.starts_with("the file, line ") && cut.contains("expected its closing bracket"), "{cut}");
    let twice = changed("            1: [", "            0: [");
    assert!(twice.ends_with("found \"0\", expected a later time code than before"), "{twice}");
    let short = changed("0: [(1, 0, 0, 0), ", "0: [");
    assert!(short.starts_with("/Root/Anim, rotations, time code 0, "), "{short}");
    assert!(short.ends_with("found 12 numbers, expected 16, as many as the joints need"), "{short}");
    let scales = changed("half3[] scales", "half3[] other");
    assert!(scales.starts_with("/Root/Anim.scales: found no values, expected "), "{scales}");
    let joints = "[\"Hips\", \"Hips/Leg\", \"Hips/Leg/Foot\"";
    let order = problem(&plain.replace(joints, "[\"Hips\", \"Hips/Leg/Foot\", \"Hips/Leg\""));
    let expected = "/Root/Skel, joints: found \"Hips/Leg/Foot\" before its parent, expected parents before their children, as \
                    USD needs it";
    assert_eq!(order, expected);
}

#[test]
fn references_that_lead_to_themselves_are_refused() {
    let nested = problem("#usda 1.0\ndef \"A\" { def \"B\" (references = </A>) { } }\n");
    assert!(nested.contains("references that end"), "{nested}");
    let same = problem("#usda 1.0\ndef \"A\" (references = </A>) { }\n");
    assert!(same.contains("references that end"), "{same}");
}

#[test]
fn deep_nesting_is_read_without_recursion() {
    let brackets = format!("#usda 1.0\ndef \"A\" {{ int a = {}", "[".repeat(1_000_000));
    assert!(problem(&brackets).contains("closing bracket"));
    let depth = 50_000;
    let prims = format!("#usda 1.0\n{}{}", "def \"A\" {".repeat(depth), "}".repeat(depth));
    assert_eq!(problem(&prims), "the scene: found no SkelAnimation, expected one");
}

#[test]
fn damaged_copies_are_accepted_or_refused() {
    const USD: Damage = Damage {
        fragments: &[
            b"\xff\xff\xff\xff\xff\xff\xff\xff",
            b"\xff\xff\xff\x7f",
            b"SkelAnimation",
            b"rotations.timeSamples = {",
            b"1e300: [",
            b"@a.usda@</A>",
            b"(",
            b"}",
            b"\"",
            b"nan",
        ],
        copies: 2_000,
        memory_per_byte: 20,
        // The frames of a motion that a damaged time makes long, which the memory of poses limits.
        memory_besides: 64 << 20,
    };
    own_process::run(module_path!(), "damaged_copies_are_accepted_or_refused", || {
        for name in FILES {
            let outcome = USD.check(
                &bytes(name),
                |bytes| SourceFile::read(bytes.to_vec(), &ReadOptions::default()),
                |source, bytes| {
                    let mut motion = source.motion(&SPACE);
                    assert!(
                        source.write(&motion, &SPACE).unwrap() == bytes,
                        "an unchanged motion changed the file"
                    );
                    motion.poses[0].offsets[0] = Vec3::new(0.25, -3.5, 10.0);
                    if let Ok(written) = source.write(&motion, &SPACE) {
                        source.read_back(written).unwrap();
                    }
                },
            );
            assert!(outcome.accepted > 0 && outcome.refused > 0, "{name}: {outcome:?}");
        }
    });
}
