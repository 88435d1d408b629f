//! Messages to stderr. Whoever cannot read them must not end the command: `eprintln!` panics where stderr is full.

use std::io::Write;

/// Writes text to stderr, as far as it can be written.
pub fn write_stderr(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Writes a line to stderr, with the arguments of `format!`.
macro_rules! stderr_line {
    ($($argument:tt)*) => {
        $crate::stderr::write_stderr(&(format!($($argument)*) + "\n"))
    };
}
