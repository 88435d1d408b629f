//! Laws of the core types, linked into one binary.

mod floors;
