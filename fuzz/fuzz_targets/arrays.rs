//! Any bytes as arrays are refused, or read, inferred and written back unchanged.
#![no_main]

use libfuzzer_sys::fuzz_target;
use surefoot_formats::Space;
use surefoot_formats::arrays::Arrays;
use surefoot_formats::source::{MotionSource, ReadOptions};
use surefoot_infer::{Overrides, infer};

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = Arrays::read(bytes.to_vec(), &ReadOptions::default()) else { return };
    infer(&file.excerpt(), &Overrides::default());
    let read = file.motion(&Space::METRES_Y_UP);
    if let Ok(written) = file.write(&read, &Space::METRES_Y_UP) {
        assert!(written == bytes);
    }
});
