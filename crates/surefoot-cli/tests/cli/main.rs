//! Runs the command and checks its output, its files and its exit code.

mod test_folder;
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
