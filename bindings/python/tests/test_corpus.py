"""``surefoot.batch``: the engine of the command."""

from __future__ import annotations

import json
import subprocess

import pytest
import surefoot


def test_a_corpus_gives_the_files_of_the_command(command, in_folder):
    (in_folder / "mocap" / "a").mkdir(parents=True)
    for name in ("a/one.bvh", "two.bvh"):
        (in_folder / "mocap" / name).write_bytes((in_folder / "walk.bvh").read_bytes())
    (in_folder / "mocap/bad.bvh").write_text("HIERARCHY\nROOT\n")
    totals = surefoot.batch("mocap", "python", jobs=2, reports=1)
    assert totals == {"clips": 3, "cleaned": 2, "failed": 1, "with_events": 0, "frames": 722, "resumed": 0}
    subprocess.run([command, "batch", "mocap", "-o", "command", "--reports", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    names = [path.relative_to(in_folder / "command") for path in in_folder.glob("command/**/*.bvh")]
    assert len(names) == 2
    for name in names:
        assert (in_folder / "python" / name).read_bytes() == (in_folder / "command" / name).read_bytes(), name
    rows = [
        [json.loads(line) for line in (in_folder / folder / "figures.jsonl").read_text().splitlines()]
        for folder in ("python", "command")
    ]
    for python, other in zip(*rows):
        assert {key for key in python if python[key] != other[key]} <= {"error"}, python["clip"]
    assert surefoot.batch("mocap", "python", resume=True)["resumed"] == 2
    with pytest.raises(ValueError, match="exists already"):
        surefoot.batch("mocap", "python")
    with pytest.raises(ValueError, match="other settings"):
        surefoot.batch("mocap", "python", resume=True, stretch=0.01)
