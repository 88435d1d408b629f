"""Clusters: the files and the table of the command, with a node killed in the middle."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time

import pytest

CLIPS = 120


@pytest.fixture(scope="module")
def corpus(walk, tmp_path_factory):
    folder = tmp_path_factory.mktemp("mocap")
    for clip in range(CLIPS):
        (folder / f"part{clip % 4}").mkdir(exist_ok=True)
        shutil.copy(walk, folder / f"part{clip % 4}/{clip:03}.bvh")
    (folder / "part1/bad.bvh").write_text("HIERARCHY\nROOT Hips\n{\n")
    return folder


@pytest.fixture(scope="module")
def expected(command, corpus, tmp_path_factory):
    out = tmp_path_factory.mktemp("expected") / "out"
    subprocess.run([command, "batch", corpus, "-o", out, "--reports", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return out


@pytest.fixture(scope="module")
def cluster():
    """A head without processors and two nodes with one each, as processes of their own."""
    os.environ.update(RAY_USAGE_STATS_ENABLED="0", RAY_DEDUP_LOGS="0", RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO="0")
    import ray
    from ray.cluster_utils import Cluster

    memory = 80 * 1024 * 1024
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "object_store_memory": memory})
    cluster.nodes_to_kill = [cluster.add_node(num_cpus=1, object_store_memory=memory) for _ in range(2)]
    ray.init(address=cluster.address, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def assert_same(out, expected):
    names = sorted(path.relative_to(expected) for path in expected.glob("**/*.bvh"))
    assert len(names) == CLIPS
    assert sorted(path.relative_to(out) for path in out.glob("**/*.bvh")) == names
    for name in names:
        assert (out / name).read_bytes() == (expected / name).read_bytes(), name
    assert not list(out.glob("**/*.part"))
    assert (out / "figures.jsonl").read_text() == (expected / "figures.jsonl").read_text()
    import pyarrow.parquet as parquet

    own, theirs = (parquet.read_table(folder / "figures.parquet") for folder in (out, expected))
    assert own.to_pylist() == theirs.to_pylist() and own.schema.equals(theirs.schema)
    assert theirs.to_pylist() == [json.loads(line) for line in (expected / "figures.jsonl").read_text().splitlines()]


def test_a_killed_node_loses_nothing_and_a_stopped_run_continues(cluster, corpus, expected, tmp_path):
    import surefoot.ray

    out = tmp_path / "out"

    def rows():
        return sum(len(path.read_text().splitlines()) for path in out.glob(".surefoot/*/*.jsonl"))

    killed_at = []

    def kill_one_node():
        while rows() < CLIPS // 5:
            time.sleep(0.01)
        killed_at.append(rows())
        cluster.remove_node(cluster.nodes_to_kill[0], allow_graceful=False)

    killer = threading.Thread(target=kill_one_node)
    killer.start()
    totals = surefoot.ray.clean_dataset(str(corpus), str(out), group=1)
    killer.join()
    assert killed_at and killed_at[0] < CLIPS, "the node was not killed in the middle"
    assert totals == {"clips": CLIPS + 1, "cleaned": CLIPS, "failed": 1, "with_events": 0, "frames": 361 * CLIPS, "resumed": 0}
    assert_same(out, expected)
    # As if the run had been stopped: the rows of some groups are gone, and a table with them.
    for path in sorted(out.glob(".surefoot/*/*.jsonl"))[::3]:
        path.unlink()
    (out / "figures.parquet").unlink()
    finished = sum('"cleaned"' in path.read_text() for path in out.glob(".surefoot/*/*.jsonl"))
    assert surefoot.ray.clean_dataset(str(corpus), str(out), group=7)["resumed"] == finished
    assert_same(out, expected)


def test_paths_of_fsspec_are_opened(corpus, cluster, tmp_path):
    import surefoot.ray

    totals = surefoot.ray.clean_dataset(f"file://{corpus}/part0", f"file://{tmp_path}/out", stretch=0)
    assert totals["cleaned"] == CLIPS // 4 and (tmp_path / "out/000.bvh").exists()
    with pytest.raises(FileNotFoundError, match="none"):
        surefoot.ray.clean_dataset(str(tmp_path / "none"), str(tmp_path / "other"))
    with pytest.raises(ValueError, match="expected another folder"):
        surefoot.ray.clean_dataset(str(corpus), str(corpus))


def test_the_command_line_cleans_a_folder(corpus, cluster, tmp_path):
    arguments = [str(corpus / "part1"), "--out", str(tmp_path / "out"), "--address", cluster.address, "--set", "stretch=0"]
    run = subprocess.run([sys.executable, "-m", "surefoot.ray", *arguments], capture_output=True, text=True)
    totals = json.loads(run.stdout.splitlines()[-1])
    assert (run.returncode, totals["cleaned"], totals["failed"]) == (2, CLIPS // 4, 1), run.stderr
