//! The command as a person meets it: run, and judged by what it prints, writes and returns.

mod here;
mod book;
mod clean;
mod conventions;
mod convert;
mod demo;
mod events;
mod examples;
mod detect;
mod edits;
mod floors;
mod help;
mod inspect;
mod joins;
mod knee_cost;
mod library;
mod measure;
mod reach;
mod methods;
mod refused;
mod sample;
mod settings;
mod stream;
mod stream_ends;
mod train;
mod treadmill;
