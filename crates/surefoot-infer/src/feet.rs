//! Completes the legs with the points of their feet: those on a mesh, or else those from the joints.

use crate::flat_foot::{self, FlatFoot};
use crate::leg_chain::LegChain;
use crate::points::{self, Points};
use crate::skin_mesh::SkinMesh;
use crate::sole;
use crate::{Context, LegJoints};
use surefoot_core::math::Vec3;
use surefoot_core::{JointId, Leg, Limb};

impl Context<'_> {
    /// Completes the legs with foot points. Counts the vertices of the feet whose points are on a mesh.
    pub(crate) fn foot_points(
        &self,
        legs: &[LegJoints],
        up: Vec3,
        warnings: &mut Vec<String>,
        sole_vertices: &mut usize,
    ) -> Vec<Leg> {
        let foot = |leg: &LegJoints| FlatFoot::new(&leg.chain, up, self.bones, self.samples);
        let mut feet: Vec<FlatFoot> = legs.iter().map(foot).collect();
        for pair in feet.chunks_exact_mut(2) {
            if let [left, right] = pair {
                flat_foot::match_pitches([left, right]);
            }
        }
        let parent = |joint: JointId| self.samples.skeleton.parent(joint);
        let by_joints: Vec<Points> = legs
            .iter()
            .zip(&feet)
            .map(|(leg, foot)| points::find(&leg.chain, foot, self.hints, &parent))
            .collect();
        let on_mesh = |skin: &SkinMesh| self.points_on(skin, legs, &feet, &by_joints);
        let on_mesh = self.skins.iter().filter_map(on_mesh).max_by_key(|found| vertices_of(found));
        let points = match on_mesh.filter(|_| !legs.iter().any(LegJoints::has_given_points)) {
            Some(found) => {
                *sole_vertices = vertices_of(&found);
                found.into_iter().map(|(points, _)| points).collect()
            }
            None => by_joints,
        };
        legs.iter().zip(&points).map(|(leg, points)| with_points(leg, points, warnings)).collect()
    }

    /// The points of all feet on a mesh. `None` unless it has all of them: there is one floor, and points on the sole of
    /// one foot and in the joints of another have different heights.
    fn points_on(
        &self,
        skin: &SkinMesh,
        legs: &[LegJoints],
        feet: &[FlatFoot],
        by_joints: &[Points],
    ) -> Option<Vec<(Points, usize)>> {
        let chains: Vec<LegChain> = legs.iter().map(|leg| leg.chain).collect();
        let up = sole::up_of(skin, &chains)?;
        let parent = |joint: JointId| self.samples.skeleton.parent(joint);
        let legs = chains.iter().zip(feet).zip(by_joints);
        legs.map(|((leg, foot), by_joints)| sole::find(leg, foot, by_joints, (skin, up), &parent)).collect()
    }
}

/// The vertices of all feet.
fn vertices_of(found: &[(Points, usize)]) -> usize {
    found.iter().map(|(_, vertices)| vertices).sum()
}

/// A leg with its given foot points, and inferred ones for the rest.
fn with_points(leg: &LegJoints, points: &Points, warnings: &mut Vec<String>) -> Leg {
    let is_complete = leg.heel.is_some() && leg.ball.is_some() && leg.toe.is_some();
    if !points.has_foot && !is_complete {
        warnings.push(format!(
            "the {} foot has no bones below its ankle; its foot points are estimated",
            leg.side
        ));
    }
    Leg {
        side: leg.side.clone(),
        limb: Limb::Leg,
        hip: leg.chain.hip,
        knee: leg.chain.knee,
        ankle: leg.chain.ankle,
        heel: leg.heel.unwrap_or(points.heel),
        ball: leg.ball.unwrap_or(points.ball),
        toe: leg.toe.unwrap_or(points.toe),
    }
}
