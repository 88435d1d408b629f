//! Figures and events of cleaned captures, measured in the written files.
//!
//! Each capture is cleaned twice: as captured, and with its root path made 10 % longer, so that it skates. Plants are
//! detected in the unchanged capture. Each is cleaned by the published method and by ours. Ratios are after ÷ before.
//!
//! ```text
//! cargo bench -p surefoot --bench cleanup -- [FOLDER…] [--form ours|paper] [--scale 1.1] [--stretch 0]
//!     [--edges touch] [--method NAME] [--clips] [--events]
//! cargo bench -p surefoot --bench cleanup -- cost
//! ```
//!
//! A folder is relative to the data folder, or absolute. `--clips` prints a row for each capture, `--events` also
//! each event with foot and frames. `cost` prints only the time per frame.

mod capture;
mod cost;
mod options;
mod rows;

use capture::Capture;
use options::Options;
use rows::{HEADING, Row, print_events, summary};

/// The captures that have rows of their own.
const NAMED: [&str; 4] = ["02_01.bvh", "16_22.bvh", "07_01.bvh", "02_03.bvh"];

fn main() {
    let options = match Options::from_args() {
        Ok(options) => options,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    };
    let captures: Vec<Capture> =
        options.files.iter().filter_map(|path| Capture::read(path, &options)).collect();
    if options.only_cost {
        return costs(&captures, &options);
    }
    for &scale in &options.scales {
        for (form, settings) in &options.forms {
            let damage = if scale == 1.0 { "as captured".into() } else { format!("root path × {scale:.2}") };
            println!("\n{form}, {damage}, {:?} edges\n{}", options.edges, HEADING.join("\n"));
            let mut rows = Vec::new();
            for capture in &captures {
                let Some(figures) = capture.clean(scale, settings) else { continue };
                let Some(row) = Row::new(&figures) else { continue };
                if options.every_clip || NAMED.contains(&capture.name.as_str()) {
                    row.print(&capture.name);
                }
                if options.every_event {
                    print_events(&figures);
                }
                rows.push(row);
            }
            summary(&rows);
        }
    }
}

/// Prints the time per frame on the named captures, unchanged.
fn costs(captures: &[Capture], options: &Options) {
    println!("\ntime per frame, as captured, in nanoseconds");
    for capture in captures.iter().filter(|capture| NAMED.contains(&capture.name.as_str())) {
        let cost = |settings| cost::nanoseconds(capture, settings).unwrap_or(f64::NAN);
        let costs: Vec<String> =
            options.forms.iter().map(|(form, settings)| format!("{form} {:.0}", cost(settings))).collect();
        let motion = &capture.file.clip.motion;
        println!(
            "{:<22} {}, {} joints at {:.0} fps",
            capture.name,
            costs.join(", "),
            motion.skeleton.len(),
            motion.fps
        );
    }
}
