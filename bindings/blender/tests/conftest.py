"""Blender with the extension, a walk that skates, and the captured characters."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import bpy  # noqa: F401  Before Blender's own modules can be imported.
import pytest

REPOSITORY = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(REPOSITORY / "bindings/blender"))
DATA = Path(os.environ.get("SUREFOOT_DATA", REPOSITORY / "../shared/data"))
ENDINGS = (".bvh", ".fbx", ".glb")


@pytest.fixture(scope="session", autouse=True)
def extension():
    """The extension, registered from its sources."""
    import extension

    extension.register()
    yield extension
    extension.unregister()


@pytest.fixture(scope="session")
def command() -> str:
    """The surefoot command, which ``cargo xtask test`` builds and names in SUREFOOT_COMMAND."""
    path = Path(os.environ.get("SUREFOOT_COMMAND", REPOSITORY / "target/debug/surefoot"))
    assert path.is_file(), f"{path} is missing: build the command, or name it in SUREFOOT_COMMAND"
    return str(path)


@pytest.fixture(scope="session")
def walk(command, tmp_path_factory) -> Path:
    """A generated walk that skates: 361 frames at 60 fps, in centimetres."""
    path = tmp_path_factory.mktemp("walk") / "walk.bvh"
    subprocess.run([command, "sample", "walk", "-o", path, "--skate", "scale=1.1"], check=True, stdout=subprocess.PIPE)
    return path


@pytest.fixture
def armature(walk):
    """The walk, imported into an empty scene."""
    from scenes import import_motion

    return import_motion(walk)


def pytest_generate_tests(metafunc) -> None:
    """Runs tests with the argument ``character`` for each captured character."""
    if "character" in metafunc.fixturenames:
        files = sorted(path for path in DATA.glob("**/*") if path.suffix in ENDINGS and "hostile" not in path.parts)
        names = [str(path.relative_to(DATA)) for path in files]
        metafunc.parametrize("character", files or [None], ids=names or ["none"])


@pytest.fixture(autouse=True)
def _needs_data(request) -> None:
    """Without the data folder the tests on captures are skipped; with CI=true they fail."""
    if "character" in request.fixturenames and request.getfixturevalue("character") is None:
        assert os.environ.get("CI") != "true", f"test data is missing: {DATA}"
        pytest.skip(f"test data is missing: {DATA}")


def pytest_addoption(parser) -> None:
    parser.addoption("--pictures", help="the folder into which pictures for the book are written")
