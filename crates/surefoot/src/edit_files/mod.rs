//! Edits of whole files: what the commands that edit do between loading and writing.
//!
//! An edit starts with files whose plants are known. [`add_root_motion`] prepares one of them, [`share_legs`],
//! [`resample_to_rate_of`],
//! [`retarget_to_body_of`] and [`put_on_floor_of`] prepare a second one. The edit gives a clip that is not yet cleaned,
//! details for JSON, and sentences about them. [`finish_edit`] cleans, writes and measures that clip.
//!
//! ```
//! use std::borrow::Cow;
//!
//! use surefoot::edit_files::{Transitions, finish_edit};
//! use surefoot::sample::{Kind, Recipe};
//! use surefoot::{LoadOptions, MotionFile, Settings, sample_files};
//!
//! let load = |kind| -> Result<MotionFile, Box<dyn std::error::Error>> {
//!     let files = sample_files(&Recipe { kind, ..Recipe::default() })?;
//!     let mut file = MotionFile::from_bytes("sample.bvh".into(), files.bvh, &LoadOptions::default())?;
//!     file.detect_plants()?;
//!     Ok(file)
//! };
//! let (walk, run) = (load(Kind::Walk)?, load(Kind::Run)?);
//! let transitions = Transitions::find([&walk, &run], None, None, 12)?;
//! let best = transitions.get(0).ok_or("the motions have no transition")?;
//! let joined = transitions.join(&best)?;
//! let both = finish_edit(&[&walk, &run], Cow::Owned(joined.clip), walk.target(), &Settings::default().into())?;
//! assert!(both.file.figures.after.drift_max_m < Some(1e-5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod before_after;
mod blend;
mod distance_map;
mod finish;
mod follow;
mod goal_set;
mod join;
mod looping;
mod prepare;
mod reach;
mod reach_notes;
mod reach_table;
mod retarget;
mod summary;
mod values;

pub use before_after::BeforeAfter;
pub use blend::{BlendDetails, BlendedClip, StepChoice, blend_files, parse_weight_point, parse_weights};
pub use finish::{EditedFile, finish_edit};
pub use follow::{FollowDetails, FollowedClip, PathChange, follow_path, path_text, read_path, walked_path};
pub use goal_set::{GoalEntry, GoalSet, GoalSetError, OtherRate, other_unit_warning};
pub use join::{JoinDetails, JoinedClip, Transition, Transitions};
pub use looping::{Cycles, ListedCycle, LoopDetails, LoopedClip, NoCycle, NotALoop};
pub use prepare::{
    RootMotion, add_root_motion, put_on_floor_of, resample_to_rate_of, retarget_to_body_of, share_legs,
};
pub use reach::{GoalResult, JointResult, ReachComparison, ReachFileError, ReachedFile, reach_file};
pub use retarget::{
    ComparedSegment, MatchedJoint, RetargetDetails, RetargetFileError, RetargetedClip, retarget_file,
    retargeted_format,
};

pub use summary::{EditDescription, EditSummary};
pub use values::{CleanValue, EditValue, WrittenFiles};

/// A file name without its folders.
fn file_name(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}
