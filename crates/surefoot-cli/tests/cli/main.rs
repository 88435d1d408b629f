//! The command as a person meets it: run, and judged by what it prints, writes and returns.

mod here;
mod clean;
mod conventions;
mod convert;
mod demo;
mod events;
mod detect;
mod help;
mod inspect;
mod measure;
mod methods;
mod refused;
mod sample;
mod settings;
