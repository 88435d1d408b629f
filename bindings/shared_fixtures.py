"""Fixtures of the tests of every binding: the command, a walk that skates, and the folder of the captures."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
#: The folder of the captures, which may be missing.
DATA = Path(os.environ.get("SUREFOOT_DATA", REPOSITORY / "../shared/data"))


def skip_without_data() -> None:
    """Skips a test on captures; with CI=true it fails instead."""
    assert os.environ.get("CI") != "true", f"test data is missing: {DATA}"
    pytest.skip(f"test data is missing: {DATA}")


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
