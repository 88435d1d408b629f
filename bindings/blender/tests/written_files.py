"""What the command writes into a file, to be compared with what Blender reads from it."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass
class Motion:
    """A motion as the command reads it, in metres, Y up."""

    header: dict
    #: Joint names.
    names: list[str]
    #: World positions, (T, J, 3), and rotation matrices, (T, J, 3, 3).
    positions: np.ndarray
    rotations: np.ndarray

    def point(self, side: str, point: str) -> tuple[int, np.ndarray]:
        """The joint of a foot point, and the offset of the point from that joint in the world at frame 0."""
        leg = next(leg for leg in self.header["legs"] if leg["side"] == side)
        joint = self.names.index(leg[point]["joint"])
        return joint, self.rotations[0, joint] @ leg[point]["offset"]


def read_motion(command: str, path: Path) -> Motion:
    """Reads a file with the command."""
    output = subprocess.run([command, "convert", path, "-", "--to", "ndjson"], capture_output=True, check=True).stdout
    header, *frames = [json.loads(line) for line in output.splitlines()]
    joints, frames = header["joints"], [frame for frame in frames if "frame" in frame]
    offsets = np.tile(np.array([joint["offset"] for joint in joints]), (len(frames), 1, 1))
    for n, frame in enumerate(frames):
        offsets[n, 0] = frame["root"]
        for joint, *offset in frame.get("offsets", ()):
            offsets[n, joint] = offset
    rotations = _matrices(np.array([frame["rotations"] for frame in frames]))
    positions = offsets.copy()
    for joint, parent in ((n, joint["parent"]) for n, joint in enumerate(joints) if joint["parent"] is not None):
        positions[:, joint] = positions[:, parent] + np.einsum("tij,tj->ti", rotations[:, parent], offsets[:, joint])
        rotations[:, joint] = rotations[:, parent] @ rotations[:, joint]
    return Motion(header, [joint["name"] for joint in joints], positions, rotations)


def _matrices(q: np.ndarray) -> np.ndarray:
    """Rotation matrices of quaternions x, y, z, w."""
    x, y, z, w = np.moveaxis(q, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def distances(motion: Motion, matrices: np.ndarray, names: list[str]) -> np.ndarray:
    """The largest distance in metres of each joint from the bone of the same name; 0 for joints without a bone."""
    found = np.zeros(len(motion.names))
    for joint, name in enumerate(motion.names):
        if name in names:
            apart = matrices[:, names.index(name), :3, 3] - motion.positions[:, joint]
            found[joint] = np.linalg.norm(apart, axis=-1).max()
    return found


def drift(plants: dict, motion: Motion, before: np.ndarray, after: np.ndarray, names: list[str]) -> float:
    """How far a planted point gets from where its plant began, in metres, as another reader evaluates the file.

    A point is fixed to its bone where it is at frame 0 of the captured motion. ``before`` and ``after`` are the matrices
    of the bones as that reader evaluates them, in metres, Y up.
    """
    ground = np.array(plants.get("ground_m_per_s") or (0.0, 0.0, 0.0)) / motion.header["fps"]
    worst = 0.0
    for plant in plants["plants"]:
        joint, from_joint = motion.point(plant["foot"], plant["point"])
        bone = names.index(motion.names[joint])
        local = np.linalg.inv(before[0, bone]) @ np.append(before[0, bone, :3, 3] + from_joint, 1.0)
        points = (after[plant["first"] : plant["last"] + 1, bone] @ local)[:, :3]
        points = points - np.arange(len(points))[:, None] * ground
        worst = max(worst, float(np.linalg.norm(points - points[0], axis=-1).max()))
    return worst
