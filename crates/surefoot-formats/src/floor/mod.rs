//! Floors that are no plane: a grey image, a table of heights, or a mesh.
//!
//! All three have heights without a unit and axes without a name: whoever reads them says which.
//! What comes out is in metres, Y up. Memory grows with
//! the file and never with what the file says of itself.

mod error;
mod field;
mod pgm;
mod csv;
mod obj;

pub use csv::read_csv;
pub use error::FloorError;
pub use obj::{read_obj, write_obj};
pub use pgm::{ImagePlacement, read_pgm};
