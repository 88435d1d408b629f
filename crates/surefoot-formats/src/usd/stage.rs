//! The scene of a file: the prims of all its layers, references and payloads, put together.
//!
//! Each prim of the scene has the prims of layers that state something about it, the strongest first. A value comes from
//! the strongest one that has it. Variants, inherits and specializes are left out.

use std::collections::HashMap;

use super::error::UsdError;
use super::files::Files;
use super::layer::{Link, Prim, Property};
use crate::source::LoadBeside;

/// Most prims of layers for one prim of the scene.
const MOST_SITES: usize = 100;
/// Prims of the scene for each prim of the layers: an asset may be referred to several times.
const COPIES: usize = 8;
const PRIMS_BESIDES: usize = 10_000;
/// Steps of looking for the prims of references; a city of 10,000 references takes a million.
const MOST_STEPS: usize = 100_000_000;
/// Deepest prim whose path is shown or searched.
const DEEPEST: usize = 1_000;

/// A prim of a layer that states something about a prim of the scene.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub layer: u32,
    pub prim: u32,
    /// The reference through which it came; 0 for the layers of the file itself.
    arc: u32,
    /// Whether the times of its layer are moved or scaled.
    is_shifted: bool,
}

/// A reference that was followed.
#[derive(Clone, Debug)]
struct Arc {
    /// The prim of the scene that has the reference.
    node: usize,
    /// The path of the prim that it refers to.
    source: String,
    /// The layer that it refers to.
    layer: usize,
}

#[derive(Clone, Debug, Default)]
struct Node {
    parent: u32,
    name: Box<str>,
    sites: Vec<Site>,
    children: Vec<u32>,
}

/// A property of a layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub layer: usize,
    pub prim: usize,
    pub property: usize,
    pub is_shifted: bool,
}

/// The scene.
pub(super) struct Stage<'f> {
    pub files: &'f mut Files,
    nodes: Vec<Node>,
    arcs: Vec<Arc>,
    steps: usize,
}

impl<'f> Stage<'f> {
    /// Puts the layers of a file together; `beside` loads those that are not in it.
    pub fn new(files: &'f mut Files, beside: Option<LoadBeside>) -> Result<Self, UsdError> {
        let root = Arc { node: 0, source: "/".into(), layer: 0 };
        let mut stage = Self { files, nodes: vec![Node::default()], arcs: vec![root], steps: 0 };
        for (layer, is_shifted) in stage.layer_stack(0, false, beside) {
            stage.nodes[0].sites.push(Site { layer: layer as u32, prim: 0, arc: 0, is_shifted });
        }
        let mut next = 0;
        while next < stage.nodes.len() {
            stage.follow_links(next, beside)?;
            stage.add_children(next)?;
            next += 1;
        }
        Ok(stage)
    }

    /// A layer and those below it, the strongest first, each with whether its times are moved or scaled.
    fn layer_stack(
        &mut self,
        layer: usize,
        is_shifted: bool,
        beside: Option<LoadBeside>,
    ) -> Vec<(usize, bool)> {
        let mut stack = Vec::new();
        let mut waiting = vec![(layer, is_shifted)];
        while let Some((layer, is_shifted)) = waiting.pop() {
            if stack.iter().any(|(known, _)| *known == layer) {
                continue;
            }
            stack.push((layer, is_shifted));
            let links = self.files.layers[layer].sublayers.clone();
            for link in links.iter().rev() {
                let found = link.asset.as_ref().and_then(|asset| self.files.find(asset, layer, beside));
                waiting.extend(found.map(|found| (found, is_shifted || link.has_offset)));
            }
        }
        stack
    }

    /// Adds the prims that a prim of the scene refers to.
    fn follow_links(&mut self, node: usize, beside: Option<LoadBeside>) -> Result<(), UsdError> {
        let mut next = 0;
        while let Some(&site) = self.nodes[node].sites.get(next) {
            next += 1;
            let links = self.files.layers[site.layer as usize].prims[site.prim as usize].links.clone();
            for link in links {
                self.follow(node, site, &link, beside)?;
            }
            if self.nodes[node].sites.len() > MOST_SITES {
                let found = "references that lead to each other";
                return Err(UsdError::new(self.path(node), found, "references that end"));
            }
        }
        Ok(())
    }

    fn follow(
        &mut self,
        node: usize,
        site: Site,
        link: &Link,
        beside: Option<LoadBeside>,
    ) -> Result<(), UsdError> {
        let layer = match &link.asset {
            Some(asset) => self.files.find(asset, site.layer as usize, beside),
            None => Some(self.arcs[site.arc as usize].layer),
        };
        let Some(layer) = layer else { return Ok(()) };
        let default = || self.files.layers[layer].metadata_word("defaultPrim");
        let Some(source) = link.prim.clone().or_else(default) else { return Ok(()) };
        let source = if source.starts_with('/') { source } else { format!("/{source}") };
        let arc = self.arcs.len() as u32;
        for (layer, is_shifted) in self.layer_stack(layer, site.is_shifted || link.has_offset, beside) {
            if let Some(prim) = self.prim_at(layer, &source)? {
                let site = Site { layer: layer as u32, prim: prim as u32, arc, is_shifted };
                self.nodes[node].sites.push(site);
            }
        }
        self.arcs.push(Arc { node, source, layer });
        Ok(())
    }

    /// The prim of a layer at a path.
    fn prim_at(&mut self, layer: usize, path: &str) -> Result<Option<usize>, UsdError> {
        let prims = &self.files.layers[layer].prims;
        let mut at = 0;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            let prim: &Prim = &prims[at];
            self.steps += prim.children.len() + 1;
            if self.steps > MOST_STEPS {
                return Err(UsdError::new(path, "too many references", "fewer"));
            }
            let mut children = prim.children.iter().map(|&child| child as usize);
            match children.find(|&child| &*prims[child].name == name) {
                Some(child) => at = child,
                None => return Ok(None),
            }
        }
        Ok((at != 0).then_some(at))
    }

    fn add_children(&mut self, node: usize) -> Result<(), UsdError> {
        let sites = self.nodes[node].sites.clone();
        let prims: usize = self.files.layers.iter().map(|layer| layer.prims.len()).sum();
        let mut known: HashMap<Box<str>, usize> = HashMap::new();
        for site in &sites {
            let layer = &self.files.layers[site.layer as usize];
            for &prim in &layer.prims[site.prim as usize].children {
                let name = &layer.prims[prim as usize].name;
                let own = Site { prim, ..*site };
                match known.get(name).copied() {
                    Some(child) => self.nodes[child].sites.push(own),
                    None => {
                        let child = self.nodes.len();
                        let new = Node {
                            parent: node as u32,
                            name: name.clone(),
                            sites: vec![own],
                            children: Vec::new(),
                        };
                        self.nodes.push(new);
                        self.nodes[node].children.push(child as u32);
                        if sites.len() > 1 {
                            known.insert(name.clone(), child);
                        }
                    }
                }
            }
        }
        match self.nodes.len() > PRIMS_BESIDES + COPIES * prims {
            true => {
                let found = format!("more than {COPIES} copies of each prim");
                Err(UsdError::new(self.path(node), found, "references that end"))
            }
            false => Ok(()),
        }
    }

    /// The path of a prim.
    pub fn path(&self, node: usize) -> String {
        let names: Vec<&str> =
            self.above(node).take(DEEPEST).filter(|&at| at != 0).map(|at| &*self.nodes[at].name).collect();
        let path: String = names.iter().rev().flat_map(|name| ["/", name]).collect();
        if path.is_empty() { "/".into() } else { path }
    }

    /// A prim and those above it.
    pub fn above(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let next = |&at: &usize| (at != 0).then(|| self.nodes[at].parent as usize);
        core::iter::successors(Some(node), next)
    }

    /// The prims of layers that state something about a prim, the strongest first.
    fn prims(&self, node: usize) -> impl Iterator<Item = (Site, &Prim)> {
        let prim = |site: &Site| (*site, &self.files.layers[site.layer as usize].prims[site.prim as usize]);
        self.nodes[node].sites.iter().map(prim)
    }

    /// The prims of a type that are part of the scene.
    pub fn of_type(&self, wanted: &str) -> Vec<usize> {
        let mut is_hidden = vec![false; self.nodes.len()];
        let mut found = Vec::new();
        for node in 0..self.nodes.len() {
            let is_off = self.prims(node).next().is_some_and(|(_, prim)| prim.is_hidden);
            is_hidden[node] = is_off || is_hidden[self.nodes[node].parent as usize];
            let type_name = self.prims(node).map(|(_, prim)| &*prim.type_name).find(|name| !name.is_empty());
            if type_name == Some(wanted) && !is_hidden[node] {
                found.push(node);
            }
        }
        found
    }

    /// Whether a prim has variants, which are not read.
    pub fn has_variants(&self) -> bool {
        (0..self.nodes.len()).any(|node| self.prims(node).any(|(_, prim)| prim.has_variants))
    }

    /// The strongest property of this name that has a value.
    pub fn place(&self, node: usize, name: &str) -> Option<Place> {
        self.prims(node).find_map(|(site, prim)| {
            let property = prim.property(name)?;
            let own = &prim.properties[property];
            let has_value = own.value.is_some() || !own.samples.is_empty();
            let (layer, prim) = (site.layer as usize, site.prim as usize);
            has_value.then_some(Place { layer, prim, property, is_shifted: site.is_shifted })
        })
    }

    pub fn property(&self, place: Place) -> &Property {
        &self.files.layers[place.layer].prims[place.prim].properties[place.property]
    }

    /// The words of a property at all times.
    pub fn words(&self, node: usize, name: &str, most: usize) -> Result<Vec<String>, UsdError> {
        let Some(place) = self.place(node, name) else { return Ok(Vec::new()) };
        let Some(value) = self.property(place).value else { return Ok(Vec::new()) };
        let words = self.files.layers[place.layer].words(value, most);
        words.map_err(|error| error.within(&format!("{}.{name}", self.path(node))))
    }

    /// The numbers of a property that holds at all times, or at its first time.
    pub fn numbers(&self, node: usize, name: &str, most: usize) -> Result<Option<Vec<f64>>, UsdError> {
        let Some(place) = self.place(node, name) else { return Ok(None) };
        let property = self.property(place);
        let value = property.value.or(property.samples.first().map(|(_, stored)| *stored));
        let Some(value) = value else { return Ok(None) };
        let numbers = self.files.layers[place.layer].numbers(value, property.precision, most);
        numbers.map(Some).map_err(|error| error.within(&format!("{}.{name}", self.path(node))))
    }

    /// The prim that a relationship names.
    pub fn target(&self, node: usize, name: &str) -> Option<usize> {
        let (site, prim) = self.prims(node).find(|(_, prim)| prim.property(name).is_some())?;
        let value = prim.properties[prim.property(name)?].value?;
        let path = self.files.layers[site.layer as usize].words(value, 10).ok()?.into_iter().next()?;
        let arc = &self.arcs[site.arc as usize];
        let rest = if arc.source == "/" { &path } else { path.strip_prefix(&arc.source)? };
        let mut at = arc.node;
        for name in rest.split('/').filter(|name| !name.is_empty()).take(DEEPEST) {
            let children = self.nodes[at].children.iter().map(|&child| child as usize);
            at = children.clone().find(|&child| &*self.nodes[child].name == name)?;
        }
        Some(at)
    }
}
