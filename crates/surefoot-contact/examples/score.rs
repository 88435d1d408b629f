//! Prints how well plants are found on labelled captures and on samples.
//!
//! `cargo run --release -p surefoot-contact --example score`

#[path = "../tests/labelled/mod.rs"]
mod labelled;

fn main() {
    let detail = std::env::args().nth(1);
    if detail.as_deref() == Some("samples") {
        print!("{}", labelled::samples::table(60.0));
        return;
    }
    for times in [1.0, 1.15] {
        println!("\nroot path × {times}");
        print!("{}", labelled::table(times, detail.as_deref()));
    }
}
