//! Tests of contact detection, linked into one binary.

mod common;
mod generated_motions;
mod ground_monitor;
mod hands;
mod hard_cases;
mod hostile;
mod invariance;
mod learned;
mod live;
mod model_files;
mod published_methods;
mod treadmill;
