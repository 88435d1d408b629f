//! The layers of a file: the file itself, the members of its package, and the files beside it.

use std::sync::Arc;

use super::error::UsdError;
use super::layer::{Data, Layer};
use crate::source::LoadBeside;
use crate::zip::Directory;

/// Most layers that are opened for one file.
const MOST_LAYERS: usize = 500;

/// Where a layer is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The file itself.
    File,
    /// A member of the file, which is a package.
    Member(usize),
    /// A file beside it.
    Beside,
}

/// The layers that were opened.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    /// The bytes of the file that was read.
    pub main: Arc<Vec<u8>>,
    /// The directory of the file, if it is a package.
    pub package: Option<Directory>,
    pub layers: Vec<Layer>,
    pub origins: Vec<Origin>,
    /// Files that other layers name and that were not found or read, each with the reason.
    pub missing: Vec<(String, String)>,
}

impl Files {
    /// Opens the file: its only layer, or the first one of a package.
    pub fn open(bytes: Vec<u8>, name: Option<&str>) -> Result<Self, UsdError> {
        let main = Arc::new(bytes);
        let mut files = Self { main: main.clone(), ..Self::default() };
        let name = name.and_then(|name| name.rsplit(['/', '\\']).next()).unwrap_or("the file");
        if !main.starts_with(b"PK\x03\x04") {
            files.add(Layer::read(name, Data::whole(main))?, Origin::File);
            return Ok(files);
        }
        let directory =
            Directory::read(&main).map_err(|error| UsdError::new(name, error.0, "a USD package"))?;
        let first = directory.members.iter().position(|member| is_layer_name(&member.name));
        let first =
            first.ok_or_else(|| UsdError::new(name, "no layer", "a .usda or .usdc as its first file"))?;
        files.package = Some(directory);
        let layer = files.read_member(first)?;
        files.add(layer, Origin::Member(first));
        Ok(files)
    }

    fn add(&mut self, layer: Layer, origin: Origin) -> usize {
        self.layers.push(layer);
        self.origins.push(origin);
        self.layers.len() - 1
    }

    fn read_member(&self, index: usize) -> Result<Layer, UsdError> {
        let member = self.package.as_ref().map(|package| &package.members[index]);
        let Some(member) = member else { return Err(UsdError::new("the file", "no package", "one")) };
        let stored = member.stored();
        let range = stored.ok_or_else(|| {
            UsdError::new(&member.name, "a compressed file", "a package without compression, as USD needs it")
        })?;
        Layer::read(&member.name, Data { file: self.main.clone(), range })
    }

    /// The layer that another layer names; `None` if it cannot be read, which is noted.
    pub fn find(&mut self, asset: &str, from: usize, beside: Option<LoadBeside>) -> Option<usize> {
        let name = relative_name(asset, &self.layers[from].name, self.origins[from]);
        if let Some(known) = self.layers.iter().position(|layer| layer.name == name) {
            return Some(known);
        }
        if self.missing.iter().any(|(missing, _)| *missing == name) {
            return None;
        }
        match self.load(&name, from, beside) {
            Ok((layer, origin)) => Some(self.add(layer, origin)),
            Err(reason) => {
                self.missing.push((name, reason));
                None
            }
        }
    }

    fn load(&self, name: &str, from: usize, beside: Option<LoadBeside>) -> Result<(Layer, Origin), String> {
        if self.layers.len() + self.missing.len() >= MOST_LAYERS {
            return Err(format!("more than {MOST_LAYERS} layers are named"));
        }
        if let (Some(package), Origin::Member(_)) = (&self.package, self.origins[from]) {
            let member = package.members.iter().position(|member| member.name == name);
            let member = member.ok_or("it is not in the package")?;
            let layer = self.read_member(member).map_err(|error| error.to_string())?;
            return Ok((layer, Origin::Member(member)));
        }
        if !is_layer_name(name) {
            return Err("it is not a .usda, .usdc or .usd file".into());
        }
        let bytes = beside.and_then(|load| load(name)).ok_or("there is no such file beside it")?;
        let layer = Layer::read(name, Data::whole(Arc::new(bytes))).map_err(|error| error.to_string())?;
        Ok((layer, Origin::Beside))
    }

    /// The size of all files, in bytes.
    pub fn size(&self) -> usize {
        let beside = self.layers.iter().zip(&self.origins).filter(|(_, origin)| **origin == Origin::Beside);
        self.main.len() + beside.map(|(layer, _)| layer.data.len()).sum::<usize>()
    }
}

fn is_layer_name(name: &str) -> bool {
    [".usda", ".usdc", ".usd"].iter().any(|ending| name.to_ascii_lowercase().ends_with(ending))
}

/// The name of a file that a layer names, relative to the folder of the main file or in its package.
fn relative_name(asset: &str, from: &str, origin: Origin) -> String {
    let folder = match origin {
        Origin::File => "",
        _ => from.rsplit_once('/').map_or("", |(folder, _)| folder),
    };
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in asset.split('/').filter(|part| !matches!(*part, "" | ".")) {
        if part == ".." && parts.last().is_some_and(|last| *last != "..") {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_relative_to_the_layer_that_states_them() {
        let name = |asset, from| relative_name(asset, from, Origin::Beside);
        assert_eq!(name("./walk.usda", "shot.usda"), "walk.usda");
        assert_eq!(name("../walk.usda", "layers/shot.usda"), "walk.usda");
        assert_eq!(name("walk.usda", "layers/shot.usda"), "layers/walk.usda");
        assert_eq!(name("../../walk.usda", "layers/shot.usda"), "../walk.usda");
    }
}
