//! Binary layers: `.usdc`.
//!
//! `tables.rs` reads the tables, `lz4.rs` and `integers.rs` unpack them, `values.rs` decodes values, and `write.rs` changes
//! the values of samples.

mod cursor;
mod integers;
mod lz4;
mod tables;
mod values;
mod write;

use std::collections::BTreeMap;

use super::error::UsdError;
use super::layer::{Content, Data, Layer, Link, Precision, Prim, Prims, Property, Stored, is_wanted};
use tables::{Spec, Tables};
use values::{Kind, Number, Rep};
pub(super) use write::write;

/// The first bytes of a binary layer.
pub(super) const MAGIC: &[u8] = b"PXR-USDC";
/// Kinds of specs.
const ATTRIBUTE: i32 = 1;
const PRIM: i32 = 6;
const ROOT: i32 = 7;
const RELATIONSHIP: i32 = 8;
const VARIANT_SET: i32 = 11;
/// Deepest prim whose path is needed as a text. Characters are less than 20 deep.
const DEEPEST: usize = 1_000;
/// The specifier of a class.
const CLASS: u64 = 2;
/// Most sublayers, and most references and payloads of all prims.
const MOST_SUBLAYERS: usize = 1_000;
const MOST_LINKS: usize = 20_000;
/// Longest path that is needed as a text, in bytes.
const LONGEST_PATH: usize = 1 << 16;

/// The tables of a binary layer.
#[derive(Clone, Debug)]
pub(super) struct Binary {
    tables: Tables,
}

fn damaged() -> UsdError {
    UsdError::new("a value", "data that do not fit", "a whole file: it is damaged or cut off")
}

/// Reads a binary layer.
pub(super) fn read(name: &str, data: Data) -> Result<Layer, UsdError> {
    let binary = Binary { tables: Tables::read(&data)? };
    let mut reader = Reader {
        binary: &binary,
        bytes: &data,
        prims: Prims::new(data.len()),
        prim_of: vec![Place::Unknown; binary.tables.paths.len()],
        samples_left: data.len() / 8,
        links_left: MOST_LINKS,
        sublayers: Vec::new(),
    };
    reader.read()?;
    let (prims, sublayers) = (reader.prims.all, reader.sublayers);
    Ok(Layer { name: name.into(), data, content: Content::Binary(Box::new(binary)), prims, sublayers })
}

/// The prim of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Unknown,
    /// In a variant, or a path that is no prim.
    Outside,
    Prim(u32),
}

struct Reader<'b> {
    binary: &'b Binary,
    bytes: &'b [u8],
    prims: Prims,
    prim_of: Vec<Place>,
    /// Samples and links that the file can still have. Properties of a damaged file could all share the same ones.
    samples_left: usize,
    links_left: usize,
    sublayers: Vec<Link>,
}

impl Binary {
    /// A path as text: `/Root/Skel`, `/Root/Skel.joints`.
    fn path(&self, index: u32) -> Option<String> {
        let mut names: Vec<String> = Vec::new();
        let mut length = 0;
        let mut at = index;
        loop {
            let entry = self.tables.paths.get(at as usize).filter(|entry| entry.is_stated)?;
            if entry.parent == at {
                break;
            }
            let name = self.tables.tokens.get(entry.token)?;
            length += name.len();
            if names.len() == DEEPEST || length > LONGEST_PATH {
                return None;
            }
            names.push([if entry.is_property { "." } else { "/" }, name].concat());
            at = entry.parent;
        }
        names.reverse();
        Some(if names.is_empty() { "/".into() } else { names.concat() })
    }

    /// The fields of a spec by name.
    fn fields(&self, spec: &Spec) -> BTreeMap<&str, Rep> {
        let field = |field: usize| {
            let (token, value) = self.tables.fields[field];
            Some((self.tables.tokens.get(token)?, Rep(value)))
        };
        self.tables.fields_of(spec).filter_map(field).collect()
    }
}

impl<'b> Reader<'b> {
    fn read(&mut self) -> Result<(), UsdError> {
        let binary: &'b Binary = self.binary;
        for (index, spec) in binary.tables.specs.iter().enumerate() {
            match spec.kind {
                ROOT => self.metadata(spec)?,
                PRIM => self.prim(spec)?,
                ATTRIBUTE | RELATIONSHIP => self.property(index, spec)?,
                VARIANT_SET => self.variant_set(spec)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The prim of a path, which is added with those above it.
    fn place(&mut self, path: u32) -> Result<Option<usize>, UsdError> {
        let mut waiting = Vec::new();
        let mut at = path;
        let mut above = loop {
            let Some(entry) = self.binary.tables.paths.get(at as usize).filter(|entry| entry.is_stated)
            else {
                return Ok(None);
            };
            match self.prim_of[at as usize] {
                Place::Unknown if entry.parent == at => break Place::Prim(0),
                Place::Unknown => waiting.push(at),
                known => break known,
            }
            at = entry.parent;
        };
        while let Some(path) = waiting.pop() {
            let entry = self.binary.tables.paths[path as usize];
            let name = self.binary.tables.tokens.get(entry.token).unwrap_or_default();
            // `{look=red}` is a variant, `[/Target]` a target.
            above = match above {
                Place::Prim(parent) if !entry.is_property && !name.starts_with(['{', '[']) => {
                    let prim = Prim { name: name.into(), ..Prim::default() };
                    Place::Prim(self.prims.add(parent as usize, prim)? as u32)
                }
                _ => Place::Outside,
            };
            self.prim_of[path as usize] = above;
        }
        Ok(match above {
            Place::Prim(prim) => Some(prim as usize),
            _ => None,
        })
    }

    fn metadata(&mut self, spec: &Spec) -> Result<(), UsdError> {
        for (name, rep) in self.binary.fields(spec) {
            if name == "subLayers" {
                let names = self.binary.words(self.bytes, Stored(rep.0), MOST_SUBLAYERS)?;
                let link = |name| Link { asset: Some(name), ..Link::default() };
                self.sublayers = names.into_iter().map(link).collect();
            }
            let property = Property { name: name.into(), value: Some(Stored(rep.0)), ..Property::default() };
            self.prims.all[0].properties.push(property);
        }
        self.sublayer_offsets();
        Ok(())
    }

    /// Notes which sublayers have moved or scaled times. Offset and scale follow one another as doubles.
    fn sublayer_offsets(&mut self) {
        let root = &self.prims.all[0];
        let value = root.property("subLayerOffsets").and_then(|at| root.properties[at].value);
        let Some(mut cursor) =
            value.and_then(|value| cursor::Cursor::new(self.bytes, Rep(value.0).payload()))
        else {
            return;
        };
        cursor.u64();
        for link in &mut self.sublayers {
            let pair = [cursor.f64(), cursor.f64()];
            link.has_offset = pair != [Some(0.0), Some(1.0)];
        }
    }

    fn prim(&mut self, spec: &Spec) -> Result<(), UsdError> {
        let Some(index) = self.place(spec.path)? else { return Ok(()) };
        let fields = self.binary.fields(spec);
        let mut links = Vec::new();
        for name in ["references", "payload"] {
            if let Some(&rep) = fields.get(name) {
                let found = self.binary.links(self.bytes, rep, self.links_left);
                self.links_left -= found.as_ref().map_or(0, Vec::len);
                let path = || self.binary.path(spec.path).unwrap_or_default();
                links.extend(found.ok_or_else(|| {
                    UsdError::new(
                        path(),
                        format_args!("{name} that do not fit"),
                        "a whole file: it is damaged",
                    )
                })?);
            }
        }
        let prim = &mut self.prims.all[index];
        prim.links = links;
        prim.is_hidden = fields.get("specifier").is_some_and(|rep| rep.payload() == CLASS)
            || fields.get("active").is_some_and(|rep| rep.payload() == 0);
        prim.has_variants |= fields.contains_key("variantSetNames");
        if let Some(rep) = fields.get("typeName").filter(|rep| rep.kind() == Kind::Token as u8) {
            let name = self.binary.tables.tokens.get(rep.payload() as u32);
            prim.type_name = name.unwrap_or_default().into();
        }
        Ok(())
    }

    fn variant_set(&mut self, spec: &Spec) -> Result<(), UsdError> {
        let parent = self.binary.tables.paths.get(spec.path as usize).map(|entry| entry.parent);
        if let Some(parent) = parent
            && let Some(index) = self.place(parent)?
        {
            self.prims.all[index].has_variants = true;
        }
        Ok(())
    }

    fn property(&mut self, index: usize, spec: &Spec) -> Result<(), UsdError> {
        let Some(entry) = self.binary.tables.paths.get(spec.path as usize).copied() else { return Ok(()) };
        let name = self.binary.tables.tokens.get(entry.token).unwrap_or_default();
        if !entry.is_property || !is_wanted(name) {
            return Ok(());
        }
        let Some(prim) = self.place(entry.parent)? else { return Ok(()) };
        let fields = self.binary.fields(spec);
        let field = if spec.kind == ATTRIBUTE { "default" } else { "targetPaths" };
        let mut property = Property { name: name.into(), end: index, ..Property::default() };
        property.value = fields.get(field).map(|rep| Stored(rep.0));
        if let Some(&rep) = fields.get("timeSamples") {
            let samples = self.binary.samples(self.bytes, rep);
            let left = |count: usize| self.samples_left.checked_sub(count);
            let left = samples.as_ref().and_then(|(samples, _)| left(samples.len()));
            let samples = samples.filter(|_| left.is_some());
            self.samples_left = left.unwrap_or_default();
            let path = || self.binary.path(spec.path).unwrap_or_default();
            let wrong =
                || UsdError::new(path(), "time samples that do not fit", "a whole file: it is damaged");
            property.samples = samples.ok_or_else(wrong)?.0;
        }
        let first = property.samples.first().map(|(_, stored)| *stored).or(property.value);
        property.precision = match first.and_then(|stored| Rep(stored.0).layout()) {
            Some(values::Layout { number: Number::Real(precision), .. }) => precision,
            _ => Precision::Single,
        };
        self.prims.all[prim].properties.push(property);
        Ok(())
    }
}
