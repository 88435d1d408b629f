//! The step that moves the body: root, legs and plants, so that both plants and goals can be met.
//!
//! At each keyframe the planted points are goals as well, so that root, spine, arms and legs are solved together. The
//! changes of root, spine and arms are applied, and `feet.rs` bends the legs so that the feet stay on their captured paths,
//! planted or not. The cleanup then holds the plants. It may move the root by millimetres for the sake of the knees.
//! Joints below the pelvis make up for that in the last step; for goals that have no such joint, such as those of the
//! pelvis, and for plants that have moved, this step is repeated with corrected targets.

use super::super::chain::is_below;
use super::super::goals::{Goal, GoalSpace};
use super::super::report::Report;
use super::super::settings::Settings;
use super::super::{ReachError, reach};
use super::PlantedReachError;
use super::feet::restore_feet;
use super::stances::{Stances, miss};
use crate::body_root::clean_body;
use surefoot_core::{Clip, JointId, Motion, Vec3};
use surefoot_solve::CleanResult;

/// Most repetitions. Each leaves a third to a half of the distance of a pelvis, and less than a tenth of that of a foot;
/// a goal out of reach takes all of them.
const MAX_REPETITIONS: usize = 24;

/// Distance at which repetitions end, in metres: below the rounding of a file.
const TOLERANCE: f64 = 1e-7;

/// Weight of a planted point against a goal that cannot be met together with it. A smaller one would move feet that the
/// cleanup has to bring back; a much larger one slows the solver down.
const PLANT_WEIGHT: f64 = 10.0;

/// The body and its plants, and the goals that concern them.
pub(super) struct Body<'a> {
    goals: &'a [Goal],
    settings: &'a Settings,
    cleaning: &'a surefoot_solve::Settings,
    captured: &'a Clip,
    /// The cleaned clip, with the spots of all plants.
    cleaned: Clip,
    /// The goals that are not met by moving a stance.
    pub free_goals: Vec<usize>,
    pub stances: Stances,
    /// The result so far.
    pub result: CleanResult,
    /// The report of the keyframes, if the root moves.
    pub report: Option<Report>,
}

impl<'a> Body<'a> {
    pub fn new(
        captured: &'a Clip,
        cleaned: &CleanResult,
        goals: &'a [Goal],
        settings: &'a Settings,
        cleaning: &'a surefoot_solve::Settings,
    ) -> Self {
        let mut clip = cleaned.clip.clone();
        let spots = cleaned.report.plants.iter().map(|plant| plant.spot);
        // With the seam of a loop a plant is one in the report and two in the clip.
        if cleaned.report.plants.len() == clip.plants.plants.len() {
            for (plant, spot) in clip.plants.plants.iter_mut().zip(spots) {
                plant.spot = plant.spot.or(spot);
            }
        }
        let stances = Stances::of(goals, &mut clip);
        let free_goals = (0..goals.len()).filter(|&n| !stances.meet(n)).collect();
        let result = cleaned.clone();
        Self { goals, settings, cleaning, captured, cleaned: clip, free_goals, stances, result, report: None }
    }

    /// Whether the root moves or turns.
    fn moves_root(&self) -> bool {
        let skeleton = &self.cleaned.motion.skeleton;
        let carries_body = |joint: JointId| self.settings.carries_body(skeleton, joint);
        let chain_from = |&n: &usize| self.goals[n].chain_from.or(self.settings.chain_from);
        let turns = self.free_goals.iter().filter_map(chain_from).any(carries_body);
        !self.free_goals.is_empty() && (self.settings.moves_root || turns)
    }

    /// Whether this step has anything to do.
    pub fn moves(&self) -> bool {
        self.moves_root() || !self.stances.is_empty()
    }

    /// Moves the root and the plants, and cleans the result.
    pub fn solve(&mut self) -> Result<(), PlantedReachError> {
        let given: Vec<Option<Vec3>> =
            self.result.clip.plants.plants.iter().map(|plant| plant.spot).collect();
        let mut targets: Vec<Goal> = self.free_goals.iter().map(|&n| self.goals[n].clone()).collect();
        for _ in 0..MAX_REPETITIONS {
            let motion = match self.moves_root() {
                true => self.reach(&targets)?,
                false => self.captured.motion.clone(),
            };
            self.result = clean_body(&Clip { motion, ..self.cleaned.clone() }, self.cleaning)?;
            let left = self.correct(&mut targets);
            if left < TOLERANCE {
                break;
            }
        }
        self.forget_found_spots(&given);
        Ok(())
    }

    /// Solves the keyframes with the planted points as further goals. Returns the captured motion with the changes of
    /// everything but the legs, so that cleaning gives the same as before wherever nothing changes.
    fn reach(&mut self, targets: &[Goal]) -> Result<Motion, ReachError> {
        let mut all = targets.to_vec();
        let mut frames: Vec<usize> = targets.iter().map(|goal| goal.frame).collect();
        frames.sort_unstable();
        frames.dedup();
        for frame in frames {
            all.extend(planted_goals(&self.cleaned, frame));
        }
        let (motion, mut report) = reach(&self.cleaned.motion, &all, self.settings)?;
        report.goals.truncate(targets.len());
        self.report = Some(report);
        let moved = with_changes(self.captured, &self.cleaned.motion, &motion);
        restore_feet(self.captured, moved, self.settings)
    }

    /// Corrects the targets of goals without a joint below the pelvis, and the spots of stances that have moved, by the
    /// distance that cleaning leaves. Returns the largest such distance.
    fn correct(&mut self, targets: &mut [Goal]) -> f64 {
        let motion = &self.result.clip.motion;
        let mut largest = self.stances.correct(self.goals, motion, &mut self.cleaned.plants.plants);
        for (target, &n) in targets.iter_mut().zip(&self.free_goals) {
            let goal = &self.goals[n];
            if !self.settings.carries_body(&motion.skeleton, goal.point.joint) {
                continue;
            }
            let miss = miss(goal, motion);
            largest = largest.max(miss.length());
            let rotation = match goal.space {
                GoalSpace::World => None,
                GoalSpace::WorldPose { rotation, .. } => Some(rotation),
                GoalSpace::Joint(joint) => {
                    let world = motion.poses[goal.frame].world(&motion.skeleton);
                    Some(world.rotations[joint.index()])
                }
            };
            let miss = rotation.map_or(miss, |rotation| rotation.conjugate() * miss);
            target.position = target.position.map(|position| position + miss);
        }
        largest
    }

    /// Removes the spots that were found by cleaning, so that the plants of the result are as they were given.
    fn forget_found_spots(&mut self, given: &[Option<Vec3>]) {
        let plants = &mut self.result.clip.plants.plants;
        if self.stances.is_empty() && plants.len() == given.len() {
            plants.iter_mut().zip(given).for_each(|(plant, spot)| plant.spot = *spot);
        }
    }
}

/// The captured motion with the changes from `before` to `after` of all joints but those of the legs. What did not change
/// is copied bit for bit.
fn with_changes(captured: &Clip, before: &Motion, after: &Motion) -> Motion {
    let mut changed = captured.motion.clone();
    let skeleton = &captured.motion.skeleton;
    let is_leg = |joint: JointId| captured.legs.iter().any(|leg| is_below(skeleton, joint, leg.hip));
    let joints: Vec<usize> = skeleton.ids().filter(|&joint| !is_leg(joint)).map(JointId::index).collect();
    let each = changed.poses.iter_mut().zip(before.poses.iter().zip(&after.poses));
    for (pose, (before, after)) in each {
        for &n in &joints {
            if after.rotations[n] != before.rotations[n] {
                let change = before.rotations[n].conjugate() * after.rotations[n];
                pose.rotations[n] = (pose.rotations[n] * change).normalize();
            }
            pose.offsets[n] += after.offsets[n] - before.offsets[n];
        }
    }
    changed
}

/// The planted points of a frame as goals, each with its own leg as the chain.
fn planted_goals(clip: &Clip, frame: usize) -> Vec<Goal> {
    let world = clip.motion.poses[frame].world(&clip.motion.skeleton);
    let planted = clip.plants.plants.iter().filter(|plant| plant.frames.contains(&frame));
    let goal = |plant: &surefoot_core::Plant| {
        let (leg, point) = (clip.legs.get(plant.leg)?, plant.foot_point(&clip.legs)?);
        let is_foot = is_below(&clip.motion.skeleton, point.joint, leg.hip);
        // On moving ground a spot is not where the foot is at this frame.
        let spot = plant.spot.filter(|_| clip.ground_velocity.is_none());
        let goal = Goal::at_position(frame, point, spot.unwrap_or_else(|| world.point(&point)));
        is_foot.then_some(Goal { chain_from: Some(leg.hip), weight: PLANT_WEIGHT, ..goal })
    };
    planted.filter_map(goal).collect()
}
