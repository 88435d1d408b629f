"""The figures of Measure, and notes, as text for the panel."""

from __future__ import annotations

import re

#: Label, key, factor and format of the figures that are shown.
SHOWN = (
    ("Drift of planted feet", "drift_max_m", 1e3, "{:.2f} mm"),
    ("Sliding speed", "slide_mean_m_per_s", 1e2, "{:.1f} cm/s"),
    ("Planted frames that skate", "skate_ratio", 1e2, "{:.0f} %"),
    ("Depth below the floor", "penetration_max_m", 1e3, "{:.1f} mm"),
    ("Knee acceleration", "knee_acceleration_max_rad_per_s2", 57.29578, "{:.0f} °/s²"),
    ("Stretch of the legs", "stretch_max", 1e2, "{:.2f} %"),
)
#: What a viewer would object to, of which the number of events is shown.
EVENTS = (
    ("New slides", "new_slides"),
    ("Teleports", "teleports"),
    ("Knee pops", "knee_pops"),
    ("Scrapes", "scrapes"),
    ("Below the floor", "below_floor"),
)
#: Frames in a note of surefoot: "frame 12", "frames 12–40".
FRAMES = re.compile(r"(?<=\bframe )\d+|(?<=\bframes )\d+–\d+")


def figure_rows(figures: dict) -> list[tuple[str, str, str]]:
    """Rows of name, before and after. A motion that was measured alone has no value before."""
    rows = []
    for label, key, factor, form in SHOWN:
        value = figures.get(key)
        pair = value if isinstance(value, dict) else {"after": value}
        texts = [form.format(pair[when] * factor) if pair.get(when) is not None else "" for when in ("before", "after")]
        rows.append((label, *texts))
    rows += [(label, "", str(len(figures[key]))) for label, key in EVENTS if isinstance(figures.get(key), list)]
    return rows


def in_scene_frames(note: str, first: int) -> str:
    """A note with the frames of a clip, counted from 0, as frames of the scene."""

    def shifted(match: re.Match) -> str:
        return "–".join(str(int(frame) + first) for frame in match[0].split("–"))

    return FRAMES.sub(shifted, note)
