//! Edits of whole files: what the commands that edit do between loading and writing.
//!
//! An edit starts with files whose plants are known. [`add_root_motion`] prepares one of them, [`share_legs`],
//! [`retarget_to_body_of`] and [`put_on_floor_of`] prepare a second one. The edit gives a clip that is not yet cleaned,
//! details for JSON, and sentences about them. [`finish_edit`] cleans, writes and measures that clip.

mod before_after;
mod blend;
mod distance_map;
mod finish;
mod follow;
mod join;
mod looping;
mod prepare;
mod reach;
mod reach_table;
mod retarget;
mod summary;

pub use before_after::BeforeAfter;
pub use blend::{BlendDetails, BlendedClip, blend_files, parse_weight_point, parse_weights};
pub use finish::{EditedFile, finish_edit};
pub use follow::{FollowDetails, FollowedClip, PathChange, follow_path, path_text, read_path, walked_path};
pub use join::{JoinDetails, JoinedClip, Transition, Transitions};
pub use looping::{Cycles, ListedCycle, LoopDetails, LoopedClip, NotALoop};
pub use prepare::{RootMotion, add_root_motion, put_on_floor_of, retarget_to_body_of, share_legs};
pub use reach::{
    GoalResult, GoalSet, GoalSetError, JointResult, OtherRate, ReachComparison, ReachFileError, ReachedFile,
    other_unit_warning, reach_file,
};
pub use retarget::{MatchedJoint, RetargetDetails, RetargetFileError, RetargetedClip, retarget_file};

pub use summary::{EditDescription, EditSummary};

/// A file name without its folders.
fn file_name(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}
