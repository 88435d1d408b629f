//! Reads what the surfaces of a document look like: base colours and images.
//!
//! The document is read a second time for this, apart from the motion, so that a mistake in a material makes a plain
//! surface and not a file that cannot be read.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Gltf;
use super::base64;
use super::container::percent_decoded;
use crate::mesh::{CharacterMesh, Material};
use crate::source::LoadBeside;

/// The parts of a document that state what surfaces look like.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Looks {
    materials: Vec<LookMaterial>,
    textures: Vec<LookTexture>,
    images: Vec<LookImage>,
    meshes: Vec<LookMesh>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct LookMaterial {
    pbr_metallic_roughness: Pbr,
    double_sided: bool,
    alpha_mode: String,
    alpha_cutoff: Option<f32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Pbr {
    base_color_factor: Option<[f32; 4]>,
    base_color_texture: Option<TextureReference>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct TextureReference {
    index: usize,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct LookTexture {
    source: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct LookImage {
    uri: Option<String>,
    buffer_view: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct LookMesh {
    primitives: Vec<LookPrimitive>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct LookPrimitive {
    material: Option<usize>,
    mode: Option<u32>,
}

/// The mode of a primitive that consists of single triangles.
const TRIANGLES: u32 = 4;

impl Looks {
    pub fn read(file: &Gltf) -> Self {
        serde_json::from_slice(&file.bytes[file.container.json.clone()]).unwrap_or_default()
    }

    /// The material of a primitive in [`Self::add_materials`]. `None` for points and lines, which are not drawn.
    pub fn material_of(&self, mesh: usize, primitive: usize) -> Option<usize> {
        let Some(look) = self.meshes.get(mesh).and_then(|mesh| mesh.primitives.get(primitive)) else {
            return Some(0);
        };
        let material = look.material.filter(|&n| n < self.materials.len());
        (look.mode.unwrap_or(TRIANGLES) == TRIANGLES).then(|| material.map_or(0, |n| n + 1))
    }

    /// Adds the materials and their images to a mesh. The first material is that of primitives without one.
    pub fn add_materials(&self, file: &Gltf, load_beside: LoadBeside, mesh: &mut CharacterMesh) {
        mesh.materials.push(Material::default());
        let mut images: BTreeMap<usize, Option<usize>> = BTreeMap::new();
        for material in &self.materials {
            let surface = &material.pbr_metallic_roughness;
            let texture = surface.base_color_texture.as_ref();
            let source = texture.and_then(|texture| self.textures.get(texture.index)?.source);
            let image = source.and_then(|source| {
                *images.entry(source).or_insert_with(|| {
                    mesh.images.push(image_bytes(file, self.images.get(source)?, load_beside)?);
                    Some(mesh.images.len() - 1)
                })
            });
            mesh.materials.push(Material {
                colour: surface.base_color_factor.unwrap_or([1.0; 4]),
                image,
                cutoff: match material.alpha_mode.as_str() {
                    "MASK" => material.alpha_cutoff.unwrap_or(0.5),
                    "BLEND" => BLEND_CUTOFF,
                    _ => 0.0,
                },
                is_double_sided: material.double_sided,
            });
        }
    }
}

/// Opacity below which a surface that is blended is not drawn: hair and lashes are such surfaces, and drawn with holes
/// they need no order.
const BLEND_CUTOFF: f32 = 0.35;

fn image_bytes(file: &Gltf, image: &LookImage, load_beside: LoadBeside) -> Option<Vec<u8>> {
    if let Some(view) = image.buffer_view {
        let view = file.document.buffer_views.get(view)?;
        let buffer = file.accessors().buffer(view.buffer)?;
        let end = view.byte_offset.checked_add(view.byte_length)?;
        return buffer.get(view.byte_offset..end).map(<[u8]>::to_vec);
    }
    let uri = image.uri.as_ref()?;
    match uri.strip_prefix("data:").and_then(|uri| uri.split_once(";base64,")) {
        Some((_, data)) => base64::decode(data.as_bytes()),
        None => load_beside(&percent_decoded(uri)),
    }
}
