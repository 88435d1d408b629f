//! End-to-end tests of the library, linked into one binary.

mod added_jolts;
mod captured_loops;
mod captures;
mod detected_plants;
mod events;
mod examples;
mod hostile;
mod peers;
mod rounding;
mod uneven_ground;
