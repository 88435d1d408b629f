"""A folder with a walk that skates, and the captures."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from shared_fixtures import DATA, command, skip_without_data, walk  # noqa: E402, F401  Fixtures are found by name.


@pytest.fixture(autouse=True)
def in_folder(walk, tmp_path, monkeypatch) -> Path:  # noqa: F811  The fixture, not the import.
    """Every test runs in a folder of its own with ``walk.bvh``."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "walk.bvh").write_bytes(walk.read_bytes())
    return tmp_path


@pytest.fixture(scope="session")
def captures() -> list[Path]:
    """Every captured BVH file. Without the data folder the test is skipped; with CI=true it fails."""
    files = sorted(path for part in ("bvh", "labelled") for path in DATA.glob(f"{part}/**/*.bvh"))
    if not files:
        skip_without_data()
    return files
