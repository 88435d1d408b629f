//! Edits of whole files: what the commands that edit do between loading and writing.

mod reach;

pub use reach::{
    GoalResult, GoalSet, GoalSetError, JointResult, OtherRate, ReachComparison, ReachFileError, ReachedFile,
    other_unit_warning, reach_file,
};
