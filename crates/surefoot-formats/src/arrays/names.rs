//! The names that data sets and libraries give their arrays, in lower case and without separators.

pub(super) const ROTATIONS: &[&str] = &[
    "rotations",
    "rotation",
    "localrotations",
    "localrotation",
    "localrot",
    "lrot",
    "jointrotations",
    "rots",
    "rot",
    "quats",
    "quaternions",
    "quat",
    "q",
    "rotmats",
    "rotmat",
    "rotationmatrices",
    "matrices",
    "rot6d",
    "rotations6d",
    "cont6d",
    "sixd",
    "axisangles",
    "axisangle",
    "aa",
    "poses",
    "pose",
    "fullpose",
    "smplposes",
    "thetas",
    "theta",
];
/// Names of arrays that hold axis–angle vectors in one row per frame, as in SMPL.
pub(super) const SMPL_POSES: &[&str] =
    &["poses", "pose", "fullpose", "smplposes", "thetas", "theta", "axisangles", "aa"];
/// Parts of an SMPL pose, each with its first joint. Hands follow the jaw and the eyes where a file has those.
pub(super) const SMPL_PARTS: &[(&str, usize)] = &[
    ("rootorient", 0),
    ("globalorient", 0),
    ("posebody", 1),
    ("bodypose", 1),
    ("posejaw", 22),
    ("poseeye", 23),
    ("posehand", 22),
];
/// Joints that the bodies of all SMPL models have in common.
pub(super) const SMPL_COMMON: usize = 22;
/// Joints of the SMPL models.
pub(super) const SMPL_JOINTS: [usize; 4] = [22, 24, 52, 55];
/// Names of the root's position, to which SMPL adds the position of the root at rest.
pub(super) const SMPL_ROOT: &[&str] = &["trans", "transl", "smpltrans"];
pub(super) const ROOT: &[&str] = &[
    "rootpositions",
    "rootposition",
    "rootpos",
    "rpos",
    "rootp",
    "roottrans",
    "roottranslation",
    "roottranslations",
    "translation",
    "translations",
    "trans",
    "transl",
    "smpltrans",
    "root",
];
pub(super) const POSITIONS: &[&str] = &[
    "positions",
    "jointpositions",
    "globalpositions",
    "worldpositions",
    "gpos",
    "localpositions",
    "lpos",
    "x",
    "joints",
    "joints3d",
    "jointspos",
    "positions3d",
    "keypoints3d",
    "keypoints",
    "poses3d",
    "pose3d",
    "xyz",
    "pos",
    "motion",
];
