//! What is checked of every kind of input: one module each, for any bytes.

pub mod acclaim;
pub mod arrays;
pub mod bvh;
pub mod c3d;
pub mod cleaning;
pub mod fbx;
pub mod floor;
pub mod gltf;
pub mod goals;
pub mod model;
pub mod path;
pub mod plants;
pub mod request;
pub mod rig;
pub mod session;
pub mod stream;
pub mod usd;

/// A function that checks any bytes as an input of one kind, and panics if something is wrong.
pub type Check = fn(&[u8]);

/// A target: its name, its check, and how many runs of the fastest targets one run of it takes.
pub type Target = (&'static str, Check, u64);

/// All targets.
pub const ALL: [Target; 17] = [
    ("acclaim", acclaim::check_bytes, 1),
    ("arrays", arrays::check_bytes, 1),
    ("bvh", bvh::check_bytes, 1),
    ("c3d", c3d::check_bytes, 1),
    ("cleaning", cleaning::check_bytes, 20),
    ("fbx", fbx::check_bytes, 1),
    ("floor", floor::check_bytes, 1),
    ("gltf", gltf::check_bytes, 1),
    ("goals", goals::check_bytes, 1),
    ("model", model::check_bytes, 1),
    ("path", path::check_bytes, 1),
    ("plants", plants::check_bytes, 1),
    ("request", request::check_bytes, 1),
    ("rig", rig::check_bytes, 1),
    ("session", session::check_bytes, 20),
    ("stream", stream::check_bytes, 1),
    ("usd", usd::check_bytes, 1),
];
