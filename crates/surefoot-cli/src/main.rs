//! The surefoot command.
mod input;
mod output;
mod problem;
fn main() {}
