//! Sentences about an edit with goals: what was missed, why, and what would meet it.

use surefoot_edit::reach::{Conflict, GoalMeasure, Note, Residue, StanceChange, StanceChangeKind};

use super::reach::{GoalResult, ReachedFile};
use crate::text::printable;

/// The number of goals about which there are sentences; `--json` has all.
const LISTED: usize = 20;

impl ReachedFile<'_> {
    /// Sentences about the goals and the plants.
    pub fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = self.entry_sentences();
        let is_listed = |note: &&Note| !matches!(note, Note::OutOfReach { goal, .. } if self.lasts(*goal));
        notes.extend(self.report.notes.iter().filter(is_listed).map(|note| self.sentence(note)));
        let left_out = notes.len().saturating_sub(LISTED);
        if left_out > 0 {
            notes.truncate(LISTED);
            notes.push(format!("and {left_out} more notes about goals"));
        }
        notes.extend(self.conflict.as_ref().map(|conflict| self.conflict_sentence(conflict)));
        notes.extend(self.stance_changes.iter().map(|change| self.stance_sentence(change)));
        notes.extend(self.file.notes.iter().map(|note| note.text.clone()));
        if !self.holds_plants && self.file.clip.legs.is_empty() {
            notes.push("no legs were found, so no planted feet were held".into());
        }
        let first_goal = self.goals.goals.iter().map(|goal| goal.frame).min();
        let first = self.settings.first_frame;
        if first > 0 && first_goal.is_some_and(|goal| goal >= first) {
            notes.push("frame 0 is a T-pose inserted by an exporter: it is not changed".into());
        }
        notes
    }

    /// Whether a goal is one frame of an entry that lasts for several.
    fn lasts(&self, goal: usize) -> bool {
        self.goals.entry(goal).is_some_and(|entry| entry.goals.len() > 1)
    }

    /// A sentence for each entry that lasts for several frames and is out of reach in some of them.
    fn entry_sentences(&self) -> Vec<String> {
        let sentence = |result: &GoalResult<'_>| {
            let distance = result.distance_m.map(|metres| format!("{:.2} mm away", metres * 1e3));
            let angle = result.turn_rad.map(|radians| format!("turned {:.2}° off", radians.to_degrees()));
            let error = distance.into_iter().chain(angle).collect::<Vec<_>>().join(" and ");
            format!(
                "{} at frames {} to {}: out of reach in {} frames; the closest poses are up to {error}",
                printable(result.goal),
                result.frame,
                result.last_frame,
                result.frames_missed
            )
        };
        let results = self.goal_results();
        let missed = results.iter().filter(|result| result.last_frame > result.frame && !result.met);
        missed.map(sentence).collect()
    }

    fn goal_text(&self, n: usize) -> String {
        format!("{} at frame {}", printable(self.goals.label(n)), self.goals.goals[n].frame)
    }

    fn error_text(&self, measure: &GoalMeasure, n: usize) -> String {
        let goal = &self.goals.goals[n];
        let distance = goal.position.map(|_| format!("{:.2} mm away", measure.distance * 1e3));
        let angle = goal.rotation.map(|_| format!("turned {:.2}° off", measure.angle.to_degrees()));
        distance.into_iter().chain(angle).collect::<Vec<_>>().join(" and ")
    }

    fn sentence(&self, note: &Note) -> String {
        let moves_root = self.settings.moves_root;
        match note {
            Note::OutOfReach { goal: n, error } => {
                let (goal, error) = (self.goal_text(*n), self.error_text(error, *n));
                match (self.settings.residue, moves_root) {
                    (Residue::Left, _) => {
                        format!("{goal}: missed, because its residue is kept; the point is {error}")
                    }
                    (_, true) => format!("{goal}: out of reach; the closest pose is {error}"),
                    (_, false) => format!(
                        "{goal}: out of reach; the closest pose is {error}; with `move_root` the body moves as well"
                    ),
                }
            }
            Note::NoFreeJoint { goal: n } if moves_root => {
                format!("{}: no joint below the pelvis moves it; it is {}", self.goal_text(*n), {
                    self.error_text(&self.measured[*n].1, *n)
                })
            }
            Note::NoFreeJoint { goal: n } => format!(
                "{}: there is no joint between it and the pelvis that may turn; name the pelvis as `chain_from`, or \
                 set `move_root`",
                self.goal_text(*n)
            ),
            Note::BeyondCapturedRotation { frame } => format!(
                "frame {frame}: the goals cannot be reached with the captured axes of the joints; hinges and fixed \
                 joints were turned freely"
            ),
            Note::BeyondLimit { joint, by } => format!(
                "{} exceeds its limit between keyframes by up to {:.2}°",
                printable(&self.before.skeleton.joint(*joint).name),
                by.to_degrees()
            ),
            other => format!("{other:?}"),
        }
    }

    /// What the goals cost the plants, and the plants the goals.
    fn conflict_sentence(&self, conflict: &Conflict) -> String {
        let farthest = |of: fn(&(usize, GoalMeasure, GoalMeasure)) -> f64| {
            conflict.goals.iter().map(of).fold(0.0, f64::max) * 1e3
        };
        format!(
            "goals and plants cannot both be met: with the feet held a goal is missed by {:.2} mm; without cleaning it \
             would be missed by {:.2} mm, and a planted foot would leave its spot by {:.2} mm",
            farthest(|(_, held, _)| held.distance),
            farthest(|(_, _, free)| free.distance),
            conflict.drift_m * 1e3
        )
    }

    fn stance_sentence(&self, change: &StanceChange) -> String {
        let side = self.file.clip.legs.get(change.leg).map_or("", |leg| leg.side.as_str());
        let (goal, first, last) = (self.goal_text(change.goal), change.frames.start, change.frames.end - 1);
        let stance = format!("the {} foot, planted in frames {first} to {last}", printable(side));
        let about = match change.kind {
            StanceChangeKind::Moved(by) => {
                format!("stands {:.1} mm from where it would be held without this goal", by * 1e3)
            }
            StanceChangeKind::Lifted(by) if by > 0.0 => {
                format!("is lifted {:.1} mm off the floor, so it is not held there", by * 1e3)
            }
            StanceChangeKind::Lifted(by) => {
                format!("would be {:.1} mm below its captured height, so it is not held there", -by * 1e3)
            }
            StanceChangeKind::Contradicted(by) => {
                format!("has goals at places {:.1} mm apart, so it is not held there", by * 1e3)
            }
            other => format!("{other:?}"),
        };
        format!("{goal}: {stance}, {about}")
    }
}
