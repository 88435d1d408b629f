//! Chooses the nodes of a scene that are joints.
//!
//! Joints are the joints of skins, the nodes that are animated above or below them, and the nodes between two joints; in a
//! scene without skins all nodes that are animated. Nodes above the first joint are its base.

/// The nodes of a scene as a forest.
pub(crate) struct Forest {
    /// The parent of each node.
    pub parents: Vec<Option<usize>>,
    /// All nodes, parents first.
    pub order: Vec<usize>,
}

impl Forest {
    /// The nodes above a node, the nearest first.
    pub fn ancestors(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        core::iter::successors(self.parents[node], |&node| self.parents[node])
    }

    /// Which nodes are joints.
    ///
    /// `is_joint` are the joints of skins, `is_animated` the nodes that have a track, and `is_moving` those whose tracks
    /// vary.
    pub fn joints(&self, mut is_joint: Vec<bool>, is_animated: &[bool], is_moving: &[bool]) -> Vec<bool> {
        let count = is_joint.len();
        let has_skin = is_joint.contains(&true);
        let mut is_above = vec![false; count];
        for node in (0..count).filter(|&node| is_joint[node]) {
            // Stops at the first node that is marked: its ancestors are too.
            self.ancestors(node)
                .take_while(|&node| !core::mem::replace(&mut is_above[node], true))
                .for_each(drop);
        }
        let mut is_below = vec![false; count];
        for &node in &self.order {
            is_below[node] = self.parents[node].is_some_and(|parent| is_joint[parent] || is_below[parent]);
        }
        for node in (0..count).filter(|&node| is_animated[node]) {
            is_joint[node] |= !has_skin || is_above[node] || is_below[node];
        }
        self.add_nodes_between(&mut is_joint);
        self.drop_still_roots(&mut is_joint, is_moving);
        is_joint
    }

    /// Adds the nodes between two joints.
    fn add_nodes_between(&self, is_joint: &mut [bool]) {
        let mut has_joint_above = vec![false; is_joint.len()];
        for &node in &self.order {
            let above = self.parents[node];
            has_joint_above[node] = above.is_some_and(|parent| is_joint[parent] || has_joint_above[parent]);
        }
        let mut has_joint_below = vec![false; is_joint.len()];
        for &node in self.order.iter().rev() {
            if let Some(parent) = self.parents[node] {
                has_joint_below[parent] |= is_joint[node] || has_joint_below[node];
            }
        }
        for node in 0..is_joint.len() {
            is_joint[node] |= has_joint_above[node] && has_joint_below[node];
        }
    }

    /// Turns roots that do not move, and have one joint below them, into bases: the body is then moved by its hips.
    fn drop_still_roots(&self, is_joint: &mut [bool], is_moving: &[bool]) {
        if !(0..is_joint.len()).any(|node| is_joint[node] && is_moving[node]) {
            return;
        }
        let mut children = vec![0; is_joint.len()];
        let mut has_grandchild = vec![false; is_joint.len()];
        for &node in self.order.iter().rev().filter(|&&node| is_joint[node]) {
            if let Some(parent) = self.parents[node] {
                children[parent] += 1;
                has_grandchild[parent] |= children[node] > 0;
            }
        }
        for &node in &self.order {
            let is_root = is_joint[node] && self.parents[node].is_none_or(|parent| !is_joint[parent]);
            if is_root && !is_moving[node] && children[node] == 1 && has_grandchild[node] {
                is_joint[node] = false;
            }
        }
    }
}
