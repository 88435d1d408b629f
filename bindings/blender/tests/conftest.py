"""Blender with the extension, a walk that skates, and the captured characters."""

from __future__ import annotations

import sys
from pathlib import Path

import bpy  # noqa: F401  Before Blender's own modules can be imported.
import pytest

BINDINGS = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(BINDINGS), str(BINDINGS / "blender")]
from shared_fixtures import DATA, command, skip_without_data, walk  # noqa: E402, F401  Fixtures are found by name.

#: Arguments of tests that run for each captured file, and the endings of these files.
CAPTURES = {"character": (".bvh", ".fbx", ".glb"), "scene_file": (".fbx", ".glb")}


@pytest.fixture(scope="session", autouse=True)
def extension():
    """The extension, registered from its sources."""
    import extension

    extension.register()
    yield extension
    extension.unregister()


@pytest.fixture
def armature(walk):  # noqa: F811  The fixture, not the import.
    """The walk, imported into an empty scene."""
    from scenes import import_motion

    return import_motion(walk)


def pytest_generate_tests(metafunc) -> None:
    """Runs tests with one of the arguments of CAPTURES for each captured file with its endings."""
    for argument in CAPTURES.keys() & set(metafunc.fixturenames):
        endings = CAPTURES[argument]
        files = sorted(path for path in DATA.glob("**/*") if path.suffix in endings and "hostile" not in path.parts)
        names = [str(path.relative_to(DATA)) for path in files]
        metafunc.parametrize(argument, files or [None], ids=names or ["none"])


@pytest.fixture(autouse=True)
def _needs_data(request) -> None:
    """Without the data folder the tests on captures are skipped; with CI=true they fail."""
    arguments = CAPTURES.keys() & set(request.fixturenames)
    if any(request.getfixturevalue(argument) is None for argument in arguments):
        skip_without_data()


def pytest_addoption(parser) -> None:
    parser.addoption("--pictures", help="the folder into which pictures for the book are written")


def pytest_terminal_summary(terminalreporter) -> None:
    """Prints the figures that the tests have measured."""
    import test_characters
    import test_speed

    rows = test_characters.figures
    if rows:
        terminalreporter.section("characters as Blender evaluates them")
        numbers = [[f"{number:.4f}" for number in row[1:4]] for row in rows]
        lines = [(row[0], *texts, row[4]) for row, texts in zip(rows, numbers)]
        for name, *numbers, reason in [test_characters.COLUMNS, *lines]:
            terminalreporter.write_line(f"{name:32}" + "".join(f"{number:>22}" for number in numbers) + f"  {reason}")
        worst, like = max(row[1] for row in rows), sum(not row[4] for row in rows)
        terminalreporter.write_line(f"{len(rows)} characters: drift at most {worst:.4f} mm; {like} as from the command")
        count = sum(test_characters.untouched)
        terminalreporter.write_line(f"{count} curves of bones that did not move: keys and handles as before")
    for line in test_speed.figures:
        terminalreporter.write_line(line)
