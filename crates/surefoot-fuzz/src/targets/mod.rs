//! What is checked of every kind of input: one module each, for any bytes.

pub mod acclaim;
pub mod arrays;
pub mod bvh;
pub mod c3d;
pub mod fbx;
pub mod floor;
pub mod gltf;
pub mod goals;
pub mod model;
pub mod path;
pub mod plants;
pub mod request;
pub mod rig;
pub mod stream;

/// A function that checks any bytes as an input of one kind, and panics if something is wrong.
pub type Check = fn(&[u8]);

/// All targets by name.
pub const ALL: [(&str, Check); 14] = [
    ("acclaim", acclaim::check_bytes),
    ("arrays", arrays::check_bytes),
    ("bvh", bvh::check_bytes),
    ("c3d", c3d::check_bytes),
    ("fbx", fbx::check_bytes),
    ("floor", floor::check_bytes),
    ("gltf", gltf::check_bytes),
    ("goals", goals::check_bytes),
    ("model", model::check_bytes),
    ("path", path::check_bytes),
    ("plants", plants::check_bytes),
    ("request", request::check_bytes),
    ("rig", rig::check_bytes),
    ("stream", stream::check_bytes),
];
