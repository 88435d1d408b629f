//! The published experiments on goals, repeated: boxing, kicks, catches, and the number of auxiliary frames.
//!
//! `cargo run --release -p surefoot-edit --example choi -- DATA [OUT]` reads the captures below the folder DATA and
//! prints the tables of book/src/edits/reach.md. It writes the goals of each experiment into the folder OUT, for
//! `surefoot reach`. A test of this crate compares the tables with the book.

#[path = "../../tests/edit/clips.rs"]
mod clips;
mod tables;

use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let data = args.next().ok_or("usage: choi DATA [OUT]")?;
    let out = args.next();
    for name in tables::NAMES {
        let table =
            tables::table(name, |path| Some(Path::new(&data).join(path))).expect("the path of a capture");
        println!("{name}\n\n{}", table.text);
        for (file, text) in table.goals {
            if let Some(out) = &out {
                std::fs::write(Path::new(out).join(file), text)?;
            }
        }
    }
    Ok(())
}
