"""A folder with a walk that skates, the command, and the captures."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def command() -> str:
    """The surefoot command, which ``cargo xtask test python`` builds and names in SUREFOOT_COMMAND."""
    path = Path(os.environ.get("SUREFOOT_COMMAND", REPOSITORY / "target/release/surefoot"))
    assert path.is_file(), f"{path} is missing: build the command, or name it in SUREFOOT_COMMAND"
    return str(path)


@pytest.fixture(scope="session")
def walk(command, tmp_path_factory) -> Path:
    """A generated walk that skates: 361 frames at 60 fps."""
    path = tmp_path_factory.mktemp("walk") / "walk.bvh"
    subprocess.run([command, "sample", "walk", "-o", path, "--skate", "scale=1.1"], check=True, stdout=subprocess.PIPE)
    return path


@pytest.fixture(autouse=True)
def in_folder(walk, tmp_path, monkeypatch) -> Path:
    """Every test runs in a folder of its own with ``walk.bvh``."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "walk.bvh").write_bytes(walk.read_bytes())
    return tmp_path


@pytest.fixture(scope="session")
def captures() -> list[Path]:
    """Every captured BVH file. Without the data folder the test is skipped; with CI=true it fails."""
    folder = Path(os.environ.get("SUREFOOT_DATA", REPOSITORY / "../shared/data"))
    files = sorted(path for part in ("bvh", "labelled") for path in folder.glob(f"{part}/**/*.bvh"))
    if not files:
        assert os.environ.get("CI") != "true", f"test data is missing: {folder}"
        pytest.skip(f"test data is missing: {folder}")
    return files
