//! Compares ours with two open programs that repair footskate, both rebuilt from their descriptions.
//!
//! `cargo bench -p surefoot --bench peers -- [OUT]` prints the tables of book/src/method/published-figures.md and draws its
//! figures into the folder OUT. Captures are found as tests find them; without them only generated motions are compared. A
//! test of this crate compares tables and figures with the book.

mod comparison;

use std::path::Path;

use comparison::{CAPTURED, GENERATED, figure, table};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Cargo passes flags of its own.
    let out = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    for clips in [&GENERATED[..], &CAPTURED[..]] {
        match table(clips) {
            Some(table) => println!("{table}"),
            None => println!("no captures: see CONTRIBUTING.md"),
        }
        for clip in clips {
            if let (Some(out), Some(svg)) = (&out, figure(clip)) {
                std::fs::write(Path::new(out).join(format!("peers-{}.svg", clip.name)), svg)?;
            }
        }
    }
    Ok(())
}
