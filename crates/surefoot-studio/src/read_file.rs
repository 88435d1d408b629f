//! Reads a file with what the page states about it: the options of the readers, and settings by their names.

use surefoot::parse::{self, FloorText};
use surefoot::{FloorFileOptions, FloorOption, LoadOptions, MotionFile, Parameters, read_floor};
use surefoot_contact::Method;
use surefoot_formats::source::ReadOptions;
use surefoot_formats::stream::StreamSettings;
use surefoot_formats::{SourceFile, Space};
use surefoot_infer::Overrides;

#[cfg(feature = "full")]
use crate::file_set::{FileSet, FilesBeside};
use crate::messages::{FileMessage, FileOptions, parse_value};

/// Reads a motion file with the files that belong to it.
#[cfg(feature = "full")]
pub fn read_source(
    name: &str,
    bytes: &[u8],
    options: &FileOptions,
) -> Result<(SourceFile, FilesBeside), String> {
    let FileSet { motion, beside } = FileSet::split(bytes).map_err(|error| format!("{name}: {error}"))?;
    let load_beside = |name: &str| beside.find(name).map(<[u8]>::to_vec);
    let arrays = surefoot_formats::source::ArrayOptions {
        skeleton: beside.skeleton().map(|bytes| bytes.to_vec().into()),
        joints: options.joints.clone(),
        rotations: options.rotations.clone(),
    };
    let read = ReadOptions {
        name: Some(name),
        animation: options.animation.as_deref(),
        load_beside: Some(&load_beside),
        arrays: Some(&arrays),
    };
    let source = SourceFile::read(motion, &read).map_err(|error| format!("{name}: {error}"))?;
    Ok((source, beside))
}

/// Reads a BVH file: the page loads the full module before it opens another one.
#[cfg(not(feature = "full"))]
pub fn read_source(name: &str, bytes: &[u8], _: &FileOptions) -> Result<(SourceFile, ()), String> {
    let read = ReadOptions { name: Some(name), ..ReadOptions::default() };
    let source = SourceFile::read(bytes.to_vec(), &read).map_err(|error| format!("{name}: {error}"))?;
    Ok((source, ()))
}

/// The options set by the user: settings and legs picked by hand override the rig file.
pub fn load_options(options: &FileOptions, source: &SourceFile) -> Result<LoadOptions, String> {
    let rig = options.rig.as_ref().map_or_else(|| Ok(Overrides::default()), |file| read_rig(file, source))?;
    let legs = match &options.legs {
        Some(legs) => {
            Some(legs.iter().map(|leg| leg.to_override(source.skeleton())).collect::<Result<_, _>>()?)
        }
        None => None,
    };
    let stated = LoadOptions {
        fps: options.fps.map(parse::fps_of_number).transpose()?,
        overrides: Overrides {
            unit_m: parse_value(&options.unit, parse::unit)?,
            up: parse_value(&options.up, parse::up_axis)?,
            legs,
            ..Overrides::default()
        },
        // The content of a floor file arrives in `floor_file`.
        floor: parse_value(&options.floor, parse::floor)?.as_ref().and_then(FloorText::option),
        // The animation was chosen when the file was read.
        ..LoadOptions::default()
    };
    Ok(stated.or(LoadOptions { overrides: rig, ..LoadOptions::default() }))
}

fn read_rig(file: &FileMessage, source: &SourceFile) -> Result<Overrides, String> {
    if !IS_FULL {
        return Err(not_in_module(file));
    }
    let text = String::from_utf8(file.bytes()?)
        .map_err(|_| format!("{} is not a rig file: its text is not UTF-8", file.name))?;
    surefoot_formats::rig::read(&text, source.skeleton()).map_err(|error| format!("{}: {error}", file.name))
}

/// Whether this is the full module, which the page loads before it opens a rig file or a floor file.
const IS_FULL: bool = cfg!(feature = "full");

fn not_in_module(file: &FileMessage) -> String {
    format!("{}: this module reads neither rig files nor floor files", file.name)
}

/// The floor in a file that the user has dropped on the page.
pub fn floor_surface(options: &FileOptions, space: &Space) -> Result<Option<FloorOption>, String> {
    let Some(file) = &options.floor_file else { return Ok(None) };
    if !IS_FULL {
        return Err(not_in_module(file));
    }
    let floor_options = FloorFileOptions {
        unit: parse_value(&options.floor_unit, parse::unit)?,
        up: parse_value(&options.floor_up, parse::up_axis)?,
        cell: parse_value(&options.floor_cell, parse::positive_length)?,
        heights: parse_value(&options.floor_height, parse::heights)?,
        origin: parse_value(&options.floor_origin, parse::ground_point)?,
    };
    let floor = read_floor(&file.name, &file.bytes()?, &floor_options, space)
        .map_err(|error| format!("{}: {error}", file.name))?;
    Ok(Some(FloorOption::Surface { name: file.name.clone(), floor }))
}

/// The settings of the cleaner or of the detector that the page has sent, by their names.
pub fn studio_parameters(given: &StreamSettings) -> Result<Parameters, String> {
    match given.contains_key(NOT_IN_STUDIO) {
        true => Err(format!("{NOT_IN_STUDIO} cannot be set in the studio")),
        false => Parameters::from_json(given),
    }
}

/// The setting that the studio does not have: it holds feet only.
pub const NOT_IN_STUDIO: &str = "hold";

/// The settings of the detector.
pub fn detection_settings(
    options: &FileOptions,
    file: &MotionFile,
) -> Result<surefoot_contact::Settings, String> {
    let mut settings = file.detection_settings();
    studio_parameters(&options.detection)?.apply_to_detection(&mut settings);
    match settings.detector {
        Method::Knn | Method::Svm => Err(format!(
            "{}: the studio detects plants with learned, speed-height or zero-crossing",
            settings.detector.as_str()
        )),
        _ => Ok(settings),
    }
}
