//! Changes the samples of a binary layer.
//!
//! The numbers of a sample are overwritten where they are. An array that other values share is left as it is: the new one
//! is appended, and the place that refers to it is changed. Where samples are added, the tables that lead to them are
//! appended in a new version too; all other bytes stay where they are.

use std::collections::HashMap;

use super::tables::{Section, Spec};
use super::values::{Kind, Layout, Rep};
use super::{Binary, integers, lz4};
use crate::source::WriteError;
use crate::usd::layer::{Content, Layer, Property, Stored};
use crate::usd::write::{SampleEdit, TrackEdit};

/// Arrays start at multiples of this.
const ALIGNMENT: usize = 8;

/// The bytes of a binary layer with changed samples.
pub(in crate::usd) fn write(layer: &Layer, edits: &[TrackEdit]) -> Result<Vec<u8>, WriteError> {
    let Content::Binary(binary) = &layer.content else {
        return Err(WriteError::Refused("a text layer was taken for a binary one".into()));
    };
    let mut writer = Writer { layer, binary, out: layer.data.to_vec(), uses: uses(layer, binary, edits) };
    let mut tables = NewTables { fields: Vec::new(), sets: Vec::new(), specs: HashMap::new() };
    for edit in edits {
        let property = &layer.prims[edit.prim].properties[edit.property];
        let done = match writer.own_samples(property).filter(|_| edit.added.is_empty()) {
            Some(first) => writer.change_samples(property, edit, first),
            None => writer.replace_samples(property, edit, &mut tables),
        };
        let name = &property.name;
        let wrong = || {
            format!(
                "the {name} of the animation cannot be changed in a binary layer: convert it with `usdcat -o out.usda`"
            )
        };
        done.ok_or_else(|| WriteError::Refused(wrong()))?;
    }
    if !tables.specs.is_empty() {
        writer.write_tables(&tables);
    }
    Ok(writer.out)
}

/// How often the value of each sample that changes is referred to in the file.
///
/// References stand in tables of samples and in dictionaries as they are. Bytes of other values that look like one count
/// too, which only means that a value is appended that could have been overwritten.
fn uses(layer: &Layer, binary: &Binary, edits: &[TrackEdit]) -> HashMap<u64, usize> {
    let mut uses = HashMap::new();
    for edit in edits {
        let property = &layer.prims[edit.prim].properties[edit.property];
        uses.extend(edit.changed.iter().map(|change| (property.samples[change.sample].1.0, 0)));
    }
    let mut kinds: Vec<[u8; 2]> = uses.keys().map(|rep| [(rep >> 48) as u8, (rep >> 56) as u8]).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let references = layer.data.windows(8).filter(|bytes| kinds.iter().any(|kind| bytes[6..] == *kind));
    let references = references.filter_map(|bytes| bytes.try_into().ok()).map(u64::from_le_bytes);
    for rep in references.chain(binary.tables.fields.iter().map(|(_, rep)| *rep)) {
        if let Some(count) = uses.get_mut(&rep) {
            *count += 1;
        }
    }
    uses
}

/// Entries of tables that are added or changed.
struct NewTables {
    fields: Vec<(u32, u64)>,
    sets: Vec<i32>,
    /// For each changed spec, where its fields start.
    specs: HashMap<usize, u32>,
}

struct Writer<'l> {
    layer: &'l Layer,
    binary: &'l Binary,
    out: Vec<u8>,
    uses: HashMap<u64, usize>,
}

impl Writer<'_> {
    /// Where the references to the samples of a property start, if no other property has the same table.
    fn own_samples(&self, property: &Property) -> Option<usize> {
        let tables = &self.binary.tables;
        let spec = tables.specs.get(property.end)?;
        let field = self.field(spec, "timeSamples")?;
        let rep = tables.fields[field].1;
        let is_same = |&other: &usize| tables.fields[other].1 == rep;
        let users = tables.specs.iter().filter(|spec| tables.fields_of(spec).any(|field| is_same(&field)));
        (users.take(2).count() == 1)
            .then(|| self.binary.samples(&self.layer.data, Rep(rep)))?
            .map(|(_, first)| first)
    }

    fn field(&self, spec: &Spec, name: &str) -> Option<usize> {
        let tables = &self.binary.tables;
        tables.fields_of(spec).find(|&field| tables.tokens.get(tables.fields[field].0) == Some(name))
    }

    /// Changes the values of samples: in place, or appended where others share them.
    fn change_samples(&mut self, property: &Property, edit: &TrackEdit, first: usize) -> Option<()> {
        for change in &edit.changed {
            let stored = property.samples[change.sample].1;
            let rep = Rep(stored.0);
            if self.uses.get(&rep.0) == Some(&1) && self.overwrite(rep, change).is_some() {
                continue;
            }
            let new = self.changed_array(stored, change)?;
            let at = first + 8 * change.sample;
            self.out.get_mut(at..at + 8)?.copy_from_slice(&new.0.to_le_bytes());
        }
        Some(())
    }

    fn overwrite(&mut self, rep: Rep, change: &SampleEdit) -> Option<()> {
        let (start, count) = self.binary.array(&self.layer.data, rep)?;
        let Layout { width, number } = rep.layout().filter(|_| rep.is_array())?;
        for &(index, value) in change.numbers.iter().filter(|(index, _)| *index < count * width) {
            let mut digits = Vec::new();
            number.write(value, &mut digits);
            let at = start + index * number.bytes();
            self.out.get_mut(at..at + digits.len())?.copy_from_slice(&digits);
        }
        Some(())
    }

    /// Appends an array with some numbers changed.
    fn changed_array(&mut self, stored: Stored, change: &SampleEdit) -> Option<Rep> {
        let rep = Rep(stored.0);
        let layout = rep.layout()?;
        let mut numbers = self.binary.numbers(&self.layer.data, stored, self.layer.data.len()).ok()?;
        for &(index, value) in &change.numbers {
            *numbers.get_mut(index)? = value;
        }
        Some(self.array(rep.kind(), layout, &numbers))
    }

    fn align(&mut self) -> u64 {
        self.out.resize(self.out.len().next_multiple_of(ALIGNMENT), 0);
        self.out.len() as u64
    }

    fn array(&mut self, kind: u8, layout: Layout, numbers: &[f64]) -> Rep {
        let offset = self.align();
        let count = numbers.len() / layout.width;
        match self.binary.tables.version {
            0..=4 => self.out.extend([1, count as u32].map(u32::to_le_bytes).concat()),
            5..=6 => self.out.extend((count as u32).to_le_bytes()),
            _ => self.out.extend((count as u64).to_le_bytes()),
        }
        numbers.iter().for_each(|&value| layout.number.write(value, &mut self.out));
        Rep(Rep::ARRAY | u64::from(kind) << 48 | offset)
    }

    /// Appends all samples of a property, with those that are changed or added.
    fn replace_samples(
        &mut self,
        property: &Property,
        edit: &TrackEdit,
        tables: &mut NewTables,
    ) -> Option<()> {
        let name = self.binary.tables.tokens.find("timeSamples")?;
        let spec = *self.binary.tables.specs.get(property.end)?;
        let model = Rep(property.samples.first().map(|(_, stored)| *stored).or(property.value)?.0);
        let layout = model.layout()?;
        let mut samples: Vec<(f64, Stored)> = property.samples.clone();
        for change in &edit.changed {
            samples[change.sample].1 = Stored(self.changed_array(samples[change.sample].1, change)?.0);
        }
        for (time, numbers) in &edit.added {
            samples.push((*time, Stored(self.array(model.kind(), layout, numbers).0)));
        }
        samples.sort_by(|a, b| a.0.total_cmp(&b.0));
        let rep = self.samples_block(&samples);
        let old = self.field(&spec, "timeSamples");
        let start = self.binary.tables.field_sets.len() + tables.sets.len();
        let kept = self.binary.tables.fields_of(&spec).filter(|field| Some(*field) != old);
        tables.sets.extend(kept.map(|field| field as i32));
        tables.sets.push((self.binary.tables.fields.len() + tables.fields.len()) as i32);
        tables.sets.push(-1);
        tables.fields.push((name, rep.0));
        tables.specs.insert(property.end, start as u32);
        Some(())
    }

    /// Appends the times and the references of samples.
    fn samples_block(&mut self, samples: &[(f64, Stored)]) -> Rep {
        let times = Rep::new(Kind::DoubleVector, 0, self.align());
        self.out.extend((samples.len() as u64).to_le_bytes());
        self.out.extend(samples.iter().flat_map(|(time, _)| time.to_le_bytes()));
        let block = Rep::new(Kind::TimeSamples, 0, self.align());
        // Each part starts eight bytes after the number that says so.
        for number in [8, times.0, 8, samples.len() as u64] {
            self.out.extend(number.to_le_bytes());
        }
        self.out.extend(samples.iter().flat_map(|(_, stored)| stored.0.to_le_bytes()));
        block
    }

    /// Appends the tables of fields, sets of fields and specs.
    fn write_tables(&mut self, new: &NewTables) {
        let tables = &self.binary.tables;
        let fields = [&tables.fields[..], &new.fields].concat();
        let mut section = counted(fields.len());
        section.extend(packed(fields.iter().map(|(token, _)| *token as i32)));
        let values: Vec<u8> = fields.iter().flat_map(|(_, rep)| rep.to_le_bytes()).collect();
        let values = lz4::stored(&values);
        section.extend(counted(values.len()));
        section.extend(values);
        self.section(tables.field_section, &section);

        let sets = [&tables.field_sets[..], &new.sets].concat();
        let mut section = counted(sets.len());
        section.extend(packed(sets.into_iter()));
        self.section(tables.set_section, &section);

        let start = |(index, spec): (usize, &Spec)| *new.specs.get(&index).unwrap_or(&spec.fields) as i32;
        let mut section = counted(tables.specs.len());
        section.extend(packed(tables.specs.iter().map(|spec| spec.path as i32)));
        section.extend(packed(tables.specs.iter().enumerate().map(start)));
        section.extend(packed(tables.specs.iter().map(|spec| spec.kind)));
        self.section(tables.spec_section, &section);
    }

    /// Appends a section and changes its entry in the table of contents.
    fn section(&mut self, old: Section, bytes: &[u8]) {
        let start = self.align();
        self.out.extend_from_slice(bytes);
        let entry = [start, bytes.len() as u64].map(u64::to_le_bytes).concat();
        // The entry was read from there.
        if let Some(place) = self.out.get_mut(old.entry..old.entry + 16) {
            place.copy_from_slice(&entry);
        }
    }
}

fn counted(count: usize) -> Vec<u8> {
    (count as u64).to_le_bytes().to_vec()
}

fn packed(integers: impl Iterator<Item = i32>) -> Vec<u8> {
    let bytes = integers::encode(&integers.collect::<Vec<_>>());
    let mut out = counted(bytes.len());
    out.extend(bytes);
    out
}
