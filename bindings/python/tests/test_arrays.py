"""Arrays in and out: the result of the file, batches, tensors, other axes, positions only."""

from __future__ import annotations

import subprocess
import sys
import types

import numpy as np
import pytest
import surefoot


@pytest.fixture
def clip():
    return surefoot.load("walk.bvh")


def arrays(clip):
    return clip.rotations, clip.root, clip.offsets, clip.parents


def foot_drift(positions, contacts, joint, column):
    """The largest distance of a joint from where its contact began."""
    worst = 0.0
    start = None
    for frame, planted in enumerate(np.append(contacts[:, column] > 0, False)):
        if planted and start is None:
            start = frame
        if not planted and start is not None:
            worst = max(worst, np.linalg.norm(positions[start:frame, joint] - positions[start, joint], axis=-1).max())
            start = None
    return worst


def test_arrays_are_cleaned_as_the_file_is(clip):
    clip.detect()
    clean = surefoot.clean(*arrays(clip), fps=clip.fps, names=clip.names, contacts=clip.contacts)
    # A file has six decimals.
    assert np.abs(clean.clips.positions - clip.clean().positions).max() < 2e-4
    ball = clip.names.index("LeftToeBase")
    assert foot_drift(clip.positions, clean.contacts, ball, 1) > 0.02
    assert foot_drift(clean.clips.positions, clean.contacts, ball, 1) < 1e-9


def test_a_batch_gives_what_its_motions_give_alone(clip):
    rotations, root, offsets, parents = arrays(clip)
    facts = dict(fps=clip.fps, names=clip.names)
    moved = root + [1.0, 0.0, 2.0]
    batch = surefoot.clean(np.stack([rotations] * 3), np.stack([root, moved, root]), offsets, parents, **facts, jobs=2)
    assert batch.rotations.shape == (3, *rotations.shape) and batch.contacts.shape == (3, 361, 4)
    for index, path in enumerate([root, moved, root]):
        alone = surefoot.clean(rotations, path, offsets, parents, **facts)
        np.testing.assert_array_equal(batch.rotations[index], alone.rotations)
        np.testing.assert_array_equal(batch.root[index], alone.root)
    assert len(batch.clips) == 3 and batch.clips[1].figures["drift_max_m"]["after"] < 1e-9


def test_other_axes_unit_and_order_give_the_same_motion(clip):
    rotations, root, offsets, parents = arrays(clip)
    facts = dict(fps=clip.fps, names=clip.names)
    expected = surefoot.clean(rotations, root, offsets, parents, **facts)
    # Z up: x stays, y becomes z, z becomes -y; in centimetres, with the quaternion's w last.
    to_z_up = lambda v: np.stack([v[..., 0], -v[..., 2], v[..., 1]], -1)
    turned = np.concatenate([to_z_up(rotations[..., 1:]), rotations[..., :1]], -1)
    clean = surefoot.clean(
        turned, 100 * to_z_up(root), 100 * to_z_up(offsets), parents, up="z", unit="cm", order="xyzw", **facts
    )
    np.testing.assert_allclose(clean.root, 100 * to_z_up(expected.root), atol=1e-6)
    np.testing.assert_allclose(clean.rotations[..., 3], expected.rotations[..., 0], atol=1e-7)
    np.testing.assert_allclose(clean.clips.positions, 100 * to_z_up(expected.clips.positions), atol=1e-5)


def test_single_precision_comes_back_in_single_precision(clip):
    rotations, root, offsets, parents = arrays(clip)
    # Given contacts: a contact may be detected a frame later where positions are rounded.
    facts = dict(fps=clip.fps, names=clip.names, contacts=clip.detect())
    clean = surefoot.clean(rotations.astype(np.float32), root.astype(np.float32), offsets, parents, **facts)
    assert clean.rotations.dtype == np.float32
    expected = surefoot.clean(rotations, root, offsets, parents, **facts)
    np.testing.assert_allclose(clean.root, expected.root, atol=1e-3)


def test_tensors_come_back_as_tensors(clip, monkeypatch):
    """Without torch itself, which takes a gigabyte: a class with the parts of a tensor that are used."""
    torch = types.ModuleType("torch")

    class Tensor:
        __module__ = "torch"
        device = "cpu"

        def __init__(self, values):
            self.values = values

        def detach(self):
            return self

        def cpu(self):
            return self

        def numpy(self):
            return self.values

        def to(self, like):
            return Tensor(self.values if isinstance(like, str) else self.values.astype(like.values.dtype))

    torch.from_numpy = Tensor
    monkeypatch.setitem(sys.modules, "torch", torch)
    rotations, root, offsets, parents = arrays(clip)
    clean = surefoot.clean(
        Tensor(rotations.astype(np.float32)), Tensor(root), Tensor(offsets), parents, fps=60, names=clip.names
    )
    assert isinstance(clean.rotations, Tensor) and clean.rotations.values.dtype == np.float32
    assert isinstance(clean.contacts, Tensor) and isinstance(clean.root, Tensor)


def test_arrays_that_only_speak_dlpack_are_read(clip):
    """As JAX, CuPy and other libraries pass arrays without a copy."""

    class Exchanged:
        def __init__(self, values):
            self.values = np.array(values)

        def __dlpack__(self, **options):
            return self.values.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.values.__dlpack_device__()

    rotations, root, offsets, parents = arrays(clip)
    facts = dict(fps=clip.fps, names=clip.names)
    clean = surefoot.clean(Exchanged(rotations), Exchanged(root), Exchanged(offsets), parents, **facts)
    np.testing.assert_array_equal(clean.rotations, surefoot.clean(rotations, root, offsets, parents, **facts).rotations)


def test_arrays_in_any_layout_give_the_same_clip(clip):
    rotations, root, offsets, parents = arrays(clip)
    facts = dict(fps=clip.fps, names=clip.names)
    made = surefoot.from_arrays(np.asfortranarray(rotations), root[::-1][::-1], offsets, parents, **facts)
    np.testing.assert_array_equal(made.positions, surefoot.from_arrays(*arrays(clip), **facts).positions)


def test_hands_are_detected_and_held_in_arrays(command):
    subprocess.run([command, "sample", "crawl", "-o", "crawl.bvh", "--skate", "scale=1.1"], check=True)
    crawl = surefoot.load("crawl.bvh")
    made = surefoot.from_arrays(*arrays(crawl), fps=crawl.fps, names=crawl.names)
    assert made.detect().shape[1] == 4
    assert made.detect(hold="feet,hands").shape[1] == 8 and len(made.legs) == 4
    assert {plant["point"] for plant in made.plants} >= {"palm"}
    assert "palm" in {plant["point"] for plant in made.clean().plants}
    assert made.detect(hold="feet").shape[1] == 4


def test_a_motion_like_a_clip_has_its_body_and_is_cleaned_alike(clip):
    rotations, root, offsets, parents = arrays(clip)
    first = surefoot.from_arrays(rotations, root, offsets, parents, fps=60, names=clip.names)
    again = surefoot.from_arrays(rotations, root, offsets, parents, fps=60, names=clip.names, like=first)
    assert again.legs == first.legs
    np.testing.assert_array_equal(again.clean().rotations, first.clean().rotations)
    # In the unit and axes of the clip that it is like.
    scaled = surefoot.from_arrays(rotations, 100 * root, 100 * offsets, parents, fps=60, names=clip.names, unit="cm")
    other = surefoot.from_arrays(rotations, 100 * root, 100 * offsets, parents, fps=60, like=scaled)
    assert other.unit == 0.01
    np.testing.assert_array_equal(other.positions, scaled.positions)
    with pytest.raises(ValueError, match="like: joint 1 has a different parent or offset"):
        surefoot.from_arrays(rotations, root, 1.1 * offsets, parents, fps=60, like=first)
    with pytest.raises(ValueError, match="like: found 23 joints, expected 24"):
        surefoot.from_arrays(rotations[:, :-1], root, offsets[:-1], parents[:-1], fps=60, like=first)


def test_legs_can_be_given_by_index_or_name(clip):
    rotations, root, offsets, parents = arrays(clip)
    legs = {side: tuple(f"{side.title()}{joint}" for joint in ("UpLeg", "Leg", "Foot")) for side in ("left", "right")}
    by_name = surefoot.from_arrays(rotations, root, offsets, parents, fps=60, names=clip.names, legs=legs)
    indices = {side: [clip.names.index(name) for name in joints] for side, joints in legs.items()}
    by_index = surefoot.from_arrays(rotations, root, offsets, parents, fps=60, legs=indices)
    assert [leg["ankle"] for leg in by_name.legs] == [leg["ankle"] for leg in by_index.legs]
    with pytest.raises(ValueError, match="found no joint 'Knie'"):
        surefoot.from_arrays(rotations, root, offsets, parents, fps=60, names=clip.names, legs={"left": ("Knie",) * 3})
    with pytest.raises(ValueError, match="joint 99, expected a joint below 24"):
        surefoot.from_arrays(rotations, root, offsets, parents, fps=60, legs={"left": (99, 1, 2)})


def test_positions_alone_are_cleaned(clip):
    clip.detect()
    clean = surefoot.clean_positions(
        clip.positions, clip.parents, fps=clip.fps, names=clip.names, contacts=clip.contacts, floor=0.0
    )
    ball = clip.names.index("LeftToeBase")
    assert foot_drift(clip.positions, clip.contacts, ball, 1) > 0.02
    assert foot_drift(clean, clip.contacts, ball, 1) < 1e-9
    bone = lambda p, a, b: np.linalg.norm(p[:, clip.names.index(a)] - p[:, clip.names.index(b)], axis=-1)
    np.testing.assert_allclose(bone(clean, "LeftUpLeg", "LeftLeg"), bone(clip.positions, "LeftUpLeg", "LeftLeg"), atol=1e-9)
    both = surefoot.clean_positions(np.stack([clip.positions] * 2), clip.parents, fps=clip.fps, names=clip.names)
    assert both.shape == (2, *clip.positions.shape)


def test_rotations_reproduce_positions(clip):
    from surefoot._positions import rotations_from_positions

    rotations, translations, offsets = rotations_from_positions(clip.positions, clip.parents)
    again = surefoot.from_arrays(
        rotations, translations[:, 0], offsets, clip.parents, fps=60, names=clip.names, translations=translations
    )
    np.testing.assert_allclose(again.positions, clip.positions, atol=1e-12)


def test_a_motion_from_arrays_is_saved_as_bvh(clip):
    made = surefoot.from_arrays(*arrays(clip), fps=clip.fps, names=clip.names, unit="m")
    made.save("made.bvh")
    np.testing.assert_allclose(surefoot.load("made.bvh", unit="m").positions, clip.positions, atol=1e-5)


@pytest.mark.parametrize(
    "change, reason",
    [
        (lambda a: a.update(rotations=a["rotations"][:, :5]), r"rotations: found shape \(361, 5, 4\)"),
        (lambda a: a.update(root=a["root"][:7]), r"root: found shape \(7, 3\), expected \(361, 3\)"),
        (lambda a: a.update(offsets=a["offsets"] * np.nan), "offset or end of joint 0 is not finite"),
        (lambda a: a.update(rotations=a["rotations"] * 0), "expected a rotation w, x, y, z"),
        (lambda a: a.update(root=a["root"] + np.inf), "the position is not finite"),
        (lambda a: a.update(parents=np.arange(24)), "expected an earlier joint"),
        (lambda a: a.update(fps=0), "rate|fps|frames"),
        (lambda a: a.update(names=["a"]), "names: found 1, expected 24"),
        (lambda a: a.update(order="abcd"), "order: found 'abcd'"),
        (lambda a: a.update(floor="level"), "expected a height in metres, a plane, a mesh or"),
    ],
)
def test_wrong_arrays_are_refused_with_the_reason(clip, change, reason):
    rotations, root, offsets, parents = arrays(clip)
    call = dict(rotations=rotations, root=root, offsets=offsets, parents=parents, fps=60, names=clip.names)
    change(call)
    with pytest.raises(ValueError, match=reason):
        surefoot.from_arrays(**call)


def test_a_body_without_legs_is_refused():
    with pytest.raises(surefoot.FormatError, match="no legs were found"):
        surefoot.from_arrays(np.tile([1.0, 0, 0, 0], (5, 2, 1)), np.zeros((5, 3)), np.ones((2, 3)), [-1, 0], fps=30)
