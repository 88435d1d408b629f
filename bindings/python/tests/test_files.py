"""Files: the bytes of the command, arrays that share memory, plants and errors."""

from __future__ import annotations

import json
import pickle
import subprocess
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import surefoot


def test_every_capture_has_the_bytes_of_the_command(command, captures, tmp_path):
    common = next(parent for parent in captures[0].parents if all(parent in path.parents for path in captures))
    subprocess.run([command, "batch", *captures, "-o", tmp_path / "out", "--reports", "0"], stderr=subprocess.PIPE)
    for path in captures:
        expected = (tmp_path / "out" / path.relative_to(common)).read_bytes()
        assert surefoot.load(path).clean().to_bytes() == expected, path


def test_a_setting_gives_the_bytes_of_its_flag(command):
    for keywords, flags in [
        ({}, []),
        ({"stretch": 0.03}, ["--stretch", "3%"]),
        ({"stretch": "3%", "roll": "flat"}, ["--stretch", "3%", "--roll", "flat"]),
        ({"method": "support", "skate_speed": 0.2}, ["--method", "support", "--skate-speed", "0.2m/s"]),
        ({"paper": True}, ["--paper"]),
        ({"live": True}, ["--live"]),
        ({"blend_window": 0.2, "root_weight": 2}, ["--blend-window", "0.2s", "--root-weight", "2"]),
        ({"min_plant": 0.2}, ["--min-plant", "0.2s"]),
    ]:
        expected = subprocess.run([command, "clean", "walk.bvh", "-o", "-", *flags], capture_output=True, check=True)
        assert surefoot.load("walk.bvh").clean(**keywords).to_bytes() == expected.stdout, flags


def test_arrays_give_the_bytes_of_the_command(command, tmp_path):
    walk = surefoot.load("walk.bvh")
    np.savez(tmp_path / "walk.npz", positions=walk.positions.astype(np.float32), fps=walk.fps, note="kept")
    flags = ["--skeleton", "walk.bvh"]
    arguments = [command, "clean", tmp_path / "walk.npz", "-o", tmp_path / "clean.npz", *flags]
    subprocess.run(arguments, check=True, stdout=subprocess.PIPE)
    clean = surefoot.load(tmp_path / "walk.npz", skeleton="walk.bvh").clean()
    assert clean.to_bytes() == (tmp_path / "clean.npz").read_bytes()
    arrays = np.load(tmp_path / "clean.npz")
    assert arrays["note"] == "kept" and arrays["positions"].dtype == np.float32
    clean.save_plants(tmp_path / "labels.npy")
    assert np.load(tmp_path / "labels.npy").shape == (walk.frames, 4)
    with pytest.raises(surefoot.FormatError, match="no joint order is called"):
        surefoot.load(tmp_path / "walk.npz", joints="smpl")


def test_the_settings_of_a_folder_apply(command, in_folder):
    (in_folder / "surefoot.toml").write_text('stretch = "2%"\nfloor = "level"\n')
    expected = subprocess.run([command, "clean", "walk.bvh", "-o", "-"], capture_output=True, check=True).stdout
    assert surefoot.load("walk.bvh").clean().to_bytes() == expected
    (in_folder / "surefoot.toml").write_text("colour = 1\n")
    with pytest.raises(ValueError, match="no setting `colour`"):
        surefoot.load("walk.bvh")


def test_a_rig_file_gives_the_bytes_of_its_flag(command):
    subprocess.run([command, "inspect", "walk.bvh", "--rig-out", "rig.toml"], check=True, stdout=subprocess.PIPE)
    flags = ["--rig", "rig.toml"]
    expected = subprocess.run([command, "clean", "walk.bvh", "-o", "-", *flags], capture_output=True, check=True)
    assert surefoot.load("walk.bvh", rig="rig.toml").clean().to_bytes() == expected.stdout


def test_arrays_describe_the_motion():
    clip = surefoot.load("walk.bvh")
    frames, joints = clip.frames, len(clip.names)
    assert clip.positions.shape == (frames, joints, 3) and clip.rotations.shape == (frames, joints, 4)
    assert clip.offsets.shape == (joints, 3) and clip.parents.shape == (joints,) and clip.parents[0] == -1
    np.testing.assert_allclose(np.linalg.norm(clip.rotations, axis=-1), 1, atol=1e-12)
    np.testing.assert_array_equal(clip.positions[:, 0], clip.root)
    np.testing.assert_array_equal(clip.translations[:, 1:], np.broadcast_to(clip.offsets[1:], (frames, joints - 1, 3)))
    np.testing.assert_allclose(forward_kinematics(clip), clip.positions, atol=1e-12)


def forward_kinematics(clip):
    def turn(q, v):
        w, u = q[..., :1], q[..., 1:]
        return v + 2 * np.cross(u, np.cross(u, v) + w * v)

    def times(a, b):
        w = a[..., :1] * b[..., :1] - (a[..., 1:] * b[..., 1:]).sum(-1, keepdims=True)
        return np.concatenate([w, a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + np.cross(a[..., 1:], b[..., 1:])], -1)

    positions, rotations = np.array(clip.translations), np.array(clip.rotations)
    for joint, parent in enumerate(clip.parents):
        if parent >= 0:
            positions[:, joint] = positions[:, parent] + turn(rotations[:, parent], positions[:, joint])
            rotations[:, joint] = times(rotations[:, parent], rotations[:, joint])
    return positions


def test_an_array_is_made_once_without_a_copy_and_cannot_be_written():
    clip = surefoot.load("walk.bvh")
    first = clip.positions
    assert first is clip.positions
    assert not first.flags.owndata and first.flags.c_contiguous, "the memory is Rust's own"
    with pytest.raises(ValueError):
        first[0] = 0


def test_figures_are_those_of_the_command(command):
    clean = surefoot.load("walk.bvh").clean()
    value = json.loads(subprocess.run([command, "clean", "walk.bvh", "--json"], capture_output=True).stdout)
    for key, figure in clean.figures.items():
        assert figure == value[key], key
    assert clean.notes == value["notes"]


def test_measure_compares_with_any_clip(command):
    walk = surefoot.load("walk.bvh")
    walk.clean().save("clean.bvh")
    figures = surefoot.load("clean.bvh").measure(before=walk)
    flags = ["measure", "clean.bvh", "--before", "walk.bvh", "--json"]
    value = json.loads(subprocess.run([command, *flags], capture_output=True).stdout)
    assert {key for key in figures if figures[key] != value[key]} == set()
    assert figures["channels_changed"] == []
    alone = json.loads(subprocess.run([command, "measure", "walk.bvh", "--json"], capture_output=True).stdout)
    assert walk.measure()["drift_max_m"] == alone["drift_max_m"]


def test_channels_that_a_file_gains_are_listed():
    walk = surefoot.load("walk.bvh")
    walk.clean(paper=True).save("stretched.bvh")
    changed = surefoot.load("stretched.bvh").measure(before=walk)["channels_changed"]
    assert changed and set(changed) <= set(walk.names)
    made = surefoot.from_arrays(walk.rotations, walk.root, walk.offsets, walk.parents, fps=60, names=walk.names)
    assert made.measure(before=walk).get("channels_changed") is None


def test_hands_are_detected_and_held_as_by_the_command(command):
    subprocess.run([command, "sample", "crawl", "-o", "crawl.bvh", "--skate", "scale=1.1"], check=True)
    crawl = surefoot.load("crawl.bvh")
    assert crawl.detect(hold="feet,hands").shape == (crawl.frames, 8)
    subprocess.run([command, "clean", "crawl.bvh", "--hold", "feet,hands", "-o", "clean.bvh"], check=True)
    assert crawl.clean().to_bytes() == Path("clean.bvh").read_bytes()
    assert surefoot.load("crawl.bvh").clean(hold="feet,hands").to_bytes() == Path("clean.bvh").read_bytes()
    assert {plant["point"] for plant in crawl.plants} == {"heel", "ball", "palm"}


def test_labels_round_trip():
    clip = surefoot.load("walk.bvh")
    labels = clip.detect()
    assert labels.shape == (361, 4) and labels.dtype == np.float32 and 0.5 < labels.max() <= 1
    other = surefoot.load("walk.bvh")
    other.set_contacts(labels > 0)
    np.testing.assert_array_equal(other.contacts > 0, labels > 0)
    assert other.clean().to_bytes() == clip.clean().to_bytes()
    assert clip.detect(method="speed-height").shape == (361, 4)


def test_contact_from_touch_to_toe_off_is_longer_than_rest(captures):
    clip = surefoot.load(next(path for path in captures if path.name == "02_01.bvh"))
    rest = (clip.detect() > 0).sum()
    assert (clip.detect(edges="touch") > 0).sum() > rest


def test_plants_files_are_those_of_the_command(command):
    subprocess.run([command, "detect", "walk.bvh", "-o", "plants.json"], check=True, stdout=subprocess.PIPE)
    clip = surefoot.load("walk.bvh")
    clip.save_plants("own.json")
    assert open("own.json").read() == open("plants.json").read()
    other = surefoot.load("walk.bvh")
    other.load_plants("plants.json")
    assert other.clean().to_bytes() == clip.clean().to_bytes()
    assert {plant["foot"] for plant in other.plants} == {"left", "right"}


def test_plants_have_the_label_of_svm_and_none_of_other_detectors(command):
    subprocess.run([command, "sample", "walk", "-o", "skating.bvh", "--skate", "scale=1.2"], check=True)
    skating = surefoot.load("skating.bvh")
    skating.detect()
    assert {plant["kind"] for plant in skating.plants} == {None}
    skating.detect(method="svm")
    assert {plant["kind"] for plant in skating.plants} == {"plant", "skate"}


def test_a_clean_clip_can_be_cleaned_again_and_saved():
    clean = surefoot.load("walk.bvh").clean()
    again = clean.clean()
    # The plants of the first time are held: none are detected in a motion that is clean already.
    assert [plant["first"] for plant in again.plants] == [plant["first"] for plant in clean.plants]
    assert again.figures["drift_max_m"]["after"] < 1e-5
    clean.save("out.bvh")
    np.testing.assert_allclose(surefoot.load("out.bvh").positions, clean.positions, atol=1e-12)
    assert "<svg" in clean.report() and "walk.bvh" in clean.report()


@pytest.mark.parametrize(
    "damage, line, found, expected",
    [
        (lambda text: text.replace("MOTION", "MOTIONS"), 1, "MOTIONS", None),
        (lambda text: text.replace("OFFSET 0", "OFFSET zero", 1), 4, None, "a number"),
        (lambda text: "", 1, "", "HIERARCHY"),
        (lambda text: "\n".join(line + (" 1" if i == 400 else "") for i, line in enumerate(text.split("\n"))), 401, "76", "75"),
    ],
)
def test_a_damaged_file_is_a_format_error_with_its_place(walk, damage, line, found, expected):
    data = damage(walk.read_text()).encode()
    with pytest.raises(surefoot.FormatError) as raised:
        surefoot.loads(data, "damaged.bvh")
    error = raised.value
    assert isinstance(error, ValueError) and "damaged.bvh" in str(error)
    assert error.line == line or line == 1
    assert found is None or error.found == found
    assert expected is None or error.expected == expected
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.line, copy.found) == (str(error), error.line, error.found)


def test_what_cannot_be_done_is_refused_with_the_reason():
    with pytest.raises(FileNotFoundError, match="none.bvh"):
        surefoot.load("none.bvh")
    clip = surefoot.load("walk.bvh")
    for call, reason in [
        (lambda: clip.clean(stretch="some"), 'stretch is "some"'),
        (lambda: clip.clean(method="hope"), 'method is "hope"'),
        (lambda: clip.detect(method="hope"), "expected one of learned"),
        (lambda: clip.detect(hold="tails"), "found \"tails\", expected feet or hands or feet,hands"),
        (lambda: clip.clean().detect(hold="hands"), "detect hands before"),
        (lambda: clip.set_contacts(np.zeros((3, 4))), r"found shape \[3, 4\], expected \[361, 4\]"),
        (lambda: surefoot.load("walk.bvh", up="w"), "up: expected x, y, z"),
        (lambda: surefoot.load("walk.bvh", fps=-1), "fps"),
    ]:
        with pytest.raises(ValueError, match=reason):
            call()
    with pytest.raises(TypeError, match="unexpected keyword strech, expected one of preset, spot_window"):
        clip.clean(strech=0)
    with pytest.raises(TypeError):
        clip.clean(0.03)


def test_the_interpreter_runs_while_a_clip_is_cleaned(captures):
    longest = max(captures, key=lambda path: path.stat().st_size)
    clip = surefoot.load(longest)
    thread = threading.Thread(target=clip.clean)
    steps, started = 0, time.perf_counter()
    thread.start()
    while thread.is_alive():
        steps += 1
        time.sleep(0.001)
    if time.perf_counter() - started > 0.02:
        assert steps > 3, "the lock of the interpreter was held"


def test_many_clips_are_cleaned_in_parallel_with_the_same_bytes():
    clips = [surefoot.load("walk.bvh") for _ in range(8)]
    expected = clips[0].clean().to_bytes()
    assert all(clip.to_bytes() == expected for clip in surefoot.clean_many(clips, jobs=3))
    assert surefoot.clean_many([]) == []
