//! The pipeline from a motion file to the clean file: load, infer, detect, clean, write and measure.

mod channels;
mod clean_file;
mod contact_events;
mod detected_plants;
mod error;
mod floor_file;
mod folder_settings;
mod glitch_notes;
mod frame_rate;
mod inspection;
mod inspection_text;
#[cfg(feature = "arrays")]
mod level_feet;
mod limits;
mod load_options;
mod motion_file;
mod notes;
pub mod parameters;
pub mod parse;
mod plant_costs;
mod plants;
#[cfg(feature = "sample")]
mod sample_files;

pub use channels::FileChannels;
pub use clean_file::{
    CleanFile, OutputSettings, Target, finish, level_feet_of_positions, with_default_stretch,
    write_and_measure,
};
pub use contact_events::{ContactEvents, EventsError};
pub use detected_plants::{DetectedPlant, DetectedPlants};
pub use error::Error;
pub use floor_file::{FloorFileError, FloorFileOptions, read_floor};
pub use folder_settings::{FolderSettings, FolderSettingsError, SettingsProblem};
pub use frame_rate::{FrameRateError, resampled, with_frame_rate};
pub use inspection::Inspection;
pub use limits::Limits;
pub use load_options::{FloorOption, FootPointSource, LoadOptions};
pub use motion_file::{FloorSource, MotionFile, NoLegs, PlantsSource, load_beside};
pub use notes::{CONTACTS_DETECTED, FrameNote, changing_ground, note_text};
pub use parameters::{Parameters, Preset, settings_to_json};
pub use plant_costs::{PlantCost, plant_cost_table};
pub use plants::{parse_plants, plant_name, plants_bytes, plants_text, without_inserted_frames};
#[cfg(feature = "sample")]
pub use sample_files::{SampleFiles, SampleFilesError, sample_files};
