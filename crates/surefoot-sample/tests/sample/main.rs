//! Tests of the generated motions, linked into one binary.

mod damage;
mod generated_motions;
mod hands;
mod toes;
mod hard_kinds;
mod inference;
mod rigs;
