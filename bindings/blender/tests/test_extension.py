"""The packed extension: installed by Blender into a folder of its own, and used from there."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import tomllib

#: Runs in a Blender of its own, with the paths of the zip file and of a motion as arguments.
SCRIPT = """
import sys, bpy
bpy.ops.extensions.package_install_files(filepath=sys.argv[1], repo="user_default", enable_on_install=True)
assert "bl_ext.user_default.surefoot" in bpy.context.preferences.addons, "not enabled"
import surefoot
print("WHEEL", surefoot.__file__)
bpy.ops.import_anim.bvh(filepath=sys.argv[2], update_scene_fps=True)
print("CLEAN", bpy.ops.surefoot.clean(), bpy.context.object.animation_data.action.name)
bpy.ops.preferences.addon_disable(module="bl_ext.user_default.surefoot")
assert not hasattr(bpy.types.Action, "surefoot")
"""


@pytest.fixture(scope="session")
def packed() -> Path:
    """The zip file, which ``cargo xtask test`` packs and names in SUREFOOT_EXTENSION."""
    path = Path(os.environ.get("SUREFOOT_EXTENSION", Path(__file__).parents[3] / "target/blender/surefoot.zip"))
    assert path.is_file(), f"{path} is missing: run `cargo xtask blender`"
    return path


def test_the_zip_file_has_the_sources_and_the_wheel_of_its_manifest(packed):
    with zipfile.ZipFile(packed) as archive:
        names = set(archive.namelist())
        manifest = tomllib.loads(archive.read("blender_manifest.toml").decode())
    sources = {path.name for path in Path(__file__).parents[1].joinpath("extension").glob("*.py")}
    assert sources <= names and not any("__pycache__" in name or "tests" in name for name in names)
    (wheel,) = manifest["wheels"]
    assert wheel.removeprefix("./") in names
    assert manifest["blender_version_min"] == "4.2.0" and "blender_version_max" not in manifest
    version = wheel.split("-")[1]
    assert manifest["version"] == version


def test_blender_installs_enables_and_disables_it(packed, walk, tmp_path):
    environment = {**os.environ, "BLENDER_USER_RESOURCES": str(tmp_path)}
    run = subprocess.run(
        # Isolated, with no `surefoot` but that of the extension: site-packages has it for the other tests.
        [sys.executable, "-c", without_installed_surefoot() + SCRIPT, packed, walk],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    wheel = next(line for line in run.stdout.splitlines() if line.startswith("WHEEL")).split()[1]
    assert Path(wheel).is_relative_to(tmp_path)
    assert "CLEAN {'FINISHED'} walk clean" in run.stdout


def without_installed_surefoot() -> str:
    """Python code that hides the installed package until the extension's wheel is there."""
    return """
import importlib.machinery, sys
class Hidden(importlib.machinery.PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name == "surefoot":
            path = [place for place in sys.path if "extensions" in place]
            return importlib.machinery.PathFinder.find_spec(name, path) if path else None
sys.meta_path.insert(0, Hidden)
"""
