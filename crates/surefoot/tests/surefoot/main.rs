//! End-to-end tests of the library, linked into one binary.

mod added_jolts;
mod book_pages;
mod captured_loops;
mod captures;
mod cleanup;
mod detected_plants;
mod events;
mod examples;
mod hostile;
mod peers;
mod rectify;
mod rounding;
mod uneven_ground;
