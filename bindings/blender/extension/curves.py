"""F-curves of an action: finds them, and replaces the values of the frames that changed.

A curve outside those frames keeps its keys, handles and interpolation. Where a curve has keys further apart than a
frame, frames up to the next key on each side get keys with their old values, so that the rest of the curve keeps its
shape.
"""

from __future__ import annotations

import numpy as np

#: What a key has, with the number of values and whether they are floats.
ATTRIBUTES = {
    "co": (2, True),
    "handle_left": (2, True),
    "handle_right": (2, True),
    "amplitude": (1, True),
    "back": (1, True),
    "period": (1, True),
    "interpolation": (1, False),
    "easing": (1, False),
    "handle_left_type": (1, False),
    "handle_right_type": (1, False),
    "type": (1, False),
    "select_control_point": (1, False),
    "select_left_handle": (1, False),
    "select_right_handle": (1, False),
}
#: Blender's numbers of the handle types and of the interpolation of a new key.
FREE, AUTO, BEZIER = 0, 1, 2
#: Distance of a key from a frame at which it is on the frame.
ON_FRAME = 1e-3


def fcurves(action, slot):
    """The curves of an action, or of its slot since Blender 4.4."""
    if slot is None:
        return action.fcurves
    layer = action.layers[0] if action.layers else action.layers.new("Layer")
    strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
    return strip.channelbag(slot, ensure=True).fcurves


def find(curves, path: str, index: int):
    """The curve of a channel, or None."""
    return curves.find(path, index=index)


def find_or_add(curves, path: str, index: int, group: str):
    """The F-curve of a channel; creates the curve if the channel has none."""
    curve = find(curves, path, index)
    if curve is not None:
        return curve
    try:
        return curves.new(path, index=index, group_name=group)
    except TypeError:
        # Blender before 5.0.
        return curves.new(path, index=index, action_group=group)


def values(curve, frames: np.ndarray, default: float) -> np.ndarray:
    """The values of a curve, with its modifiers; of a channel without a curve, its constant value."""
    if curve is None or curve.mute:
        return np.full(len(frames), default)
    return np.array([curve.evaluate(frame) for frame in frames.tolist()])


def replace(curve, frames: np.ndarray, old: np.ndarray, new: np.ndarray, changed: np.ndarray) -> None:
    """Sets the value of a curve in the frames that changed.

    ``frames`` are consecutive, ``old`` and ``new`` the values in each of them. A curve with modifiers is set in all
    frames and its modifiers are muted, since they would change the new values.
    """
    if any(not modifier.mute for modifier in curve.modifiers):
        changed = np.ones_like(changed)
        for modifier in curve.modifiers:
            modifier.mute = True
    if not changed.any():
        return
    keys = _read(curve)
    keyed = _up_to_keys(frames, changed, keys["co"][:, 0], curve.extrapolation == "LINEAR")
    merged = _merge(keys, frames[keyed], np.where(changed, new, old)[keyed])
    _write(curve, merged)


def _up_to_keys(frames: np.ndarray, changed: np.ndarray, times: np.ndarray, is_linear: bool) -> np.ndarray:
    """The frames that get keys: the changed ones, and those between them and the nearest keys.

    Beyond the first and the last key a curve stays constant, which one key beside the changed frames keeps, or it goes
    on in a line (``is_linear``), which takes keys in all frames there.
    """
    keyed = changed.copy()
    edges = np.flatnonzero(np.diff(np.concatenate([[False], changed, [False]]).astype(int)))
    for start, end in edges.reshape(-1, 2):
        before = times[times < frames[start] - ON_FRAME]
        after = times[times > frames[end - 1] + ON_FRAME]
        low = before[-1] if len(before) else -np.inf if is_linear else frames[start] - 2
        high = after[0] if len(after) else np.inf if is_linear else frames[end - 1] + 2
        keyed |= (frames > low + ON_FRAME) & (frames < high - ON_FRAME)
    return keyed


def _read(curve) -> dict[str, np.ndarray]:
    points = curve.keyframe_points
    keys = {}
    for name, (size, is_float) in ATTRIBUTES.items():
        data = np.empty(len(points) * size, dtype=np.float32 if is_float else np.int32)
        points.foreach_get(name, data)
        keys[name] = data.reshape(-1, size) if size > 1 else data
    return keys


def _merge(keys: dict[str, np.ndarray], frames: np.ndarray, new: np.ndarray) -> dict[str, np.ndarray]:
    """A copy of the keys with new values at the given frames; frames without a key get one."""
    times = keys["co"][:, 0]
    nearest = np.round(times)
    at = np.minimum(np.searchsorted(frames, nearest), len(frames) - 1)
    on_grid = (np.abs(times - nearest) <= ON_FRAME) & (frames[at] == nearest)
    # Keys between two frames that both get keys would bend the curve there.
    low = np.searchsorted(frames, times, side="right") - 1
    between = (low >= 0) & (low + 1 < len(frames)) & ~on_grid
    between &= frames[np.minimum(low + 1, len(frames) - 1)] - frames[np.maximum(low, 0)] == 1
    kept = ~between
    keys = {name: data[kept] for name, data in keys.items()}
    on_grid, at = on_grid[kept], at[kept]
    delta = np.where(on_grid, new[at] - keys["co"][:, 1], 0.0)
    for name in ("co", "handle_left", "handle_right"):
        keys[name][:, 1] += delta.astype(np.float32)
    keys["co"][on_grid, 1] = new[at][on_grid]
    missing = ~np.isin(frames, np.round(keys["co"][on_grid, 0]))
    _keep_outer_handles(keys, frames[missing])
    added = _added(keys, frames[missing], new[missing])
    merged = {name: np.concatenate([keys[name], added[name]]) for name in keys}
    order = np.argsort(merged["co"][:, 0], kind="stable")
    return {name: data[order] for name, data in merged.items()}


def _keep_outer_handles(keys: dict[str, np.ndarray], added: np.ndarray) -> None:
    """Frees the far handle of each key that gets a new neighbour, so that the curve keeps its shape there."""
    times = keys["co"][:, 0]
    if not len(times) or not len(added):
        return
    following = np.searchsorted(times, added)
    after, before = np.unique(following[following < len(times)]), np.unique(following[following > 0] - 1)
    keys["handle_left_type"][np.setdiff1d(before, after)] = FREE
    keys["handle_right_type"][np.setdiff1d(after, before)] = FREE


def _added(keys: dict[str, np.ndarray], frames: np.ndarray, new: np.ndarray) -> dict[str, np.ndarray]:
    """New keys, with the interpolation of the key before them."""
    before = np.searchsorted(keys["co"][:, 0], frames) - 1
    added = {
        name: np.zeros((len(frames), size) if size > 1 else len(frames), dtype=np.float32 if is_float else np.int32)
        for name, (size, is_float) in ATTRIBUTES.items()
    }
    for name in ("co", "handle_left", "handle_right"):
        added[name][:, 0], added[name][:, 1] = frames, new
    added["handle_left_type"][:] = added["handle_right_type"][:] = AUTO
    if len(keys["interpolation"]):
        for name in ("interpolation", "easing"):
            added[name] = keys[name][np.maximum(before, 0)]
    else:
        added["interpolation"][:] = BEZIER
    return added


def _write(curve, keys: dict[str, np.ndarray]) -> None:
    points = curve.keyframe_points
    missing = len(keys["co"]) - len(points)
    if missing > 0:
        points.add(missing)
    elif missing < 0:
        points.clear()
        points.add(len(keys["co"]))
    for name, data in keys.items():
        points.foreach_set(name, np.ascontiguousarray(data).reshape(-1))
    curve.update()
