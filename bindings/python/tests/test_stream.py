"""The streaming cleaner: a pose in, a clean pose out."""

from __future__ import annotations

import numpy as np
import pytest
import surefoot


def stream(clip, cleaner, contacts=None):
    poses = []
    for frame in range(clip.frames):
        given = () if contacts is None else (contacts[frame],)
        clean = cleaner.push(clip.rotations[frame], clip.root[frame], *given)
        assert (clean is None) == (frame < cleaner.lookahead), frame
        poses += [] if clean is None else [clean]
    poses += cleaner.finish()
    return np.stack([rotations for rotations, _ in poses]), np.stack([root for _, root in poses])


def test_a_stream_equals_the_whole_clip_bit_for_bit():
    walk = surefoot.load("walk.bvh")
    clip = surefoot.from_arrays(walk.rotations, walk.root, walk.offsets, walk.parents, fps=60, names=walk.names)
    contacts = clip.detect() > 0
    clip.set_contacts(contacts)
    whole = clip.clean(live=True, stretch=0)
    rotations, root = stream(clip, surefoot.Cleaner(clip, detect=False, stretch=0), contacts)
    np.testing.assert_array_equal(root, whole.root)
    np.testing.assert_array_equal(rotations, whole.rotations)


def test_contacts_are_detected_while_the_poses_arrive():
    clip = surefoot.load("walk.bvh")
    cleaner = surefoot.Cleaner(clip)
    assert 0 < cleaner.lookahead < 1.2 * clip.fps
    rotations, root = stream(clip, cleaner)
    clean = surefoot.from_arrays(rotations, root, clip.offsets, clip.parents, fps=60, names=clip.names)
    figures = clean.measure(before=clip)
    assert figures["slide_mean_m_per_s"]["after"] < 0.5 * figures["slide_mean_m_per_s"]["before"]


def test_a_wrong_pose_is_refused_and_the_next_takes_its_place():
    clip = surefoot.load("walk.bvh")
    clean, damaged = surefoot.Cleaner(clip), surefoot.Cleaner(clip)
    expected = stream(clip, clean)
    for rotations, root, reason in [
        (clip.rotations[0][:3], clip.root[0], r"shape \(24, 4\)"),
        (clip.rotations[0] * np.nan, clip.root[0], "expected a rotation"),
        (clip.rotations[0], clip.root[0] * np.inf, "finite"),
        (clip.rotations[0], clip.root[0][:2], r"shape \(3,\)"),
    ]:
        with pytest.raises(ValueError, match=reason):
            damaged.push(rotations, root)
    for one, other in zip(stream(clip, damaged), expected):
        np.testing.assert_array_equal(one, other)
    with pytest.raises(ValueError, match="found 3 values, expected 4"):
        surefoot.Cleaner(clip, detect=False).push(clip.rotations[0], clip.root[0], [0, 1, 0])
    with pytest.raises(ValueError, match="pass detect=False"):
        surefoot.Cleaner(clip).push(clip.rotations[0], clip.root[0], [0, 1, 0, 1])
