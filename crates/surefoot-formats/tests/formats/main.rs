//! Tests of all file formats, linked into one binary.

mod acclaim;
mod arrays;
mod arrays_damaged;
mod arrays_maker;
mod bvh_damaged;
mod bvh_dialects;
mod bvh_errors;
mod bvh_write;
mod c3d;
mod c3d_damaged;
mod captures;
mod captures_are_inferred;
mod captures_round_trip;
mod damage;
#[cfg(feature = "fbx")]
mod fbx;
#[cfg(feature = "fbx")]
mod fbx_maker;
mod floors;
mod floors_damaged;
mod gltf;
mod gltf_damaged;
mod gltf_judge;
mod gltf_maker;
mod goals;
mod goals_and_paths_damaged;
mod mesh;
mod own_process;
mod plants;
mod plants_errors;
mod stream;
mod stream_errors;
mod usd;
mod usd_layers;

use peak_alloc::PeakAlloc;

/// Counts the memory of the whole process; see [`own_process`] for tests that limit it.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;
