"""Motions as arrays: numpy arrays, torch tensors, arrays with DLPack, or anything that ``numpy.asarray`` takes."""

from __future__ import annotations

import os
from typing import Any, Literal, Mapping, NamedTuple, Sequence

import numpy as np

from . import _surefoot
from ._positions import rotations_from_positions
from ._surefoot import Clip

Legs = Mapping[str, Sequence[int | str]]
#: A height, "none", a plane as (normal, point) or a mesh as (vertices, triangles).
Floor = float | str | tuple[Any, Any]


class CleanArrays(NamedTuple):
    """The result of ``clean``, with the shapes, the type and the axes of what was passed."""

    #: Quaternions, shape (T, J, 4) or (B, T, J, 4).
    rotations: Any
    #: Root positions, shape (T, 3) or (B, T, 3).
    root: Any
    #: Contact labels, shape (T, 4) or (B, T, 4), float32: left heel, left ball, right heel, right ball.
    contacts: Any
    #: The clips behind the arrays, with figures, notes and positions; one, or a list of B.
    clips: Any


def from_arrays(
    rotations,
    root,
    offsets,
    parents: Sequence[int],
    *,
    fps: float,
    up: str = "y",
    unit: float | str = 1.0,
    names: Sequence[str] | None = None,
    legs: Legs | None = None,
    floor: Floor | None = None,
    translations=None,
    ends=None,
    order: Literal["wxyz", "xyzw"] = "wxyz",
    skip_t_pose: bool = False,
    like: Clip | None = None,
) -> Clip:
    """Make a clip from arrays.

    ``rotations`` (T, J, 4) are local rotations as quaternions, ``root`` (T, 3) is the position of the first joint,
    ``offsets`` (J, 3) are the rest offsets of the joints from their ``parents`` (J,), with -1 for the root. Legs are
    found by the names of the joints, where given, and by the shape of the body; ``legs`` names them by index or name:
    ``{"left": (hip, knee, ankle), "right": (hip, knee, ankle)}``. ``unit`` is one unit of the arrays in metres, and is
    inferred for "auto". ``floor`` is a height in metres along ``up``, a plane as (normal, point), a mesh as
    (vertices (V, 3), triangles (T, 3)), both in the unit and axes of the arrays, or "none"; it is inferred where it is
    not given. ``translations`` (T, J, 3) replace ``offsets`` where joints move. ``ends`` (J, 3) are the ends of bones
    without a joint at their end, such as toe tips, as offsets from their joints; NaN where there is none.

    ``like`` is a clip of the same body: its unit, axes, legs and floor are used. Nothing is inferred then, which saves
    most of the time of this call. The arrays are in the unit and axes of the arrays of that clip.

    >>> walk = surefoot.load("walk.bvh")
    >>> surefoot.from_arrays(walk.rotations, walk.root, walk.offsets, walk.parents, fps=60, names=walk.names)
    <Clip motion: 361 frames at 60 fps, 24 joints>
    """
    rotations, root, offsets = _doubles(rotations), _doubles(root), _doubles(offsets)
    parents = np.ascontiguousarray(parents, dtype=np.int64)
    joints = len(parents)
    _check_shape("parents", parents, (joints,))
    _check_shape("offsets", offsets, (joints, 3))
    frames = rotations.shape[0] if rotations.ndim == 3 else 0
    _check_shape("rotations", rotations, (frames, joints, 4))
    _check_shape("root", root, (frames, 3))
    if translations is not None:
        translations = _doubles(translations)
        _check_shape("translations", translations, (frames, joints, 3))
    if ends is not None:
        ends = _doubles(ends)
        _check_shape("ends", ends, (joints, 3))
    if names is None:
        names = [f"joint{index}" for index in range(joints)]
    if len(names) != joints:
        raise ValueError(f"names: found {len(names)}, expected {joints}")
    if order == "xyzw":
        rotations = np.ascontiguousarray(rotations[..., [3, 0, 1, 2]])
    elif order != "wxyz":
        raise ValueError(f"order: found {order!r}, expected 'wxyz' or 'xyzw'")
    return _surefoot.clip_from_arrays(
        rotations,
        root,
        offsets,
        parents,
        translations,
        ends,
        float(fps),
        up,
        unit,
        list(names),
        _leg_list(legs, names),
        _floor(floor),
        skip_t_pose,
        like,
    )


def clean(
    rotations,
    root,
    offsets,
    parents: Sequence[int],
    *,
    fps: float,
    up: str = "y",
    unit: float | str = 1.0,
    names: Sequence[str] | None = None,
    legs: Legs | None = None,
    floor: Floor | None = None,
    contacts=None,
    order: Literal["wxyz", "xyzw"] = "wxyz",
    like: Clip | None = None,
    jobs: int | None = None,
    **settings,
) -> CleanArrays:
    """Remove footskate from a motion, or from a batch of motions in parallel.

    Takes the arrays of ``from_arrays``, with a further first axis for a batch: ``rotations`` (B, T, J, 4) and ``root``
    (B, T, 3). ``contacts`` (T, 4) or (B, T, 4) are labels of 0 to 1; they are detected where they are not given. The
    result has the type of ``rotations``: tensors give tensors on the same device. Settings are those of
    ``Clip.clean``; bones keep their length, because arrays have no joint translations.

    >>> walk = surefoot.load("walk.bvh")
    >>> arrays = walk.rotations, walk.root, walk.offsets, walk.parents
    >>> clean = surefoot.clean(*arrays, fps=walk.fps, names=walk.names)
    >>> clean.rotations.shape, clean.root.shape, clean.contacts.shape
    ((361, 24, 4), (361, 3), (361, 4))
    >>> clean.clips.figures["drift_max_m"]["after"] < 1e-9
    True
    """
    passed = rotations
    rotations, root = _doubles(rotations), _doubles(root)
    is_batch = rotations.ndim == 4
    if not is_batch:
        rotations, root = rotations[None], root[None]
    if rotations.ndim != 4 or root.ndim != 3 or len(rotations) != len(root):
        raise ValueError(
            f"rotations and root: found shapes {rotations.shape[not is_batch :]} and {root.shape[not is_batch :]}, "
            "expected (T, J, 4) and (T, 3), or (B, T, J, 4) and (B, T, 3)"
        )
    facts = dict(fps=fps, up=up, unit=unit, names=names, legs=legs, floor=floor, order=order, like=like)
    clips = [from_arrays(*motion, offsets, parents, **facts) for motion in zip(rotations, root)]
    if contacts is not None:
        labels = _doubles(contacts)
        labels = labels if is_batch else labels[None]
        if len(labels) != len(clips):
            raise ValueError(f"contacts: found {len(labels)} motions, expected {len(clips)}")
        for clip, label in zip(clips, labels):
            clip.set_contacts(label)
    settings.setdefault("stretch", 0)
    cleaned = _surefoot.clean_many(clips, jobs or os.cpu_count() or 1, **settings)
    stack = (lambda arrays: np.stack(arrays)) if is_batch else (lambda arrays: arrays[0])
    new_rotations = stack([clip.rotations for clip in cleaned])
    if order == "xyzw":
        new_rotations = new_rotations[..., [1, 2, 3, 0]]
    return CleanArrays(
        _as(passed, new_rotations),
        _as(passed, stack([clip.root for clip in cleaned])),
        _as(passed, stack([clip.contacts for clip in cleaned]), keep_type=True),
        cleaned if is_batch else cleaned[0],
    )


def clean_positions(
    positions,
    parents: Sequence[int],
    *,
    fps: float,
    up: str = "y",
    unit: float | str = 1.0,
    names: Sequence[str] | None = None,
    legs: Legs | None = None,
    floor: Floor | None = None,
    contacts=None,
    **settings,
):
    """Remove footskate from joint positions (T, J, 3), or (B, T, J, 3), without rotations.

    Rotations are derived from the positions: each joint turns by the smallest rotation that points its bones where they
    point. The twist of a bone about itself is unknown and stays zero. These rotations reproduce the positions exactly
    before cleaning; joints outside legs and root move with their parents. Bones keep the length that they have in each
    frame.

    >>> walk = surefoot.load("walk.bvh")
    >>> clean = surefoot.clean_positions(walk.positions, walk.parents, fps=walk.fps, names=walk.names)
    >>> clean.shape
    (361, 24, 3)
    """
    like, positions = positions, _doubles(positions)
    is_batch = positions.ndim == 4
    motions = positions if is_batch else positions[None]
    if motions.ndim != 4 or motions.shape[-1] != 3:
        raise ValueError(f"positions: found shape {positions.shape}, expected (T, J, 3) or (B, T, J, 3)")
    facts = dict(fps=fps, up=up, unit=unit, names=names, legs=legs, floor=floor)
    clips = []
    for motion in motions:
        rotations, translations, offsets = rotations_from_positions(motion, np.asarray(parents))
        root = translations[:, 0]
        clips.append(from_arrays(rotations, root, offsets, parents, translations=translations, **facts))
    if contacts is not None:
        for clip, label in zip(clips, _doubles(contacts) if is_batch else [_doubles(contacts)]):
            clip.set_contacts(label)
    settings.setdefault("stretch", 0)
    cleaned = _surefoot.clean_many(clips, os.cpu_count() or 1, **settings)
    result = np.stack([clip.positions for clip in cleaned])
    return _as(like, result if is_batch else result[0])


def skate_metrics(
    positions,
    *,
    fps: float,
    feet: Sequence[tuple[int, int]],
    root: int = 0,
    up: str = "y",
    floor: float = 0.0,
) -> dict[str, float | None]:
    """The published skate metrics of joint positions (T, J, 3) in metres, each named after its source.

    ``feet`` are pairs of ankle and ball (or toe) joints; ``floor`` is the height of the floor. A metric that cannot be
    computed is None.

    - ``skate_mann_m_per_s``: foot skating of Zhang et al. 2018, Mode-Adaptive Neural Networks
    - ``skate_ratio_gmd``: foot skating ratio of Karunratanakul et al. 2023, Guided Motion Diffusion
    - ``skate_pfc_edge``: physical foot contact score of Tseng et al. 2023, EDGE; for two feet

    >>> sliding = np.zeros((31, 5, 3))
    >>> sliding[:, 1:, 0] = np.linspace(0, 1, 31)[:, None]
    >>> metrics = surefoot.skate_metrics(sliding, fps=30, feet=[(1, 2), (3, 4)])
    >>> round(metrics["skate_mann_m_per_s"], 6), round(metrics["skate_ratio_gmd"], 6)
    (1.0, 1.0)
    """
    positions = _doubles(positions)
    if positions.ndim != 3 or positions.shape[-1] != 3:
        raise ValueError(f"positions: found shape {positions.shape}, expected (T, J, 3)")
    feet = [(int(ankle), int(ball)) for ankle, ball in feet]
    return _surefoot.skate_metrics(positions, float(fps), feet, root, up, float(floor))


def _doubles(values) -> np.ndarray:
    if _is_torch(values):
        values = values.detach().cpu().numpy()
    elif hasattr(values, "__dlpack__") and not hasattr(values, "__array__"):
        values = np.from_dlpack(values)
    return np.ascontiguousarray(values, dtype=np.float64)


def _is_torch(values) -> bool:
    return type(values).__module__.split(".")[0] == "torch"


def _as(like, array: np.ndarray, *, keep_type: bool = False):
    """An array as what was passed: a tensor on its device, or an array; in its precision."""
    if _is_torch(like):
        import torch

        tensor = torch.from_numpy(np.array(array))
        return tensor.to(like.device) if keep_type else tensor.to(like)
    dtype = getattr(like, "dtype", None)
    if keep_type or dtype is None or dtype.kind != "f" or dtype == array.dtype:
        return array
    return array.astype(dtype)


def _check_shape(name: str, array: np.ndarray, expected: tuple[int, ...]) -> None:
    if array.shape != expected:
        raise ValueError(f"{name}: found shape {array.shape}, expected {expected}")


def _floor(floor: Floor | None):
    """A floor as the compiled part takes it: doubles for a plane, doubles and indices for a mesh."""
    if floor is None or np.isscalar(floor):
        return floor
    if len(floor) != 2:
        raise ValueError(f"floor: found {len(floor)} values, expected (normal, point) or (vertices, triangles)")
    first, second = floor
    if np.ndim(first) == 2:
        return _doubles(first), np.ascontiguousarray(second, dtype=np.int64)
    return _doubles(first), _doubles(second)


def _leg_list(legs: Legs | None, names: Sequence[str]):
    """Legs as the compiled part takes them: side and three indices."""
    if legs is None:
        return None
    index = {name: place for place, name in reversed(list(enumerate(names)))}

    def joint(value: int | str) -> int:
        if isinstance(value, str):
            if value not in index:
                raise ValueError(f"legs: found no joint {value!r}, expected one of {', '.join(names)}")
            return index[value]
        return int(value)

    found = []
    for side, joints in legs.items():
        if len(joints) != 3:
            raise ValueError(f"legs: found {len(joints)} joints for {side!r}, expected hip, knee and ankle")
        found.append((side, *map(joint, joints)))
    return found
