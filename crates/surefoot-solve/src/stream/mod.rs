//! The buffers of the stream: the frames inside the cleaner, in rings of fixed size.

pub(crate) mod frame_windows;
pub(crate) mod incremental;
pub(crate) mod plant_state;
pub(crate) mod poses;
pub(crate) mod ring;
pub(crate) mod slots;
pub(crate) mod travel;
pub(crate) mod window;
