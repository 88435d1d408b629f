//! Any bytes as a path, a drawing or a drawing's path: read or refused, and what is read can be written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use surefoot_formats::path::{PathError, Points, read, read_svg_path_data, read_svg, write};

fn check(places: Result<Points, PathError>) {
    match places {
        Ok(places) => {
            assert!(places.len() >= 2 && places.iter().flatten().all(|number| number.is_finite()));
            // Relative steps may add up to more than a file may say.
            if places.iter().flatten().all(|number| number.abs() <= 1e9) {
                assert_eq!(read(write(&places).as_bytes()).as_ref(), Ok(&places));
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fuzz_target!(|bytes: &[u8]| {
    check(read(bytes));
    let text = String::from_utf8_lossy(bytes);
    check(read_svg(&text));
    check(read_svg_path_data(&text));
});
