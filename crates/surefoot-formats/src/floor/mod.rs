//! Uneven floors: a greyscale image, a table of heights, or a mesh.
//!
//! None of these formats states its unit and axes; the caller does. The resulting surface is in
//! metres, Y up. Memory is proportional to the length of the file, whatever size it states.

mod csv;
mod error;
mod height_grid;
mod obj;
mod pgm;

pub use csv::read_csv;
pub use error::FloorError;
pub use obj::{read_obj, write_obj};
pub use pgm::{ImagePlacement, read_pgm};
