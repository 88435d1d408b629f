"""Measures the feet of skinned characters against the floor, on the mesh as Blender evaluates it.

Usage: python soles.py COMMAND FOLDER. Prints a table of every captured character with a skin and feet, with foot points
from the joints and from the mesh, each in the file as captured and as cleaned, in millimetres:

- how far the lowest vertex of a foot is below the floor while heel and ball are planted, heel or ball, and at any time;
- how far it is above the floor while heel or ball is planted.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "tests"))
sys.path.insert(0, str(Path(__file__).parent))

import bpy  # noqa: E402  Before Blender's own modules can be imported.
import numpy as np  # noqa: E402
from extension.capture import action_frames  # noqa: E402
from scenes import import_motion, without_matrix_attributes  # noqa: E402

#: Share of a vertex that the joints of a foot must have for it to be part of the foot.
OF_FOOT = 0.5


def foot_joints(facts: dict, leg: dict) -> set[str]:
    """The names of the ankle and all joints below it."""
    joints, found = facts["joints"], {leg["indices"][2]}
    for index, joint in enumerate(joints):
        if joint["parent"] in found:
            found.add(index)
    return {joints[index]["name"] for index in found}


def meshes(armature) -> list:
    """The meshes that follow an armature."""
    is_skin = lambda item: any(one.type == "ARMATURE" and one.object == armature for one in item.modifiers)  # noqa: E731
    return [item for item in bpy.data.objects if item.type == "MESH" and is_skin(item)]


def vertices_of(item, names: set[str]) -> np.ndarray:
    """The vertices of a mesh that follow joints of these names more than all others."""
    groups = {group.index for group in item.vertex_groups if group.name in names}
    share = lambda vertex: sum(one.weight for one in vertex.groups if one.group in groups)  # noqa: E731
    total = lambda vertex: sum(one.weight for one in vertex.groups)  # noqa: E731
    return np.array([n for n, one in enumerate(item.data.vertices) if share(one) > OF_FOOT * total(one)], dtype=int)


def heights(path: Path, facts: dict, folder: Path) -> dict[str, np.ndarray]:
    """The heights above the floor of the vertices of each foot, (frames, vertices), in metres."""
    source = without_matrix_attributes(path, folder) if path.suffix == ".glb" else path
    armature = import_motion(source, facts["fps"])
    scale = facts["unit_m"] if path.suffix == ".glb" else 1.0
    normal, offset = np.array(facts["floor"]["normal"]), facts["floor"]["offset_m"]
    feet = {
        leg["side"]: [(item, vertices_of(item, foot_joints(facts, leg))) for item in meshes(armature)]
        for leg in facts["legs"]
    }
    found: dict[str, list] = {side: [] for side in feet}
    first, last = action_frames(armature.animation_data.action)
    for frame in range(first, last + 1):
        bpy.context.scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        for side, parts in feet.items():
            low = []
            for item, own in parts:
                evaluated = item.evaluated_get(graph)
                positions = np.empty(3 * len(evaluated.data.vertices), dtype=np.float32)
                evaluated.data.vertices.foreach_get("co", positions)
                world = np.array(evaluated.matrix_world)
                points = positions.reshape(-1, 3)[own] @ world[:3, :3].T + world[:3, 3]
                y_up = np.stack([points[:, 0], points[:, 2], -points[:, 1]], axis=-1) * scale
                low.append(y_up @ normal - offset)
            found[side].append(np.concatenate(low))
    return {side: np.array(rows) for side, rows in found.items()}


def planted(plants: list[dict], side: str, frames: int) -> np.ndarray:
    """How many of heel and ball of a foot are planted in each frame."""
    is_down = np.zeros((2, frames), dtype=bool)
    for plant in plants:
        if plant["foot"] == side:
            is_down[("heel", "ball").index(plant["point"]), plant["first"] : plant["last"] + 1] = True
    return is_down.sum(axis=0)


def measure(command: str, path: Path, points: str, folder: Path) -> tuple[str, list[list[float]]] | None:
    """Where the foot points come from, and the figures of the captured and the clean file; None without feet."""
    inspect = subprocess.run([command, "inspect", "--json", "--foot-points", points, path], capture_output=True)
    facts = json.loads(inspect.stdout)
    if not facts["legs"] or not facts.get("skins") or not facts["floor"] or facts["up"] != "y":
        return None
    clean, plants = folder / f"clean{path.suffix}", folder / "plants.json"
    arguments = [command, "clean", path, "-o", clean, "--plants-out", plants, "--foot-points", points]
    subprocess.run(arguments, check=True, capture_output=True)
    held = json.loads(plants.read_text())["plants"]
    figures = []
    for file in (path, clean):
        low, count = [], []
        for side, rows in heights(file, facts, folder).items():
            low.append(rows.min(axis=1))
            count.append(planted(held, side, len(rows)))
        low, count = 1e3 * np.concatenate(low), np.concatenate(count)
        worst = [float(-low[part].min()) if part.any() else np.nan for part in (count == 2, count > 0, count >= 0)]
        figures.append([*worst, float(low[count > 0].max()) if (count > 0).any() else np.nan])
    return facts["foot_points"], figures


def cell(before: float, after: float) -> str:
    """Two figures that are not below 0."""
    return "–" if np.isnan(before) else f"{max(before, 0):.1f} → {max(after, 0):.1f}"


def main() -> None:
    command, data = sys.argv[1], Path(sys.argv[2])
    print("| character | foot points | below, heel and ball planted | below, heel or ball | below, any time | above, planted |")
    print("|---|---|---|---|---|---|")
    files = sorted(path for path in data.glob("**/*") if path.suffix in (".fbx", ".glb"))
    for path in files:
        for points in ("joints", "mesh"):
            with tempfile.TemporaryDirectory() as folder:
                found = measure(command, path, points, Path(folder))
            if found is None:
                break
            cells = [cell(before, after) for before, after in zip(*found[1])]
            print(f"| {path.name} | {found[0]} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
