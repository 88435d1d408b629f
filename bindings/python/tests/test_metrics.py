"""The published skate metrics, on motions whose values follow from the authors' definitions by hand."""

from __future__ import annotations

import numpy as np
import pytest
import surefoot

FEET = [(1, 2), (3, 4)]


def still(frames=40):
    """Root, and ankle and ball of two feet, all at rest on the floor."""
    positions = np.zeros((frames, 5, 3))
    positions[:, 0, 1] = 1.0
    return positions


def metric(positions, fps=30, **facts):
    return surefoot.skate_metrics(positions, fps=fps, feet=FEET, **facts)


def test_mann_weighs_the_speed_by_height():
    # Zhang et al. 2018: s = v (2 - 2^(h/H)), H = 2.5 cm, averaged over feet and frames.
    positions = still()
    time = np.arange(40) / 30
    positions[:, 2, 0] = 0.6 * time
    assert metric(positions)["skate_mann_m_per_s"] == pytest.approx(0.6 / 2)
    positions[:, 2, 1] = 0.0125
    assert metric(positions)["skate_mann_m_per_s"] == pytest.approx(0.6 * (2 - 2**0.5) / 2)
    positions[:, 2, 1] = 0.025
    assert metric(positions)["skate_mann_m_per_s"] == pytest.approx(0.0)


def test_gmd_counts_frames_of_low_and_fast_feet():
    # Karunratanakul et al. 2023, metrics.py at 20 fps: below 5 cm in both frames, faster than 0.5 m/s (2.5 cm a frame),
    # also in the mean over 5 frames, with zeros beyond the ends; the share of frames in which either foot skates.
    positions = still(21)
    speeds = np.zeros(20)
    speeds[8:14] = 1.0
    positions[1:, 2, 0] = np.cumsum(speeds) / 20
    # The mean over 5 frames exceeds 0.5 m/s where 3 or more of them are fast: steps 8 to 13.
    assert metric(positions, fps=20)["skate_ratio_gmd"] == pytest.approx(6 / 20)
    positions[:, 2, 1] = 0.06
    assert metric(positions, fps=20)["skate_ratio_gmd"] == 0.0
    one = still(21)
    one[10:, 2, 0] = 0.1
    # One fast step: the mean of five is 0.4 m/s.
    assert metric(one, fps=20)["skate_ratio_gmd"] == 0.0


def test_edge_multiplies_both_feet_with_the_acceleration_of_the_root():
    # Tseng et al. 2023, eval_pfc.py: mean over frames of |a| / max |a| times the product of both feet's displacements in
    # 1/30 s, each the lesser of ankle and toe, times 10,000; downward acceleration does not count.
    positions = still(33)
    time = np.arange(33) / 30
    positions[:, 0, 0] = time**2
    positions[:, 1:3, 0] = (0.3 * time)[:, None]
    positions[:, 3:5, 0] = (0.6 * time)[:, None]
    assert metric(positions)["skate_pfc_edge"] == pytest.approx(1e4 * (0.3 / 30) * (0.6 / 30))
    positions[:, 4, 0] = 0
    assert metric(positions)["skate_pfc_edge"] == pytest.approx(0.0)
    falling = still(33)
    falling[:, 0, 1] = -(time**2)
    falling[:, 1:, 0] = time[:, None]
    assert metric(falling)["skate_pfc_edge"] == pytest.approx(0.0)


def test_the_axes_and_the_floor_do_not_matter():
    random = np.random.default_rng(20)
    positions = still() + 0.01 * random.standard_normal((40, 5, 3)).cumsum(0)
    expected = metric(positions)
    z_up = np.stack([positions[..., 0], -positions[..., 2], positions[..., 1] + 3], -1)
    for key, value in metric(z_up, up="z", floor=3.0).items():
        assert value == pytest.approx(expected[key], abs=1e-12), key


def test_the_metrics_of_a_clip_are_among_its_figures():
    figures = surefoot.load("walk.bvh").clean().figures
    assert {"skate_mann_m_per_s", "skate_ratio_gmd", "skate_pfc_edge"} <= set(figures)


def test_one_foot_has_no_score_of_two_and_wrong_joints_are_refused():
    assert surefoot.skate_metrics(still(), fps=30, feet=[(1, 2)])["skate_pfc_edge"] is None
    assert all(value is None for value in metric(still(0)).values())
    with pytest.raises(ValueError, match="found joint 9, expected a joint below 5"):
        surefoot.skate_metrics(still(), fps=30, feet=[(1, 9)])
    with pytest.raises(ValueError, match="not finite"):
        metric(still() * np.nan)
    with pytest.raises(ValueError, match=r"expected \(T, J, 3\)"):
        metric(np.zeros((5, 3)))
