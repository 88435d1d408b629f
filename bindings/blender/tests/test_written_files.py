"""Every captured FBX and glTF file, cleaned by the command: Blender reads what surefoot has written."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
from extension.capture import action_frames
from scenes import evaluated, import_motion, without_matrix_attributes
from test_characters import WITHOUT_LEGS
from written_files import distances, drift, read_motion

#: Largest distance of a joint from where surefoot has it, beyond that in the captured file, in metres.
APART = 1e-4
#: Largest drift of a planted point, in metres.
DRIFT = 5e-5


def test_blender_reads_the_written_file_as_surefoot_does(scene_file, command, tmp_path):
    clean, plants = tmp_path / f"clean{scene_file.suffix}", tmp_path / "plants.json"
    arguments = [command, "clean", scene_file, "-o", clean, "--plants-out", plants, "--json"]
    result = subprocess.run(arguments, capture_output=True, text=True)
    if scene_file.name in WITHOUT_LEGS:
        assert result.returncode == 2 and "no legs were found" in result.stderr
        return
    missed = json.loads(result.stdout)["drift_max_m"]["after"] or 0.0
    assert missed <= DRIFT
    captured, written = read_motion(command, scene_file), read_motion(command, clean)
    unit = json.loads(subprocess.run([command, "inspect", "--json", scene_file], capture_output=True).stdout)["unit_m"]
    before, names = _matrices(scene_file, captured.header["fps"], unit, tmp_path)
    after, _ = _matrices(clean, captured.header["fps"], unit, tmp_path)
    assert len(after) == len(captured.positions) == len(written.positions)
    assert len(set(captured.names) & set(names)) >= len(captured.names) - 2

    apart_before, apart = distances(captured, before, names), distances(written, after, names)
    assert (apart <= apart_before + APART).all(), f"{1e3 * (apart - apart_before).max():.3f} mm further apart"
    assert drift(json.loads(plants.read_text()), captured, before, after, names) <= missed + DRIFT


def _matrices(path: Path, fps: float, unit: float, folder: Path) -> tuple[np.ndarray, list[str]]:
    """The matrices of all bones as Blender evaluates them, in metres, Y up, and the names of the bones."""
    if path.suffix == ".glb":
        path = without_matrix_attributes(path, folder)
    armature = import_motion(path, fps)
    matrices = evaluated(armature, *action_frames(armature.animation_data.action))
    # The FBX importer converts to metres, the glTF importer takes the file's unit for metres.
    scale = unit if path.suffix == ".glb" else 1.0
    to_y_up = np.array([[scale, 0, 0, 0], [0, 0, scale, 0], [0, -scale, 0, 0], [0, 0, 0, 1]])
    return to_y_up @ matrices, [bone.name for bone in armature.pose.bones]
