//! Bounds the memory of skinned meshes: a small file can state many of them that share their data.

use core::mem::size_of;

use surefoot_infer::{BindTransform, SkinVertex};

use crate::mesh::Vertex;

/// Most memory, as a multiple of the size of the file. A vertex takes 32 bytes here and at least 20 in a file.
const TIMES_FILE: usize = 2;
/// Memory that a file of any size may take, in bytes: 50 meshes on 200 joints.
const BESIDES: usize = 1 << 20;

/// Most memory for drawing, as a multiple of the size of the file. A corner of a triangle takes up to 60 bytes here, and
/// about 10 in a compressed file.
const DRAWN_TIMES_FILE: usize = 16;
/// Memory for drawing that a file of any size may take, in bytes.
const DRAWN_BESIDES: usize = 1 << 24;

/// The memory in bytes that is left for meshes.
pub(crate) struct SkinBudget(usize);

impl SkinBudget {
    /// The memory for the meshes of a file of this size.
    pub fn new(file: usize) -> Self {
        Self(file.saturating_mul(TIMES_FILE).saturating_add(BESIDES))
    }

    /// The memory for the meshes of a file of this size that are drawn.
    pub fn for_drawing(file: usize) -> Self {
        Self(file.saturating_mul(DRAWN_TIMES_FILE).saturating_add(DRAWN_BESIDES))
    }

    /// Takes the memory of a mesh that is drawn. `None` if it is not left.
    pub fn take_drawn(&mut self, vertices: usize, triangles: usize) -> Option<()> {
        let triangles = triangles.saturating_mul(size_of::<[u32; 3]>());
        self.take(vertices.saturating_mul(size_of::<Vertex>()).saturating_add(triangles))
    }

    /// Takes the memory of a mesh on this many joints. `None` if it is not left.
    pub fn take_joints(&mut self, joints: usize) -> Option<()> {
        self.take(joints.saturating_mul(size_of::<Option<BindTransform>>()))
    }

    /// Takes the memory of vertices. `None` if it is not left.
    pub fn take_vertices(&mut self, vertices: usize) -> Option<()> {
        self.take(vertices.saturating_mul(size_of::<SkinVertex>()))
    }

    fn take(&mut self, bytes: usize) -> Option<()> {
        self.0 = self.0.checked_sub(bytes)?;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meshes_that_share_their_data_are_not_read_without_end() {
        let mut budget = SkinBudget::new(1 << 20);
        let read = (0..1_000)
            .take_while(|_| budget.take_joints(200).and_then(|()| budget.take_vertices(10_000)).is_some());
        assert!((5..20).contains(&read.count()));
        let mut budget = SkinBudget::for_drawing(1 << 20);
        let drawn = (0..1_000).take_while(|_| budget.take_drawn(10_000, 20_000).is_some());
        assert!((10..100).contains(&drawn.count()));
    }
}
