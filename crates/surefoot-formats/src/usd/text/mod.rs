//! Text layers: `.usda`.
//!
//! The parser goes through the text once, with a list of the open prims instead of recursion, and notes where the values
//! of interest are.

mod lexer;
mod values;
mod write;

pub(super) use values::{numbers, words};
pub(super) use write::write;

use lexer::{Kind, Lexer, Token};

use super::error::UsdError;
use super::layer::{Content, Data, Layer, Link, Precision, Prim, Prims, Property, Stored, is_wanted};
use crate::json::without_bom;

/// Words that may stand before a property and say how it is combined with others.
const PREFIXES: [&str; 9] =
    ["custom", "uniform", "varying", "config", "prepend", "append", "add", "delete", "reorder"];

/// Reads a text layer.
pub(super) fn read(name: &str, data: Data) -> Result<Layer, UsdError> {
    let text = &data[..];
    let start = text.len() - without_bom(text).len();
    let first = text[start..].split(|&byte| byte == b'\n').next().unwrap_or_default();
    if !first.starts_with(b"#usda 1.") {
        let found = crate::json::shorten(&String::from_utf8_lossy(first.trim_ascii()));
        return Err(UsdError::new("line 1", format_args!("{found:?}"), "\"#usda 1.0\""));
    }
    if u32::try_from(text.len()).is_err() {
        return Err(UsdError::new("the text", "more than 4 GB", "less"));
    }
    let mut parser = Parser {
        lexer: Lexer::new(text, start + first.len()..text.len()),
        prims: Prims::new(text.len()),
        open: vec![0],
        sublayers: Vec::new(),
    };
    parser.read()?;
    let Parser { prims, sublayers, .. } = parser;
    Ok(Layer { name: name.into(), data, content: Content::Text, prims: prims.all, sublayers })
}

struct Parser<'t> {
    lexer: Lexer<'t>,
    prims: Prims,
    /// The prims whose braces are open, the innermost last.
    open: Vec<usize>,
    sublayers: Vec<Link>,
}

impl Parser<'_> {
    fn read(&mut self) -> Result<(), UsdError> {
        if self.lexer.take_if(b'(')? {
            self.metadata(0)?;
        }
        loop {
            let token = self.lexer.next()?;
            match token.kind {
                Kind::Sign(b'}') if self.open.len() > 1 => drop(self.open.pop()),
                Kind::Sign(b';') => {}
                Kind::End if self.open.len() == 1 => return Ok(()),
                Kind::Word => match self.lexer.str(&token) {
                    specifier @ ("def" | "over" | "class") => self.prim(specifier)?,
                    "variantSet" => self.variant_set()?,
                    _ if self.open.len() > 1 => self.property(token)?,
                    // The order of the prims at the top.
                    "reorder" => self.assignment()?,
                    _ => return Err(self.lexer.unexpected(&token, "def, over or class")),
                },
                _ => return Err(self.lexer.unexpected(&token, "a prim, a property or \"}\"")),
            }
        }
    }

    fn current(&mut self) -> usize {
        self.open.last().copied().unwrap_or_default()
    }

    /// A prim up to its opening brace.
    fn prim(&mut self, specifier: &str) -> Result<(), UsdError> {
        let mut token = self.lexer.next()?;
        let mut prim = Prim { is_hidden: specifier == "class", ..Prim::default() };
        if token.kind == Kind::Word {
            prim.type_name = self.lexer.str(&token).into();
            token = self.lexer.next()?;
        }
        if token.kind != Kind::Text {
            return Err(self.lexer.unexpected(&token, "the name of a prim in quotes"));
        }
        prim.name = self.lexer.str(&token).into();
        let parent = self.current();
        let index = self.prims.add(parent, prim)?;
        if self.lexer.take_if(b'(')? {
            self.metadata(index)?;
        }
        self.lexer.take(b'{')?;
        self.open.push(index);
        Ok(())
    }

    /// Variants are skipped: which one holds depends on a selection.
    fn variant_set(&mut self) -> Result<(), UsdError> {
        let index = self.current();
        self.prims.all[index].has_variants = true;
        self.assignment()
    }

    /// Skips `name = value`.
    fn assignment(&mut self) -> Result<(), UsdError> {
        self.lexer.next()?;
        self.lexer.take(b'=')?;
        self.lexer.skip_value().map(drop)
    }

    /// Metadata in parentheses, after the opening one.
    fn metadata(&mut self, prim: usize) -> Result<(), UsdError> {
        loop {
            let mut token = self.lexer.next()?;
            match token.kind {
                Kind::Sign(b')') => return Ok(()),
                // A string alone is a comment.
                Kind::Sign(b';' | b',') | Kind::Text => continue,
                Kind::Word => {}
                _ => return Err(self.lexer.unexpected(&token, "metadata or \")\"")),
            }
            let mut is_removed = false;
            if PREFIXES.contains(&self.lexer.str(&token)) && self.lexer.peek()?.kind == Kind::Word {
                is_removed = matches!(self.lexer.str(&token), "delete" | "reorder");
                token = self.lexer.next()?;
            }
            let name = self.lexer.str(&token);
            // `permission = private` and the like have a value; `symmetricPeer` may have none.
            if !self.lexer.take_if(b'=')? {
                continue;
            }
            match name {
                "references" | "payload" if !is_removed => {
                    let links = self.links()?;
                    self.prims.all[prim].links.extend(links);
                }
                "subLayers" => self.sublayers = self.links()?,
                _ => self.metadata_value(prim, name)?,
            }
        }
    }

    fn metadata_value(&mut self, prim: usize, name: &str) -> Result<(), UsdError> {
        let range = self.lexer.skip_value()?;
        let prim_at = &mut self.prims.all[prim];
        match name {
            "active" => prim_at.is_hidden |= matches!(&self.lexer.text[range], b"false" | b"0"),
            _ if prim == 0 && range.len() < 1_000 => {
                let value = Some(Stored::text(range));
                prim_at.properties.push(Property { name: name.into(), value, ..Property::default() });
            }
            _ => {}
        }
        Ok(())
    }

    /// References, payloads or sublayers: `@file@</Prim> (offset = 1)`, alone or in a list.
    fn links(&mut self) -> Result<Vec<Link>, UsdError> {
        let is_list = self.lexer.take_if(b'[')?;
        let mut links: Vec<Link> = Vec::new();
        loop {
            let token = self.lexer.peek()?;
            let is_new = match (token.kind, links.last()) {
                (Kind::Asset, last) => is_list || last.is_none(),
                (Kind::Path, None) => true,
                (Kind::Path, Some(last)) => last.prim.is_some(),
                _ => false,
            };
            match token.kind {
                Kind::Asset | Kind::Path if is_new && !is_list && !links.is_empty() => return Ok(links),
                Kind::Asset if is_new => links.push(Link {
                    asset: Some(self.lexer.str(&token).to_owned()).filter(|name| !name.is_empty()),
                    ..Link::default()
                }),
                Kind::Path if is_new => links.push(Link { prim: self.path(&token), ..Link::default() }),
                Kind::Path => {
                    let prim = self.path(&token);
                    links.iter_mut().last().into_iter().for_each(|last| last.prim.clone_from(&prim));
                }
                Kind::Sign(b'(') => {
                    let range = self.lexer.skip_value()?;
                    let has_offset = !self.lexer.text[range.start + 1..range.end - 1].trim_ascii().is_empty();
                    links.iter_mut().last().into_iter().for_each(|last| last.has_offset = has_offset);
                    continue;
                }
                Kind::Sign(b',') if is_list => {}
                Kind::Sign(b']') if is_list => {
                    self.lexer.next()?;
                    return Ok(links);
                }
                Kind::Word if !is_list && links.is_empty() => {}
                _ if !is_list => return Ok(links),
                _ => return Err(self.lexer.unexpected(&token, "a file, a path or \"]\"")),
            }
            self.lexer.next()?;
            if token.kind == Kind::Word {
                return Ok(links);
            }
        }
    }

    fn path(&self, token: &Token) -> Option<String> {
        Some(self.lexer.str(token).to_owned()).filter(|path| !path.is_empty())
    }

    /// A property, whose first word has been read.
    fn property(&mut self, first: Token) -> Result<(), UsdError> {
        let mut token = first;
        let mut is_removed = false;
        while PREFIXES.contains(&self.lexer.str(&token)) {
            is_removed |= matches!(self.lexer.str(&token), "delete" | "reorder");
            token = self.lexer.next()?;
            if token.kind != Kind::Word {
                return Err(self.lexer.unexpected(&token, "the type of a property"));
            }
        }
        let type_name = self.lexer.str(&token);
        if is_removed && matches!(type_name, "nameChildren" | "properties") {
            self.lexer.take(b'=')?;
            return self.lexer.skip_value().map(drop);
        }
        if self.lexer.take_if(b'[')? {
            self.lexer.take(b']')?;
        }
        let token = self.lexer.next()?;
        if token.kind != Kind::Word {
            return Err(self.lexer.unexpected(&token, "the name of a property"));
        }
        let (name, field) = match self.lexer.str(&token) {
            name if name.ends_with(".timeSamples")
                || name.ends_with(".connect")
                || name.ends_with(".spline") =>
            {
                name.rsplit_once('.').unwrap_or((name, ""))
            }
            name => (name, ""),
        };
        let place = (!is_removed && is_wanted(name)).then(|| self.place(name, type_name));
        if self.lexer.take_if(b'=')? {
            self.property_value(place, field)?;
        }
        if self.lexer.take_if(b'(')? {
            self.lexer.at -= 1;
            self.lexer.skip_value()?;
        }
        if let Some(at) = place {
            let (prim, end) = (self.current(), self.lexer.at);
            self.prims.all[prim].properties[at].end = end;
        }
        Ok(())
    }

    /// The index of a property of the current prim, which is added if it is new.
    fn place(&mut self, name: &str, type_name: &str) -> usize {
        let prim = self.current();
        let properties = &mut self.prims.all[prim].properties;
        let known = properties.iter().position(|property| &*property.name == name);
        known.unwrap_or_else(|| {
            let precision = match type_name {
                "half3" | "quath" | "vector3h" => Precision::Half,
                "double" | "double3" | "quatd" | "vector3d" | "matrix4d" => Precision::Double,
                _ => Precision::Single,
            };
            properties.push(Property { name: name.into(), precision, ..Property::default() });
            properties.len() - 1
        })
    }

    fn property_value(&mut self, place: Option<usize>, field: &str) -> Result<(), UsdError> {
        let prim = self.current();
        match (place, field) {
            (Some(at), "timeSamples") => self.prims.all[prim].properties[at].samples = self.samples()?,
            (Some(at), "") => {
                let range = self.lexer.skip_value()?;
                let is_blocked = &self.lexer.text[range.clone()] == b"None";
                self.prims.all[prim].properties[at].value = (!is_blocked).then(|| Stored::text(range));
            }
            _ => self.lexer.skip_value().map(drop)?,
        }
        Ok(())
    }

    /// Time samples: `{ 1: value, 2: value }`.
    fn samples(&mut self) -> Result<Vec<(f64, Stored)>, UsdError> {
        self.lexer.take(b'{')?;
        let mut samples: Vec<(f64, Stored)> = Vec::new();
        loop {
            let token = self.lexer.next()?;
            match token.kind {
                Kind::Sign(b'}') => return Ok(samples),
                Kind::Sign(b',') => {}
                Kind::Number => {
                    let time = self.lexer.str(&token).parse::<f64>().ok().filter(|time| time.is_finite());
                    let later = |time: &f64| samples.last().is_none_or(|(before, _)| before < time);
                    let Some(time) = time.filter(later) else {
                        return Err(self.lexer.unexpected(&token, "a later time code than before"));
                    };
                    self.lexer.take(b':')?;
                    samples.push((time, Stored::text(self.lexer.skip_value()?)));
                }
                _ => return Err(self.lexer.unexpected(&token, "a time code or \"}\"")),
            }
        }
    }
}
