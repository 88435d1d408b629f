//! The settings of a `surefoot.toml`, in the format of the page.

use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use surefoot::FolderSettings;
use surefoot::parse::FloorText;
use surefoot_core::{Plane, Vec3};
use surefoot_formats::stream::SettingValue;

use crate::read_file::NOT_IN_STUDIO;

/// The settings of a `surefoot.toml`, in the format of the page. A rig or floor file that cannot be read is an error.
pub fn page_settings(settings: &FolderSettings) -> Result<Value, (PathBuf, io::Error)> {
    let (mut file, mut cleaning) = (Map::new(), Map::new());
    file.extend(settings.fps.map(|fps| ("fps".into(), json!(fps))));
    file.extend(settings.unit.map(|unit| ("unit".into(), json!(unit))));
    file.extend(settings.up.map(|up| ("up".into(), json!(up.as_str()))));
    let given = settings.parameters.given().filter(|(parameter, _)| parameter.name != NOT_IN_STUDIO);
    for (parameter, value) in given {
        let part = if parameter.is_detection() { &mut file } else { &mut cleaning };
        part.insert(parameter.name.into(), json!(SettingValue::from(value)));
    }
    cleaning.extend(settings.parameters.preset().map(|preset| ("preset".into(), json!(preset.as_str()))));
    if let Some(rig) = &settings.rig {
        file.insert("rig".into(), read(rig)?);
    }
    let floor = match &settings.floor {
        None => None,
        Some(FloorText::None) => Some(("floor", json!("none"))),
        Some(FloorText::Level) => Some(("floor", json!("level"))),
        Some(FloorText::FromPlants) => Some(("floor", json!("plants"))),
        Some(FloorText::Height(height)) => Some(("floor", json!(height.to_string()))),
        Some(FloorText::Plane(Plane { normal: Vec3 { x, y, z }, offset })) => {
            Some(("floor", json!(format!("{x},{y},{z},{offset}"))))
        }
        Some(FloorText::File(path)) => Some(("floor_file", read(path)?)),
    };
    file.extend(floor.map(|(key, value)| (key.into(), value)));
    Ok(json!({ "file": file, "cleaning": cleaning }))
}

/// A file as the page expects it. One character per byte, because JSON has no byte strings.
fn read(path: &Path) -> Result<Value, (PathBuf, io::Error)> {
    let bytes = surefoot_files::read_file(path).map_err(|error| (path.to_owned(), error))?;
    let bytes: String = bytes.into_iter().map(char::from).collect();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok(json!({ "name": name, "bytes": bytes }))
}
